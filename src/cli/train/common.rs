//! What training any network needs: games, how to measure, and the folder of the run.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use roughboard::net::dense::{ActivationFunction, DenseShape, InputForm};
use roughboard::net::optimiser::OptimiserKind;
use roughboard::net::store::IN_FOLDER;
use roughboard::record::GameRecord;
use roughboard::runs::training::{
    self, CURVE, Data, DataSettings, Initialisation, Learnable, Learned, RunName, Training, TrainingRun, TrainingTarget,
};
use roughboard::settings::{SettingError, require};
use roughboard::train::baseline::Baselines;
use roughboard::train::{Schedule, ScheduleShape, SupervisedSettings};
use serde::Serialize;

use super::positions;
use crate::cli::folder::StartOptions;
use crate::cli::output;
use crate::cli::rules::{PlayedRules, Supplied};
use crate::cli::session::Session;
use crate::cli::sources::GameSources;

/// What training any network needs.
#[derive(ClapArgs)]
pub struct Common {
    /// The game
    #[arg(long, value_enum, default_value_t)]
    pub game: PlayedRules,
    #[command(flatten)]
    sources: GameSources,
    /// Folder to make for the run: network, learning curve (table, picture, TensorBoard events), manifest
    #[arg(long, value_name = "RUN")]
    out: PathBuf,
    #[command(flatten)]
    start: StartOptions,
    /// Share of the games held out to measure the error
    #[arg(long, default_value_t = DataSettings::default().held_out, value_name = "SHARE")]
    held_out: f64,
    #[command(flatten)]
    pub positions: positions::Args,
    /// Passes over the training positions
    #[arg(long, default_value_t = SupervisedSettings::default().passes, value_name = "N")]
    pub passes: usize,
    /// Measurements of the error in each pass
    #[arg(long, default_value_t = DataSettings::default().curve_points, value_name = "N")]
    curve_points: usize,
    /// Draw the learning curve as PNG too
    #[arg(long)]
    png: bool,
    /// Go on from the weights of this network instead of making one: a run's folder or a .safetensors file
    #[arg(long, value_name = "NET")]
    init: Option<PathBuf>,
}

/// How a step size changes, and when training stops early.
#[derive(ClapArgs)]
#[command(next_help_heading = "Schedule")]
pub struct ScheduleArgs {
    /// How the step size gets from its first to its last value
    #[arg(long, value_enum, default_value_t = ShapeName::Exponential, value_name = "SHAPE")]
    schedule: ShapeName,
    /// Share of the training during which the step size first grows from 0
    #[arg(long, default_value_t = 0.0, value_name = "SHARE")]
    warm_up: f64,
    /// Stop after this many measurements without a lower held-out error, and keep the weights of the lowest
    #[arg(long, value_name = "N")]
    pub patience: Option<usize>,
}

/// The shapes of schedules, as the command line spells them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ShapeName {
    /// The step size stays at its first value
    Constant,
    /// By equal differences
    Linear,
    /// By equal factors
    Exponential,
    /// Along half a cosine
    Cosine,
    /// As 1 / (1 + c · progress)
    Inverse,
}

impl ScheduleArgs {
    /// The schedule from `first` to `last`.
    pub fn schedule(&self, first: f64, last: f64) -> Schedule {
        let shape = match self.schedule {
            ShapeName::Constant => ScheduleShape::Constant,
            ShapeName::Linear => ScheduleShape::Linear,
            ShapeName::Exponential => ScheduleShape::Exponential,
            ShapeName::Cosine => ScheduleShape::Cosine,
            ShapeName::Inverse => ScheduleShape::Inverse,
        };
        Schedule { first, last, shape, warm_up: self.warm_up }
    }
}

/// Training on single positions.
#[derive(ClapArgs)]
pub struct Minibatch {
    /// Positions a weight update; 1 with `--optimiser sgd` is online gradient descent
    #[arg(long, default_value_t = SupervisedSettings::default().batch, value_name = "N")]
    batch: usize,
    /// How a gradient becomes a step
    #[arg(long, value_enum, default_value_t = OptimiserName::Adam)]
    optimiser: OptimiserName,
    /// Share of the last step that stochastic gradient descent repeats
    #[arg(long, default_value_t = 0.0, value_name = "SHARE")]
    momentum: f64,
    /// Step size at the beginning
    #[arg(long = "rate", id = "rate.first", default_value_t = SupervisedSettings::default().rate.first, value_name = "R")]
    rate: f64,
    /// Step size at the end
    #[arg(long = "final-rate", id = "rate.last", default_value_t = SupervisedSettings::default().rate.last, value_name = "R")]
    final_rate: f64,
    #[command(flatten)]
    schedule: ScheduleArgs,
}

/// The optimisers, as the command line spells them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OptimiserName {
    /// Adam (Kingma and Ba, 2015)
    Adam,
    /// Stochastic gradient descent, with --momentum if asked for
    Sgd,
}

impl Minibatch {
    /// The settings of that many passes.
    pub fn settings(&self, passes: usize) -> Result<SupervisedSettings, SettingError> {
        let is_sgd = self.optimiser == OptimiserName::Sgd;
        require(is_sgd || self.momentum == 0.0, "--momentum", "left out unless with `--optimiser sgd`", self.momentum)?;
        let optimiser = match self.optimiser {
            OptimiserName::Adam => OptimiserKind::Adam,
            OptimiserName::Sgd => OptimiserKind::Sgd { momentum: self.momentum },
        };
        let rate = self.schedule.schedule(self.rate, self.final_rate);
        Ok(SupervisedSettings { passes, batch: self.batch, optimiser, rate, patience: self.schedule.patience })
    }
}

/// A game that networks can learn from files of games, or from those that come with the program.
pub trait Trained: Learnable + Supplied {}

impl<G: Learnable + Supplied> Trained for G {}

/// The layers of a plain network.
#[derive(ClapArgs)]
#[command(next_help_heading = "Layers")]
pub struct Layers {
    /// Neurons of each hidden layer, such as 100 or 64,16; `none` for a network without
    #[arg(long, default_value_t = hidden(), value_name = "N,N…")]
    hidden: String,
    /// Function of the hidden layers
    #[arg(long, value_enum, default_value_t = ActivationName::Tanh)]
    activation: ActivationName,
    /// Give each value of an attribute weights of its own, instead of one number an attribute
    #[arg(long)]
    one_hot: bool,
}

/// The functions of hidden layers, as the command line spells them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ActivationName {
    /// The hyperbolic tangent, as in S1 and S5
    Tanh,
    /// The logistic function
    Sigmoid,
    /// max(x, 0)
    Relu,
}

impl Layers {
    /// The shape, checked.
    pub fn shape(&self) -> Result<DenseShape, SettingError> {
        let neurons = |text: &str| text.trim().parse::<usize>().ok();
        let hidden = match self.hidden.as_str() {
            "none" => Some(Vec::new()),
            list => list.split(',').map(neurons).collect(),
        };
        let range = "numbers in [1, 1024] with commas between, or `none`";
        let hidden = hidden.ok_or_else(|| SettingError::value("hidden", range, &self.hidden))?;
        let activation = match self.activation {
            ActivationName::Tanh => ActivationFunction::Tanh,
            ActivationName::Sigmoid => ActivationFunction::Sigmoid,
            ActivationName::Relu => ActivationFunction::Relu,
        };
        let inputs = if self.one_hot { InputForm::OneHot } else { InputForm::Numbers };
        let shape = DenseShape { hidden, activation, inputs };
        shape.check()?;
        Ok(shape)
    }
}

impl Common {
    fn target(&self) -> TrainingTarget {
        let (folder, warm_start) = (self.out.clone(), self.init.clone());
        TrainingTarget { folder, start: self.start.start(), warm_start, png: self.png }
    }

    /// Checks these options and that the folder can be used, before any game is read; writes nothing.
    pub fn check<G: Trained>(&self) -> anyhow::Result<()> {
        self.settings::<G>()?;
        Ok(self.target().check()?)
    }

    /// Reads the games.
    pub fn data<G: Trained>(&self, session: &Session) -> anyhow::Result<Data> {
        Ok(self.data_and_games::<G>(session)?.0)
    }

    /// Reads the games; keeps them beside their positions.
    pub fn data_and_games<G: Trained>(&self, session: &Session) -> anyhow::Result<(Data, Vec<GameRecord<G>>)> {
        let settings = self.settings::<G>()?;
        positions::read(self.sources.read(session)?, settings, session)
    }

    /// How the games become positions.
    pub fn settings<G: Trained>(&self) -> Result<DataSettings, SettingError> {
        self.positions.settings::<G>(self.held_out, self.curve_points)
    }

    /// Makes the folder ready for a run with these `settings`.
    pub fn open<'a>(
        &self,
        name: RunName<'a>,
        data: &Data,
        settings: &impl Serialize,
    ) -> anyhow::Result<TrainingRun<'a>> {
        Ok(self.target().open(name, data, settings)?)
    }
}

/// Trains, writes what was learned, and prints the curve.
pub fn learn(
    run: &TrainingRun<'_>,
    (new, training): (Initialisation, Training),
    data: &Data,
    session: &Session,
) -> anyhow::Result<()> {
    let learned = run.learn((run.begin(new, data)?, training), data, &session.progress)?;
    finish(run, &learned, data, Vec::new())
}

/// Writes what was learned beside `others`, files that are in the folder already, and prints the curve.
pub fn finish(run: &TrainingRun<'_>, learned: &Learned, data: &Data, others: Vec<String>) -> anyhow::Result<()> {
    run.finish(learned, data, others)?;
    let [network, curve] = [IN_FOLDER, CURVE].map(|name| run.file(name));
    output::print(&format!(
        "{}\n{}\nnetwork: {}\ncurve:   {}\n",
        training::curve_table([learned]).to_text(),
        baselines(data),
        network.display(),
        curve.display()
    ))
}

/// The errors of the simplest predictors, in a line.
pub fn baselines(data: &Data) -> String {
    let Baselines { constant_mse, name, material_mse, .. } = data.baselines();
    format!("held-out mse of a constant {constant_mse:.4}, of {name} {material_mse:.4}")
}

/// Hidden neurons of a plain network.
fn hidden() -> String {
    let hidden = DenseShape::default().hidden;
    hidden.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}
