//! From game records to training and held-out positions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde::Serialize;

use super::data_settings::name_without_folders;
use super::{DataSettings, LearnError};
use crate::arena::{JournalError, Owner, Shard};
use crate::disk::sha256;
use crate::eval::{Catalogue, Factory, FeaturesError};
use crate::features::tabulate::{Tabulation, tabulate};
use crate::features::{AttributeSpec, FeatureSet};
use crate::game::BoardGame;
use crate::game::symmetry::Symmetry;
use crate::net::rough::Ties;
use crate::net::store::{self, About, FORMAT};
use crate::net::{CodeRows, Coding, Net, is_supplied};
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::search::Limits;
use crate::settings::{SettingError, require};
use crate::table::{DecisionTable, Involution};
use crate::train::baseline::{Baselines, baselines};
use crate::train::{
    Judgements, Maker, PositionAccount, PositionSelection, PositionSet, Recipe, hash_of_game, split_games,
};

/// Positions whose images are in memory at once when they are counted.
const EXCHANGED_AT_ONCE: usize = 4096;

/// What data are made of: all that a run on them depends on, known before any position is looked at.
#[derive(Debug, Clone)]
pub struct Basis {
    /// As files tell them: evaluators are called as they are among the inputs.
    pub(super) settings: DataSettings,
    pub(super) seed: u64,
    /// Those of the games, then the evaluators.
    pub(super) inputs: Vec<(String, String)>,
}

/// Training and held-out positions, split by game.
#[derive(Clone)]
pub struct Data {
    /// The name of the game.
    pub game: &'static str,
    /// The full name of the feature set that describes a position.
    pub features: String,
    /// The attributes of a position.
    pub specs: Vec<AttributeSpec>,
    /// How their values enter networks.
    pub coding: Coding,
    /// What becomes of each value when colours are exchanged, if the feature set tells.
    pub exchange: Option<Involution>,
    /// Positions to learn from.
    pub training: Arc<PositionSet>,
    /// Positions of other games, to measure the error.
    pub held_out: Arc<PositionSet>,
    /// Errors of the simplest predictors, fitted on the training positions that the data was made with.
    pub baselines: Baselines,
    /// What they are made of.
    pub(super) basis: Basis,
}

/// Quiescent positions are found by a search to the end of all threats, which takes too long where a game has so many answers to
/// them that its searches are given a width.
fn check_game<G: BoardGame>(settings: &DataSettings) -> Result<(), SettingError> {
    let range = "left out in games whose searches have a width";
    require(!settings.selection.quiescent_only || G::SEARCH_WIDTH == 0, "quiescent_only", range, "true")
}

impl Basis {
    /// Games that were read from `inputs` (names and checksums), and the evaluators that `settings` name.
    ///
    /// # Errors
    /// When a setting is out of its range, or features or an evaluator are unknown.
    pub fn new<G: Catalogue>(
        inputs: Vec<(String, String)>,
        settings: DataSettings,
        seed: u64,
    ) -> Result<Self, LearnError> {
        Ok(Self::with_helpers::<G>(inputs, settings, seed)?.0)
    }

    /// As [`Basis::new`], with the evaluators themselves.
    fn with_helpers<G: Catalogue>(
        mut inputs: Vec<(String, String)>,
        mut settings: DataSettings,
        seed: u64,
    ) -> Result<(Self, Helpers<G>), LearnError> {
        settings.check()?;
        check_game::<G>(&settings)?;
        settings.name_features(G::FEATURES);
        G::features(&settings.features)?;
        let helpers = Helpers::<G>::of(&settings)?;
        let evaluators: Vec<_> = settings.evaluators().map(identified::<G>).collect::<Result<_, _>>()?;
        // Where the file of a teacher lies says nothing of it. A skip term is built in, and found again by its whole name.
        if let (Some(teacher), Some((name, _))) = (&mut settings.teacher, evaluators.first()) {
            name.clone_into(&mut teacher.evaluator);
        }
        inputs.extend(evaluators);
        Ok((Self { settings, seed, inputs }, helpers))
    }

    /// Names and checksums of the evaluators.
    fn evaluators(&self) -> &[(String, String)] {
        &self.inputs[self.inputs.len() - self.settings.evaluators().count()..]
    }

    /// What files say of training by a method with these `settings`, but for how many positions there are.
    pub(super) fn described(&self, settings: &impl Serialize) -> serde_json::Value {
        serde_json::json!({
            "seed": self.seed,
            "data": self.settings,
            "skip": self.settings.skip,
            "method": settings,
        })
    }
}

impl Data {
    /// Splits `records` (read from `inputs`: names and checksums), chooses positions and encodes them.
    ///
    /// # Errors
    /// When a setting is out of its range, features or an evaluator are unknown, there are too few games, no position is left,
    /// or all games have one result and results are learned from.
    pub fn new<G: Catalogue>(
        records: &[GameRecord<G>],
        inputs: Vec<(String, String)>,
        settings: DataSettings,
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Self, LearnError> {
        Self::keeping(records, inputs, settings, seed, Judging::new(observer))
    }

    /// As [`Data::new`], with the judgements of games kept in a file, if `judging` names one.
    ///
    /// # Errors
    /// As [`Data::new`]; when that file cannot be used; [`LearnError::Part`] when a part of the games was to be judged, and has been.
    pub fn keeping<G: Catalogue>(
        records: &[GameRecord<G>],
        inputs: Vec<(String, String)>,
        settings: DataSettings,
        seed: u64,
        judging: Judging<'_>,
    ) -> Result<Self, LearnError> {
        let (basis, helpers) = Basis::with_helpers::<G>(inputs, settings, seed)?;
        let settings = &basis.settings;
        let features = G::features(&settings.features)?;
        let judgements = judging.open(settings, basis.evaluators())?;
        let (training, rest) = split_games(records.len(), settings.held_out, seed);
        if training.is_empty() || rest.is_empty() {
            let (n_games, held_out) = (records.len(), settings.held_out);
            return Err(LearnError::TooFewGames { n_games, held_out, training: training.len(), rest: rest.len() });
        }
        let recipe = Recipe { judgements: judgements.as_ref(), ..helpers.recipe(&features, settings) };
        let images = Symmetry::made_of(settings.selection.mirror, settings.selection.flip_colours);
        let is_due = |record: &&GameRecord<G>| judging.shard.is_whole() || judging.shard.holds(hash_of_game(record));
        let read = |recipe: Recipe<'_, _, _>, indices: &[usize]| {
            recipe.read(
                &indices.iter().map(|&index| &records[index]).filter(is_due).collect::<Vec<_>>(),
                judging.observer,
            )
        };
        // Errors are measured against the results of held-out games as they were played.
        let held_out = read(Recipe { result_share: 1.0, ..recipe }, &rest);
        let training = read(Recipe { images: &images, ..recipe }, &training);
        judgements.map_or(Ok(()), Judgements::close)?;
        if !judging.shard.is_whole() {
            return Err(LearnError::Part(judging.shard, records.len()));
        }
        check_kept(records, settings, (&training, &held_out))?;
        // The values of a teacher differ where results do not.
        if settings.result_share >= 1.0 {
            check_results(&training)?;
        }
        let specs = features.attributes();
        let coding = Coding::new(&specs.iter().map(|spec| spec.inputs.clone()).collect::<Vec<_>>());
        let baselines = baselines(&G::MATERIAL, &training, &held_out)?;
        let (training, held_out) = (Arc::new(training), Arc::new(held_out));
        let (game, exchange, features) = (G::NAME, features.exchange(), features.name().to_owned());
        Ok(Self { game, features, specs, coding, exchange, training, held_out, baselines, basis })
    }

    /// The same data with other training positions, as when only some games are kept.
    pub fn with_training(&self, training: PositionSet) -> Self {
        Self { training: Arc::new(training), ..self.clone() }
    }

    /// The feature set that describes a position of `G`, the game of these data.
    ///
    /// # Errors
    /// When `G` is another game, which knows no such set.
    pub fn features_of<G: Catalogue>(&self) -> Result<G::Features, FeaturesError> {
        G::features(&self.features)
    }

    /// The same data for training with another seed: games stay split as they are.
    pub fn with_seed(&self, seed: u64) -> Self {
        Self { basis: Basis { seed, ..self.basis.clone() }, ..self.clone() }
    }

    /// What became of the positions of the training games and of those held out.
    pub fn accounts(&self) -> [PositionAccount; 2] {
        [self.training.account(), self.held_out.account()]
    }

    /// How many games and how many positions there are to learn from, and how many to measure errors on.
    pub fn counts(&self) -> [(usize, usize); 2] {
        [&self.training, &self.held_out].map(|set| (set.games().len(), set.len()))
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

    /// What becomes of each value when colours are exchanged.
    ///
    /// # Errors
    /// When the feature set does not tell.
    pub fn exchange(&self) -> Result<&Involution, LearnError> {
        self.exchange.as_ref().ok_or_else(|| LearnError::NoExchange { features: self.features.clone() })
    }

    /// The decision table of the training positions and of these with colours exchanged.
    ///
    /// # Errors
    /// As [`Data::table`]; when the feature set does not tell what the exchange makes of values.
    pub fn symmetric_table(&self) -> Result<DecisionTable, LearnError> {
        let (set, exchange) = (&self.training, self.exchange()?);
        check_results(set)?;
        let mut merged = Tabulation::new(self.specs.clone());
        merged.add(set.rows(0..set.len()).iter(), set.results());
        for first in (0..set.len()).step_by(EXCHANGED_AT_ONCE) {
            let range = first..(first + EXCHANGED_AT_ONCE).min(set.len());
            let codes: Vec<u8> = set.rows(range.clone()).iter().flat_map(|row| exchange.applied(row)).collect();
            let results: Vec<f32> = set.results()[range].iter().map(|result| -result).collect();
            merged.add(CodeRows::new(&codes, self.specs.len()).iter(), &results);
        }
        Ok(merged.finish()?.into_objects()?)
    }

    /// The ties between the weights of `net`, if it is symmetric.
    ///
    /// # Errors
    /// When it is, and the exchange of these data is not that of its rules.
    pub(super) fn ties_of(&self, net: &Net) -> Result<Option<Ties>, LearnError> {
        match net {
            Net::Rough(net) if net.is_symmetric() => {
                let ties = net.ties(self.exchange()?);
                let features = &self.features;
                ties.map(Some).ok_or_else(|| LearnError::NoExchange { features: features.clone() })
            }
            _ => Ok(None),
        }
    }

    /// The share of held-out positions that occur in training games too: different games pass through equal positions.
    pub fn shared_positions(&self) -> f64 {
        let known: FxHashSet<&[u8]> = self.training.rows(0..self.training.len()).iter().collect();
        let n = self.held_out.len();
        let shared = self.held_out.rows(0..n).iter().filter(|row| known.contains(row)).count();
        shared as f64 / n.max(1) as f64
    }

    /// Identifies a training run: data, method, settings, seed and version of the program; where files lie is no part of it.
    pub fn fingerprint(&self, method: &str, settings: &impl Serialize) -> String {
        let Basis { settings: of_data, seed, inputs } = &self.basis;
        let parts = (crate::PROGRAM, method, settings, of_data.without_folders(), seed, inputs);
        let n_games = self.training.games().len();
        sha256(&serde_json::to_vec(&(parts, n_games)).unwrap_or_default())
    }

    pub(super) fn about(&self, method: &str, settings: &impl Serialize) -> About {
        let mut settings = self.basis.described(settings);
        settings["training_games"] = self.training.games().len().into();
        settings["training_positions"] = self.training.len().into();
        About {
            format: FORMAT,
            game: self.game.to_owned(),
            features: self.features.clone(),
            method: method.to_owned(),
            settings,
            inputs: self.basis.inputs.clone(),
            rules: Vec::new(),
        }
    }
}

/// How the judgements of evaluators are come by.
#[derive(Clone, Copy)]
pub struct Judging<'a> {
    /// Is told of the progress.
    pub observer: &'a dyn Observer,
    /// The file that keeps them, if one is to: what it holds is not judged again.
    pub kept_in: Option<&'a Path>,
    /// Files of parts, of which that file is to hold the judgements too.
    pub parts: &'a [PathBuf],
    /// The games that are to be judged; unless these are all, nothing else is done.
    pub shard: Shard,
}

impl<'a> Judging<'a> {
    /// Of all games, kept nowhere.
    pub const fn new(observer: &'a dyn Observer) -> Self {
        Self { observer, kept_in: None, parts: &[], shard: Shard::WHOLE }
    }

    /// The file of judgements by these evaluators, if there is to be one.
    fn open(&self, settings: &DataSettings, evaluators: &[(String, String)]) -> Result<Option<Judgements>, LearnError> {
        let Some(path) = self.kept_in else { return Ok(None) };
        let PositionSelection { skip_plies, quiescent_only, .. } = settings.selection;
        let depth = settings.teacher.as_ref().map(|teacher| teacher.depth);
        let scale = settings.skip.as_ref().map(|skip| skip.scale);
        let parts = (crate::PROGRAM, skip_plies, quiescent_only, depth, scale, evaluators);
        let fingerprint = sha256(&serde_json::to_vec(&parts).unwrap_or_default());
        let mut names = evaluators.iter().map(|(name, sum)| format!("{name} (SHA-256 {}…)", &sum[..8]));
        let identity = serde_json::json!({
            "teacher": settings.teacher.as_ref().and_then(|_| names.next()),
            "teacher.depth": depth,
            "skip": names.next(),
            "skip.scale": scale,
            "skip_plies": skip_plies,
            "quiescent_only": quiescent_only,
            "program": crate::PROGRAM,
        });
        let owner = Owner { fingerprint: &fingerprint, identity: Some(&identity) };
        let opened = Judgements::open(path, self.parts, owner, self.observer);
        Ok(Some(opened.map_err(|error| match error {
            JournalError::OtherMatch { path, difference } => LearnError::OtherJudgements { path, difference },
            error => error.into(),
        })?))
    }
}

/// The evaluators that settings name.
struct Helpers<G: Catalogue> {
    teacher: Option<(Factory<G>, Option<Limits>)>,
    skip: Option<(Factory<G>, f32)>,
}

impl<G: Catalogue> Helpers<G> {
    fn of(settings: &DataSettings) -> Result<Self, LearnError> {
        let teacher = settings.teacher.as_ref().map(|teacher| {
            // Depth 0 is none for a search and quiescence for a teacher; others were checked.
            Ok::<_, LearnError>((G::evaluator_factory(&teacher.evaluator)?, Limits::to_depth(teacher.depth).ok()))
        });
        let skip = settings.skip.as_ref().map(|skip| {
            let is_built_in = G::identity(&skip.evaluator)?.is_some();
            require(is_built_in, "skip.evaluator", "a built-in evaluator", &skip.evaluator)?;
            Ok::<_, LearnError>((G::evaluator_factory(&skip.evaluator)?, skip.scale))
        });
        Ok(Self { teacher: teacher.transpose()?, skip: skip.transpose()? })
    }

    /// The recipe without images.
    fn recipe<'a>(&'a self, features: &'a G::Features, settings: &DataSettings) -> Recipe<'a, G, G::Features> {
        Recipe {
            selection: settings.selection,
            teacher: self.teacher.as_ref().map(|(make, _)| make as Maker<'a, G>),
            limits: self.teacher.as_ref().and_then(|(_, limits)| *limits),
            result_share: settings.result_share as f32,
            skip: self.skip.as_ref().map(|(make, scale)| (make as Maker<'a, G>, *scale)),
            material: Some(G::MATERIAL),
            ..Recipe::plain(features, 0)
        }
    }
}

/// The name of an evaluator, without folders, and what tells it from others of the name. A file that is called as what is built in has
/// `./` before its name.
pub(super) fn identified<G: Catalogue>(name: &str) -> Result<(String, String), LearnError> {
    if let Some(text) = G::identity(name)? {
        return Ok((name.to_owned(), sha256(text.as_bytes())));
    }
    let path = Path::new(G::split_addition(name).0);
    let mut file = name_without_folders(name);
    let is_taken = is_supplied(Path::new(G::split_addition(&file).0)) || matches!(G::identity(&file), Ok(Some(_)));
    if is_taken && file != name {
        file.insert_str(0, "./");
    }
    let checksum = match store::load(path) {
        Ok((net, about)) => sha256(&store::to_bytes(&net, &about).unwrap_or_default()),
        // Other networks play, too: those of tree search, and those in whole numbers.
        Err(error) => G::checksum(name).map_err(|_| error)?,
    };
    Ok((file, checksum))
}

/// Checks that there is something to learn from and something to measure errors on.
fn check_kept<G: Catalogue>(
    records: &[GameRecord<G>],
    settings: &DataSettings,
    (training, held_out): (&PositionSet, &PositionSet),
) -> Result<(), LearnError> {
    let account = training.account() + held_out.account();
    if account.opening == account.seen {
        let longest = records.iter().map(|record| record.moves.len()).max().unwrap_or(0);
        return Err(LearnError::NoPositions { skip_plies: settings.selection.skip_plies, longest });
    }
    for (set, purpose) in [(training, "learn from"), (held_out, "measure errors on")] {
        if set.is_empty() {
            return Err(LearnError::NoneKept { purpose, account: set.account() });
        }
    }
    Ok(())
}

fn check_results(set: &PositionSet) -> Result<(), LearnError> {
    match set.results() {
        [result, ..] if !set.results_differ(0..set.len()) => Err(LearnError::OneResult { result: *result }),
        _ => Ok(()),
    }
}
