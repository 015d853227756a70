//! The residual convolutional network of S4: planes of a board in, a logit for each pair of points and a value out.
//!
//! With planes P over rows × columns, C channels and L layers
//!
//! ```text
//! x₁   = relu(W₁ * P + b₁)
//! xₗ₊₁ = relu(xₗ + Wₗ₊₁ * xₗ + bₗ₊₁)                 l = 1 … L - 1
//! ```
//!
//! where `*` is the 3×3 convolution with zeros around the board. The policy reads the last x by two 1×1 convolutions, F of the
//! point that a piece leaves and T of the point that it goes to, D channels each; the value by one of V channels:
//!
//! ```text
//! logit(from, to) = ⟨F(from), T(to)⟩ / √D
//! v = tanh(⟨w, relu(H relu(W_v x_L + b_v) + b_h)⟩ + b)
//! ```
//!
//! There is no normalisation over batches, so that what is said of a position depends on this position alone.
//! S4 names six layers and the sizes of input and output; the form of the heads is ours (`docs/residual.md`).

mod batch;
#[cfg(feature = "burn")]
mod burn;
mod device;
mod inference;
mod layers;
mod learner;
mod gradient;
mod product;
mod runner;
mod shape;
pub mod store;
mod weights;
mod winograd;

pub use batch::{Batch, BatchError, Losses};
pub use device::{Device, DeviceError};
pub use inference::Inference;
pub use learner::{Learner, LearnerError, LearnerSettings};
pub use runner::Runner;
pub use shape::Shape;
pub use store::About;
pub use weights::Weights;
