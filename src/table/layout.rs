//! The columns of a table in a file.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::group::Groups;
use super::{Attribute, DecisionTable, TableError, Weights, counts_from};

/// How a decision table is laid out in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// One row per object with a decision column, and a column `weight` if objects are weighted.
    #[default]
    Objects,
    /// One row per distinct description with a count column `d=VALUE` per decision value.
    Merged,
}

/// A column of a file.
pub enum FileColumn<'t> {
    /// The values of an attribute.
    Values(Cow<'t, Attribute>),
    /// The weights of the objects, or the counts of one decision.
    Counts(String, Cow<'t, [u32]>),
}

impl FileColumn<'_> {
    pub fn name(&self) -> &str {
        match self {
            Self::Values(attribute) => attribute.name(),
            Self::Counts(name, _) => name,
        }
    }

    pub fn n_rows(&self) -> usize {
        match self {
            Self::Values(attribute) => attribute.len(),
            Self::Counts(_, counts) => counts.len(),
        }
    }
}

/// The columns of a table, each with a name of its own and all of one length.
pub fn columns(table: &DecisionTable, layout: Layout) -> Result<Vec<FileColumn<'_>>, TableError> {
    let columns = match layout {
        Layout::Objects => object_columns(table),
        Layout::Merged => merged_columns(table)?,
    };
    // An attribute may be called `weight`, too.
    let mut seen = FxHashSet::default();
    match columns.iter().find(|column| !seen.insert(column.name())) {
        Some(twice) => Err(TableError::DuplicateColumn(twice.name().to_owned())),
        None => Ok(columns),
    }
}

fn object_columns(table: &DecisionTable) -> Vec<FileColumn<'_>> {
    let attributes = table.attributes().iter().chain([table.decision()]);
    let mut columns: Vec<FileColumn> = attributes.map(|a| FileColumn::Values(Cow::Borrowed(a))).collect();
    if let Weights::Counts(counts) = table.weights() {
        columns.push(FileColumn::Counts("weight".to_owned(), Cow::Borrowed(counts)));
    }
    columns
}

fn merged_columns(table: &DecisionTable) -> Result<Vec<FileColumn<'_>>, TableError> {
    let conditions: Vec<&Attribute> = table.attributes().iter().collect();
    let groups = Groups::of(&conditions, table.n_objects());
    let mut sums = vec![vec![0_u64; groups.first.len()]; table.n_decisions()];
    for (row, &class) in groups.class_of.iter().enumerate() {
        sums[table.decision().code(row) as usize][class as usize] += table.weight(row);
    }
    let merged = |a: &&Attribute| FileColumn::Values(Cow::Owned(a.select(&groups.first)));
    let mut columns: Vec<FileColumn> = conditions.iter().map(merged).collect();
    for (value, sums) in table.decision().domain().iter().zip(&sums) {
        let name = format!("{}={value}", table.decision().name());
        let counts = counts_from(sums, &name)?;
        columns.push(FileColumn::Counts(name, Cow::Owned(counts)));
    }
    Ok(columns)
}
