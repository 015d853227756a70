//! `roughboard bench`: the signature and the speed of the search.

use std::process::ExitCode;
use std::time::Duration;

use roughboard::engine::bench::{Searched, bench};
use roughboard::eval::xiangqi::{TRADITIONAL, factory};
use roughboard::search::Limits;
use serde::Serialize;

use super::output::print;
use super::search_options::SearchOptions;
use super::session::Session;

const SIGNATURE: &str = "The signature is the number of positions visited. It changes when rules, evaluation or search do, and \
                         is the same on every machine under the traditional evaluator.";

/// Arguments of `bench`.
#[derive(clap::Args)]
#[command(after_help = SIGNATURE)]
pub struct Args {
    /// Search depth, in plies, 1 to 64
    #[arg(long, default_value_t = 8, value_name = "D")]
    depth: u32,
    #[command(flatten)]
    search: SearchOptions,
    /// What evaluates positions: `traditional`, or a network file written by `roughboard train`
    #[arg(long, default_value = TRADITIONAL, value_name = "EVALUATOR")]
    evaluator: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    depth: u32,
    hash: usize,
    evaluator: String,
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
pub fn run(args: &Args, _session: &Session) -> anyhow::Result<ExitCode> {
    let limits = Limits::to_depth(args.depth)?;
    let search = args.search.settings()?;
    let evaluator = factory(&args.evaluator)?;
    let (mut rows, mut time, mut printed) = (Vec::new(), Duration::ZERO, Ok(()));
    bench(&evaluator, search, limits, |searched| {
        time += searched.elapsed;
        let row = Row::of(&searched);
        if !args.json && printed.is_ok() {
            printed = print(&row.line());
        }
        rows.push(row);
    })?;
    printed?;
    let report = Report::of(args, search.transposition_mb, rows, time);
    print(&if args.json { serde_json::to_string_pretty(&report)? + "\n" } else { report.summary() })?;
    Ok(ExitCode::SUCCESS)
}

impl Row {
    fn of(searched: &Searched) -> Self {
        let best = searched.best.map(|mv| mv.to_string());
        Self { position: searched.fen, best, score: searched.score, nodes: searched.nodes }
    }

    fn line(&self) -> String {
        let best = self.best.as_deref().unwrap_or("none");
        format!("{:>12} {best} {:>8}  {}\n", self.nodes, self.score, self.position)
    }
}

impl Report {
    fn of(args: &Args, hash: usize, positions: Vec<Row>, time: Duration) -> Self {
        let signature = positions.iter().map(|row| row.nodes).sum();
        let seconds = time.as_secs_f64();
        let nodes_per_second = (signature as f64 / seconds.max(1e-9)) as u64;
        let evaluator = args.evaluator.clone();
        Self { depth: args.depth, hash, evaluator, positions, signature, seconds, nodes_per_second }
    }

    fn summary(&self) -> String {
        let Self { signature, seconds, nodes_per_second, .. } = self;
        format!("signature {signature}\nseconds {seconds:.3}\nnodes/s {nodes_per_second}\n")
    }
}
