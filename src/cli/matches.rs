//! `roughboard match`: evaluators play each other.

mod play;

use std::process::ExitCode;

use super::session::Session;

/// Arguments of `match`.
#[derive(clap::Args)]
#[command(after_help = super::EVALUATORS)]
pub struct Args {
    #[command(flatten)]
    play: play::Args,
}

/// Runs the command.
pub fn run(args: Args, session: &Session) -> anyhow::Result<ExitCode> {
    play::run(&args.play, session)
}
