//! Networks with linfa's traits, and linfa's models as networks.

use linfa::prelude::*;
use linfa::traits::{FitWith, Transformer};
use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use roughboard::net::Net;
use roughboard::net::dense::{DenseShape, InputForm};
use roughboard::net::optimiser::OptimiserKind;
use roughboard::net::store::{self, About, FORMAT};
use roughboard::net::{CodeRows, Coding, Network};
use roughboard::observe::Silent;
use roughboard::rough::{Method, Notion, Reducer};
use roughboard::train::linfa::{BpParams, CoveringRules, FitNetworkError, Games, RoughNetParams, TdParams};
use roughboard::train::models::{LogisticSettings, SvmSettings, TreeSettings};

use roughboard::train::mean_squared_error;
use roughboard::train::{Model, PositionSet, Schedule, SupervisedSettings, TdSettings, UpdateForm, UpdateTime};

/// All rows over {-1, 0, 1}³, and max(a, b) with the third column idle.
fn grid() -> (Array2<f64>, Array1<f64>) {
    let records = Array2::from_shape_fn((27, 3), |(row, at)| (row / 3_usize.pow(at as u32) % 3) as f64 - 1.0);
    let targets = records.rows().into_iter().map(|row| row[0].max(row[1])).collect();
    (records, targets)
}

fn bp() -> BpParams {
    BpParams::default().hidden(&[12]).passes(1500)
}

#[test]
fn bp_learns_a_function_and_predicts_every_kind_of_float() {
    let (records, targets) = grid();
    let dataset = Dataset::new(records.clone(), targets.clone());
    let model = bp().fit(&dataset).unwrap();
    let predicted = model.predict(&dataset);
    assert!(predicted.mean_squared_error(&dataset).unwrap() < 0.02, "{predicted}");
    let single = Dataset::new(records.mapv(|x| x as f32), targets.mapv(|z| z as f32));
    let same = bp().fit(&single).unwrap();
    assert_eq!(same.network(), model.network());
    assert_eq!(same.predict(single.records()), model.outputs(&records));
    assert_eq!(bp().fit(&dataset).unwrap(), model, "one seed, one network");
    assert_ne!(bp().seed(2).fit(&dataset).unwrap(), model);
}

#[test]
fn the_network_inside_says_what_the_model_says() {
    let (records, targets) = grid();
    let model = bp().inputs(InputForm::OneHot).passes(3).fit(&Dataset::new(records.clone(), targets)).unwrap();
    let codes: Vec<u8> = records.iter().map(|&value| (value + 1.0) as u8).collect();
    assert_eq!(model.network().outputs(CodeRows::new(&codes, 3)), model.outputs(&records).to_vec());
}

#[test]
fn labels_are_grades() {
    let (records, targets) = grid();
    let labels = targets.mapv(|z| (10.0 + 5.0 * z) as usize);
    let dataset = Dataset::new(records, labels);
    let model = bp().fit(&dataset).unwrap();
    let accuracy = model.predict(&dataset).confusion_matrix(&dataset).unwrap().accuracy();
    assert!(accuracy > 0.95, "{accuracy}");
}

#[test]
fn unknown_values_are_taken_for_the_nearest_and_nan_stays_nan() {
    let dataset = Dataset::new(array![[0.0, 1.0], [2.0, 1.0], [5.0, 1.0]], array![-1.0, 0.0, 1.0]);
    let model = bp().passes(5).fit(&dataset).unwrap();
    let known = model.outputs(&array![[0.0, 1.0], [2.0, 1.0], [5.0, 1.0]]);
    let unknown = model.outputs(&array![[-7.0, 9.0], [3.5, 0.9], [3.6, 1.0]]);
    assert_eq!(known, unknown);
    let predicted: Array1<f64> = model.predict(&array![[f64::NAN, 1.0], [0.0, 1.0]]);
    assert!(predicted[0].is_nan() && predicted[1].is_finite());
}

#[test]
fn fitting_on_is_training_on() {
    let (records, targets) = grid();
    let dataset = Dataset::new(records.clone(), targets);
    let params = bp().passes(40);
    let first = params.fit_with(None, &dataset).unwrap();
    assert_eq!(first, params.fit(&dataset).unwrap());
    let mse = |model: &roughboard::train::linfa::FittedNetwork<_, f64>| {
        model.predict(&records).mean_squared_error(dataset.targets()).unwrap()
    };
    let before = mse(&first);
    let second = params.fit_with(Some(first.clone()), &dataset).unwrap();
    assert!(mse(&second) < before);
    assert_eq!((first.n_batches(), second.n_batches()), (1, 2));
    // Another order than in the first batch.
    assert_ne!(params.fit_with(Some(second.clone()), &dataset).unwrap(), second);
    let other = Dataset::new(array![[0.0]], array![0.0]);
    let error = params.fit_with(Some(second), &other).unwrap_err();
    assert_eq!(error.to_string(), "the records must have the 3 features of the first batch, found 1");
}

#[test]
fn weights_repeat_records() {
    let records = array![[0.0], [1.0], [2.0]];
    let weighted = Dataset::new(records, array![-1.0, 0.0, 1.0]).with_weights(array![2.0, 0.0, 1.0]);
    let error = bp().fit(&weighted.clone().with_weights(array![0.5, 1.0, 1.0])).unwrap_err();
    assert_eq!(error.to_string(), "column `weights`, row 1: expected a count from 0 to 4294967295, found `0.5`");
    for wrong in [array![1.0, 1.0], array![1.0, 1.0, 1.0, 1.0]] {
        let (n, error) = (wrong.len(), bp().fit(&weighted.clone().with_weights(wrong)).unwrap_err());
        assert!(
            matches!(error, FitNetworkError::Linfa(linfa::Error::MismatchedShapes(3, found)) if found == n),
            "{error}"
        );
    }
    // The idle value keeps its code.
    let repeated = Dataset::new(array![[0.0], [0.0], [2.0]], array![-1.0, -1.0, 1.0]);
    let outputs = |dataset: &Dataset<f64, f64, ndarray::Ix1>| bp().fit(dataset).unwrap().outputs(&array![[0.0], [2.0]]);
    assert_eq!(outputs(&weighted), outputs(&repeated));
}

#[test]
fn another_optimiser_begins_anew() {
    let (records, targets) = grid();
    let dataset = Dataset::new(records, targets);
    let by = |optimiser| {
        let settings = SupervisedSettings { passes: 3, optimiser, ..SupervisedSettings::default() };
        BpParams::default().hidden(&[4]).training(settings)
    };
    let ways = [OptimiserKind::Adam, OptimiserKind::Sgd { momentum: 0.0 }, OptimiserKind::Sgd { momentum: 0.5 }];
    for first in ways {
        let model = by(first).fit(&dataset).unwrap();
        for second in ways {
            let going_on = by(second).fit_with(Some(model.clone()), &dataset).unwrap();
            assert_ne!(going_on.network(), model.network());
            assert_eq!(going_on.n_batches(), 2);
        }
    }
}

#[test]
fn what_cannot_be_fitted_is_named() {
    let records = Array2::from_shape_fn((300, 2), |(row, at)| if at == 0 { 0.0 } else { row as f64 });
    let dataset = Dataset::new(records, Array1::<f64>::zeros(300)).with_feature_names(vec!["idle", "length"]);
    let error = bp().fit(&dataset).unwrap_err();
    let expected =
        "column `length` has 300 different values, but a network distinguishes at most 256: discretise it first";
    assert_eq!(error.to_string(), expected);
    let fit = |x: f64, z: f64| bp().fit(&Dataset::new(array![[x], [1.0]], array![z, 0.0])).unwrap_err().to_string();
    assert_eq!(fit(0.0, 2.0), "target 1 must be in [-1, 1], found 2");
    assert_eq!(fit(f64::INFINITY, 0.0), "column `feature-0` must hold finite numbers, found inf");
    let none = Dataset::new(Array2::<f64>::zeros((0, 2)), Array1::<f64>::zeros(0));
    assert!(matches!(bp().fit(&none), Err(FitNetworkError::Linfa(linfa::Error::NotEnoughSamples))));
    let (records, targets) = grid();
    let dataset = Dataset::new(records, targets);
    let error = bp().hidden(&[0]).fit(&dataset).unwrap_err();
    assert_eq!(error.to_string(), "`hidden` must be in [1, 1024], got 0");
    assert!(matches!(bp().passes(0).check(), Err(error) if error.to_string().starts_with("`passes` must be ")));
}

fn rough() -> RoughNetParams {
    RoughNetParams::default().rules(CoveringRules { number: 9, max_conditions: 2, min_support: 0.05 })
}

#[test]
fn a_rough_network_is_made_of_the_rules_of_the_data_set() {
    let (records, targets) = grid();
    let dataset = Dataset::new(records.clone(), targets);
    let model = rough().fit(&dataset).unwrap();
    let predicted = model.predict(&dataset);
    assert!(predicted.mean_squared_error(&dataset).unwrap() < 0.05, "{predicted}");
    assert_eq!(model.network().inputs(), [0, 1, 2]);
    let reduced = rough().reduct(Notion::Positive, Method::Backward).fit(&dataset).unwrap();
    assert_eq!(reduced.network().inputs(), [0, 1], "the third column says nothing");
    let mut without = records;
    without.column_mut(2).fill(7.0);
    assert_eq!(reduced.outputs(&without), reduced.outputs(dataset.records()));
    let going_on = rough().fit_with(Some(model.clone()), &dataset).unwrap();
    assert_eq!(going_on.network().n_rules(), model.network().n_rules());
    assert_ne!(going_on.network(), model.network());
}

#[test]
fn a_reducer_hands_on_to_a_network() {
    let (records, targets) = grid();
    let labels = targets.mapv(|z| (z + 1.0) as usize);
    let dataset = Dataset::new(records, labels).with_feature_names(vec!["a", "b", "idle"]);
    let reducer = Reducer { notion: Notion::Positive, method: Method::Backward }.fit(&dataset).unwrap();
    let reduced = reducer.transform(dataset);
    assert_eq!(reduced.feature_names(), ["a", "b"]);
    let accuracy = |predicted: Array1<usize>| predicted.confusion_matrix(&reduced).unwrap().accuracy();
    assert!(accuracy(bp().fit(&reduced).unwrap().predict(reduced.records())) > 0.95);
    assert!(accuracy(rough().fit(&reduced).unwrap().predict(reduced.records())) > 0.8);
}

#[test]
fn networks_are_cross_validated_as_models_of_linfa() {
    let (records, targets) = grid();
    let mut dataset = Dataset::new(ndarray::concatenate![ndarray::Axis(0), records, records], {
        ndarray::concatenate![ndarray::Axis(0), targets, targets]
    });
    let errors =
        dataset.cross_validate_single(6, &[bp().passes(1), bp().passes(60)], |y, z| y.mean_squared_error(z)).unwrap();
    assert!(errors[1] < errors[0], "{errors}");
    let fold_errors: Vec<f64> = dataset
        .iter_fold(3, |training| rough().fit(training).unwrap())
        .map(|(model, held_out)| model.predict(held_out.records()).mean_squared_error(&held_out).unwrap())
        .collect();
    assert!(fold_errors.len() == 3 && fold_errors.iter().all(|error| *error < 0.5), "{fold_errors:?}");
}

fn td(form: UpdateForm) -> TdParams {
    let training = TdSettings {
        passes: 30,
        alpha: Schedule::constant(0.05),
        lambda: 0.5,
        update: UpdateTime::Game,
        form,
        patience: None,
    };
    TdParams::default().shape(DenseShape::one_layer(4)).training(training)
}

/// A walk on -2..=2 from the middle to an end.
fn walks() -> (Games<f64>, Array1<f64>) {
    let walks: [&[f64]; 4] = [&[0., 1., 2.], &[0., -1., -2.], &[0., 1., 0., 1., 2.], &[0., -1., 0., -1., -2.]];
    let positions = Array1::from(walks.concat()).insert_axis(ndarray::Axis(1)) / 2.0;
    (Games::new(positions, &walks.map(<[f64]>::len)).unwrap(), array![1.0, -1.0, 1.0, -1.0])
}

#[test]
fn td_learns_from_games() {
    let (games, results) = walks();
    let dataset = DatasetBase::new(games, results);
    let model = td(UpdateForm::Traces).fit(&dataset).unwrap();
    let values: Array1<f64> = model.predict(&array![[-1.0], [-0.5], [0.0], [0.5], [1.0]]);
    assert!(values.windows(2).into_iter().all(|pair| pair[0] < pair[1]), "{values}");
    let errors = td(UpdateForm::Errors).fit(&dataset).unwrap().outputs(dataset.records().positions());
    for (one, other) in model.outputs(dataset.records().positions()).iter().zip(errors) {
        approx::assert_abs_diff_eq!(*one, other, epsilon = 1e-4);
    }
    let on = td(UpdateForm::Traces).fit_with(Some(model.clone()), &dataset).unwrap();
    assert_ne!(on.network(), model.network());
    let error = Games::new(array![[0.0], [1.0]], &[1]).unwrap_err();
    assert_eq!(error.to_string(), "the games must have 2 positions in all, found 1");
}

#[test]
fn weights_repeat_games() {
    let (games, results) = walks();
    let weighted = DatasetBase::new(games, results).with_weights(array![2.0, 0.0, 1.0, 1.0]);
    let repeated: [&[f64]; 4] = [&[0., 1., 2.], &[0., 1., 2.], &[0., 1., 0., 1., 2.], &[0., -1., 0., -1., -2.]];
    let positions = Array1::from(repeated.concat()).insert_axis(ndarray::Axis(1)) / 2.0;
    let games = Games::new(positions, &repeated.map(<[f64]>::len)).unwrap();
    let repeated = DatasetBase::new(games, array![1.0, 1.0, 1.0, -1.0]);
    let fit = |dataset: &DatasetBase<Games<f64>, Array1<f64>>| td(UpdateForm::Traces).fit(dataset);
    assert_eq!(fit(&weighted).unwrap(), fit(&repeated).unwrap());
    let error = fit(&weighted.clone().with_weights(array![1.0, 1.0, 0.5, 1.0])).unwrap_err();
    assert_eq!(error.to_string(), "column `weights`, row 3: expected a count from 0 to 4294967295, found `0.5`");
    let few = fit(&weighted.clone().with_weights(array![1.0, 1.0, 1.0]));
    assert!(matches!(few, Err(FitNetworkError::Linfa(linfa::Error::MismatchedShapes(4, 3)))));
    let none = fit(&weighted.with_weights(array![0.0, 0.0, 0.0, 0.0]));
    assert!(matches!(none, Err(FitNetworkError::Linfa(linfa::Error::NotEnoughSamples))));
}

/// Positions of three attributes whose result is won, drawn or lost as the sum of two of them says, with some noise.
fn positions(n: usize, seed: u64) -> (Coding, PositionSet) {
    use rand::RngExt;
    let mut stream = roughboard::random::stream(seed, "test positions", 0);
    let (mut codes, mut results) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let row: [u8; 3] = std::array::from_fn(|_| stream.random_range(0..5));
        let lead = f32::from(row[0]) + 0.5 * f32::from(row[1]) - 3.0 + stream.random_range(-1.5..1.5);
        codes.extend(row);
        results.push(if lead > 0.5 {
            1.0
        } else if lead < -0.5 {
            -1.0
        } else {
            0.0
        });
    }
    let numbers: Vec<f32> = (0..5).map(|code| code as f32 / 2.0 - 1.0).collect();
    (Coding::new(&[numbers.clone(), numbers.clone(), numbers]), PositionSet::from_rows(3, codes, results, &[n]))
}

fn models() -> [Model; 4] {
    [
        Model::Logistic(LogisticSettings::default()),
        Model::Logistic(LogisticSettings { inputs: InputForm::OneHot, ..LogisticSettings::default() }),
        Model::Svm(SvmSettings { c: 0.1, ..SvmSettings::default() }),
        Model::Tree(TreeSettings { depth: 6, min_leaf: 10 }),
    ]
}

#[test]
fn linfas_models_predict_results_better_than_a_constant() {
    let ((coding, training), (_, held_out)) = (positions(1500, 1), positions(1000, 2));
    let constant = held_out.results().iter().map(|z| f64::from(z * z)).sum::<f64>() / held_out.len() as f64;
    for model in models() {
        let (net, n) = model.fit(&coding, &training, 1200, 3, &Silent).unwrap();
        assert_eq!(n, 1200);
        let error = mean_squared_error(&net, &held_out);
        assert!(error < 0.5 * constant, "{}: {error} of {constant}", model.name());
        assert_eq!(model.fit(&coding, &training, 1200, 3, &Silent).unwrap().0, net, "{} once more", model.name());
        assert_ne!(model.fit(&coding, &training, 1200, 4, &Silent).unwrap().0, net, "{} of a sample", model.name());
    }
}

/// linfa itself, asked for the probability of a win.
#[test]
fn logistic_outputs_are_those_of_linfa() {
    let (coding, set) = positions(200, 5);
    let decisive: Vec<usize> = (0..200).filter(|&row| set.results()[row] != 0.0).collect();
    let codes = decisive.iter().flat_map(|&row| set.row(row).to_vec()).collect();
    let results: Vec<f32> = decisive.iter().map(|&row| set.results()[row]).collect();
    let set = PositionSet::from_rows(3, codes, results.clone(), &[decisive.len()]);
    let (net, _) = Model::Logistic(LogisticSettings::default()).fit(&coding, &set, 1000, 1, &Silent).unwrap();
    let x = Array2::from_shape_fn((set.len(), 3), |(row, at)| f64::from(set.row(row)[at]) / 2.0 - 1.0);
    let wins: Array1<usize> = results.iter().map(|&z| usize::from(z > 0.0)).collect();
    let linfas = linfa_logistic::MultiLogisticRegression::default();
    let fitted = linfas.alpha(2.0).fit(&Dataset::new(x.clone(), wins)).unwrap();
    // Two weight vectors w and -w with a penalty of 2 each are one vector 2w with a penalty of 1.
    for (y, p) in net.outputs(set.rows(0..set.len())).iter().zip(fitted.predict_probabilities(&x).rows()) {
        approx::assert_abs_diff_eq!(f64::from(*y), p[1] - p[0], epsilon = 2e-3);
    }
}

#[test]
fn positions_of_one_result_are_refused() {
    let (coding, _) = positions(1, 1);
    for result in [1.0, 0.0, -1.0] {
        let set = PositionSet::from_rows(3, vec![0; 60], vec![result; 20], &[20]);
        for model in models() {
            let error = model.fit(&coding, &set, 100, 1, &Silent).unwrap_err().to_string();
            assert!(error.contains("the 20 positions that the model is fitted to have only one result"), "{error}");
        }
    }
    let none = PositionSet::from_rows(3, Vec::new(), Vec::new(), &[]);
    assert!(models().iter().all(|model| model.fit(&coding, &none, 100, 1, &Silent).is_err()));
}

#[test]
fn models_learn_where_one_side_never_wins() {
    let (coding, all) = positions(1000, 1);
    for sign in [1.0_f32, -1.0] {
        let results: Vec<f32> = all.results().iter().map(|result| sign * (sign * result).max(0.0)).collect();
        let codes = (0..all.len()).flat_map(|row| all.row(row).to_vec()).collect();
        let set = PositionSet::from_rows(3, codes, results.clone(), &[all.len()]);
        let mean = results.iter().sum::<f32>() / results.len() as f32;
        let constant = results.iter().map(|z| f64::from(z - mean).powi(2)).sum::<f64>() / results.len() as f64;
        for model in models() {
            let net = model.fit(&coding, &set, 1000, 1, &Silent).unwrap().0;
            let error = mean_squared_error(&net, &set);
            assert!(error < 0.9 * constant, "{}: {error} of {constant}", model.name());
        }
    }
}

#[test]
fn every_model_survives_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let (coding, set) = positions(300, 1);
    for model in models() {
        let net = model.fit(&coding, &set, 300, 1, &Silent).unwrap().0;
        let about = About {
            format: FORMAT,
            game: "test".to_owned(),
            features: "three".to_owned(),
            method: model.name().to_owned(),
            settings: serde_json::to_value(&model).unwrap(),
            inputs: Vec::new(),
            rules: Vec::new(),
        };
        let path = folder.path().join("net.safetensors");
        store::save(&path, &net, &about).unwrap();
        assert_eq!(store::load(&path).unwrap(), (net, about));
    }
}

/// The best split of a node, found by trying all, when wins and losses weigh the same in all.
fn best_split(set: &PositionSet, rows: &[usize], min_leaf: usize) -> Option<f64> {
    let share = |rows: &[usize]| rows.iter().map(|&row| f64::from(set.results()[row] + 1.0) / 2.0).sum::<f64>();
    let (n, wins) = (rows.len() as f64, share(rows));
    let (win, loss) = (n / (2.0 * wins), n / (2.0 * (n - wins)));
    let least = min_leaf as f64 * win.max(loss);
    let mut best: Option<f64> = None;
    for attribute in 0..3 {
        for last in 0..4 {
            let sides = [true, false].map(|low| {
                let side: Vec<usize> =
                    rows.iter().copied().filter(|&row| (set.row(row)[attribute] <= last) == low).collect();
                let wins = share(&side);
                (win * wins, loss * (side.len() as f64 - wins))
            });
            if sides.iter().all(|(wins, losses)| wins + losses >= least * (1.0 + 1e-5)) {
                let gini = |(w, l): (f64, f64)| 2.0 * w * l / (w + l) / n;
                let decrease = 0.5 - gini(sides[0]) - gini(sides[1]);
                best = Some(best.map_or(decrease, |other| other.max(decrease)));
            }
        }
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// The first split of a tree is as good as the best of all, and leaves hold the mean results of their positions.
    #[test]
    fn trees_split_best_and_hold_means(seed in 0_u64..1000, n in 40_usize..200, min_leaf in 1_usize..8) {
        let (coding, set) = positions(n, seed);
        let model = Model::Tree(TreeSettings { depth: 1, min_leaf });
        let Ok((Net::Tree(tree), _)) = model.fit(&coding, &set, n, 1, &Silent) else { return Ok(()) };
        let rows: Vec<usize> = (0..n).collect();
        if let [split] = tree.splits() {
            let (low, high): (Vec<usize>, Vec<usize>) =
                rows.iter().partition(|&&row| usize::from(set.row(row)[split.attribute]) <= split.last);
            let best = best_split(&set, &rows, min_leaf).unwrap();
            let share = |rows: &[usize]| rows.iter().map(|&row| f64::from(set.results()[row] + 1.0) / 2.0).sum::<f64>();
            let (all, wins) = (n as f64, share(&rows));
            let decrease = [&low, &high].iter().fold(0.5, |rest, side| {
                let (w, l) = (share(side) / wins, (side.len() as f64 - share(side)) / (all - wins));
                rest - w * l / (w + l)
            });
            prop_assert!(decrease > best - 1e-4, "{} below {}", decrease, best);
            for (rows, leaf) in [(&low, 0), (&high, 1)] {
                prop_assert!(rows.len() >= min_leaf);
                let sum: f64 = rows.iter().map(|&row| f64::from(set.results()[row])).sum();
                let mean = sum / (rows.len() as f64 + 2.0);
                prop_assert!((f64::from(tree.parameters()[leaf]).tanh() - mean).abs() < 1e-5);
            }
        } else {
            prop_assert!(best_split(&set, &rows, min_leaf).is_none_or(|best| best < 2e-4));
        }
    }
}
