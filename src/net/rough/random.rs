//! A random start in the place of the one that knows the rules.

use rand::RngExt;

use super::RoughNet;
use crate::random;

impl RoughNet {
    /// The same network with random weights of layer 2, ω and b of the scale of `self`'s (of layer 2 over all value classes, those
    /// of attributes that are not read included), as a control of what the start is worth. With full products the rules are forgotten, since nothing depends on them.
    #[must_use]
    pub fn randomised(&self, seed: u64) -> Self {
        let mut stream = random::stream(seed, "rough-random-start", 0);
        let mut net = self.clone();
        let n = net.n_layer_2();
        let spread = |weights: &[f32]| (weights.iter().map(|w| w * w).sum::<f32>() / weights.len() as f32).sqrt();
        let scales = [spread(&self.parameters[..n]), spread(self.omega())];
        for (index, weight) in net.parameters.iter_mut().enumerate() {
            let uniform = (stream.random::<f32>() * 2.0 - 1.0) * 3f32.sqrt();
            *weight = uniform * scales[usize::from(index >= n)];
        }
        if net.shape.has_rows() {
            net.shape.rules.clear();
        }
        net
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Network;
    use crate::net::dense::small_coding;
    use crate::net::rough::tests::{net_of, rules, settings, variants};
    use crate::net::rough::{Product, RoughSettings, RoughShape};

    #[test]
    fn a_start_that_knows_the_rules_differs_from_a_random_one_of_the_same_size() {
        for settings in variants() {
            let net = net_of(&settings);
            let random = net.randomised(5);
            assert_ne!(random.parameters(), net.parameters());
            assert_eq!(random, net.randomised(5));
            assert_eq!(random.parameters().len(), net.parameters().len());
        }
    }

    #[test]
    fn random_weights_are_even_around_zero_and_of_the_size_of_those_that_they_replace() {
        // 9 value classes and 100 rules.
        let weights = (0..1001).map(|at| if at < 900 { 2.0 } else { 0.5 }).collect();
        let (inputs, shape) = (vec![0, 1, 2], RoughShape::default());
        let net = RoughNet::from_parameters(small_coding(), inputs, shape, (100, 0.5), weights).unwrap();
        let random = net.randomised(5);
        for (weights, scale) in [(random.layer_2_weights(), 2.0_f32), (random.omega(), 0.5)] {
            assert!(weights.iter().all(|w| w.abs() <= 1.74 * scale), "beyond √3 times the scale");
            let mean = weights.iter().sum::<f32>() / weights.len() as f32;
            let square = weights.iter().map(|w| w * w).sum::<f32>() / weights.len() as f32;
            assert!(mean.abs() < 0.5 * scale && (square / (scale * scale) - 1.0).abs() < 0.5, "{mean} {square}");
        }
    }

    #[test]
    fn random_weights_are_the_draws_of_the_stream_at_the_scale_of_their_layer() {
        // The root of the mean square is √((9 + 1) / 2) in layer 2, and b has the scale of ω.
        let weights = (0..21).map(|at| if at >= 18 { 0.5 } else { [3.0, -1.0][at % 2] }).collect();
        let shape = RoughShape { rules: rules().to_vec(), ..RoughShape::default() };
        let net = RoughNet::from_parameters(small_coding(), vec![0, 1, 2], shape, (2, 0.5), weights).unwrap();
        let random = net.randomised(5);
        let mut stream = random::stream(5, "rough-random-start", 0);
        for (at, found) in random.parameters().iter().enumerate() {
            let scale = if at < 18 { 5f32.sqrt() } else { 0.5 };
            let expected = (2.0 * stream.random::<f32>() - 1.0) * 3f32.sqrt() * scale;
            approx::assert_abs_diff_eq!(*found, expected, epsilon = 1e-5);
        }
        assert!(random.shape().rules.is_empty() && net.shape().rules.len() == 2);
        let own = net_of(&RoughSettings { product: Product::Own, ..settings() });
        assert_eq!(own.randomised(5).shape(), own.shape());
    }
}
