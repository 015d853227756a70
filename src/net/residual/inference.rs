//! The network as evaluators run it.

use rayon::prelude::*;

use super::reference::reference_forward;
use super::shape::Shape;
use super::weights::Weights;

/// A network made ready for many evaluations.
#[derive(Debug)]
pub struct Inference {
    weights: Weights,
}

impl Inference {
    /// Makes `weights` ready.
    #[must_use]
    pub fn new(weights: &Weights) -> Self {
        Self { weights: weights.clone() }
    }

    /// The sizes of the network.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        self.weights.shape()
    }

    /// Logits ([`Shape::n_logits`] a row) and values (one a row, in [-1, 1]) of the `rows` that stand one after another. What is
    /// said of a row depends on it alone, bit for bit.
    ///
    /// # Panics
    /// When the lengths do not fit each other.
    pub fn evaluate(&self, rows: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let shape = self.shape();
        assert_eq!(rows.len(), values.len() * shape.row_len());
        assert_eq!(logits.len(), values.len() * shape.n_logits());
        let outputs = logits.par_chunks_exact_mut(shape.n_logits()).zip(values);
        rows.par_chunks_exact(shape.row_len()).zip(outputs).for_each(|(row, (logits, value))| {
            let (all, v) = reference_forward(&self.weights, row);
            logits.copy_from_slice(&all);
            *value = v;
        });
    }
}
