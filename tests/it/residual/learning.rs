//! Learning against the definition of the loss, on any number of threads, and from files.

use rand::RngExt;
use roughboard::net::optimiser::OptimiserKind;
use roughboard::net::residual::store::About;
use roughboard::net::residual::{Batch, Device, Learner, LearnerSettings, Losses, Shape, Weights};
use roughboard::random::{Stream, stream};

use super::reference::forward;

fn small_shape() -> Shape {
    Shape { channels: 5, layers: 3, policy_channels: 4, value_channels: 2, value_hidden: 6, ..Shape::new(4, 5, 3) }
}

/// Rows of 0 and 1, some legal moves with probabilities, and results.
fn batch(shape: &Shape, n: usize, stream: &mut Stream) -> Batch {
    let mut batch = Batch::default();
    for number in 0..n {
        let row: Vec<f32> = (0..shape.row_len()).map(|_| f32::from(u8::from(stream.random_bool(0.4)))).collect();
        let n_moves = 1 + number % 6;
        let mut moves: Vec<(u32, f32)> = (0..n_moves)
            .map(|mv| ((mv * 31 + number * 7) as u32 % shape.n_logits() as u32, 0.1 + stream.random::<f32>()))
            .collect();
        let sum: f32 = moves.iter().map(|(_, probability)| probability).sum();
        moves.iter_mut().for_each(|(_, probability)| *probability /= sum);
        batch.push(&row, moves, (number % 3) as f32 - 1.0);
    }
    batch
}

/// The loss, by the definition.
fn reference_loss(weights: &Weights, batch: &Batch, l2: f64) -> Losses {
    let mut losses = Losses::default();
    for (number, row) in batch.rows.chunks_exact(weights.shape().row_len()).enumerate() {
        let (logits, value) = forward(weights, row);
        let (moves, policy) = batch.moves_of(number);
        let of = |mv: &u32| logits[*mv as usize];
        let sum: f64 = moves.iter().map(|mv| of(mv).exp()).sum();
        losses.policy -= moves.iter().zip(policy).map(|(mv, &pi)| f64::from(pi) * (of(mv) - sum.ln())).sum::<f64>();
        losses.value += (value - f64::from(batch.values[number])).powi(2);
    }
    let square: f64 = weights.flat().iter().map(|&weight| f64::from(weight).powi(2)).sum();
    Losses { l2: l2 * square, ..losses.scaled(1.0 / batch.len() as f64) }
}

#[test]
fn the_gradient_is_the_slope_of_the_loss_in_every_weight() {
    let mut stream = stream(3, "gradient", 0);
    let settings = LearnerSettings { l2: 1e-2, ..LearnerSettings::default() };
    // Biases begin at 0; random ones are more telling.
    let shifted = |weight: &f32| weight + 0.1 * (stream.random::<f32>() - 0.5);
    let flat: Vec<f32> = Weights::random(small_shape(), 1, "test").unwrap().flat().iter().map(shifted).collect();
    let weights = Weights::from_flat(small_shape(), flat.clone()).unwrap();
    let batch = batch(&small_shape(), 37, &mut stream);
    let mut learner = Learner::on(Device::Cpu, weights.clone(), settings).unwrap();
    let (losses, gradient) = learner.gradient(&batch).unwrap();
    let right = reference_loss(&weights, &batch, settings.l2);
    for (found, expected) in [(losses.policy, right.policy), (losses.value, right.value), (losses.l2, right.l2)] {
        approx::assert_abs_diff_eq!(found, expected, epsilon = 1e-5);
    }
    // A step too small to carry many sums over the bend of relu, large enough for numbers of single precision.
    for (at, &found) in gradient.iter().enumerate() {
        let [low, high] = [-1e-5, 1e-5].map(|change| {
            let mut moved = flat.clone();
            moved[at] += change;
            let moved = Weights::from_flat(small_shape(), moved).unwrap();
            (f64::from(moved.flat()[at]), reference_loss(&moved, &batch, settings.l2).total())
        });
        let slope = (high.1 - low.1) / (high.0 - low.0);
        approx::assert_abs_diff_eq!(f64::from(found), slope, epsilon = 1e-4);
    }
}

#[test]
fn a_small_batch_is_learned_by_heart() {
    let (shape, mut stream) = (small_shape(), stream(4, "heart", 0));
    let mut batch = batch(&shape, 8, &mut stream);
    for number in 0..batch.len() {
        let first = if number == 0 { 0 } else { batch.ends[number - 1] };
        batch.policy[first..batch.ends[number]].fill(0.0);
        batch.policy[first] = 1.0;
    }
    let settings = LearnerSettings { rate: 1e-2, l2: 0.0, ..LearnerSettings::default() };
    let shape = Shape { channels: 16, value_hidden: 16, ..shape };
    let mut learner = Learner::on(Device::Cpu, Weights::random(shape, 2, "test").unwrap(), settings).unwrap();
    let first = learner.step(&batch).unwrap();
    let last = (0..300).map(|_| learner.step(&batch).unwrap()).last().unwrap();
    assert!(first.policy > 0.5 && first.value > 0.3, "{first:?}");
    assert!(last.policy < 0.01 && last.value < 0.01, "{last:?}");
}

#[test]
fn threads_do_not_change_a_bit_and_a_file_goes_on_where_it_stood() {
    let (shape, mut stream) = (small_shape(), stream(5, "threads", 0));
    let batch = batch(&shape, 150, &mut stream);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learner.safetensors");
    for optimiser in [OptimiserKind::Adam, OptimiserKind::Sgd { momentum: 0.9 }] {
        let settings = LearnerSettings { optimiser, ..LearnerSettings::default() };
        let learned = |threads: usize, interrupted: bool| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut learner = Learner::on(Device::Cpu, Weights::random(shape, 2, "test").unwrap(), settings).unwrap();
            pool.install(|| {
                for _ in 0..3 {
                    learner.step(&batch).unwrap();
                    if interrupted {
                        let about = About { game: "toy".into(), ..About::default() };
                        learner.save(&path, &about).unwrap();
                        let saved = std::fs::read(&path).unwrap();
                        let (again, read) = Learner::load_on(Device::Cpu, &path, settings).unwrap();
                        assert_eq!(read, about);
                        again.save(&path, &about).unwrap();
                        assert!(std::fs::read(&path).unwrap() == saved, "weights and what the optimiser remembers");
                        learner = again;
                    }
                }
            });
            learner.weights().flat().iter().map(|weight| weight.to_bits()).collect::<Vec<_>>()
        };
        let alone = learned(1, false);
        assert!(alone == learned(3, false) && alone == learned(2, true));
    }
    let sgd = LearnerSettings { optimiser: OptimiserKind::Sgd { momentum: 0.0 }, ..LearnerSettings::default() };
    let message = Learner::load_on(Device::Cpu, &path, sgd).unwrap_err().to_string();
    assert!(message.contains("tensor `optimiser`") && message.contains("expected 0 numbers"), "{message}");
}

#[test]
fn batches_that_do_not_fit_are_refused() {
    let (shape, mut stream) = (small_shape(), stream(6, "wrong", 0));
    let mut learner =
        Learner::on(Device::Cpu, Weights::random(shape, 2, "test").unwrap(), LearnerSettings::default()).unwrap();
    let good = batch(&shape, 3, &mut stream);
    let mut refuse = |change: &dyn Fn(&mut Batch), expected: &str| {
        let mut bad = good.clone();
        change(&mut bad);
        let message = learner.step(&bad).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    };
    refuse(&Batch::clear, "at least one position");
    refuse(&|batch| batch.rows.truncate(5), "180 numbers of planes, found 5");
    refuse(&|batch| batch.legal[0] = 400, "logits below 400");
    refuse(&|batch| batch.ends[1] = 0, "3 lists of moves");
    refuse(&|batch| batch.values[0] = f32::NAN, "finite numbers");
    let rate = LearnerSettings { rate: 0.0, ..LearnerSettings::default() };
    assert!(Learner::on(Device::Cpu, Weights::random(shape, 2, "test").unwrap(), rate).is_err());
}
