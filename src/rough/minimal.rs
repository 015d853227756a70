//! All minimal rules: certain ones by hitting sets, those of an inclusion degree by trying sets of conditions.

mod trial;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::classes::{Classes, Draft, distinct};
use super::hitting::{Clause, Enumeration, all_minimal_hitting_sets};
use super::packed::PackedRows;
use super::rule::Rule;
use super::{Notion, Quotient, RoughError};
use crate::observe::{Observer, Silent, in_parallel};
use crate::settings;
use crate::settings::above;
use crate::table::{AttrSet, DecisionTable};
use trial::minimal_sets;

/// Classes whose rules are sought together, between looks at the limit, are so many or fewer.
const CHUNK: usize = 64;
/// Rules that they may have together, but for those of a single class.
const HELD: usize = 1 << 18;
/// So many minimal sets are looked at for each one that is kept.
const CHOICE: usize = 16;

settings! {
    /// Which minimal rules are wanted.
    ///
    /// A rule is minimal for `beta` if its inclusion degree is at least `beta` and that of no rule for the same decision
    /// with fewer of its conditions is (the rule without conditions included). So each condition is needed. With `beta`
    /// = 1 these are the certain rules that are certain no longer without any one of their conditions.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct Minimal {
        /// β, the least inclusion degree, in (0, 1].
        pub beta: f64 = 1.0, in above(0.0).up_to(1.0);
        /// The most conditions of a rule.
        pub max_len: usize = usize::MAX;
        /// The least weight of objects that match a rule and have its decision, at least 1.
        pub min_support: u64 = 1, in 1..;
        /// The most rules to give.
        pub limit: usize = usize::MAX;
    }
}

/// All minimal certain rules over `attrs`, or where these are more than `limit` some of each class, and no more than that: each rule
/// matches objects of one decision only, and no longer does without any of its conditions. In the order of the first object that they
/// match.
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

/// The consistent classes of a table, and what tells each from the classes of other labels.
struct Consistent<'c> {
    classes: &'c Classes<'c>,
    quotient: Quotient,
    packed: PackedRows,
}

impl<'c> Consistent<'c> {
    fn of(classes: &'c Classes<'c>, attrs: &AttrSet) -> Result<Self, RoughError> {
        let quotient = Quotient::from_partition(classes.table, attrs, Notion::Positive, &classes.partition);
        RoughError::check_width("the enumeration of rules", attrs.len())?;
        let packed = quotient.packed();
        Ok(Self { classes, quotient, packed })
    }

    /// The minimal sets of values of a class that no class of another label has, at most `limit` of them; none for an
    /// inconsistent class.
    fn drafts(&self, class: u32, limit: usize, observer: &dyn Observer) -> Enumeration<Draft> {
        let Some(decision) = self.classes.distribution.certain(class as usize) else {
            return Enumeration { found: Vec::new(), complete: true };
        };
        let clauses = self.quotient.clauses_of_row(&self.packed, class as usize);
        let go_on = || {
            observer.advance(0);
            false
        };
        let sets = all_minimal_hitting_sets(&clauses, limit, &go_on);
        let condition = |column| self.classes.condition(class, column);
        let draft = |set: u128| (set.elements().map(condition).collect(), decision);
        Enumeration { found: sets.found.into_iter().map(draft).collect(), complete: sets.complete }
    }

    /// The different drafts of all classes, of each at most `per_class`, until they are more than `limit`.
    fn drafts_of_all(&self, limit: usize, per_class: usize, observer: &dyn Observer) -> Enumeration<Draft> {
        let all: Vec<u32> = (0..self.classes.len() as u32).collect();
        observer.begin("enumerating rules", all.len() as u64);
        let (mut found, mut seen, mut complete) = (Vec::new(), FxHashSet::default(), true);
        for chunk in all.chunks((HELD / per_class).clamp(1, CHUNK)) {
            let drafts: Vec<_> = chunk.par_iter().map(|&class| self.drafts(class, per_class, observer)).collect();
            for of_class in drafts {
                complete &= of_class.complete;
                found.extend(of_class.found.into_iter().filter(|draft| seen.insert(draft.clone())));
            }
            observer.advance(chunk.len() as u64);
            if found.len() > limit {
                break;
            }
        }
        observer.end();
        Enumeration { found, complete }
    }
}

/// The minimal certain rules of all classes; where they are more than `limit`, as many of each class if it has them, and then others up
/// to the limit.
fn by_hitting_sets(
    classes: &Classes<'_>,
    attrs: &AttrSet,
    limit: usize,
    observer: &dyn Observer,
) -> Result<Enumeration<Draft>, RoughError> {
    let consistent = Consistent::of(classes, attrs)?;
    let all = consistent.drafts_of_all(limit, limit, observer);
    if all.found.len() <= limit {
        return Ok(all);
    }
    let some = consistent.drafts_of_all(limit, (limit / classes.len()).max(1), observer).found;
    let mut found = distinct(some.into_iter().chain(all.found).collect());
    found.truncate(limit);
    Ok(Enumeration { found, complete: false })
}

/// For each consistent class of U/IND(A) its `per_class` shortest minimal certain rules among the first that are found;
/// equal rules are given once, in the order of the first object that they match.
pub(super) fn shortest_rules(
    table: &DecisionTable,
    per_class: usize,
    observer: &dyn Observer,
) -> Result<Vec<Rule>, RoughError> {
    let attrs = table.all_attributes();
    let classes = Classes::new(table, &attrs);
    let consistent = Consistent::of(&classes, &attrs)?;
    let of_class = |class: usize| {
        let mut drafts = consistent.drafts(class as u32, per_class.saturating_mul(CHOICE), observer).found;
        drafts.sort_by_key(|(conditions, _)| conditions.len());
        drafts.truncate(per_class);
        drafts
    };
    let drafts = in_parallel(observer, "rules of classes", classes.len(), of_class);
    let drafts = distinct(drafts.into_iter().flatten().collect());
    Ok(drafts.into_par_iter().map(|draft| classes.rule(draft)).collect())
}
