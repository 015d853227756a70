//! Core and reducts under any relation: what attributes must be kept for neighbourhoods to say what they say.
//!
//! Fewer attributes make neighbourhoods larger, never smaller, whatever the relation. So B ⊆ A preserves a notion of
//! decision exactly if no object's neighbourhood under B holds one that would spoil what its neighbourhood under A says.

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::hitting::{Clause, Narrow};
use super::neighbourhood::{BLOCK, Neighbourhoods};
use super::reduct::equal_pairs;
use super::{Approximations, Notion, Relation, RoughError};
use crate::observe::Observer;
use crate::table::{AttrIdx, AttrSet, DecisionTable};

/// Rows between two reports of progress.
const CHUNK: usize = 64;

/// A table under a relation, for questions about the attributes that preserve a notion of decision: the positive region
/// (of neighbourhoods), the generalised decision of each neighbourhood, or the neighbourhoods themselves.
#[derive(Debug, Clone)]
pub struct UnderRelation<'t> {
    table: &'t DecisionTable,
    attrs: AttrSet,
    pub(super) relation: Relation,
    notion: Notion,
    whole: Approximations<'t>,
    /// The distinct rows compared on all attributes.
    pub(super) neighbourhoods: Neighbourhoods,
    /// The number of each row's set of decisions, and the sets.
    set_of: Vec<u32>,
    sets: Vec<Vec<u32>>,
}

impl<'t> UnderRelation<'t> {
    /// The objects of `table` compared on `attrs`.
    ///
    /// # Errors
    /// When there are more than 100,000 distinct rows (fewer if there are many decisions), distances are asked for of infinite numbers
    /// or in a range that is too large for a number, or the notion is [`Notion::Distribution`], which more attributes may both preserve and lose.
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    pub fn new(
        table: &'t DecisionTable,
        attrs: &AttrSet,
        relation: Relation,
        notion: Notion,
        observer: &dyn Observer,
    ) -> Result<Self, RoughError> {
        if notion == Notion::Distribution {
            return Err(RoughError::NotByPairs { notion });
        }
        let whole = Approximations::by_relation(table, attrs, relation, observer)?;
        let neighbourhoods = Neighbourhoods::new(table, attrs, relation, whole.partition().first_objects());
        let (set_of, sets) = sets_of_decisions(&whole);
        Ok(Self { table, attrs: attrs.clone(), relation, notion, whole, neighbourhoods, set_of, sets })
    }

    /// Whether `attrs`, a subset of the table's, preserves the notion.
    pub fn is_superreduct(&self, attrs: &AttrSet) -> bool {
        let rows = self.whole.partition().first_objects();
        let near = Neighbourhoods::new(self.table, attrs, self.relation, rows);
        (0..self.n_rows()).into_par_iter().all(|row| self.is_unspoilt(row, &near))
    }

    /// The attributes that every reduct holds: those without which the others do not preserve the notion.
    pub fn core(&self, observer: &dyn Observer) -> AttrSet {
        let needed = |attr: &AttrIdx| !self.is_superreduct(&self.attrs.without(*attr));
        if self.relation.joint().is_some() || self.attrs.len() > Narrow::BITS as usize {
            return self.attrs.iter().filter(needed).collect();
        }
        // Two rows that must be told apart, and that one attribute alone tells apart.
        let alone = |core: &mut Narrow, clause: Narrow| *core |= if clause.is_power_of_two() { clause } else { 0 };
        self.neighbourhoods.attributes_of(&self.fold_clauses(alone, |a, b| a | b, observer))
    }

    /// A reduct by backward elimination: attributes are dropped, the least discerning first, wherever the others preserve
    /// the notion. Needs no clauses, hence takes any relation and any number of attributes.
    pub fn backward_reduct(&self, observer: &dyn Observer) -> AttrSet {
        // Of different rows, so that it does not matter whether equal ones were merged.
        let rows = self.whole.partition().first_objects();
        let ranked = |attr: AttrIdx| {
            let attribute = self.table.attribute(attr);
            (equal_pairs(&attribute.codes().select(rows), attribute.n_values()), attr)
        };
        let mut order: Vec<(u64, AttrIdx)> = self.attrs.iter().map(ranked).collect();
        order.sort_by_key(|&(pairs, attr)| (std::cmp::Reverse(pairs), attr));
        observer.begin("dropping attributes", order.len() as u64);
        let enough = |rest: &AttrSet| {
            let is_enough = self.is_superreduct(rest);
            observer.advance(1);
            is_enough
        };
        let kept = self.attrs.clone().pruned(order.into_iter().map(|(_, attr)| attr), enough);
        observer.end();
        kept
    }

    pub(super) const fn n_rows(&self) -> usize {
        self.set_of.len()
    }

    /// Whether nothing in the neighbourhood of `row` by `near` spoils what its neighbourhood by all attributes says.
    fn is_unspoilt(&self, row: usize, near: &Neighbourhoods) -> bool {
        if self.notion == Notion::Information {
            return near.of_row(row).len() == self.neighbourhoods.of_row(row).len();
        }
        let Some(spoils) = self.spoiling(row) else { return true };
        near.of_row(row).into_iter().all(|other| !spoils[self.set_of[other as usize] as usize])
    }

    /// For each set of decisions, whether a row that has it spoils the neighbourhood of `row`; `None` if no row does.
    fn spoiling(&self, row: usize) -> Option<Vec<bool>> {
        let around = self.whole.around(row);
        let known = |decision: &u32| around.binary_search_by_key(decision, |entry| entry.0).is_ok();
        match self.notion {
            Notion::Information => Some(vec![true; self.sets.len()]),
            // A neighbourhood with several decisions is outside the positive region already.
            Notion::Positive if around.len() > 1 => None,
            _ => Some(self.sets.iter().map(|set| !set.iter().all(known)).collect()),
        }
    }

    /// Folds the clauses of all pairs of rows that must be told apart: the columns that do. The relation must be decided
    /// by each attribute alone; the result must not depend on the order.
    pub(super) fn fold_clauses<C: Clause, T: Default + Send>(
        &self,
        add: impl Fn(&mut T, C) + Sync,
        join: impl Fn(T, T) -> T + Sync + Send,
        observer: &dyn Observer,
    ) -> T {
        observer.begin("collecting clauses", self.n_rows() as u64);
        let of_chunk = |chunk: usize| {
            let rows: Range<usize> = chunk * CHUNK..((chunk + 1) * CHUNK).min(self.n_rows());
            let mut sum = T::default();
            rows.clone().for_each(|row| self.each_clause(row, |clause| add(&mut sum, clause)));
            observer.advance(rows.len() as u64);
            sum
        };
        let chunks = (0..self.n_rows().div_ceil(CHUNK)).into_par_iter();
        let all = chunks.map(of_chunk).reduce(T::default, join);
        observer.end();
        all
    }

    /// Calls `add` with the clauses between `row` and those that would spoil its neighbourhood.
    fn each_clause<C: Clause>(&self, row: usize, mut add: impl FnMut(C)) {
        let Some(spoils) = self.spoiling(row) else { return };
        let mut masks = vec![C::default(); BLOCK.min(self.n_rows())];
        for start in (0..self.n_rows()).step_by(BLOCK) {
            let masks = &mut masks[..BLOCK.min(self.n_rows() - start)];
            self.neighbourhoods.differences(row, start, masks);
            for (mask, &set) in masks.iter().zip(&self.set_of[start..]) {
                // No attribute tells neighbours apart, and under `Information` they may stay so.
                if !mask.is_empty() && spoils[set as usize] {
                    add(mask.clone());
                }
            }
        }
    }
}

/// The number of each row's set of decisions, and the sets.
fn sets_of_decisions(whole: &Approximations<'_>) -> (Vec<u32>, Vec<Vec<u32>>) {
    let (mut numbers, mut sets) = (FxHashMap::default(), Vec::new());
    let number = |row: usize| {
        let set: Vec<u32> = whole.distribution().of_class(row).iter().map(|entry| entry.0).collect();
        *numbers.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            sets.len() as u32 - 1
        })
    };
    ((0..whole.partition().n_classes()).map(number).collect(), sets)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::observe::Silent;
    use crate::table::{Attribute, Weights};

    /// Of how many rows each report of progress is.
    #[derive(Default)]
    struct Reports(Mutex<Vec<u64>>);

    impl Observer for Reports {
        fn begin(&self, _task: &str, _total: u64) {}

        fn advance(&self, units: u64) {
            self.0.lock().unwrap().push(units);
        }

        fn remark(&self, _text: &str) {}

        fn end(&self) {}
    }

    /// The last two rows of 100 differ in `b` alone, all others in `a`.
    #[test]
    fn clauses_of_many_rows_are_collected_chunk_by_chunk() {
        let a = Attribute::from_integers("a", (0..99).chain([98]));
        let [b, d] = ["b", "d"].map(|name| Attribute::from_integers(name, (0..100).map(|row| i64::from(row == 99))));
        let table = DecisionTable::new(vec![a, b], d, Weights::Unit).unwrap();
        let (all, relation, notion) = (table.all_attributes(), Relation::Indiscernibility, Notion::Positive);
        let under = UnderRelation::new(&table, &all, relation, notion, &Silent).unwrap();
        let reports = Reports::default();
        assert_eq!(table.names(&under.core(&reports)), ["b"]);
        let mut rows = reports.0.into_inner().unwrap();
        rows.sort_unstable();
        assert_eq!(rows, [36, 64]);
    }
}
