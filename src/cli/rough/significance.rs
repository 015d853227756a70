//! `roughboard rough significance`.

use roughboard::rough::{Significance, Significances};
use roughboard::table::DecisionTable;
use serde_json::{Value as Json, json};

use super::TableQuery;
use super::hints;
use super::memory::MemoryLimit;
use super::text::{fraction, listing, padded, width_of};
use crate::cli::form::Sheet;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    pub query: TableQuery,
    #[command(flatten)]
    memory: MemoryLimit,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let TableQuery { source, answer } = &options.query;
    source.view.check_exact()?;
    let table = source.read_decided_within(&options.memory)?;
    hints::note(&table, Some("cut them into intervals with `rough discretize`"));
    let all = Significances::of(&table, &table.all_attributes());
    answer.give(SHEET, || as_json(&table, &all), || as_text(&table, &all, answer.is_in_full()))
}

/// What CSV has of the answer.
const SHEET: Sheet<'_> = Sheet::List(
    "/attributes",
    &[
        "attribute",
        "core",
        "significance",
        "significance_fraction",
        "normalised",
        "gamma_alone",
        "gamma_alone_fraction",
        "entropy_loss",
        "entropy_alone",
        "gain",
        "gini_alone",
    ],
);

fn as_json(table: &DecisionTable, all: &Significances) -> Json {
    let attribute = |s: &Significance| {
        json!({
            "attribute": table.attribute(s.attr).name(), "core": s.in_core,
            "significance": s.inner.value(), "significance_fraction": fraction(s.inner),
            "normalised": if s.normalised.denominator == 0 { 0.0 } else { s.normalised.value() },
            "gamma_alone": s.outer.value(), "gamma_alone_fraction": fraction(s.outer),
            "entropy_loss": s.entropy_loss, "entropy_alone": s.entropy, "gain": s.gain, "gini_alone": s.gini,
        })
    };
    json!({
        "gamma": all.gamma.value(), "gamma_fraction": fraction(all.gamma), "entropy": all.entropy,
        "decision_entropy": all.decision_entropy, "decision_gini": all.decision_gini,
        "attributes": all.attributes.iter().map(attribute).collect::<Vec<_>>(),
    })
}

fn as_text(table: &DecisionTable, all: &Significances, in_full: bool) -> String {
    let line = |s: &Significance| {
        let name = table.attribute(s.attr).name().to_owned();
        let core = if s.in_core { "yes" } else { "-" }.to_owned();
        let normalised = if s.normalised.denominator == 0 { 0.0 } else { s.normalised.value() };
        let figures = [s.inner.value(), normalised, s.outer.value(), s.entropy_loss, s.entropy, s.gain, s.gini];
        [name, core].into_iter().chain(figures.map(|figure| format!("{figure:.6}"))).collect()
    };
    let name = table.decision().name();
    let header =
        ["attribute", "core", "sigma", "sigma/gamma", "gamma alone", "entropy lost", "entropy alone", "gain", "gini"];
    let listed = listing(&header, all.attributes.iter().map(line), "attributes", in_full);
    let summary = [
        ("gamma".to_owned(), format!("{} = {:.6}", all.gamma, all.gamma.value())),
        (
            format!("entropy of {name}"),
            format!("{:.6} bits, given all attributes {:.6}", all.decision_entropy, all.entropy),
        ),
        (format!("gini of {name}"), format!("{:.6}", all.decision_gini)),
    ];
    let width = summary.iter().map(|(of, _)| width_of(of)).max().unwrap_or_default();
    let summary: String = summary.iter().map(|(of, figures)| format!("{}  {figures}\n", padded(of, width))).collect();
    format!("{summary}\n{listed}")
}
