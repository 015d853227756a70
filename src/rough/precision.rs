//! The inclusion threshold β of variable precision rough sets.

use super::Fraction;
use crate::settings::{SettingError, require};

/// β in (0.5, 1]: the inclusion degree from which a class counts as inside a set of objects (Ziarko, *Variable
/// Precision Rough Set Model*, J. Comput. Syst. Sci. 46, 1993, with β for the degree of inclusion, not of error).
///
/// A class E is in the β-lower approximation of X if |E ∩ X| / |E| ≥ β, and in the β-upper one if it is > 1 - β.
/// Comparisons are exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Precision {
    beta: Fraction,
}

impl Precision {
    /// β = 1: Pawlak's approximations.
    pub const EXACT: Self = Self { beta: Fraction::new(1, 1) };

    /// The threshold `beta`.
    ///
    /// # Errors
    /// When it is not in (0.5, 1].
    pub fn new(beta: Fraction) -> Result<Self, SettingError> {
        let Fraction { numerator, denominator } = beta;
        let valid = numerator <= denominator && u128::from(numerator) * 2 > u128::from(denominator);
        require(valid, "beta", "in (0.5, 1]", beta.value())?;
        Ok(Self { beta })
    }

    /// β.
    pub const fn beta(self) -> Fraction {
        self.beta
    }

    /// Whether β is 1.
    pub const fn is_exact(self) -> bool {
        self.beta.numerator == self.beta.denominator
    }

    /// Whether a class with this degree of inclusion is in the β-lower approximation.
    pub fn includes(self, inclusion: Fraction) -> bool {
        inclusion.compare(self.beta).is_ge()
    }

    /// Whether a class with this degree of inclusion is in the β-upper approximation.
    pub fn admits(self, inclusion: Fraction) -> bool {
        inclusion.compare(self.beta.complement()).is_gt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thresholds_themselves_are_decided_exactly() {
        let precision = Precision::new("0.7".parse().unwrap()).unwrap();
        assert!(precision.includes(Fraction::new(7, 10)) && !precision.includes(Fraction::new(699, 1000)));
        assert!(!precision.admits(Fraction::new(3, 10)) && precision.admits(Fraction::new(301, 1000)));
    }

    #[test]
    fn beta_must_be_above_one_half_and_at_most_one() {
        for bad in ["0.5", "1.01", "0"] {
            let error = Precision::new(bad.parse().unwrap()).unwrap_err();
            assert!(error.to_string().starts_with("`beta` must be in (0.5, 1], got "), "{error}");
        }
        assert!(Precision::new(Fraction::new(0, 0)).is_err());
        assert!(Precision::new("0.51".parse().unwrap()).is_ok());
    }
}
