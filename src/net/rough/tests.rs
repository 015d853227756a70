//! Tests of the rough network in all its forms.

use super::*;
use crate::net::CodeRows;
use crate::net::dense::tests::{check_gradient, small_coding};

fn counts() -> ClassCounts {
    // Value classes 3 + 2 + 4, decisions win and loss; each attribute's rows add up to the totals.
    let counts = vec![4., 1., 2., 2., 0., 3., 5., 1., 1., 5., 3., 0., 2., 2., 1., 3., 0., 1.];
    ClassCounts { counts, totals: vec![6.0, 6.0] }
}

fn settings() -> RoughSettings {
    RoughSettings { tau: 0.5, smoothing: 1.0, sharpness: 2.0, ..RoughSettings::default() }
}

/// Rule 1 asks for a value, rule 2 for a value and an interval.
fn rules() -> [RuleNeuron; 2] {
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

fn net_of(settings: &RoughSettings) -> RoughNet {
    RoughNet::from_rules(small_coding(), vec![0, 1, 2], &rules(), &counts(), settings)
}

fn net() -> RoughNet {
    net_of(&settings())
}

/// Every variant that there is.
fn variants() -> Vec<RoughSettings> {
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
    // Attribute 1 of rule 1 is free: its commonest value is code 0 (6 objects, as many as code 1), 5 of 6 won.
    let expected = [(0, 0, 4.5 / 6.0), (0, 1, 5.5 / 7.0), (1, 1, 5.5 / 7.0), (1, 2, 5.5 / 9.0)];
    for (rule, attribute, degree) in expected {
        approx::assert_relative_eq!(literal.layer_2(rule, attribute, 0).unwrap(), degree, epsilon = 1e-5);
    }
    assert_eq!((literal.omega(), literal.bias()), (&[0.8, -0.9][..], 0.0));
}

/// Eq. (6)-(8) written as loops.
fn output_by_definition(net: &RoughNet, codes: &[u8]) -> f32 {
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
    let sum: f32 = strengths.iter().zip(net.omega()).map(|(v, w)| v * share * w).sum::<f32>() + net.bias();
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
            let found = net.outputs(CodeRows::new(codes, 3))[0];
            approx::assert_relative_eq!(found, output_by_definition(&net, codes), epsilon = 1e-5);
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
    assert!(made(&[0, 1], net.shape().clone(), 2).is_none() && made(&[0, 1, 1, 2], net.shape().clone(), 2).is_none());
}
