//! `roughboard rough`: classes, approximations, core, reducts and rules of any table.

pub mod answer;
mod approx;
mod classes;
mod core;
mod reducing;
mod reduct;
mod reducts;
mod rules;
pub mod source;
pub mod text;

use std::process::ExitCode;

use clap::Subcommand;

use super::session::Session;
use answer::Answer;
use reducing::Reducing;
use source::Source;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Indiscernibility classes U/IND(B) with their decisions
    Classes(Plain),
    /// Lower and upper approximations, regions, gamma
    Approx(Plain),
    /// The attributes that every reduct holds
    Core(Reducing),
    /// One reduct
    Reduct(reduct::Options),
    /// All reducts
    Reducts(reducts::Options),
    /// Decision rules, with support and inclusion degree
    ///
    /// A rule reads `IF tear = normal AND astigmatism = no THEN lenses = soft (5 of 6, 0.83)`: of the 6 objects that
    /// match it 5 have its decision. With --out, a name ending in .csv makes columns of conditions, decision and
    /// measures; rules in JSON can be read back.
    Rules(rules::Options),
}

/// A table, and nothing else to choose.
#[derive(clap::Args)]
struct Plain {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    answer: Answer,
}

pub fn run(args: Args, session: &Session) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::Classes(options) => classes::run(&options)?,
        Command::Approx(options) => approx::run(&options)?,
        Command::Core(options) => core::run(&options)?,
        Command::Reduct(options) => reduct::run(&options)?,
        Command::Reducts(options) => reducts::run(&options, session)?,
        Command::Rules(options) => rules::run(&options, session)?,
    }
    Ok(ExitCode::SUCCESS)
}
