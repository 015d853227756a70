//! `roughboard rough predict`: rules in a file, or a classifier that learns from a table, applied to another table.

mod present;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use roughboard::classify::{Confusion, Forecast, joined_classes};
use roughboard::rough::{Basis, Prediction, Rule, RuleClassifier, SavedRules, Unmatched, Vote, Voting};
use roughboard::table::discretize::Cuts;
use roughboard::table::{
    Attribute, DecisionTable, InformationTable, ReadOptions, Roles, StrangeValues, Value, codes_in, joined_names,
};

use super::answer::Answer;
use super::baseline::{Baseline, NeighbourSettings};
use super::discretize::note_outside;
use super::hints;
use super::source::{
    Missing, SHOWN_REMARKS, Source, TableFile, TableView, check_attributes, note_remarks, remarks, split_names,
    weightless,
};
use super::strange::{self, Pair};
use crate::cli::form::Sheet;
use crate::cli::output::note;
use crate::cli::settings::{Of, named};

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
    /// A column that names the objects, to stand beside their forecasts
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,
    /// Cut numbers into intervals at the cut points of this file; without it, rules have them cut at the ends of the intervals that they ask for
    #[arg(long, value_name = "FILE")]
    cuts: Option<PathBuf>,
    #[command(flatten)]
    settings: Of<PredictSettings>,
    #[command(flatten)]
    pub answer: Answer,
}

roughboard::settings! {
    /// How rules and classifiers decide.
    #[derive(Debug)]
    struct PredictSettings {
        /// What a rule's vote weighs [default: what the rules say, else support].
        vote: Option<Vote> = None;
        /// What decides when no rule matches [default: what the rules say, else nearest].
        unmatched: Option<Unmatched> = None;
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
    /// The attribute that names the objects, as the file has it.
    id: Option<Attribute>,
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
        _ => options.by_rules(&settings)?,
    };
    if forecasts.confusion.is_none() {
        let decision = forecasts.table.decision().name();
        eprintln!("note: no object has a decision `{decision}`, so it is not known which forecasts are right");
    }
    let (answer, csv) = (&options.answer, || present::csv(&forecasts));
    forecasts.note_left_out(answer);
    answer.give(Sheet::Made(&csv), || present::json(&forecasts), || present::text(&forecasts, answer.is_in_full()))
}

impl Options {
    /// What the saved rules say of the table.
    fn by_rules(&self, settings: &PredictSettings) -> anyhow::Result<Forecasts> {
        let saved = SavedRules::read(&self.rules)?;
        let asked = saved.attributes().iter().map(|attribute| attribute.name().to_owned()).collect();
        let cuts = self.load_cuts()?;
        let table = self.read(asked, saved.decision(), cuts.as_ref())?;
        let id = self.id_in(&table);
        let table = self.cut_for(&saved, table, cuts.as_ref())?;
        let Voting { vote, unmatched } = saved.voting();
        let voting = Voting { vote: settings.vote.unwrap_or(vote), unmatched: settings.unmatched.unwrap_or(unmatched) };
        let forecasts = self.apply(&saved, &table, (id, voting))?;
        note_values(&saved, &table);
        if saved.is_empty() {
            let rules = self.rules.display();
            eprintln!("note: `{rules}` holds no rule: the most frequent decision is forecast for every object");
        } else {
            forecasts.note_unmatched();
        }
        Ok(forecasts)
    }

    /// What a classifier says of the table that has learned from the whole other one.
    fn learn(&self, classifier: Baseline, decision: &str, settings: &NeighbourSettings) -> anyhow::Result<Forecasts> {
        let (weight, ignore) = (self.weight.clone(), self.ignore.clone());
        let view = TableView { weight, ignore, attributes: Vec::new(), missing: Missing::Value };
        let file = TableFile { path: self.rules.clone(), ..self.file.clone() };
        let cuts = self.load_cuts()?;
        let training = Source { file, decision: vec![decision.to_owned()], view }.read_decided()?;
        let training = self.cut(training, cuts.as_ref())?;
        let asked = training.attributes().iter().map(|attribute| attribute.name().to_owned()).collect();
        let table = self.read(asked, decision, cuts.as_ref())?;
        let id = self.id_in(&table);
        let table = self.cut(table, cuts.as_ref())?;
        let (classes, places) = joined_classes(training.decision(), table.decision());
        if places.iter().any(Option::is_some) {
            Confusion::check_size(classes.len())?;
        }
        // Other numbers are near to known ones.
        let by_value = classifier.compares_values(settings);
        let is_asked = |pair: &Pair| classifier != Baseline::Majority && (by_value || !pair.is_of_numbers());
        strange::tell(&strange::pairs(training.attributes(), &table).filter(is_asked).collect::<Vec<_>>(), "training");
        if classifier.computes(settings) {
            hints::note_large(&training);
        }
        let learner = classifier.learner(settings);
        let predictions = learner.fit(&training)?.predict(table.attributes())?;
        let confusion = confusion(&table, classes.len(), &places, &predictions);
        let decider = Decider::Classifier(learner.name());
        Ok(Forecasts { id, table, classes, decider, predictions, confusion })
    }

    /// Reads the columns that are `asked` for, and the decision if the table has it. Objects without a decision stay.
    fn read(&self, asked: Vec<String>, decided: &str, cuts: Option<&Cuts>) -> anyhow::Result<DecisionTable> {
        let (path, decision) = (&self.file.path, vec![decided.to_owned()]);
        // Rules without conditions speak of no column; then all are read, as a table has some.
        let used = asked.iter().chain(&decision).chain(&self.weight).chain(&self.id).cloned();
        let only = if asked.is_empty() { Vec::new() } else { used.collect() };
        // A classifier has seen the columns that are named; the decision may be in its table alone.
        let reading = ReadOptions { only, may_lack: self.classifier.is_some(), ..self.file.reading() };
        let columns = InformationTable::read_as(path, &reading)?;
        note_remarks(&remarks(&columns, &decision), SHOWN_REMARKS);
        let applied = check_attributes(&asked, &columns).map_err(|error| error.in_file(path));
        applied.with_context(|| format!("cannot apply `{}`", self.rules.display()))?;
        check_attributes(self.id.as_slice(), &columns).map_err(|error| error.in_file(path))?;
        self.check_cuts(cuts, decided, &columns)?;
        if let Some(id) = self.id.as_ref().filter(|id| *id == decided || Some(*id) == self.weight.as_ref()) {
            bail!("`--id` must be a column beside the decision and the weight, got `{id}`");
        }
        let parts = split_names(&decision, columns.existing());
        let (columns, decision) = if columns.has_decision(&parts) {
            (columns, parts)
        } else {
            let unknown = Attribute::from_values(decided, &vec![Value::Missing; columns.n_rows()]);
            (columns.with_column(unknown)?, decision)
        };
        let roles = Roles { decision, weight: self.weight_among(columns.existing()) };
        let n_rows = columns.n_rows_read();
        let table = columns.decide(&roles).map_err(|error| error.in_file(path))?;
        note(weightless(n_rows, table.n_rows()));
        Ok(table)
    }

    /// The column that weighs the objects which are decided about: the table that a classifier learns from may alone have it.
    fn weight_among(&self, existing: &[String]) -> Option<String> {
        let weight = self.weight.as_ref()?;
        if self.classifier.is_some() && !existing.contains(weight) {
            let path = self.file.path.display();
            eprintln!("note: `{path}` has no weight column `{weight}`: each of its rows is one object");
            return None;
        }
        Some(weight.clone())
    }

    /// The attribute that names the objects, of a table whose numbers are not cut yet.
    fn id_in(&self, table: &DecisionTable) -> Option<Attribute> {
        self.id.as_ref().and_then(|name| table.attribute_called(name)).map(|attr| table.attribute(attr).clone())
    }

    /// The cut points of the file that was given, if one was.
    fn load_cuts(&self) -> anyhow::Result<Option<Cuts>> {
        Ok(self.cuts.as_deref().map(Cuts::load).transpose()?)
    }

    /// Refuses cut points of columns that are not in the file of `columns`. What is ignored, or decided about, may be in the table alone
    /// that a classifier learns from.
    fn check_cuts(&self, cuts: Option<&Cuts>, decided: &str, columns: &InformationTable) -> anyhow::Result<()> {
        let mut names: Vec<String> = cuts.into_iter().flat_map(Cuts::iter).map(|(name, _)| name.to_owned()).collect();
        let ignored = joined_names(&self.ignore, &names);
        let is_decided = |name: &String| name == decided || decided.split(',').any(|part| part == name);
        names.retain(|name| !ignored.contains(name) && !is_decided(name) && self.weight.as_ref() != Some(name));
        let checked = check_attributes(&names, columns).map_err(|error| error.in_file(&self.file.path));
        checked.with_context(|| self.unusable_cuts())
    }

    /// How an error begins that is about the cut points that were given.
    fn unusable_cuts(&self) -> String {
        format!("cannot use `{}` as cut points", self.cuts.as_deref().unwrap_or(Path::new("")).display())
    }

    /// The table with its numbers cut at `cuts`, if there are any; they may be of other columns, too.
    fn cut(&self, table: DecisionTable, cuts: Option<&Cuts>) -> anyhow::Result<DecisionTable> {
        let Some(cuts) = cuts else { return Ok(table) };
        let known = cuts.iter().filter(|(name, _)| table.attribute_called(name).is_some());
        let known = Cuts::new(known.map(|(name, points)| (name.to_owned(), points.to_vec())).collect())?;
        let cut = known.apply(&table).with_context(|| self.unusable_cuts())?;
        note_outside(table.attributes(), cut.attributes());
        Ok(cut)
    }

    /// The table with its numbers cut where rules ask for intervals of them: at the ends of these, or at the points of the file that
    /// was given.
    fn cut_for(&self, saved: &SavedRules, table: DecisionTable, cuts: Option<&Cuts>) -> anyhow::Result<DecisionTable> {
        if cuts.is_some() {
            return self.cut(table, cuts);
        }
        let cut = saved.cut(&table)?;
        // A few objects may well lie on one side of few points.
        if table.n_objects() >= hints::FEW_OBJECTS {
            note_outside(table.attributes(), cut.attributes());
        }
        Ok(cut)
    }

    fn apply(
        &self,
        saved: &SavedRules,
        table: &DecisionTable,
        (id, voting): (Option<Attribute>, Voting),
    ) -> anyhow::Result<Forecasts> {
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
        // The missing value comes last.
        let places: Vec<Option<u32>> = (0..).map(Some).take(classes.len()).chain([None]).collect();
        let confusion = confusion(&table, classes.len(), &places, &predictions);
        let decider = Decider::Rules { rules: classifier.rules().to_vec(), voting, decided };
        Ok(Forecasts { id, table, classes, decider, predictions, confusion })
    }
}

/// Notes values that the rules do not know though they should.
fn note_values(saved: &SavedRules, table: &DecisionTable) {
    let attributes = saved.attributes();
    let has_values = |pair: &Pair| pair.known.kind() != "missing";
    let mut pairs: Vec<Pair> = strange::pairs(&attributes, table).filter(has_values).collect();
    // Conditions with intervals name no values.
    let unread = strange::pairs(&attributes, table)
        .filter(|pair| pair.known.domain().is_empty() && pair.tested.kind() == "text");
    let unread: Vec<String> = unread.map(|pair| pair.tested.name().to_owned()).collect();
    if !unread.is_empty() {
        let (listed, named) = (hints::quoted(&unread), hints::argument(&unread));
        eprintln!(
            "note: the rules ask for numbers of {listed}, which the table has as text: --number {named} reads numbers"
        );
    }
    let decisions = saved.decisions();
    pairs.push(Pair { known: &decisions, tested: table.decision() });
    strange::tell(&pairs, "the rules");
    if !StrangeValues::of(&decisions, table.decision()).is_all() {
        note_unknown(&decisions, table.decision());
    }
}

/// Notes decisions that no rule can forecast.
fn note_unknown(known: &Attribute, tested: &Attribute) {
    let codes = codes_in(tested.domain(), known.domain());
    let unknown = tested.domain().iter().zip(codes).filter(|(value, code)| **value != Value::Missing && code.is_none());
    let unknown: Vec<String> = unknown.map(|(value, _)| value.to_string()).collect();
    if !unknown.is_empty() {
        eprintln!("note: the rules do not know the decision {}: is it spelled alike?", hints::quoted(&unknown));
    }
}

/// How often each of so many decisions was forecast for each known one, if any is known. `places` are those of the codes of the table's
/// decision among them.
fn confusion(
    table: &DecisionTable,
    n_classes: usize,
    places: &[Option<u32>],
    predictions: &[Forecast],
) -> Option<Confusion> {
    let mut confusion = Confusion::new(n_classes);
    for (object, forecast) in predictions.iter().enumerate() {
        if let Some(truth) = places[table.decision().code(object) as usize] {
            let is_matched = forecast.basis.is_none_or(|basis| matches!(basis, Basis::Matching(_)));
            confusion.add(truth, forecast.decision, table.weight(object), is_matched);
        }
    }
    (confusion.total() > 0).then_some(confusion)
}
