//! How well each evaluator predicts the results of games that it has not seen: one table of all methods, each trained with
//! several seeds on the same split of the games.

mod cases;

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::folder::RunFolder;
use super::learn::{Data, DataSettings, LearnError, RuleConfig};
use super::manifest::{FileError, Manifest, write_file};
use super::repeats::{Outcome, RepeatError, repeat, spread};
use crate::games::xiangqi::Xiangqi;
use crate::net::optimiser::OptimiserKind;
use crate::net::rough::RoughSettings;
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::report::{Cell, Curves, PlotError, Series, Table};
use crate::setting::{SettingError, require};
use crate::train::{Schedule, Selection, SupervisedSettings, TdSettings, UpdateForm, UpdateTime};

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeldOutErrorConfig {
    /// Seeds of initial weights and order of the positions.
    pub seeds: Vec<u64>,
    /// Seed of the split of the games.
    pub split_seed: u64,
    /// Share of the games held out, in (0, 1).
    pub held_out: f64,
    /// Plies at the beginning of each game whose positions are not used.
    pub skip_plies: usize,
    /// How many games of the database are used, from the first on; all of them if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_games: Option<usize>,
    /// Hidden neurons of the plain networks of S5.
    pub hidden: Vec<usize>,
    /// Hidden neurons of the plain network with an input for each value.
    pub one_hot: usize,
    /// Training of the plain networks by back-propagation.
    pub bp: SupervisedSettings,
    /// Which rules the rough networks are made of.
    pub rules: RuleConfig,
    /// The default form of the rough network.
    pub rough: RoughSettings,
    /// Training of the rough networks.
    pub rough_training: SupervisedSettings,
    /// Training by TD(λ).
    pub td: TdSettings,
}

impl HeldOutErrorConfig {
    /// The settings of the prototype in the design: 2,039 of 8,039 games held out, Adam 0.001, batches of 2048.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let adam = |rate| SupervisedSettings {
            passes: 4,
            batch: 2048,
            optimiser: OptimiserKind::Adam,
            rate: Schedule::constant(rate),
            patience: None,
        };
        let tau = 0.15;
        Self {
            seeds: (seed..seed.saturating_add(3)).collect(),
            split_seed: seed,
            held_out: 0.253_64,
            skip_plies: 10,
            max_games: None,
            hidden: vec![30, 50, 80, 100],
            one_hot: 64,
            bp: adam(1e-3),
            rules: RuleConfig { number: 60, max_conditions: 3, min_support: 0.002, ..RuleConfig::default() },
            rough: RoughSettings { tau, smoothing: 50.0, sharpness: 2.0, ..RoughSettings::default() },
            // Logarithms enter with the factor τ, so a step of Adam in them moves the network as one of τ times the size.
            rough_training: adam(1e-3 / tau),
            td: TdSettings {
                passes: 3,
                alpha: Schedule::constant(3e-4),
                lambda: 0.95,
                update: UpdateTime::Game,
                form: UpdateForm::Errors,
                patience: None,
            },
        }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require((1..=100).contains(&self.seeds.len()), "--seeds", "1 to 100 of them", self.seeds.len())?;
        require(self.max_games != Some(0), "--max-games", "at least 1", 0)?;
        self.bp.check()?;
        self.rules.check()?;
        self.rough.check()?;
        self.rough_training.check()?;
        self.td.check()
    }

    /// How records become positions that the feature set `features` describes.
    fn data(&self, features: &str) -> DataSettings {
        DataSettings {
            features: features.to_owned(),
            selection: Selection::from_ply(self.skip_plies),
            held_out: self.held_out,
            ..DataSettings::default()
        }
    }
}

/// Why the experiment stopped.
#[derive(Debug, thiserror::Error)]
pub enum HeldOutErrorError {
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The data could not be had.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// A repetition failed.
    #[error(transparent)]
    Repeat(#[from] RepeatError),
    /// The picture could not be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// A file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// What the repetitions of one method gave.
struct Row {
    group: &'static str,
    name: String,
    outcomes: Vec<Outcome>,
}

/// Trains every method with every seed on `records` and writes the results into `folder`; `inputs` are name and SHA-256 of
/// what the records were read from. An interrupted run goes on where it was. Gives the table of errors and that of times.
///
/// # Errors
/// When a setting is outside its range, learning fails, or a file cannot be written.
pub fn run(
    config: &HeldOutErrorConfig,
    (records, inputs): (&[GameRecord<Xiangqi>], &[(String, String)]),
    folder: &Path,
    observer: &dyn Observer,
) -> Result<[Table; 2], HeldOutErrorError> {
    config.check()?;
    let records = &records[..config.max_games.unwrap_or(records.len()).min(records.len())];
    let folder = RunFolder::create(folder, &("held-out-error", config, inputs))?;
    let read = |features: &str| Data::new(records, inputs.to_vec(), config.data(features), config.split_seed, observer);
    let sets = cases::Sets { board: read("board91")?, terms: read("terms")?, values: read("piece-square")? };
    let mut rows = Vec::new();
    for case in cases::cases(config, &sets, observer)? {
        let outcomes = repeat((&folder, &case.name), case.data, &config.seeds, &*case.learn, observer)?;
        rows.push(Row { group: case.group, name: case.name, outcomes });
    }
    let tables = [errors_table(&sets.board, &rows), times_table(&rows)];
    write(config, inputs, &folder, (&sets.board, &rows, &tables))?;
    folder.forget_state()?;
    Ok(tables)
}

/// The held-out error after `pass` passes in each repetition that got so far.
fn errors_after(row: &Row, pass: usize) -> Vec<f64> {
    let at = |outcome: &Outcome| outcome.curve.iter().find(|point| point.pass == pass as f64).map(|p| p.held_out_mse);
    row.outcomes.iter().filter_map(at).collect()
}

/// The passes of which the table tells.
const PASSES: usize = 4;

fn errors_table(data: &Data, rows: &[Row]) -> Table {
    let n_seeds = rows.iter().map(|row| row.outcomes.len()).max().unwrap_or(0);
    let caption = format!(
        "Mean squared error of the results of {} held-out games ({} positions) after each pass over {} positions of {} games; \
         mean ± standard deviation over {n_seeds} seeds",
        data.held_out.games().len(),
        data.held_out.len(),
        data.training.len(),
        data.training.games().len()
    );
    let columns = ["weights", "untrained", "1 pass", "2 passes", "3 passes", "4 passes"];
    let mut table = Table::new(caption, &["kind", "method"], &columns);
    let baselines = data.baselines();
    for (name, mse) in [("constant", baselines.constant_mse), ("material, linear", baselines.material_mse)] {
        let fitted = [Cell::Missing, Cell::Missing, Cell::real(mse, 4), Cell::Missing, Cell::Missing, Cell::Missing];
        table.push(["baseline".into(), name.into()].into_iter().chain(fitted));
    }
    for row in rows {
        let weights = row.outcomes.first().map(|outcome| outcome.n_weights);
        let errors = (0..=PASSES).map(|pass| match errors_after(row, pass).as_slice() {
            [] => Cell::Missing,
            errors => spread(errors, 4),
        });
        table.push([row.group.into(), row.name.as_str().into(), weights.into()].into_iter().chain(errors));
    }
    table
}

fn times_table(rows: &[Row]) -> Table {
    let caption = "Training time of all passes, measurements included; mean ± standard deviation over the seeds";
    let mut table = Table::new(caption, &["kind", "method"], &["passes", "seconds", "positions a second"]);
    for row in rows {
        let seconds: Vec<f64> = row.outcomes.iter().map(|outcome| outcome.seconds).collect();
        let passes = row.outcomes.first().and_then(|outcome| outcome.curve.last()).map_or(0.0, |point| point.pass);
        let rates: Vec<f64> = row.outcomes.iter().map(|o| passes * o.n_positions as f64 / o.seconds).collect();
        let cells = [Cell::real(passes, 0), spread(&seconds, 2), spread(&rates, 0)];
        table.push([row.group.into(), row.name.as_str().into()].into_iter().chain(cells));
    }
    table
}

/// Every measurement of every repetition.
fn curves_table(seeds: &[u64], rows: &[Row]) -> Table {
    let numbers = ["seed", "pass", "training_mse", "held_out_mse"];
    let mut table = Table::new("Learning curves", &["kind", "method"], &numbers);
    for row in rows {
        for (seed, outcome) in seeds.iter().zip(&row.outcomes) {
            for point in &outcome.curve {
                table.push([
                    row.group.into(),
                    row.name.as_str().into(),
                    (*seed).into(),
                    Cell::real(point.pass, 2),
                    Cell::real(point.training_mse, 5),
                    Cell::real(point.held_out_mse, 5),
                ]);
            }
        }
    }
    table
}

/// The methods that are trained in passes, with a band of one standard deviation.
fn curves_plot(data: &Data, rows: &[Row]) -> Curves {
    let series = |row: &Row| {
        let spreads: Vec<(f64, (f64, f64))> = (0..=PASSES)
            .map(|pass| (pass as f64, errors_after(row, pass)))
            .filter(|(_, errors)| !errors.is_empty())
            .map(|(pass, errors)| (pass, super::repeats::mean_and_sd(&errors)))
            .collect();
        Series {
            points: spreads.iter().map(|&(pass, (mean, _))| (pass, mean)).collect(),
            band: spreads.iter().map(|&(_, (_, sd))| sd).collect(),
            ..Series::new(row.name.clone(), Vec::new())
        }
    };
    let shown = ["BP 91-100-1", "BP one-hot 64", "rough", "rough, random start", "rough, reduct", "TD(λ) 91-100-1"];
    let baselines = data.baselines();
    Curves {
        title: "Held-out error".to_owned(),
        x_label: "passes over the training positions".to_owned(),
        y_label: "mean squared error, held-out games".to_owned(),
        series: rows.iter().filter(|row| shown.contains(&row.name.as_str())).map(series).collect(),
        levels: vec![
            ("linear fit of material".to_owned(), baselines.material_mse),
            ("constant".to_owned(), baselines.constant_mse),
        ],
    }
}

/// Writes everything, and the manifest over all but the times, which are another on every run.
fn write(
    config: &HeldOutErrorConfig,
    inputs: &[(String, String)],
    folder: &RunFolder,
    (data, rows, [errors, times]): (&Data, &[Row], &[Table; 2]),
) -> Result<(), HeldOutErrorError> {
    let texts = [
        ("config.toml", toml::to_string(config).unwrap_or_default()),
        ("tables.md", page(errors)),
        ("errors.csv", errors.to_csv()),
        ("curves.csv", curves_table(&config.seeds, rows).to_csv()),
    ];
    for (name, text) in &texts {
        write_file(&folder.results.join(name), text.as_bytes())?;
    }
    curves_plot(data, rows).render(&folder.results.join("curves.svg"))?;
    let note = "# Times\n\nMeasured on one machine on one day: not part of the manifest, and another on every run.\n\n";
    write_file(&folder.results.join("times.md"), (note.to_owned() + &times.to_markdown()).as_bytes())?;
    let outputs: Vec<String> = texts.iter().map(|(name, _)| *name).chain(["curves.svg"]).map(str::to_owned).collect();
    let manifest = Manifest {
        experiment: "held-out-error".to_owned(),
        program: crate::PROGRAM.to_owned(),
        seed: config.split_seed,
        settings: serde_json::to_value(config).unwrap_or_default(),
        inputs: inputs.to_vec(),
        outputs: Vec::new(),
    };
    Ok(manifest.write(&folder.results, &outputs)?)
}

fn page(errors: &Table) -> String {
    format!(
        "# Held-out error\n\n\
         All methods learn from the same games and are measured on the same others. `config.toml` has the settings, \
         `curves.csv` every measurement of every seed, `times.md` the training times.\n\n{}\n![curves](curves.svg)\n",
        errors.to_markdown()
    )
}
