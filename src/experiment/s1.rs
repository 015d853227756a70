//! S1: a rough neural network as the evaluator of a Xiangqi program, from game records to its Table 1.
//!
//! The steps, in order: positions of training and held-out games; for each number of training games the decision table,
//! a reduct, the games that are not redundant under it, rules, and a rough network trained on the games kept; on the
//! last of them also BP, TD(λ) and two controls; matches against the traditional evaluator and among the networks.

pub mod config;
mod matches;
mod report;
mod stage;

use std::path::{Path, PathBuf};

pub use config::S1Config;
pub use report::Tables;
pub use stage::StageFigures;

use super::learn::{self, Data, DataSettings, LearnError, Learned, RoughPlan};
use super::manifest::{FileError, Manifest, program, sha256, write_whole};
use crate::arena::{FinishedMatch, MatchError, OpeningsError};
use crate::games::xiangqi::Xiangqi;
use crate::net::store::StoreError;
use crate::observe::Observer;
use crate::record::{GameRecord, RecordError};
use crate::report::PlotError;
use crate::search::SettingsError;
use crate::setting::SettingError;
use crate::train::{Checkpoint, CheckpointError};

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
    /// A checkpoint could not be removed.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
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

/// Everything that a run found.
pub struct S1Results {
    /// What the reduction did at each number of training games.
    pub stages: Vec<StageFigures>,
    /// The trained networks: one rough network a stage, then the others.
    pub learned: Vec<Learned>,
    /// The matches, in the order of the tables.
    pub matches: Vec<FinishedMatch<Xiangqi>>,
    /// The tables of the report.
    pub tables: Tables,
}

/// A run: its settings, its games, and its folder.
pub struct S1<'a> {
    config: &'a S1Config,
    source: &'a Source<'a>,
    folder: &'a Path,
    work: PathBuf,
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
        let identity = (program(), config, source.inputs);
        let fingerprint = sha256(&serde_json::to_vec(&identity).unwrap_or_default());
        let work = folder.join(format!(".resume-{}", &fingerprint[..16]));
        for path in [folder, &work, &folder.join("nets")] {
            let create = |source| FileError { action: "create", path: path.to_owned(), source };
            std::fs::create_dir_all(path).map_err(create)?;
        }
        Ok(Self { config, source, folder, work, observer })
    }

    /// Does everything and writes the results.
    ///
    /// # Errors
    /// When a step fails; what was finished before is kept for the next attempt.
    pub fn run(&self, png: bool) -> Result<S1Results, S1Error> {
        let config = self.config;
        let settings = DataSettings {
            skip_plies: config.skip_plies,
            held_out: config.held_out,
            curve_points: config.curve_points,
        };
        let data = Data::new(self.games(), self.source.inputs.to_vec(), settings, config.seed)?;
        let (stages, learned, kept) = self.learn(&data)?;
        for one in &learned {
            one.save(&self.net_path(one))?;
        }
        let matches = self.play_matches(&learned)?;
        let tables = Tables::new(self, &data, &stages, &learned, &matches);
        let results = S1Results { stages, learned, matches, tables };
        self.write(&results, &kept, png)?;
        let remove = |source| FileError { action: "remove", path: self.work.clone(), source };
        std::fs::remove_dir_all(&self.work).map_err(remove)?;
        Ok(results)
    }

    /// The games of the source that the settings ask for.
    fn games(&self) -> &[GameRecord<Xiangqi>] {
        let all = self.source.records;
        &all[..self.config.max_games.unwrap_or(all.len()).min(all.len())]
    }

    fn checkpoint(&self, name: &str, data: &Data, settings: &impl serde::Serialize) -> Checkpoint {
        let file = self.work.join(format!("{}.checkpoint", file_name(name)));
        Checkpoint::new(file, data.fingerprint(name, settings))
    }

    fn net_path(&self, learned: &Learned) -> PathBuf {
        self.folder.join("nets").join(format!("{}.safetensors", file_name(&learned.name)))
    }

    /// The rough networks of all stages, then the others on the games of the last stage; also those games' data.
    fn learn(&self, data: &Data) -> Result<(Vec<StageFigures>, Vec<Learned>, Data), S1Error> {
        let mut stages = Vec::new();
        let mut learned = Vec::new();
        let mut kept = data.with_training(data.training.select_games(&[]));
        for n_games in stage::sizes(&self.config.stages, data.training.games().len()) {
            let (figures, reduced) = stage::reduce(data, n_games, &self.config.rules, self.observer)?;
            let name = format!("rough {n_games}");
            learned.push(self.learn_rough(&reduced, &name, &self.rough_plan())?);
            stages.push(figures);
            kept = reduced;
        }
        learned.extend(self.learn_others(&kept)?);
        Ok((stages, learned, kept))
    }

    fn rough_plan(&self) -> RoughPlan {
        RoughPlan {
            rules: self.config.rules.clone(),
            form: self.config.rough.clone(),
            training: self.config.rough_training.clone(),
            reduct_only: false,
            random_start: false,
        }
    }

    fn learn_rough(&self, data: &Data, name: &str, plan: &RoughPlan) -> Result<Learned, S1Error> {
        let checkpoint = self.checkpoint(name, data, plan);
        Ok(learn::rough(data, plan, name, Some(&checkpoint), self.observer)?)
    }

    fn learn_others(&self, data: &Data) -> Result<Vec<Learned>, S1Error> {
        let config = self.config;
        let reduct_only = RoughPlan { reduct_only: true, ..self.rough_plan() };
        let random_start = RoughPlan { random_start: true, ..self.rough_plan() };
        let bp = self.checkpoint("BP", data, &config.bp);
        let td = self.checkpoint("TD", data, &config.td);
        Ok(vec![
            learn::bp(data, &config.bp, "BP", Some(&bp), self.observer)?,
            learn::td(data, &config.td, "TD", Some(&td), self.observer)?,
            self.learn_rough(data, "rough, reduct only", &reduct_only)?,
            self.learn_rough(data, "rough, random start", &random_start)?,
        ])
    }

    /// Writes everything but the networks, which are there already, and then the manifest over all of it.
    fn write(&self, results: &S1Results, data: &Data, png: bool) -> Result<(), S1Error> {
        let toml = toml::to_string(self.config).unwrap_or_default();
        let texts = [
            ("config.toml".to_owned(), toml),
            ("tables.md".to_owned(), results.tables.to_markdown()),
            ("rules.md".to_owned(), report::rules_page(&results.learned)),
        ];
        let csvs = results.tables.csv_files();
        let mut outputs = Vec::new();
        for (name, text) in texts.into_iter().chain(csvs) {
            write_whole(&self.folder.join(&name), text.as_bytes())?;
            outputs.push(name);
        }
        outputs.extend(self.write_games(&results.matches)?);
        outputs.extend(report::draw(self.folder, results, data, png)?);
        outputs.extend(results.learned.iter().map(|one| format!("nets/{}.safetensors", file_name(&one.name))));
        let manifest = Manifest {
            experiment: "S1".to_owned(),
            program: program(),
            seed: self.config.seed,
            settings: serde_json::to_value(self.config).unwrap_or_default(),
            inputs: self.source.inputs.to_vec(),
            outputs: Vec::new(),
        };
        Ok(manifest.write(self.folder, &outputs)?)
    }
}

/// A name as part of a file's name: `rough, reduct only` becomes `rough-reduct-only`.
fn file_name(name: &str) -> String {
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-").to_lowercase()
}
