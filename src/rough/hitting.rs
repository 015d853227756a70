//! Hitting sets: sets of elements that meet every clause. Reducts are the minimal hitting sets of the discernibility
//! clauses, so every question about reducts becomes one about hitting sets.

mod clause;
mod enumerate;
mod exact;
mod local;

use std::ops::ControlFlow;

pub(super) use clause::{Clause, Wide};
pub(super) use enumerate::visit_minimal_hitting_sets;
pub(super) use exact::{Feasible, HittingSetOfSize, least_size};
use local::LocalSearch;

use crate::random::mix;
use crate::table::AttrSet;

/// A set of at most 128 elements: bit `i` is element `i`. Most tables have no more attributes, and of these sets nothing is as fast.
pub(super) type Narrow = u128;

/// Does the work in sets that are wide enough for so many elements.
macro_rules! with_clauses {
    ($n_elements:expr, $clause:ident => $work:expr) => {
        if $n_elements <= $crate::rough::hitting::Narrow::BITS as usize {
            type $clause = $crate::rough::hitting::Narrow;
            $work
        } else {
            type $clause = $crate::rough::hitting::Wide;
            $work
        }
    };
}
pub(super) use with_clauses;

/// Entries of the memory of clauses seen lately; a power of two.
const RECENT: usize = 1 << 12;

/// A family of clauses of which none contains another.
#[derive(Debug, Default)]
pub(super) struct MinimalClauses<C> {
    /// In no order.
    pub clauses: Vec<C>,
    recent: Vec<C>,
}

impl<C: Clause> MinimalClauses<C> {
    /// Adds a clause unless it contains one that is there, and drops those that contain it.
    pub(crate) fn absorb(&mut self, clause: C) {
        if self.recent.is_empty() {
            self.recent.resize(RECENT, C::default());
        }
        let slot = (mix(clause.folded()) as usize) & (RECENT - 1);
        if self.recent[slot] == clause {
            return;
        }
        self.recent[slot].clone_from(&clause);
        if let Some(at) = self.clauses.iter().position(|known| known.is_within(&clause)) {
            self.clauses.swap(at, at / 2);
            return;
        }
        self.clauses.retain(|known| !clause.is_within(known));
        self.clauses.push(clause);
    }

    /// The minimal ones of both families.
    pub(super) fn joined(mut self, more: Self) -> Self {
        more.clauses.into_iter().for_each(|clause| self.absorb(clause));
        self
    }

    /// The clauses, ascending.
    pub(crate) fn into_sorted(mut self) -> Vec<C> {
        self.clauses.sort_unstable();
        self.clauses
    }
}

/// What an enumeration found, and whether that is everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enumeration<T> {
    /// What was found, ascending.
    pub found: Vec<T>,
    /// False if the enumeration stopped at its limit.
    pub complete: bool,
}

impl<C> Enumeration<C> {
    /// The sets as those of the attributes that `name` gives, ascending.
    pub(super) fn named(&self, name: impl Fn(&C) -> AttrSet) -> Enumeration<AttrSet> {
        let mut found: Vec<AttrSet> = self.found.iter().map(name).collect();
        found.sort();
        Enumeration { found, complete: self.complete }
    }
}

/// The minimal sets that meet every one of `clauses`, at most `limit` of them. Bit `i` of a set is element `i`.
///
/// Without clauses the empty set is the only one; a clause without elements is met by none.
///
/// ```
/// use roughboard::rough::minimal_hitting_sets;
/// assert_eq!(minimal_hitting_sets(&[0b011, 0b110], usize::MAX).found, [0b010, 0b101]);
/// ```
pub fn minimal_hitting_sets(clauses: &[u128], limit: usize) -> Enumeration<u128> {
    all_minimal_hitting_sets(clauses, limit, &|| false)
}

/// As [`minimal_hitting_sets`], of any width, until `stop` says so.
pub(super) fn all_minimal_hitting_sets<C: Clause>(
    clauses: &[C],
    limit: usize,
    stop: &dyn Fn() -> bool,
) -> Enumeration<C> {
    let mut universe = C::default();
    clauses.iter().for_each(|clause| universe.unite(clause));
    let mut found = Vec::new();
    let mut keep = |set: &C| keep_within(limit, &mut found, set);
    let all_known = &mut |_: &C| Vec::new();
    let complete = visit_minimal_hitting_sets(clauses.to_vec(), universe, all_known, stop, &mut keep).is_continue();
    found.sort_unstable();
    Enumeration { found, complete }
}

/// A short hitting set of clauses that are not empty, without idle elements: the best of at most `steps` exchanges of a
/// local search that starts from `start`. Stops at `enough` elements, or when `stop` says so.
pub(super) fn short_hitting_set<C: Clause>(
    clauses: &[C],
    start: &C,
    steps: u64,
    enough: usize,
    stop: &dyn Fn() -> bool,
) -> C {
    let found = LocalSearch::new(clauses, start, clauses.len() as u64).run(steps, enough, stop);
    let mut set = found.clone();
    for element in found.elements() {
        set.remove(element);
        if !clauses.iter().all(|clause| clause.meets(&set)) {
            set.insert(element);
        }
    }
    set
}

/// Keeps a set, unless there are `limit` already: then there are more than that, which breaks off.
pub(super) fn keep_within<C: Clause>(limit: usize, found: &mut Vec<C>, set: &C) -> ControlFlow<()> {
    if found.len() == limit {
        return ControlFlow::Break(());
    }
    found.push(set.clone());
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_clauses_the_empty_set_hits_all() {
        assert_eq!(minimal_hitting_sets(&[], 9).found, [0]);
        assert_eq!(minimal_hitting_sets(&[0, 1], 9).found, [0_u128; 0]);
    }

    #[test]
    fn the_limit_is_reported() {
        let some = minimal_hitting_sets(&[0b1111], 3);
        assert_eq!((some.found.len(), some.complete), (3, false));
        assert!(minimal_hitting_sets(&[0b1111], 4).complete);
    }
}
