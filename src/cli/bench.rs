//! `roughboard bench`: the signature and the speed of the search.

use std::time::Duration;

use roughboard::engine::bench::{Searched, bench};
use roughboard::eval::Catalogue;
use roughboard::games::GameName;
use roughboard::search::Limits;
use serde::Serialize;

use super::form::{Form, Sheet};
use super::output::print;
use super::players::SearchOptions;
use crate::cli::settings::named;

const SIGNATURE: &str = "The signature is the number of positions visited. It changes when rules, evaluation or search do, and \
                         is the same on every machine under the built-in evaluators.";

/// Arguments of `bench`.
#[derive(clap::Args)]
#[command(after_help = SIGNATURE)]
pub struct Args {
    /// The game whose positions are searched
    #[arg(long, value_parser = named::<GameName>(), default_value_t, value_name = "GAME")]
    pub game: GameName,
    /// Search depth, in plies, 1 to 64 [default: 8, of Connect6 6, of Surakarta 10]
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    #[command(flatten)]
    search: SearchOptions,
    /// What evaluates positions: a built-in evaluator, or a network file written by `roughboard train` [default: that of the
    /// game, such as `traditional`]
    #[arg(long, value_name = "EVALUATOR")]
    evaluator: Option<String>,
    #[command(flatten)]
    form: Form,
}

#[derive(Serialize)]
struct Report<'a> {
    game: &'static str,
    depth: u32,
    hash: usize,
    evaluator: &'a str,
    positions: Vec<Row>,
    signature: u64,
    seconds: f64,
    nodes_per_second: u64,
}

#[derive(Serialize)]
struct Row {
    position: &'static str,
    best: Option<String>,
    /// For the side to move, in the evaluator's unit.
    score: i32,
    nodes: u64,
}

/// Runs the command.
pub fn run<G: Catalogue>(args: &Args) -> anyhow::Result<()> {
    let limits = Limits::to_depth(args.depth.unwrap_or(G::BENCH.depth))?;
    let search = args.search.settings_of::<G>()?;
    let name = args.evaluator.as_deref().unwrap_or(G::DEFAULT_EVALUATOR);
    let evaluator = G::evaluator_factory(name)?;
    let (mut positions, mut time, mut printed) = (Vec::new(), Duration::ZERO, Ok(()));
    bench::<G>(&evaluator, search, limits, |Searched { fen: position, best, score, nodes, elapsed }| {
        time += elapsed;
        let best = best.map(|mv| mv.to_string());
        if !args.form.is_for_programs() && printed.is_ok() {
            printed = print(&format!("{nodes:>12} {} {score:>8}  {position}\n", best.as_deref().unwrap_or("none")));
        }
        positions.push(Row { position, best, score, nodes });
    })?;
    printed?;
    let (signature, seconds) = (positions.iter().map(|row| row.nodes).sum(), time.as_secs_f64());
    let nodes_per_second = (signature as f64 / seconds.max(1e-9)) as u64;
    let text = format!("signature {signature}\nseconds {seconds:.3}\nnodes/s {nodes_per_second}\n");
    let (depth, hash, evaluator) = (limits.depth(), search.transposition_mb, name);
    let report = Report { game: G::NAME, depth, hash, evaluator, positions, signature, seconds, nodes_per_second };
    args.form.give(&report, Sheet::List("/positions", &["position", "best", "score", "nodes"]), &text)
}
