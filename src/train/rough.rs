//! From a decision table and its rules to a rough neural network.

use serde::{Deserialize, Serialize};

use crate::net::rough::{ClassCounts, RoughSettings, RuleNeuron};
use crate::net::{Coding, RoughNet};
use crate::rough::{Covering, Rule};
use crate::setting::{SettingError, require};
use crate::table::{AttrIdx, Codes, DecisionTable};

/// Which rules the rough network is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleConfig {
    /// Rules in all, shared evenly among the decisions, in [3, 10000].
    pub number: usize,
    /// Conditions of a rule at most, in [1, 20].
    pub max_conditions: usize,
    /// Positions that have a rule's decision among those that match it, as a share of all positions, in (0, 1).
    pub min_support: f64,
}

impl RuleConfig {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        require((3..=10_000).contains(&self.number), "--rules", "in [3, 10000]", self.number)?;
        let (most, least) = (self.max_conditions, self.min_support);
        require((1..=20).contains(&most), "max_conditions", "in [1, 20]", most)?;
        require(least > 0.0 && least < 1.0, "min_support", "in (0, 1)", least)
    }

    /// What it asks of the rules of a table of `n_objects` objects.
    #[must_use]
    pub fn covering(&self, n_objects: u64) -> Covering {
        let min_support = ((n_objects as f64 * self.min_support).round() as u64).max(1);
        Covering { n_rules: self.number, max_len: self.max_conditions, min_support }
    }
}

/// The weighted counts of objects per value class and decision, for every attribute of `table`.
///
/// `coding` must have the attributes of the table with at least as many values each.
#[must_use]
pub fn class_counts(table: &DecisionTable, coding: &Coding) -> ClassCounts {
    let n_decisions = table.n_decisions();
    let decisions: Vec<usize> = table.decision().codes().to_vec().iter().map(|&code| code as usize).collect();
    let mut counts = vec![0.0; coding.n_classes() * n_decisions];
    for (t, attribute) in table.attributes().iter().enumerate() {
        let first = coding.class(t, 0);
        add_counts(&mut counts[first * n_decisions..], attribute.codes(), &decisions, table);
    }
    let mut totals = vec![0.0; n_decisions];
    decisions.iter().enumerate().for_each(|(row, &k)| totals[k] += table.weight(row) as f64);
    ClassCounts { counts, totals }
}

fn add_counts(counts: &mut [f64], codes: &Codes, decisions: &[usize], table: &DecisionTable) {
    let n_decisions = table.n_decisions();
    for (row, &k) in decisions.iter().enumerate() {
        counts[codes.get(row) as usize * n_decisions + k] += table.weight(row) as f64;
    }
}

/// The neurons of `rules`, whose decisions must be numbers (the results 1, 0 and -1) and whose conditions must be of
/// one value each, as those of [`crate::rough::covering_rules`] are: of an interval the lowest value would stand for all.
#[must_use]
pub fn rule_neurons(table: &DecisionTable, rules: &[Rule]) -> Vec<RuleNeuron> {
    let value_of = |code: u32| table.decision().domain()[code as usize].as_real().unwrap_or(0.0) as f32;
    let neuron = |rule: &Rule| RuleNeuron {
        conditions: rule.conditions.iter().map(|condition| (condition.attr.index(), condition.first as u8)).collect(),
        decision: rule.decision as usize,
        value: value_of(rule.decision),
        inclusion: rule.inclusion().value() as f32,
    };
    rules.iter().map(neuron).collect()
}

/// The network of `rules` over the attributes `inputs` of `table`, at its inclusion-degree weights.
#[must_use]
pub fn rough_network(
    table: &DecisionTable,
    rules: &[Rule],
    inputs: &[AttrIdx],
    coding: &Coding,
    settings: &RoughSettings,
) -> RoughNet {
    let counts = class_counts(table, coding);
    let inputs = inputs.iter().map(|attr| attr.index()).collect();
    RoughNet::from_rules(coding.clone(), inputs, &rule_neurons(table, rules), &counts, settings)
}
