//! The core: attributes that every reduct holds.
//!
//! An attribute is in the core exactly if two rows with different labels differ in it alone. Divide and conquer: such
//! rows agree on all attributes outside the half that the attribute lies in, so each half is searched among the rows
//! that agree outside it, and few rows do.

use std::ops::Range;

use super::Quotient;
use super::conflict::Collisions;
use crate::table::AttrSet;

/// Rows still in question, with their keys over all attributes outside the current range.
struct Candidates {
    rows: Vec<u32>,
    keys: Vec<u64>,
}

impl Quotient {
    /// The core: the attributes without which the others do not preserve the notion. The intersection of all reducts.
    #[must_use]
    pub fn core(&self) -> AttrSet {
        let everything = Candidates { rows: (0..self.n_rows() as u32).collect(), keys: vec![0; self.n_rows()] };
        let mut search = CoreSearch { quotient: self, memory: Collisions::default(), core: AttrSet::new() };
        search.divide(0..self.columns().len(), &everything);
        search.core
    }
}

struct CoreSearch<'q> {
    quotient: &'q Quotient,
    memory: Collisions,
    core: AttrSet,
}

impl CoreSearch<'_> {
    /// Searches the columns of `range` among rows that agree outside it.
    fn divide(&mut self, range: Range<usize>, candidates: &Candidates) {
        if candidates.rows.is_empty() || range.is_empty() {
            return;
        }
        if range.len() == 1 {
            self.conclude(range.start, candidates);
            return;
        }
        let middle = usize::midpoint(range.start, range.end);
        let (left, right) = (range.start..middle, middle..range.end);
        let inside_left = self.agreeing_on(right.clone(), candidates);
        self.divide(left.clone(), &inside_left);
        let inside_right = self.agreeing_on(left, candidates);
        self.divide(right, &inside_right);
    }

    /// The candidates that agree on `columns` too with another of a different label.
    fn agreeing_on(&mut self, columns: Range<usize>, candidates: &Candidates) -> Candidates {
        let mut keys = candidates.keys.clone();
        for column in columns {
            self.quotient.toggle_rows(&mut keys, &candidates.rows, column);
        }
        let suspects = self.memory.suspects(&keys);
        let mut pairs: Vec<(u64, u32)> =
            suspects.iter().map(|&at| (keys[at as usize], candidates.rows[at as usize])).collect();
        pairs.sort_unstable();
        let labels = self.quotient.labels();
        let mixed = |run: &&[(u64, u32)]| run.iter().any(|p| labels[p.1 as usize] != labels[run[0].1 as usize]);
        let kept = pairs.chunk_by(|a, b| a.0 == b.0).filter(mixed).flatten();
        let (keys, rows) = kept.copied().unzip();
        Candidates { rows, keys }
    }

    /// Rows with one key agree on all columns but `column`, unless keys collided: compares them value by value.
    fn conclude(&mut self, column: usize, candidates: &Candidates) {
        let attr = self.quotient.columns()[column].attr;
        let others = self.quotient.attributes().without(attr);
        if self.quotient.conflict_by_sorting(&candidates.rows, &others) {
            self.core.insert(attr);
        }
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
