//! Is there a hitting set of at most k elements? Branch and bound.

use std::ops::ControlFlow;

use super::{Clause, elements};

/// The answer to the question whether a hitting set of a size exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feasible {
    /// It does: this one.
    Yes(Clause),
    /// It does not: all cases were tried or ruled out.
    No,
    /// The search was stopped before it knew.
    Unknown,
}

/// A search for a hitting set of at most a given size.
pub struct HittingSetOfSize<'s> {
    /// Is asked every so many nodes whether to stop.
    stop: &'s dyn Fn() -> bool,
    nodes: u64,
    found: Option<Clause>,
}

/// Nodes between two questions whether to stop.
const NODES: u64 = 1 << 10;

impl<'s> HittingSetOfSize<'s> {
    /// Searches for a hitting set of `clauses` with at most `size` elements, until `stop` says so.
    pub fn search(clauses: &[Clause], size: usize, stop: &'s dyn Fn() -> bool) -> Feasible {
        let mut search = Self { stop, nodes: 0, found: None };
        let result = search.node(clauses.to_vec(), 0, size);
        match search.found {
            Some(set) => Feasible::Yes(set),
            None if result.is_break() => Feasible::Unknown,
            None => Feasible::No,
        }
    }

    /// Breaks off when a set was found or the search was stopped. `open` has no elements that were ruled out.
    fn node(&mut self, mut open: Vec<Clause>, mut chosen: Clause, mut left: usize) -> ControlFlow<()> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES) && (self.stop)() {
            return ControlFlow::Break(());
        }
        // A clause with a single element leaves no choice.
        while let Some(&single) = open.iter().find(|clause| clause.count_ones() <= 1) {
            if single == 0 || left == 0 {
                return ControlFlow::Continue(());
            }
            chosen |= single;
            left -= 1;
            open.retain(|clause| clause & single == 0);
        }
        if open.is_empty() {
            self.found = Some(chosen);
            return ControlFlow::Break(());
        }
        if least_size(&open, left) > left {
            return ControlFlow::Continue(());
        }
        self.branch(open, chosen, left)
    }

    /// Tries the elements of a smallest clause, those that meet most clauses first. What was tried is ruled out.
    fn branch(&mut self, mut open: Vec<Clause>, chosen: Clause, left: usize) -> ControlFlow<()> {
        let degrees = degrees(&open);
        let weight = |clause: &Clause| elements(*clause).map(|e| degrees[e]).sum::<u32>();
        let Some(&smallest) = open.iter().min_by_key(|c| (c.count_ones(), std::cmp::Reverse(weight(c)))) else {
            return ControlFlow::Continue(());
        };
        let mut order: Vec<usize> = elements(smallest).collect();
        order.sort_by_key(|&e| (std::cmp::Reverse(degrees[e]), e));
        for element in order {
            let bit = 1 << element;
            let rest = open.iter().copied().filter(|clause| clause & bit == 0).collect();
            self.node(rest, chosen | bit, left - 1)?;
            open.iter_mut().for_each(|clause| *clause &= !bit);
            if open.contains(&0) {
                break;
            }
        }
        ControlFlow::Continue(())
    }
}

/// A lower bound of the size of every hitting set of `clauses`; stops counting above `enough`.
pub fn least_size(clauses: &[Clause], enough: usize) -> usize {
    let by_degree = least_by_degree(clauses);
    if by_degree > enough { by_degree } else { by_degree.max(least_by_disjoint(clauses)) }
}

/// As many elements as it takes until their degrees add up to the number of clauses.
fn least_by_degree(clauses: &[Clause]) -> usize {
    let mut degrees = degrees(clauses);
    degrees.sort_unstable_by(|a, b| b.cmp(a));
    let mut covered = 0;
    degrees
        .iter()
        .take_while(|&&degree| {
            let wanted = covered < clauses.len() as u32 && degree > 0;
            covered += degree;
            wanted
        })
        .count()
}

/// The number of clauses without common elements, taken greedily: each needs an element of its own.
fn least_by_disjoint(clauses: &[Clause]) -> usize {
    let degrees = degrees(clauses);
    let crowd = |clause: &Clause| elements(*clause).map(|e| u64::from(degrees[e])).sum::<u64>();
    let mut order: Vec<(u64, Clause)> = clauses.iter().map(|clause| (crowd(clause), *clause)).collect();
    order.sort_unstable();
    let (mut used, mut count) = (0, 0);
    for (_, clause) in order {
        if clause & used == 0 {
            used |= clause;
            count += 1;
        }
    }
    count
}

/// How many clauses hold each element.
fn degrees(clauses: &[Clause]) -> [u32; Clause::BITS as usize] {
    let mut degrees = [0; Clause::BITS as usize];
    clauses.iter().for_each(|&clause| elements(clause).for_each(|e| degrees[e] += 1));
    degrees
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn the_least_size_is_that_of_all_subsets(clauses in prop::collection::vec(1_u128..1 << 9, 0..20)) {
            let hits = |set: &Clause| clauses.iter().all(|clause| clause & set != 0);
            let least = (0..1 << 9).filter(hits).map(Clause::count_ones).min().unwrap() as usize;
            prop_assert!(least_size(&clauses, usize::MAX) <= least);
            for size in 0..=least {
                match HittingSetOfSize::search(&clauses, size, &|| false) {
                    Feasible::Yes(set) => {
                        prop_assert!(size == least && hits(&set) && set.count_ones() as usize <= size);
                    }
                    answer => prop_assert!(size < least && answer == Feasible::No),
                }
            }
        }
    }
}
