//! One object's way through a network and back.

use super::first_layer::{Activation, FirstLayer};
use super::kernel;

/// What a network computes for one object: forward from [`Pass::active`] to [`Pass::y`], and backward the gradient ∇_w y.
///
/// The gradient is kept as the network produces it: of the first layer only the active rows have one, and it is
/// `factor` · [`Pass::delta`] for each; [`Pass::tail`] holds that of all other weights.
#[derive(Debug, Clone, Default)]
pub struct Pass {
    /// The rows of the first layer that the object activates.
    pub active: Vec<Activation>,
    /// The first layer's sums.
    pub sums: Vec<f32>,
    /// The activations of the later layers, as the network orders them.
    pub hidden: Vec<f32>,
    /// The argument a of the output function.
    pub argument: f32,
    /// The output y in [-1, 1], for the side that moves first.
    pub y: f32,
    /// ∂y / ∂sums.
    pub delta: Vec<f32>,
    /// ∂y / ∂w for the weights w that follow the first layer's.
    pub tail: Vec<f32>,
    /// Room for what a layer hands to the one before it.
    pub(super) spare: Vec<f32>,
}

impl Pass {
    /// Sums of the first layer: `base` and the active rows of `weights`.
    #[inline]
    pub fn sum_rows(&mut self, base: &[f32], weights: &[f32]) {
        self.sums.clear();
        self.sums.extend_from_slice(base);
        kernel::add_rows(&mut self.sums, weights, &self.active);
    }

    /// `weights` += `factor` · ∇y, for weights that begin with the first `layer`'s.
    #[inline]
    pub fn add_gradient(&self, layer: &FirstLayer, weights: &mut [f32], factor: f32) {
        let (rows, tail) = weights.split_at_mut(layer.n_weights());
        kernel::add_to_rows(rows, &self.active, &self.delta, factor);
        kernel::add_scaled(tail, &self.tail, factor);
    }
}
