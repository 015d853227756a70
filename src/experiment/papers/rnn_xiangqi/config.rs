//! The settings of experiment S1.

use serde::{Deserialize, Serialize};

use crate::experiment::contest::MatchConfig;
use crate::net::rough::RoughSettings;
use crate::runs::training::{BpConfig, RuleConfig, TdConfig};
use crate::settings::{SettingError, require, within};
use crate::train::SupervisedSettings;

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
