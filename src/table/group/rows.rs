//! Rows packed into words, some at a time, with their keys, and shared out among threads by these.

mod words;

use rayon::prelude::*;

use crate::pages::prefetch;
use crate::random::mix;
use crate::table::lanes::{BLOCK, Lane};
use words::{LANES, put_words};

/// Rows that are packed together, so that their words stay in the first-level cache until their keys are made.
const NEAR: usize = 512;
/// How many times as many rows before their turn their codes are asked for: those of one turn take all of the first-level cache.
const EARLY: usize = 2;

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
            if n_parts > 1 {
                share_out(keys, (block * BLOCK) as u32, rows, bounds);
            }
        });
    }

    /// The rows of a part, ascending, some at a time.
    pub fn of_part(&self, part: usize) -> impl Iterator<Item = &[u32]> {
        let blocks = self.by_part.chunks(BLOCK).zip(self.bounds.chunks(self.n_parts + 1));
        blocks.map(move |(rows, bounds)| &rows[bounds[part] as usize..bounds[part + 1] as usize])
    }

    /// Has the words of a row brought near, for they are about to be read, and may be in the cache of another thread.
    #[inline]
    pub fn prefetch(&self, row: usize) {
        prefetch(&self.words, row * self.stride);
        prefetch(&self.words, (row + 1) * self.stride - 1);
    }

    /// The words of a row.
    #[inline]
    pub fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.stride..(row + 1) * self.stride]
    }
}

/// Packs the rows from `start` on, of `stride` words each, and makes their keys.
fn pack_block(lanes: &[Lane<'_>], start: usize, (rows, stride): (&mut [u64], usize), keys: &mut [u64], seed: u64) {
    let mut bytes = [[0; NEAR]; LANES];
    for (part, (rows, keys)) in rows.chunks_mut(stride * NEAR).zip(keys.chunks_mut(NEAR)).enumerate() {
        for (at, lanes) in lanes.chunks(LANES).enumerate() {
            for (lane, bytes) in lanes.iter().zip(&mut bytes) {
                lane.prefetch(start + (part + EARLY) * NEAR, NEAR);
                lane.fill(start + part * NEAR, &mut bytes[..keys.len()]);
            }
            bytes[lanes.len()..].fill([0; NEAR]);
            put_words(bytes.each_ref(), rows, stride, at);
        }
        for (key, row) in keys.iter_mut().zip(rows.chunks_exact(stride)) {
            *key = key_of(pairs(row), seed);
        }
    }
}

/// The part of `n_parts` that a key is in.
#[inline]
pub fn part_of(key: u64, n_parts: usize) -> usize {
    ((u128::from(key) * n_parts as u128) >> 64) as usize
}

/// Sorts the rows from `first` on, which have these keys, by the parts that the keys are in. The `bounds` become where each part begins,
/// and where the last one ends.
fn share_out(keys: &[u64], first: u32, rows: &mut [u32], bounds: &mut [u32]) {
    let n_parts = bounds.len() - 1;
    bounds.fill(0);
    // Once for each part, and without a branch: a count of each part in memory would be read again as soon as it is written.
    let mut end = 0;
    for part in 0..n_parts {
        for (&key, row) in keys.iter().zip(first..) {
            if let Some(place) = rows.get_mut(end) {
                *place = row;
            }
            end += usize::from(part_of(key, n_parts) == part);
        }
        bounds[part + 1] = end as u32;
    }
}

/// The key of a row of these words, two of which are multiplied at a time. The halves of each product are joined, so whether a change of
/// one word undoes that of another depends on the seed.
#[inline]
pub fn key_of(pairs: impl Iterator<Item = [u64; 2]>, seed: u64) -> u64 {
    let (start, other) = (mix(seed), mix(!seed));
    pairs.fold(start, |key, [word, next]| {
        let product = u128::from(key ^ word) * u128::from(other ^ next);
        (product as u64) ^ (product >> 64) as u64
    })
}

/// The words of a row two at a time; where one is left, 0 stands for the other.
fn pairs(row: &[u64]) -> impl Iterator<Item = [u64; 2]> {
    let (pairs, last) = row.as_chunks();
    pairs.iter().copied().chain(last.first().map(|&word| [word, 0]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::codes::Codes;

    /// More rows than are packed together, and lanes that fill no word.
    #[test]
    fn the_bytes_of_a_row_stand_in_the_order_of_its_lanes() {
        let byte = |row: usize, lane: usize| (row * 31 + lane * 101) as u8;
        let columns: Vec<Codes> =
            (0..11).map(|lane| Codes::U8((0..1111).map(|row| byte(row, lane)).collect())).collect();
        let lanes = Lane::share_out(&columns.iter().map(|codes| (codes.into(), 256)).collect::<Vec<_>>());
        let mut rows = Rows::new(2, 1100, 0, 1);
        rows.pack(&lanes, 11, 1100);
        for row in 0..1100 {
            let bytes: [u8; 16] = std::array::from_fn(|lane| if lane < 11 { byte(row + 11, lane) } else { 0 });
            let words: Vec<u64> = bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
            assert_eq!(rows.row(row), words);
            assert_eq!(rows.keys[row], key_of(pairs(&words), 0));
        }
    }

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
        assert_ne!(key_of(pairs(&[1, 2]), 0), key_of(pairs(&[1, 2]), 1));
        let twins = (0..64).flat_map(|a| (0..64).map(move |b| [1 << a, 1_u64 << b]));
        let mut keys: Vec<u64> = twins.map(|row| key_of([row].into_iter(), 0)).collect();
        keys.sort_unstable();
        assert!(keys.is_sorted_by(|a, b| a < b));
    }
}
