//! Is there a hitting set of at most k elements? Branch and bound.

use std::ops::ControlFlow;

use super::Clause;

/// The answer to the question whether a hitting set of a size exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Feasible<C> {
    /// It does: this one.
    Yes(C),
    /// It does not: all cases were tried or ruled out.
    No,
    /// The search was stopped before it knew.
    Unknown,
}

/// A search for a hitting set of at most a given size.
pub(crate) struct HittingSetOfSize<'s, C> {
    /// Is asked every so many nodes whether to stop.
    stop: &'s dyn Fn() -> bool,
    nodes: u64,
    found: Option<C>,
}

/// Nodes between two questions whether to stop.
const NODES: u64 = 1 << 10;

impl<'s, C: Clause> HittingSetOfSize<'s, C> {
    /// Searches for a hitting set of `clauses` with at most `size` elements, until `stop` says so.
    pub fn search(clauses: &[C], size: usize, stop: &'s dyn Fn() -> bool) -> Feasible<C> {
        let mut search = Self { stop, nodes: 0, found: None };
        let result = search.node(clauses.to_vec(), C::default(), size);
        match search.found {
            Some(set) => Feasible::Yes(set),
            None if result.is_break() => Feasible::Unknown,
            None => Feasible::No,
        }
    }

    /// Breaks off when a set was found or the search was stopped. `open` has no elements that were ruled out.
    fn node(&mut self, mut open: Vec<C>, mut chosen: C, mut left: usize) -> ControlFlow<()> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES) && (self.stop)() {
            return ControlFlow::Break(());
        }
        // A clause with a single element leaves no choice.
        while let Some(single) = open.iter().find(|clause| clause.len() <= 1).cloned() {
            if single.is_empty() || left == 0 {
                return ControlFlow::Continue(());
            }
            chosen.unite(&single);
            left -= 1;
            open.retain(|clause| !clause.meets(&single));
        }
        if open.is_empty() {
            self.found = Some(chosen);
            return ControlFlow::Break(());
        }
        if least_size(&open, left) > left {
            return ControlFlow::Continue(());
        }
        self.branch(open, &chosen, left)
    }

    /// Tries the elements of a smallest clause, those that meet most clauses first. What was tried is ruled out.
    fn branch(&mut self, mut open: Vec<C>, chosen: &C, left: usize) -> ControlFlow<()> {
        let degrees = degrees(&open);
        let weight = |clause: &C| clause.elements().map(|e| degrees[e]).sum::<u32>();
        let Some(smallest) = open.iter().min_by_key(|c| (c.len(), std::cmp::Reverse(weight(c)))) else {
            return ControlFlow::Continue(());
        };
        let mut order: Vec<usize> = smallest.elements().collect();
        order.sort_by_key(|&e| (std::cmp::Reverse(degrees[e]), e));
        for element in order {
            let mut chosen = chosen.clone();
            chosen.insert(element);
            let rest = open.iter().filter(|clause| !clause.holds(element)).cloned().collect();
            self.node(rest, chosen, left - 1)?;
            open.iter_mut().for_each(|clause| clause.remove(element));
            if open.iter().any(Clause::is_empty) {
                break;
            }
        }
        ControlFlow::Continue(())
    }
}

/// A lower bound of the size of every hitting set of `clauses`; stops counting above `enough`.
pub(crate) fn least_size<C: Clause>(clauses: &[C], enough: usize) -> usize {
    let by_degree = least_by_degree(clauses);
    if by_degree > enough { by_degree } else { by_degree.max(least_by_disjoint(clauses)) }
}

/// As many elements as it takes until their degrees add up to the number of clauses.
fn least_by_degree<C: Clause>(clauses: &[C]) -> usize {
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
fn least_by_disjoint<C: Clause>(clauses: &[C]) -> usize {
    let degrees = degrees(clauses);
    let crowd = |clause: &C| clause.elements().map(|e| u64::from(degrees[e])).sum::<u64>();
    let mut order: Vec<(u64, &C)> = clauses.iter().map(|clause| (crowd(clause), clause)).collect();
    order.sort_unstable();
    let (mut used, mut count) = (C::default(), 0);
    for (_, clause) in order {
        if !clause.meets(&used) {
            used.unite(clause);
            count += 1;
        }
    }
    count
}

/// How many clauses hold each element.
fn degrees<C: Clause>(clauses: &[C]) -> Vec<u32> {
    let mut degrees = vec![0; C::bound(clauses.iter())];
    clauses.iter().for_each(|clause| clause.elements().for_each(|e| degrees[e] += 1));
    degrees
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Two elements of three clauses each might do for five clauses, but three of these have nothing in common.
    #[test]
    fn clauses_without_common_elements_count_unless_degrees_say_enough() {
        let clauses = [0b11_u128, 0b11, 0b11, 0b1100, 0b110000];
        assert_eq!([1, 2].map(|enough| least_size(&clauses, enough)), [2, 3]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn the_least_size_is_that_of_all_subsets(clauses in prop::collection::vec(1_u128..1 << 9, 0..20)) {
            let hits = |set: &u128| clauses.iter().all(|clause| clause & set != 0);
            let least = (0..1 << 9).filter(hits).map(u128::count_ones).min().unwrap() as usize;
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
