//! The forecasts for all tested objects as CSV.

use anyhow::Context;
use roughboard::classify::{Comparison, Judged};
use roughboard::rough::Basis;
use roughboard::table::Value;

const HEADER: [&str; 9] = ["learner", "repeat", "fold", "object", "weight", "true", "predicted", "basis", "rules"];

/// One line for each learner and tested object, with a column of votes for each decision; numbers count from 1.
pub fn csv(comparison: &Comparison) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let votes = comparison.classes.iter().map(|value| format!("vote={value}"));
    writer.write_record(HEADER.map(str::to_owned).into_iter().chain(votes))?;
    for outcome in &comparison.outcomes {
        for judged in &outcome.judged {
            // Decisions that training did not see have no votes.
            let vote = |class: usize| judged.forecast.votes.get(class).copied().unwrap_or(0.0).to_string();
            let votes = (0..comparison.classes.len()).map(vote);
            writer.write_record(record(&outcome.name, judged, &comparison.classes).into_iter().chain(votes))?;
        }
    }
    writer.into_inner().context("cannot write the predictions")
}

fn record(learner: &str, judged: &Judged, classes: &[Value]) -> [String; 9] {
    let (basis, rules) = match judged.forecast.basis {
        None => ("", String::new()),
        Some(Basis::Matching(n)) => ("matching", n.to_string()),
        Some(Basis::Nearest(n)) => ("nearest", n.to_string()),
        Some(Basis::Majority) => ("majority", "0".to_owned()),
    };
    let class = |code: u32| classes.get(code as usize).map(Value::to_string).unwrap_or_default();
    [
        learner.to_owned(),
        (judged.repeat + 1).to_string(),
        (judged.fold + 1).to_string(),
        (judged.row + 1).to_string(),
        judged.weight.to_string(),
        class(judged.truth),
        class(judged.forecast.decision),
        basis.to_owned(),
        rules,
    ]
}
