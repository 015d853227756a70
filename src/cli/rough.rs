//! `roughboard rough`: what is in any table; intervals of its numbers; classes, approximations, significance, core,
//! reducts, rules.

pub mod answer;
mod approx;
mod baseline;
mod certificate;
mod classes;
mod classify;
mod complete;
mod confusion;
mod core;
mod deadline;
mod discretize;
mod dominance;
mod engine;
mod epsilon;
mod forecasts;
mod fuzzy;
mod hints;
mod info;
mod matrix;
mod memory;
mod neighbourhoods;
mod predict;
mod reducing;
mod reduct;
mod reducts;
mod related;
mod relation;
#[cfg_attr(not(feature = "spark"), path = "rough/remote_absent.rs")]
mod remote;
mod rules;
mod sampling;
mod sets;
mod significance;
pub mod source;
mod strange;
pub mod text;
mod verify;

use std::process::ExitCode;

use super::session::Session;
use answer::Answer;
use relation::RelatedQuery;
use source::Source;

/// What `rough` can do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// What is in a table: rows, attributes, values, and with a decision its classes and consistency
    Info(info::Options),
    /// Cut points that make intervals of numbers: equal width or frequency, MDLP, maximal discernibility, given ones
    Discretize(discretize::Options),
    /// Complete missing values of conditions: most frequent value, mean, median, also by decision; closest fit
    ///
    /// Objects without a decision are left out. The values are not kept for other tables.
    Complete(complete::Options),
    /// Indiscernibility classes U/IND(B) with their decisions
    #[command(mut_args(source::undecided))]
    Classes(RelatedQuery),
    /// Lower and upper approximations, regions, gamma, accuracy
    Approx(approx::Options),
    /// Fuzzy-rough sets: approximations and positive region to a degree, and reducts that keep it
    ///
    /// Numbers are similar to a degree, so that none need be cut into intervals; values of other kinds are equal or not. The
    /// answer gives gamma, the sizes of the approximations of each decision, and the degrees to which each object belongs to the positive
    /// region and the approximations. --csv makes a line for each object.
    Fuzzy(fuzzy::Options),
    /// Dominance-based rough sets: approximations of unions of ordered classes by criteria, their quality, reducts that keep it
    ///
    /// An object dominates another if it is at least as good by every criterion. The objects that dominate it should be of no lower class: where
    /// they are, objects lie in a boundary. The quality is the share of objects that lie in none.
    Dominance(dominance::Options),
    /// How much each attribute matters: by gamma, entropy and Gini impurity
    Significance(significance::Options),
    /// Discernibility matrix and function of a small table; reducts of single objects
    ///
    /// An entry holds the attributes that tell two objects apart which the notion of decision tells apart. The discernibility function asks
    /// for an attribute of each entry; clauses that hold another one are left out. Its prime implicants are the reducts. At most 1,000 objects.
    /// --csv makes a line for each pair of objects and each attribute that tells them apart.
    Matrix(matrix::Options),
    /// The attributes that every reduct holds
    Core(core::Options),
    /// One reduct
    Reduct(reduct::Options),
    /// All reducts
    Reducts(reducts::Options),
    /// Decision rules, with support and inclusion degree
    ///
    /// A rule reads `IF tear = normal AND astigmatism = no THEN lenses = soft (5 of 6, 0.83)`: of the 6 objects that
    /// match it 5 have its decision. The first line says how many objects the rules decide rightly, ambiguously (the surest rules
    /// that match are for several decisions), wrongly, and not at all. --csv makes columns of conditions, decision and
    /// measures; rules in JSON are what `rough predict` applies.
    Rules(rules::Options),
    /// Let rules in a file, or a classifier, decide about the objects of a table whose decision need not be known
    ///
    /// The rules are those that `rough rules --out RULES.json` or `rough classify --save RULES.json` writes. They vote as they say. Of each object the
    /// answer gives its row, the decision, and the rule that spoke loudest for it with its support; where the table has the decision, also the
    /// accuracy. If the rules ask for intervals that numbers were cut into, the numbers of this table are cut at the ends of these. With --classifier the
    /// first table is one with decisions, which the classifier learns from.
    Predict(predict::Options),
    /// Check the certificate of a reduct against its table
    Verify(verify::Options),
    /// Let rules classify objects they have not seen, and compare them with other classifiers
    Classify(classify::Options),
}

impl Command {
    /// How the answer is given, of commands whose `--out` is for that.
    const fn answer(&self) -> Option<&Answer> {
        Some(match self {
            Self::Discretize(_) | Self::Complete(_) => return None,
            Self::Info(options) => &options.answer,
            Self::Predict(options) => &options.answer,
            Self::Verify(options) => &options.answer,
            Self::Classes(query) => &query.answer,
            Self::Approx(options) => &options.related.answer,
            Self::Fuzzy(options) => &options.query.answer,
            Self::Dominance(options) => &options.query.answer,
            Self::Significance(options) => &options.query.answer,
            Self::Matrix(options) => &options.query.answer,
            Self::Rules(options) => &options.query.answer,
            Self::Classify(options) => &options.query.answer,
            Self::Core(options) => options.reducing.answer(),
            Self::Reduct(options) => options.reducing.answer(),
            Self::Reducts(options) => options.reducing.answer(),
        })
    }
}

/// A decision table, and how the answer is given to a question about it that knows no other relation than indiscernibility.
#[derive(clap::Args)]
#[command(mut_args(source::exact))]
pub struct TableQuery {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    answer: Answer,
}

pub fn run(command: Command, session: &Session) -> anyhow::Result<ExitCode> {
    command.answer().map_or(Ok(()), Answer::check)?;
    match command {
        Command::Info(options) => match &options.asked.engine {
            Some(engine) => remote::info(&options, engine, session)?,
            None => info::run(&options)?,
        },
        Command::Discretize(options) => discretize::run(&options, session)?,
        Command::Complete(options) => complete::run(&options)?,
        Command::Classes(options) => classes::run(&options)?,
        Command::Approx(options) => match &options.asked.engine {
            Some(engine) => remote::approx(&options, engine, session)?,
            None => approx::run(&options, session)?,
        },
        Command::Fuzzy(options) => fuzzy::run(&options, session)?,
        Command::Dominance(options) => dominance::run(&options, session)?,
        Command::Significance(options) => significance::run(&options)?,
        Command::Matrix(options) => matrix::run(&options)?,
        Command::Core(options) => match &options.fetching.asked.engine {
            Some(engine) => remote::core(&options, engine, session)?,
            None => core::run(&options, session)?,
        },
        Command::Reduct(options) => {
            options.check()?;
            return match &options.fetching.asked.engine {
                Some(engine) => remote::reduct(&options, engine, session),
                None => reduct::run(&options, session),
            };
        }
        Command::Reducts(options) => return reducts::run(&options, session),
        Command::Rules(options) => rules::run(&options, session)?,
        Command::Predict(options) => predict::run(&options)?,
        Command::Verify(options) => return verify::run(&options),
        Command::Classify(options) => classify::run(&options, session)?,
    }
    Ok(ExitCode::SUCCESS)
}
