//! S1: a rough neural network as the evaluator of a Xiangqi program, from game records to its Table 1.
//!
//! The steps, in order: positions of training and held-out games; for each number of training games the decision table,
//! a reduct, the games that are not redundant under it, rules, and a rough network trained on the games kept; on the
//! last of them also BP, TD(λ) and two controls; matches against the traditional evaluator and among the networks.

pub mod config;
mod matches;
mod report;
mod stage;

use std::path::Path;

pub use config::S1Config;
pub use report::Tables;
pub(super) use report::{game_table, score_error};
pub use stage::StageFigures;

use super::folder::RunFolder;
use super::learn::{self, Beginning, Data, DataSettings, Inputs, Knowledge, LearnError, Learned, RoughPlan, Training};
use super::manifest::{FileError, Manifest, write_file};
use crate::arena::{FinishedMatch, MatchError, OpeningsError};
use crate::games::xiangqi::Xiangqi;
use crate::net::store::StoreError;
use crate::observe::Observer;
use crate::record::{GameRecord, RecordError};
use crate::report::PlotError;
use crate::rough::Reduct;
use crate::search::SettingsError;
use crate::setting::SettingError;
use crate::train::{Checkpoint, NoRecord, Selection, Witness};

/// Why the experiment stopped.
#[derive(Debug, thiserror::Error)]
pub enum S1Error {
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A limit of the search is outside its range.
    #[error(transparent)]
    Search(#[from] SettingsError),
    /// Learning failed.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The openings could not be drawn.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// A match could not be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A network could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The games of the matches could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A picture could not be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// A file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// The games that a run works on.
pub struct Source<'a> {
    /// The games, all with a result.
    pub records: &'a [GameRecord<Xiangqi>],
    /// Name and SHA-256 of each input.
    pub inputs: &'a [(String, String)],
}

/// The networks of a run.
pub struct Networks {
    /// The rough network of each number of training games, in ascending order; at least one.
    pub rough: Vec<Learned>,
    /// The plain network by back-propagation.
    pub bp: Learned,
    /// The plain network by TD(λ).
    pub td: Learned,
    /// Control: a rough network over the reduct only.
    pub reduct_only: Learned,
    /// Control: the last rough network from random weights.
    pub random_start: Learned,
}

impl Networks {
    /// All networks, in the order of the tables.
    pub fn all(&self) -> impl Iterator<Item = &Learned> {
        self.rough.iter().chain([&self.bp, &self.td, &self.reduct_only, &self.random_start])
    }
}

/// Everything that a run found.
pub struct S1Results {
    /// What the reduction did at each number of training games.
    pub stages: Vec<StageFigures>,
    /// The trained networks.
    pub networks: Networks,
    /// The matches, in the order of the tables: first each stage's rough network against the traditional evaluator.
    pub matches: Vec<FinishedMatch<Xiangqi>>,
    /// The tables of the report.
    pub tables: Tables,
}

/// The last stage: what the other networks are trained on.
struct LastStage {
    data: Data,
    reduct: Reduct,
    knowledge: Knowledge,
}

/// A run: its settings, its games, and its folder.
pub struct S1<'a> {
    config: &'a S1Config,
    source: &'a Source<'a>,
    folder: RunFolder,
    observer: &'a dyn Observer,
}

impl<'a> S1<'a> {
    /// Prepares a run that writes into `folder`, which is created.
    ///
    /// State for resuming lies in a hidden folder there, named after everything that the results depend on, so that a
    /// run takes up only what an interrupted run of the same kind has left.
    ///
    /// # Errors
    /// When a setting is outside its range or the folder cannot be made.
    pub fn new(
        config: &'a S1Config,
        source: &'a Source<'a>,
        folder: &'a Path,
        observer: &'a dyn Observer,
    ) -> Result<Self, S1Error> {
        config.check()?;
        let folder = RunFolder::create(folder, &(config, source.inputs))?;
        Ok(Self { config, source, folder, observer })
    }

    /// Does everything and writes the results.
    ///
    /// # Errors
    /// When a step fails; what was finished before is kept for the next attempt.
    pub fn run(&self, png: bool) -> Result<S1Results, S1Error> {
        let config = self.config;
        let settings = DataSettings {
            selection: Selection::from_ply(config.skip_plies),
            held_out: config.held_out,
            curve_points: config.curve_points,
            ..DataSettings::default()
        };
        let data = Data::new(self.games(), self.source.inputs.to_vec(), settings, config.seed, self.observer)?;
        // Before the work of learning, so that a lack of openings shows at once.
        let openings = self.openings()?;
        let (stages, networks) = self.learn(&data)?;
        let matches = self.play_matches(&networks, &openings)?;
        let tables = Tables::new(self, &data, &stages, &networks, &matches);
        let results = S1Results { stages, networks, matches, tables };
        self.write(&results, &data, png)?;
        self.folder.forget_state()?;
        Ok(results)
    }

    /// The games of the source that the settings ask for.
    fn games(&self) -> &[GameRecord<Xiangqi>] {
        let all = self.source.records;
        &all[..self.config.max_games.unwrap_or(all.len()).min(all.len())]
    }

    fn checkpoint(&self, name: &str, data: &Data, settings: &impl serde::Serialize) -> Checkpoint {
        let file = self.folder.work.join(format!("{}.checkpoint", file_name(name)));
        Checkpoint::new(file, data.fingerprint(name, settings))
    }

    /// The rough networks of all stages, then the others on the games of the last stage.
    fn learn(&self, data: &Data) -> Result<(Vec<StageFigures>, Networks), S1Error> {
        let mut sizes = stage::sizes(&self.config.stages, data.training.games().len());
        let last_size = sizes.pop().unwrap_or(data.training.games().len());
        let (mut stages, mut rough) = (Vec::new(), Vec::new());
        for n_games in sizes {
            let (figures, learned, _) = self.learn_stage(data, n_games)?;
            stages.push(figures);
            rough.push(learned);
        }
        let (figures, learned, last) = self.learn_stage(data, last_size)?;
        stages.push(figures);
        rough.push(learned);
        Ok((stages, self.learn_others(rough, &last)?))
    }

    fn learn_stage(&self, data: &Data, n_games: usize) -> Result<(StageFigures, Learned, LastStage), S1Error> {
        let (figures, reduct, data) = stage::reduce(data, n_games)?;
        let plan = self.rough_plan();
        let knowledge = Knowledge::of(&data, &plan, self.observer)?;
        let learned = self.learn_rough(&data, (&knowledge, &plan), &format!("rough {n_games}"))?;
        Ok((figures, learned, LastStage { data, reduct, knowledge }))
    }

    fn rough_plan(&self) -> RoughPlan {
        let config = self.config;
        RoughPlan::new(config.rules.clone(), config.rough.clone(), config.rough_training.clone())
    }

    fn learn_rough(&self, data: &Data, known: (&Knowledge, &RoughPlan), name: &str) -> Result<Learned, S1Error> {
        let (knowledge, plan) = known;
        let checkpoint = self.checkpoint(name, data, plan);
        self.learn_one(data, plan.start(data, knowledge), name, &checkpoint)
    }

    fn learn_one(
        &self,
        data: &Data,
        (beginning, training): (Beginning, Training),
        name: &str,
        checkpoint: &Checkpoint,
    ) -> Result<Learned, S1Error> {
        let witness = Witness { checkpoint: Some(checkpoint), recorder: &mut NoRecord, observer: self.observer };
        Ok(learn::learn(data, beginning, &training, name, witness)?)
    }

    /// BP, TD(λ) and the controls, beside the rough networks.
    fn learn_others(&self, rough: Vec<Learned>, last: &LastStage) -> Result<Networks, S1Error> {
        let (config, data) = (self.config, &last.data);
        let reduct_only = RoughPlan { inputs: Inputs::REDUCT, ..self.rough_plan() };
        let random_start = RoughPlan { random_start: true, ..self.rough_plan() };
        let of_reduct = Knowledge::over(last.reduct.attrs().clone(), data, &config.rules, self.observer)?;
        let bp = self.checkpoint("BP", data, &config.bp);
        let td = self.checkpoint("TD", data, &config.td);
        Ok(Networks {
            rough,
            bp: self.learn_one(data, config.bp.start(data), "BP", &bp)?,
            td: self.learn_one(data, config.td.start(data), "TD", &td)?,
            reduct_only: self.learn_rough(data, (&of_reduct, &reduct_only), "rough, reduct only")?,
            random_start: self.learn_rough(data, (&last.knowledge, &random_start), "rough, random start")?,
        })
    }

    /// Writes everything, and last the manifest over all of it.
    fn write(&self, results: &S1Results, data: &Data, png: bool) -> Result<(), S1Error> {
        let toml = toml::to_string(self.config).unwrap_or_default();
        let texts = [
            ("config.toml".to_owned(), toml),
            ("tables.md".to_owned(), results.tables.to_markdown()),
            ("rules.md".to_owned(), report::rules_page(&results.networks)),
        ];
        let mut outputs = Vec::new();
        for (name, text) in texts.into_iter().chain(results.tables.csv_files()) {
            write_file(&self.folder.results.join(&name), text.as_bytes())?;
            outputs.push(name);
        }
        outputs.extend(self.write_networks(&results.networks)?);
        outputs.extend(self.write_games(&results.matches)?);
        outputs.extend(report::draw(&self.folder.results, results, data, png)?);
        let manifest = Manifest {
            experiment: "S1".to_owned(),
            program: crate::PROGRAM.to_owned(),
            seed: self.config.seed,
            settings: serde_json::to_value(self.config).unwrap_or_default(),
            inputs: self.source.inputs.to_vec(),
            outputs: Vec::new(),
        };
        Ok(manifest.write(&self.folder.results, &outputs)?)
    }

    /// Writes the networks in place of those of an earlier run, and gives the files' names.
    fn write_networks(&self, networks: &Networks) -> Result<Vec<String>, S1Error> {
        let folder = self.folder.results.join("nets");
        let failed = |action| {
            let path = folder.clone();
            move |source| FileError { action, path, source }
        };
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(failed("replace"))?;
        }
        std::fs::create_dir_all(&folder).map_err(failed("create"))?;
        let mut names = Vec::new();
        for one in networks.all() {
            let name = format!("nets/{}.safetensors", file_name(&one.name));
            one.save(&self.folder.results.join(&name))?;
            names.push(name);
        }
        Ok(names)
    }
}

/// A name as part of a file's name: `rough, reduct only` becomes `rough-reduct-only`.
fn file_name(name: &str) -> String {
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}
