//! Rows as the bytes of their codes, and the different ones among them.

use std::ops::Range;

use crate::table::codes::{Code, with_codes};
use crate::table::slots::Slots;
use crate::table::{Codes, group};

/// A code below this is one byte; of others a byte holds seven bits, the lowest first, and all but the last have this bit.
const MORE: u32 = 0x80;

/// Some rows of a table, sorted by the part that each belongs to.
pub(crate) struct Block {
    /// The codes of the rows, one row after another.
    bytes: Vec<u8>,
    /// Where each row begins, and where the last one ends.
    begins: Vec<u32>,
    keys: Vec<u64>,
    /// The rows of the first part, then those of the second, and so on, ascending in each.
    order: Vec<u32>,
    /// Where the rows of each part begin in `order`, and where the last ones end.
    parts: Vec<u32>,
}

impl Block {
    /// The `rows` of these columns, for so many parts.
    pub fn of(columns: &[&Codes], rows: Range<usize>, n_parts: usize) -> Self {
        let mut lengths = vec![0; rows.len()];
        columns.iter().for_each(|codes| with_codes!(codes, codes => add_lengths(&codes[rows.clone()], &mut lengths)));
        let mut end = 0;
        let begin = |length: u32| {
            let begin = end;
            end += length;
            begin
        };
        let mut begins: Vec<u32> = lengths.into_iter().map(begin).collect();
        let (mut bytes, mut next) = (vec![0; end as usize], begins.clone());
        for codes in columns {
            with_codes!(codes, codes => write(&codes[rows.clone()], &mut bytes, &mut next));
        }
        begins.push(end);
        let keys: Vec<u64> = begins.windows(2).map(|ends| key_of(&bytes[ends[0] as usize..ends[1] as usize])).collect();
        let (order, parts) = by_parts(&keys, n_parts);
        Self { bytes, begins, keys, order, parts }
    }

    /// The rows of a part.
    fn of_part(&self, part: usize) -> &[u32] {
        &self.order[self.parts[part] as usize..self.parts[part + 1] as usize]
    }

    fn row(&self, row: u32) -> &[u8] {
        &self.bytes[self.begins[row as usize] as usize..self.begins[row as usize + 1] as usize]
    }
}

/// Adds how many bytes each code takes.
fn add_lengths<C: Code>(codes: &[C], lengths: &mut [u32]) {
    lengths.iter_mut().zip(codes).for_each(|(length, code)| *length += length_of(code.index() as u32));
}

const fn length_of(code: u32) -> u32 {
    1 + (u32::BITS - (code | 1).leading_zeros() - 1) / 7
}

/// Writes a code of each row to where its `next` one stands.
fn write<C: Code>(codes: &[C], bytes: &mut [u8], next: &mut [u32]) {
    for (code, next) in codes.iter().zip(next) {
        let mut code = code.index() as u32;
        while code >= MORE {
            bytes[*next as usize] = (code | MORE) as u8;
            (code, *next) = (code >> 7, *next + 1);
        }
        bytes[*next as usize] = code as u8;
        *next += 1;
    }
}

/// A hash of a row.
fn key_of(row: &[u8]) -> u64 {
    let (pairs, rest) = row.as_chunks::<16>();
    let mut last = [0; 16];
    last[..rest.len()].copy_from_slice(rest);
    last[15] = rest.len() as u8;
    let words = |pair: &[u8; 16]| [0, 8].map(|at| u64::from_le_bytes(std::array::from_fn(|byte| pair[at + byte])));
    group::key_of(pairs.iter().chain([&last]).map(words), 0)
}

/// The rows by the parts that their keys are in, and where each part begins.
fn by_parts(keys: &[u64], n_parts: usize) -> (Vec<u32>, Vec<u32>) {
    let mut ends = vec![0; n_parts + 1];
    keys.iter().for_each(|&key| ends[group::part_of(key, n_parts) + 1] += 1);
    (0..n_parts).for_each(|part| ends[part + 1] += ends[part]);
    let (mut next, mut order) = (ends.clone(), vec![0; keys.len()]);
    for (row, &key) in (0..).zip(keys) {
        let at = &mut next[group::part_of(key, n_parts)];
        order[*at as usize] = row;
        *at += 1;
    }
    (order, ends)
}

/// The different rows of a part, each with the number of its first row and how many rows it is.
pub struct Rows {
    slots: Slots,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    first: Vec<u32>,
    counts: Vec<u32>,
}

impl Default for Rows {
    fn default() -> Self {
        let slots = Slots::new(1);
        Self { slots, bytes: Vec::new(), ends: Vec::new(), first: Vec::new(), counts: Vec::new() }
    }
}

impl Rows {
    /// Takes in the rows of a block that belong to `part`; `first` is the number of the first row of the block.
    pub fn take_up(&mut self, block: &Block, part: usize, first: u32) {
        for &row in block.of_part(part) {
            self.add(block.row(row), block.keys[row as usize], first + row, 1);
        }
    }

    /// Takes in a row that comes `count` times, first as the row number `first`, which is not below those before it.
    fn add(&mut self, row: &[u8], key: u64, first: u32, count: u32) {
        let known = |other: usize| bytes_of(&self.bytes, &self.ends, other);
        let hash_of = |other: usize| key_of(known(other)) as u32;
        let found = self.slots.find(key as u32, |other| known(other) == row, hash_of);
        if found == self.len() {
            self.bytes.extend_from_slice(row);
            self.ends.push(self.bytes.len());
            self.first.push(first);
            self.counts.push(0);
        }
        self.counts[found] += count;
    }

    /// How many different rows there are.
    pub const fn len(&self) -> usize {
        self.first.len()
    }

    /// The numbers of their first rows.
    pub fn first(&self) -> &[u32] {
        &self.first
    }

    /// How many rows each is.
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The codes of a row.
    pub fn codes(&self, row: usize) -> impl Iterator<Item = u32> {
        let mut bytes = bytes_of(&self.bytes, &self.ends, row).iter();
        std::iter::from_fn(move || next_code(&mut bytes))
    }

    /// The bytes of memory that they take.
    pub fn bytes(&self) -> usize {
        let of_a_row = size_of::<usize>() + 2 * size_of::<u32>();
        self.slots.bytes() + self.bytes.capacity() + self.first.capacity() * of_a_row
    }

    /// The rows as bytes that [`Rows::add_written`] takes.
    pub fn written(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes.len() + 12 * self.len());
        for row in 0..self.len() {
            let bytes = bytes_of(&self.bytes, &self.ends, row);
            for number in [self.first[row], self.counts[row], bytes.len() as u32] {
                out.extend_from_slice(&number.to_le_bytes());
            }
            out.extend_from_slice(bytes);
        }
        out
    }

    /// Takes in rows that were written, each of which comes first after all that are here, or is here.
    pub(crate) fn add_written(&mut self, mut written: &[u8]) {
        while let Some((numbers, rest)) = written.split_first_chunk::<12>() {
            let (numbers, _) = numbers.as_chunks::<4>();
            let [first, count, length] = [0, 1, 2].map(|at| u32::from_le_bytes(numbers[at]));
            let (row, rest) = rest.split_at(length as usize);
            self.add(row, key_of(row), first, count);
            written = rest;
        }
    }
}

fn bytes_of<'r>(bytes: &'r [u8], ends: &[usize], row: usize) -> &'r [u8] {
    let begin = row.checked_sub(1).map_or(0, |before| ends[before]);
    &bytes[begin..ends[row]]
}

/// The next code of a row.
fn next_code(bytes: &mut std::slice::Iter<'_, u8>) -> Option<u32> {
    let (mut code, mut shift) = (0, 0);
    loop {
        let byte = u32::from(*bytes.next()?);
        code |= (byte & !MORE) << shift;
        if byte < MORE {
            return Some(code);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_back_whatever_their_size() {
        let wide: Vec<u32> = vec![0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152, u32::MAX];
        let narrow: Vec<u8> = (0..9).map(|n| n * 30).collect();
        let columns = [Codes::U32(wide.clone()), Codes::U8(narrow.clone())];
        let block = Block::of(&columns.iter().collect::<Vec<_>>(), 0..9, 1);
        let mut rows = Rows::default();
        rows.take_up(&block, 0, 100);
        assert_eq!(rows.first(), (100..109).collect::<Vec<_>>());
        let expected = wide.iter().zip(&narrow).map(|(&a, &b)| vec![a, u32::from(b)]);
        assert!((0..9).map(|row| rows.codes(row).collect::<Vec<_>>()).eq(expected));
    }

    #[test]
    fn written_rows_are_taken_up_again() {
        let (a, b) = (Codes::U8(vec![1, 2, 1, 3]), Codes::U16(vec![500, 2, 500, 2]));
        let block = Block::of(&[&a, &b], 0..4, 1);
        let (mut rows, mut again) = (Rows::default(), Rows::default());
        rows.take_up(&block, 0, 0);
        again.add_written(&rows.written());
        again.add_written(&rows.written());
        assert_eq!((again.first(), again.counts()), (&[0, 1, 3][..], &[4, 2, 2][..]));
        assert_eq!(again.codes(0).collect::<Vec<_>>(), [1, 500]);
    }
}
