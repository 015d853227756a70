//! The page about the tuned margins.

use super::{TuneSearchConfig, Tuned, value_of};
use crate::arena::Tested;
use crate::experiment::agreement::ScoreEstimate;
use crate::experiment::contest::match_table;
use crate::experiment::contract::Findings;
use crate::report::matches::{sequential_test, test_sentences};
use crate::report::{Cell, Curves, Heading, Series, Table};
use crate::runs::Figure;

/// A curve has about as many points.
const POINTS: usize = 200;

/// What the run found.
pub(super) fn findings(config: &TuneSearchConfig, tuned: Tuned<'_>) -> Findings {
    let (margins, path, curves) = (tuned.table(), tuned.path(), tuned.curves());
    let (headline, setting) = (tuned.headline(), tuned.setting());
    let (last, test) = tuned.last;
    let page = Findings::titled("Margins of the search, tuned by SPSA")
        .points(config.heading())
        .table("margins", margins)
        .text(&format!("The tuned margins as settings of a search: `{setting}`"))
        .data("path", &path)
        .picture("path", "margins by iteration", curves)
        .table("matches", match_table("The tuned margins against the start", std::slice::from_ref(&last)));
    let page = match test {
        Some(test) => page.table("sprt", sequential_test(&test)).remarks(test_sentences(&test)),
        None => page,
    };
    page.games(last.records).headline(headline)
}

impl TuneSearchConfig {
    fn heading(&self) -> [String; 5] {
        let Self { seed, evaluator, iterations, games, nodes, opening_plies, gains, .. } = self;
        let max_plies = self.adjudication.max_plies;
        [
            format!(
                "SPSA (Spall 1992) on games of `{evaluator}` against itself, {nodes} positions a move for both sides, seed {seed}"
            ),
            format!(
                "{iterations} iterations of {games} games: every opening of {opening_plies} random plies with both colours, draw after \
                 {max_plies} plies, other openings in each iteration"
            ),
            format!(
                "c = {} of the range in the end, falling with the power {}; r = {}, steps falling with the power {}, A = {} of the \
                 iterations",
                gains.perturbation, gains.perturbation_exponent, gains.rate, gains.step_exponent, gains.stability
            ),
            "tuned: the mean over the last quarter of the iterations, rounded".to_owned(),
            "errors are 95 % intervals over pairs of games; the openings of the last match were in no iteration"
                .to_owned(),
        ]
    }
}

impl Tuned<'_> {
    /// One row a margin.
    fn table(&self) -> Table {
        let last = self.spsa.path.last();
        let rows = self.spsa.parameters.iter().zip(self.spsa.settled()).enumerate().map(|(at, (one, settled))| {
            let end = last.map(|values| Cell::real(values[at], 1));
            let whole = [one.low, one.high, one.start].map(|value| u64::from(value).into());
            let found = [end.into(), Cell::real(settled, 1), u64::from(value_of(&self.margins, &one.name)).into()];
            std::iter::once(one.name.as_str().into()).chain(whole).chain(found)
        });
        let numbers = ["least", "greatest", "start", "end of the run", "settled", "tuned"];
        Table::new("Margins: their range, and where they begin and end", &["margin"], &numbers).with_rows(rows)
    }

    /// One row an iteration.
    fn path(&self) -> Table {
        let names = self.spsa.parameters.iter().map(|one| Heading::named(&one.name, [&one.name]));
        let empty = Table::new("Path", &[], &["iteration", "won", "drawn", "lost"]).and_numbers(names);
        let rows = (1_usize..).zip(&self.iterations).zip(&self.spsa.path).map(|((iteration, games), values)| {
            let counts = [iteration.into(), games.wins.into(), games.draws.into(), games.losses.into()];
            counts.into_iter().chain(values.iter().map(|&value| Cell::real(value, 2)).collect::<Vec<_>>())
        });
        empty.with_rows(rows)
    }

    /// Where each margin stands in its range, by iteration.
    fn curves(&self) -> Curves {
        let path = &self.spsa.path;
        let every = path.len().div_ceil(POINTS).max(1);
        let series = self.spsa.parameters.iter().enumerate().map(|(at, one)| {
            let share = |value: f64| 100.0 * one.share(value);
            let start = (0.0, share(one.start.into()));
            let reached = (1..).zip(path).filter(|(iteration, _)| iteration % every == 0);
            let points = reached.map(|(iteration, values)| (iteration as f64, share(values[at])));
            Series::new(&one.name, std::iter::once(start).chain(points).collect())
        });
        let labels = ["iterations", "place in the range, per cent"];
        Curves::new("Margins by iteration", labels, series.collect())
    }

    /// The tuned margins as a list of settings of a search.
    fn setting(&self) -> String {
        let one = |name: &String| format!("margins.{name}={}", value_of(&self.margins, name));
        self.spsa.parameters.iter().map(|parameter| one(&parameter.name)).collect::<Vec<_>>().join(",")
    }

    fn headline(&self) -> Vec<Figure> {
        let (last, test) = &self.last;
        let margins =
            self.spsa.parameters.iter().map(|one| (one.name.clone(), f64::from(value_of(&self.margins, &one.name))));
        let score = ("score % tuned".to_owned(), ScoreEstimate::of_match(&last.result).percent());
        let ratio = test.as_ref().map(|test: &Tested| ("LLR".to_owned(), test.llr()));
        margins.chain([score]).chain(ratio).collect()
    }
}
