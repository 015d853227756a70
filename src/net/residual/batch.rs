//! Positions to learn from, and the parts of the loss over them.

use serde::{Deserialize, Serialize};

use super::shape::Shape;

/// Positions to learn from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Batch {
    /// The planes, row after row.
    pub rows: Vec<f32>,
    /// Where the legal moves of each row end in [`Batch::legal`].
    pub ends: Vec<usize>,
    /// The logits of the legal moves, row after row, each in [0, [`Shape::n_logits`]).
    pub legal: Vec<u32>,
    /// The target probability of each legal move; those of a row sum to 1.
    pub policy: Vec<f32>,
    /// The target of each value, in [-1, 1], for the **side to move**.
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
    pub const fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether it has none.
    pub const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Removes all positions and keeps the memory.
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

sums!(Losses { policy, value, l2 });

impl Losses {
    /// The loss.
    pub fn total(&self) -> f64 {
        self.policy + self.value + self.l2
    }

    /// Each part times a factor.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self { policy: self.policy * factor, value: self.value * factor, l2: self.l2 * factor }
    }
}
