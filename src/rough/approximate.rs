//! ε-approximate reducts: minimal attributes that keep nearly all of what the whole table says about the decision.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::conflict::ConflictClasses;
use super::hitting::{Clause, Enumeration, keep_within, visit_minimal_hitting_sets, with_clauses};
use super::kinds::{Cell, Kinds, by_counting};
use super::{Fraction, Method};
use crate::choices;
use crate::observe::Observer;
use crate::settings::{SettingError, require};
use crate::table::{AttrIdx, AttrSet, Attribute, DecisionTable};

choices! {
    /// What is to be kept. Both measures are whole numbers of objects and never fall when attributes are added.
    pub enum Measure = Gamma {
        /// The weight of the positive region: γ_B · |U|.
        Gamma,
        /// The weight of the objects with the heaviest decision of their class. Σ_E max_k |E ∩ X_k| (Ślęzak,
        /// *Normalized decision functions and measures for inconsistent decision tables analysis*, Fund. Inf. 44, 2000).
        Majority,
    }
}

/// The share ε in [0, 1) of a measure that may be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Epsilon(Fraction);

impl Epsilon {
    /// The share `epsilon`.
    ///
    /// # Errors
    /// When it is not in [0, 1).
    pub fn new(epsilon: Fraction) -> Result<Self, SettingError> {
        require(epsilon.numerator < epsilon.denominator, "epsilon", "in [0, 1)", epsilon.value())?;
        Ok(Self(epsilon))
    }

    /// ε.
    pub const fn share(self) -> Fraction {
        self.0
    }

    /// Whether `kept` is at least (1 - ε) · `whole`, exactly.
    fn accepts(self, kept: u64, whole: u64) -> bool {
        Fraction::new(kept, whole).compare(self.0.complement()).is_ge()
    }
}

/// Attributes B with M(B) ≥ (1 - ε) · M(A) for a measure M, none of which can be left out; both checked exactly. Since
/// M never falls with more attributes, no proper subset of B keeps as much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApproximateReduct {
    /// The attributes B.
    pub attrs: AttrSet,
    /// M(B) / |U|.
    pub kept: Fraction,
    /// M(A) / |U|.
    pub whole: Fraction,
}

impl ApproximateReduct {
    /// An approximate reduct of `attrs` in `table`. [`Method::Greedy`] adds the attribute by which the measure grows
    /// most (of equals the one that leaves fewest pairs of objects with different decisions together) and prunes;
    /// [`Method::Backward`] drops attributes, the least discerning first.
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    ///
    /// ```
    /// use roughboard::rough::{ApproximateReduct, Epsilon, Measure, Method};
    /// use roughboard::table::DecisionTable;
    /// let rows = [["0", "0", "x"], ["1", "0", "y"], ["1", "1", "y"], ["1", "1", "y"], ["1", "1", "z"]];
    /// let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
    /// let epsilon = Epsilon::new("0.5".parse()?)?;
    /// let reduct = ApproximateReduct::of(&table, &table.all_attributes(), epsilon, Measure::Gamma, Method::Greedy);
    /// assert_eq!(table.names(&reduct.attrs), ["a"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(table: &DecisionTable, attrs: &AttrSet, epsilon: Epsilon, measure: Measure, method: Method) -> Self {
        let search = ApproximateSearch::new(table, attrs, epsilon, measure);
        let order = match method {
            Method::Backward => search.least_discerning_first(),
            _ => search.grow(),
        };
        // Dropped in this order, wherever the others keep enough.
        let chosen: AttrSet = order.iter().copied().collect();
        let attrs = chosen.pruned(order, |attrs| search.accepts(attrs));
        let share = |weight: u64| Fraction::new(weight, table.total_weight());
        Self { kept: share(search.measured(&attrs)), whole: share(search.whole), attrs }
    }

    /// The attributes of all approximate reducts of `attrs` in `table`, at most `limit` of them, ascending; ends early, and incomplete,
    /// when `stop` says so, which is asked as by [`Quotient::visit_reducts`](super::Quotient::visit_reducts).
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    pub fn all(
        table: &DecisionTable,
        attrs: &AttrSet,
        (epsilon, measure): (Epsilon, Measure),
        limit: usize,
        stop: &dyn Fn() -> bool,
        observer: &dyn Observer,
    ) -> Enumeration<AttrSet> {
        let search = ApproximateSearch::new(table, attrs, epsilon, measure);
        observer.begin("finding reducts", 0);
        let found = with_clauses!(search.kinds.columns.len(), C => search.all::<C>(limit, stop, observer));
        observer.end();
        found
    }
}

/// What one class keeps, or several do: both measures, and the pairs of objects with different decisions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Kept {
    positive: u64,
    majority: u64,
    pairs: u128,
}

sums!(Kept { positive, majority, pairs });

impl Kept {
    /// That of a class with these weights of decisions, each of which occurs.
    fn of(weights: impl Iterator<Item = u64>) -> Self {
        let (mut n_decisions, mut sum, mut majority, mut squares) = (0, 0, 0, 0);
        for weight in weights {
            (n_decisions, sum, majority) = (n_decisions + 1, sum + weight, majority.max(weight));
            squares += u128::from(weight) * u128::from(weight);
        }
        let positive = if n_decisions == 1 { sum } else { 0 };
        Self { positive, majority, pairs: (u128::from(sum) * u128::from(sum) - squares) / 2 }
    }

    fn of_counts(weights: &[u64]) -> Self {
        Self::of(weights.iter().copied())
    }

    const fn by(self, measure: Measure) -> u64 {
        match measure {
            Measure::Gamma => self.positive,
            Measure::Majority => self.majority,
        }
    }
}

/// What the classes of equal values keep.
fn by_sorting(cells: impl Iterator<Item = Cell>) -> Kept {
    let mut cells: Vec<Cell> = cells.collect();
    cells.par_sort_unstable();
    let of_class =
        |class: &[Cell]| Kept::of(class.chunk_by(|a, b| a.1 == b.1).map(|same| same.iter().map(|cell| cell.2).sum()));
    cells.chunk_by(|a, b| a.0 == b.0).map(of_class).sum()
}

/// The search for attributes that keep enough.
struct ApproximateSearch {
    kinds: Kinds,
    measure: Measure,
    epsilon: Epsilon,
    /// The measure of all attributes.
    whole: u64,
}

impl ApproximateSearch {
    fn new(table: &DecisionTable, attrs: &AttrSet, epsilon: Epsilon, measure: Measure) -> Self {
        let mut search = Self { kinds: Kinds::new(table, attrs), measure, epsilon, whole: 0 };
        search.whole = search.measured(attrs);
        search
    }

    /// All minimal sets that keep enough: those that meet the clauses which [`ApproximateSearch::missed`] tells on the way.
    fn all<C: Clause>(&self, limit: usize, stop: &dyn Fn() -> bool, observer: &dyn Observer) -> Enumeration<AttrSet> {
        let (mut universe, mut found) = (C::default(), Vec::new());
        (0..self.kinds.columns.len()).for_each(|column| universe.insert(column));
        let mut keep = |set: &C| {
            observer.advance(1);
            keep_within(limit, &mut found, set)
        };
        let mut missed = |set: &C| Vec::from_iter(self.missed(set));
        let complete = visit_minimal_hitting_sets(Vec::new(), universe, &mut missed, stop, &mut keep).is_continue();
        Enumeration { found, complete }.named(|set| self.attributes_of(set))
    }

    /// Columns of which every set that keeps enough has one, and `set` has none; nothing if it keeps enough itself: what is left where it
    /// is extended as far as it keeps too little. No part of that keeps enough either, since the measures never fall.
    fn missed<C: Clause>(&self, set: &C) -> Option<C> {
        let (mut most, mut clause) = (self.attributes_of(set), C::default());
        if self.accepts(&most) {
            return None;
        }
        for (column, (attr, _)) in self.kinds.columns.iter().enumerate().filter(|(column, _)| !set.holds(*column)) {
            most.insert(*attr);
            if self.accepts(&most) {
                most.remove(*attr);
                clause.insert(column);
            }
        }
        Some(clause)
    }

    fn attributes_of<C: Clause>(&self, columns: &C) -> AttrSet {
        columns.elements().map(|column| self.kinds.columns[column].0).collect()
    }

    /// The measure of `attrs`, in weights.
    fn measured(&self, attrs: &AttrSet) -> u64 {
        let Kinds { decisions, weights, .. } = &self.kinds;
        let cells = self.kinds.groups(attrs).class_of.into_iter().zip(decisions).zip(weights);
        by_sorting(cells.map(|((class, &decision), &weight)| (class, decision, weight))).by(self.measure)
    }

    /// Whether `attrs` keep enough.
    fn accepts(&self, attrs: &AttrSet) -> bool {
        self.epsilon.accepts(self.measured(attrs), self.whole)
    }

    /// Attributes in the order of choice, until they keep enough.
    fn grow(&self) -> Vec<AttrIdx> {
        let columns = &self.kinds.columns;
        let (mut open, mut chosen) = (self.undivided(), Vec::new());
        while !self.accepts(&chosen.iter().copied().collect()) {
            let left = (0..columns.len()).into_par_iter().filter(|&at| !chosen.contains(&columns[at].0));
            let rank = |at: usize| {
                let kept = self.kept_by(&open, &columns[at].1);
                (Reverse(kept.by(self.measure)), kept.pairs, at)
            };
            let Some((.., best)) = left.map(rank).min() else { break };
            chosen.push(columns[best].0);
            open = self.divided(&open, &columns[best].1);
        }
        chosen
    }

    /// All kinds in one class, unless they have one decision.
    fn undivided(&self) -> ConflictClasses {
        ConflictClasses::of((0..self.kinds.len() as u32).map(|kind| (0, kind)).collect(), &self.kinds.decisions)
    }

    /// The classes divided by `column`.
    fn divided(&self, open: &ConflictClasses, column: &Attribute) -> ConflictClasses {
        let keyed = |class: usize| {
            let key = move |&kind: &u32| ((class as u64) << 32 | u64::from(column.code(kind as usize)), kind);
            open.rows[open.class(class)].iter().map(key)
        };
        ConflictClasses::of((0..open.len()).flat_map(keyed).collect(), &self.kinds.decisions)
    }

    /// What all kinds keep once the classes that are still open are divided by `column`.
    fn kept_by(&self, open: &ConflictClasses, column: &Attribute) -> Kept {
        let weight = |kind: &u32| self.kinds.weights[*kind as usize];
        let settled = self.kinds.weights.iter().sum::<u64>() - open.rows.iter().map(weight).sum::<u64>();
        let kept = |class: usize| {
            let members = open.class(class).map(|at| (&open.rows[at], open.labels[at]));
            let cells = members.map(|(kind, label)| (column.code(*kind as usize), label, weight(kind)));
            if column.n_values().saturating_mul(open.n_labels[class]) <= 4 * cells.len() {
                by_counting(cells, column.n_values(), open.n_labels[class], Kept::of_counts)
            } else {
                by_sorting(cells)
            }
        };
        Kept::of(std::iter::once(settled)) + (0..open.len()).map(kept).sum()
    }

    /// All attributes, first the one that alone leaves most pairs of objects with different decisions together.
    fn least_discerning_first(&self) -> Vec<AttrIdx> {
        let open = self.undivided();
        let pairs = |(attr, column): &(AttrIdx, Attribute)| (Reverse(self.kept_by(&open, column).pairs), *attr);
        let mut order: Vec<(Reverse<u128>, AttrIdx)> = self.kinds.columns.par_iter().map(pairs).collect();
        order.sort();
        order.into_iter().map(|(_, attr)| attr).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rough::Approximations;
    use crate::table::Weights;

    #[test]
    fn both_ways_of_counting_agree() {
        let cells = || [(0, 0, 3), (1, 1, 2), (0, 1, 1), (1, 1, 5), (0, 2, 3)].into_iter();
        let expected = Kept { positive: 7, majority: 10, pairs: 3 + 9 + 3 };
        assert_eq!(by_counting(cells(), 2, 3, Kept::of_counts), expected);
        assert_eq!(by_sorting(cells()), expected);
    }

    /// As [`Partition::certain_decisions`](crate::rough::Partition::certain_decisions) has it.
    #[test]
    fn an_object_without_weight_makes_its_class_inconsistent() {
        let cells = || [(0, 0, 3), (0, 1, 0), (1, 1, 5)].into_iter();
        let expected = Kept { positive: 5, majority: 8, pairs: 0 };
        assert_eq!((by_counting(cells(), 2, 2, Kept::of_counts), by_sorting(cells())), (expected, expected));
        let [a, d] = [("a", [0, 0, 1]), ("d", [0, 1, 1])].map(|(name, codes)| Attribute::from_integers(name, codes));
        let table = DecisionTable::new(vec![a], d, Weights::Counts(vec![3, 0, 5])).unwrap();
        let (all, epsilon) = (table.all_attributes(), Epsilon::new("0".parse().unwrap()).unwrap());
        for method in [Method::Greedy, Method::Backward] {
            let reduct = ApproximateReduct::of(&table, &all, epsilon, Measure::Gamma, method);
            assert_eq!(reduct.whole, Approximations::of(&table, &all).gamma());
            assert_eq!((reduct.attrs, reduct.kept), (all.clone(), reduct.whole));
        }
    }

    #[test]
    fn the_threshold_is_decided_exactly() {
        let epsilon = |text: &str| Epsilon::new(text.parse().unwrap()).unwrap();
        assert!(epsilon("0.1").accepts(9, 10) && !epsilon("0.1").accepts(8, 10));
        assert!(epsilon("0").accepts(7, 7) && !epsilon("0").accepts(6, 7));
        assert!(Epsilon::new("1".parse().unwrap()).is_err());
    }

    /// `e` tells the decision 2 from the others, of which `b` and `c` tell together what `a` tells alone.
    #[test]
    fn an_attribute_is_chosen_by_what_those_before_it_leave_together() {
        let rows = ["00100", "01111", "10111", "11100", "00002", "01012", "10012", "11002"];
        let rows = rows.map(|row| row.chars().map(String::from).collect::<Vec<_>>());
        let table = DecisionTable::from_rows(&["b", "c", "e", "a"], "d", &rows).unwrap();
        let (all, epsilon) = (table.all_attributes(), Epsilon::new("0".parse().unwrap()).unwrap());
        for measure in [Measure::Gamma, Measure::Majority] {
            let reduct = ApproximateReduct::of(&table, &all, epsilon, measure, Method::Greedy);
            assert_eq!(table.names(&reduct.attrs), ["e", "a"], "{measure:?}");
        }
    }

    /// The classes of `a`, and then of `a` and `b`, each of which holds both decisions.
    #[test]
    fn classes_are_divided_by_one_column_after_another() {
        let rows = ["000", "001", "010", "011", "100", "101", "110", "111"];
        let rows = rows.map(|row| row.chars().map(String::from).collect::<Vec<_>>());
        let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
        let epsilon = Epsilon::new("0".parse().unwrap()).unwrap();
        let search = ApproximateSearch::new(&table, &table.all_attributes(), epsilon, Measure::Gamma);
        let [a, b] = [0, 1].map(|at| &search.kinds.columns[at].1);
        let by_a = search.divided(&search.undivided(), a);
        assert_eq!(by_a.ends, [4, 8]);
        let by_both = search.divided(&by_a, b);
        assert_eq!(by_both.ends, [2, 4, 6, 8]);
        assert_eq!(by_both.rows, [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
