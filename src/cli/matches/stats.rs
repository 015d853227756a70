//! `roughboard match stats`: figures from counts of results.

use std::process::ExitCode;

use roughboard::stats::Wdl;

use super::output;

/// Arguments of `match stats`.
#[derive(clap::Args)]
pub struct Args {
    /// Games won, drawn and lost
    #[arg(long, num_args = 1..=3, value_delimiter = ',', required = true, value_names = ["W", "D", "L"])]
    wdl: Vec<u64>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let [wins, draws, losses] = args.wdl[..] else {
        anyhow::bail!("`--wdl` takes three counts, got {}", args.wdl.len())
    };
    output::print(&format!("{}\n", Wdl::new(wins, draws, losses).elo()))?;
    Ok(ExitCode::SUCCESS)
}
