//! All reducts under a relation that each attribute decides alone, by discernibility clauses (Kryszkiewicz 1998): for
//! each pair of objects that must be told apart, a reduct holds an attribute that does so.

use super::hitting::{Clause, Enumeration, MinimalClauses, Narrow, Wide, all_minimal_hitting_sets, short_hitting_set};
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
    clauses: Clauses,
}

/// Clauses as wide as the table.
#[derive(Debug, Clone)]
enum Clauses {
    Narrow(Vec<Narrow>),
    Wide(Vec<Wide>),
}

/// What some work makes of the clauses, whatever their width.
macro_rules! with_all {
    ($of:expr, $clauses:ident => $work:expr) => {
        match &$of.clauses {
            Clauses::Narrow($clauses) => $work,
            Clauses::Wide($clauses) => $work,
        }
    };
}

impl Discernibility {
    /// Whether `attrs` preserves the notion.
    pub fn is_superreduct(&self, attrs: &AttrSet) -> bool {
        let told = |told: AttrSet| told.iter().any(|attr| attrs.contains(attr));
        with_all!(self, clauses => clauses.iter().all(|clause| told(self.neighbourhoods.attributes_of(clause))))
    }

    /// The attributes that every reduct holds: those that alone tell two objects apart.
    pub fn core(&self) -> AttrSet {
        with_all!(self, clauses => {
            let alone = clauses.iter().filter(|clause| clause.len() == 1);
            alone.flat_map(|clause| self.neighbourhoods.attributes_of(clause).iter().collect::<Vec<_>>()).collect()
        })
    }

    /// One short reduct, by local search.
    pub fn reduct(&self) -> AttrSet {
        with_all!(self, clauses => {
            let set = short_hitting_set(clauses, &Default::default(), STEPS, 0, &|| false);
            self.neighbourhoods.attributes_of(&set)
        })
    }

    /// All reducts, at most `limit` of them, ascending.
    pub fn all_reducts(&self, limit: usize) -> Enumeration<AttrSet> {
        with_all!(self, clauses => {
            let sets = all_minimal_hitting_sets(clauses, limit);
            let mut found: Vec<AttrSet> = sets.found.iter().map(|set| self.neighbourhoods.attributes_of(set)).collect();
            found.sort();
            Enumeration { found, complete: sets.complete }
        })
    }
}

impl UnderRelation<'_> {
    /// The minimal clauses of all pairs of rows that must be told apart.
    ///
    /// # Errors
    /// When there are more than 50,000 distinct rows, or the metric is not Chebyshev's.
    pub fn clauses(&self, observer: &dyn Observer) -> Result<Discernibility, RoughError> {
        if let Some((metric, _)) = self.relation.joint() {
            return Err(RoughError::NotByAttribute { metric });
        }
        RoughError::check_rows(TASK, self.n_rows(), MAX_ROWS)?;
        let is_narrow = self.neighbourhoods.n_columns() <= Narrow::BITS as usize;
        let clauses = if is_narrow {
            Clauses::Narrow(self.minimal_clauses(observer))
        } else {
            Clauses::Wide(self.minimal_clauses(observer))
        };
        Ok(Discernibility { neighbourhoods: self.neighbourhoods.clone(), clauses })
    }

    fn minimal_clauses<C: Clause>(&self, observer: &dyn Observer) -> Vec<C> {
        let join = |mut all: MinimalClauses<C>, more: MinimalClauses<C>| {
            more.into_sorted().into_iter().for_each(|clause| all.absorb(clause));
            all
        };
        self.fold_clauses(MinimalClauses::absorb, join, observer).into_sorted()
    }
}
