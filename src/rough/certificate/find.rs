//! Finds pairs of objects that agree on attributes and differ in label.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Pair;
use crate::rough::{Notion, Partition};
use crate::table::group::{Keyed, row_keys, value_words, xor_column};
use crate::table::{AttrIdx, AttrSet, Codes, DecisionTable};

/// The distinct rows of a table with their labels.
pub struct Finder<'t> {
    table: &'t DecisionTable,
    /// The first object of each class of U/IND(A).
    objects: Vec<u32>,
    labels: Vec<u32>,
    /// The codes of `objects`, a column per attribute.
    columns: Vec<Codes>,
}

impl<'t> Finder<'t> {
    pub fn of(table: &'t DecisionTable, notion: Notion) -> Self {
        let partition = Partition::by(table, &table.all_attributes());
        let labels = notion.labels(table, &partition);
        let objects = partition.first_objects().to_vec();
        let columns = table.attributes().iter().map(|attribute| attribute.codes().select(&objects)).collect();
        Self { table, objects, labels, columns }
    }

    /// For each attribute of `attrs` two objects with different labels that agree on the others, if there are any.
    ///
    /// One XOR pass drops an attribute from the keys of all rows.
    pub fn witnesses(&self, attrs: &AttrSet) -> Vec<(AttrIdx, Option<Pair>)> {
        let keys = self.keys(attrs);
        let without = |attr: AttrIdx| {
            let mut keys = keys.clone();
            let words = value_words(attr.index(), self.table.attribute(attr).n_values());
            xor_column(&mut keys, &self.columns[attr.index()], &words);
            (attr, self.conflict_by_keys(&keys, &attrs.without(attr)))
        };
        attrs.iter().collect::<Vec<_>>().into_par_iter().map(without).collect()
    }

    /// Two objects with different labels that agree on `attrs`, if there are any.
    pub fn conflict(&self, attrs: &AttrSet) -> Option<Pair> {
        self.conflict_by_keys(&self.keys(attrs), attrs)
    }

    /// As [`Finder::conflict`]; the objects agree on so many more attributes that no conflicting pair agrees on all of
    /// these and another one.
    pub fn tight_conflict(&self, attrs: &AttrSet) -> Option<Pair> {
        let mut pair = self.conflict(attrs)?;
        let mut agreed = self.agreed(pair);
        for attr in self.table.all_attributes().iter() {
            if agreed.contains(attr) {
                continue;
            }
            let more = agreed.iter().chain([attr]).collect();
            if let Some(tighter) = self.conflict(&more) {
                (pair, agreed) = (tighter, self.agreed(tighter));
            }
        }
        Some(pair)
    }

    /// The attributes on which two objects agree.
    fn agreed(&self, pair: Pair) -> AttrSet {
        let alone = |attr: AttrIdx| [attr].into_iter().collect();
        self.table.all_attributes().iter().filter(|attr| self.agree(pair, &alone(*attr))).collect()
    }

    /// The number of distinct rows.
    pub fn n_rows(&self) -> usize {
        self.objects.len()
    }

    fn keys(&self, attrs: &AttrSet) -> Vec<u64> {
        let column = |attr: AttrIdx| {
            let number = attr.index();
            Keyed { number, codes: &self.columns[number], n_values: self.table.attribute(attr).n_values() }
        };
        row_keys(&attrs.iter().map(column).collect::<Vec<_>>(), self.objects.len())
    }

    /// As [`Finder::conflict`], from the rows' keys over `attrs`. Equal rows have equal keys, so rows whose keys all
    /// differ need no look; if rows with equal keys are not equal, the objects are grouped by their values instead.
    fn conflict_by_keys(&self, keys: &[u64], attrs: &AttrSet) -> Option<Pair> {
        let mut first = FxHashMap::with_capacity_and_hasher(keys.len(), rustc_hash::FxBuildHasher);
        let conflicting = |(row, key): (usize, &u64)| {
            let other: usize = *first.entry(*key).or_insert(row);
            (self.labels[other] != self.labels[row]).then(|| Pair(self.objects[other], self.objects[row]))
        };
        let pair = keys.iter().enumerate().find_map(conflicting)?;
        if self.agree(pair, attrs) { Some(pair) } else { self.conflict_by_partition(attrs) }
    }

    fn agree(&self, Pair(a, b): Pair, attrs: &AttrSet) -> bool {
        attrs.iter().map(|attr| self.table.attribute(attr)).all(|x| x.code(a as usize) == x.code(b as usize))
    }

    fn conflict_by_partition(&self, attrs: &AttrSet) -> Option<Pair> {
        let partition = Partition::by(self.table, attrs);
        let mut first = vec![None; partition.n_classes()];
        let conflicting = |(&object, &label): (&u32, &u32)| {
            let (other, labelled) = *first[partition.class_of(object as usize)].get_or_insert((object, label));
            (labelled != label).then_some(Pair(other, object))
        };
        self.objects.iter().zip(&self.labels).find_map(conflicting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colliding_keys_neither_make_nor_hide_a_conflict() {
        let rows = [["x", "0", "1"], ["y", "0", "0"], ["z", "0", "1"], ["x", "1", "0"]];
        let table = DecisionTable::from_rows(&["a", "b"], "d", &rows).unwrap();
        let finder = Finder::of(&table, Notion::Positive);
        let a: AttrSet = [AttrIdx::new(0)].into_iter().collect();
        assert_eq!(finder.conflict_by_keys(&[7; 4], &table.all_attributes()), None);
        assert_eq!(finder.conflict_by_keys(&[7; 4], &a), Some(Pair(0, 3)));
        assert_eq!(finder.conflict(&a), Some(Pair(0, 3)));
        assert_eq!(finder.conflict_by_partition(&a), Some(Pair(0, 3)));
    }
}
