//! The forecasts for all tested objects as CSV.

use anyhow::Context;
use roughboard::classify::{Comparison, Judged};

use crate::cli::rough::forecasts::{self, Forecast, vote_cells, vote_names};

/// Where an object was tested, and by whom.
const TEST: [&str; 3] = ["learner", "repeat", "fold"];

/// One line for each learner and tested object, with a column of votes for each decision; numbers count from 1.
pub fn csv(comparison: &Comparison) -> anyhow::Result<Vec<u8>> {
    let (mut writer, classes) = (csv::Writer::from_writer(Vec::new()), &comparison.classes);
    let names = TEST.iter().chain(&forecasts::HEADER).map(|name| (*name).to_owned());
    writer.write_record(names.chain(vote_names(classes)))?;
    for outcome in &comparison.outcomes {
        for judged in &outcome.judged {
            let Judged { repeat, fold, row, weight, truth, forecast } = judged;
            let test = [outcome.name.clone(), (repeat + 1).to_string(), (fold + 1).to_string()];
            let class = |code: u32| classes.get(code as usize);
            let (truth, predicted) = (class(*truth), class(forecast.decision));
            let cells = Forecast { row: *row, weight: *weight, truth, predicted, basis: forecast.basis }.cells();
            writer.write_record(test.into_iter().chain(cells).chain(vote_cells(&forecast.votes, classes.len())))?;
        }
    }
    writer.into_inner().context("cannot write the predictions")
}
