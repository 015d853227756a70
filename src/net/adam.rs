//! The Adam optimiser (Kingma and Ba, 2015, algorithm 1).

const BETA_1: f32 = 0.9;
const BETA_2: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// Running moments of the gradient, one pair a weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Adam {
    /// First moments m.
    pub first: Vec<f32>,
    /// Second moments v.
    pub second: Vec<f32>,
    /// Steps taken so far, t.
    pub steps: u32,
}

impl Adam {
    /// Moments of zero for `n_parameters` weights.
    #[must_use]
    pub fn new(n_parameters: usize) -> Self {
        Self { first: vec![0.0; n_parameters], second: vec![0.0; n_parameters], steps: 0 }
    }

    /// Moves `parameters` against `gradient` with step size `rate`.
    ///
    /// # Panics
    /// When the lengths differ.
    pub fn step(&mut self, parameters: &mut [f32], gradient: &[f32], rate: f32) {
        assert_eq!(parameters.len(), gradient.len());
        self.steps += 1;
        let scale_1 = 1.0 / (1.0 - f64::from(BETA_1).powi(self.steps as i32)) as f32;
        let scale_2 = 1.0 / (1.0 - f64::from(BETA_2).powi(self.steps as i32)) as f32;
        let moments = self.first.iter_mut().zip(&mut self.second);
        for ((weight, &g), (m, v)) in parameters.iter_mut().zip(gradient).zip(moments) {
            *m = BETA_1 * *m + (1.0 - BETA_1) * g;
            *v = BETA_2 * *v + (1.0 - BETA_2) * g * g;
            *weight -= rate * (*m * scale_1) / ((*v * scale_2).sqrt() + EPSILON);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_has_the_size_of_the_rate() {
        let mut weights = [1.0, -1.0, 0.0];
        Adam::new(3).step(&mut weights, &[10.0, -0.01, 0.0], 0.1);
        approx::assert_relative_eq!(weights[0], 0.9, epsilon = 1e-5);
        approx::assert_relative_eq!(weights[1], -0.9, epsilon = 1e-5);
        assert_eq!(weights[2], 0.0);
    }

    #[test]
    fn it_finds_the_minimum_of_a_parabola() {
        let (mut adam, mut w) = (Adam::new(1), [0.0]);
        for _ in 0..2000 {
            let gradient = [2.0 * (w[0] - 3.0)];
            adam.step(&mut w, &gradient, 0.01);
        }
        approx::assert_relative_eq!(w[0], 3.0, epsilon = 1e-2);
    }
}
