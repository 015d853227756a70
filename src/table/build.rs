//! Ways to make a decision table in code.

use rustc_hash::FxHashSet;

use super::origin::Origin;
use super::{Attribute, Codes, DecisionTable, TableError, Value, Weights};

impl DecisionTable {
    /// A table from finished columns.
    ///
    /// # Errors
    /// When there are no rows or no conditions, all weights are 0, columns differ in length, or two have one name.
    pub fn new(conditions: Vec<Attribute>, decision: Attribute, weights: Weights) -> Result<Self, TableError> {
        if decision.is_empty() {
            return Err(TableError::NoRows);
        }
        if conditions.is_empty() {
            return Err(TableError::NoConditions(vec![decision.name().to_owned()]));
        }
        check_names(conditions.iter().chain([&decision]).map(Attribute::name))?;
        check_lengths(&conditions, &decision, &weights)?;
        let total_weight = match &weights {
            Weights::Unit => decision.len() as u64,
            Weights::Counts(counts) => counts.iter().map(|&c| u64::from(c)).sum(),
        };
        if total_weight == 0 {
            return Err(TableError::NoWeight(vec!["weight".to_owned()]));
        }
        Ok(Self { conditions, decision, weights, total_weight, origin: Origin::default() })
    }

    /// A table from one row per distinct description and its count per decision value:
    /// `counts[k][row]` objects have the description `row` and the decision `domain[k]`.
    ///
    /// Each row becomes one weighted object per decision with a non-zero count, in the order of rows, then decisions.
    ///
    /// # Errors
    /// As [`DecisionTable::new`]; also when the number of count columns is not that of the decision's values.
    ///
    /// ```
    /// use roughboard::table::{Attribute, Codes, DecisionTable, Value};
    /// let domain = vec![Value::Integer(-1), Value::Integer(1)];
    /// let turn = Attribute::new("turn", domain.clone(), Codes::U8(vec![0, 1])).unwrap();
    /// let table = DecisionTable::from_counts(vec![turn], ("result", domain), &[vec![3, 0], vec![1, 2]]).unwrap();
    /// assert_eq!((table.n_objects(), table.total_weight()), (3, 6));
    /// ```
    pub fn from_counts(
        conditions: Vec<Attribute>,
        decision: (&str, Vec<Value>),
        counts: &[Vec<u32>],
    ) -> Result<Self, TableError> {
        let (name, domain) = decision;
        check_counts(&conditions, (name, domain.len()), counts)?;
        let n_rows = counts.first().map_or(0, Vec::len);
        check_rows(n_rows)?;
        let (mut rows, mut codes, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..n_rows {
            for (k, column) in counts.iter().enumerate().filter(|(_, column)| column[row] > 0) {
                rows.push(row as u32);
                codes.push(k as u32);
                weights.push(column[row]);
            }
        }
        if rows.is_empty() && n_rows > 0 {
            return Err(TableError::NoWeight(domain.iter().map(|value| format!("{name}={value}")).collect()));
        }
        let one_each = rows.len() == n_rows && rows.iter().zip(0..).all(|(&row, at)| row == at);
        let conditions = if one_each { conditions } else { conditions.into_iter().map(|a| a.select(&rows)).collect() };
        let codes = Codes::narrow(codes, domain.len());
        let decision = Attribute::new(name, domain, codes)?;
        Ok(Self { origin: Origin::of(rows), ..Self::new(conditions, decision, Weights::Counts(weights))? })
    }

    /// A table of text values, for tests and examples: `names` are the condition attributes, each row has their
    /// values followed by the decision's.
    ///
    /// # Errors
    /// As [`DecisionTable::new`]; also when a row has the wrong number of cells.
    ///
    /// ```
    /// use roughboard::table::DecisionTable;
    /// let rows = [["sunny", "hot", "no"], ["rainy", "mild", "yes"]];
    /// let table = DecisionTable::from_rows(&["outlook", "temperature"], "play", &rows).unwrap();
    /// assert_eq!(table.n_decisions(), 2);
    /// ```
    pub fn from_rows<N, R, S>(names: &[N], decision: &str, rows: &[R]) -> Result<Self, TableError>
    where
        N: AsRef<str>,
        R: AsRef<[S]>,
        S: AsRef<str>,
    {
        let expected = names.len() + 1;
        if let Some((at, row)) = rows.iter().enumerate().find(|(_, row)| row.as_ref().len() != expected) {
            return Err(TableError::RowLength { row: at + 1, expected, found: row.as_ref().len() });
        }
        let column = |name: &str, at: usize| {
            let values: Vec<Value> = rows.iter().map(|row| Value::text(row.as_ref()[at].as_ref())).collect();
            Attribute::from_values(name, &values)
        };
        let conditions = names.iter().enumerate().map(|(at, name)| column(name.as_ref(), at)).collect();
        Self::new(conditions, column(decision, names.len()), Weights::Unit)
    }
}

/// Refuses a name that two columns share.
pub(crate) fn check_names<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), TableError> {
    first_twice(names).map_or(Ok(()), |name| Err(TableError::DuplicateColumn(name.to_owned())))
}

/// As [`check_names`], of the header of a file, in which several columns may lack a name.
pub(crate) fn check_header(names: &[String]) -> Result<(), TableError> {
    check_names(names.iter().map(String::as_str).filter(|name| !name.is_empty()))
}

/// Refuses names of columns in a `role` that are none of those that exist.
pub fn check_existing(role: &'static str, names: &[String], existing: &[String]) -> Result<(), TableError> {
    match names.iter().find(|name| !existing.contains(name)) {
        None => Ok(()),
        Some(column) => Err(TableError::MissingColumn { role, column: column.clone(), existing: existing.to_vec() }),
    }
}

/// The first name that was there before.
pub(crate) fn first_twice<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut seen = FxHashSet::default();
    names.find(|name| !seen.insert(*name))
}

/// Refuses more rows than 32 bits number; the last number is kept free to mean none.
pub fn check_rows(n_rows: usize) -> Result<(), TableError> {
    if n_rows < u32::MAX as usize { Ok(()) } else { Err(TableError::TooManyRows(n_rows)) }
}

fn check_lengths(conditions: &[Attribute], decision: &Attribute, weights: &Weights) -> Result<(), TableError> {
    let expected = decision.len();
    check_rows(expected)?;
    if let Weights::Counts(counts) = weights {
        check_length("weight", expected, counts.len())?;
    }
    conditions.iter().try_for_each(|a| check_length(a.name(), expected, a.len()))
}

/// Refuses columns of other lengths than the first, and another number of count columns than `n_values`.
pub fn check_counts(conditions: &[Attribute], decision: (&str, usize), counts: &[Vec<u32>]) -> Result<(), TableError> {
    let (name, n_values) = decision;
    check_length(&format!("{name}=…"), n_values, counts.len())?;
    let expected = conditions.first().map_or(0, Attribute::len);
    conditions.iter().try_for_each(|a| check_length(a.name(), expected, a.len()))?;
    counts.iter().try_for_each(|column| check_length(&format!("{name}=…"), expected, column.len()))
}

pub(crate) fn check_length(column: &str, expected: usize, found: usize) -> Result<(), TableError> {
    if expected == found { Ok(()) } else { Err(TableError::Length { column: column.to_owned(), expected, found }) }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn column(name: &str, values: &[i64]) -> Attribute {
        Attribute::from_integers(name, values.iter().copied())
    }

    #[test]
    fn bad_tables_are_refused() {
        let unit = || Weights::Unit;
        let no_rows = DecisionTable::new(vec![column("a", &[])], column("d", &[]), unit());
        assert!(matches!(no_rows, Err(TableError::NoRows)));
        let no_conditions = DecisionTable::new(vec![], column("d", &[1]), unit());
        assert!(matches!(no_conditions, Err(TableError::NoConditions(_))));
        let twice = DecisionTable::new(vec![column("d", &[1])], column("d", &[1]), unit());
        assert!(matches!(twice, Err(TableError::DuplicateColumn(_))));
        let short = DecisionTable::new(vec![column("a", &[1, 2])], column("d", &[1]), unit());
        assert!(matches!(short, Err(TableError::Length { expected: 1, found: 2, .. })));
        let weightless = DecisionTable::new(vec![column("a", &[1])], column("d", &[1]), Weights::Counts(vec![0]));
        assert!(matches!(weightless, Err(TableError::NoWeight(_))));
        let ragged = DecisionTable::from_rows(&["a"], "d", &[vec!["1"]]);
        assert!(matches!(ragged, Err(TableError::RowLength { row: 1, expected: 2, found: 1 })));
        let rows = [vec!["1", "x"], vec!["2", "y", "?"]];
        let long = DecisionTable::from_rows(&["a"], "d", &rows);
        assert!(matches!(long, Err(TableError::RowLength { row: 2, expected: 2, found: 3 })));
        let even = DecisionTable::from_rows(&["a"], "d", &rows[..1]).unwrap();
        assert_eq!((even.attributes()[0].value(0), even.decision().value(0)), (&Value::text("1"), &Value::text("x")));
    }

    #[test]
    fn equal_rows_merge_and_add_their_weights() {
        let rows = [["x", "1"], ["y", "0"], ["x", "1"], ["x", "0"]];
        let merged = DecisionTable::from_rows(&["a"], "d", &rows).unwrap().merged().unwrap();
        assert_eq!(merged.weights(), &Weights::Counts(vec![2, 1, 1]));
        assert_eq!(merged.total_weight(), 4);
        assert_eq!(merged.decision_weights(), vec![2, 2]);
        assert_eq!(merged.merged().unwrap(), merged);
    }

    #[test]
    fn weights_that_add_up_to_too_much_are_told_with_the_first_of_their_rows() {
        let heavy = 4_000_000_000;
        let (a, d) = (column("a", &[1, 1, 2, 2]), column("d", &[0, 0, 1, 1]));
        let table = DecisionTable::new(vec![a], d, Weights::Counts(vec![1, 1, heavy, heavy])).unwrap();
        let error = table.merged().unwrap_err().to_string();
        assert_eq!(error, "column `weight`, row 3: expected a count from 0 to 4294967295, found `8000000000`");
        let folder = tempfile::tempdir().unwrap();
        let error = table.write(&folder.path().join("counts.csv"), crate::table::Layout::Merged).unwrap_err();
        let reason = std::error::Error::source(&error).unwrap().to_string();
        assert_eq!(reason, "column `d=1`, row 3: expected a count from 0 to 4294967295, found `8000000000`");
    }

    #[test]
    fn count_columns_must_match_the_decision() {
        let domain = vec![Value::Integer(0), Value::Integer(1)];
        let one = DecisionTable::from_counts(vec![column("a", &[1])], ("d", domain.clone()), &[vec![1]]);
        assert!(matches!(one, Err(TableError::Length { expected: 2, found: 1, .. })));
        let empty = DecisionTable::from_counts(vec![column("a", &[1])], ("d", domain), &[vec![0], vec![0]]);
        assert!(matches!(empty, Err(TableError::NoWeight(columns)) if columns == ["d=0", "d=1"]));
    }

    #[test]
    fn objects_with_other_weights_keep_their_rows_and_domains() {
        let conditions = || vec![column("a", &[7, 8, 9])];
        let table = DecisionTable::new(conditions(), column("d", &[0, 1, 1]), Weights::Unit).unwrap();
        assert!(!table.is_renumbered() && !table.is_merged() && table.observed_rows().is_none());
        let once = table.reweighted(&[1, 0, 1]).unwrap();
        assert_eq!((once.weights(), once.total_weight(), once.n_objects()), (&Weights::Unit, 2, 2));
        assert_eq!((once.is_renumbered(), [0, 1].map(|object| once.row_of(object))), (true, [0, 2]));
        assert_eq!([0, 1, 2].map(|row| once.object_of_row(row)), [Some(0), None, Some(1)]);
        assert_eq!((once.attributes()[0].n_values(), once.decision_weights()), (3, vec![1, 1]));
        let last = table.reweighted(&[0, 0, 2]).unwrap();
        assert_eq!((last.weights(), last.decision_weights()), (&Weights::Counts(vec![2]), vec![0, 2]));
        assert!(matches!(table.reweighted(&[0; 3]), Err(TableError::NoWeight(_))));
        assert!(matches!(table.reweighted(&[1; 4]), Err(TableError::Length { expected: 3, found: 4, .. })));
        let idle = DecisionTable::new(conditions(), column("d", &[0, 1, 1]), Weights::Counts(vec![0, 2, 1])).unwrap();
        assert_eq!((idle.observed_rows(), crate::table::observed(&idle).unwrap().n_objects()), (Some(vec![1, 2]), 2));
    }

    #[test]
    fn rows_that_were_merged_as_they_were_read_are_counted() {
        let table = DecisionTable::new(vec![column("a", &[7, 8, 9])], column("d", &[0, 1, 1]), Weights::Unit).unwrap();
        assert_eq!((table.n_rows(), table.n_rows_of(&[0, 2])), (3, 2));
        let merged = DecisionTable { origin: Origin::merged(vec![0, 1, 4], vec![1, 3, 1]), ..table };
        assert!(merged.is_merged() && merged.is_renumbered());
        assert_eq!((merged.n_rows(), merged.n_rows_of(&[1]), merged.row_of(2)), (5, 3, 4));
    }
}
