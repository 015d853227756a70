//! `roughboard games`: reads, checks, converts and makes game records.

mod generate;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Subcommand;
use roughboard::game::Side;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::record::{self, Account, DEFAULT_LEVEL, Duplicates, GameRecord, Policy};
use roughboard::report::{Cell, Table};
use roughboard::stats::Wdl;
use serde_json::json;

use super::session::Session;
use super::{CHECKS_FAILED, mates, output};

/// Dropped games that are listed with their places; all of them stand in `--json`.
const LISTED: usize = 5;

#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Read game files, check every move, and report what was kept and what was dropped
    Read(ReadArgs),
    /// Write the games that could be kept to one file
    Convert(ConvertArgs),
    /// Draw a suite of forced wins from the ends of games
    Mates(mates::Args),
    /// Make games to learn from: random, against a fixed opponent, by self-play, by engines
    Generate(generate::Args),
}

/// What is read, and how strictly.
#[derive(clap::Args)]
struct Input {
    /// Files of games in PGN with ICCS moves; plain, .gz or .zst
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Fail at the first invalid game instead of dropping it
    #[arg(long)]
    strict: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Args)]
struct ReadArgs {
    #[command(flatten)]
    input: Input,
}

#[derive(clap::Args)]
struct ConvertArgs {
    #[command(flatten)]
    input: Input,
    /// The file to write; packed if its name ends in .gz or .zst
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Zstandard level, 1 (fast) to 22 (small); gzip takes at most 9
    #[arg(long, default_value_t = DEFAULT_LEVEL, value_parser = clap::value_parser!(i32).range(1..=22), value_name = "N")]
    level: i32,
}

pub fn run(args: Args, session: &Session) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::Read(args) => read(&args, session),
        Command::Convert(args) => convert(&args, session),
        Command::Mates(args) => mates::run(&args, session),
        Command::Generate(args) => generate::run(args, session).map(|()| ExitCode::SUCCESS),
    }
}

fn read(args: &ReadArgs, session: &Session) -> anyhow::Result<ExitCode> {
    let mut totals = Totals::default();
    let policy = args.input.policy();
    let account = record::for_each_game(&args.input.files, policy, &session.progress, |game| totals.add(&game))?;
    print(&args.input, &account, &totals)?;
    Ok(exit_code(&account))
}

fn convert(args: &ConvertArgs, session: &Session) -> anyhow::Result<ExitCode> {
    record::check_writable(&args.out)?;
    let policy = args.input.policy();
    let (games, account) = record::read_games::<Xiangqi>(&args.input.files, policy, &session.progress)?;
    record::write_games(&args.out, &games, args.level)?;
    let mut totals = Totals::default();
    games.iter().for_each(|game| totals.add(game));
    print(&args.input, &account, &totals)?;
    if !args.input.json {
        output::print(&format!("written  {}\n", args.out.display()))?;
    }
    Ok(exit_code(&account))
}

impl Input {
    fn policy(&self) -> Policy {
        if self.strict { Policy::Strict } else { Policy::Drop }
    }
}

fn exit_code(account: &Account) -> ExitCode {
    if account.invalid() > 0 { ExitCode::from(CHECKS_FAILED) } else { ExitCode::SUCCESS }
}

/// What the kept games add up to.
#[derive(Default)]
struct Totals {
    /// Results for the first side.
    results: Wdl,
    plies: u64,
    duplicates: Duplicates<Xiangqi>,
}

impl Totals {
    fn add(&mut self, game: &GameRecord<Xiangqi>) {
        if let Some(outcome) = game.outcome {
            self.results.record(outcome.value_for(Side::First));
        }
        self.plies += game.moves.len() as u64;
        self.duplicates.add(game);
    }

    fn mean_plies(&self) -> Option<f64> {
        (self.results.games() > 0).then(|| self.plies as f64 / self.results.games() as f64)
    }
}

fn print(input: &Input, account: &Account, totals: &Totals) -> anyhow::Result<()> {
    if input.json {
        let text = serde_json::to_string_pretty(&as_json(input, account, totals)).context("cannot write JSON")?;
        return output::print(&format!("{text}\n"));
    }
    output::print(&as_text(account, totals))
}

fn as_text(account: &Account, totals: &Totals) -> String {
    let mut text = account_table(account).to_text();
    for dropped in account.dropped().iter().take(LISTED) {
        text += &format!("  {dropped}\n");
    }
    if account.dropped().len() > LISTED {
        text += &format!("  … and {} more (all of them with --json)\n", account.dropped().len() - LISTED);
    }
    text += &format!("duplicates  {} (kept)\n", totals.duplicates.count());
    let Wdl { wins, draws, losses } = totals.results;
    text += &format!("results  red won {wins}, drawn {draws}, black won {losses}\n");
    if let Some(mean) = totals.mean_plies() {
        text += &format!("plies    {} in all, {mean:.1} a game\n", totals.plies);
    }
    text
}

fn account_table(account: &Account) -> Table {
    let mut table = Table::new("", &["account"], &["games"]);
    table.push([Cell::from("read"), account.read().into()]);
    table.push([Cell::from("kept"), account.kept().into()]);
    for (reason, count) in account.by_reason() {
        table.push([Cell::from(format!("dropped: {reason}")), count.into()]);
    }
    table
}

fn as_json(input: &Input, account: &Account, totals: &Totals) -> serde_json::Value {
    let reasons = account.by_reason().into_iter().map(|(reason, count)| (reason.words().to_owned(), json!(count)));
    let drops = account.dropped().iter().map(|dropped| {
        json!({
            "file": &*dropped.place.file,
            "game": dropped.place.game,
            "line": dropped.place.line,
            "reason": dropped.flaw.reason().words(),
            "detail": dropped.flaw.to_string(),
        })
    });
    json!({
        "files": input.files.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
        "read": account.read(),
        "kept": account.kept(),
        "dropped": reasons.collect::<serde_json::Map<_, _>>(),
        "drops": drops.collect::<Vec<_>>(),
        "duplicates": totals.duplicates.count(),
        "red_wins": totals.results.wins,
        "draws": totals.results.draws,
        "black_wins": totals.results.losses,
        "mean_plies": totals.mean_plies(),
    })
}
