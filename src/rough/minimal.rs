//! All minimal rules: certain ones by hitting sets, those of an inclusion degree by trying sets of conditions.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::classes::{Classes, Draft};
use super::condition::Condition;
use super::hitting::{Clause, Enumeration, minimal_hitting_sets};
use super::rule::Rule;
use super::trial::minimal_sets;
use super::{Notion, Quotient, RoughError};
use crate::observe::{Observer, Silent};
use crate::table::{AttrSet, DecisionTable};

/// Classes whose rules are sought together, between looks at the limit.
const CHUNK: usize = 64;

/// Which minimal rules are wanted.
///
/// A rule is minimal for `beta` if its inclusion degree is at least `beta` and that of no rule for the same decision
/// with fewer of its conditions is (the rule without conditions included). So each condition is needed. With `beta`
/// = 1 these are the certain rules that are certain no longer without any one of their conditions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Minimal {
    /// β, the least inclusion degree, in (0, 1].
    pub beta: f64,
    /// The most conditions of a rule.
    pub max_len: usize,
    /// The least weight of objects that match a rule and have its decision, at least 1.
    pub min_support: u64,
    /// The most rules to give.
    pub limit: usize,
}

impl Default for Minimal {
    fn default() -> Self {
        Self { beta: 1.0, max_len: usize::MAX, min_support: 1, limit: usize::MAX }
    }
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
    minimal_rules(table, attrs, &Minimal { limit, ..Minimal::default() }, &Silent)
}

/// All rules over `attrs` that are minimal for `wanted.beta`, of its length and support, at most `wanted.limit`.
///
/// Certain rules of any length and support come class by class, in the order of the first object that they match;
/// all others shortest first. The former take O(qm) per class and the time of its hitting sets, the latter time that
/// grows with the number of sets of conditions that have the support, the length, and more than one decision: a bound
/// on length or support keeps that small.
///
/// # Errors
/// When certain rules of any length and support are wanted and `attrs` has more than 128 attributes.
pub fn minimal_rules(
    table: &DecisionTable,
    attrs: &AttrSet,
    wanted: &Minimal,
    observer: &dyn Observer,
) -> Result<Enumeration<Rule>, RoughError> {
    let classes = Classes::new(table, attrs);
    let unbounded = wanted.beta >= 1.0 && wanted.max_len >= attrs.len() && wanted.min_support <= 1;
    let drafts = if unbounded {
        by_hitting_sets(&classes, attrs, wanted.limit, observer)?
    } else {
        minimal_sets(&classes, wanted, observer)
    };
    let found = drafts.found.into_par_iter().map(|draft| classes.rule(draft)).collect();
    Ok(Enumeration { found, complete: drafts.complete })
}

/// For each consistent class the minimal sets of its values that tell it from all classes of another label.
fn by_hitting_sets(
    classes: &Classes<'_>,
    attrs: &AttrSet,
    limit: usize,
    observer: &dyn Observer,
) -> Result<Enumeration<Draft>, RoughError> {
    let table = classes.table();
    let quotient = Quotient::from_partition(table, attrs, Notion::Positive, classes.partition());
    quotient.check_width("the enumeration of rules")?;
    let packed = quotient.packed();
    let certain = |class: usize| classes.distribution().certain(class).map(|decision| (class, decision));
    let consistent: Vec<(usize, u32)> = (0..classes.len()).filter_map(certain).collect();
    observer.begin("enumerating rules", consistent.len() as u64);
    let (mut found, mut seen, mut complete) = (Vec::new(), FxHashSet::default(), true);
    for chunk in consistent.chunks(CHUNK) {
        let sets = chunk.par_iter().map(|&(class, decision)| {
            (class, decision, minimal_hitting_sets(&quotient.clauses_of_row(&packed, class), limit))
        });
        for (class, decision, sets) in sets.collect::<Vec<_>>() {
            complete &= sets.complete;
            let conditions = |needed: &Clause| chosen(classes, class as u32, *needed);
            let new = sets.found.iter().map(conditions).filter(|conditions| seen.insert(conditions.clone()));
            found.extend(new.map(|conditions| (conditions, decision)));
        }
        observer.advance(chunk.len() as u64);
        if found.len() > limit {
            complete = false;
            found.truncate(limit);
            break;
        }
    }
    observer.end();
    Ok(Enumeration { found, complete })
}

/// The values of a class in the columns whose bits are set.
fn chosen(classes: &Classes<'_>, class: u32, columns: Clause) -> Vec<Condition> {
    let columns = (0..classes.columns().len()).filter(|bit| columns >> bit & 1 == 1);
    columns.map(|column| classes.condition(class, column)).collect()
}
