//! `roughboard perft`: counts legal move paths.

use std::time::Instant;

use anyhow::ensure;
use roughboard::game::BoardGame;
use roughboard::game::perft::{self, MoveSource, OwnMoves};
use roughboard::games::GameName;
use roughboard::games::xiangqi::{Generator, Xiangqi};
use serde::Serialize;

use super::form::{Form, Sheet};
use super::output::print;
use super::rules::position_asked_for;
use super::session::Session;
use crate::cli::settings::named;

const MAX_DEPTH: u32 = 20;

#[derive(clap::Args)]
pub struct Args {
    /// The game whose rules apply
    #[arg(long, value_parser = named::<GameName>(), default_value_t, value_name = "GAME")]
    game: GameName,
    /// The position to start from; the initial position by default
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Length of the longest paths in plies, 1 to 20; every length up to it is counted
    #[arg(long, value_name = "N")]
    depth: u32,
    /// How the moves of Xiangqi are generated; the counts are the same [default: tables]
    #[arg(long, value_parser = named::<Generator>())]
    generator: Option<Generator>,
    /// Also give the count below each first move at the full depth; CSV has these alone
    #[arg(long)]
    divide: bool,
    #[command(flatten)]
    form: Form,
}

#[derive(Serialize)]
struct Counts {
    game: &'static str,
    position: String,
    counts: Vec<Count>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    divide: Vec<Branch>,
}

#[derive(Serialize)]
struct Count {
    depth: u32,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct Branch {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

/// What CSV has of the counts.
const COUNTS: Sheet<'_> = Sheet::List("/counts", &["depth", "nodes", "seconds"]);
/// What CSV has where the count below each first move is asked for.
const BRANCHES: Sheet<'_> = Sheet::List("/divide", &["move", "nodes"]);

pub fn run(args: &Args, _session: &Session) -> anyhow::Result<()> {
    ensure!((1..=MAX_DEPTH).contains(&args.depth), "`--depth` must be in [1, {MAX_DEPTH}], got {}", args.depth);
    if let Some(generator) = args.generator {
        ensure!(args.game == GameName::Xiangqi, "`--generator` needs `--game xiangqi`");
        return run_game::<Xiangqi>(args, &generator);
    }
    roughboard::by_game!(args.game, G => run_game::<G>(args, &OwnMoves))
}

fn run_game<G: BoardGame>(args: &Args, source: &impl MoveSource<G>) -> anyhow::Result<()> {
    let position: G = position_asked_for(args.fen.as_deref(), "fen")?;
    let mut counts = Counts { game: G::NAME, position: position.notation(), counts: Vec::new(), divide: Vec::new() };
    if !args.form.is_for_programs() {
        let header = format!("{:>5} {:>20} {:>10} {:>10}", "depth", "nodes", "seconds", "Mnodes/s");
        print(&format!("{} {}\n{header}\n", counts.game, counts.position))?;
    }
    for depth in 1..=args.depth {
        let begin = Instant::now();
        let nodes = perft::perft_parallel_by(source, &position, depth);
        let seconds = begin.elapsed().as_secs_f64();
        if !args.form.is_for_programs() {
            let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
            print(&format!("{depth:>5} {nodes:>20} {seconds:>10.3} {speed:>10.1}\n"))?;
        }
        counts.counts.push(Count { depth, nodes, seconds });
    }
    if args.divide {
        let branches = perft::divide(source, &position, args.depth).into_iter();
        counts.divide = branches.map(|(mv, nodes)| Branch { mv: mv.to_string(), nodes }).collect();
    }
    let text: String = counts.divide.iter().map(|branch| format!("{} {}\n", branch.mv, branch.nodes)).collect();
    args.form.give(&counts, if args.divide { BRANCHES } else { COUNTS }, &text)
}
