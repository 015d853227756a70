//! Which attributes a rough network reads: the set R.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::super::LearnError;
use crate::rough::{Method, Notion, Reduct};
use crate::settings::{Choices, one_of};
use crate::table::{AttrSet, DecisionTable};

const ALL: &str = "all";
const REDUCT: &str = "reduct";

/// Which attributes a rough network reads.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Inputs {
    /// All that describe a position.
    #[default]
    All,
    /// A reduct of the training positions' table (positive region), found in this way.
    Reduct(Method),
    /// Those of these names.
    Named(Vec<String>),
}

/// A text that names no inputs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "inputs must be `all`, `reduct`, `reduct:METHOD` with METHOD {}, or names of attributes joined by commas, got `{found}`",
    one_of(Method::NAMES)
)]
pub struct InputsError {
    /// The text.
    pub found: String,
}

impl Inputs {
    /// A reduct by backward elimination, the fastest way.
    pub const REDUCT: Self = Self::Reduct(Method::Backward);

    /// The attributes of `table` that are asked for.
    ///
    /// # Errors
    /// When the table has no attribute of a name.
    pub fn of(&self, table: &DecisionTable) -> Result<AttrSet, LearnError> {
        match self {
            Self::All => Ok(table.all_attributes()),
            Self::Reduct(method) => Ok(Reduct::of(table, Notion::Positive, *method).attrs().clone()),
            Self::Named(names) => table.attributes_called(names).map_err(LearnError::Inputs),
        }
    }
}

impl FromStr for Inputs {
    type Err = InputsError;

    fn from_str(text: &str) -> Result<Self, InputsError> {
        let wrong = || InputsError { found: text.to_owned() };
        match text.split_once(':') {
            Some((REDUCT, method)) => method.parse().map(Self::Reduct).map_err(|_| wrong()),
            Some(_) => Err(wrong()),
            None if text == ALL => Ok(Self::All),
            None if text == REDUCT => Ok(Self::REDUCT),
            None => {
                let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
                if names.iter().any(String::is_empty) { Err(wrong()) } else { Ok(Self::Named(names)) }
            }
        }
    }
}

impl fmt::Display for Inputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str(ALL),
            Self::Reduct(method) => write!(f, "{REDUCT}:{method}"),
            Self::Named(names) => f.write_str(&names.join(",")),
        }
    }
}

impl From<Inputs> for String {
    fn from(inputs: Inputs) -> Self {
        inputs.to_string()
    }
}

impl TryFrom<String> for Inputs {
    type Error = InputsError;

    fn try_from(text: String) -> Result<Self, InputsError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_named_and_read_back() {
        for &method in Method::ALL {
            let inputs: Inputs = format!("reduct:{method}").parse().unwrap();
            assert_eq!(inputs, Inputs::Reduct(method));
            assert_eq!(inputs.to_string().parse(), Ok(inputs));
        }
        assert_eq!("reduct".parse(), Ok(Inputs::REDUCT));
        assert_eq!("all".parse(), Ok(Inputs::All));
        assert_eq!("e4, side".parse(), Ok(Inputs::Named(vec!["e4".into(), "side".into()])));
        for bad in ["", "e4,", "reduct:", "reduct:best", "all:of"] {
            let error = bad.parse::<Inputs>().unwrap_err().to_string();
            assert!(error.contains("reduct:METHOD") && error.ends_with(&format!("got `{bad}`")), "{error}");
        }
    }
}
