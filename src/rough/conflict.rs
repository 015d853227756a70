//! Conflicts: rows that agree on attributes B but differ in label.

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Quotient;
use super::quotient::compare;
use crate::table::{AttrIdx, AttrSet};

/// Bits of a filter per key: 1 key in 8 to 16 meets another's bit by chance.
const BITS_PER_KEY: usize = 8;
const EMPTY: u32 = u32::MAX;
/// Parts of the rows that a trial looks at one after the other: the first 64th, the first eighth, then all.
const PARTS: [usize; 3] = [64, 8, 1];
/// Fewer rows than this are not worth a look of their own.
const FEW_ROWS: usize = 4096;
/// Up to this many labels are looked for in a list.
const FEW_LABELS: usize = 16;

/// A set of keys that seems to hold some others, too: the bit that a key's highest bits name is set.
#[derive(Debug, Default)]
struct Filter {
    words: Vec<u64>,
    shift: u32,
}

impl Filter {
    /// Makes the filter empty, for so many keys.
    fn empty(&mut self, n_keys: usize) {
        let n_bits = (n_keys * BITS_PER_KEY).next_power_of_two().max(64);
        self.shift = 64 - n_bits.trailing_zeros();
        self.words.clear();
        self.words.resize(n_bits / 64, 0);
    }

    /// Adds a key; whether it seemed to be there already.
    #[inline]
    fn add(&mut self, key: u64) -> bool {
        let bit = (key >> self.shift) as usize;
        let word = &mut self.words[bit / 64];
        let before = *word;
        *word |= 1 << (bit % 64);
        before == *word
    }

    /// Whether a key seems to be there.
    #[inline]
    fn has(&self, key: u64) -> bool {
        let bit = (key >> self.shift) as usize;
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }
}

/// Finds keys that occur more than once. The working memory is kept between calls.
#[derive(Debug, Default)]
pub(crate) struct Collisions {
    seen: Filter,
    again: Vec<u64>,
    repeated: Filter,
    suspects: Vec<u32>,
    slots: Vec<u32>,
}

impl Collisions {
    /// The indices of all keys that occur more than once, and a few others that share bits of a filter by chance.
    /// Ascending.
    pub(crate) fn suspects(&mut self, keys: &[u64]) -> &[u32] {
        self.seen.empty(keys.len());
        self.again.clear();
        self.again.extend(keys.iter().filter(|key| self.seen.add(**key)));
        // Few keys seem to come again, so that the second filter is small and quickly asked.
        self.repeated.empty(self.again.len());
        for &key in &self.again {
            self.repeated.add(key);
        }
        self.suspects.clear();
        self.suspects.extend((0..).zip(keys).filter(|(_, key)| self.repeated.has(**key)).map(|(at, _)| at));
        &self.suspects
    }

    /// Two indices with equal keys and different labels, if there are any.
    pub fn witness(&mut self, keys: &[u64], labels: &[u32]) -> Option<(u32, u32)> {
        self.prepare(keys);
        for i in 0..self.suspects.len() {
            let at = self.suspects[i];
            let slot = self.slot(keys, keys[at as usize]);
            match self.slots[slot] {
                EMPTY => self.slots[slot] = at,
                other if labels[other as usize] != labels[at as usize] => return Some((other, at)),
                _ => {}
            }
        }
        None
    }

    /// The indices of all keys that occur with different labels, ascending.
    pub fn mixed(&mut self, keys: &[u64], labels: &[u32]) -> &[u32] {
        self.prepare(keys);
        let mut is_mixed = vec![0_u64; self.slots.len().div_ceil(64)];
        let mut any = false;
        for i in 0..self.suspects.len() {
            let at = self.suspects[i];
            let slot = self.slot(keys, keys[at as usize]);
            match self.slots[slot] {
                EMPTY => self.slots[slot] = at,
                other if labels[other as usize] != labels[at as usize] => {
                    is_mixed[slot / 64] |= 1 << (slot % 64);
                    any = true;
                }
                _ => {}
            }
        }
        let mut suspects = std::mem::take(&mut self.suspects);
        suspects.retain(|&at| {
            any && {
                let slot = self.slot(keys, keys[at as usize]);
                is_mixed[slot / 64] >> (slot % 64) & 1 == 1
            }
        });
        self.suspects = suspects;
        &self.suspects
    }

    /// Finds the suspects, and makes room for one slot per key among them.
    fn prepare(&mut self, keys: &[u64]) {
        self.suspects(keys);
        let capacity = (self.suspects.len() * 2).next_power_of_two().max(2);
        self.slots.clear();
        self.slots.resize(capacity, EMPTY);
    }

    /// Where the first index with `key` stands, or is to stand.
    fn slot(&self, keys: &[u64], key: u64) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = key as usize & last;
        while self.slots[slot] != EMPTY && keys[self.slots[slot] as usize] != key {
            slot = (slot + 1) & last;
        }
        slot
    }
}

/// Classes of rows that agree on some attributes and do not all have one label.
#[derive(Debug, Default)]
pub(super) struct ConflictClasses {
    /// The rows, class after class.
    pub rows: Vec<u32>,
    /// The label of each row, renumbered from 0 within its class; the first row has 0.
    pub labels: Vec<u32>,
    /// Where each class ends in `rows`.
    pub ends: Vec<usize>,
    /// How many labels each class holds.
    pub n_labels: Vec<usize>,
    /// The labels of the class that is being added, by number.
    known: Vec<u32>,
}

impl ConflictClasses {
    /// The classes of rows with equal keys that hold more than one label. `labels` are those of all rows there are.
    pub fn of(mut keyed: Vec<(u64, u32)>, labels: &[u32]) -> Self {
        keyed.par_sort_unstable();
        let (mut kept, mut rows) = (Self::default(), Vec::new());
        for run in keyed.chunk_by(|a, b| a.0 == b.0) {
            rows.clear();
            rows.extend(run.iter().map(|pair| pair.1));
            kept.push(&rows, labels);
        }
        kept
    }

    /// The number of classes.
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds a class, unless all its rows have one label. `labels` are those of all rows there are.
    pub fn push(&mut self, rows: &[u32], labels: &[u32]) {
        let label = |row: u32| labels[row as usize];
        let Some((&first, rest)) = rows.split_first() else { return };
        if rest.iter().all(|&row| label(row) == label(first)) {
            return;
        }
        self.known.clear();
        for &row in rows {
            let known = self.known.iter().position(|&known| known == label(row));
            if known.is_none() && self.known.len() >= FEW_LABELS {
                return self.push_many_labels(rows, labels);
            }
            self.labels.push(known.unwrap_or(self.known.len()) as u32);
            if known.is_none() {
                self.known.push(label(row));
            }
        }
        self.close(rows, self.known.len());
    }

    /// As [`ConflictClasses::push`], where looking through a list of labels would take long.
    fn push_many_labels(&mut self, rows: &[u32], labels: &[u32]) {
        self.labels.truncate(self.rows.len());
        let mut numbers = FxHashMap::default();
        for &row in rows {
            let next = numbers.len() as u32;
            self.labels.push(*numbers.entry(labels[row as usize]).or_insert(next));
        }
        self.close(rows, numbers.len());
    }

    fn close(&mut self, rows: &[u32], n_labels: usize) {
        self.rows.extend_from_slice(rows);
        self.ends.push(self.rows.len());
        self.n_labels.push(n_labels);
    }

    /// Where a class stands in `rows`.
    pub fn class(&self, class: usize) -> Range<usize> {
        let start = if class == 0 { 0 } else { self.ends[class - 1] };
        start..self.ends[class]
    }

    /// The number of pairs of rows of one class, whatever their labels.
    pub(crate) fn n_pairs(&self) -> u64 {
        let pairs = |class| {
            let n = self.class(class).len() as u64;
            n * (n - 1) / 2
        };
        (0..self.len()).map(pairs).sum()
    }
}

impl Quotient {
    /// Two rows that agree on `attrs` but differ in label, if there are any; `keys` are those of `attrs`. Exact: no conflict
    /// is missed because equal rows have equal keys, and a witness is compared value by value.
    pub(super) fn conflict(&self, keys: &[u64], attrs: &AttrSet, memory: &mut Collisions) -> Option<(u32, u32)> {
        let witness = memory.witness(keys, &self.labels)?;
        self.conflict_of(witness, &memory.suspects, attrs)
    }

    /// The `witness`, two rows that differ in label and have one key over `attrs`, if they agree on `attrs`. If they do not, keys
    /// collided: then any two of `rows` that do.
    pub(super) fn conflict_of(&self, witness: (u32, u32), rows: &[u32], attrs: &AttrSet) -> Option<(u32, u32)> {
        let agree = compare(&self.selected(attrs), witness.0, witness.1).is_eq();
        if agree { Some(witness) } else { self.conflict_by_sorting(rows, attrs) }
    }

    /// Whether `attrs` preserves the notion.
    pub fn is_superreduct(&self, attrs: &AttrSet) -> bool {
        self.conflict(&self.keys(attrs), attrs, &mut Collisions::default()).is_none()
    }

    /// Whether `attrs` preserves the notion and no proper subset of it does.
    pub fn is_reduct(&self, attrs: &AttrSet) -> bool {
        let keys = self.keys(attrs);
        let needed = |trial: &mut DropTrial, attr: &AttrIdx| !trial.drop_one(self, &keys, attrs, *attr);
        let list: Vec<AttrIdx> = attrs.iter().collect();
        self.is_superreduct(attrs) && list.par_iter().map_init(DropTrial::default, needed).all(|needed| needed)
    }
}

/// The trial of doing without one attribute. The working memory is kept between trials.
#[derive(Debug, Default)]
pub(super) struct DropTrial {
    keys: Vec<u64>,
    memory: Collisions,
}

impl DropTrial {
    /// Whether `attrs`, whose keys are `keys`, preserves the notion without `attr` too.
    ///
    /// The first rows are looked at alone: where an attribute is needed, they mostly show it.
    fn drop_one(&mut self, quotient: &Quotient, keys: &[u64], attrs: &AttrSet, attr: AttrIdx) -> bool {
        let rest = attrs.without(attr);
        for part in PARTS {
            let n_rows = keys.len() / part;
            if part > 1 && n_rows < FEW_ROWS {
                continue;
            }
            self.keys.clear();
            self.keys.extend_from_slice(&keys[..n_rows]);
            quotient.toggle(&mut self.keys, attr);
            if quotient.conflict(&self.keys, &rest, &mut self.memory).is_some() {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rough::Notion;
    use crate::table::DecisionTable;

    #[test]
    fn repeated_keys_are_suspects_and_witnesses_differ_in_label() {
        let keys: Vec<u64> = [3, 9, 3, 12, 9].iter().map(|&k| crate::random::mix(k)).collect();
        let mut memory = Collisions::default();
        let suspects = memory.suspects(&keys).to_vec();
        assert!([0, 1, 2, 4].iter().all(|at| suspects.contains(at)));
        assert_eq!(memory.witness(&keys, &[0, 1, 0, 0, 2]), Some((1, 4)));
        assert_eq!(memory.witness(&keys, &[0, 1, 0, 0, 1]), None);
        assert_eq!(memory.mixed(&keys, &[0, 1, 0, 0, 2]), [1, 4]);
        assert!(memory.mixed(&keys, &[0, 1, 0, 0, 1]).is_empty());
    }

    #[test]
    fn a_filter_has_8_to_16_bits_for_each_key() {
        let mut filter = Filter::default();
        for n_keys in [9, 100, 1024, 5000] {
            filter.empty(n_keys);
            assert!((8 * n_keys..16 * n_keys).contains(&(64 * filter.words.len())), "{n_keys}");
            assert!(!filter.has(u64::MAX) && !filter.add(u64::MAX) && filter.has(u64::MAX), "{n_keys}");
        }
    }

    #[test]
    fn colliding_keys_do_not_make_a_conflict() {
        let rows = [["x", "1"], ["y", "0"], ["z", "1"]];
        let table = DecisionTable::from_rows(&["a"], "d", &rows).unwrap();
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        let mut memory = Collisions::default();
        assert_eq!(quotient.conflict(&[8, 8, 8], &table.all_attributes(), &mut memory), None);
        assert_eq!(quotient.conflict(&[8, 8, 8], &AttrSet::new(), &mut memory), Some((0, 1)));
        // Of the rows with one key the first two differ in `a`, and the first and the last do not.
        let rows = [["x", "0", "1"], ["y", "0", "0"], ["x", "1", "0"]];
        let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        let first = AttrSet::first(1);
        assert_eq!(quotient.conflict(&[8, 8, 8], &first, &mut memory), Some((0, 2)));
        assert_eq!(quotient.conflict_by_sorting(&[0, 1], &first), None);
    }

    /// Keys that differ in their highest bits only, and of which each but the last is there twice: all of them belong into the same
    /// slot, which is the last one or the first one.
    #[test]
    fn keys_of_one_slot_are_told_apart() {
        let mut memory = Collisions::default();
        for lowest in [0_u64, 0xFFFF] {
            let keys: Vec<u64> = (0..20_u64).chain(0..20).chain([20]).map(|key| key << 54 | lowest).collect();
            assert_eq!(memory.suspects(&keys), (0..40).collect::<Vec<u32>>());
            let mut labels: Vec<u32> = (0..20).chain(0..20).chain([0]).collect();
            assert_eq!(memory.witness(&keys, &labels), None);
            assert!(memory.mixed(&keys, &labels).is_empty());
            (labels[25], labels[39]) = (6, 0);
            assert_eq!(memory.witness(&keys, &labels), Some((5, 25)));
            assert_eq!(memory.mixed(&keys, &labels), [5, 19, 25, 39]);
        }
    }

    /// As many labels as are looked for in a list, and one more.
    #[test]
    fn labels_are_numbered_by_first_occurrence_however_many_there_are() {
        for n_labels in [FEW_LABELS, FEW_LABELS + 1] {
            let labels: Vec<u32> = (0..n_labels as u32).map(|label| 100 - label).chain([100, 99]).collect();
            let rows: Vec<u32> = (0..labels.len() as u32).collect();
            let mut classes = ConflictClasses::default();
            classes.push(&[0, 1], &labels);
            classes.push(&rows, &labels);
            let numbers = [0, 1].into_iter().chain(0..n_labels as u32).chain([0, 1]);
            assert_eq!(classes.labels, numbers.collect::<Vec<_>>());
            assert_eq!((classes.n_labels.clone(), classes.ends), (vec![2, n_labels], vec![2, n_labels + 4]));
            assert_eq!(classes.rows[2..], rows);
        }
    }

    #[test]
    fn pairs_of_all_classes_are_counted() {
        let mut classes = ConflictClasses::default();
        classes.push(&[0, 1], &[0, 1, 0, 0, 2, 2, 2, 2]);
        classes.push(&[2, 3], &[0, 1, 0, 0, 2, 2, 2, 2]);
        classes.push(&[3, 4, 5, 6], &[0, 1, 0, 0, 2, 2, 2, 2]);
        // Rows 2 and 3 have one label, and make no class.
        assert_eq!((classes.len(), classes.n_pairs()), (2, 1 + 6));
    }
}
