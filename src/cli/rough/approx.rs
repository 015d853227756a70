//! `roughboard rough approx`.

use roughboard::rough::Approximations;
use roughboard::table::DecisionTable;
use serde_json::{Value as Json, json};

use super::Plain;
use super::text::{self, fraction, heading, numbers, objects};

pub fn run(options: &Plain) -> anyhow::Result<()> {
    let table = options.source.read_decided()?;
    let approximations = Approximations::of(&table, &table.all_attributes());
    let all = options.answer.all;
    options.answer.give(|| approx_json(&table, &approximations), || approx_text(&table, &approximations, all))
}

fn approx_text(table: &DecisionTable, approximations: &Approximations<'_>, all: bool) -> String {
    let gamma = approximations.gamma();
    let mut out = heading(table, approximations.partition().n_classes());
    let show = |rows: &[u32]| format!("{} objects: {}", rows.len(), objects(rows, all));
    out += &format!("gamma            {} = {:.6}\n", gamma, gamma.value());
    out += &format!("positive region  {}\n", show(&approximations.positive_region()));
    out += &format!("boundary         {}\n\n", show(&approximations.boundary()));
    let mut lines = Vec::new();
    for (code, value) in (0..).zip(table.decision().domain()) {
        let a = approximations.of_decision(code);
        let accuracy = format!("{} = {:.4}", a.accuracy, a.accuracy.value());
        let sizes = [&a.lower, &a.upper, &a.boundary].map(|rows| rows.len().to_string());
        let parts = [&a.lower, &a.upper].map(|rows| objects(rows, all));
        lines.push([vec![value.to_string()], sizes.to_vec(), vec![accuracy], parts.to_vec()].concat());
    }
    let name = table.decision().name();
    let header = [name, "|lower|", "|upper|", "|boundary|", "accuracy", "lower", "upper"];
    out + &text::table(&header, &lines)
}

fn approx_json(table: &DecisionTable, approximations: &Approximations<'_>) -> Json {
    let of_decision = |code: u32| {
        let a = approximations.of_decision(code);
        json!({
            "lower": numbers(&a.lower), "upper": numbers(&a.upper), "boundary": numbers(&a.boundary),
            "accuracy": a.accuracy.value(), "accuracy_fraction": fraction(a.accuracy),
        })
    };
    let each = (0..).zip(table.decision().domain()).map(|(code, value)| (value.to_string(), of_decision(code)));
    json!({
        "gamma": approximations.gamma().value(),
        "gamma_fraction": fraction(approximations.gamma()),
        "n_objects": table.n_objects(),
        "total_weight": table.total_weight(),
        "n_classes": approximations.partition().n_classes(),
        "positive_region": numbers(&approximations.positive_region()),
        "boundary": numbers(&approximations.boundary()),
        "approximations": each.collect::<serde_json::Map<_, _>>(),
    })
}
