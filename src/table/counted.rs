//! Decision tables with one row per description.

use std::borrow::Cow;
use std::path::Path;

use super::build::check_counts;
use super::group::Groups;
use super::layout::FileColumn;
use super::{Attribute, DecisionTable, TableError, Value};

/// A decision table with one row per distinct description and its count for each decision value, as [`Layout::Merged`] writes it.
///
/// [`Layout::Merged`]: super::Layout::Merged
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountTable {
    conditions: Vec<Attribute>,
    decision: String,
    domain: Vec<Value>,
    /// A column for each value of the domain.
    counts: Vec<Vec<u32>>,
}

impl CountTable {
    /// A table from finished columns; that no two rows agree on all `conditions` is the caller's word.
    ///
    /// # Errors
    /// When there are no rows, columns differ in length, or the number of count columns is not that of the decision's values.
    pub fn new(
        conditions: Vec<Attribute>,
        (decision, domain): (&str, Vec<Value>),
        counts: Vec<Vec<u32>>,
    ) -> Result<Self, TableError> {
        check_counts(&conditions, (decision, domain.len()), &counts)?;
        if counts.first().is_none_or(Vec::is_empty) {
            return Err(TableError::NoRows);
        }
        Ok(Self { conditions, decision: decision.to_owned(), domain, counts })
    }

    /// The objects of `table` counted by their descriptions, which come in the order of first appearance.
    ///
    /// # Errors
    /// When a sum of weights exceeds 2³² - 1.
    pub(super) fn of(table: &DecisionTable) -> Result<Self, TableError> {
        let conditions: Vec<&Attribute> = table.attributes().iter().collect();
        let groups = Groups::of(&conditions, table.n_objects());
        let mut sums = vec![vec![0_u64; groups.first.len()]; table.n_decisions()];
        for (row, &class) in groups.class_of.iter().enumerate() {
            sums[table.decision().code(row) as usize][class as usize] += table.weight(row);
        }
        let (decision, domain) = (table.decision().name().to_owned(), table.decision().domain().to_vec());
        let count =
            |(value, sums): (&Value, &Vec<u64>)| table.counts_from(sums, &groups, &column_name(&decision, value));
        let counts = domain.iter().zip(&sums).map(count).collect::<Result<_, _>>()?;
        let conditions = conditions.iter().map(|attribute| attribute.select(&groups.first)).collect();
        Ok(Self { conditions, decision, domain, counts })
    }

    /// The number of condition attributes.
    pub fn n_attributes(&self) -> usize {
        self.conditions.len()
    }

    /// The number of objects counted.
    pub fn total_weight(&self) -> u64 {
        self.counts.iter().flatten().map(|&count| u64::from(count)).sum()
    }

    /// The table with an object for each description and decision that occur together.
    ///
    /// # Errors
    /// As [`DecisionTable::from_counts`].
    pub fn into_objects(self) -> Result<DecisionTable, TableError> {
        DecisionTable::from_counts(self.conditions, (&self.decision, self.domain), &self.counts)
    }

    /// Writes the table as [`DecisionTable::write`] does with [`Layout::Merged`].
    ///
    /// # Errors
    /// When the file cannot be created or written, or its name has another ending.
    ///
    /// [`Layout::Merged`]: super::Layout::Merged
    pub fn write(&self, path: &Path) -> Result<(), TableError> {
        super::file::write(path, &self.columns())
    }

    fn columns(&self) -> Vec<FileColumn<'_>> {
        let conditions = self.conditions.iter().map(|attribute| FileColumn::Values(Cow::Borrowed(attribute)));
        let counted = self.domain.iter().zip(&self.counts);
        let counts = counted.map(|(value, counts)| {
            FileColumn::Counts(column_name(&self.decision, value), Cow::Borrowed(counts.as_slice()))
        });
        conditions.chain(counts).collect()
    }
}

/// The name of the column of counts of a decision's value.
fn column_name(decision: &str, value: &Value) -> String {
    format!("{decision}={value}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_weight_is_the_sum_of_all_counts() {
        let conditions = vec![Attribute::from_values("a", &[Value::Integer(0), Value::Integer(1)])];
        let domain = vec![Value::Integer(0), Value::Integer(1)];
        let table = CountTable::new(conditions, ("d", domain), vec![vec![3, 0], vec![4, 5]]).unwrap();
        assert_eq!((table.total_weight(), table.n_attributes()), (12, 1));
    }
}
