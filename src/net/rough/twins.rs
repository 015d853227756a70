//! Rough networks that say the opposite when colours are exchanged: each rule has a twin, and the two share their weights.
//!
//! With an exchange σ of value classes that is undone when it is done again, rule i and its twin i' have θ_{i'}(σ(c)) = θ_i(c) for
//! every value class c and ω_{i'} = -ω_i, and b = 0. Then the argument of the output after the exchange, Σ ω_i v_i, is the one before
//! with the opposite sign. With m rules, i' = i + m / 2.

use super::factors::Factors;
use super::shape::{RoughForm, RuleNeuron};
use super::{RoughNet, n_biases};
use crate::net::{Coding, Network};
use crate::table::Involution;

/// Neighbouring weights that share their values with as many others, up to a sign.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Shared {
    first: usize,
    /// The first of the others, above all of these.
    twin: usize,
    length: usize,
    sign: f32,
}

/// Which weights of a symmetric network are shared, and which stay 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Ties {
    shared: Vec<Shared>,
    /// The bias, if there is one: b = -b.
    zero: Option<usize>,
}

impl Ties {
    /// Makes both of all shared weights their mean, up to the sign, so that they are equal to the last bit. Of a gradient, that is the
    /// mean of what an object and its image tell.
    ///
    /// # Panics
    /// When `weights` are not those of the network.
    pub fn apply(&self, weights: &mut [f32]) {
        for &Shared { first, twin, length, sign } in &self.shared {
            let (before, after) = weights.split_at_mut(twin);
            for (one, other) in before[first..first + length].iter_mut().zip(&mut after[..length]) {
                let mean = 0.5 * (*one + sign * *other);
                (*one, *other) = (mean, sign * mean);
            }
        }
        if let Some(bias) = self.zero {
            weights[bias] = 0.0;
        }
    }

    /// Whether `weights` are as [`Ties::apply`] leaves them.
    pub fn hold(&self, weights: &[f32]) -> bool {
        let are_equal = |&Shared { first, twin, length, sign }: &Shared| {
            let pairs = weights[first..first + length].iter().zip(&weights[twin..twin + length]);
            pairs.into_iter().all(|(one, other)| *one == sign * other)
        };
        self.shared.iter().all(are_equal) && self.zero.is_none_or(|bias| weights[bias] == 0.0)
    }

    /// Adds a pair of shared weights, which makes the last run longer if it follows on it.
    fn push(&mut self, one: usize, other: usize, sign: f32) {
        let (first, twin) = (one.min(other), one.max(other));
        let follows = |last: &&mut Shared| {
            let next = (last.first + last.length, last.twin + last.length);
            // A run must end before its twin begins.
            next == (first, twin) && last.sign == sign && first < last.twin
        };
        if let Some(last) = self.shared.last_mut().filter(follows) {
            last.length += 1;
            return;
        }
        self.shared.push(Shared { first, twin, length: 1, sign });
    }
}

impl RoughNet {
    /// Whether rules are pairs of twins with shared weights.
    pub fn is_symmetric(&self) -> bool {
        self.shape.symmetric
    }

    /// The rules to show: of a symmetric network one of each pair, which are the first half.
    pub fn n_shown(&self) -> usize {
        if self.is_symmetric() { self.n_rules / 2 } else { self.n_rules }
    }

    /// The twins of its rules under `exchange`, where there are `n_decisions` decisions whose values ascend from -x to x. `None` if it has
    /// none: numbers x_t of the literal form have no such exchange, an interval may become none, and the network may read an attribute
    /// and not the one that this becomes.
    pub fn twin_rules(&self, exchange: &Involution, n_decisions: usize) -> Option<Vec<RuleNeuron>> {
        let is_known = |&t: &usize| self.inputs.contains(&exchange.attribute(t));
        let fits = self.shape.form == RoughForm::Default && fits(exchange, self.coding());
        let is_closed = fits && self.inputs.iter().all(is_known);
        is_closed.then(|| self.shape.rules.iter().map(|rule| rule.twin(exchange, n_decisions)).collect())?
    }

    /// The network with a twin beside each of its rules. `twins` are the rules behind these, as [`RoughNet::twin_rules`] gives them, and
    /// all ω are multiplied by `share`: with 1/2 and without shares of strengths, the argument of the output becomes the mean of what
    /// this network says of an object and the negative of what it says of the object after the exchange. The bias is 0.
    pub fn with_twins(&self, exchange: &Involution, twins: Vec<RuleNeuron>, share: f32) -> Self {
        let mut shape = self.shape.clone();
        shape.symmetric = true;
        let layer_2 = match &self.factors {
            None => self.rows_with_twins(exchange),
            Some(factors) => self.factors_with_twins(factors, exchange, &twins),
        };
        shape.rules.extend(twins);
        let omega = self.omega().iter().map(|w| share * w);
        let bias = std::iter::repeat_n(0.0, n_biases(&shape));
        let parameters = layer_2.into_iter().chain(omega.clone()).chain(omega.map(|w| -w)).chain(bias).collect();
        Self::assembled(self.coding().clone(), self.inputs.clone(), shape, (2 * self.n_rules, self.tau), parameters)
    }

    /// Layer 2 of full products: behind the weights of the rules for a value class, those for the class that it becomes.
    fn rows_with_twins(&self, exchange: &Involution) -> Vec<f32> {
        let row = |(class, image)| [self.theta(class), self.theta(image)].concat();
        images(exchange, self.coding()).flat_map(row).collect()
    }

    /// Layer 2 of products over own conditions: behind all weights those of the twins, in the order of the conditions of these, which need
    /// not be that of the rules.
    fn factors_with_twins(&self, factors: &Factors, exchange: &Involution, twins: &[RuleNeuron]) -> Vec<f32> {
        let of_twin = |(rule, twin): (usize, &RuleNeuron)| {
            let of_attribute = |attribute: usize| {
                let own = exchange.attribute(attribute);
                let weight = move |code| factors.weight_of(rule, own, exchange.code(attribute, code));
                self.coding().codes_of(attribute).filter_map(weight)
            };
            twin.conditions.iter().flat_map(|condition| of_attribute(condition.attribute)).collect::<Vec<_>>()
        };
        let twins = twins.iter().enumerate().flat_map(of_twin).map(|at| self.parameters[at]);
        self.layer_2_weights().iter().copied().chain(twins).collect()
    }

    /// The ties of a symmetric network under `exchange`; `None` if it is not symmetric, or under another exchange.
    pub fn ties(&self, exchange: &Involution) -> Option<Ties> {
        if !self.is_symmetric() || !fits(exchange, self.coding()) {
            return None;
        }
        let (pairs, omega) = (self.n_rules / 2, self.n_layer_2());
        let mut ties = Ties { shared: Vec::new(), zero: self.bias_place() };
        match &self.factors {
            None => self.tie_rows(exchange, &mut ties),
            Some(factors) => {
                for rule in 0..pairs {
                    self.tie_factors(factors, rule, exchange, &mut ties)?;
                }
            }
        }
        (0..pairs).for_each(|rule| ties.push(omega + rule, omega + pairs + rule, -1.0));
        Some(ties)
    }

    fn tie_rows(&self, exchange: &Involution, ties: &mut Ties) {
        let pairs = self.n_rules / 2;
        for (class, image) in images(exchange, self.coding()) {
            let (own, twin) = (class * self.n_rules, image * self.n_rules + pairs);
            (0..pairs).for_each(|rule| ties.push(own + rule, twin + rule, 1.0));
        }
    }

    fn tie_factors(&self, factors: &Factors, rule: usize, exchange: &Involution, ties: &mut Ties) -> Option<()> {
        let twin = rule + self.n_rules / 2;
        for t in factors.attributes(rule) {
            for code in self.coding().codes_of(t) {
                let there = factors.weight_of(twin, exchange.attribute(t), exchange.code(t, code))?;
                ties.push(factors.weight_of(rule, t, code)?, there, 1.0);
            }
        }
        Some(())
    }

    /// Where the bias stands among the weights.
    fn bias_place(&self) -> Option<usize> {
        let place = self.n_layer_2() + self.n_rules;
        (place < self.parameters.len()).then_some(place)
    }

    /// A network that is symmetric no more, though its weights may be.
    pub fn forget_twins(&mut self) {
        self.shape.symmetric = false;
    }
}

/// Whether `exchange` is one of the values of `coding`.
fn fits(exchange: &Involution, coding: &Coding) -> bool {
    let n = coding.n_attributes();
    exchange.n_attributes() == n && (0..n).all(|t| exchange.n_values(t) == coding.n_values(t))
}

/// All value classes of `coding` in order, each with the one that it becomes.
fn images<'a>(exchange: &'a Involution, coding: &'a Coding) -> impl Iterator<Item = (usize, usize)> + 'a {
    let image = |t, code| (coding.class(t, code), coding.class(exchange.attribute(t), exchange.code(t, code)));
    (0..coding.n_attributes()).flat_map(move |t| coding.codes_of(t).map(move |code| image(t, code)))
}

#[cfg(test)]
mod tests {
    use super::super::shape::{NeuronCondition, Product};
    use super::super::{RoughShape, kernel};
    use super::*;
    use crate::net::{CodeRows, Pass};

    /// Two attributes of three values that change places with the opposite sign, and one of which two values are exchanged.
    fn exchange() -> Involution {
        Involution::new(vec![(1, vec![2, 1, 0]), (0, vec![2, 1, 0]), (2, vec![1, 0])]).unwrap()
    }

    fn coding() -> Coding {
        Coding::new(&[vec![-1.0, 0.0, 1.0], vec![-1.0, 0.0, 1.0], vec![-1.0, 1.0]])
    }

    /// Two rules with weights that look like no others.
    fn net(product: Product) -> RoughNet {
        let rule = |conditions, decision: usize| RuleNeuron {
            conditions,
            decision,
            value: decision as f32 - 1.0,
            inclusion: 0.75,
        };
        let interval = NeuronCondition { attribute: 1, first: 0, last: 1 };
        let rules =
            vec![rule(vec![NeuronCondition::value(0, 2), interval], 2), rule(vec![NeuronCondition::value(2, 0)], 1)];
        let shape = RoughShape { product, rules, ..RoughShape::default() };
        let shapes = RoughNet::tensor_shapes(&coding(), &[0, 1, 2], &shape, 2).unwrap();
        let n: usize = shapes.iter().map(|(_, shape)| shape.iter().product::<usize>()).sum();
        let weights = (0..n).map(|at| (at as f32 * 1.7).sin()).collect();
        RoughNet::from_parameters(coding(), vec![0, 1, 2], shape, (2, 0.4), weights).unwrap()
    }

    fn symmetric(product: Product) -> RoughNet {
        let net = net(product);
        net.with_twins(&exchange(), net.twin_rules(&exchange(), 3).unwrap(), 0.5)
    }

    /// The conditions of a counted rule ascend by attribute, whatever the order of those that they come from.
    #[test]
    fn the_order_of_the_conditions_of_a_twin_does_not_matter() {
        for product in [Product::Full, Product::Own] {
            let (net, expected) = (net(product), symmetric(product));
            let mut twins = net.twin_rules(&exchange(), 3).unwrap();
            twins.iter_mut().for_each(|twin| twin.conditions.reverse());
            let reversed = net.with_twins(&exchange(), twins, 0.5);
            assert!(reversed.ties(&exchange()).unwrap().hold(reversed.parameters()));
            for codes in objects() {
                approx::assert_abs_diff_eq!(argument(&reversed, &codes), argument(&expected, &codes), epsilon = 1e-6);
            }
        }
    }

    fn objects() -> impl Iterator<Item = [u8; 3]> {
        (0..18_u8).map(|at| [at % 3, at / 3 % 3, at / 9])
    }

    fn argument(net: &RoughNet, codes: &[u8]) -> f32 {
        let mut pass = Pass::default();
        net.forward(codes, 0.0, &mut pass);
        pass.argument
    }

    #[test]
    fn twins_make_the_mean_of_a_network_and_the_opposite_of_its_image() {
        for product in [Product::Full, Product::Own] {
            let (net, symmetric) = (net(product), symmetric(product));
            for codes in objects() {
                let image = exchange().applied(&codes);
                let mean = 0.5 * (argument(&net, &codes) - argument(&net, &image));
                approx::assert_abs_diff_eq!(argument(&symmetric, &codes), mean, epsilon = 1e-6);
                let outputs = symmetric.outputs(CodeRows::new(&[&codes[..], &image].concat(), 3));
                approx::assert_abs_diff_eq!(outputs[0], -outputs[1], epsilon = 1e-6);
            }
            let twin = &symmetric.shape().rules[2];
            assert_eq!((twin.decision, twin.value), (0, -1.0));
            let interval = NeuronCondition { attribute: 0, first: 1, last: 2 };
            assert_eq!(twin.conditions, [NeuronCondition::value(1, 0), interval]);
        }
    }

    #[test]
    fn one_rule_and_its_twin_are_two() {
        // 8 value classes, ω and b.
        let weights = (0..10).map(|at| (at as f32 * 1.7).sin()).collect();
        let one = RoughNet::from_parameters(coding(), vec![0, 1, 2], RoughShape::default(), (1, 0.4), weights).unwrap();
        let both = one.with_twins(&exchange(), Vec::new(), 0.5);
        assert_eq!((both.n_rules(), both.n_shown()), (2, 1));
        for codes in objects() {
            let mean = 0.5 * (argument(&one, &codes) - argument(&one, &exchange().applied(&codes)));
            approx::assert_abs_diff_eq!(argument(&both, &codes), mean, epsilon = 1e-5);
        }
    }

    #[test]
    fn a_tied_gradient_is_the_mean_over_an_object_and_its_image() {
        for product in [Product::Full, Product::Own] {
            let net = symmetric(product);
            let ties = net.ties(&exchange()).unwrap();
            assert!(ties.hold(net.parameters()));
            let gradient = |codes: &[u8], target: f32| {
                let (mut pass, mut gradient) = (Pass::default(), vec![0.0; net.parameters().len()]);
                net.forward(codes, 0.0, &mut pass);
                net.backward(codes, &mut pass);
                pass.add_gradient(net.first_layer(), &mut gradient, 2.0 * (pass.y - target));
                gradient
            };
            for codes in objects() {
                let mut both = gradient(&codes, 0.3);
                kernel::add_scaled(&mut both, &gradient(&exchange().applied(&codes), -0.3), 1.0);
                let mut tied = gradient(&codes, 0.3);
                ties.apply(&mut tied);
                assert!(ties.hold(&tied));
                for (both, tied) in both.iter().zip(&tied) {
                    approx::assert_abs_diff_eq!(0.5 * both, *tied, epsilon = 1e-6);
                }
            }
        }
    }

    #[test]
    fn every_weight_is_tied_once() {
        for product in [Product::Full, Product::Own] {
            let net = symmetric(product);
            let mut weights: Vec<f32> = (0..net.parameters().len()).map(|at| 1.0 + (at as f32).sqrt()).collect();
            let ties = net.ties(&exchange()).unwrap();
            assert!(!ties.hold(&weights));
            ties.apply(&mut weights);
            assert!(ties.hold(&weights));
            let tied: usize = ties.shared.iter().map(|shared| 2 * shared.length).sum();
            assert_eq!(tied + 1, weights.len());
        }
    }

    #[test]
    fn what_has_no_twins_has_none() {
        let other = Involution::new(vec![(0, vec![0, 1, 2]), (1, vec![1, 0, 2]), (2, vec![0, 1])]).unwrap();
        let identity = Involution::new(vec![(0, vec![0, 1]), (1, vec![0, 1, 2]), (2, vec![0, 1])]).unwrap();
        let net = net(Product::Full);
        assert!(net.twin_rules(&exchange(), 3).is_some() && net.twin_rules(&other, 3).is_some());
        assert_eq!(net.twin_rules(&identity, 3), None);
        let apart = Involution::new(vec![(0, vec![0, 1, 2]), (1, vec![0, 2, 1]), (2, vec![0, 1])]).unwrap();
        assert_eq!(net.twin_rules(&apart, 3), None);
        assert_eq!((net.ties(&exchange()), net.n_shown()), (None, 2));
        assert_eq!(symmetric(Product::Full).n_shown(), 2);
        assert_eq!(symmetric(Product::Full).ties(&identity), None);
    }

    #[test]
    fn a_run_of_ties_ends_before_its_twin_begins() {
        let mut ties = Ties { shared: Vec::new(), zero: None };
        (0..5).for_each(|at| ties.push(at, at + 2, 1.0));
        let runs: Vec<_> = ties.shared.iter().map(|run| (run.first, run.twin, run.length)).collect();
        assert_eq!(runs, [(0, 2, 2), (2, 4, 2), (4, 6, 1)]);
    }
}
