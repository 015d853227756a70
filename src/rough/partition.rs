//! Indiscernibility classes U/IND(B), and how the decision is distributed in each.

use super::Fraction;
use crate::table::group::Groups;
use crate::table::{AttrSet, Attribute, Code, DecisionTable, with_codes};

/// Stands for more than one decision; codes are below the number of rows, which is below this.
const SEVERAL: u32 = u32::MAX;

/// The partition U/IND(B): objects that agree on all attributes of B are in one class.
///
/// Classes are numbered by their first object, from 0.
///
/// ```
/// use roughboard::rough::{Fraction, Partition};
/// use roughboard::table::DecisionTable;
/// let rows = [["high", "yes"], ["normal", "no"], ["high", "no"]];
/// let table = DecisionTable::from_rows(&["temperature"], "flu", &rows).unwrap();
/// let partition = Partition::by(&table, &table.all_attributes());
/// assert_eq!(partition.classes(), [vec![0, 2], vec![1]]);
/// assert_eq!(partition.gamma(&table), Fraction::new(1, 3));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    groups: Groups,
}

impl Partition {
    /// The classes of `table` under `attrs`; a single class if `attrs` is empty.
    ///
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    pub fn by(table: &DecisionTable, attrs: &AttrSet) -> Self {
        let columns: Vec<&Attribute> = attrs.iter().map(|attr| table.attribute(attr)).collect();
        Self { groups: Groups::of(&columns, table.n_objects()) }
    }

    /// The number of classes.
    pub fn n_classes(&self) -> usize {
        self.groups.first.len()
    }

    /// The number of objects.
    pub fn n_objects(&self) -> usize {
        self.groups.class_of.len()
    }

    /// The class of the object `row`.
    ///
    /// # Panics
    /// When there is no such object.
    #[inline]
    pub fn class_of(&self, row: usize) -> usize {
        self.groups.class_of[row] as usize
    }

    /// The first object of each class, ascending.
    pub fn first_objects(&self) -> &[u32] {
        &self.groups.first
    }

    /// As [`Partition::first_objects`], from a partition that is no longer needed.
    pub(super) fn into_first_objects(self) -> Vec<u32> {
        self.groups.first
    }

    /// The objects of each class, ascending.
    pub fn classes(&self) -> Vec<Vec<u32>> {
        let mut classes = vec![Vec::new(); self.n_classes()];
        for (row, &class) in (0..).zip(&self.groups.class_of) {
            classes[class as usize].push(row);
        }
        classes
    }

    /// |E| of each class: the weight of its objects in `table`.
    pub fn weights(&self, table: &DecisionTable) -> Vec<u64> {
        self.groups.sums(|row| table.weight(row))
    }

    /// γ_B(d) = |POS_B(d)| / |U|: the share of the objects of `table` whose class decides them with certainty.
    pub fn gamma(&self, table: &DecisionTable) -> Fraction {
        let certain = self.decisions_or_several(table);
        let classes = self.groups.class_of.iter().enumerate();
        // Added or not without a branch, which would be guessed wrongly half of the time.
        let positive = classes.map(|(row, &class)| table.weight(row) * u64::from(certain[class as usize] != SEVERAL));
        Fraction::new(positive.sum(), table.total_weight())
    }

    /// The decision of each consistent class of `table`; `None` for a class in which several occur.
    pub fn certain_decisions(&self, table: &DecisionTable) -> Vec<Option<u32>> {
        let decisions = self.decisions_or_several(table).into_iter();
        decisions.map(|decision| (decision != SEVERAL).then_some(decision)).collect()
    }

    /// The decision of each consistent class, and [`SEVERAL`] of others.
    fn decisions_or_several(&self, table: &DecisionTable) -> Vec<u32> {
        with_codes!(table.decision().codes(), codes => {
            let code = |row: u32| codes[row as usize].index() as u32;
            let mut certain: Vec<u32> = self.groups.first.iter().map(|&row| code(row)).collect();
            for (decision, &class) in codes.iter().zip(&self.groups.class_of) {
                let known = &mut certain[class as usize];
                *known = if *known == decision.index() as u32 { *known } else { SEVERAL };
            }
            certain
        })
    }
}

/// The weight of each decision in each class of a partition: |E ∩ X_k| for every class E and decision k.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distribution {
    /// `entries[offsets[e]..offsets[e + 1]]` belongs to class `e`.
    offsets: Vec<usize>,
    /// Decision code and weight; by decision within a class; no decision twice.
    entries: Vec<(u32, u64)>,
}

impl Distribution {
    /// Counts the decisions of `table` in the classes of `partition`.
    pub fn of(table: &DecisionTable, partition: &Partition) -> Self {
        let mut offsets = vec![0_usize; partition.n_classes() + 1];
        (0..table.n_objects()).for_each(|row| offsets[partition.class_of(row) + 1] += 1);
        for class in 1..offsets.len() {
            offsets[class] += offsets[class - 1];
        }
        let (mut next, mut objects) = (offsets.clone(), vec![0_u32; table.n_objects()]);
        for row in 0..table.n_objects() {
            let at = &mut next[partition.class_of(row)];
            objects[*at] = row as u32;
            *at += 1;
        }
        let mut distribution = Self { offsets: vec![0], entries: Vec::with_capacity(partition.n_classes()) };
        offsets.windows(2).for_each(|bounds| distribution.push(&objects[bounds[0]..bounds[1]], table));
        distribution
    }

    /// Adds a class of these objects.
    fn push(&mut self, objects: &[u32], table: &DecisionTable) {
        let entry = |&row: &u32| (table.decision().code(row as usize), table.weight(row as usize));
        let mut kept = self.entries.len();
        let start = kept;
        self.entries.extend(objects.iter().map(entry));
        self.entries[start..].sort_unstable();
        for at in start..self.entries.len() {
            let entry = self.entries[at];
            if kept > start && self.entries[kept - 1].0 == entry.0 {
                self.entries[kept - 1].1 += entry.1;
            } else {
                self.entries[kept] = entry;
                kept += 1;
            }
        }
        self.entries.truncate(kept);
        self.offsets.push(kept);
    }

    /// The number of classes.
    pub fn n_classes(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The decisions that occur in `class`, ascending, with their weights. All together they are the class's
    /// generalised decision ∂.
    ///
    /// # Panics
    /// When there is no such class.
    pub fn of_class(&self, class: usize) -> &[(u32, u64)] {
        &self.entries[self.offsets[class]..self.offsets[class + 1]]
    }

    /// The decision of a consistent class; `None` if several occur in it.
    ///
    /// # Panics
    /// When there is no such class.
    pub fn certain(&self, class: usize) -> Option<u32> {
        match self.of_class(class) {
            [(decision, _)] => Some(*decision),
            _ => None,
        }
    }

    /// |E| of a class: the weight of its objects.
    ///
    /// # Panics
    /// When there is no such class.
    pub fn class_weight(&self, class: usize) -> u64 {
        self.of_class(class).iter().map(|entry| entry.1).sum()
    }
}

/// The first object of each distinct row, attributes and decision, by decision; and the row of each object.
pub(super) fn distinct_rows(table: &DecisionTable) -> (Vec<u32>, Vec<u32>) {
    let partition = Partition::by(table, &table.all_attributes());
    let key = |object: u32| (table.decision().code(object as usize), partition.class_of(object as usize));
    let mut objects: Vec<u32> = (0..table.n_objects() as u32).collect();
    objects.sort_by_key(|&object| key(object));
    let (mut first, mut row_of) = (Vec::new(), vec![0; objects.len()]);
    for equal in objects.chunk_by(|&a, &b| key(a) == key(b)) {
        equal.iter().for_each(|&object| row_of[object as usize] = first.len() as u32);
        first.push(equal[0]);
    }
    (first, row_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::AttrIdx;

    fn table() -> DecisionTable {
        let rows = [["1", "x", "no"], ["2", "x", "yes"], ["1", "x", "yes"], ["1", "y", "no"], ["1", "x", "no"]];
        DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap()
    }

    #[test]
    fn classes_hold_their_objects() {
        let partition = Partition::by(&table(), &AttrSet::first(2));
        assert_eq!(partition.classes(), vec![vec![0, 2, 4], vec![1], vec![3]]);
        let b: AttrSet = [AttrIdx::new(1)].into_iter().collect();
        assert_eq!(Partition::by(&table(), &b).classes(), vec![vec![0, 1, 2, 4], vec![3]]);
        assert_eq!(Partition::by(&table(), &AttrSet::new()).n_classes(), 1);
    }

    #[test]
    fn decisions_are_counted_by_class() {
        let partition = Partition::by(&table(), &AttrSet::first(2));
        let distribution = Distribution::of(&table(), &partition);
        assert_eq!(distribution.of_class(0), [(0, 2), (1, 1)]);
        assert_eq!(distribution.certain(0), None);
        assert_eq!(distribution.certain(1), Some(1));
        assert_eq!(partition.weights(&table()), [3, 1, 1]);
        assert_eq!(partition.certain_decisions(&table()), [None, Some(1), Some(0)]);
        assert_eq!(distribution.class_weight(0), 3);
        assert_eq!(distribution.n_classes(), 3);
    }
}
