//! `roughboard rough classify`.

mod present;
mod predictions;

use std::path::PathBuf;

use anyhow::{Context, ensure};
use roughboard::classify::{
    Comparison, Completing, CrossValidation, Discretized, Learner, Reduced, RuleLearner, Tree, cross_validate,
    hold_out, trained_rows,
};
use roughboard::rough::{Covering, Method, Notion, ReductRules, RuleSource, Unmatched, Vote, Voting};
use roughboard::table::{Completion, DecisionTable};

use super::baseline::{Baseline, NeighbourSettings};
use super::discretize::{Cutting, MethodName};
use super::source::Missing;
use super::strange::Pair;
use super::{TableQuery, hints, strange};
use crate::cli::output;
use crate::cli::session::Session;
use crate::cli::settings::{Of, named, usual};
use crate::cli::targets::OutPath;

#[derive(clap::Args)]
#[command(mut_arg("vote", |arg| usual(arg, "best for --rules inclusion, whose rules overlap; else support")))]
#[command(mut_arg("n_rules", |arg| usual(arg, "500 for each decision")))]
pub struct Options {
    #[command(flatten)]
    query: TableQuery,
    #[command(flatten)]
    settings: Of<ClassifySettings>,
    /// Complete missing values first; in each fold what is filled in comes from the training objects alone
    #[arg(long, value_name = "METHOD", value_parser = named::<Completion>())]
    complete: Option<Completion>,
    /// Cut numbers into intervals; in each fold the cut points come from the training objects alone
    #[arg(long, value_name = "METHOD", value_parser = named::<MethodName>())]
    discretize: Option<MethodName>,
    #[command(flatten)]
    cutting: Cutting,
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
        rules: Origin = Origin::Reduct;
        /// For --rules reduct and --pipeline reduct-tree: how to find a reduct.
        method: Method = Method::Greedy;
        /// For --rules reduct: let the rules of N reducts vote, all but the first found in random orders.
        reducts: usize = 1, in 1..=10_000;
        /// For --rules reduct: use the N heaviest classes of each reduct only.
        limit: Option<usize> = None, in 1..;
        /// For --rules minimal: the most rules for each class of objects.
        per_class: usize = 10, in 1..;
        /// For --rules inclusion: how many rules to find.
        n_rules: Option<usize> = None, in 1..;
        /// For --rules inclusion: the most conditions of a rule.
        max_length: usize = 8, in 1..;
        /// For --rules inclusion: the least number of objects that support a rule.
        min_support: u64 = 2, in 1..;
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
    /// A classifier on the columns of a reduct.
    enum Pipeline = ReductTree {
        /// Decision tree on the reduct's columns.
        ReductTree,
    }
}

pub fn run(options: &Options, session: &Session) -> anyhow::Result<()> {
    let settings = options.settings.read()?;
    settings.check()?;
    let TableQuery { source, answer } = &options.query;
    options.check_completion()?;
    let table = source.read_decided_exact()?;
    let learners = options.on_intervals(settings.learners(&table, session.seed), &table)?;
    let learners = options.on_completed(learners);
    let split = CrossValidation { folds: settings.folds, repeats: settings.repeats, seed: session.seed };
    let comparison = options.compare(&table, &learners, (&split, session))?;
    if let Some(path) = &options.predictions {
        let contents = predictions::csv(&comparison)?;
        output::write(path, &contents)?;
    }
    let (test, complete, discretize) = (options.test.as_deref(), options.complete, options.discretize);
    if answer.wants_csv() {
        comparison.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
    }
    let setup = present::Setup { table: &table, test, split, complete, discretize };
    answer.give(
        present::SHEET,
        || present::json(&comparison, &setup),
        || present::text(&comparison, &setup, answer.all),
    )?;
    hints::note(&table, (!options.takes_intervals()?).then_some("try --discretize mdlp, or --rules mlem2"));
    Ok(())
}

impl Options {
    /// The learners, on intervals of numbers if these are to be cut.
    fn on_intervals(
        &self,
        learners: Vec<Box<dyn Learner>>,
        table: &DecisionTable,
    ) -> anyhow::Result<Vec<Box<dyn Learner>>> {
        let Some(method) = self.discretize else { return Ok(learners) };
        let discretizer = self.cutting.discretizer(method)?;
        let attrs = self.cutting.attributes(table, discretizer)?;
        let cut = |learner| Box::new(Discretized { discretizer, attrs: attrs.clone(), learner }) as Box<dyn Learner>;
        Ok(learners.into_iter().map(cut).collect())
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

    /// The learners, on completed tables if missing values are to be completed. Numbers are cut after that.
    fn on_completed(&self, learners: Vec<Box<dyn Learner>>) -> Vec<Box<dyn Learner>> {
        let Some(method) = self.complete else { return learners };
        learners.into_iter().map(|learner| Box::new(Completing { method, learner }) as Box<dyn Learner>).collect()
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
                let test = self.query.source.read_from(path, None)?;
                let comparison = hold_out(table, &test, &learners, keep, &session.progress);
                let comparison = comparison.with_context(|| format!("cannot test on `{}`", path.display()))?;
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
        Ok(self.discretize.is_some() || self.settings.read()?.rules == Origin::Mlem2)
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

impl ClassifySettings {
    /// The rule classifier first, then each baseline once.
    fn learners(&self, table: &DecisionTable, seed: u64) -> Vec<Box<dyn Learner>> {
        let of_origin = if self.rules == Origin::Inclusion { Vote::Best } else { Vote::Support };
        let voting = Voting { vote: self.vote.unwrap_or(of_origin), unmatched: self.unmatched };
        let mut learners: Vec<Box<dyn Learner>> =
            vec![Box::new(RuleLearner { source: self.source(table, seed), voting })];
        learners.extend(self.baseline.iter().map(|baseline| baseline.learner(&self.neighbours)));
        let reduced = || Reduced { notion: Notion::Positive, method: self.method, learner: Tree };
        learners.extend(self.pipeline.iter().map(|Pipeline::ReductTree| Box::new(reduced()) as Box<dyn Learner>));
        let mut names = Vec::new();
        learners.retain(|learner| {
            let name = learner.name();
            let new = !names.contains(&name);
            names.push(name);
            new
        });
        learners
    }

    fn source(&self, table: &DecisionTable, seed: u64) -> RuleSource {
        let limit = self.limit.unwrap_or(usize::MAX);
        let (notion, method, count) = (Notion::Positive, self.method, self.reducts);
        match self.rules {
            Origin::Reduct => RuleSource::Reduct(ReductRules { notion, method, count, seed, limit }),
            Origin::Lem2 => RuleSource::Lem2,
            Origin::Mlem2 => RuleSource::Mlem2,
            Origin::Minimal => RuleSource::Minimal { per_class: self.per_class },
            Origin::Inclusion => RuleSource::Inclusion(Covering {
                n_rules: self.n_rules.unwrap_or(500 * table.n_decisions()),
                max_len: self.max_length,
                min_support: self.min_support,
            }),
        }
    }
}
