//! How well each evaluator predicts the results of games that it has not seen: one table of all methods, each trained with
//! several seeds on the same split of the games.

mod cases;

use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings};
use crate::experiment::methods::{MethodSettings, Trials};
use crate::games::xiangqi::Xiangqi;
use crate::report::{Cell, Curves, Table};
use crate::runs::repeats::{Repetition, repeat, series_of_means, spread};
use crate::runs::training::{Data, baseline_levels};
use crate::train::CurvePoint;

/// The repetitions of one method, and its kind.
struct MethodTrials {
    kind: &'static str,
    trials: Trials,
}

impl Experiment for MethodSettings {
    const NAME: &'static str = "held-out-error";
    const ABOUT: &'static str = "How well each method predicts the results of games that it has not seen";
    const SETTINGS: &'static str = include_str!("held-out-error.toml");
    const SEED: &'static str = "split_seed";

    fn check(&self) -> Result<(), ExperimentError> {
        Ok(Self::check(self)?)
    }

    /// Trains every method with every seed on the games.
    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let (records, observer) = (context.games::<Xiangqi>(self.max_games), context.observer);
        let read = |features: &str| {
            Data::new(records, context.inputs.to_vec(), self.data(features, 1), self.split_seed, observer)
        };
        let sets = cases::Sets { board: read("board91")?, terms: read("terms")?, values: read("piece-square")? };
        let mut methods = Vec::new();
        for case in cases::cases(self, &sets, observer)? {
            let repetitions = repeat((context.folder, &case.name), case.data, &self.seeds, &*case.learn, observer)?;
            methods.push(MethodTrials { kind: case.kind, trials: Trials { name: case.name, repetitions } });
        }
        let about = "All methods learn from the same games and are measured on the same others. `config.toml` has the settings, \
                     `curves.csv` every measurement of every seed, `times.md` the training times.";
        Ok(Findings::titled("Held-out error")
            .text(about)
            .table("errors", error_table(&sets.board, &methods))
            .data("curves", &curve_table(&self.seeds, &methods))
            .picture("curves", "curves", curve_plot(&sets.board, &methods))
            .headline(methods.iter().map(|one| one.trials.figure()))
            .times([time_table(&methods)]))
    }
}

impl MethodTrials {
    fn names(&self) -> [Cell; 2] {
        [self.kind.into(), self.trials.name.as_str().into()]
    }

    /// The held-out error after `pass` passes in each repetition that got so far.
    fn errors_after(&self, pass: usize) -> Vec<f64> {
        let at = |one: &Repetition| one.curve.iter().find(|point| point.pass == pass as f64).map(|p| p.held_out_mse);
        self.trials.repetitions.iter().filter_map(at).collect()
    }
}

/// The passes of which the table tells.
const PASSES: usize = 4;

fn error_table(data: &Data, methods: &[MethodTrials]) -> Table {
    let n_seeds = methods.iter().map(|one| one.trials.repetitions.len()).max().unwrap_or(0);
    let caption = format!(
        "Mean squared error of the results of {} held-out games ({} positions) after each pass over {} positions of {} games; \
         mean ± standard deviation over {n_seeds} seeds",
        data.held_out.games().len(),
        data.held_out.len(),
        data.training.len(),
        data.training.games().len()
    );
    let columns = ["weights", "untrained", "1 pass", "2 passes", "3 passes", "4 passes"];
    let baselines = data.baselines();
    let baselines = [("constant", baselines.constant_mse), ("material, linear", baselines.material_mse)]
        .map(|(name, mse)| ["baseline".into(), name.into(), Cell::Missing, Cell::Missing, Cell::real(mse, 4)]);
    let methods = methods.iter().map(|one| {
        let weights = one.trials.first().map(|repetition| repetition.n_weights);
        let errors = (0..=PASSES).map(|pass| match one.errors_after(pass).as_slice() {
            [] => Cell::Missing,
            errors => spread(errors, 4),
        });
        one.names().into_iter().chain([weights.into()]).chain(errors)
    });
    Table::new(caption, &["kind", "method"], &columns).with_rows(baselines).with_rows(methods)
}

fn time_table(methods: &[MethodTrials]) -> Table {
    let caption = "Training time of all passes, measurements included; mean ± standard deviation over the seeds";
    let rows = methods.iter().map(|one| {
        let trials = &one.trials;
        let passes = trials.first().and_then(|repetition| repetition.curve.last()).map_or(0.0, |point| point.pass);
        let rates = trials.repetitions.iter().map(|one| passes * one.n_positions as f64 / one.seconds);
        let rates: Vec<f64> = rates.collect();
        one.names().into_iter().chain([Cell::real(passes, 0), spread(&trials.seconds(), 2), spread(&rates, 0)])
    });
    Table::new(caption, &["kind", "method"], &["passes", "seconds", "positions a second"]).with_rows(rows)
}

/// Every measurement of every repetition.
fn curve_table(seeds: &[u64], methods: &[MethodTrials]) -> Table {
    let row = |one: &MethodTrials, (seed, point): (u64, &CurvePoint)| {
        let errors = [point.training_mse, point.held_out_mse].map(|error| Cell::real(error, 5));
        one.names().into_iter().chain([seed.into(), Cell::real(point.pass, 2)]).chain(errors)
    };
    let rows = methods.iter().flat_map(|one| one.trials.points(seeds).map(move |point| row(one, point)));
    let numbers = ["seed", "pass", "training_mse", "held_out_mse"];
    Table::new("Learning curves", &["kind", "method"], &numbers).with_rows(rows)
}

/// Some of the methods that are trained in passes, with a band of one standard deviation.
fn curve_plot(data: &Data, methods: &[MethodTrials]) -> Curves {
    let series = |one: &MethodTrials| {
        let errors = (0..=PASSES).map(|pass| (pass as f64, one.errors_after(pass)));
        let errors: Vec<(f64, Vec<f64>)> = errors.filter(|(_, errors)| !errors.is_empty()).collect();
        series_of_means(&one.trials.name, &errors)
    };
    let shown = ["BP 91-100-1", "BP one-hot 64", "rough", "rough, random start", "rough, reduct", "TD(λ) 91-100-1"];
    let series = methods.iter().filter(|one| shown.contains(&one.trials.name.as_str())).map(series).collect();
    let labels = ["passes over the training positions", "mean squared error, held-out games"];
    Curves { levels: baseline_levels(data), ..Curves::new("Held-out error", labels, series) }
}
