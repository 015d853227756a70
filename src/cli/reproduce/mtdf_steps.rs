//! `roughboard reproduce mtdf-steps`: MTD(f) with the three steps of S2.

use std::path::PathBuf;
use std::process::ExitCode;

use roughboard::experiment::mtdf_steps::{self, MtdfStepsConfig};

use super::{GameSources, Session, output};

/// Arguments of `reproduce mtdf-steps`.
#[derive(clap::Args)]
pub struct Args {
    /// How many positions are searched, 2 to 100000
    #[arg(long, default_value_t = MtdfStepsConfig::default().positions, value_name = "N")]
    positions: usize,
    /// Depth of the searches with all heuristics, in plies, 1 to 20
    #[arg(long, default_value_t = MtdfStepsConfig::default().depth, value_name = "D")]
    depth: u32,
    /// Depth of the searches with nothing on that changes a value, in plies, 1 to 20
    #[arg(long, default_value_t = MtdfStepsConfig::default().exact_depth, value_name = "D")]
    exact_depth: u32,
    /// The fixed step, in points, 1 to 1000000
    #[arg(long, default_value_t = MtdfStepsConfig::default().step, value_name = "S")]
    step: u32,
    /// Folder to write to
    #[arg(long, default_value = "results/mtdf-steps", value_name = "DIR")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    let config = MtdfStepsConfig {
        seed: session.seed,
        positions: args.positions,
        exact_depth: args.exact_depth,
        depth: args.depth,
        step: args.step,
        ..MtdfStepsConfig::default()
    };
    let games = GameSources::of(Vec::new()).read(session)?;
    let source = (games.records.as_slice(), games.inputs.as_slice());
    let tables = mtdf_steps::run(&config, source, &args.out, &session.progress)?;
    let text: String = tables.iter().map(|table| table.to_text() + "\n").collect();
    output::print(&format!(
        "{text}files: {} (tables.md, times.md, exact.csv, heuristics.csv, *.svg, config.toml, manifest.json)\n",
        args.out.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}
