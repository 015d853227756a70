//! `roughboard games selfplay`: training games that an evaluator plays against itself.

use std::path::PathBuf;

use roughboard::arena::{PLY_CAP, Player, SelfplaySettings, selfplay_with_journal};
use roughboard::eval::xiangqi::{TRADITIONAL, factory};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::record::{DEFAULT_LEVEL, GameRecord, check_writable, write_games};
use roughboard::search::Limits;

use super::matches::evaluator_checksum;
use super::output;
use super::search_options::SearchOptions;
use super::session::Session;

/// Arguments of `games selfplay`.
#[derive(clap::Args)]
pub struct Args {
    /// Evaluator: `traditional`, some of its terms such as `traditional:e1+e2+e3`, or a network file
    #[arg(long, default_value = TRADITIONAL, value_name = "EVALUATOR")]
    evaluator: String,
    /// Number of games, 1 to 10000000
    #[arg(long, default_value_t = 1000, value_name = "N")]
    games: usize,
    /// Search depth, in plies, 1 to 64
    #[arg(long, default_value_t = 2, value_name = "D")]
    depth: u32,
    #[command(flatten)]
    search: SearchOptions,
    /// Plies drawn at random at the start of each game, 0 to 200
    #[arg(long, default_value_t = SelfplaySettings::default().random_plies, value_name = "N")]
    random_plies: usize,
    /// How much worse than the best a random move may look, in expected result from 0 to 2
    #[arg(long, default_value_t = SelfplaySettings::default().margin, value_name = "M")]
    margin: f64,
    /// Plies after which a game is called a draw, 1 to 10000
    #[arg(long, default_value_t = PLY_CAP, value_name = "N")]
    max_plies: usize,
    /// Write the evaluation of each move as a comment
    #[arg(long)]
    evaluations: bool,
    /// File to write (.pgn, .pgn.gz, .pgn.zst)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Keep finished games in this file; the same command with it goes on after an interruption
    #[arg(long, value_name = "FILE.jsonl")]
    journal: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<()> {
    let settings = SelfplaySettings {
        games: args.games,
        random_plies: args.random_plies,
        margin: args.margin,
        ply_cap: args.max_plies,
        seed: session.seed,
    };
    settings.check()?;
    check_writable(&args.out)?;
    let player = Player {
        name: args.evaluator.clone(),
        checksum: evaluator_checksum(&args.evaluator)?,
        evaluator: factory(&args.evaluator)?,
        search: args.search.settings()?,
        limits: Limits::to_depth(args.depth)?,
    };
    let mut records = selfplay_with_journal::<Xiangqi>(&player, &settings, args.journal.as_deref(), &session.progress)?;
    if !args.evaluations {
        records.iter_mut().for_each(forget_comments);
    }
    write_games(&args.out, &records, DEFAULT_LEVEL)?;
    output::print(&format!("{} games written to {}\n", records.len(), args.out.display()))
}

fn forget_comments(record: &mut GameRecord<Xiangqi>) {
    record.prologue = None;
    record.comments.iter_mut().for_each(|comment| *comment = None);
}
