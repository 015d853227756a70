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

use super::Clause;

/// Nodes between two questions whether to stop.
const NODES: u64 = 1 << 10;

/// Shows every minimal hitting set to `visit` once, until that breaks off or `stop` says so. `universe` holds the
/// elements that sets may have; `unmet` gives clauses that a set does not meet, none exactly if it meets all clauses
/// there are.
pub(crate) fn visit_minimal_hitting_sets<C: Clause>(
    known: Vec<C>,
    universe: C,
    unmet: &mut dyn FnMut(&C) -> Vec<C>,
    stop: &dyn Fn() -> bool,
    visit: &mut dyn FnMut(&C) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let lists: Vec<u32> = (0..known.len() as u32).collect();
    let root = Node { set: C::default(), depth: 0, bounds: 0, known: known.len() };
    let mut search = Enumerator { bounds: vec![0, lists.len()], lists, clauses: known, unmet, stop, nodes: 0, visit };
    search.extend(&root, universe)
}

struct Enumerator<'s, C> {
    clauses: Vec<C>,
    unmet: &'s mut dyn FnMut(&C) -> Vec<C>,
    /// Is asked every so many nodes, and before each set that is shown to the source of clauses, which may take long.
    stop: &'s dyn Fn() -> bool,
    nodes: u64,
    visit: &'s mut dyn FnMut(&C) -> ControlFlow<()>,
    /// Lists of clauses of all nodes on the way to the current one. Of each node, back to back: the critical clauses
    /// of each chosen element, those that it alone meets; then the open clauses, which no chosen element meets.
    lists: Vec<u32>,
    /// Where these lists begin, and where the last one ends.
    bounds: Vec<usize>,
}

/// A set of chosen elements.
struct Node<C> {
    set: C,
    /// The number of chosen elements.
    depth: usize,
    /// Its first entry in `Enumerator::bounds`.
    bounds: usize,
    /// The number of clauses known when its lists were made. All later ones are open.
    known: usize,
}

impl<C: Clause> Enumerator<'_, C> {
    /// Extends the set of `node` by elements of `candidates`.
    fn extend(&mut self, node: &Node<C>, mut candidates: C) -> ControlFlow<()> {
        let mut narrowest = self.narrowest(node, &candidates);
        self.nodes += 1;
        if (narrowest.is_none() || self.nodes.is_multiple_of(NODES)) && (self.stop)() {
            return ControlFlow::Break(());
        }
        if narrowest.is_none() {
            let unmet = (self.unmet)(&node.set);
            if unmet.is_empty() {
                return (self.visit)(&node.set);
            }
            self.clauses.extend(unmet);
            narrowest = self.narrowest(node, &candidates);
        }
        let branches = narrowest.unwrap_or_default().common(&candidates);
        candidates = candidates.difference(&branches);
        for element in branches.elements() {
            self.branch(node, element, &candidates)?;
            candidates.insert(element);
        }
        ControlFlow::Continue(())
    }

    /// The open clause with the fewest candidates; `None` if no clause is open.
    fn narrowest(&self, node: &Node<C>, candidates: &C) -> Option<C> {
        let listed = self.lists[self.list(node, node.depth)].iter().map(|&at| &self.clauses[at as usize]);
        let open = listed.chain(&self.clauses[node.known..]);
        open.min_by_key(|clause| clause.n_common(candidates)).cloned()
    }

    /// Where the list number `i` of a node stands.
    fn list(&self, node: &Node<C>, i: usize) -> Range<usize> {
        self.bounds[node.bounds + i]..self.bounds[node.bounds + i + 1]
    }

    /// Goes on with `element` chosen, unless that leaves a chosen element without a critical clause.
    fn branch(&mut self, node: &Node<C>, element: usize, candidates: &C) -> ControlFlow<()> {
        let (n_lists, n_bounds) = (self.lists.len(), self.bounds.len());
        let result = match self.choose(node, &C::of(element)) {
            Some(child) => self.extend(&child, candidates.clone()),
            None => ControlFlow::Continue(()),
        };
        self.lists.truncate(n_lists);
        self.bounds.truncate(n_bounds);
        result
    }

    /// Makes the lists of `node` with `element` chosen too; `None` if a chosen element is not needed any more.
    fn choose(&mut self, node: &Node<C>, element: &C) -> Option<Node<C>> {
        let mut set = node.set.clone();
        set.unite(element);
        let child = Node { set, depth: node.depth + 1, bounds: self.bounds.len(), known: self.clauses.len() };
        for i in 0..node.depth {
            self.bounds.push(self.lists.len());
            let start = self.lists.len();
            self.keep(self.list(node, i), |clause| !clause.meets(element));
            if self.lists.len() == start {
                return None;
            }
        }
        for meets in [true, false] {
            self.bounds.push(self.lists.len());
            let wanted = |clause: &C| clause.meets(element) == meets;
            self.keep(self.list(node, node.depth), wanted);
            let late = (node.known..self.clauses.len()).filter(|&at| wanted(&self.clauses[at]));
            self.lists.extend(late.map(|at| at as u32));
        }
        self.bounds.push(self.lists.len());
        Some(child)
    }

    /// Appends the wanted clauses of a list.
    fn keep(&mut self, list: Range<usize>, wanted: impl Fn(&C) -> bool) {
        for i in list {
            let at = self.lists[i];
            if wanted(&self.clauses[at as usize]) {
                self.lists.push(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Wide;
    use super::*;
    use proptest::prelude::*;

    const N_ELEMENTS: u32 = 8;

    /// Every subset of the elements, tested.
    fn reference(clauses: &[u128]) -> Vec<u128> {
        let hits = |set: u128| clauses.iter().all(|clause| clause & set != 0);
        let minimal = |set: u128| set.elements().all(|e| !hits(set & !(1 << e)));
        (0..1 << N_ELEMENTS).filter(|&set| hits(set) && minimal(set)).collect()
    }

    /// Tells some of the unmet clauses, which ones being a matter of chance.
    struct Reluctant {
        clauses: Vec<u128>,
        state: u64,
    }

    impl Reluctant {
        fn unmet(&mut self, set: u128) -> Vec<u128> {
            let unmet: Vec<u128> = self.clauses.iter().copied().filter(|clause| clause & set == 0).collect();
            self.state = crate::random::mix(self.state);
            let n = (1 + self.state as usize % 2).min(unmet.len());
            let first = (self.state >> 8) as usize % unmet.len().max(1);
            (0..n).map(|i| unmet[(first + i) % unmet.len()]).collect()
        }
    }

    fn found(known: Vec<u128>, mut unmet: impl FnMut(u128) -> Vec<u128>) -> Vec<u128> {
        let mut found = Vec::new();
        let mut keep = |set: &u128| {
            found.push(*set);
            ControlFlow::Continue(())
        };
        let mut unmet = |set: &u128| unmet(*set);
        assert!(
            visit_minimal_hitting_sets(known, (1 << N_ELEMENTS) - 1, &mut unmet, &|| false, &mut keep).is_continue()
        );
        found.sort_unstable();
        found
    }

    /// Twelve clauses of two elements each: a set is found at every second node, and the nodes between are counted too.
    #[test]
    fn the_search_asks_whether_to_stop_at_each_set_and_every_so_many_nodes() {
        let clauses: Vec<u128> = (0..12).map(|pair| 0b11 << (2 * pair)).collect();
        let search = |last: u64| {
            let (asked, mut n_found) = (std::cell::Cell::new(0), 0);
            let stop = || asked.replace(asked.get() + 1) == last;
            let mut count = |_: &u128| {
                n_found += 1;
                ControlFlow::Continue(())
            };
            let universe = (1 << 24) - 1;
            let end = visit_minimal_hitting_sets(clauses.clone(), universe, &mut |_| Vec::new(), &stop, &mut count);
            (end.is_continue(), n_found, asked.get())
        };
        let (n_sets, n_nodes) = (1 << 12, (1 << 13) - 1);
        let (is_complete, n_found, n_asked) = search(u64::MAX);
        assert!(is_complete && n_found == n_sets && (n_sets + 1..=n_sets + n_nodes / NODES).contains(&n_asked));
        assert_eq!(search(0), (false, 0, 1));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn equals_the_test_of_every_subset(clauses in prop::collection::vec(1..1_u128 << N_ELEMENTS, 0..14)) {
            prop_assert_eq!(found(clauses.clone(), |_| Vec::new()), reference(&clauses));
        }

        /// Each element far from the others, so that they do not fit into 128 bits.
        #[test]
        fn wide_sets_give_the_same(clauses in prop::collection::vec(1..1_u128 << N_ELEMENTS, 0..14)) {
            let wide = |set: &u128| {
                let mut wide = Wide::default();
                set.elements().for_each(|element| wide.insert(50 * element + 3));
                wide
            };
            let mut found = Vec::new();
            let mut keep = |set: &Wide| {
                found.push(set.clone());
                ControlFlow::Continue(())
            };
            let universe = wide(&((1 << N_ELEMENTS) - 1));
            let known = clauses.iter().map(wide).collect();
            prop_assert!(visit_minimal_hitting_sets(known, universe, &mut |_| Vec::new(), &|| false, &mut keep).is_continue());
            found.sort_unstable();
            prop_assert_eq!(found, reference(&clauses).iter().map(wide).collect::<Vec<_>>());
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
