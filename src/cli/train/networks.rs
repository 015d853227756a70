//! `roughboard train bp|td`: plain networks from game records.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use roughboard::experiment::learn::{BpConfig, Predecessor, TdConfig};
use roughboard::net::dense::DenseShape;
use roughboard::train::{Schedule, TdSettings, UpdateForm, UpdateTime};

use super::common::{Common, Minibatch, Name, hidden, quick};
use crate::cli::session::Session;

/// Arguments of `train bp`.
#[derive(ClapArgs)]
pub struct BpArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    minibatch: Minibatch,
    /// Hidden neurons
    #[arg(long, default_value_t = hidden(), value_name = "N")]
    hidden: usize,
}

/// Arguments of `train td`.
#[derive(ClapArgs)]
pub struct TdArgs {
    #[command(flatten)]
    common: Common,
    /// Hidden neurons
    #[arg(long, default_value_t = hidden(), value_name = "N")]
    hidden: usize,
    /// Go on from the weights of this network, written by `train td` or `train bp`, instead of random ones
    #[arg(long, value_name = "NET", conflicts_with = "hidden")]
    init: Option<PathBuf>,
    /// Learning rate α
    #[arg(long, default_value_t = quick().td.training.alpha.first, value_name = "A")]
    alpha: f64,
    /// Trace decay λ
    #[arg(long, default_value_t = quick().td.training.lambda, value_name = "L")]
    lambda: f64,
    /// Compute the update by eq. (4) of S5 (the same update, faster) instead of eq. (2)
    #[arg(long)]
    by_errors: bool,
}

/// Runs `train bp`.
pub fn bp(args: &BpArgs, session: &Session) -> anyhow::Result<()> {
    let common = &args.common;
    let training = args.minibatch.settings(common.passes);
    let config = BpConfig { network: DenseShape::one_layer(args.hidden), training };
    config.check()?;
    let folder = common.check()?;
    let data = common.data(session)?;
    let run = common.open(folder, Name { short: "bp", title: "BP" }, &data, &config)?;
    common.learn(&run, config.start(&data), &data, session)
}

impl TdArgs {
    fn config(&self) -> TdConfig {
        let training = TdSettings {
            passes: self.common.passes,
            alpha: Schedule::constant(self.alpha),
            lambda: self.lambda,
            update: UpdateTime::Game,
            form: if self.by_errors { UpdateForm::Errors } else { UpdateForm::Traces },
            patience: None,
        };
        TdConfig { network: DenseShape::one_layer(self.hidden), training }
    }
}

/// Runs `train td`.
pub fn td(args: &TdArgs, session: &Session) -> anyhow::Result<()> {
    let (common, config) = (&args.common, args.config());
    config.check()?;
    common.positions.require_results()?;
    let predecessor = args.init.as_deref().map(Predecessor::load).transpose()?;
    let folder = common.check()?;
    let data = common.data(session)?;
    let checksum = predecessor.as_ref().map(Predecessor::checksum);
    let run = common.open(folder, Name { short: "td", title: "TD(λ)" }, &data, &(&config, checksum))?;
    let (mut beginning, training) = config.start(&data);
    if let Some(predecessor) = predecessor {
        beginning = predecessor.take_over(&data, beginning)?;
    }
    common.learn(&run, (beginning, training), &data, session)
}
