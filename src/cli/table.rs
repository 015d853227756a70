//! `roughboard table`: tables from games.

use super::session::Session;
use super::tabulate;

/// What `table` can do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// The decision table of the positions of games
    Build(tabulate::Args),
}

pub fn run(command: Command, session: &Session) -> anyhow::Result<()> {
    match command {
        Command::Build(args) => tabulate::run(&args, session),
    }
}
