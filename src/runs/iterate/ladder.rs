//! What the rounds came to, as table, picture and page.

use super::{Iteration, Round};
use crate::report::matches::elo_cell;
use crate::report::{Cell, Curves, Document, Series, Table, in_percent};
use crate::runs::training::Training;
use crate::stats::{EloEstimate, Pentanomial};

/// The rounds, one row each.
pub fn round_table(rounds: &[Round]) -> Table {
    let names = ["network", "Elo against the teacher ± 95 %", "taken", "Elo in comparison ± 95 %"];
    let numbers = ["round", "positions", "error before", "error after", "gate games", "comparison score %"];
    let rows = rounds.iter().map(|round| {
        let [gate, reference] = [round.gate, round.reference].map(Pentanomial::new);
        let score = reference.score().map(|score| Cell::real(100.0 * score, 1));
        [
            format!("round {} from {}", round.number, round.teacher).into(),
            elo_cell(gate.elo()),
            if round.is_accepted { "yes" } else { "no" }.into(),
            elo_cell(reference.elo()),
            round.number.into(),
            round.n_positions.into(),
            Cell::real(round.errors[0], 4),
            Cell::real(round.errors[1], 4),
            (2 * gate.count()).into(),
            score.into(),
        ]
    });
    Table::new("Rounds", &names, &numbers).with_rows(rows)
}

/// Elo against the evaluator for comparison, by rounds, with 95 % intervals.
pub(super) fn curve(rounds: &[Round]) -> Curves {
    // One-sided results have a bound in place of an estimate, and no interval to draw.
    let known = |round: &Round| {
        let (elo, error) = match Pentanomial::new(round.reference).elo() {
            EloEstimate::Interval { elo, low, high } | EloEstimate::Between { elo, low, high } => {
                (elo, Some((high - low) / 2.0).filter(|error| error.is_finite()).unwrap_or_default())
            }
            EloEstimate::Above(bound) | EloEstimate::Below(bound) => (bound, 0.0),
            EloEstimate::Unknown => return None,
        };
        Some(((round.number as f64, elo), error))
    };
    let series = |name: &str, is_meant: &dyn Fn(&Round) -> bool| {
        let (points, errors) = rounds.iter().filter(|round| is_meant(round)).filter_map(known).unzip();
        Series { errors, ..Series::new(name, points) }
    };
    let series = vec![series("taken", &|round| round.is_accepted), series("not taken", &|round| !round.is_accepted)];
    let series = series.into_iter().filter(|series| !series.points.is_empty()).collect();
    Curves::new("Expert iteration", ["round", "Elo against the evaluator for comparison"], series)
}

/// The page for readers.
pub(super) fn page(iteration: &Iteration, rounds: &[Round], table: &Table, picture: &str) -> String {
    let settings = &iteration.settings;
    let taught = match iteration.origin.training() {
        Training::Supervised(_) => {
            let share = in_percent(settings.result_share);
            format!("targets from searches {} plies deep, {share} % of the result", settings.target_depth)
        }
        Training::Td(_) => "learned by TD(λ) from the results".to_owned(),
    };
    let taken = rounds.iter().filter(|round| round.is_accepted).count();
    Document::titled("Expert iteration")
        .points([
            format!(
                "{} rounds of {} games of self-play at depth {}; {taught}; seed {}",
                rounds.len(),
                settings.play.games,
                settings.depth,
                iteration.seed
            ),
            format!(
                "matches at depth {}; {taken} of {} networks took the place of the one before",
                settings.gate.depth,
                rounds.len()
            ),
            "errors are mean squared errors against the results of games held out; intervals are over pairs of games"
                .to_owned(),
        ])
        .tables([table])
        .picture("Elo by rounds", picture)
        .into_text()
}
