//! What rough sets save: the passes that a start from inclusion degrees is ahead of a random one, and the time that a
//! reduction of games, objects and attributes takes off training.
//!
//! S1 claims that "training time is greatly shortened" (§1) by both, and gives no figures.

use serde::{Deserialize, Serialize};

use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings, REPETITIONS};
use crate::experiment::methods::{MethodSettings, Trials, trained};
use crate::games::xiangqi::Xiangqi;
use crate::report::{Cell, Curves, Field, Heading, Table};
use crate::runs::training::{Data, Inputs, Knowledge, Reduction, RoughPlan};
use crate::runs::{repeat, series_of_means, spread};
use crate::settings::{require_in, within};
use crate::train::CurvePoint;

/// All settings of a run; written as `config.toml` beside the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InclusionStartConfig {
    /// Measurements in each pass.
    pub curve_points: usize,
    /// Held-out errors of which the table tells when they are reached.
    pub levels: Vec<f64>,
    /// Games, rules, network and training, as in the comparison of all methods.
    pub learning: MethodSettings,
}

/// One way to begin or to reduce, and what its repetitions gave.
struct Way {
    attributes: usize,
    trials: Trials,
}

impl Experiment for InclusionStartConfig {
    const ABOUT: &'static str = "How much the start from inclusion degrees and the reduction of objects save";
    const SEED: &'static str = "learning.split_seed";
    const KEEPS: Option<&'static str> = REPETITIONS;

    fn check(&self) -> Result<(), ExperimentError> {
        require_in("curve_points", 1..=1000, self.curve_points)?;
        Ok(within("learning", self.learning.check())?)
    }

    /// Trains every way with every seed on the games.
    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let (learning, observer) = (&self.learning, context.observer);
        let (records, settings) = (context.games::<Xiangqi>(learning.max_games), learning.data("", self.curve_points));
        let data = Data::new(records, context.inputs.to_vec(), settings, learning.split_seed, observer)?;
        let mut ways = Vec::new();
        for (name, plan) in plans(learning) {
            let (knowledge, data) = Knowledge::reducing(data.clone(), &plan, observer)?;
            let learn = trained(name, |data| plan.start(data, &knowledge));
            let repetitions = repeat((context.folder, name), &data, &learning.seeds, &*learn, observer)?;
            let trials = Trials { name: name.to_owned(), repetitions };
            ways.push(Way { attributes: knowledge.inputs.len(), trials });
        }
        let about = "S1 says that rough sets shorten the training of the network. Here the same network starts from inclusion \
                     degrees and from random weights of the same scale, and learns from everything, from the games and objects \
                     that are not redundant under a reduct, and from the attributes of the reduct alone. A pass goes over what \
                     is left to learn from; the curves are on the same held-out games. `times.md` has the seconds.";
        Ok(Findings::titled("What rough sets save")
            .text(about)
            .text(&beside_held_out_error(self.curve_points))
            .table("passes", passes_table(self, &ways))
            .table("reduction", reduction_table(learning, &ways))
            .data("curves", &curve_table(&learning.seeds, &ways))
            .picture("curves", "curves", curve_plot(&data, &ways))
            .headline(ways.iter().map(|way| way.trials.figure()))
            .times([time_table(&ways)]))
    }
}

/// Why the same networks have other errors on the page of another experiment.
fn beside_held_out_error(curve_points: usize) -> String {
    format!(
        "The first two ways are `rough` and `rough, random start` of the experiment held-out-error. Errors compare after the same \
         pass and over the same seeds; they differ a little even so, since a batch ends at each measurement, of which a pass has \
         {curve_points} here and 1 there."
    )
}

/// The start from inclusion degrees first, the random one second, then the reductions.
fn plans(config: &MethodSettings) -> [(&'static str, RoughPlan); 6] {
    let plan = config.rough_plan();
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
    let table = Table::new(caption, &[], &[])
        .and_numbers([Heading::named("error", ["error_level"])])
        .and_numbers(["inclusion degrees", "random weights", "saved"].map(|way| Heading::from(way).with("sd")));
    let [inclusion, random, ..] = ways else { return table };
    table.with_rows(config.levels.iter().map(|&level| {
        let passes = |way: &Way| -> Option<Vec<f64>> {
            way.trials.repetitions.iter().map(|one| passes_to(&one.curve, level)).collect()
        };
        let (by_inclusion, by_random) = (passes(inclusion), passes(random));
        let saved = by_inclusion.as_ref().zip(by_random.as_ref()).map(|(inclusion, random)| {
            let saved: Vec<f64> = random.iter().zip(inclusion).map(|(random, inclusion)| random - inclusion).collect();
            spread(&saved, 2)
        });
        let shown = |passes: Option<Vec<f64>>| passes.map(|passes| spread(&passes, 2));
        [Cell::real(level, 3), shown(by_inclusion).into(), shown(by_random).into(), saved.into()]
    }))
}

/// The column of names.
const NAME: Field<Way> = ("way", |way| way.trials.name.as_str().into());

fn reduction_table(learning: &MethodSettings, ways: &[Way]) -> Table {
    let caption = format!(
        "What is left to learn from, and the held-out error after pass {}; mean ± standard deviation over {} seeds",
        learning.rough_training.passes,
        learning.seeds.len()
    );
    let numbers: [Field<Way>; 4] = [
        ("attributes", |way| way.attributes.into()),
        ("examples", |way| way.trials.first().map(|first| first.n_positions).into()),
        ("weights", |way| way.trials.first().map(|first| first.n_weights).into()),
        ("error", |way| spread(&way.trials.last_errors(), 4)),
    ];
    Table::of(caption, ways, &[NAME], &numbers)
}

fn time_table(ways: &[Way]) -> Table {
    let caption = "Training time, measurements included; mean ± standard deviation over the seeds";
    Table::of(caption, ways, &[NAME], &[("seconds", |way| spread(&way.trials.seconds(), 2))])
}

fn curve_plot(data: &Data, ways: &[Way]) -> Curves {
    let series = |Way { trials, .. }: &Way| {
        let repetitions = &trials.repetitions;
        let n_points = repetitions.iter().map(|one| one.curve.len()).min().unwrap_or(0);
        let at = |at: usize| {
            let errors = repetitions.iter().map(|one| one.curve[at].held_out_mse).collect();
            (repetitions[0].curve[at].pass, errors)
        };
        series_of_means(&trials.name, &(0..n_points).map(at).collect::<Vec<_>>())
    };
    let title = "Rough networks by their start and by what they learn from";
    let labels = ["passes over what is left to learn from", "mean squared error, held-out games"];
    let levels = vec![("linear fit of material".to_owned(), data.baselines.material_mse)];
    Curves { levels, ..Curves::new(title, labels, ways.iter().map(series).collect()) }
}

fn curve_table(seeds: &[u64], ways: &[Way]) -> Table {
    let row = |way: &Way, (seed, point): (u64, &CurvePoint)| {
        [NAME.1(way), seed.into(), Cell::real(point.pass, 2), Cell::real(point.held_out_mse, 5)]
    };
    let rows = ways.iter().flat_map(|way| way.trials.points(seeds).map(move |point| row(way, point)));
    Table::new("Learning curves", &["way"], &["seed", "pass", "held_out_mse"]).with_rows(rows)
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
