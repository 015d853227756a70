//! Ways of learning that experiments compare: their settings, and what their repetitions gave.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

use crate::net::rough::RoughSettings;
use crate::runs::training::{
    self, BaselinePlan, Data, DataSettings, Initialisation, LearnError, Learned, RoughPlan, RuleConfig, Training,
};
use crate::runs::{Figure, Repetition, mean_and_sd};
use crate::settings::{SettingError, require, require_in, within};
use crate::train::models::Model;
use crate::train::{CurvePoint, SupervisedSettings, TdSettings, TrainingContext};

/// Settings of all methods that are compared on the same split of the games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MethodSettings {
    /// Seeds of initial weights and order of the positions.
    pub seeds: Vec<u64>,
    /// Seed of the split of the games.
    pub split_seed: u64,
    /// Share of the games held out, in (0, 1).
    pub held_out: f64,
    /// Plies at the beginning of each game whose positions are not used.
    pub skip_plies: usize,
    /// How many games of the database are used, from the first on; all of them if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_games: Option<usize>,
    /// Hidden neurons of the plain networks of S5.
    pub hidden: Vec<usize>,
    /// Hidden neurons of the plain network with an input for each value.
    pub one_hot: usize,
    /// Training of the plain networks by back-propagation.
    pub bp: SupervisedSettings,
    /// Which rules the rough networks are made of.
    pub rules: RuleConfig,
    /// The default form of the rough network.
    pub rough: RoughSettings,
    /// Training of the rough networks.
    pub rough_training: SupervisedSettings,
    /// Training by TD(λ).
    pub td: TdSettings,
}

impl MethodSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require((1..=100).contains(&self.seeds.len()), "seeds", "1 to 100 of them", self.seeds.len())?;
        check_different("seeds", &self.seeds)?;
        require(self.max_games != Some(0), "max_games", "at least 1", 0)?;
        check_hidden(&self.hidden)?;
        require_in("one_hot", 1..=1024, self.one_hot)?;
        self.data("", 1).check()?;
        within("bp", self.bp.check())?;
        within("rules", self.rules.check())?;
        within("rough", self.rough.check())?;
        within("rough_training", self.rough_training.check())?;
        within("td", self.td.check())
    }

    /// How records become positions that the feature set `features` describes, with `curve_points` measurements in each pass.
    pub fn data(&self, features: &str, curve_points: usize) -> DataSettings {
        let settings = DataSettings::from_ply(self.skip_plies, self.held_out, curve_points);
        DataSettings { features: features.to_owned(), ..settings }
    }

    /// The rough network that the settings describe, over all attributes.
    pub fn rough_plan(&self) -> RoughPlan {
        RoughPlan::new(&self.rules, &self.rough, &self.rough_training)
    }
}

/// Checks the sizes of hidden layers that are compared.
///
/// # Errors
/// When one is outside its range, or there twice.
pub fn check_hidden(sizes: &[usize]) -> Result<(), SettingError> {
    let are_fine = sizes.iter().all(|size| (1..=1024).contains(size)) && repeated(sizes).is_none();
    require(are_fine, "hidden", "different numbers in [1, 1024]", format!("{sizes:?}"))
}

/// The first value that stands in a list already.
fn repeated<T: PartialEq>(values: &[T]) -> Option<&T> {
    values.iter().enumerate().find(|&(at, value)| values[..at].contains(value)).map(|(_, value)| value)
}

/// Checks that the list of the setting `setting` holds nothing twice: it would be trained or played, and counted, twice.
///
/// # Errors
/// For the first value that stands in the list already.
pub fn check_different<T: PartialEq + Display>(setting: &str, values: &[T]) -> Result<(), SettingError> {
    let twice = |value: &T| Err(SettingError::value(setting, "all different", format!("{value} twice")));
    repeated(values).map_or(Ok(()), twice)
}

/// Learns by the seed of the data that it is given.
pub type Learn<'a> = Box<dyn Fn(&Data, TrainingContext<'_>) -> Result<Learned, LearnError> + 'a>;

/// The training of what `start` gives, called `name` in messages.
pub fn trained<'a>(name: &str, start: impl Fn(&Data) -> (Initialisation, Training) + 'a) -> Learn<'a> {
    let name = name.to_owned();
    Box::new(move |data, context| {
        let (beginning, training) = start(data);
        training::learn(data, beginning, &training, &name, context)
    })
}

/// A model of linfa, fitted to as many positions as are usual.
pub fn fitted(model: Model) -> Learn<'static> {
    let plan = BaselinePlan { max_objects: model.default_max_objects(), model };
    Box::new(move |data, context| plan.fit(data, context.observer))
}

/// The repetitions of one method.
pub(crate) struct Trials {
    /// The method.
    pub name: String,
    /// One a seed.
    pub repetitions: Vec<Repetition>,
}

impl Trials {
    /// Every measurement, with the seed of its repetition; the repetitions are those of `seeds`.
    pub fn points(&self, seeds: &[u64]) -> impl Iterator<Item = (u64, &CurvePoint)> {
        let curves = seeds.iter().zip(&self.repetitions);
        curves.flat_map(|(&seed, one)| one.curve.iter().map(move |point| (seed, point)))
    }

    /// The held-out error at the end of each repetition.
    pub(crate) fn last_errors(&self) -> Vec<f64> {
        self.repetitions.iter().filter_map(|one| one.curve.last()).map(|point| point.held_out_mse).collect()
    }

    /// Their mean.
    pub fn figure(&self) -> Figure {
        (format!("mse {}", self.name), mean_and_sd(&self.last_errors()).0)
    }

    /// Seconds of each repetition.
    pub fn seconds(&self) -> Vec<f64> {
        self.repetitions.iter().map(|one| one.seconds).collect()
    }

    /// The first repetition: what it has in common with the others, such as the number of weights.
    pub fn first(&self) -> Option<&Repetition> {
        self.repetitions.first()
    }
}
