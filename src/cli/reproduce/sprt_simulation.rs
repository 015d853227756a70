//! `roughboard reproduce sprt-simulation`: the error rates of the sequential test.

use std::path::PathBuf;
use std::process::ExitCode;

use roughboard::experiment::sprt_simulation::{self, SprtSimulationConfig};

use super::{Session, output};

/// Arguments of `reproduce sprt-simulation`.
#[derive(clap::Args)]
pub struct Args {
    /// Tests for each true difference, 100 to 10000000
    #[arg(long, default_value_t = SprtSimulationConfig::default().tests, value_name = "N")]
    tests: u64,
    /// The hypotheses, in Elo
    #[arg(long, num_args = 2, allow_negative_numbers = true, value_names = ["ELO0", "ELO1"], default_values_t = [0.0, 50.0])]
    sprt: Vec<f64>,
    /// The share of drawn games, in [0, 1)
    #[arg(long, default_value_t = SprtSimulationConfig::default().draws, value_name = "D")]
    draws: f64,
    /// The correlation of the scores of a pair's games
    #[arg(long, default_value_t = SprtSimulationConfig::default().correlation, allow_negative_numbers = true, value_name = "R")]
    correlation: f64,
    /// Folder to write to
    #[arg(long, default_value = "results/sprt-simulation", value_name = "DIR")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    let default = SprtSimulationConfig::default();
    let [elo0, elo1] = args.sprt[..] else { anyhow::bail!("`--sprt` takes two differences") };
    let &Args { tests, draws, correlation, .. } = args;
    let config = SprtSimulationConfig { seed: session.seed, tests, elo0, elo1, draws, correlation, ..default };
    let tables = sprt_simulation::run(&config, &args.out, &session.progress)?;
    let text: String = tables.iter().map(|table| table.to_text() + "\n").collect();
    output::print(&format!(
        "{text}files: {} (tables.md, rates.csv, rates.svg, games.svg, config.toml, manifest.json)\n",
        args.out.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}
