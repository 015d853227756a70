//! Kinds of objects: those with equal values and decisions are one kind.

use crate::table::group::Groups;
use crate::table::{AttrIdx, AttrSet, Attribute, DecisionTable};

/// The kinds of the objects of a table, by first occurrence.
pub(super) struct Kinds {
    /// The values of each kind.
    pub columns: Vec<(AttrIdx, Attribute)>,
    pub decisions: Vec<u32>,
    pub weights: Vec<u64>,
    /// The kind of each object.
    pub kind_of: Vec<u32>,
}

impl Kinds {
    /// # Panics
    /// When `attrs` holds an attribute that the table lacks.
    pub fn new(table: &DecisionTable, attrs: &AttrSet) -> Self {
        let conditions = attrs.iter().map(|attr| table.attribute(attr));
        let groups = Groups::of(&conditions.chain([table.decision()]).collect::<Vec<_>>(), table.n_objects());
        let column = |attr: AttrIdx| (attr, table.attribute(attr).select(&groups.first));
        Self {
            columns: attrs.iter().map(column).collect(),
            decisions: groups.first.iter().map(|&row| table.decision().code(row as usize)).collect(),
            weights: groups.sums(|row| table.weight(row)),
            kind_of: groups.class_of,
        }
    }

    /// The number of kinds.
    pub const fn len(&self) -> usize {
        self.decisions.len()
    }

    /// The classes of kinds that agree on `attrs`.
    pub fn groups(&self, attrs: &AttrSet) -> Groups {
        let columns: Vec<&Attribute> = self.columns.iter().filter(|c| attrs.contains(c.0)).map(|c| &c.1).collect();
        Groups::of(&columns, self.len())
    }
}
