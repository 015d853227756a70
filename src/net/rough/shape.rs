//! What is chosen when a rough network is made, and the rules that it is made of.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::net::Coding;
use crate::settings::{SettingError, require};

/// What layer 2 makes of a value x_t.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RoughForm {
    /// The value selects one of the attribute's weights, which are kept as logarithms.
    #[default]
    Default,
    /// Eq. (6) to the letter: the number x_t times a weight, μ_it = A_it · x_t.
    Literal,
}

/// Which attributes the product of a rule runs over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Product {
    /// All inputs R, as eq. (7) has it.
    #[default]
    Full,
    /// The attributes of the rule's own conditions; there are no weights for others.
    Own,
}

/// What the logarithms of the default form start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Inclusion {
    /// ln(A / P): the inclusion degree over the prior, so that a value which says nothing has the factor 1.
    #[default]
    Relative,
    /// ln A: the inclusion degree itself, so that every value has a factor below 1.
    Plain,
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
    #[must_use]
    pub const fn value(attribute: usize, code: u8) -> Self {
        Self { attribute, first: code, last: code }
    }

    /// Whether the object with these codes meets it.
    #[inline]
    #[must_use]
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
    #[must_use]
    pub fn matches(&self, codes: &[u8]) -> bool {
        self.conditions.iter().all(|condition| condition.holds(codes))
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
        (knows_rules || needs_none) && !(self.normalised && self.form == RoughForm::Literal)
    }
}

/// Whether no number occurs twice.
pub(super) fn all_differ(numbers: impl ExactSizeIterator<Item = usize>) -> bool {
    let n = numbers.len();
    numbers.collect::<std::collections::BTreeSet<_>>().len() == n
}

/// Settings of the network: its shape and how its weights start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoughSettings {
    /// Exponent τ of the product, in (0, 1].
    pub tau: f64,
    /// Smoothing s of the inclusion degrees, in objects, in (0, 1e9].
    pub smoothing: f64,
    /// Factor on the logarithms of a rule's own conditions, in [1, 100]: they start sharper than other attributes.
    pub sharpness: f64,
    /// What layer 2 makes of a value. The literal form has no τ, no sharpness and no logarithms.
    #[serde(default, skip_serializing_if = "is_default")]
    pub form: RoughForm,
    /// Which attributes products run over.
    #[serde(default, skip_serializing_if = "is_default")]
    pub product: Product,
    /// What the logarithms start from.
    #[serde(default, skip_serializing_if = "is_default")]
    pub inclusion: Inclusion,
    /// Whether layer 3 gives each rule its share of the sum of all products.
    #[serde(default, skip_serializing_if = "is_default")]
    pub normalised: bool,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Default for RoughSettings {
    /// The default form; its numbers were chosen on held-out games.
    fn default() -> Self {
        Self {
            tau: 0.2,
            smoothing: 50.0,
            sharpness: 2.0,
            form: RoughForm::Default,
            product: Product::Full,
            inclusion: Inclusion::Relative,
            normalised: false,
        }
    }
}

impl RoughSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require(self.tau > 0.0 && self.tau <= 1.0, "tau", "in (0, 1]", self.tau)?;
        let (smoothing, sharpness) = (self.smoothing, self.sharpness);
        require(smoothing > 0.0 && smoothing <= 1e9, "smoothing", "in (0, 1e9]", smoothing)?;
        require((1.0..=100.0).contains(&sharpness), "sharpness", "in [1, 100]", sharpness)?;
        let range = "absent where `form` is literal, which has no logarithms";
        let is_default = self.form == RoughForm::Default;
        require(is_default || !self.normalised, "normalised", range, self.normalised)?;
        require(is_default || self.inclusion == Inclusion::Relative, "inclusion", range, "plain")
    }

    /// The shape of the network of these `rules`.
    pub(super) fn shape(&self, rules: &[RuleNeuron]) -> RoughShape {
        RoughShape { form: self.form, product: self.product, normalised: self.normalised, rules: rules.to_vec() }
    }
}
