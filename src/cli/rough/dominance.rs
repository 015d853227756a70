//! `roughboard rough dominance`.

use std::num::NonZeroUsize;

use anyhow::{anyhow, bail, ensure};
use roughboard::rough::{
    ClassUnion, DominanceApproximations, DominanceRoughSets, Preference, RoughError, UnionApproximation,
};
use roughboard::table::{AttrIdx, AttrSet, DecisionTable, Value, joined_names};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::TableQuery;
use super::hints::quoted;
use super::reducing::give_reducts;
use super::source::listed_attributes;
use super::text::{fraction, numbers, objects, sizes, table as columns};
use crate::cli::form::{Listed, Long, csv_of_rows};
use crate::cli::session::Session;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    pub query: TableQuery,
    /// The criteria of which more is better. Objects are compared only where they have equal values of all attributes that
    /// are not criteria
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    gain: Vec<String>,
    /// The criteria of which less is better; the decision, too, if its least value is the best
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    cost: Vec<String>,
    /// The values of criteria and decisions that are text, the least first; several scales one after the other, as in low,high,no,yes
    #[arg(long, value_name = "LEAST,…", value_delimiter = ',')]
    order: Vec<String>,
    /// Find the reducts instead: the minimal sets of attributes that keep the quality
    #[arg(long)]
    reducts: bool,
    /// For --reducts: stop after this many
    #[arg(long, value_name = "N", default_value = "1000000")]
    limit: NonZeroUsize,
}

pub fn run(options: &Options, session: &Session) -> anyhow::Result<()> {
    ensure!(
        !options.gain.is_empty() || !options.cost.is_empty(),
        "expected criteria: name those of which more is better with --gain, and the others with --cost"
    );
    let table = options.query.source.read_decided_exact()?;
    let (preferences, of_decision) = options.preferences(&table)?;
    let order = options.texts_in_order(&table, &preferences)?;
    let sets = DominanceRoughSets::new(&table, &preferences, of_decision, &order).map_err(advised)?;
    if options.reducts {
        return options.give_reducts(&table, &sets, session);
    }
    let approximations = sets.approximations(&table.all_attributes(), &session.progress);
    let shown = Shown { table: &table, sets: &sets, approximations: &approximations };
    let answer = &options.query.answer;
    answer.give_long(|| shown.csv(), || shown.json(), || shown.text(answer.is_in_full()))
}

/// The error, with what helps against it.
fn advised(error: RoughError) -> anyhow::Error {
    match error {
        RoughError::Unranked { .. } => anyhow!("{error}: list all its values, the least first, with `--order`"),
        RoughError::MissingCriterion { .. } => anyhow!("{error}: leave these objects out with `--missing drop`"),
        error => error.into(),
    }
}

impl Options {
    /// The preference of each attribute, and that of the decision.
    fn preferences(&self, table: &DecisionTable) -> anyhow::Result<(Vec<Preference>, Preference)> {
        let decision = table.decision().name();
        ensure!(
            !self.gain.iter().any(|name| name == decision),
            "the decision `{decision}` is a gain anyway: leave it out of --gain"
        );
        let is_cost = self.cost.iter().any(|name| name == decision);
        let cost: Vec<String> = self.cost.iter().filter(|name| *name != decision).cloned().collect();
        let (gain, cost) = (listed_attributes(table, &self.gain)?, listed_attributes(table, &cost)?);
        if let Some(both) = gain.iter().find(|&attr| cost.contains(attr)) {
            bail!("criterion `{}` cannot be both a gain and a cost", table.attribute(both).name());
        }
        let preference = |attr: AttrIdx| match (gain.contains(attr), cost.contains(attr)) {
            (true, _) => Preference::Gain,
            (_, true) => Preference::Cost,
            _ => Preference::Nominal,
        };
        let nominal: AttrSet =
            table.all_attributes().iter().filter(|&attr| preference(attr) == Preference::Nominal).collect();
        if !nominal.is_empty() {
            let listed = quoted(&table.names(&nominal).into_iter().map(str::to_owned).collect::<Vec<_>>());
            let (are, them) =
                if nominal.len() == 1 { ("is not a criterion", "it") } else { ("are not criteria", "them") };
            eprintln!("note: {listed} {are}: only objects with equal values of {them} are compared");
        }
        let of_decision = if is_cost { Preference::Cost } else { Preference::Gain };
        Ok((table.all_attributes().iter().map(preference).collect(), of_decision))
    }

    /// The order of texts, those with commas put together again. It is refused where there are none to be ranked, or if it names one
    /// twice.
    fn texts_in_order(&self, table: &DecisionTable, preferences: &[Preference]) -> anyhow::Result<Vec<String>> {
        let criteria = table.attributes().iter().zip(preferences).filter(|(_, p)| **p != Preference::Nominal);
        let values = criteria.map(|(attribute, _)| attribute).chain([table.decision()]).flat_map(|a| a.domain());
        let (texts, others): (Vec<&Value>, Vec<&Value>) = values.partition(|value| value.kind() == "text");
        let [texts, others] =
            [texts, others].map(|values| values.into_iter().map(Value::to_string).collect::<Vec<_>>());
        ensure!(
            self.order.is_empty() || !texts.is_empty(),
            "`--order` has no effect without criteria that are text: leave it out"
        );
        let order = joined_names(&self.order, &texts);
        if let Some((_, twice)) = order.iter().enumerate().find(|(at, text)| order[..*at].contains(text)) {
            bail!("--order names `{twice}` twice");
        }
        if let Some(other) = order.iter().find(|name| others.contains(name) && !texts.contains(name)) {
            bail!(
                "--order names `{other}`, which is no text: numbers and truth values have an order of their own, which `--cost` turns"
            );
        }
        let unknown: Vec<String> = order.iter().filter(|name| !texts.contains(name)).cloned().collect();
        if !unknown.is_empty() {
            eprintln!("note: `--order` names {}, which no object has", quoted(&unknown));
        }
        Ok(order)
    }

    fn give_reducts(&self, table: &DecisionTable, sets: &DominanceRoughSets, session: &Session) -> anyhow::Result<()> {
        let limit = self.limit.get();
        let reducts = sets.reducts(limit, &session.progress)?;
        let more = if reducts.complete { "" } else { ", there may be more" };
        let described = format!("quality by dominance{more}");
        give_reducts(&self.query.answer, table, &reducts, limit, (&json!({}), &described))
    }
}

/// Approximations of unions of classes.
struct Shown<'a> {
    table: &'a DecisionTable,
    sets: &'a DominanceRoughSets<'a>,
    approximations: &'a DominanceApproximations<'a>,
}

impl Shown<'_> {
    /// The direction of a union in words, and the value of the class that it begins with.
    fn described(&self, union: ClassUnion) -> (&'static str, &Value) {
        let value = |class: u32| &self.sets.classes()[class as usize];
        match union {
            ClassUnion::AtLeast(class) => ("at least", value(class)),
            ClassUnion::AtMost(class) => ("at most", value(class)),
        }
    }

    fn each(&self) -> impl Iterator<Item = (ClassUnion, UnionApproximation)> {
        self.sets.unions().into_iter().map(|union| (union, self.approximations.of_union(union)))
    }

    /// What programs are told of each union. There may be as many as objects, so that no two are kept.
    fn unions(&self) -> impl Iterator<Item = Json> {
        self.each().map(|(union, found)| {
            let (direction, class) = self.described(union);
            let [lower, upper, boundary] =
                [&found.lower, &found.upper, &found.boundary].map(|objects| numbers(self.table, objects));
            json!({
                "union": direction, "class": class, "lower": lower, "upper": upper, "boundary": boundary,
                "accuracy": found.accuracy.value(), "accuracy_fraction": fraction(found.accuracy),
            })
        })
    }

    fn csv(&self) -> String {
        csv_of_rows(&["union", "class", "accuracy", "accuracy_fraction", "lower", "upper", "boundary"], self.unions())
    }

    fn json(&self) -> Long<impl Serialize> {
        let quality = self.approximations.quality();
        let fields = json!({
            "quality": quality.value(), "quality_fraction": fraction(quality), "classes": self.sets.classes(),
            "n_objects": self.table.n_objects(), "total_weight": self.table.total_weight(), "unions": null,
        });
        Long { fields, name: "unions", members: Listed(move || self.unions()) }
    }

    fn text(&self, all: bool) -> String {
        let line = |(union, found): (ClassUnion, UnionApproximation)| {
            let (direction, class) = self.described(union);
            let sets = [&found.lower, &found.upper, &found.boundary];
            let accuracy = format!("{} = {:.4}", found.accuracy, found.accuracy.value());
            let lists = sets.map(|rows| objects(self.table, rows, all));
            [
                vec![format!("{direction} {class}")],
                sets.map(|rows| self.table.weight_of(rows).to_string()).to_vec(),
                vec![accuracy],
                lists.to_vec(),
            ]
            .concat()
        };
        let header = ["union", "|lower|", "|upper|", "|boundary|", "accuracy", "lower", "upper", "boundary"];
        let quality = self.approximations.quality();
        let classes: Vec<String> = self.sets.classes().iter().map(ToString::to_string).collect();
        let heading = format!("{}, classes {}", sizes(self.table), classes.join(" < "));
        let lines: Vec<_> = self.each().map(line).collect();
        format!("{heading}\n\nquality  {quality} = {:.6}\n\n{}", quality.value(), columns(&header, &lines))
    }
}
