//! Groups of rows that agree on given columns: random keys per (column, value), verified exactly.
//!
//! A row's key is the XOR of one random word per (column, value), so a column is added or dropped in one pass.
//! Equal rows have equal keys always; unequal rows have equal keys with probability 2^-64, and every hit is verified.

use rayon::prelude::*;

use super::attribute::Attribute;
use super::codes::{Code, Codes, with_codes};
use crate::random::mix;

/// Rows hashed together, so that their keys stay in the first-level cache.
const BLOCK: usize = 2048;
const SALT: u64 = 0x243F_6A88_85A3_08D3;

/// The random word of each value of the column number `column`.
#[must_use]
pub fn value_words(column: usize, n_values: usize) -> Vec<u64> {
    let base = mix(SALT ^ mix(column as u64));
    (0..n_values as u64).map(|value| mix(base ^ value.wrapping_mul(0x9E37_79B9_7F4A_7C15))).collect()
}

/// XORs the words of one column into `keys`: adds the column to keys that lack it, drops it from keys that have it.
pub fn xor_column(keys: &mut [u64], codes: &Codes, words: &[u64]) {
    with_codes!(codes, codes => xor_slice(keys, codes, words));
}

fn xor_slice<C: Code>(keys: &mut [u64], codes: &[C], words: &[u64]) {
    for (key, code) in keys.iter_mut().zip(codes) {
        *key ^= words[code.index()];
    }
}

/// The key of each of `n_rows` rows over `columns`, given as (column number, codes, number of values).
#[must_use]
pub fn row_keys(columns: &[(usize, &Codes, usize)], n_rows: usize) -> Vec<u64> {
    let words: Vec<Vec<u64>> = columns.iter().map(|&(column, _, n_values)| value_words(column, n_values)).collect();
    let mut keys = vec![0; n_rows];
    keys.par_chunks_mut(BLOCK).enumerate().for_each(|(block, keys)| {
        let rows = block * BLOCK..block * BLOCK + keys.len();
        for ((_, codes, _), words) in columns.iter().zip(&words) {
            with_codes!(codes, codes => xor_slice(keys, &codes[rows.clone()], words));
        }
    });
    keys
}

/// The classes of equal rows: of every row its class, of every class its first row.
/// Classes are numbered by first occurrence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    /// The class of each row.
    pub class_of: Vec<u32>,
    /// The first row of each class, ascending.
    pub first: Vec<u32>,
}

impl Groups {
    /// The classes of rows that agree on all of `columns`; one class if there are none.
    #[must_use]
    pub fn of(columns: &[&Attribute], n_rows: usize) -> Self {
        let keyed: Vec<_> = columns.iter().enumerate().map(|(i, a)| (i, a.codes(), a.n_values())).collect();
        let groups = Self::by_keys(&row_keys(&keyed, n_rows));
        if groups.verify(columns) { groups } else { Self::by_sorting(columns, n_rows) }
    }

    /// The classes of equal keys.
    fn by_keys(keys: &[u64]) -> Self {
        let capacity = (keys.len() * 2).next_power_of_two().max(2);
        let (mask, shift) = (capacity - 1, 64 - capacity.trailing_zeros());
        let mut slots = vec![(0_u64, u32::MAX); capacity];
        let (mut class_of, mut first) = (Vec::with_capacity(keys.len()), Vec::new());
        for (row, &key) in keys.iter().enumerate() {
            let mut at = (key >> shift) as usize;
            while slots[at].1 != u32::MAX && slots[at].0 != key {
                at = (at + 1) & mask;
            }
            if slots[at].1 == u32::MAX {
                slots[at] = (key, first.len() as u32);
                first.push(row as u32);
            }
            class_of.push(slots[at].1);
        }
        Self { class_of, first }
    }

    /// Whether every row really equals the first row of its class.
    fn verify(&self, columns: &[&Attribute]) -> bool {
        let pairs: Vec<(u32, u32)> =
            (0..).zip(&self.class_of).map(|(row, &class)| (row, self.first[class as usize])).collect();
        let repeated: Vec<(u32, u32)> = pairs.into_iter().filter(|(row, first)| row != first).collect();
        columns.par_iter().all(|attribute| with_codes!(attribute.codes(), codes => agree(codes, &repeated)))
    }

    /// The reference: sorts rows by their values. Used when keys of different rows were equal.
    fn by_sorting(columns: &[&Attribute], n_rows: usize) -> Self {
        let compare = |a: &u32, b: &u32| {
            let (a, b) = (*a as usize, *b as usize);
            columns
                .iter()
                .map(|c| c.code(a).cmp(&c.code(b)))
                .find(|order| order.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        };
        let mut rows: Vec<u32> = (0..n_rows as u32).collect();
        rows.sort_by(compare);
        let mut first_of = vec![0; n_rows];
        for run in rows.chunk_by(|a, b| compare(a, b).is_eq()) {
            run.iter().for_each(|&row| first_of[row as usize] = run[0]);
        }
        Self::from_first_rows(&first_of)
    }

    /// Numbers classes by first occurrence, given the first row of each row's class.
    fn from_first_rows(first_of: &[u32]) -> Self {
        let (mut class_of, mut first) = (Vec::with_capacity(first_of.len()), Vec::new());
        for (row, &of) in first_of.iter().enumerate() {
            if of as usize == row {
                class_of.push(first.len() as u32);
                first.push(of);
            } else {
                class_of.push(class_of[of as usize]);
            }
        }
        Self { class_of, first }
    }
}

fn agree<C: Code>(codes: &[C], pairs: &[(u32, u32)]) -> bool {
    pairs
        .chunks(BLOCK)
        .all(|pairs| pairs.iter().fold(true, |equal, &(a, b)| equal & (codes[a as usize] == codes[b as usize])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Value;

    fn column(values: &[i64]) -> Attribute {
        Attribute::from_values("x", &values.iter().copied().map(Value::Integer).collect::<Vec<_>>())
    }

    #[test]
    fn keys_and_sorting_give_the_same_classes() {
        let columns = [column(&[1, 2, 1, 2, 1, 1]), column(&[0, 0, 0, 1, 0, 7])];
        let columns: Vec<&Attribute> = columns.iter().collect();
        let expected = Groups { class_of: vec![0, 1, 0, 2, 0, 3], first: vec![0, 1, 3, 5] };
        assert_eq!(Groups::of(&columns, 6), expected);
        assert_eq!(Groups::by_sorting(&columns, 6), expected);
    }

    #[test]
    fn a_collision_of_keys_is_noticed() {
        let column = column(&[0, 1, 0]);
        let wrong = Groups::by_keys(&[5, 5, 5]);
        assert_eq!(wrong.first, vec![0]);
        assert!(!wrong.verify(&[&column]));
        assert!(Groups::by_keys(&[5, 6, 5]).verify(&[&column]));
    }

    #[test]
    fn dropping_a_column_undoes_adding_it() {
        let (a, b) = (column(&[0, 1, 0]), column(&[2, 2, 3]));
        let mut keys = row_keys(&[(0, a.codes(), 2), (1, b.codes(), 2)], 3);
        xor_column(&mut keys, b.codes(), &value_words(1, 2));
        assert_eq!(keys, row_keys(&[(0, a.codes(), 2)], 3));
    }

    #[test]
    fn without_columns_all_rows_are_one_class() {
        assert_eq!(Groups::of(&[], 3), Groups { class_of: vec![0; 3], first: vec![0] });
    }
}
