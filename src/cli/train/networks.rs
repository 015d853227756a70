//! `roughboard train rough|bp|td`: networks from game records.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use roughboard::experiment::learn::{self, BpConfig, Knowledge, Predecessor, RoughPlan, RuleConfig, TdConfig};
use roughboard::net::rough::RoughSettings;
use roughboard::train::{TdSettings, UpdateForm};

use super::common::{Common, Minibatch, Name, quick};
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
    #[arg(long, default_value_t = quick().bp.hidden, value_name = "N")]
    hidden: usize,
}

/// Arguments of `train td`.
#[derive(ClapArgs)]
pub struct TdArgs {
    #[command(flatten)]
    common: Common,
    /// Hidden neurons
    #[arg(long, default_value_t = quick().bp.hidden, value_name = "N")]
    hidden: usize,
    /// Go on from the weights of this network, written by `train td` or `train bp`, instead of random ones
    #[arg(long, value_name = "NET", conflicts_with = "hidden")]
    init: Option<PathBuf>,
    /// Learning rate α
    #[arg(long, default_value_t = quick().td.training.alpha, value_name = "A")]
    alpha: f64,
    /// Trace decay λ
    #[arg(long, default_value_t = quick().td.training.lambda, value_name = "L")]
    lambda: f64,
    /// Compute the update by eq. (4) of S5 (the same update, faster) instead of eq. (2)
    #[arg(long)]
    by_errors: bool,
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
    let name = Name { short: "rough", title: "rough network" };
    let mut run = common.open(folder, name, &data, &plan)?;
    let knowledge = Knowledge::of(&data, &plan, &session.progress)?;
    let learned = learn::rough(&data, (&knowledge, &plan), name.short, run.keeping(), &session.progress);
    common.finish(&run, learned, &data)
}

/// Runs `train bp`.
pub fn bp(args: &BpArgs, session: &Session) -> anyhow::Result<()> {
    let common = &args.common;
    let config = BpConfig { hidden: args.hidden, training: args.minibatch.settings(common.passes) };
    config.check()?;
    let folder = common.check()?;
    let data = common.data(session)?;
    let name = Name { short: "bp", title: "BP" };
    let mut run = common.open(folder, name, &data, &config)?;
    let learned = learn::bp(&data, &config, name.short, run.keeping(), &session.progress);
    common.finish(&run, learned, &data)
}

impl TdArgs {
    fn training(&self) -> TdSettings {
        TdSettings {
            passes: self.common.passes,
            alpha: self.alpha,
            lambda: self.lambda,
            form: if self.by_errors { UpdateForm::Errors } else { UpdateForm::Traces },
        }
    }
}

/// Runs `train td`.
pub fn td(args: &TdArgs, session: &Session) -> anyhow::Result<()> {
    let common = &args.common;
    let mut config = TdConfig { hidden: args.hidden, training: args.training() };
    config.check()?;
    let predecessor = args.init.as_deref().map(Predecessor::load).transpose()?;
    let folder = common.check()?;
    let data = common.data(session)?;
    let name = Name { short: "td", title: "TD(λ)" };
    let progress = &session.progress;
    let Some(predecessor) = predecessor else {
        let mut run = common.open(folder, name, &data, &config)?;
        let learned = learn::td(&data, &config, name.short, run.keeping(), progress);
        return common.finish(&run, learned, &data);
    };
    config.hidden = predecessor.n_hidden();
    let mut run = common.open(folder, name, &data, &(&config, predecessor.checksum()))?;
    let learned = learn::td_from(predecessor, &data, &config, name.short, run.keeping(), progress);
    common.finish(&run, learned, &data)
}
