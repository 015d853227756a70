//! `roughboard rough classes`.

use roughboard::rough::{Approximations, Relation};
use roughboard::table::{Attribute, DecisionTable, Value};
use serde_json::{Value as Json, json};

use super::neighbourhoods;
use super::relation::RelatedQuery;
use super::sets;
use super::text::{heading, list, listing, numbers, objects, shares, weights};
use crate::cli::form::{Sheet, cell};

pub fn run(options: &RelatedQuery) -> anyhow::Result<()> {
    let (relation, answer) = (options.relation()?, &options.answer);
    let table = options.source.read()?;
    let is_decided = options.source.is_decided();
    if relation != Relation::Indiscernibility {
        options.note_large(&table);
        return neighbourhoods::give(&table, relation, is_decided, answer);
    }
    let approximations = Approximations::of(&table, &table.all_attributes());
    let classes = approximations.partition().classes();
    let weights_of = |class: usize| approximations.distribution().of_class(class);
    let distribution = |class: usize| sets::decisions(&table, weights_of(class));
    let json = || {
        let class = |(e, rows): (usize, &Vec<u32>)| {
            let values = values(&table, rows).map(|(attribute, value)| (attribute.name().to_owned(), json!(value)));
            let mut json = json!({
                "objects": numbers(&table, rows), "size": table.weight_of(rows), "values": values.collect::<serde_json::Map<_, _>>(),
            });
            if is_decided {
                json["decisions"] = weights(&distribution(e));
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
            let mut cells = vec![(e + 1).to_string(), table.weight_of(rows).to_string(), shares(&distribution(e))];
            cells.extend([objects(&table, rows, answer.is_in_full()), list(&described, answer.is_in_full())]);
            if !is_decided {
                cells.remove(2);
            }
            cells
        };
        let mut header = vec!["class", "size", "decisions", "objects", "values"];
        header.retain(|name| is_decided || *name != "decisions");
        heading(&table, classes.len())
            + &listing(&header, classes.iter().enumerate().map(line), "classes", answer.is_in_full())
    };
    let csv = || {
        let mut attributes: Vec<&Attribute> = table.attributes().iter().collect();
        attributes.sort_by(|a, b| a.name().cmp(b.name()));
        let named: Vec<String> = attributes.iter().map(|attribute| format!("values_{}", attribute.name())).collect();
        let lines = classes.iter().enumerate().map(|(e, rows)| {
            let first = rows[0] as usize;
            let values: Vec<String> = attributes.iter().map(|attribute| cell(&json!(attribute.value(first)))).collect();
            (vec![table.weight_of(rows).to_string(), json!(numbers(&table, rows)).to_string()], weights_of(e), values)
        });
        sets::by_decision(&table, is_decided, (&["size", "objects"], &named), lines)
    };
    answer.give(Sheet::Made(&csv), json, text)
}

/// The values that all objects of a class have.
fn values<'t>(table: &'t DecisionTable, rows: &[u32]) -> impl Iterator<Item = (&'t Attribute, &'t Value)> {
    let first = rows.first().copied();
    table.attributes().iter().filter_map(move |attribute| Some((attribute, attribute.value(first? as usize))))
}
