//! Kinds of objects: those with equal values and decisions are one kind.

use std::iter::Sum;

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

/// Objects by value, decision and weight.
pub(super) type Cell = (u32, u32, u64);

/// What the classes of equal values come to, where there are few values and decisions: the sum of what `of_class` makes of each, from
/// the weights of the decisions that occur in it.
pub(super) fn by_counting<T: Sum>(
    cells: impl Iterator<Item = Cell>,
    n_values: usize,
    n_decisions: usize,
    of_class: impl Fn(&[u64]) -> T,
) -> T {
    // Whether there are objects is kept beside their weight, which may be 0.
    let mut counters = vec![(0_u64, false); n_values * n_decisions];
    for (value, decision, weight) in cells {
        let counter = &mut counters[value as usize * n_decisions + decision as usize];
        *counter = (counter.0 + weight, true);
    }
    let mut weights = Vec::with_capacity(n_decisions);
    let of_value = |counters: &[(u64, bool)]| {
        weights.clear();
        weights.extend(counters.iter().filter(|counter| counter.1).map(|counter| counter.0));
        of_class(&weights)
    };
    counters.chunks_exact(n_decisions).map(of_value).sum()
}
