//! Groups of rows that agree on given columns.
//!
//! Rows are packed into words, those with equal keys compared word by word, so the groups are exact. Threads share out the
//! rows by their keys and not by their places, so each finds all rows of its groups, and nothing is merged.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::attribute::Attribute;
use super::lanes::{BLOCK, Lane};
use super::slots::Slots;
use crate::random::mix;

/// Lanes in a word.
const LANES: usize = 8;
/// Rows that are looked up together, so that they wait for memory together.
const TOGETHER: usize = 16;

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
    pub fn of(columns: &[&Attribute], n_rows: usize) -> Self {
        // The packed rows are gone before the groups are numbered.
        let first_rows = Rows::pack(columns, n_rows).first_rows();
        Self::by_first_rows(&first_rows)
    }

    /// The sum over the rows of each class.
    pub fn sums(&self, of_row: impl Fn(usize) -> u64) -> Vec<u64> {
        let mut sums = vec![0; self.first.len()];
        self.class_of.iter().enumerate().for_each(|(row, &class)| sums[class as usize] += of_row(row));
        sums
    }

    /// The classes of rows of which each is known the first that it is equal to.
    fn by_first_rows(first_rows: &[u32]) -> Self {
        let blocks = || first_rows.par_chunks(BLOCK).enumerate();
        let firsts = |(block, rows): (usize, &[u32])| -> Vec<u32> {
            ((block * BLOCK) as u32..).zip(rows).filter(|&(row, &first)| row == first).map(|(row, _)| row).collect()
        };
        let first: Vec<u32> = blocks().flat_map_iter(firsts).collect();
        let mut class = vec![0; first_rows.len()];
        (0..).zip(&first).for_each(|(number, &row)| class[row as usize] = number);
        Self { class_of: first_rows.par_iter().map(|&row| class[row as usize]).collect(), first }
    }
}

/// Rows packed into words.
struct Rows {
    n_rows: usize,
    /// Words of a row.
    stride: usize,
    words: Vec<u64>,
    /// Equal rows have equal keys.
    keys: Vec<u64>,
}

impl Rows {
    fn pack(columns: &[&Attribute], n_rows: usize) -> Self {
        let columns: Vec<_> = columns.iter().map(|column| (column.codes(), column.n_values())).collect();
        let lanes = Lane::share_out(&columns);
        let stride = lanes.len().div_ceil(LANES).max(1);
        let (mut words, mut keys) = (vec![0; n_rows * stride], vec![0; n_rows]);
        let blocks = words.par_chunks_mut(stride * BLOCK).zip(keys.par_chunks_mut(BLOCK)).enumerate();
        blocks.for_each(|(block, (words, keys))| {
            for (at, lanes) in lanes.chunks(LANES).enumerate() {
                let packed = words_of(lanes, block * BLOCK, keys.len());
                words.chunks_exact_mut(stride).zip(packed).for_each(|(row, word)| row[at] = word);
            }
            keys.iter_mut().zip(words.chunks_exact(stride)).for_each(|(key, row)| *key = key_of(row));
        });
        Self { n_rows, stride, words, keys }
    }

    /// The first row that each row is equal to.
    fn first_rows(&self) -> Vec<u32> {
        let n_parts = rayon::current_num_threads().max(1);
        let first_rows: Vec<AtomicU32> = (0..self.n_rows).map(|_| AtomicU32::new(0)).collect();
        (0..n_parts).into_par_iter().for_each(|part| self.find_part(part, n_parts, &first_rows));
        first_rows.into_iter().map(AtomicU32::into_inner).collect()
    }

    /// Finds the first rows of the rows whose keys are in one of `n_parts` parts of all keys.
    fn find_part(&self, part: usize, n_parts: usize, first_rows: &[AtomicU32]) {
        let is_here = |key: u64| (u128::from(key) * n_parts as u128) >> 64 == part as u128;
        let n_here = self.keys.iter().filter(|&&key| is_here(key)).count();
        let mut slots = Slots::new(n_here);
        let mut rows = (0..self.n_rows).filter(|&row| is_here(self.keys[row]));
        let mut together = [0; TOGETHER];
        loop {
            let mut n = 0;
            together.iter_mut().zip(&mut rows).for_each(|(place, row)| (*place, n) = (row, n + 1));
            if n == 0 {
                return;
            }
            let rows = &together[..n];
            let mut guesses = [0; TOGETHER];
            rows.iter()
                .zip(&mut guesses)
                .for_each(|(&row, guess)| *guess = slots.guess(self.keys[row] as u32).unwrap_or(row));
            let mut equal = [false; TOGETHER];
            for ((&row, &guess), equal) in rows.iter().zip(&guesses).zip(&mut equal) {
                *equal = guess != row && self.are_equal(guess, row);
            }
            for ((&row, guess), equal) in rows.iter().zip(guesses).zip(equal) {
                let known = |first| self.are_equal(first, row);
                let first = if equal { guess } else { slots.find(self.keys[row] as u32, row, known) };
                first_rows[row].store(first as u32, Ordering::Relaxed);
            }
        }
    }

    #[inline]
    fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.stride..(row + 1) * self.stride]
    }

    #[inline]
    fn are_equal(&self, a: usize, b: usize) -> bool {
        self.row(a).iter().zip(self.row(b)).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
    }
}

/// The words of `n` rows from `start` on, of at most [`LANES`] lanes.
fn words_of(lanes: &[Lane<'_>], start: usize, n: usize) -> impl Iterator<Item = u64> {
    let mut bytes = [[0_u8; BLOCK]; LANES];
    lanes.iter().zip(&mut bytes).for_each(|(lane, bytes)| lane.fill(start, &mut bytes[..n]));
    (0..n).map(move |row| u64::from_le_bytes(std::array::from_fn(|lane| bytes[lane][row])))
}

fn key_of(row: &[u64]) -> u64 {
    mix(row.iter().fold(0, |key: u64, word| (key.rotate_left(29) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;

    use super::*;
    use crate::table::Value;

    fn column(values: &[i64]) -> Attribute {
        Attribute::from_values("x", &values.iter().copied().map(Value::Integer).collect::<Vec<_>>())
    }

    /// The reference: compares rows by their values.
    fn by_values(columns: &[&Attribute], n_rows: usize) -> Groups {
        let (mut classes, mut first) = (FxHashMap::<Vec<u32>, u32>::default(), Vec::new());
        let class = |row: usize| {
            *classes.entry(columns.iter().map(|column| column.code(row)).collect()).or_insert_with(|| {
                first.push(row as u32);
                first.len() as u32 - 1
            })
        };
        Groups { class_of: (0..n_rows).map(class).collect(), first }
    }

    #[test]
    fn words_and_values_give_the_same_classes() {
        let columns = [column(&[1, 2, 1, 2, 1, 1]), column(&[0, 0, 0, 1, 0, 7])];
        let columns: Vec<&Attribute> = columns.iter().collect();
        let expected = Groups { class_of: vec![0, 1, 0, 2, 0, 3], first: vec![0, 1, 3, 5] };
        assert_eq!(Groups::of(&columns, 6), expected);
        assert_eq!(by_values(&columns, 6), expected);
    }

    #[test]
    fn columns_of_all_widths_are_grouped_alike_by_any_number_of_threads() {
        let sizes = [2, 3, 17, 300, 70_000, 256, 257, 1, 5, 4, 16, 2, 2];
        let values =
            |n: i64| -> Vec<i64> { (0..100_000).map(|row| row / 3 * 7919 % 6007 % n + row % 3 * (n / 4)).collect() };
        let columns = sizes.map(|n| column(&values(n)));
        let columns: Vec<&Attribute> = columns.iter().collect();
        for n_columns in 0..=columns.len() {
            let columns = &columns[..n_columns];
            let expected = by_values(columns, 100_000);
            for n_threads in [1, 3] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
                assert_eq!(pool.install(|| Groups::of(columns, 100_000)), expected);
            }
        }
    }

    #[test]
    fn rows_with_one_key_are_told_apart() {
        let rows = Rows { n_rows: 4, stride: 1, words: vec![7, 8, 7, 8], keys: vec![5; 4] };
        assert_eq!(rows.first_rows(), [0, 1, 0, 1]);
    }

    #[test]
    fn without_columns_all_rows_are_one_class() {
        assert_eq!(Groups::of(&[], 3), Groups { class_of: vec![0; 3], first: vec![0] });
    }
}
