//! Rules for large tables: weighted covering by inclusion degree.
//!
//! Rules are grown one condition at a time by FOIL's information gain (Quinlan 1990), and what a rule supports counts
//! half afterwards, so that the next rule differs (weighted covering as in CN2-SD, Lavrač et al. 2004). All counts are
//! whole numbers, so that the result does not depend on the number of threads.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::rule::{Condition, Rule};
use crate::observe::Observer;
use crate::table::{AttrIdx, AttrSet, Code, DecisionTable, with_codes};

/// The weight of an object that no rule supports yet is its count times 2 to this power; each rule halves it.
const FRESH: u32 = 12;

/// How many rules to find and what they may look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Covering {
    /// The number of rules, spread evenly over the decisions.
    pub n_rules: usize,
    /// The most conditions of a rule, at least 1.
    pub max_len: usize,
    /// The least weight of objects that match a rule's conditions and have its decision, at least 1.
    pub min_support: u64,
}

impl Default for Covering {
    fn default() -> Self {
        Self { n_rules: 60, max_len: 4, min_support: 50 }
    }
}

/// What the objects with one value of an attribute weigh.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    /// Discounted weight of all objects.
    all: u64,
    /// Discounted weight of the objects of the rule's decision.
    target: u64,
    /// Support: the full weight of the objects of the rule's decision.
    support: u64,
}

impl Tally {
    const fn add(&mut self, other: Self) {
        self.all += other.all;
        self.target += other.target;
        self.support += other.support;
    }
}

/// Finds rules over `attrs`, each of at least `min_support`, decisions taking turns. Fewer than asked for if the
/// table has no more that differ and say anything.
///
/// Sorted by decision, then in the order in which they were found. The same on any number of threads.
#[must_use]
pub fn covering_rules(
    table: &DecisionTable,
    attrs: &AttrSet,
    settings: &Covering,
    observer: &dyn Observer,
) -> Vec<Rule> {
    observer.begin("inducing rules", settings.n_rules as u64);
    let mut inducer = Inducer::new(table, attrs, settings);
    let mut rules = inducer.induce(observer);
    rules.sort_by_key(|rule| rule.decision);
    observer.end();
    rules
}

struct Inducer<'t> {
    table: &'t DecisionTable,
    attrs: Vec<AttrIdx>,
    settings: &'t Covering,
    /// Discounted weight of each object.
    weights: Vec<u64>,
    /// Objects that a rule under construction matches, with their tallies; refilled for every rule.
    objects: Vec<u32>,
    seen: FxHashSet<(Vec<Condition>, u32)>,
}

impl<'t> Inducer<'t> {
    fn new(table: &'t DecisionTable, attrs: &AttrSet, settings: &'t Covering) -> Self {
        let weights = (0..table.n_objects()).map(|row| table.weight(row) << FRESH).collect();
        let (attrs, seen) = (attrs.iter().collect(), FxHashSet::default());
        Self { table, attrs, settings, weights, objects: Vec::new(), seen }
    }

    /// Lets the decisions take turns until there are enough rules or every decision has run dry.
    fn induce(&mut self, observer: &dyn Observer) -> Vec<Rule> {
        let mut rules = Vec::new();
        let mut open: Vec<u32> = (0..self.table.n_decisions() as u32).collect();
        while !open.is_empty() && rules.len() < self.settings.n_rules {
            open.retain(|&decision| {
                let wanted = rules.len() < self.settings.n_rules;
                let found = if wanted { self.next_rule(decision) } else { None };
                observer.advance(u64::from(found.is_some()));
                let keeps_giving = found.is_some();
                rules.extend(found);
                keeps_giving
            });
        }
        rules
    }

    /// The next new rule for a decision. Finding a known rule discounts what it supports once more.
    fn next_rule(&mut self, decision: u32) -> Option<Rule> {
        for _ in 0..FRESH {
            let conditions = self.grow(decision)?;
            let rule = Rule::counted(self.table, conditions, decision);
            self.discount(&rule);
            if self.seen.insert((rule.conditions.clone(), decision)) {
                return Some(rule);
            }
        }
        None
    }

    /// Adds the condition of the largest gain until none gains or the rule is long enough.
    fn grow(&mut self, decision: u32) -> Option<Vec<Condition>> {
        self.objects = (0..self.table.n_objects() as u32).collect();
        let mut conditions: Vec<Condition> = Vec::new();
        while conditions.len() < self.settings.max_len {
            let Some(best) = self.best_condition(decision, &conditions) else { break };
            let attribute = self.table.attribute(best.0);
            self.objects.retain(|&row| attribute.code(row as usize) == best.1);
            conditions.push(best);
        }
        (!conditions.is_empty()).then_some(conditions)
    }

    fn best_condition(&self, decision: u32, conditions: &[Condition]) -> Option<Condition> {
        let tallies: Vec<Tally> = self.objects.par_iter().map(|&row| self.tally(row, decision)).collect();
        let total = sum(&tallies);
        let open = self.attrs.par_iter().filter(|attr| conditions.iter().all(|(used, _)| used != *attr));
        let best = open
            .filter_map(|&attr| self.best_value(attr, &tallies, total))
            .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(&a.1)));
        best.map(|(_, condition)| condition)
    }

    /// The value of `attr` with the largest gain, if one gains anything and has the support.
    fn best_value(&self, attr: AttrIdx, tallies: &[Tally], total: Tally) -> Option<(f64, Condition)> {
        let attribute = self.table.attribute(attr);
        let mut of_value = vec![Tally::default(); attribute.n_values()];
        with_codes!(attribute.codes(), codes => {
            for (&row, tally) in self.objects.iter().zip(tallies) {
                of_value[codes[row as usize].index()].add(*tally);
            }
        });
        let supported = (0..).zip(of_value).filter(|(_, tally)| tally.support >= self.settings.min_support.max(1));
        let gains = supported.map(|(code, tally)| (gain(tally, total), (attr, code)));
        gains.filter(|(gain, _)| *gain > 0.0).max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(&a.1)))
    }

    fn tally(&self, row: u32, decision: u32) -> Tally {
        let row = row as usize;
        let all = self.weights[row];
        if self.table.decision().code(row) == decision {
            Tally { all, target: all, support: self.table.weight(row) }
        } else {
            Tally { all, target: 0, support: 0 }
        }
    }

    fn discount(&mut self, rule: &Rule) {
        for row in rule.objects(self.table) {
            if self.table.decision().code(row as usize) == rule.decision {
                self.weights[row as usize] /= 2;
            }
        }
    }
}

fn sum(tallies: &[Tally]) -> Tally {
    tallies.iter().fold(Tally::default(), |mut total, tally| {
        total.add(*tally);
        total
    })
}

/// FOIL's gain: the target weight kept, times the bits that its share of the whole rose by.
fn gain(part: Tally, whole: Tally) -> f64 {
    if part.target == 0 || whole.target == 0 {
        return 0.0;
    }
    let share = |tally: Tally| tally.target as f64 / tally.all as f64;
    part.target as f64 * (share(part) / share(whole)).log2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::rough::Fraction;

    /// 40 objects: d = 1 exactly if a = 1 and b = 1; c is noise.
    fn conjunction() -> DecisionTable {
        let rows: Vec<[String; 4]> = (0..40_u32)
            .map(|i| {
                let (a, b, c) = (i % 2, i / 2 % 2, i / 4 % 5);
                [a.to_string(), b.to_string(), c.to_string(), (a & b).to_string()]
            })
            .collect();
        DecisionTable::from_rows(&["a", "b", "c"], "d", &rows).unwrap()
    }

    #[test]
    fn a_conjunction_is_found() {
        let table = conjunction();
        let settings = Covering { n_rules: 2, max_len: 3, min_support: 2 };
        let rules = covering_rules(&table, &table.all_attributes(), &settings, &Silent);
        assert_eq!(rules.iter().map(|r| r.decision).collect::<Vec<_>>(), vec![0, 1]);
        assert_eq!(rules[1].conditions, vec![(AttrIdx::new(0), 1), (AttrIdx::new(1), 1)]);
        assert_eq!(rules[1].inclusion(), Fraction::new(10, 10));
    }

    #[test]
    fn rules_differ_and_keep_their_limits() {
        let table = conjunction();
        let settings = Covering { n_rules: 12, max_len: 2, min_support: 3 };
        let rules = covering_rules(&table, &table.all_attributes(), &settings, &Silent);
        let distinct: FxHashSet<_> = rules.iter().map(|r| (r.conditions.clone(), r.decision)).collect();
        assert_eq!(distinct.len(), rules.len());
        assert!(rules.iter().all(|r| r.support >= 3 && (1..=2).contains(&r.conditions.len())));
    }

    #[test]
    fn a_decision_that_nothing_tells_apart_has_no_rules() {
        let table = DecisionTable::from_rows(&["a"], "d", &[["0", "x"], ["0", "y"]]).unwrap();
        let settings = Covering { n_rules: 4, max_len: 2, min_support: 1 };
        assert!(covering_rules(&table, &table.all_attributes(), &settings, &Silent).is_empty());
    }
}
