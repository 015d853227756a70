//! The four-layer rough neural network of S1, eq. (5)-(8).
//!
//! The default form, which can be trained:
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
//!
//! [`RoughShape`] chooses between this and its relatives: products over a rule's own conditions ([`Product::Own`]), strengths
//! as shares of their sum (`normalised`), and the equations to the letter ([`RoughForm::Literal`]), in which x_t is a number, μ_it = A_it · x_t,
//! and y = Σ ω_i v_i is held to [-1, 1]. There a single x_t = 0 makes a product and all of its gradient 0.
//! `docs/rough-network.md` says what each is good for.

mod factors;
mod firing;
mod random;
mod shape;
mod start;
mod twins;

pub use shape::{Inclusion, NeuronCondition, Product, RoughForm, RoughSettings, RoughShape, RuleNeuron};
pub use start::ClassCounts;
pub use twins::Ties;

use factors::Factors;
use firing::Firing;
use start::Start;

use super::container::{n_weights, with_weights};
use super::first_layer::FirstLayer;
use super::inference::{Function, Readout};
use super::math::tanh;
use super::{Coding, Network, Pass, kernel};

/// Bound on |ln v_i|: a rule neuron's output stays within e^±this, whatever training does to the weights.
pub const ACTIVATION_LIMIT: f32 = 12.0;

/// A rough neural network. Weights: those of layer 2 (with full products θ (n_classes, m) by rows, else factor by factor),
/// then ω (m), then b, which the literal form lacks. [`Pass::hidden`] holds the strengths v_i.
#[derive(Debug, Clone, PartialEq)]
pub struct RoughNet {
    layer: FirstLayer,
    shape: RoughShape,
    inputs: Vec<usize>,
    n_rules: usize,
    tau: f32,
    /// Where layer 2 is not the first layer's rows: the factors of each rule.
    factors: Option<Factors>,
    /// The sums of logarithms start from nothing.
    base: Vec<f32>,
    parameters: Vec<f32>,
}

impl RoughNet {
    /// The network of `rules` over the attributes `inputs` (the set R), at its inclusion-degree weights.
    ///
    /// ω_i starts as the rule's inclusion degree times the value of its decision; in the default form divided by the number
    /// of rules of that decision, so that the output does not saturate when there are many.
    pub fn from_rules(
        coding: Coding,
        inputs: Vec<usize>,
        rules: &[RuleNeuron],
        counts: &ClassCounts,
        settings: &RoughSettings,
    ) -> Self {
        let shape = settings.shape(rules);
        let start = Start { coding: &coding, inputs: &inputs, rules, counts, settings };
        let layer_2 = match factors_of(&shape, &coding, &inputs) {
            None => start.rows(),
            Some(factors) => start.weights(&factors),
        };
        let bias = vec![0.0; n_biases(&shape)];
        let parameters = [layer_2, start.omega(), bias].concat();
        Self::assembled(coding, inputs, shape, (rules.len(), settings.tau as f32), parameters)
    }

    fn assembled(
        coding: Coding,
        inputs: Vec<usize>,
        shape: RoughShape,
        (n_rules, tau): (usize, f32),
        parameters: Vec<f32>,
    ) -> Self {
        let factors = factors_of(&shape, &coding, &inputs);
        let layer = match &factors {
            None => FirstLayer::of_classes(coding, &inputs, n_rules),
            Some(_) => FirstLayer::none(coding),
        };
        let base = vec![0.0; layer.width()];
        // The literal form has no exponent.
        let tau = if shape.form == RoughForm::Literal { 1.0 } else { tau };
        Self { layer, shape, inputs, n_rules, tau, factors, base, parameters }
    }

    /// A network with given weights; `None` if there are no rules, an input is repeated or beyond the attributes, a rule asks
    /// for what no input has, or the number of weights does not fit.
    pub fn from_parameters(
        coding: Coding,
        inputs: Vec<usize>,
        shape: RoughShape,
        (n_rules, tau): (usize, f32),
        parameters: Vec<f32>,
    ) -> Option<Self> {
        let shapes = Self::tensor_shapes(&coding, &inputs, &shape, n_rules)?;
        (parameters.len() == n_weights(&shapes))
            .then(|| Self::assembled(coding, inputs, shape, (n_rules, tau), parameters))
    }

    /// Names and shapes of the tensors of a network's weights, in their order; `None` for what is no network.
    pub(crate) fn tensor_shapes(
        coding: &Coding,
        inputs: &[usize],
        shape: &RoughShape,
        n_rules: usize,
    ) -> Option<Vec<(&'static str, Vec<usize>)>> {
        let inputs_fit = inputs.iter().all(|&t| t < coding.n_attributes()) && shape::all_differ(inputs.iter().copied());
        if n_rules == 0 || !inputs_fit || !shape.fits(coding, inputs, n_rules) {
            return None;
        }
        let layer_2 = match (shape.form, factors_of(shape, coding, inputs)) {
            (_, None) => ("theta", vec![coding.n_classes(), n_rules]),
            (RoughForm::Default, Some(factors)) => ("theta", vec![factors.n_weights]),
            (RoughForm::Literal, Some(factors)) => ("inclusion", vec![factors.n_weights]),
        };
        let bias = ("bias", vec![n_biases(shape)]);
        let is_there = |(_, shape): &(_, Vec<usize>)| *shape != [0];
        Some([layer_2, ("omega", vec![n_rules]), bias].into_iter().filter(is_there).collect())
    }

    /// The tensors of the weights: name, shape and values.
    pub(crate) fn tensors(&self) -> Vec<(&'static str, Vec<usize>, &[f32])> {
        let shapes = Self::tensor_shapes(self.coding(), &self.inputs, &self.shape, self.n_rules).unwrap_or_default();
        with_weights(shapes, &self.parameters)
    }

    /// The number of weights of layer 2; ω follows them.
    fn n_layer_2(&self) -> usize {
        self.factors.as_ref().map_or(self.layer.n_weights(), |factors| factors.n_weights)
    }

    /// What tells it from other rough networks over the same inputs.
    pub fn shape(&self) -> &RoughShape {
        &self.shape
    }

    /// The attributes R that the network reads.
    pub fn inputs(&self) -> &[usize] {
        &self.inputs
    }

    /// m, the number of rule neurons.
    pub fn n_rules(&self) -> usize {
        self.n_rules
    }

    /// The number of weights that the output depends on.
    pub fn n_weights(&self) -> usize {
        if self.factors.is_some() {
            return self.parameters.len();
        }
        let classes: usize = self.inputs.iter().map(|&t| self.coding().n_values(t)).sum();
        (classes + 1) * self.n_rules + 1
    }

    /// The exponent τ; the literal form has none, which is 1.
    pub fn tau(&self) -> f32 {
        self.tau
    }

    /// With full products, θ of one value class: one logarithm ln(μ / P) a rule. Other networks have no such rows: empty.
    #[inline]
    pub fn theta(&self, class: usize) -> &[f32] {
        if self.factors.is_some() { &[] } else { &self.parameters[class * self.n_rules..(class + 1) * self.n_rules] }
    }

    /// The weight of layer 2 that `rule` applies to the value `code` of `attribute`: θ, or in the literal form A, which is
    /// the same for every value. `None` if its product does not run over the attribute.
    pub fn layer_2(&self, rule: usize, attribute: usize, code: u8) -> Option<f32> {
        let is_literal = self.shape.form == RoughForm::Literal;
        let index = match &self.factors {
            Some(factors) => factors.weight_of(rule, attribute, if is_literal { 0 } else { code })?,
            None => {
                let activation = self.layer.activation(self.coding().class(attribute, code));
                let is_read = activation.factor != 0.0;
                is_read.then_some(activation.row as usize * self.n_rules + rule)?
            }
        };
        Some(self.parameters[index])
    }

    /// All weights of layer 2.
    pub fn layer_2_weights(&self) -> &[f32] {
        &self.parameters[..self.n_layer_2()]
    }

    /// ω, one weight a rule.
    pub fn omega(&self) -> &[f32] {
        &self.parameters[self.n_layer_2()..self.n_layer_2() + self.n_rules]
    }

    /// The bias b of the output; 0 in the literal form, which has none.
    pub fn bias(&self) -> f32 {
        self.parameters.get(self.n_layer_2() + self.n_rules).copied().unwrap_or_default()
    }

    fn firing(&self) -> Firing {
        Firing { tau: self.tau, normalised: self.shape.normalised }
    }

    /// The numbers x_t of an object.
    fn numbers<'a>(&'a self, codes: &'a [u8]) -> impl Fn(usize) -> f32 + 'a {
        move |t| self.coding().value(self.coding().class(t, codes[t]))
    }
}

/// The factors of a network of this shape, unless its layer 2 are rows of the first layer.
fn factors_of(shape: &RoughShape, coding: &Coding, inputs: &[usize]) -> Option<Factors> {
    (!shape.has_rows()).then(|| Factors::of(shape, coding, inputs))
}

fn n_biases(shape: &RoughShape) -> usize {
    usize::from(shape.form == RoughForm::Default)
}

impl Network for RoughNet {
    parts!(layer, parameters);

    fn base(&self) -> &[f32] {
        &self.base
    }

    /// Layers 3 and 4 from the sums of logarithms; without rows, layer 2 too.
    fn head(&self, codes: &[u8], offset: f32, pass: &mut Pass) {
        pass.hidden.clear();
        let weights = self.layer_2_weights();
        match (&self.factors, self.shape.form) {
            (None, _) => pass.hidden.extend_from_slice(&pass.sums),
            (Some(factors), RoughForm::Default) => factors.selected_sums(weights, codes, &mut pass.hidden),
            (Some(factors), RoughForm::Literal) => factors.products(weights, self.numbers(codes), &mut pass.hidden),
        }
        if self.shape.form == RoughForm::Default {
            self.firing().fire(&mut pass.hidden);
        }
        pass.argument = kernel::dot(self.omega(), &pass.hidden) + self.bias() + offset;
        pass.y = self.output_of(pass.argument);
    }

    fn output_of(&self, argument: f32) -> f32 {
        match self.shape.form {
            RoughForm::Default => tanh(argument),
            RoughForm::Literal => argument.clamp(-1.0, 1.0),
        }
    }

    fn readout(&self) -> Option<Readout> {
        let function = Function::Exp { factor: self.tau, limit: ACTIVATION_LIMIT };
        let is_sum = self.factors.is_none() && !self.shape.normalised;
        is_sum.then(|| Readout { function, weights: self.omega().iter().copied().collect(), bias: self.bias() })
    }

    fn backward(&self, codes: &[u8], pass: &mut Pass) {
        let Pass { hidden, delta, tail, y, argument, .. } = pass;
        let slope = match self.shape.form {
            RoughForm::Default => 1.0 - *y * *y,
            RoughForm::Literal => f32::from(u8::from(argument.abs() < 1.0)),
        };
        tail.clear();
        match (&self.factors, self.shape.form) {
            (None, _) => self.firing().deltas(hidden, self.omega(), slope, delta),
            (Some(factors), RoughForm::Default) => {
                self.firing().deltas(hidden, self.omega(), slope, delta);
                tail.resize(factors.n_weights, 0.0);
                factors.spread(delta, codes, tail);
            }
            (Some(factors), RoughForm::Literal) => {
                delta.clear();
                delta.extend(self.omega().iter().map(|w| slope * w));
                tail.resize(factors.n_weights, 0.0);
                factors.product_gradient(self.layer_2_weights(), self.numbers(codes), delta, tail);
            }
        }
        tail.extend(hidden.iter().map(|v| slope * v));
        tail.extend(std::iter::repeat_n(slope, n_biases(&self.shape)));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::net::CodeRows;
    use crate::net::dense::{check_gradient, small_coding};

    fn counts() -> ClassCounts {
        // Value classes 3 + 2 + 4, decisions win and loss; each attribute's rows add up to the totals.
        let counts = vec![4., 1., 2., 2., 0., 3., 5., 1., 1., 5., 3., 0., 2., 2., 1., 3., 0., 1.];
        ClassCounts { counts, totals: vec![6.0, 6.0] }
    }

    pub fn settings() -> RoughSettings {
        RoughSettings { tau: 0.5, smoothing: 1.0, sharpness: 2.0, ..RoughSettings::default() }
    }

    /// Rule 1 asks for a value, rule 2 for a value and an interval.
    pub fn rules() -> [RuleNeuron; 2] {
        let interval = NeuronCondition { attribute: 2, first: 1, last: 2 };
        [
            RuleNeuron { conditions: vec![NeuronCondition::value(0, 0)], decision: 0, value: 1.0, inclusion: 0.8 },
            RuleNeuron {
                conditions: vec![NeuronCondition::value(1, 1), interval],
                decision: 1,
                value: -1.0,
                inclusion: 0.9,
            },
        ]
    }

    pub fn net_of(settings: &RoughSettings) -> RoughNet {
        RoughNet::from_rules(small_coding(), vec![0, 1, 2], &rules(), &counts(), settings)
    }

    fn net() -> RoughNet {
        net_of(&settings())
    }

    /// Every variant that there is.
    pub fn variants() -> Vec<RoughSettings> {
        let mut all = Vec::new();
        for product in [Product::Full, Product::Own] {
            all.push(RoughSettings { form: RoughForm::Literal, product, ..settings() });
            for inclusion in [Inclusion::Relative, Inclusion::Plain] {
                for normalised in [false, true] {
                    all.push(RoughSettings { product, inclusion, normalised, ..settings() });
                }
            }
        }
        all
    }

    const OBJECTS: [u8; 9] = [0, 1, 2, 2, 0, 3, 1, 1, 0];

    #[test]
    fn initial_weights_are_inclusion_degrees() {
        // [x_1 = 0]: 4 of 5 won, smoothed with s = 1 and P = 1/2: (4 + .5) / (5 + 1) = .75, and rule 1 is sharpened twice.
        approx::assert_relative_eq!(net().theta(0)[0], 2.0 * (0.75f32 / 0.5).ln(), epsilon = 1e-6);
        approx::assert_relative_eq!(net().theta(0)[1], (0.25f32 / 0.5).ln(), epsilon = 1e-6);
        assert_eq!(net().omega(), &[0.8, -0.9]);
    }

    #[test]
    fn the_values_of_an_interval_start_alike() {
        // 5 of 8 in the interval were lost, (5 + .5) / (8 + 1); outside it 1 of 4, (1 + .5) / (4 + 1).
        let net = net();
        let expected = [(0.3, [0, 3]), (5.5 / 9.0, [1, 2])];
        for (degree, codes) in expected {
            for code in codes {
                let theta = net.layer_2(1, 2, code).unwrap();
                approx::assert_relative_eq!(theta, 2.0 * (degree / 0.5f32).ln(), epsilon = 1e-5);
            }
        }
    }

    #[test]
    fn plain_degrees_lack_the_prior_and_nothing_else() {
        let plain = net_of(&RoughSettings { inclusion: Inclusion::Plain, ..settings() });
        for (plain, relative) in plain.layer_2_weights().iter().zip(net().layer_2_weights()) {
            approx::assert_relative_eq!(*plain, relative + 0.5f32.ln(), epsilon = 1e-5);
        }
    }

    #[test]
    fn literal_weights_are_the_degrees_of_what_rules_ask_for_or_of_the_commonest_value() {
        let literal = net_of(&RoughSettings { form: RoughForm::Literal, ..settings() });
        assert_eq!([0.5, 3.0, -3.0].map(|argument| literal.output_of(argument)), [0.5, 1.0, -1.0]);
        assert_eq!(net_of(&settings()).output_of(0.5), tanh(0.5));
        // Attribute 1 of rule 1 is free: its commonest value is code 0 (6 objects, as many as code 1), 5 of 6 won.
        let expected = [(0, 0, 4.5 / 6.0), (0, 1, 5.5 / 7.0), (1, 1, 5.5 / 7.0), (1, 2, 5.5 / 9.0)];
        for (rule, attribute, degree) in expected {
            approx::assert_relative_eq!(literal.layer_2(rule, attribute, 0).unwrap(), degree, epsilon = 1e-5);
        }
        assert_eq!((literal.omega(), literal.bias()), (&[0.8, -0.9][..], 0.0));
    }

    /// Eq. (6)-(8) written as loops, with an offset.
    fn output_by_definition(net: &RoughNet, codes: &[u8], offset: f32) -> f32 {
        let attributes = |rule: usize| -> Vec<usize> {
            match net.shape().product {
                Product::Full => net.inputs().to_vec(),
                Product::Own => net.shape().rules[rule].conditions.iter().map(|own| own.attribute).collect(),
            }
        };
        let factor = |rule: usize, t: usize| {
            let weight = net.layer_2(rule, t, codes[t]).unwrap();
            match net.shape().form {
                RoughForm::Default => weight.exp().powf(net.tau()),
                RoughForm::Literal => weight * net.coding().value(net.coding().class(t, codes[t])),
            }
        };
        let product = |rule: usize| -> f32 { attributes(rule).into_iter().map(|t| factor(rule, t)).product() };
        let strengths: Vec<f32> = (0..net.n_rules()).map(product).collect();
        let share = if net.shape().normalised { 2.0 / strengths.iter().sum::<f32>() } else { 1.0 };
        let sum = strengths.iter().zip(net.omega()).map(|(v, w)| v * share * w).sum::<f32>() + net.bias() + offset;
        if net.shape().form == RoughForm::Literal { sum.clamp(-1.0, 1.0) } else { sum.tanh() }
    }

    #[test]
    fn every_variant_follows_equations_6_to_8() {
        for settings in variants() {
            let mut net = net_of(&settings);
            let bias = net.n_layer_2() + net.n_rules();
            if let Some(bias) = net.parameters.get_mut(bias) {
                *bias = 0.25;
            }
            for codes in OBJECTS.chunks(3) {
                for offset in [0.0, 0.2] {
                    let found = net.outputs(CodeRows::new(codes, 3).with_offsets(Some(&[offset])))[0];
                    approx::assert_relative_eq!(found, output_by_definition(&net, codes, offset), epsilon = 1e-5);
                }
            }
        }
    }

    #[test]
    fn analytic_gradient_equals_numeric_gradient_for_every_variant() {
        for settings in variants() {
            check_gradient(&net_of(&settings), &OBJECTS, 3, &[1.0, -1.0, 0.0]);
        }
    }

    #[test]
    fn the_gradient_is_right_where_activations_are_held_at_their_bounds() {
        let mut net = net();
        net.parameters_mut()[0] = 1e3;
        net.parameters_mut()[1] = -1e3;
        check_gradient(&net, &[0, 1, 2], 3, &[0.9]);
        let mut literal = net_of(&RoughSettings { form: RoughForm::Literal, product: Product::Own, ..settings() });
        literal.parameters_mut()[0] = 10.0;
        check_gradient(&literal, &[0, 1, 2], 3, &[0.9]);
    }

    /// What the literal form is known for: one 0 among the numbers, and a rule neither says nor learns anything.
    #[test]
    fn a_zero_among_the_numbers_takes_value_and_gradient_of_a_literal_product() {
        let literal = net_of(&RoughSettings { form: RoughForm::Literal, ..settings() });
        let mut pass = Pass::default();
        // x = (0, .5, .3) and (-1, .5, .3).
        for (codes, is_dead) in [([1, 0, 3], true), ([0, 0, 3], false)] {
            literal.forward(&codes, 0.0, &mut pass);
            literal.backward(&codes, &mut pass);
            assert_eq!(pass.hidden.iter().all(|&v| v == 0.0), is_dead);
            assert_eq!(pass.tail.iter().all(|&gradient| gradient == 0.0), is_dead);
        }
    }

    /// With exactly one factor of 0 that is no number but a weight, that weight can still leave 0.
    #[test]
    fn a_weight_of_zero_has_a_gradient_where_its_number_is_not_zero() {
        let mut literal = net_of(&RoughSettings { form: RoughForm::Literal, product: Product::Full, ..settings() });
        literal.parameters_mut()[1] = 0.0;
        check_gradient(&literal, &[0, 0, 3], 3, &[0.9]);
        let mut pass = Pass::default();
        literal.forward(&[0, 0, 3], 0.0, &mut pass);
        literal.backward(&[0, 0, 3], &mut pass);
        assert!(pass.tail[1] != 0.0 && pass.tail[0] == 0.0 && pass.tail[2] == 0.0);
    }

    #[test]
    fn own_products_have_no_weights_but_those_of_their_conditions() {
        let own = net_of(&RoughSettings { product: Product::Own, ..settings() });
        assert_eq!(own.layer_2_weights().len(), 3 + 2 + 4);
        assert_eq!((own.layer_2(0, 1, 0), own.layer_2(1, 0, 0)), (None, None));
        for (rule, attribute, code) in [(0, 0, 2), (1, 1, 0), (1, 2, 3)] {
            assert_eq!(own.layer_2(rule, attribute, code), net().layer_2(rule, attribute, code));
        }
    }

    #[test]
    fn normalised_strengths_have_the_mean_one_whatever_the_weights() {
        let mut net = net_of(&RoughSettings { normalised: true, ..settings() });
        let mut pass = Pass::default();
        for shift in [0.0, 500.0, -500.0] {
            net.parameters_mut()[..4].iter_mut().for_each(|theta| *theta += shift);
            net.forward(&[0, 1, 2], 0.0, &mut pass);
            approx::assert_relative_eq!(pass.hidden.iter().sum::<f32>(), 2.0, epsilon = 1e-5);
        }
    }

    #[test]
    fn what_does_not_fit_together_is_no_network() {
        let net = net_of(&RoughSettings { product: Product::Own, ..settings() });
        let made = |inputs: &[usize], shape: RoughShape, n_rules: usize| {
            RoughNet::from_parameters(small_coding(), inputs.to_vec(), shape, (n_rules, 0.5), net.parameters().to_vec())
        };
        let all = [0, 1, 2];
        assert_eq!(made(&all, net.shape().clone(), 2).as_ref(), Some(&net));
        let mut beyond = net.shape().clone();
        beyond.rules[0].conditions[0].last = 3;
        let mut twice = net.shape().clone();
        twice.rules[1].conditions[0].attribute = 2;
        let without = RoughShape { rules: Vec::new(), ..net.shape().clone() };
        assert!([beyond, twice, without].into_iter().all(|shape| made(&all, shape, 2).is_none()));
        assert!(made(&all, net.shape().clone(), 1).is_none());
        assert!(
            made(&[0, 1], net.shape().clone(), 2).is_none() && made(&[0, 1, 1, 2], net.shape().clone(), 2).is_none()
        );
    }

    #[test]
    fn attributes_are_numbered_from_zero() {
        let reads = |last: usize| {
            let (inputs, weights) = (vec![0, last], vec![0.0; 9 * 2 + 2 + 1]);
            RoughNet::from_parameters(small_coding(), inputs, RoughShape::default(), (2, 0.5), weights)
        };
        assert!(reads(2).is_some() && reads(3).is_none());
    }

    #[test]
    fn weights_of_attributes_that_are_not_read_do_not_count() {
        // Two rules with θ of each value class and ω, and b.
        assert_eq!(net().n_weights(), (3 + 2 + 4 + 1) * 2 + 1);
        let (inputs, shape, weights) = (vec![0, 2], RoughShape::default(), vec![0.0; 9 * 2 + 2 + 1]);
        let of_two = RoughNet::from_parameters(small_coding(), inputs, shape, (2, 0.5), weights).unwrap();
        assert_eq!(of_two.n_weights(), (3 + 4 + 1) * 2 + 1);
        let own = net_of(&RoughSettings { product: Product::Own, ..settings() });
        assert_eq!(own.n_weights(), 3 + 2 + 4 + 2 + 1);
    }

    #[test]
    fn tensors_of_every_form_have_their_names_and_sizes() {
        let found = |product, form| {
            let net = net_of(&RoughSettings { product, form, ..settings() });
            net.tensors().into_iter().map(|(name, shape, _)| (name, shape)).collect::<Vec<_>>()
        };
        let omega = ("omega", vec![2_usize]);
        let default = |sizes| vec![("theta", sizes), omega.clone(), ("bias", vec![1])];
        let literal = |sizes| vec![("inclusion", sizes), omega.clone()];
        assert_eq!(found(Product::Full, RoughForm::Default), default(vec![9, 2]));
        // Attribute 0 of rule 1 has three values, attributes 1 and 2 of rule 2 two and four.
        assert_eq!(found(Product::Own, RoughForm::Default), default(vec![3 + 2 + 4]));
        assert_eq!(found(Product::Own, RoughForm::Literal), literal(vec![3]));
        assert_eq!(found(Product::Full, RoughForm::Literal), literal(vec![2 * 3]));
        let shapes = |inputs: &[usize], n_rules| {
            RoughNet::tensor_shapes(&small_coding(), inputs, &RoughShape::default(), n_rules).is_some()
        };
        assert_eq!(
            [shapes(&[0], 1), shapes(&[0], 0), shapes(&[3], 1), shapes(&[1, 1], 1)],
            [true, false, false, false]
        );
    }
}
