//! A paper's own figures beside ours, and where they agree: order, trend and size, computed and not judged by eye.

use std::fmt;

use crate::arena::MatchResult;
use crate::report::{Cell, Curves, Series};
use crate::runs::series_of_means;
use crate::stats::{Pentanomial, Sample, Wdl};

/// With a score less sure than this, lying within the errors of another says nothing.
const WIDE: f64 = 0.05;

/// A score with half of its 95 % interval, both in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ScoreEstimate {
    /// Points per game.
    pub value: f64,
    /// Half of the interval.
    pub error: f64,
}

impl ScoreEstimate {
    /// The score of a match, from its pairs of games; where all ended alike, as far as the score may then still lie away.
    pub fn of_match(result: &MatchResult) -> Self {
        Self::of_pairs(result.wdl, &result.pentanomial)
    }

    /// The score of games whose pairs are known.
    pub fn of_pairs(wdl: Wdl, pairs: &Pentanomial) -> Self {
        Self::of_sample(wdl, pairs.sample())
    }

    /// The score of games taken as independent, which is all that a paper's counts allow.
    pub fn of_counts(wdl: Wdl) -> Self {
        Self::of_sample(wdl, wdl.sample())
    }

    fn of_sample(wdl: Wdl, sample: Option<Sample>) -> Self {
        let reach = |(low, high): (f64, f64)| high - low;
        let error = sample.and_then(|sample| sample.score_error().or_else(|| sample.bounds().map(reach)));
        Self { value: wdl.score().unwrap_or(f64::NAN), error: error.unwrap_or(1.0) }
    }

    /// Points per game in per cent.
    pub fn percent(self) -> f64 {
        100.0 * self.value
    }

    /// Whether the player beats an equal one, as far as the error lets it be told: `beats`, `loses to`, `cannot be told from`.
    pub fn verdict(self) -> &'static str {
        if self.value - self.error > 0.5 {
            "beats"
        } else if self.value + self.error < 0.5 {
            "loses to"
        } else {
            "cannot be told from"
        }
    }

    /// The score and its error in per cent, as cells of a table.
    pub fn cells(self, digits: usize) -> [Cell; 2] {
        [self.value, self.error].map(|share| Cell::real(100.0 * share, digits))
    }

    /// 1 if this score is clearly above `other`, -1 if clearly below: beyond both errors, added as squares.
    fn against(self, other: Self) -> i32 {
        let (difference, error) = (self.value - other.value, self.error.hypot(other.error));
        i32::from(difference > error) - i32::from(difference < -error)
    }
}

impl fmt::Display for ScoreEstimate {
    /// In per cent: `42.3 ± 3.3 %`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} ± {:.1} %", self.percent(), 100.0 * self.error)
    }
}

/// A line through scores in per cent, with their errors.
pub(crate) fn score_series(name: impl Into<String>, scores: &[(f64, ScoreEstimate)]) -> Series {
    Series {
        errors: scores.iter().map(|(_, score)| 100.0 * score.error).collect(),
        ..Series::new(name, scores.iter().map(|(x, score)| (*x, score.percent())).collect())
    }
}

/// A line through the scores of one or several seeds at each point: with the errors of the matches, or the means with a band of one
/// standard deviation.
pub(crate) fn score_series_of_seeds(name: impl Into<String>, scores: &[(f64, Vec<ScoreEstimate>)]) -> Series {
    if scores.iter().any(|(_, scores)| scores.len() > 1) {
        let percents = |scores: &[ScoreEstimate]| scores.iter().map(|score| score.percent()).collect();
        return series_of_means(name, &scores.iter().map(|(x, scores)| (*x, percents(scores))).collect::<Vec<_>>());
    }
    let scores = scores.iter().flat_map(|(x, scores)| scores.iter().map(|&score| (*x, score)));
    score_series(name, &scores.collect::<Vec<_>>())
}

/// Scores in per cent, with the level of equal strength.
pub(crate) fn score_curves(title: impl Into<String>, x_label: &str, series: Vec<Series>) -> Curves {
    let levels = vec![("equal strength".to_owned(), 50.0)];
    // An error that is far larger than what is left of the scale ends with it.
    let limits = Some((0.0, 100.0));
    Curves { levels, limits, ..Curves::new(title, [x_label, "score, per cent"], series) }
}

/// The cells of a table for the counts of a paper: won, drawn, lost, in the order of all tables, and the score in per cent.
pub(crate) fn paper_cells(paper: Option<Wdl>) -> [Cell; 4] {
    let Some(wdl) = paper else { return [Cell::Missing, Cell::Missing, Cell::Missing, Cell::Missing] };
    let [won, drawn, lost] = [wdl.wins, wdl.draws, wdl.losses].map(Cell::from);
    [won, drawn, lost, Cell::real(100.0 * wdl.score().unwrap_or(f64::NAN), 1)]
}

/// A cell of an experiment for which the paper has a figure too.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Compared {
    /// What was played.
    pub name: String,
    /// Our score.
    pub ours: ScoreEstimate,
    /// The paper's.
    pub paper: ScoreEstimate,
}

/// A row of cells in which something grows, by their indices: `passes, N = 30`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Trend {
    /// What grows.
    pub name: String,
    /// The cells, in order.
    pub cells: Vec<usize>,
}

/// Where the figures agree with the paper's: one sentence each on order, every trend, and size.
pub fn agreement(cells: &[Compared], trends: &[Trend]) -> Vec<String> {
    if cells.is_empty() {
        return vec!["the paper has no figures for these cells".to_owned()];
    }
    let mut sentences = vec![order(cells)];
    sentences.extend(trends.iter().filter_map(|trend| trend_of(cells, trend)));
    sentences.push(size(cells));
    sentences
}

fn order(cells: &[Compared]) -> String {
    let (mut clear, mut same, mut reversed, mut all) = (0, 0, 0, 0);
    for (index, a) in cells.iter().enumerate() {
        for b in &cells[index + 1..] {
            all += 1;
            let (paper, ours) = (a.paper.against(b.paper), a.ours.against(b.ours));
            clear += usize::from(paper != 0);
            same += usize::from(paper != 0 && paper == ours);
            reversed += usize::from(paper * ours < 0);
        }
    }
    let verdict = match (clear, same, reversed) {
        (0, ..) => "the paper's errors leave it open",
        (_, _, 1..) => "does not agree",
        (clear, same, 0) if same == clear => "agrees",
        (_, 0, 0) => "our errors leave it open",
        _ => "agrees in part",
    };
    format!(
        "order of the cells: {verdict} (of {all} pairs of cells, {clear} differ beyond the errors in the paper; of these {same} \
         do so here in the same direction, {reversed} in the other)"
    )
}

/// The way from the first to the last cell of a trend.
fn trend_of(cells: &[Compared], trend: &Trend) -> Option<String> {
    let [first, .., last] = trend.cells.as_slice() else { return None };
    let (first, last) = (cells.get(*first)?, cells.get(*last)?);
    let word = |way| match way {
        1 => "rises",
        -1 => "falls",
        _ => "stays within the errors",
    };
    let (paper, ours) = (last.paper.against(first.paper), last.ours.against(first.ours));
    let verdict = match (paper, ours) {
        (0, 0) => "neither moves beyond the errors",
        (0, _) => "seen here only",
        (_, 0) => "not seen here",
        _ if paper == ours => "agrees",
        _ => "does not agree",
    };
    Some(format!(
        "trend with {}: {verdict} (from {} to {} the score {} in the paper: {:.1} to {:.1} %; it {} here: {:.1} to {:.1} %)",
        trend.name,
        first.name,
        last.name,
        word(paper),
        100.0 * first.paper.value,
        100.0 * last.paper.value,
        word(ours),
        100.0 * first.ours.value,
        100.0 * last.ours.value,
    ))
}

fn size(cells: &[Compared]) -> String {
    let within = cells.iter().filter(|cell| cell.ours.against(cell.paper) == 0).count();
    let above = cells.iter().filter(|cell| cell.ours.against(cell.paper) > 0).count();
    let mean = cells.iter().map(|cell| cell.ours.value - cell.paper.value).sum::<f64>() / cells.len() as f64;
    let widest = cells.iter().map(|cell| cell.ours.error).fold(0.0, f64::max);
    let verdict = match within == cells.len() {
        true if widest > WIDE => "our errors leave it open",
        true => "agrees",
        false => "does not agree",
    };
    format!(
        "size: {verdict} ({within} of {} scores lie within the errors of the paper's, {above} above, {} below; ours are {:+.1} \
         points off in the mean; our widest error is ± {:.1} points)",
        cells.len(),
        cells.len() - within - above,
        100.0 * mean,
        100.0 * widest
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(ours: f64, paper: f64) -> Compared {
        let score = |value| ScoreEstimate { value, error: 0.02 };
        Compared { name: format!("{paper}"), ours: score(ours), paper: score(paper) }
    }

    #[test]
    fn verdicts_follow_from_the_figures() {
        let trend = [Trend { name: "games".to_owned(), cells: vec![0, 1, 2] }];
        let same = agreement(&[cell(0.1, 0.1), cell(0.2, 0.21), cell(0.3, 0.31)], &trend);
        assert!(same.iter().all(|sentence| sentence.contains(": agrees")), "{same:?}");
        let reversed = agreement(&[cell(0.4, 0.1), cell(0.2, 0.21), cell(0.1, 0.31)], &trend);
        assert!(reversed.iter().all(|sentence| sentence.contains(": does not agree")), "{reversed:?}");
        let open = agreement(&[cell(0.1, 0.1), cell(0.1, 0.21), cell(0.1, 0.31)], &trend);
        assert!(open[0].contains("our errors leave it open"), "{open:?}");
        let parts = ["not seen here", "rises in the paper", "stays within the errors here"];
        assert!(parts.iter().all(|part| open[1].contains(part)), "{open:?}");
    }

    #[test]
    fn pictures_of_scores_end_at_0_and_100_per_cent() {
        let lost = ScoreEstimate::of_pairs(Wdl::new(0, 0, 4), &Pentanomial::new([2, 0, 0, 0, 0]));
        assert!(lost.error > 0.7, "{lost}");
        let svg = score_curves("few games", "x", vec![score_series("lost", &[(0.0, lost), (9.0, lost)])]).to_svg();
        let numbers: Vec<f64> = svg.unwrap().lines().filter_map(|line| line.parse().ok()).collect();
        assert!(numbers.len() > 6 && numbers.iter().all(|number| (0.0..=100.0).contains(number)), "{numbers:?}");
    }

    #[test]
    fn games_that_were_all_lost_leave_room_for_error() {
        let score = ScoreEstimate::of_counts(Wdl::new(9, 20, 971));
        approx::assert_relative_eq!(score.value, 0.019);
        assert!(score.error > 0.0 && score.error < 0.01);
    }
}
