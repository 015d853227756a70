//! `roughboard games convert`: writes the games that could be kept to one file.

use std::process::ExitCode;

use anyhow::Context;
use roughboard::game::BoardGame;
use roughboard::record::{self, COLLECTION_LEVEL, PGN_ENDINGS};

use super::summary::{self, Input, Totals, UNWRITTEN};
use crate::cli::output;
use crate::cli::session::Session;
use crate::cli::sources::unread;
use crate::cli::targets::OutPath;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub input: Input,
    /// The file to write: .pgn, or packed .pgn.gz, .pgn.zst or .pgn.xz
    #[arg(long, value_parser = OutPath::file(&PGN_ENDINGS), value_name = "FILE")]
    out: OutPath,
    /// For packed PGN files: the level of Zstandard, 1 (fast) to 22 (small); gzip and xz take at most 9
    #[arg(long, default_value_t = COLLECTION_LEVEL, value_parser = clap::value_parser!(i32).range(0..=22), value_name = "N")]
    level: i32,
    /// The notation of the moves, for Xiangqi: iccs, uci (ranks 1 to 10), wxf, chinese or chinese-simplified
    #[arg(long, value_name = "NAME")]
    notation: Option<String>,
}

pub fn run<G: BoardGame>(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    record::check_level(&args.out, args.level)?;
    let notation = args.notation.as_deref().map_or(Ok(0), notation::<G>)?;
    let (games, account) =
        record::read_games::<G>(&args.input.collection.paths, args.input.settings(), &session.progress)?;
    // An empty file would only take the place of what may be there.
    let is_written = !games.is_empty() && args.input.tolerance.bears(&unread(&account));
    if is_written {
        record::write_games_in(&args.out, &games, args.level, notation)?;
    }
    let mut totals = Totals::default();
    games.iter().for_each(|game| totals.add(game));
    summary::print::<G>(&args.input, &account, &totals)?;
    if is_written && !args.input.form.is_for_programs() {
        output::print(&format!("written  {}\n", args.out.display()))?;
    }
    Ok(args.input.exit_code(&account, 1.0, UNWRITTEN))
}

/// The index of a notation of the game, by its name in either case.
fn notation<G: BoardGame>(name: &str) -> anyhow::Result<usize> {
    let known = G::NOTATIONS.iter().position(|known| known.eq_ignore_ascii_case(name));
    known.with_context(|| match G::NOTATIONS {
        [] => format!("moves of {} have one notation: leave --notation out", G::NAME),
        all => format!("--notation: expected one of {}, found `{name}`", all.join(", ").to_lowercase()),
    })
}
