//! Difference sets: for two rows with different labels the attributes on which they differ, every set once.
//!
//! Enumerating reducts needs the minimal ones only and never keeps the others (`clauses`). Here all of them are counted,
//! and the minimal ones are found by the definition: a reference that shares no code with the enumeration.

use std::hash::Hash;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{Notion, Quotient, RoughError};
use crate::observe::Observer;
use crate::table::{Code, DecisionTable, with_codes};

/// Rows compared at a time, so that their masks stay in the first-level cache.
const BLOCK: usize = 512;
/// The most distinct rows whose pairs are all compared (2 · 10⁸ pairs).
const MAX_ROWS: usize = 20_000;

/// The distinct difference sets over all pairs of rows that `notion` labels differently, ascending. Bit `i` of a set
/// is the attribute number `i` of `table`.
///
/// ```
/// use roughboard::{observe::Silent, rough::{Notion, difference_sets}, table::DecisionTable};
/// let rows = [["0", "0", "x"], ["1", "0", "y"], ["1", "1", "y"]];
/// let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
/// assert_eq!(difference_sets(&table, Notion::Positive, &Silent), Ok(vec![0b01, 0b11]));
/// ```
///
/// # Errors
/// When the table has more than 128 attributes or more than 20,000 distinct rows.
pub fn difference_sets(
    table: &DecisionTable,
    notion: Notion,
    observer: &dyn Observer,
) -> Result<Vec<u128>, RoughError> {
    let task = "counting difference sets";
    RoughError::check_width(task, table.n_attributes())?;
    let rows = Quotient::new(table, &table.all_attributes(), notion);
    RoughError::check_rows(task, rows.n_rows(), MAX_ROWS)?;
    let narrow = rows.columns.len() <= u64::BITS as usize;
    Ok(if narrow { rows.difference_sets::<u64>(observer) } else { rows.difference_sets::<u128>(observer) })
}

/// The sets that contain no other one of `sets`, ascending.
///
/// ```
/// assert_eq!(roughboard::rough::minimal_sets(&[0b111, 0b011, 0b100]), [0b011, 0b100]);
/// ```
pub fn minimal_sets(sets: &[u128]) -> Vec<u128> {
    let mut by_size = sets.to_vec();
    by_size.sort_unstable_by_key(|set| (set.count_ones(), *set));
    let mut minimal: Vec<u128> = Vec::new();
    for set in by_size {
        if !minimal.iter().any(|smaller| smaller & !set == 0) {
            minimal.push(set);
        }
    }
    minimal.sort_unstable();
    minimal
}

impl Quotient {
    /// The distinct difference sets in masks of the type `M`, which holds a bit per column.
    fn difference_sets<M: Mask>(&self, observer: &dyn Observer) -> Vec<u128> {
        let n_rows = self.labels.len();
        observer.begin("comparing rows", n_rows as u64);
        let of_block = |block: usize| {
            let rows = block * BLOCK..((block + 1) * BLOCK).min(n_rows);
            let mut sets = FxHashSet::default();
            rows.clone().for_each(|row| self.difference_sets_of_row::<M>(row, &mut sets));
            observer.advance(rows.len() as u64);
            sets
        };
        let blocks = (0..n_rows.div_ceil(BLOCK)).into_par_iter().map(of_block);
        let sets = blocks.reduce(FxHashSet::default, union);
        observer.end();
        let mut sets: Vec<u128> = sets.into_iter().map(M::widened).collect();
        sets.sort_unstable();
        sets
    }

    /// Adds the difference sets of `row` and all rows after it that are labelled differently.
    fn difference_sets_of_row<M: Mask>(&self, row: usize, sets: &mut FxHashSet<M>) {
        let mut masks = [M::default(); BLOCK];
        for start in (row + 1..self.labels.len()).step_by(BLOCK) {
            let end = (start + BLOCK).min(self.labels.len());
            let masks = &mut masks[..end - start];
            self.differences(row, start, masks);
            let labelled = masks.iter().zip(&self.labels[start..end]);
            sets.extend(labelled.filter(|(_, label)| **label != self.labels[row]).map(|(mask, _)| *mask));
        }
    }

    /// The columns on which `row` differs from each of the rows from `start` on.
    fn differences<M: Mask>(&self, row: usize, start: usize, masks: &mut [M]) {
        masks.fill(M::default());
        for (bit, column) in self.columns.iter().enumerate() {
            with_codes!(&column.codes, codes => {
                let own = codes[row];
                for (mask, other) in masks.iter_mut().zip(&codes[start..]) {
                    mask.set(bit, own.index() != other.index());
                }
            });
        }
    }
}

fn union<M: Mask>(a: FxHashSet<M>, b: FxHashSet<M>) -> FxHashSet<M> {
    let (mut large, small) = if a.len() < b.len() { (b, a) } else { (a, b) };
    large.extend(small);
    large
}

/// A set of columns as an integer.
trait Mask: Copy + Default + Eq + Hash + Send {
    /// Sets the bit number `bit` if `on`; it was not set.
    fn set(&mut self, bit: usize, on: bool);
    fn widened(self) -> u128;
}

macro_rules! mask {
    ($($kind:ty),*) => {$(
        impl Mask for $kind {
            #[inline(always)]
            fn set(&mut self, bit: usize, on: bool) {
                *self |= Self::from(on) << bit;
            }

            fn widened(self) -> u128 {
                self.into()
            }
        }
    )*};
}
mask!(u64, u128);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::rough::unmet::tests::table;

    #[test]
    fn both_mask_types_give_the_same_sets() {
        let rows = [["0", "0", "1", "x"], ["1", "0", "1", "y"], ["1", "1", "0", "x"], ["1", "1", "0", "y"]];
        let table = DecisionTable::from_rows(&["a", "b", "c"], "d", &rows).unwrap();
        let rows = Quotient::new(&table, &table.all_attributes(), Notion::Generalized);
        assert_eq!(rows.difference_sets::<u64>(&Silent), [0b001, 0b110, 0b111]);
        assert_eq!(rows.difference_sets::<u64>(&Silent), rows.difference_sets::<u128>(&Silent));
    }

    /// The last of 600 rows differs from the first in the second column only, and is in another block.
    #[test]
    fn rows_of_all_blocks_are_compared() {
        let mut rows: Vec<Vec<i64>> = (0..600).map(|row| vec![row, 0, row % 2]).collect();
        rows[599] = vec![0, 1, 1];
        assert_eq!(difference_sets(&table(&rows), Notion::Positive, &Silent), Ok(vec![0b01, 0b10, 0b11]));
    }

    #[test]
    fn wide_tables_are_refused() {
        let names: Vec<String> = (0..129).map(|i| format!("a{i}")).collect();
        let table = DecisionTable::from_rows(&names, "d", &[vec!["0"; 130]]).unwrap();
        let error = difference_sets(&table, Notion::Positive, &Silent).unwrap_err();
        assert_eq!(error.to_string(), "counting difference sets takes at most 128 attributes, got 129");
    }
}
