//! Networks with the traits of linfa: fit, fit on, predict.
//!
//! [`BpParams`] and [`RoughNetParams`] fit to a `Dataset` whose records (n_samples, n_features) hold one attribute a column;
//! [`TdParams`] fits to [`Games`], since TD(λ) learns from positions in the order of play and not from single records. What they
//! fit is a [`FittedNetwork`], which predicts.
//!
//! * **Records** are `f32` or `f64`. The distinct values of a column are its attribute's values, 256 at most: measured numbers
//!   must be discretised first, as by the transformers of [`crate::table::discretize`]. A plain network's inputs are the values
//!   themselves, which should be about ±1, or one input a value ([`InputForm`](crate::net::dense::InputForm)).
//! * **Targets** are results in [-1, 1] as `f32` or `f64`, or labels as `usize`. Labels are taken for grades: k of them stand
//!   evenly between -1 and 1, and the one nearest to the output is predicted.
//! * **Weights** must be counts; a record, or a game, of weight w is learned from w times in each pass.
//! * **At prediction** a value that the training records lack is taken for the nearest that they have, the lower of two. A
//!   record that holds a NaN has the output NaN, and the lowest label.
//! * **Fitting on** (`FitWith`) keeps columns, values, labels and the rules of a rough network, and moves the weights by another
//!   batch; the optimiser goes on from what it remembers, and begins anew where another one was chosen; the step size starts over.
//!
//! ```
//! use linfa::prelude::*;
//! use ndarray::array;
//! use roughboard::train::linfa::BpParams;
//!
//! let exclusive_or = Dataset::new(array![[0., 0.], [0., 1.], [1., 0.], [1., 1.]], array![-1., 1., 1., -1.]);
//! let network = BpParams::default().hidden(&[8]).passes(400).fit(&exclusive_or)?;
//! let predicted = network.predict(&exclusive_or);
//! println!("{predicted}");
//! assert!(predicted.mean_squared_error(&exclusive_or)? < 0.05);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod examples;
mod fitted;
mod games;
mod params;
mod plain;
mod rough;
mod target;

pub use error::FitNetworkError;
pub use fitted::FittedNetwork;
pub use games::Games;
pub use params::{NetworkParams, ValidNetworkParams};
pub use plain::{BpParams, TdParams};
pub use rough::{CoveringRules, RoughNetParams};
pub use target::Target;

/// What comes of fitting.
type Result<T, E = FitNetworkError> = std::result::Result<T, E>;
