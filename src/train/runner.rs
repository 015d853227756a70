//! The loop that all training methods share: passes, shares of a pass, held-out error, checkpoints.

use rayon::prelude::*;

use super::checkpoint::{Checkpoint, CheckpointError};
use super::positions::PositionSet;
use crate::net::{CodeRows, Network};
use crate::observe::Observer;

/// Rows per piece of work when outputs or gradients are computed in parallel. Fixed, so that sums are taken in the same
/// order on any number of threads.
pub(super) const PIECE: usize = 256;

/// One part of a pass over the training positions: `part` of `parts`, in pass number `pass`, all from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The pass, from 0.
    pub pass: usize,
    /// The part of the pass, from 0.
    pub part: usize,
    /// The number of parts of a pass.
    pub parts: usize,
}

impl Share {
    /// The range of this share when `n` things are cut into `parts` nearly equal parts.
    #[must_use]
    pub fn of(self, n: usize) -> std::ops::Range<usize> {
        n * self.part / self.parts..n * (self.part + 1) / self.parts
    }
}

/// A way to train a network.
pub trait Method {
    /// The kind of network it trains.
    type Net: Network;

    /// Trains `net` on one share of a pass over `training`.
    fn train_share(&mut self, net: &mut Self::Net, training: &PositionSet, share: Share, observer: &dyn Observer);

    /// What the method remembers between shares, besides the weights, for a checkpoint.
    fn memory(&self) -> Vec<f32>;

    /// Restores what [`Method::memory`] gave.
    fn restore(&mut self, memory: &[f32]);
}

/// One measurement on the way.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CurvePoint {
    /// Passes over the training positions so far, with fractions.
    pub pass: f64,
    /// Training positions seen so far; to the nearest share of a pass where a method goes by whole games.
    pub positions: u64,
    /// Mean squared error of the results of the training games, over a fixed sample of their positions.
    pub training_mse: f64,
    /// Mean squared error of the results of the held-out games, over all their positions.
    pub held_out_mse: f64,
}

/// The learning curve: the untrained network first.
pub type Curve = Vec<CurvePoint>;

/// Is told of each measurement while a run goes on, as to draw the curve so far.
pub trait Recorder {
    /// The curve so far; the last point is new. A resumed run begins with the points that it takes up.
    ///
    /// # Errors
    /// When what it keeps cannot be written; the run ends with it.
    fn record(&mut self, curve: &[CurvePoint]) -> std::io::Result<()>;
}

/// A recorder that keeps nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoRecord;

impl Recorder for NoRecord {
    fn record(&mut self, _curve: &[CurvePoint]) -> std::io::Result<()> {
        Ok(())
    }
}

/// How long to train and how often to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Passes over the training positions.
    pub passes: usize,
    /// Measurements in each pass.
    pub parts: usize,
}

/// Mean squared error of the outputs of `net` against the results of the games.
#[must_use]
pub fn mean_squared_error<N: Network>(net: &N, set: &PositionSet) -> f64 {
    let pieces: Vec<f64> = (0..set.len().div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| {
            let range = piece * PIECE..((piece + 1) * PIECE).min(set.len());
            squared_error(net, set.rows(range.clone()), &set.results()[range])
        })
        .collect();
    pieces.iter().sum::<f64>() / set.len().max(1) as f64
}

fn squared_error<N: Network>(net: &N, rows: CodeRows<'_>, targets: &[f32]) -> f64 {
    net.outputs(rows).iter().zip(targets).map(|(y, z)| f64::from((y - z) * (y - z))).sum()
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
/// If `checkpoint` names a file, the state is saved there after each pass, and a state that an interrupted run with the
/// same settings left there is taken up. The caller removes the file when it has saved the network. `recorder` is told of
/// each measurement, those of a state that is taken up included.
///
/// # Errors
/// When the checkpoint cannot be read or written, or belongs to other settings, or when the recorder fails.
pub fn run<M: Method>(
    method: &mut M,
    net: &mut M::Net,
    data: (&PositionSet, &PositionSet),
    plan: Plan,
    checkpoint: Option<&Checkpoint>,
    recorder: &mut dyn Recorder,
    observer: &dyn Observer,
) -> Result<Curve, CheckpointError> {
    let (training, held_out) = data;
    let sample = training_sample(training);
    let mut curve = match checkpoint.map(|c| c.load(method, net)).transpose()?.flatten() {
        Some(curve) => curve,
        None => vec![measure(net, &sample, held_out, 0.0, 0)],
    };
    recorder.record(&curve).map_err(CheckpointError::Record)?;
    let first_pass = (curve.len() - 1) / plan.parts;
    observer.advance((training.len() * first_pass) as u64);
    for pass in first_pass..plan.passes {
        for part in 0..plan.parts {
            let share = Share { pass, part, parts: plan.parts };
            method.train_share(net, training, share, observer);
            let done = pass * plan.parts + part + 1;
            let passes = done as f64 / plan.parts as f64;
            let positions = (training.len() as f64 * passes).round() as u64;
            let point = measure(net, &sample, held_out, passes, positions);
            observer.remark(&format!("held-out mse {:.4}", point.held_out_mse));
            curve.push(point);
            recorder.record(&curve).map_err(CheckpointError::Record)?;
        }
        if let Some(checkpoint) = checkpoint {
            checkpoint.save(method, net, &curve)?;
        }
    }
    Ok(curve)
}

fn measure<N: Network>(net: &N, sample: &PositionSet, held_out: &PositionSet, pass: f64, positions: u64) -> CurvePoint {
    let (training_mse, held_out_mse) = (mean_squared_error(net, sample), mean_squared_error(net, held_out));
    CurvePoint { pass, positions, training_mse, held_out_mse }
}
