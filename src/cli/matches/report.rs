//! What a match came to, printed.

use std::process::ExitCode;

use roughboard::arena::{GameRow, MatchResult, Plan, Played, Tested, TournamentResult};
use roughboard::game::BoardGame;
use roughboard::report::{Table, matches};
use roughboard::runs::matches::MatchFolder;

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
    let (result, missing) = (played.result_with_efforts(), played.missing());
    if outlet.form.is_for_programs() {
        let pairings: Vec<_> = result.pairings.iter().map(pairing_as_json).collect();
        let mut json = serde_json::json!({
            "entrants": result.names, "limits": result.efforts, "equal_limits": result.is_even(), "pairings": pairings, "missing": missing,
            "repeats": played.repeats(),
        });
        if let Some(Tested { sprt, run, most }) = &result.test {
            json["sprt"] = test_as_json(sprt, run.pairs);
            json["sprt"]["pairs"] = run.pairs.count().into();
            json["sprt"]["most_pairs"] = (*most).into();
        }
        outlet.form.print_line(&json, Sheet::Made(&|| Ok(matches::pairings(&result.pairings).to_csv())))?;
    } else {
        let tables: Vec<String> = tables(plan, &result).iter().map(Table::to_text).collect();
        let told = matches::limits(&result).into_iter().chain(result.test.iter().flat_map(matches::test_sentences));
        let told: String = told.map(|line| format!("{line}\n")).collect();
        output::print(&format!("{told}{}{}", tables.join("\n"), remarks(plan, missing, outlet)))?;
    }
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

fn remarks<G: BoardGame>(plan: &Plan<G>, missing: usize, outlet: &Outlet<'_>) -> String {
    let note = outlet.note.iter().cloned();
    let are = if missing == 1 { "is" } else { "are" };
    let incomplete = (missing > 0).then(|| format!("incomplete: {missing} of {} games {are} missing", plan.games()));
    let folder = outlet.folder.map(|folder| format!("folder: {}", folder.path().display()));
    note.chain(incomplete).chain(folder).fold(String::new(), |text, line| format!("{text}\n{line}")) + "\n"
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

fn pairing_as_json(result: &MatchResult) -> serde_json::Value {
    let (low, high) = result.pentanomial.elo().ends();
    let finite = |value: f64| value.is_finite().then_some(value);
    serde_json::json!({
        "a": result.names[0],
        "b": result.names[1],
        "wins": result.wdl.wins,
        "draws": result.wdl.draws,
        "losses": result.wdl.losses,
        "score": result.wdl.score(),
        "elo": result.pentanomial.elo().elo().and_then(finite),
        "elo_low": finite(low),
        "elo_high": finite(high),
        "pentanomial": result.pentanomial.pairs,
        "ends": result.ends,
        "mean_plies": result.mean_plies,
        "nodes": result.nodes,
    })
}
