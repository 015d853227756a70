//! What Connect6 offers by name: the static evaluation with its values.

use super::reasons::reasons;
use super::{StaticEvaluator, Values, ValuesError, default_values_text, handset_values_text};
use crate::eval::catalogue::{BuiltIn, Catalogue, FeaturesError, LoadError};
use crate::features::patterns64::PatternCounts;
use crate::games::connect6::Connect6;
use crate::settings::Choice;

/// The name under which the command line knows the static evaluation; `static:FILE` takes its values from a file.
const STATIC: &str = "static";

/// The name of the static evaluation with values set by hand, as S2 and other programs have them: `static` is fitted to recorded
/// games.
const STATIC_HANDSET: &str = "static-handset";

/// Why the values of a static evaluation could not be had.
#[derive(Debug, thiserror::Error)]
pub enum StaticError {
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

impl Catalogue for Connect6 {
    type Features = PatternCounts;

    const FEATURES: &'static [Choice] = &PatternCounts::NAMES;
    const NAMES: &'static [&'static str] = &[STATIC, STATIC_HANDSET, "tdbp"];
    const EVALUATORS: &'static str = "`static`, fitted to recorded games; `static-handset` with values set by hand; `static:FILE` with \
        the values of a file, such as those that `roughboard eval` prints; or a network: `tdbp`, \
        which comes with the program, the folder of a run of `roughboard train`, or the `.safetensors` file in it.";
    const DEFAULT_EVALUATOR: &'static str = STATIC;
    const BEST: &'static str = "tdbp";

    fn features(name: &str) -> Result<PatternCounts, FeaturesError> {
        PatternCounts::from_name(name).ok_or_else(|| FeaturesError::of::<Self>(name))
    }

    fn built_in(name: &str) -> Result<Option<BuiltIn<Self>>, LoadError> {
        let Some(evaluator) = static_evaluator(name)? else { return Ok(None) };
        let identity = format!("{STATIC}\n{:?}", evaluator.values);
        Ok(Some(BuiltIn::of(evaluator, identity, |evaluator, position| reasons(&evaluator.explain(position)))))
    }

    fn default_values() -> Option<&'static str> {
        Some(default_values_text())
    }
}

/// The static evaluation that `name` stands for, if it is one.
///
/// # Errors
/// When its file cannot be read or does not state the values.
pub fn static_evaluator(name: &str) -> Result<Option<StaticEvaluator>, LoadError> {
    let values = match name.strip_prefix(STATIC) {
        _ if name == STATIC_HANDSET => parse_values(name, handset_values_text()),
        Some("") => parse_values(STATIC, default_values_text()),
        Some(rest) if rest.starts_with(':') => read_values(&rest[1..]),
        _ => return Ok(None),
    };
    values.map(|values| Some(StaticEvaluator::new(values))).map_err(|error| LoadError::built_in(name, error))
}

/// The values in the file `path`.
fn read_values(path: &str) -> Result<Values, StaticError> {
    let text = std::fs::read_to_string(path).map_err(|source| StaticError::Read { path: path.to_owned(), source })?;
    parse_values(path, &text)
}

/// The values that the `text` of `path` states.
fn parse_values(path: &str, text: &str) -> Result<Values, StaticError> {
    Values::parse(text).map_err(|source| StaticError::Values { path: path.to_owned(), source })
}
