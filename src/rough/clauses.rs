//! Discernibility clauses: for two rows with different labels the attributes on which they differ.
//!
//! Only minimal clauses matter, and only they are kept: pairs are streamed, and the n² matrix never exists.

use std::ops::Range;

use rayon::prelude::*;

use super::hitting::{Enumeration, minimal_hitting_sets};
use super::{Quotient, Reduct, RoughError};
use crate::observe::Observer;
use crate::table::{AttrSet, Code, with_codes};

/// Clauses are bit masks of the quotient's columns.
pub(super) type Clause = u128;

/// Rows compared at a time, so that their masks stay in the first-level cache.
const BLOCK: usize = 512;
/// The most distinct rows whose pairs are all compared (1.25 · 10⁹ pairs).
const MAX_ROWS: usize = 50_000;
/// Entries of the memory of clauses seen lately; a power of two.
const RECENT: usize = 1 << 12;

/// A family of clauses of which none contains another.
#[derive(Debug, Default)]
pub(super) struct Minimal {
    clauses: Vec<Clause>,
    recent: Vec<Clause>,
}

impl Minimal {
    /// Adds a clause, unless it contains one that is there; drops those that contain it.
    pub fn absorb(&mut self, clause: Clause) {
        if self.recent.is_empty() {
            self.recent.resize(RECENT, 0);
        }
        let folded = (clause ^ (clause >> 64)) as u64;
        let slot = (crate::random::mix(folded) as usize) & (RECENT - 1);
        if self.recent[slot] == clause {
            return;
        }
        self.recent[slot] = clause;
        if let Some(at) = self.clauses.iter().position(|known| known & !clause == 0) {
            self.clauses.swap(at, at / 2);
            return;
        }
        self.clauses.retain(|known| clause & !known != 0);
        self.clauses.push(clause);
    }

    fn merge(mut self, other: Self) -> Self {
        other.clauses.into_iter().for_each(|clause| self.absorb(clause));
        self
    }

    /// The clauses, ascending.
    pub fn into_sorted(mut self) -> Vec<Clause> {
        self.clauses.sort_unstable();
        self.clauses
    }
}

impl Quotient {
    /// The minimal clauses among all pairs of rows.
    fn minimal_clauses(&self, observer: &dyn Observer) -> Result<Vec<Clause>, RoughError> {
        let task = "the enumeration of reducts";
        self.check_width(task)?;
        if self.n_rows() > MAX_ROWS {
            return Err(RoughError::TooManyRows { task, found: self.n_rows(), limit: MAX_ROWS });
        }
        observer.begin("comparing rows", self.n_rows() as u64);
        let of_chunk = |chunk: usize| {
            let rows = chunk * BLOCK..((chunk + 1) * BLOCK).min(self.n_rows());
            let mut minimal = Minimal::default();
            rows.clone().for_each(|row| self.collect(row, row + 1..self.n_rows(), &mut minimal));
            observer.advance(rows.len() as u64);
            minimal
        };
        let chunks = (0..self.n_rows().div_ceil(BLOCK)).into_par_iter();
        let minimal = chunks.map(of_chunk).reduce(Minimal::default, Minimal::merge);
        observer.end();
        Ok(minimal.into_sorted())
    }

    /// The minimal clauses between `row` and all others: what tells its label from every other label.
    pub(super) fn clauses_of_row(&self, row: usize) -> Vec<Clause> {
        let mut minimal = Minimal::default();
        self.collect(row, 0..self.n_rows(), &mut minimal);
        minimal.into_sorted()
    }

    /// Refuses a table whose columns do not fit a clause.
    pub(super) fn check_width(&self, task: &'static str) -> Result<(), RoughError> {
        let (found, limit) = (self.columns().len(), Clause::BITS as usize);
        if found > limit { Err(RoughError::TooManyAttributes { task, found, limit }) } else { Ok(()) }
    }

    fn collect(&self, row: usize, others: Range<usize>, minimal: &mut Minimal) {
        let mut masks = [0; BLOCK];
        let label = self.labels()[row];
        for start in others.clone().step_by(BLOCK) {
            let end = (start + BLOCK).min(others.end);
            let masks = &mut masks[..end - start];
            self.differences(row, start, masks);
            for (mask, other) in masks.iter().zip(&self.labels()[start..end]) {
                if *other != label {
                    minimal.absorb(*mask);
                }
            }
        }
    }

    /// The columns on which `row` differs from each of the rows from `start` on.
    fn differences(&self, row: usize, start: usize, masks: &mut [Clause]) {
        masks.fill(0);
        for (bit, column) in self.columns().iter().enumerate() {
            with_codes!(&column.codes, codes => {
                let own = codes[row];
                for (mask, other) in masks.iter_mut().zip(&codes[start..]) {
                    *mask |= Clause::from(own.index() != other.index()) << bit;
                }
            });
        }
    }

    /// All reducts, at most `limit` of them: the minimal sets of attributes that meet every clause.
    ///
    /// # Errors
    /// When the table has more than 128 attributes or more than 50,000 distinct rows.
    pub fn all_reducts(&self, limit: usize, observer: &dyn Observer) -> Result<Enumeration<Reduct>, RoughError> {
        let sets = minimal_hitting_sets(&self.minimal_clauses(observer)?, limit);
        let reduct = |set: &u128| Reduct::proved(self.attributes_of(*set), self.notion());
        let mut found: Vec<Reduct> = sets.found.iter().map(reduct).collect();
        found.sort_by(|a, b| a.attrs().cmp(b.attrs()));
        Ok(Enumeration { found, complete: sets.complete })
    }

    /// The attributes of the columns whose bits are set.
    pub(super) fn attributes_of(&self, columns: u128) -> AttrSet {
        let in_set = |(bit, _): &(usize, _)| columns >> bit & 1 == 1;
        self.columns().iter().enumerate().filter(in_set).map(|(_, column)| column.attr).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_minimal_clauses_are_kept() {
        let mut minimal = Minimal::default();
        for clause in [0b111, 0b011, 0b110, 0b011, 0b1011, 0b100] {
            minimal.absorb(clause);
        }
        assert_eq!(minimal.into_sorted(), vec![0b011, 0b100]);
    }
}
