//! Errors of the library as exceptions.

use std::error::Error;
use std::ffi::CString;
use std::io;

use pyo3::exceptions::{PyFileNotFoundError, PyUserWarning, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    roughboard,
    RoughWarning,
    PyUserWarning,
    "Something that is possible, but that a user should know of, such as rows that were left out."
);

/// An error with its causes, as a `ValueError`; as a `FileNotFoundError` where a file is not there.
pub fn value_error(error: impl Error) -> PyErr {
    let (mut text, mut is_lacking) = (error.to_string(), false);
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        is_lacking |= error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::NotFound);
        cause = error.source();
    }
    if is_lacking { PyFileNotFoundError::new_err(text) } else { PyValueError::new_err(text) }
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
