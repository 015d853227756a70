//! `roughboard train`: networks, and the traditional evaluator's position tables, from game records.

mod common;
mod networks;
mod positions;
mod rough;
mod tables;

use std::process::ExitCode;

use clap::{Args as ClapArgs, Subcommand};

use super::session::Session;
pub use rough::SHARPEST;

/// Arguments of `train`.
#[derive(ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    method: Method,
}

#[derive(Subcommand)]
enum Method {
    /// The rough neural network of S1, built from the rules of the games' decision table
    Rough(Box<rough::Args>),
    /// A plain 91-N-1 network by back-propagation
    Bp(networks::BpArgs),
    /// A 91-N-1 network by TD(λ)
    Td(networks::TdArgs),
    /// Position tables for the traditional evaluator, by logistic regression
    Tables(tables::Args),
}

/// Runs the command.
pub fn run(args: Args, session: &Session) -> anyhow::Result<ExitCode> {
    match args.method {
        Method::Rough(args) => rough::run(&args, session)?,
        Method::Bp(args) => networks::bp(&args, session)?,
        Method::Td(args) => networks::td(&args, session)?,
        Method::Tables(args) => tables::run(&args, session)?,
    }
    Ok(ExitCode::SUCCESS)
}
