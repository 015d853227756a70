//! `roughboard match` without a subcommand: two evaluators, one search, pairs of games.

use std::path::PathBuf;
use std::process::ExitCode;

use roughboard::arena::{
    FinishedMatch, Match, MatchResult, MatchSettings, Opening, OpeningSettings, PLY_CAP, Player, draw_openings,
    draw_openings_at_most,
};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::record::{DEFAULT_LEVEL, check_writable, write_games};
use roughboard::report::{Cell, Table};
use roughboard::search::Limits;
use roughboard::stats::Z95;

use super::super::output;
use super::super::players::{player, second_name};
use super::super::search_options::SearchOptions;
use super::super::session::Session;
use super::super::sources::GameSources;

/// What is played, and how.
#[derive(clap::Args)]
pub struct Args {
    /// First evaluator
    #[arg(long, value_name = "EVALUATOR")]
    a: String,
    /// Second evaluator
    #[arg(long, value_name = "EVALUATOR")]
    b: String,
    /// Number of games, even, 2 to 10000000: each opening is played with both colours
    #[arg(long, default_value_t = 100, value_name = "N")]
    games: usize,
    /// Search depth of both, in plies, 1 to 64
    #[arg(long, default_value_t = 3, value_name = "D")]
    depth: u32,
    /// Limit on the positions that one search may visit
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Game files to draw openings from; without any, the embedded self-play games
    #[arg(long, num_args = 1.., value_name = "FILE")]
    openings: Vec<PathBuf>,
    /// Plies of each drawn opening, 0 to 200
    #[arg(long, default_value_t = 10, value_name = "N")]
    opening_plies: usize,
    /// Plies after which a game is called a draw, 1 to 10000
    #[arg(long, default_value_t = PLY_CAP, value_name = "N")]
    max_plies: usize,
    /// Play openings more than once if there are too few
    #[arg(long)]
    reuse_openings: bool,
    #[command(flatten)]
    search: SearchOptions,
    /// Switches of the first player's search, beside those of `--search`
    #[arg(long, value_name = "NAME=VALUE,…", default_value = "", hide_default_value = true)]
    search_a: String,
    /// Switches of the second player's search, beside those of `--search`
    #[arg(long, value_name = "NAME=VALUE,…", default_value = "", hide_default_value = true)]
    search_b: String,
    /// Write the games here (.pgn, .pgn.gz, .pgn.zst), with the evaluation of each move
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Keep finished games in this file; the same command with it goes on after an interruption
    #[arg(long, value_name = "FILE.jsonl")]
    journal: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    let settings = MatchSettings {
        games: args.games,
        ply_cap: args.max_plies,
        reuse_openings: args.reuse_openings,
        event: format!("roughboard match: {} - {}", args.a, args.b),
    };
    settings.check()?;
    args.out.as_deref().map_or(Ok(()), check_writable)?;
    let mut players = [player_of((&args.a, &args.search_a), args)?, player_of((&args.b, &args.search_b), args)?];
    let [first, second] = &mut players;
    second_name(&first.name, &mut second.name);
    let openings = openings(args, session)?;
    let finished = Match::new(players, openings, settings)?.play(args.journal.as_deref(), &session.progress)?;
    if let Some(path) = &args.out {
        write_games(path, &finished.records, DEFAULT_LEVEL)?;
    }
    report(args, &finished)?;
    Ok(ExitCode::SUCCESS)
}

/// One opening a pair, or as many as there are if they may be played more than once.
fn openings(args: &Args, session: &Session) -> anyhow::Result<Vec<Opening<Xiangqi>>> {
    let draw = OpeningSettings { count: args.games / 2, plies: args.opening_plies, seed: session.seed };
    let games = GameSources::of(args.openings.clone()).read(session)?;
    let drawn = if args.reuse_openings {
        draw_openings_at_most(&games.records, draw)?
    } else {
        draw_openings(&games.records, draw)?
    };
    Ok(drawn)
}

fn player_of((name, switches): (&str, &str), args: &Args) -> anyhow::Result<Player<Xiangqi>> {
    let mut limits = Limits::to_depth(args.depth)?;
    if let Some(nodes) = args.nodes {
        limits = limits.and_nodes(nodes)?;
    }
    player(name, args.search.settings()?.with_switches(switches)?, limits)
}

fn report(args: &Args, finished: &FinishedMatch<Xiangqi>) -> anyhow::Result<()> {
    if args.json {
        return output::print(&format!("{}\n", as_json(&finished.result)));
    }
    let games = args.out.as_ref().map(|path| format!("games: {}\n", path.display())).unwrap_or_default();
    output::print(&format!("{}\n{games}", as_table(&finished.result, args).to_text()))
}

fn as_table(result: &MatchResult, args: &Args) -> Table {
    let caption = format!("{} - {} at depth {}, {} games", args.a, args.b, args.depth, args.games);
    let mut table = Table::new(caption, &["of the first"], &["figure"]);
    let wdl = result.wdl;
    let sample = result.pentanomial.sample();
    let error = sample.map(|sample| Cell::real(100.0 * Z95 * sample.standard_error(), 1));
    let pairs = result.pentanomial.pairs.map(|count| count.to_string()).join(" ");
    let rows: [(&str, Cell); 10] = [
        ("won", wdl.wins.into()),
        ("drawn", wdl.draws.into()),
        ("lost", wdl.losses.into()),
        ("score %", Cell::real(100.0 * wdl.score().unwrap_or(f64::NAN), 1)),
        ("± % (95 %, by pairs)", error.into()),
        ("Elo ± 95 %", result.pentanomial.elo().to_string().into()),
        ("likelihood of superiority", sample.and_then(|s| s.los()).map(|los| Cell::real(los, 3)).into()),
        ("pairs by points 0 ½ 1 1½ 2", pairs.into()),
        ("mean plies", Cell::real(result.mean_plies, 1)),
        ("nodes of both, millions", Cell::real(result.nodes.iter().sum::<u64>() as f64 / 1e6, 1)),
    ];
    rows.into_iter().for_each(|(name, cell)| table.push([name.into(), cell]));
    result.ends.iter().for_each(|(reason, count)| table.push([format!("ended by {reason}").into(), (*count).into()]));
    table
}

fn as_json(result: &MatchResult) -> serde_json::Value {
    let (low, high) = result.pentanomial.elo().ends();
    let finite = |value: f64| value.is_finite().then_some(value);
    serde_json::json!({
        "a": result.names[0],
        "b": result.names[1],
        "wins": result.wdl.wins,
        "draws": result.wdl.draws,
        "losses": result.wdl.losses,
        "score": result.wdl.score(),
        "elo": result.pentanomial.elo().elo().and_then(finite),
        "elo_low": finite(low),
        "elo_high": finite(high),
        "pentanomial": result.pentanomial.pairs,
        "ends": result.ends,
        "mean_plies": result.mean_plies,
        "nodes": result.nodes,
    })
}
