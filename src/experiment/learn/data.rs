//! From game records to training and held-out positions.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::LearnError;
use crate::disk::sha256;
use crate::features::board91::Board91;
use crate::features::tabulate::tabulate;
use crate::features::{AttributeSpec, FeatureSet};
use crate::game::Game;
use crate::games::xiangqi::Xiangqi;
use crate::net::Coding;
use crate::net::store::{About, FORMAT};
use crate::record::GameRecord;
use crate::table::DecisionTable;
use crate::train::baseline::{Baselines, baselines};
use crate::train::{PositionSet, split_games};

/// How records become training data.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DataSettings {
    /// Plies at the beginning of each game that are left out.
    pub skip_plies: usize,
    /// Share of the games held out.
    pub held_out: f64,
    /// Measurements of the curve in each pass.
    pub curve_points: usize,
}

/// Training and held-out positions, split by game.
pub struct Data {
    /// The attributes of a position.
    pub specs: Vec<AttributeSpec>,
    /// How their values enter networks.
    pub coding: Coding,
    /// Positions to learn from.
    pub training: PositionSet,
    /// Positions of other games, to measure the error.
    pub held_out: Arc<PositionSet>,
    pub(super) baselines: Baselines,
    pub(super) settings: DataSettings,
    pub(super) seed: u64,
    inputs: Vec<(String, String)>,
}

impl Data {
    /// Encodes `records` (read from `inputs`: names and checksums) and splits them.
    ///
    /// # Errors
    /// When there are too few games, or all have one result.
    pub fn new(
        records: &[GameRecord<Xiangqi>],
        inputs: Vec<(String, String)>,
        settings: DataSettings,
        seed: u64,
    ) -> Result<Self, LearnError> {
        let all = PositionSet::from_records(records, &Board91, settings.skip_plies);
        let (training, rest) = split_games(records.len(), settings.held_out, seed);
        if all.is_empty() && !records.is_empty() {
            let longest = records.iter().map(|record| record.moves.len()).max().unwrap_or(0);
            return Err(LearnError::NoPositions { skip_plies: settings.skip_plies, longest });
        }
        let (training, held_out) = (all.select_games(&training), all.select_games(&rest));
        if training.is_empty() || held_out.is_empty() {
            let (n_games, held_out) = (records.len(), settings.held_out);
            let training = training.games().len();
            return Err(LearnError::TooFewGames { n_games, held_out, training, rest: rest.len() });
        }
        check_results(&training)?;
        let specs = FeatureSet::attributes(&Board91);
        let coding = Coding::new(&specs.iter().map(|spec| spec.inputs.clone()).collect::<Vec<_>>());
        let baselines = baselines(&specs, &training, &held_out)?;
        let held_out = Arc::new(held_out);
        Ok(Self { specs, coding, training, held_out, baselines, settings, seed, inputs })
    }

    /// The same data with other training positions, as when only some games are kept.
    #[must_use]
    pub fn with_training(&self, training: PositionSet) -> Self {
        Self {
            training,
            held_out: Arc::clone(&self.held_out),
            specs: self.specs.clone(),
            coding: self.coding.clone(),
            baselines: self.baselines.clone(),
            inputs: self.inputs.clone(),
            ..*self
        }
    }

    /// Errors of the simplest predictors, fitted on the training positions that the data was made with.
    #[must_use]
    pub fn baselines(&self) -> &Baselines {
        &self.baselines
    }

    /// The decision table of the training positions.
    ///
    /// # Errors
    /// When there are none, or all have one result.
    pub fn table(&self) -> Result<DecisionTable, LearnError> {
        let set = &self.training;
        check_results(set)?;
        Ok(tabulate(&self.specs, set.rows(0..set.len()).iter(), set.results())?)
    }

    /// The share of held-out positions that occur in training games too: different games pass through equal positions.
    #[must_use]
    pub fn shared_positions(&self) -> f64 {
        let known: FxHashSet<&[u8]> = self.training.rows(0..self.training.len()).iter().collect();
        let n = self.held_out.len();
        let shared = self.held_out.rows(0..n).iter().filter(|row| known.contains(row)).count();
        shared as f64 / n.max(1) as f64
    }

    /// Identifies a training run: data, method, settings, seed and version of the program.
    #[must_use]
    pub fn fingerprint(&self, method: &str, settings: &impl Serialize) -> String {
        let parts = (crate::PROGRAM, method, settings, &self.settings, self.seed, &self.inputs);
        let n_games = self.training.games().len();
        sha256(&serde_json::to_vec(&(parts, n_games)).unwrap_or_default())
    }

    pub(super) fn about(&self, method: &str, settings: &impl Serialize) -> About {
        let settings = serde_json::json!({
            "seed": self.seed,
            "data": self.settings,
            "training_games": self.training.games().len(),
            "training_positions": self.training.len(),
            "method": settings,
        });
        About {
            format: FORMAT,
            game: Xiangqi::NAME.to_owned(),
            features: Board91::NAME.to_owned(),
            method: method.to_owned(),
            settings,
            inputs: self.inputs.clone(),
            rules: Vec::new(),
        }
    }
}

fn check_results(set: &PositionSet) -> Result<(), LearnError> {
    match set.results() {
        [first, rest @ ..] if rest.iter().all(|other| other == first) => Err(LearnError::OneResult { result: *first }),
        _ => Ok(()),
    }
}
