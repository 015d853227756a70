//! Logistic regression: the log-odds of winning are a linear function of the inputs.

use linfa::Dataset;
use linfa::traits::Fit;
use linfa_logistic::{FittedLogisticRegression, LogisticRegression};
use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

use super::{ModelError, Sample, won};
use crate::net::DenseNet;
use crate::net::dense::InputForm;
use crate::settings::{above, settings};

settings! {
    /// Settings of logistic regression.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct LogisticSettings {
        /// Factor α of the penalty ½ α |w|² on the weights; each position counts as two observations if there are draws, else as one.
        pub alpha: f64 = 1.0, in above(0.0).up_to(1e9);
        /// The most steps of L-BFGS.
        pub max_iterations: u64 = 100, in 1..=10_000;
        /// What stands for an attribute's value.
        pub inputs: InputForm = InputForm::Numbers, as "-";
    }
}

/// The network of the regression of wins on the inputs.
pub(super) fn fit(settings: &LogisticSettings, sample: &Sample<'_>) -> Result<DenseNet, ModelError> {
    let (rows, wins) = observations(sample);
    let x = sample.inputs(&rows, settings.inputs)?;
    let (weights, bias) = half_log_odds(x, wins, settings.alpha, settings.max_iterations)?;
    sample.linear("logistic regression", settings.inputs, weights.into_iter(), bias)
}

/// Two observations a position, since linfa weighs none: two wins, two losses, or one of each for a draw; a single one a position
/// where there are no draws.
pub(super) fn observations(sample: &Sample<'_>) -> (Vec<usize>, Vec<bool>) {
    let has_draws = sample.rows.iter().any(|&row| sample.result(row) == 0.0);
    let mut all = (Vec::new(), Vec::new());
    for &row in &sample.rows {
        let won = won(sample.result(row));
        all.0.push(row);
        all.1.push(won > 0.0);
        if has_draws {
            all.0.push(row);
            all.1.push(won >= 1.0);
        }
    }
    all
}

/// Weights and bias of half the log-odds of a win, for inputs `x` (one row an observation).
pub(super) fn half_log_odds(
    x: Array2<f64>,
    wins: Vec<bool>,
    alpha: f64,
    max_iterations: u64,
) -> Result<(Vec<f64>, f64), ModelError> {
    let parameters = LogisticRegression::default().alpha(alpha).max_iterations(max_iterations);
    let fitted: FittedLogisticRegression<f64, bool> = parameters.fit(&Dataset::new(x, Array1::from(wins)))?;
    // linfa's positive class may be either.
    let half = if fitted.labels().pos.class { 0.5 } else { -0.5 };
    Ok((fitted.params().iter().map(|weight| half * weight).collect(), half * fitted.intercept()))
}
