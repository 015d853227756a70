//! What each sign is worth, fitted on game records.

use std::collections::BTreeMap;

use super::signs::{Sign, Signs};
use super::tables::PositionTables;
use super::terms::Term;

/// The committed weights, in points.
const FITTED: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/xiangqi-evaluation/weights.json"));

/// All that was fitted: the values of points (e2) and of signs (e4, e5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameters {
    /// e2.
    pub tables: PositionTables,
    /// What one of each sign is worth to the side that has it, in points.
    pub weights: Signs,
}

impl Parameters {
    /// The parameters that come with the library.
    pub fn fitted() -> Self {
        // A test proves that the embedded text is valid; without weights the terms are zero.
        Self { tables: PositionTables::fitted(), weights: weights_from_json(FITTED).unwrap_or(Signs::ZERO) }
    }
}

/// Why a text holds no weights.
#[derive(Debug, thiserror::Error)]
pub enum WeightsError {
    /// It is not JSON of the right shape.
    #[error("weights must be a JSON object of terms to objects of signs to whole numbers")]
    Json(#[from] serde_json::Error),
    /// A sign is missing.
    #[error("weights lack the sign `{sign}` of the term `{term}`")]
    Missing {
        /// The sign.
        sign: &'static str,
        /// Its term.
        term: &'static str,
    },
}

/// Reads the points of every sign, an object of names by term.
///
/// # Errors
/// When the text is no such object, or lacks a sign.
pub fn weights_from_json(text: &str) -> Result<Signs, WeightsError> {
    let terms: BTreeMap<String, BTreeMap<String, i16>> = serde_json::from_str(text)?;
    let mut weights = Signs::ZERO;
    for &sign in Sign::ALL {
        let missing = WeightsError::Missing { sign: sign.name(), term: sign.term().name() };
        let found = terms.get(sign.term().name()).and_then(|signs| signs.get(sign.name()));
        weights.set(sign, *found.ok_or(missing)?);
    }
    Ok(weights)
}

/// Writes weights as [`weights_from_json`] reads them, one sign a line.
pub fn weights_to_json(weights: &Signs) -> String {
    let lines_of = |term: Term| -> Vec<String> {
        let signs = Sign::ALL.iter().filter(|sign| sign.term() == term);
        signs.map(|&sign| format!("    \"{}\": {}", sign.name(), weights.get(sign))).collect()
    };
    let terms = [Term::Coordination, Term::King, Term::Threats]
        .map(|term| format!("  \"{}\": {{\n{}\n  }}", term.name(), lines_of(term).join(",\n")));
    format!("{{\n{}\n}}\n", terms.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_weights_are_valid() {
        let weights = weights_from_json(FITTED).unwrap();
        assert_eq!(weights_to_json(&weights), FITTED);
        assert_eq!(weights.get(Sign::HandInHand), 120, "S3 fixes this one");
    }

    #[test]
    fn a_missing_sign_is_named() {
        let error = weights_from_json("{\"coordination\": {\"pawns hand in hand\": 120}}").unwrap_err();
        assert_eq!(error.to_string(), "weights lack the sign `linked horses` of the term `coordination`");
    }
}
