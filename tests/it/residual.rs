//! Residual networks against PyTorch, on disk, and as evaluators of a game.

mod answers;
mod learning;
mod reference;

use approx::assert_abs_diff_eq;
use rand::RngExt;
use roughboard::eval::{LoadError, PolicyValue, ResidualEvaluator, View, residual::shape_of};
use roughboard::game::Planes;
use roughboard::game::symmetry::Symmetric;
use roughboard::game::{Game, SearchHints};
use roughboard::games::surakarta::Surakarta;
use roughboard::net::residual::store::{About, is_residual, load, save};
use roughboard::net::residual::{Batch, Device, Inference, Learner, LearnerSettings, Shape, Weights};
use roughboard::net::store;
use roughboard::random::stream;

/// What `benches/peers/residual.py` writes.
#[derive(serde::Deserialize)]
struct Facts {
    logits: Vec<Vec<f64>>,
    values: Vec<f64>,
    policy_loss: f64,
    value_loss: f64,
    n_parameters: usize,
    gradient: Vec<f64>,
    gradient_norm: f64,
}

fn facts() -> Facts {
    serde_json::from_str(include_str!("../data/residual_network.json")).unwrap()
}

fn peer_shape() -> Shape {
    Shape { channels: 8, layers: 3, policy_channels: 4, value_channels: 2, value_hidden: 8, ..Shape::new(6, 6, 7) }
}

/// The network of the formula in `benches/peers/residual.py`.
fn peer_net() -> Weights {
    let formula = |i: usize| (((i * 7919 + 13) % 1009) as f64 / 1009.0 - 0.5) as f32;
    Weights::from_flat(peer_shape(), (0..facts().n_parameters).map(formula).collect()).unwrap()
}

/// The batch of that script.
fn peer_batch() -> Batch {
    let mut batch = Batch::default();
    for (row, z) in [1.0, -1.0, 0.0, 1.0].into_iter().enumerate() {
        let first = row * peer_shape().row_len();
        let planes: Vec<f32> = (first..first + peer_shape().row_len())
            .map(|i| f32::from(u8::from((i * 7919 + i / 36 * 31) % 10 < 3)))
            .collect();
        let n = 5 + row;
        let sum = (n * (n + 1) / 2) as f32;
        let moves = (0..n).map(|mv| (((37 * mv + 101 * row) % 1296) as u32, (mv + 1) as f32 / sum));
        batch.push(&planes, moves, z);
    }
    batch
}

#[test]
fn logits_and_values_are_those_of_pytorch() {
    let (facts, net, batch) = (facts(), peer_net(), peer_batch());
    let n_logits = peer_shape().n_logits();
    let (mut logits, mut values) = (vec![0.0; 4 * n_logits], vec![0.0; 4]);
    Inference::new(&net).evaluate(&batch.rows, &mut logits, &mut values);
    for (row, planes) in batch.rows.chunks_exact(peer_shape().row_len()).enumerate() {
        let (by_definition, value) = reference::forward(&net, planes);
        assert_abs_diff_eq!(value, facts.values[row], epsilon = 1e-6);
        assert_abs_diff_eq!(f64::from(values[row]), facts.values[row], epsilon = 1e-4);
        for (at, &right) in facts.logits[row].iter().enumerate() {
            assert_abs_diff_eq!(by_definition[101 * at], right, epsilon = 1e-5);
            assert_abs_diff_eq!(f64::from(logits[row * n_logits + 101 * at]), right, epsilon = 1e-4);
        }
    }
}

#[test]
fn losses_and_gradient_are_those_of_pytorch() {
    let facts = facts();
    let mut learner =
        Learner::on(Device::Cpu, peer_net(), LearnerSettings { l2: 0.0, ..LearnerSettings::default() }).unwrap();
    let (losses, gradient) = learner.gradient(&peer_batch()).unwrap();
    assert_abs_diff_eq!(losses.policy, facts.policy_loss, epsilon = 1e-5);
    assert_abs_diff_eq!(losses.value, facts.value_loss, epsilon = 1e-5);
    for (at, &right) in facts.gradient.iter().enumerate() {
        assert_abs_diff_eq!(f64::from(gradient[53 * at]), right, epsilon = 1e-4);
    }
    let norm = gradient.iter().map(|&slope| f64::from(slope).powi(2)).sum::<f64>().sqrt();
    assert_abs_diff_eq!(norm, facts.gradient_norm, epsilon = 1e-4);
}

#[test]
fn a_batch_of_many_times_the_same_has_the_same_gradient() {
    let (few, mut many) = (peer_batch(), Batch::default());
    // More than two thousand rows, which go through in several waves.
    for row in (0..few.len()).cycle().take(528 * few.len()) {
        let (legal, policy) = few.moves_of(row);
        let planes = &few.rows[row * peer_shape().row_len()..][..peer_shape().row_len()];
        many.push(planes, legal.iter().copied().zip(policy.iter().copied()), few.values[row]);
    }
    let [few, many] = [few, many].map(|batch| {
        let mut learner = Learner::on(Device::Cpu, peer_net(), LearnerSettings::default()).unwrap();
        let (losses, gradient) = learner.gradient(&batch).unwrap();
        (losses, gradient.to_vec())
    });
    assert_abs_diff_eq!(few.0.total(), many.0.total(), epsilon = 1e-9);
    few.1.iter().zip(&many.1).for_each(|(few, many)| assert_abs_diff_eq!(few, many, epsilon = 1e-5));
}

#[test]
fn a_position_without_moves_teaches_its_value_alone() {
    let mut batch = peer_batch();
    let planes = batch.rows[..peer_shape().row_len()].to_vec();
    let mut learner = Learner::on(Device::Cpu, peer_net(), LearnerSettings::default()).unwrap();
    let before = learner.gradient(&batch).unwrap().0;
    batch.push(&planes, [], 0.0);
    let (losses, gradient) = learner.gradient(&batch).unwrap();
    assert_abs_diff_eq!(losses.policy, 0.8 * before.policy, epsilon = 1e-9);
    assert!(losses.value.is_finite() && gradient.iter().all(|slope| slope.is_finite()));
}

fn about() -> About {
    About { game: Surakarta::NAME.into(), history: 1, training: serde_json::json!({ "seed": 7 }) }
}

#[test]
fn a_network_is_the_same_after_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    let net = peer_net();
    save(&path, &net, &about()).unwrap();
    assert_eq!(load(&path).unwrap(), (net.clone(), about()));
    assert_eq!(load(folder.path()).unwrap().0.sha256(), net.sha256());
    assert!(is_residual(&path));
    let bytes = std::fs::read(&path).unwrap();
    save(&path, &net, &about()).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn files_that_are_no_such_network_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    save(&path, &peer_net(), &about()).unwrap();
    let good = std::fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let error = load(&path).unwrap_err();
        assert!(error.to_string().contains("net.safetensors"), "{error}");
        error.to_string()
    };
    for end in [0, 7, 100, good.len() / 2, good.len() - 1] {
        assert!(refused(&good[..end]).contains("is not a network file"));
    }
    let changed = |from: &str, to: &str| {
        let text = crate::command::without_sum(good.clone());
        let at = text.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
        assert_eq!(from.len(), to.len());
        [&text[..at], to.as_bytes(), &text[at + from.len()..]].concat()
    };
    assert!(refused(&changed("roughboard-residual", "roughboard-residuum")).contains("no metadata key"));
    assert!(refused(&changed("\\\"format\\\":1", "\\\"format\\\":9")).contains("expected format 1, found 9"));
    assert!(refused(&changed("\\\"channels\\\":8", "\\\"channels\\\":0")).contains("`channels` must be in"));
    let wider = refused(&changed("\\\"channels\\\":8", "\\\"channels\\\":9"));
    assert!(wider.contains("tensor `convolution_1_weights`") && wider.contains("[3, 3, 7, 9]"), "{wider}");
    std::fs::write(&path, &good).unwrap();
    assert!(store::load(&path).unwrap_err().to_string().contains("it is a residual network of `train zero`"));
}

#[test]
fn shapes_out_of_range_are_refused() {
    for (shape, name) in [
        (Shape { channels: 0, ..peer_shape() }, "channels"),
        (Shape { layers: 65, ..peer_shape() }, "layers"),
        (Shape { rows: 100, ..peer_shape() }, "rows × columns"),
        (Shape { planes: 0, ..peer_shape() }, "planes"),
    ] {
        assert!(Weights::random(shape, 1, "test").unwrap_err().to_string().contains(name));
        assert!(Weights::from_flat(shape, Vec::new()).is_none());
    }
    assert!(Weights::from_flat(peer_shape(), vec![0.0; 5]).is_none());
}

/// Positions after some random moves.
fn positions(n: usize) -> Vec<Surakarta> {
    let mut stream = stream(1, "positions", 0);
    let mut list = Vec::new();
    let mut position = Surakarta::start();
    while list.len() < n {
        let moves = position.moves();
        if moves.is_empty() || stream.random_bool(0.05) {
            position = Surakarta::start();
            continue;
        }
        position.play(moves[stream.random_range(0..moves.len())]);
        list.push(position.clone());
    }
    list
}

#[test]
fn an_evaluator_reads_the_image_that_it_says() {
    let net = Weights::random(Shape { channels: 8, layers: 2, ..shape_of::<Surakarta>(1) }, 5, "test").unwrap();
    let evaluator = ResidualEvaluator::<Surakarta>::new(&net, 1, true).unwrap();
    let mut seen = vec![false; Surakarta::IMAGES];
    for position in positions(60) {
        let mut row = vec![0.0; evaluator.row_len()];
        let View(image) = evaluator.write_row(&position, &mut row);
        let image = usize::from(image);
        seen[image] = true;
        let mut right = vec![0.0; row.len()];
        position.write_planes(1, image, &mut right);
        assert_eq!(row, right);
        let moves = position.moves();
        for mv in moves {
            let logit = evaluator.logit_of(View(image as u8), mv);
            assert_eq!(logit, Surakarta::move_slot(mv.image(image)));
            assert!(logit < evaluator.n_logits());
        }
    }
    assert!(seen.iter().all(|&seen| seen), "{seen:?}");
    let plain = ResidualEvaluator::<Surakarta>::new(&net, 1, false).unwrap();
    let mut row = vec![0.0; plain.row_len()];
    assert!(positions(20).iter().all(|position| plain.write_row(position, &mut row) == View(0)));
}

#[test]
fn an_evaluator_refuses_networks_for_other_positions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    let net = Weights::random(Shape { channels: 8, ..shape_of::<Surakarta>(1) }, 5, "test").unwrap();
    save(&path, &net, &about()).unwrap();
    assert!(ResidualEvaluator::<Surakarta>::load(&path, true).is_ok());
    let history = ResidualEvaluator::<Surakarta>::new(&net, 0, true).unwrap_err();
    assert!(matches!(&history, LoadError::Mismatch { .. }), "{history}");
    save(&path, &net, &About { game: "chess".into(), ..about() }).unwrap();
    let game = ResidualEvaluator::<Surakarta>::load(&path, true).unwrap_err().to_string();
    assert!(game.contains("expected surakarta, found chess"), "{game}");
}

#[test]
fn devices_have_names_and_the_absent_ones_are_refused() {
    for device in [Device::Cpu, Device::Gpu, Device::Burn] {
        assert_eq!(device.to_string().parse(), Ok(device));
    }
    assert_eq!("tpu".parse::<Device>().unwrap_err().to_string(), "`value` must be one of cpu, gpu, burn, got tpu");
    let net = Weights::random(Shape { channels: 8, layers: 1, ..shape_of::<Surakarta>(0) }, 5, "test").unwrap();
    if !cfg!(feature = "gpu") {
        let message = ResidualEvaluator::<Surakarta>::on(Device::Gpu, &net, 0, false).unwrap_err().to_string();
        assert!(message.contains("without the feature `gpu`"), "{message}");
    }
}

#[cfg(feature = "burn")]
mod burn {
    use super::*;
    use roughboard::net::residual::Runner;

    #[test]
    fn burn_says_the_same() {
        for shape in [peer_shape(), Shape { channels: 24, ..Shape::new(5, 7, 3) }] {
            let net = Weights::random(shape, 1, "test").unwrap();
            let mut stream = stream(1, "rows", 0);
            let rows: Vec<f32> =
                (0..5 * shape.row_len()).map(|_| f32::from(u8::from(stream.random_bool(0.3)))).collect();
            let answers = |device| {
                let (mut logits, mut values) = (vec![0.0; 5 * shape.n_logits()], vec![0.0; 5]);
                Runner::on(device, &net).unwrap().evaluate(&rows, &mut logits, &mut values);
                [logits, values].concat()
            };
            for (own, other) in answers(Device::Cpu).into_iter().zip(answers(Device::Burn)) {
                assert_abs_diff_eq!(own, other, epsilon = 1e-4);
            }
        }
    }

    #[test]
    fn burn_finds_the_same_gradient() {
        let [own, other] = [Device::Cpu, Device::Burn].map(|device| {
            let mut learner = Learner::on(device, peer_net(), LearnerSettings::default()).unwrap();
            let (losses, gradient) = learner.gradient(&peer_batch()).unwrap();
            (losses, gradient.to_vec())
        });
        assert_abs_diff_eq!(own.0.total(), other.0.total(), epsilon = 1e-5);
        for (own, other) in own.1.into_iter().zip(other.1) {
            assert_abs_diff_eq!(own, other, epsilon = 1e-4);
        }
    }
}
