//! Core and reducts of rows that lie elsewhere: all that is known of them are answers to questions, each of which is dear.
//!
//! A clause of two rows with different labels is true for good, whatever was asked when it came up. So clauses are kept,
//! and only what they leave open is asked.

use std::convert::Infallible;

use super::Quotient;
use super::hitting::Wide;
use super::unmet::Unmet;
use crate::table::{AttrIdx, AttrSet};

/// The distinct rows of a table with their labels, as far as one can ask about them.
pub trait ClauseSource {
    /// Why a question was not answered.
    type Error;

    /// Whether no two rows with different labels agree on `attrs`.
    ///
    /// # Errors
    /// When the question cannot be answered.
    fn is_enough(&mut self, attrs: &AttrSet) -> Result<bool, Self::Error>;

    /// Clauses that `attrs` does not meet, each the attributes on which two rows with different labels differ; none exactly if
    /// `attrs` is enough. A clause must not be empty.
    ///
    /// # Errors
    /// When the question cannot be answered.
    fn missed(&mut self, attrs: &AttrSet) -> Result<Vec<AttrSet>, Self::Error>;
}

/// The rows of a [`Quotient`] as a [`ClauseSource`].
pub struct AtHand<'q> {
    quotient: &'q Quotient,
    unmet: Unmet<'q, Wide>,
}

impl<'q> AtHand<'q> {
    /// Asks `quotient`.
    pub fn new(quotient: &'q Quotient) -> Self {
        Self { quotient, unmet: Unmet::new(quotient) }
    }
}

impl ClauseSource for AtHand<'_> {
    type Error = Infallible;

    fn is_enough(&mut self, attrs: &AttrSet) -> Result<bool, Self::Error> {
        Ok(self.quotient.is_superreduct(attrs))
    }

    fn missed(&mut self, attrs: &AttrSet) -> Result<Vec<AttrSet>, Self::Error> {
        let clauses = self.unmet.unmet(&self.quotient.columns_of(attrs));
        Ok(clauses.iter().map(|clause| self.quotient.attributes_of(clause)).collect())
    }
}

/// Looks for core and reducts by questions to a source, and remembers every clause.
pub struct Asking<S> {
    source: S,
    attributes: AttrSet,
    clauses: Vec<AttrSet>,
}

impl<S: ClauseSource> Asking<S> {
    /// Asks `source` about rows with these attributes.
    pub const fn new(source: S, attributes: AttrSet) -> Self {
        Self { source, attributes, clauses: Vec::new() }
    }

    /// What answered the questions.
    pub fn into_source(self) -> S {
        self.source
    }

    /// The core, as [`Quotient::core`].
    ///
    /// What is left of a batch and is enough spares the whole batch: no attribute of it is in the core. Batches are as large as the known
    /// clauses allow. One of a single attribute decides about it either way.
    ///
    /// # Errors
    /// When the source does not answer.
    pub fn core(&mut self) -> Result<AttrSet, S::Error> {
        let mut open: Vec<AttrIdx> = self.attributes.iter().collect();
        let mut size = open.len().div_ceil(2);
        loop {
            open.retain(|attr| !self.clauses.iter().any(|clause| only_member(clause) == Some(*attr)));
            if open.is_empty() {
                return Ok(self.clauses.iter().filter_map(only_member).collect());
            }
            let batch = self.batch(&open, &self.attributes, size);
            if self.is_enough(&batch)? {
                open.retain(|attr| batch.rest.contains(*attr));
                size = size.saturating_mul(2);
            } else {
                size = (batch.dropped / 2).max(1);
            }
        }
    }

    /// Whether all but a batch are enough; else the clauses that show it are known from now on.
    fn is_enough(&mut self, batch: &Batch) -> Result<bool, S::Error> {
        if batch.dropped > 1 {
            return Ok(self.learn(&batch.rest)? == 0);
        }
        let is_enough = self.source.is_enough(&batch.rest)?;
        if !is_enough {
            self.remember(without(&self.attributes, &batch.rest));
        }
        Ok(is_enough)
    }

    /// The attributes that are left where those of `order`, then all others, are dropped one by one as long as the rest is
    /// enough: those of [`Quotient::reduct_by_order`].
    ///
    /// Attributes are dropped in batches, each of those that the known clauses let go. What is left of a batch that passes is what
    /// dropping one by one leaves: the clauses kept those that were kept, and the rest was enough all along. A batch that
    /// fails brings clauses that let go of less. A batch of one decides about it either way.
    ///
    /// # Errors
    /// When the source does not answer.
    pub fn reduct_by_order(&mut self, order: &[AttrIdx]) -> Result<AttrSet, S::Error> {
        let mut untried = self.attributes.clone();
        let order = order.iter().copied().chain(self.attributes.iter());
        let mut open: Vec<AttrIdx> = order.filter(|attr| untried.remove(*attr)).collect();
        let mut kept = self.attributes.clone();
        let mut size = open.len().div_ceil(2);
        while !open.is_empty() {
            let batch = self.batch(&open, &kept, size);
            if batch.dropped > 0 && self.learn(&batch.rest)? > 0 {
                size = (batch.dropped / 2).max(1);
                continue;
            }
            open.drain(..batch.decided);
            kept = batch.rest;
            size = size.saturating_mul(2);
        }
        Ok(kept)
    }

    /// Drops attributes of `open` from `kept` in their order until so many have gone, but those that a known clause needs.
    fn batch(&self, open: &[AttrIdx], kept: &AttrSet, size: usize) -> Batch {
        let mut batch = Batch { rest: kept.clone(), dropped: 0, decided: 0 };
        for &attr in open {
            let rest = batch.rest.without(attr);
            if self.clauses.iter().all(|clause| !clause.contains(attr) || meets(clause, &rest)) {
                if batch.dropped == size {
                    break;
                }
                (batch.rest, batch.dropped) = (rest, batch.dropped + 1);
            }
            batch.decided += 1;
        }
        batch
    }

    /// Asks what `attrs` misses and remembers it; the number of clauses.
    fn learn(&mut self, attrs: &AttrSet) -> Result<usize, S::Error> {
        let missed = self.source.missed(attrs)?;
        let n_missed = missed.len();
        for clause in missed {
            debug_assert!(!clause.is_empty() && !meets(&clause, attrs), "a clause that {attrs:?} does not miss");
            self.remember(clause);
        }
        Ok(n_missed)
    }

    /// Keeps a clause unless it follows from others.
    fn remember(&mut self, clause: AttrSet) {
        if !self.clauses.iter().any(|known| known.is_subset(&clause)) {
            self.clauses.retain(|known| !clause.is_subset(known));
            self.clauses.push(clause);
        }
    }
}

/// What is left where a batch of attributes is dropped.
struct Batch {
    rest: AttrSet,
    /// How many were dropped.
    dropped: usize,
    /// Of how many it is told, dropped or kept.
    decided: usize,
}

/// The one attribute of a clause, if it has no other: it is in the core.
fn only_member(clause: &AttrSet) -> Option<AttrIdx> {
    clause.iter().next().filter(|_| clause.len() == 1)
}

fn meets(clause: &AttrSet, attrs: &AttrSet) -> bool {
    clause.iter().any(|attr| attrs.contains(attr))
}

fn without(attrs: &AttrSet, part: &AttrSet) -> AttrSet {
    attrs.iter().filter(|attr| !part.contains(*attr)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rough::unmet::tests::table;
    use crate::rough::{Method, Notion};
    use crate::settings::Choices;
    use proptest::prelude::*;

    const N_COLUMNS: usize = 8;

    /// Counts the questions, gives one clause at a time where `is_sparing`, and fails at question number `fails_at`.
    struct Counted<'q> {
        rows: AtHand<'q>,
        questions: usize,
        is_sparing: bool,
        fails_at: usize,
    }

    impl<'q> Counted<'q> {
        fn of(quotient: &'q Quotient, is_sparing: bool, fails_at: usize) -> Self {
            Self { rows: AtHand::new(quotient), questions: 0, is_sparing, fails_at }
        }

        fn count(&mut self) -> Result<(), String> {
            self.questions += 1;
            if self.questions == self.fails_at { Err("the engine is gone".to_owned()) } else { Ok(()) }
        }
    }

    impl ClauseSource for Counted<'_> {
        type Error = String;

        fn is_enough(&mut self, attrs: &AttrSet) -> Result<bool, String> {
            self.count()?;
            Ok(self.rows.is_enough(attrs).unwrap_or_else(|never| match never {}))
        }

        fn missed(&mut self, attrs: &AttrSet) -> Result<Vec<AttrSet>, String> {
            self.count()?;
            let mut clauses = self.rows.missed(attrs).unwrap_or_else(|never| match never {});
            clauses.truncate(if self.is_sparing { 1 } else { usize::MAX });
            Ok(clauses)
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// However few clauses an answer brings, core and reduct are those that the rows at hand have.
        #[test]
        fn questions_lead_to_the_same_core_and_reduct(
            rows in prop::collection::vec(prop::collection::vec(0..3_i64, N_COLUMNS + 1), 2..80),
            order in Just((0..N_COLUMNS).collect::<Vec<_>>()).prop_shuffle(),
            notion in prop::sample::select(Notion::ALL),
            is_sparing in any::<bool>(),
        ) {
            let table = table(&rows);
            let quotient = Quotient::new(&table, &table.all_attributes(), notion);
            let order: Vec<AttrIdx> = order.into_iter().map(AttrIdx::new).collect();
            let asking = || Asking::new(Counted::of(&quotient, is_sparing, usize::MAX), table.all_attributes());
            prop_assert_eq!(asking().core().unwrap(), quotient.core());
            let reduct = asking().reduct_by_order(&order).unwrap();
            prop_assert_eq!(&reduct, &quotient.reduct_by_order(&order).attrs().clone());
            // What the core has taught stands, and helps.
            let mut both = asking();
            both.core().unwrap();
            prop_assert_eq!(both.reduct_by_order(&order).unwrap(), reduct);
        }
    }

    #[test]
    fn a_source_that_fails_gives_no_answer() {
        let rows: Vec<Vec<i64>> =
            (0..200_i64).map(|row| (0..=N_COLUMNS as i64).map(|c| (row * (c + 3) + row / 7) % 3).collect()).collect();
        let table = table(&rows);
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        let mut questions = Asking::new(Counted::of(&quotient, true, usize::MAX), table.all_attributes());
        questions.reduct_by_order(&[]).unwrap();
        let all = questions.into_source().questions;
        assert!(all > 2);
        for at in 1..=all {
            let mut failing = Asking::new(Counted::of(&quotient, true, at), table.all_attributes());
            assert_eq!(failing.reduct_by_order(&[]), Err("the engine is gone".to_owned()), "question {at} of {all}");
        }
        assert_eq!(
            Asking::new(Counted::of(&quotient, true, 1), table.all_attributes()).core(),
            Err("the engine is gone".to_owned())
        );
    }

    /// Of 64 columns that each tell one row from all others any one can go, so batches drop one and are doubled as often.
    #[test]
    fn batches_that_are_doubled_for_long_come_to_an_end() {
        let marks = |row: i64| (0..64).map(move |at| i64::from(at == row));
        let rows: Vec<Vec<i64>> = (0..64).map(|row| marks(row).chain([0; 64]).chain([row]).collect()).collect();
        let table = table(&rows);
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        let asking = || Asking::new(AtHand::new(&quotient), table.all_attributes());
        let core = asking().core().unwrap_or_else(|never| match never {});
        assert!(core.is_empty());
        let reduct = asking().reduct_by_order(&[]).unwrap_or_else(|never| match never {});
        assert_eq!(&reduct, quotient.reduct_by_order(&[]).attrs());
    }

    /// Any one of the first four of eight columns tells the two rows apart.
    #[test]
    fn a_batch_that_fails_is_halved_and_one_that_passes_doubled() {
        let table = table(&[vec![0; N_COLUMNS + 1], vec![1, 1, 1, 1, 0, 0, 0, 0, 1]]);
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        let mut asking = Asking::new(Counted::of(&quotient, false, usize::MAX), table.all_attributes());
        assert!(asking.core().unwrap().is_empty());
        // Those four are too many; two of them can go, then four, then the last two.
        assert_eq!(asking.source.questions, 4);
        // For a reduct those four are too many, too; two of them can go, then the third and three others, then the last one.
        let mut asking = Asking::new(Counted::of(&quotient, false, usize::MAX), table.all_attributes());
        assert_eq!(asking.reduct_by_order(&[]).unwrap(), [AttrIdx::new(3)].into_iter().collect::<AttrSet>());
        assert_eq!(asking.source.questions, 4);
    }

    /// Each of two columns tells a pair apart that the other does not.
    #[test]
    fn nothing_is_asked_about_a_batch_of_which_nothing_can_go() {
        let table = table(&[vec![0, 0, 0], vec![1, 0, 1], vec![0, 1, 1]]);
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        let mut asking = Asking::new(Counted::of(&quotient, false, usize::MAX), table.all_attributes());
        assert_eq!(asking.core().unwrap(), table.all_attributes());
        assert_eq!(asking.reduct_by_order(&[]).unwrap(), table.all_attributes());
        assert_eq!(asking.source.questions, 2);
    }

    /// 91 columns as on a board of which many can go: batches need few questions.
    #[test]
    fn batches_ask_much_less_than_once_for_each_attribute() {
        let value = |row: u64, column: u64| (crate::random::mix(crate::random::mix(row) ^ column) % 15) as i64;
        let rows: Vec<Vec<i64>> = (0..2_000).map(|row| (0..=91).map(|column| value(row, column)).collect()).collect();
        let table = table(&rows);
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        let mut asking = Asking::new(Counted::of(&quotient, false, usize::MAX), table.all_attributes());
        let order: Vec<AttrIdx> = table.all_attributes().iter().collect();
        let found = asking.reduct_by_order(&order).unwrap();
        assert_eq!(&found, quotient.reduct_by_order(&order).attrs());
        let questions = asking.into_source().questions;
        assert!(questions < 45, "{questions} questions");
        let mut asking = Asking::new(Counted::of(&quotient, false, usize::MAX), table.all_attributes());
        assert_eq!(asking.core().unwrap(), quotient.core());
        let questions = asking.into_source().questions;
        assert!(questions < 45, "{questions} questions about the core");
        assert!(found.len() <= quotient.reduct(Method::Backward).len() + 3);
    }
}
