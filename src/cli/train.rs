//! `roughboard train`: networks of any game that has evaluators, and the traditional evaluator's position tables, from game records.

mod baseline;
mod common;
mod iterate;
mod networks;
mod play;
mod positions;
mod rough;
mod tables;
mod zero;

use std::process::ExitCode;

use roughboard::runs::training::LearnError;

use super::session::Session;
use super::{INCOMPLETE, output};
pub use rough::SHARPEST;

/// What `train` can do.
#[derive(clap::Subcommand)]
pub enum Method {
    /// The rough neural network of S1, built from the rules of the games' decision table
    Rough(Box<rough::Args>),
    /// A plain network by back-propagation: 91-N-1 of Xiangqi, 64-N-1 of Connect6
    Bp(networks::BpArgs),
    /// A plain network by TD(λ), from recorded games or by playing (TD-BP)
    Td(networks::TdArgs),
    /// A model of linfa on the same positions, as what networks have to beat
    Baseline(Box<baseline::Args>),
    /// Position tables for the traditional evaluator, by logistic regression
    Tables(tables::Args),
    /// A network that goes on learning from its own games: self-play, searches, training, a match that decides
    Iterate(Box<iterate::Args>),
    /// A residual network by self-play with Monte Carlo tree search (S4)
    Zero(Box<zero::Args>),
}

/// Runs the command. A part of the games that was to be judged is judged then, and nothing is learned.
pub fn run(command: Method, session: &Session) -> anyhow::Result<ExitCode> {
    let outcome = learn(command, session);
    if let Err(error) = &outcome
        && let Some(part @ LearnError::Part(..)) = error.downcast_ref()
    {
        output::print(&format!("{part}\n"))?;
        return Ok(ExitCode::from(INCOMPLETE));
    }
    outcome
}

fn learn(command: Method, session: &Session) -> anyhow::Result<ExitCode> {
    match command {
        Method::Rough(args) => roughboard::by_game!(args.common.run.game, G => rough::run::<G>(&args, session)?),
        Method::Bp(args) => roughboard::by_game!(args.common.run.game, G => networks::bp::<G>(&args, session)?),
        Method::Td(args) => roughboard::by_game!(args.common.run.game, G => networks::td::<G>(&args, session)?),
        Method::Baseline(args) => roughboard::by_game!(args.run.game, G => baseline::run::<G>(&args, session)?),
        Method::Tables(args) => tables::run(&args, session)?,
        Method::Iterate(args) => {
            roughboard::by_game!(iterate::game_of(&args)?, G => iterate::run::<G>(&args, session)?)
        }
        Method::Zero(args) => return zero::run(&args, session),
    }
    Ok(ExitCode::SUCCESS)
}
