//! Lower and upper approximations, regions, and the degree of dependency γ: by classes or by neighbourhoods, exact or of
//! variable precision.

use super::neighbourhood::{Neighbourhoods, check_size};
use super::{Distribution, Fraction, Partition, Precision, Relation, RoughError};
use crate::observe::Observer;
use crate::table::{AttrSet, DecisionTable};

/// The approximation of one decision class X_k.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approximation {
    /// B-lower approximation: the objects whose class is inside X_k, ascending.
    pub lower: Vec<u32>,
    /// B-upper approximation: the objects whose class meets X_k, ascending.
    pub upper: Vec<u32>,
    /// The upper without the lower approximation, ascending.
    pub boundary: Vec<u32>,
    /// The negative region: the objects outside the upper approximation, ascending.
    pub negative: Vec<u32>,
    /// α_B(X_k) = |lower| / |upper|, in weights; its value is 1 for an empty X_k.
    pub accuracy: Fraction,
    /// |lower| / |U|, in weights: what X_k contributes to γ.
    pub quality: Fraction,
}

/// The approximations of a whole decision by the classes of U/IND(B), or by the neighbourhoods of another relation.
///
/// Under a relation, the neighbourhood of an object takes the place of its class; with a precision β, a class counts
/// as inside X_k from the inclusion degree β on, and meets X_k above 1 - β.
#[derive(Debug, Clone)]
pub struct Approximations<'t> {
    table: &'t DecisionTable,
    partition: Partition,
    distribution: Distribution,
    /// The decisions in the neighbourhood of each class, where that is more than the class.
    around: Option<Vec<Vec<(u32, u64)>>>,
    precision: Precision,
}

impl<'t> Approximations<'t> {
    /// Approximates the decision of `table` with the attributes `attrs`.
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    ///
    /// ```
    /// use roughboard::rough::{Approximations, Fraction};
    /// use roughboard::table::DecisionTable;
    /// let rows = [["high", "flu"], ["high", "none"], ["normal", "none"]];
    /// let table = DecisionTable::from_rows(&["temperature"], "illness", &rows).unwrap();
    /// let approximations = Approximations::of(&table, &table.all_attributes());
    /// assert_eq!(approximations.gamma(), Fraction::new(1, 3));
    /// assert_eq!(approximations.of_decision(1).upper, vec![0, 1, 2]);
    /// ```
    pub fn of(table: &'t DecisionTable, attrs: &AttrSet) -> Self {
        let partition = Partition::by(table, attrs);
        let distribution = Distribution::of(table, &partition);
        Self { table, partition, distribution, around: None, precision: Precision::EXACT }
    }

    /// Approximates the decision of `table` with the neighbourhoods of `relation` over `attrs`. Time grows with the
    /// square of the number of distinct rows, memory does not.
    ///
    /// # Errors
    /// When there are more than 100,000 distinct rows (fewer if there are many decisions), or distances are asked for of infinite
    /// numbers or in a range that is too large for a number.
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    pub fn by_relation(
        table: &'t DecisionTable,
        attrs: &AttrSet,
        relation: Relation,
        observer: &dyn Observer,
    ) -> Result<Self, RoughError> {
        let mut approximations = Self::of(table, attrs);
        if relation != Relation::Indiscernibility {
            let n_rows = approximations.partition.n_classes();
            check_size("approximation by neighbourhoods", n_rows, table.n_decisions())?;
            relation.check(table, attrs)?;
            let objects = approximations.partition.first_objects();
            let neighbourhoods = Neighbourhoods::new(table, attrs, relation, objects);
            approximations.around = Some(neighbourhoods.decisions(&approximations.distribution, table, observer));
        }
        Ok(approximations)
    }

    /// The same with another precision; it is exact at first.
    #[must_use]
    pub fn with_precision(self, precision: Precision) -> Self {
        Self { precision, ..self }
    }

    /// The precision β.
    pub const fn precision(&self) -> Precision {
        self.precision
    }

    /// The classes U/IND(B).
    pub const fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The decisions in each class.
    pub const fn distribution(&self) -> &Distribution {
        &self.distribution
    }

    /// The decisions in the neighbourhood of each object of `class`, ascending, with their weights: those in the class
    /// itself, unless another relation than indiscernibility was asked for.
    ///
    /// # Panics
    /// When there is no such class.
    pub fn around(&self, class: usize) -> &[(u32, u64)] {
        match &self.around {
            None => self.distribution.of_class(class),
            Some(around) => &around[class],
        }
    }

    /// γ_B(d) = |POS_B(d)| / |U|: the share of the objects whose class decides them with certainty, or with the
    /// precision β. Also known as the quality of the approximation of the decision.
    pub fn gamma(&self) -> Fraction {
        let decided = self.classes().filter(|&class| self.decided(class).is_some());
        let positive = decided.map(|class| self.distribution.class_weight(class)).sum();
        Fraction::new(positive, self.table.total_weight())
    }

    /// The accuracy of the approximation of the decision: Σ |lower| / Σ |upper| over all its values (Pawlak 1991,
    /// chapter 2).
    pub fn accuracy(&self) -> Fraction {
        let met = |class: usize| (0..self.around(class).len()).filter(|&at| self.meets_at(class, at)).count() as u64;
        let upper = self.classes().map(|class| met(class) * self.distribution.class_weight(class)).sum();
        Fraction::new(self.gamma().numerator, upper)
    }

    /// POS_B(d): the objects whose class lies in a lower approximation, ascending.
    pub fn positive_region(&self) -> Vec<u32> {
        self.objects(|class| self.decided(class).is_some())
    }

    /// BND_B(d): the objects outside the positive region, ascending.
    pub fn boundary(&self) -> Vec<u32> {
        self.objects(|class| self.decided(class).is_none())
    }

    /// The approximation of the decision class with the code `decision`.
    pub fn of_decision(&self, decision: u32) -> Approximation {
        let inside = |class: usize| self.decided(class) == Some(decision);
        let meets = |class: usize| self.meets(class, decision);
        let (lower, upper) = (self.objects(inside), self.objects(meets));
        let accuracy = Fraction::new(self.table.weight_of(&lower), self.table.weight_of(&upper));
        let quality = Fraction::new(accuracy.numerator, self.table.total_weight());
        let boundary = self.objects(|class| meets(class) && !inside(class));
        let negative = self.objects(|class| !meets(class));
        Approximation { lower, upper, boundary, negative, accuracy, quality }
    }

    /// The rough membership of the object `row` in the decision class `decision`, which is the inclusion degree of
    /// its class E, or of its neighbourhood, in X_k: |E ∩ X_k| / |E|.
    ///
    /// # Panics
    /// When there is no such object.
    pub fn membership(&self, row: usize, decision: u32) -> Fraction {
        let class = self.partition.class_of(row);
        let meeting = self.entry(class, decision).map_or(0, |at| self.around(class)[at].1);
        Fraction::new(meeting, self.weight_around(class))
    }

    fn classes(&self) -> std::ops::Range<usize> {
        0..self.partition.n_classes()
    }

    /// The decision in whose lower approximation a class is. There is at most one because β is above one half.
    fn decided(&self, class: usize) -> Option<u32> {
        match self.around(class) {
            [(decision, _)] => Some(*decision),
            _ if self.precision.is_exact() => None,
            entries => {
                let whole = self.weight_around(class);
                let included = |entry: &&(u32, u64)| self.precision.includes(Fraction::new(entry.1, whole));
                entries.iter().find(included).map(|entry| entry.0)
            }
        }
    }

    /// Whether a class is in the upper approximation of a decision.
    fn meets(&self, class: usize, decision: u32) -> bool {
        self.entry(class, decision).is_some_and(|at| self.meets_at(class, at))
    }

    fn meets_at(&self, class: usize, at: usize) -> bool {
        let weight = self.around(class)[at].1;
        let is_admitted = || self.precision.admits(Fraction::new(weight, self.weight_around(class)));
        weight > 0 && (self.precision.is_exact() || is_admitted())
    }

    /// Where a decision stands among those around a class.
    fn entry(&self, class: usize, decision: u32) -> Option<usize> {
        self.around(class).binary_search_by_key(&decision, |entry| entry.0).ok()
    }

    fn weight_around(&self, class: usize) -> u64 {
        self.around(class).iter().map(|entry| entry.1).sum()
    }

    fn objects(&self, wanted: impl Fn(usize) -> bool) -> Vec<u32> {
        let wanted: Vec<bool> = self.classes().map(wanted).collect();
        let is_wanted = |row: u32| wanted[self.partition.class_of(row as usize)];
        let rows = 0..self.table.n_objects() as u32;
        let n_wanted = rows.clone().filter(|&row| is_wanted(row)).count();
        // Every row is written down, and the next in its place unless it is wanted: a branch would be guessed wrongly often.
        let (mut objects, mut n) = (vec![0; n_wanted + 1], 0);
        for row in rows {
            objects[n] = row;
            n += usize::from(is_wanted(row));
        }
        objects.truncate(n);
        objects
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Attribute, Codes, Value};

    /// Class x: 3 won, 1 lost. Class y: 5 lost.
    fn weighted() -> DecisionTable {
        let domain = vec![Value::text("x"), Value::text("y")];
        let place = Attribute::new("place", domain, Codes::U8(vec![0, 1])).unwrap();
        let decision = vec![Value::text("lost"), Value::text("won")];
        DecisionTable::from_counts(vec![place], ("d", decision), &[vec![1, 5], vec![3, 0]]).unwrap()
    }

    #[test]
    fn weights_count_in_gamma_accuracy_and_membership() {
        let table = weighted();
        let approximations = Approximations::of(&table, &table.all_attributes());
        assert_eq!(approximations.gamma(), Fraction::new(5, 9));
        assert_eq!(approximations.of_decision(0).accuracy, Fraction::new(5, 9));
        assert_eq!(approximations.of_decision(1).accuracy, Fraction::new(0, 4));
        assert_eq!(approximations.membership(0, 1), Fraction::new(3, 4));
        assert_eq!(approximations.membership(2, 1), Fraction::new(0, 5));
    }

    #[test]
    fn the_regions_of_a_decision_divide_the_universe() {
        let table = weighted();
        let approximations = Approximations::of(&table, &table.all_attributes());
        let won = approximations.of_decision(1);
        assert_eq!((won.lower, won.boundary, won.negative), (vec![], vec![0, 1], vec![2]));
        assert_eq!(approximations.boundary(), vec![0, 1]);
        assert_eq!(approximations.positive_region(), vec![2]);
    }
}
