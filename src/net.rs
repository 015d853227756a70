//! The mathematics of the networks: the rough neural network of S1 and the 91-N-1 network of S1 and S5.
//!
//! A network reads an object as a row of *value codes*, one per attribute, exactly as a decision table holds it; the
//! [`Coding`] says how many values each attribute has and which number each value stands for. Outputs are expected
//! results in [-1, 1] for the side that moves first. Nothing here knows a game.

pub mod accumulator;
pub mod adam;
pub mod coding;
pub mod dense;
pub mod math;
pub mod onnx;
pub mod rough;
pub mod store;

pub use coding::{CodeRows, Coding};
pub use dense::DenseNet;
pub use rough::RoughNet;

/// What training needs of a network: a flat vector of weights, outputs, and the gradient of the squared error.
pub trait Network: Clone + Send + Sync {
    /// All weights, in a fixed order.
    fn parameters(&self) -> &[f32];

    /// All weights, to be changed by an optimiser.
    fn parameters_mut(&mut self) -> &mut [f32];

    /// The outputs y for `rows`, each in [-1, 1].
    fn outputs(&self, rows: CodeRows<'_>) -> Vec<f32>;

    /// Adds ∂/∂w Σ (y - z)² over `rows` to `gradient` (length of [`Network::parameters`]) and returns Σ (y - z)².
    ///
    /// `targets` holds one z in [-1, 1] a row.
    fn add_gradient(&self, rows: CodeRows<'_>, targets: &[f32], gradient: &mut [f32]) -> f64;
}
