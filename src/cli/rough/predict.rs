//! `roughboard rough predict`: rules in a file, applied to a table.

mod present;

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use roughboard::classify::Confusion;
use roughboard::rough::{Basis, Prediction, Rule, RuleClassifier, SavedRules, Unmatched, Vote, Voting};
use roughboard::table::discretize::Cuts;
use roughboard::table::{Attribute, DecisionTable, Roles, Value};

use super::answer::Answer;
use super::discretize::note_outside;
use super::source::{SHOWN_REMARKS, TableFile, check_attributes, note_remarks, remarks, split_names};
use super::strange::{self, Pair};
use crate::cli::form::Sheet;
use crate::cli::settings::Of;

/// The remedy where rules ask for intervals and the table has numbers.
const CUT_FIRST: &str =
    "give the cut points that the other table was cut at, which `rough discretize --save-cuts` keeps, with --cuts";

#[derive(clap::Args)]
#[command(mut_arg("out", |arg| arg.help("Write the answer to a file, .txt or .json, or the forecasts to a .csv")))]
pub struct Options {
    /// The rules, as `rough rules --out RULES.json` writes them
    #[arg(value_name = "RULES.json")]
    rules: PathBuf,
    #[command(flatten)]
    file: TableFile,
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
    /// How rules decide.
    #[derive(Debug)]
    struct PredictSettings {
        /// What a rule's vote weighs.
        vote: Vote = Vote::default();
        /// What decides when no rule matches.
        unmatched: Unmatched = Unmatched::default();
    }
}

/// A table and what the rules say of its objects.
struct Forecasts {
    /// The table, with all values and decisions that the rules speak of.
    table: DecisionTable,
    /// The decisions, by code.
    classes: Vec<Value>,
    rules: Vec<Rule>,
    voting: Voting,
    /// One for each object.
    predictions: Vec<Prediction>,
    /// Of the objects whose decision is known, if there are any.
    confusion: Option<Confusion>,
}

pub fn run(options: &Options) -> anyhow::Result<()> {
    let settings = options.settings.read()?;
    settings.check()?;
    let saved = SavedRules::read(&options.rules)?;
    let table = options.cut(options.read(&saved)?)?;
    options.check_values(&saved, &table)?;
    let voting = Voting { vote: settings.vote, unmatched: settings.unmatched };
    let forecasts = options.apply(&saved, &table, voting)?;
    if forecasts.confusion.is_none() {
        eprintln!(
            "note: no object has a decision `{}`, so it is not known which forecasts are right",
            saved.decision()
        );
    }
    let (answer, csv) = (&options.answer, || present::csv(&forecasts));
    answer.give(Sheet::Made(&csv), || present::json(&forecasts), || present::text(&forecasts, answer.all))
}

impl Options {
    /// Reads the columns that the rules speak of, and the decision if the table has it. Objects without a decision stay.
    fn read(&self, saved: &SavedRules) -> anyhow::Result<DecisionTable> {
        let (path, decision) = (&self.file.path, vec![saved.decision().to_owned()]);
        let asked: Vec<String> = saved.attributes().iter().map(|attribute| attribute.name().to_owned()).collect();
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
            let unknown = Attribute::from_values(saved.decision(), &vec![Value::Missing; columns.n_rows()]);
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
        let predictions = classifier.predict(table.attributes())?;
        let mut classes = table.decision().domain().to_vec();
        classes.retain(|value| *value != Value::Missing);
        let confusion = confusion(&table, &classes, &predictions);
        Ok(Forecasts { table, classes, rules: classifier.rules().to_vec(), voting, predictions, confusion })
    }
}

/// How often each decision was forecast for each known one, if any is known.
fn confusion(table: &DecisionTable, classes: &[Value], predictions: &[Prediction]) -> Option<Confusion> {
    let mut confusion = Confusion::new(classes.len());
    for (object, prediction) in predictions.iter().enumerate() {
        let truth = table.decision().code(object);
        if (truth as usize) < classes.len() {
            let is_matched = matches!(prediction.basis, Basis::Matching(_));
            confusion.add(truth, prediction.decision, table.weight(object), is_matched);
        }
    }
    (confusion.total() > 0).then_some(confusion)
}
