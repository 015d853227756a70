//! Short reducts, and the shortest with proof, by implicit hitting sets.
//!
//! A short hitting set of the clauses known so far is tested on the table; the minimal clauses that it misses join the
//! family; and so on, until the table has no more. As every known clause is one of the table, no reduct is smaller
//! than the smallest hitting set of the known ones: that is the lower bound, and it only rises.

use super::hitting::{Clause, Feasible, HittingSetOfSize, MinimalClauses, least_size, short_hitting_set, with_clauses};
use super::unmet::Unmet;
use super::{Quotient, Reduct};
use crate::observe::Observer;

/// Exchanges of the local search before any set meets all clauses of the table.
const FIRST_STEPS: u64 = 50;
/// Exchanges before a set is taken for as short as the local search can make it.
const STEPS: u64 = 2_000;
/// The same where the shortest is wanted, not just a short one.
const PATIENT_STEPS: u64 = 20_000;
/// Clauses that local searches look at when they begin, in all, before a short reduct is made of the last set: that takes a second. Tables
/// without order, such as random ones, have so many clauses that no set would meet all of them for minutes.
const LOOKS: usize = 1 << 21;
/// So many comparisons with known clauses, when one more becomes known, take as long as a look.
const COMPARED: usize = 256;

/// The shortest reduct found, and how short a reduct can be at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Minimum {
    /// The shortest reduct found.
    pub reduct: Reduct,
    /// No reduct has fewer attributes: proved.
    pub lower_bound: usize,
}

impl Minimum {
    /// Whether it is proved that no reduct is shorter.
    pub fn is_proved(&self) -> bool {
        self.reduct.len() == self.lower_bound
    }
}

impl Quotient {
    /// A short reduct by local search for a hitting set of the clauses that it turns out to need. The search ends after a fixed amount of
    /// work, of a second or two; the reduct is then the best that was found, or one made of the last set and as few others as it needs.
    pub fn hitting_set_reduct(&self) -> Reduct {
        with_clauses!(self.columns.len(), C => {
            let mut search = ShortestSearch::<C>::new(self);
            search.shorten(STEPS, LOOKS, &|| false);
            search.reduct()
        })
    }

    /// A reduct with the least number of attributes, or the best found with the lower bound proved when `stop` says
    /// so. When it says so before any is found, that is the one by [`Quotient::backward_reduct`]. The observer is told whenever the bounds change.
    ///
    /// ```
    /// use roughboard::observe::Silent;
    /// use roughboard::rough::{Notion, Quotient};
    /// use roughboard::table::DecisionTable;
    /// let rows = [["0", "0", "0", "x"], ["0", "1", "1", "y"], ["1", "0", "2", "y"]];
    /// let table = DecisionTable::from_rows(&["a", "b", "c"], "d", &rows).unwrap();
    /// let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
    /// let minimum = quotient.minimum_reduct(&|| false, &Silent);
    /// assert_eq!(table.names(minimum.reduct.attrs()), ["c"]);
    /// assert!(minimum.is_proved() && minimum.lower_bound == 1);
    /// ```
    pub fn minimum_reduct(&self, stop: &dyn Fn() -> bool, observer: &dyn Observer) -> Minimum {
        with_clauses!(self.columns.len(), C => self.minimum_in::<C>(stop, observer))
    }

    fn minimum_in<C: Clause>(&self, stop: &dyn Fn() -> bool, observer: &dyn Observer) -> Minimum {
        let mut search = ShortestSearch::<C>::new(self);
        observer.begin("proving a minimum", 0);
        search.shorten(PATIENT_STEPS, usize::MAX, stop);
        let mut lower_bound = least_size(&search.known.clauses, usize::MAX);
        while lower_bound < search.size() && !stop() {
            observer.remark(&format!("{lower_bound} to {} attributes", search.size()));
            match HittingSetOfSize::search(&search.known.clauses, lower_bound, stop) {
                Feasible::No => lower_bound += 1,
                Feasible::Yes(set) => {
                    if !search.test(set) {
                        search.shorten(PATIENT_STEPS, usize::MAX, stop);
                    }
                }
                Feasible::Unknown => break,
            }
        }
        observer.end();
        Minimum { reduct: search.reduct(), lower_bound }
    }
}

struct ShortestSearch<'q, C> {
    quotient: &'q Quotient,
    source: Unmet<'q, C>,
    known: MinimalClauses<C>,
    /// The last hitting set of known clauses.
    last: C,
    /// The smallest set that meets all clauses of the table.
    best: Option<C>,
}

impl<'q, C: Clause> ShortestSearch<'q, C> {
    fn new(quotient: &'q Quotient) -> Self {
        Self {
            quotient,
            source: Unmet::new(quotient),
            known: MinimalClauses::default(),
            last: C::default(),
            best: None,
        }
    }

    /// The size of the best set so far.
    fn size(&self) -> usize {
        self.best.as_ref().map_or(usize::MAX, Clause::len)
    }

    /// The best set so far. It is a reduct: each element alone meets some clause.
    fn reduct(&self) -> Reduct {
        Reduct::proved(self.quotient.attributes_of(&self.best.clone().unwrap_or_default()), self.quotient.notion())
    }

    /// Tests on the table whether `set`, a hitting set of the known clauses without idle elements, meets all clauses.
    /// Keeps it if so; learns the clauses that it misses if not.
    fn test(&mut self, set: C) -> bool {
        let unmet = self.source.unmet(&set);
        let meets_all = unmet.is_empty();
        if meets_all && set.len() < self.size() {
            self.best = Some(set.clone());
        }
        self.last = set;
        unmet.into_iter().for_each(|clause| self.known.absorb(clause));
        meets_all
    }

    /// Finds smaller and smaller sets until the local search has no better one to offer, has begun with so many clauses in all, or
    /// `stop` says so. There is a best set afterwards in any case.
    fn shorten(&mut self, steps: u64, mut looks: usize, stop: &dyn Fn() -> bool) {
        while looks > 0 && !stop() {
            let set = self.hitting_set(if self.best.is_some() { steps } else { FIRST_STEPS }, stop);
            if set.len() >= self.size() {
                return;
            }
            let before = self.known.clauses.len();
            self.test(set);
            let known = self.known.clauses.len();
            looks = looks.saturating_sub(known + before * known.saturating_sub(before) / COMPARED);
        }
        if self.best.is_none() {
            let last = self.quotient.attributes_of(&self.last);
            self.best = Some(self.quotient.columns_of(self.quotient.backward_reduct_within(&last).attrs()));
        }
    }

    /// A short hitting set of the known clauses without idle elements.
    fn hitting_set(&self, steps: u64, stop: &dyn Fn() -> bool) -> C {
        let enough = if self.best.is_some() { self.size().saturating_sub(1) } else { 0 };
        short_hitting_set(&self.known.clauses, &self.last, steps, enough, stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::Silent;
    use crate::random::mix;
    use crate::rough::Notion;
    use crate::table::DecisionTable;

    /// For each two of four attributes two rows that nothing else tells apart, so that three are needed; but two of them meet as many
    /// pairs as there are, if each pair is counted as often as it is met.
    #[test]
    fn the_bound_rises_until_it_is_proved_unless_the_search_is_stopped() {
        let rows = ["0000x", "1100y", "1010y", "1001y", "0110y", "0101y", "0011y"];
        let rows = rows.map(|row| row.chars().map(String::from).collect::<Vec<_>>());
        let table = DecisionTable::from_rows(&["a", "b", "c", "d"], "k", &rows).unwrap();
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        let minimum = quotient.minimum_reduct(&|| false, &Silent);
        assert_eq!((minimum.reduct.len(), minimum.lower_bound, minimum.is_proved()), (3, 3, true));
        assert!(quotient.is_reduct(minimum.reduct.attrs()));
        let stopped = quotient.minimum_reduct(&|| true, &Silent);
        assert_eq!((&stopped.reduct, stopped.lower_bound), (&quotient.backward_reduct(), 0));
        assert!(!stopped.is_proved());
        assert_eq!(quotient.hitting_set_reduct().len(), 3);
    }

    /// Rows of random bits have more clauses than can be met one by one.
    #[test]
    fn a_search_that_is_cut_short_ends_in_a_reduct() {
        let bit = |row: u64, column: u64| if mix(row << 8 | column) & 1 == 0 { "0" } else { "1" };
        let rows: Vec<Vec<&str>> = (0..200).map(|row| (0..31).map(|column| bit(row, column)).collect()).collect();
        let names: Vec<String> = (0..30).map(|column| format!("a{column}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let table = DecisionTable::from_rows(&names, "d", &rows).unwrap();
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        let lengths = [0, 1, 5000, 50_000, usize::MAX].map(|looks| {
            let mut search = ShortestSearch::<u128>::new(&quotient);
            search.shorten(STEPS, looks, &|| false);
            let reduct = search.reduct();
            assert!(quotient.is_reduct(reduct.attrs()), "{looks}");
            reduct.len()
        });
        assert_eq!(lengths[0], quotient.backward_reduct().len());
        assert!(lengths.iter().all(|&length| length >= lengths[4]) && lengths[0] > lengths[4], "{lengths:?}");
    }
}
