//! The settings of experiment S1.

use serde::{Deserialize, Serialize};

use crate::experiment::contest::MatchConfig;
use crate::net::dense::DenseShape;
use crate::net::optimiser::OptimiserKind;
use crate::net::rough::RoughSettings;
use crate::runs::training::{BpConfig, RuleConfig, TdConfig};
use crate::search::SearchSettings;
use crate::settings::{SettingError, require, within};
use crate::train::{Schedule, SupervisedSettings, TdSettings, UpdateForm, UpdateTime};

/// All settings of a run of S1; written as `config.toml` beside the results, and read back from there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct S1Config {
    /// Seed of every random draw.
    pub seed: u64,
    /// Plies at the beginning of each game whose positions are not used: they are the same in most games.
    pub skip_plies: usize,
    /// Share of the games that is held out to measure the error, in (0, 1).
    pub held_out: f64,
    /// Numbers of training games at which the rough network is built, trained and played, in ascending order.
    /// A database that is too small for the last takes the same shares of what it has.
    pub stages: Vec<usize>,
    /// Measurements of the learning curve in each pass.
    pub curve_points: usize,
    /// Whether BP and TD(λ) learn from the games of every stage and not from those of the last alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub every_stage: bool,
    /// How many games of the database are used, from the first on; all of them if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_games: Option<usize>,
    /// Which rules become neurons.
    pub rules: RuleConfig,
    /// The form of the rough network.
    pub rough: RoughSettings,
    /// Training of the rough network.
    pub rough_training: SupervisedSettings,
    /// The plain network trained by back-propagation.
    pub bp: BpConfig,
    /// The network trained by TD(λ).
    pub td: TdConfig,
    /// The matches.
    pub matches: MatchConfig,
}

impl S1Config {
    /// The quick profile, which `train` takes its defaults from: the settings of `rnn-xiangqi.toml`, as a test checks.
    #[must_use]
    pub fn quick(seed: u64) -> Self {
        let adam = SupervisedSettings {
            passes: 4,
            batch: 512,
            optimiser: OptimiserKind::Adam,
            rate: Schedule::exponential(3e-3, 3e-4),
            patience: None,
        };
        Self {
            seed,
            skip_plies: 10,
            held_out: 0.25,
            stages: vec![2000, 4000, 6000],
            curve_points: 4,
            every_stage: false,
            max_games: None,
            rules: RuleConfig::default(),
            rough: RoughSettings::default(),
            rough_training: adam.clone(),
            bp: BpConfig { network: DenseShape::one_layer(100), training: adam },
            td: TdConfig {
                network: DenseShape::one_layer(100),
                training: TdSettings {
                    passes: 4,
                    alpha: Schedule::constant(3e-4),
                    lambda: 0.95,
                    update: UpdateTime::Game,
                    form: UpdateForm::Traces,
                    patience: None,
                },
            },
            matches: MatchConfig {
                games: 100,
                depth: 3,
                opening_plies: 10,
                max_plies: 200,
                search: SearchSettings { transposition_mb: 1, ..SearchSettings::default() },
            },
        }
    }

    /// Checks every range.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require(self.held_out > 0.0 && self.held_out < 1.0, "held_out", "in (0, 1)", self.held_out)?;
        let ascending = !self.stages.is_empty() && self.stages.windows(2).all(|pair| pair[0] < pair[1]);
        let bounded = ascending && self.stages[0] > 0 && self.stages.iter().all(|&games| games <= 10_000_000);
        let stages = format!("{:?}", self.stages);
        require(bounded, "stages", "numbers of games in ascending order, in [1, 10000000]", stages)?;
        require((1..=1000).contains(&self.curve_points), "curve_points", "in [1, 1000]", self.curve_points)?;
        require(self.max_games != Some(0), "max_games", "at least 1", 0)?;
        within("rules", self.rules.check())?;
        within("rough", self.rough.check())?;
        within("rough_training", self.rough_training.check())?;
        within("bp", self.bp.check())?;
        within("td", self.td.check())?;
        within("matches", self.matches.check())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::config;

    #[test]
    fn the_quick_profile_is_that_of_the_file() {
        let text = include_str!("../rnn-xiangqi.toml");
        let table = config::profile("rnn-xiangqi", text, config::QUICK).unwrap();
        assert_eq!(table.try_into::<S1Config>().unwrap(), S1Config::quick(1));
    }
}
