//! The predictor of Sutton 1988: a weight a state, whose values are the predictions themselves.

use crate::net::{Coding, FirstLayer, Network, Pass};

/// A linear network over one-hot states with the identity for its output: P = w·x.
#[derive(Debug, Clone)]
pub struct LinearPredictor {
    layer: FirstLayer,
    weights: Vec<f32>,
}

impl LinearPredictor {
    /// A predictor whose prediction in each of `n_states` states is `value`.
    pub fn constant(n_states: usize, value: f32) -> Self {
        let coding = Coding::new(&[vec![0.0; n_states]]);
        Self { layer: FirstLayer::of_classes(coding, &[0], 1), weights: vec![value; n_states] }
    }
}

impl Network for LinearPredictor {
    fn parts(&self) -> (&FirstLayer, &[f32]) {
        (&self.layer, &self.weights)
    }

    fn parts_mut(&mut self) -> (&FirstLayer, &mut [f32]) {
        (&self.layer, &mut self.weights)
    }

    fn base(&self) -> &[f32] {
        &[0.0]
    }

    fn head(&self, _codes: &[u8], offset: f32, pass: &mut Pass) {
        pass.argument = pass.sums[0] + offset;
        pass.y = pass.argument;
    }

    fn backward(&self, _codes: &[u8], pass: &mut Pass) {
        pass.delta.clear();
        pass.delta.push(1.0);
        pass.tail.clear();
    }
}
