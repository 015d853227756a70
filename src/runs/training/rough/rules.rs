//! Which rules become neurons: where they come from, how many, and which of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::{Data, LearnError};
use crate::features::tabulate::tabulate;
use crate::observe::Observer;
use crate::rough::{Covering, Goal, Minimal, Rule, covering_rules, lem2, minimal_rules, mlem2};
use crate::settings::{above, choices, is_zero, settings};
use crate::table::{AttrSet, DecisionTable};

choices! {
    /// Where rules come from.
    pub enum RuleOrigin = Covering {
        /// Weighted covering by inclusion degree: few general rules, of any number of positions.
        Covering,
        /// The certain rules of a local covering by values (LEM2).
        Lem2,
        /// The certain rules of a local covering by intervals (MLEM2), for attributes that are numbers.
        Mlem2,
        /// All minimal rules of the certainty, support and length asked for.
        Exhaustive,
    }
}

settings! {
    /// Which rules the rough network is made of: sixty of at most three conditions by weighted covering.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct RuleConfig {
        /// Rules, that is neurons of layer 3.
        pub number: usize = 60, in 3..=10_000, as "rules";
        /// The most conditions of a rule by covering or exhaustive search; local coverings take as many as they need.
        pub max_conditions: usize = 3, in 1..=20;
        /// The least share of all positions that support such a rule.
        pub min_support: f64 = 0.002, in above(0.0).below(1.0);
        /// Where rules come from.
        pub origin: RuleOrigin = RuleOrigin::Covering, as "rules-from", serde(skip_serializing_if = "is_zero");
        /// Whether all decisions get the same number of rules, or the best rules are taken whatever they decide.
        pub per_decision: bool = true, serde(skip_serializing_if = "is_true");
        /// No more rules than inputs, m ≤ n of S1 §3.1.
        pub at_most_inputs: bool = false, serde(skip_serializing_if = "is_zero");
        /// The least inclusion degree of an exhaustive rule.
        pub certainty: f64 = CERTAINTY, in above(0.0).up_to(1.0), serde(skip_serializing_if = "is_usual_certainty");
        /// Positions, evenly spaced, on which rules other than those of covering are sought, at most.
        pub objects: usize = OBJECTS, in 100..=10_000_000, as "rule-objects", serde(skip_serializing_if = "is_usual_number");
    }
}

const CERTAINTY: f64 = 0.6;
const OBJECTS: usize = 10_000;

fn is_true(value: &bool) -> bool {
    *value
}

fn is_usual_certainty(certainty: &f64) -> bool {
    (certainty - CERTAINTY).abs() < f64::EPSILON
}

fn is_usual_number(objects: &usize) -> bool {
    *objects == OBJECTS
}

/// Cells of a table that an exhaustive search may look at: some minutes on two cores.
const MOST_CELLS: f64 = 5e10;
/// Rules of an exhaustive search before ranking, at most.
const MOST_RULES: usize = 2_000_000;

impl RuleConfig {
    /// m: the number of rules of a network over that many inputs.
    pub(super) fn number_over(&self, n_inputs: usize) -> usize {
        if self.at_most_inputs { self.number.min(n_inputs) } else { self.number }
    }

    fn min_support_of(&self, n_objects: u64) -> u64 {
        ((n_objects as f64 * self.min_support).round() as u64).max(1)
    }

    /// The rules over `inputs` of `table`, the decision table of `data`, by decision.
    ///
    /// # Errors
    /// When there is none, or the search for them would take too long.
    pub fn rules(
        &self,
        inputs: &AttrSet,
        (data, table): (&Data, &DecisionTable),
        observer: &dyn Observer,
    ) -> Result<Vec<Rule>, LearnError> {
        let number = self.number_over(inputs.len());
        let rules = match self.origin {
            RuleOrigin::Covering if self.per_decision => self.covering(inputs, table, number, observer)?,
            // Enough for the ranking to choose from, whichever decision has the best.
            RuleOrigin::Covering => self.covering(inputs, table, number * table.n_decisions(), observer)?,
            _ => self.sampled(inputs, (data, table), observer)?,
        };
        let rules = if rules.len() > number { self.best(rules, number) } else { rules };
        if rules.is_empty() {
            let n_objects = table.total_weight();
            return Err(LearnError::NoRules { min_support: self.min_support_of(n_objects), n_objects });
        }
        Ok(rules)
    }

    fn covering(
        &self,
        inputs: &AttrSet,
        table: &DecisionTable,
        n_rules: usize,
        observer: &dyn Observer,
    ) -> Result<Vec<Rule>, LearnError> {
        let min_support = self.min_support_of(table.total_weight());
        Ok(covering_rules(table, inputs, &Covering { n_rules, max_len: self.max_conditions, min_support }, observer)?)
    }

    /// Rules that were found on some of the positions, counted on all; those that say no more than the prior are left out.
    fn sampled(
        &self,
        inputs: &AttrSet,
        (data, table): (&Data, &DecisionTable),
        observer: &dyn Observer,
    ) -> Result<Vec<Rule>, LearnError> {
        let sample = sample(data, self.objects)?;
        let found = match self.origin {
            RuleOrigin::Mlem2 => mlem2(&sample, inputs, Goal::Lower, observer),
            RuleOrigin::Exhaustive => self.exhaustive(inputs, &sample, observer)?,
            RuleOrigin::Lem2 | RuleOrigin::Covering => lem2(&sample, inputs, Goal::Lower, observer),
        };
        // Counting a rule takes a look at all positions, so only so many are counted.
        let most = COUNTED_PER_RULE * self.number_over(inputs.len()).max(table.n_decisions());
        let drafts = first_of(ranked(found), most, self.per_decision);
        let prior = |decision: u32| table.decision_weights()[decision as usize] as f64 / table.total_weight() as f64;
        let counted = drafts.into_iter().map(|rule| Rule::counted(table, rule.conditions, rule.decision));
        Ok(counted.filter(|rule| rule.inclusion().value() > prior(rule.decision)).collect())
    }

    fn exhaustive(
        &self,
        inputs: &AttrSet,
        sample: &DecisionTable,
        observer: &dyn Observer,
    ) -> Result<Vec<Rule>, LearnError> {
        let cells = cells_of_all_sets(sample.n_objects(), inputs.len(), self.max_conditions);
        if cells > MOST_CELLS {
            let (n_inputs, n_objects) = (inputs.len(), sample.n_objects());
            return Err(LearnError::Exhaustive { max_conditions: self.max_conditions, n_inputs, n_objects, cells });
        }
        let wanted = Minimal {
            beta: self.certainty,
            max_len: self.max_conditions,
            min_support: self.min_support_of(sample.total_weight()),
            limit: MOST_RULES,
        };
        Ok(minimal_rules(sample, inputs, &wanted, observer)?.found)
    }

    /// The best `number` of `rules`, by decision.
    fn best(&self, rules: Vec<Rule>, number: usize) -> Vec<Rule> {
        let mut rules = first_of(ranked(rules), number, self.per_decision);
        rules.sort_by_key(|rule| rule.decision);
        rules
    }
}

/// Rules that are counted on all positions for each one that is wanted.
const COUNTED_PER_RULE: usize = 20;

/// How good a rule is: coverage × certainty.
pub(super) fn rank_of(rule: &Rule) -> f64 {
    rule.coverage().value() * rule.inclusion().value()
}

/// Rules by coverage × certainty, the best first; of equals the shortest.
fn ranked(mut rules: Vec<Rule>) -> Vec<Rule> {
    rules.sort_by(|a, b| rank_of(b).total_cmp(&rank_of(a)).then(a.len().cmp(&b.len())));
    rules
}

/// The first `number` of `rules`, or in turn the first of each decision, in the order in which they stand there.
fn first_of(rules: Vec<Rule>, number: usize, per_decision: bool) -> Vec<Rule> {
    let mut numbered: Vec<(usize, Rule)> = rules.into_iter().enumerate().collect();
    if per_decision {
        numbered = in_turn(numbered, |(_, rule)| rule.decision);
    }
    numbered.truncate(number);
    numbered.sort_unstable_by_key(|(at, _)| *at);
    numbered.into_iter().map(|(_, rule)| rule).collect()
}

/// The first of each decision, then the second of each, and so on.
pub(super) fn in_turn<T>(items: Vec<T>, decision: impl Fn(&T) -> u32) -> Vec<T> {
    let mut turns = BTreeMap::<u32, usize>::new();
    let turn = |item: T| {
        let turn = turns.entry(decision(&item)).or_default();
        *turn += 1;
        (*turn, item)
    };
    let mut in_turn: Vec<(usize, T)> = items.into_iter().map(turn).collect();
    in_turn.sort_by_key(|(turn, _)| *turn);
    in_turn.into_iter().map(|(_, item)| item).collect()
}

/// The decision table of at most `n` training positions, evenly spaced.
fn sample(data: &Data, n: usize) -> Result<DecisionTable, LearnError> {
    let set = &data.training;
    let step = set.len().div_ceil(n).max(1);
    let results: Vec<f32> = set.results().iter().copied().step_by(step).collect();
    Ok(tabulate(&data.specs, set.rows(0..set.len()).iter().step_by(step), &results)?)
}

/// The cells that are looked at when every object is met in every set of at most `longest` of `n_inputs` attributes.
fn cells_of_all_sets(n_objects: usize, n_inputs: usize, longest: usize) -> f64 {
    let mut sets = 1.0;
    let mut all = 0.0;
    for length in 1..=longest.min(n_inputs) {
        sets *= (n_inputs + 1 - length) as f64 / length as f64;
        all += sets;
    }
    all * n_objects as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> DecisionTable {
        let rows =
            [["0", "0", "x"], ["0", "0", "x"], ["0", "1", "x"], ["1", "1", "y"], ["1", "0", "x"], ["2", "1", "y"]];
        DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap()
    }

    fn all_rules() -> Vec<Rule> {
        let table = table();
        let wanted = Minimal { beta: 0.5, max_len: 1, ..Minimal::default() };
        minimal_rules(&table, &table.all_attributes(), &wanted, &crate::observe::Silent).unwrap().found
    }

    #[test]
    fn the_best_rules_are_taken_in_turn_or_at_large() {
        let config = |per_decision| RuleConfig { per_decision, ..RuleConfig::default() };
        let decisions = |per_decision, number| -> Vec<u32> {
            config(per_decision).best(all_rules(), number).iter().map(|rule| rule.decision).collect()
        };
        assert!(all_rules().len() >= 4);
        assert_eq!(decisions(true, 2), [0, 1]);
        let at_large = config(false).best(all_rules(), 3);
        let least = at_large.iter().map(rank_of).fold(f64::INFINITY, f64::min);
        let better = all_rules().iter().filter(|rule| rank_of(rule) > least).count();
        assert!(at_large.len() == 3 && better <= 2);
    }

    #[test]
    fn the_paper_has_no_more_rules_than_inputs() {
        let config = RuleConfig { number: 60, at_most_inputs: true, ..RuleConfig::default() };
        assert_eq!((config.number_over(20), config.number_over(91)), (20, 60));
        assert_eq!(RuleConfig::default().number_over(20), 60);
    }

    #[test]
    fn the_work_of_an_exhaustive_search_is_known_before() {
        // Of 4 attributes 4 sets of one and 6 of two.
        assert!((cells_of_all_sets(10, 4, 2) - 100.0).abs() < 1e-9);
        assert!(cells_of_all_sets(440_000, 91, 3) > MOST_CELLS);
        assert!(cells_of_all_sets(10_000, 91, 3) < MOST_CELLS);
    }

    #[test]
    fn settings_of_the_usual_rules_are_written_as_they_were() {
        let text = toml::to_string(&RuleConfig::default()).unwrap();
        assert_eq!(text, "number = 60\nmax_conditions = 3\nmin_support = 0.002\n");
        assert_eq!(toml::from_str::<RuleConfig>(&text).unwrap(), RuleConfig::default());
        let other = RuleConfig { origin: RuleOrigin::Lem2, per_decision: false, ..RuleConfig::default() };
        assert_eq!(toml::from_str::<RuleConfig>(&toml::to_string(&other).unwrap()).unwrap(), other);
    }
}
