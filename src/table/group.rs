//! Groups of rows that agree on given columns.
//!
//! Rows are packed into words, some at a time, and compared word by word with the classes found so far, so the groups are
//! exact. Threads share out the rows by their keys and not by their places, so each finds all rows of its groups, and nothing
//! is merged.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::attribute::Attribute;
use super::lanes::{BLOCK, Lane};
use super::slots::Slots;
use crate::pages::with_large_room;
use crate::random::mix;

/// Lanes in a word.
const LANES: usize = 8;
/// Rows that are looked up together, so that they wait for memory together.
const TOGETHER: usize = 64;
/// Blocks that each thread packs before they are looked up, so that they are found in its cache.
const BLOCKS: usize = 4;

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
        let columns: Vec<_> = columns.iter().map(|column| (column.held().into(), column.n_values())).collect();
        let lanes = Lane::share_out(&columns);
        // From a thread among those that work, which else were called for every stretch of rows.
        Self::by_first_rows(rayon::scope(|_| first_rows(&lanes, n_rows)))
    }

    /// The sum over the rows of each class.
    pub fn sums(&self, of_row: impl Fn(usize) -> u64) -> Vec<u64> {
        let mut sums = vec![0; self.first.len()];
        self.class_of.iter().enumerate().for_each(|(row, &class)| sums[class as usize] += of_row(row));
        sums
    }

    /// The classes of rows of which each is known the first that it is equal to.
    fn by_first_rows(mut first_rows: Vec<u32>) -> Self {
        let blocks = first_rows.par_chunks(BLOCK).enumerate();
        let firsts = |(block, rows): (usize, &[u32])| -> Vec<u32> {
            ((block * BLOCK) as u32..).zip(rows).filter(|&(row, &first)| row == first).map(|(row, _)| row).collect()
        };
        let first: Vec<u32> = blocks.flat_map_iter(firsts).collect();
        let mut class = vec![0; first_rows.len()];
        (0..).zip(&first).for_each(|(number, &row)| class[row as usize] = number);
        first_rows.par_iter_mut().for_each(|row| *row = class[*row as usize]);
        Self { class_of: first_rows, first }
    }
}

/// The first row that each of `n_rows` rows is equal to.
fn first_rows(lanes: &[Lane<'_>], n_rows: usize) -> Vec<u32> {
    let n_parts = rayon::current_num_threads().max(1);
    let stride = lanes.len().div_ceil(LANES).max(1);
    let mut first_rows = with_large_room(n_rows);
    first_rows.resize_with(n_rows, AtomicU32::default);
    let mut parts: Vec<Part> = (0..n_parts).map(|number| Part::new(number, n_parts, n_rows, stride)).collect();
    let stretch = n_parts * BLOCKS * BLOCK;
    let mut rows = Rows::new(stride, stretch.min(n_rows));
    for (number, first_rows) in first_rows.chunks(stretch).enumerate() {
        rows.pack(lanes, number * stretch, first_rows.len());
        parts.par_iter_mut().for_each(|part| part.take_up(&rows, number * stretch, first_rows));
    }
    first_rows.into_iter().map(AtomicU32::into_inner).collect()
}

/// A stretch of rows packed into words.
struct Rows {
    /// Words of a row.
    stride: usize,
    words: Vec<u64>,
    /// Equal rows have equal keys.
    keys: Vec<u64>,
}

impl Rows {
    /// Room for so many rows.
    fn new(stride: usize, n_rows: usize) -> Self {
        Self { stride, words: vec![0; n_rows * stride], keys: vec![0; n_rows] }
    }

    /// Packs the `n_rows` rows from `start` on.
    fn pack(&mut self, lanes: &[Lane<'_>], start: usize, n_rows: usize) {
        self.keys.truncate(n_rows);
        let stride = self.stride;
        let blocks = self.words.par_chunks_mut(stride * BLOCK).zip(self.keys.par_chunks_mut(BLOCK)).enumerate();
        blocks.for_each(|(block, (words, keys))| {
            for (at, lanes) in lanes.chunks(LANES).enumerate() {
                pack_lanes(lanes, start + block * BLOCK, keys.len(), |row, word| words[row * stride + at] = word);
            }
            keys.iter_mut().zip(words.chunks_exact(stride)).for_each(|(key, row)| *key = key_of(row.iter().copied()));
        });
    }

    #[inline]
    fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.stride..(row + 1) * self.stride]
    }
}

/// The classes of rows whose keys are in one of several parts of all keys.
struct Part {
    number: usize,
    n_parts: usize,
    slots: Slots,
    /// The first row of each class.
    first: Vec<u32>,
    /// The words of each class, one after another.
    words: Vec<u64>,
}

impl Part {
    /// No class yet of a part of `n_rows` rows, which have `stride` words each.
    fn new(number: usize, n_parts: usize, n_rows: usize, stride: usize) -> Self {
        let n_here = n_rows.div_ceil(n_parts);
        // For more classes than half of the rows the slots grow.
        let (slots, first) = (Slots::new(n_here / 2), Vec::with_capacity(n_here));
        Self { number, n_parts, slots, first, words: with_large_room(n_here * stride) }
    }

    /// Finds the first row that each row of this part is equal to, of rows that begin at `start`.
    fn take_up(&mut self, rows: &Rows, start: usize, first_rows: &[AtomicU32]) {
        let (number, n_parts) = (self.number as u128, self.n_parts as u128);
        let is_here = |&row: &usize| (u128::from(rows.keys[row]) * n_parts) >> 64 == number;
        let mut here = (0..rows.keys.len()).filter(is_here);
        let mut together = [0; TOGETHER];
        loop {
            let mut n = 0;
            together.iter_mut().zip(&mut here).for_each(|(place, row)| (*place, n) = (row, n + 1));
            if n == 0 {
                return;
            }
            let together = &together[..n];
            let (mut guesses, mut equal) = ([0; TOGETHER], [false; TOGETHER]);
            for (&row, guess) in together.iter().zip(&mut guesses) {
                *guess = self.slots.guess(rows.keys[row] as u32);
            }
            for ((&row, &guess), equal) in together.iter().zip(&guesses).zip(&mut equal) {
                *equal = is_class(&self.words, guess, rows.row(row));
            }
            for ((&row, guess), equal) in together.iter().zip(guesses).zip(equal) {
                let class = if equal { guess } else { self.class_of(rows, start, row) };
                first_rows[row].store(self.first[class], Ordering::Relaxed);
            }
        }
    }

    /// The class of a row, which begins one if it is equal to none before.
    fn class_of(&mut self, rows: &Rows, start: usize, row: usize) -> usize {
        let (words, known) = (rows.row(row), self.first.len());
        let class = self.slots.find(rows.keys[row] as u32, known, |class| is_class(&self.words, class, words));
        if class == known {
            self.first.push((start + row) as u32);
            self.words.extend_from_slice(words);
        }
        class
    }
}

/// Whether a row is of this class, of which the words of all are given.
#[inline]
fn is_class(words: &[u64], class: usize, row: &[u64]) -> bool {
    let class = words.get(class * row.len()..(class + 1) * row.len());
    class.is_some_and(|class| class.iter().zip(row).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0)
}

/// Hands over the words of `n` rows from `start` on, of at most [`LANES`] lanes.
fn pack_lanes(lanes: &[Lane<'_>], start: usize, n: usize, mut put: impl FnMut(usize, u64)) {
    let mut bytes = [[0_u8; BLOCK]; LANES];
    lanes.iter().zip(&mut bytes).for_each(|(lane, bytes)| lane.fill(start, &mut bytes[..n]));
    for row in (0..n).step_by(LANES) {
        let words =
            bytes.each_ref().map(|bytes| bytes[row..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)));
        (row..n).zip(transposed(words)).for_each(|(row, word)| put(row, word));
    }
}

/// Words of which byte `i` of word `k` is byte `k` of word `i` of those given.
#[inline]
fn transposed(mut words: [u64; LANES]) -> [u64; LANES] {
    // Squares of four bytes, of two, then single ones change places across the diagonal.
    for (size, low) in [(4, 0x0000_0000_FFFF_FFFF), (2, 0x0000_FFFF_0000_FFFF), (1, 0x00FF_00FF_00FF_00FF)] {
        for at in (0..LANES).filter(|at| at & size == 0) {
            let difference = (words[at] >> (8 * size) ^ words[at + size]) & low;
            words[at] ^= difference << (8 * size);
            words[at + size] ^= difference;
        }
    }
    words
}

/// The key of a row of these words.
#[inline]
pub(super) fn key_of(row: impl Iterator<Item = u64>) -> u64 {
    mix(row.fold(0, |key: u64, word| (key.rotate_left(29) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;

    use super::*;

    fn column(values: &[i64]) -> Attribute {
        Attribute::from_integers("x", values.iter().copied())
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
        let rows = Rows { stride: 1, words: vec![7, 8, 7, 8], keys: vec![5; 4] };
        let (mut part, first_rows) = (Part::new(0, 1, 4, 1), [const { AtomicU32::new(0) }; 4]);
        part.take_up(&rows, 0, &first_rows);
        assert_eq!(first_rows.map(AtomicU32::into_inner), [0, 1, 0, 1]);
    }

    #[test]
    fn without_columns_all_rows_are_one_class() {
        assert_eq!(Groups::of(&[], 3), Groups { class_of: vec![0; 3], first: vec![0] });
    }
}
