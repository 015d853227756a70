//! What Python hands over as a table, as columns of cells.

use std::sync::Arc;

use pyo3::exceptions::{PyException, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use rayon::prelude::*;
use roughboard::table::{Attribute, DecisionTable, InformationTable};

use crate::arrow;
use crate::cells::{Block, Cells, FEW};
use crate::coding::{self, Problem};
use crate::errors::value_error;
use crate::numpy;
use crate::objects::{self, described, type_name};
use crate::table::Table;

/// So few cells are coded sooner than a thread is woken for it.
const FEW_CELLS: usize = 1 << 10;

/// Names of columns; a text is one name, and not one for each of its characters.
pub struct Names(pub Vec<String>);

impl std::ops::Deref for Names {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl<'py> FromPyObject<'_, 'py> for Names {
    type Error = PyErr;

    fn extract(names: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let wrong = |found: &Bound<'_, PyAny>| {
            PyTypeError::new_err(format!("expected a text or a sequence of texts, found {}", described(found)))
        };
        let text = |object: &Bound<'_, PyAny>| {
            let text = object.cast::<PyString>().map_err(|_| wrong(object))?;
            Ok(text.to_cow()?.into_owned())
        };
        if names.is_instance_of::<PyString>() {
            return text(&names).map(|name| Self(vec![name]));
        }
        let each = names.try_iter().map_err(|_| wrong(&names))?;
        each.map(|name| text(&name?)).collect::<PyResult<_>>().map(Self)
    }
}

/// A column as it is handed over: its cells, or why they cannot be coded, which is an error only where they are needed.
pub struct Found {
    pub name: String,
    pub blocks: PyResult<Vec<Block>>,
}

impl Found {
    /// The column, but for errors that end everything, such as that of Ctrl-C.
    pub fn of(py: Python<'_>, name: String, blocks: PyResult<Vec<Block>>) -> PyResult<Self> {
        match blocks {
            Err(error) if !error.is_instance_of::<PyException>(py) => Err(error),
            blocks => Ok(Self { name, blocks }),
        }
    }

    /// The column, which is to be coded.
    pub fn needed(self) -> PyResult<Column> {
        Ok(Column { blocks: self.blocks?, name: self.name })
    }
}

/// A column that is to be coded.
pub struct Column {
    pub name: String,
    pub blocks: Vec<Block>,
}

impl Column {
    /// The column, of which a table is to hold a copy, whoever may write to its cells.
    pub fn copied(mut self) -> Self {
        self.blocks.iter_mut().for_each(|block| block.is_fixed = false);
        self
    }
}

/// A column that cannot be coded, as an exception.
pub fn problem(problem: Problem) -> PyErr {
    match problem {
        Problem::NotText { column, row } => {
            PyValueError::new_err(format!("column `{column}`, row {row}, counted from 0: the text is not UTF-8"))
        }
        Problem::TooLarge { column } => {
            PyValueError::new_err(format!("column `{column}` has a decimal number of more than 256 bits"))
        }
        Problem::Table(error) => value_error(error),
    }
}

/// The table that columns make, and what a user should know of how they are read; what keeps a column is let go as soon as there
/// are its codes.
pub fn table(columns: Vec<Column>) -> PyResult<(InformationTable, Vec<String>)> {
    let code = |column: Column| coding::attribute(&column.name, &column.blocks);
    let coded: Result<Vec<_>, _> = if is_small(&columns) {
        columns.into_iter().map(code).collect()
    } else {
        columns.into_par_iter().map(code).collect()
    };
    let (coded, notes): (_, Vec<Option<String>>) = coded.map_err(problem)?.into_iter().unzip();
    Ok((InformationTable::new(coded).map_err(value_error)?, notes.into_iter().flatten().collect()))
}

/// Objects that a question is asked about which need no decision.
pub enum Objects {
    OfTable(Arc<DecisionTable>),
    Columns(Vec<Column>),
}

impl Objects {
    /// The objects of a table. Columns that cannot be coded are left out, but for those that the question `needs`.
    pub fn of(data: &Bound<'_, PyAny>, names: Option<Names>, needs: impl Fn(&str) -> bool) -> PyResult<Self> {
        match data.cast::<Table>() {
            Ok(table) if names.is_none() => Ok(Self::OfTable(table.get().table.clone())),
            _ => {
                let found = columns(data, names)?.into_iter();
                let kept = found.filter(|column| column.blocks.is_ok() || needs(&column.name));
                kept.map(Found::needed).collect::<PyResult<_>>().map(Self::Columns)
            }
        }
    }

    /// What `look` makes of their attributes.
    pub fn ask<T>(self, look: impl FnOnce(&[Attribute]) -> PyResult<T>) -> PyResult<T> {
        match self {
            Self::OfTable(table) => look(table.attributes()),
            Self::Columns(columns) => look(table(columns)?.0.columns()),
        }
    }
}

/// Whether there are so few cells that it takes no other thread to code them.
pub fn is_small(columns: &[Column]) -> bool {
    let n_rows = |column: &Column| coding::n_rows(&column.blocks);
    columns.iter().map(n_rows).sum::<usize>() <= FEW_CELLS
}

/// The columns of a table. `names` are those of the columns of an array, which has none of its own.
pub fn columns(data: &Bound<'_, PyAny>, names: Option<Names>) -> PyResult<Vec<Found>> {
    if numpy::is_array(data) {
        return numpy::columns(data, names.map(|names| names.0));
    }
    if names.is_some() {
        return Err(PyValueError::new_err("names are for arrays, the columns of this table have their own"));
    }
    if is_pandas(data)? {
        return of_pandas(data);
    }
    if let Some(columns) = arrow::columns(data)? {
        return match columns.as_slice() {
            [single] if single.name.is_empty() => Err(unknown(data)),
            _ => Ok(columns),
        };
    }
    of_mapping(data)
}

fn unknown(data: &Bound<'_, PyAny>) -> PyErr {
    let hint = match type_name(data).as_str() {
        "LazyFrame" => ": `.collect()` makes one of it",
        _ if data.hasattr("toarray").unwrap_or(false) => ": `.toarray()` makes one of it",
        _ => "",
    };
    PyTypeError::new_err(format!(
        "expected a table (with `__arrow_c_stream__`, such as those of polars, pyarrow and DuckDB), a pandas frame, a numpy \
         array with two dimensions or a dict of columns, found {}{hint}",
        described(data)
    ))
}

fn of_mapping(data: &Bound<'_, PyAny>) -> PyResult<Vec<Found>> {
    let entries = match data.cast::<PyDict>() {
        Ok(dict) => dict.items().into_any(),
        Err(_) if data.hasattr("keys")? && data.hasattr("items")? => data.call_method0("items")?,
        Err(_) => return Err(unknown(data)),
    };
    let column = |entry: PyResult<Bound<'_, PyAny>>| {
        let (name, column): (Bound<'_, PyAny>, Bound<'_, PyAny>) = entry?.extract()?;
        let name = name_of(&name)?;
        let blocks = blocks(&column, &name);
        Found::of(data.py(), name, blocks)
    };
    entries.try_iter()?.map(column).collect()
}

/// The name of a column, which need be no text.
pub fn name_of(name: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(name.str()?.to_cow()?.into_owned())
}

/// The cells of one column.
pub fn blocks(column: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Block>> {
    if column.is_instance_of::<PyString>() || column.is_instance_of::<PyBytes>() {
        let kind = described(column);
        return Err(PyTypeError::new_err(format!("column `{name}` is {kind}, expected a sequence of values")));
    }
    if numpy::is_array(column) {
        return Ok(vec![numpy::block(column, name)?]);
    }
    if is_pandas(column)? {
        if column.hasattr("columns")? {
            return Err(several(name));
        }
        return of_pandas_array(&array_of_series(column)?, name);
    }
    match arrow::blocks(column, name)? {
        None => Ok(vec![objects::block(column, name)?]),
        Some(blocks) => Ok(blocks),
    }
}

/// The error for a table in place of a column.
pub fn several(name: &str) -> PyErr {
    PyValueError::new_err(format!("column `{name}` is a table, expected one column"))
}

/// Whether this is a frame or series of pandas. Frames hand themselves over to Arrow too, but need pyarrow for it.
fn is_pandas(data: &Bound<'_, PyAny>) -> PyResult<bool> {
    // The type is asked, since the frame makes a series of its types.
    let kind = data.get_type();
    Ok(kind.hasattr("iloc")? && kind.hasattr("dtypes")?)
}

fn of_pandas(frame: &Bound<'_, PyAny>) -> PyResult<Vec<Found>> {
    let Ok(names) = frame.getattr("columns") else { return Err(unknown(frame)) };
    let arrays = arrays_of_frame(frame)?;
    let names = names
        .call_method1("to_numpy", ("object",))?
        .try_iter()?
        .map(|name| name_of(&name?))
        .collect::<PyResult<Vec<_>>>()?;
    if is_one_matrix(&arrays)? {
        return numpy::columns(&frame.call_method0("to_numpy")?, Some(names));
    }
    let column = |(name, array): (String, &Bound<'_, PyAny>)| {
        let blocks = of_pandas_array(array, &name);
        Found::of(frame.py(), name, blocks)
    };
    names.into_iter().zip(&arrays).map(column).collect()
}

/// The array of each column of a frame. A series for each costs much more than to read a small one, so the way that pandas
/// has for itself is taken where it is there.
fn arrays_of_frame<'py>(frame: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if let Ok(arrays) = frame.call_method0("_iter_column_arrays") {
        return arrays.try_iter()?.collect();
    }
    let array = |entry: PyResult<Bound<'py, PyAny>>| {
        let (_, series): (Bound<'_, PyAny>, Bound<'py, PyAny>) = entry?.extract()?;
        array_of_series(&series)
    };
    frame.call_method0("items")?.try_iter()?.map(array).collect()
}

/// The array of a series or an index: that of numpy, if it is one of its types, which alone can change the order of their bytes.
fn array_of_series<'py>(series: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if series.getattr("dtype")?.hasattr("newbyteorder")? {
        return series.call_method0("to_numpy");
    }
    series.getattr("array")
}

/// Whether the columns of a frame are those of one array in the order of C, in which they do not stand side by side.
fn is_one_matrix(arrays: &[Bound<'_, PyAny>]) -> PyResult<bool> {
    let Some(first) = arrays.first().filter(|first| numpy::is_array(first)) else { return Ok(false) };
    if first.len()? <= FEW || first.getattr("flags")?.getattr("c_contiguous")?.is_truthy()? {
        return Ok(false);
    }
    let kind = first.getattr("dtype")?;
    let is_same = |array: &Bound<'_, PyAny>| Ok(numpy::is_array(array) && array.getattr("dtype")?.eq(&kind)?);
    Ok(!arrays.iter().map(is_same).collect::<PyResult<Vec<bool>>>()?.contains(&false))
}

/// The cells of the array of a column of pandas.
fn of_pandas_array(array: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Block>> {
    if numpy::is_array(array) {
        return Ok(vec![numpy::block(array, name)?]);
    }
    let kind = array.getattr("dtype")?;
    // Asking for what a type lacks takes longer than a few texts.
    let is_text = type_name(&kind) == "StringDtype";
    if !is_text && let Some(block) = of_special_array(array, &kind, name)? {
        return Ok(vec![block]);
    }
    // Other types that pandas adds to those of numpy are handed over by pyarrow, or else as objects.
    if let Ok(as_arrow) = array.call_method0("__arrow_array__")
        && let Ok(Some(blocks)) = arrow::blocks(&as_arrow, name)
    {
        return Ok(blocks);
    }
    Ok(vec![objects::block(&array.call_method1("to_numpy", ("object",))?, name)?])
}

/// The cells of an array of pandas of a type that pyarrow has no equal of, or that is made of arrays of numpy.
fn of_special_array(array: &Bound<'_, PyAny>, kind: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<Block>> {
    if let Ok(mask) = array.getattr("_mask")
        && let Ok(data) = array.getattr("_data")
    {
        return numpy::masked(&data, &mask, name).map(Some);
    }
    if kind.hasattr("newbyteorder")? {
        return numpy::block(&array.call_method0("to_numpy")?, name).map(Some);
    }
    if kind.hasattr("categories")? && kind.hasattr("ordered")? {
        return of_categories(array, name).map(Some);
    }
    if kind.hasattr("tz")? {
        let moments = array.call_method1("tz_convert", (array.py().None(),))?;
        return numpy::block(&moments.call_method0("to_numpy")?, name).map(Some);
    }
    // Periods and intervals, which pyarrow would take for the numbers that they are kept as.
    if kind.hasattr("freq")? || kind.hasattr("closed")? {
        return objects::block(&array.call_method1("astype", ("object",))?, name).map(Some);
    }
    Ok(None)
}

/// A column of categories: places in a list.
fn of_categories(array: &Bound<'_, PyAny>, name: &str) -> PyResult<Block> {
    let block = numpy::in_place(&array.getattr("codes")?, name)?;
    let list = of_pandas_array(&array_of_series(&array.getattr("categories")?)?, name)?;
    let (values, note) = coding::dictionary(name, &list).map_err(problem)?;
    let cells = Cells::Coded { places: Box::new(block.cells), values, note };
    Ok(Block { cells, ..block })
}
