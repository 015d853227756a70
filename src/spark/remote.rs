//! A table that an engine has looked at: which columns are what, how many objects there are, what they decide.

use super::answer::Answer;
use super::engine::Engine;
use super::error::EngineError;
use super::sql::{Column, ColumnKind, DecisionColumns, Shape, file_view};
use crate::table::{
    AttrSet, Attribute, Codes, DecisionTable, InformationTable, LeftOut, Roles, TableError, Value, Weights,
    check_existing, counted_value, values_of_names,
};
use spark_connect_proto::data_type::{Decimal, Kind};

/// The digits of decimal numbers that are all different as reals of 64 bits.
const REAL_DIGITS: i32 = 15;
/// The digits of numbers that are all whole numbers of 64 bits.
const WHOLE_DIGITS: i32 = 18;
/// Decisions that are counted in each class, at most.
const MAX_DECISIONS: usize = 100;

/// A file or folder of files that an engine can read.
pub struct RemoteFile<'e> {
    engine: &'e Engine<'e>,
    path: String,
    columns: Vec<(String, Option<Kind>)>,
}

/// Which columns of a file count, and as what.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RemoteView {
    /// The decision, or the `d` of columns of counts `d=VALUE`, and the weight.
    pub roles: Roles,
    /// The conditions; all other columns if there are none.
    pub attributes: Vec<String>,
    /// Columns that are no conditions.
    pub ignored: Vec<String>,
    /// Whether objects that lack a value of a condition are left out.
    pub drops_missing: bool,
}

impl<'e> RemoteFile<'e> {
    /// Looks at the columns of `path`: a Parquet file, or a folder of them.
    ///
    /// # Errors
    /// When the path is neither absolute nor that of a store, or the engine cannot read it.
    pub fn open(engine: &'e Engine<'e>, path: &str) -> Result<Self, EngineError> {
        let is_store = path.split_once("://").is_some_and(|(store, rest)| !store.is_empty() && !rest.is_empty());
        if !is_store && !path.starts_with('/') {
            return Err(EngineError::Path(path.to_owned()));
        }
        let unreadable = |error| match error {
            EngineError::Failed { address, reason, .. } => {
                EngineError::Table { address, path: path.to_owned(), reason }
            }
            other => other,
        };
        engine.command("the table", file_view(path)).map_err(unreadable)?;
        let columns = engine.columns("the columns", "SELECT * FROM rb_file".to_owned()).map_err(unreadable)?;
        if columns.is_empty() {
            // So does Sail read what is not there.
            let (address, reason) = (engine.address().to_owned(), "there is no Parquet file".to_owned());
            return Err(EngineError::Table { address, path: path.to_owned(), reason });
        }
        Ok(Self { engine, path: path.to_owned(), columns })
    }

    /// The names of the columns.
    pub fn names(&self) -> Vec<String> {
        self.columns.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The table with the columns of `view`.
    ///
    /// # Errors
    /// When a column is not there or of a type that is not compared, counts are none, or nothing is left; when the engine fails.
    pub fn decide(self, view: &RemoteView) -> Result<RemoteTable<'e>, EngineError> {
        let (shape, by_code) = self.shape(view)?;
        let engine = self.engine;
        engine.command("the rows", shape.rows_view())?;
        let account = engine.ask_and_tell("the rows", shape.account())?.of_rows(1)?;
        let (n_rows, fingerprint) = (account.number("n_rows")?, account.number("fingerprint")?);
        if n_rows == 0 {
            return Err(TableError::NoRows.into());
        }
        shape.check_counts(&account)?;
        let mut by_code = by_code;
        if let Some(decisions) = shape.decisions_view() {
            engine.command("the decisions", decisions)?;
            by_code = self.decisions(&shape)?;
        }
        engine.command("the objects", shape.kept_view())?;
        let kept = engine.ask_and_tell("the objects", shape.kept())?.of_rows(1)?;
        let (n_objects, weight) = (kept.number("n_objects")?, kept.number("weight")?);
        if n_objects == 0 {
            return Err(EngineError::NothingKept { path: self.path, n_rows });
        }
        let n_attributes = shape.attributes.len();
        let present = (0..n_attributes).map(|at| kept.number(&format!("a{at}"))).collect::<Result<_, _>>()?;
        let n_kept_rows = account.number("n_kept")?;
        let left_out = LeftOut {
            rows: account.number("n_weighted")?.saturating_sub(n_kept_rows) as usize,
            weight: account.number("weight")?.saturating_sub(weight),
        };
        let decision = view.roles.decision.join(",");
        Ok(RemoteTable {
            engine,
            path: self.path,
            shape,
            decision,
            by_code,
            n_rows,
            fingerprint,
            n_kept_rows,
            n_objects,
            weight,
            present,
            left_out,
        })
    }

    /// The columns in use, and the decisions if columns of counts name them.
    fn shape(&self, view: &RemoteView) -> Result<(Shape, Vec<Value>), EngineError> {
        let existing = self.names();
        let Roles { decision, weight } = &view.roles;
        check_existing("weight column", weight.as_slice(), &existing)?;
        check_existing("attribute column", &view.attributes, &existing)?;
        check_existing("attribute column", &view.ignored, &existing)?;
        let (mut counted, mut used): (Vec<(Value, String)>, Vec<String>) = (Vec::new(), Vec::new());
        if let [name] = &decision[..]
            && !existing.contains(name)
        {
            let is_counted = |column: &&String| !view.ignored.contains(column) && counted_value(column, name).is_some();
            let columns: Vec<&String> = existing.iter().filter(is_counted).collect();
            let names: Vec<&str> = columns.iter().filter_map(|column| counted_value(column, name)).collect();
            counted = values_of_names(&names).into_iter().zip(columns.into_iter().cloned()).collect();
            counted.sort_by(|a, b| a.0.cmp(&b.0));
            if let Some([_, twice]) = counted.array_windows().find(|[one, other]| one.0 == other.0) {
                return Err(TableError::DuplicateColumn(twice.1.clone()).into());
            }
        }
        if counted.is_empty() {
            check_existing("decision column", decision, &existing)?;
            used.extend(decision.iter().cloned());
        }
        used.extend(weight.iter().cloned().chain(counted.iter().map(|(_, column)| column.clone())));
        let is_condition = |name: &String| {
            let is_chosen = view.attributes.is_empty() || view.attributes.contains(name);
            is_chosen && !used.contains(name) && !view.ignored.contains(name)
        };
        let conditions: Vec<String> = existing.iter().filter(|name| is_condition(name)).cloned().collect();
        if conditions.is_empty() {
            return Err(TableError::NoConditions(existing).into());
        }
        self.check_numbers(weight.iter().chain(counted.iter().map(|(_, column)| column)))?;
        // What lacks a decision is no object.
        counted.retain(|(value, _)| *value != Value::Missing);
        let attributes = self.typed(&conditions)?;
        let columns = if counted.is_empty() && !decision.is_empty() {
            DecisionColumns::Values(self.typed(decision)?)
        } else if counted.is_empty() {
            DecisionColumns::Nothing
        } else {
            DecisionColumns::Counts(counted.iter().map(|(_, column)| column.clone()).collect())
        };
        let by_code = counted.into_iter().map(|(value, _)| value).collect();
        let (weight, drops_missing) = (weight.clone(), view.drops_missing);
        Ok((Shape { attributes, decision: columns, weight, drops_missing }, by_code))
    }

    /// Refuses columns of counts whose type is none of numbers: an engine would read numbers into their texts.
    fn check_numbers<'c>(&self, counts: impl Iterator<Item = &'c String>) -> Result<(), EngineError> {
        for column in counts {
            let found = self.columns.iter().find(|(name, found)| name == column && !has_numbers(found.as_ref()));
            if let Some((_, found)) = found {
                return Err(EngineError::NotNumbers { column: column.clone(), found: type_name(found.as_ref()) });
            }
        }
        Ok(())
    }

    /// Columns with the kinds of their values.
    fn typed(&self, names: &[String]) -> Result<Vec<Column>, EngineError> {
        let (mut columns, mut refused) = (Vec::new(), Vec::new());
        for (name, found) in self.columns.iter().filter(|(name, _)| names.contains(name)) {
            match kind_of(found.as_ref()) {
                Some(kind) => columns.push(Column { name: name.clone(), kind }),
                None => refused.push((name.clone(), type_name(found.as_ref()))),
            }
        }
        // Parts of a decision keep the order in which they are named.
        columns.sort_by_key(|column| names.iter().position(|name| *name == column.name));
        if refused.is_empty() { Ok(columns) } else { Err(EngineError::UnsupportedTypes(refused)) }
    }

    /// The decisions by their codes.
    fn decisions(&self, shape: &Shape) -> Result<Vec<Value>, EngineError> {
        let DecisionColumns::Values(columns) = &shape.decision else { return Ok(Vec::new()) };
        let answer = self.engine.ask_and_tell("the decisions", shape.decisions())?;
        if answer.n_rows() == 0 {
            return Ok(Vec::new());
        }
        let parts = columns.iter().zip(0..).map(|(column, at)| answer.attribute(&format!("d{at}"), &column.name));
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        let codes = answer.numbers("c")?;
        // The code is the condition of a table that puts the parts together as any other does.
        let code = Attribute::from_integers("\0", codes.iter().map(|&code| code as i64));
        let decision = columns.iter().map(|column| column.name.clone()).collect();
        let all = parts.into_iter().chain([code]).collect();
        let table = InformationTable::new(all)?.decide(&Roles { decision, weight: None })?;
        let mut by_code = vec![Value::Missing; codes.len()];
        for (row, &code) in codes.iter().enumerate() {
            let place = by_code.get_mut(code as usize);
            let outside = || answer.incomplete(format!("codes below {}", codes.len()), code.to_string());
            *place.ok_or_else(outside)? = table.decision().value(row).clone();
        }
        Ok(by_code)
    }
}

impl Shape {
    /// Refuses columns of counts that have rows without one.
    fn check_counts(&self, account: &Answer) -> Result<(), EngineError> {
        let counts: &[String] = if let DecisionColumns::Counts(names) = &self.decision { names } else { &[] };
        let counts = counts.iter().zip(0..).map(|(name, at)| (name, format!("no_d{at}")));
        for (column, lacking) in self.weight.iter().map(|name| (name, "no_w".to_owned())).chain(counts) {
            let (found, is_weighed) = (account.number(&lacking)?, self.weight.as_ref().is_some_and(|w| w != column));
            if found > 0 {
                return Err(EngineError::NotACount { column: column.clone(), is_weighed, found });
            }
        }
        Ok(())
    }
}

/// How the values of a type are compared, if they are.
fn kind_of(found: Option<&Kind>) -> Option<ColumnKind> {
    match found? {
        Kind::Boolean(_) | Kind::Byte(_) | Kind::Short(_) | Kind::Integer(_) | Kind::Long(_) => Some(ColumnKind::Plain),
        Kind::Date(_) | Kind::TimestampNtz(_) => Some(ColumnKind::Plain),
        Kind::Timestamp(_) => Some(ColumnKind::Instant),
        Kind::Decimal(decimal) if is_short(decimal) => Some(ColumnKind::Plain),
        // Others hold texts for equal that are not.
        Kind::String(text) if matches!(text.collation.as_str(), "" | "UTF8_BINARY") => Some(ColumnKind::Plain),
        Kind::Char(_) | Kind::VarChar(_) => Some(ColumnKind::Plain),
        Kind::Float(_) => Some(ColumnKind::SmallReal),
        Kind::Double(_) => Some(ColumnKind::Real),
        _ => None,
    }
}

/// Whether all decimal numbers of a type are whole numbers or reals of 64 bits in a file at hand, whatever the others in the column are:
/// what has more digits makes texts of the whole column there.
fn is_short(decimal: &Decimal) -> bool {
    let most = if decimal.scale() > 0 { REAL_DIGITS } else { WHOLE_DIGITS };
    decimal.precision.is_some_and(|precision| precision <= most)
}

/// Whether the values of a type are numbers.
const fn has_numbers(found: Option<&Kind>) -> bool {
    let is_whole = matches!(found, Some(Kind::Byte(_) | Kind::Short(_) | Kind::Integer(_) | Kind::Long(_)));
    is_whole || matches!(found, Some(Kind::Float(_) | Kind::Double(_) | Kind::Decimal(_)))
}

/// The name of a type without its parameters, in small letters; of texts that have one, their collation.
fn type_name(found: Option<&Kind>) -> String {
    let Some(found) = found else { return "unknown".to_owned() };
    if let Kind::String(text) = found
        && !text.collation.is_empty()
    {
        return format!("string collate {}", text.collation);
    }
    if let Kind::Decimal(decimal) = found {
        return format!("decimal of {} digits", decimal.precision());
    }
    let text = format!("{found:?}");
    text.split([' ', '(', '{']).next().unwrap_or_default().to_lowercase()
}

/// A decision table that an engine reads.
pub struct RemoteTable<'e> {
    pub(super) engine: &'e Engine<'e>,
    path: String,
    pub(super) shape: Shape,
    decision: String,
    by_code: Vec<Value>,
    n_rows: u64,
    fingerprint: u64,
    n_kept_rows: u64,
    n_objects: u64,
    weight: u64,
    /// How many objects have a value of each condition.
    present: Vec<u64>,
    left_out: LeftOut,
}

/// What the classes U/IND(A) of a table decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The number of classes.
    pub n_classes: u64,
    /// The number of rows that differ in a condition or the decision.
    pub n_distinct: u64,
    /// A table of one condition, in which classes of one distribution are put together: regions and approximations weigh in it what they
    /// weigh in the whole.
    pub table: DecisionTable,
}

/// What is in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteColumn {
    /// Its name.
    pub name: String,
    /// The least and the greatest value, if there are any.
    pub extremes: Option<(Value, Value)>,
    /// The number of values that are not missing.
    pub n_values: u64,
    /// The number of objects that lack a value.
    pub n_missing: u64,
}

impl RemoteTable<'_> {
    /// The file or folder.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The number of rows of the file.
    pub const fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The number of rows that are kept: one with counts of several decisions is several objects.
    pub const fn n_kept_rows(&self) -> u64 {
        self.n_kept_rows
    }

    /// The number of objects that are kept.
    pub const fn n_objects(&self) -> u64 {
        self.n_objects
    }

    /// |U|: the weight of all objects.
    pub const fn total_weight(&self) -> u64 {
        self.weight
    }

    /// What was left out for want of a decision or of values.
    pub const fn left_out(&self) -> LeftOut {
        self.left_out
    }

    /// The name of the decision.
    pub fn decision(&self) -> &str {
        &self.decision
    }

    /// The number of condition attributes.
    pub fn n_attributes(&self) -> usize {
        self.shape.attributes.len()
    }

    /// The names of attributes.
    pub fn names(&self, attrs: &AttrSet) -> Vec<&str> {
        attrs.iter().map(|attr| self.shape.attributes[attr.index()].name.as_str()).collect()
    }

    /// All attributes.
    pub fn all_attributes(&self) -> AttrSet {
        AttrSet::first(self.n_attributes())
    }

    /// The attributes that lack values.
    pub(super) fn nullable(&self) -> AttrSet {
        self.all_attributes().iter().filter(|attr| self.present[attr.index()] < self.n_objects).collect()
    }

    /// The first condition of which no object has a value.
    pub fn without_values(&self) -> Option<&str> {
        let at = self.present.iter().position(|&present| present == 0)?;
        Some(&self.shape.attributes[at].name)
    }

    /// The decision of every object, if they all have the same.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn constant_decision(&self) -> Result<Option<&Value>, EngineError> {
        let answer = self.engine.ask_and_tell("the weight of each decision", self.shape.decision_weights())?;
        match answer.numbers("c")?[..] {
            [only] => Ok(self.by_code.get(only as usize)),
            _ => Ok(None),
        }
    }

    /// Refuses a table that is no more what it was, after all other questions.
    ///
    /// # Errors
    /// When rows have come, gone or changed since the beginning, or the engine fails.
    pub fn check_unchanged(&self) -> Result<(), EngineError> {
        let answer = self.engine.ask_and_tell("the rows again", self.shape.rows_again())?.of_rows(1)?;
        let (after, fingerprint) = (answer.number("n_rows")?, answer.number("fingerprint")?);
        if (after, fingerprint) == (self.n_rows, self.fingerprint) {
            return Ok(());
        }
        Err(EngineError::Changed { path: self.path.clone(), before: self.n_rows, after })
    }

    /// Refuses parts that do not make up the whole.
    pub(super) fn check_weight(&self, answer: &Answer, found: u64) -> Result<(), EngineError> {
        let expected = || format!("objects of weight {}", self.weight);
        let found_now = || format!("{found}; has the table changed meanwhile?");
        if found == self.weight { Ok(()) } else { Err(answer.incomplete(expected(), found_now())) }
    }

    /// What the classes decide: γ, regions and approximations follow from it.
    ///
    /// # Errors
    /// When there are too many decisions, or the engine fails.
    pub fn summary(&self) -> Result<Summary, EngineError> {
        let n_counts = self.counted_decisions("the distribution of decisions")?;
        self.engine.command("the classes", self.shape.classes_view(n_counts))?;
        let answer = self.engine.ask_and_tell("the classes", Shape::distributions(n_counts))?;
        self.check_weight(&answer, answer.numbers("weight")?.iter().sum())?;
        let times = answer.numbers("m")?;
        let counts = (0..n_counts).map(|at| answer.numbers(&format!("k{at}"))).collect::<Result<Vec<_>, _>>()?;
        let (mut classes, mut codes, mut weights, mut n_distinct) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for (row, &m) in times.iter().enumerate() {
            for (code, counts) in counts.iter().enumerate().filter(|(_, counts)| counts[row] > 0) {
                n_distinct += m;
                for weight in in_parts(m * counts[row]) {
                    classes.push(row as u32);
                    codes.push(code as u32);
                    weights.push(weight);
                }
            }
        }
        let numbers: Vec<Value> = (0..times.len()).map(|row| Value::Integer(row as i64)).collect();
        let class = Attribute::from_codes("\0", &numbers, Codes::U32(classes));
        let decision = Attribute::from_codes(&self.decision, &self.by_code, Codes::U32(codes));
        let table = DecisionTable::new(vec![class], decision, Weights::Counts(weights))?;
        Ok(Summary { n_classes: times.iter().sum(), n_distinct, table })
    }

    /// The number of decisions, where each is counted in every class.
    pub(super) fn counted_decisions(&self, task: &str) -> Result<usize, EngineError> {
        let (found, limit) = (self.by_code.len(), MAX_DECISIONS);
        let too_many = || EngineError::TooManyDecisions { task: task.to_owned(), found, limit };
        if found <= limit { Ok(found) } else { Err(too_many()) }
    }

    /// What is in each column of the conditions.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn columns(&self) -> Result<Vec<RemoteColumn>, EngineError> {
        self.engine.command("the classes", self.shape.classes_view(0))?;
        let [least, greatest] = ["min", "max"].map(|of| {
            self.engine
                .ask_and_tell("the extremes of each column", self.shape.extremes(of))
                .and_then(|answer| answer.of_rows(1))
        });
        let (least, greatest, counted) = (least?, greatest?, self.values_of_columns()?);
        let columns = self.shape.attributes.iter().enumerate().map(|(at, column)| {
            let only = |answer: &Answer| Ok::<_, EngineError>(answer.values(&format!("a{at}"))?.remove(0));
            let (least, greatest, n_missing) = (only(&least)?, only(&greatest)?, self.n_objects - self.present[at]);
            let n_values = counted[at].0 - u64::from(n_missing > 0);
            let extremes = (least != Value::Missing).then_some((least, greatest));
            Ok(RemoteColumn { name: column.name.clone(), extremes, n_values, n_missing })
        });
        columns.collect()
    }

    /// Of each condition the number of its values in the classes, and how many ordered pairs of classes it leaves alike.
    pub(super) fn values_of_columns(&self) -> Result<Vec<(u64, u128)>, EngineError> {
        let answer = self.engine.ask_and_tell("the values of each column", self.shape.values_of_columns())?;
        let answer = answer.of_rows(self.n_attributes())?;
        let (columns, values, squares) = (answer.numbers("i")?, answer.numbers("v")?, answer.values("s")?);
        let mut counted = vec![(0, 0); self.n_attributes()];
        for ((&column, &n_values), square) in columns.iter().zip(&values).zip(&squares) {
            let alike =
                square.to_string().parse().map_err(|_| answer.incomplete("a sum of squares", square.to_string()))?;
            let place = counted.get_mut(column as usize);
            *place.ok_or_else(|| answer.incomplete("numbers of columns", column.to_string()))? = (n_values, alike);
        }
        Ok(counted)
    }

    /// The distinct objects with their weights, in the order of their values, if they have at most so many values; `None` if they
    /// have more.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn fetch(&self, most_values: u64) -> Result<Option<DecisionTable>, EngineError> {
        // A table without rows that are too many for the limit is not even counted.
        let width = self.n_attributes() as u64 + 1;
        if most_values < width {
            return Ok(None);
        }
        let fits = |rows: u64| rows.saturating_mul(width) <= most_values;
        // To count which objects are distinct takes as long as to fetch these.
        if !fits(self.n_objects) {
            let counted =
                self.engine.ask_and_tell("the number of distinct rows", self.shape.n_distinct())?.of_rows(1)?;
            if !fits(counted.number("n")?) {
                return Ok(None);
            }
        }
        let answer = self.engine.ask_and_tell("the distinct rows", self.shape.distinct())?;
        let weights = answer.numbers("w")?;
        self.check_weight(&answer, weights.iter().sum())?;
        let conditions = self.shape.attributes.iter().zip(0..);
        let conditions = conditions.map(|(column, at)| answer.attribute(&format!("a{at}"), &column.name));
        let conditions = conditions.collect::<Result<Vec<_>, _>>()?;
        let codes = answer.numbers("c")?.into_iter().map(|code| code as u32).collect();
        let decision = Attribute::from_codes(&self.decision, &self.by_code, Codes::U32(codes));
        Ok(Some(in_order(&conditions, &decision, &weights)?))
    }
}

/// A weight as a sum of numbers of 32 bits.
fn in_parts(mut weight: u64) -> Vec<u32> {
    let mut parts = Vec::new();
    while weight > 0 {
        let part = u32::try_from(weight).unwrap_or(u32::MAX);
        parts.push(part);
        weight -= u64::from(part);
    }
    parts
}

/// The table with its rows in the order of their values: an engine gives them in any. A row whose weight has more than 32 bits is several.
fn in_order(conditions: &[Attribute], decision: &Attribute, weights: &[u64]) -> Result<DecisionTable, TableError> {
    let parts = |(&weight, row)| in_parts(weight).into_iter().map(move |part| (row, part));
    let mut rows: Vec<(u32, u32)> = weights.iter().zip(0..).flat_map(parts).collect();
    let codes = |row: u32| conditions.iter().chain([decision]).map(move |column| column.code(row as usize));
    rows.sort_by(|a, b| codes(a.0).cmp(codes(b.0)));
    let (rows, weights): (Vec<u32>, Vec<u32>) = rows.into_iter().unzip();
    let conditions = conditions.iter().map(|column| column.select(&rows)).collect();
    DecisionTable::new(conditions, decision.select(&rows), Weights::Counts(weights))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spark_connect_proto::data_type;

    fn decimal(precision: i32, scale: i32) -> Kind {
        Kind::Decimal(Decimal { precision: Some(precision), scale: Some(scale), ..Decimal::default() })
    }

    #[test]
    fn decimals_that_may_be_texts_at_hand_are_refused_by_their_digits() {
        for (precision, scale, is_read) in [(15, 2, true), (16, 2, false), (18, 0, true), (19, 0, false)] {
            let kind = kind_of(Some(&decimal(precision, scale)));
            assert_eq!(kind, is_read.then_some(ColumnKind::Plain), "{precision}, {scale}");
        }
        assert_eq!(type_name(Some(&decimal(38, 2))), "decimal of 38 digits");
    }

    #[test]
    fn texts_are_no_counts() {
        assert!(!has_numbers(Some(&Kind::String(data_type::String::default()))) && !has_numbers(None));
        assert!(has_numbers(Some(&decimal(38, 2))) && has_numbers(Some(&Kind::Long(data_type::Long::default()))));
    }

    #[test]
    fn rows_come_in_the_order_of_their_values() {
        let column = |name: &str, values: &[i64]| Attribute::from_integers(name, values.iter().copied());
        let table = in_order(&[column("a", &[3, 1, 2, 1])], &column("d", &[0, 1, 0, 0]), &[5, 6, 7, 8]).unwrap();
        assert_eq!(table.weights(), &Weights::Counts(vec![8, 6, 7, 5]));
        assert_eq!(table.attributes()[0].codes().to_vec(), [0, 0, 1, 2]);
    }

    #[test]
    fn a_row_of_great_weight_is_several() {
        let column = |name: &str| Attribute::from_integers(name, [1, 0]);
        let table = in_order(&[column("a")], &column("d"), &[u64::from(u32::MAX) + 2, 5]).unwrap();
        assert_eq!(table.weights(), &Weights::Counts(vec![5, u32::MAX, 2]));
        assert_eq!(table.total_weight(), u64::from(u32::MAX) + 7);
    }

    #[test]
    fn weights_beyond_32_bits_are_sums() {
        assert_eq!(in_parts(7), [7]);
        assert_eq!(in_parts(u64::from(u32::MAX) + 3), [u32::MAX, 3]);
        assert!(in_parts(0).is_empty());
    }
}
