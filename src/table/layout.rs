//! The columns of a table in a file.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::{Attribute, DecisionTable, TableError, Weights};

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
pub(crate) enum FileColumn<'t> {
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

/// The columns of a table with a row per object.
pub(crate) fn object_columns(table: &DecisionTable) -> Vec<FileColumn<'_>> {
    let attributes = table.attributes().iter().chain([table.decision()]);
    let mut columns: Vec<FileColumn> = attributes.map(|a| FileColumn::Values(Cow::Borrowed(a))).collect();
    if let Weights::Counts(counts) = table.weights() {
        columns.push(FileColumn::Counts("weight".to_owned(), Cow::Borrowed(counts)));
    }
    columns
}

/// Refuses columns of one name. An attribute may have the name of a column of counts, such as `weight`; these come last.
pub(crate) fn check_columns(columns: &[FileColumn<'_>]) -> Result<(), TableError> {
    let mut seen = FxHashSet::default();
    match columns.iter().find(|column| !seen.insert(column.name())) {
        Some(FileColumn::Counts(name, _)) => Err(TableError::CountsName(name.clone())),
        Some(twice) => Err(TableError::DuplicateColumn(twice.name().to_owned())),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Roles, Value};

    #[test]
    fn an_attribute_that_is_called_as_the_weights_is_told() {
        let csv = "weight,d,w\n1,p,3\n2,q,1\n";
        let table = DecisionTable::from_csv(csv, &Roles { weight: Some("w".to_owned()), ..Roles::decided_by("d") });
        let error = check_columns(&object_columns(&table.unwrap())).unwrap_err().to_string();
        assert!(error.starts_with("its counts need a column `weight`, which is the name of another column"), "{error}");
        let twice = Attribute::from_values("a", &[Value::Integer(1)]);
        let columns = [&twice, &twice].map(|column| FileColumn::Values(Cow::Borrowed(column)));
        assert!(matches!(check_columns(&columns), Err(TableError::DuplicateColumn(name)) if name == "a"));
    }
}
