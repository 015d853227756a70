//! The weights that a rough network starts from: inclusion degrees of value classes in the rules' decisions.

use std::ops::Range;

use super::factors::Factors;
use super::shape::{Inclusion, NeuronCondition, RoughForm, RoughSettings, RuleNeuron};
use crate::net::Coding;

/// What the inclusion degrees are computed from: weighted counts of objects per value class and decision.
#[derive(Debug, Clone)]
pub struct ClassCounts {
    /// How many objects of each decision lie in each value class, shape (n_classes, n_decisions), row-major.
    pub counts: Vec<f64>,
    /// How many objects of each decision there are.
    pub totals: Vec<f64>,
}

/// Objects of one decision among some objects.
#[derive(Clone, Copy)]
struct Count {
    of_decision: f64,
    all: f64,
}

impl ClassCounts {
    /// The prior P_k = |X_k| / |U|.
    pub fn prior(&self, decision: usize) -> f64 {
        self.totals[decision] / self.totals.iter().sum::<f64>()
    }

    /// ln(A / P_k) for the inclusion degree A of the union of some value classes of one attribute in decision class k,
    /// smoothed: `smoothing` · P_k is added to the count and `smoothing` to the size, so that a class without objects
    /// says nothing (0).
    fn log_ratio(&self, classes: Range<usize>, decision: usize, smoothing: f64) -> f64 {
        self.log_ratio_of(self.within(classes, decision), decision, smoothing)
    }

    /// The same for the objects that lie outside `classes`.
    fn log_ratio_outside(&self, classes: Range<usize>, decision: usize, smoothing: f64) -> f64 {
        let within = self.within(classes, decision);
        let all = Count { of_decision: self.totals[decision], all: self.totals.iter().sum() };
        let outside = Count { of_decision: all.of_decision - within.of_decision, all: all.all - within.all };
        self.log_ratio_of(outside, decision, smoothing)
    }

    fn within(&self, classes: Range<usize>, decision: usize) -> Count {
        let n_decisions = self.totals.len();
        let rows = &self.counts[classes.start * n_decisions..classes.end * n_decisions];
        let of_decision = rows.iter().skip(decision).step_by(n_decisions).sum();
        Count { of_decision, all: rows.iter().sum() }
    }

    fn log_ratio_of(&self, count: Count, decision: usize, smoothing: f64) -> f64 {
        let prior = self.prior(decision);
        ((count.of_decision + smoothing * prior) / ((count.all + smoothing) * prior)).ln()
    }

    /// The value class of `attribute` that most objects lie in, the first of equals.
    fn commonest(&self, attribute: usize, coding: &Coding) -> usize {
        let size = |class: usize| self.within(class..class + 1, 0).all;
        let larger = |best: usize, class: usize| if size(class) > size(best) { class } else { best };
        coding.classes_of(attribute).reduce(larger).unwrap_or_default()
    }
}

/// What all initial weights go by.
pub(super) struct Start<'a> {
    pub coding: &'a Coding,
    pub inputs: &'a [usize],
    pub rules: &'a [RuleNeuron],
    pub counts: &'a ClassCounts,
    pub settings: &'a RoughSettings,
}

impl Start<'_> {
    /// θ of full products, shape (n_classes, m).
    pub fn rows(&self) -> Vec<f32> {
        let m = self.rules.len();
        let mut rows = vec![0.0; self.coding.n_classes() * m];
        for (i, rule) in self.rules.iter().enumerate() {
            for &t in self.inputs {
                self.coding.classes_of(t).for_each(|class| rows[class * m + i] = self.theta(rule, t, class));
            }
        }
        rows
    }

    /// The weights of `factors`, in their order.
    pub fn weights(&self, factors: &Factors) -> Vec<f32> {
        let of_rule = |(i, rule)| factors.attributes(i).map(move |t| (rule, t));
        let pairs = self.rules.iter().enumerate().flat_map(of_rule);
        match self.settings.form {
            RoughForm::Literal => pairs.map(|(rule, t)| self.degree(rule, t)).collect(),
            RoughForm::Default => {
                let thetas = |(rule, t)| self.coding.classes_of(t).map(move |class| self.theta(rule, t, class));
                pairs.flat_map(thetas).collect()
            }
        }
    }

    /// θ_it(v): the logarithm of the inclusion degree; on a condition of the rule itself the classes are "matches" and "does
    /// not match", and what the logarithm says beyond the prior is sharpened.
    fn theta(&self, rule: &RuleNeuron, attribute: usize, class: usize) -> f32 {
        let (k, smoothing) = (rule.decision, self.settings.smoothing);
        let ratio = match rule.condition_on(attribute) {
            None => self.counts.log_ratio(class..class + 1, k, smoothing),
            Some(own) => {
                let classes = own.classes(self.coding);
                let is_met = classes.contains(&class);
                let ratio = if is_met { ClassCounts::log_ratio } else { ClassCounts::log_ratio_outside };
                self.settings.sharpness * ratio(self.counts, classes, k, smoothing)
            }
        };
        let prior = match self.settings.inclusion {
            Inclusion::Relative => 0.0,
            Inclusion::Plain => self.counts.prior(k).ln(),
        };
        (ratio + prior) as f32
    }

    /// A_it of the literal form: the inclusion degree of what the rule asks of the attribute, or of the attribute's commonest
    /// value where it asks nothing.
    fn degree(&self, rule: &RuleNeuron, attribute: usize) -> f32 {
        let commonest = || {
            let class = self.counts.commonest(attribute, self.coding);
            class..class + 1
        };
        let own = rule.condition_on(attribute).map(|own: NeuronCondition| own.classes(self.coding));
        let ratio = self.counts.log_ratio(own.unwrap_or_else(commonest), rule.decision, self.settings.smoothing);
        (ratio.exp() * self.counts.prior(rule.decision)) as f32
    }

    /// ω: the rule's inclusion degree times the value of its decision. In the default form it is divided by the number of rules
    /// of that decision, so that the output does not saturate when there are many.
    pub fn omega(&self) -> Vec<f32> {
        let peers = |rule: &RuleNeuron| self.rules.iter().filter(|other| other.decision == rule.decision).count();
        let share = |rule: &RuleNeuron| match self.settings.form {
            RoughForm::Default => 1.0 / peers(rule) as f32,
            RoughForm::Literal => 1.0,
        };
        self.rules.iter().map(|rule| rule.inclusion * rule.value * share(rule)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_one_decision_share_what_they_say_except_in_the_literal_form() {
        let rule = |decision, value, inclusion| RuleNeuron { conditions: Vec::new(), decision, value, inclusion };
        let rules = [rule(0, 1.0, 0.8), rule(0, 1.0, 0.6), rule(1, 0.0, 0.5), rule(2, -1.0, 0.9)];
        let (coding, counts) = (Coding::new(&[vec![0.0]]), ClassCounts { counts: vec![1.0; 3], totals: vec![1.0; 3] });
        let omega = |form| {
            let settings = RoughSettings { form, ..RoughSettings::default() };
            Start { coding: &coding, inputs: &[0], rules: &rules, counts: &counts, settings: &settings }.omega()
        };
        assert_eq!(omega(RoughForm::Default), [0.4, 0.3, 0.0, -0.9]);
        assert_eq!(omega(RoughForm::Literal), [0.8, 0.6, 0.0, -0.9]);
    }

    /// Six objects of the first decision and two of the second; one attribute with two values, and one with a single value.
    #[test]
    fn degrees_are_smoothed_counts_over_the_prior() {
        let counts = ClassCounts { counts: vec![5.0, 0.0, 1.0, 2.0, 6.0, 2.0], totals: vec![6.0, 2.0] };
        assert_eq!([counts.prior(0), counts.prior(1)], [0.75, 0.25]);
        let expected: [(f64, f64); 5] = [
            (counts.log_ratio(0..1, 0, 2.0), (5.0 + 1.5) / (7.0 * 0.75)),
            (counts.log_ratio(0..1, 1, 2.0), 0.5 / (7.0 * 0.25)),
            (counts.log_ratio(0..2, 1, 2.0), 1.0),
            (counts.log_ratio_outside(0..1, 0, 2.0), (1.0 + 1.5) / (5.0 * 0.75)),
            (counts.log_ratio_outside(0..1, 1, 2.0), (2.0 + 0.5) / (5.0 * 0.25)),
        ];
        for (found, ratio) in expected {
            approx::assert_abs_diff_eq!(found, ratio.ln(), epsilon = 1e-12);
        }
        let coding = Coding::new(&[vec![0.0, 1.0], vec![0.0]]);
        assert_eq!([0, 1].map(|t| counts.commonest(t, &coding)), [0, 2]);
        let rare_first = ClassCounts { counts: vec![1.0, 2.0, 5.0, 0.0], ..counts.clone() };
        assert_eq!(rare_first.commonest(0, &coding), 1);
        let even = ClassCounts { counts: vec![1.0, 3.0, 3.0, 1.0], ..counts };
        assert_eq!(even.commonest(0, &coding), 0);
    }
}
