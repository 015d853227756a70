//! Finds pairs of objects that agree on attributes and differ in label.

use rayon::prelude::*;

use super::Pair;
use crate::rough::conflict::Collisions;
use crate::rough::{Notion, Quotient};
use crate::table::{AttrIdx, AttrSet, DecisionTable};

/// A table with its distinct rows and their labels.
pub(crate) struct Finder<'t> {
    table: &'t DecisionTable,
    quotient: Quotient,
}

impl<'t> Finder<'t> {
    pub fn of(table: &'t DecisionTable, notion: Notion) -> Self {
        Self { table, quotient: Quotient::new(table, &table.all_attributes(), notion) }
    }

    /// For each attribute of `attrs` two objects with different labels that agree on the others, if there are any.
    ///
    /// One XOR pass drops an attribute from the keys of all rows.
    pub fn witnesses(&self, attrs: &AttrSet) -> Vec<(AttrIdx, Option<Pair>)> {
        let keys = self.quotient.keys(attrs);
        let without = |attr: AttrIdx| {
            let mut keys = keys.clone();
            self.quotient.toggle(&mut keys, attr);
            (attr, self.conflict_by_keys(&keys, &attrs.without(attr)))
        };
        attrs.iter().collect::<Vec<_>>().into_par_iter().map(without).collect()
    }

    /// Two objects with different labels that agree on `attrs`, if there are any.
    pub fn conflict(&self, attrs: &AttrSet) -> Option<Pair> {
        self.conflict_by_keys(&self.quotient.keys(attrs), attrs)
    }

    /// As [`Finder::conflict`]; the objects agree on so many more attributes that no conflicting pair agrees on all of
    /// these and another one.
    pub(crate) fn tight_conflict(&self, attrs: &AttrSet) -> Option<Pair> {
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
    fn agreed(&self, Pair(a, b): Pair) -> AttrSet {
        let agree = |attr: &AttrIdx| {
            let attribute = self.table.attribute(*attr);
            attribute.code(a as usize) == attribute.code(b as usize)
        };
        self.table.all_attributes().iter().filter(agree).collect()
    }

    /// The number of distinct rows.
    pub fn n_rows(&self) -> usize {
        self.quotient.n_rows()
    }

    /// As [`Finder::conflict`], from the rows' keys over `attrs`.
    fn conflict_by_keys(&self, keys: &[u64], attrs: &AttrSet) -> Option<Pair> {
        let object = |row: u32| self.quotient.objects[row as usize];
        let conflict = self.quotient.conflict(keys, attrs, &mut Collisions::default());
        conflict.map(|(a, b)| Pair(object(a), object(b)))
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
    }
}
