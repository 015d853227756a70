//! Errors of the library as exceptions.

use std::error::Error;

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;

/// An error with its causes, as a `ValueError`.
pub fn value_error(error: impl Error) -> PyErr {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    PyValueError::new_err(text)
}
