//! `roughboard rough approx`.

use anyhow::anyhow;
use roughboard::rough::{Approximation, Approximations, Fraction, Precision, Relation};
use roughboard::table::DecisionTable;
use serde_json::{Value as Json, json};

use super::TableQuery;
use super::engine::Asked;
use super::memory::MemoryLimit;
use super::relation::RelatedQuery;
use super::text::{self, fraction, heading, list, numbers, objects};
use crate::cli::session::Session;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    pub related: RelatedQuery,
    #[command(flatten)]
    pub asked: Asked,
    /// Variable precision: a class counts as inside from this degree of inclusion on, in (0.5, 1]
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub beta: Option<Fraction>,
    /// Show this value of the decision only
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub concept: Option<String>,
    #[command(flatten)]
    memory: MemoryLimit,
}

pub fn run(options: &Options, session: &Session) -> anyhow::Result<()> {
    let relation = options.related.relation()?;
    let precision = options.beta.map_or(Ok(Precision::EXACT), Precision::new)?;
    let TableQuery { source, answer } = &options.related.query;
    let table = source.read_decided_within(&options.memory)?;
    let concepts = concepts(&table, options.concept.as_deref())?;
    let approximations = Approximations::by_relation(&table, &table.all_attributes(), relation, &session.progress)?;
    let approximations = approximations.with_precision(precision);
    let domain = table.decision().domain();
    let each = || concepts.iter().map(|&code| (domain[code as usize].to_string(), approximations.of_decision(code)));
    let (n_classes, beta) = (approximations.partition().n_classes(), precision.beta().value());
    let (gamma, accuracy) = (approximations.gamma(), approximations.accuracy());
    let (positive, boundary) = (approximations.positive_region(), approximations.boundary());
    let json = || {
        let each = each().map(|(value, a)| (value, concept_json((&table, &approximations), &a)));
        let mut json = json!({
            "relation": relation.to_string(), "beta": beta, "quality": gamma.value(),
            "gamma": gamma.value(), "gamma_fraction": fraction(gamma),
            "accuracy": accuracy.value(), "accuracy_fraction": fraction(accuracy),
            "n_objects": table.n_rows(), "total_weight": table.total_weight(), "n_classes": n_classes,
            "approximations": each.collect::<serde_json::Map<_, _>>(),
        });
        let regions = [("positive_region", &positive), ("boundary", &boundary)];
        regions.into_iter().for_each(|(name, rows)| put((&table, &approximations), &mut json, name, rows));
        json
    };
    let text = || {
        let mut out = heading(&table, n_classes);
        if relation != Relation::Indiscernibility {
            out += &format!("relation         {relation}\n");
        }
        if !precision.is_exact() {
            out += &format!("beta             {beta}\n");
        }
        let listed = |rows: &[u32]| format!(": {}", objects(&table, rows, answer.all));
        let listed = |rows: &[u32]| if table.is_merged() { String::new() } else { listed(rows) };
        let show = |rows: &[u32]| format!("{} objects{}", table.n_rows_of(rows), listed(rows));
        out += &format!("gamma            {gamma} = {:.6}\n", gamma.value());
        out += &format!("accuracy         {accuracy} = {:.6}\n", accuracy.value());
        out += &format!("positive region  {}\nboundary         {}\n\n", show(&positive), show(&boundary));
        let lines: Vec<_> = each().map(|(value, a)| line((&table, &approximations), value, &a, answer.all)).collect();
        let sizes = ["|lower|", "|upper|", "|boundary|", "|negative|", "accuracy"];
        let lists: &[&str] = if table.is_merged() { &[] } else { &["lower", "upper", "negative"] };
        let header = [&[table.decision().name()], &sizes[..], lists].concat();
        out + &text::table(&header, &lines)
    };
    answer.give(json, text)
}

/// The code of the decision value that reads `concept`, or all of them.
pub fn concepts(table: &DecisionTable, concept: Option<&str>) -> anyhow::Result<Vec<u32>> {
    let values: Vec<String> = table.decision().domain().iter().map(ToString::to_string).collect();
    let Some(concept) = concept else { return Ok((0..values.len() as u32).collect()) };
    let found = values.iter().position(|value| value == concept);
    let existing = || list(&values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>(), false);
    let error = || anyhow!("the decision `{}` has no value `{concept}`, only {}", table.decision().name(), existing());
    Ok(vec![found.ok_or_else(error)? as u32])
}

/// A line of the table of approximations.
fn line(
    (table, all): (&DecisionTable, &Approximations<'_>),
    value: String,
    a: &Approximation,
    in_full: bool,
) -> Vec<String> {
    let sizes = [&a.lower, &a.upper, &a.boundary, &a.negative].map(|rows| all.weight(rows).to_string());
    let accuracy = format!("{} = {:.4}", a.accuracy, a.accuracy.value());
    let lists = [&a.lower, &a.upper, &a.negative].into_iter().filter(|_| !table.is_merged());
    let lists = lists.map(|rows| objects(table, rows, in_full)).collect();
    [vec![value], sizes.to_vec(), vec![accuracy], lists].concat()
}

fn concept_json(of: (&DecisionTable, &Approximations<'_>), a: &Approximation) -> Json {
    let mut json = json!({
        "accuracy": a.accuracy.value(), "accuracy_fraction": fraction(a.accuracy),
        "quality": a.quality.value(), "quality_fraction": fraction(a.quality),
    });
    let sets = [("lower", &a.lower), ("upper", &a.upper), ("boundary", &a.boundary), ("negative", &a.negative)];
    sets.into_iter().for_each(|(name, rows)| put(of, &mut json, name, rows));
    json
}

/// Puts a set of objects into an answer: their numbers, or how many they are where an object stands for many rows.
fn put((table, all): (&DecisionTable, &Approximations<'_>), json: &mut Json, name: &str, rows: &[u32]) {
    if table.is_merged() {
        json[format!("{name}_size")] = all.weight(rows).into();
    } else {
        json[name] = numbers(table, rows).into();
    }
}
