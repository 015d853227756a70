//! What rough sets save: the passes that a start from inclusion degrees is ahead of a random one, and the time that a
//! reduction of games, objects and attributes takes off training.
//!
//! S1 claims that "training time is greatly shortened" (§1) by both, and gives no figures.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::folder::RunFolder;
use super::held_out_error::HeldOutErrorConfig;
use super::learn::{self, Data, DataSettings, Inputs, Knowledge, LearnError, Reduction, RoughPlan};
use super::manifest::{FileError, Manifest, write_file};
use super::repeats::{Outcome, RepeatError, mean_and_sd, repeat, spread};
use crate::games::xiangqi::Xiangqi;
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::report::{Cell, Curves, PlotError, Series, Table};
use crate::setting::{SettingError, require};
use crate::train::{CurvePoint, Selection};

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InclusionStartConfig {
    /// Measurements in each pass.
    pub curve_points: usize,
    /// Held-out errors of which the table tells when they are reached.
    pub levels: Vec<f64>,
    /// Games, rules, network and training, as in the comparison of all methods.
    pub learning: HeldOutErrorConfig,
}

impl InclusionStartConfig {
    /// Five seeds, three passes, twenty measurements a pass.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut learning = HeldOutErrorConfig::new(seed);
        learning.seeds = (seed..seed.saturating_add(5)).collect();
        learning.rough_training.passes = 3;
        Self { curve_points: 20, levels: vec![0.62, 0.61, 0.60, 0.59, 0.58, 0.575, 0.57, 0.565], learning }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require((1..=1000).contains(&self.curve_points), "curve_points", "in [1, 1000]", self.curve_points)?;
        self.learning.check()
    }
}

/// Why the experiment stopped.
#[derive(Debug, thiserror::Error)]
pub enum InclusionStartError {
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

/// One way to begin or to reduce, and what its repetitions gave.
struct Way {
    name: &'static str,
    attributes: usize,
    outcomes: Vec<Outcome>,
}

/// Trains every way with every seed on `records` and writes the results into `folder`; `inputs` are name and SHA-256 of what
/// the records were read from. An interrupted run goes on where it was. Gives the tables: passes, reduction, times.
///
/// # Errors
/// When a setting is outside its range, learning fails, or a file cannot be written.
pub fn run(
    config: &InclusionStartConfig,
    (records, inputs): (&[GameRecord<Xiangqi>], &[(String, String)]),
    folder: &Path,
    observer: &dyn Observer,
) -> Result<[Table; 3], InclusionStartError> {
    config.check()?;
    let learning = &config.learning;
    let records = &records[..learning.max_games.unwrap_or(records.len()).min(records.len())];
    let folder = RunFolder::create(folder, &("inclusion-start", config, inputs))?;
    let settings = DataSettings {
        selection: Selection::from_ply(learning.skip_plies),
        held_out: learning.held_out,
        curve_points: config.curve_points,
        ..DataSettings::default()
    };
    let data = Data::new(records, inputs.to_vec(), settings, learning.split_seed, observer)?;
    let mut ways = Vec::new();
    for (name, plan) in plans(learning) {
        let (knowledge, data) = Knowledge::reducing(data.with_training(data.training.clone()), &plan, observer)?;
        let learn = |data: &Data, witness: crate::train::Witness<'_>| {
            let (beginning, training) = plan.start(data, &knowledge);
            learn::learn(data, beginning, &training, name, witness)
        };
        let outcomes = repeat((&folder, name), &data, &learning.seeds, &learn, observer)?;
        ways.push(Way { name, attributes: knowledge.inputs.len(), outcomes });
    }
    let tables = [passes_table(config, &ways), reduction_table(&ways), times_table(&ways)];
    write(config, inputs, &folder, (&data, &ways, &tables))?;
    folder.forget_state()?;
    Ok(tables)
}

/// The start from inclusion degrees first, the random one second, then the reductions.
fn plans(config: &HeldOutErrorConfig) -> [(&'static str, RoughPlan); 6] {
    let plan = RoughPlan::new(config.rules.clone(), config.rough.clone(), config.rough_training.clone());
    let reduced = |inputs: Inputs, games: bool, objects: bool| RoughPlan {
        inputs,
        reduction: Reduction { games, objects },
        ..plan.clone()
    };
    [
        ("inclusion degrees", plan.clone()),
        ("random weights", RoughPlan { random_start: true, ..plan.clone() }),
        ("reduced games", reduced(Inputs::All, true, false)),
        ("reduced objects", reduced(Inputs::All, false, true)),
        ("reduced attributes", reduced(Inputs::REDUCT, false, false)),
        ("reduced attributes, games and objects", reduced(Inputs::REDUCT, true, true)),
    ]
}

/// The passes after which a curve first reaches `level`, by straight lines between measurements; `None` if it never does.
fn passes_to(curve: &[CurvePoint], level: f64) -> Option<f64> {
    let first = curve.iter().position(|point| point.held_out_mse <= level)?;
    let to = &curve[first];
    let Some(from) = first.checked_sub(1).map(|before| &curve[before]) else { return Some(to.pass) };
    let share = (from.held_out_mse - level) / (from.held_out_mse - to.held_out_mse);
    Some(from.pass + share * (to.pass - from.pass))
}

fn passes_table(config: &InclusionStartConfig, ways: &[Way]) -> Table {
    let caption = format!(
        "Passes until a held-out error is first reached; mean ± standard deviation over {} seeds",
        config.learning.seeds.len()
    );
    let mut table = Table::new(caption, &[], &["error", "inclusion degrees", "random weights", "saved"]);
    let [inclusion, random, ..] = ways else { return table };
    for &level in &config.levels {
        let passes = |way: &Way| -> Option<Vec<f64>> {
            way.outcomes.iter().map(|outcome| passes_to(&outcome.curve, level)).collect()
        };
        let (by_inclusion, by_random) = (passes(inclusion), passes(random));
        let saved = by_inclusion.as_ref().zip(by_random.as_ref()).map(|(inclusion, random)| {
            let saved: Vec<f64> = random.iter().zip(inclusion).map(|(random, inclusion)| random - inclusion).collect();
            spread(&saved, 2)
        });
        let shown = |passes: Option<Vec<f64>>| passes.map(|passes| spread(&passes, 2));
        table.push([Cell::real(level, 3), shown(by_inclusion).into(), shown(by_random).into(), saved.into()]);
    }
    table
}

/// Held-out error at the end of each repetition.
fn last_errors(way: &Way) -> Vec<f64> {
    way.outcomes.iter().filter_map(|outcome| outcome.curve.last()).map(|point| point.held_out_mse).collect()
}

fn reduction_table(ways: &[Way]) -> Table {
    let caption =
        "What is left to learn from, and the held-out error at the end; mean ± standard deviation over the seeds";
    let mut table = Table::new(caption, &["way"], &["attributes", "examples", "weights", "error"]);
    for way in ways {
        let first = way.outcomes.first();
        table.push([
            way.name.into(),
            way.attributes.into(),
            first.map(|outcome| outcome.n_positions).into(),
            first.map(|outcome| outcome.n_weights).into(),
            spread(&last_errors(way), 4),
        ]);
    }
    table
}

fn times_table(ways: &[Way]) -> Table {
    let caption = "Training time, measurements included; mean ± standard deviation over the seeds";
    let mut table = Table::new(caption, &["way"], &["seconds"]);
    for way in ways {
        let seconds: Vec<f64> = way.outcomes.iter().map(|outcome| outcome.seconds).collect();
        table.push([way.name.into(), spread(&seconds, 2)]);
    }
    table
}

fn curves_plot(data: &Data, ways: &[Way]) -> Curves {
    let series = |way: &Way| {
        let n_points = way.outcomes.iter().map(|outcome| outcome.curve.len()).min().unwrap_or(0);
        let spreads: Vec<(f64, (f64, f64))> = (0..n_points)
            .map(|at| {
                let errors: Vec<f64> = way.outcomes.iter().map(|outcome| outcome.curve[at].held_out_mse).collect();
                (way.outcomes[0].curve[at].pass, mean_and_sd(&errors))
            })
            .collect();
        Series {
            points: spreads.iter().map(|&(pass, (mean, _))| (pass, mean)).collect(),
            band: spreads.iter().map(|&(_, (_, sd))| sd).collect(),
            ..Series::new(way.name, Vec::new())
        }
    };
    let baselines = data.baselines();
    Curves {
        title: "Rough networks by their start and by what they learn from".to_owned(),
        x_label: "passes over what is left to learn from".to_owned(),
        y_label: "mean squared error, held-out games".to_owned(),
        series: ways.iter().map(series).collect(),
        levels: vec![("linear fit of material".to_owned(), baselines.material_mse)],
    }
}

/// Writes everything, and the manifest over all but the times, which are another on every run.
fn write(
    config: &InclusionStartConfig,
    inputs: &[(String, String)],
    folder: &RunFolder,
    (data, ways, [passes, reduction, times]): (&Data, &[Way], &[Table; 3]),
) -> Result<(), InclusionStartError> {
    let texts = [
        ("config.toml", toml::to_string(config).unwrap_or_default()),
        ("tables.md", page(passes, reduction)),
        ("passes.csv", passes.to_csv()),
        ("reduction.csv", reduction.to_csv()),
        ("curves.csv", curves_table(&config.learning.seeds, ways).to_csv()),
    ];
    for (name, text) in &texts {
        write_file(&folder.results.join(name), text.as_bytes())?;
    }
    curves_plot(data, ways).render(&folder.results.join("curves.svg"))?;
    let note = "# Times\n\nMeasured on one machine on one day: not part of the manifest, and another on every run.\n\n";
    write_file(&folder.results.join("times.md"), (note.to_owned() + &times.to_markdown()).as_bytes())?;
    let outputs: Vec<String> = texts.iter().map(|(name, _)| *name).chain(["curves.svg"]).map(str::to_owned).collect();
    let manifest = Manifest {
        experiment: "inclusion-start".to_owned(),
        program: crate::PROGRAM.to_owned(),
        seed: config.learning.split_seed,
        settings: serde_json::to_value(config).unwrap_or_default(),
        inputs: inputs.to_vec(),
        outputs: Vec::new(),
    };
    Ok(manifest.write(&folder.results, &outputs)?)
}

fn curves_table(seeds: &[u64], ways: &[Way]) -> Table {
    let mut table = Table::new("Learning curves", &["way"], &["seed", "pass", "held_out_mse"]);
    for way in ways {
        for (seed, outcome) in seeds.iter().zip(&way.outcomes) {
            for point in &outcome.curve {
                let error = Cell::real(point.held_out_mse, 5);
                table.push([way.name.into(), (*seed).into(), Cell::real(point.pass, 2), error]);
            }
        }
    }
    table
}

fn page(passes: &Table, reduction: &Table) -> String {
    format!(
        "# What rough sets save\n\n\
         S1 says that rough sets shorten the training of the network. Here the same network starts from inclusion degrees and \
         from random weights of the same scale, and learns from everything, from the games and objects that are not redundant \
         under a reduct, and from the attributes of the reduct alone. A pass goes over what is left to learn from; the curves \
         are on the same held-out games. `times.md` has the seconds.\n\n{}\n{}\n![curves](curves.svg)\n",
        passes.to_markdown(),
        reduction.to_markdown()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_reached_between_measurements() {
        let point = |pass, held_out_mse| CurvePoint { pass, positions: 0, training_mse: 0.0, held_out_mse };
        let curve = [point(0.0, 0.9), point(0.5, 0.7), point(1.0, 0.6)];
        assert_eq!(passes_to(&curve, 0.95), Some(0.0));
        approx::assert_relative_eq!(passes_to(&curve, 0.65).unwrap(), 0.75, epsilon = 1e-12);
        assert_eq!(passes_to(&curve, 0.5), None);
    }
}
