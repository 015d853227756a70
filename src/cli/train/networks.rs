//! `roughboard train bp|td`: plain networks from game records.

use clap::Args as ClapArgs;
use roughboard::eval::Catalogue;
use roughboard::net::dense::DenseShape;
use roughboard::runs::training::{BpConfig, RunName, TdConfig, Training};
use roughboard::train::TdSettings;

use super::common::{Common, Minibatch, learn, steady_unless_told};
use super::{play, positions};
use crate::cli::session::Session;
use crate::cli::settings::{Of, usual};

/// Arguments of `train bp`.
#[derive(ClapArgs)]
pub struct BpArgs {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    minibatch: Minibatch,
    #[command(flatten, next_help_heading = "Layers")]
    layers: Of<DenseShape>,
}

/// Arguments of `train td`.
#[derive(ClapArgs)]
#[command(mut_arg("alpha.last", |arg| usual(arg, "that of the beginning")))]
#[command(mut_args(positions::without_targets))]
pub struct TdArgs {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten, next_help_heading = "Layers")]
    layers: Of<DenseShape>,
    #[command(flatten, next_help_heading = "Training")]
    training: Of<TdSettings>,
    #[command(flatten)]
    searching: play::Searching,
}

/// Runs `train bp`.
pub fn bp<G: Catalogue>(args: &BpArgs, session: &Session) -> anyhow::Result<()> {
    let common = &args.common;
    let config = BpConfig { network: args.layers.read()?, training: args.minibatch.settings()? };
    config.check()?;
    let name = RunName { method: "bp", title: "Learning curve: BP" };
    let Some((run, data, _)) = common.open::<G>(name, &config, session)? else { return Ok(()) };
    learn(&run, config.start(&data, Training::Supervised), &data, session)
}

/// Runs `train td`.
pub fn td<G: Catalogue>(args: &TdArgs, session: &Session) -> anyhow::Result<()> {
    let (common, mut training) = (&args.common, args.training.read()?);
    steady_unless_told(&args.training, "alpha", &mut training.alpha)?;
    let config = TdConfig { network: args.layers.read()?, training };
    config.check()?;
    // It steps from value to value towards the result.
    common.run.positions.require_results("TD(λ)")?;
    if let Some(source) = args.searching.source::<G>()? {
        return args.searching.train::<G>(source, config, common, session);
    }
    let name = RunName { method: "td", title: "Learning curve: TD(λ)" };
    let Some((run, data, _)) = common.open::<G>(name, &config, session)? else { return Ok(()) };
    learn(&run, config.start(&data, Training::Td), &data, session)
}
