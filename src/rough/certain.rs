//! Rules from rows: value reduction, rules of a reduct, all minimal certain rules.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::hitting::{Clause, Enumeration, minimal_hitting_sets};
use super::packed::PackedRows;
use super::rule::{Condition, Rule};
use super::{Approximations, Notion, Quotient, Reduct, RoughError};
use crate::table::{AttrSet, DecisionTable};

/// The rules of the classes of U/IND(reduct), the heaviest classes first, at most `limit` classes.
///
/// A consistent class gives one certain rule, shortened by value reduction: no condition can be left out without
/// matching an object of another decision. An inconsistent class gives one rule with all its values for each of its
/// decisions. Equal rules are given once.
///
/// # Errors
/// When the reduct has more than 128 attributes.
pub fn rules_of_reduct(table: &DecisionTable, reduct: &Reduct, limit: usize) -> Result<Vec<Rule>, RoughError> {
    let source = Source::new(table, reduct.attrs());
    source.quotient.check_width("value reduction")?;
    let distribution = source.approximations.distribution();
    let mut classes: Vec<usize> = (0..distribution.n_classes()).collect();
    classes.sort_by_key(|&class| std::cmp::Reverse(distribution.class_weight(class)));
    classes.truncate(limit);
    let of_class = |&class: &usize| match distribution.certain(class) {
        Some(decision) => {
            let needed = short_hitting_set(&source.quotient.clauses_of_row(&source.packed, class));
            vec![(source.conditions(class, needed), decision)]
        }
        None => {
            let conditions = source.conditions(class, Clause::MAX);
            distribution.of_class(class).iter().map(|&(decision, _)| (conditions.clone(), decision)).collect()
        }
    };
    Ok(count_distinct(table, classes.par_iter().flat_map_iter(of_class).collect()))
}

/// All minimal certain rules over `attrs`, at most `limit` of them: each matches objects of one decision only, and
/// no longer does without any of its conditions. In the order of the first object that they match.
///
/// # Errors
/// When `attrs` has more than 128 attributes.
pub fn minimal_certain_rules(
    table: &DecisionTable,
    attrs: &AttrSet,
    limit: usize,
) -> Result<Enumeration<Rule>, RoughError> {
    let source = Source::new(table, attrs);
    source.quotient.check_width("the enumeration of rules")?;
    let distribution = source.approximations.distribution();
    let (mut drafts, mut seen, mut complete) = (Vec::new(), FxHashSet::default(), true);
    for class in 0..distribution.n_classes() {
        let Some(decision) = distribution.certain(class) else { continue };
        let sets = minimal_hitting_sets(&source.quotient.clauses_of_row(&source.packed, class), limit);
        complete &= sets.complete;
        for needed in sets.found {
            let conditions = source.conditions(class, needed);
            if seen.insert(conditions.clone()) {
                drafts.push((conditions, decision));
            }
        }
        if drafts.len() > limit {
            complete = false;
            drafts.truncate(limit);
            break;
        }
    }
    Ok(Enumeration { found: count_distinct(table, drafts), complete })
}

/// The classes that rules are made from.
struct Source<'t> {
    approximations: Approximations<'t>,
    quotient: Quotient,
    packed: PackedRows,
}

impl<'t> Source<'t> {
    fn new(table: &'t DecisionTable, attrs: &AttrSet) -> Self {
        let approximations = Approximations::of(table, attrs);
        let quotient = Quotient::from_partition(table, attrs, Notion::Positive, approximations.partition());
        let packed = quotient.packed();
        Self { approximations, quotient, packed }
    }

    /// The values of a class on the chosen columns.
    fn conditions(&self, class: usize, columns: Clause) -> Vec<Condition> {
        let chosen = self.quotient.columns().iter().enumerate().filter(|(bit, _)| columns >> bit & 1 == 1);
        chosen.map(|(_, column)| (column.attr, column.codes.get(class))).collect()
    }
}

/// A minimal hitting set that is short: the element that meets most clauses first, then without what is not needed.
pub(super) fn short_hitting_set(clauses: &[Clause]) -> Clause {
    let (mut open, mut chosen) = (clauses.to_vec(), Vec::new());
    while !open.is_empty() {
        let meeting = |bit: &u32| open.iter().filter(|clause| *clause >> bit & 1 == 1).count();
        let Some(best) = (0..Clause::BITS).max_by_key(|bit| (meeting(bit), std::cmp::Reverse(*bit))) else { break };
        open.retain(|clause| clause >> best & 1 == 0);
        chosen.push(best);
    }
    let mut set = chosen.iter().fold(0, |set: Clause, bit| set | 1 << bit);
    for bit in chosen {
        let without = set & !(1 << bit);
        if clauses.iter().all(|clause| clause & without != 0) {
            set = without;
        }
    }
    set
}

/// Counts each different draft once, in their order.
fn count_distinct(table: &DecisionTable, drafts: Vec<(Vec<Condition>, u32)>) -> Vec<Rule> {
    let mut seen = FxHashSet::default();
    let drafts: Vec<_> = drafts.into_iter().filter(|draft| seen.insert(draft.clone())).collect();
    drafts.into_par_iter().map(|(conditions, decision)| Rule::counted(table, conditions, decision)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rough::Method;

    #[test]
    fn a_short_hitting_set_is_minimal() {
        assert_eq!(short_hitting_set(&[]), 0);
        assert_eq!(short_hitting_set(&[0b0011, 0b0110, 0b1010]), 0b0010);
        assert_eq!(short_hitting_set(&[0b001, 0b010]), 0b011);
    }

    #[test]
    fn inconsistent_classes_give_a_rule_per_decision() {
        let rows = [["0", "x"], ["0", "y"], ["1", "y"]];
        let table = DecisionTable::from_rows(&["a"], "d", &rows).unwrap();
        let reduct = Reduct::of(&table, Notion::Positive, Method::Greedy);
        let rules = rules_of_reduct(&table, &reduct, 10).unwrap();
        let counts: Vec<(u32, u64, u64)> = rules.iter().map(|r| (r.decision, r.support, r.matching)).collect();
        assert_eq!(counts, vec![(0, 1, 2), (1, 1, 2), (1, 1, 1)]);
    }
}
