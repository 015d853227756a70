//! The mathematics of the networks: the rough neural network of S1 and the plain networks of S1, S2 and S5.
//!
//! A network reads an object as a row of *value codes*, one per attribute, exactly as a decision table holds it; the
//! [`Coding`] says how many values each attribute has and which number each value stands for. Outputs are expected
//! results in [-1, 1] for the side that moves first. Nothing here knows a game.

/// The methods `parts` and `parts_mut` of a [`Network`] that keeps its first layer in one field and all weights in another.
macro_rules! parts {
    ($layer:ident, $weights:ident) => {
        fn parts(&self) -> (&FirstLayer, &[f32]) {
            (&self.$layer, &self.$weights)
        }

        fn parts_mut(&mut self) -> (&FirstLayer, &mut [f32]) {
            (&self.$layer, &mut self.$weights)
        }
    };
}
pub(crate) use parts;

pub mod accumulator;
mod aligned;
mod any;
mod bytes;
mod coding;
pub(crate) mod container;
pub mod dense;
mod first_layer;
mod inference;
pub mod kernel;
pub mod math;
pub mod onnx;
pub mod optimiser;
mod pass;
pub mod quantise;
pub mod residual;
pub mod rough;
pub mod store;
mod supplied;
pub mod tree;

pub use any::{Net, NetForm};
pub use coding::{CodeRows, Coding};
pub use container::are_weights;
pub use dense::DenseNet;
pub use first_layer::{Activation, FirstLayer};
pub use inference::Readout;
pub use optimiser::Optimiser;
pub use pass::Pass;
pub use quantise::{Bits, IntegerNet};
pub use rough::RoughNet;
pub use supplied::{SUPPLIED_NETWORKS, SuppliedNetwork, is_supplied};
pub use tree::TreeNet;

use self::math::tanh;

/// A network as training and evaluation see it: a flat vector of weights that begins with those of the first layer, sums
/// of rows of these, and what follows the sums.
pub trait Network: Clone + Send + Sync {
    /// The first layer, which says what rows of weights an object activates, beside all weights in a fixed order, those of the
    /// first layer (row by row) first.
    fn parts(&self) -> (&FirstLayer, &[f32]);

    /// The same, with weights that an update may change.
    fn parts_mut(&mut self) -> (&FirstLayer, &mut [f32]);

    /// All weights.
    fn parameters(&self) -> &[f32] {
        self.parts().1
    }

    /// All weights, to be changed by an optimiser.
    fn parameters_mut(&mut self) -> &mut [f32] {
        self.parts_mut().1
    }

    /// Which rows of weights an object activates.
    fn first_layer(&self) -> &FirstLayer {
        self.parts().0
    }

    /// The value classes of all attributes, those that the network does not read included.
    fn coding(&self) -> &Coding {
        self.first_layer().coding()
    }

    /// What the first layer's sums start from, as long as a row.
    fn base(&self) -> &[f32];

    /// From [`Pass::sums`] to [`Pass::argument`] and [`Pass::y`]. `offset` is added to the argument of the output function.
    fn head(&self, codes: &[u8], offset: f32, pass: &mut Pass);

    /// The output y for its argument a.
    fn output_of(&self, argument: f32) -> f32 {
        tanh(argument)
    }

    /// How the argument of the output follows from the first layer's sums, if it is a weighted sum of a function of each;
    /// evaluators then do without [`Network::head`].
    fn readout(&self) -> Option<Readout> {
        None
    }

    /// Fills [`Pass::delta`] and [`Pass::tail`] after [`Network::head`].
    fn backward(&self, codes: &[u8], pass: &mut Pass);

    /// From the codes of an object to [`Pass::y`].
    #[inline]
    fn forward(&self, codes: &[u8], offset: f32, pass: &mut Pass) {
        self.first_layer().activate(codes, &mut pass.active);
        pass.sum_rows(self.base(), self.parameters());
        self.head(codes, offset, pass);
    }

    /// The outputs y for `rows`, each in [-1, 1].
    fn outputs(&self, rows: CodeRows<'_>) -> Vec<f32> {
        let mut pass = Pass::default();
        let output = |(index, codes)| {
            self.forward(codes, rows.offset(index), &mut pass);
            pass.y
        };
        rows.iter().enumerate().map(output).collect()
    }

    /// Adds ∂/∂w Σ (y - z)² over `rows` to `gradient` (length of [`Network::parameters`]) and returns Σ (y - z)².
    ///
    /// `targets` holds one z in [-1, 1] a row.
    fn add_gradient(&self, rows: CodeRows<'_>, targets: &[f32], pass: &mut Pass, gradient: &mut [f32]) -> f64 {
        let mut loss = 0.0;
        for (index, (codes, z)) in rows.iter().zip(targets).enumerate() {
            self.forward(codes, rows.offset(index), pass);
            self.backward(codes, pass);
            let error = pass.y - z;
            loss += f64::from(error * error);
            pass.add_gradient(self.first_layer(), gradient, 2.0 * error);
        }
        loss
    }
}
