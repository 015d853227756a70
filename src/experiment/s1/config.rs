//! The settings of experiment S1.

use serde::{Deserialize, Serialize};

use crate::net::rough::RoughSettings;
use crate::search::SearchSettings;
use crate::setting::{SettingError, require};
use crate::train::{SupervisedSettings, TdSettings, UpdateForm};

/// All settings of a run of S1; written as `config.toml` beside the results, and read back by `--config`.
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

/// Which rules the rough network is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleConfig {
    /// Rules in all, shared evenly among the decisions.
    pub number: usize,
    /// Conditions of a rule at most.
    pub max_conditions: usize,
    /// Objects that a rule must match, as a share of all, in (0, 1).
    pub min_support: f64,
}

/// The plain network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BpConfig {
    /// Hidden neurons, N.
    pub hidden: usize,
    /// Its training.
    pub training: SupervisedSettings,
}

/// The TD(λ) network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TdConfig {
    /// Hidden neurons, N.
    pub hidden: usize,
    /// Its training.
    pub training: TdSettings,
}

/// How the evaluators play each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchConfig {
    /// Games of each match; even, since each opening is played with both colours.
    pub games: usize,
    /// Search depth of both players, in plies.
    pub depth: u32,
    /// Plies of each drawn opening.
    pub opening_plies: usize,
    /// Plies after which a game is called a draw.
    pub max_plies: usize,
    /// The search, the same for both players.
    pub search: SearchSettings,
}

impl S1Config {
    /// The quick profile: minutes on two cores.
    #[must_use]
    pub fn quick(seed: u64) -> Self {
        let adam = SupervisedSettings { passes: 4, batch: 512, rate: 3e-3, final_rate: 3e-4 };
        Self {
            seed,
            skip_plies: 10,
            held_out: 0.25,
            stages: vec![2000, 4000, 6000],
            curve_points: 4,
            max_games: None,
            rules: RuleConfig { number: 60, max_conditions: 3, min_support: 0.002 },
            rough: RoughSettings { tau: 0.2, smoothing: 50.0, sharpness: 2.0 },
            rough_training: adam.clone(),
            bp: BpConfig { hidden: 100, training: adam },
            td: TdConfig {
                hidden: 100,
                training: TdSettings { passes: 4, alpha: 3e-4, lambda: 0.95, form: UpdateForm::Traces },
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

    /// The smallest profile that goes through every step: seconds, for checking that everything works.
    #[must_use]
    pub fn smoke(seed: u64) -> Self {
        let mut config = Self::quick(seed);
        config.stages = vec![100, 200];
        config.max_games = Some(300);
        config.curve_points = 2;
        config.rules.number = 12;
        config.rough_training.passes = 1;
        config.bp.training.passes = 1;
        config.td.training.passes = 1;
        config.matches.games = 4;
        config.matches.depth = 1;
        config
    }

    /// Checks every range.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require(self.held_out > 0.0 && self.held_out < 1.0, "held_out", "in (0, 1)", self.held_out)?;
        let ascending = !self.stages.is_empty() && self.stages.windows(2).all(|pair| pair[0] < pair[1]);
        require(ascending && self.stages[0] > 0, "stages", "numbers in ascending order", format!("{:?}", self.stages))?;
        require(self.rules.number >= 3, "rules.number", "at least 3", self.rules.number)?;
        let min_support = self.rules.min_support;
        require(min_support > 0.0 && min_support < 1.0, "rules.min_support", "in (0, 1)", min_support)?;
        self.rough.check()?;
        self.rough_training.check()?;
        self.bp.training.check()?;
        self.td.training.check()?;
        require(self.bp.hidden >= 1, "bp.hidden", "at least 1", self.bp.hidden)?;
        require(self.td.hidden >= 1, "td.hidden", "at least 1", self.td.hidden)?;
        require(self.curve_points >= 1, "curve_points", "at least 1", self.curve_points)?;
        let games = self.matches.games;
        require(games >= 2 && games.is_multiple_of(2), "matches.games", "an even number, at least 2", games)?;
        require((1..=20).contains(&self.matches.depth), "matches.depth", "in [1, 20]", self.matches.depth)
    }
}
