//! How well each evaluator predicts the results of games that it has not seen: one table of all methods, each trained with
//! several seeds on the same split of the games.

mod cases;

use serde::{Deserialize, Serialize};

use crate::experiment::contract::{Context, Experiment};
use crate::experiment::error::ExperimentError;
use crate::games::xiangqi::Xiangqi;
use crate::net::rough::RoughSettings;
use crate::report::{Cell, Curves, Series, Table};
use crate::runs::repeats::{Repetition, mean_and_sd, repeat, spread};
use crate::runs::results::{Figure, Outcome, Results};
use crate::runs::training::{Data, DataSettings, RuleConfig};
use crate::settings::{SettingError, require, within};
use crate::train::{SupervisedSettings, TdSettings};

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
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check_ranges(&self) -> Result<(), SettingError> {
        require((1..=100).contains(&self.seeds.len()), "seeds", "1 to 100 of them", self.seeds.len())?;
        require(self.max_games != Some(0), "max_games", "at least 1", 0)?;
        within("bp", self.bp.check())?;
        within("rules", self.rules.check())?;
        within("rough", self.rough.check())?;
        within("rough_training", self.rough_training.check())?;
        self.td.check()
    }

    /// Splits the games by `seed`, and trains with it and those that follow it.
    pub fn reseed_from(&mut self, seed: u64) {
        self.split_seed = seed;
        self.seeds = (seed..).take(self.seeds.len()).collect();
    }

    /// How records become positions that the feature set `features` describes.
    fn data(&self, features: &str) -> DataSettings {
        DataSettings { features: features.to_owned(), ..DataSettings::from_ply(self.skip_plies, self.held_out, 1) }
    }
}

/// What the repetitions of one method gave.
struct Row {
    group: &'static str,
    name: String,
    outcomes: Vec<Repetition>,
}

impl Experiment for HeldOutErrorConfig {
    const NAME: &'static str = "held-out-error";
    const ABOUT: &'static str = "How well each method predicts the results of games that it has not seen";
    const SETTINGS: &'static str = include_str!("held-out-error.toml");

    fn seed_mut(&mut self) -> &mut u64 {
        &mut self.split_seed
    }

    fn reseed(&mut self, seed: u64) {
        self.reseed_from(seed);
    }

    fn check(&self) -> Result<(), ExperimentError> {
        Ok(self.check_ranges()?)
    }

    /// Trains every method with every seed on the games.
    fn run(&self, context: &Context<'_>) -> Result<Outcome, ExperimentError> {
        Experiment::check(self)?;
        let folder = context.open(self, context.inputs)?;
        let (records, observer) = (context.games::<Xiangqi>(self.max_games), context.observer);
        let read = |features: &str| {
            Data::new(records, context.inputs.to_vec(), self.data(features), self.split_seed, observer)
        };
        let sets = cases::Sets { board: read("board91")?, terms: read("terms")?, values: read("piece-square")? };
        let mut rows = Vec::new();
        for case in cases::cases(self, &sets, observer)? {
            let outcomes = repeat((&folder, &case.name), case.data, &self.seeds, &*case.learn, observer)?;
            rows.push(Row { group: case.group, name: case.name, outcomes });
        }
        let errors = errors_table(&sets.board, &rows);
        let curves = curves_plot(&sets.board, &rows);
        let mut results = Results::new(&folder);
        results.page(&page(&errors))?;
        results.csv("errors", &errors)?;
        results.csv("curves", &curves_table(&self.seeds, &rows))?;
        results.picture("curves", context.png, |path| curves.render(path))?;
        results.show([&errors]);
        results.times([times_table(&rows)])?;
        results.headline(rows.iter().map(Row::figure).collect())?;
        Ok(results.close(self, self.manifest(context.inputs))?)
    }
}

impl Row {
    /// The mean error at the end.
    fn figure(&self) -> Figure {
        let last = self.outcomes.iter().filter_map(|one| one.curve.last()).map(|point| point.held_out_mse);
        (format!("mse {}", self.name), mean_and_sd(&last.collect::<Vec<_>>()).0)
    }
}

/// The held-out error after `pass` passes in each repetition that got so far.
fn errors_after(row: &Row, pass: usize) -> Vec<f64> {
    let at =
        |outcome: &Repetition| outcome.curve.iter().find(|point| point.pass == pass as f64).map(|p| p.held_out_mse);
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
            .map(|(pass, errors)| (pass, mean_and_sd(&errors)))
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
        limits: None,
    }
}

fn page(errors: &Table) -> String {
    format!(
        "# Held-out error\n\n\
         All methods learn from the same games and are measured on the same others. `config.toml` has the settings, \
         `curves.csv` every measurement of every seed, `times.md` the training times.\n\n{}\n![curves](curves.svg)\n",
        errors.to_markdown()
    )
}
