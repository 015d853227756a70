//! The experiments by name: what each is about, its settings, and how it runs.
//!
//! To add one: settings that implement [`Experiment`], a file of them in `configs/`, and a line in [`EXPERIMENTS`].

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::config::{self, Assignment, ConfigError};
use super::connect6_records::Connect6RecordsConfig;
use super::connect6_steps::Connect6StepsConfig;
use super::connect6_tdbp::Connect6TdbpConfig;
use super::error::ExperimentError;
use super::evaluation_terms::EvaluationTermsConfig;
use super::held_out_error::HeldOutErrorConfig;
use super::inclusion_start::InclusionStartConfig;
use super::mtdf_steps::MtdfStepsConfig;
use super::records::{Recorded, Records};
use super::s1::S1Config;
use super::sprt_simulation::SprtSimulationConfig;
use super::surakarta_searches::SurakartaSearchesConfig;
use super::surakarta_zero::SurakartaZeroConfig;
use super::td_random_walk::RandomWalkConfig;
use super::td_xiangqi::TdXiangqiConfig;
use crate::arena::Shard;
use crate::game::Game;
use crate::games::xiangqi::Xiangqi;
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::runs::folder::RunFolder;
use crate::runs::manifest::{FileError, Manifest};
use crate::runs::results::{Figure, Outcome, read_headline};

/// An experiment: its settings, and what to do with them.
pub trait Experiment: Clone + Serialize + DeserializeOwned {
    /// The name on the command line and in manifests.
    const NAME: &'static str;
    /// One line on what it is about.
    const ABOUT: &'static str;
    /// The file of its settings, as [`config`] describes it.
    const SETTINGS: &'static str;
    /// The game that it is about: its name.
    const GAME: &'static str = Xiangqi::NAME;
    /// Whether it reads games.
    const READS_GAMES: bool = true;
    /// Whether it plays matches, which machines can share.
    const PLAYS: bool = false;

    /// The seed that stands for all random draws in the manifest.
    fn seed_mut(&mut self) -> &mut u64;

    /// The manifest of a run that also depends on `inputs`.
    fn manifest(&self, inputs: &[(String, String)]) -> Manifest {
        Manifest {
            experiment: Self::NAME.to_owned(),
            program: crate::PROGRAM.to_owned(),
            seed: *self.clone().seed_mut(),
            settings: serde_json::to_value(self).unwrap_or_default(),
            inputs: inputs.to_vec(),
            outputs: Vec::new(),
        }
    }

    /// Makes all random draws follow from `seed`.
    fn reseed(&mut self, seed: u64) {
        *self.seed_mut() = seed;
    }

    /// Checks every range, before any work.
    ///
    /// # Errors
    /// For the first setting outside its range.
    fn check(&self) -> Result<(), ExperimentError>;

    /// Does everything and writes the results into the folder of `context`. An interrupted run goes on where it was.
    ///
    /// # Errors
    /// When a step fails; what was finished before is kept for the next attempt.
    fn run(&self, context: &Context<'_>) -> Result<Outcome, ExperimentError>;
}

/// Which games of an experiment's matches are played here.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// Those of this shard.
    pub shard: Shard,
    /// Folders of runs of other shards, whose games are taken over.
    pub others: &'a [PathBuf],
}

impl Part<'_> {
    /// All of them.
    pub const WHOLE: Self = Self { shard: Shard::WHOLE, others: &[] };
}

/// What an experiment works on and where it writes.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The games, all with a result.
    pub records: Records<'a>,
    /// Name and SHA-256 of what the games were read from.
    pub inputs: &'a [(String, String)],
    /// Where the results go.
    pub folder: &'a Path,
    /// Whether pictures are drawn as PNG too.
    pub png: bool,
    /// Whether what an interrupted run has left is thrown away.
    pub afresh: bool,
    /// Which games are played.
    pub part: Part<'a>,
    /// Is told how far the run is.
    pub observer: &'a dyn Observer,
}

impl<'a> Context<'a> {
    /// The folder of a run with this `config` that also depends on `inputs`.
    ///
    /// # Errors
    /// When a folder cannot be made, another process uses it, or it holds something else than runs of this experiment.
    pub fn open<E: Experiment>(&self, config: &E, inputs: &[(String, String)]) -> Result<RunFolder, FileError> {
        RunFolder::create(self.folder, (E::NAME, &(E::NAME, config, inputs)), self.afresh)
    }

    /// The first `max_games` games, or all.
    #[must_use]
    pub fn games<G: Recorded>(&self, max_games: Option<usize>) -> &'a [GameRecord<G>] {
        let records = G::among(self.records);
        &records[..max_games.unwrap_or(records.len()).min(records.len())]
    }
}

/// An experiment of the catalogue, whatever the type of its settings.
#[derive(Debug)]
pub struct Entry {
    /// The name.
    pub name: &'static str,
    /// One line on what it is about.
    pub about: &'static str,
    /// The name of the game that it is about.
    pub game: &'static str,
    /// Whether it reads games.
    pub reads_games: bool,
    /// Whether it plays matches, which machines can share.
    pub plays: bool,
    text: &'static str,
    complete: fn(Table) -> Result<Table, String>,
    read: fn(&str) -> Result<Table, ConfigError>,
    print: fn(Table) -> String,
    reseed: fn(Table, u64) -> Result<Table, ConfigError>,
    check: fn(Table) -> Result<(), ExperimentError>,
    run: fn(Table, &Context<'_>) -> Result<Outcome, ExperimentError>,
}

/// All experiments, in order of name.
pub static EXPERIMENTS: [Entry; 13] = [
    Entry::of::<Connect6RecordsConfig>(),
    Entry::of::<Connect6StepsConfig>(),
    Entry::of::<Connect6TdbpConfig>(),
    Entry::of::<EvaluationTermsConfig>(),
    Entry::of::<HeldOutErrorConfig>(),
    Entry::of::<InclusionStartConfig>(),
    Entry::of::<MtdfStepsConfig>(),
    Entry::of::<S1Config>(),
    Entry::of::<SprtSimulationConfig>(),
    Entry::of::<SurakartaSearchesConfig>(),
    Entry::of::<SurakartaZeroConfig>(),
    Entry::of::<RandomWalkConfig>(),
    Entry::of::<TdXiangqiConfig>(),
];

/// The experiment called `name`.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    EXPERIMENTS.iter().find(|entry| entry.name == name)
}

impl Entry {
    const fn of<E: Experiment>() -> Self {
        Self {
            name: E::NAME,
            about: E::ABOUT,
            game: E::GAME,
            reads_games: E::READS_GAMES,
            plays: E::PLAYS,
            text: E::SETTINGS,
            complete: config::complete::<E>,
            read: |text| table_of(&config::read::<E>(E::NAME, text)?),
            print: |table| typed::<E>(table).ok().and_then(|config| toml::to_string(&config).ok()).unwrap_or_default(),
            reseed: |table, seed| {
                let mut config: E = typed(table)?;
                config.reseed(seed);
                table_of(&config)
            },
            check: |table| typed::<E>(table)?.check(),
            run: |table, context| typed::<E>(table)?.run(context),
        }
    }

    /// The settings of a profile.
    ///
    /// # Errors
    /// When there is no such profile.
    pub fn profile(&'static self, profile: &str) -> Result<Settings, ConfigError> {
        let table = config::profile(self.name, self.text, profile)?;
        let table = (self.complete)(table).map_err(|problem| ConfigError::Text { experiment: self.name, problem })?;
        Ok(Settings { entry: self, table })
    }

    /// The settings that a text holds, such as the `config.toml` of an earlier run.
    ///
    /// # Errors
    /// When it does not hold all settings of this experiment; with the line.
    pub fn read(&'static self, text: &str) -> Result<Settings, ConfigError> {
        Ok(Settings { entry: self, table: (self.read)(text)? })
    }
}

fn typed<E: Experiment>(table: Table) -> Result<E, ConfigError> {
    let problem = |error: toml::de::Error| error.message().replace('\n', " ");
    table.try_into().map_err(|error| ConfigError::Text { experiment: E::NAME, problem: problem(error) })
}

fn table_of<E: Experiment>(config: &E) -> Result<Table, ConfigError> {
    Table::try_from(config).map_err(|error| ConfigError::Text { experiment: E::NAME, problem: error.to_string() })
}

/// All settings of one run of an experiment.
#[derive(Debug, Clone)]
pub struct Settings {
    entry: &'static Entry,
    table: Table,
}

impl Settings {
    /// Changes one setting; `seed` changes all random draws.
    ///
    /// # Errors
    /// When there is no such setting, naming those that there are, or the value is of another kind.
    pub fn set(&mut self, assignment: &Assignment) -> Result<(), ConfigError> {
        let Assignment { key, value } = assignment;
        let failed = |problem| ConfigError::Set {
            key: key.clone(),
            value: assignment.shown_value(),
            experiment: self.entry.name,
            problem,
        };
        if let ("seed", Value::Integer(seed)) = (key.as_str(), value) {
            let seed = u64::try_from(*seed).map_err(|_| failed("expected a number from 0 on".to_owned()))?;
            return self.reseed(seed);
        }
        let mut table = self.table.clone();
        config::assign(&mut table, key, value.clone()).map_err(failed)?;
        self.table = (self.entry.complete)(table).map_err(failed)?;
        Ok(())
    }

    /// Makes all random draws follow from `seed`.
    ///
    /// # Errors
    /// When the seed is beyond what TOML can hold.
    pub fn reseed(&mut self, seed: u64) -> Result<(), ConfigError> {
        self.table = (self.entry.reseed)(self.table.clone(), seed)?;
        Ok(())
    }

    /// The settings as TOML, as they are written beside the results.
    #[must_use]
    pub fn to_toml(&self) -> String {
        (self.entry.print)(self.table.clone())
    }

    /// Checks every range.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), ExperimentError> {
        (self.entry.check)(self.table.clone())
    }

    /// Runs the experiment.
    ///
    /// # Errors
    /// As [`Experiment::run`].
    pub fn run(&self, context: &Context<'_>) -> Result<Outcome, ExperimentError> {
        (self.entry.run)(self.table.clone(), context)
    }

    /// The headline of a finished run with these settings, games and program in the folder of `context`; `None` if there is
    /// none, or a file of it is missing or was changed.
    #[must_use]
    pub fn finished(&self, context: &Context<'_>) -> Option<Vec<Figure>> {
        let manifest = Manifest::read(context.folder).ok()?;
        let same = manifest.experiment == self.entry.name
            && manifest.program == crate::PROGRAM
            && Table::try_from(&manifest.settings).ok()? == self.table
            && manifest.inputs.starts_with(if self.entry.reads_games { context.inputs } else { &[] })
            && manifest.is_intact(context.folder);
        same.then(|| read_headline(context.folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_has_both_profiles_and_their_settings_are_in_range() {
        for entry in &EXPERIMENTS {
            for profile in ["quick", "paper", "smoke"] {
                let settings = entry.profile(profile).unwrap_or_else(|error| panic!("{error}"));
                settings.check().unwrap_or_else(|error| panic!("{} {profile}: {error}", entry.name));
                let again = entry.read(&settings.to_toml()).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(again.table, settings.table, "{} {profile}", entry.name);
            }
        }
        assert!(EXPERIMENTS.is_sorted_by_key(|entry| entry.name));
    }

    #[test]
    fn a_wrong_key_or_value_is_named_with_what_would_be_right() {
        let mut settings = find("td-xiangqi").unwrap().profile("quick").unwrap();
        let mut refused = |text: &str| settings.set(&text.parse().unwrap()).unwrap_err().to_string();
        let unknown = refused("td.lamda=0.5");
        assert!(
            unknown.contains("`td.lamda`") && unknown.contains("`lambda`") && unknown.contains("`alpha`"),
            "{unknown}"
        );
        let kind = refused("td.lambda=high");
        assert!(kind.contains("`td.lambda`") && kind.contains("f64"), "{kind}");
        assert!(refused("seed=-1").contains("from 0 on"));
        settings.set(&"td.lambda=0.5".parse().unwrap()).unwrap();
        assert!(settings.to_toml().contains("lambda = 0.5"));
    }
}
