//! `roughboard rough predict`: rules in a file, or a classifier that learns from a table, applied to another table.

mod present;

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use roughboard::classify::{Confusion, Forecast};
use roughboard::rough::{Basis, Prediction, Rule, RuleClassifier, SavedRules, Unmatched, Vote, Voting};
use roughboard::table::discretize::Cuts;
use roughboard::table::{Attribute, DecisionTable, Roles, Value};

use super::answer::Answer;
use super::baseline::{Baseline, NeighbourSettings};
use super::discretize::note_outside;
use super::source::{
    Missing, SHOWN_REMARKS, Source, TableFile, TableView, check_attributes, note_remarks, remarks, split_names,
};
use super::strange::{self, Pair};
use crate::cli::form::Sheet;
use crate::cli::settings::{Of, named};

/// The remedy where rules ask for intervals and the table has numbers.
const CUT_FIRST: &str =
    "give the cut points that the other table was cut at, which `rough discretize --save-cuts` keeps, with --cuts";

#[derive(clap::Args)]
#[command(mut_arg("out", |arg| arg.help("Write the answer to a file, .txt or .json, or the forecasts to a .csv")))]
pub struct Options {
    /// The rules, as `rough rules --out RULES.json` writes them; with --classifier, the table that it learns from
    #[arg(value_name = "RULES.json|TRAINING")]
    rules: PathBuf,
    #[command(flatten)]
    file: TableFile,
    /// Let this classifier decide, which learns from the whole of another table
    #[arg(long, value_name = "CLASSIFIER", value_parser = named::<Baseline>(), requires = "decision")]
    classifier: Option<Baseline>,
    /// The decision column of the table that a classifier learns from
    #[arg(long, value_name = "COLUMN", requires = "classifier")]
    decision: Option<String>,
    /// Columns that a classifier does not learn from, such as a number that names the object
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', requires = "classifier")]
    ignore: Vec<String>,
    /// A column that says how many objects each row stands for
    #[arg(long, value_name = "COLUMN")]
    weight: Option<String>,
    /// Cut numbers into intervals first, at the cut points of this file
    #[arg(long, value_name = "FILE")]
    cuts: Option<PathBuf>,
    #[command(flatten)]
    settings: Of<PredictSettings>,
    #[command(flatten)]
    answer: Answer,
}

roughboard::settings! {
    /// How rules and classifiers decide.
    #[derive(Debug)]
    struct PredictSettings {
        /// What a rule's vote weighs.
        vote: Vote = Vote::default();
        /// What decides when no rule matches.
        unmatched: Unmatched = Unmatched::default();
        /// How neighbours decide.
        neighbours: NeighbourSettings = NeighbourSettings::default();
    }
}

/// What decides.
enum Decider {
    /// Rules, with the one that decided on each object.
    Rules { rules: Vec<Rule>, voting: Voting, decided: Vec<Option<usize>> },
    /// The classifier of this name.
    Classifier(String),
}

/// A table and what is said of its objects.
struct Forecasts {
    /// The table; for rules with all values and decisions that they speak of.
    table: DecisionTable,
    /// The decisions, those that may be forecast first, by code.
    classes: Vec<Value>,
    decider: Decider,
    /// One for each object.
    predictions: Vec<Forecast>,
    /// Of the objects whose decision is known, if there are any.
    confusion: Option<Confusion>,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let settings = options.settings.read()?;
    settings.check()?;
    let forecasts = match (options.classifier, &options.decision) {
        (Some(classifier), Some(decision)) => options.learn(classifier, decision, &settings.neighbours)?,
        _ => options.by_rules(Voting { vote: settings.vote, unmatched: settings.unmatched })?,
    };
    if forecasts.confusion.is_none() {
        let decision = forecasts.table.decision().name();
        eprintln!("note: no object has a decision `{decision}`, so it is not known which forecasts are right");
    }
    let (answer, csv) = (&options.answer, || present::csv(&forecasts));
    answer.give(Sheet::Made(&csv), || present::json(&forecasts), || present::text(&forecasts, answer.all))
}

impl Options {
    /// What the saved rules say of the table.
    fn by_rules(&self, voting: Voting) -> anyhow::Result<Forecasts> {
        let saved = SavedRules::read(&self.rules)?;
        let asked = saved.attributes().iter().map(|attribute| attribute.name().to_owned()).collect();
        let table = self.cut(self.read(asked, saved.decision())?)?;
        self.check_values(&saved, &table)?;
        self.apply(&saved, &table, voting)
    }

    /// What a classifier says of the table that has learned from the whole other one.
    fn learn(&self, classifier: Baseline, decision: &str, settings: &NeighbourSettings) -> anyhow::Result<Forecasts> {
        let (weight, ignore) = (self.weight.clone(), self.ignore.clone());
        let view = TableView { weight, ignore, attributes: Vec::new(), missing: Missing::Value };
        let file = TableFile { path: self.rules.clone(), ..self.file.clone() };
        let training = self.cut(Source { file, decision: vec![decision.to_owned()], view }.read_decided()?)?;
        let asked = training.attributes().iter().map(|attribute| attribute.name().to_owned()).collect();
        let table = self.cut(self.read(asked, decision)?)?;
        // Other numbers are near to known ones.
        let by_value = !matches!(classifier, Baseline::Frnn | Baseline::Riona);
        let pairs = strange::pairs(training.attributes(), &table).filter(|pair| by_value || !pair.is_of_numbers());
        strange::tell(&pairs.collect::<Vec<_>>(), "training");
        let learner = classifier.learner(settings);
        let predictions = learner.fit(&training)?.predict(table.attributes())?;
        let mut classes = training.decision().domain().to_vec();
        let others = table.decision().domain().iter().filter(|value| **value != Value::Missing);
        let others: Vec<Value> = others.filter(|value| !classes.contains(value)).cloned().collect();
        classes.extend(others);
        let confusion = confusion(&table, &classes, &predictions);
        Ok(Forecasts { table, classes, decider: Decider::Classifier(learner.name()), predictions, confusion })
    }

    /// Reads the columns that are `asked` for, and the decision if the table has it. Objects without a decision stay.
    fn read(&self, asked: Vec<String>, decided: &str) -> anyhow::Result<DecisionTable> {
        let (path, decision) = (&self.file.path, vec![decided.to_owned()]);
        // Rules without conditions speak of no column; then all are read, as a table has some.
        let used = asked.iter().chain(&decision).chain(&self.weight).cloned();
        let only = if asked.is_empty() { Vec::new() } else { used.collect() };
        let columns = self.file.read_columns(path, Vec::new(), only, None)?;
        note_remarks(&remarks(&columns, &decision), SHOWN_REMARKS);
        let applied = check_attributes(asked, &columns).map_err(|error| error.in_file(path));
        applied.with_context(|| format!("cannot apply `{}`", self.rules.display()))?;
        let parts = split_names(&decision, columns.existing());
        let (columns, decision) = if columns.has_decision(&parts) {
            (columns, parts)
        } else {
            let unknown = Attribute::from_values(decided, &vec![Value::Missing; columns.n_rows()]);
            (columns.with_column(unknown)?, decision)
        };
        let roles = Roles { decision, weight: self.weight.clone() };
        Ok(columns.decide(&roles).map_err(|error| error.in_file(path))?)
    }

    /// The table with its numbers cut, if they are to be.
    fn cut(&self, table: DecisionTable) -> anyhow::Result<DecisionTable> {
        let Some(path) = &self.cuts else { return Ok(table) };
        let cuts = Cuts::load(path)?;
        let known = cuts.iter().filter(|(name, _)| table.attribute_called(name).is_some());
        let known = Cuts::new(known.map(|(name, points)| (name.to_owned(), points.to_vec())).collect())?;
        let cut = known.apply(&table).with_context(|| format!("cannot use `{}` as cut points", path.display()))?;
        note_outside(&table, &cut);
        Ok(cut)
    }

    /// Refuses numbers where rules ask for intervals, and notes values that the rules do not know though they should.
    fn check_values(&self, saved: &SavedRules, table: &DecisionTable) -> anyhow::Result<()> {
        let attributes = saved.attributes();
        let has_values = |pair: &Pair| pair.known.kind() != "missing";
        let mut pairs: Vec<Pair> = strange::pairs(&attributes, table).filter(has_values).collect();
        let is_uncut =
            |pair: &&Pair| pair.known.kind() == "interval" && matches!(pair.tested.kind(), "integer" | "real");
        if let Some(Pair { known, tested }) = pairs.iter().find(is_uncut) {
            let what = format!(
                "the rules ask for intervals of `{}`, which has values of kind {}",
                known.name(),
                tested.kind()
            );
            bail!("cannot use `{}`: {what}: {CUT_FIRST}", self.file.path.display());
        }
        let decisions = saved.decisions();
        pairs.push(Pair { known: &decisions, tested: table.decision() });
        strange::tell(&pairs, "the rules");
        Ok(())
    }

    fn apply(&self, saved: &SavedRules, table: &DecisionTable, voting: Voting) -> anyhow::Result<Forecasts> {
        let (rules, path) = (self.rules.display(), self.file.path.display());
        let failed = || format!("cannot apply `{rules}` to `{path}`");
        let table = saved.widen(table).with_context(failed)?;
        let set = saved.bind(&table).with_context(failed)?;
        let is_decided = set.decision_weights.iter().any(|&weight| weight > 0);
        ensure!(is_decided, "cannot use `{rules}` as rules: no decision has a weight above 0");
        let classifier = RuleClassifier::of_set(&table, set, voting);
        let (mut decided, mut predictions) = (Vec::new(), Vec::new());
        for Prediction { decision, votes, basis, rule } in classifier.predict(table.attributes())? {
            decided.push(rule);
            predictions.push(Forecast { decision, votes, basis: Some(basis) });
        }
        let mut classes = table.decision().domain().to_vec();
        classes.retain(|value| *value != Value::Missing);
        let confusion = confusion(&table, &classes, &predictions);
        let decider = Decider::Rules { rules: classifier.rules().to_vec(), voting, decided };
        Ok(Forecasts { table, classes, decider, predictions, confusion })
    }
}

/// How often each decision was forecast for each known one, if any is known.
fn confusion(table: &DecisionTable, classes: &[Value], predictions: &[Forecast]) -> Option<Confusion> {
    let decision = table.decision();
    let place = |value: &Value| classes.iter().position(|class| class == value);
    let places: Vec<Option<usize>> = decision.domain().iter().map(place).collect();
    let mut confusion = Confusion::new(classes.len());
    for (object, forecast) in predictions.iter().enumerate() {
        if let Some(truth) = places[decision.code(object) as usize] {
            let is_matched = forecast.basis.is_none_or(|basis| matches!(basis, Basis::Matching(_)));
            confusion.add(truth as u32, forecast.decision, table.weight(object), is_matched);
        }
    }
    (confusion.total() > 0).then_some(confusion)
}
