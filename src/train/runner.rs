//! The loop that all training methods share: passes, shares of a pass, held-out error, checkpoints.

use rayon::prelude::*;

use super::checkpoint::{Checkpoint, CheckpointError, Snapshot};
use super::curve::{Curve, CurvePoint, Recorder};
use super::positions::PositionSet;
use crate::disk::FileError;
use crate::net::Network;
use crate::observe::Observer;

/// Rows per piece of work when outputs are computed in parallel. Fixed, so that sums are taken in the same order on any
/// number of threads.
const PIECE: usize = 256;

/// One part of a pass over the training positions: `part` of `parts`, in pass number `pass`, all from 0.
#[derive(Clone, Copy)]
pub struct Share<'a> {
    /// The training positions.
    pub training: &'a PositionSet,
    /// Receives the progress.
    pub observer: &'a dyn Observer,
    /// The pass, from 0.
    pub pass: usize,
    /// The part of the pass, from 0.
    pub part: usize,
    /// The number of parts of a pass.
    pub parts: usize,
}

impl<'a> Share<'a> {
    /// The whole of the first pass.
    pub fn whole(training: &'a PositionSet, observer: &'a dyn Observer) -> Self {
        Self { training, observer, pass: 0, part: 0, parts: 1 }
    }

    /// The range of this share when `n` things are cut into `parts` nearly equal parts.
    pub fn of(self, n: usize) -> std::ops::Range<usize> {
        n * self.part / self.parts..n * (self.part + 1) / self.parts
    }
}

/// A way to train a network.
pub trait Method {
    /// The kind of network it trains.
    type Net: Network;

    /// Trains `net` on one share of a pass.
    ///
    /// # Errors
    /// When a file that the method keeps cannot be written.
    fn train_share(&mut self, net: &mut Self::Net, share: Share<'_>) -> Result<(), RunError>;

    /// How many positions were learned from so far, if the shares of the training positions do not tell: a method may make
    /// positions of its own.
    fn positions_seen(&self) -> Option<u64> {
        None
    }

    /// What the method remembers between shares, besides the weights, for a checkpoint: nothing by default.
    fn memory(&self) -> Vec<f32> {
        Vec::new()
    }

    /// Restores what [`Method::memory`] gave.
    fn restore(&mut self, _memory: &[f32]) {}
}

/// How long to train and how often to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrainingPlan {
    /// Passes over the training positions.
    pub passes: usize,
    /// Measurements in each pass.
    pub parts: usize,
    /// Measurements without a lower held-out error after which training stops, with the weights of the lowest.
    pub patience: Option<usize>,
}

/// Why a run ended before its time.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum RunError {
    /// The checkpoint cannot be used.
    Checkpoint(#[from] CheckpointError),
    /// The recorder could not keep a measurement.
    #[error("cannot record the learning curve")]
    Record(#[from] std::io::Error),
    /// The games that the method played could not be kept.
    Games(#[from] FileError),
}

/// Where a run keeps its state, and who receives its progress.
pub struct TrainingContext<'a> {
    /// If given, the state is saved there after each measurement, and the state that an interrupted run with the same
    /// settings left there is resumed. The caller removes the file when it has saved the network.
    pub checkpoint: Option<&'a Checkpoint>,
    /// Receives each measurement.
    pub recorder: &'a mut dyn Recorder,
    /// Receives the progress of the run.
    pub observer: &'a dyn Observer,
}

/// Mean squared error of the outputs of `net` against the results of the games.
pub fn mean_squared_error<N: Network>(net: &N, set: &PositionSet) -> f64 {
    let pieces: Vec<f64> = (0..set.len().div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| {
            let range = piece * PIECE..((piece + 1) * PIECE).min(set.len());
            let outputs = net.outputs(set.rows(range.clone()));
            outputs.iter().zip(&set.results()[range]).map(|(y, z)| f64::from((y - z) * (y - z))).sum()
        })
        .collect();
    pieces.iter().sum::<f64>() / set.len().max(1) as f64
}

/// Games whose positions stand for the training set in the curve: at most this many, evenly spaced.
const SAMPLE_GAMES: usize = 500;

fn training_sample(training: &PositionSet) -> PositionSet {
    let n = training.games().len();
    let step = n.div_ceil(SAMPLE_GAMES).max(1);
    training.select_games(&(0..n).step_by(step).collect::<Vec<_>>())
}

/// Trains `net` by `method` as `plan` says, and returns the learning curve.
///
/// With patience, the network is left at the weights of the lowest held-out error measured.
///
/// # Errors
/// When the checkpoint cannot be read or written or belongs to other settings, or a measurement cannot be recorded.
pub fn run<M: Method>(
    method: &mut M,
    net: &mut M::Net,
    data: (&PositionSet, &PositionSet),
    plan: TrainingPlan,
    context: TrainingContext<'_>,
) -> Result<Curve, RunError> {
    let (training, held_out) = data;
    let sample = training_sample(training);
    let TrainingContext { checkpoint, recorder, observer } = context;
    let known = checkpoint.map(|c| c.load(net.parameters().len(), method.memory().len())).transpose()?.flatten();
    let (mut curve, mut best_weights) = match known {
        Some(Snapshot { weights, memory, best, curve }) => {
            net.parameters_mut().copy_from_slice(&weights);
            method.restore(&memory);
            (curve, best)
        }
        None => (
            vec![measure(net, &sample, held_out, 0.0, 0)],
            if plan.patience.is_some() { net.parameters().to_vec() } else { Vec::new() },
        ),
    };
    recorder.record(&curve)?;
    observer.advance((training.len() * (curve.len() - 1) / plan.parts) as u64);
    while !plan.is_over(&curve) {
        let done = curve.len();
        let (pass, part) = ((done - 1) / plan.parts, (done - 1) % plan.parts);
        method.train_share(net, Share { training, observer, pass, part, parts: plan.parts })?;
        let passes = done as f64 / plan.parts as f64;
        let positions = method.positions_seen().unwrap_or((training.len() as f64 * passes).round() as u64);
        let point = measure(net, &sample, held_out, passes, positions);
        observer.remark(&format!("held-out mse {:.4}", point.held_out_mse));
        curve.push(point);
        if plan.patience.is_some() && best(&curve) == done {
            best_weights = net.parameters().to_vec();
        }
        if let Some(checkpoint) = checkpoint {
            let (weights, memory) = (net.parameters(), method.memory());
            checkpoint.save(Snapshot { weights, memory: &memory, best: &best_weights, curve: &curve })?;
        }
        recorder.record(&curve)?;
    }
    if !best_weights.is_empty() {
        net.parameters_mut().copy_from_slice(&best_weights);
    }
    Ok(curve)
}

/// The measurement with the lowest held-out error, the first of equals. An error that is no number, of either sign, is above all others.
fn best(curve: &[CurvePoint]) -> usize {
    let error = |at: usize| curve[at].held_out_mse;
    let lower =
        |&a: &usize, &b: &usize| error(a).is_nan().cmp(&error(b).is_nan()).then_with(|| error(a).total_cmp(&error(b)));
    (0..curve.len()).min_by(lower).unwrap_or(0)
}

/// The measurement of the weights that training with this patience ends with: with any, those of the lowest error.
pub fn kept_point(curve: &[CurvePoint], patience: Option<usize>) -> Option<&CurvePoint> {
    if patience.is_some() { curve.get(best(curve)) } else { curve.last() }
}

impl TrainingPlan {
    fn is_over(&self, curve: &[CurvePoint]) -> bool {
        let last = curve.len() - 1;
        last >= self.passes * self.parts || self.patience.is_some_and(|patience| last - best(curve) >= patience)
    }
}

fn measure<N: Network>(net: &N, sample: &PositionSet, held_out: &PositionSet, pass: f64, positions: u64) -> CurvePoint {
    let (training_mse, held_out_mse) = (mean_squared_error(net, sample), mean_squared_error(net, held_out));
    CurvePoint { pass, positions, training_mse, held_out_mse }
}

/// The errors of a network that did not learn pass by pass, as one point of a learning curve: after `pass` passes and
/// `positions` positions.
pub fn measurement<N: Network>(
    net: &N,
    (training, held_out): (&PositionSet, &PositionSet),
    pass: f64,
    positions: u64,
) -> CurvePoint {
    measure(net, &training_sample(training), held_out, pass, positions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::dense::DenseShape;
    use crate::net::{Coding, DenseNet};
    use crate::observe::Silent;
    use crate::train::NoRecord;

    /// Makes every position's value larger.
    struct RaiseBias;

    impl Method for RaiseBias {
        type Net = DenseNet;

        fn train_share(&mut self, net: &mut DenseNet, _share: Share<'_>) -> Result<(), RunError> {
            if let Some(bias) = net.parameters_mut().last_mut() {
                *bias += 0.5;
            }
            Ok(())
        }
    }

    /// Trains a network that begins at 0 in a world where every game ends with `result`, and gives the bias it is left with.
    fn bias_after(result: f32, patience: Option<usize>) -> (f32, usize) {
        let shape = DenseShape { hidden: Vec::new(), ..DenseShape::one_layer(1) };
        let coding = Coding::new(&[vec![0.0, 1.0]]);
        let mut net = DenseNet::from_parameters(coding, shape, vec![0.0, 0.0]).unwrap();
        let set = PositionSet::from_rows(1, vec![0, 1], vec![result; 2], &[2]);
        let plan = TrainingPlan { passes: 6, parts: 1, patience };
        let context = TrainingContext { checkpoint: None, recorder: &mut NoRecord, observer: &Silent };
        let curve = run(&mut RaiseBias, &mut net, (&set, &set), plan, context).unwrap();
        (*net.parameters().last().unwrap(), curve.len())
    }

    #[test]
    fn patience_leaves_the_best_weights_also_where_those_are_the_first() {
        assert_eq!(bias_after(1.0, Some(2)), (3.0, 7));
        assert_eq!(bias_after(-1.0, Some(2)), (0.0, 3));
        // tanh 0.5 is nearer to 0.5 than 0 and than tanh 1.
        assert_eq!(bias_after(0.5, Some(2)), (0.5, 4));
        assert_eq!(bias_after(-1.0, None), (3.0, 7));
    }

    #[test]
    fn an_error_that_is_no_number_is_never_the_lowest() {
        let curve = |errors: &[f64]| -> Curve {
            let point = |&held_out_mse| CurvePoint { pass: 0.0, positions: 0, training_mse: 0.0, held_out_mse };
            errors.iter().map(point).collect()
        };
        for none in [f64::NAN, -f64::NAN] {
            assert_eq!(best(&curve(&[0.5, 0.4, none, 0.6])), 1);
            assert_eq!(best(&curve(&[none, 0.5])), 1);
            assert_eq!(kept_point(&curve(&[0.5, none]), Some(1)).map(|point| point.held_out_mse), Some(0.5));
        }
        assert_eq!(best(&curve(&[-f64::NAN, f64::NAN, f64::INFINITY])), 2);
    }
}
