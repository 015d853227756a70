//! `roughboard rough classes`.

use roughboard::rough::{Approximations, Relation};
use roughboard::table::DecisionTable;
use serde_json::{Value as Json, json};

use super::answer::Answer;
use super::source::Source;
use super::text::{heading, numbers, objects, rest, shown, table as columns};
use super::{neighbourhoods, relation};

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    answer: Answer,
    #[command(flatten)]
    relation: relation::Options,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let relation = options.relation.chosen(&options.source)?;
    let table = options.source.read()?;
    if relation != Relation::Indiscernibility {
        return neighbourhoods::give(&table, relation, &options.answer);
    }
    let approximations = Approximations::of(&table, &table.all_attributes());
    let classes = approximations.partition().classes();
    let distribution = |class: usize| decisions(&table, approximations.distribution().of_class(class));
    let json = || {
        let class = |(e, rows): (usize, &Vec<u32>)| json!({ "objects": numbers(rows), "decisions": distribution(e) });
        let listed: Vec<Json> = classes.iter().enumerate().map(class).collect();
        json!({ "n_classes": classes.len(), "classes": listed })
    };
    let all = options.answer.all;
    let text = || {
        let line = |(e, rows): (usize, &Vec<u32>)| {
            let shares: Vec<String> =
                distribution(e).iter().map(|(value, weight)| format!("{value}: {weight}")).collect();
            vec![(e + 1).to_string(), rows.len().to_string(), shares.join(", "), objects(rows, all)]
        };
        let shown = shown(classes.len(), all);
        let lines: Vec<_> = classes[..shown].iter().enumerate().map(line).collect();
        let listed = columns(&["class", "size", "decisions", "objects"], &lines);
        format!("{}{listed}{}", heading(&table, classes.len()), rest(classes.len() - shown, "classes"))
    };
    options.answer.give(json, text)
}

/// Decision value → weight.
fn decisions(table: &DecisionTable, entries: &[(u32, u64)]) -> serde_json::Map<String, Json> {
    let value = |code: u32| table.decision().domain()[code as usize].to_string();
    entries.iter().map(|&(code, weight)| (value(code), json!(weight))).collect()
}
