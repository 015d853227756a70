//! Rows side by side, so that two rows are compared eight bytes at a time.

use super::Quotient;
use super::hitting::Clause;
use crate::table::{Code, Codes, with_codes};

/// Some rows of a quotient, each in one piece of memory.
pub(super) struct PackedRows {
    /// Words of eight code bytes per row.
    stride: usize,
    words: Vec<u64>,
    /// The column that each code byte belongs to; `None` if byte `i` is all of column `i`.
    column_of_byte: Option<Vec<u32>>,
}

impl PackedRows {
    /// The rows `rows` of `quotient`, in their order.
    pub fn of(quotient: &Quotient, rows: &[u32]) -> Self {
        let widths: Vec<usize> = quotient.columns.iter().map(|column| column.codes.bits() as usize / 8).collect();
        let n_bytes: usize = widths.iter().sum();
        let narrow = n_bytes == widths.len();
        let owners = || (0..).zip(&widths).flat_map(|(column, &width)| std::iter::repeat_n(column, width)).collect();
        let stride = n_bytes.div_ceil(8);
        let mut packed = Self { stride, words: vec![0; stride * rows.len()], column_of_byte: (!narrow).then(owners) };
        let mut byte = 0;
        for (column, width) in quotient.columns.iter().zip(widths) {
            packed.fill(&column.codes, rows, byte..byte + width);
            byte += width;
        }
        packed
    }

    /// Writes a column to the given bytes of each row.
    fn fill(&mut self, codes: &Codes, rows: &[u32], bytes: std::ops::Range<usize>) {
        for (part, byte) in bytes.enumerate() {
            let (word, shift) = (byte / 8, byte % 8 * 8);
            with_codes!(codes, codes => {
                for (packed, &row) in self.words.chunks_exact_mut(self.stride).zip(rows) {
                    let code = codes[row as usize].index() >> (8 * part) & 0xFF;
                    packed[word] |= (code as u64) << shift;
                }
            });
        }
    }

    /// The columns in which the rows at positions `a` and `b` differ.
    #[inline]
    pub fn difference<C: Clause>(&self, a: usize, b: usize) -> C {
        let row = |at: usize| &self.words[at * self.stride..(at + 1) * self.stride];
        let mut clause = C::default();
        for (word, (x, y)) in row(a).iter().zip(row(b)).enumerate() {
            let mut bytes = unequal_bytes(x ^ y);
            let Some(column_of_byte) = &self.column_of_byte else {
                clause.insert_byte(8 * word, bytes);
                continue;
            };
            while bytes != 0 {
                clause.insert(column_of_byte[8 * word + bytes.trailing_zeros() as usize] as usize);
                bytes &= bytes - 1;
            }
        }
        clause
    }
}

/// Bit `i` of the result says whether byte `i` of `word` is not zero.
#[inline]
const fn unequal_bytes(word: u64) -> u8 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    // The top bit of each byte: carried into by its low bits, or set itself. No carry leaves a byte.
    let tops = (((word & LOW) + LOW) | word) & !LOW;
    // Moves bit 8i to bit 56 + i; the products of other bits fall outside the top byte and never meet.
    ((tops >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rough::Notion;
    use crate::rough::hitting::Wide;
    use crate::table::{Attribute, DecisionTable, Weights};

    #[test]
    fn unequal_bytes_are_found() {
        assert_eq!(unequal_bytes(0), 0);
        assert_eq!(unequal_bytes(0x8000_0000_0000_0001), 0b1000_0001);
        assert_eq!(unequal_bytes(0x00FF_0001_8000_7F00), 0b0101_1010);
        assert_eq!(unequal_bytes(u64::MAX), 0xFF);
    }

    #[test]
    fn columns_of_all_widths_are_compared() {
        let column = |name: &str, step: i64| Attribute::from_integers(name, (0..70_000).map(|i| i / step));
        let conditions = vec![column("u32", 1), column("u8", 1_000), column("u16", 100)];
        let table = DecisionTable::new(conditions, column("d", 7), Weights::Unit).unwrap();
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        let packed = PackedRows::of(&quotient, &[0, 1, 250, 69_999]);
        let expected = [(0, 0, 0b000), (0, 1, 0b001), (0, 2, 0b101), (1, 3, 0b111_u128)];
        for (a, b, columns) in expected {
            assert_eq!(packed.difference::<u128>(a, b), columns);
            assert!(packed.difference::<Wide>(a, b).elements().eq(columns.elements()));
        }
    }
}
