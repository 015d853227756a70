//! `roughboard rough predict`: rules in a file, applied to a table.

mod present;

use std::path::PathBuf;

use anyhow::{Context, ensure};
use roughboard::classify::Confusion;
use roughboard::rough::{Basis, Prediction, Rule, RuleClassifier, SavedRules, Unmatched, Vote, Voting};
use roughboard::table::discretize::Cuts;
use roughboard::table::{AttrIdx, Attribute, DecisionTable, Roles, StrangeValues, Value};

use super::answer::Answer;
use super::discretize::note_outside;
use super::hints;
use super::source::{SHOWN_REMARKS, TableFile, check_attributes, note_remarks, remarks, split_names};
use super::strange::{self, Pair};
use crate::cli::form::Sheet;
use crate::cli::settings::Of;

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
    /// A column that names the objects, to stand beside their forecasts
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,
    /// Cut numbers into intervals at the cut points of this file, not at the ends of the intervals that the rules ask for
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
        /// What a rule's vote weighs [default: what the rules say, else support].
        vote: Option<Vote> = None;
        /// What decides when no rule matches [default: what the rules say, else nearest].
        unmatched: Option<Unmatched> = None;
    }
}

/// A table and what the rules say of its objects.
struct Forecasts {
    /// The attribute that names the objects.
    id: Option<AttrIdx>,
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
    let table = options.cut(options.read(&saved)?, &saved)?;
    let Voting { vote, unmatched } = saved.voting();
    let voting = Voting { vote: settings.vote.unwrap_or(vote), unmatched: settings.unmatched.unwrap_or(unmatched) };
    let forecasts = options.apply(&saved, &table, voting)?;
    note_values(&saved, &table);
    if saved.is_empty() {
        eprintln!(
            "note: `{}` holds no rule: the most frequent decision is forecast for every object",
            options.rules.display()
        );
    } else {
        forecasts.note_unmatched();
    }
    if forecasts.confusion.is_none() {
        eprintln!(
            "note: no object has a decision `{}`, so that nothing tells which forecasts are right",
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
        let used = asked.iter().chain(&decision).chain(&self.weight).chain(&self.id).cloned();
        let only = if asked.is_empty() { Vec::new() } else { used.collect() };
        let columns = self.file.read_columns(path, Vec::new(), only, None)?;
        note_remarks(&remarks(&columns, &decision), SHOWN_REMARKS);
        let applied = check_attributes(asked, &columns).map_err(|error| error.in_file(path));
        applied.with_context(|| format!("cannot apply `{}`", self.rules.display()))?;
        check_attributes(self.id.iter().cloned().collect(), &columns).map_err(|error| error.in_file(path))?;
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

    /// The table with its numbers cut where the rules ask for intervals of them: at the ends of these, or at the points of the
    /// file that was given.
    fn cut(&self, table: DecisionTable, saved: &SavedRules) -> anyhow::Result<DecisionTable> {
        let (cuts, source) = match &self.cuts {
            Some(path) => (Cuts::load(path)?, path),
            None => (saved.cuts()?, &self.rules),
        };
        let is_number = |name: &str| {
            table.attribute_called(name).is_some_and(|attr| matches!(table.attribute(attr).kind(), "integer" | "real"))
        };
        let is_cut = |name: &str| match &self.cuts {
            Some(_) => table.attribute_called(name).is_some(),
            None => is_number(name),
        };
        let known = cuts.iter().filter(|(name, _)| is_cut(name));
        let known = Cuts::new(known.map(|(name, points)| (name.to_owned(), points.to_vec())).collect())?;
        let cut = known.apply(&table).with_context(|| format!("cannot use `{}` as cut points", source.display()))?;
        // A few objects may well lie on one side of few points.
        if self.cuts.is_some() || table.n_objects() >= hints::FEW_OBJECTS {
            note_outside(table.attributes(), cut.attributes());
        }
        Ok(cut)
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
        let id = self.id.as_ref().and_then(|name| table.attribute_called(name));
        Ok(Forecasts { id, table, classes, rules: classifier.rules().to_vec(), voting, predictions, confusion })
    }
}

/// Notes values that the rules do not know though they should.
fn note_values(saved: &SavedRules, table: &DecisionTable) {
    let attributes = saved.attributes();
    let has_values = |pair: &Pair| pair.known.kind() != "missing";
    let mut pairs: Vec<Pair> = strange::pairs(&attributes, table).filter(has_values).collect();
    let decisions = saved.decisions();
    pairs.push(Pair { known: &decisions, tested: table.decision() });
    strange::tell(&pairs, "the rules");
    if !StrangeValues::of(&decisions, table.decision()).is_all() {
        note_unknown(&decisions, table.decision());
    }
}

/// Notes decisions that no rule can forecast.
fn note_unknown(known: &Attribute, tested: &Attribute) {
    let unknown = tested.domain().iter().filter(|value| **value != Value::Missing && known.code_of(value).is_none());
    let unknown: Vec<String> = unknown.map(Value::to_string).collect();
    if !unknown.is_empty() {
        eprintln!("note: the rules do not know the decision {}: is it spelled alike?", hints::quoted(&unknown));
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
