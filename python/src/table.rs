//! Decision tables as Python has them.

use std::sync::Arc;

use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use roughboard::table::{
    AttrSet, Attribute, DecisionTable, LeftOut, ReadOptions, Remark, Roles, TableError, Value, counted_value,
};

use crate::coding;
use crate::errors::{value_error, warn};
use crate::input::{self, Column, Found, Names};
use crate::numbers::Numbers;
use crate::objects::described;
use crate::work::interruptible;

/// What a decision or weight is called that comes as values and has no name of its own.
const DECISION: &str = "decision";
const WEIGHT: &str = "weight";

/// A decision table. The class that Python sees adds warnings and documentation.
#[pyclass(frozen, subclass, module = "roughboard._core")]
#[derive(Clone)]
pub struct Table {
    pub table: Arc<DecisionTable>,
    left_out: LeftOut,
    notes: Vec<String>,
    /// Whether the table has a decision; if not, that of `table` is the same everywhere.
    is_decided: bool,
}

/// Which columns play which part.
struct Parts {
    roles: Roles,
    attributes: Option<Names>,
    is_decided: bool,
    drop: bool,
    reading: ReadOptions,
}

#[pymethods]
impl Table {
    #[new]
    #[pyo3(signature = (data, decision=None, *, weight=None, attributes=None, ignore=None, missing="value", na=None, names=None, copy=true))]
    // The arguments of a function in Python.
    #[allow(clippy::too_many_arguments)]
    fn new(
        data: &Bound<'_, PyAny>,
        decision: Option<&Bound<'_, PyAny>>,
        weight: Option<&Bound<'_, PyAny>>,
        attributes: Option<Names>,
        ignore: Option<Names>,
        missing: &str,
        na: Option<Names>,
        names: Option<Names>,
        copy: bool,
    ) -> PyResult<Self> {
        let drop = match missing {
            "value" => false,
            "drop" => true,
            other => return Err(PyValueError::new_err(format!("missing must be 'value' or 'drop', got '{other}'"))),
        };
        if let Ok(table) = data.cast::<Self>() {
            let is_plain = decision.is_none() && weight.is_none() && attributes.is_none() && ignore.is_none();
            let is_same = is_plain && !drop && na.is_none() && names.is_none() && copy;
            let other = || PyValueError::new_err("a roughboard.Table is taken as it is, expected no other arguments");
            let table = is_same.then(|| table.get().clone()).ok_or_else(other)?;
            return table.notes.iter().try_for_each(|note| warn(data.py(), note)).map(|()| table);
        }
        let mut columns = input::columns(data, names)?;
        let is_decided = decision.is_some();
        let decision = match decision {
            Some(decision) => roles(decision, DECISION, &mut columns)?,
            None => vec![without_decision(&mut columns)],
        };
        let weight = weight.map(|weight| roles(weight, WEIGHT, &mut columns)).transpose()?;
        let weight = weight.map(|names| one(names, WEIGHT)).transpose()?;
        let reading = ReadOptions { missing: na.map_or_else(Vec::new, |na| na.0), ..ReadOptions::default() };
        let roles = Roles { decision, weight };
        let columns = chosen(columns, &roles, attributes.as_deref(), ignore.as_deref())?;
        let columns = if copy { columns.into_iter().map(Column::copied).collect() } else { columns };
        let parts = Parts { roles, attributes, is_decided, drop, reading };
        let table = if parts.is_quick(&columns) {
            parts.table(columns)
        } else {
            interruptible(data.py(), move |_| parts.table(columns))?
        }?;
        table.notes.iter().try_for_each(|note| warn(data.py(), note)).map(|()| table)
    }

    /// The number of objects.
    #[getter]
    fn n_objects(&self) -> usize {
        self.table.n_objects()
    }

    /// The sum of their weights.
    #[getter]
    fn total_weight(&self) -> u64 {
        self.table.total_weight()
    }

    /// The number of rows that were left out.
    #[getter]
    const fn n_left_out(&self) -> usize {
        self.left_out.rows
    }

    /// What a user should know of how the table was read.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// The names of the condition attributes.
    #[getter]
    fn attributes(&self) -> Vec<String> {
        self.table.attributes().iter().map(|attribute| attribute.name().to_owned()).collect()
    }

    /// The name of the decision, if there is one.
    #[getter]
    fn decision(&self) -> Option<&str> {
        self.is_decided.then(|| self.table.decision().name())
    }

    /// The different values of a column, in ascending order.
    fn domain<'py>(&self, py: Python<'py>, column: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.column(column)?.domain().iter().map(|value| to_python(py, value)).collect()
    }

    /// The values of the objects in a column.
    fn values<'py>(&self, py: Python<'py>, column: &str) -> PyResult<Bound<'py, PyList>> {
        let attribute = self.column(column)?;
        let domain: Vec<Bound<'py, PyAny>> = self.domain(py, column)?;
        PyList::new(py, (0..attribute.len()).map(|row| &domain[attribute.code(row) as usize]))
    }

    /// The row of the data that each object comes from, as the bytes of numbers of 32 bits.
    #[pyo3(name = "_rows")]
    fn rows(&self) -> Numbers<u32> {
        Numbers((0..self.table.n_objects() as u32).map(|object| self.table.row_of(object)).collect())
    }

    /// The weight of each object, as the bytes of numbers of 64 bits.
    #[pyo3(name = "_weights")]
    fn weights(&self) -> Numbers<u64> {
        Numbers((0..self.table.n_objects()).map(|object| self.table.weight(object)).collect())
    }

    fn __repr__(&self) -> String {
        let (objects, attributes) = (self.table.n_objects(), self.table.n_attributes());
        let decision = self.is_decided.then(|| {
            let decision = self.table.decision();
            format!(", decision '{}' with {} values", decision.name(), decision.n_values())
        });
        format!("Table({objects} objects, {attributes} attributes{})", decision.unwrap_or_default())
    }

    /// Of each column its name, the kind of its values, how many there are, and how many objects lack one.
    fn summary(&self) -> Vec<(String, &'static str, usize, usize)> {
        let decision = self.is_decided.then(|| self.table.decision());
        let of = |column: &Attribute| (column.name().to_owned(), column.kind(), column.n_values(), column.n_missing());
        self.table.attributes().iter().chain(decision).map(of).collect()
    }

    /// A table is not pickled, but the data that it was made of can be.
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a roughboard.Table cannot be pickled: pickle the data, and make it again"))
    }
}

impl Table {
    /// A table that was made elsewhere, with what is to be said of it.
    #[cfg(feature = "games")]
    pub fn of(table: DecisionTable, notes: Vec<String>) -> Self {
        Self { table: Arc::new(table), left_out: LeftOut::default(), notes, is_decided: true }
    }

    /// The set of the attributes of these names; all if there are none.
    pub fn attrs(&self, names: Option<&[String]>) -> PyResult<AttrSet> {
        match names {
            None => Ok(self.table.all_attributes()),
            Some(names) => self.table.attributes_called(names).map_err(value_error),
        }
    }

    /// The table, for a question about its decision.
    pub fn decided(&self) -> PyResult<Arc<DecisionTable>> {
        let missing = || PyValueError::new_err("the table has no decision: name its column, or give its values");
        self.is_decided.then(|| self.table.clone()).ok_or_else(missing)
    }

    fn column(&self, name: &str) -> PyResult<&Attribute> {
        let decision = self.is_decided.then(|| self.table.decision());
        let mut columns = self.table.attributes().iter().chain(decision);
        columns.find(|column| column.name() == name).ok_or_else(|| PyKeyError::new_err(format!("no column `{name}`")))
    }
}

/// The names of the columns that play a part. Values without a column become one.
fn roles(part: &Bound<'_, PyAny>, called: &str, columns: &mut Vec<Found>) -> PyResult<Vec<String>> {
    if let Ok(name) = part.cast::<PyString>() {
        return Ok(vec![name.to_cow()?.into_owned()]);
    }
    let (tuple, is_single) = (part.cast::<PyTuple>().ok(), part.try_iter().is_err());
    // Frames of pandas have numbers for names of columns, too, and tuples where these have several levels.
    if tuple.is_some() || is_single {
        let name = input::name_of(part)?;
        if columns.iter().any(|column| column.name == name) {
            return Ok(vec![name]);
        }
    }
    if let Some(names) = tuple
        && !names.is_empty()
        && names.iter().all(|name| name.is_instance_of::<PyString>())
    {
        return names.extract();
    }
    if is_single {
        return Err(PyTypeError::new_err(format!(
            "{called} is {}, expected the name of a column, or its values",
            described(part)
        )));
    }
    if let Ok(list) = part.cast::<PyList>()
        && !list.is_empty()
        && list.iter().all(|name| columns.iter().any(|column| name.eq(&column.name).unwrap_or(false)))
    {
        return Err(PyValueError::new_err(format!(
            "{called} is a list of names of columns, expected a tuple of them, or values"
        )));
    }
    let own = part.getattr("name").ok().and_then(|name| name.extract::<String>().ok());
    let is_free = |name: &String| !name.is_empty() && columns.iter().all(|column| column.name != *name);
    let name = own.filter(is_free).unwrap_or_else(|| called.to_owned());
    let blocks = input::blocks(part, &name)?;
    columns.push(Found { name: name.clone(), blocks: Ok(blocks) });
    Ok(vec![name])
}

fn one(names: Vec<String>, part: &str) -> PyResult<String> {
    let [name] = <[String; 1]>::try_from(names)
        .map_err(|names| PyValueError::new_err(format!("{part} must be one column, got {}", names.len())))?;
    Ok(name)
}

/// Adds a column that is the same everywhere, for a table whose decision nobody asks for; gives its name.
fn without_decision(columns: &mut Vec<Found>) -> String {
    let mut name = DECISION.to_owned();
    while columns.iter().any(|column| column.name == name) {
        name.push('_');
    }
    let len = columns.iter().find_map(|column| column.blocks.as_deref().ok()).map_or(0, coding::n_rows);
    let cells = crate::cells::Cells::Values { codes: vec![0; len], values: vec![Value::Integer(0)], note: None };
    let blocks = vec![crate::cells::Block { cells, len, given: None, keeper: None, is_fixed: false }];
    columns.push(Found { name: name.clone(), blocks: Ok(blocks) });
    name
}

/// The columns that play a part; others are not even coded, and need not be of a kind that can be.
fn chosen(
    columns: Vec<Found>,
    roles: &Roles,
    attributes: Option<&[String]>,
    ignore: Option<&[String]>,
) -> PyResult<Vec<Column>> {
    let used = || roles.decision.iter().chain(&roles.weight);
    let existing: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    if let Some(name) = attributes.into_iter().chain(ignore).flatten().find(|name| !existing.contains(name)) {
        let (role, column) = ("attribute column", name.clone());
        return Err(value_error(TableError::MissingColumn { role, column, existing }));
    }
    if attributes.is_some() && ignore.is_some() {
        return Err(PyValueError::new_err("attributes and ignore exclude each other"));
    }
    // Without one of its columns of counts, objects of the decision would be left out without a word.
    let is_count = |name: &str| match roles.decision.as_slice() {
        [decision] if !existing.contains(decision) => counted_value(name, decision).is_some(),
        _ => false,
    };
    let is_used = |name: &&String| used().any(|used| used == *name) || is_count(name);
    if let Some(name) = ignore.into_iter().flatten().find(is_used) {
        return Err(PyValueError::new_err(format!("ignore names `{name}`, which is the decision or the weight")));
    }
    let counts = |name: &str| roles.decision.iter().any(|decision| name.starts_with(&format!("{decision}=")));
    let is_chosen = |name: &String| match (attributes, ignore) {
        (Some(only), _) => only.contains(name) || used().any(|used| used == name) || counts(name),
        (None, Some(ignored)) => !ignored.contains(name),
        (None, None) => true,
    };
    columns.into_iter().filter(|column| is_chosen(&column.name)).map(Found::needed).collect()
}

impl Parts {
    /// Whether the table is made sooner than a thread is woken, and by no threads of the library: they would not be ours.
    fn is_quick(&self, columns: &[Column]) -> bool {
        let is_one_column = |name: &String| columns.iter().any(|column| column.name == *name);
        input::is_small(columns) && self.roles.decision.len() == 1 && self.roles.decision.iter().all(is_one_column)
    }

    /// The table that the columns make.
    fn table(&self, columns: Vec<Column>) -> PyResult<Table> {
        let (columns, mut notes) = input::table(columns)?;
        let columns = columns.with_missing(&self.reading);
        notes.extend(columns.remarks().iter().map(Remark::to_string));
        let decided = || {
            let table = columns.decide(&self.roles)?;
            let table = match &self.attributes {
                None => table,
                Some(names) => table.select(&table.attributes_called(names)?)?,
            };
            let (table, left_out) = if self.drop { table.complete()? } else { table.decided()? };
            Ok::<_, TableError>((table, left_out))
        };
        let (table, left_out) = decided().map_err(value_error)?;
        notes.extend(self.account(left_out, &table));
        notes.extend(self.doubts(&table));
        Ok(Table { table: Arc::new(table), left_out, notes, is_decided: self.is_decided })
    }

    /// What was left out of `table`, in words.
    fn account(&self, dropped: LeftOut, table: &DecisionTable) -> Option<String> {
        let (kept, lost) = (table.n_rows(), dropped.rows);
        let lack = if self.drop { "missing values" } else { "no decision" };
        if lost > 0 {
            let rows = kept + lost;
            let read = format!("{rows} read = {kept} kept + {lost} dropped");
            return Some(format!("{lost} of {rows} rows have {lack} and are left out: {read}"));
        }
        // A row of counts that has some for no decision is kept for the others.
        (dropped.weight > 0).then(|| {
            let (weight, lost) = (table.total_weight() + dropped.weight, dropped.weight);
            let objects = format!("objects of weight {lost} of {weight} have {lack} and are left out");
            format!("{objects}; their rows have counts of other decisions")
        })
    }

    /// What is possible, but hardly meant.
    fn doubts(&self, table: &DecisionTable) -> Vec<String> {
        let without = table.without_values().map(|attribute| {
            format!("attribute `{}` has no value in any object; it can be left out with ignore", attribute.name())
        });
        let constant = table
            .constant_decision()
            .filter(|_| self.is_decided)
            .map(|value| format!("the decision `{}` is `{value}` for every object", table.decision().name()));
        without.into_iter().chain(constant).collect()
    }
}

/// A value as an object: an interval as its text.
pub fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Boolean(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Integer(number) => number.into_pyobject(py)?.into_any(),
        Value::Real(number) => number.into_pyobject(py)?.into_any(),
        Value::Interval(interval) => interval.to_string().into_pyobject(py)?.into_any(),
        Value::Text(text) => text.into_pyobject(py)?.into_any(),
        Value::Missing => py.None().into_bound(py),
    })
}
