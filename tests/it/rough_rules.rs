//! Rules equal their definitions, spelled out row by row, on random small tables.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use proptest::prelude::*;
use roughboard::observe::Silent;
use roughboard::rough::{
    Approximations, Condition, Filter, Goal, Minimal, Rule, RuleOrder, RuleSet, SavedRules, Sequential, Voting, lem2,
    minimal_certain_rules, minimal_rules, mlem2, reduced_rules, sequential_rules,
};
use roughboard::table::{AttrIdx, Attribute, DecisionTable, Value, Weights};

use crate::small_tables;

const DEGREES: [f64; 5] = [0.5, 0.6, 2.0 / 3.0, 0.8, 1.0];

/// A table of up to 20 objects, 1 to 4 attributes of up to 4 numbers of which some are missing, up to 3 decisions,
/// weights 1 to 3.
fn tables() -> impl Strategy<Value = DecisionTable> {
    let value = |number: Option<i64>| number.map_or(Value::Missing, |number| Value::Real(number as f64 * 0.3));
    small_tables::drawn(1..=4, 20, 3, move |n_rows| {
        prop::collection::vec(prop::option::weighted(0.9, 0..4_i64).prop_map(value), n_rows)
    })
}

type Rows = BTreeSet<usize>;

fn all_rows(table: &DecisionTable) -> Rows {
    (0..table.n_objects()).collect()
}

fn meeting(table: &DecisionTable, conditions: &[Condition]) -> Rows {
    let meets = |row: &usize| conditions.iter().all(|condition| condition.matches(table, *row));
    all_rows(table).into_iter().filter(meets).collect()
}

fn weight(table: &DecisionTable, rows: &Rows) -> u64 {
    rows.iter().map(|&row| table.weight(row)).sum()
}

fn approximation(table: &DecisionTable, decision: u32, goal: Goal) -> Rows {
    let approximation = Approximations::of(table, &table.all_attributes()).of_decision(decision);
    let rows = if goal == Goal::Lower { approximation.lower } else { approximation.upper };
    rows.into_iter().map(|row| row as usize).collect()
}

/// The pairs t of LEM2, or of MLEM2, in their order. All values of a domain occur here.
fn pairs(table: &DecisionTable, intervals: bool) -> Vec<Condition> {
    let mut pairs = Vec::new();
    for at in 0..table.n_attributes() {
        let attr = AttrIdx::new(at);
        let domain = table.attribute(attr).domain();
        let numbers = domain.iter().filter(|value| **value != Value::Missing).count() as u32;
        let cut = if intervals && numbers > 1 { numbers } else { 0 };
        for at in 1..cut {
            pairs.extend([Condition::interval(attr, 0, at - 1), Condition::interval(attr, at, cut - 1)]);
        }
        pairs.extend((cut..domain.len() as u32).map(|code| Condition::value(attr, code)));
    }
    pairs
}

/// The local covering of `target`, step by step as published.
fn local_covering(table: &DecisionTable, target: &Rows, intervals: bool) -> Vec<Vec<Condition>> {
    let mut goal = target.clone();
    let mut complexes: Vec<Vec<Condition>> = Vec::new();
    while !goal.is_empty() {
        let mut complex: Vec<Condition> = Vec::new();
        while complex.is_empty() || !meeting(table, &complex).is_subset(target) {
            let open = pairs(table, intervals).into_iter().filter(|pair| !complex.iter().any(|t| t.implies(*pair)));
            let rank = |pair: &Condition| {
                let block = meeting(table, &[*pair]);
                let common = block.intersection(&goal).copied().collect();
                (weight(table, &common), Reverse(weight(table, &block)))
            };
            // The first of the best: max_by_key gives the last of equals.
            let best = open.rev_max_by_key(rank);
            goal = goal.intersection(&meeting(table, &[best])).copied().collect();
            complex.push(best);
        }
        for condition in complex.clone() {
            let rest: Vec<Condition> = complex.iter().copied().filter(|t| *t != condition).collect();
            if meeting(table, &rest).is_subset(target) {
                complex = rest;
            }
        }
        complexes.push(complex);
        let covered: Rows = complexes.iter().flat_map(|complex| meeting(table, complex)).collect();
        goal = target.difference(&covered).copied().collect();
    }
    for complex in complexes.clone() {
        let rest: Vec<Vec<Condition>> = complexes.iter().filter(|other| **other != complex).cloned().collect();
        let covered: Rows = rest.iter().flat_map(|complex| meeting(table, complex)).collect();
        if covered == *target {
            complexes = rest;
        }
    }
    complexes.into_iter().map(joined).collect()
}

trait FirstOfBest: Iterator<Item = Condition> + Sized {
    fn rev_max_by_key<K: Ord>(self, key: impl Fn(&Condition) -> K) -> Condition {
        let all: Vec<Condition> = self.collect();
        all.into_iter().rev().max_by_key(key).unwrap()
    }
}
impl<I: Iterator<Item = Condition>> FirstOfBest for I {}

/// By attribute, with the intervals of one attribute made one.
fn joined(complex: Vec<Condition>) -> Vec<Condition> {
    let attrs: BTreeSet<AttrIdx> = complex.iter().map(|condition| condition.attr).collect();
    let join = |attr: AttrIdx| {
        let own: Vec<&Condition> = complex.iter().filter(|condition| condition.attr == attr).collect();
        let (first, last) = (own.iter().map(|c| c.first).max().unwrap(), own.iter().map(|c| c.last).min().unwrap());
        Condition { attr, first, last, interval: own[0].interval }
    };
    attrs.into_iter().map(join).collect()
}

/// The conditions without the one at each place in turn, or without one of its bounds if it is an interval.
fn relaxed(table: &DecisionTable, conditions: &[Condition]) -> Vec<Vec<Condition>> {
    let mut all = Vec::new();
    for (at, condition) in conditions.iter().enumerate() {
        let mut without = conditions.to_vec();
        without.remove(at);
        all.push(without);
        if condition.interval {
            let numbers = table.attribute(condition.attr).domain().iter().filter(|v| **v != Value::Missing).count();
            let last = numbers as u32 - 1;
            let wider = [
                Condition::interval(condition.attr, 0, condition.last),
                Condition::interval(condition.attr, condition.first, last),
            ];
            // An interval without bounds is no condition of MLEM2.
            let everything = Condition::interval(condition.attr, 0, last);
            for wide in wider.into_iter().filter(|wide| wide != condition && *wide != everything) {
                let mut changed = conditions.to_vec();
                changed[at] = wide;
                all.push(changed);
            }
        }
    }
    all
}

fn goals() -> impl Strategy<Value = Goal> {
    prop::sample::select(vec![Goal::Lower, Goal::Upper])
}

fn degree(conditions: &[Condition], decision: u32, table: &DecisionTable) -> (f64, u64) {
    let rule = Rule::counted(table, conditions.to_vec(), decision);
    (rule.inclusion().value(), rule.support)
}

/// Every set of conditions that an object meets.
fn descriptions(table: &DecisionTable) -> BTreeSet<Vec<Condition>> {
    let n = table.n_attributes();
    let part = |(row, members): (usize, usize)| {
        let attrs = (0..n).filter(|at| members >> at & 1 == 1).map(AttrIdx::new);
        attrs.map(|attr| Condition::value(attr, table.attribute(attr).code(row))).collect()
    };
    (0..table.n_objects()).flat_map(|row| (0..1 << n).map(move |members| (row, members))).map(part).collect()
}

fn parts(conditions: &[Condition]) -> Vec<Vec<Condition>> {
    let chosen = |members: usize| (0..conditions.len()).filter(move |at| members >> at & 1 == 1);
    (0..1 << conditions.len()).map(|members| chosen(members).map(|at| conditions[at]).collect()).collect()
}

/// All minimal rules by the definition.
fn minimal_by_definition(table: &DecisionTable, wanted: &Minimal) -> BTreeSet<(Vec<Condition>, u32)> {
    let mut found = BTreeSet::new();
    for conditions in descriptions(table) {
        for decision in 0..table.n_decisions() as u32 {
            let (inclusion, support) = degree(&conditions, decision, table);
            let fits = support >= wanted.min_support && conditions.len() <= wanted.max_len;
            let reaches = |part: &Vec<Condition>| degree(part, decision, table).0 >= wanted.beta;
            let mut proper = parts(&conditions).into_iter().filter(|part| part.len() < conditions.len());
            if fits && inclusion >= wanted.beta && !proper.any(|part| reaches(&part)) {
                found.insert((conditions.clone(), decision));
            }
        }
    }
    found
}

/// Drops the best condition again and again, counting every candidate anew.
fn shortened_by_definition(table: &DecisionTable, rule: &Rule, alpha: f64) -> Rule {
    let mut rule = rule.clone();
    loop {
        let without = |at: usize| {
            let mut conditions = rule.conditions.clone();
            conditions.remove(at);
            Rule::counted(table, conditions, rule.decision)
        };
        let passing = (0..rule.len()).map(without).filter(|shorter| shorter.inclusion().value() >= alpha);
        let mut best: Option<Rule> = None;
        for shorter in passing {
            let key = |rule: &Rule| (rule.inclusion().value(), rule.support as f64);
            if best.as_ref().is_none_or(|best| key(&shorter) > key(best)) {
                best = Some(shorter);
            }
        }
        match best {
            Some(shorter) => rule = shorter,
            None => return rule,
        }
    }
}

fn recounted(table: &DecisionTable, rule: &Rule) -> Rule {
    Rule::counted(table, rule.conditions.clone(), rule.decision)
}

/// A table, a degree, a bound on the length of rules, and the least support.
fn asked(max_len: usize, min_support: u64) -> impl Strategy<Value = (DecisionTable, f64, usize, u64)> {
    (tables(), prop::sample::select(DEGREES.to_vec()), 1..=max_len, 1..=min_support)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn local_coverings_are_those_of_the_published_procedure(table in tables(), goal in goals(), intervals: bool) {
        let induce = if intervals { mlem2 } else { lem2 };
        let rules = induce(&table, &table.all_attributes(), goal, &Silent);
        for decision in 0..table.n_decisions() as u32 {
            let expected = local_covering(&table, &approximation(&table, decision, goal), intervals);
            let found: Vec<_> = rules.iter().filter(|r| r.decision == decision).map(|r| r.conditions.clone()).collect();
            prop_assert_eq!(found, expected);
        }
        prop_assert!(rules.iter().all(|rule| *rule == recounted(&table, rule)));
    }

    #[test]
    fn local_coverings_are_exact_and_minimal(table in tables(), goal in goals(), intervals: bool) {
        let induce = if intervals { mlem2 } else { lem2 };
        let rules = induce(&table, &table.all_attributes(), goal, &Silent);
        for decision in 0..table.n_decisions() as u32 {
            let target = approximation(&table, decision, goal);
            let own: Vec<&Rule> = rules.iter().filter(|rule| rule.decision == decision).collect();
            let covered = |without: Option<usize>| -> Rows {
                let kept = own.iter().enumerate().filter(|(at, _)| Some(*at) != without);
                kept.flat_map(|(_, rule)| meeting(&table, &rule.conditions)).collect()
            };
            prop_assert_eq!(&covered(None), &target);
            prop_assert!((0..own.len()).all(|at| covered(Some(at)) != target));
            for rule in &own {
                prop_assert!(goal == Goal::Upper || rule.is_certain());
                for weaker in relaxed(&table, &rule.conditions) {
                    prop_assert!(!meeting(&table, &weaker).is_subset(&target));
                }
            }
        }
    }

    #[test]
    fn reduced_rules_are_certain_and_need_every_condition(table in tables(), limit in 1..30_usize) {
        let all = table.all_attributes();
        let approximations = Approximations::of(&table, &all);
        let reduced = reduced_rules(&table, &all, limit, &Silent);
        prop_assert_eq!(reduced.complete, approximations.partition().n_classes() <= limit);
        for rule in &reduced.found {
            prop_assert_eq!(rule, &recounted(&table, rule));
            if rule.is_certain() {
                let whole = |weaker: &Vec<Condition>| degree(weaker, rule.decision, &table).0 >= 1.0;
                prop_assert!(!relaxed(&table, &rule.conditions).iter().any(whole));
            } else {
                prop_assert_eq!(rule.len(), table.n_attributes());
            }
        }
        if reduced.complete {
            let rules = RuleSet::new(&table, reduced.found);
            prop_assert_eq!(rules.covered(&table), table.total_weight());
        }
    }

    #[test]
    fn minimal_rules_are_those_of_the_definition(
        (table, beta, max_len, min_support) in asked(5, 4),
    ) {
        let all = table.all_attributes();
        let wanted = Minimal { beta, max_len, min_support, limit: usize::MAX };
        let found = minimal_rules(&table, &all, &wanted, &Silent).unwrap();
        let set: BTreeSet<_> = found.found.iter().map(|rule| (rule.conditions.clone(), rule.decision)).collect();
        prop_assert_eq!(set.len(), found.found.len());
        prop_assert_eq!(set, minimal_by_definition(&table, &wanted));
        prop_assert!(found.complete);
        prop_assert!(found.found.is_sorted_by_key(Rule::len) || beta >= 1.0);
        for limit in 1..=found.found.len() {
            let some = minimal_rules(&table, &all, &Minimal { limit, ..wanted }, &Silent).unwrap();
            prop_assert!(some.found.len() == limit && some.found.iter().all(|rule| found.found.contains(rule)));
            let shortest_first = beta < 1.0 || min_support > 1 || max_len < table.n_attributes();
            prop_assert!(!shortest_first || some.found[..] == found.found[..limit]);
            prop_assert_eq!(some.complete, limit == found.found.len());
        }
    }

    #[test]
    fn both_ways_to_certain_rules_agree(table in tables()) {
        let all = table.all_attributes();
        let by_sets = minimal_certain_rules(&table, &all, usize::MAX).unwrap().found;
        // A bound on the length that bounds nothing but leads to the other way.
        let wanted = Minimal { min_support: 2, ..Minimal::default() };
        let tried = minimal_rules(&table, &all, &wanted, &Silent).unwrap().found;
        let key = |rule: &Rule| (rule.conditions.clone(), rule.decision);
        let expected: BTreeSet<_> = by_sets.iter().filter(|rule| rule.support >= 2).map(key).collect();
        prop_assert_eq!(tried.iter().map(key).collect::<BTreeSet<_>>(), expected);
    }

    #[test]
    fn sequential_rules_reach_the_degree_and_count_what_they_leave(
        (table, beta, max_len, min_support) in asked(4, 3),
    ) {
        let settings = Sequential { beta, max_len, min_support, n_rules: usize::MAX };
        let found = sequential_rules(&table, &table.all_attributes(), &settings, &Silent);
        for rule in &found.rules {
            prop_assert_eq!(rule, &recounted(&table, rule));
            prop_assert!(rule.inclusion().value() >= beta && rule.support >= min_support && rule.len() <= max_len);
            for weaker in relaxed(&table, &rule.conditions) {
                prop_assert!(degree(&weaker, rule.decision, &table).0 < beta);
            }
        }
        let right = |row: &usize| {
            let decision = table.decision().code(*row);
            found.rules.iter().any(|rule| rule.decision == decision && rule.matches(&table, *row))
        };
        let left: Rows = all_rows(&table).into_iter().filter(|row| !right(row)).collect();
        prop_assert_eq!(found.uncovered, weight(&table, &left));
    }

    #[test]
    fn shortening_keeps_the_degree_and_stops_only_there(table in tables(), alpha in 0.0..=1.0_f64) {
        let rules = reduced_rules(&table, &table.all_attributes(), usize::MAX, &Silent).found;
        let short = RuleSet::new(&table, rules.clone()).shortened(&table, alpha, &Silent).rules;
        let mut expected: Vec<Rule> = Vec::new();
        for rule in &rules {
            let one = shortened_by_definition(&table, rule, alpha);
            prop_assert!(one.inclusion().value() >= alpha || one == *rule);
            if !expected.contains(&one) {
                expected.push(one);
            }
        }
        prop_assert_eq!(short, expected);
    }

    #[test]
    fn redundant_rules_are_those_that_a_general_one_replaces(table in tables(), beta in 0.3..=1.0_f64) {
        let wanted = Minimal { beta, ..Minimal::default() };
        let mut rules = minimal_rules(&table, &table.all_attributes(), &wanted, &Silent).unwrap().found;
        rules.extend(reduced_rules(&table, &table.all_attributes(), usize::MAX, &Silent).found);
        let kept = RuleSet::new(&table, rules.clone()).without_redundant().rules;
        let replaces = |general: &Rule, rule: &Rule| {
            let contained = general.conditions.iter().all(|condition| rule.conditions.contains(condition));
            let as_sure = general.inclusion().value() >= rule.inclusion().value();
            general.decision == rule.decision && contained && as_sure
        };
        // Every rule has its replacement among those kept, and none kept has another.
        prop_assert!(rules.iter().all(|rule| kept.iter().any(|general| replaces(general, rule))));
        let alone = |at: usize| kept.iter().enumerate().all(|(other, rule)| other == at || !replaces(rule, &kept[at]));
        prop_assert!((0..kept.len()).all(alone));
        let passing = RuleSet::new(&table, kept.clone()).filtered(&Filter { min_lift: 1.0, ..Filter::default() });
        prop_assert!(passing.sorted(RuleOrder::Lift).rules.iter().all(|rule| rule.lift() >= 1.0));
    }

    #[test]
    fn saved_rules_come_back_whole(table in tables(), intervals: bool) {
        let induce = if intervals { mlem2 } else { lem2 };
        let rules = RuleSet::new(&table, induce(&table, &table.all_attributes(), Goal::Upper, &Silent));
        let saved = SavedRules::parse(&rules.to_json(&table, Voting::default()).to_string()).unwrap();
        prop_assert_eq!(saved.bind(&table).unwrap(), rules);
        prop_assert_eq!(saved.widen(&table).unwrap(), table);
    }

    #[test]
    fn saved_rules_match_the_same_objects_in_a_part_of_the_table(table in tables(), kept in 1..20_usize) {
        let rules = RuleSet::new(&table, mlem2(&table, &table.all_attributes(), Goal::Lower, &Silent));
        let rows: Vec<u32> = (0..table.n_objects().min(kept) as u32).collect();
        let narrow = |attribute: &Attribute| {
            let values: Vec<Value> = rows.iter().map(|&row| attribute.value(row as usize).clone()).collect();
            Attribute::from_values(attribute.name(), &values)
        };
        let attributes = table.attributes().iter().map(narrow).collect();
        let part = DecisionTable::new(attributes, narrow(table.decision()), Weights::Unit).unwrap();
        let saved = SavedRules::parse(&rules.to_json(&table, Voting::default()).to_string()).unwrap();
        let part = saved.widen(&part).unwrap();
        let bound = saved.bind(&part).unwrap();
        for (old, new) in rules.rules.iter().zip(&bound.rules) {
            let matched: Vec<u32> = rows.iter().copied().filter(|&row| old.matches(&table, row as usize)).collect();
            prop_assert_eq!(new.objects(&part), matched);
            prop_assert_eq!((new.support, new.matching, new.total_weight), (old.support, old.matching, old.total_weight));
        }
    }
}
