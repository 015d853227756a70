//! Rows packed into words, some at a time, with their keys, and shared out among threads by these.

use std::ops::{BitOr, Shl};

use multiversion::multiversion;
use rayon::prelude::*;

use crate::random::mix;
use crate::table::lanes::{BLOCK, Lane};

/// Lanes in a word.
const LANES: usize = 8;
/// Rows whose bytes are put side by side at a time.
const SIDE_BY_SIDE: usize = 256;

/// A stretch of rows packed into words.
pub struct Rows {
    /// Words of a row.
    stride: usize,
    words: Vec<u64>,
    /// Equal rows have equal keys.
    pub keys: Vec<u64>,
    seed: u64,
    n_parts: usize,
    /// The rows of each block, by the part that their keys are in.
    by_part: Vec<u32>,
    /// For each block, where in it the rows of each part begin, and where those of the last part end.
    bounds: Vec<u32>,
}

impl Rows {
    /// Words of a row of these lanes.
    pub fn stride_of(lanes: &[Lane<'_>]) -> usize {
        lanes.len().div_ceil(LANES).max(1)
    }

    /// Room for so many rows.
    pub fn new(stride: usize, n_rows: usize, seed: u64, n_parts: usize) -> Self {
        let bounds = vec![0; n_rows.div_ceil(BLOCK) * (n_parts + 1)];
        let (words, keys, by_part) = (vec![0; n_rows * stride], vec![0; n_rows], vec![0; n_rows]);
        Self { stride, words, keys, seed, n_parts, by_part, bounds }
    }

    /// Rows of one word that all have one key.
    #[cfg(test)]
    pub fn of_one_key(words: &[u64]) -> Self {
        let n = words.len() as u32;
        let (words, keys) = (words.to_vec(), vec![5; words.len()]);
        Self { words, keys, by_part: (0..n).collect(), bounds: vec![0, n], ..Self::new(1, 0, 0, 1) }
    }

    /// Packs the `n_rows` rows from `start` on.
    pub fn pack(&mut self, lanes: &[Lane<'_>], start: usize, n_rows: usize) {
        self.keys.truncate(n_rows);
        self.by_part.truncate(n_rows);
        let (stride, seed, n_parts) = (self.stride, self.seed, self.n_parts);
        let packed = self.words.par_chunks_mut(stride * BLOCK).zip(self.keys.par_chunks_mut(BLOCK));
        let shared_out = self.by_part.par_chunks_mut(BLOCK).zip(self.bounds.par_chunks_mut(n_parts + 1));
        packed.zip(shared_out).enumerate().for_each(|(block, ((words, keys), (rows, bounds)))| {
            let words = &mut words[..keys.len() * stride];
            pack_block(lanes, start + block * BLOCK, (words, stride), keys, seed);
            share_out(keys, (block * BLOCK) as u32, rows, bounds);
        });
    }

    /// The rows of a part, ascending.
    pub fn of_part(&self, part: usize) -> impl Iterator<Item = u32> {
        let blocks = self.by_part.chunks(BLOCK).zip(self.bounds.chunks(self.n_parts + 1));
        blocks.flat_map(move |(rows, bounds)| &rows[bounds[part] as usize..bounds[part + 1] as usize]).copied()
    }

    /// The words of a row.
    #[inline]
    pub fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.stride..(row + 1) * self.stride]
    }
}

/// Packs the rows from `start` on, of `stride` words each, and makes their keys.
#[multiversion(targets("x86_64+avx2"))]
fn pack_block<'c>(lanes: &[Lane<'c>], start: usize, (rows, stride): (&mut [u64], usize), keys: &mut [u64], seed: u64) {
    for (at, lanes) in lanes.chunks(LANES).enumerate() {
        pack_lanes(lanes, start, rows, stride, at);
    }
    for (key, row) in keys.iter_mut().zip(rows.chunks_exact(stride)) {
        *key = key_of(row.iter().copied(), seed);
    }
}

/// Sorts the rows from `first` on, which have these keys, by the parts that the keys are in. The `bounds` become where each part begins,
/// and where the last one ends.
fn share_out(keys: &[u64], first: u32, rows: &mut [u32], bounds: &mut [u32]) {
    let n_parts = bounds.len() - 1;
    bounds.fill(0);
    if n_parts == 1 {
        bounds[1] = keys.len() as u32;
        rows.iter_mut().zip(first..).for_each(|(place, row)| *place = row);
        return;
    }
    let part_of = |key: u64| ((u128::from(key) * n_parts as u128) >> 64) as usize;
    // Counts stand two places behind those of their parts. Added up, the place behind a part's own says where the part begins, and once
    // its rows are put down, where it ends and the next begins.
    for &key in keys {
        if let Some(count) = bounds.get_mut(part_of(key) + 2) {
            *count += 1;
        }
    }
    (2..n_parts).for_each(|part| bounds[part + 1] += bounds[part]);
    for (&key, row) in keys.iter().zip(first..) {
        let at = &mut bounds[part_of(key) + 1];
        rows[*at as usize] = row;
        *at += 1;
    }
}

/// Puts the words of some rows from `start` on, of at most [`LANES`] lanes, to their place in each row of words.
// Loops in place of `for_each`, whose closures would not be compiled for the instructions of the caller.
#[inline(always)]
fn pack_lanes(lanes: &[Lane<'_>], start: usize, rows: &mut [u64], stride: usize, at: usize) {
    let (n, mut bytes) = (rows.len() / stride, [[0; BLOCK]; LANES]);
    for (lane, bytes) in lanes.iter().zip(&mut bytes) {
        lane.fill(start, &mut bytes[..n]);
    }
    for (part, rows) in rows.chunks_mut(stride * SIDE_BY_SIDE).enumerate() {
        let [a, b, c, d, e, f, g, h] = bytes.each_ref().map(|bytes| &bytes.as_chunks().0[part]);
        let low = joined::<u16, u32>(&joined(a, b), &joined(c, d));
        let high = joined::<u16, u32>(&joined(e, f), &joined(g, h));
        let words = joined::<u32, u64>(&low, &high);
        for (row, word) in rows.chunks_exact_mut(stride).zip(&words) {
            row[at] = *word;
        }
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

/// The key of a row of these words. The halves of each product are joined, so whether a change of one word undoes that of
/// another depends on the seed.
#[inline]
pub fn key_of(row: impl Iterator<Item = u64>, seed: u64) -> u64 {
    mix(row.fold(mix(seed), |key, word| {
        let product = u128::from(key ^ word) * 0x9E37_79B9_7F4A_7C15;
        (product as u64) ^ (product >> 64) as u64
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_part_stay_in_their_order() {
        let keys = [u64::MAX, 0, u64::MAX / 2, 1, u64::MAX];
        let shared_out = |n_parts: usize| {
            let (mut rows, mut bounds) = ([0; 5], vec![7; n_parts + 1]);
            share_out(&keys, 10, &mut rows, &mut bounds);
            (rows, bounds)
        };
        assert_eq!(shared_out(1), ([10, 11, 12, 13, 14], vec![0, 5]));
        assert_eq!(shared_out(2), ([11, 12, 13, 10, 14], vec![0, 3, 5]));
        assert_eq!(shared_out(3), ([11, 13, 12, 10, 14], vec![0, 2, 3, 5]));
    }

    #[test]
    fn keys_differ_by_seed_and_where_two_bits_of_neighbours_differ() {
        assert_ne!(key_of([1, 2].into_iter(), 0), key_of([1, 2].into_iter(), 1));
        let twins = (0..64).flat_map(|a| (0..64).map(move |b| [1 << a, 1_u64 << b]));
        let mut keys: Vec<u64> = twins.map(|row| key_of(row.into_iter(), 0)).collect();
        keys.sort_unstable();
        assert!(keys.is_sorted_by(|a, b| a < b));
    }
}
