//! `roughboard reproduce inclusion-start`: what the start from inclusion degrees and the reduction of objects save.

use std::path::PathBuf;
use std::process::ExitCode;

use roughboard::experiment::inclusion_start::{self, InclusionStartConfig};

use super::{GameSources, Session, output};

/// Arguments of `reproduce inclusion-start`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    sources: GameSources,
    /// Seeds with which each method is trained, 1 to 100
    #[arg(long, default_value_t = 5, value_name = "N")]
    seeds: u64,
    /// Use only the first games of the database
    #[arg(long, value_name = "N")]
    max_games: Option<usize>,
    /// Folder to write to
    #[arg(long, default_value = "results/inclusion-start", value_name = "DIR")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    let mut config = InclusionStartConfig::new(session.seed);
    config.learning.seeds = (0..args.seeds.min(1000)).map(|index| session.seed.saturating_add(index)).collect();
    config.learning.max_games = args.max_games;
    config.check()?;
    let games = args.sources.read(session)?;
    let source = (games.records.as_slice(), games.inputs.as_slice());
    let tables = inclusion_start::run(&config, source, &args.out, &session.progress)?;
    let text: String = tables.iter().map(|table| table.to_text() + "\n").collect();
    output::print(&format!(
        "{text}files: {} (tables.md, passes.csv, reduction.csv, curves.csv, curves.svg, times.md, config.toml, \
         manifest.json)\n",
        args.out.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}
