//! The learning curve, and who receives it.

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

/// Receives each measurement during a run, for example to draw the curve so far.
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
