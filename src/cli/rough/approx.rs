//! `roughboard rough approx`.

use anyhow::anyhow;
use roughboard::rough::{Approximation, Approximations, Fraction, Precision, Relation};
use roughboard::settings::counted;
use roughboard::table::{DecisionTable, Value};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::answer::Answer;
use super::engine::Asked;
use super::memory::MemoryLimit;
use super::relation::RelatedQuery;
use super::text::{self, fraction, heading_of, key, list, numbers, objects};
use crate::cli::form::{Long, Named, csv_of_rows};
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

/// The first columns of CSV; behind these stand the objects or their numbers.
const COLUMNS: [&str; 5] = ["name", "accuracy", "accuracy_fraction", "quality", "quality_fraction"];

pub fn run(options: &Options, session: &Session) -> anyhow::Result<()> {
    let relation = options.related.relation()?;
    let precision = options.beta.map_or(Ok(Precision::EXACT), Precision::new)?;
    let (source, answer) = (&options.related.source, &options.related.answer);
    let table = source.read_decided_within(&options.memory)?;
    options.related.note(&table);
    let concepts = concepts(&table, options.concept.as_deref())?;
    let approximations = Approximations::by_relation(&table, &table.all_attributes(), relation, &session.progress)?;
    let approximations = approximations.with_precision(precision);
    let shown = Shown {
        table: &table,
        approximations: &approximations,
        concepts,
        relation,
        beta: precision.beta(),
        n_objects: table.n_rows() as u64,
        n_attributes: table.n_attributes(),
        n_classes: approximations.partition().n_classes() as u64,
        members: if table.is_merged() { Members::Counted } else { Members::Listed { in_full: answer.is_in_full() } },
    };
    shown.give(answer)
}

/// How the members of a set are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Members {
    /// By their numbers, all of them or the first.
    Listed { in_full: bool },
    /// By how many rows they are.
    Counted,
    /// By their weight, where the table has no rows at hand.
    Weighed,
}

/// Approximations as they are shown.
pub struct Shown<'a> {
    pub table: &'a DecisionTable,
    pub approximations: &'a Approximations<'a>,
    /// The codes of the decisions that are shown.
    pub concepts: Vec<u32>,
    pub relation: Relation,
    pub beta: Fraction,
    pub n_objects: u64,
    pub n_attributes: usize,
    pub n_classes: u64,
    pub members: Members,
}

impl Shown<'_> {
    pub fn give(&self, answer: &Answer) -> anyhow::Result<()> {
        answer.give_long(|| self.csv(), || self.json(), || self.text())
    }

    fn each(&self) -> impl Iterator<Item = (String, Approximation)> {
        self.concepts.iter().map(|&code| (self.value(code).to_string(), self.approximations.of_decision(code)))
    }

    fn value(&self, code: u32) -> &Value {
        &self.table.decision().domain()[code as usize]
    }

    /// What programs are told of each decision, by its name. There may be as many decisions as objects, so that no two are kept.
    fn by_name(&self) -> impl Iterator<Item = (String, Json)> {
        let mut named: Vec<(String, u32)> = self.concepts.iter().map(|&code| (key(self.value(code)), code)).collect();
        named.sort_unstable();
        named.into_iter().map(|(name, code)| (name, self.concept(&self.approximations.of_decision(code))))
    }

    fn csv(&self) -> String {
        let row = |(name, mut concept): (String, Json)| {
            concept["name"] = name.into();
            concept
        };
        csv_of_rows(&COLUMNS, self.by_name().map(row))
    }

    fn json(&self) -> Long<impl Serialize> {
        let (all, total_weight) = (self.approximations, self.table.total_weight());
        let (gamma, accuracy) = (all.gamma(), all.accuracy());
        let mut json = json!({
            "relation": self.relation.to_string(), "beta": self.beta.value(), "quality": gamma.value(),
            "gamma": gamma.value(), "gamma_fraction": fraction(gamma),
            "accuracy": accuracy.value(), "accuracy_fraction": fraction(accuracy),
            "n_objects": self.n_objects, "total_weight": total_weight, "n_classes": self.n_classes,
            "approximations": null,
        });
        self.put(&mut json, "positive_region", &all.positive_region());
        self.put(&mut json, "boundary", &all.boundary());
        Long { fields: json, name: "approximations", members: Named(move || self.by_name()) }
    }

    fn concept(&self, a: &Approximation) -> Json {
        let mut json = json!({
            "accuracy": a.accuracy.value(), "accuracy_fraction": fraction(a.accuracy),
            "quality": a.quality.value(), "quality_fraction": fraction(a.quality),
        });
        let sets = [("lower", &a.lower), ("upper", &a.upper), ("boundary", &a.boundary), ("negative", &a.negative)];
        sets.into_iter().for_each(|(name, objects)| self.put(&mut json, name, objects));
        json
    }

    /// Puts a set of objects into an answer: their weight, and their numbers where they have some.
    fn put(&self, json: &mut Json, name: &str, objects: &[u32]) {
        if self.lists() {
            json[name] = numbers(self.table, objects).into();
        }
        json[format!("{name}_size")] = self.table.weight_of(objects).into();
    }

    const fn lists(&self) -> bool {
        matches!(self.members, Members::Listed { .. })
    }

    fn text(&self) -> String {
        let all = self.approximations;
        let (gamma, accuracy) = (all.gamma(), all.accuracy());
        let mut out = heading_of(self.n_objects, self.table.total_weight(), self.n_attributes, self.n_classes);
        if self.relation != Relation::Indiscernibility {
            out += &format!("relation         {}\n", self.relation);
        }
        if self.beta != Precision::EXACT.beta() {
            out += &format!("beta             {}\n", self.beta.value());
        }
        out += &format!("gamma            {gamma} = {:.6}\n", gamma.value());
        out += &format!("accuracy         {accuracy} = {:.6}\n", accuracy.value());
        out += &format!("positive region  {}\n", self.region(&all.positive_region()));
        out += &format!("boundary         {}\n\n", self.region(&all.boundary()));
        let sizes = ["|lower|", "|upper|", "|boundary|", "|negative|", "accuracy"];
        let lists: &[&str] = if self.lists() { &["lower", "upper", "negative"] } else { &[] };
        let header = [&[self.table.decision().name()], &sizes[..], lists].concat();
        out + &text::table(&header, &self.each().map(|(value, a)| self.line(value, &a)).collect::<Vec<_>>())
    }

    /// A set of objects in words.
    fn region(&self, objects: &[u32]) -> String {
        let size = match self.members {
            Members::Weighed => self.table.weight_of(objects),
            _ => self.table.n_rows_of(objects) as u64,
        };
        let is_weight = self.members == Members::Weighed && self.n_objects != self.table.total_weight();
        let size = if is_weight { format!("weight {size}") } else { counted(size, "object") };
        if self.lists() { format!("{size}: {}", self.listed(objects)) } else { size }
    }

    fn listed(&self, rows: &[u32]) -> String {
        objects(self.table, rows, matches!(self.members, Members::Listed { in_full: true }))
    }

    /// A line of the table of approximations.
    fn line(&self, value: String, a: &Approximation) -> Vec<String> {
        let sizes = [&a.lower, &a.upper, &a.boundary, &a.negative];
        let sizes = sizes.map(|objects| self.table.weight_of(objects).to_string());
        let accuracy = format!("{} = {:.4}", a.accuracy, a.accuracy.value());
        let lists = [&a.lower, &a.upper, &a.negative].into_iter().filter(|_| self.lists());
        [vec![value], sizes.to_vec(), vec![accuracy], lists.map(|objects| self.listed(objects)).collect()].concat()
    }
}

/// The code of the decision value that reads `concept`, or all of them.
pub fn concepts(table: &DecisionTable, concept: Option<&str>) -> anyhow::Result<Vec<u32>> {
    let values = table.decision().domain();
    let Some(concept) = concept else { return Ok((0..values.len() as u32).collect()) };
    // Files spell true and false in several ways.
    let is_boolean = table.decision().kind() == "boolean";
    let is_meant = |value: &Value| {
        let shown = value.to_string();
        shown == concept || key(value) == concept || is_boolean && shown.eq_ignore_ascii_case(concept)
    };
    let found = values.iter().position(is_meant);
    let existing = || list(&values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>(), false);
    let error = || anyhow!("the decision `{}` has no value `{concept}`, only {}", table.decision().name(), existing());
    Ok(vec![found.ok_or_else(error)? as u32])
}
