//! Each fast method equals the definition, spelled out by brute force, on random small tables.

use std::collections::BTreeSet;

use proptest::prelude::*;
use roughboard::observe::Silent;
use roughboard::rough::{
    Approximations, Method, Notion, Partition, Quotient, Relation, minimal_certain_rules, rules_of_reduct,
    smallest_cover,
};
use roughboard::settings::Choices;
use roughboard::table::{AttrIdx, AttrSet, DecisionTable, Value, Weights};

use crate::small_tables::{self, Around, around, subsets};

const MAX_ATTRIBUTES: usize = 5;
const METHODS: [Method; 6] =
    [Method::Greedy, Method::Dependency, Method::Entropy, Method::Gini, Method::Backward, Method::Short];

/// A table of up to 24 objects, 1 to 5 attributes of up to 3 values, up to 3 decisions, weights 1 to 3.
pub fn tables() -> impl Strategy<Value = DecisionTable> {
    small_tables::drawn(1..=MAX_ATTRIBUTES, 24, 3, |n_rows| {
        prop::collection::vec((0..3_i64).prop_map(Value::Integer), n_rows)
    })
}

pub fn description(table: &DecisionTable, row: usize, attrs: &AttrSet) -> Vec<u32> {
    attrs.iter().map(|attr| table.attribute(attr).code(row)).collect()
}

/// Decision → weight in the class of `row` under `attrs`.
fn decisions_beside(table: &DecisionTable, row: usize, attrs: &AttrSet) -> Around {
    around(table, Relation::Indiscernibility, attrs, row)
}

/// Whether `attrs` preserves `notion`.
fn preserves(table: &DecisionTable, attrs: &AttrSet, notion: Notion) -> bool {
    small_tables::preserves(table, Relation::Indiscernibility, attrs, notion)
}

pub fn reducts_by_definition(table: &DecisionTable, notion: Notion) -> BTreeSet<AttrSet> {
    let preserving: Vec<AttrSet> = subsets(table).into_iter().filter(|b| preserves(table, b, notion)).collect();
    let minimal = |b: &&AttrSet| !preserving.iter().any(|other| other != *b && other.is_subset(b));
    preserving.iter().filter(minimal).cloned().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn classes_are_those_of_equal_descriptions(table in tables()) {
        for attrs in subsets(&table) {
            let partition = Partition::by(&table, &attrs);
            for a in 0..table.n_objects() {
                for b in 0..table.n_objects() {
                    let alike = description(&table, a, &attrs) == description(&table, b, &attrs);
                    prop_assert_eq!(partition.class_of(a) == partition.class_of(b), alike);
                }
            }
        }
    }

    #[test]
    fn gamma_and_regions_follow_the_definition(table in tables()) {
        for attrs in subsets(&table) {
            let approximations = Approximations::of(&table, &attrs);
            let positive: Vec<u32> = (0..table.n_objects())
                .filter(|&row| decisions_beside(&table, row, &attrs).len() == 1)
                .map(|row| row as u32)
                .collect();
            let weight: u64 = positive.iter().map(|&row| table.weight(row as usize)).sum();
            prop_assert_eq!(approximations.gamma().numerator, weight);
            prop_assert_eq!(approximations.positive_region(), positive);
            for decision in 0..table.n_decisions() as u32 {
                let upper: Vec<u32> = (0..table.n_objects() as u32)
                    .filter(|&row| decisions_beside(&table, row as usize, &attrs).contains_key(&decision))
                    .collect();
                prop_assert_eq!(approximations.of_decision(decision).upper, upper);
            }
        }
    }

    #[test]
    fn reducts_and_core_follow_the_definition_of_every_notion(table in tables()) {
        for &notion in Notion::ALL {
            let expected = reducts_by_definition(&table, notion);
            let quotient = Quotient::new(&table, &table.all_attributes(), notion);
            let all = quotient.all_reducts(usize::MAX, &Silent);
            let found: BTreeSet<AttrSet> = all.found.iter().map(|reduct| reduct.attrs().clone()).collect();
            prop_assert_eq!(&found, &expected, "all reducts, {}", notion);
            for attrs in subsets(&table) {
                prop_assert_eq!(quotient.is_superreduct(&attrs), preserves(&table, &attrs, notion));
                prop_assert_eq!(quotient.is_reduct(&attrs), expected.contains(&attrs));
            }
            let in_all = |attr: &AttrIdx| expected.iter().all(|reduct| reduct.contains(*attr));
            let core: AttrSet = table.all_attributes().iter().filter(in_all).collect();
            prop_assert_eq!(quotient.core(), core, "core, {}", notion);
            for method in METHODS {
                prop_assert!(expected.contains(quotient.reduct(method).attrs()), "{:?}, {}", method, notion);
            }
            prop_assert!(expected.contains(quotient.hitting_set_reduct().attrs()), "hitting set, {}", notion);
            let minimum = quotient.minimum_reduct(&|| false, &Silent);
            let least = expected.iter().map(AttrSet::len).min().unwrap();
            prop_assert!(expected.contains(minimum.reduct.attrs()));
            prop_assert_eq!((minimum.reduct.len(), minimum.lower_bound), (least, least), "minimum, {}", notion);
        }
    }

    #[test]
    fn merging_changes_no_weighted_figure(table in tables()) {
        let merged = table.merged().unwrap();
        let all = table.all_attributes();
        prop_assert_eq!(Approximations::of(&merged, &all).gamma(), Approximations::of(&table, &all).gamma());
        for &notion in Notion::ALL {
            let reducts = |t: &DecisionTable| Quotient::new(t, &all, notion).all_reducts(usize::MAX, &Silent);
            prop_assert_eq!(reducts(&merged), reducts(&table));
        }
    }

    #[test]
    fn certain_rules_are_certain_minimal_and_cover_the_positive_region(table in tables()) {
        let all = table.all_attributes();
        let rules = minimal_certain_rules(&table, &all, usize::MAX).unwrap().found;
        for rule in &rules {
            prop_assert!(rule.is_certain() && rule.support > 0);
            for left_out in 0..rule.conditions.len() {
                let mut shorter = rule.clone();
                shorter.conditions.remove(left_out);
                let decides = |&row: &u32| table.decision().code(row as usize) == rule.decision;
                prop_assert!(!shorter.objects(&table).iter().all(decides));
            }
        }
        let positive: BTreeSet<u32> = Approximations::of(&table, &all).positive_region().into_iter().collect();
        let covered = |chosen: &[usize]| -> BTreeSet<u32> {
            chosen.iter().flat_map(|&at| rules[at].objects(&table)).collect()
        };
        let cover = smallest_cover(&table, &rules);
        prop_assert_eq!(covered(&cover.chosen), positive);
        prop_assert!(cover.smallest);
    }

    #[test]
    fn rules_of_a_reduct_describe_every_class(table in tables()) {
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        let reduct = quotient.reduct(Method::Greedy);
        let rules = rules_of_reduct(&table, &reduct, usize::MAX);
        for row in 0..table.n_objects() {
            let decided: BTreeSet<u32> =
                rules.iter().filter(|rule| rule.matches(&table, row)).map(|rule| rule.decision).collect();
            let expected = decisions_beside(&table, row, reduct.attrs());
            if expected.len() == 1 {
                prop_assert!(decided.contains(expected.keys().next().unwrap()));
            } else {
                prop_assert!(expected.keys().all(|decision| decided.contains(decision)));
            }
        }
    }
}

#[test]
fn a_constant_decision_needs_no_attribute() {
    let columns = [[1, 2, 1], [2, 2, 3]].map(|numbers| numbers.map(Value::Integer).to_vec());
    let table = small_tables::table(&columns, &[0; 3].map(Value::Integer), Weights::Counts(vec![1; 3]));
    let all = table.all_attributes();
    let gamma = Approximations::of(&table, &all).gamma();
    assert_eq!((gamma.numerator, gamma.denominator), (3, 3));
    let reducts = Quotient::new(&table, &all, Notion::Positive).all_reducts(usize::MAX, &Silent);
    assert!(reducts.found.len() == 1 && reducts.found[0].attrs().is_empty());
    let rules = minimal_certain_rules(&table, &all, usize::MAX).unwrap().found;
    assert!(rules.len() == 1 && rules[0].conditions.is_empty());
}
