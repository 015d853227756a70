//! `roughboard train bp|td`: plain networks from game records.

use clap::{Args as ClapArgs, ValueEnum};
use roughboard::runs::training::{BpConfig, RunName, TdConfig};
use roughboard::settings::SettingError;
use roughboard::train::{TdSettings, UpdateForm, UpdateTime};

use super::common::{Common, Layers, Minibatch, ScheduleArgs, Trained, learn};
use super::play;
use crate::cli::session::Session;

/// Arguments of `train bp`.
#[derive(ClapArgs)]
pub struct BpArgs {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    minibatch: Minibatch,
    #[command(flatten)]
    layers: Layers,
}

/// Arguments of `train td`.
#[derive(ClapArgs)]
pub struct TdArgs {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    layers: Layers,
    #[command(flatten)]
    schedule: ScheduleArgs,
    /// Learning rate α at the beginning
    #[arg(long = "alpha", id = "alpha.first", default_value_t = TdSettings::default().alpha.first, value_name = "A")]
    alpha: f64,
    /// Learning rate α at the end; that of the beginning if left out
    #[arg(long = "final-alpha", id = "alpha.last", value_name = "A")]
    final_alpha: Option<f64>,
    /// When the weights move: after each game, as in S5, or after each move
    #[arg(long, value_enum, default_value_t = UpdateName::Game)]
    update: UpdateName,
    /// Trace decay λ
    #[arg(long, default_value_t = TdSettings::default().lambda, value_name = "L")]
    lambda: f64,
    /// Compute the update by eq. (4) of S5 (the same update, faster) instead of eq. (2)
    #[arg(long)]
    by_errors: bool,
    #[command(flatten)]
    searching: play::Args,
}

/// When TD(λ) changes the weights, as the command line spells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum UpdateName {
    /// After each game, by the sum over its moves
    Game,
    /// After each move
    Move,
}

/// Runs `train bp`.
pub fn bp<G: Trained>(args: &BpArgs, session: &Session) -> anyhow::Result<()> {
    let common = &args.common;
    let training = args.minibatch.settings(common.passes)?;
    let config = BpConfig { network: args.layers.shape()?, training };
    config.check()?;
    common.check::<G>()?;
    let data = common.data::<G>(session)?;
    let run = common.open(RunName { method: "bp", title: "Learning curve: BP" }, &data, &config)?;
    learn(&run, config.start(&data), &data, session)
}

impl TdArgs {
    fn config(&self) -> Result<TdConfig, SettingError> {
        let training = TdSettings {
            passes: self.common.passes,
            alpha: self.schedule.schedule(self.alpha, self.final_alpha.unwrap_or(self.alpha)),
            lambda: self.lambda,
            update: match self.update {
                UpdateName::Game => UpdateTime::Game,
                UpdateName::Move => UpdateTime::Move,
            },
            form: if self.by_errors { UpdateForm::Errors } else { UpdateForm::Traces },
            patience: self.schedule.patience,
        };
        let config = TdConfig { network: self.layers.shape()?, training };
        config.check()?;
        Ok(config)
    }
}

/// Runs `train td`.
pub fn td<G: Trained>(args: &TdArgs, session: &Session) -> anyhow::Result<()> {
    let (common, config) = (&args.common, args.config()?);
    common.positions.require_results()?;
    if let Some(source) = args.searching.source::<G>()? {
        return play::train::<G>(source, config, common, session);
    }
    common.check::<G>()?;
    let data = common.data::<G>(session)?;
    let run = common.open(RunName { method: "td", title: "Learning curve: TD(λ)" }, &data, &config)?;
    learn(&run, config.start(&data), &data, session)
}
