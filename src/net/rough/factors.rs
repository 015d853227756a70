//! Products that run over attributes of their own: which weights the factors of each rule have.
//!
//! The weights of all factors lie one after the other, rule by rule. A factor that a value selects has a weight for each
//! value of its attribute, one that a number multiplies has a single weight.

use std::ops::Range;

use super::shape::{Product, RoughForm, RoughShape};
use crate::net::Coding;

/// One factor: its attribute and its first weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Factor {
    attribute: u32,
    first: u32,
}

/// The factors of every rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Factors {
    factors: Vec<Factor>,
    /// Where the factors of each rule end.
    ends: Vec<usize>,
    /// The number of weights.
    pub n_weights: usize,
}

impl Factors {
    /// The factors of a network of this shape over `inputs`.
    pub fn of(shape: &RoughShape, coding: &Coding, inputs: &[usize]) -> Self {
        let mut all = Self { factors: Vec::new(), ends: Vec::new(), n_weights: 0 };
        for rule in &shape.rules {
            match shape.product {
                Product::Full => inputs.iter().for_each(|&t| all.push(t, shape.form, coding)),
                Product::Own => rule.conditions.iter().for_each(|own| all.push(own.attribute, shape.form, coding)),
            }
            all.ends.push(all.factors.len());
        }
        all
    }

    fn push(&mut self, attribute: usize, form: RoughForm, coding: &Coding) {
        self.factors.push(Factor { attribute: attribute as u32, first: self.n_weights as u32 });
        self.n_weights += match form {
            RoughForm::Default => coding.n_values(attribute),
            RoughForm::Literal => 1,
        };
    }

    fn range(&self, rule: usize) -> Range<usize> {
        let start = if rule == 0 { 0 } else { self.ends[rule - 1] };
        start..self.ends[rule]
    }

    fn of_rule(&self, rule: usize) -> &[Factor] {
        &self.factors[self.range(rule)]
    }

    /// The attributes of a rule's factors.
    pub fn attributes(&self, rule: usize) -> impl Iterator<Item = usize> + '_ {
        self.of_rule(rule).iter().map(|factor| factor.attribute as usize)
    }

    /// The index of the weight that `code` selects on `attribute` for `rule`; `None` if the rule has no such factor.
    pub fn weight_of(&self, rule: usize, attribute: usize, code: u8) -> Option<usize> {
        let factor = self.of_rule(rule).iter().find(|factor| factor.attribute as usize == attribute)?;
        Some(factor.first as usize + usize::from(code))
    }

    /// For each rule the sum of the weights that `codes` select, appended to `sums`.
    #[inline]
    pub(crate) fn selected_sums(&self, weights: &[f32], codes: &[u8], sums: &mut Vec<f32>) {
        let weight = |factor: &Factor| weights[factor.selected(codes)];
        sums.extend((0..self.ends.len()).map(|rule| self.of_rule(rule).iter().map(weight).sum::<f32>()));
    }

    /// Adds to the gradient of each selected weight that of the sum it is part of.
    #[inline]
    pub fn spread(&self, delta: &[f32], codes: &[u8], gradient: &mut [f32]) {
        for (rule, delta) in delta.iter().enumerate() {
            self.of_rule(rule).iter().for_each(|factor| gradient[factor.selected(codes)] += delta);
        }
    }

    /// For each rule the product of weight times number over its factors, appended to `products`.
    #[inline]
    pub fn products(&self, weights: &[f32], x: impl Fn(usize) -> f32, products: &mut Vec<f32>) {
        products.extend((0..self.ends.len()).map(|rule| {
            let factors = self.range(rule).zip(self.of_rule(rule));
            factors.map(|(at, factor)| weights[at] * x(factor.attribute as usize)).product::<f32>()
        }));
    }

    /// The gradient of each weight of those products, times its rule's `scale`: the weight's number times all other factors
    /// of the rule, taken from both ends so that it is right where a factor is 0.
    pub(crate) fn product_gradient(
        &self,
        weights: &[f32],
        x: impl Fn(usize) -> f32,
        scale: &[f32],
        gradient: &mut [f32],
    ) {
        for (rule, &scale) in scale.iter().enumerate() {
            let range = self.range(rule);
            let mut before = scale;
            for (at, factor) in range.clone().zip(self.of_rule(rule)) {
                let x = x(factor.attribute as usize);
                gradient[at] = before * x;
                before *= weights[at] * x;
            }
            let mut after = 1.0;
            for (at, factor) in range.zip(self.of_rule(rule)).rev() {
                gradient[at] *= after;
                after *= weights[at] * x(factor.attribute as usize);
            }
        }
    }
}

impl Factor {
    #[inline]
    fn selected(self, codes: &[u8]) -> usize {
        self.first as usize + usize::from(codes[self.attribute as usize])
    }
}
