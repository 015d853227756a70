//! `roughboard games`: reads, checks, cleans, converts, describes and makes game records.

mod convert;
pub(super) mod generate;
mod import;
mod read;
mod stats;
mod summary;

use std::process::ExitCode;

use roughboard::by_game;

use super::mates;
use super::session::Session;

/// What `games` can do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Read game files, check every move, and report what was kept and what was dropped
    Read(summary::Input),
    /// Write the games that could be kept to one file
    Convert(convert::Args),
    /// Clean a collection: drop records that are not whole, finished, consistent games, keep one of all copies, and account for every record
    Import(Box<import::Args>),
    /// Results, lengths, years, players, events, openings and positions of games
    Stats(stats::Args),
    /// Draw a suite of forced wins from the ends of games
    Mates(mates::Args),
    /// Make games to learn from: random, against a fixed opponent, by self-play, by engines
    Generate(Box<generate::Args>),
}

pub fn run(command: Command, session: &Session) -> anyhow::Result<ExitCode> {
    match command {
        Command::Read(args) => by_game!(args.collection.game, G => read::run::<G>(&args, session)),
        Command::Convert(args) => by_game!(args.input.collection.game, G => convert::run::<G>(&args, session)),
        Command::Import(args) => by_game!(args.input.game, G => import::run::<G>(&args, session)),
        Command::Stats(args) => by_game!(args.input.game, G => stats::run::<G>(&args, session)),
        Command::Mates(args) => mates::run(&args, session),
        Command::Generate(args) => by_game!(args.game, G => generate::run::<G>(&args, session)),
    }
}
