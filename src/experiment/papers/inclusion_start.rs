//! What rough sets save: the passes that a start from inclusion degrees is ahead of a random one, and the time that a
//! reduction of games, objects and attributes takes off training.
//!
//! S1 claims that "training time is greatly shortened" (§1) by both, and gives no figures.

use serde::{Deserialize, Serialize};

use super::held_out_error::HeldOutErrorConfig;
use crate::experiment::contract::{Context, Experiment};
use crate::experiment::error::ExperimentError;
use crate::games::xiangqi::Xiangqi;
use crate::report::{Cell, Curves, Series, Table};
use crate::runs::repeats::{Repetition, mean_and_sd, repeat, spread};
use crate::runs::results::{Figure, Outcome, Results};
use crate::runs::training::{self, Data, DataSettings, Inputs, Knowledge, Reduction, RoughPlan};
use crate::settings::require;
use crate::train::{CurvePoint, TrainingContext};

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

/// One way to begin or to reduce, and what its repetitions gave.
struct Way {
    name: &'static str,
    attributes: usize,
    outcomes: Vec<Repetition>,
}

impl Experiment for InclusionStartConfig {
    const NAME: &'static str = "inclusion-start";
    const ABOUT: &'static str = "How much the start from inclusion degrees and the reduction of objects save";
    const SETTINGS: &'static str = include_str!("inclusion-start.toml");

    fn seed_mut(&mut self) -> &mut u64 {
        &mut self.learning.split_seed
    }

    fn reseed(&mut self, seed: u64) {
        self.learning.reseed_from(seed);
    }

    fn check(&self) -> Result<(), ExperimentError> {
        require((1..=1000).contains(&self.curve_points), "curve_points", "in [1, 1000]", self.curve_points)?;
        Ok(self.learning.check_ranges()?)
    }

    /// Trains every way with every seed on the games.
    fn run(&self, context: &Context<'_>) -> Result<Outcome, ExperimentError> {
        self.check()?;
        let learning = &self.learning;
        let (records, inputs) = (context.games::<Xiangqi>(learning.max_games), context.inputs);
        let folder = context.open(self, inputs)?;
        let data = Data::new(records, inputs.to_vec(), self.data(), learning.split_seed, context.observer)?;
        let mut ways = Vec::new();
        for (name, plan) in plans(learning) {
            let data = data.with_training(data.training.clone());
            let (knowledge, data) = Knowledge::reducing(data, &plan, context.observer)?;
            let learn = |data: &Data, context: TrainingContext<'_>| {
                let (beginning, training) = plan.start(data, &knowledge);
                training::learn(data, beginning, &training, name, context)
            };
            let outcomes = repeat((&folder, name), &data, &learning.seeds, &learn, context.observer)?;
            ways.push(Way { name, attributes: knowledge.inputs.len(), outcomes });
        }
        let (passes, reduction) = (passes_table(self, &ways), reduction_table(&ways));
        let curves = curves_plot(&data, &ways);
        let mut results = Results::new(&folder);
        results.page(&page(&passes, &reduction))?;
        results.csv("passes", &passes)?;
        results.csv("reduction", &reduction)?;
        results.csv("curves", &curves_table(&learning.seeds, &ways))?;
        results.picture("curves", context.png, |path| curves.render(path))?;
        results.show([&passes, &reduction]);
        results.times([times_table(&ways)])?;
        results.headline(ways.iter().map(Way::figure).collect())?;
        Ok(results.close(self, self.manifest(inputs))?)
    }
}

impl InclusionStartConfig {
    fn data(&self) -> DataSettings {
        DataSettings::from_ply(self.learning.skip_plies, self.learning.held_out, self.curve_points)
    }
}

impl Way {
    /// The mean error at the end.
    fn figure(&self) -> Figure {
        (format!("mse {}", self.name), mean_and_sd(&last_errors(self)).0)
    }
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
        limits: None,
    }
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
