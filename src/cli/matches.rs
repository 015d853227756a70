//! `roughboard match`: evaluators play each other; or what a match says, or how long it must be.

mod counted;
mod plan;
mod play;
mod stats;

use std::process::ExitCode;

use clap::{ArgMatches, FromArgMatches};

use super::output;
use super::session::Session;

/// Arguments of `match`.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, after_help = super::EVALUATORS)]
pub struct Args {
    // Read before the subcommand is taken out of what was parsed.
    #[command(flatten)]
    play: Play,
    #[command(subcommand)]
    command: Option<Command>,
}

/// What can be done about matches beside playing one.
#[derive(clap::Subcommand)]
enum Command {
    /// How many games a match needs to show a difference of so many Elo
    Plan(plan::Args),
    /// Every figure that follows from counts of results, wherever they come from
    Stats(stats::Args),
}

/// The options of a match; none beside a subcommand, which does without those that are required.
struct Play(Option<play::Args>);

impl FromArgMatches for Play {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let asked_for = matches.subcommand_name().is_none();
        Ok(Self(asked_for.then(|| play::Args::from_arg_matches(matches)).transpose()?))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for Play {
    fn augment_args(command: clap::Command) -> clap::Command {
        play::Args::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        play::Args::augment_args_for_update(command)
    }
}

/// Runs the command.
pub fn run(args: Args, session: &Session) -> anyhow::Result<ExitCode> {
    match (args.command, args.play) {
        (Some(Command::Plan(args)), _) => plan::run(&args),
        (Some(Command::Stats(args)), _) => stats::run(&args),
        (None, Play(Some(args))) => play::run(&args, session),
        (None, Play(None)) => anyhow::bail!("expected two evaluators to play, `--a` and `--b`, or a subcommand"),
    }
}
