//! How well each evaluator predicts the results of games that it has not seen: one table of all methods, each trained with
//! several seeds on the same split of the games.

use std::collections::BTreeSet;

use crate::experiment::contract::{Context, Experiment, ExperimentError, Findings, REPETITIONS};
use crate::experiment::methods::{Learn, MethodSettings, Trials, fitted, trained};
use crate::games::xiangqi::Xiangqi;
use crate::net::dense::{DenseShape, InputForm};
use crate::net::rough::{Product, RoughForm, RoughSettings};
use crate::observe::Observer;
use crate::report::{Cell, Curves, Heading, Table};
use crate::runs::training::{
    BpConfig, Data, Initialisation, Inputs, Knowledge, LearnError, RoughPlan, TdConfig, Training, baseline_levels,
};
use crate::runs::{Repetition, repeat, series_of_means, spread};
use crate::train::CurvePoint;
use crate::train::models::{LogisticSettings, Model, SvmSettings, TreeSettings};

/// The repetitions of one method, and its kind.
struct MethodTrials {
    kind: &'static str,
    trials: Trials,
}

impl Experiment for MethodSettings {
    const ABOUT: &'static str = "How well each method predicts the results of games that it has not seen";
    const SEED: &'static str = "split_seed";
    const KEEPS: Option<&'static str> = REPETITIONS;

    fn check(&self) -> Result<(), ExperimentError> {
        Ok(Self::check(self)?)
    }

    /// Trains every method with every seed on the games.
    fn run(&self, context: &Context<'_>) -> Result<Findings, ExperimentError> {
        let (records, observer) = (context.games::<Xiangqi>(self.max_games), context.observer);
        let read = |features: &str| {
            Data::new(records, context.inputs.to_vec(), self.data(features, 1), self.split_seed, observer)
        };
        let sets = Sets { board: read("board91")?, terms: read("terms")?, values: read("piece-square")? };
        let mut methods = Vec::new();
        for case in cases(self, &sets, observer)? {
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

/// After how many passes the table shows the error in any case.
const PASSES: usize = 4;

/// The numbers of passes above [`PASSES`] after which a repetition ended, in ascending order.
fn later_ends(methods: &[MethodTrials]) -> BTreeSet<usize> {
    let repetitions = methods.iter().flat_map(|one| &one.trials.repetitions);
    let ends = repetitions.filter_map(|one| one.curve.last()).map(|point| point.pass as usize);
    ends.filter(|pass| *pass > PASSES).collect()
}

fn error_table(data: &Data, methods: &[MethodTrials]) -> Table {
    let n_seeds = methods.iter().map(|one| one.trials.repetitions.len()).max().unwrap_or(0);
    let [(games, positions), (held_out_games, held_out)] = data.counts();
    let caption = format!(
        "Mean squared error of the results of {held_out_games} held-out games ({held_out} positions) after each pass over \
         {positions} positions of {games} games; mean ± standard deviation over {n_seeds} seeds"
    );
    let columns = ["weights", "untrained", "1 pass", "2 passes", "3 passes", "4 passes"];
    let later = later_ends(methods);
    let after = |pass: &usize| Heading::named(format!("{pass} passes"), [format!("mse_after_{pass}")]).with("sd");
    let baselines = &data.baselines;
    let baselines = [("constant", baselines.constant_mse), ("material, linear", baselines.material_mse)]
        .map(|(name, mse)| ["baseline".into(), name.into(), Cell::Missing, Cell::Missing, Cell::real(mse, 4)]);
    let methods = methods.iter().map(|one| {
        let weights = one.trials.first().map(|repetition| repetition.n_weights);
        let passes = (0..=PASSES).chain(later.iter().copied());
        let errors = passes.map(|pass| match one.errors_after(pass).as_slice() {
            [] => Cell::Missing,
            errors => spread(errors, 4),
        });
        one.names().into_iter().chain([weights.into()]).chain(errors)
    });
    let table = Table::new(caption, &["kind", "method"], &columns).and_numbers(later.iter().map(after));
    table.with_rows(baselines).with_rows(methods)
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
    let last = later_ends(methods).last().copied().unwrap_or(PASSES);
    let series = |one: &MethodTrials| {
        let errors = (0..=last).map(|pass| (pass as f64, one.errors_after(pass)));
        let errors: Vec<(f64, Vec<f64>)> = errors.filter(|(_, errors)| !errors.is_empty()).collect();
        series_of_means(&one.trials.name, &errors)
    };
    let shown = ["BP 91-100-1", "BP one-hot 64", "rough", "rough, random start", "rough, reduct", "TD(λ) 91-100-1"];
    let series = methods.iter().filter(|one| shown.contains(&one.trials.name.as_str())).map(series).collect();
    let labels = ["passes over the training positions", "mean squared error, held-out games"];
    Curves { levels: baseline_levels(data), ..Curves::new("Held-out error", labels, series) }
}

/// The same positions in the words of each feature set.
struct Sets {
    /// The 91 inputs of the papers.
    pub board: Data,
    /// The feature table of the hand-crafted evaluator.
    pub terms: Data,
    /// Piece-square values.
    pub values: Data,
}

/// One method.
struct Case<'a> {
    /// Its kind.
    pub kind: &'static str,
    /// Its name, in the table and in the names of files.
    pub name: String,
    /// What it learns from.
    pub data: &'a Data,
    /// How it learns.
    pub learn: Learn<'a>,
}

impl<'a> Case<'a> {
    fn new(
        (kind, name): (&'static str, impl Into<String>),
        data: &'a Data,
        start: impl Fn(&Data) -> (Initialisation, Training) + 'a,
    ) -> Self {
        let name: String = name.into();
        Self { kind, learn: trained(&name, start), name, data }
    }
}

/// Every method, in the order of the table.
fn cases<'a>(config: &'a MethodSettings, sets: &'a Sets, observer: &dyn Observer) -> Result<Vec<Case<'a>>, LearnError> {
    let linfa = |(name, model): (&str, Model)| Case {
        kind: "linfa",
        name: name.to_owned(),
        data: &sets.terms,
        learn: fitted(model),
    };
    let mut cases: Vec<Case<'a>> = models().into_iter().map(linfa).collect();
    cases.extend(plain(config, sets));
    cases.extend(rough(config, sets, observer)?);
    for &hidden in &config.hidden {
        let td = TdConfig { network: DenseShape::one_layer(hidden), training: config.td.clone() };
        cases.push(Case::new(("TD(λ)", format!("TD(λ) 91-{hidden}-1")), &sets.board, move |data| {
            td.start(data, Training::Td)
        }));
    }
    Ok(cases)
}

/// linfa's models, fitted to the feature table; the seed draws the positions that they are fitted to.
fn models() -> [(&'static str, Model); 3] {
    [
        ("logistic regression, feature table", Model::Logistic(LogisticSettings::default())),
        ("support vectors, feature table", Model::Svm(SvmSettings::default())),
        ("decision tree, feature table", Model::Tree(TreeSettings::default())),
    ]
}

fn plain<'a>(config: &'a MethodSettings, sets: &'a Sets) -> Vec<Case<'a>> {
    let case = |name: String, data: &'a Data, network: DenseShape| {
        let bp = BpConfig { network, training: config.bp.clone() };
        Case::new(("BP", name), data, move |data: &Data| bp.start(data, Training::Supervised))
    };
    let one_layer = DenseShape::one_layer;
    let by_size = config.hidden.iter().map(|&n| case(format!("BP 91-{n}-1"), &sets.board, one_layer(n)));
    let mut cases: Vec<Case<'a>> = by_size.collect();
    let one_hot = DenseShape { inputs: InputForm::OneHot, ..one_layer(config.one_hot) };
    cases.push(case(format!("BP one-hot {}", config.one_hot), &sets.board, one_hot));
    cases.push(case("BP piece-square 100".to_owned(), &sets.values, one_layer(100)));
    cases.push(case("BP feature table 100".to_owned(), &sets.terms, one_layer(100)));
    cases
}

fn rough<'a>(config: &'a MethodSettings, sets: &'a Sets, observer: &dyn Observer) -> Result<Vec<Case<'a>>, LearnError> {
    let plan = config.rough_plan();
    let form = |form: RoughSettings| RoughPlan { form, ..plan.clone() };
    let default = &config.rough;
    let literal = RoughSettings { form: RoughForm::Literal, ..default.clone() };
    let plans = [
        ("rough", &sets.board, plan.clone()),
        ("rough, random start", &sets.board, RoughPlan { random_start: true, ..plan.clone() }),
        ("rough, own conditions", &sets.board, form(RoughSettings { product: Product::Own, ..default.clone() })),
        ("rough, τ = 1", &sets.board, form(RoughSettings { tau: 1.0, ..default.clone() })),
        ("rough, normalised", &sets.board, form(RoughSettings { normalised: true, ..default.clone() })),
        (
            "rough, literal, own conditions",
            &sets.board,
            form(RoughSettings { product: Product::Own, ..literal.clone() }),
        ),
        ("rough, literal, all inputs", &sets.board, form(literal)),
        ("rough, reduct", &sets.board, RoughPlan { inputs: Inputs::REDUCT, ..plan.clone() }),
        ("rough, feature table", &sets.terms, plan.clone()),
    ];
    let mut known: Vec<(&Data, Inputs, std::rc::Rc<Knowledge>)> = Vec::new();
    let mut cases = Vec::new();
    for (name, data, plan) in plans {
        let same = |one: &&(&Data, Inputs, std::rc::Rc<Knowledge>)| std::ptr::eq(one.0, data) && one.1 == plan.inputs;
        let knowledge = match known.iter().find(same) {
            Some((_, _, knowledge)) => knowledge.clone(),
            None => std::rc::Rc::new(Knowledge::of(data, &plan, observer)?),
        };
        known.push((data, plan.inputs.clone(), knowledge.clone()));
        cases.push(Case::new(("rough", name), data, move |data| plan.start(data, &knowledge)));
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_tells_of_the_ends_of_longer_trainings_too() {
        let repetition = |last: usize| {
            let point = |pass: usize| {
                let held_out_mse = 1.0 / (1 + pass) as f64;
                CurvePoint { pass: pass as f64, positions: 0, training_mse: 0.0, held_out_mse }
            };
            Repetition { curve: (0..=last).map(point).collect(), n_weights: 1, n_positions: 1, seconds: 1.0 }
        };
        let method = |ends: &[usize]| {
            let repetitions = ends.iter().map(|&last| repetition(last)).collect();
            MethodTrials { kind: "BP", trials: Trials { name: "x".to_owned(), repetitions } }
        };
        let methods = [method(&[3, 4]), method(&[9, 6]), method(&[6])];
        assert_eq!(later_ends(&methods).into_iter().collect::<Vec<_>>(), [6, 9]);
        assert_eq!(methods[1].errors_after(6), [1.0 / 7.0, 1.0 / 7.0]);
        assert!(later_ends(&methods[..1]).is_empty());
    }
}
