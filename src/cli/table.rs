//! `roughboard table`: tables from games.

use anyhow::Context;
use roughboard::eval::Catalogue;
use roughboard::features::tabulate::DECISION;
use roughboard::games::GameName;
use roughboard::settings::counted;
use roughboard::table::TABLE_ENDINGS;
use roughboard::train::PositionTable;

use super::features::Features;
use super::output;
use super::session::Session;
use super::settings::named;
use super::sources::{Copies, GameSources, note_duplicates};
use super::targets::OutPath;

/// What `table` can do.
#[derive(clap::Subcommand)]
pub enum Command {
    /// The decision table of the positions of games
    Build(Args),
}

/// Arguments of `table build`.
#[derive(clap::Args)]
pub struct Args {
    /// The game
    #[arg(long, value_parser = named::<GameName>(), default_value_t)]
    pub game: GameName,
    #[command(flatten)]
    sources: GameSources,
    #[command(flatten)]
    features: Features,
    /// Plies at the beginning of each game that are left out
    #[arg(long, default_value_t = 0, value_name = "N")]
    skip_plies: usize,
    /// Table to write, .csv, .tsv or .parquet: one row a position, with its count for each result
    #[arg(long, value_parser = OutPath::file(TABLE_ENDINGS), value_name = "FILE")]
    out: OutPath,
}

/// Runs `table build`.
pub fn build<G: Catalogue>(args: &Args, session: &Session) -> anyhow::Result<()> {
    let features = G::features(&args.features.name::<G>()?)?;
    let mut positions = PositionTable::new(&features, args.skip_plies);
    let games = args.sources.each::<G>(session, |game| positions.add(game))?;
    note_duplicates(positions.duplicates(), games, Copies::Count);
    let none = || format!("`--skip-plies {}` leaves no position of {}", args.skip_plies, counted(games as u64, "game"));
    let table = if args.skip_plies > 0 { positions.finish().with_context(none)? } else { positions.finish()? };
    table.write(&args.out)?;
    output::print(&format!(
        "{games} games, {} positions, {} attributes, decision `{DECISION}`: {}\n",
        table.total_weight(),
        table.n_attributes(),
        args.out.display()
    ))
}
