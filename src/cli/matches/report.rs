//! What a match came to, printed.

use std::process::ExitCode;

use roughboard::arena::{GameRow, MatchResult, Plan, Played, Tested, TournamentResult};
use roughboard::game::BoardGame;
use roughboard::report::matches::Place;
use roughboard::report::{Table, matches};
use roughboard::runs::matches::MatchFolder;
use roughboard::stats::{Counts, EloEstimate, Holm, Sample, Standing};
use serde_json::{Value as Json, json};

use super::sprt::test_as_json;
use crate::cli::form::{Form, Sheet};
use crate::cli::{CHECKS_FAILED, INCOMPLETE, output};

/// How a match is reported.
pub struct Outlet<'a> {
    /// As JSON or CSV instead of tables.
    pub form: Form,
    /// Where it lies.
    pub folder: Option<&'a MatchFolder>,
    /// A remark below the tables.
    pub note: Option<String>,
}

/// Prints the figures of all pairs that are there; the code says whether that is all of them.
pub fn report<G: BoardGame>(plan: &Plan<G>, played: &Played<'_, G>, outlet: &Outlet<'_>) -> anyhow::Result<ExitCode> {
    let (result, missing) = (played.result_with_players(), played.missing());
    let repeats = matches::repeats(&result);
    output::note(repeats.iter().chain(&matches::unrated(&result)));
    let tests = matches::tests(&result.pairings);
    let pairings: Vec<_> = result.pairings.iter().zip(&tests).map(pairing_as_json).collect();
    let standings: Vec<_> = matches::ranked(&result).iter().map(place_as_json).collect();
    let mut json = json!({
        "entrants": result.names, "entered_as": result.entered_as, "limits": result.efforts,
        "equal_limits": result.is_even(), "standings": standings,
        "pairings": pairings, "missing": missing, "halves": played.halves(), "repeats": result.repeats(),
    });
    if let Some(Tested { sprt, run, most }) = &result.test {
        json["sprt"] = test_as_json(sprt, run.pairs);
        json["sprt"]["pairs"] = run.pairs.count().into();
        json["sprt"]["most_pairs"] = (*most).into();
    }
    let tables: Vec<String> = tables(plan, &result).iter().map(Table::to_text).collect();
    let told = matches::players(&result).into_iter().chain(result.test.iter().flat_map(matches::test_sentences));
    let told: String = told.map(|line| format!("{line}\n")).collect();
    let text = format!("{told}{}{}", tables.join("\n"), remarks(plan, played, repeats, outlet));
    outlet.form.give_line(&json, Sheet::Made(&|| matches::pairings(&result.pairings).to_csv()), &text)?;
    let failure = played.first_failure();
    if let Some((GameRow { game, first, second, reason, .. }, detail)) = &failure {
        eprintln!("check failed: an entrant failed, first in game {game} ({first} - {second}): {reason}: {detail}");
    }
    Ok(match failure {
        _ if missing > 0 => ExitCode::from(INCOMPLETE),
        Some(_) => ExitCode::from(CHECKS_FAILED),
        None => ExitCode::SUCCESS,
    })
}

fn remarks<G: BoardGame>(
    plan: &Plan<G>,
    played: &Played<'_, G>,
    repeats: Option<String>,
    outlet: &Outlet<'_>,
) -> String {
    let note = outlet.note.iter().cloned();
    let (missing, halves) = (played.missing(), played.halves());
    let are = if missing == 1 { "is" } else { "are" };
    let waiting = match halves {
        0 => String::new(),
        1 => "; 1 game that ended waits for the other of its pair, and is in no table".to_owned(),
        many => format!("; {many} games that ended wait for the others of their pairs, and are in no table"),
    };
    let incomplete =
        (missing > 0).then(|| format!("incomplete: {missing} of {} games {are} missing{waiting}", plan.games()));
    let folder = outlet.folder.map(|folder| format!("folder: {}", folder.path().display()));
    note.chain(repeats).chain(incomplete).chain(folder).fold(String::new(), |text, line| format!("{text}\n{line}"))
        + "\n"
}

/// One table for two, a cross table and more for many.
fn tables<G: BoardGame>(plan: &Plan<G>, result: &TournamentResult) -> Vec<Table> {
    match result.pairings.as_slice() {
        [one] => {
            let (counted, all) = (one.wdl.games(), plan.games());
            let part = if counted < all as u64 { format!("{counted} of ") } else { String::new() };
            let caption = format!("{} - {}, {part}{all} games", one.names[0], one.names[1]);
            vec![matches::figures(caption, one)]
        }
        many => {
            vec![matches::standings(result), matches::cross_table(result), matches::pairings(many), matches::ends(many)]
        }
    }
}

fn pairing_as_json((result, test): (&MatchResult, &Holm)) -> Json {
    let sample = result.pentanomial.sample();
    let mut json = json!({
        "a": result.names[0],
        "b": result.names[1],
        "games": result.wdl.games(),
        "repeats": result.repeats(),
        "won": result.wdl.wins,
        "drawn": result.wdl.draws,
        "lost": result.wdl.losses,
        "score": result.wdl.score(),
        "score_error": sample.as_ref().and_then(Sample::score_error),
        "los": Counts::from(result.pentanomial).superiority(),
        "p_holm": sample.map(|_| test.adjusted),
        "pentanomial": result.pentanomial.pairs,
        "ends": result.ends,
        "mean_plies": (result.wdl.games() > 0).then_some(result.mean_plies),
        "nodes": result.nodes,
    });
    add_elo(&mut json, result.pentanomial.elo());
    json
}

/// Adds an Elo difference and the ends of its interval, which are null where they are infinite, and what they are: `elo_kind`.
pub fn add_elo(json: &mut Json, estimate: EloEstimate) {
    let kind = match estimate {
        EloEstimate::Unknown => "none",
        EloEstimate::Interval { .. } | EloEstimate::Between { .. } => "interval",
        EloEstimate::Above(_) => "above",
        EloEstimate::Below(_) => "below",
    };
    let (low, high) = estimate.ends();
    for (key, value) in [("elo", estimate.elo()), ("elo_low", Some(low)), ("elo_high", Some(high))] {
        json[key] = value.filter(|value| value.is_finite()).into();
    }
    json["elo_kind"] = kind.into();
}

fn place_as_json(place: &Place<'_>) -> Json {
    let &Place { name, effort, wdl, rating, .. } = place;
    let ends = rating.as_ref().and_then(matches::rating_ends);
    let [elo, low, high] = ends.map_or([None; 3], |ends| ends.map(|end| Some(end).filter(|end| end.is_finite())));
    let kind = rating.map(|rating| match rating.standing {
        Standing::Rated if ends.is_some() => "rated",
        Standing::AtLeast => "above",
        Standing::AtMost => "below",
        Standing::Rated | Standing::Open => "open",
    });
    json!({
        "entrant": name,
        "limits": effort,
        "rating": elo,
        "rating_low": low,
        "rating_high": high,
        "rating_kind": kind,
        "rating_group": rating.map(|rating| rating.group + 1),
        "games": wdl.games(),
        "won": wdl.wins,
        "drawn": wdl.draws,
        "lost": wdl.losses,
        "points": place.points(),
        "score": wdl.score(),
    })
}
