//! TD(λ) on recorded games (S5 §3.2; Sutton 1988).
//!
//! For the positions X_1 … X_m of a game with values P_1 … P_m and result Z (set P_{m+1} = Z, eq. 3), the weights move
//! after the game by Σ_t ΔW_t (eq. 1), where
//!
//! * eq. (2): ΔW_t = α (P_{t+1} - P_t) Σ_{k≤t} λ^{t-k} ∇P_k, computed with an eligibility trace;
//! * eq. (4): ΔW_t = α ∇P_t Σ_{k≥t} λ^{k-t} (P_{k+1} - P_k), computed with discounted sums of the errors.
//!
//! Both sums are the same, which a test checks; eq. (4) needs no trace and is faster, but must know the whole game.
//! Values are for the side that moves first.

use super::positions::PositionSet;
use super::runner::{Method, Share};
use crate::net::{CodeRows, DenseNet, Network};
use crate::observe::Observer;
use crate::setting::{SettingError, require};

/// Which of the two equal forms of the update is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UpdateForm {
    /// Eq. (2), with eligibility traces.
    Traces,
    /// Eq. (4), with discounted sums of errors.
    Errors,
}

/// Settings of [`TdLambda`].
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TdSettings {
    /// Passes over the games, in [1, 10000].
    pub passes: usize,
    /// Learning rate α, in (0, 1].
    pub alpha: f64,
    /// Trace decay λ, in [0, 1].
    pub lambda: f64,
    /// Which equation computes the update.
    pub form: UpdateForm,
}

impl TdSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require((1..=10_000).contains(&self.passes), "--passes", "in [1, 10000]", self.passes)?;
        require(self.alpha > 0.0 && self.alpha <= 1.0, "--alpha", "in (0, 1]", self.alpha)?;
        require((0.0..=1.0).contains(&self.lambda), "--lambda", "in [0, 1]", self.lambda)
    }
}

/// TD(λ) over the games in their order; weights change after each game.
pub struct TdLambda {
    settings: TdSettings,
    update: Vec<f32>,
}

impl TdLambda {
    /// Training with `settings`.
    #[must_use]
    pub fn new(settings: TdSettings) -> Self {
        Self { settings, update: Vec::new() }
    }

    fn learn_game(&mut self, net: &mut DenseNet, rows: CodeRows<'_>, result: f32) {
        self.update.clear();
        self.update.resize(net.parameters().len(), 0.0);
        let (alpha, lambda) = (self.settings.alpha as f32, self.settings.lambda as f32);
        match self.settings.form {
            UpdateForm::Traces => add_update_by_traces(net, rows, result, lambda, &mut self.update),
            UpdateForm::Errors => add_update_by_errors(net, rows, result, lambda, &mut self.update),
        }
        net.parameters_mut().iter_mut().zip(&self.update).for_each(|(weight, update)| *weight += alpha * update);
    }
}

/// The differences P_{t+1} - P_t, the last one Z - P_m.
fn temporal_differences(values: &[f32], result: f32) -> Vec<f32> {
    let next = values.iter().skip(1).copied().chain([result]);
    next.zip(values).map(|(next, value)| next - value).collect()
}

/// Adds Σ_t ΔW_t / α of eq. (2) to `update`.
///
/// `rows` are the game's positions, `result` is Z for the side that moves first.
pub fn add_update_by_traces(net: &DenseNet, rows: CodeRows<'_>, result: f32, lambda: f32, update: &mut [f32]) {
    let (values, gradients) = net.output_gradients(rows);
    let mut trace = vec![0.0; update.len()];
    for (difference, gradient) in temporal_differences(&values, result).into_iter().zip(gradients.rows()) {
        for ((trace, update), g) in trace.iter_mut().zip(update.iter_mut()).zip(gradient) {
            *trace = lambda * *trace + g;
            *update += difference * *trace;
        }
    }
}

/// Adds Σ_t ΔW_t / α of eq. (4) to `update`; the arguments are those of [`add_update_by_traces`].
pub fn add_update_by_errors(net: &DenseNet, rows: CodeRows<'_>, result: f32, lambda: f32, update: &mut [f32]) {
    let errors_of = |values: &[f32]| {
        let mut errors = temporal_differences(values, result);
        for t in (0..errors.len().saturating_sub(1)).rev() {
            errors[t] += lambda * errors[t + 1];
        }
        errors
    };
    net.add_weighted_gradient(rows, errors_of, update);
}

impl Method for TdLambda {
    type Net = DenseNet;

    fn train_share(&mut self, net: &mut DenseNet, training: &PositionSet, share: Share, observer: &dyn Observer) {
        for game in &training.games()[share.of(training.games().len())] {
            if !game.is_empty() {
                self.learn_game(net, training.rows(game.clone()), training.results()[game.start]);
            }
            observer.advance(game.len() as u64);
        }
    }

    fn memory(&self) -> Vec<f32> {
        Vec::new()
    }

    fn restore(&mut self, _memory: &[f32]) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Coding;

    fn game() -> (DenseNet, Vec<u8>) {
        let coding = Coding::new(&[vec![-1.0, 0.0, 1.0], vec![0.5, -0.25], vec![0.0, 1.0, 2.0, 0.3]]);
        (DenseNet::random(coding, 6, 2, "test"), vec![0, 1, 2, 2, 0, 3, 1, 1, 0, 0, 0, 1, 2, 1, 3])
    }

    #[test]
    fn equations_2_and_4_give_the_same_update() {
        let (net, codes) = game();
        for lambda in [0.0, 0.3, 0.7, 1.0] {
            let mut updates = [vec![0.0; net.parameters().len()], vec![0.0; net.parameters().len()]];
            add_update_by_traces(&net, CodeRows::new(&codes, 3), 1.0, lambda, &mut updates[0]);
            add_update_by_errors(&net, CodeRows::new(&codes, 3), 1.0, lambda, &mut updates[1]);
            for (by_traces, by_errors) in updates[0].iter().zip(&updates[1]) {
                approx::assert_abs_diff_eq!(by_traces, by_errors, epsilon = 1e-5);
            }
        }
    }

    /// Eq. (2) written as its double sum.
    #[test]
    fn traces_equal_the_double_sum() {
        let (net, codes) = game();
        let (values, gradients) = net.output_gradients(CodeRows::new(&codes, 3));
        let (result, lambda) = (-1.0f32, 0.6f32);
        let mut expected = vec![0.0; net.parameters().len()];
        for t in 0..values.len() {
            let next = values.get(t + 1).copied().unwrap_or(result);
            for k in 0..=t {
                let factor = (next - values[t]) * lambda.powi((t - k) as i32);
                expected.iter_mut().zip(gradients.row(k)).for_each(|(sum, g)| *sum += factor * g);
            }
        }
        let mut update = vec![0.0; net.parameters().len()];
        add_update_by_traces(&net, CodeRows::new(&codes, 3), result, lambda, &mut update);
        for (update, expected) in update.iter().zip(&expected) {
            approx::assert_abs_diff_eq!(update, expected, epsilon = 1e-5);
        }
    }

    #[test]
    fn with_lambda_one_the_errors_telescope_to_the_result() {
        let (net, codes) = game();
        let rows = CodeRows::new(&codes, 3);
        let (values, gradients) = net.output_gradients(rows);
        let mut update = vec![0.0; net.parameters().len()];
        add_update_by_errors(&net, rows, 1.0, 1.0, &mut update);
        for (index, update) in update.iter().enumerate() {
            let expected: f32 = (0..values.len()).map(|t| (1.0 - values[t]) * gradients[(t, index)]).sum();
            approx::assert_abs_diff_eq!(*update, expected, epsilon = 1e-5);
        }
    }

    #[test]
    fn settings_outside_their_range_are_named() {
        let settings = TdSettings { passes: 1, alpha: 0.1, lambda: 1.2, form: UpdateForm::Traces };
        assert_eq!(settings.check().unwrap_err().to_string(), "`--lambda` must be in [0, 1], got 1.2");
    }
}
