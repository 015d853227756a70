//! Information tables (U, A): columns before one of them is made the decision.

use rayon::prelude::*;

use super::attribute::counted_value;
use super::build::{check_length, check_names, check_rows, first_twice};
use super::cell::{Kind, means};
use super::group::Groups;
use super::origin::Origin;
use super::parts::Line;
use super::reading::{DecimalMark, ReadOptions, Wanted, shown};
use super::{Attribute, Codes, DecisionTable, Remark, TableError, Value, Weights, names_of};

/// Columns of one length with different names, none of which is the decision yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InformationTable {
    columns: Vec<Attribute>,
    n_rows: usize,
    remarks: Vec<Remark>,
    /// The names of all columns of the file.
    existing: Vec<String>,
    /// Which rows of the file the rows are.
    origin: Origin,
}

/// Which columns of an information table play which part in the decision table made from it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Roles {
    /// The decision column `d`, or the `d` of count columns `d=VALUE`. Several together make one decision whose
    /// values are their combinations that occur; none makes an information system.
    pub decision: Vec<String>,
    /// The column that says how many observations a row stands for, if there is one.
    pub weight: Option<String>,
}

impl Roles {
    /// `decision` decides; all other columns are conditions.
    pub fn decided_by(decision: &str) -> Self {
        Self { decision: vec![decision.to_owned()], weight: None }
    }

    /// Refuses a column that has two of these roles.
    fn check(&self) -> Result<(), TableError> {
        let names = self.decision.iter().chain(&self.weight).map(String::as_str);
        first_twice(names).map_or(Ok(()), |twice| Err(TableError::TwoRoles(twice.to_owned())))
    }
}

impl InformationTable {
    /// A table from its columns.
    ///
    /// # Errors
    /// When columns differ in length or two have one name, or there are more than 2³² - 2 rows.
    pub fn new(columns: Vec<Attribute>) -> Result<Self, TableError> {
        check_names(columns.iter().map(Attribute::name))?;
        let n_rows = columns.first().map_or(0, Attribute::len);
        check_rows(n_rows)?;
        columns.iter().try_for_each(|column| check_length(column.name(), n_rows, column.len()))?;
        Ok(Self { existing: names_of(&columns), columns, n_rows, remarks: Vec::new(), origin: Origin::default() })
    }

    /// The columns.
    pub fn columns(&self) -> &[Attribute] {
        &self.columns
    }

    /// The number of rows: of different ones, where equal rows were merged as they were read.
    pub const fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The number of rows of the file.
    pub fn n_rows_read(&self) -> usize {
        self.origin.n_rows_of(0..self.n_rows as u32)
    }

    /// How many rows of the file have no value in `column`, which is one of this table.
    pub fn n_missing(&self, column: &Attribute) -> usize {
        self.origin.n_rows_of(column.rows_missing())
    }

    /// What a reader should know of how the columns were read, in their order.
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }

    /// The names of all columns of the file, also of those that were not read.
    pub fn existing(&self) -> &[String] {
        &self.existing
    }

    pub(super) fn with_remarks(self, remarks: Vec<Remark>) -> Self {
        Self { remarks, ..self }
    }

    /// This table, whose rows are these ones of the file.
    pub(super) fn with_origin(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// This table as read from a file that has columns of these names.
    pub(super) fn with_existing(self, existing: Vec<String>) -> Self {
        Self { existing, ..self }
    }

    /// The table in which values are missing that are spelled like a text that `reading` lists, or are that number; a
    /// text that is met nowhere is remarked upon.
    ///
    /// ```
    /// use roughboard::table::{Attribute, InformationTable, ReadOptions, Value};
    /// let age = Attribute::from_integers("age", [31, -1, 28]);
    /// let reading = ReadOptions { missing: vec!["-1".to_owned()], ..ReadOptions::default() };
    /// let table = InformationTable::new(vec![age]).unwrap().with_missing(&reading);
    /// assert_eq!(table.columns()[0].value(1), &Value::Missing);
    /// ```
    #[must_use]
    pub fn with_missing(mut self, reading: &ReadOptions) -> Self {
        let is_meant = |text: &str, value: &Value| match value {
            Value::Missing => false,
            Value::Text(cell) => means(text, cell, Wanted::Text, DecimalMark::Point),
            value => means(text, &value.to_string(), Wanted::Any, DecimalMark::Point),
        };
        let is_met = |text: &str| self.columns.iter().flat_map(Attribute::domain).any(|value| is_meant(text, value));
        let met: Vec<&String> = reading.missing.iter().filter(|text| is_met(text)).collect();
        // Texts that were to be numbers lack their missing values already.
        if reading.number.is_empty() {
            // A number is met by all of its spellings, of which a reader of decimals keeps the first that is listed.
            let is_met = |text: &str| met.iter().any(|other| means(text, other, Wanted::Any, DecimalMark::Point));
            let never = reading.missing.iter().filter(|text| !is_met(text));
            self.remarks.extend(never.map(|text| Remark::NeverMissing(shown(text))));
        }
        let is_missing = |value: &Value| met.iter().any(|text| is_meant(text, value));
        let replaced = |value: &Value| if is_missing(value) { Value::Missing } else { value.clone() };
        let is_concerned = |column: &Attribute| column.domain().iter().any(is_missing);
        for column in self.columns.iter_mut().filter(|column| is_concerned(column)) {
            *column = column.mapped(replaced);
        }
        self
    }

    /// Makes the columns that `roles` names decision and weight, and all others conditions. Without a decision this is an information
    /// system: all objects are of one decision, which has the name of no column.
    ///
    /// # Errors
    /// When a named column does not exist or is named twice, a weight is not a count, all weights are 0, or no rows or no
    /// conditions are left.
    pub fn decide(mut self, roles: &Roles) -> Result<DecisionTable, TableError> {
        let existing = self.existing.clone();
        roles.check()?;
        if self.n_rows == 0 {
            return Err(TableError::NoRows);
        }
        let read = names_of(&self.columns);
        let weight = roles.weight.as_ref().map(|name| self.take("weight column", name, &existing)).transpose()?;
        let origin = std::mem::take(&mut self.origin);
        let weights = weight.as_ref().map(weights).transpose().map_err(|error| error.in_row_of(&origin))?;
        let weights = times_rows(weights, &origin, weight.as_ref().map_or("weight", Attribute::name))
            .map_err(|error| error.in_row_of(&origin))?;
        let table = match roles.decision.as_slice() {
            [] => self.undecided(weights, &read)?,
            [name] if self.position(name).is_none() && self.has_counts(name) => {
                self.decide_by_counts(name, weights).map_err(|error| error.in_row_of(&origin))?
            }
            names => {
                let parts =
                    names.iter().map(|n| self.take("decision column", n, &existing)).collect::<Result<Vec<_>, _>>()?;
                check_conditions(&self.columns, &read)?;
                let weights = weights.map_or(Weights::Unit, Weights::Counts);
                DecisionTable::new(self.columns, combine(parts), weights)?
            }
        };
        table.in_rows_of(&origin).without_weightless()
    }

    /// Whether the columns `names`, or the counts of the one name, can be the decision.
    pub fn has_decision(&self, names: &[String]) -> bool {
        let is_counted = || matches!(names, [name] if self.has_counts(name));
        names.iter().all(|name| self.position(name).is_some()) || is_counted()
    }

    /// This table with one more column, which is none of the file.
    ///
    /// # Errors
    /// When it is not as long as the others, or has the name of one of them.
    pub fn with_column(self, column: Attribute) -> Result<Self, TableError> {
        let columns = self.columns.into_iter().chain([column]).collect();
        let table = Self::new(columns)?.with_remarks(self.remarks);
        Ok(table.with_existing(self.existing).with_origin(self.origin))
    }

    /// The table for a question that asks nothing of decisions: all objects are of one decision, whose name is that of no column.
    fn undecided(self, weights: Option<Vec<u32>>, read: &[String]) -> Result<DecisionTable, TableError> {
        check_conditions(&self.columns, read)?;
        let weights = weights.map_or(Weights::Unit, Weights::Counts);
        let longest = self.columns.iter().map(Attribute::name).max_by_key(|name| name.len()).unwrap_or_default();
        let decision = Attribute::from_values(format!("{longest}_"), &vec![Value::Integer(0); self.n_rows]);
        DecisionTable::new(self.columns, decision, weights)
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.name() == name)
    }

    fn has_counts(&self, decision: &str) -> bool {
        self.columns.iter().any(|c| counted_value(c.name(), decision).is_some())
    }

    fn take(&mut self, role: &'static str, name: &str, existing: &[String]) -> Result<Attribute, TableError> {
        match self.position(name) {
            Some(at) => Ok(self.columns.remove(at)),
            None => Err(TableError::MissingColumn { role, column: name.to_owned(), existing: existing.to_vec() }),
        }
    }

    /// Reads count columns `name=VALUE`. A weight multiplies the counts of its row. Rows without a count are left out, and so are
    /// values that only they have.
    fn decide_by_counts(self, name: &str, weights: Option<Vec<u32>>) -> Result<DecisionTable, TableError> {
        let (existing, n_rows) = (names_of(&self.columns), self.n_rows);
        let (counted, conditions): (Vec<_>, Vec<_>) =
            self.columns.into_iter().partition(|c| counted_value(c.name(), name).is_some());
        check_conditions(&conditions, &existing)?;
        let names: Vec<&str> = counted.iter().filter_map(|c| counted_value(c.name(), name)).collect();
        let mut counted: Vec<(Value, Attribute)> = values_of_names(&names).into_iter().zip(counted).collect();
        counted.sort_by(|a, b| a.0.cmp(&b.0));
        let mut columns = counted.par_iter().map(|(_, c)| counts(c)).collect::<Result<Vec<_>, _>>()?;
        if let Some(weights) = weights {
            let mut named = counted.iter().zip(&mut columns);
            named.try_for_each(|((_, column), counts)| compute(counts, TIMES, &weights, column.name()))?;
        }
        let mut by_value: Vec<(Value, Vec<u32>)> = Vec::new();
        for ((value, column), own) in counted.into_iter().zip(columns) {
            match by_value.last_mut().filter(|(last, _)| *last == value) {
                // Names may spell a value in several ways, as cells may.
                Some((_, sums)) => compute(sums, PLUS, &own, column.name())?,
                None => by_value.push((value, own)),
            }
        }
        let (domain, columns): (Vec<Value>, Vec<Vec<u32>>) = by_value.into_iter().unzip();
        let table = DecisionTable::from_counts(conditions, (name, domain), &columns)?;
        Ok(if table.n_rows() < n_rows { table.with_occurring_values() } else { table })
    }
}

impl DecisionTable {
    /// This table, whose rows are objects of `origin`.
    fn in_rows_of(self, origin: &Origin) -> Self {
        if origin.counts().is_none() {
            return self;
        }
        Self { origin: self.origin.within(origin, self.n_objects()), ..self }
    }

    /// The table whose conditions have only values that occur.
    fn with_occurring_values(self) -> Self {
        Self { conditions: self.conditions.iter().map(|one| one.mapped(Value::clone)).collect(), ..self }
    }

    /// The table without objects of weight 0, and without values that only they have.
    fn without_weightless(self) -> Result<Self, TableError> {
        match self.observed_rows() {
            None => Ok(self),
            Some(rows) => self.only(&rows),
        }
    }
}

/// The values that `names` spell, all of one kind, as the cells of a column are.
pub(crate) fn values_of_names(names: &[&str]) -> Vec<Value> {
    let is_missing = |name: &str| Value::parse(name) == Value::Missing;
    let known: Vec<&str> = names.iter().copied().filter(|name| !is_missing(name)).collect();
    let kind = Kind::of(&known, Wanted::Any, DecimalMark::Point).unwrap_or(Kind::Text);
    let value =
        |name: &&str| kind.value(name, DecimalMark::Point).filter(|_| !is_missing(name)).unwrap_or(Value::Missing);
    names.iter().map(value).collect()
}

fn check_conditions(conditions: &[Attribute], existing: &[String]) -> Result<(), TableError> {
    if conditions.is_empty() { Err(TableError::NoConditions(existing.to_vec())) } else { Ok(()) }
}

/// The values of a column as counts; whole reals count too, and what texts spell, a missing value does not.
fn counts(column: &Attribute) -> Result<Vec<u32>, TableError> {
    let count = |value: &Value| match value {
        Value::Integer(number) => u32::try_from(*number).ok(),
        Value::Real(number) if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(number) => {
            Some(*number as u32)
        }
        _ => None,
    };
    // One cell may make a column text in which others spell counts: it is the one to be told.
    let spelled = |value: &Value| count(value).or_else(|| count(&Value::parse(&value.to_string())));
    let by_code: Vec<Option<u32>> = column.domain().iter().map(spelled).collect();
    let of_row = |row: usize| {
        by_code[column.code(row) as usize].ok_or_else(|| TableError::not_a_count(column.name(), row, column.value(row)))
    };
    (0..column.len()).map(of_row).collect()
}

/// The values of a column of weights, not all 0.
fn weights(column: &Attribute) -> Result<Vec<u32>, TableError> {
    let weights = counts(column)?;
    if weights.iter().all(|&weight| weight == 0) {
        return Err(TableError::NoWeight(vec![column.name().to_owned()]));
    }
    Ok(weights)
}

/// The weights of rows of which some stand for several rows of the file; nothing if all weigh 1.
fn times_rows(weights: Option<Vec<u32>>, origin: &Origin, column: &str) -> Result<Option<Vec<u32>>, TableError> {
    let Some(n_rows) = origin.counts().filter(|n_rows| n_rows.iter().any(|&n| n > 1)) else { return Ok(weights) };
    let Some(weights) = weights else { return Ok(Some(n_rows.to_vec())) };
    let sum = |(row, (&weight, &n_rows)): (usize, (&u32, &u32))| {
        let too_large = || {
            let (column, row) = (column.to_owned(), Line::alone(row + 1));
            TableError::WeightSum { column, row, n_rows, weight }
        };
        weight.checked_mul(n_rows).ok_or_else(too_large)
    };
    weights.iter().zip(n_rows).enumerate().map(sum).collect::<Result<_, _>>().map(Some)
}

/// What is done to a count with another number, and its sign.
type Operation = (fn(u32, u32) -> Option<u32>, char);

const TIMES: Operation = (u32::checked_mul, '×');
const PLUS: Operation = (u32::checked_add, '+');

/// Computes `counts` of `column` with `others`, row by row.
fn compute(counts: &mut [u32], (operation, sign): Operation, others: &[u32], column: &str) -> Result<(), TableError> {
    for (row, (count, &other)) in counts.iter_mut().zip(others).enumerate() {
        let too_large = || TableError::not_a_count(column, row, format!("{count} {sign} {other}"));
        *count = operation(*count, other).ok_or_else(too_large)?;
    }
    Ok(())
}

/// One attribute whose values are the combinations of the parts' values that occur; missing where a part is.
fn combine(mut parts: Vec<Attribute>) -> Attribute {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let columns: Vec<&Attribute> = parts.iter().collect();
    let n_rows = parts.first().map_or(0, Attribute::len);
    let groups = Groups::of(&columns, n_rows);
    let combined = |row: u32| {
        let values: Vec<&Value> = parts.iter().map(|part| part.value(row as usize)).collect();
        let is_whole = !values.contains(&&Value::Missing);
        let text = || values.iter().map(|value| spelled(value)).collect::<Vec<_>>().join(",");
        if is_whole { Value::Text(text()) } else { Value::Missing }
    };
    let of_group: Vec<Value> = groups.first.iter().map(|&row| combined(row)).collect();
    let name = parts.iter().map(Attribute::name).collect::<Vec<_>>().join(",");
    Attribute::from_codes(&name, &of_group, Codes::U32(groups.class_of))
}

/// A part of a combination, quoted where it could pass for several parts or for another's quotes: different combinations must never look the same, because their texts are their values.
fn spelled(value: &Value) -> String {
    match value {
        Value::Text(text) if text == "?" || text.contains([',', '"']) => format!("\"{}\"", text.replace('"', "\"\"")),
        Value::Interval(interval) => format!("\"{interval}\""),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::build::tests::column;
    use crate::table::{Codes, Interval};

    #[test]
    fn count_columns_become_weighted_objects() {
        let columns = vec![column("a", &[5, 6]), column("d=1", &[2, 0]), column("d=-1", &[1, 4])];
        let table = InformationTable::new(columns).unwrap().decide(&Roles::decided_by("d")).unwrap();
        assert_eq!(table.decision().domain(), [Value::Integer(-1), Value::Integer(1)]);
        assert_eq!(table.weights(), &Weights::Counts(vec![1, 2, 4]));
        assert_eq!(table.attributes()[0].codes(), &Codes::U8(vec![0, 0, 1]));
        assert_eq!((table.n_objects(), table.n_rows(), table.n_rows_of(&[1, 2])), (3, 2, 2));
    }

    #[test]
    fn a_row_without_a_count_leaves_nothing_behind() {
        let rows = [column("a", &[0, 1, 2, 1000]), column("d=0", &[2, 0, 1, 0]), column("d=1", &[0, 1, 0, 0])];
        let table = InformationTable::new(rows.to_vec()).unwrap().decide(&Roles::decided_by("d")).unwrap();
        assert_eq!(table.attributes()[0].domain(), [0, 1, 2].map(Value::Integer));
        assert_eq!((table.n_rows(), table.total_weight(), table.row_of(2)), (3, 4, 2));
        // As where its weight says the same.
        let rows = [rows[0].clone(), column("d", &[0, 1, 0, 0]), column("w", &[2, 1, 1, 0])];
        let roles = Roles { weight: Some("w".to_owned()), ..Roles::decided_by("d") };
        let weighted = InformationTable::new(rows.to_vec()).unwrap().decide(&roles).unwrap();
        assert_eq!(weighted, table);
    }

    #[test]
    fn the_values_of_count_columns_are_of_one_kind() {
        let domain = |names: [&str; 3]| {
            let columns = [vec![column("a", &[5, 6])], names.map(|name| column(name, &[1, 1])).to_vec()].concat();
            let table = InformationTable::new(columns).unwrap().decide(&Roles::decided_by("d")).unwrap();
            table.decision().domain().to_vec()
        };
        assert_eq!(domain(["d=1", "d=3", "d=2.5"]), [1.0, 2.5, 3.0].map(Value::Real));
        assert_eq!(domain(["d=2", "d=01", "d=x"]), ["01", "2", "x"].map(Value::text));
    }

    #[test]
    fn counts_of_one_value_that_is_spelled_in_several_ways_are_added() {
        let decide = |names: [&str; 3], last: i64| {
            let counts = [column(names[0], &[1, 0]), column(names[1], &[2, 3]), column(names[2], &[4, last])];
            let columns = [vec![column("a", &[5, 6])], counts.to_vec()].concat();
            InformationTable::new(columns).unwrap().decide(&Roles::decided_by("d"))
        };
        let table = decide(["d=1", "d=2.5", "d=1.0"], 7).unwrap();
        assert_eq!(table.decision().domain(), [1.0, 2.5].map(Value::Real));
        assert_eq!(table.weights(), &Weights::Counts(vec![5, 2, 7, 3]));
        let missing = decide(["d=x", "d=NA", "d=?"], 7).unwrap();
        assert_eq!(missing.weights(), &Weights::Counts(vec![1, 6, 10]));
        let error = decide(["d=x", "d=NA", "d=?"], u32::MAX.into()).unwrap_err().to_string();
        assert_eq!(error, "column `d=?`, row 2: expected a count from 0 to 4294967295, found `3 + 4294967295`");
    }

    #[test]
    fn counts_times_weights_that_are_too_large_are_told_as_they_stand() {
        let columns =
            vec![column("a", &[5, 6]), column("d=1", &[2, 0]), column("d=0", &[1, 9]), column("w", &[1, 1 << 31])];
        let roles = Roles { weight: Some("w".to_owned()), ..Roles::decided_by("d") };
        let error = InformationTable::new(columns).unwrap().decide(&roles).unwrap_err().to_string();
        assert_eq!(error, "column `d=0`, row 2: expected a count from 0 to 4294967295, found `9 × 2147483648`");
    }

    #[test]
    fn several_decisions_combine_to_one() {
        let columns = vec![column("a", &[0, 1, 2]), column("d", &[1, 0, 1]), column("e", &[7, 7, 7])];
        let roles = Roles { decision: vec!["d".into(), "e".into()], weight: None };
        let table = InformationTable::new(columns).unwrap().decide(&roles).unwrap();
        assert_eq!(table.decision().domain(), [Value::text("0,7"), Value::text("1,7")]);
        assert_eq!(table.decision().codes().to_vec(), vec![1, 0, 1]);
    }

    #[test]
    fn combinations_that_read_alike_stay_apart() {
        let text = |name: &str, values: &[Value]| Attribute::from_values(name, values);
        let words =
            |name: &str, values: &[&str]| text(name, &values.iter().map(|v| Value::text(v)).collect::<Vec<_>>());
        let decide = |d: Attribute, e: Attribute| {
            let columns = vec![column("a", &vec![0; d.len()]), d, e];
            let roles = Roles { decision: vec!["d".into(), "e".into()], weight: None };
            InformationTable::new(columns).unwrap().decide(&roles).unwrap()
        };
        let table = decide(words("d", &["x,y", "x"]), words("e", &["z", "y,z"]));
        assert_eq!(table.decision().domain(), [Value::text("\"x,y\",z"), Value::text("x,\"y,z\"")]);
        assert_eq!(table.decision().codes().to_vec(), vec![0, 1]);
        let quoted = decide(words("d", &["\"", "\",\"", "x"]), words("e", &["\",\"", "\"", "y"]));
        assert_eq!(quoted.n_decisions(), 3);
        let missing = decide(text("d", &[Value::Missing, Value::text("?")]), words("e", &["y", "y"]));
        assert_eq!(missing.n_decisions(), 2);
        // The comma of an interval separates no parts.
        let intervals = [1.0, 2.0].map(|low| Value::Interval(Interval::new(low, low + 1.0).unwrap()));
        let cut = decide(text("d", &intervals), words("e", &["y", "y"]));
        assert_eq!(cut.decision().domain(), ["\"(1, 2]\",y", "\"(2, 3]\",y"].map(Value::text));
    }

    #[test]
    fn a_weight_must_be_a_count_and_weightless_rows_are_left_out() {
        let with = |weights: &[i64]| {
            let columns = vec![column("a", &[0, 1]), column("d", &[1, 0]), column("w", weights)];
            let roles = Roles { weight: Some("w".into()), ..Roles::decided_by("d") };
            InformationTable::new(columns).unwrap().decide(&roles)
        };
        assert!(matches!(with(&[3, -1]), Err(TableError::NotACount { row: Line { number: 2, .. }, .. })));
        let table = with(&[0, 9]).unwrap();
        assert_eq!((table.n_objects(), table.total_weight()), (1, 9));
        assert_eq!((table.n_decisions(), table.attributes()[0].n_values()), (1, 1));
        let error = with(&[0, 0]).unwrap_err().to_string();
        assert_eq!(error, "every row has a count of 0 in `w`, expected a count above 0");
    }

    #[test]
    fn all_listed_spellings_of_a_number_are_met_by_it() {
        let missing = ["-9", "-9.0", "9"].map(str::to_owned).to_vec();
        let reading = ReadOptions { missing, ..ReadOptions::default() };
        let table = InformationTable::new(vec![column("a", &[1, -9])]).unwrap().with_missing(&reading);
        assert_eq!(table.columns()[0].domain(), [Value::Integer(1), Value::Missing]);
        assert_eq!(table.remarks(), [Remark::NeverMissing("9".to_owned())]);
    }

    #[test]
    fn the_cell_that_makes_a_column_of_counts_text_is_told() {
        let with = |weights: [&str; 3]| {
            let weights = Attribute::from_values("w", &weights.map(Value::text));
            let columns = vec![column("a", &[0, 1, 2]), column("d", &[1, 0, 1]), weights];
            let roles = Roles { weight: Some("w".into()), ..Roles::decided_by("d") };
            InformationTable::new(columns).unwrap().decide(&roles)
        };
        for (weights, row, found) in [(["2", "1.0", "x"], 3, "x"), (["2", "007", "x"], 2, "007")] {
            let error = with(weights).unwrap_err().to_string();
            let expected = format!("column `w`, row {row}: expected a count from 0 to 4294967295, found `{found}`");
            assert_eq!(error, expected);
        }
        assert_eq!(with(["2", "3", "1.0"]).unwrap().weights(), &Weights::Counts(vec![2, 3, 1]));
    }

    #[test]
    fn a_column_has_one_role() {
        let decided = |decision: &[&str], weight: Option<&str>| {
            let table = InformationTable::new(["a", "d", "e"].map(|name| column(name, &[1, 2])).to_vec()).unwrap();
            let decision = decision.iter().map(|&name| name.to_owned()).collect();
            table.decide(&Roles { decision, weight: weight.map(str::to_owned) })
        };
        for (decision, weight) in [(&["d", "d"][..], None), (&["d", "e", "d"], None), (&["d"], Some("d"))] {
            let error = decided(decision, weight).unwrap_err().to_string();
            assert_eq!(error, "column `d` is given two roles, expected it once among decision and weight");
        }
        assert!(decided(&["d"], Some("e")).is_ok());
    }

    #[test]
    fn a_missing_decision_names_the_columns() {
        let table = InformationTable::new(vec![column("a", &[0]), column("b", &[1])]).unwrap();
        let error = table.decide(&Roles::decided_by("result")).unwrap_err();
        assert_eq!(error.to_string(), "no decision column `result`; its columns are `a`, `b`");
    }

    #[test]
    fn errors_name_the_columns_of_the_file_also_where_one_is_added() {
        let read = InformationTable::new(vec![column("a", &[0])]).unwrap();
        let read = read.with_existing(["a", "unread"].map(str::to_owned).to_vec());
        let roles = Roles { weight: Some("w".into()), ..Roles::decided_by("d") };
        let error = read.with_column(column("d", &[1])).unwrap().decide(&roles).unwrap_err();
        assert_eq!(error.to_string(), "no weight column `w`; its columns are `a`, `unread`");
    }
}
