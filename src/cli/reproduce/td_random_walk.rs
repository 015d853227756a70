//! `roughboard reproduce td-random-walk`: TD(λ) on Sutton's bounded random walk.

use std::path::PathBuf;
use std::process::ExitCode;

use roughboard::experiment::td_random_walk::{self, RandomWalkConfig};

use super::{Session, output};

/// Arguments of `reproduce td-random-walk`.
#[derive(clap::Args)]
pub struct Args {
    /// Training sets, 2 to 100000
    #[arg(long, default_value_t = RandomWalkConfig::default().sets, value_name = "N")]
    sets: usize,
    /// Walks of each set, 1 to 1000
    #[arg(long, default_value_t = RandomWalkConfig::default().walks, value_name = "N")]
    walks: usize,
    /// Folder to write to
    #[arg(long, default_value = "results/td-random-walk", value_name = "DIR")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<ExitCode> {
    let config =
        RandomWalkConfig { seed: session.seed, sets: args.sets, walks: args.walks, ..RandomWalkConfig::default() };
    let tables = td_random_walk::run(&config, &args.out, &session.progress)?;
    // The whole grid of figure 4 is in its file.
    let text: String = [&tables[0], &tables[2]].into_iter().map(|table| table.to_text() + "\n").collect();
    output::print(&format!(
        "{text}files: {} (tables.md, figure-3.csv to figure-5.csv, *.svg, config.toml, manifest.json)\n",
        args.out.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}
