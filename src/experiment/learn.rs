//! From records to trained networks: the steps that `train` and the experiments share.

use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::disk::{sha256, sha256_of_file};
use crate::features::board91::Board91;
use crate::features::tabulate::tabulate;
use crate::features::{AttributeSpec, FeatureSet};
use crate::game::Game;
use crate::games::xiangqi::Xiangqi;
use crate::net::rough::RoughSettings;
use crate::net::store::{self, About, FORMAT, Net, StoreError};
use crate::net::{Coding, DenseNet, Network};
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::report::{Cell, Curves, Series, Table};
use crate::rough::{Covering, Method as ReductMethod, Notion, Reduct, Rule, Wording, covering_rules};
use crate::setting::{SettingError, require};
use crate::table::{AttrIdx, AttrSet, DecisionTable, TableError};
use crate::train::baseline::{BaselineError, Baselines, baselines};
use crate::train::rough::rough_network;
use crate::train::{
    Checkpoint, CheckpointError, Curve, Method, Plan, PositionSet, Supervised, SupervisedSettings, TdLambda,
    TdSettings, run, split_games,
};

/// Which rules the rough network is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleConfig {
    /// Rules in all, shared evenly among the decisions, in [3, 10000].
    pub number: usize,
    /// Conditions of a rule at most, in [1, 20].
    pub max_conditions: usize,
    /// Positions that have a rule's decision among those that match it, as a share of all positions, in (0, 1).
    pub min_support: f64,
}

impl RuleConfig {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require((3..=10_000).contains(&self.number), "--rules", "in [3, 10000]", self.number)?;
        let (most, least) = (self.max_conditions, self.min_support);
        require((1..=20).contains(&most), "max_conditions", "in [1, 20]", most)?;
        require(least > 0.0 && least < 1.0, "min_support", "in (0, 1)", least)
    }
}

/// The plain network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BpConfig {
    /// Hidden neurons, N, in [1, 1024].
    pub hidden: usize,
    /// Its training.
    pub training: SupervisedSettings,
}

impl BpConfig {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        check_hidden(self.hidden)?;
        self.training.check()
    }
}

/// The TD(λ) network.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TdConfig {
    /// Hidden neurons, N, in [1, 1024].
    pub hidden: usize,
    /// Its training.
    pub training: TdSettings,
}

impl TdConfig {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        check_hidden(self.hidden)?;
        self.training.check()
    }
}

fn check_hidden(hidden: usize) -> Result<(), SettingError> {
    require((1..=1024).contains(&hidden), "--hidden", "in [1, 1024]", hidden)
}

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
    /// No game is long enough.
    #[error("`--skip-plies` must be below the length of the games, got {skip_plies}: the longest has {longest} plies")]
    NoPositions {
        /// Plies left out at the beginning of each game.
        skip_plies: usize,
        /// Plies of the longest game.
        longest: usize,
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
    #[error(
        "no rule is supported by at least {min_support} of {n_objects} positions: give more games, or lower \
         `min_support` in the settings file"
    )]
    NoRules {
        /// Positions that must support a rule.
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
    /// The network to go on from cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The network to go on from is of another kind.
    #[error("cannot go on from `{name}`: expected a plain network (`train bp` or `train td`) over the same attributes")]
    Predecessor {
        /// The name of its file.
        name: String,
    },
    /// Training ran away.
    #[error("training `{name}` gave weights that are no numbers: lower the rate")]
    Diverged {
        /// The network.
        name: String,
    },
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
    pub held_out: Arc<PositionSet>,
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

fn check_results(set: &PositionSet) -> Result<(), LearnError> {
    match set.results() {
        [first, rest @ ..] if rest.iter().all(|other| other == first) => Err(LearnError::OneResult { result: *first }),
        _ => Ok(()),
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
    /// The positions that it was trained on.
    pub n_positions: usize,
}

impl Learned {
    /// Writes the network's file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), StoreError> {
        store::save(path, &self.net, &self.about)
    }

    /// The number of weights that the network reads; value classes outside a rough network's inputs have idle ones.
    #[must_use]
    pub fn n_weights(&self) -> usize {
        match &self.net {
            Net::Dense(net) => net.parameters().len(),
            Net::Rough(net) => net.n_weights(),
        }
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
    /// Whether it reads the attributes of a reduct only, and has rules over them only, instead of all.
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
        self.rules.check()?;
        self.form.check()?;
        self.training.check()
    }
}

/// A reduct of the positive-region notion of `table`, by backward elimination.
#[must_use]
pub fn reduct_of(table: &DecisionTable) -> Reduct {
    Reduct::of(table, Notion::Positive, ReductMethod::Backward)
}

/// What the rough sets say of the training positions, before any training.
pub struct Knowledge {
    /// The decision table.
    pub table: DecisionTable,
    /// The attributes R that the network reads.
    pub inputs: AttrSet,
    /// The rules over R.
    pub rules: Vec<Rule>,
}

impl Knowledge {
    /// The rules over `inputs` of the decision table of `data`.
    ///
    /// # Errors
    /// When the table cannot be made, or no rule has the support asked for.
    pub fn over(
        inputs: AttrSet,
        data: &Data,
        config: &RuleConfig,
        observer: &dyn Observer,
    ) -> Result<Self, LearnError> {
        let table = data.table()?;
        let n_objects = table.total_weight();
        let min_support = ((n_objects as f64 * config.min_support).round() as u64).max(1);
        let covering = Covering { n_rules: config.number, max_len: config.max_conditions, min_support };
        let rules = covering_rules(&table, &inputs, &covering, observer);
        if rules.is_empty() {
            return Err(LearnError::NoRules { min_support, n_objects });
        }
        Ok(Self { table, inputs, rules })
    }

    /// What `plan` asks for: rules over all attributes of `data`, or over a reduct of its table.
    ///
    /// # Errors
    /// As [`Knowledge::over`].
    pub fn of(data: &Data, plan: &RoughPlan, observer: &dyn Observer) -> Result<Self, LearnError> {
        let table = data.table()?;
        let inputs = if plan.reduct_only { reduct_of(&table).attrs().clone() } else { table.all_attributes() };
        Self::over(inputs, data, &plan.rules, observer)
    }
}

/// Builds the rough network from what is known of the training positions, and trains it.
///
/// # Errors
/// When the checkpoint cannot be used, or training runs away.
pub fn rough(
    data: &Data,
    (knowledge, plan): (&Knowledge, &RoughPlan),
    name: &str,
    checkpoint: Option<&Checkpoint>,
    observer: &dyn Observer,
) -> Result<Learned, LearnError> {
    let Knowledge { table, inputs, rules } = knowledge;
    let inputs: Vec<AttrIdx> = inputs.iter().collect();
    let mut net = rough_network(table, rules, &inputs, &data.coding, &plan.form);
    let mut about = data.about("rough", plan);
    if plan.random_start {
        net = net.randomised(data.seed);
    } else {
        about.rules = rules.iter().map(|rule| rule.display_as(table, Wording::Coverage).to_string()).collect();
    }
    let mut method = Supervised::new(plan.training.clone(), data.seed, &net);
    let curve = train(&mut method, &mut net, data, (name, plan.training.passes), checkpoint, observer)?;
    Ok(Learned { name: name.to_owned(), net: Net::Rough(net), about, curve, n_positions: data.training.len() })
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
    let n_positions = data.training.len();
    Ok(Learned { name: name.to_owned(), net: Net::Dense(net), about: data.about("bp", config), curve, n_positions })
}

/// Trains the plain network by TD(λ).
///
/// # Errors
/// When the checkpoint cannot be used, or training runs away.
pub fn td(
    data: &Data,
    config: &TdConfig,
    name: &str,
    checkpoint: Option<&Checkpoint>,
    observer: &dyn Observer,
) -> Result<Learned, LearnError> {
    let net = initial_dense(data, config.hidden);
    go_on_by_td(data, (net, data.about("td", config)), (name, config), checkpoint, observer)
}

/// A network whose learning goes on.
pub struct Predecessor {
    net: DenseNet,
    /// Name and SHA-256 of its file.
    file: (String, String),
}

impl Predecessor {
    /// Reads the network in the file `path`, which must be a plain one.
    ///
    /// # Errors
    /// When it cannot be read or is none.
    pub fn load(path: &Path) -> Result<Self, LearnError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Net::Dense(net) = store::load(path)?.0 else { return Err(LearnError::Predecessor { name }) };
        let read = |source| StoreError::Io { action: "read", path: path.to_owned(), source };
        Ok(Self { net, file: (name, sha256_of_file(path).map_err(read)?) })
    }

    /// The number of its hidden neurons.
    #[must_use]
    pub fn n_hidden(&self) -> usize {
        self.net.n_hidden()
    }

    /// The SHA-256 of its file.
    #[must_use]
    pub fn checksum(&self) -> &str {
        &self.file.1
    }
}

/// As [`td`], but from the weights of `predecessor`, whose file is listed among the inputs.
///
/// # Errors
/// As [`td`], and when the network reads other attributes than `data` holds.
pub fn td_from(
    predecessor: Predecessor,
    data: &Data,
    config: &TdConfig,
    name: &str,
    checkpoint: Option<&Checkpoint>,
    observer: &dyn Observer,
) -> Result<Learned, LearnError> {
    let Predecessor { net, file } = predecessor;
    if *net.coding() != data.coding {
        return Err(LearnError::Predecessor { name: file.0 });
    }
    let mut about = data.about("td", config);
    about.inputs.push(file);
    go_on_by_td(data, (net, about), (name, config), checkpoint, observer)
}

/// Trains `net`, which is described by `about`, by TD(λ).
fn go_on_by_td(
    data: &Data,
    (mut net, about): (DenseNet, About),
    (name, config): (&str, &TdConfig),
    checkpoint: Option<&Checkpoint>,
    observer: &dyn Observer,
) -> Result<Learned, LearnError> {
    let mut method = TdLambda::new(config.training.clone());
    let curve = train(&mut method, &mut net, data, (name, config.training.passes), checkpoint, observer)?;
    Ok(Learned { name: name.to_owned(), net: Net::Dense(net), about, curve, n_positions: data.training.len() })
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
) -> Result<Curve, LearnError> {
    observer.begin(&format!("train {name}"), (data.training.len() * passes) as u64);
    let plan = Plan { passes, parts: data.settings.curve_points };
    let curve = run(method, net, (&data.training, &data.held_out), plan, checkpoint, observer);
    observer.end();
    if net.parameters().iter().all(|weight| weight.is_finite()) {
        Ok(curve?)
    } else {
        Err(LearnError::Diverged { name: name.to_owned() })
    }
}

/// The learning curves as a table, one row a measurement.
#[must_use]
pub fn curve_table<'a>(learned: impl IntoIterator<Item = &'a Learned>) -> Table {
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
pub fn curve_plot<'a>(title: &str, learned: impl IntoIterator<Item = &'a Learned>, data: &Data) -> Curves {
    let series = |one: &Learned| {
        Series::new(one.name.clone(), one.curve.iter().map(|point| (point.pass, point.held_out_mse)).collect())
    };
    let baselines = &data.baselines;
    Curves {
        title: title.to_owned(),
        x_label: "passes over the training positions".to_owned(),
        y_label: "mean squared error, held-out games".to_owned(),
        series: learned.into_iter().map(series).collect(),
        levels: vec![
            ("linear fit of material".to_owned(), baselines.material_mse),
            ("constant".to_owned(), baselines.constant_mse),
        ],
    }
}
