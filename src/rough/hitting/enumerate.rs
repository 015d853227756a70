//! All minimal hitting sets (Murakami & Uno 2014, algorithm MMCS), of clauses that may become known on the way.
//!
//! A set that hits all clauses known so far is shown to a source of clauses; those that it misses join the family, and
//! the search goes on from there (as Bläsius et al. 2020 do for unique column combinations). All sets on the way to
//! the tested one are its subsets, so they miss the new clauses too: for each of them the new clauses are open.
//!
//! Nothing is lost by cutting off where a chosen element has no critical clause *among those known*. Elements of the
//! branching clause are candidates again once their branch is done, so before a minimal hitting set T is cut off at an
//! element v, the subsets of T without v were searched, and none of them could pass the test before a clause was known
//! that T hits in v alone. `every_order_of_discovery_gives_all_sets` tests this.

use std::ops::{ControlFlow, Range};

use super::{Clause, elements};

/// Shows every minimal hitting set to `visit` once, until that breaks off. `universe` holds the elements that sets
/// may have; `unmet` gives clauses that a set does not meet, none exactly if it meets all clauses there are.
pub fn visit_minimal_hitting_sets(
    known: Vec<Clause>,
    universe: Clause,
    unmet: &mut dyn FnMut(Clause) -> Vec<Clause>,
    visit: &mut dyn FnMut(Clause) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let lists: Vec<u32> = (0..known.len() as u32).collect();
    let root = Node { set: 0, depth: 0, bounds: 0, known: known.len() };
    let mut search = Enumerator { bounds: vec![0, lists.len()], lists, clauses: known, unmet, visit };
    search.extend(&root, universe)
}

struct Enumerator<'s> {
    clauses: Vec<Clause>,
    unmet: &'s mut dyn FnMut(Clause) -> Vec<Clause>,
    visit: &'s mut dyn FnMut(Clause) -> ControlFlow<()>,
    /// Lists of clauses of all nodes on the way to the current one. Of each node, back to back: the critical clauses
    /// of each chosen element, those that it alone meets; then the open clauses, which no chosen element meets.
    lists: Vec<u32>,
    /// Where these lists begin, and where the last one ends.
    bounds: Vec<usize>,
}

/// A set of chosen elements.
struct Node {
    set: Clause,
    /// The number of chosen elements.
    depth: usize,
    /// Its first entry in `Enumerator::bounds`.
    bounds: usize,
    /// The number of clauses known when its lists were made. All later ones are open.
    known: usize,
}

impl Enumerator<'_> {
    /// Extends the set of `node` by elements of `candidates`.
    fn extend(&mut self, node: &Node, mut candidates: Clause) -> ControlFlow<()> {
        let mut narrowest = self.narrowest(node, candidates);
        if narrowest.is_none() {
            let unmet = (self.unmet)(node.set);
            if unmet.is_empty() {
                return (self.visit)(node.set);
            }
            self.clauses.extend(unmet);
            narrowest = self.narrowest(node, candidates);
        }
        let branches = narrowest.unwrap_or(0) & candidates;
        candidates &= !branches;
        for element in elements(branches) {
            self.branch(node, element, candidates)?;
            candidates |= 1 << element;
        }
        ControlFlow::Continue(())
    }

    /// The open clause with the fewest candidates; `None` if no clause is open.
    fn narrowest(&self, node: &Node, candidates: Clause) -> Option<Clause> {
        let listed = self.lists[self.list(node, node.depth)].iter().map(|&at| self.clauses[at as usize]);
        let open = listed.chain(self.clauses[node.known..].iter().copied());
        open.min_by_key(|clause| (clause & candidates).count_ones())
    }

    /// Where the list number `i` of a node stands.
    fn list(&self, node: &Node, i: usize) -> Range<usize> {
        self.bounds[node.bounds + i]..self.bounds[node.bounds + i + 1]
    }

    /// Goes on with `element` chosen, unless that leaves a chosen element without a critical clause.
    fn branch(&mut self, node: &Node, element: usize, candidates: Clause) -> ControlFlow<()> {
        let (n_lists, n_bounds) = (self.lists.len(), self.bounds.len());
        let result = match self.choose(node, 1 << element) {
            Some(child) => self.extend(&child, candidates),
            None => ControlFlow::Continue(()),
        };
        self.lists.truncate(n_lists);
        self.bounds.truncate(n_bounds);
        result
    }

    /// Makes the lists of `node` with `element` chosen too; `None` if a chosen element is not needed any more.
    fn choose(&mut self, node: &Node, element: Clause) -> Option<Node> {
        let child = Node {
            set: node.set | element,
            depth: node.depth + 1,
            bounds: self.bounds.len(),
            known: self.clauses.len(),
        };
        for i in 0..node.depth {
            self.bounds.push(self.lists.len());
            let start = self.lists.len();
            self.keep(self.list(node, i), |clause| clause & element == 0);
            if self.lists.len() == start {
                return None;
            }
        }
        for meets in [true, false] {
            self.bounds.push(self.lists.len());
            let wanted = |clause: Clause| (clause & element != 0) == meets;
            self.keep(self.list(node, node.depth), wanted);
            let late = (node.known..self.clauses.len()).filter(|&at| wanted(self.clauses[at]));
            self.lists.extend(late.map(|at| at as u32));
        }
        self.bounds.push(self.lists.len());
        Some(child)
    }

    /// Appends the wanted clauses of a list.
    fn keep(&mut self, list: Range<usize>, wanted: impl Fn(Clause) -> bool) {
        for i in list {
            let at = self.lists[i];
            if wanted(self.clauses[at as usize]) {
                self.lists.push(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const N_ELEMENTS: u32 = 8;

    /// Every subset of the elements, tested.
    fn reference(clauses: &[Clause]) -> Vec<Clause> {
        let hits = |set: Clause| clauses.iter().all(|clause| clause & set != 0);
        let minimal = |set: Clause| elements(set).all(|e| !hits(set & !(1 << e)));
        (0..1 << N_ELEMENTS).filter(|&set| hits(set) && minimal(set)).collect()
    }

    /// Tells some of the unmet clauses, which ones being a matter of chance.
    struct Reluctant {
        clauses: Vec<Clause>,
        state: u64,
    }

    impl Reluctant {
        fn unmet(&mut self, set: Clause) -> Vec<Clause> {
            let unmet: Vec<Clause> = self.clauses.iter().copied().filter(|clause| clause & set == 0).collect();
            self.state = crate::random::mix(self.state);
            let n = (1 + self.state as usize % 2).min(unmet.len());
            let first = (self.state >> 8) as usize % unmet.len().max(1);
            (0..n).map(|i| unmet[(first + i) % unmet.len()]).collect()
        }
    }

    fn found(known: Vec<Clause>, mut unmet: impl FnMut(Clause) -> Vec<Clause>) -> Vec<Clause> {
        let mut found = Vec::new();
        let mut keep = |set| {
            found.push(set);
            ControlFlow::Continue(())
        };
        assert!(visit_minimal_hitting_sets(known, (1 << N_ELEMENTS) - 1, &mut unmet, &mut keep).is_continue());
        found.sort_unstable();
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn equals_the_test_of_every_subset(clauses in prop::collection::vec(1..1_u128 << N_ELEMENTS, 0..14)) {
            prop_assert_eq!(found(clauses.clone(), |_| Vec::new()), reference(&clauses));
        }

        #[test]
        fn every_order_of_discovery_gives_all_sets(
            clauses in prop::collection::vec(1..1_u128 << N_ELEMENTS, 0..14),
            n_known in 0..4_usize,
            state in any::<u64>(),
        ) {
            let known = clauses.iter().copied().take(n_known).collect();
            let mut reluctant = Reluctant { clauses: clauses.clone(), state };
            prop_assert_eq!(found(known, |set| reluctant.unmet(set)), reference(&clauses));
        }
    }
}
