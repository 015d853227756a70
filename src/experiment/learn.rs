//! From records to trained networks: the steps that `train` and the experiments share.

use std::path::Path;

use serde::Serialize;

use super::manifest::sha256;
use super::s1::config::{BpConfig, RuleConfig, TdConfig};
use crate::features::board91::Board91;
use crate::features::tabulate::tabulate;
use crate::features::{AttributeSpec, FeatureSet};
use crate::game::Game;
use crate::games::xiangqi::Xiangqi;
use crate::net::rough::RoughSettings;
use crate::net::store::{self, About, FORMAT, Net, StoreError};
use crate::net::{Coding, DenseNet};
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::report::{Cell, Table};
use crate::report::{Curves, Series};
use crate::rough::{Covering, Method as ReductMethod, Notion, Reduct, Rule, covering_rules};
use crate::setting::{SettingError, require};
use crate::table::{AttrIdx, DecisionTable, TableError};
use crate::train::baseline::{BaselineError, Baselines, baselines};
use crate::train::rough::rough_network;
use crate::train::{
    Checkpoint, CheckpointError, Curve, Method, Plan, PositionSet, Supervised, SupervisedSettings, TdLambda, run,
    split_games,
};

/// Why learning failed.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// The split leaves nothing on one side.
    #[error("{n_games} games are too few to hold out a share of {held_out}: {training} for training, {rest} held out")]
    TooFewGames {
        /// Games in all.
        n_games: usize,
        /// The share held out.
        held_out: f64,
        /// Training games.
        training: usize,
        /// Games held out.
        rest: usize,
    },
    /// All games ended alike, so there is nothing to learn.
    #[error("every training position has the same result, {result}: there is nothing to learn")]
    OneResult {
        /// The result of all.
        result: f32,
    },
    /// The decision table could not be made.
    #[error("cannot build the decision table")]
    Table(#[from] TableError),
    /// The rules could not be had.
    #[error("no rule matches at least {min_support} of {n_objects} positions: lower the minimum support")]
    NoRules {
        /// Positions that a rule must match.
        min_support: u64,
        /// Positions in all.
        n_objects: u64,
    },
    /// The baselines could not be fitted.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
    /// The checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
}

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
    pub held_out: PositionSet,
    baselines: Baselines,
    settings: DataSettings,
    seed: u64,
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
        let (training, held_out) = (all.select_games(&training), all.select_games(&rest));
        if training.is_empty() || held_out.is_empty() {
            let (n_games, held_out) = (records.len(), settings.held_out);
            let training = training.games().len();
            return Err(LearnError::TooFewGames { n_games, held_out, training, rest: rest.len() });
        }
        let result = training.results()[0];
        if training.results().iter().all(|&other| other == result) {
            return Err(LearnError::OneResult { result });
        }
        let specs = FeatureSet::attributes(&Board91);
        let coding = Coding::new(&specs.iter().map(|spec| spec.inputs.clone()).collect::<Vec<_>>());
        let baselines = baselines(&specs, &training, &held_out)?;
        Ok(Self { specs, coding, training, held_out, baselines, settings, seed, inputs })
    }

    /// The same data with other training positions, as when only some games are kept.
    #[must_use]
    pub fn with_training(&self, training: PositionSet) -> Self {
        Self {
            training,
            held_out: self.held_out.clone(),
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
    /// When there are none.
    pub fn table(&self) -> Result<DecisionTable, TableError> {
        let set = &self.training;
        tabulate(&self.specs, set.rows(0..set.len()).iter(), set.results())
    }

    /// Identifies a training run: data, method, settings, seed and version of the program.
    #[must_use]
    pub fn fingerprint(&self, method: &str, settings: &impl Serialize) -> String {
        let parts = (super::manifest::program(), method, settings, &self.settings, self.seed, &self.inputs);
        let n_games = self.training.games().len();
        sha256(&serde_json::to_vec(&(parts, n_games)).unwrap_or_default())
    }

    fn about(&self, method: &str, settings: &impl Serialize) -> About {
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

/// A trained network with its learning curve.
#[derive(Debug, Clone)]
pub struct Learned {
    /// The name in tables and plots.
    pub name: String,
    /// The network.
    pub net: Net,
    /// What its file says about it.
    pub about: About,
    /// Errors on the way, the untrained network first.
    pub curve: Curve,
}

impl Learned {
    /// Writes the network's file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), StoreError> {
        store::save(path, &self.net, &self.about)
    }

    /// The number of weights.
    #[must_use]
    pub fn n_weights(&self) -> usize {
        use crate::net::Network;
        match &self.net {
            Net::Dense(net) => net.parameters().len(),
            Net::Rough(net) => net.parameters().len(),
        }
    }

    /// The held-out error after the last pass.
    #[must_use]
    pub fn final_mse(&self) -> f64 {
        self.curve.last().map_or(f64::NAN, |point| point.held_out_mse)
    }
}

/// How to make and train a rough network.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoughPlan {
    /// Which rules become neurons.
    pub rules: RuleConfig,
    /// Its initial form.
    pub form: RoughSettings,
    /// Its training.
    pub training: SupervisedSettings,
    /// Whether it reads the attributes of a reduct only, instead of all.
    pub reduct_only: bool,
    /// Whether it starts from random weights, as a control.
    pub random_start: bool,
}

impl RoughPlan {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require(self.rules.number >= 3, "--rules", "at least 3", self.rules.number)?;
        self.form.check()?;
        self.training.check()
    }
}

/// A reduct of the positive-region notion of `table`, by backward elimination.
#[must_use]
pub fn reduct_of(table: &DecisionTable) -> Reduct {
    Reduct::of(table, Notion::Positive, ReductMethod::Backward)
}

/// The rules of `table` that a rough network is made of.
///
/// # Errors
/// When none has the support asked for.
pub fn rules_of(table: &DecisionTable, config: &RuleConfig, observer: &dyn Observer) -> Result<Vec<Rule>, LearnError> {
    let min_support = ((table.total_weight() as f64 * config.min_support).round() as u64).max(1);
    let covering = Covering { n_rules: config.number, max_len: config.max_conditions, min_support };
    let rules = covering_rules(table, &table.all_attributes(), &covering, observer);
    if rules.is_empty() {
        return Err(LearnError::NoRules { min_support, n_objects: table.total_weight() });
    }
    Ok(rules)
}

/// Builds the rough network from the training positions' decision table and trains it.
///
/// # Errors
/// When there are no rules, or the checkpoint cannot be used.
pub fn rough(
    data: &Data,
    plan: &RoughPlan,
    name: &str,
    checkpoint: Option<&Checkpoint>,
    observer: &dyn Observer,
) -> Result<Learned, LearnError> {
    let table = data.table()?;
    let rules = rules_of(&table, &plan.rules, observer)?;
    let inputs: Vec<AttrIdx> = if plan.reduct_only {
        reduct_of(&table).attrs().iter().collect()
    } else {
        table.all_attributes().iter().collect()
    };
    let mut net = rough_network(&table, &rules, &inputs, &data.coding, &plan.form);
    if plan.random_start {
        net = net.randomised(data.seed);
    }
    let mut method = Supervised::new(plan.training.clone(), data.seed, &net);
    let curve = train(&mut method, &mut net, data, (name, plan.training.passes), checkpoint, observer)?;
    let mut about = data.about("rough", plan);
    about.rules = rules.iter().map(|rule| rule.display(&table).to_string()).collect();
    Ok(Learned { name: name.to_owned(), net: Net::Rough(net), about, curve })
}

/// Trains the plain network by back-propagation.
///
/// # Errors
/// When the checkpoint cannot be used.
pub fn bp(
    data: &Data,
    config: &BpConfig,
    name: &str,
    checkpoint: Option<&Checkpoint>,
    observer: &dyn Observer,
) -> Result<Learned, LearnError> {
    let mut net = initial_dense(data, config.hidden);
    let mut method = Supervised::new(config.training.clone(), data.seed, &net);
    let curve = train(&mut method, &mut net, data, (name, config.training.passes), checkpoint, observer)?;
    Ok(Learned { name: name.to_owned(), net: Net::Dense(net), about: data.about("bp", config), curve })
}

/// Trains the plain network by TD(λ).
///
/// # Errors
/// When the checkpoint cannot be used.
pub fn td(
    data: &Data,
    config: &TdConfig,
    name: &str,
    checkpoint: Option<&Checkpoint>,
    observer: &dyn Observer,
) -> Result<Learned, LearnError> {
    let mut net = initial_dense(data, config.hidden);
    let mut method = TdLambda::new(config.training.clone());
    let curve = train(&mut method, &mut net, data, (name, config.training.passes), checkpoint, observer)?;
    Ok(Learned { name: name.to_owned(), net: Net::Dense(net), about: data.about("td", config), curve })
}

/// BP and TD(λ) start from the same weights, as S5 asks for, so that only the method differs.
fn initial_dense(data: &Data, hidden: usize) -> DenseNet {
    DenseNet::random(data.coding.clone(), hidden, data.seed, "dense-initial-weights")
}

fn train<M: Method>(
    method: &mut M,
    net: &mut M::Net,
    data: &Data,
    (name, passes): (&str, usize),
    checkpoint: Option<&Checkpoint>,
    observer: &dyn Observer,
) -> Result<Curve, CheckpointError> {
    observer.begin(&format!("train {name}"), (data.training.len() * passes) as u64);
    let plan = Plan { passes, parts: data.settings.curve_points };
    let curve = run(method, net, (&data.training, &data.held_out), plan, checkpoint, observer);
    observer.end();
    curve
}

/// The learning curves as a table, one row a measurement.
#[must_use]
pub fn curve_table(learned: &[Learned]) -> Table {
    let numbers = ["pass", "positions", "training_mse", "held_out_mse"];
    let mut table = Table::new("Learning curves", &["method"], &numbers);
    for one in learned {
        for point in &one.curve {
            table.push([
                one.name.as_str().into(),
                Cell::real(point.pass, 2),
                point.positions.into(),
                Cell::real(point.training_mse, 4),
                Cell::real(point.held_out_mse, 4),
            ]);
        }
    }
    table
}

/// The learning curves on the held-out games as a plot, with the error of the linear fit of material.
#[must_use]
pub fn curve_plot(title: &str, learned: &[Learned], data: &Data) -> Curves {
    let series = |one: &Learned| {
        Series::new(one.name.clone(), one.curve.iter().map(|point| (point.pass, point.held_out_mse)).collect())
    };
    let baselines = &data.baselines;
    Curves {
        title: title.to_owned(),
        x_label: "passes over the training positions".to_owned(),
        y_label: "mean squared error, held-out games".to_owned(),
        series: learned.iter().map(series).collect(),
        levels: vec![
            ("linear fit of material".to_owned(), baselines.material_mse),
            ("constant".to_owned(), baselines.constant_mse),
        ],
    }
}
