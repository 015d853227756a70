//! How well results of recorded Connect6 games are predicted by what S2 has for it: its static evaluation, and networks over its
//! pattern counts, by back-propagation, TD(λ) and rough sets. All methods learn from the same games and are measured on the same
//! others, by stage of the game.

mod methods;
mod report;

use serde::{Deserialize, Serialize};

use crate::eval::Catalogue;
use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings, REPETITIONS};
use crate::experiment::methods::check_different;
use crate::experiment::self_play::{SelfPlay, games_given_or_made};
use crate::game::Game;
use crate::games::connect6::Connect6;
use crate::net::rough::RoughSettings;
use crate::record::GameRecord;
use crate::runs::training::{Data, DataSettings, LearnError, RoughPlan, RuleConfig};
use crate::settings::{require, require_in, within};
use crate::train::{SupervisedSettings, TdSettings};

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Connect6RecordsConfig {
    /// Seed of the split of the games, and of the games where none are given.
    pub seed: u64,
    /// Seeds of initial weights and order of the positions.
    pub seeds: Vec<u64>,
    /// Share of the games held out, in (0, 1).
    pub held_out: f64,
    /// How many games are used, from the first on; all of them if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_games: Option<usize>,
    /// Stones of a stage, in [1, 361].
    pub stage: usize,
    /// Stages; the last one has all later positions too, in [1, 100].
    pub stages: usize,
    /// The static evaluation.
    pub evaluator: String,
    /// What the other methods see of a position; each learns from each.
    pub features: Vec<String>,
    /// Hidden neurons of the plain networks, in [1, 1024].
    pub hidden: usize,
    /// Training of the plain network by back-propagation.
    pub bp: SupervisedSettings,
    /// Training by TD(λ).
    pub td: TdSettings,
    /// Which rules the rough networks are made of.
    pub rules: RuleConfig,
    /// The form of the rough networks.
    pub rough: RoughSettings,
    /// Training of the rough networks.
    pub rough_training: SupervisedSettings,
    /// The games that are played where none are given.
    pub self_play: SelfPlay,
}

impl Connect6RecordsConfig {
    /// How records become positions that `features` describe: all of them.
    fn data(&self, features: &str) -> DataSettings {
        DataSettings { features: features.to_owned(), ..DataSettings::from_ply(0, self.held_out, 1) }
    }

    /// The rough network over all attributes.
    fn rough_plan(&self) -> RoughPlan {
        RoughPlan::new(&self.rules, &self.rough, &self.rough_training)
    }

    /// The number of the stage of a position after `stones` stones.
    fn stage_of(&self, stones: usize) -> usize {
        (stones / self.stage).min(self.stages - 1)
    }

    /// What a stage is called: `20-29`.
    fn stage_name(&self, stage: usize) -> String {
        let first = stage * self.stage;
        if stage + 1 == self.stages { format!("{first}+") } else { format!("{first}-{}", first + self.stage - 1) }
    }

    /// The positions in the words of each feature set; the games are split alike in all.
    fn sets(&self, records: &[GameRecord<Connect6>], context: &Context<'_>) -> Result<Vec<Data>, LearnError> {
        let of = |features: &String| {
            Data::new(records, context.inputs.to_vec(), self.data(features), self.seed, context.observer)
        };
        self.features.iter().map(of).collect()
    }
}

impl Experiment for Connect6RecordsConfig {
    const ABOUT: &'static str =
        "Outcome prediction on recorded Connect6 games: static evaluation, BP, TD(λ), rough networks";
    const GAME: &'static str = Connect6::NAME;
    const KEEPS: Option<&'static str> = REPETITIONS;

    fn check(&self) -> Result<(), ExperimentError> {
        let is_built_in = Connect6::identity(&self.evaluator)?.is_some();
        require(is_built_in, "evaluator", "a built-in evaluator", &self.evaluator)?;
        self.features.iter().try_for_each(|features| Connect6::features(features).map(drop))?;
        self.self_play.check(self.seed)?;
        require((1..=100).contains(&self.seeds.len()), "seeds", "1 to 100 of them", self.seeds.len())?;
        check_different("seeds", &self.seeds)?;
        require(self.max_games != Some(0), "max_games", "at least 1", 0)?;
        require_in("stage", 1..=361, self.stage)?;
        require_in("stages", 1..=100, self.stages)?;
        require_in("hidden", 1..=1024, self.hidden)?;
        require(!self.features.is_empty(), "features", "at least one", "none")?;
        check_different("features", &self.features)?;
        within("bp", self.bp.check())?;
        within("td", self.td.check())?;
        within("rules", self.rules.check())?;
        within("rough", self.rough.check())?;
        within("rough_training", self.rough_training.check())?;
        Ok(self.data("").check()?)
    }

    fn further_inputs(&self) -> Result<Vec<(String, String)>, ExperimentError> {
        Ok(vec![(self.evaluator.clone(), Connect6::checksum(&self.evaluator)?)])
    }

    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let records = games_given_or_made::<Connect6>(context, &self.self_play, self.seed)?;
        let records = &records[..self.max_games.unwrap_or(records.len()).min(records.len())];
        let sets = self.sets(records, context)?;
        let methods = methods::all(self, (records, &sets), context)?;
        Ok(report::findings(self, context, (&sets[0], &methods)))
    }
}
