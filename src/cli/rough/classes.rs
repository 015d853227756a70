//! `roughboard rough classes`.

use roughboard::rough::{Approximations, Relation};
use roughboard::table::{Attribute, DecisionTable, Value};
use serde_json::{Value as Json, json};

use super::neighbourhoods;
use super::relation::RelatedQuery;
use super::text::{heading, list, listing, numbers, objects, shares, weights};
use crate::cli::form::Sheet;

pub fn run(options: &RelatedQuery) -> anyhow::Result<()> {
    let (relation, answer) = (options.relation()?, &options.answer);
    let table = options.source.read()?;
    let is_decided = options.source.is_decided();
    if relation != Relation::Indiscernibility {
        return neighbourhoods::give(&table, relation, is_decided, answer);
    }
    let approximations = Approximations::of(&table, &table.all_attributes());
    let classes = approximations.partition().classes();
    let distribution = |class: usize| decisions(&table, approximations.distribution().of_class(class));
    // Columns of CSV hold a number for each class, those of JSON what is not 0.
    let counts = |class: usize| -> Vec<(String, u64)> {
        let found = distribution(class);
        let every = table.decision().domain().iter().map(Value::to_string);
        let of = |value: String| {
            let weight = found.iter().find(|(known, _)| *known == value).map_or(0, |(_, weight)| *weight);
            (value, weight)
        };
        if answer.wants_csv() { every.map(of).collect() } else { found }
    };
    let size = |rows: &[u32]| rows.iter().map(|&row| table.weight(row as usize)).sum::<u64>();
    let json = || {
        let class = |(e, rows): (usize, &Vec<u32>)| {
            let values = values(&table, rows).map(|(attribute, value)| (attribute.name().to_owned(), json!(value)));
            let mut json = json!({
                "objects": numbers(&table, rows), "size": size(rows), "values": values.collect::<serde_json::Map<_, _>>(),
            });
            if is_decided {
                json["decisions"] = weights(&counts(e));
            }
            json
        };
        let listed: Vec<Json> = classes.iter().enumerate().map(class).collect();
        json!({ "n_classes": classes.len(), "classes": listed })
    };
    let text = || {
        let line = |(e, rows): (usize, &Vec<u32>)| {
            let described: Vec<String> = values(&table, rows)
                .map(|(attribute, value)| format!("{} {}", attribute.name(), value.condition()))
                .collect();
            let mut cells = vec![(e + 1).to_string(), size(rows).to_string(), shares(&distribution(e))];
            cells.extend([objects(&table, rows, answer.all), list(&described, answer.all)]);
            if !is_decided {
                cells.remove(2);
            }
            cells
        };
        let mut header = vec!["class", "size", "decisions", "objects", "values"];
        header.retain(|name| is_decided || *name != "decisions");
        heading(&table, classes.len()) + &listing(&header, classes.iter().enumerate().map(line), "classes", answer.all)
    };
    answer.give(Sheet::List("/classes", &["size", "objects"]), json, text)
}

/// The values that all objects of a class have.
fn values<'t>(table: &'t DecisionTable, rows: &[u32]) -> impl Iterator<Item = (&'t Attribute, &'t Value)> {
    let first = rows.first().copied();
    table.attributes().iter().filter_map(move |attribute| Some((attribute, attribute.value(first? as usize))))
}

/// Decision values with their weights.
fn decisions(table: &DecisionTable, entries: &[(u32, u64)]) -> Vec<(String, u64)> {
    let value = |code: u32| table.decision().domain()[code as usize].to_string();
    entries.iter().map(|&(code, weight)| (value(code), weight)).collect()
}
