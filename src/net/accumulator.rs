//! Sums over value classes that follow a position from move to move.
//!
//! Every network begins with a sum over the attributes of one row of weights per attribute, the row chosen by the
//! attribute's value. Between two positions of a search only a few attributes differ, so the sum is corrected instead
//! of recomputed. It is kept in integers: additions and subtractions are then exact, and the value of a position does
//! not depend on the positions that were evaluated before it.

use std::sync::Arc;

use super::aligned::Aligned;
use super::bytes::update;
use super::inference::{Change, GROUP, Readout, follow_8, follow_16, follow_32, read_out_8, read_out_16, read_out_32};
use super::quantise::{Bits, IntegerRows, SignedRow, Weights};

/// An object as an accumulator looks at it: one byte an attribute, from which its code follows. Equal bytes of an attribute have equal
/// codes.
pub trait Bytes {
    /// The bytes of the first attributes, as far as they lie in memory anyway.
    fn in_memory(&self) -> &[u8];

    /// Writes the bytes of the other attributes.
    fn write_rest(&self, rest: &mut [u8]);

    /// The code of `attribute` that `byte` stands for.
    fn code_of(&self, attribute: usize, byte: u8) -> u8;
}

/// The running sums of the object that was looked at last.
#[derive(Debug, Clone)]
pub struct Accumulator {
    rows: Arc<IntegerRows>,
    sums: Sums,
    /// What the sums are worth, padded to the rows' stride; only while they are read out.
    real: Aligned<f32>,
    /// The bytes of the object that was looked at last; empty before the first.
    seen: Vec<u8>,
    /// Room for the bytes that an object does not have in memory.
    rest: Vec<u8>,
    codes: Vec<u8>,
    changes: Changes,
}

/// Sums of whole numbers, as long as the rows' stride.
#[derive(Debug, Clone)]
enum Sums {
    Sixteen(Aligned<i16>),
    ThirtyTwo(Aligned<i32>),
}

impl Accumulator {
    /// An accumulator that has not looked at any object.
    pub fn new(rows: Arc<IntegerRows>) -> Self {
        let sums = match rows.bits() {
            Bits::Eight | Bits::Sixteen => Sums::Sixteen(Aligned::zeros(rows.stride)),
            Bits::ThirtyTwo => Sums::ThirtyTwo(Aligned::zeros(rows.stride)),
        };
        let (n, real) = (rows.coding.n_attributes(), Aligned::zeros(rows.stride));
        let changes = Changes::new(n, rows.zero_row);
        Self { rows, sums, real, seen: Vec::new(), rest: vec![0; n], codes: vec![0; n], changes }
    }

    /// Moves to another object, whose sums `out` becomes.
    #[inline]
    pub fn follow(&mut self, object: &impl Bytes, out: &mut Vec<f32>) {
        self.look_at(object);
        out.resize(self.rows.stride, 0.0);
        let (scale, changes) = (&self.rows.scale, self.changes.in_groups());
        match (&mut self.sums, &self.rows.weights) {
            (Sums::ThirtyTwo(sums), Weights::ThirtyTwo(weights)) => follow_32(sums, weights, changes, scale, out),
            (Sums::Sixteen(sums), Weights::Sixteen(weights)) => follow_16(sums, weights, changes, scale, out),
            (Sums::Sixteen(sums), Weights::Eight(weights)) => follow_8(sums, weights, changes, scale, out),
            _ => unreachable!("sums are made for the weights of these rows"),
        }
        out.truncate(self.rows.width);
    }

    /// As [`Accumulator::follow`], and gives what `readout`, whose weights are padded to the rows' stride, makes of the sums.
    #[inline]
    pub fn read_out(&mut self, object: &impl Bytes, readout: &Readout) -> f32 {
        self.look_at(object);
        let (scale, changes, real) = (&self.rows.scale, self.changes.in_groups(), &mut self.real);
        match (&mut self.sums, &self.rows.weights) {
            (Sums::ThirtyTwo(sums), Weights::ThirtyTwo(weights)) => {
                read_out_32(sums, weights, changes, scale, real, readout)
            }
            (Sums::Sixteen(sums), Weights::Sixteen(weights)) => {
                read_out_16(sums, weights, changes, scale, real, readout)
            }
            (Sums::Sixteen(sums), Weights::Eight(weights)) => read_out_8(sums, weights, changes, scale, real, readout),
            _ => unreachable!("sums are made for the weights of these rows"),
        }
    }

    /// Finds the rows by which the object differs from the one before.
    #[inline]
    fn look_at(&mut self, object: &impl Bytes) {
        self.changes.clear();
        if self.seen.is_empty() {
            self.begin(object);
        } else {
            self.compare(object);
        }
    }

    /// The codes of the object that was looked at last.
    #[inline]
    pub fn codes(&self) -> &[u8] {
        &self.codes
    }

    /// The first object: all its rows are added.
    #[cold]
    fn begin(&mut self, object: &impl Bytes) {
        self.seen.extend_from_slice(object.in_memory());
        let n_in_memory = self.seen.len();
        self.seen.resize(self.codes.len(), 0);
        object.write_rest(&mut self.seen[n_in_memory..]);
        for (t, (code, &byte)) in self.codes.iter_mut().zip(&self.seen).enumerate() {
            *code = object.code_of(t, byte);
            self.changes.push(self.rows.row(t, *code), 1);
        }
    }

    /// Finds the rows that the object gained and lost.
    #[inline]
    fn compare(&mut self, object: &impl Bytes) {
        let Self { rows, seen, rest, codes, changes, .. } = self;
        let in_memory = object.in_memory();
        let (seen, seen_rest) = seen.split_at_mut(in_memory.len());
        let (seen_codes, rest_codes) = codes.split_at_mut(in_memory.len());
        update(seen, in_memory, |t, byte| changes.exchange(rows, t, &mut seen_codes[t], object.code_of(t, byte)));
        let rest = &mut rest[..seen_rest.len()];
        object.write_rest(rest);
        update(seen_rest, rest, |place, byte| {
            let t = in_memory.len() + place;
            changes.exchange(rows, t, &mut rest_codes[place], object.code_of(t, byte));
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
    fn push(&mut self, row: SignedRow, direction: i8) {
        self.list[self.n] = Change { first: row.first, flip: (row.sign * direction) >> 7 };
        self.n += usize::from(row.sign != 0);
    }

    /// Attribute `t` changes its code.
    #[inline(always)]
    fn exchange(&mut self, rows: &IntegerRows, t: usize, code: &mut u8, after: u8) {
        let before = std::mem::replace(code, after);
        if before != after {
            self.push(rows.row(t, before), -1);
            self.push(rows.row(t, after), 1);
        }
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
    use crate::net::dense::small_coding;
    use crate::net::quantise::nets;

    /// Bytes of which the first `in_memory` lie in memory, and which stand for codes `unit` times smaller.
    struct Example {
        bytes: [u8; 3],
        in_memory: usize,
        unit: u8,
    }

    impl Bytes for Example {
        fn in_memory(&self) -> &[u8] {
            &self.bytes[..self.in_memory]
        }

        fn write_rest(&self, rest: &mut [u8]) {
            rest.copy_from_slice(&self.bytes[self.in_memory..]);
        }

        fn code_of(&self, _attribute: usize, byte: u8) -> u8 {
            byte / self.unit
        }
    }

    #[test]
    fn following_equals_computing_from_scratch_whatever_came_before() {
        let objects = [[0, 1, 2], [2, 0, 3], [2, 0, 0], [2, 0, 0], [0, 1, 2], [1, 1, 0]];
        for (net, in_memory) in nets(&small_coding(), 5).into_iter().zip((0..=3).cycle()) {
            for bits in [Bits::Eight, Bits::Sixteen, Bits::ThirtyTwo] {
                let rows = Arc::new(IntegerRows::of(&net, bits));
                let mut accumulator = Accumulator::new(Arc::clone(&rows));
                for bytes in objects {
                    let mut sums = Vec::new();
                    accumulator.follow(&Example { bytes, in_memory, unit: 1 }, &mut sums);
                    assert_eq!(sums, rows.sums(&bytes));
                    assert_eq!(accumulator.codes(), bytes);
                }
            }
        }
    }

    #[test]
    fn bytes_of_one_code_change_nothing() {
        let rows = Arc::new(IntegerRows::of(&nets(&small_coding(), 5)[0], Bits::ThirtyTwo));
        let mut accumulator = Accumulator::new(rows);
        let mut sums_of = |bytes: [u8; 3]| {
            let mut sums = Vec::new();
            accumulator.follow(&Example { bytes, in_memory: 2, unit: 10 }, &mut sums);
            sums
        };
        assert_eq!(sums_of([10, 0, 30]), sums_of([19, 5, 31]));
        assert_eq!(accumulator.codes(), [1, 0, 3]);
    }
}
