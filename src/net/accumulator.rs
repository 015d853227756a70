//! Sums over value classes that follow a position from move to move.
//!
//! Every network begins with a sum over the attributes of one row of weights per attribute, the row chosen by the
//! attribute's value. Between two positions of a search only a few attributes differ, so the sum is corrected instead
//! of recomputed. It is kept in integers: additions and subtractions are then exact, and the value of a position does
//! not depend on the positions that were evaluated before it.

use std::sync::Arc;

use super::inference::{Changes, follow_8, follow_16, follow_32};
use super::quantise::{Bits, IntegerRows, Row, Weights};

/// The running sums of the object that was looked at last.
#[derive(Debug, Clone)]
pub struct Accumulator {
    rows: Arc<IntegerRows>,
    sums: Sums,
    /// What is worth looking at: one byte an attribute, from which its code follows; padded to whole words.
    raw: Vec<u8>,
    /// The bytes of the object before; empty before the first.
    seen: Vec<u8>,
    codes: Vec<u8>,
    changes: Changes,
}

/// Sums of whole numbers, as long as the rows' stride.
#[derive(Debug, Clone)]
enum Sums {
    Sixteen(Vec<i16>),
    ThirtyTwo(Vec<i32>),
}

/// Bytes are compared a word at a time.
const WORD: usize = size_of::<u64>();

impl Accumulator {
    /// An accumulator that has not looked at any object.
    #[must_use]
    pub fn new(rows: Arc<IntegerRows>) -> Self {
        let sums = match rows.bits() {
            Bits::Eight | Bits::Sixteen => Sums::Sixteen(vec![0; rows.stride()]),
            Bits::ThirtyTwo => Sums::ThirtyTwo(vec![0; rows.stride()]),
        };
        let n = rows.coding().n_attributes();
        let raw = vec![0; n.next_multiple_of(WORD)];
        Self { rows, sums, raw, seen: Vec::new(), codes: vec![0; n], changes: Changes::default() }
    }

    /// Moves to another object: `write` fills one byte an attribute, and `code_of` says which code a byte stands for; equal
    /// bytes of an attribute have equal codes. `out` becomes the object's sums.
    #[inline]
    pub fn follow(&mut self, write: impl FnOnce(&mut [u8]), code_of: impl Fn(usize, u8) -> u8, out: &mut Vec<f32>) {
        let n = self.codes.len();
        write(&mut self.raw[..n]);
        if self.seen.is_empty() {
            self.begin(&code_of);
        } else {
            self.compare(&code_of);
        }
        std::mem::swap(&mut self.raw, &mut self.seen);
        out.resize(self.rows.stride(), 0.0);
        self.correct(out);
        out.truncate(self.rows.width());
    }

    /// The codes of the object that was looked at last.
    #[inline]
    #[must_use]
    pub fn codes(&self) -> &[u8] {
        &self.codes
    }

    /// The first object: all its rows are added.
    #[cold]
    fn begin(&mut self, code_of: &impl Fn(usize, u8) -> u8) {
        self.seen.resize(self.raw.len(), 0);
        self.changes.removed.clear();
        self.changes.added.clear();
        for t in 0..self.codes.len() {
            self.codes[t] = code_of(t, self.raw[t]);
            self.changes.gain(self.rows.row(t, self.codes[t]));
        }
    }

    /// Finds the rows that the object gained and lost.
    #[inline]
    fn compare(&mut self, code_of: &impl Fn(usize, u8) -> u8) {
        self.changes.removed.clear();
        self.changes.added.clear();
        for first in (0..self.raw.len()).step_by(WORD) {
            let mut difference = word_at(&self.raw, first) ^ word_at(&self.seen, first);
            while difference != 0 {
                let byte = difference.trailing_zeros() as usize / 8;
                difference &= !(0xff << (byte * 8));
                let t = first + byte;
                let code = code_of(t, self.raw[t]);
                if code != self.codes[t] {
                    self.changes.lose(self.rows.row(t, self.codes[t]));
                    self.changes.gain(self.rows.row(t, code));
                    self.codes[t] = code;
                }
            }
        }
    }

    /// Corrects the sums by the rows that were found and writes what they are worth.
    #[inline]
    fn correct(&mut self, real: &mut [f32]) {
        let scale = self.rows.scale();
        match (&mut self.sums, self.rows.weights()) {
            (Sums::ThirtyTwo(sums), Weights::ThirtyTwo(weights)) => {
                follow_32(sums, weights, &self.changes, scale, real);
            }
            (Sums::Sixteen(sums), Weights::Sixteen(weights)) => {
                follow_16(sums, weights, &self.changes, scale, real);
            }
            (Sums::Sixteen(sums), Weights::Eight(weights)) => {
                follow_8(sums, weights, &self.changes, scale, real);
            }
            _ => unreachable!("sums are made for the weights of these rows"),
        }
    }
}

impl Changes {
    #[inline]
    fn gain(&mut self, row: Row) {
        match row {
            Row::None => {}
            Row::Plus(first) => self.added.push(first),
            Row::Minus(first) => self.removed.push(first),
        }
    }

    #[inline]
    fn lose(&mut self, row: Row) {
        match row {
            Row::None => {}
            Row::Plus(first) => self.removed.push(first),
            Row::Minus(first) => self.added.push(first),
        }
    }
}

/// The word of eight bytes that begins at `first`.
#[inline]
fn word_at(bytes: &[u8], first: usize) -> u64 {
    bytes[first..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::dense::tests::small_coding;
    use crate::net::quantise::tests::nets;

    #[test]
    fn following_equals_computing_from_scratch_whatever_came_before() {
        let objects = [[0, 1, 2], [2, 0, 3], [2, 0, 0], [2, 0, 0], [0, 1, 2], [1, 1, 0]];
        for net in nets(&small_coding(), 5) {
            for bits in [Bits::Eight, Bits::Sixteen, Bits::ThirtyTwo] {
                let rows = Arc::new(IntegerRows::of(&net, bits));
                let mut accumulator = Accumulator::new(Arc::clone(&rows));
                for codes in objects {
                    let mut sums = Vec::new();
                    accumulator.follow(|raw| raw.copy_from_slice(&codes), |_, raw| raw, &mut sums);
                    assert_eq!(sums, rows.sums(&codes));
                    assert_eq!(accumulator.codes(), codes);
                }
            }
        }
    }

    #[test]
    fn bytes_of_one_code_change_nothing() {
        let rows = Arc::new(IntegerRows::of(&nets(&small_coding(), 5)[0], Bits::ThirtyTwo));
        let mut accumulator = Accumulator::new(rows);
        let code_of = |_, raw: u8| raw / 10;
        let mut sums_of = |bytes: [u8; 3]| {
            let mut sums = Vec::new();
            accumulator.follow(|raw| raw.copy_from_slice(&bytes), code_of, &mut sums);
            sums
        };
        assert_eq!(sums_of([10, 0, 30]), sums_of([19, 5, 31]));
        assert_eq!(accumulator.codes(), [1, 0, 3]);
    }
}
