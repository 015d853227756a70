//! `roughboard rough classify`.

mod present;
mod predictions;

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::ValueEnum;
use roughboard::classify::{
    Comparison, CrossValidation, Learner, Logistic, Majority, NearestNeighbours, Reduced, RuleLearner, Tree,
    cross_validate, hold_out,
};
use roughboard::rough::{Covering, Method, Notion, ReductRules, RuleSource, Unmatched, Vote, Voting};
use roughboard::table::DecisionTable;

use super::answer::Answer;
use super::source::Source;
use crate::cli::choice::named;
use crate::cli::output;
use crate::cli::session::Session;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    answer: Answer,
    /// Split the objects into N folds; each is tested once by what the others teach
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    folds: u64,
    /// Do so N times, with other folds each time
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    repeats: u64,
    /// Train on the whole table and test on this file instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["folds", "repeats"])]
    test: Option<PathBuf>,
    #[command(flatten)]
    rules: RuleOptions,
    /// What a rule's vote weighs [default: best for --rules inclusion, whose rules overlap; else support]
    #[arg(long, value_parser = named::<Vote>())]
    vote: Option<Vote>,
    /// What decides when no rule matches
    #[arg(long, value_parser = named::<Unmatched>(), default_value_t)]
    unmatched: Unmatched,
    /// Compare with these classifiers
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAME,…", default_values_t = [Baseline::Majority])]
    baseline: Vec<Baseline>,
    /// Compare with these classifiers on the columns of a reduct
    #[arg(long, value_enum, value_delimiter = ',', value_name = "NAME,…")]
    pipeline: Vec<Pipeline>,
    /// For the baseline knn: the number of neighbours
    #[arg(long, default_value_t = 5, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    k: u64,
    /// Write the forecast for each tested object to a CSV file
    #[arg(long, value_name = "FILE")]
    predictions: Option<PathBuf>,
}

/// How the rules are found.
#[derive(clap::Args)]
struct RuleOptions {
    /// Where rules come from
    #[arg(long = "rules", value_enum, default_value_t = Origin::Reduct)]
    origin: Origin,
    /// For reducts: how to find one
    #[arg(long, value_parser = named::<Method>(), default_value_t)]
    method: Method,
    /// For --rules reduct: let the rules of N reducts vote, all but the first found in random orders
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    reducts: u64,
    /// For --rules reduct: use the N heaviest classes of each reduct only
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// For --rules minimal: the most rules for each class of objects
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    per_class: u64,
    /// For --rules inclusion: how many rules to find [default: 500 for each decision]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    n_rules: Option<u64>,
    /// For --rules inclusion: the most conditions of a rule
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_length: u64,
    /// For --rules inclusion: the least number of objects that support a rule
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    min_support: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Origin {
    /// The classes of a reduct, shortened by value reduction
    Reduct,
    /// The shortest minimal certain rules of each class
    Minimal,
    /// Covering by inclusion degree
    Inclusion,
    /// LEM2: a local covering of each decision's lower approximation
    Lem2,
    /// LEM2 with intervals of numbers
    Mlem2,
}

#[derive(Clone, Copy, ValueEnum)]
enum Baseline {
    /// Decision tree by the Gini index
    Tree,
    /// Multinomial logistic regression on indicators of values
    Logistic,
    /// Nearest neighbours by Hamming distance
    Knn,
    /// The most frequent decision
    Majority,
}

#[derive(Clone, Copy, ValueEnum)]
enum Pipeline {
    /// Decision tree on the reduct's columns
    ReductTree,
}

pub fn run(options: &Options, session: &Session) -> anyhow::Result<()> {
    if let Some(path) = &options.predictions {
        output::check_target(path)?;
    }
    let table = options.source.read_decided_exact()?;
    let learners = options.learners(&table, session.seed)?;
    let comparison = options.compare(&table, &learners, session)?;
    if let Some(path) = &options.predictions {
        let contents = predictions::csv(&comparison)?;
        output::write(path, &contents)?;
    }
    let setup = present::Setup { table: &table, test: options.test.as_deref(), split: options.split(session) };
    let all = options.answer.all;
    options.answer.give(|| present::json(&comparison, &setup), || present::text(&comparison, &setup, all))
}

impl Options {
    fn split(&self, session: &Session) -> CrossValidation {
        let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        CrossValidation { folds: number(self.folds), repeats: number(self.repeats), seed: session.seed }
    }

    fn compare(
        &self,
        table: &DecisionTable,
        learners: &[Box<dyn Learner>],
        session: &Session,
    ) -> anyhow::Result<Comparison> {
        let learners: Vec<&dyn Learner> = learners.iter().map(AsRef::as_ref).collect();
        let keep = self.predictions.is_some();
        match &self.test {
            None => Ok(cross_validate(table, &learners, &self.split(session), keep, &session.progress)?),
            Some(path) => {
                let test = self.source.read_from(path)?;
                let comparison = hold_out(table, &test, &learners, keep, &session.progress);
                comparison.with_context(|| format!("cannot test on `{}`", path.display()))
            }
        }
    }

    /// The rule classifier first, then each baseline once.
    fn learners(&self, table: &DecisionTable, seed: u64) -> anyhow::Result<Vec<Box<dyn Learner>>> {
        let of_origin = if self.rules.origin == Origin::Inclusion { Vote::Best } else { Vote::Support };
        let voting = Voting { vote: self.vote.unwrap_or(of_origin), unmatched: self.unmatched };
        let mut learners: Vec<Box<dyn Learner>> =
            vec![Box::new(RuleLearner { source: self.rules.source(table, seed)?, voting })];
        learners.extend(self.baseline.iter().map(|baseline| baseline.learner(self.k)));
        learners.extend(self.pipeline.iter().map(|pipeline| pipeline.learner(self.rules.method)));
        let mut names = Vec::new();
        learners.retain(|learner| {
            let name = learner.name();
            let new = !names.contains(&name);
            names.push(name);
            new
        });
        Ok(learners)
    }
}

impl RuleOptions {
    fn source(&self, table: &DecisionTable, seed: u64) -> anyhow::Result<RuleSource> {
        let is_covering = matches!(self.origin, Origin::Inclusion);
        ensure!(self.n_rules.is_none() || is_covering, "--n-rules goes with --rules inclusion");
        let by_reduct = matches!(self.origin, Origin::Reduct);
        ensure!(self.reducts == 1 || by_reduct, "--reducts goes with --rules reduct");
        let of_decisions = 500 * table.n_decisions() as u64;
        Ok(match self.origin {
            Origin::Reduct => RuleSource::Reduct(ReductRules {
                notion: Notion::Positive,
                method: self.method,
                count: usize::try_from(self.reducts)?,
                seed,
                limit: self.limit.map_or(Ok(usize::MAX), usize::try_from)?,
            }),
            Origin::Lem2 => RuleSource::Lem2,
            Origin::Mlem2 => RuleSource::Mlem2,
            Origin::Minimal => RuleSource::Minimal { per_class: usize::try_from(self.per_class)? },
            Origin::Inclusion => RuleSource::Inclusion(Covering {
                n_rules: usize::try_from(self.n_rules.unwrap_or(of_decisions))?,
                max_len: usize::try_from(self.max_length)?,
                min_support: self.min_support,
            }),
        })
    }
}

impl Baseline {
    fn learner(self, k: u64) -> Box<dyn Learner> {
        match self {
            Self::Tree => Box::new(Tree),
            Self::Logistic => Box::new(Logistic),
            Self::Knn => Box::new(NearestNeighbours { k }),
            Self::Majority => Box::new(Majority),
        }
    }
}

impl Pipeline {
    fn learner(self, method: Method) -> Box<dyn Learner> {
        match self {
            Self::ReductTree => Box::new(Reduced { notion: Notion::Positive, method, learner: Tree }),
        }
    }
}
