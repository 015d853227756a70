//! Difference sets: for two rows with different labels the attributes on which they differ, every set once.
//!
//! Enumerating reducts needs the minimal ones only and never keeps the others (`clauses`). Here all of them are counted,
//! and the minimal ones are found by the definition: a reference that shares no code with the enumeration.

use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{Notion, Quotient, RoughError};
use crate::observe::Observer;
use crate::table::{DecisionTable, with_codes};

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
    // The sets of a row and all rows after it.
    let of_row = |mut sets: FxHashSet<u128>, row: usize| {
        let (label, later) = (rows.labels[row], &rows.labels[row + 1..]);
        let mut differences = vec![0_u128; later.len()];
        for (bit, column) in rows.columns.iter().enumerate() {
            with_codes!(&column.codes, codes => {
                let others = differences.iter_mut().zip(&codes[row + 1..]);
                others.for_each(|(set, code)| *set |= u128::from(*code != codes[row]) << bit);
            });
        }
        sets.extend(differences.iter().zip(later).filter(|(_, other)| **other != label).map(|(set, _)| set));
        observer.advance(1);
        sets
    };
    let union = |a: FxHashSet<u128>, b: FxHashSet<u128>| {
        let (mut large, small) = if a.len() < b.len() { (b, a) } else { (a, b) };
        large.extend(small);
        large
    };
    observer.begin("comparing rows", rows.n_rows() as u64);
    let sets = (0..rows.n_rows()).into_par_iter().fold(FxHashSet::default, of_row).reduce(FxHashSet::default, union);
    observer.end();
    let mut sets: Vec<u128> = sets.into_iter().collect();
    sets.sort_unstable();
    Ok(sets)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::rough::unmet::tests::table;

    #[test]
    fn sets_are_distinct_and_ascending() {
        let rows = [["0", "0", "1", "x"], ["1", "0", "1", "y"], ["1", "1", "0", "x"], ["1", "1", "0", "y"]];
        let table = DecisionTable::from_rows(&["a", "b", "c"], "d", &rows).unwrap();
        assert_eq!(difference_sets(&table, Notion::Generalized, &Silent), Ok(vec![0b001, 0b110, 0b111]));
    }

    /// The last of 600 rows differs from the first in the second column only.
    #[test]
    fn all_rows_are_compared() {
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
