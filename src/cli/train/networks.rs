//! `roughboard train rough|bp|td`: networks from game records.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use roughboard::experiment::learn::{BpConfig, Knowledge, Predecessor, RoughPlan, RuleConfig, TdConfig};
use roughboard::net::dense::DenseShape;
use roughboard::net::rough::RoughSettings;
use roughboard::train::play::Learning;
use roughboard::train::{Schedule, TdSettings, UpdateForm, UpdateTime};

use super::common::{Common, Minibatch, Name, hidden, quick};
use super::play;
use crate::cli::session::Session;

/// Arguments of `train rough`.
#[derive(ClapArgs)]
pub struct RoughArgs {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    minibatch: Minibatch,
    /// Rules, that is neurons of layer 3
    #[arg(long, default_value_t = quick().rules.number, value_name = "N")]
    rules: usize,
    /// Read only the attributes of a reduct instead of all
    #[arg(long)]
    reduct_only: bool,
    /// Start from random weights instead of inclusion degrees, as a control
    #[arg(long)]
    random_start: bool,
    /// Exponent τ of the product of inclusion degrees
    #[arg(long, default_value_t = quick().rough.tau, value_name = "T")]
    tau: f64,
    /// Smoothing of the inclusion degrees, in positions
    #[arg(long, default_value_t = quick().rough.smoothing, value_name = "S")]
    smoothing: f64,
    /// Factor on the logarithms of a rule's own conditions
    #[arg(long, default_value_t = quick().rough.sharpness, value_name = "F")]
    sharpness: f64,
}

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
    /// When the weights move
    #[arg(long, value_enum, default_value_t = Update::Game)]
    update: Update,
    #[command(flatten)]
    searching: play::Args,
}

/// When the weights move.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Update {
    /// After each game
    Game,
    /// After each move
    Move,
}

impl From<Update> for UpdateTime {
    fn from(update: Update) -> Self {
        match update {
            Update::Game => Self::Game,
            Update::Move => Self::Move,
        }
    }
}

impl RoughArgs {
    fn plan(&self) -> RoughPlan {
        RoughPlan {
            rules: RuleConfig { number: self.rules, ..quick().rules },
            form: RoughSettings { tau: self.tau, smoothing: self.smoothing, sharpness: self.sharpness },
            training: self.minibatch.settings(self.common.passes),
            reduct_only: self.reduct_only,
            random_start: self.random_start,
        }
    }
}

/// Runs `train rough`.
pub fn rough(args: &RoughArgs, session: &Session) -> anyhow::Result<()> {
    let (common, plan) = (&args.common, args.plan());
    plan.check()?;
    let folder = common.check()?;
    let data = common.data(session)?;
    let run = common.open(folder, Name { short: "rough", title: "rough network" }, &data, &plan)?;
    let knowledge = Knowledge::of(&data, &plan, &session.progress)?;
    common.learn(&run, plan.start(&data, &knowledge), &data, session)
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
            update: self.update.into(),
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
    if let Some(source) = args.searching.source()? {
        let TdSettings { alpha, lambda, update, .. } = config.training;
        let plan = play::Plan { network: config.network, learning: Learning { alpha, lambda, update }, predecessor };
        return play::train(source, plan, common, session);
    }
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
