//! How a gradient becomes a change of the weights: stochastic gradient descent with momentum, and Adam.

use serde::{Deserialize, Serialize};

use super::kernel::{self, BETA_1, BETA_2};
use crate::settings::{SettingError, composite, require_in};

/// Which optimiser, and its settings.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum OptimiserKind {
    /// Adam (Kingma and Ba, 2015, algorithm 1) with β = 0.9, 0.999.
    #[default]
    Adam,
    /// Gradient descent with momentum (Polyak's heavy ball).
    Sgd {
        /// The share of the last step that is repeated, in [0, 1).
        momentum: f64,
    },
}

composite!(OptimiserKind);

impl OptimiserKind {
    /// Checks the range of the momentum.
    ///
    /// # Errors
    /// When it is outside.
    pub fn check(&self) -> Result<(), SettingError> {
        match *self {
            Self::Adam => Ok(()),
            Self::Sgd { momentum } => require_in("momentum", 0.0..1.0, momentum),
        }
    }
}

/// An optimiser with what it remembers of the gradients.
#[derive(Debug, Clone, PartialEq)]
pub enum Optimiser {
    /// Running moments of the gradient, one pair a weight.
    Adam {
        /// First moments m.
        first: Vec<f32>,
        /// Second moments v.
        second: Vec<f32>,
        /// Steps taken so far, t.
        steps: u32,
    },
    /// The last step of each weight; without momentum nothing is remembered.
    Sgd {
        /// The share of it that is repeated.
        momentum: f32,
        /// One number a weight, none without momentum.
        velocity: Vec<f32>,
    },
}

impl Optimiser {
    /// An optimiser that has seen no gradient yet, for `n_parameters` weights.
    pub fn new(kind: OptimiserKind, n_parameters: usize) -> Self {
        let zeros = || vec![0.0; n_parameters];
        match kind {
            OptimiserKind::Adam => Self::Adam { first: zeros(), second: zeros(), steps: 0 },
            OptimiserKind::Sgd { momentum: 0.0 } => Self::Sgd { momentum: 0.0, velocity: Vec::new() },
            OptimiserKind::Sgd { momentum } => Self::Sgd { momentum: momentum as f32, velocity: zeros() },
        }
    }

    /// Moves `weights` against `gradient` with step size `rate`.
    ///
    /// # Panics
    /// When the lengths differ.
    pub fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        assert_eq!(weights.len(), gradient.len());
        match self {
            Self::Adam { first, second, steps } => {
                *steps += 1;
                let scale = |beta: f32| (1.0 / (1.0 - f64::from(beta).powi(*steps as i32))) as f32;
                kernel::adam(weights, gradient, first, second, rate, [scale(BETA_1), scale(BETA_2)]);
            }
            Self::Sgd { velocity, .. } if velocity.is_empty() => kernel::add_scaled(weights, gradient, -rate),
            Self::Sgd { momentum, velocity } => {
                kernel::decay_and_add(velocity, *momentum, gradient, -rate);
                kernel::add_scaled(weights, velocity, 1.0);
            }
        }
    }

    /// Whether a step is the gradient times the rate and nothing else, so that it may go to the weights directly.
    pub fn is_plain(&self) -> bool {
        matches!(self, Self::Sgd { velocity, .. } if velocity.is_empty())
    }

    /// Everything remembered, for a checkpoint.
    pub fn memory(&self) -> Vec<f32> {
        match self {
            // The number of steps travels as the bits of a float, since as a float it would be exact only up to 2^24.
            Self::Adam { first, second, steps } => [first.as_slice(), second, &[f32::from_bits(*steps)]].concat(),
            Self::Sgd { velocity, .. } => velocity.clone(),
        }
    }

    /// Restores what [`Optimiser::memory`] of an optimiser of the same kind gave.
    ///
    /// # Panics
    /// When the other one was of another kind, or for another number of weights.
    pub fn restore(&mut self, memory: &[f32]) {
        match self {
            Self::Adam { first, second, steps } => {
                let n = first.len();
                first.copy_from_slice(&memory[..n]);
                second.copy_from_slice(&memory[n..2 * n]);
                *steps = memory[2 * n].to_bits();
            }
            Self::Sgd { velocity, .. } => velocity.copy_from_slice(memory),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_of_adam_has_the_size_of_the_rate() {
        let mut weights = [1.0, -1.0, 0.0];
        Optimiser::new(OptimiserKind::Adam, 3).step(&mut weights, &[10.0, -0.01, 0.0], 0.1);
        approx::assert_relative_eq!(weights[0], 0.9, epsilon = 1e-5);
        approx::assert_relative_eq!(weights[1], -0.9, epsilon = 1e-5);
        assert_eq!(weights[2], 0.0);
    }

    #[test]
    fn every_optimiser_finds_the_minimum_of_a_parabola_and_goes_on_from_its_memory() {
        for kind in [OptimiserKind::Adam, OptimiserKind::Sgd { momentum: 0.0 }, OptimiserKind::Sgd { momentum: 0.9 }] {
            let (mut optimiser, mut w) = (Optimiser::new(kind, 1), [0.0]);
            for _ in 0..2000 {
                let gradient = [2.0 * (w[0] - 3.0)];
                let mut restored = Optimiser::new(kind, 1);
                restored.restore(&optimiser.memory());
                assert_eq!(restored, optimiser);
                optimiser.step(&mut w, &gradient, 0.01);
            }
            approx::assert_relative_eq!(w[0], 3.0, epsilon = 1e-2);
        }
    }

    #[test]
    fn momentum_repeats_a_share_of_the_last_step() {
        let (mut optimiser, mut w) = (Optimiser::new(OptimiserKind::Sgd { momentum: 0.5 }, 1), [0.0]);
        optimiser.step(&mut w, &[1.0], 0.1);
        optimiser.step(&mut w, &[0.0], 0.1);
        approx::assert_relative_eq!(w[0], -0.15, epsilon = 1e-6);
    }
}
