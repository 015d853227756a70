//! Rows of value codes, each different one kept once.

use std::hash::BuildHasher;
use std::hint::black_box;

use rustc_hash::FxBuildHasher;

use crate::table::slots::Slots;

/// Bytes that are packed together: a word of them, or a word of half of them above the other half.
const STEP: usize = 16;
/// The most values that half a byte tells apart.
const HALF_BYTE: usize = 16;
/// Rows that are given back to the system together when columns take their place.
const BLOCK: usize = 1 << 14;
/// Rows that are looked up together.
const AT_ONCE: usize = 16;
/// Rows that are turned into columns together, so that they stay in the first-level cache.
const TURNED: usize = 256;

/// Different rows of codes in the order of first appearance, found again by hashes of their words.
#[derive(Debug, Clone)]
pub struct DistinctRows {
    n_codes: usize,
    /// Whether two codes share a byte.
    is_narrow: bool,
    /// Words of a row.
    width: usize,
    /// [`BLOCK`] rows each, but the last.
    blocks: Vec<Vec<u64>>,
    n_rows: usize,
    slots: Slots,
    /// The codes of a row, filled up with zeros.
    codes: Vec<u8>,
}

impl DistinctRows {
    /// No rows yet; each will have `n_codes` codes below `most_values`.
    pub fn new(n_codes: usize, most_values: usize) -> Self {
        let is_narrow = most_values <= HALF_BYTE;
        let steps = n_codes.div_ceil(STEP).max(1);
        let width = if is_narrow { steps } else { 2 * steps };
        Self {
            n_codes,
            is_narrow,
            width,
            blocks: Vec::new(),
            n_rows: 0,
            slots: Slots::new(1 << 9),
            codes: vec![0; STEP * steps],
        }
    }

    /// Calls `visit` with the number of each of `rows`, from 0 in the order of first appearance.
    pub(crate) fn number_all<'a>(&mut self, mut rows: impl Iterator<Item = &'a [u8]>, mut visit: impl FnMut(usize)) {
        let (mut words, mut hashes) = (Vec::new(), Vec::new());
        loop {
            words.clear();
            hashes.clear();
            for row in rows.by_ref().take(AT_ONCE) {
                let first = words.len();
                self.pack(row, &mut words);
                hashes.push(hash_of(&words[first..]));
            }
            if hashes.is_empty() {
                return;
            }
            // Slots lie anywhere in memory: those that are read together are waited for together.
            black_box(hashes.iter().fold(0, |all, &hash| all ^ self.slots.guess(hash)));
            words.chunks_exact(self.width).zip(&hashes).for_each(|(words, &hash)| visit(self.number(words, hash)));
        }
    }

    /// The number of the row of `words`.
    fn number(&mut self, words: &[u64], hash: u32) -> usize {
        let (blocks, width, n_rows) = (&self.blocks, self.width, self.n_rows);
        let known = |index: usize| row(blocks, width, index);
        let number = self.slots.find(hash, |index| known(index) == words, |index| hash_of(known(index)));
        if number == n_rows {
            self.append(words);
        }
        number
    }

    /// Appends the codes of `row` to `words`.
    fn pack(&mut self, row: &[u8], words: &mut Vec<u64>) {
        self.codes[..self.n_codes].copy_from_slice(row);
        for step in self.codes.as_chunks::<STEP>().0 {
            let [low, high] = [0, 1].map(|half| u64::from_le_bytes(step.as_chunks().0[half]));
            if self.is_narrow { words.push(low | high << 4) } else { words.extend([low, high]) }
        }
    }

    /// Keeps a row.
    fn append(&mut self, words: &[u64]) {
        if self.n_rows.is_multiple_of(BLOCK) {
            self.blocks.push(Vec::with_capacity(BLOCK * self.width));
        }
        if let Some(block) = self.blocks.last_mut() {
            block.extend_from_slice(words);
        }
        self.n_rows += 1;
    }

    /// The codes of each column, row after row.
    pub(crate) fn into_columns(mut self) -> Vec<Vec<u8>> {
        self.slots = Slots::new(0);
        // A copy of a list has no room beyond what it holds.
        let mut columns: Vec<_> = (0..self.n_codes).map(|_| Vec::with_capacity(self.n_rows)).collect();
        for block in std::mem::take(&mut self.blocks) {
            block.chunks(TURNED * self.width).for_each(|rows| self.turn(rows, &mut columns));
        }
        columns
    }

    /// Appends the codes of at most [`TURNED`] rows to their columns.
    fn turn(&self, rows: &[u64], columns: &mut [Vec<u8>]) {
        // Shifts of the codes in a word, in the order of the codes.
        let halves: &[usize] = if self.is_narrow { &[0, 4] } else { &[0] };
        let shifts: Vec<usize> = halves.iter().flat_map(|half| (0..8).map(move |byte| 8 * byte + half)).collect();
        let mask = if self.is_narrow { 0xF } else { 0xFF };
        let mut words = Vec::with_capacity(TURNED);
        for (word, columns) in columns.chunks_mut(shifts.len()).enumerate() {
            words.clear();
            words.extend(rows.chunks_exact(self.width).map(|row| row[word]));
            for (column, shift) in columns.iter_mut().zip(&shifts) {
                column.extend(words.iter().map(|word: &u64| (word >> shift) as u8 & mask));
            }
        }
    }
}

fn hash_of(words: &[u64]) -> u32 {
    FxBuildHasher.hash_one(words) as u32
}

/// The words of a row, so many of them.
fn row(blocks: &[Vec<u64>], width: usize, index: usize) -> &[u64] {
    let first = index % BLOCK * width;
    &blocks[index / BLOCK][first..first + width]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_again_and_come_back_as_columns() {
        for most_values in [3_usize, 16, 17, 200] {
            let n_codes = 37;
            // More rows than a block.
            let n_rows = BLOCK + 500;
            let code = |row: usize, at: usize| (row.wrapping_mul(2 * at + 1) / (at + 1) % most_values) as u8;
            let rows: Vec<Vec<u8>> = (0..n_rows)
                .map(|row| (0..n_codes).map(|at| if at < 16 { (row >> at & 1) as u8 } else { code(row, at) }).collect())
                .collect();
            let mut distinct = DistinctRows::new(n_codes, most_values);
            // Each row, and again the one of a hundred before.
            let asked = || (0..n_rows).flat_map(|row| [row, row.saturating_sub(100)]);
            let mut numbers = Vec::new();
            distinct.number_all(asked().map(|row| rows[row].as_slice()), |number| numbers.push(number));
            assert!(numbers.into_iter().eq(asked()));
            let columns = distinct.into_columns();
            assert_eq!(columns.len(), n_codes);
            for (at, column) in columns.iter().enumerate() {
                assert!(rows.iter().map(|row| row[at]).eq(column.iter().copied()), "column {at}");
            }
        }
    }
}
