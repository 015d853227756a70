//! The forecasts for all tested objects as CSV.

use anyhow::Context;
use roughboard::classify::{Comparison, Judged};
use roughboard::rough::Basis;
use roughboard::table::Value;

const HEADER: [&str; 10] =
    ["learner", "repeat", "fold", "object", "weight", "true", "predicted", "basis", "rules", "votes"];

/// One line for each learner and tested object; numbers count from 1.
pub fn csv(comparison: &Comparison) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER)?;
    for outcome in &comparison.outcomes {
        for judged in &outcome.judged {
            writer.write_record(record(&outcome.name, judged, &comparison.classes))?;
        }
    }
    writer.into_inner().context("cannot write the predictions")
}

fn record(learner: &str, judged: &Judged, classes: &[Value]) -> [String; 10] {
    let (basis, rules) = match judged.forecast.basis {
        None => ("", String::new()),
        Some(Basis::Matching(n)) => ("matching", n.to_string()),
        Some(Basis::Nearest(n)) => ("nearest", n.to_string()),
        Some(Basis::Majority) => ("majority", "0".to_owned()),
    };
    let class = |code: u32| classes.get(code as usize).map(Value::to_string).unwrap_or_default();
    let votes = judged.forecast.votes.iter().zip(classes).filter(|(vote, _)| **vote > 0.0);
    let votes: Vec<String> = votes.map(|(vote, value)| format!("{value}:{vote}")).collect();
    [
        learner.to_owned(),
        (judged.repeat + 1).to_string(),
        (judged.fold + 1).to_string(),
        (judged.object + 1).to_string(),
        judged.weight.to_string(),
        class(judged.truth),
        class(judged.forecast.decision),
        basis.to_owned(),
        rules,
        votes.join(" "),
    ]
}
