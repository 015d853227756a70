//! `roughboard table build`: games → decision table.

use std::path::PathBuf;

use roughboard::features::FeatureSet;
use roughboard::features::board91::Board91;
use roughboard::features::tabulate::{DECISION, tabulate};
use roughboard::table::Layout;
use roughboard::train::PositionSet;

use super::output;
use super::session::Session;
use super::sources::GameSources;

/// The feature sets that can be tabulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Features {
    /// The 91 inputs of S1: the signed piece value on each point, and the side to move
    Board91,
}

/// Arguments of `table build`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    sources: GameSources,
    /// What describes a position
    #[arg(long, value_enum, default_value_t = Features::Board91)]
    features: Features,
    /// Plies at the beginning of each game that are left out
    #[arg(long, default_value_t = 0, value_name = "N")]
    skip_plies: usize,
    /// Table to write, .parquet or .csv: one row a position, with its count for each result
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<()> {
    let games = args.sources.read(session)?;
    let Features::Board91 = args.features;
    let set = PositionSet::from_records(&games.records, &Board91, args.skip_plies);
    let table = tabulate(&Board91.attributes(), set.rows(0..set.len()).iter(), set.results())?;
    table.write(&args.out, Layout::Merged)?;
    output::print(&format!(
        "{} games, {} positions, {} attributes, decision `{DECISION}`: {}\n",
        games.records.len(),
        table.total_weight(),
        table.n_attributes(),
        args.out.display()
    ))
}
