//! The core: attributes that every reduct holds.
//!
//! An attribute is in the core exactly if two rows with different labels differ in it alone. Divide and conquer: such
//! rows agree on all attributes outside the half that the attribute lies in, so each half is searched among the rows
//! that agree outside it, and few rows do.

use std::ops::Range;

use super::Quotient;
use super::conflict::Collisions;
use crate::table::AttrSet;

/// From this many rows on the two halves are searched at the same time.
const MANY_ROWS: usize = 10_000;

/// Rows still in question, with their keys over all attributes outside the current range.
struct OpenRows {
    rows: Vec<u32>,
    keys: Vec<u64>,
}

impl Quotient {
    /// The core: the attributes without which the others do not preserve the notion. The intersection of all reducts.
    ///
    /// ```
    /// use roughboard::rough::{Notion, Quotient};
    /// use roughboard::table::DecisionTable;
    /// let rows = [["0", "0", "0", "x"], ["0", "1", "1", "y"], ["1", "0", "0", "y"]];
    /// let table = DecisionTable::from_rows(&["a", "b", "c"], "d", &rows).unwrap();
    /// let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
    /// assert_eq!(table.names(&quotient.core()), ["a"]);
    /// ```
    pub fn core(&self) -> AttrSet {
        let everything = OpenRows { rows: (0..self.n_rows() as u32).collect(), keys: vec![0; self.n_rows()] };
        let mut search = CoreSearch { quotient: self, memory: Collisions::default() };
        search.divide(0..self.columns.len(), &everything)
    }
}

struct CoreSearch<'q> {
    quotient: &'q Quotient,
    memory: Collisions,
}

impl CoreSearch<'_> {
    /// The core attributes among the columns of `range`, searched among rows that agree outside it.
    fn divide(&mut self, range: Range<usize>, candidates: &OpenRows) -> AttrSet {
        if candidates.rows.is_empty() || range.is_empty() {
            return AttrSet::new();
        }
        if range.len() == 1 {
            return self.conclude(range.start, candidates);
        }
        let middle = usize::midpoint(range.start, range.end);
        let (left, right) = (range.start..middle, middle..range.end);
        let half = |search: &mut CoreSearch<'_>, inside: Range<usize>, outside: Range<usize>| {
            let agreeing = search.agreeing_on(outside, candidates);
            search.divide(inside, &agreeing)
        };
        let (in_left, in_right) = if candidates.rows.len() < MANY_ROWS {
            (half(self, left.clone(), right.clone()), half(self, right, left))
        } else {
            let mut other = CoreSearch { quotient: self.quotient, memory: Collisions::default() };
            rayon::join(|| half(self, left.clone(), right.clone()), || half(&mut other, right.clone(), left.clone()))
        };
        in_left.iter().chain(in_right.iter()).collect()
    }

    /// The candidates that agree on `columns` too with another of a different label.
    fn agreeing_on(&mut self, columns: Range<usize>, candidates: &OpenRows) -> OpenRows {
        let mut keys = candidates.keys.clone();
        for column in columns {
            self.quotient.toggle_rows(&mut keys, &candidates.rows, column);
        }
        let labels: Vec<u32> = candidates.rows.iter().map(|&row| self.quotient.labels[row as usize]).collect();
        let mixed = self.memory.mixed(&keys, &labels);
        let (rows, keys) = mixed.iter().map(|&at| (candidates.rows[at as usize], keys[at as usize])).unzip();
        OpenRows { rows, keys }
    }

    /// Rows with one key agree on all columns but `column`, unless keys collided: compares them value by value.
    fn conclude(&self, column: usize, candidates: &OpenRows) -> AttrSet {
        let attr = self.quotient.columns[column].attr;
        let others = self.quotient.attributes().without(attr);
        let needed = self.quotient.conflict_by_sorting(&candidates.rows, &others);
        needed.then_some(attr).into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::rough::{Notion, Quotient};
    use crate::table::{AttrIdx, DecisionTable};

    #[test]
    fn the_core_may_be_empty_or_everything() {
        let same = DecisionTable::from_rows(&["a", "b"], "d", &[["0", "0", "x"], ["1", "1", "y"]]).unwrap();
        let core = |table: &DecisionTable| Quotient::new(table, &table.all_attributes(), Notion::Positive).core();
        assert!(core(&same).is_empty());
        let rows = [["0", "0", "x"], ["0", "1", "y"], ["1", "0", "y"]];
        let both = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
        assert_eq!(core(&both).iter().map(AttrIdx::index).collect::<Vec<_>>(), vec![0, 1]);
    }
}
