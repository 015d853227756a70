//! `roughboard rough info`: what is in a table.

use roughboard::rough::{Approximations, Distribution, Fraction};
use roughboard::settings::counted;
use roughboard::table::{Attribute, DecisionTable, LeftOut, ReadOptions, Value};
use serde::Serialize;
use serde_json::json;

use super::answer::Answer;
use super::engine::Asked;
use super::hints;
use super::memory::MemoryLimit;
use super::source::{self, Source, note_merged, note_remarks, remarks, weightless};
use super::text::{fraction, listing, weights};
use crate::cli::form::Sheet;

/// What helps where real numbers have many values.
const REMEDY: &str = "cut them into intervals with `rough discretize`";

#[derive(clap::Args)]
#[command(mut_args(source::exact_undecided))]
pub struct Options {
    #[command(flatten)]
    pub source: Source,
    #[command(flatten)]
    pub asked: Asked,
    #[command(flatten)]
    memory: MemoryLimit,
    #[command(flatten)]
    pub answer: Answer,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let Source { file, decision, view } = &options.source;
    view.check_exact()?;
    view.check_columns(decision)?;
    let memory = options.memory.of_reading();
    let read = view.read(&file.path, decision, ReadOptions { memory, ..file.reading() })?;
    let mut notes = remarks(&read, decision);
    note_remarks(&notes, usize::MAX);
    note_merged(&read);
    let n_rows = read.n_rows_read();
    if decision.is_empty() {
        let listed = read.columns();
        note_more(&mut notes, hints::notes(listed, n_rows, Some(REMEDY)));
        let facts = ColumnFacts::of_all(listed, |column| read.n_missing(column));
        return options.list(n_rows as u64, &notes, &facts);
    }
    let objects = view.objects(read, decision, &file.path)?;
    note_more(&mut notes, weightless(n_rows, objects.n_rows()));
    let n_undecided = objects.n_missing(objects.decision());
    let (table, dropped) = view.keep(objects, &file.path)?;
    note_more(&mut notes, hints::of_counts(&table));
    note_more(&mut notes, hints::of_decision(table.decision(), table.n_rows()));
    note_more(&mut notes, hints::notes(table.attributes(), table.n_rows(), Some(REMEDY)));
    options.describe(&table, [n_rows, n_undecided].map(|n| n as u64), dropped, &notes)
}

/// Says more on standard error, and adds it to the `notes`.
fn note_more(notes: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for note in more {
        eprintln!("note: {note}");
        notes.push(note);
    }
}

/// What there is to tell of a decision table.
pub struct Facts<'t> {
    /// Rows of the file.
    pub n_rows: u64,
    /// Those of them that have no decision, where that is known.
    pub n_undecided: Option<u64>,
    pub n_classes: u64,
    pub n_distinct: u64,
    pub gamma: Fraction,
    pub dropped: LeftOut,
    /// What was left out, in words.
    pub account: Option<String>,
    /// A table with the decision and the weights of this one.
    pub table: &'t DecisionTable,
    pub columns: Vec<ColumnFacts>,
}

/// What there is to tell of a column.
#[derive(Serialize)]
pub struct ColumnFacts {
    pub name: String,
    pub kind: &'static str,
    #[serde(rename = "values")]
    pub n_values: u64,
    #[serde(rename = "missing")]
    pub n_missing: u64,
    /// The type of its codes.
    pub codes: String,
    pub domain: String,
}

impl Options {
    /// Tells of a table that so many rows were read for, of which so many have no decision, of the rows that were left out, and of
    /// what was noted.
    fn describe(
        &self,
        table: &DecisionTable,
        [n_rows, n_undecided]: [u64; 2],
        dropped: LeftOut,
        notes: &[String],
    ) -> anyhow::Result<()> {
        let approximations = Approximations::of(table, &table.all_attributes());
        let facts = Facts {
            n_rows,
            n_undecided: Some(n_undecided),
            n_classes: approximations.partition().n_classes() as u64,
            n_distinct: n_distinct(approximations.distribution()) as u64,
            gamma: approximations.gamma(),
            dropped,
            account: self.source.view.account((table.n_rows(), table.total_weight()), dropped),
            table,
            columns: ColumnFacts::of_all(table.attributes(), |column| table.n_missing(column)),
        };
        self.tell(&facts, notes)
    }

    /// Tells of the columns of a file.
    pub fn list(&self, n_rows: u64, notes: &[String], columns: &[ColumnFacts]) -> anyhow::Result<()> {
        let json = || json!({ "rows": n_rows, "notes": notes, "attributes": columns });
        let sizes = || format!("{}, {}", counted(n_rows, "row"), counted(columns.len(), "column"));
        let text = || format!("{}\n\n{}", sizes(), columns_text(columns, self.answer.is_in_full()));
        self.answer.give(SHEET, json, text)
    }

    /// Tells of a decision table, and what was noted of it.
    pub fn tell(&self, facts: &Facts<'_>, notes: &[String]) -> anyhow::Result<()> {
        let Facts { n_rows, n_classes, n_distinct, gamma, dropped, .. } = *facts;
        let (table, n_attributes, is_consistent) =
            (facts.table, facts.columns.len(), gamma.numerator == gamma.denominator);
        let (decision, total) = (table.decision(), table.total_weight());
        let of_values: Vec<(&Value, u64)> = decision.domain().iter().zip(table.decision_weights()).collect();
        let json = || {
            json!({
                "rows": n_rows, "notes": notes, "objects": total, "n_attributes": n_attributes,
                "distinct_rows": n_distinct, "classes": n_classes,
                "gamma": gamma.value(), "gamma_fraction": fraction(gamma), "consistent": is_consistent,
                "dropped": { "rows": dropped.rows, "weight": dropped.weight },
                "decision": {
                    "name": decision.name(), "kind": decision.kind(), "values": table.n_decisions(),
                    "missing": facts.n_undecided, "weights": weights(&of_values),
                },
                "attributes": facts.columns,
            })
        };
        let text = || {
            let sizes = [
                counted(n_rows, "row"),
                counted(total, "object"),
                counted(n_attributes, "attribute"),
                counted(n_distinct, "distinct row"),
                counted(n_classes, "class"),
            ];
            let mut out = format!("{}\n", sizes.join(", "));
            out += &facts.account.as_ref().map(|account| format!("{account}\n")).unwrap_or_default();
            let verdict = if is_consistent { "consistent" } else { "inconsistent" };
            out += &format!("{verdict}: gamma {gamma} = {:.6}\n\n", gamma.value());
            let share = |weight: u64| format!("{:.4}", weight as f64 / total.max(1) as f64);
            let line = |(value, weight): &(&Value, u64)| vec![value.to_string(), weight.to_string(), share(*weight)];
            let header = [decision.name(), "objects", "share"];
            out += &listing(&header, of_values.iter().map(line), "decision values", self.answer.is_in_full());
            format!("{out}\n{}", columns_text(&facts.columns, self.answer.is_in_full()))
        };
        self.answer.give(SHEET, json, text)
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

impl ColumnFacts {
    /// Of columns of which `n_missing` tells the missing cells.
    fn of_all(attributes: &[Attribute], n_missing: impl Fn(&Attribute) -> usize) -> Vec<Self> {
        attributes.iter().map(|attribute| Self::of(attribute, n_missing(attribute))).collect()
    }

    fn of(attribute: &Attribute, n_missing: usize) -> Self {
        let values = present(attribute);
        let extremes = values.first().zip(values.last());
        Self {
            name: attribute.name().to_owned(),
            kind: attribute.kind(),
            n_values: values.len() as u64,
            n_missing: n_missing as u64,
            codes: code_type(attribute.codes().bits()),
            domain: shown_domain(extremes),
        }
    }
}

/// The type of codes of so many bits.
pub fn code_type(bits: u32) -> String {
    format!("u{bits}")
}

/// The least and the greatest value, if there are any.
pub fn shown_domain(extremes: Option<(&Value, &Value)>) -> String {
    match extremes {
        None => String::new(),
        Some((only, last)) if only == last => only.to_string(),
        Some((first, last)) => format!("{first} … {last}"),
    }
}

fn columns_text(columns: &[ColumnFacts], all: bool) -> String {
    let line = |column: &ColumnFacts| {
        let [values, missing] = [column.n_values, column.n_missing].map(|number| number.to_string());
        vec![column.name.clone(), column.kind.to_owned(), values, missing, column.codes.clone(), column.domain.clone()]
    };
    let header = ["attribute", "kind", "values", "missing", "codes", "domain"];
    listing(&header, columns.iter().map(line), "attributes", all)
}

/// What CSV has of the answer.
const SHEET: Sheet<'_> = Sheet::List("/attributes", &["name", "kind", "values", "missing", "codes", "domain"]);
