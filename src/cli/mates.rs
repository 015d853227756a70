//! `roughboard games mates`: a suite of forced wins from the ends of games.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use roughboard::game::Game;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::record::{self, Policy};
use roughboard::report::{Cell, Table};
use roughboard::suite::xiangqi_mates::{Collected, MOST_MOVES, MateSuite, Quota, collect};
use serde_json::json;

use super::CHECKS_FAILED;
use super::form::{Form, Sheet};
use super::output::write;
use super::session::Session;
use super::sources::note_dropped;
use super::targets::OutPath;

/// Arguments of `games mates`.
#[derive(clap::Args)]
pub struct Args {
    /// Files or folders of games, as `games read` takes them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The longest win, in moves of the winner, 1 to 5
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_MOVES)))]
    moves: u32,
    /// How many positions of each length to take at the most, one from each game; by default all that the games give
    #[arg(long, default_value_t = NonZeroUsize::MAX, hide_default_value = true, value_name = "N")]
    each: NonZeroUsize,
    /// The suite to write; `roughboard suite` checks it
    #[arg(long, value_parser = OutPath::file(&[".json"]), value_name = "FILE.json")]
    out: OutPath,
    #[command(flatten)]
    form: Form,
}

/// Runs the command. Without a position it writes no file, which `suite` would refuse.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    let (games, read) = record::read_games::<Xiangqi>(&args.files, Policy::Drop, &session.progress)?;
    note_dropped(&read)?;
    let quota = Quota { most_moves: args.moves, each: args.each.get() };
    let mut collected = collect(&games, quota, &session.progress);
    let positions = std::mem::take(&mut collected.positions);
    let written = positions.len();
    let note =
        format!("Forced wins in at most {} moves, proved by trying every move; from the ends of games.", args.moves);
    let suite = MateSuite { game: Xiangqi::NAME, note, positions };
    let file = (written > 0).then_some(&*args.out);
    if let Some(file) = file {
        write(file, serde_json::to_string_pretty(&suite)? + "\n")?;
    }
    let table = account(&collected, written);
    let answer = json!({"account": collected, "written": written, "file": file});
    let place = file.map_or_else(String::new, |file| format!("written  {}\n", file.display()));
    args.form.give(&answer, Sheet::Made(&|| table.to_csv()), &(table.to_text() + &place))?;
    if file.is_none() {
        eprintln!("check failed: no forced win in at most {} moves was found; no file is written", args.moves);
        return Ok(ExitCode::from(CHECKS_FAILED));
    }
    Ok(ExitCode::SUCCESS)
}

fn account(collected: &Collected, written: usize) -> Table {
    let mut table = Table::new("", &["account"], &["number"]);
    table.push([Cell::from("games looked at"), collected.games.into()]);
    table.push([Cell::from("decided games"), collected.decided.into()]);
    table.push([Cell::from("positions looked at"), collected.looked_at.into()]);
    for (moves, &found) in (1..).zip(&collected.forced) {
        table.push([Cell::from(format!("forced wins in {moves}")), found.into()]);
    }
    table.push([Cell::from("met before"), collected.repeated.into()]);
    table.push([Cell::from("others of the same game"), collected.of_same_game.into()]);
    table.push([Cell::from("more than --each"), collected.unwanted.into()]);
    table.push([Cell::from("written"), written.into()]);
    table
}
