//! How many attributes are needed to tell given pairs of objects apart.

use super::Pair;
use crate::table::{AttrIdx, AttrSet, DecisionTable};

/// Clauses that are looked at before one search gives up: a few seconds.
const MAX_STEPS: usize = 200_000_000;

/// For each pair the attributes in which its objects differ, the smallest set first.
pub(crate) struct PairClauses {
    /// Bit `i` of a clause is the attribute `numbered[i]`.
    clauses: Vec<u128>,
    /// The attributes that occur; from the 129th on they have no bit.
    numbered: Vec<AttrIdx>,
}

/// Whether a number of attributes is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Need {
    /// No smaller set tells all pairs apart.
    Proved,
    /// This smaller set tells all pairs apart.
    Refuted(AttrSet),
    /// The search was given up, or more than 128 attributes occur.
    Open,
}

impl PairClauses {
    /// # Panics
    /// When the table has no such objects.
    pub fn of(table: &DecisionTable, pairs: &[Pair]) -> Self {
        let mut clauses = Self { clauses: Vec::new(), numbered: Vec::new() };
        pairs.iter().for_each(|pair| clauses.add(table, *pair));
        clauses
    }

    /// Adds one pair.
    ///
    /// # Panics
    /// When the table has no such objects.
    pub fn add(&mut self, table: &DecisionTable, Pair(a, b): Pair) {
        let mut clause = 0;
        for attr in table.all_attributes().iter() {
            let attribute = table.attribute(attr);
            if attribute.code(a as usize) != attribute.code(b as usize) {
                clause |= 1_u128.checked_shl(self.number(attr)).unwrap_or(0);
            }
        }
        let order = |clause: u128| (clause.count_ones(), clause);
        let at = self.clauses.partition_point(|other| order(*other) < order(clause));
        self.clauses.insert(at, clause);
    }

    /// The bit of an attribute.
    fn number(&mut self, attr: AttrIdx) -> u32 {
        let known = self.numbered.iter().position(|other| *other == attr);
        let bit = known.unwrap_or_else(|| {
            self.numbered.push(attr);
            self.numbered.len() - 1
        });
        bit as u32
    }

    /// Whether every set of attributes that tells all pairs apart has at least `size` members; and how many clauses
    /// were looked at to decide that.
    pub fn need(&self, size: usize) -> (Need, usize) {
        self.need_within(size, MAX_STEPS)
    }

    fn need_within(&self, size: usize, max_steps: usize) -> (Need, usize) {
        let Some(room) = size.checked_sub(1) else { return (Need::Proved, 0) };
        if self.numbered.len() > u128::BITS as usize {
            return (Need::Open, 0);
        }
        let mut search = BoundSearch { steps: 0, max_steps };
        let need = match search.smaller_set(&self.clauses, room) {
            Some(set) => Need::Refuted(self.attributes_of(set)),
            None if search.steps > max_steps => Need::Open,
            None => Need::Proved,
        };
        (need, search.steps)
    }

    fn attributes_of(&self, set: u128) -> AttrSet {
        self.numbered.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1).map(|(_, attr)| *attr).collect()
    }
}

struct BoundSearch {
    steps: usize,
    max_steps: usize,
}

impl BoundSearch {
    /// At most `room` elements that meet all clauses of `open`; none also when the search is given up.
    ///
    /// The smallest clause must be met by one of its elements, which are tried in turn; what was tried in vain is in no
    /// such set, so it is taken out of the clauses.
    fn smaller_set(&mut self, open: &[u128], room: usize) -> Option<u128> {
        self.steps += open.len();
        let Some(mut untried) = open.iter().copied().min_by_key(|clause| clause.count_ones()) else { return Some(0) };
        if untried == 0 || self.steps > self.max_steps || disjoint(open, room) > room {
            return None;
        }
        let mut in_vain = 0;
        while untried != 0 {
            let element = untried & untried.wrapping_neg();
            untried ^= element;
            let rest: Vec<u128> =
                open.iter().filter(|clause| *clause & element == 0).map(|clause| clause & !in_vain).collect();
            if let Some(others) = self.smaller_set(&rest, room - 1) {
                return Some(others | element);
            }
            in_vain |= element;
        }
        None
    }
}

/// A number of clauses of which no two share an element, so that each needs one of its own; counted up to one more
/// than `enough`.
fn disjoint(clauses: &[u128], enough: usize) -> usize {
    let (mut used, mut count) = (0, 0);
    for clause in clauses {
        if clause & used == 0 {
            used |= clause;
            count += 1;
        }
        if count > enough {
            break;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn clauses(masks: &[u128]) -> PairClauses {
        PairClauses { clauses: masks.to_vec(), numbered: (0..8).map(AttrIdx::new).collect() }
    }

    fn need(masks: &[u128], size: usize) -> Need {
        clauses(masks).need(size).0
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn the_need_is_the_size_of_the_smallest_of_all_hitting_sets(masks in prop::collection::vec(1_u128..256, 0..10)) {
            let hits = |set: &u128| masks.iter().all(|mask| mask & set != 0);
            let least = (0..256_u128).filter(hits).map(u128::count_ones).min().unwrap() as usize;
            for size in 0..=9 {
                match need(&masks, size) {
                    Need::Proved => prop_assert!(size <= least),
                    Need::Refuted(set) => prop_assert!(size > least && set.len() < size),
                    Need::Open => prop_assert!(false, "given up"),
                }
            }
        }
    }

    #[test]
    fn a_pair_that_nothing_tells_apart_needs_any_number() {
        assert_eq!(need(&[0], 200), Need::Proved);
        assert_eq!(need(&[], 1), Need::Refuted(AttrSet::new()));
    }

    #[test]
    fn a_search_that_is_given_up_proves_nothing() {
        // Each two elements meet all three, no single one does: all three clauses, then for either element of the first the one that is left.
        let triangle = clauses(&[0b011, 0b101, 0b110]);
        assert_eq!(triangle.need(2), (Need::Proved, 5));
        assert_eq!(triangle.need_within(2, 5), (Need::Proved, 5));
        assert!((0..5).all(|max_steps| triangle.need_within(2, max_steps).0 == Need::Open));
    }

    #[test]
    fn more_attributes_than_bits_leave_the_need_open() {
        let need_among = |n_attributes: usize| {
            let names: Vec<String> = (0..n_attributes).map(|i| format!("a{i}")).collect();
            let rows = ["0", "1"].map(|value| vec![value; n_attributes + 1]);
            let table = DecisionTable::from_rows(&names, "d", &rows).unwrap();
            PairClauses::of(&table, &[Pair(0, 1)]).need(1)
        };
        assert_eq!(need_among(128), (Need::Proved, 1));
        assert_eq!(need_among(129), (Need::Open, 0));
    }

    #[test]
    fn clauses_are_kept_in_the_order_of_their_size() {
        let rows = [["0", "0", "x"], ["1", "1", "y"], ["0", "1", "z"]];
        let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
        // `b`, then `a` and `b`, then `a`; `b` comes first, so it is the lowest bit.
        let clauses = PairClauses::of(&table, &[Pair(0, 2), Pair(0, 1), Pair(1, 2)]).clauses;
        assert_eq!(clauses, [0b01, 0b10, 0b11]);
    }
}
