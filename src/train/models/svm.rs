//! A support vector machine with a linear kernel: regression of the results with an ε-insensitive loss.

use linfa::Dataset;
use linfa::traits::Fit;
use linfa_svm::Svm;
use ndarray::{Array1, Array2, Axis};
use serde::{Deserialize, Serialize};

use super::logistic::{half_log_odds, observations};
use super::{ModelError, Sample};
use crate::net::DenseNet;
use crate::net::dense::InputForm;
use crate::settings::{above, settings};

/// linfa keeps the whole kernel matrix, the square of this many numbers: 0.8 GB.
pub(super) const MOST_OBJECTS: usize = 10_000;
/// Positions that take seconds.
pub(super) const DEFAULT_OBJECTS: usize = 3000;

settings! {
    /// Settings of the support vector machine.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct SvmSettings {
        /// The price of errors.
        pub c: f64 = 0.01, in above(0.0).up_to(1e6);
        /// Errors up to this size cost nothing; linfa needs a size above 0.
        pub epsilon: f64 = 0.1, in above(0.0).up_to(1.0);
        /// How far from the optimum the solver may stop.
        pub tolerance: f64 = 1e-3, in 1e-9..=1.0;
        /// What stands for an attribute's value.
        pub inputs: InputForm = InputForm::Numbers, as "-";
    }
}

/// The network of the machine's value f, brought to half log-odds of winning as Platt does: a = s f + t by logistic regression
/// on the same positions.
pub(super) fn fit(settings: &SvmSettings, sample: &Sample<'_>) -> Result<DenseNet, ModelError> {
    let x = sample.inputs(&sample.rows, settings.inputs)?;
    let z: Array1<f64> = sample.rows.iter().map(|&row| f64::from(sample.result(row))).collect();
    let machine: Svm<f64, f64> = Svm::params()
        .c_svr(settings.c, Some(settings.epsilon))
        .eps(settings.tolerance)
        .linear_kernel()
        .fit(&Dataset::new(x, z))?;
    let weights = hyperplane(&machine, sample, settings.inputs);
    let (rows, wins) = observations(sample);
    let x = sample.inputs(&rows, settings.inputs)?;
    let f = x.dot(&weights) - machine.rho;
    let (scale, shift) = half_log_odds(f.insert_axis(Axis(1)), wins, WEAK_PENALTY, 100)?;
    let scale = scale.first().copied().unwrap_or_default();
    let bias = shift - scale * machine.rho;
    sample.linear("the support vector machine", settings.inputs, weights.into_iter().map(|w| scale * w), bias)
}

/// A scale and a shift need no penalty, and linfa takes one above zero.
const WEAK_PENALTY: f64 = 1e-6;

/// The weights of a linear machine, which tells them only as its answers to unit vectors.
fn hyperplane(machine: &Svm<f64, f64>, sample: &Sample<'_>, form: InputForm) -> Array1<f64> {
    Array2::<f64>::eye(sample.n_inputs(form)).rows().into_iter().map(|unit| machine.weighted_sum(&unit)).collect()
}
