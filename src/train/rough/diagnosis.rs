//! What a rough network does on positions: which rules fire, which are dead, where gradients arrive.

use serde::Serialize;

use crate::net::rough::{ACTIVATION_LIMIT, RoughForm};
use crate::net::{Network, Pass, RoughNet};
use crate::train::PositionSet;
use crate::train::positions::Example;

/// Positions that are looked at, at most; of more, evenly spaced ones.
pub const MOST_POSITIONS: usize = 20_000;

/// A rule whose |ω v| stays below this in every position says nothing.
pub const SILENT: f32 = 1e-6;

/// What one rule neuron did in the positions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct RuleActivity {
    /// Positions that meet all conditions of the rule.
    pub matched: usize,
    /// The mean of its strength v.
    pub mean_strength: f64,
    /// The largest |ω v|.
    pub largest_effect: f32,
    /// Positions in which v was held at a bound, or in the literal form was 0: nothing moves its factors there.
    pub at_bound: usize,
}

/// One layer's part of the gradient of the mean squared error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LayerGradient {
    /// The layer.
    pub layer: &'static str,
    /// Weights that the output depends on.
    pub weights: usize,
    /// The Euclidean norm of the gradient.
    pub norm: f64,
    /// Weights whose gradient is 0.
    pub zero: usize,
}

/// What a rough network did in some positions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diagnosis {
    /// The positions looked at.
    pub positions: usize,
    /// The rules, in the order of the neurons.
    pub rules: Vec<RuleActivity>,
    /// The number of positions that meet the conditions of 0, 1, 2, … rules. Empty if the rules are not known.
    pub coverage: Vec<usize>,
    /// Positions in which no weight of layer 2 has a gradient.
    pub without_gradient: usize,
    /// The gradient by layers.
    pub gradient: Vec<LayerGradient>,
    /// The number of positions in each value class.
    pub seen: Vec<usize>,
}

impl Diagnosis {
    /// Whether a rule says nothing: it is held at a bound, or its effect is below [`SILENT`], in every position.
    pub fn is_dead(&self, rule: usize) -> bool {
        let activity = &self.rules[rule];
        activity.at_bound == self.positions || activity.largest_effect < SILENT
    }

    /// The number of dead rules.
    pub fn dead(&self) -> usize {
        (0..self.rules.len()).filter(|&rule| self.is_dead(rule)).count()
    }
}

/// Runs `net` over at most [`MOST_POSITIONS`] positions of `set`, which has the network's attributes.
pub fn diagnose(net: &RoughNet, set: &PositionSet) -> Diagnosis {
    let mut diagnosing = Diagnosing::new(net);
    for position in (0..set.len()).step_by(set.len().div_ceil(MOST_POSITIONS).max(1)) {
        diagnosing.add(set.example(position));
    }
    diagnosing.finish()
}

struct Diagnosing<'n> {
    net: &'n RoughNet,
    pass: Pass,
    gradient: Vec<f32>,
    found: Diagnosis,
}

impl<'n> Diagnosing<'n> {
    fn new(net: &'n RoughNet) -> Self {
        let n_rules = net.n_rules();
        let knows_rules = !net.shape().rules.is_empty();
        let found = Diagnosis {
            positions: 0,
            rules: vec![RuleActivity::default(); n_rules],
            coverage: if knows_rules { vec![0; n_rules + 1] } else { Vec::new() },
            without_gradient: 0,
            gradient: Vec::new(),
            seen: vec![0; net.coding().n_classes()],
        };
        Self { net, pass: Pass::default(), gradient: vec![0.0; net.parameters().len()], found }
    }

    fn add(&mut self, Example { codes, offset, target }: Example<'_>) {
        let Self { net, pass, gradient, found } = self;
        net.forward(codes, offset, pass);
        net.backward(codes, pass);
        pass.add_gradient(net.first_layer(), gradient, 2.0 * (pass.y - target));
        found.positions += 1;
        let of_layer_2 = if net.shape().has_rows() { &pass.delta } else { &pass.tail[..net.layer_2_weights().len()] };
        found.without_gradient += usize::from(of_layer_2.iter().all(|&gradient| gradient == 0.0));
        for (activity, (&v, &w)) in found.rules.iter_mut().zip(pass.hidden.iter().zip(net.omega())) {
            activity.mean_strength += f64::from(v);
            activity.largest_effect = activity.largest_effect.max((v * w).abs());
            activity.at_bound += usize::from(is_at_bound(net, v));
        }
        codes.iter().enumerate().for_each(|(t, &code)| found.seen[net.coding().class(t, code)] += 1);
        self.add_matches(codes);
    }

    fn add_matches(&mut self, codes: &[u8]) {
        let Self { net, found, .. } = self;
        let mut n_matched = 0;
        for (rule, activity) in net.shape().rules.iter().zip(&mut found.rules) {
            let matches = usize::from(rule.matches(codes));
            activity.matched += matches;
            n_matched += matches;
        }
        if let Some(positions) = found.coverage.get_mut(n_matched) {
            *positions += 1;
        }
    }

    fn finish(mut self) -> Diagnosis {
        let n = self.found.positions.max(1) as f64;
        self.found.rules.iter_mut().for_each(|activity| activity.mean_strength /= n);
        let last = self.found.coverage.iter().rposition(|&positions| positions > 0).map_or(0, |last| last + 1);
        self.found.coverage.truncate(last);
        self.found.gradient = self.layers(n);
        self.found
    }

    fn layers(&self, n_positions: f64) -> Vec<LayerGradient> {
        let (layer_2, rest) = self.gradient.split_at(self.net.layer_2_weights().len());
        let (omega, bias) = rest.split_at(self.net.n_rules());
        // Rows of value classes that are no inputs are no weights of the network.
        let idle = self.gradient.len() - self.net.n_weights();
        let layer = |layer, gradient: &[f32], idle: usize| LayerGradient {
            layer,
            weights: gradient.len() - idle,
            norm: gradient.iter().map(|g| f64::from(*g).powi(2)).sum::<f64>().sqrt() / n_positions,
            zero: gradient.iter().filter(|g| **g == 0.0).count() - idle,
        };
        let layers = [layer("layer 2", layer_2, idle), layer("omega", omega, 0), layer("bias", bias, 0)];
        layers.into_iter().filter(|layer| layer.weights > 0).collect()
    }
}

/// Whether the factors of a rule of strength `v` cannot move it.
fn is_at_bound(net: &RoughNet, v: f32) -> bool {
    match net.shape().form {
        RoughForm::Literal => v == 0.0,
        RoughForm::Default => !net.shape().normalised && v.ln().abs() > ACTIVATION_LIMIT - 1e-3,
    }
}
