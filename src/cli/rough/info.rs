//! `roughboard rough info`: what is in a table.

use roughboard::rough::{Approximations, Distribution};
use roughboard::table::{Attribute, DecisionTable, LeftOut, Value};
use serde_json::{Value as Json, json};

use super::answer::Answer;
use super::hints;
use super::memory::MemoryLimit;
use super::source::{TableFile, TableView, note_merged, note_remarks, remarks};
use super::text::{fraction, listing, weights};

/// What helps where real numbers have many values.
const REMEDY: &str = "cut them into intervals with `rough discretize`";

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    file: TableFile,
    /// The decision column, or the d of count columns d=VALUE; several together make one decision
    #[arg(long, value_name = "COLUMN")]
    decision: Vec<String>,
    #[command(flatten)]
    view: TableView,
    #[command(flatten)]
    memory: MemoryLimit,
    #[command(flatten)]
    answer: Answer,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    options.view.check_exact()?;
    let memory = options.memory.of_reading();
    let file = options.view.read(&options.file, &options.file.path, &options.decision, memory)?;
    let mut notes = remarks(&file, &options.decision);
    note_remarks(&notes, usize::MAX);
    note_merged(&file);
    let (n_rows, all) = (file.n_rows_read(), options.answer.all);
    if options.decision.is_empty() {
        let listed = file.columns();
        note_more(&mut notes, hints::notes(listed, n_rows, Some(REMEDY)));
        let n_missing = |column: &Attribute| file.n_missing(column);
        let json = || json!({ "rows": n_rows, "notes": notes, "attributes": attributes_json(listed, n_missing) });
        let text = || format!("{n_rows} rows, {} columns\n\n{}", listed.len(), attributes_text(listed, n_missing, all));
        return options.answer.give(json, text);
    }
    let (table, dropped) = options.view.decide(file, &options.decision, &options.file.path)?;
    note_more(&mut notes, hints::of_counts(&table));
    note_more(&mut notes, hints::of_decision(table.decision(), table.n_rows()));
    note_more(&mut notes, hints::notes(table.attributes(), table.n_rows(), Some(REMEDY)));
    options.describe(&table, n_rows, dropped, &notes)
}

/// Says more on standard error, and adds it to the `notes`.
fn note_more(notes: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for note in more {
        eprintln!("note: {note}");
        notes.push(note);
    }
}

impl Options {
    /// Tells of a table that so many rows were read for, of the rows that were left out, and of what was noted.
    fn describe(&self, table: &DecisionTable, n_rows: usize, dropped: LeftOut, notes: &[String]) -> anyhow::Result<()> {
        let approximations = Approximations::of(table, &table.all_attributes());
        let (gamma, n_classes) = (approximations.gamma(), approximations.partition().n_classes());
        let (n_distinct, is_consistent) =
            (n_distinct(approximations.distribution()), gamma.numerator == gamma.denominator);
        let (decision, total) = (table.decision(), table.total_weight());
        let values = decision.domain().iter().map(ToString::to_string);
        let of_values: Vec<(String, u64)> = values.zip(table.decision_weights()).collect();
        let n_missing = |column: &Attribute| table.n_missing(column);
        let json = || {
            json!({
                "rows": n_rows, "notes": notes, "objects": total, "n_attributes": table.n_attributes(),
                "distinct_rows": n_distinct, "classes": n_classes,
                "gamma": gamma.value(), "gamma_fraction": fraction(gamma), "consistent": is_consistent,
                "dropped": { "rows": dropped.rows, "weight": dropped.weight },
                "decision": {
                    "name": decision.name(), "kind": decision.kind(), "values": table.n_decisions(),
                    "missing": n_missing(decision), "weights": weights(&of_values),
                },
                "attributes": attributes_json(table.attributes(), n_missing),
            })
        };
        let text = || {
            let mut out = format!("{n_rows} rows, {total} objects, {} attributes, ", table.n_attributes());
            out += &format!("{n_distinct} distinct rows, {n_classes} classes\n");
            out += &self.view.account(dropped, table).map(|account| account + "\n").unwrap_or_default();
            let verdict = if is_consistent { "consistent" } else { "inconsistent" };
            out += &format!("{verdict}: gamma {gamma} = {:.6}\n\n", gamma.value());
            let share = |weight: u64| format!("{:.4}", weight as f64 / total.max(1) as f64);
            let line = |(value, weight): &(String, u64)| vec![value.clone(), weight.to_string(), share(*weight)];
            let header = [decision.name(), "objects", "share"];
            out += &listing(&header, of_values.iter().map(line), "decision values", self.answer.all);
            format!("{out}\n{}", attributes_text(table.attributes(), n_missing, self.answer.all))
        };
        self.answer.give(json, text)
    }
}

/// The number of rows that differ in a condition or the decision.
fn n_distinct(distribution: &Distribution) -> usize {
    (0..distribution.n_classes()).map(|class| distribution.of_class(class).len()).sum()
}

/// The values of an attribute that are not missing, in ascending order.
fn present(attribute: &Attribute) -> &[Value] {
    match attribute.domain() {
        [values @ .., Value::Missing] => values,
        values => values,
    }
}

fn attributes_text(attributes: &[Attribute], n_missing: impl Fn(&Attribute) -> usize, all: bool) -> String {
    let line = |a: &Attribute| {
        let values = match present(a) {
            [] => String::new(),
            [only] => only.to_string(),
            [first, .., last] => format!("{first} … {last}"),
        };
        let codes = format!("u{}", a.codes().bits());
        let cells = [a.name(), a.kind(), &present(a).len().to_string(), &n_missing(a).to_string(), &codes];
        cells.into_iter().map(str::to_owned).chain([values]).collect()
    };
    let header = ["attribute", "kind", "values", "missing", "codes", "domain"];
    listing(&header, attributes.iter().map(line), "attributes", all)
}

fn attributes_json(attributes: &[Attribute], n_missing: impl Fn(&Attribute) -> usize) -> Vec<Json> {
    let attribute = |a: &Attribute| {
        json!({
            "name": a.name(), "kind": a.kind(), "values": present(a).len(), "missing": n_missing(a),
            "codes": format!("u{}", a.codes().bits()),
        })
    };
    attributes.iter().map(attribute).collect()
}
