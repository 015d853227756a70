//! Cut points as Python has them: of each attribute a list of numbers.

use std::collections::BTreeMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use roughboard::table::discretize::{Cuts, Discretizer};
use roughboard::table::{AttrSet, DecisionTable, TableError};

use crate::errors::value_error;
use crate::input::{Names, Objects};
use crate::table::{Table, to_python};
use crate::work::interruptible;

const LEAST_BINS: u16 = 2;
/// Intervals where nothing else is said, as on the command line.
const USUAL_BINS: u16 = 5;

fn discretizer(method: &str, bins: Option<i64>) -> PyResult<Discretizer> {
    let is_by_bins = matches!(method, "width" | "frequency");
    let bins = match bins {
        Some(_) if !is_by_bins => {
            return Err(PyValueError::new_err("`bins` goes with the methods width and frequency"));
        }
        None => USUAL_BINS,
        Some(found) => u16::try_from(found).ok().filter(|&bins| bins >= LEAST_BINS).ok_or_else(|| {
            let most = u16::MAX;
            PyValueError::new_err(format!("`bins` must be from {LEAST_BINS} to {most} for {method}, got {found}"))
        })?,
    };
    match method {
        "width" => Ok(Discretizer::EqualWidth { bins }),
        "frequency" => Ok(Discretizer::EqualFrequency { bins }),
        "mdlp" => Ok(Discretizer::Mdlp),
        "md" => Ok(Discretizer::MaximalDiscernibility),
        other => {
            let expected = "width, frequency, mdlp, md";
            Err(PyValueError::new_err(format!("`method` must be one of {expected}, got {other}")))
        }
    }
}

/// Refuses attributes that were named and cannot be cut.
fn check_numeric(table: &DecisionTable, attrs: &AttrSet) -> PyResult<()> {
    let mut attributes = attrs.iter().map(|attr| table.attribute(attr));
    attributes.find(|attribute| !attribute.is_numeric()).map_or(Ok(()), |attribute| {
        let (column, found) = (attribute.name().to_owned(), attribute.kind());
        Err(value_error(TableError::NotNumeric { column, found }))
    })
}

/// The cut points that a method chooses for attributes that are numbers.
#[pyfunction]
pub fn fit_cuts(
    py: Python<'_>,
    table: &Table,
    method: &str,
    bins: Option<i64>,
    only: Option<Names>,
) -> PyResult<BTreeMap<String, Vec<f64>>> {
    let method = discretizer(method, bins)?;
    let attrs = table.attrs(only.as_deref())?;
    if only.is_some() {
        check_numeric(&table.table, &attrs)?;
    }
    let table = if method.uses_decision() { table.decided()? } else { table.table.clone() };
    let fitted = interruptible(py, move |stop| Cuts::fit(&table, &attrs, method, stop))?.map_err(value_error)?;
    Ok(fitted.iter().map(|(name, cuts)| (name.to_owned(), cuts.to_vec())).collect())
}

/// The columns of a table, those with cut points as texts of intervals.
#[pyfunction]
pub fn apply_cuts<'py>(
    data: &Bound<'py, PyAny>,
    cuts: BTreeMap<String, Vec<f64>>,
    names: Option<Names>,
) -> PyResult<Bound<'py, PyDict>> {
    let (py, cuts) = (data.py(), Cuts::new(cuts).map_err(value_error)?);
    let objects = Objects::of(data, names, |_| true)?;
    let applied = interruptible(py, move |_| {
        objects.ask(|attributes| {
            if let Some((missing, _)) =
                cuts.iter().find(|(name, _)| attributes.iter().all(|column| column.name() != *name))
            {
                return Err(PyValueError::new_err(format!(
                    "the table has no column `{missing}`, which has cut points"
                )));
            }
            cuts.apply_to(attributes).map_err(value_error)
        })
    })??;
    let columns = PyDict::new(py);
    for attribute in &applied {
        let domain = attribute.domain().iter().map(|value| to_python(py, value)).collect::<PyResult<Vec<_>>>()?;
        let values = (0..attribute.len()).map(|row| &domain[attribute.code(row) as usize]);
        columns.set_item(attribute.name(), PyList::new(py, values)?)?;
    }
    Ok(columns)
}

/// The form in which the command line keeps cut points.
#[pyfunction]
pub fn cuts_to_json(cuts: BTreeMap<String, Vec<f64>>) -> PyResult<String> {
    Cuts::new(cuts).map(|cuts| cuts.to_json()).map_err(value_error)
}

/// Cut points from that form.
#[pyfunction]
pub fn cuts_from_json(text: &str) -> PyResult<BTreeMap<String, Vec<f64>>> {
    let cuts = Cuts::from_json(text).map_err(value_error)?;
    Ok(cuts.iter().map(|(name, cuts)| (name.to_owned(), cuts.to_vec())).collect())
}
