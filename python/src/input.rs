//! What Python hands over as a table, as columns of cells.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::arrow;
use crate::cells::{Block, Cells};
use crate::coding::Problem;
use crate::errors::value_error;
use crate::numpy;
use crate::objects::{self, type_name};

/// A column that is to be coded.
pub struct Column {
    pub name: String,
    pub blocks: Vec<Block>,
}

/// A column that cannot be coded, as an exception.
pub fn problem(problem: Problem) -> PyErr {
    match problem {
        Problem::NotText { column, row } => {
            PyValueError::new_err(format!("column `{column}`, row {row}, counted from 0: the text is not UTF-8"))
        }
        Problem::Table(error) => value_error(error),
    }
}

/// The columns of a table. `names` are those of the columns of an array, which has none of its own.
pub fn columns(data: &Bound<'_, PyAny>, names: Option<Vec<String>>) -> PyResult<Vec<Column>> {
    if let Some(blocks) = of_array(data)? {
        let names = names.unwrap_or_else(|| (0..blocks.len()).map(|at| format!("x{at}")).collect());
        if names.len() != blocks.len() {
            let (expected, found) = (blocks.len(), names.len());
            return Err(PyValueError::new_err(format!(
                "names must be one for each of {expected} columns, got {found}"
            )));
        }
        return Ok(names.into_iter().zip(blocks).map(|(name, blocks)| Column { name, blocks: vec![blocks] }).collect());
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

/// The columns of an array of two dimensions, if it is an array.
fn of_array(data: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Block>>> {
    if data.hasattr("__array_interface__")? { numpy::columns(data).map(Some) } else { Ok(None) }
}

fn unknown(data: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "expected a table (with `__arrow_c_stream__`, such as those of polars, pyarrow and DuckDB), a pandas frame, a numpy \
         array with two dimensions or a dict of columns, found a `{}`",
        type_name(data)
    ))
}

fn of_mapping(data: &Bound<'_, PyAny>) -> PyResult<Vec<Column>> {
    let entries = match data.cast::<PyDict>() {
        Ok(dict) => dict.items().into_any(),
        Err(_) if data.hasattr("keys")? && data.hasattr("items")? => data.call_method0("items")?,
        Err(_) => return Err(unknown(data)),
    };
    let column = |entry: PyResult<Bound<'_, PyAny>>| {
        let (name, column): (Bound<'_, PyAny>, Bound<'_, PyAny>) = entry?.extract()?;
        let name = name_of(&name)?;
        Ok(Column { blocks: blocks(&column, &name)?, name })
    };
    entries.try_iter()?.map(column).collect()
}

/// The name of a column, which need be no text.
fn name_of(name: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(name.str()?.to_cow()?.into_owned())
}

/// The cells of one column.
pub fn blocks(column: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Block>> {
    if column.is_instance_of::<PyString>() || column.is_instance_of::<PyBytes>() {
        let kind = type_name(column);
        return Err(PyTypeError::new_err(format!("column `{name}` is a `{kind}`, expected a sequence of values")));
    }
    if column.hasattr("__array_interface__")? {
        return Ok(vec![numpy::block(column, name)?]);
    }
    if is_pandas(column)? {
        return of_series(column, name);
    }
    match arrow::columns(column)?.map(Vec::into_iter) {
        None => Ok(vec![objects::block(column, name)?]),
        Some(mut columns) => match (columns.next(), columns.next()) {
            (Some(only), None) => Ok(only.blocks),
            _ => Err(PyValueError::new_err(format!("column `{name}` is a table of several columns, expected one"))),
        },
    }
}

/// Whether this is a frame or series of pandas. Frames hand themselves over to Arrow too, but need pyarrow for it.
fn is_pandas(data: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(data.hasattr("iloc")? && data.hasattr("dtypes")?)
}

fn of_pandas(frame: &Bound<'_, PyAny>) -> PyResult<Vec<Column>> {
    let column = |entry: PyResult<Bound<'_, PyAny>>| {
        let (name, series): (Bound<'_, PyAny>, Bound<'_, PyAny>) = entry?.extract()?;
        let name = name_of(&name)?;
        Ok(Column { blocks: of_series(&series, &name)?, name })
    };
    if !frame.hasattr("columns")? {
        return Err(unknown(frame));
    }
    frame.call_method0("items")?.try_iter()?.map(column).collect()
}

fn of_series(series: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Block>> {
    let kind = series.getattr("dtype")?;
    // Only types of numpy can change the order of their bytes.
    if kind.hasattr("newbyteorder")? {
        return Ok(vec![numpy::block(&series.call_method0("to_numpy")?, name)?]);
    }
    if kind.hasattr("categories")? && kind.hasattr("ordered")? {
        return Ok(vec![of_categories(series, name)?]);
    }
    // Types that pandas adds to those of numpy are handed over by pyarrow, or else as objects.
    if let Ok(Some(column)) = arrow::columns(series).map(|columns| columns.and_then(|mut columns| columns.pop())) {
        return Ok(column.blocks);
    }
    Ok(vec![objects::block(&series.call_method1("to_numpy", ("object",))?, name)?])
}

/// A column of categories: places in a list.
fn of_categories(series: &Bound<'_, PyAny>, name: &str) -> PyResult<Block> {
    let categories = series.getattr("cat")?;
    let block = numpy::block(&categories.getattr("codes")?.call_method0("to_numpy")?, name)?;
    let list = categories.getattr("categories")?.call_method0("tolist")?;
    let values = match objects::block(&list, name)?.cells {
        Cells::Values { codes, values } => codes.into_iter().map(|code| values[code as usize].clone()).collect(),
        _ => Vec::new(),
    };
    Ok(Block { cells: Cells::Coded { places: Box::new(block.cells), values: std::sync::Arc::new(values) }, ..block })
}
