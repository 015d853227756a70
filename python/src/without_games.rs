//! What stands in place of games where the package was built without them.

use std::path::PathBuf;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

use crate::input::Names;
use crate::numbers::Numbers;
use crate::table::Table;

fn not_built<T>() -> PyResult<T> {
    Err(PyImportError::new_err(
        "this build of roughboard knows no games, since it was made without the feature `games`; pip install ./python makes one with it",
    ))
}

#[pyfunction]
pub fn read_games(
    paths: Vec<PathBuf>,
    game: &str,
    features: Option<String>,
    skip_plies: usize,
    drop_invalid: bool,
) -> PyResult<Table> {
    let _ = (paths, game, features, skip_plies, drop_invalid);
    not_built()
}

/// A network, of which there is none.
#[pyclass(frozen, module = "roughboard._core")]
pub struct Network;

#[pymethods]
impl Network {
    #[staticmethod]
    fn load(path: &str) -> PyResult<Self> {
        let _ = path;
        not_built()
    }

    #[getter]
    fn game(&self) -> PyResult<String> {
        not_built()
    }

    #[getter]
    fn features(&self) -> PyResult<String> {
        not_built()
    }

    #[getter]
    fn method(&self) -> PyResult<String> {
        not_built()
    }

    #[getter]
    fn attributes(&self) -> PyResult<Vec<String>> {
        not_built()
    }

    fn predict(&self, data: &Bound<'_, PyAny>, names: Option<Names>) -> PyResult<Numbers<f64>> {
        let _ = (data, names);
        not_built()
    }
}
