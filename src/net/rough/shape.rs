//! What is chosen when a rough network is made, and the rules that it is made of.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::net::Coding;
use crate::settings::{SettingError, above, choices, is_zero, require, settings};
use crate::table::Involution;

choices! {
    /// What layer 2 makes of a value x_t.
    pub enum RoughForm = Default {
        /// The value selects one of the attribute's weights, which are kept as logarithms.
        Default,
        /// Equation (6) to the letter: the number x_t times a weight, μ_it = A_it · x_t.
        Literal,
    }
}

choices! {
    /// Which attributes the product of a rule runs over.
    pub enum Product = Full {
        /// All inputs R, as equation (7) has it.
        Full,
        /// The attributes of the rule's own conditions; there are no weights for others.
        Own,
    }
}

choices! {
    /// What the logarithms of the default form start from.
    pub enum Inclusion = Relative {
        /// ln(A / P): the inclusion degree over the prior, so that a value which says nothing has the factor 1.
        Relative,
        /// ln A: the inclusion degree itself, so that every value has a factor below 1.
        Plain,
    }
}

/// A condition of a rule neuron: the attribute has a code in `first..=last`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NeuronCondition {
    /// The attribute's index.
    pub attribute: usize,
    /// The lowest code.
    pub first: u8,
    /// The highest code.
    pub last: u8,
}

impl NeuronCondition {
    /// The attribute has the value with this code.
    pub const fn value(attribute: usize, code: u8) -> Self {
        Self { attribute, first: code, last: code }
    }

    /// Whether the object with these codes meets it.
    #[inline]
    pub fn holds(self, codes: &[u8]) -> bool {
        (self.first..=self.last).contains(&codes[self.attribute])
    }

    /// The value classes that meet it.
    pub(super) fn classes(self, coding: &Coding) -> Range<usize> {
        coding.class(self.attribute, self.first)..coding.class(self.attribute, self.last) + 1
    }
}

/// One rule neuron, as the network needs it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RuleNeuron {
    /// The rule's conditions, on different attributes.
    pub conditions: Vec<NeuronCondition>,
    /// The index k of the rule's decision.
    pub decision: usize,
    /// The number that the decision stands for: 1, 0 or -1.
    pub value: f32,
    /// The rule's inclusion degree in [0, 1].
    pub inclusion: f32,
}

impl RuleNeuron {
    /// Whether the object with these codes meets all conditions.
    pub fn matches(&self, codes: &[u8]) -> bool {
        self.conditions.iter().all(|condition| condition.holds(codes))
    }

    /// The rule that says of an object after `exchange` what this one says of it before, with the opposite sign: its decision is the one
    /// as far from the last of `n_decisions` as this one from the first. `None` if an interval becomes none.
    pub(super) fn twin(&self, exchange: &Involution, n_decisions: usize) -> Option<Self> {
        let condition = |own: &NeuronCondition| {
            let (first, last) = exchange.interval(own.attribute, own.first, own.last)?;
            Some(NeuronCondition { attribute: exchange.attribute(own.attribute), first, last })
        };
        Some(Self {
            conditions: self.conditions.iter().map(condition).collect::<Option<_>>()?,
            decision: n_decisions.checked_sub(1 + self.decision)?,
            // Of a draw 0 and not -0.
            value: 0.0 - self.value,
            inclusion: self.inclusion,
        })
    }

    /// The condition on `attribute`, if there is one.
    pub(super) fn condition_on(&self, attribute: usize) -> Option<NeuronCondition> {
        self.conditions.iter().copied().find(|condition| condition.attribute == attribute)
    }
}

/// What tells rough networks over the same inputs apart, besides their weights.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RoughShape {
    /// What layer 2 makes of a value.
    #[serde(default)]
    pub form: RoughForm,
    /// Which attributes products run over.
    #[serde(default)]
    pub product: Product,
    /// Whether layer 3 gives each rule its share of the sum of all products.
    #[serde(default)]
    pub normalised: bool,
    /// Whether the second half of the rules are the twins of the first, with shared weights: with the colours of an object exchanged,
    /// each says what the other says, with the opposite sign.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub symmetric: bool,
    /// The rules behind the neurons. None is known of a network with full products that started from random weights.
    #[serde(default)]
    pub rules: Vec<RuleNeuron>,
}

impl RoughShape {
    /// Whether weights are rows of the first layer, which a search corrects from move to move.
    pub fn has_rows(&self) -> bool {
        self.form == RoughForm::Default && self.product == Product::Full
    }

    /// Whether a network of `n_rules` rules over `inputs` can have this shape.
    pub(super) fn fits(&self, coding: &Coding, inputs: &[usize], n_rules: usize) -> bool {
        let condition_fits = |condition: &NeuronCondition| {
            inputs.contains(&condition.attribute)
                && condition.first <= condition.last
                && usize::from(condition.last) < coding.n_values(condition.attribute)
        };
        let rule_fits = |rule: &RuleNeuron| {
            let attributes = rule.conditions.iter().map(|condition| condition.attribute);
            rule.conditions.iter().all(condition_fits) && all_differ(attributes)
        };
        let knows_rules = self.rules.len() == n_rules && self.rules.iter().all(rule_fits);
        let needs_none = self.rules.is_empty() && self.has_rows();
        let is_paired = !self.symmetric || (n_rules.is_multiple_of(2) && self.form == RoughForm::Default);
        (knows_rules || needs_none) && is_paired && !(self.normalised && self.form == RoughForm::Literal)
    }
}

/// Whether no number occurs twice.
pub(super) fn all_differ(numbers: impl ExactSizeIterator<Item = usize>) -> bool {
    let n = numbers.len();
    numbers.collect::<std::collections::BTreeSet<_>>().len() == n
}

settings! {
    /// Settings of the network: its shape and how its weights start.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct RoughSettings {
        /// Exponent τ of the product.
        pub tau: f64 = 0.2, in above(0.0).up_to(1.0);
        /// Smoothing of the inclusion degrees, in positions.
        pub smoothing: f64 = 50.0, in above(0.0).up_to(1e9);
        /// Factor on the logarithms of a rule's own conditions: they start sharper than other attributes.
        pub sharpness: f64 = 2.0, in 1.0..=100.0;
        /// What layer 2 makes of a value. The literal form has no τ, no sharpness and no logarithms.
        pub form: RoughForm = RoughForm::Default, serde(default, skip_serializing_if = "is_zero");
        /// What the product of a rule runs over.
        pub product: Product = Product::Full, serde(default, skip_serializing_if = "is_zero");
        /// What the logarithms start from.
        pub inclusion: Inclusion = Inclusion::Relative, serde(default, skip_serializing_if = "is_zero");
        /// Give each rule its share of the sum of all products.
        pub normalised: bool = false, serde(default, skip_serializing_if = "is_zero");
    }
    and check_form
}

impl RoughSettings {
    fn check_form(&self) -> Result<(), SettingError> {
        let range = "left out where `form` is literal, which has no logarithms";
        let is_default = self.form == RoughForm::Default;
        require(is_default || !self.normalised, "normalised", range, self.normalised)?;
        require(is_default || self.inclusion == Inclusion::Relative, "inclusion", range, self.inclusion)
    }

    /// The shape of the network of these `rules`.
    pub(super) fn shape(&self, rules: &[RuleNeuron]) -> RoughShape {
        let (form, product, normalised) = (self.form, self.product, self.normalised);
        RoughShape { form, product, normalised, symmetric: false, rules: rules.to_vec() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coding() -> Coding {
        Coding::new(&[vec![-1.0, 0.0, 1.0], vec![-1.0, 0.0, 1.0], vec![-1.0, 1.0]])
    }

    const fn interval(attribute: usize, first: u8, last: u8) -> NeuronCondition {
        NeuronCondition { attribute, first, last }
    }

    fn rule(conditions: &[NeuronCondition], decision: usize, value: f32) -> RuleNeuron {
        RuleNeuron { conditions: conditions.to_vec(), decision, value, inclusion: 0.75 }
    }

    #[test]
    fn conditions_hold_from_the_first_code_to_the_last() {
        let between = interval(1, 1, 2);
        assert_eq!([0, 1, 2, 3].map(|code| between.holds(&[9, code])), [false, true, true, false]);
        assert_eq!((between.classes(&coding()), NeuronCondition::value(2, 1).classes(&coding())), (4..6, 7..8));
        let both = rule(&[NeuronCondition::value(0, 2), between], 0, 1.0);
        assert_eq!([[2, 1], [2, 0], [1, 1]].map(|codes| both.matches(&codes)), [true, false, false]);
        assert_eq!([0, 1, 2].map(|t| both.condition_on(t)), [Some(NeuronCondition::value(0, 2)), Some(between), None]);
    }

    #[test]
    fn a_twin_says_the_opposite_of_the_image() {
        let images = vec![(1, vec![2, 1, 0]), (0, vec![2, 1, 0]), (2, vec![1, 0])];
        let exchange = Involution::new(images).unwrap();
        let won = rule(&[NeuronCondition::value(0, 2), interval(1, 0, 1)], 2, 1.0);
        let lost = rule(&[NeuronCondition::value(1, 0), interval(0, 1, 2)], 0, -1.0);
        assert_eq!(won.twin(&exchange, 3), Some(lost.clone()));
        assert_eq!(lost.twin(&exchange, 3), Some(won.clone()));
        assert_eq!(won.twin(&exchange, 2), None);
        let draw = rule(&[], 1, 0.0).twin(&exchange, 3).unwrap();
        assert!(draw.decision == 1 && draw.value == 0.0 && draw.value.is_sign_positive());
    }

    #[test]
    fn a_shape_fits_with_rules_over_the_inputs_or_where_none_are_needed() {
        let rules = vec![rule(&[interval(0, 0, 2), interval(2, 1, 1)], 0, 1.0), rule(&[interval(2, 0, 0)], 1, -1.0)];
        let own = RoughShape { product: Product::Own, rules, ..RoughShape::default() };
        let literal = RoughShape { form: RoughForm::Literal, ..own.clone() };
        let with = |conditions: &[NeuronCondition]| {
            let rules = vec![own.rules[0].clone(), rule(conditions, 1, -1.0)];
            RoughShape { rules, ..own.clone() }
        };
        let cases = [
            (own.clone(), true),
            (literal.clone(), true),
            (RoughShape { symmetric: true, ..own.clone() }, true),
            (RoughShape { normalised: true, ..own.clone() }, true),
            (RoughShape { symmetric: true, ..literal.clone() }, false),
            (RoughShape { normalised: true, ..literal.clone() }, false),
            (RoughShape { rules: Vec::new(), ..own.clone() }, false),
            (RoughShape { rules: Vec::new(), ..literal }, false),
            (RoughShape::default(), true),
            (with(&[interval(2, 1, 0)]), false),
            (with(&[interval(2, 0, 2)]), false),
            (with(&[interval(1, 0, 0)]), false),
            (with(&[interval(0, 0, 0), interval(0, 1, 1)]), false),
            (with(&[]), true),
        ];
        for (shape, fits) in cases {
            assert_eq!(shape.fits(&coding(), &[0, 2], 2), fits, "{shape:?}");
        }
        let three = RoughShape { symmetric: true, ..RoughShape::default() };
        assert_eq!([2, 3, 4].map(|n| three.fits(&coding(), &[0, 2], n)), [true, false, true]);
        assert_eq!([1, 2, 3].map(|n| own.fits(&coding(), &[0, 2], n)), [false, true, false]);
    }

    #[test]
    fn the_literal_form_has_no_logarithms_to_choose() {
        for (form, normalised, inclusion, fits) in [
            (RoughForm::Default, true, Inclusion::Plain, true),
            (RoughForm::Literal, false, Inclusion::Relative, true),
            (RoughForm::Literal, true, Inclusion::Relative, false),
            (RoughForm::Literal, false, Inclusion::Plain, false),
        ] {
            let settings = RoughSettings { form, normalised, inclusion, ..RoughSettings::default() };
            assert_eq!(settings.check().is_ok(), fits, "{settings:?}");
            let shape = settings.shape(&[rule(&[], 0, 1.0)]);
            assert_eq!(
                (shape.form, shape.normalised, shape.symmetric, shape.rules.len()),
                (form, normalised, false, 1)
            );
        }
        assert!(RoughShape::default().has_rows());
        assert!(!RoughShape { form: RoughForm::Literal, ..RoughShape::default() }.has_rows());
        assert!(!RoughShape { product: Product::Own, ..RoughShape::default() }.has_rows());
    }
}
