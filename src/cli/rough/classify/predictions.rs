//! The forecasts for all tested objects as CSV.

use roughboard::classify::{Comparison, Judged};
use roughboard::table::csv_text;

use crate::cli::rough::forecasts::{self, Forecast, vote_cells, vote_names};

/// Where an object was tested, and by whom.
const TEST: [&str; 3] = ["learner", "repeat", "fold"];

/// One line for each learner and tested object, with a column of votes for each decision; numbers count from 1.
pub fn csv(comparison: &Comparison) -> String {
    let classes = &comparison.classes;
    let names = TEST.iter().chain(&forecasts::HEADER).map(|name| (*name).to_owned());
    let judged =
        comparison.outcomes.iter().flat_map(|outcome| outcome.judged.iter().map(|judged| (&outcome.name, judged)));
    let lines = judged.map(|(name, judged)| {
        let Judged { repeat, fold, row, weight, truth, forecast } = judged;
        let test = [name.clone(), (repeat + 1).to_string(), (fold + 1).to_string()];
        let class = |code: u32| classes.get(code as usize);
        let (truth, predicted) = (class(*truth), class(forecast.decision));
        let cells = Forecast { row: *row, weight: *weight, truth, predicted, basis: forecast.basis }.cells();
        test.into_iter().chain(cells).chain(vote_cells(&forecast.votes, classes.len()))
    });
    csv_text(names.chain(vote_names(classes)), lines)
}
