//! The four-layer rough neural network of S1, eq. (5)-(8), in the form that can be trained.
//!
//! * Layer 1 takes the value code x_t of each attribute t of the input set R.
//! * Layer 2 (eq. 6): the value selects a weight, μ_it = A_it\[x_t\]; its initial value is the inclusion degree
//!   A_t(v, k_i) of the value class \[v\]_t in the decision class of rule i.
//! * Layer 3 (eq. 7): rule i multiplies them, v_i = Π_t (μ_it / P_{k_i})^τ, computed as a sum of logarithms; P_k is
//!   the prior of decision class k, so that an attribute which says nothing has the factor 1. τ = 1/|R| makes the
//!   product a geometric mean.
//! * Layer 4 (eq. 8): y = tanh(Σ_i ω_i v_i + b).
//!
//! The weights of layer 2 live as θ = ln(μ / P), so products never vanish and every μ stays positive.

use super::first_layer::FirstLayer;
use super::math::{exp, tanh};
use super::{Coding, Network, Pass, inference, kernel};
use crate::setting::{SettingError, require};

/// Bound on |ln v_i|: a rule neuron's output stays within e^±this, whatever training does to the weights.
pub const ACTIVATION_LIMIT: f32 = 12.0;

/// What the inclusion degrees are computed from: weighted counts of objects per value class and decision.
#[derive(Debug, Clone)]
pub struct ClassCounts {
    /// How many objects of each decision lie in each value class, shape (n_classes, n_decisions), row-major.
    pub counts: Vec<f64>,
    /// How many objects of each decision there are.
    pub totals: Vec<f64>,
}

impl ClassCounts {
    /// The prior P_k = |X_k| / |U|.
    #[must_use]
    pub fn prior(&self, decision: usize) -> f64 {
        self.totals[decision] / self.totals.iter().sum::<f64>()
    }

    /// ln(A / P_k) for the inclusion degree A of a value class in decision class k, smoothed: `smoothing` · P_k is added
    /// to the count and `smoothing` to the size, so that a class without objects says nothing (0).
    #[must_use]
    pub fn log_ratio(&self, class: usize, decision: usize, smoothing: f64) -> f64 {
        let n_decisions = self.totals.len();
        let row = &self.counts[class * n_decisions..(class + 1) * n_decisions];
        self.log_ratio_of(row[decision], row.iter().sum(), decision, smoothing)
    }

    fn log_ratio_of(&self, count: f64, size: f64, decision: usize, smoothing: f64) -> f64 {
        let prior = self.prior(decision);
        ((count + smoothing * prior) / ((size + smoothing) * prior)).ln()
    }

    /// The same for the objects of one attribute that lie outside `class`.
    fn log_ratio_outside(&self, class: usize, decision: usize, smoothing: f64) -> f64 {
        let n_decisions = self.totals.len();
        let row = &self.counts[class * n_decisions..(class + 1) * n_decisions];
        let count = self.totals[decision] - row[decision];
        let size = self.totals.iter().sum::<f64>() - row.iter().sum::<f64>();
        self.log_ratio_of(count, size, decision, smoothing)
    }
}

/// One rule neuron, as the network needs it.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleNeuron {
    /// The rule's conditions: attribute index and value code.
    pub conditions: Vec<(usize, u8)>,
    /// The index k of the rule's decision.
    pub decision: usize,
    /// The number that the decision stands for: 1, 0 or -1.
    pub value: f32,
    /// The rule's inclusion degree in [0, 1].
    pub inclusion: f32,
}

/// Settings of the network's initial form.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoughSettings {
    /// Exponent τ of the product, in (0, 1].
    pub tau: f64,
    /// Smoothing s of the inclusion degrees, in objects, in (0, 1e9].
    pub smoothing: f64,
    /// Factor on the logarithms of a rule's own conditions, in [1, 100]: they start sharper than other attributes.
    pub sharpness: f64,
}

impl RoughSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require(self.tau > 0.0 && self.tau <= 1.0, "--tau", "in (0, 1]", self.tau)?;
        let (smoothing, sharpness) = (self.smoothing, self.sharpness);
        require(smoothing > 0.0 && smoothing <= 1e9, "--smoothing", "in (0, 1e9]", smoothing)?;
        require((1.0..=100.0).contains(&sharpness), "--sharpness", "in [1, 100]", sharpness)
    }
}

/// A rough neural network. Weights: θ (n_classes, m) by rows, then ω (m), then b.
#[derive(Debug, Clone, PartialEq)]
pub struct RoughNet {
    layer: FirstLayer,
    inputs: Vec<usize>,
    n_rules: usize,
    tau: f32,
    /// The sums of logarithms start from nothing.
    base: Vec<f32>,
    parameters: Vec<f32>,
}

impl RoughNet {
    /// The network of `rules` over the attributes `inputs` (the set R), at its inclusion-degree weights.
    ///
    /// ω_i starts as the rule's inclusion degree times the value of its decision, divided by the number of rules of
    /// that decision, so that the output does not saturate when there are many.
    #[must_use]
    pub fn from_rules(
        coding: Coding,
        inputs: Vec<usize>,
        rules: &[RuleNeuron],
        counts: &ClassCounts,
        settings: &RoughSettings,
    ) -> Self {
        let m = rules.len();
        let mut parameters = vec![0.0; coding.n_classes() * m + m + 1];
        for (i, rule) in rules.iter().enumerate() {
            for &t in &inputs {
                for code in 0..coding.n_values(t) {
                    let class = coding.class(t, code as u8);
                    parameters[class * m + i] = initial_theta(rule, t, class, &coding, counts, settings);
                }
            }
            let peers = rules.iter().filter(|other| other.decision == rule.decision).count();
            parameters[coding.n_classes() * m + i] = rule.inclusion * rule.value / peers as f32;
        }
        Self::assembled(coding, inputs, m, settings.tau as f32, parameters)
    }

    fn assembled(coding: Coding, inputs: Vec<usize>, n_rules: usize, tau: f32, parameters: Vec<f32>) -> Self {
        let layer = FirstLayer::of_classes(coding, &inputs, n_rules);
        Self { layer, inputs, n_rules, tau, base: vec![0.0; n_rules], parameters }
    }

    /// A network with given weights; `None` if there are no rules, an input is repeated or beyond the attributes, or the
    /// number of weights does not fit.
    #[must_use]
    pub fn from_parameters(
        coding: Coding,
        inputs: Vec<usize>,
        n_rules: usize,
        tau: f32,
        parameters: Vec<f32>,
    ) -> Option<Self> {
        let fits = n_rules > 0
            && parameters.len() == coding.n_classes() * n_rules + n_rules + 1
            && inputs.iter().all(|&t| t < coding.n_attributes())
            && inputs.iter().collect::<std::collections::BTreeSet<_>>().len() == inputs.len();
        fits.then(|| Self::assembled(coding, inputs, n_rules, tau, parameters))
    }

    /// The same network with random weights θ, ω and b of the scale of `self`'s θ and ω, as a control of what the start is
    /// worth.
    #[must_use]
    pub fn randomised(&self, seed: u64) -> Self {
        use rand::RngExt;
        let mut stream = crate::random::stream(seed, "rough-random-start", 0);
        let mut net = self.clone();
        let n_theta = net.n_theta();
        let spread = |weights: &[f32]| (weights.iter().map(|w| w * w).sum::<f32>() / weights.len() as f32).sqrt();
        let scales = [spread(&self.parameters[..n_theta]), spread(self.omega())];
        for (index, weight) in net.parameters.iter_mut().enumerate() {
            let uniform = (stream.random::<f32>() * 2.0 - 1.0) * 3f32.sqrt();
            *weight = uniform * scales[usize::from(index >= n_theta)];
        }
        net
    }

    fn n_theta(&self) -> usize {
        self.layer.n_weights()
    }

    /// The value classes of all attributes, those outside R included.
    #[must_use]
    pub fn coding(&self) -> &Coding {
        self.layer.coding()
    }

    /// The attributes R that the network reads.
    #[must_use]
    pub fn inputs(&self) -> &[usize] {
        &self.inputs
    }

    /// m, the number of rule neurons.
    #[must_use]
    pub fn n_rules(&self) -> usize {
        self.n_rules
    }

    /// The number of weights that the output depends on: θ of the inputs' value classes, ω and b.
    #[must_use]
    pub fn n_weights(&self) -> usize {
        let classes: usize = self.inputs.iter().map(|&t| self.coding().n_values(t)).sum();
        (classes + 1) * self.n_rules + 1
    }

    /// The exponent τ.
    #[must_use]
    pub fn tau(&self) -> f32 {
        self.tau
    }

    /// θ of one value class: one logarithm ln(μ / P) a rule.
    #[inline]
    #[must_use]
    pub fn theta(&self, class: usize) -> &[f32] {
        &self.parameters[class * self.n_rules..(class + 1) * self.n_rules]
    }

    /// ω, one weight a rule.
    #[must_use]
    pub fn omega(&self) -> &[f32] {
        &self.parameters[self.n_theta()..self.n_theta() + self.n_rules]
    }

    /// The bias b of the output.
    #[must_use]
    pub fn bias(&self) -> f32 {
        self.parameters[self.n_theta() + self.n_rules]
    }
}

/// θ_it(v) at the start: the logarithm of the inclusion degree over the prior; on a condition of the rule itself the
/// classes are "matches" and "does not match", and the logarithm is sharpened.
fn initial_theta(
    rule: &RuleNeuron,
    attribute: usize,
    class: usize,
    coding: &Coding,
    counts: &ClassCounts,
    settings: &RoughSettings,
) -> f32 {
    let own = rule.conditions.iter().find(|condition| condition.0 == attribute);
    let Some(&(_, code)) = own else {
        return counts.log_ratio(class, rule.decision, settings.smoothing) as f32;
    };
    let condition = coding.class(attribute, code);
    let ratio = if class == condition {
        counts.log_ratio(class, rule.decision, settings.smoothing)
    } else {
        counts.log_ratio_outside(condition, rule.decision, settings.smoothing)
    };
    (settings.sharpness * ratio) as f32
}

impl Network for RoughNet {
    fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    fn parameters_mut(&mut self) -> &mut [f32] {
        &mut self.parameters
    }

    fn first_layer(&self) -> &FirstLayer {
        &self.layer
    }

    fn base(&self) -> &[f32] {
        &self.base
    }

    /// Layers 3 and 4 from the sums of logarithms.
    fn head(&self, _codes: &[u8], offset: f32, pass: &mut Pass) {
        pass.hidden.clear();
        pass.hidden.extend_from_slice(&pass.sums);
        kernel::exp_scaled(&mut pass.hidden, self.tau, ACTIVATION_LIMIT);
        pass.argument = kernel::dot(self.omega(), &pass.hidden) + self.bias() + offset;
        pass.y = tanh(pass.argument);
    }

    fn argument(&self, _codes: &[u8], offset: f32, pass: &mut Pass) {
        let sum = inference::exp_dot(&pass.sums, self.omega(), self.tau, ACTIVATION_LIMIT);
        pass.argument = sum + self.bias() + offset;
    }

    fn backward(&self, _codes: &[u8], pass: &mut Pass) {
        let slope = 1.0 - pass.y * pass.y;
        let bounds = exp(-ACTIVATION_LIMIT)..exp(ACTIVATION_LIMIT);
        pass.delta.clear();
        let delta = |(&v, &w): (&f32, &f32)| {
            // An activation that is held at a bound does not move with θ.
            let moves = v > bounds.start && v < bounds.end;
            if moves { slope * v * w * self.tau } else { 0.0 }
        };
        pass.delta.extend(pass.hidden.iter().zip(self.omega()).map(delta));
        pass.tail.clear();
        pass.tail.extend(pass.hidden.iter().map(|v| slope * v));
        pass.tail.push(slope);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::CodeRows;
    use crate::net::dense::tests::{check_gradient, small_coding};

    fn counts() -> ClassCounts {
        // Value classes 3 + 2 + 4, decisions win and loss; each attribute's rows add up to the totals.
        let counts = vec![4., 1., 2., 2., 0., 3., 5., 1., 1., 5., 3., 0., 2., 2., 1., 3., 0., 1.];
        ClassCounts { counts, totals: vec![6.0, 6.0] }
    }

    fn net() -> RoughNet {
        let rules = [
            RuleNeuron { conditions: vec![(0, 0)], decision: 0, value: 1.0, inclusion: 0.8 },
            RuleNeuron { conditions: vec![(1, 1), (2, 2)], decision: 1, value: -1.0, inclusion: 0.9 },
        ];
        let settings = RoughSettings { tau: 0.5, smoothing: 1.0, sharpness: 2.0 };
        RoughNet::from_rules(small_coding(), vec![0, 1, 2], &rules, &counts(), &settings)
    }

    #[test]
    fn initial_weights_are_inclusion_degrees() {
        // [x_1 = 0]: 4 of 5 won, smoothed with s = 1 and P = 1/2: (4 + .5) / (5 + 1) = .75, and rule 1 is sharpened twice.
        approx::assert_relative_eq!(net().theta(0)[0], 2.0 * (0.75f32 / 0.5).ln(), epsilon = 1e-6);
        approx::assert_relative_eq!(net().theta(0)[1], (0.25f32 / 0.5).ln(), epsilon = 1e-6);
        assert_eq!(net().omega(), &[0.8, -0.9]);
    }

    #[test]
    fn the_output_follows_equations_6_to_8() {
        let net = net();
        let product = |rule: usize| -> f32 {
            [(0, 1u8), (1, 0), (2, 3)]
                .map(|(t, code)| net.theta(net.coding().class(t, code))[rule].exp().powf(net.tau()))
                .iter()
                .product()
        };
        let expected = (0.8 * product(0) - 0.9 * product(1)).tanh();
        approx::assert_relative_eq!(net.outputs(CodeRows::new(&[1, 0, 3], 3))[0], expected, epsilon = 1e-5);
    }

    #[test]
    fn analytic_gradient_equals_numeric_gradient() {
        check_gradient(&net(), &[0, 1, 2, 2, 0, 3, 1, 1, 0], 3, &[1.0, -1.0, 0.0]);
    }

    #[test]
    fn the_gradient_is_right_where_activations_are_held_at_their_bounds() {
        let mut net = net();
        net.parameters_mut()[0] = 1e3;
        net.parameters_mut()[1] = -1e3;
        check_gradient(&net, &[0, 1, 2], 3, &[0.9]);
    }

    #[test]
    fn a_start_that_knows_the_rules_differs_from_a_random_one_of_the_same_size() {
        let random = net().randomised(5);
        assert_ne!(random.parameters(), net().parameters());
        assert_eq!(random, net().randomised(5));
    }
}
