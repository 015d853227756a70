//! Layers 3 and 4 of the default form: from the sums of logarithms to the strengths of the rules and to the output.

use super::ACTIVATION_LIMIT;
use crate::net::kernel;
use crate::net::math::exp;

/// How sums of logarithms become strengths.
#[derive(Debug, Clone, Copy)]
pub(super) struct Firing {
    /// The exponent τ of the product.
    pub tau: f32,
    /// Whether strengths are shares of their sum, m times (so that their mean is 1).
    pub normalised: bool,
}

impl Firing {
    /// From the sums s_i = Σ_t θ_it to the strengths v_i, in place: v_i = e^(τ s_i), or m · v_i / Σ_j v_j.
    #[inline]
    pub(crate) fn fire(self, sums: &mut [f32]) {
        if !self.normalised {
            kernel::exp_scaled(sums, self.tau, ACTIVATION_LIMIT);
            return;
        }
        // Shares do not change when all sums do by the same; the largest exponent is then 0.
        let largest = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        sums.iter_mut().for_each(|sum| *sum -= largest);
        kernel::exp_scaled(sums, self.tau, 2.0 * ACTIVATION_LIMIT);
        let total: f32 = sums.iter().sum();
        kernel::scale(sums, sums.len() as f32 / total);
    }

    /// ∂a / ∂s_i, times `slope`, for the argument a = Σ ω_i v_i, written into `delta`.
    #[inline]
    pub(crate) fn deltas(self, strengths: &[f32], omega: &[f32], slope: f32, delta: &mut Vec<f32>) {
        delta.clear();
        if self.normalised {
            // Strengthening a rule weakens all others: what counts is ω above the mean of ω by strength.
            let mean = kernel::dot(strengths, omega) / strengths.len() as f32;
            let scale = slope * self.tau;
            delta.extend(strengths.iter().zip(omega).map(|(v, w)| scale * v * (w - mean)));
            return;
        }
        let bounds = exp(-ACTIVATION_LIMIT)..exp(ACTIVATION_LIMIT);
        delta.extend(strengths.iter().zip(omega).map(|(&v, &w)| {
            // A strength that is held at a bound does not move with θ.
            let moves = v > bounds.start && v < bounds.end;
            if moves { slope * v * w * self.tau } else { 0.0 }
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strength_at_a_bound_does_not_move() {
        let firing = Firing { tau: 0.5, normalised: false };
        let (mut strengths, mut deltas) = ([-1e3, 0.0, 1e3], Vec::new());
        firing.fire(&mut strengths);
        firing.deltas(&strengths, &[1e10, 3.0, 1e-10], 2.0, &mut deltas);
        assert_eq!(deltas, [0.0, 3.0, 0.0]);
    }
}
