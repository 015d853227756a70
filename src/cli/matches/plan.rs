//! `roughboard match plan`: how many games a match needs.

use std::process::ExitCode;

use super::output;

/// Arguments of `match plan`.
#[derive(clap::Args)]
pub struct Args {
    /// The difference that the match is to show, in Elo
    #[arg(long, value_name = "ELO")]
    elo: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    output::print(&format!("{}\n", args.elo))?;
    Ok(ExitCode::SUCCESS)
}
