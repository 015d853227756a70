//! Errors of the library as exceptions.

use std::error::Error;
use std::ffi::CString;
use std::io;

use pyo3::exceptions::{PyFileNotFoundError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use roughboard::table::{Line, TableError};

pyo3::create_exception!(
    roughboard,
    RoughWarning,
    PyUserWarning,
    "Something that is possible, but that a user should know of, such as rows that were left out."
);

/// An error with its causes, as a `ValueError`; as a `FileNotFoundError` where a file is not there. Rows are counted from 0.
pub fn value_error(error: impl Error + 'static) -> PyErr {
    let (mut text, mut is_lacking) = (counted_from_0(&error).unwrap_or_else(|| error.to_string()), false);
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        is_lacking |= error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::NotFound);
        cause = error.source();
    }
    if is_lacking { PyFileNotFoundError::new_err(text) } else { PyValueError::new_err(text) }
}

/// What is wrong with rows of a table, which the library counts from 1.
fn counted_from_0(error: &(dyn Error + 'static)) -> Option<String> {
    let before = |row: usize| row.saturating_sub(1);
    let error = match error.downcast_ref()? {
        TableError::NotACount { column, row, found } => {
            let (column, row, found) = (column.clone(), Line::alone(before(row.number)), found.clone());
            TableError::NotACount { column, row, found }
        }
        TableError::Infinite { column, rows } => {
            let rows = rows.iter().map(|&row| before(row as usize) as u32).collect();
            TableError::Infinite { column: column.clone(), rows }
        }
        _ => return None,
    };
    Some(format!("{error} (rows are counted from 0)"))
}

/// Warns the user, whose line is the first one outside of this package.
pub fn warn(py: Python<'_>, text: &str) -> PyResult<()> {
    let mut frame = py.import("sys")?.call_method0("_getframe")?;
    let mut level = 1;
    while is_ours(&frame)? {
        frame = frame.getattr("f_back")?;
        level += 1;
    }
    let text = CString::new(text.replace('\0', "")).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<RoughWarning>(), &text, level)
}

fn is_ours(frame: &Bound<'_, PyAny>) -> PyResult<bool> {
    if frame.is_none() {
        return Ok(false);
    }
    let module = frame.getattr("f_globals")?.call_method1("get", ("__name__", ""))?.str()?;
    Ok(module.to_cow()?.split('.').next() == Some("roughboard"))
}
