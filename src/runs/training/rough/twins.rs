//! Rules in pairs of twins, which say the opposite of each other when colours are exchanged.

use rustc_hash::FxHashSet;

use super::super::{Data, LearnError};
use super::rules::{RuleConfig, in_turn, rank_of};
use crate::features::AttributeSpec;
use crate::features::tabulate::DECISION;
use crate::net::rough::{NeuronCondition, RuleNeuron};
use crate::observe::Observer;
use crate::rough::{Condition, Rule};
use crate::table::{AttrIdx, AttrSet, DecisionTable, Involution};

/// Of so many pairs one is of drawn rules: each has two of these, and others one that is won and one that is lost.
const TURNS: usize = 3;

/// `inputs` and the attributes that they become.
pub(super) fn closed(inputs: &AttrSet, exchange: &Involution) -> AttrSet {
    let images = inputs.iter().map(|attr| AttrIdx::new(exchange.attribute(attr.index())));
    inputs.iter().chain(images).collect()
}

/// The twin of `rule`, counted in a table that holds with each object the one that it becomes; `None` if an interval becomes none.
fn twin_of(rule: &Rule, exchange: &Involution, n_decisions: usize) -> Option<Rule> {
    let condition = |own: &Condition| {
        let (first, last) = exchange.interval(own.attr.index(), own.first as u8, own.last as u8)?;
        let attr = AttrIdx::new(exchange.attribute(own.attr.index()));
        Some(Condition { attr, first: first.into(), last: last.into(), interval: own.interval })
    };
    let mut conditions = rule.conditions.iter().map(condition).collect::<Option<Vec<_>>>()?;
    conditions.sort_unstable();
    Some(Rule { conditions, decision: n_decisions as u32 - 1 - rule.decision, ..rule.clone() })
}

impl RuleConfig {
    /// The rules over `inputs` of `table`, the symmetric table of `data`, and behind them their twins: as many in all as are asked for,
    /// if there are so many. Of each pair the first is the one that is won, if the other is lost.
    ///
    /// # Errors
    /// As [`RuleConfig::rules`]; when no rule has a twin.
    pub(super) fn pairs(
        &self,
        inputs: &AttrSet,
        (data, table): (&Data, &DecisionTable),
        exchange: &Involution,
        observer: &dyn Observer,
    ) -> Result<Vec<Rule>, LearnError> {
        let number = self.number_over(inputs.len());
        // Of two rules that are found one may be the twin of the other.
        let twice = Self { number: 2 * number, at_most_inputs: false, ..self.clone() };
        let mut found = twice.rules(inputs, (data, table), observer)?;
        if !self.per_decision {
            found.sort_by(|a, b| rank_of(b).total_cmp(&rank_of(a)));
        }
        let mut pairs = Pairs { exchange, n_decisions: table.n_decisions(), seen: FxHashSet::default() };
        let n_found = found.len();
        let ones = pairs.of(if self.per_decision { in_turn(found, |rule| rule.decision) } else { found });
        let mut ones = if self.per_decision { shared_out(ones, number / 2, table.n_decisions()) } else { ones };
        ones.truncate(number / 2);
        if ones.is_empty() {
            return Err(LearnError::NoTwins { found: n_found });
        }
        ones.sort_by_key(|rule| std::cmp::Reverse(rule.decision));
        let twins: Vec<Rule> = ones.iter().filter_map(|rule| twin_of(rule, exchange, table.n_decisions())).collect();
        Ok([ones, twins].concat())
    }
}

/// `n` of `rules`, so that as many are drawn as won and as lost when each has its twin, as far as there are such.
fn shared_out(rules: Vec<Rule>, n: usize, n_decisions: usize) -> Vec<Rule> {
    let is_drawn = |rule: &Rule| 2 * rule.decision as usize + 1 == n_decisions;
    let (drawn, decided): (Vec<Rule>, Vec<Rule>) = rules.into_iter().partition(is_drawn);
    let (mut drawn, mut decided) = (drawn.into_iter(), decided.into_iter());
    let next = |at: usize| match at % TURNS {
        0 | 1 => decided.next().or_else(|| drawn.next()),
        _ => drawn.next().or_else(|| decided.next()),
    };
    (0..n).map_while(next).collect()
}

/// Tells pairs of rules apart.
struct Pairs<'a> {
    exchange: &'a Involution,
    n_decisions: usize,
    seen: FxHashSet<(Vec<Condition>, u32)>,
}

impl Pairs<'_> {
    /// One rule of each pair among `rules`, in their order; those that have no twin, or are their own, are left out.
    fn of(&mut self, rules: Vec<Rule>) -> Vec<Rule> {
        rules.into_iter().filter_map(|rule| self.next(rule)).collect()
    }

    fn next(&mut self, rule: Rule) -> Option<Rule> {
        let twin = twin_of(&rule, self.exchange, self.n_decisions)?;
        let name = |rule: &Rule| (rule.conditions.clone(), rule.decision);
        if name(&rule) == name(&twin) || self.seen.contains(&name(&twin)) || !self.seen.insert(name(&rule)) {
            return None;
        }
        Some(if rule.decision < twin.decision { twin } else { rule })
    }
}

/// The text of a rule that was never counted.
pub fn words_of_twin(rule: &RuleNeuron, specs: &[AttributeSpec]) -> String {
    let condition = |condition: &NeuronCondition| {
        let AttributeSpec { name, values, .. } = &specs[condition.attribute];
        let [first, last] = [condition.first, condition.last].map(|code| values[usize::from(code)]);
        if first == last { format!("{name} = {first}") } else { format!("{first} <= {name} <= {last}") }
    };
    let conditions: Vec<String> = rule.conditions.iter().map(condition).collect();
    format!("IF {} THEN {DECISION} = {} (inclusion {:.2})", conditions.join(" AND "), rule.value, rule.inclusion)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two points of five values that change places with the opposite sign.
    fn exchange() -> Involution {
        let reversed = vec![4, 3, 2, 1, 0];
        Involution::new(vec![(1, reversed.clone()), (0, reversed)]).unwrap()
    }

    fn rule(conditions: &[(usize, u32)], decision: u32) -> Rule {
        let conditions = conditions.iter().map(|&(t, code)| Condition::value(AttrIdx::new(t), code)).collect();
        Rule { conditions, decision, support: 1, matching: 2, decision_weight: 3, total_weight: 9 }
    }

    #[test]
    fn one_of_each_pair_is_kept_and_none_that_is_its_own_twin() {
        let exchange = exchange();
        let mut pairs = Pairs { exchange: &exchange, n_decisions: 3, seen: FxHashSet::default() };
        let found = vec![
            rule(&[(0, 4)], 0),
            // The twin of the first.
            rule(&[(1, 0)], 2),
            // Its own twin, though not where it is won.
            rule(&[(0, 3), (1, 1)], 1),
            rule(&[(0, 3), (1, 1)], 2),
            rule(&[(0, 3)], 1),
            rule(&[(1, 1)], 1),
        ];
        assert_eq!(pairs.of(found.clone()), [found[1].clone(), found[3].clone(), found[4].clone()]);
    }

    #[test]
    fn a_third_of_the_rules_is_drawn_as_far_as_there_are_such() {
        let rules = |decision: u32, n: u32| (0..n).map(move |code| rule(&[(0, code)], decision));
        let drawn = |won: u32, drawn: u32, n: usize| {
            let chosen = shared_out(rules(2, won).chain(rules(1, drawn)).collect(), n, 3);
            (chosen.len(), chosen.iter().filter(|rule| rule.decision == 1).count())
        };
        assert_eq!(drawn(9, 9, 6), (6, 2));
        assert_eq!(drawn(9, 1, 6), (6, 1));
        assert_eq!(drawn(1, 9, 6), (6, 5));
        assert_eq!(drawn(1, 1, 6), (2, 1));
    }

    #[test]
    fn inputs_are_closed() {
        let closed = closed(&std::iter::once(AttrIdx::new(1)).collect(), &exchange());
        assert_eq!(closed.iter().map(|attr| attr.index()).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_twin_is_told_as_a_rule_is() {
        let specs = [AttributeSpec::of_values("e4", &[-2, -1, 0, 1, 2]), AttributeSpec::of_values("side", &[-1, 1])];
        let interval = NeuronCondition { attribute: 0, first: 1, last: 3 };
        let conditions = vec![interval, NeuronCondition::value(1, 0)];
        let rule = RuleNeuron { conditions, decision: 0, value: -1.0, inclusion: 0.751 };
        let text = "IF -1 <= e4 <= 1 AND side = -1 THEN result = -1 (inclusion 0.75)";
        assert_eq!(words_of_twin(&rule, &specs), text);
    }
}
