//! Rules for large tables: weighted covering by inclusion degree.
//!
//! Rules are grown one condition at a time by FOIL's information gain (Quinlan 1990), and what a rule supports counts
//! half afterwards, so that the next rule differs (weighted covering as in CN2-SD, Lavrač et al. 2004). All counts are
//! whole numbers, so that the result does not depend on the number of threads.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::Fraction;
use super::condition::Condition;
use super::error::RoughError;
use super::rule::Rule;
use crate::observe::Observer;
use crate::settings;
use crate::table::{AttrIdx, AttrSet, Code, DecisionTable, with_codes};

/// The weight of an object that no rule supports yet is its count times 2 to this power; each rule halves it.
const FRESH: u32 = 12;
/// Objects that are counted together for one attribute after the other, so that what they weigh is found in the cache.
const TOGETHER: usize = 1 << 14;
/// The most counts of values by decision; there are two of 8 bytes of each.
const MOST_COUNTS: usize = 1 << 27;
/// The usual number of rules for each decision.
const PER_DECISION: usize = 500;

settings! {
    /// How many rules to find and what they may look like.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Covering {
        /// The number of rules, spread evenly over the decisions.
        pub n_rules: usize = PER_DECISION;
        /// The most conditions of a rule, at least 1.
        pub max_len: usize = 8, in 1..;
        /// The least weight of objects that match a rule's conditions and have its decision, at least 1.
        pub min_support: u64 = 2, in 1..;
    }
}

impl Covering {
    /// What is usual for `table`: as many rules as decisions of its number ask for.
    pub fn usual(table: &DecisionTable) -> Self {
        Self { n_rules: PER_DECISION * table.n_decisions(), ..Self::default() }
    }
}

/// The discounted weight of some objects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Of all of them.
    pub all: u64,
    /// Of those that have the rule's decision.
    pub target: u64,
}

impl Tally {
    /// FOIL's gain: the target weight kept, times the bits that its share rose by.
    pub(crate) fn gain_over(self, whole: Self) -> f64 {
        let share = |tally: Self| tally.target as f64 / tally.all as f64;
        if self.target == 0 { 0.0 } else { self.target as f64 * (share(self) / share(whole)).log2() }
    }
}

/// A condition with the gain of adding it.
type Candidate = (f64, Condition);

/// Finds rules over `attrs`, each of at least `min_support` and with an inclusion degree above the share of its decision
/// among all objects, decisions taking turns. Fewer than asked for if the table has no more that differ and say anything, and where a
/// decision is given up: after 12 rules in a row that are known already or say nothing, which may leave objects without a rule.
///
/// Sorted by decision, then in the order in which they were found. The same on any number of threads.
///
/// # Errors
/// When the attributes have so many values, and the table so many decisions, that to count the ones by the others takes gigabytes.
pub fn covering_rules(
    table: &DecisionTable,
    attrs: &AttrSet,
    settings: &Covering,
    observer: &dyn Observer,
) -> Result<Vec<Rule>, RoughError> {
    let n_values: usize = attrs.iter().map(|attr| table.attribute(attr).n_values()).sum();
    RoughError::check_counts(n_values.saturating_mul(table.n_decisions()), MOST_COUNTS)?;
    observer.begin("inducing rules", settings.n_rules as u64);
    let mut inducer = Inducer::new(table, attrs, settings);
    let mut rules = inducer.induce(observer);
    rules.sort_by_key(|rule| rule.decision);
    observer.end();
    Ok(rules)
}

struct Inducer<'t> {
    table: &'t DecisionTable,
    attrs: Vec<AttrIdx>,
    settings: &'t Covering,
    /// Discounted weight of each object.
    weights: Vec<u64>,
    /// Discounted weight of all objects by value and decision, for each attribute: what every rule starts from.
    start: Vec<Vec<u64>>,
    /// Weight of all objects by value and decision, for each attribute: bounds the support of longer rules.
    support: Vec<Vec<u64>>,
    seen: FxHashSet<(Vec<Condition>, u32)>,
}

impl<'t> Inducer<'t> {
    fn new(table: &'t DecisionTable, attrs: &AttrSet, settings: &'t Covering) -> Self {
        let weights = (0..table.n_objects()).map(|row| table.weight(row) << FRESH).collect();
        let (start, support, seen) = (Vec::new(), Vec::new(), FxHashSet::default());
        let mut inducer = Self { table, attrs: attrs.iter().collect(), settings, weights, start, support, seen };
        let everything: Vec<u32> = (0..table.n_objects() as u32).collect();
        let of_object = |row| (table.decision().code(row) as usize, inducer.weights[row]);
        inducer.start = inducer.sums(&inducer.attrs, &everything, table.n_decisions(), of_object);
        inducer.support = inducer.start.iter().map(|sums| sums.iter().map(|sum| sum >> FRESH).collect()).collect();
        inducer
    }

    /// What `objects` weigh by value and by group, of which there are `n_groups`, for each of `attrs`: of value v and group g at
    /// `v * n_groups + g`. `of_object` tells the group and the weight of an object.
    fn sums(
        &self,
        attrs: &[AttrIdx],
        objects: &[u32],
        n_groups: usize,
        of_object: impl Fn(usize) -> (usize, u64),
    ) -> Vec<Vec<u64>> {
        let none = |&attr: &AttrIdx| vec![0; self.table.attribute(attr).n_values() * n_groups];
        let mut sums: Vec<Vec<u64>> = attrs.iter().map(none).collect();
        for rows in objects.chunks(TOGETHER) {
            let of_rows: Vec<(usize, u64)> = rows.iter().map(|&row| of_object(row as usize)).collect();
            sums.par_iter_mut().zip(attrs).for_each(|(sums, &attr)| {
                with_codes!(self.table.attribute(attr).codes(), codes => {
                    for (&row, &(group, weight)) in rows.iter().zip(&of_rows) {
                        sums[codes[row as usize].index() * n_groups + group] += weight;
                    }
                });
            });
        }
        sums
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

    /// The next new rule for a decision. Finding a known rule, or one that only seems to tell something because of the
    /// discounts, discounts what it supports once more.
    fn next_rule(&mut self, decision: u32) -> Option<Rule> {
        for _ in 0..FRESH {
            let conditions = self.grow(decision)?;
            let rule = Rule::counted(self.table, conditions, decision);
            self.discount(&rule);
            if tells_something(&rule, self.table) && self.seen.insert((rule.conditions.clone(), decision)) {
                return Some(rule);
            }
        }
        None
    }

    /// Adds the condition of the largest gain until none gains or the rule is long enough.
    fn grow(&self, decision: u32) -> Option<Vec<Condition>> {
        let first = self.supported(None, self.first_candidates(decision), decision)?;
        let attribute = self.table.attribute(first.attr);
        let mut objects: Vec<u32> = with_codes!(attribute.codes(), codes => {
            (0..).zip(codes).filter(|(_, code)| first.holds(code.index() as u32)).map(|(row, _)| row).collect()
        });
        let mut conditions = vec![first];
        while conditions.len() < self.settings.max_len {
            let candidates = self.candidates(decision, &conditions, &objects);
            let Some(best) = self.supported(Some(&objects), candidates, decision) else { break };
            let attribute = self.table.attribute(best.attr);
            objects.retain(|&row| best.holds(attribute.code(row as usize)));
            conditions.push(best);
        }
        Some(conditions)
    }

    /// The candidate of the largest gain (the first of equals) that enough of `objects` support, or of all objects.
    fn supported(&self, objects: Option<&[u32]>, mut candidates: Vec<Candidate>, decision: u32) -> Option<Condition> {
        candidates.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let support = |condition: Condition, rows: &[u32]| -> u64 {
            let (codes, decisions) = (self.table.attribute(condition.attr), self.table.decision());
            let rows = rows.iter().map(|&row| row as usize);
            let supporting = rows.filter(|&row| condition.holds(codes.code(row)) && decisions.code(row) == decision);
            supporting.map(|row| self.table.weight(row)).sum()
        };
        let least = self.settings.min_support.max(1);
        let enough = |&condition: &Condition| {
            self.most_support(condition, decision) >= least
                && objects.is_none_or(|rows| support(condition, rows) >= least)
        };
        candidates.into_iter().map(|(_, condition)| condition).find(enough)
    }

    /// The support of a condition that stands alone.
    fn most_support(&self, condition: Condition, decision: u32) -> u64 {
        let at = condition.first as usize * self.table.n_decisions() + decision as usize;
        self.attrs.binary_search(&condition.attr).map_or(0, |column| self.support[column][at])
    }

    /// All conditions that gain when they stand alone.
    fn first_candidates(&self, decision: u32) -> Vec<Candidate> {
        let tally =
            |of_decisions: &[u64]| Tally { all: of_decisions.iter().sum(), target: of_decisions[decision as usize] };
        let of_attribute = |(start, &attr): (&Vec<u64>, &AttrIdx)| {
            gaining(attr, start.chunks_exact(self.table.n_decisions()).map(tally).collect())
        };
        self.start.iter().zip(&self.attrs).flat_map(of_attribute).collect()
    }

    /// All conditions that gain when added to `conditions`, which `objects` match.
    fn candidates(&self, decision: u32, conditions: &[Condition], objects: &[u32]) -> Vec<Candidate> {
        let is_open = |attr: &AttrIdx| conditions.iter().all(|used| used.attr != *attr);
        let open: Vec<AttrIdx> = self.attrs.iter().copied().filter(is_open).collect();
        let of_object = |row| (usize::from(self.table.decision().code(row) == decision), self.weights[row]);
        let tally = |&[others, target]: &[u64; 2]| Tally { all: others + target, target };
        let of_attribute = |(sums, &attr): (Vec<u64>, &AttrIdx)| {
            let (values, _) = sums.as_chunks();
            gaining(attr, values.iter().map(tally).collect())
        };
        self.sums(&open, objects, 2, of_object).into_iter().zip(&open).flat_map(of_attribute).collect()
    }

    /// Halves the weight of the objects that support `rule`.
    fn discount(&mut self, rule: &Rule) {
        let table = self.table;
        let mut rows = rule.objects(table);
        rows.retain(|&row| table.decision().code(row as usize) == rule.decision);
        let loss = |row: usize| (0, self.weights[row] - halved(self.weights[row], table.weight(row)));
        let losses = self.sums(&self.attrs, &rows, 1, loss);
        for (start, losses) in self.start.iter_mut().zip(losses) {
            let of_decision = start.iter_mut().skip(rule.decision as usize).step_by(table.n_decisions());
            of_decision.zip(losses).for_each(|(start, loss)| *start -= loss);
        }
        for row in rows.into_iter().map(|row| row as usize) {
            self.weights[row] = halved(self.weights[row], table.weight(row));
        }
    }
}

/// Half of the weight of an object that stands for `times` objects. The weight of each of them is halved by itself, in whole
/// numbers, so that equal rows count the same whether they are merged or not.
fn halved(weight: u64, times: u64) -> u64 {
    let times = times.max(1);
    times * (weight / times / 2)
}

/// Whether the decision is more frequent among the objects that match the rule than among all: a lift above 1.
fn tells_something(rule: &Rule, table: &DecisionTable) -> bool {
    rule.inclusion().compare(Fraction::new(rule.decision_weight, table.total_weight())).is_gt()
}

/// The values of an attribute that gain, given what the objects with each value weigh.
fn gaining(attr: AttrIdx, of_value: Vec<Tally>) -> Vec<Candidate> {
    let whole = of_value
        .iter()
        .fold(Tally::default(), |whole, part| Tally { all: whole.all + part.all, target: whole.target + part.target });
    let gains = (0..).zip(of_value).map(|(code, part)| (part.gain_over(whole), Condition::value(attr, code)));
    gains.filter(|(gain, _)| *gain > 0.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::table::{Attribute, Value, Weights};

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
        let rules = covering_rules(&table, &table.all_attributes(), &settings, &Silent).unwrap();
        assert_eq!(rules.iter().map(|r| r.decision).collect::<Vec<_>>(), vec![0, 1]);
        assert_eq!(
            rules[1].conditions,
            vec![Condition::value(AttrIdx::new(0), 1), Condition::value(AttrIdx::new(1), 1)]
        );
        assert_eq!(rules[1].inclusion(), Fraction::new(10, 10));
    }

    #[test]
    fn rules_start_from_what_objects_weigh_after_discounts() {
        let (table, settings) = (conjunction(), Covering { n_rules: 2, max_len: 3, min_support: 2 });
        let all = table.all_attributes();
        let rule = covering_rules(&table, &all, &settings, &Silent).unwrap().remove(1);
        let mut inducer = Inducer::new(&table, &all, &settings);
        let objects: Vec<u32> = (0..table.n_objects() as u32).collect();
        for _ in 0..2 {
            let before = inducer.start.clone();
            inducer.discount(&rule);
            let of_object = |row| (table.decision().code(row) as usize, inducer.weights[row]);
            assert_eq!(inducer.start, inducer.sums(&inducer.attrs, &objects, table.n_decisions(), of_object));
            assert_ne!(inducer.start, before);
        }
    }

    #[test]
    fn rules_differ_and_keep_their_limits() {
        let table = conjunction();
        let settings = Covering { n_rules: 12, max_len: 2, min_support: 3 };
        let rules = covering_rules(&table, &table.all_attributes(), &settings, &Silent).unwrap();
        let distinct: FxHashSet<_> = rules.iter().map(|r| (r.conditions.clone(), r.decision)).collect();
        assert_eq!(distinct.len(), rules.len());
        assert!(rules.iter().all(|r| r.support >= 3 && (1..=2).contains(&r.conditions.len())));
    }

    #[test]
    fn every_rule_raises_the_share_of_its_decision() {
        let table = conjunction();
        let settings = Covering { n_rules: 40, max_len: 3, min_support: 1 };
        for rule in covering_rules(&table, &table.all_attributes(), &settings, &Silent).unwrap() {
            let share = table.decision_weights()[rule.decision as usize] as f64 / table.total_weight() as f64;
            assert!(rule.inclusion().value() > share, "{}", rule.display(&table));
        }
    }

    /// What supports many rules is halved down to nothing, which a row of weight 3 must not outlast.
    #[test]
    fn repeated_rows_and_one_weighted_row_give_the_same_rules() {
        let column = |name: &str, of: &dyn Fn(i64) -> i64, rows: &[i64]| {
            Attribute::from_integers(name, rows.iter().map(|&row| of(row)))
        };
        let table = |rows: &[i64], weights: Weights| {
            let conditions = [3, 5, 7, 11].map(|k| column(&format!("a{k}"), &move |row| row * k / 4 % 4, rows));
            DecisionTable::new(conditions.into(), column("d", &|row| row * row % 3, rows), weights).unwrap()
        };
        let rows: Vec<i64> = (0..30).collect();
        let times = |row: i64| (row % 5 + 1) as usize;
        let repeated: Vec<i64> = rows.iter().flat_map(|&row| vec![row; times(row)]).collect();
        let weighted = table(&rows, Weights::Counts(rows.iter().map(|&row| times(row) as u32).collect()));
        let settings = Covering { n_rules: 300, max_len: 4, min_support: 1 };
        let rules = |table: &DecisionTable| covering_rules(table, &table.all_attributes(), &settings, &Silent).unwrap();
        assert_eq!(rules(&weighted), rules(&table(&repeated, Weights::Unit)));
        // One of weight 3 and three of weight 1, halved 13 times.
        let left = |weight: u64, times: u64| (0..13).fold(weight << FRESH, |weight, _| halved(weight, times));
        assert_eq!((left(3, 3), 3 * left(1, 1), left(0, 0)), (0, 0, 0));
    }

    #[test]
    fn a_decision_that_nothing_tells_apart_has_no_rules() {
        let table = DecisionTable::from_rows(&["a"], "d", &[["0", "x"], ["0", "y"]]).unwrap();
        let settings = Covering { n_rules: 4, max_len: 2, min_support: 1 };
        assert!(covering_rules(&table, &table.all_attributes(), &settings, &Silent).unwrap().is_empty());
    }

    #[test]
    fn a_name_for_each_object_as_attribute_and_decision_is_refused() {
        let names: Vec<Value> = (0..12_000).map(Value::Integer).collect();
        let [name, decision] = ["name", "d"].map(|column| Attribute::from_values(column, &names));
        let table = DecisionTable::new(vec![name], decision, Weights::Unit).unwrap();
        let settings = Covering::usual(&table);
        let error = covering_rules(&table, &table.all_attributes(), &settings, &Silent).unwrap_err();
        assert!(error.to_string().contains("at most 134217728 counts, got 144000000"), "{error}");
    }
}
