//! `roughboard rough classes` under another relation than indiscernibility: the neighbourhood of each object.

use std::collections::BTreeMap;

use roughboard::rough::{Neighbourhoods, Partition, Relation, RoughError};
use roughboard::table::DecisionTable;
use serde_json::{Value as Json, json};

use super::answer::Answer;
use super::sets;
use super::text::{self, heading, numbers, rest, shares, shown, table as columns, weights};
use crate::cli::form::Sheet;

/// The most distinct rows whose neighbourhoods are all listed: there may be as many members as the square of it.
const MAX_LISTED: usize = 10_000;

/// Equal objects with their neighbours.
struct Listed {
    objects: Vec<u32>,
    neighbours: Vec<u32>,
    /// The weight of the neighbours, and by decision.
    size: u64,
    decisions: Vec<(u32, u64)>,
}

pub fn give(table: &DecisionTable, relation: Relation, is_decided: bool, answer: &Answer) -> anyhow::Result<()> {
    relation.check(table, &table.all_attributes())?;
    let partition = Partition::by(table, &table.all_attributes());
    let neighbourhoods = Neighbourhoods::new(table, &table.all_attributes(), relation, partition.first_objects());
    let classes = partition.classes();
    let shown = if answer.is_whole() { classes.len() } else { shown(classes.len(), answer.is_in_full()) };
    if shown > MAX_LISTED {
        let task = "the list of all neighbourhoods";
        return Err(RoughError::TooManyRows { task, found: shown, limit: MAX_LISTED }.into());
    }
    let listed: Vec<Listed> = (0..shown).map(|row| list(table, &classes, row, &neighbourhoods)).collect();
    let json = || {
        let each = listed.iter().map(|Listed { objects, neighbours, size, decisions }| {
            let [objects, neighbourhood] = [objects, neighbours].map(|rows| numbers(table, rows));
            let mut json = json!({ "objects": objects, "size": size, "neighbourhood": neighbourhood });
            if is_decided {
                json["decisions"] = weights(&sets::decisions(table, decisions));
            }
            json
        });
        let each: Vec<Json> = each.collect();
        json!({ "relation": relation.to_string(), "n_classes": classes.len(), "neighbourhoods": each })
    };
    let text = || {
        let mut header = vec!["objects", "size", "decisions", "neighbourhood"];
        header.retain(|name| is_decided || *name != "decisions");
        let lines = listed.iter().map(|Listed { objects, neighbours, size, decisions }| {
            let [shown, neighbourhood] =
                [objects, neighbours].map(|rows| text::objects(table, rows, answer.is_in_full()));
            let decisions = shares(&sets::decisions(table, decisions));
            let mut cells = vec![shown, size.to_string(), decisions, neighbourhood];
            if !is_decided {
                cells.remove(2);
            }
            cells
        });
        let lines: Vec<_> = lines.collect();
        let (heading, rest) = (heading(table, classes.len()), rest(classes.len() - shown, "neighbourhoods"));
        format!("{heading}relation  {relation}\n\n{}{rest}", columns(&header, &lines))
    };
    let csv = || {
        let lines = listed.iter().map(|Listed { objects, neighbours, size, decisions }| {
            let [objects, neighbours] = [objects, neighbours].map(|rows| json!(numbers(table, rows)).to_string());
            (vec![size.to_string(), objects, neighbours], &decisions[..], Vec::new())
        });
        sets::by_decision(table, is_decided, (&["size", "objects", "neighbourhood"], &[]), lines)
    };
    answer.give(Sheet::Made(&csv), json, text)
}

fn list(table: &DecisionTable, classes: &[Vec<u32>], row: usize, neighbourhoods: &Neighbourhoods) -> Listed {
    let rows = neighbourhoods.of_row(row);
    let mut neighbours: Vec<u32> = rows.iter().flat_map(|&row| &classes[row as usize]).copied().collect();
    neighbours.sort_unstable();
    let mut decisions = BTreeMap::new();
    for &object in &neighbours {
        *decisions.entry(table.decision().code(object as usize)).or_insert(0) += table.weight(object as usize);
    }
    let size = decisions.values().sum();
    Listed { objects: classes[row].clone(), neighbours, size, decisions: decisions.into_iter().collect() }
}
