//! `roughboard rough approx`.

use anyhow::anyhow;
use roughboard::rough::{Approximation, Approximations, Fraction, Precision, Relation};
use roughboard::table::DecisionTable;
use serde_json::{Value as Json, json};

use super::TableQuery;
use super::relation::RelatedQuery;
use super::text::{self, fraction, heading, list, numbers, objects};
use crate::cli::session::Session;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    related: RelatedQuery,
    /// Variable precision: a class counts as inside from this degree of inclusion on, in (0.5, 1]
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    beta: Option<Fraction>,
    /// Show this value of the decision only
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    concept: Option<String>,
}

/// The approximations with what was chosen about them.
struct Shown<'a> {
    table: &'a DecisionTable,
    approximations: Approximations<'a>,
    relation: Relation,
    /// Decision codes.
    concepts: Vec<u32>,
}

pub fn run(options: &Options, session: &Session) -> anyhow::Result<()> {
    let relation = options.related.relation()?;
    let precision = options.beta.map_or(Ok(Precision::EXACT), Precision::new)?;
    let TableQuery { source, answer } = &options.related.query;
    let table = source.read_decided()?;
    let concepts = concepts(&table, options.concept.as_deref())?;
    let approximations = Approximations::by_relation(&table, &table.all_attributes(), relation, &session.progress)?;
    let approximations = approximations.with_precision(precision);
    let shown = Shown { table: &table, approximations, relation, concepts };
    answer.give(|| shown.json(), || shown.text(answer.all))
}

/// The code of the decision value that reads `concept`, or all of them.
fn concepts(table: &DecisionTable, concept: Option<&str>) -> anyhow::Result<Vec<u32>> {
    let values: Vec<String> = table.decision().domain().iter().map(ToString::to_string).collect();
    let Some(concept) = concept else { return Ok((0..values.len() as u32).collect()) };
    let found = values.iter().position(|value| value == concept);
    let existing = || list(&values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>(), false);
    let error = || anyhow!("the decision `{}` has no value `{concept}`, only {}", table.decision().name(), existing());
    Ok(vec![found.ok_or_else(error)? as u32])
}

impl Shown<'_> {
    fn each(&self) -> impl Iterator<Item = (String, Approximation)> + '_ {
        let value = |code: u32| self.table.decision().domain()[code as usize].to_string();
        self.concepts.iter().map(move |&code| (value(code), self.approximations.of_decision(code)))
    }

    fn text(&self, all: bool) -> String {
        let (approximations, precision) = (&self.approximations, self.approximations.precision());
        let mut out = heading(self.table, approximations.partition().n_classes());
        if self.relation != Relation::Indiscernibility {
            out += &format!("relation         {}\n", self.relation);
        }
        if !precision.is_exact() {
            out += &format!("beta             {}\n", precision.beta().value());
        }
        let show = |rows: &[u32]| format!("{} objects: {}", rows.len(), objects(rows, all));
        let (gamma, accuracy) = (approximations.gamma(), approximations.accuracy());
        out += &format!("gamma            {} = {:.6}\n", gamma, gamma.value());
        out += &format!("accuracy         {} = {:.6}\n", accuracy, accuracy.value());
        out += &format!("positive region  {}\n", show(&approximations.positive_region()));
        out += &format!("boundary         {}\n\n", show(&approximations.boundary()));
        let lines: Vec<_> = self.each().map(|(value, a)| self.line(value, &a, all)).collect();
        let name = self.table.decision().name();
        let sizes = ["|lower|", "|upper|", "|boundary|", "|negative|", "accuracy"];
        out + &text::table(&[&[name], &sizes[..], &["lower", "upper", "negative"]].concat(), &lines)
    }

    fn line(&self, value: String, a: &Approximation, all: bool) -> Vec<String> {
        let regions = [&a.lower, &a.upper, &a.boundary, &a.negative];
        let sizes = regions.map(|rows| self.approximations.weight(rows).to_string());
        let accuracy = format!("{} = {:.4}", a.accuracy, a.accuracy.value());
        let lists = [&a.lower, &a.upper, &a.negative].map(|rows| objects(rows, all));
        [vec![value], sizes.to_vec(), vec![accuracy], lists.to_vec()].concat()
    }

    fn json(&self) -> Json {
        let approximations = &self.approximations;
        let (gamma, accuracy) = (approximations.gamma(), approximations.accuracy());
        let each = self.each().map(|(value, a)| (value, concept_json(&a)));
        json!({
            "relation": self.relation.to_string(),
            "beta": approximations.precision().beta().value(),
            "gamma": gamma.value(),
            "gamma_fraction": fraction(gamma),
            "quality": gamma.value(),
            "accuracy": accuracy.value(),
            "accuracy_fraction": fraction(accuracy),
            "n_objects": self.table.n_objects(),
            "total_weight": self.table.total_weight(),
            "n_classes": approximations.partition().n_classes(),
            "positive_region": numbers(&approximations.positive_region()),
            "boundary": numbers(&approximations.boundary()),
            "approximations": each.collect::<serde_json::Map<_, _>>(),
        })
    }
}

fn concept_json(a: &Approximation) -> Json {
    json!({
        "lower": numbers(&a.lower), "upper": numbers(&a.upper), "boundary": numbers(&a.boundary),
        "negative": numbers(&a.negative), "accuracy": a.accuracy.value(), "accuracy_fraction": fraction(a.accuracy),
        "quality": a.quality.value(), "quality_fraction": fraction(a.quality),
    })
}
