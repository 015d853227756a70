//! `roughboard reproduce evaluation-terms`: the terms of the traditional evaluator, weighed in matches.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use roughboard::experiment::evaluation_terms::{self, EvaluationTermsConfig};

use super::{GameSources, Session, output};

/// Arguments of `reproduce evaluation-terms`.
#[derive(clap::Args)]
pub struct Args {
    /// Games of each match, even, 2 to 10000000
    #[arg(long, default_value_t = 400, value_name = "N")]
    games: usize,
    /// Search depth of both players, in plies, 1 to 20
    #[arg(long, default_value_t = 5, value_name = "D")]
    depth: u32,
    /// Folder to write to
    #[arg(long, default_value = "results/evaluation-terms", value_name = "DIR")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    let started = Instant::now();
    let config = EvaluationTermsConfig::new(session.seed, args.games, args.depth);
    let games = GameSources::of(Vec::new()).read(session)?;
    let source = (games.records.as_slice(), games.inputs.as_slice());
    let table = evaluation_terms::run(&config, source, &args.out, &session.progress)?;
    output::print(&format!(
        "{}\nfiles: {} (tables.md, matches.csv, games.csv, matches.svg, config.toml, manifest.json)\ncomputed in {:.0} s\n",
        table.to_text(),
        args.out.display(),
        started.elapsed().as_secs_f64()
    ))?;
    Ok(ExitCode::SUCCESS)
}
