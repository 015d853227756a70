//! Core and reducts under a relation that each attribute decides alone, by discernibility clauses.
//!
//! B ⊆ A makes neighbourhoods larger, never smaller. So B preserves a notion of decision exactly if, for every object x,
//! no object that would spoil what x's neighbourhood under A says comes into its neighbourhood under B: for each such
//! pair, B must hold an attribute that tells the two apart (Kryszkiewicz 1998).

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::certain::short_hitting_set;
use super::clauses::{Clause, Minimal};
use super::hitting::{Enumeration, minimal_hitting_sets};
use super::neighbourhood::{BLOCK, Neighbourhoods, check_rows};
use super::{Approximations, Metric, Notion, Relation, RoughError};
use crate::observe::Observer;
use crate::table::{AttrSet, DecisionTable};

/// Rows between two reports of progress.
const CHUNK: usize = 64;
/// The most distinct rows whose pairs are all compared (2.5 · 10⁹ ordered pairs).
const MAX_ROWS: usize = 50_000;
const TASK: &str = "the search of reducts under a relation";

/// The minimal clauses of a table under a relation: what a set of attributes must tell apart to preserve a notion.
#[derive(Debug, Clone)]
pub struct Discernibility {
    notion: Notion,
    neighbourhoods: Neighbourhoods,
    clauses: Vec<Clause>,
}

impl Discernibility {
    /// The clauses of `table` over `attrs`. Preserved can be the positive region (of neighbourhoods), the generalised
    /// decision of each neighbourhood, or the neighbourhoods themselves; the distribution in them is not decided by
    /// pairs of objects.
    ///
    /// # Errors
    /// When there are more than 128 attributes or more than 50,000 distinct rows, the metric is not Chebyshev's, or the
    /// notion is [`Notion::Distribution`].
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    pub fn of(
        table: &DecisionTable,
        attrs: &AttrSet,
        relation: Relation,
        notion: Notion,
        observer: &dyn Observer,
    ) -> Result<Self, RoughError> {
        check(attrs, relation, notion)?;
        let own = Approximations::of(table, attrs);
        check_rows(TASK, own.partition().n_classes(), MAX_ROWS)?;
        let whole = Approximations::by_relation(table, attrs, relation, observer)?;
        let neighbourhoods = Neighbourhoods::new(table, attrs, relation, own.partition().first_objects());
        let pairs = Pairs { spoiling: Spoiling::new(&own, &whole, notion), neighbourhoods: &neighbourhoods };
        let clauses = pairs.minimal_clauses(observer);
        Ok(Self { notion, neighbourhoods, clauses })
    }

    /// What the reducts preserve.
    #[must_use]
    pub const fn notion(&self) -> Notion {
        self.notion
    }

    /// Whether `attrs` preserves the notion.
    #[must_use]
    pub fn is_superreduct(&self, attrs: &AttrSet) -> bool {
        self.clauses.iter().all(|&clause| self.neighbourhoods.attributes_of(clause).iter().any(|a| attrs.contains(a)))
    }

    /// The attributes that every reduct holds: those that alone tell two objects apart.
    #[must_use]
    pub fn core(&self) -> AttrSet {
        let alone = self.clauses.iter().filter(|clause| clause.is_power_of_two());
        self.neighbourhoods.attributes_of(alone.fold(0, |core, clause| core | clause))
    }

    /// One reduct: the attribute that meets most clauses first, then without what is not needed.
    #[must_use]
    pub fn reduct(&self) -> AttrSet {
        self.neighbourhoods.attributes_of(short_hitting_set(&self.clauses))
    }

    /// All reducts, at most `limit` of them, ascending.
    #[must_use]
    pub fn all_reducts(&self, limit: usize) -> Enumeration<AttrSet> {
        let sets = minimal_hitting_sets(&self.clauses, limit);
        let mut found: Vec<AttrSet> = sets.found.iter().map(|&set| self.neighbourhoods.attributes_of(set)).collect();
        found.sort();
        Enumeration { found, complete: sets.complete }
    }
}

/// Refuses what clauses cannot express.
fn check(attrs: &AttrSet, relation: Relation, notion: Notion) -> Result<(), RoughError> {
    let (found, limit) = (attrs.len(), Clause::BITS as usize);
    match relation {
        Relation::Neighbourhood(near) if near.metric() != Metric::Chebyshev => {
            Err(RoughError::NotByAttribute { metric: near.metric() })
        }
        _ if notion == Notion::Distribution => Err(RoughError::NotByPairs { notion }),
        _ if found > limit => Err(RoughError::TooManyAttributes { task: TASK, found, limit }),
        _ => Ok(()),
    }
}

/// Which rows must stay out of which neighbourhoods.
struct Spoiling<'a> {
    own: &'a Approximations<'a>,
    whole: &'a Approximations<'a>,
    notion: Notion,
    /// The set of decisions of each row by its number, and the sets.
    set_of: Vec<u32>,
    sets: Vec<Vec<u32>>,
}

impl<'a> Spoiling<'a> {
    fn new(own: &'a Approximations<'a>, whole: &'a Approximations<'a>, notion: Notion) -> Self {
        let (mut numbers, mut sets) = (FxHashMap::default(), Vec::new());
        let mut number = |row: usize| {
            let set: Vec<u32> = own.around(row).iter().map(|entry| entry.0).collect();
            *numbers.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                sets.len() as u32 - 1
            })
        };
        let set_of = (0..own.partition().n_classes()).map(&mut number).collect();
        Self { own, whole, notion, set_of, sets }
    }

    /// For each set of decisions, whether a row that has it spoils the neighbourhood of `row`; `None` if no row does.
    fn of_row(&self, row: usize) -> Option<Vec<bool>> {
        let around = self.whole.around(row);
        let known = |decision: &u32| around.binary_search_by_key(decision, |entry| entry.0).is_ok();
        let adds = |set: &Vec<u32>| !set.iter().all(known);
        match self.notion {
            Notion::Information => Some(vec![true; self.sets.len()]),
            // A neighbourhood with several decisions is outside the positive region already.
            Notion::Positive if around.len() > 1 => None,
            _ => Some(self.sets.iter().map(adds).collect()),
        }
    }
}

/// The pairs of rows that must be told apart.
struct Pairs<'a> {
    spoiling: Spoiling<'a>,
    neighbourhoods: &'a Neighbourhoods,
}

impl Pairs<'_> {
    fn minimal_clauses(&self, observer: &dyn Observer) -> Vec<Clause> {
        let n_rows = self.spoiling.own.partition().n_classes();
        observer.begin("collecting clauses", n_rows as u64);
        let of_chunk = |chunk: usize| {
            let rows = chunk * CHUNK..((chunk + 1) * CHUNK).min(n_rows);
            let mut minimal = Minimal::default();
            rows.clone().for_each(|row| self.collect(row, &mut minimal));
            observer.advance(rows.len() as u64);
            minimal
        };
        let join = |mut all: Minimal, more: Minimal| {
            more.into_sorted().into_iter().for_each(|clause| all.absorb(clause));
            all
        };
        let minimal = (0..n_rows.div_ceil(CHUNK)).into_par_iter().map(of_chunk).reduce(Minimal::default, join);
        observer.end();
        minimal.into_sorted()
    }

    /// The clauses between `row` and those that would spoil its neighbourhood.
    fn collect(&self, row: usize, minimal: &mut Minimal) {
        let Some(spoils) = self.spoiling.of_row(row) else { return };
        let set_of = &self.spoiling.set_of;
        let mut masks = [0; BLOCK];
        for start in (0..set_of.len()).step_by(BLOCK) {
            let masks = &mut masks[..BLOCK.min(set_of.len() - start)];
            self.neighbourhoods.differences(row, start, masks);
            for (&mask, &set) in masks.iter().zip(&set_of[start..]) {
                // No attribute tells neighbours apart, and under `Information` they may stay so.
                if mask != 0 && spoils[set as usize] {
                    minimal.absorb(mask);
                }
            }
        }
    }
}
