//! What Python hands over as a table, as columns of cells.

use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use rayon::prelude::*;
use roughboard::table::Attribute;

use crate::arrow;
use crate::cells::{Block, Cells, FEW};
use crate::coding::{self, Problem};
use crate::errors::value_error;
use crate::numpy;
use crate::objects::{self, type_name};

/// Columns of fewer rows are copied sooner than pandas is told that they are shared.
const MANY: usize = 1 << 12;
/// So few cells are coded sooner than a thread is woken for it.
const FEW_CELLS: usize = 1 << 10;

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

/// The attributes that columns make; what keeps a column is let go as soon as there are its codes.
pub fn attributes(columns: Vec<Column>) -> PyResult<Vec<Attribute>> {
    let code = |column: Column| coding::attribute(&column.name, &column.blocks);
    let coded: Result<_, _> = if is_small(&columns) {
        columns.into_iter().map(code).collect()
    } else {
        columns.into_par_iter().map(code).collect()
    };
    coded.map_err(problem)
}

/// Whether there are so few cells that it takes no other thread to code them.
pub fn is_small(columns: &[Column]) -> bool {
    let n_rows = |column: &Column| coding::n_rows(&column.blocks);
    columns.iter().map(n_rows).sum::<usize>() <= FEW_CELLS
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
        return Ok(names.into_iter().zip(blocks).map(|(name, blocks)| Column { name, blocks }).collect());
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
fn of_array(data: &Bound<'_, PyAny>) -> PyResult<Option<Vec<Vec<Block>>>> {
    if numpy::is_array(data) { numpy::columns(data).map(Some) } else { Ok(None) }
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
    if numpy::is_array(column) {
        return Ok(vec![numpy::block(column, name)?]);
    }
    if is_pandas(column)? {
        return of_pandas_array(&array_of_series(column)?, name);
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
    // The type is asked, since the frame makes a series of its types.
    let kind = data.get_type();
    Ok(kind.hasattr("iloc")? && kind.hasattr("dtypes")?)
}

fn of_pandas(frame: &Bound<'_, PyAny>) -> PyResult<Vec<Column>> {
    let Ok(names) = frame.getattr("columns") else { return Err(unknown(frame)) };
    let shared = shared_frame(frame)?;
    let arrays = arrays_of_frame(shared.as_ref().unwrap_or(frame))?;
    let names = names
        .call_method1("to_numpy", ("object",))?
        .try_iter()?
        .map(|name| name_of(&name?))
        .collect::<PyResult<Vec<_>>>()?;
    if let Some(blocks) = of_one_matrix(frame, &arrays)? {
        return Ok(names.into_iter().zip(blocks).map(|(name, blocks)| Column { name, blocks }).collect());
    }
    let shared = shared.map(|frame| Arc::new(frame.unbind()));
    let column = |(name, array): (String, &Bound<'_, PyAny>)| {
        let mut blocks = of_pandas_array(array, &name)?;
        // What pyarrow hands over may be memory of numpy that the frame itself shares.
        if let Some(frame) = &shared
            && !array.hasattr("__arrow_array__")?
        {
            blocks.iter_mut().for_each(|block| block.fix(frame.clone()));
        }
        Ok(Column { name, blocks })
    };
    names.into_iter().zip(&arrays).map(column).collect()
}

/// A frame that shares the memory of a long one: as long as it is held, whoever writes to the other frame writes to a copy.
/// Pandas 3 does so, earlier ones need not.
fn shared_frame<'py>(frame: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if frame.len()? < MANY {
        return Ok(None);
    }
    let Ok(pandas) = frame.py().import("pandas") else { return Ok(None) };
    let version: String = pandas.getattr("__version__")?.extract()?;
    let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major.is_none_or(|major| major < 3) || !frame.is_instance(&pandas.getattr("DataFrame")?)? {
        return Ok(None);
    }
    let shallow = PyDict::new(frame.py());
    shallow.set_item("deep", false)?;
    frame.call_method("copy", (), Some(&shallow)).map(Some)
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

/// The array of a series: that of numpy, if it is one of its types, which alone can change the order of their bytes.
fn array_of_series<'py>(series: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if series.getattr("dtype")?.hasattr("newbyteorder")? {
        return series.call_method0("to_numpy");
    }
    series.getattr("array")
}

/// The columns of a frame that is one array in the order of C, whose columns do not stand side by side.
fn of_one_matrix(frame: &Bound<'_, PyAny>, arrays: &[Bound<'_, PyAny>]) -> PyResult<Option<Vec<Vec<Block>>>> {
    let Some(first) = arrays.first().filter(|first| numpy::is_array(first)) else { return Ok(None) };
    if first.len()? <= FEW {
        return Ok(None);
    }
    let is_apart = !first.getattr("flags")?.getattr("c_contiguous")?.is_truthy()?;
    let kind = first.getattr("dtype")?;
    let is_same = |array: &Bound<'_, PyAny>| Ok(numpy::is_array(array) && array.getattr("dtype")?.eq(&kind)?);
    if !is_apart || arrays.iter().map(is_same).collect::<PyResult<Vec<bool>>>()?.contains(&false) {
        return Ok(None);
    }
    numpy::columns(&frame.call_method0("to_numpy")?).map(Some)
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
    // Types that pandas adds to those of numpy are handed over by pyarrow, or else as objects.
    if (is_text || array.len()? > FEW)
        && let Ok(as_arrow) = array.call_method0("__arrow_array__")
        && let Ok(Some(column)) = arrow::columns(&as_arrow).map(|columns| columns.and_then(|mut columns| columns.pop()))
    {
        // Only arrays that are Arrow's in pandas, too, are never written to: masked ones are numpy's.
        let is_arrow = kind.hasattr("pyarrow_dtype")?;
        return Ok(if is_arrow { column.blocks } else { column.copied().blocks });
    }
    Ok(vec![objects::block(&array.call_method1("to_numpy", ("object",))?, name)?])
}

/// The cells of an array of pandas of a type that pyarrow has no equal of, or that numpy has.
fn of_special_array(array: &Bound<'_, PyAny>, kind: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<Block>> {
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
    if kind.hasattr("freq")? {
        return objects::block(&array.call_method1("astype", ("object",))?, name).map(Some);
    }
    Ok(None)
}

/// A column of categories: places in a list.
fn of_categories(array: &Bound<'_, PyAny>, name: &str) -> PyResult<Block> {
    let block = numpy::in_place(&array.getattr("codes")?, name)?;
    let list = array.getattr("categories")?.call_method0("tolist")?;
    let values = match objects::block(&list, name)?.cells {
        Cells::Values { codes, values } => codes.into_iter().map(|code| values[code as usize].clone()).collect(),
        _ => Vec::new(),
    };
    Ok(Block { cells: Cells::Coded { places: Box::new(block.cells), values: Arc::new(values) }, ..block })
}
