//! Files of facts that must come out exactly, and the account of which did.

pub mod rough_tables;

use std::fmt::Debug;

/// One fact that did not come out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The fact.
    pub what: String,
    /// What the file says.
    pub expected: String,
    /// What was computed.
    pub got: String,
}

/// The account of checked facts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of facts checked.
    pub checked: usize,
    /// Those that did not come out.
    pub failures: Vec<Failure>,
}

impl Report {
    /// Checks one fact, called `what`.
    pub fn expect<T: PartialEq + Debug>(&mut self, what: impl FnOnce() -> String, expected: &T, got: &T) {
        self.checked += 1;
        if expected != got {
            let (expected, got) = (format!("{expected:?}"), format!("{got:?}"));
            self.failures.push(Failure { what: what(), expected, got });
        }
    }
}
