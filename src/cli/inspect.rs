//! `roughboard inspect`: what a rough network does on the positions of games.

use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use roughboard::eval::Catalogue;
use roughboard::net::Net;
use roughboard::net::RoughNet;
use roughboard::net::store::{self, About};
use roughboard::runs::training::DiagnosisReport;
use roughboard::train::PositionSet;

use super::output;
use super::rules::game_called;
use super::session::Session;
use super::sources::GameSources;

/// Arguments of `inspect`.
#[derive(ClapArgs)]
pub struct Args {
    /// The network: a file, or the folder of a run
    #[arg(value_name = "NET")]
    net: PathBuf,
    #[command(flatten)]
    sources: GameSources,
    /// The network before training; a run keeps it in its folder as diagnosis/initial.safetensors
    #[arg(long, value_name = "NET")]
    before: Option<PathBuf>,
    /// Plies at the beginning of each game whose positions are not used
    #[arg(long, default_value_t = 10, value_name = "N")]
    skip_plies: usize,
    /// Sharpest factors to list
    #[arg(long, default_value_t = super::train::SHARPEST, value_name = "N")]
    top: usize,
    /// Folder to write the report to, with one CSV file a table
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, session: &Session) -> anyhow::Result<()> {
    let (net, about) = load(&args.net)?;
    roughboard::by_game!(game_called(&about.game)?, G => inspect::<G>((&net, &about), args, session))
}

fn inspect<G: Catalogue>((net, about): (&RoughNet, &About), args: &Args, session: &Session) -> anyhow::Result<()> {
    let before = args.before.as_deref().map(load).transpose()?;
    let features = G::features(&about.features)?;
    let set = PositionSet::from_records(&args.sources.read::<G>(session)?.records, &features, args.skip_plies);
    anyhow::ensure!(!set.is_empty(), "no game has a position from ply {} on", args.skip_plies);
    let before = before.as_ref().map(|(net, _)| net);
    let report = DiagnosisReport::of::<G>((net, before), &set, (&features, about), args.top);
    if let Some(folder) = &args.out {
        report.write(folder)?;
    }
    if args.json { output::print_json(&report) } else { output::print(&report.to_text()) }
}

fn load(path: &Path) -> anyhow::Result<(RoughNet, About)> {
    match store::load(path)? {
        (Net::Rough(net), about) => Ok((net, about)),
        (Net::Dense(_), _) => anyhow::bail!("`{}` is a plain network: expected a rough one", path.display()),
        (Net::Tree(_), _) => anyhow::bail!("`{}` is a decision tree: expected a rough network", path.display()),
    }
}
