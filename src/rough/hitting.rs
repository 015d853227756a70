//! All minimal hitting sets of a family of sets (Murakami & Uno 2014, algorithm MMCS).

/// What an enumeration found, and whether that is everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enumeration<T> {
    /// What was found, ascending.
    pub found: Vec<T>,
    /// False if the enumeration stopped at its limit.
    pub complete: bool,
}

/// The minimal sets that meet every one of `clauses`, at most `limit` of them. Bit `i` of a set is element `i`.
///
/// Without clauses the empty set is the only one; a clause without elements is met by none.
///
/// ```
/// use roughboard::rough::minimal_hitting_sets;
/// assert_eq!(minimal_hitting_sets(&[0b011, 0b110], usize::MAX).found, [0b010, 0b101]);
/// ```
#[must_use]
pub fn minimal_hitting_sets(clauses: &[u128], limit: usize) -> Enumeration<u128> {
    let union = clauses.iter().fold(0, |all, clause| all | clause);
    let mut search = Search { clauses, limit, found: Vec::new(), critical: Vec::new() };
    let complete = search.extend(0, union, &(0..clauses.len() as u32).collect::<Vec<_>>());
    let mut found = search.found;
    found.sort_unstable();
    Enumeration { found, complete }
}

struct Search<'c> {
    clauses: &'c [u128],
    limit: usize,
    found: Vec<u128>,
    /// For each chosen element the clauses that it alone meets.
    critical: Vec<Vec<u32>>,
}

impl Search<'_> {
    /// Extends `chosen` by elements of `candidates` so that it meets the clauses `open`. False at the limit.
    fn extend(&mut self, chosen: u128, mut candidates: u128, open: &[u32]) -> bool {
        let size = |&clause: &u32| (self.clauses[clause as usize] & candidates).count_ones();
        let Some(&narrowest) = open.iter().min_by_key(|clause| size(clause)) else {
            if self.found.len() == self.limit {
                return false;
            }
            self.found.push(chosen);
            return true;
        };
        let mut branches = self.clauses[narrowest as usize] & candidates;
        candidates &= !branches;
        while branches != 0 {
            let element = branches & branches.wrapping_neg();
            branches ^= element;
            if !self.branch(chosen | element, candidates, (element, open)) {
                return false;
            }
            candidates |= element;
        }
        true
    }

    /// Goes on with `element` chosen, unless that leaves a chosen element without a clause of its own.
    fn branch(&mut self, chosen: u128, candidates: u128, (element, open): (u128, &[u32])) -> bool {
        let meets = |clause: &u32| self.clauses[*clause as usize] & element != 0;
        let (own, still_open): (Vec<u32>, Vec<u32>) = open.iter().partition(|clause| meets(clause));
        let mut critical: Vec<Vec<u32>> =
            self.critical.iter().map(|own| own.iter().copied().filter(|c| !meets(c)).collect()).collect();
        if critical.iter().any(Vec::is_empty) {
            return true;
        }
        critical.push(own);
        let outer = std::mem::replace(&mut self.critical, critical);
        let complete = self.extend(chosen, candidates, &still_open);
        self.critical = outer;
        complete
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every subset of `n` elements, tested.
    fn reference(clauses: &[u128], n: u32) -> Vec<u128> {
        let hits = |set: u128| clauses.iter().all(|clause| clause & set != 0);
        let minimal = |set: u128| (0..n).filter(|e| set >> e & 1 == 1).all(|e| !hits(set & !(1 << e)));
        (0..1_u128 << n).filter(|&set| hits(set) && minimal(set)).collect()
    }

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

    proptest! {
        #[test]
        fn equals_the_test_of_every_subset(clauses in prop::collection::vec(1_u128..256, 0..12)) {
            let mut found = minimal_hitting_sets(&clauses, usize::MAX).found;
            found.sort_unstable();
            prop_assert_eq!(found, reference(&clauses, 8));
        }
    }
}
