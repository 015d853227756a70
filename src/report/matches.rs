//! The results of matches, as tables and as a chart.

#[cfg(feature = "plots")]
use super::{Bar, Bars};
use super::{Cell, Heading, Table};
use crate::arena::{MatchResult, Tested, TournamentResult};
use crate::stats::{
    Counts, EloEstimate, EloScale, Encounter, Rating, Ratings, Sample, Standing, Verdict, Wdl, holm, rate, two_sided,
};

/// The ± of the score of the first player in per cent, from the spread of its pairs of games ([`Sample::score_error`]).
fn error_cell(result: &MatchResult) -> Cell {
    let error = result.pentanomial.sample().as_ref().and_then(Sample::score_error);
    error.map(|error| Cell::real(100.0 * error, 1)).into()
}

/// Won, drawn, lost, score % and ± % of the first player, as cells of a row.
pub fn score_cells(result: &MatchResult) -> [Cell; 5] {
    let [wins, draws, losses] = [result.wdl.wins, result.wdl.draws, result.wdl.losses].map(Cell::from);
    [wins, draws, losses, score_cell(result.wdl), error_cell(result)]
}

/// The score in per cent.
fn score_cell(wdl: Wdl) -> Cell {
    Cell::real(100.0 * wdl.score().unwrap_or(f64::NAN), 1)
}

/// Who may think how far, and whether that is equal; one sentence each, none if nobody is limited.
pub fn limits(result: &TournamentResult) -> Vec<String> {
    let told = result.names.iter().zip(&result.efforts).filter(|(_, effort)| !effort.is_empty());
    let told: Vec<String> = told.map(|(name, effort)| format!("{name}: {effort}")).collect();
    let limits = (!told.is_empty()).then(|| format!("limits: {}", told.join("; ")));
    let uneven =
        (!result.is_even()).then(|| "the limits are not equal: the result is not of the evaluators alone".to_owned());
    limits.into_iter().chain(uneven).collect()
}

/// What the sequential test of a match said, and when; one sentence, and one more on figures of a match that it has ended.
pub fn test_sentences(tested: &Tested) -> Vec<String> {
    let Tested { sprt, run, most } = tested;
    let (lower, upper) = sprt.bounds();
    let elo = if sprt.scale == EloScale::Normalised { "normalised Elo" } else { "Elo" };
    let (is_over, pairs) = (run.verdict != Verdict::Continue, run.pairs.count());
    let verdict = if is_over { run.verdict.to_string() } else { "no verdict".to_owned() };
    let told = format!(
        "sequential test of {} (H0) against {} (H1) {elo}, alpha {}, beta {}: {verdict} after {pairs} of at most {most} pairs, \
         log-likelihood ratio {:.3}, bounds [{lower:.3}, {upper:.3}]",
        sprt.elo0,
        sprt.elo1,
        sprt.alpha,
        sprt.beta,
        tested.llr()
    );
    let leaning =
        "a match that its test ends stops when one side is ahead: score, Elo and p-values lean to that side".to_owned();
    std::iter::once(told).chain(is_over.then_some(leaning)).collect()
}

/// The sequential test of a match as a row.
pub fn sequential_test(tested: &Tested) -> Table {
    let Tested { sprt, run, most } = tested;
    let (lower, upper) = sprt.bounds();
    let names = [run.verdict.to_string(), sprt.scale.to_string()].map(Cell::from);
    let settings = [(sprt.elo0, 1), (sprt.elo1, 1), (sprt.alpha, 3), (sprt.beta, 3)];
    let settings = settings.map(|(value, digits)| Cell::real(value, digits));
    let pairs = [run.pairs.count(), *most].map(Cell::from);
    let ratio = [tested.llr(), lower, upper].map(|value| Cell::real(value, 3));
    let numbers = ["elo0", "elo1", "alpha", "beta", "pairs", "most pairs", "LLR", "lower bound", "upper bound"];
    let row = names.into_iter().chain(settings).chain(pairs).chain(ratio);
    Table::new("Sequential test", &["verdict", "scale"], &numbers).with_rows([row])
}

/// An Elo difference with the ends of its 95 % interval, which are infinite where the games set no limit.
pub fn elo_cell(estimate: EloEstimate) -> Cell {
    let (low, high) = estimate.ends();
    let values = estimate.elo().map(|elo| [elo, low, high].map(|one| Cell::real(one, 0)).into());
    Cell::Several { shown: estimate.to_string(), values: values.unwrap_or_default() }
}

/// All figures of one pairing, one row each, from the side of the first player.
pub fn figures(caption: impl Into<String>, result: &MatchResult) -> Table {
    let wdl = result.wdl;
    let superiority = Counts::from(result.pentanomial).superiority().map(|los| Cell::real(los, 3));
    let rows: [(&str, Cell); 10] = [
        ("won", wdl.wins.into()),
        ("drawn", wdl.draws.into()),
        ("lost", wdl.losses.into()),
        ("score %", score_cell(wdl)),
        ("± % (95 %, by pairs)", error_cell(result)),
        ("Elo ± 95 %", elo_cell(result.pentanomial.elo())),
        ("likelihood of superiority", superiority.into()),
        ("pairs by points 0 ½ 1 1½ 2", pairs(result)),
        ("mean plies", Cell::real(result.mean_plies, 1)),
        ("nodes of both, millions", Cell::real(result.nodes.iter().sum::<u64>() as f64 / 1e6, 1)),
    ];
    let ends = result.ends.iter().map(|(reason, count)| [format!("ended by {reason}").into(), (*count).into()]);
    let rows = rows.into_iter().map(|(name, cell)| [name.into(), cell]).chain(ends);
    Table::new(caption, &["of the first"], &["figure"]).with_rows(rows)
}

fn pairs(result: &MatchResult) -> Cell {
    let pairs = result.pentanomial.pairs;
    Cell::Several { shown: pairs.map(|count| count.to_string()).join(" "), values: pairs.map(Cell::from).into() }
}

/// One row for each pairing. `p (Holm)` is the two-sided p-value of "neither is stronger", from pairs of games, adjusted for the number of
/// pairings.
pub fn pairings(results: &[MatchResult]) -> Table {
    let names = ["a", "b", "Elo of a ± 95 %", "pairs by points 0 ½ 1 1½ 2"];
    let numbers = ["won", "drawn", "lost", "score %", "± %", "p (Holm)", "mean plies"];
    let p_values: Vec<f64> = results.iter().map(|one| two_sided(one.pentanomial.los_exact())).collect();
    let rows = results.iter().zip(holm(&p_values, 0.05)).map(|(result, test)| {
        let others = [Cell::real(test.adjusted, 3), Cell::real(result.mean_plies, 1)];
        let [a, b] = result.names.each_ref().map(|name| Cell::from(name.as_str()));
        let names = [a, b, elo_cell(result.pentanomial.elo()), pairs(result)];
        names.into_iter().chain(score_cells(result)).chain(others)
    });
    Table::new("Pairings", &names, &numbers).with_rows(rows)
}

/// One row for each entrant, the best score first; of equal ones, whoever entered first. The rating is that of the Bradley-Terry model
/// over all games, with a mean of 0; entrants with one-sided results have a bound.
pub fn standings(result: &TournamentResult) -> Table {
    let numbers = ["games", "won", "drawn", "lost", "points", "score %"];
    let ratings = ratings(result);
    let rating_of = |name: &str| {
        let at = result.names.iter().position(|known| known == name)?;
        ratings.as_ref().map(|ratings| rating_cell(&ratings.entrants[at], ratings.groups))
    };
    let are_known = result.efforts.iter().any(|effort| !effort.is_empty());
    let effort_of = |name: &str| {
        let at = result.names.iter().position(|known| known == name).filter(|_| are_known)?;
        Some(Cell::from(result.efforts.get(at)?.as_str()))
    };
    let rows = ranked(result).into_iter().map(|(name, wdl)| {
        let names = [Some(name.into()), Some(rating_of(name).unwrap_or_else(|| "".into())), effort_of(name)];
        let counts = [wdl.games(), wdl.wins, wdl.draws, wdl.losses].map(Cell::from);
        names.into_iter().flatten().chain(counts).chain([Cell::real(points(wdl), 1), score_cell(wdl)])
    });
    let names: &[&str] =
        if are_known { &["entrant", "rating ± 95 %", "limits"] } else { &["entrant", "rating ± 95 %"] };
    Table::new("Standings", names, &numbers).with_rows(rows)
}

/// The ratings of the entrants, in the order of their names; none if they cannot be computed.
fn ratings(result: &TournamentResult) -> Option<Ratings> {
    let number = |name: &String| result.names.iter().position(|known| known == name);
    let encounter = |one: &MatchResult| {
        let [first, second] = one.names.each_ref().map(number);
        Some(Encounter { first: first?, second: second?, results: one.wdl })
    };
    let encounters = result.pairings.iter().map(encounter).collect::<Option<Vec<_>>>()?;
    rate(result.names.len(), &encounters).ok()
}

/// The rating with the ends of its 95 % interval and its group, from 1; a bound stands at the end that it limits.
fn rating_cell(rating: &Rating, groups: usize) -> Cell {
    let Rating { elo, error, standing, group } = *rating;
    let ends = match (standing, error) {
        (Standing::Rated, Some(error)) => Some([elo, elo - error, elo + error]),
        (Standing::Rated, None) | (Standing::Open, _) => None,
        (Standing::AtLeast, _) => Some([f64::INFINITY, elo, f64::INFINITY]),
        (Standing::AtMost, _) => Some([f64::NEG_INFINITY, f64::NEG_INFINITY, elo]),
    };
    let ends = ends.map_or([Cell::Missing, Cell::Missing, Cell::Missing], |ends| ends.map(|end| Cell::real(end, 0)));
    let values = ends.into_iter().chain([Cell::from(group + 1)]).collect();
    Cell::Several { shown: rating_text(rating, groups), values }
}

/// `+31 ± 49`, `> 210`, `< -210`; with the number of the group where games do not connect all entrants.
fn rating_text(rating: &Rating, groups: usize) -> String {
    let Rating { elo, error, standing, group } = *rating;
    let text = match (standing, error) {
        (Standing::Rated, Some(error)) => format!("{elo:+.0} ± {error:.0}"),
        (Standing::Rated, None) | (Standing::Open, _) => "–".to_owned(),
        (Standing::AtLeast, _) => format!("> {elo:+.0}"),
        (Standing::AtMost, _) => format!("< {elo:+.0}"),
    };
    if groups > 1 { format!("{text} (group {})", group + 1) } else { text }
}

/// What each entrant (row) scored against each other (column), in points of games: `13.5/20`. Rows and columns are in the order of
/// the [`standings`].
pub fn cross_table(result: &TournamentResult) -> Table {
    let ranked = ranked(result);
    let headings = (1..=ranked.len())
        .map(|rank| Heading::named(rank.to_string(), [format!("points_{rank}"), format!("games_{rank}")]));
    let rows = ranked.iter().zip(1_usize..).map(|((a, _), rank)| {
        let cells = ranked.iter().map(|(b, _)| match between(result, a, b) {
            wdl if wdl.games() == 0 => Cell::Missing,
            wdl => Cell::Several {
                shown: format!("{:.1}/{}", points(wdl), wdl.games()),
                values: vec![Cell::real(points(wdl), 1), wdl.games().into()],
            },
        });
        [Cell::from(rank), Cell::from(*a)].into_iter().chain(cells)
    });
    Table::new("Cross table: points of games", &["#", "entrant"], &[]).and_numbers(headings).with_rows(rows)
}

fn ranked(result: &TournamentResult) -> Vec<(&str, Wdl)> {
    let mut ranked: Vec<(&str, Wdl)> = result.names.iter().map(String::as_str).zip(result.totals()).collect();
    let score = |wdl: Wdl| wdl.score().unwrap_or(-1.0);
    ranked.sort_by(|(_, one), (_, other)| score(*other).total_cmp(&score(*one)));
    ranked
}

/// The games that `a` won, drew and lost against `b`.
fn between(result: &TournamentResult, a: &str, b: &str) -> Wdl {
    let theirs = |one: &&MatchResult| one.names == [a, b] || one.names == [b, a];
    result.pairings.iter().filter(theirs).map(|one| one.wdl_of(a)).sum()
}

fn points(wdl: Wdl) -> f64 {
    wdl.wins as f64 + 0.5 * wdl.draws as f64
}

/// How many games each rule has ended.
pub fn ends(results: &[MatchResult]) -> Table {
    let mut counts = std::collections::BTreeMap::<&str, u64>::new();
    for (reason, count) in results.iter().flat_map(|one| &one.ends) {
        *counts.entry(reason).or_default() += count;
    }
    let rows = counts.into_iter().map(|(reason, count)| [reason.into(), count.into()]);
    Table::new("How games ended", &["by"], &["games"]).with_rows(rows)
}

/// The bar of a match in a chart.
#[cfg(feature = "plots")]
pub fn bar(label: impl Into<String>, result: &MatchResult) -> Bar {
    Bar::of_sample(label, result.wdl, result.pentanomial.sample())
}

/// One bar for each pairing.
#[cfg(feature = "plots")]
pub fn chart<'r>(title: impl Into<String>, results: impl IntoIterator<Item = &'r MatchResult>) -> Bars {
    let bar_of = |result: &MatchResult| bar(format!("{} – {}", result.names[0], result.names[1]), result);
    Bars { title: title.into(), bars: results.into_iter().map(bar_of).collect() }
}
