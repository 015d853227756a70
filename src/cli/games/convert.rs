//! `roughboard games convert`: writes the games that could be kept to one file.

use std::path::PathBuf;
use std::process::ExitCode;

use roughboard::games::xiangqi::Xiangqi;
use roughboard::record::{self, DEFAULT_LEVEL};

use super::summary::{self, Input, Totals};
use crate::cli::output;
use crate::cli::session::Session;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: Input,
    /// The file to write; packed if its name ends in .gz, .zst or .xz
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Zstandard level, 1 (fast) to 22 (small); gzip takes at most 9
    #[arg(long, default_value_t = DEFAULT_LEVEL, value_parser = clap::value_parser!(i32).range(1..=22), value_name = "N")]
    level: i32,
}

pub fn run(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    record::check_writable(&args.out)?;
    let settings = args.input.settings();
    let (games, account) = record::read_games::<Xiangqi>(&args.input.files, settings, &session.progress)?;
    record::write_games(&args.out, &games, args.level)?;
    let mut totals = Totals::default();
    games.iter().for_each(|game| totals.add(game));
    summary::print(&args.input, &account, &totals)?;
    if !args.input.json {
        output::print(&format!("written  {}\n", args.out.display()))?;
    }
    Ok(summary::exit_code(&account))
}
