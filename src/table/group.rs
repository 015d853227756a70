//! Groups of rows that agree on given columns.
//!
//! Rows are packed into words, some at a time, and compared word by word with the classes found so far, so the groups are
//! exact. Threads share out the rows by their keys and not by their places, so each finds all rows of its groups, and nothing
//! is merged.

use std::ops::{BitOr, Shl};
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::attribute::Attribute;
use super::lanes::{BLOCK, Lane};
use super::slots::Slots;
use crate::pages::{prefetch, with_large_room};
use crate::random::mix;

/// Lanes in a word.
const LANES: usize = 8;
/// Words in a line of the cache.
const LINE: usize = 8;
/// Rows that are looked up together, so that they wait for memory together.
const TOGETHER: usize = 32;
/// Rows whose bytes are put side by side at a time.
const SIDE_BY_SIDE: usize = 256;
/// Rows that one word says of whether they begin a class.
const MARKED: usize = u64::BITS as usize;
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
        let marks = Mark::of(&first_rows);
        let first = marks.par_iter().enumerate().flat_map_iter(|(at, mark)| mark.rows(at)).collect();
        first_rows.par_iter_mut().for_each(|row| *row = marks[*row as usize / MARKED].class(*row));
        Self { class_of: first_rows, first }
    }
}

/// Which of [`MARKED`] rows begin a class, and how many rows before them do: what numbers the classes.
struct Mark {
    begins: u64,
    before: u32,
}

impl Mark {
    /// The marks of all rows, of which each is known the first that it is equal to.
    fn of(first_rows: &[u32]) -> Vec<Self> {
        let mark = |(at, rows): (usize, &[u32])| {
            let is_first = |(place, &first): (usize, &u32)| u64::from((at * MARKED + place) as u32 == first) << place;
            Self { begins: rows.iter().enumerate().map(is_first).sum(), before: 0 }
        };
        let mut marks: Vec<Self> = first_rows.par_chunks(MARKED).enumerate().map(mark).collect();
        let mut n_classes = 0;
        for mark in &mut marks {
            mark.before = n_classes;
            n_classes += mark.begins.count_ones();
        }
        marks
    }

    /// The class that begins with this row.
    #[inline]
    fn class(&self, row: u32) -> u32 {
        let earlier = self.begins & ((1 << (row % MARKED as u32)) - 1);
        self.before + earlier.count_ones()
    }

    /// The rows that begin a class, of those that the mark number `at` is of.
    fn rows(&self, at: usize) -> impl Iterator<Item = u32> + use<> {
        let (start, begins) = ((at * MARKED) as u32, self.begins);
        (0..MARKED as u32).filter(move |bit| begins >> bit & 1 == 1).map(move |bit| start + bit)
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
                pack_lanes(lanes, start + block * BLOCK, &mut words[..keys.len() * stride], stride, at);
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
    classes: Records,
    /// Room for the rows of this part in a stretch, and for the class that each may be of.
    here: Vec<(u32, u32)>,
}

impl Part {
    /// No class yet of a part of `n_rows` rows, which have `stride` words each.
    fn new(number: usize, n_parts: usize, n_rows: usize, stride: usize) -> Self {
        let n_here = n_rows.div_ceil(n_parts);
        // For more classes than half of the rows the slots grow.
        Self { number, n_parts, slots: Slots::new(n_here / 2), classes: Records::new(n_here, stride), here: Vec::new() }
    }

    /// Finds the first row that each row of this part is equal to, of rows that begin at `start`.
    ///
    /// Memory is asked for before it is needed: the slot of a row two rounds before its turn, the record of the class that it
    /// may be of one round before.
    fn take_up(&mut self, rows: &Rows, start: usize, first_rows: &[AtomicU32]) {
        let (number, n_parts) = (self.number as u128, self.n_parts as u128);
        let is_here = |&row: &u32| (u128::from(rows.keys[row as usize]) * n_parts) >> 64 == number;
        let mut here = std::mem::take(&mut self.here);
        here.clear();
        here.extend((0..rows.keys.len() as u32).filter(is_here).map(|row| (row, 0)));
        for turn in 0..here.len().div_ceil(TOGETHER) + 2 {
            for &(row, _) in here.chunks(TOGETHER).nth(turn).unwrap_or_default() {
                self.slots.prefetch(rows.keys[row as usize] as u32);
            }
            let next = turn.checked_sub(1).and_then(|round| here.chunks_mut(TOGETHER).nth(round));
            for (row, guess) in next.unwrap_or_default() {
                *guess = self.slots.guess(rows.keys[*row as usize] as u32) as u32;
                self.classes.prefetch(*guess);
            }
            let now = turn.checked_sub(2).and_then(|round| here.chunks(TOGETHER).nth(round));
            self.look_up(now.unwrap_or_default(), rows, start, first_rows);
        }
        self.here = here;
    }

    /// Finds the first row that each of these rows is equal to, which may be of the class beside it.
    fn look_up(&mut self, here: &[(u32, u32)], rows: &Rows, start: usize, first_rows: &[AtomicU32]) {
        // Those that are not are put aside without a branch, which would be guessed wrongly half of the time.
        let (mut others, mut n_others) = ([0; TOGETHER], 0);
        for &(row, guess) in here {
            let (first, is_equal) = self.classes.first_if_equal(guess, rows.row(row as usize));
            first_rows[row as usize].store(first, Ordering::Relaxed);
            others[n_others] = row;
            n_others += usize::from(!is_equal);
        }
        for &row in &others[..n_others] {
            first_rows[row as usize].store(self.first_row(rows, start, row as usize), Ordering::Relaxed);
        }
    }

    /// The first row that a row is equal to, which begins a class if it is equal to none before.
    fn first_row(&mut self, rows: &Rows, start: usize, row: usize) -> u32 {
        let (words, known) = (rows.row(row), self.classes.len());
        let is_equal = |class| self.classes.first_if_equal(class as u32, words).1;
        let class = self.slots.find(rows.keys[row] as u32, known, is_equal);
        if class == known {
            self.classes.push(words, (start + row) as u32);
        }
        self.classes.first_if_equal(class as u32, words).0
    }
}

/// The words of each class and its first row, in as few lines of the cache as can be, as any of them may be asked for next.
struct Records {
    /// Words of a row.
    stride: usize,
    /// Words from one record to the next.
    step: usize,
    /// Words before the first record, which begins a line.
    before: usize,
    words: Vec<u64>,
}

impl Records {
    /// No class yet, with room for `n` of rows of `stride` words.
    fn new(n: usize, stride: usize) -> Self {
        let step = if stride < LINE { (stride + 1).next_power_of_two() } else { (stride + 1).next_multiple_of(LINE) };
        let mut words: Vec<u64> = with_large_room(n * step + LINE);
        let before = words.as_ptr().align_offset(LINE * size_of::<u64>()).min(LINE);
        words.resize(before, 0);
        Self { stride, step, before, words }
    }

    /// The number of classes.
    fn len(&self) -> usize {
        (self.words.len() - self.before) / self.step
    }

    fn push(&mut self, row: &[u64], first: u32) {
        let end = self.words.len() + self.step;
        self.words.extend_from_slice(row);
        self.words.push(first.into());
        self.words.resize(end, 0);
    }

    #[inline]
    fn prefetch(&self, class: u32) {
        prefetch(&self.words, self.before + class as usize * self.step);
    }

    /// The first row of a class, and whether this row is of it. There may be no such class.
    #[inline]
    fn first_if_equal(&self, class: u32, row: &[u64]) -> (u32, bool) {
        let begin = self.before + class as usize * self.step;
        let Some((first, words)) = self.words.get(begin..=begin + self.stride).and_then(<[u64]>::split_last) else {
            return (0, false);
        };
        (*first as u32, words.iter().zip(row).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0)
    }
}

/// Puts the words of some rows from `start` on, of at most [`LANES`] lanes, to their place in each row of words.
fn pack_lanes(lanes: &[Lane<'_>], start: usize, rows: &mut [u64], stride: usize, at: usize) {
    let (n, mut bytes) = (rows.len() / stride, [[0; BLOCK]; LANES]);
    lanes.iter().zip(&mut bytes).for_each(|(lane, bytes)| lane.fill(start, &mut bytes[..n]));
    for (part, rows) in rows.chunks_mut(stride * SIDE_BY_SIDE).enumerate() {
        let [a, b, c, d, e, f, g, h] = bytes.each_ref().map(|bytes| bytes.as_chunks().0[part]);
        let low = joined::<u16, u32>(&joined(&a, &b), &joined(&c, &d));
        let high = joined::<u16, u32>(&joined(&e, &f), &joined(&g, &h));
        let words = joined::<u32, u64>(&low, &high);
        rows.chunks_exact_mut(stride).zip(words).for_each(|(row, word)| row[at] = word);
    }
}

/// Numbers of twice the size, made of a low and a high half each.
#[inline(always)]
fn joined<H: Copy, W: From<H> + Shl<usize, Output = W> + BitOr<Output = W>>(
    low: &[H; SIDE_BY_SIDE],
    high: &[H; SIDE_BY_SIDE],
) -> [W; SIDE_BY_SIDE] {
    std::array::from_fn(|at| W::from(low[at]) | W::from(high[at]) << (8 * size_of::<H>()))
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
