//! Lower and upper approximations, regions, and the degree of dependency γ.

use super::{Distribution, Fraction, Partition};
use crate::table::{AttrSet, DecisionTable};

/// The approximation of one decision class X_k by the classes of U/IND(B).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approximation {
    /// B-lower approximation: the objects of all classes inside X_k, ascending.
    pub lower: Vec<u32>,
    /// B-upper approximation: the objects of all classes that meet X_k, ascending.
    pub upper: Vec<u32>,
    /// The upper without the lower approximation, ascending.
    pub boundary: Vec<u32>,
    /// The negative region: the objects of all classes outside X_k, ascending.
    pub negative: Vec<u32>,
    /// α_B(X_k) = |lower| / |upper|, in weights; its value is 1 for an empty X_k.
    pub accuracy: Fraction,
}

/// The approximations of a whole decision by the classes of U/IND(B).
#[derive(Debug, Clone)]
pub struct Approximations<'t> {
    table: &'t DecisionTable,
    partition: Partition,
    distribution: Distribution,
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
    #[must_use]
    pub fn of(table: &'t DecisionTable, attrs: &AttrSet) -> Self {
        let partition = Partition::by(table, attrs);
        let distribution = Distribution::of(table, &partition);
        Self { table, partition, distribution }
    }

    /// The classes U/IND(B).
    #[must_use]
    pub const fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The decisions in each class.
    #[must_use]
    pub const fn distribution(&self) -> &Distribution {
        &self.distribution
    }

    /// γ_B(d) = |POS_B(d)| / |U|: the share of the objects whose class decides them with certainty.
    #[must_use]
    pub fn gamma(&self) -> Fraction {
        let certain = (0..self.partition.n_classes()).filter(|&e| self.distribution.certain(e).is_some());
        let positive = certain.map(|e| self.distribution.class_weight(e)).sum();
        Fraction::new(positive, self.table.total_weight())
    }

    /// POS_B(d): the objects of consistent classes, ascending.
    #[must_use]
    pub fn positive_region(&self) -> Vec<u32> {
        self.objects(|class| self.distribution.certain(class).is_some())
    }

    /// BND_B(d): the objects of inconsistent classes, ascending.
    #[must_use]
    pub fn boundary(&self) -> Vec<u32> {
        self.objects(|class| self.distribution.certain(class).is_none())
    }

    /// The approximation of the decision class with the code `decision`.
    #[must_use]
    pub fn of_decision(&self, decision: u32) -> Approximation {
        let inside = |class: usize| self.distribution.certain(class) == Some(decision);
        let meets = |class: usize| self.meeting(class, decision) > 0;
        let lower = self.objects(inside);
        let upper = self.objects(meets);
        let accuracy = Fraction::new(self.weight(&lower), self.weight(&upper));
        let boundary = self.objects(|class| meets(class) && !inside(class));
        let negative = self.objects(|class| !meets(class));
        Approximation { lower, upper, boundary, negative, accuracy }
    }

    /// The rough membership of the object `row` in the decision class `decision`, which is the inclusion degree of
    /// its class E in X_k: |E ∩ X_k| / |E|.
    ///
    /// # Panics
    /// When there is no such object.
    #[must_use]
    pub fn membership(&self, row: usize, decision: u32) -> Fraction {
        let class = self.partition.class_of(row);
        Fraction::new(self.meeting(class, decision), self.distribution.class_weight(class))
    }

    /// |E ∩ X_k|.
    fn meeting(&self, class: usize, decision: u32) -> u64 {
        let entries = self.distribution.of_class(class);
        entries.binary_search_by_key(&decision, |entry| entry.0).map_or(0, |at| entries[at].1)
    }

    fn objects(&self, wanted: impl Fn(usize) -> bool) -> Vec<u32> {
        let wanted: Vec<bool> = (0..self.partition.n_classes()).map(wanted).collect();
        (0..self.table.n_objects() as u32).filter(|&row| wanted[self.partition.class_of(row as usize)]).collect()
    }

    fn weight(&self, rows: &[u32]) -> u64 {
        rows.iter().map(|&row| self.table.weight(row as usize)).sum()
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
