//! `roughboard rough classes`.

use roughboard::rough::{Approximations, Relation};
use roughboard::table::DecisionTable;
use serde_json::{Value as Json, json};

use super::neighbourhoods;
use super::relation::RelatedQuery;
use super::text::{heading, listing, numbers, objects, shares, weights};
use crate::cli::form::Sheet;

pub fn run(options: &RelatedQuery) -> anyhow::Result<()> {
    let (relation, answer) = (options.relation()?, &options.query.answer);
    let table = options.query.source.read()?;
    if relation != Relation::Indiscernibility {
        return neighbourhoods::give(&table, relation, answer);
    }
    let approximations = Approximations::of(&table, &table.all_attributes());
    let classes = approximations.partition().classes();
    let distribution = |class: usize| decisions(&table, approximations.distribution().of_class(class));
    let json = || {
        let class = |(e, rows): (usize, &Vec<u32>)| json!({ "objects": numbers(&table, rows), "decisions": weights(&distribution(e)) });
        let listed: Vec<Json> = classes.iter().enumerate().map(class).collect();
        json!({ "n_classes": classes.len(), "classes": listed })
    };
    let text = || {
        let line = |(e, rows): (usize, &Vec<u32>)| {
            vec![
                (e + 1).to_string(),
                rows.len().to_string(),
                shares(&distribution(e)),
                objects(&table, rows, answer.all),
            ]
        };
        let header = ["class", "size", "decisions", "objects"];
        heading(&table, classes.len()) + &listing(&header, classes.iter().enumerate().map(line), "classes", answer.all)
    };
    answer.give(Sheet::List("/classes", &["objects"]), json, text)
}

/// Decision values with their weights.
fn decisions(table: &DecisionTable, entries: &[(u32, u64)]) -> Vec<(String, u64)> {
    let value = |code: u32| table.decision().domain()[code as usize].to_string();
    entries.iter().map(|&(code, weight)| (value(code), weight)).collect()
}
