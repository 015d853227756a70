//! The rough sets of roughboard for Python: the part in Rust, which the package `roughboard` wraps.

mod arrow;
mod cells;
mod coding;
mod cutting;
mod errors;
#[cfg_attr(not(feature = "games"), path = "without_games.rs")]
mod games;
mod input;
mod numbers;
mod numpy;
mod objects;
mod questions;
mod rules;
mod table;
mod whole;
mod work;

/// The part of `roughboard` in Rust.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::cutting::{apply_cuts, cuts_from_json, cuts_to_json, fit_cuts};
    #[pymodule_export]
    use crate::errors::RoughWarning;
    #[pymodule_export]
    use crate::games::{Network, read_games};
    #[pymodule_export]
    use crate::questions::{
        Reducts, approximations, certificate, check_certificate, core, gamma, minimum_reduct, partition, reduct,
        reducts, verify,
    };
    #[pymodule_export]
    use crate::rules::{Rules, rules};
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::work::{get_threads, set_threads};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
