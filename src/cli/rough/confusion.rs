//! How often each decision was forecast for each true one: as text and as JSON.

use roughboard::classify::{ClassFigures, Confusion, Estimate};
use roughboard::table::Value;
use serde_json::{Value as Json, json};

use super::text::{listing, table as columns};

/// The most decisions whose confusion table is shown without `--all`.
const MAX_SHOWN: usize = 12;

pub fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

pub fn interval(estimate: Estimate) -> String {
    if estimate.low.is_infinite() {
        return "–".to_owned();
    }
    format!("{:.2} to {:.2}", 100.0 * estimate.low, 100.0 * estimate.high)
}

pub fn estimate_json(estimate: Estimate) -> Json {
    json!({ "mean": estimate.mean, "interval": [estimate.low, estimate.high] })
}

/// The confusion table, unless it is large, and the figures of each decision.
pub fn text(confusion: &Confusion, classes: &[Value], all: bool) -> String {
    let table = match classes.len() {
        n if n > Confusion::MOST_SHOWN => format!("({n} decisions are too many for a confusion table)\n"),
        n if n <= MAX_SHOWN || all => confusion_table(confusion, classes),
        n => format!("({n} decisions: --all shows the confusion table)\n"),
    };
    let line = |(class, figures): (&Value, &ClassFigures)| {
        let shown = |figure: Option<f64>| figure.map_or("-".to_owned(), percent);
        let shares = [figures.precision, figures.recall, figures.f1, figures.unmatched].map(shown);
        [vec![class.to_string(), figures.weight.to_string()], shares.to_vec()].concat()
    };
    let (header, figures) = (["decision", "objects", "precision", "recall", "F1", "no rule"], confusion.classes());
    table + &listing(&header, classes.iter().zip(&figures).map(line), "decisions", all)
}

fn confusion_table(confusion: &Confusion, classes: &[Value]) -> String {
    let names: Vec<String> = classes.iter().map(Value::to_string).collect();
    let header: Vec<&str> = std::iter::once("true \\ predicted").chain(names.iter().map(String::as_str)).collect();
    let line = |(name, counts): (&String, Vec<u64>)| {
        std::iter::once(name.clone()).chain(counts.iter().map(u64::to_string)).collect()
    };
    columns(&header, &names.iter().zip(confusion.counts()).map(line).collect::<Vec<_>>())
}

/// The figures of each decision.
pub fn classes_json(confusion: &Confusion, classes: &[Value]) -> Vec<Json> {
    let class = |(class, figures): (&Value, &ClassFigures)| {
        json!({
            "decision": class, "objects": figures.weight,
            "precision": figures.precision, "recall": figures.recall, "f1": figures.f1,
            "unmatched": figures.unmatched,
        })
    };
    classes.iter().zip(&confusion.classes()).map(class).collect()
}
