//! From a decision table and its rules to a rough neural network.

pub mod diagnosis;

use crate::net::rough::{ClassCounts, NeuronCondition, RoughSettings, RuleNeuron};
use crate::net::{Coding, RoughNet};
use crate::rough::{Condition, Rule};
use crate::table::{AttrIdx, DecisionTable};

/// The weighted counts of objects per value class and decision, for every attribute of `table`.
///
/// `coding` must have the attributes of the table with at least as many values each.
fn class_counts(table: &DecisionTable, coding: &Coding) -> ClassCounts {
    let n_decisions = table.n_decisions();
    let decisions: Vec<usize> = table.decision().codes().to_vec().iter().map(|&code| code as usize).collect();
    let mut counts = vec![0.0; coding.n_classes() * n_decisions];
    for (t, attribute) in table.attributes().iter().enumerate() {
        let (first, codes) = (coding.class(t, 0), attribute.codes());
        for (row, &k) in decisions.iter().enumerate() {
            counts[(first + codes.get(row) as usize) * n_decisions + k] += table.weight(row) as f64;
        }
    }
    let mut totals = vec![0.0; n_decisions];
    decisions.iter().enumerate().for_each(|(row, &k)| totals[k] += table.weight(row) as f64);
    ClassCounts { counts, totals }
}

/// The neurons of `rules`, whose decisions must be numbers (the results 1, 0 and -1) and whose attributes must have at most
/// 256 values each.
pub fn rule_neurons(table: &DecisionTable, rules: &[Rule]) -> Vec<RuleNeuron> {
    let value_of = |code: u32| table.decision().domain()[code as usize].as_real().unwrap_or(0.0) as f32;
    let condition = |condition: &Condition| NeuronCondition {
        attribute: condition.attr.index(),
        first: condition.first as u8,
        last: condition.last as u8,
    };
    let neuron = |rule: &Rule| RuleNeuron {
        conditions: rule.conditions.iter().map(condition).collect(),
        decision: rule.decision as usize,
        value: value_of(rule.decision),
        inclusion: rule.inclusion().value() as f32,
    };
    rules.iter().map(neuron).collect()
}

/// The network of `rules` over the attributes `inputs` of `table`, at its inclusion-degree weights.
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
