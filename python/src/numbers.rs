//! Long lists of numbers, as bytes that numpy takes without looking at each.

use std::convert::Infallible;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Numbers that Python gets as the bytes that they have in memory.
pub struct Numbers<T>(pub Vec<T>);

/// Numbers without room between their bytes.
pub trait Plain: Copy {}
impl Plain for u32 {}
impl Plain for u64 {}
impl Plain for i64 {}
impl Plain for f64 {}

impl<'py, T: Plain> IntoPyObject<'py> for Numbers<T> {
    type Target = PyBytes;
    type Output = Bound<'py, PyBytes>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        // SAFETY: all of the memory of plain numbers is bytes.
        let bytes = unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast::<u8>(), size_of_val(self.0.as_slice())) };
        Ok(PyBytes::new(py, bytes))
    }
}
