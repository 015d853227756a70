//! `roughboard games`: reads, checks, converts and makes game records.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Subcommand;
use roughboard::game::{Game, Side};
use roughboard::games::connect6::Connect6;
use roughboard::games::surakarta::Surakarta;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::record::{self, Account, DEFAULT_LEVEL, Duplicates, GameRecord, Policy};
use roughboard::report::{Cell, Table};
use roughboard::stats::Wdl;
use serde_json::json;

use super::rules::Rules;
use super::session::Session;
use super::{CHECKS_FAILED, mates, output, selfplay};

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
    /// Play an evaluator against itself to make games
    Selfplay(selfplay::Args),
}

/// What is read, and how strictly.
#[derive(clap::Args)]
struct Input {
    /// Files of games in PGN with ICCS moves; plain, .gz or .zst
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The game whose rules apply
    #[arg(long, value_enum, default_value_t = Rules::Xiangqi)]
    game: Rules,
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
        Command::Read(args) => match args.input.game {
            Rules::Xiangqi => read::<Xiangqi>(&args, session),
            Rules::Connect6 => read::<Connect6>(&args, session),
            Rules::Surakarta => read::<Surakarta>(&args, session),
        },
        Command::Convert(args) => match args.input.game {
            Rules::Xiangqi => convert::<Xiangqi>(&args, session),
            Rules::Connect6 => convert::<Connect6>(&args, session),
            Rules::Surakarta => convert::<Surakarta>(&args, session),
        },
        Command::Mates(args) => mates::run(&args, session),
        Command::Selfplay(args) => selfplay::run(&args, session).map(|()| ExitCode::SUCCESS),
    }
}

fn read<G: Game>(args: &ReadArgs, session: &Session) -> anyhow::Result<ExitCode> {
    let mut totals = Totals::<G>::new();
    let policy = args.input.policy();
    let account = record::for_each_game(&args.input.files, policy, &session.progress, |game| totals.add(&game))?;
    print(&args.input, &account, &totals)?;
    Ok(exit_code(&account))
}

fn convert<G: Game>(args: &ConvertArgs, session: &Session) -> anyhow::Result<ExitCode> {
    record::check_writable(&args.out)?;
    let policy = args.input.policy();
    let (games, account) = record::read_games::<G>(&args.input.files, policy, &session.progress)?;
    record::write_games(&args.out, &games, args.level)?;
    let mut totals = Totals::new();
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
struct Totals<G: Game> {
    /// Results for the first side.
    results: Wdl,
    plies: u64,
    duplicates: Duplicates<G>,
}

impl<G: Game> Totals<G> {
    fn new() -> Self {
        Self { results: Wdl::default(), plies: 0, duplicates: Duplicates::default() }
    }

    fn add(&mut self, game: &GameRecord<G>) {
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

fn print<G: Game>(input: &Input, account: &Account, totals: &Totals<G>) -> anyhow::Result<()> {
    if input.json {
        let text = serde_json::to_string_pretty(&as_json(input, account, totals)).context("cannot write JSON")?;
        return output::print(&format!("{text}\n"));
    }
    output::print(&as_text(account, totals))
}

fn as_text<G: Game>(account: &Account, totals: &Totals<G>) -> String {
    let mut text = account_table(account).to_text();
    for dropped in account.dropped().iter().take(LISTED) {
        text += &format!("  {dropped}\n");
    }
    if account.dropped().len() > LISTED {
        text += &format!("  … and {} more (all of them with --json)\n", account.dropped().len() - LISTED);
    }
    text += &format!("duplicates  {} (kept)\n", totals.duplicates.count());
    let Wdl { wins, draws, losses } = totals.results;
    let [first, second] = G::SIDES;
    text += &format!("results  {first} won {wins}, drawn {draws}, {second} won {losses}\n");
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

fn as_json<G: Game>(input: &Input, account: &Account, totals: &Totals<G>) -> serde_json::Value {
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
        format!("{}_wins", G::SIDES[0]): totals.results.wins,
        "draws": totals.results.draws,
        format!("{}_wins", G::SIDES[1]): totals.results.losses,
        "mean_plies": totals.mean_plies(),
    })
}
