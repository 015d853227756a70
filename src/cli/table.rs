//! `roughboard table`: tables from games.

use roughboard::eval::Catalogue;
use roughboard::features::FeatureSet;
use roughboard::features::tabulate::{DECISION, Tabulation};
use roughboard::games::GameName;
use roughboard::record::Duplicates;
use roughboard::table::TABLE_ENDINGS;
use roughboard::train::PositionSet;

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
    let (mut merged, mut duplicates) = (Tabulation::new(features.attributes()), Duplicates::default());
    let games = args.sources.in_batches::<G>(session, |games| {
        games.iter().for_each(|game| _ = duplicates.add(game));
        let set = PositionSet::from_records(&games, &features, args.skip_plies);
        merged.add(set.rows(0..set.len()).iter(), set.results());
    })?;
    note_duplicates(&duplicates, games, Copies::Count);
    let table = merged.finish()?;
    table.write(&args.out)?;
    output::print(&format!(
        "{games} games, {} positions, {} attributes, decision `{DECISION}`: {}\n",
        table.total_weight(),
        table.n_attributes(),
        args.out.display()
    ))
}
