//! The experiments by name: what each is about, its settings, and how it runs.
//!
//! To add one: settings that implement [`Experiment`], a file of them, `NAME.toml`, beside it, and a line in [`EXPERIMENTS`].

use std::path::Path;

use toml::{Table, Value};

use super::config::{self, Assignment, ConfigError, table_of, typed};
use super::contract::{Experiment, ExperimentError};
use super::driver::{self, RunRequest, RunSummary, inputs_read};
use super::methods::MethodSettings;
use super::papers;
use crate::games::connect6::Connect6;
use crate::games::surakarta::Surakarta;
use crate::games::xiangqi::Xiangqi;
use crate::runs::{Figure, FolderError, Kind, Manifest, Start, identity_of, read_headline};
use crate::settings::Changes;

/// Names and checksums of what results depend on.
type Inputs = Vec<(String, String)>;

/// An experiment that can be run by its name, whatever the type of its settings.
#[derive(Debug)]
pub struct RegisteredExperiment {
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
    /// What a run keeps on the way, so that the next attempt goes on with it, in words; `None` if that begins anew.
    pub keeps: Option<&'static str>,
    seed: &'static str,
    text: &'static str,
    complete: fn(&Table) -> Result<Table, String>,
    read: fn(&'static str, &str) -> Result<Table, ConfigError>,
    print: fn(&Table) -> String,
    check: fn(&Table) -> Result<(), ExperimentError>,
    further: fn(&Table) -> Result<Inputs, ExperimentError>,
    run: fn(&'static str, &Table, &RunRequest<'_>) -> Result<RunSummary, ExperimentError>,
}

macro_rules! experiments {
    ($($config:ty = $name:literal,)+) => {
        [$(RegisteredExperiment::of::<$config>($name, include_str!(concat!("papers/", $name, ".toml")))),+]
    };
}

/// All experiments, in order of name. Each name is that of the file of settings, too.
pub static EXPERIMENTS: [RegisteredExperiment; 19] = experiments! {
    papers::connect6_records::Connect6RecordsConfig = "connect6-records",
    papers::connect6_steps::Connect6StepsConfig = "connect6-steps",
    papers::strength::StrengthConfig<Connect6> = "connect6-strength",
    papers::connect6_tdbp::Connect6TdbpConfig = "connect6-tdbp",
    papers::evaluation_terms::EvaluationTermsConfig = "evaluation-terms",
    papers::granularity::GranularityConfig = "granularity",
    MethodSettings = "held-out-error",
    papers::inclusion_start::InclusionStartConfig = "inclusion-start",
    papers::mtdf_steps::MtdfStepsConfig = "mtdf-steps",
    papers::position_tables::PositionTablesConfig = "position-tables",
    papers::rnn_xiangqi::S1Config = "rnn-xiangqi",
    papers::sprt_simulation::SprtSimulationConfig = "sprt-simulation",
    papers::strength::StrengthConfig<Xiangqi> = "strength",
    papers::surakarta_searches::SurakartaSearchesConfig = "surakarta-searches",
    papers::strength::StrengthConfig<Surakarta> = "surakarta-strength",
    papers::surakarta_zero::SurakartaZeroConfig = "surakarta-zero",
    papers::td_random_walk::RandomWalkConfig = "td-random-walk",
    papers::td_xiangqi::TdXiangqiConfig = "td-xiangqi",
    papers::tune_search::TuneSearchConfig = "tune-search",
};

/// The experiment called `name`.
pub fn find(name: &str) -> Option<&'static RegisteredExperiment> {
    EXPERIMENTS.iter().find(|one| one.name == name)
}

impl RegisteredExperiment {
    const fn of<E: Experiment>(name: &'static str, text: &'static str) -> Self {
        Self {
            name,
            about: E::ABOUT,
            game: E::GAME,
            reads_games: E::READS_GAMES,
            plays: E::PLAYS,
            keeps: E::KEEPS,
            seed: E::SEED,
            text,
            complete: |table| table_of(&typed::<E>(table)?),
            read: |name, text| {
                table_of(&config::read::<E>(name, text)?).map_err(|problem| ConfigError::in_text(name, problem))
            },
            print: |table| typed::<E>(table).ok().and_then(|config| toml::to_string(&config).ok()).unwrap_or_default(),
            check: |table| typed::<E>(table)?.check(),
            further: |table| typed::<E>(table)?.further_inputs(),
            run: |name, table, request| driver::run(name, &typed::<E>(table)?, request),
        }
    }

    /// The settings of a profile.
    ///
    /// # Errors
    /// When there is no such profile.
    pub fn profile(&'static self, profile: &str) -> Result<RunSettings, ConfigError> {
        let table = config::profile(self.name, self.text, profile)?;
        let table = (self.complete)(&table).map_err(|problem| ConfigError::in_text(self.name, problem))?;
        Ok(RunSettings { experiment: self, table })
    }

    /// The settings that a text holds, such as the `config.toml` of an earlier run.
    ///
    /// # Errors
    /// When it does not hold all settings of this experiment; with the line.
    pub fn read(&'static self, text: &str) -> Result<RunSettings, ConfigError> {
        Ok(RunSettings { experiment: self, table: (self.read)(self.name, text)? })
    }
}

/// All settings of one run of an experiment.
#[derive(Debug, Clone)]
pub struct RunSettings {
    /// The experiment whose settings they are.
    pub experiment: &'static RegisteredExperiment,
    table: Table,
}

impl RunSettings {
    /// Changes one setting; `seed` changes all random draws.
    ///
    /// # Errors
    /// When there is no such setting, with the names of all, or the value is of another type.
    pub fn set(&mut self, assignment: &Assignment) -> Result<(), ConfigError> {
        let Assignment { key, value } = assignment;
        let failed = |problem: String| ConfigError::of_setting(self.experiment.name, assignment, problem);
        if let ("seed", Value::Integer(seed)) = (key.as_str(), value) {
            let seed = u64::try_from(*seed).map_err(|_| failed("expected a number from 0 on".to_owned()))?;
            return self.reseed(seed);
        }
        let mut table = self.table.clone();
        config::assign(&mut table, key, value.clone()).map_err(failed)?;
        self.table = (self.experiment.complete)(&table).map_err(failed)?;
        Ok(())
    }

    /// The whole key of the setting that `key` stands for in [`RunSettings::set`]; `key` itself where that refuses it.
    pub fn full_key(&self, key: &str) -> String {
        let key = if key == "seed" { self.experiment.seed } else { key };
        config::full_key(&self.table, key).unwrap_or_else(|_| key.to_owned())
    }

    /// Whether `key` stands for all that [`RunSettings::reseed`] sets: where there are `seeds` beside the seed, it sets these, too.
    pub fn is_whole_seed(&self, key: &str) -> bool {
        let seed = self.experiment.seed;
        let list = seed.rsplit_once('.').map_or_else(|| "seeds".to_owned(), |(table, _)| format!("{table}.seeds"));
        key == "seed" || self.full_key(key) == seed && !config::has(&self.table, &list)
    }

    /// Makes all random draws follow from `seed`.
    ///
    /// # Errors
    /// When the seed is beyond what TOML can hold.
    pub fn reseed(&mut self, seed: u64) -> Result<(), ConfigError> {
        let reseeded = config::reseed(&mut self.table, self.experiment.seed, seed);
        reseeded.map_err(|problem| ConfigError::in_text(self.experiment.name, problem))
    }

    /// The settings as TOML, as they are written beside the results.
    pub fn to_toml(&self) -> String {
        (self.experiment.print)(&self.table)
    }

    /// Checks every range.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), ExperimentError> {
        (self.experiment.check)(&self.table)
    }

    /// Runs the experiment. An interrupted run continues where it stopped; finished results of the same settings are made again.
    ///
    /// # Errors
    /// When a setting is outside its range, a new run would take the place of results of others, or a step fails; what was finished
    /// before is kept for the next attempt.
    pub fn run(&self, request: &RunRequest<'_>) -> Result<RunSummary, ExperimentError> {
        if request.start == Start::New {
            self.same_run(request.folder, request.inputs)?;
        }
        (self.experiment.run)(self.experiment.name, &self.table, request)
    }

    /// The headline of a finished run with these settings, games and program in the folder `path`; `None` if there is none, or a
    /// file of it is missing or was changed. The games were read from `inputs`: names and SHA-256.
    ///
    /// # Errors
    /// When the folder holds a finished run of this experiment with others.
    pub fn finished(&self, path: &Path, inputs: &[(String, String)]) -> Result<Option<Vec<Figure>>, FolderError> {
        let known = self.same_run(path, inputs)?;
        Ok(known.filter(|known| known.is_intact(path)).map(|_| read_headline(path)))
    }

    /// The manifest of a finished run with these settings, games and program in the folder `path`, as [`RunSettings::finished`] takes
    /// them, whatever became of its files.
    ///
    /// # Errors
    /// As [`RunSettings::finished`].
    pub fn same_run(&self, path: &Path, inputs: &[(String, String)]) -> Result<Option<Manifest>, FolderError> {
        let name = self.experiment.name;
        let Some(known) = Manifest::read(path).ok().filter(|known| known.experiment == name) else {
            return Ok(None);
        };
        let games = inputs_read(inputs, self.experiment.reads_games);
        // What else it reads may be gone by now, and is not compared then.
        let (inputs, read) = match (self.experiment.further)(&self.table) {
            Ok(further) => ([games, &further].concat(), &known.inputs[..]),
            Err(_) => (games.to_vec(), &known.inputs[..games.len().min(known.inputs.len())]),
        };
        // Games are what they are, whatever their file is called.
        let same = |(at, input): (usize, &(String, String))| {
            read.get(at).filter(|known| known.1 == input.1).unwrap_or(input).clone()
        };
        let inputs: Vec<(String, String)> = inputs.iter().enumerate().map(same).collect();
        let before = identity_of(&known.program, &without_nulls(known.settings.clone()), read);
        let settings = serde_json::to_value(&self.table).unwrap_or_default();
        let now = identity_of(crate::PROGRAM, &settings, &inputs);
        match Changes::between(&before, &now) {
            Changes(changes) if changes.is_empty() => Ok(Some(known)),
            _ if (Kind::experiment(name).is_unfinished)(path) => Ok(None),
            changes => Err(FolderError::Another(path.to_owned(), changes)),
        }
    }
}

/// Settings as JSON without those that are null there, which TOML leaves out.
fn without_nulls(settings: serde_json::Value) -> serde_json::Value {
    match settings {
        serde_json::Value::Object(fields) => {
            let given = fields.into_iter().filter(|(_, value)| !value.is_null());
            given.map(|(name, value)| (name, without_nulls(value))).collect()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_has_both_profiles_and_their_settings_are_in_range() {
        for experiment in &EXPERIMENTS {
            for profile in ["quick", "paper", "smoke"] {
                let settings = experiment.profile(profile).unwrap_or_else(|error| panic!("{error}"));
                settings.check().unwrap_or_else(|error| panic!("{} {profile}: {error}", experiment.name));
                let again = experiment.read(&settings.to_toml()).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(again.table, settings.table, "{} {profile}", experiment.name);
            }
        }
        assert!(EXPERIMENTS.is_sorted_by_key(|experiment| experiment.name));
    }

    #[test]
    fn finished_results_are_those_of_the_same_games_by_any_name() {
        let place = tempfile::tempdir().unwrap();
        let settings = find("td-xiangqi").unwrap().profile("smoke").unwrap();
        let input = |name: &str, sum: &str| vec![(name.to_owned(), sum.to_owned())];
        let manifest =
            Manifest::new("td-xiangqi", 1, serde_json::to_value(&settings.table).unwrap(), input("a.pgn", "1"));
        manifest.write(crate::runs::MANIFEST, place.path(), &[]).unwrap();
        assert!(settings.finished(place.path(), &input("b.pgn", "1")).unwrap().is_some());
        let error = settings.finished(place.path(), &input("a.pgn", "2")).unwrap_err().to_string();
        assert!(error.contains("inputs.1.a.pgn: 1 before, 2 now"), "{error}");
        let both = [input("a.pgn", "1"), input("b.pgn", "2")].concat();
        assert!(settings.finished(place.path(), &both).is_err(), "more games");
        let settings_as_json = serde_json::to_value(&settings.table).unwrap();
        Manifest::new("td-xiangqi", 1, settings_as_json, both).write(crate::runs::MANIFEST, place.path(), &[]).unwrap();
        assert!(settings.finished(place.path(), &input("a.pgn", "1")).is_err(), "fewer games");
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
