//! Learning: batches, the loss, and one step of an optimiser after another.
//!
//! Over a batch of N positions with the policies π of a search and the results z, for weights θ,
//!
//! ```text
//! loss = 1/N Σ [ -Σ_moves π ln p + (v - z)² ] + c |θ|²
//! ```
//!
//! where p is the softmax of the logits over the legal moves alone (Silver et al., 2017, eq. (1)).

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::gradient::Gradient;
use super::shape::Shape;
use super::store::{self, About};
use super::weights::Weights;
use crate::net::kernel;
use crate::net::optimiser::{Optimiser, OptimiserKind};
use crate::net::store::StoreError;
use crate::setting::{SettingError, require};

/// How a network learns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LearnerSettings {
    /// How gradients become steps.
    pub optimiser: OptimiserKind,
    /// The size of a step, positive.
    pub rate: f64,
    /// The weight c of |θ|² in the loss, not negative.
    pub l2: f64,
}

impl Default for LearnerSettings {
    fn default() -> Self {
        Self { optimiser: OptimiserKind::Adam, rate: 1e-3, l2: 1e-4 }
    }
}

impl LearnerSettings {
    /// Checks the range of each setting.
    ///
    /// # Errors
    /// With the first that is outside.
    pub fn check(&self) -> Result<(), SettingError> {
        self.optimiser.check()?;
        require(self.rate > 0.0 && self.rate.is_finite(), "--rate", "positive", self.rate)?;
        require(self.l2 >= 0.0 && self.l2.is_finite(), "--l2", "0 or more", self.l2)
    }
}

/// Positions to learn from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Batch {
    /// The planes, row after row.
    pub rows: Vec<f32>,
    /// Where the legal moves of each row end in [`Batch::legal`].
    pub ends: Vec<usize>,
    /// The logits of the legal moves, row after row, each in [0, [`Shape::n_logits`]).
    pub legal: Vec<u32>,
    /// The probability that each legal move is to have; a row's sum is 1.
    pub policy: Vec<f32>,
    /// The result that each value is to say, in [-1, 1], for the **side to move**.
    pub values: Vec<f32>,
}

/// Why a batch cannot be learned from.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the batch does not fit the network: expected {expected}, found {found}")]
pub struct BatchError {
    /// What the network's shape asks for.
    pub expected: String,
    /// What the batch has.
    pub found: String,
}

impl Batch {
    /// The positions in it.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether it has none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Removes all positions and keeps the room.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.ends.clear();
        self.legal.clear();
        self.policy.clear();
        self.values.clear();
    }

    /// Adds a position: its planes, the logit and the probability of each legal move, and its result.
    pub fn push(&mut self, row: &[f32], moves: impl IntoIterator<Item = (u32, f32)>, value: f32) {
        self.rows.extend_from_slice(row);
        for (logit, probability) in moves {
            self.legal.push(logit);
            self.policy.push(probability);
        }
        self.ends.push(self.legal.len());
        self.values.push(value);
    }

    /// The logits of a row's legal moves and their probabilities.
    #[must_use]
    pub fn moves_of(&self, row: usize) -> (&[u32], &[f32]) {
        let first = if row == 0 { 0 } else { self.ends[row - 1] };
        (&self.legal[first..self.ends[row]], &self.policy[first..self.ends[row]])
    }

    /// Checks that the batch fits networks of this shape and that there is something to learn.
    ///
    /// # Errors
    /// With the first thing that does not fit.
    pub fn check(&self, shape: &Shape) -> Result<(), BatchError> {
        let n = self.len();
        let expect = |valid: bool, expected: &dyn Fn() -> String, found: &dyn Fn() -> String| {
            if valid { Ok(()) } else { Err(BatchError { expected: expected(), found: found() }) }
        };
        expect(n > 0, &|| "at least one position".into(), &|| "none".into())?;
        let numbers = n * shape.row_len();
        expect(self.rows.len() == numbers, &|| format!("{numbers} numbers of planes"), &|| {
            self.rows.len().to_string()
        })?;
        let ascending = self.ends.is_sorted() && self.ends.last() == Some(&self.legal.len());
        let lists = self.ends.len() == n && self.policy.len() == self.legal.len() && ascending;
        expect(lists, &|| format!("{n} lists of moves and as many probabilities"), &|| {
            format!("{} lists of {} moves and {} probabilities", self.ends.len(), self.legal.len(), self.policy.len())
        })?;
        let limit = shape.n_logits();
        let outside = self.legal.iter().find(|&&logit| logit as usize >= limit);
        expect(outside.is_none(), &|| format!("logits below {limit}"), &|| format!("{outside:?}"))?;
        let bad = self.rows.iter().chain(&self.policy).chain(&self.values).find(|number| !number.is_finite());
        expect(bad.is_none(), &|| "finite numbers".into(), &|| format!("{bad:?}"))
    }
}

/// The parts of the loss, each a mean over the positions of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Losses {
    /// Cross entropy of the policy, in nats.
    pub policy: f64,
    /// Squared error of the value.
    pub value: f64,
    /// c |θ|².
    pub l2: f64,
}

impl Losses {
    /// The loss.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.policy + self.value + self.l2
    }

    /// The sum with others.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self { policy: self.policy + other.policy, value: self.value + other.value, l2: self.l2 + other.l2 }
    }

    /// Each part times a factor.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self { policy: self.policy * factor, value: self.value * factor, l2: self.l2 * factor }
    }
}

/// A network that learns, with what its optimiser remembers.
///
/// The same batches give the same weights, byte for byte, on any number of threads.
#[derive(Debug)]
pub struct Learner {
    weights: Weights,
    settings: LearnerSettings,
    optimiser: Optimiser,
    gradient: Gradient,
    /// The gradient of the last batch.
    slope: Vec<f32>,
}

impl Learner {
    /// A learner that starts from `weights`.
    ///
    /// # Errors
    /// When a setting is out of range.
    pub fn new(weights: Weights, settings: LearnerSettings) -> Result<Self, SettingError> {
        settings.check()?;
        let n = weights.n_parameters();
        Ok(Self {
            optimiser: Optimiser::new(settings.optimiser, n),
            gradient: Gradient::new(&weights),
            slope: vec![0.0; n],
            weights,
            settings,
        })
    }

    /// Takes one step on the loss of `batch`; returns what the loss was before it.
    ///
    /// # Errors
    /// When the batch does not fit the network or is empty.
    pub fn step(&mut self, batch: &Batch) -> Result<Losses, BatchError> {
        let losses = self.find_slope(batch)?;
        self.optimiser.step(self.weights.flat_mut(), &self.slope, self.settings.rate as f32);
        Ok(losses)
    }

    /// The loss of `batch` and its gradient with respect to all weights.
    ///
    /// # Errors
    /// When the batch does not fit the network or is empty.
    pub fn slope(&mut self, batch: &Batch) -> Result<(Losses, &[f32]), BatchError> {
        Ok((self.find_slope(batch)?, &self.slope))
    }

    fn find_slope(&mut self, batch: &Batch) -> Result<Losses, BatchError> {
        batch.check(self.weights.shape())?;
        let losses = self.gradient.of_batch(&self.weights, batch, &mut self.slope);
        let square: f64 = self.weights.flat().iter().map(|&weight| f64::from(weight) * f64::from(weight)).sum();
        kernel::add_scaled(&mut self.slope, self.weights.flat(), 2.0 * self.settings.l2 as f32);
        Ok(Losses { l2: self.settings.l2 * square, ..losses })
    }

    /// The weights as they are now.
    #[must_use]
    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// How it learns.
    #[must_use]
    pub const fn settings(&self) -> &LearnerSettings {
        &self.settings
    }

    /// Changes the size of the next steps.
    pub fn set_rate(&mut self, rate: f64) {
        self.settings.rate = rate;
    }

    /// Writes the network and what the optimiser remembers, as one file that [`Learner::load`] and [`store::load`] read.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path, about: &About) -> Result<(), StoreError> {
        store::save_with_memory(path, &self.weights, about, &self.optimiser.memory())
    }

    /// A learner that goes on where the one that wrote the file stood, with the optimiser of `settings`.
    ///
    /// # Errors
    /// When the file cannot be read, or what it remembers is of another optimiser.
    pub fn load(path: &Path, settings: LearnerSettings) -> Result<(Self, About), StoreError> {
        let expected = Optimiser::new(settings.optimiser, 0).memory().len();
        let (weights, memory, about) = store::load_with_memory(path, |weights| {
            let of_weights = match settings.optimiser {
                OptimiserKind::Adam => 2,
                OptimiserKind::Sgd { momentum: 0.0 } => 0,
                OptimiserKind::Sgd { .. } => 1,
            };
            expected + of_weights * weights.n_parameters()
        })?;
        let wrong = |error: SettingError| StoreError::About { path: path.to_owned(), found: error.to_string() };
        let mut learner = Self::new(weights, settings).map_err(wrong)?;
        learner.optimiser.restore(&memory);
        Ok((learner, about))
    }
}
