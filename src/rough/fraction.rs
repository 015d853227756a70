//! Exact fractions of object counts.

use std::fmt;

/// A share |X| / |Y| of weighted objects, kept as it was counted and not reduced: 4/6 says that there were 6 objects.
///
/// `Eq` compares numerator and denominator; [`Fraction::value`] compares shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fraction {
    /// |X|.
    pub numerator: u64,
    /// |Y|.
    pub denominator: u64,
}

impl Fraction {
    /// `numerator` / `denominator`.
    #[must_use]
    pub const fn new(numerator: u64, denominator: u64) -> Self {
        Self { numerator, denominator }
    }

    /// The share in [0, 1]; 1 for 0/0, the share of an empty set that is in any set.
    #[must_use]
    pub fn value(self) -> f64 {
        if self.denominator == 0 { 1.0 } else { self.numerator as f64 / self.denominator as f64 }
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}
