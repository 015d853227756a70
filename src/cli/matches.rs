//! `roughboard match`: evaluators and engines play each other; or what a match says, or how long it must be.

mod counted;
pub(super) mod entrants;
mod merge;
pub(super) mod openings;
mod plan;
mod play;
mod report;
mod sprt;
mod stats;

use std::process::ExitCode;

use roughboard::by_game;

use super::done;
use super::session::Session;

/// Arguments of `match`.
#[derive(clap::Args)]
// The group of the options of `play` bears the same name.
#[group(skip)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_help = entrants::help())]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    play: play::Args,
}

/// What can be done about matches beside playing one.
#[derive(clap::Subcommand)]
enum Command {
    /// Parts of a match, or matches, put together
    Merge(merge::Args),
    /// How many games a match needs to show a difference of so many Elo
    Plan(plan::Args),
    /// Every figure that follows from counts of results, wherever they come from
    Stats(stats::Args),
}

/// Runs the command.
pub fn run(args: Args, session: &Session) -> anyhow::Result<ExitCode> {
    match args.command {
        Some(Command::Merge(args)) => by_game!(args.game, G => merge::run::<G>(&args)),
        Some(Command::Plan(args)) => plan::run(&args).map(done),
        Some(Command::Stats(args)) => stats::run(&args).map(done),
        None => by_game!(args.play.game, G => play::run::<G>(&args.play, session)),
    }
}
