//! Sums over value classes that follow a position from move to move.
//!
//! Every network begins with a sum over the attributes of one row of weights per attribute, the row chosen by the
//! attribute's value. Between two positions of a search only a few attributes differ, so the sum is corrected instead
//! of recomputed. It is kept in integers: additions and subtractions are then exact, and the value of a position does
//! not depend on the positions that were evaluated before it.

use std::sync::Arc;

use super::bytes::for_each_difference;
use super::inference::{Change, GROUP, Readout, follow_8, follow_16, follow_32, read_out_8, read_out_16, read_out_32};
use super::quantise::{Bits, IntegerRows, Row, Weights};

/// The running sums of the object that was looked at last.
#[derive(Debug, Clone)]
pub struct Accumulator {
    rows: Arc<IntegerRows>,
    sums: Sums,
    /// What is worth looking at: one byte an attribute, from which its code follows.
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

impl Accumulator {
    /// An accumulator that has not looked at any object.
    #[must_use]
    pub fn new(rows: Arc<IntegerRows>) -> Self {
        let sums = match rows.bits() {
            Bits::Eight | Bits::Sixteen => Sums::Sixteen(vec![0; rows.stride()]),
            Bits::ThirtyTwo => Sums::ThirtyTwo(vec![0; rows.stride()]),
        };
        let n = rows.coding().n_attributes();
        let changes = Changes::new(n, rows.zero_row());
        Self { rows, sums, raw: vec![0; n], seen: Vec::new(), codes: vec![0; n], changes }
    }

    /// Moves to another object: `write` fills one byte an attribute, and `code_of` says which code a byte stands for; equal
    /// bytes of an attribute have equal codes. `out` becomes the object's sums.
    #[inline]
    pub fn follow(&mut self, write: impl FnOnce(&mut [u8]), code_of: impl Fn(usize, u8) -> u8, out: &mut Vec<f32>) {
        self.look_at(write, code_of);
        out.resize(self.rows.stride(), 0.0);
        let (scale, changes) = (self.rows.scale(), self.changes.in_groups());
        match (&mut self.sums, self.rows.weights()) {
            (Sums::ThirtyTwo(sums), Weights::ThirtyTwo(weights)) => follow_32(sums, weights, changes, scale, out),
            (Sums::Sixteen(sums), Weights::Sixteen(weights)) => follow_16(sums, weights, changes, scale, out),
            (Sums::Sixteen(sums), Weights::Eight(weights)) => follow_8(sums, weights, changes, scale, out),
            _ => unreachable!("sums are made for the weights of these rows"),
        }
        out.truncate(self.rows.width());
    }

    /// As [`Accumulator::follow`], and gives what `readout`, whose weights are padded to the rows' stride, makes of the sums; `out`
    /// is padded too.
    #[inline]
    pub fn read_out(
        &mut self,
        write: impl FnOnce(&mut [u8]),
        code_of: impl Fn(usize, u8) -> u8,
        out: &mut Vec<f32>,
        readout: &Readout,
    ) -> f32 {
        self.look_at(write, code_of);
        out.resize(self.rows.stride(), 0.0);
        let (scale, changes) = (self.rows.scale(), self.changes.in_groups());
        match (&mut self.sums, self.rows.weights()) {
            (Sums::ThirtyTwo(sums), Weights::ThirtyTwo(weights)) => {
                read_out_32(sums, weights, changes, scale, out, readout)
            }
            (Sums::Sixteen(sums), Weights::Sixteen(weights)) => {
                read_out_16(sums, weights, changes, scale, out, readout)
            }
            (Sums::Sixteen(sums), Weights::Eight(weights)) => read_out_8(sums, weights, changes, scale, out, readout),
            _ => unreachable!("sums are made for the weights of these rows"),
        }
    }

    /// Finds the rows by which the object differs from the one before.
    #[inline]
    fn look_at(&mut self, write: impl FnOnce(&mut [u8]), code_of: impl Fn(usize, u8) -> u8) {
        write(&mut self.raw);
        if self.seen.is_empty() {
            self.begin(&code_of);
        } else {
            self.compare(&code_of);
        }
        std::mem::swap(&mut self.raw, &mut self.seen);
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
        self.changes.clear();
        for t in 0..self.codes.len() {
            self.codes[t] = code_of(t, self.raw[t]);
            self.changes.push(self.rows.row(t, self.codes[t]), 1);
        }
    }

    /// Finds the rows that the object gained and lost.
    #[inline]
    fn compare(&mut self, code_of: &impl Fn(usize, u8) -> u8) {
        let Self { rows, raw, seen, codes, changes, .. } = self;
        changes.clear();
        for_each_difference(raw, seen, |t| {
            let (before, after) = (codes[t], code_of(t, raw[t]));
            if before != after {
                changes.push(rows.row(t, before), -1);
                changes.push(rows.row(t, after), 1);
                codes[t] = after;
            }
        });
    }
}

/// The rows that the sums gain and lose.
#[derive(Debug, Clone)]
struct Changes {
    /// The first `n` count; there is room for a change of every attribute, and to fill the last group up.
    list: Vec<Change>,
    n: usize,
    /// A row of zeros.
    nothing: Change,
}

impl Changes {
    fn new(n_attributes: usize, zero_row: u32) -> Self {
        let nothing = Change { first: zero_row, flip: 0 };
        Self { list: vec![nothing; 2 * n_attributes + GROUP], n: 0, nothing }
    }

    fn clear(&mut self) {
        self.n = 0;
    }

    /// Gains `row` (`direction` 1) or loses it (-1). It is written in any case and counted if it is one: which classes have rows is
    /// hard to foresee.
    #[inline]
    fn push(&mut self, row: Row, direction: i8) {
        self.list[self.n] = Change { first: row.first, flip: (row.sign * direction) >> 7 };
        self.n += usize::from(row.sign != 0);
    }

    /// All changes, and as many of nothing as fill the last group.
    #[inline]
    fn in_groups(&mut self) -> &[Change] {
        self.list[self.n..self.n + GROUP].fill(self.nothing);
        &self.list[..self.n.next_multiple_of(GROUP)]
    }
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
