//! Evaluators by name.

use super::{StaticEvaluator, Values, ValuesError, default_values_text};
use crate::eval::Evaluator;
use crate::games::connect6::Connect6;

/// The name under which the command line knows the static evaluation; `static:FILE` takes its values from a file.
pub const STATIC: &str = "static";

/// Why an evaluator for Connect6 could not be had.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// No evaluator has this name.
    #[error("evaluator `{name}`: expected `{STATIC}` or `{STATIC}:FILE` with a file of values")]
    Unknown {
        /// The name that was given.
        name: String,
    },
    /// The file of values cannot be read.
    #[error("cannot read values `{path}`")]
    Read {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The file does not state the values.
    #[error("values `{path}`")]
    Values {
        /// The file.
        path: String,
        /// What is wrong with it.
        source: ValuesError,
    },
}

/// Something that makes fresh evaluators, one for each game that is played at the same time.
pub type Factory = Box<dyn Fn() -> Box<dyn Evaluator<Connect6>> + Send + Sync>;

/// The static evaluation that `name` stands for, if it is one.
///
/// # Errors
/// When its file cannot be read or does not state the values.
pub fn static_evaluator(name: &str) -> Result<Option<StaticEvaluator>, LoadError> {
    let Some(text) = values_text(name)? else { return Ok(None) };
    let path = || name.trim_start_matches(STATIC).trim_start_matches(':').to_owned();
    let values = Values::parse(&text).map_err(|source| LoadError::Values { path: path(), source })?;
    Ok(Some(StaticEvaluator::new(values)))
}

/// The evaluator that `name` stands for.
///
/// # Errors
/// When none has this name, or its file is at fault.
pub fn factory(name: &str) -> Result<Factory, LoadError> {
    let evaluator = static_evaluator(name)?.ok_or_else(|| LoadError::Unknown { name: name.to_owned() })?;
    Ok(Box::new(move || Box::new(evaluator.clone())))
}

/// A text that differs between static evaluations that differ in their values; `None` if `name` is not one.
///
/// # Errors
/// When its file is at fault.
pub fn identity(name: &str) -> Result<Option<String>, LoadError> {
    Ok(static_evaluator(name)?.map(|evaluator| format!("{STATIC}\n{:?}", evaluator.values)))
}

/// The text of the values of the static evaluation that `name` stands for, if it is one.
fn values_text(name: &str) -> Result<Option<String>, LoadError> {
    if name == STATIC {
        return Ok(Some(default_values_text().to_owned()));
    }
    let Some(path) = name.strip_prefix(STATIC).and_then(|rest| rest.strip_prefix(':')) else { return Ok(None) };
    let text = std::fs::read_to_string(path).map_err(|source| LoadError::Read { path: path.to_owned(), source })?;
    Ok(Some(text))
}
