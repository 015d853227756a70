//! A training run in its folder: the network, its learning curve, its manifest; while it is unfinished, its state too.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::curves::{CURVE, EVENTS, PICTURE, curve_table, write_curve};
use super::run::Training;
use super::{
    Basis, Data, DataSettings, DiagnosisReport, Initialisation, LearnError, Learned, SeenGames, WarmStart,
    curve_events, curve_plot, learn,
};
use crate::disk::write_file;
use crate::net::Net;
use crate::net::store::{self, About, IN_FOLDER};
use crate::observe::Observer;
use crate::report::Table;
use crate::runs::{
    FileError, FolderError, Kind, MANIFEST, Manifest, Results, RunFolder, RunsError, STATE, Start, TABLES,
};
use crate::train::zero::{GAMES, KEPT_STATE, is_kept_name};
use crate::train::{Checkpoint, CurvePoint, Recorder, TrainingContext};

/// Training runs, self-play among them.
pub(crate) const TRAINING: Kind = Kind {
    name: "train",
    is_unfinished: |folder| folder.join(STATE).is_dir(),
    owns: |name| {
        let names = [MANIFEST, IN_FOLDER, CURVE, EVENTS, SCORES, GAMES, TABLES, DIAGNOSIS];
        let is_picture = name.strip_prefix(PICTURE).is_some_and(|ending| [".svg", ".png"].contains(&ending));
        names.contains(&name) || KEPT_STATE.contains(&name) || is_kept_name(name) || is_picture
    },
    is_shared: false,
    has_state: true,
};
/// How a learner scored while it played, one row a measurement.
const SCORES: &str = "scores.csv";
/// What is found out about a rough network, one file a table; and the network before training.
pub const DIAGNOSIS: &str = "diagnosis";
/// The network before training, in the folder of the diagnosis.
const INITIAL: &str = "initial.safetensors";
const CHECKPOINT: &str = "checkpoint";

/// What a training run is called.
#[derive(Debug, Clone, Copy)]
pub struct RunName<'a> {
    /// The method, for programs: `bp`.
    pub method: &'static str,
    /// The title of the learning curve.
    pub title: &'a str,
}

/// Where a training run writes, and what it starts from.
#[derive(Debug, Clone)]
pub struct TrainingTarget {
    /// The folder.
    pub folder: PathBuf,
    /// How the run starts in it.
    pub start: Start,
    /// The network that learning continues from, a file or the folder of a run; without it, a new one is made.
    pub warm_start: Option<PathBuf>,
    /// Name and SHA-256 of the evaluator that the network learns against, if it learns by playing one.
    pub opponent: Option<(String, String)>,
    /// Whether the learning curve is drawn as PNG too.
    pub png: bool,
}

impl TrainingTarget {
    /// Checks that the folder can be used and that `method` can go on from the network that it is to, on data with these settings;
    /// writes nothing.
    ///
    /// # Errors
    /// When they cannot.
    pub fn check(&self, method: &str, data: &DataSettings) -> Result<(), RunsError> {
        if let Some(network) = self.network()? {
            network.check_method(method)?;
            network.check_skip(data.skip.as_ref())?;
        }
        Ok(RunFolder::check(&self.folder, &TRAINING, self.start)?)
    }

    /// Whether the run by `method` with these `settings`, on data made of `basis`, is to go on and is finished in the folder.
    ///
    /// # Errors
    /// When the network to go on from cannot be read, or the folder holds another finished run, or not all of this one.
    pub fn is_finished(&self, method: &str, basis: &Basis, settings: &impl Serialize) -> Result<bool, RunsError> {
        Ok(self.holds(&self.manifest(self.network()?.as_ref(), (method, settings), basis))?)
    }

    /// Whether the folder holds the finished run with the manifest `now`, which is to go on.
    fn holds(&self, now: &Manifest) -> Result<bool, FolderError> {
        Ok(self.start == Start::Resume && RunFolder::is_finished(&self.folder, &TRAINING, now)?)
    }

    /// The network that learning continues from.
    fn network(&self) -> Result<Option<WarmStart>, LearnError> {
        self.warm_start.as_deref().map(WarmStart::load).transpose()
    }

    /// What the run depends on.
    fn manifest(
        &self,
        network: Option<&WarmStart>,
        (method, settings): (&str, &impl Serialize),
        basis: &Basis,
    ) -> Manifest {
        let (mut settings, mut inputs) = (basis.described(settings), basis.inputs.clone());
        if let Some(network) = network {
            network.describe(method, &mut settings);
            inputs.push(network.file.clone());
        }
        inputs.extend(self.opponent.clone());
        manifest(method, settings, inputs)
    }

    /// Makes the folder ready for a run called `name` with these `settings`; `None` if the run is to go on and is finished there.
    ///
    /// # Errors
    /// As [`TrainingTarget::check`]; when a file cannot be made or removed, or another process uses the folder.
    pub fn open<'a>(
        &self,
        name: RunName<'a>,
        data: &Data,
        settings: &impl Serialize,
    ) -> Result<Option<TrainingRun<'a>>, RunsError> {
        let warm_start = self.network()?;
        let checksum = warm_start.as_ref().map(|start| start.file.1.as_str());
        let now = self.manifest(warm_start.as_ref(), (name.method, settings), &data.basis);
        if self.holds(&now)? {
            return Ok(None);
        }
        let folder = RunFolder::open(&self.folder, &TRAINING, None, self.start)?;
        folder.take_up(&now.identity())?;
        let fingerprint = data.fingerprint(name.method, &(settings, checksum));
        let checkpoint = Checkpoint::new(folder.work.join(CHECKPOINT), fingerprint);
        Ok(Some(TrainingRun { folder, name, checkpoint, warm_start, png: self.png }))
    }
}

/// A training run whose folder is open.
pub struct TrainingRun<'a> {
    folder: RunFolder,
    name: RunName<'a>,
    checkpoint: Checkpoint,
    warm_start: Option<WarmStart>,
    png: bool,
}

impl TrainingRun<'_> {
    /// Tells if `data` holds out games that the network to go on from may have learned from.
    pub fn seen_games(&self, data: &Data) -> Option<SeenGames> {
        self.warm_start.as_ref()?.seen_games(data)
    }

    /// What learning starts from: the network that it is to go on from in place of a new one, if there is one.
    ///
    /// # Errors
    /// When that network reads other attributes than `data` holds.
    pub fn begin(&self, new: Initialisation, data: &Data) -> Result<Initialisation, LearnError> {
        match &self.warm_start {
            Some(warm_start) => warm_start.clone().take_over(data, new),
            None => Ok(new),
        }
    }

    /// Trains the network of `start` on `data`; writes nothing but the curve so far.
    ///
    /// # Errors
    /// As [`learn`].
    pub fn learn(
        &self,
        (start, training): (Initialisation, Training),
        data: &Data,
        observer: &dyn Observer,
    ) -> Result<Learned, LearnError> {
        self.learn_by(observer, |context| learn(data, start, &training, self.name.method, context))
    }

    /// Trains by `learn`; writes nothing but the curve so far.
    ///
    /// # Errors
    /// Those of `learn`.
    pub fn learn_by<T>(
        &self,
        observer: &dyn Observer,
        learn: impl FnOnce(TrainingContext<'_>) -> Result<T, LearnError>,
    ) -> Result<T, LearnError> {
        let mut recorder = CurveRecorder { folder: &self.folder.results, name: self.name.method };
        learn(TrainingContext { checkpoint: Some(&self.checkpoint), recorder: &mut recorder, observer })
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        &self.folder.results
    }

    /// Where the file `name` of the results goes.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.results.join(name)
    }

    /// Writes how a learner scored while it played; the names of the files.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write_scores(&self, scores: &Table) -> Result<Vec<String>, FileError> {
        write_file(&self.file(SCORES), scores.to_csv().as_bytes())?;
        Ok(vec![SCORES.to_owned()])
    }

    /// Writes what was found out about the rough network `learned`, which was `initial` before training; the names of the files.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write_diagnosis(
        &self,
        report: &DiagnosisReport,
        initial: &Net,
        learned: &Learned,
    ) -> Result<Vec<String>, RunsError> {
        let folder = self.file(DIAGNOSIS);
        let mut names = report.write(&folder)?;
        store::save(&folder.join(INITIAL), initial, &learned.about)?;
        names.push(INITIAL.to_owned());
        Ok(names.into_iter().map(|name| format!("{DIAGNOSIS}/{name}")).collect())
    }

    /// Writes the results of the run, and last the manifest, which lists `others` too, files that are in the folder already: the run is
    /// finished.
    ///
    /// # Errors
    /// When a file cannot be written; the run is not finished then.
    pub fn finish(&self, learned: &Learned, data: &Data, others: Vec<String>) -> Result<(), RunsError> {
        let mut results = Results::new(&self.folder);
        learned.save(&self.file(IN_FOLDER))?;
        write_curve(&self.folder.results, &curve_table([learned.named_curve()]), &curve_events(&learned.curve))?;
        results.others(others.into_iter().chain([IN_FOLDER, CURVE, EVENTS].map(str::to_owned)));
        results.picture(PICTURE, self.png, &curve_plot(self.name.title, [learned], data))?;
        let About { method, settings, inputs, .. } = &learned.about;
        Ok(results.finish(manifest(method, settings.clone(), inputs.clone()))?)
    }
}

/// What a run by `method` depends on, of which its network's file says these `settings` and `inputs`. What follows from seed and
/// settings, such as how many positions were learned from, is not in it, so that runs that differ in the seed alone have equal settings.
fn manifest(method: &str, mut settings: serde_json::Value, inputs: Vec<(String, String)>) -> Manifest {
    let seed = settings["seed"].as_u64().unwrap_or_default();
    if let Some(settings) = settings.as_object_mut() {
        let follows = ["seed", "training_games", "training_positions", "skip", "reduced"];
        follows.iter().for_each(|key| drop(settings.remove(*key)));
        let training = settings.insert("method".to_owned(), method.into());
        settings.insert("training".to_owned(), training.unwrap_or_default());
    }
    Manifest::new(TRAINING.name, seed, settings, inputs)
}

/// Writes the learning curve so far into the folder of a run, after each measurement.
struct CurveRecorder<'a> {
    folder: &'a Path,
    name: &'static str,
}

impl Recorder for CurveRecorder<'_> {
    fn record(&mut self, curve: &[CurvePoint]) -> io::Result<()> {
        let written = write_curve(self.folder, &curve_table([(self.name, curve)]), &curve_events(curve));
        written.map_err(|error| io::Error::new(error.source.kind(), error))
    }
}
