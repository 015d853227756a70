//! What tells nothing in a table: missing values, attributes without any value, decisions that are always the same.

use super::{Attribute, DecisionTable, TableError, Value, Weights};

/// How much of a table was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// The number of rows of the file of which nothing is left: one with counts of several decisions is several objects.
    pub rows: usize,
    /// The sum of the weights of the objects, also of those whose rows have others that are left.
    pub weight: u64,
}

impl DecisionTable {
    /// The objects that lack no value, neither of a condition nor of the decision, and how many were left out. Domains
    /// keep only the values that remain.
    ///
    /// # Errors
    /// When no object is complete.
    ///
    /// ```
    /// use roughboard::table::{Attribute, DecisionTable, Value, Weights};
    /// let a = Attribute::from_values("a", &[Value::Integer(1), Value::Missing, Value::Integer(2)]);
    /// let d = Attribute::from_values("d", &[Value::text("x"), Value::text("y"), Value::text("x")]);
    /// let (complete, dropped) = DecisionTable::new(vec![a], d, Weights::Unit).unwrap().complete().unwrap();
    /// assert_eq!((complete.n_objects(), complete.n_decisions(), dropped.rows), (2, 1, 1));
    /// ```
    pub fn complete(&self) -> Result<(Self, LeftOut), TableError> {
        let mut lacking = vec![false; self.n_objects()];
        for column in self.columns() {
            for (lacks, missing) in lacking.iter_mut().zip(column.missing()) {
                *lacks |= missing;
            }
        }
        if !lacking.contains(&true) {
            return Ok((self.clone(), LeftOut::default()));
        }
        self.without(&lacking, || self.nothing_complete())
    }

    /// The objects that have a decision, and how many were left out. Domains keep only the values that remain if any
    /// were.
    ///
    /// # Errors
    /// When no object has one.
    ///
    /// ```
    /// use roughboard::table::{DecisionTable, Roles};
    /// let table = DecisionTable::from_csv("a,d\n1,yes\n2,\n?,no\n", &Roles::decided_by("d")).unwrap();
    /// let (decided, dropped) = table.decided().unwrap();
    /// assert_eq!((decided.n_objects(), decided.n_decisions(), dropped.rows), (2, 2, 1));
    /// ```
    pub fn decided(self) -> Result<(Self, LeftOut), TableError> {
        let lacking = self.decision().missing();
        if !lacking.contains(&true) {
            return Ok((self, LeftOut::default()));
        }
        let (decision, n_objects) = (self.decision().name(), self.n_rows());
        self.without(&lacking, || TableError::NothingDecided { decision: decision.to_owned(), n_objects })
    }

    /// The objects that are not `lacking`, and what the others amount to; the error `nothing` if there are none.
    fn without(&self, lacking: &[bool], nothing: impl FnOnce() -> TableError) -> Result<(Self, LeftOut), TableError> {
        let (left_out, rows): (Vec<u32>, Vec<u32>) =
            (0..self.n_objects() as u32).partition(|&row| lacking[row as usize]);
        if rows.is_empty() {
            return Err(nothing());
        }
        let weight = self.weight_of(&left_out);
        let kept = self.only(&rows)?;
        let left_out = LeftOut { rows: self.n_rows() - kept.n_rows(), weight };
        Ok((kept, left_out))
    }

    /// The objects `rows`, in their order, with domains of the values that occur.
    pub(super) fn only(&self, rows: &[u32]) -> Result<Self, TableError> {
        let kept = |attribute: &Attribute| attribute.select(rows).mapped(Value::clone);
        let weights = match self.weights() {
            Weights::Unit => Weights::Unit,
            Weights::Counts(counts) => Weights::Counts(rows.iter().map(|&row| counts[row as usize]).collect()),
        };
        let origin = self.origin.select(rows);
        let conditions = self.attributes().iter().map(kept).collect();
        Ok(Self { origin, ..Self::new(conditions, kept(self.decision()), weights)? })
    }

    fn nothing_complete(&self) -> TableError {
        let counted = self.columns().map(|column| (self.n_missing(column), column.name()));
        // The first of those that lack most.
        let (found, name) = counted.reduce(|a, b| if b.0 > a.0 { b } else { a }).unwrap_or((0, ""));
        TableError::NothingComplete { column: name.to_owned(), found, n_objects: self.n_rows() }
    }

    /// The condition attributes and the decision.
    fn columns(&self) -> impl Iterator<Item = &Attribute> {
        self.attributes().iter().chain([self.decision()])
    }

    /// The first condition attribute of which no object has a value.
    pub fn without_values(&self) -> Option<&Attribute> {
        self.attributes().iter().find(|attribute| attribute.n_missing() == attribute.len())
    }

    /// The decision value that all objects share, if they do.
    pub fn constant_decision(&self) -> Option<&Value> {
        let used = self.decision().codes().used(self.n_decisions());
        let mut found = self.decision().domain().iter().zip(used).filter(|(_, used)| *used);
        match (found.next(), found.next()) {
            (Some((value, _)), None) => Some(value),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Codes, Roles};

    fn column(name: &str, values: &[Option<i64>]) -> Attribute {
        let value = |v: &Option<i64>| v.map_or(Value::Missing, Value::Integer);
        Attribute::from_values(name, &values.iter().map(value).collect::<Vec<_>>())
    }

    #[test]
    fn complete_objects_keep_their_weights_and_the_values_that_remain() {
        let a = column("a", &[Some(1), None, Some(3), Some(4)]);
        let d = column("d", &[Some(0), Some(7), None, Some(0)]);
        let table = DecisionTable::new(vec![a], d, Weights::Counts(vec![2, 3, 5, 7])).unwrap();
        let (complete, dropped) = table.complete().unwrap();
        assert_eq!(dropped, LeftOut { rows: 2, weight: 8 });
        assert_eq!(complete.weights(), &Weights::Counts(vec![2, 7]));
        assert_eq!(complete.attributes()[0].domain(), [Value::Integer(1), Value::Integer(4)]);
        assert_eq!(complete.constant_decision(), Some(&Value::Integer(0)));
        assert_eq!(complete.complete().unwrap(), (complete.clone(), LeftOut::default()));
    }

    #[test]
    fn a_row_is_left_out_where_none_of_its_objects_is_kept() {
        let counts = "a,d=0,d=?\n1,2,1\n2,1,0\n3,0,3\n";
        let (decided, dropped) = DecisionTable::from_csv(counts, &Roles::decided_by("d")).unwrap().decided().unwrap();
        assert_eq!((decided.n_rows(), decided.total_weight()), (2, 3));
        assert_eq!(dropped, LeftOut { rows: 1, weight: 4 });
    }

    #[test]
    fn a_table_without_complete_objects_names_the_column_that_lacks_most() {
        let columns = vec![column("a", &[Some(1), None, None]), column("b", &[None, Some(1), Some(1)])];
        let table = DecisionTable::new(columns, column("d", &[Some(0), Some(1), None]), Weights::Unit).unwrap();
        let error = table.complete().unwrap_err().to_string();
        assert_eq!(error, "every object has a missing value; `a` has most of them, in 2 of 3 objects");
        assert!(table.without_values().is_none() && table.constant_decision().is_none());
    }

    #[test]
    fn only_values_that_occur_make_a_decision_vary() {
        let domain = vec![Value::Integer(0), Value::Integer(1)];
        let decision = Attribute::new("d", domain, Codes::U8(vec![1, 1])).unwrap();
        let table = DecisionTable::new(vec![column("a", &[None, None])], decision, Weights::Unit).unwrap();
        assert_eq!(table.constant_decision(), Some(&Value::Integer(1)));
        assert_eq!(table.without_values().unwrap().name(), "a");
    }
}
