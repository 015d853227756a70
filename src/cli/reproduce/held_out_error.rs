//! `roughboard reproduce held-out-error`: how well each method predicts the results of games that it has not seen.

use std::path::PathBuf;
use std::process::ExitCode;

use roughboard::experiment::held_out_error::{self, HeldOutErrorConfig};

use super::{GameSources, Session, output};

/// Arguments of `reproduce held-out-error`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    sources: GameSources,
    /// Seeds with which each method is trained, 1 to 100
    #[arg(long, default_value_t = 3, value_name = "N")]
    seeds: u64,
    /// Use only the first games of the database
    #[arg(long, value_name = "N")]
    max_games: Option<usize>,
    /// Folder to write to
    #[arg(long, default_value = "results/held-out-error", value_name = "DIR")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    let config = HeldOutErrorConfig {
        seeds: (0..args.seeds.min(1000)).map(|index| session.seed.saturating_add(index)).collect(),
        max_games: args.max_games,
        ..HeldOutErrorConfig::new(session.seed)
    };
    config.check()?;
    let games = args.sources.read(session)?;
    let source = (games.records.as_slice(), games.inputs.as_slice());
    let [errors, times] = held_out_error::run(&config, source, &args.out, &session.progress)?;
    output::print(&format!(
        "{}\n{}\nfiles: {} (tables.md, errors.csv, curves.csv, curves.svg, times.md, config.toml, manifest.json)\n",
        errors.to_text(),
        times.to_text(),
        args.out.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}
