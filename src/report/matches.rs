//! The results of matches, as tables and as a chart.

#[cfg(feature = "plots")]
use super::{Bar, Bars};
use super::{Cell, Heading, Table};
use crate::arena::{MatchResult, Tested, TournamentResult};
use crate::stats::{
    Counts, EloEstimate, EloScale, Encounter, Holm, Pentanomial, Rating, RatingError, Ratings, Sample, Standing,
    Verdict, Wdl, holm, rate, signed_elo,
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

/// Who plays, as far as the names do not say it, how far each may think, and whether that is equal; one sentence each, none where there
/// is nothing to say.
pub fn players(result: &TournamentResult) -> Vec<String> {
    let line = |about: &str, told: Vec<String>| (!told.is_empty()).then(|| format!("{about}: {}", told.join("; ")));
    let entered = result.names.iter().zip(&result.entered_as);
    let entered = entered.filter_map(|(name, text)| Some(format!("{name} is {}", text.as_ref()?)));
    let entrants = line("entrants", entered.collect());
    let efforts = result.names.iter().zip(&result.efforts).filter(|(_, effort)| !effort.is_empty());
    let limits = line("limits", efforts.map(|(name, effort)| format!("{name}: {effort}")).collect());
    let uneven =
        (!result.is_even()).then(|| "the limits are not equal: the result is not of the evaluators alone".to_owned());
    entrants.into_iter().chain(limits).chain(uneven).collect()
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
    let settings = settings.map(|(value, least)| Cell::setting(value, least));
    let pairs = [run.pairs.count(), *most].map(Cell::from);
    let ratio = [tested.llr(), lower, upper].map(|value| Cell::real(value, 3));
    let numbers = ["elo0", "elo1", "alpha", "beta", "pairs", "most pairs", "LLR", "lower bound", "upper bound"];
    let row = names.into_iter().chain(settings).chain(pairs).chain(ratio);
    Table::new("Sequential test", &["verdict", "scale"], &numbers).with_rows([row])
}

/// A remark on pairs of games that repeat others, of which there are none in one match with different openings.
pub fn repeats(result: &TournamentResult) -> Option<String> {
    let (repeats, games) = (result.repeats(), result.games());
    let remark = || {
        format!(
            "{repeats} of {games} games repeat others move by move, with the same players: they add no evidence, so intervals, Elo, \
             ratings and p-values count each pair of games once"
        )
    };
    (repeats > 0).then(remark)
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
    let superiority = Counts::from(result.pentanomial).superiority().map(|los| likelihood_cell(los, 3));
    let rows: [(&str, Cell); 10] = [
        ("won", wdl.wins.into()),
        ("drawn", wdl.draws.into()),
        ("lost", wdl.losses.into()),
        ("score %", score_cell(wdl)),
        ("± % (95 %, by pairs)", error_cell(result)),
        ("Elo ± 95 %", elo_cell(result.pentanomial.elo())),
        ("likelihood of superiority", superiority.into()),
        ("pairs by points 0 ½ 1 1½ 2", pairs_cell(result.pentanomial)),
        ("mean plies", mean_plies(result)),
        ("nodes of both, millions", Cell::real(result.nodes.iter().sum::<u64>() as f64 / 1e6, 1)),
    ];
    let ends = result.ends.iter().map(|(reason, count)| [format!("ended by {reason}").into(), (*count).into()]);
    let rows = rows.into_iter().map(|(name, cell)| [name.into(), cell]).chain(ends);
    Table::new(caption, &["of the first"], &["figure"]).with_rows(rows)
}

/// A likelihood, of which tables say no more than that it lies beyond the last digit that they show: none is 0 or 1.
pub fn likelihood_cell(value: f64, digits: usize) -> Cell {
    let least = 0.1_f64.powi(digits as i32);
    if value > 1.0 - 0.5 * least {
        let shown = format!("> {:.digits$}", 1.0 - least);
        return Cell::Several { shown, values: vec![Cell::real(value, digits)] };
    }
    p_value_cell(value, digits)
}

/// A p-value, of which tables say no more than that it lies below the last digit that they show: none is 0, but it may be 1.
fn p_value_cell(value: f64, digits: usize) -> Cell {
    let least = 0.1_f64.powi(digits as i32);
    let shown = if value < 0.5 * least { format!("< {least:.digits$}") } else { format!("{value:.digits$}") };
    Cell::Several { shown, values: vec![Cell::real(value, digits)] }
}

fn mean_plies(result: &MatchResult) -> Cell {
    (result.wdl.games() > 0).then(|| Cell::real(result.mean_plies, 1)).into()
}

/// Pairs of games by points.
pub fn pairs_cell(pairs: Pentanomial) -> Cell {
    let Pentanomial { pairs } = pairs;
    Cell::Several { shown: pairs.map(|count| count.to_string()).join(" "), values: pairs.map(Cell::from).into() }
}

/// The test of "neither is stronger" of each pairing, adjusted for their number.
pub fn tests(results: &[MatchResult]) -> Vec<Holm> {
    let p_values: Vec<f64> = results.iter().map(|one| one.pentanomial.p_value()).collect();
    holm(&p_values, 0.05)
}

/// One row for each pairing. `p (Holm)` is the two-sided p-value of "neither is stronger", from pairs of games, adjusted for the number of
/// pairings.
pub fn pairings(results: &[MatchResult]) -> Table {
    let names = ["a", "b", "Elo of a ± 95 %", "pairs by points 0 ½ 1 1½ 2"];
    let numbers = ["won", "drawn", "lost", "score %", "± %", "p (Holm)", "mean plies"];
    let rows = results.iter().zip(tests(results)).map(|(result, test)| {
        let p_value = (result.pentanomial.count() > 0).then(|| p_value_cell(test.adjusted, 3));
        let others = [p_value.into(), mean_plies(result)];
        let [a, b] = result.names.each_ref().map(|name| Cell::from(name.as_str()));
        let names = [a, b, elo_cell(result.pentanomial.elo()), pairs_cell(result.pentanomial)];
        names.into_iter().chain(score_cells(result)).chain(others)
    });
    Table::new("Pairings", &names, &numbers).with_rows(rows)
}

/// An entrant's place in the standings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place<'r> {
    /// Who it is.
    pub name: &'r str,
    /// How far it may think; empty if that is not known.
    pub effort: &'r str,
    /// Games against all others.
    pub wdl: Wdl,
    /// The rating over all games; none if ratings cannot be computed.
    pub rating: Option<Rating>,
    /// The number of groups of entrants that games connect.
    pub groups: usize,
}

impl Place<'_> {
    /// The points of its games, a draw being half a point.
    pub fn points(&self) -> f64 {
        self.wdl.points()
    }
}

/// One row for each entrant, in the order of [`ranked`]. The rating is that of the Bradley-Terry model over all games, with a mean of 0;
/// entrants with one-sided results have a bound. Where ratings cannot be computed the caption says why.
pub fn standings(result: &TournamentResult) -> Table {
    let numbers = ["games", "won", "drawn", "lost", "points", "score %"];
    let are_known = result.efforts.iter().any(|effort| !effort.is_empty());
    let ratings = ratings(result);
    let rows = places(result, ratings.as_ref().ok()).into_iter().map(|place| {
        let Place { name, effort, wdl, rating, groups } = place;
        let rating: Cell = rating.map(|rating| rating_cell(&rating, groups)).into();
        let names = [Some(name.into()), Some(rating), are_known.then(|| effort.into())];
        let counts = [wdl.games(), wdl.wins, wdl.draws, wdl.losses].map(Cell::from);
        names.into_iter().flatten().chain(counts).chain([Cell::real(place.points(), 1), score_cell(wdl)])
    });
    let names: &[&str] =
        if are_known { &["entrant", "rating ± 95 %", "limits"] } else { &["entrant", "rating ± 95 %"] };
    let unrated = ratings.as_ref().err().map(|why| format!(" ({})", no_ratings(why))).unwrap_or_default();
    Table::new(format!("Standings{unrated}"), names, &numbers).with_rows(rows)
}

/// A remark on ratings that cannot be computed, and why.
pub fn unrated(result: &TournamentResult) -> Option<String> {
    ratings(result).as_ref().err().map(no_ratings)
}

fn no_ratings(why: &RatingError) -> String {
    format!("there are no ratings: {why}")
}

/// The ratings of the entrants, in the order of their names.
fn ratings(result: &TournamentResult) -> Result<Ratings, RatingError> {
    let entrants = result.names.len();
    // Whoever is no entrant has a number that none of them has.
    let number = |name: &String| result.names.iter().position(|known| known == name).unwrap_or(entrants);
    let encounter = |one: &MatchResult| {
        let [first, second] = one.names.each_ref().map(number);
        Encounter { first, second, results: one.different }
    };
    rate(entrants, &result.pairings.iter().map(encounter).collect::<Vec<_>>())
}

/// The rating and the ends of its 95 % interval, infinite where the results are one-sided; none where the games tell nothing.
pub fn rating_ends(&Rating { elo, error, standing, .. }: &Rating) -> Option<[f64; 3]> {
    match (standing, error) {
        (Standing::Rated, Some(error)) => Some([elo, elo - error, elo + error]),
        (Standing::Rated, None) | (Standing::Open, _) => None,
        (Standing::AtLeast, _) => Some([f64::INFINITY, elo, f64::INFINITY]),
        (Standing::AtMost, _) => Some([f64::NEG_INFINITY, f64::NEG_INFINITY, elo]),
    }
}

/// The rating with the ends of its 95 % interval and its group, from 1; a bound stands at the end that it limits.
fn rating_cell(rating: &Rating, groups: usize) -> Cell {
    let missing = [Cell::Missing, Cell::Missing, Cell::Missing];
    let ends = rating_ends(rating).map_or(missing, |ends| ends.map(|end| Cell::real(end, 0)));
    let values = ends.into_iter().chain([Cell::from(rating.group + 1)]).collect();
    Cell::Several { shown: rating_text(rating, groups), values }
}

/// `+31 ± 49`, `> +210`, `< -210`; with the number of the group where games do not connect all entrants.
fn rating_text(rating: &Rating, groups: usize) -> String {
    let Rating { elo, error, standing, group } = *rating;
    let text = match (standing, error) {
        (Standing::Rated, Some(error)) => format!("{} ± {error:.0}", signed_elo(elo)),
        (Standing::Rated, None) | (Standing::Open, _) => "–".to_owned(),
        (Standing::AtLeast, _) => format!("> {}", signed_elo(elo)),
        (Standing::AtMost, _) => format!("< {}", signed_elo(elo)),
    };
    if groups > 1 { format!("{text} (group {})", group + 1) } else { text }
}

/// What each entrant (row) scored against each other (column), in points of games: `13.5/20`. Rows and columns are in the order of
/// the [`standings`].
pub fn cross_table(result: &TournamentResult) -> Table {
    let ranked = ranked(result);
    let headings = (1..=ranked.len())
        .map(|rank| Heading::named(rank.to_string(), [format!("points_{rank}"), format!("games_{rank}")]));
    let names: Vec<&str> = ranked.iter().map(|place| place.name).collect();
    let rows = names.iter().zip(1_usize..).map(|(a, rank)| {
        let cells = names.iter().map(|b| match between(result, a, b) {
            wdl if wdl.games() == 0 => Cell::Missing,
            wdl => Cell::Several {
                shown: format!("{:.1}/{}", wdl.points(), wdl.games()),
                values: vec![Cell::real(wdl.points(), 1), wdl.games().into()],
            },
        });
        [Cell::from(rank), Cell::from(*a)].into_iter().chain(cells)
    });
    Table::new("Cross table: points of games", &["#", "entrant"], &[]).and_numbers(headings).with_rows(rows)
}

/// The entrants, the best first: by rating, and by score where ratings are equal, of groups that no games connect one after the other. A
/// score says less where opponents differ; where all played all equally often both orders are the same. Whoever won everything against
/// those that are rated stands before them, whoever lost everything behind them; these among themselves stand by score. Of equal ones,
/// whoever entered first comes first.
pub fn ranked(result: &TournamentResult) -> Vec<Place<'_>> {
    places(result, ratings(result).as_ref().ok())
}

/// The entrants in the order of [`ranked`], with these ratings.
fn places<'r>(result: &'r TournamentResult, ratings: Option<&Ratings>) -> Vec<Place<'r>> {
    let groups = ratings.map_or(1, |ratings| ratings.groups);
    let place = |(at, wdl): (usize, Wdl)| {
        let rating = ratings.map(|ratings| ratings.entrants[at]);
        let effort = result.efforts.get(at).map_or("", String::as_str);
        Place { name: &result.names[at], effort, wdl, rating, groups }
    };
    let mut ranked: Vec<Place<'_>> = result.totals().into_iter().enumerate().map(place).collect();
    let group = |place: &Place<'_>| place.rating.map(|rating| rating.group);
    let height = |place: &Place<'_>| {
        let rating = place.rating?;
        Some(comparable(rating_ends(&rating).map_or(rating.elo, |[elo, ..]| elo)))
    };
    let by_height = |one: &Place<'_>, other: &Place<'_>| match (height(one), height(other)) {
        (Some(one), Some(other)) => other.total_cmp(&one),
        _ => std::cmp::Ordering::Equal,
    };
    let score = |place: &Place<'_>| place.wdl.score().unwrap_or(-1.0);
    ranked.sort_by(|one, other| {
        let by_group = group(one).cmp(&group(other)).then_with(|| by_height(one, other));
        by_group.then_with(|| score(other).total_cmp(&score(one)))
    });
    ranked
}

/// A rating as it is compared with others: equal ones may differ in their last bits, and in the sign of 0.
pub fn comparable(elo: f64) -> f64 {
    (1e6 * elo).round() + 0.0
}

/// The games that `a` won, drew and lost against `b`.
fn between(result: &TournamentResult, a: &str, b: &str) -> Wdl {
    let theirs = |one: &&MatchResult| one.names == [a, b] || one.names == [b, a];
    result.pairings.iter().filter(theirs).map(|one| one.wdl_of(a)).sum()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Sprt, SprtRun};

    #[test]
    fn what_a_test_was_asked_for_is_shown_to_its_last_digit() {
        let sprt = Sprt { elo0: 0.0, elo1: 0.25, alpha: 0.0005, beta: 0.05, scale: EloScale::Logistic };
        let run = SprtRun { pairs: Pentanomial::default(), verdict: Verdict::Continue };
        let table = sequential_test(&Tested { sprt, run, most: 9 });
        let text = table.to_markdown();
        let row = text.lines().rfind(|line| line.starts_with('|')).unwrap();
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(cells[3..7], ["0.0", "0.25", "0.0005", "0.050"]);
        assert!(table.to_csv().contains("continue,logistic,0,0.25,0.0005,0.05,0,9,"), "{}", table.to_csv());
    }
}
