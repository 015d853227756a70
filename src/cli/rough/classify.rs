//! `roughboard rough classify`.

mod present;
mod predictions;

use std::path::{Path, PathBuf};

use anyhow::ensure;
use roughboard::classify::{
    ClassifyError, Comparison, CrossValidation, Learner, Numbers, Preparation, Prepared, Reduced, RuleLearner, Tree,
    cross_validate, hold_out, trained_rows,
};
use roughboard::rough::{Covering, Method, Notion, ReductRules, RuleSet, RuleSource, Unmatched, Vote, Voting};
use roughboard::table::discretize::{Cuts, Discretizer};
use roughboard::table::{AttrSet, Completion, DecisionTable};
use serde_json::Value as Json;

use super::baseline::{Baseline, NeighbourSettings};
use super::discretize::{Cutting, MethodName};
use super::source::Missing;
use super::strange::Pair;
use super::{TableQuery, hints, strange};
use crate::cli::folder::quoted;
use crate::cli::output;
use crate::cli::session::Session;
use crate::cli::settings::{Of, named, named_but, usual};
use crate::cli::targets::OutPath;

#[derive(clap::Args)]
#[command(mut_arg("vote", |arg| usual(arg, "best for --from inclusion, whose rules overlap; else support")))]
#[command(mut_arg("from", |arg| arg.alias("rules")))]
#[command(mut_arg("n_rules", |arg| usual(arg, "500 for each decision")))]
pub struct Options {
    #[command(flatten)]
    pub query: TableQuery,
    #[command(flatten)]
    settings: Of<ClassifySettings>,
    /// Complete missing values first; in each fold what is filled in comes from the training objects alone
    #[arg(long, value_name = "METHOD", value_parser = named_but(is_for_own_table))]
    complete: Option<Completion>,
    /// Cut numbers into intervals for the rules; in each fold the cut points come from the training objects alone
    #[arg(long, value_name = "METHOD", value_parser = named::<MethodName>())]
    discretize: Option<MethodName>,
    #[command(flatten)]
    cutting: Cutting,
    /// For --discretize: who sees the intervals; others see the numbers
    #[arg(long, value_name = "WHO", value_parser = named::<CutFor>(), default_value_t)]
    cut_for: CutFor,
    /// Write the rules of the whole table, with how they vote, for `rough predict`
    #[arg(long, value_parser = OutPath::file(&[".json"]), value_name = "RULES.json")]
    save: Option<OutPath>,
    /// Train on the whole table and test on this file instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["folds", "repeats"])]
    test: Option<PathBuf>,
    /// Write the forecast for each tested object to a CSV file
    #[arg(long, value_parser = OutPath::file(&[".csv"]), value_name = "FILE.csv")]
    predictions: Option<OutPath>,
}

roughboard::settings! {
    /// What is compared, and how.
    #[derive(Debug)]
    struct ClassifySettings {
        /// Split the objects into N folds; each is tested once by what the others teach.
        folds: usize = 10, in 2..;
        /// Repeat the cross-validation N times, with different folds each time.
        repeats: usize = 1, in 1..=1000;
        /// Where rules come from.
        from: Origin = Origin::Reduct;
        /// For --from reduct and --pipeline reduct-tree: how to find a reduct.
        method: Method = Method::Greedy;
        /// For --from reduct: let the rules of N reducts vote, all but the first found in random orders.
        reducts: usize = 1, in 1..=10_000;
        /// For --from reduct: use the N heaviest classes of each reduct only.
        limit: Option<usize> = None, in 1..;
        /// For --from minimal: the most rules for each class of objects.
        per_class: usize = 10, in 1..;
        /// For --from inclusion: how many rules to find.
        n_rules: Option<usize> = None, in 1..;
        /// For --from inclusion: the most conditions of a rule [default: 8].
        max_length: Option<usize> = None, in 1..;
        /// For --from inclusion: the least number of objects that support a rule [default: 2].
        min_support: Option<u64> = None, in 1..;
        /// What a rule's vote weighs.
        vote: Option<Vote> = None;
        /// What decides when no rule matches.
        unmatched: Unmatched = Unmatched::default();
        /// Compare with these classifiers.
        baseline: Vec<Baseline> = vec![Baseline::Majority];
        /// Compare with these classifiers on the columns of a reduct.
        pipeline: Vec<Pipeline> = Vec::new();
        /// How neighbours decide.
        neighbours: NeighbourSettings = NeighbourSettings::default();
    }
}

roughboard::choices! {
    /// Where rules come from.
    enum Origin = Reduct {
        /// The classes of a reduct, shortened by value reduction.
        Reduct,
        /// The shortest minimal certain rules of each class.
        Minimal,
        /// Covering by inclusion degree.
        Inclusion,
        /// LEM2: a local covering of each decision's lower approximation.
        Lem2,
        /// LEM2 with intervals of numbers.
        Mlem2,
    }
}

roughboard::choices! {
    /// Who sees the intervals that numbers are cut into.
    enum CutFor = Rules {
        /// The rules, and pipelines, whose reducts compare values for equality.
        Rules,
        /// All of them.
        All,
    }
}

roughboard::choices! {
    /// A classifier on the columns of a reduct.
    enum Pipeline = ReductTree {
        /// Decision tree on the reduct's columns.
        ReductTree,
    }
}

/// A learner of the comparison.
struct Entrant {
    learner: Box<dyn Learner>,
    /// Whether it is none that rough sets made.
    is_baseline: bool,
}

pub fn run(options: &Options, session: &Session) -> anyhow::Result<()> {
    let settings = options.settings.read()?;
    settings.check()?;
    let TableQuery { source, answer } = &options.query;
    options.check_completion()?;
    let table = source.read_decided_exact()?;
    let rules = settings.rules(&table, session.seed);
    let learners = options.prepared(settings.learners(rules), &table)?;
    let numbers: Vec<Numbers> = learners.iter().map(|learner| learner.numbers()).collect();
    let split = CrossValidation { folds: settings.folds, repeats: settings.repeats, seed: session.seed };
    let comparison = options.compare(&table, &learners, (&split, session))?;
    if let Some(path) = &options.predictions {
        output::write(path, predictions::csv(&comparison))?;
    }
    let (test, complete, discretize) = (options.test.as_deref(), options.complete, options.discretize);
    if let Some(path) = &options.save {
        output::write(path, format!("{}\n", options.rules_json(&table, rules, session)?))?;
        if options.complete.is_some() {
            let table = quoted(&options.query.source.file.path.display().to_string());
            let rules = path.display();
            eprintln!("note: complete tables by `rough complete --from {table}` before `{rules}` decides about them");
        }
    }
    if answer.wants_csv() {
        comparison.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
    }
    let setup = present::Setup { table: &table, test, split, complete, discretize, numbers: &numbers };
    answer.give(
        present::SHEET,
        || present::json(&comparison, &setup),
        || present::text(&comparison, &setup, answer.is_in_full()),
    )?;
    let takes_intervals = options.takes_intervals()?;
    hints::note(&table, (!takes_intervals).then_some("try --discretize mdlp, or --from mlem2"));
    if takes_intervals || settings.baseline.iter().any(|baseline| baseline.computes(&settings.neighbours)) {
        hints::note_large(&table);
    }
    Ok(())
}

impl Options {
    /// The learners on intervals of numbers, if these are to be cut for them, and on completed tables, if missing values are to be
    /// completed; numbers are cut after that.
    fn prepared(&self, entrants: Vec<Entrant>, table: &DecisionTable) -> anyhow::Result<Vec<Box<dyn Learner>>> {
        let cutter = self.cutter(table)?;
        let prepare = |Entrant { learner, is_baseline }| {
            let sees_cuts = !is_baseline || self.cut_for == CutFor::All;
            let cut = cutter.clone().filter(|_| sees_cuts);
            let steps = cut.map(|(how, attrs)| Preparation::Cut(how, attrs)).into_iter();
            let steps = steps.chain(self.complete.map(Preparation::Complete));
            steps.fold(learner, |learner, preparation| Box::new(Prepared { preparation, learner }) as Box<dyn Learner>)
        };
        Ok(entrants.into_iter().map(prepare).collect())
    }

    /// How numbers are cut, and which, if they are.
    fn cutter(&self, table: &DecisionTable) -> anyhow::Result<Option<(Discretizer, AttrSet)>> {
        let Some(method) = self.discretize else { return Ok(None) };
        let discretizer = self.cutting.discretizer(method);
        Ok(Some((discretizer, self.cutting.attributes(table, discretizer)?)))
    }

    /// The rules of the whole table, as `rough predict` reads them.
    fn rules_json(&self, table: &DecisionTable, rules: RuleLearner, session: &Session) -> anyhow::Result<Json> {
        let mut table = table.clone();
        if let Some(method) = self.complete {
            table = table.completed(method)?.table;
        }
        if let Some((discretizer, attrs)) = self.cutter(&table)? {
            table = Cuts::fit(&table, &attrs, discretizer, &session.progress)?.apply(&table)?;
        }
        let found = rules.source.rules(&table, &session.progress)?.rules;
        Ok(RuleSet::new(&table, found).to_json(&table, rules.voting))
    }

    /// Refuses a way to complete missing values that folds do not have, or a second word on what becomes of them.
    fn check_completion(&self) -> anyhow::Result<()> {
        let Some(method) = self.complete else { return Ok(()) };
        method.require_for_others("complete")?;
        let is_usual = self.query.source.view.missing == Missing::Value;
        ensure!(
            is_usual,
            "`--missing` and `--complete` both say what becomes of missing values: leave one of them out"
        );
        Ok(())
    }

    fn compare(
        &self,
        table: &DecisionTable,
        learners: &[Box<dyn Learner>],
        (split, session): (&CrossValidation, &Session),
    ) -> anyhow::Result<Comparison> {
        let learners: Vec<&dyn Learner> = learners.iter().map(AsRef::as_ref).collect();
        let keep = self.predictions.is_some();
        match &self.test {
            None => Ok(cross_validate(table, &learners, split, keep, &session.progress)?),
            Some(path) => {
                let test = self.query.source.read_beside(path)?;
                let comparison = hold_out(table, &test, &learners, keep, &session.progress);
                let comparison = comparison.map_err(|error| of_test(error, path))?;
                self.note_strange(table, &test)?;
                let known = trained_rows(table, &test)?;
                if known > 0 {
                    eprintln!("note: {known} of {} tested rows are among the training rows", test.n_objects());
                }
                Ok(comparison)
            }
        }
    }

    /// Whether rules compare numbers by intervals.
    fn takes_intervals(&self) -> anyhow::Result<bool> {
        Ok(self.discretize.is_some() || self.settings.read()?.from == Origin::Mlem2)
    }

    /// Notes attributes with tested values that training did not see although it should have: no rule about them matches. Numbers that
    /// are taken by intervals need not be the same.
    fn note_strange(&self, train: &DecisionTable, test: &DecisionTable) -> anyhow::Result<()> {
        let takes_intervals = self.takes_intervals()?;
        let compared = |pair: &Pair| !(takes_intervals && pair.is_of_numbers());
        let pairs: Vec<Pair> = strange::pairs(train.attributes(), test).filter(compared).collect();
        strange::tell(&pairs, "training");
        Ok(())
    }
}

/// Whether training objects cannot complete tested ones by a method.
fn is_for_own_table(method: Completion) -> bool {
    method.require_for_others("complete").is_err()
}

/// This error of a test on the file `path`, which is named unless classifiers cannot learn from the other table.
fn of_test(error: ClassifyError, path: &Path) -> anyhow::Error {
    match error {
        ClassifyError::Table(_) | ClassifyError::Undecided | ClassifyError::TooManyDecisions { .. } => {
            anyhow::Error::from(error).context(format!("cannot test on `{}`", path.display()))
        }
        error => error.into(),
    }
}

impl ClassifySettings {
    fn rules(&self, table: &DecisionTable, seed: u64) -> RuleLearner {
        let source = self.source(table, seed);
        let voting = Voting { vote: self.vote.unwrap_or(source.vote()), unmatched: self.unmatched };
        RuleLearner { source, voting }
    }

    /// The rule classifier first, then each baseline once.
    fn learners(&self, rules: RuleLearner) -> Vec<Entrant> {
        let entrant = |learner, is_baseline| Entrant { learner, is_baseline };
        let mut learners = vec![entrant(Box::new(rules) as Box<dyn Learner>, false)];
        learners.extend(self.baseline.iter().map(|baseline| entrant(baseline.learner(&self.neighbours), true)));
        let reduced = || Reduced { notion: Notion::Positive, method: self.method, learner: Tree };
        learners.extend(self.pipeline.iter().map(|Pipeline::ReductTree| entrant(Box::new(reduced()), false)));
        let mut names = Vec::new();
        learners.retain(|entrant| {
            let name = entrant.learner.name();
            let new = !names.contains(&name);
            names.push(name);
            new
        });
        learners
    }

    fn source(&self, table: &DecisionTable, seed: u64) -> RuleSource {
        let limit = self.limit.unwrap_or(usize::MAX);
        let (notion, method, count, usual) = (Notion::Positive, self.method, self.reducts, Covering::usual(table));
        match self.from {
            Origin::Reduct => RuleSource::Reduct(ReductRules { notion, method, count, seed, limit }),
            Origin::Lem2 => RuleSource::Lem2,
            Origin::Mlem2 => RuleSource::Mlem2,
            Origin::Minimal => RuleSource::Minimal { per_class: self.per_class },
            Origin::Inclusion => RuleSource::Inclusion(Covering {
                n_rules: self.n_rules.unwrap_or(usual.n_rules),
                max_len: self.max_length.unwrap_or(usual.max_len),
                min_support: self.min_support.unwrap_or(usual.min_support),
            }),
        }
    }
}
