//! `roughboard table`: tables from games.

use std::process::ExitCode;

use clap::Subcommand;

use super::session::Session;
use super::tabulate;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The decision table of the positions of games
    Build(tabulate::Args),
}

pub fn run(args: Args, session: &Session) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::Build(args) => tabulate::run(&args, session)?,
    }
    Ok(ExitCode::SUCCESS)
}
