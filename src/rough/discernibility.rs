//! All reducts under a relation that each attribute decides alone, by discernibility clauses (Kryszkiewicz 1998): for
//! each pair of objects that must be told apart, a reduct holds an attribute that does so.

use super::hitting::{Enumeration, MinimalClauses, Narrow, minimal_hitting_sets, short_hitting_set};
use super::neighbourhood::Neighbourhoods;
use super::{RoughError, UnderRelation};
use crate::observe::Observer;
use crate::table::AttrSet;

/// The most distinct rows whose pairs are all compared (2.5 · 10⁹ ordered pairs).
const MAX_ROWS: usize = 50_000;
/// Exchanges of the local search for one short reduct.
const STEPS: u64 = 2_000;
const TASK: &str = "the enumeration of reducts under a relation";

/// The minimal clauses of a table under a relation: what a set of attributes must tell apart to preserve a notion.
#[derive(Debug, Clone)]
pub struct Discernibility {
    neighbourhoods: Neighbourhoods,
    clauses: Vec<Narrow>,
}

impl Discernibility {
    /// Whether `attrs` preserves the notion.
    pub fn is_superreduct(&self, attrs: &AttrSet) -> bool {
        self.clauses.iter().all(|&clause| self.neighbourhoods.attributes_of(clause).iter().any(|a| attrs.contains(a)))
    }

    /// The attributes that every reduct holds: those that alone tell two objects apart.
    pub fn core(&self) -> AttrSet {
        let alone = self.clauses.iter().filter(|clause| clause.is_power_of_two());
        self.neighbourhoods.attributes_of(alone.fold(0, |core, clause| core | clause))
    }

    /// One short reduct, by local search.
    pub fn reduct(&self) -> AttrSet {
        self.neighbourhoods.attributes_of(short_hitting_set(&self.clauses, &0, STEPS, 0))
    }

    /// All reducts, at most `limit` of them, ascending.
    pub fn all_reducts(&self, limit: usize) -> Enumeration<AttrSet> {
        let sets = minimal_hitting_sets(&self.clauses, limit);
        let mut found: Vec<AttrSet> = sets.found.iter().map(|&set| self.neighbourhoods.attributes_of(set)).collect();
        found.sort();
        Enumeration { found, complete: sets.complete }
    }
}

impl UnderRelation<'_> {
    /// The minimal clauses of all pairs of rows that must be told apart.
    ///
    /// # Errors
    /// When there are more than 128 attributes or more than 50,000 distinct rows, or the metric is not Chebyshev's.
    pub fn clauses(&self, observer: &dyn Observer) -> Result<Discernibility, RoughError> {
        if let Some((metric, _)) = self.relation.joint() {
            return Err(RoughError::NotByAttribute { metric });
        }
        RoughError::check_width(TASK, self.neighbourhoods.n_columns())?;
        RoughError::check_rows(TASK, self.n_rows(), MAX_ROWS)?;
        let join = |mut all: MinimalClauses<Narrow>, more: MinimalClauses<Narrow>| {
            more.into_sorted().into_iter().for_each(|clause| all.absorb(clause));
            all
        };
        let clauses = self.fold_clauses(MinimalClauses::absorb, join, observer).into_sorted();
        Ok(Discernibility { neighbourhoods: self.neighbourhoods.clone(), clauses })
    }
}
