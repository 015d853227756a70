//! Exact fractions of object counts.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

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
    pub const fn new(numerator: u64, denominator: u64) -> Self {
        Self { numerator, denominator }
    }

    /// The share in [0, 1]; 1 for 0/0, the share of an empty set that is in any set.
    pub fn value(self) -> f64 {
        if self.denominator == 0 { 1.0 } else { self.numerator as f64 / self.denominator as f64 }
    }

    /// Compares two shares exactly: 4/6 and 2/3 are equal, 0/0 is 1.
    pub fn compare(self, other: Self) -> Ordering {
        let parts = |f: Self| if f.denominator == 0 { (1, 1) } else { (f.numerator.into(), f.denominator.into()) };
        let ((a, b), (c, d)): ((u128, u128), (u128, u128)) = (parts(self), parts(other));
        (a * d).cmp(&(c * b))
    }

    /// 1 - this share.
    ///
    /// # Panics
    /// In builds with overflow checks, when the share is above 1.
    pub const fn complement(self) -> Self {
        Self::new(self.denominator - self.numerator, self.denominator)
    }
}

/// A text that is no fraction.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a number such as 0.8 or a fraction such as 4/5, found `{0}`")]
pub struct NotAFraction(String);

impl FromStr for Fraction {
    type Err = NotAFraction;

    /// Reads `4/5`, or a decimal number with at most 18 decimals, exactly: `0.8` is 8/10.
    ///
    /// ```
    /// use roughboard::rough::Fraction;
    /// assert_eq!("0.85".parse(), Ok(Fraction::new(85, 100)));
    /// assert!("-1".parse::<Fraction>().is_err());
    /// ```
    fn from_str(text: &str) -> Result<Self, NotAFraction> {
        let parsed = match text.split_once('/') {
            Some((above, below)) => quotient(above, below),
            None => decimal(text),
        };
        parsed.ok_or_else(|| NotAFraction(text.to_owned()))
    }
}

fn quotient(above: &str, below: &str) -> Option<Fraction> {
    let (numerator, denominator) = (whole(above)?, whole(below)?);
    (denominator > 0).then_some(Fraction { numerator, denominator })
}

/// 10 to this power is below 2⁶⁴ with room for the digits before the point.
const MAX_DECIMALS: usize = 18;

fn decimal(text: &str) -> Option<Fraction> {
    let (before, after) = text.split_once('.').unwrap_or((text, ""));
    let denominator = if after.len() <= MAX_DECIMALS { 10_u64.pow(after.len() as u32) } else { return None };
    let digits = |text: &str| if text.is_empty() { Some(0) } else { whole(text) };
    let is_bare = before.is_empty() && after.is_empty();
    let numerator = digits(before).filter(|_| !is_bare)?.checked_mul(denominator)?.checked_add(digits(after)?)?;
    Some(Fraction { numerator, denominator })
}

/// Digits only: no sign.
fn whole(digits: &str) -> Option<u64> {
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_exactly() {
        let read = |text: &str| text.parse::<Fraction>().ok();
        assert_eq!(read("1"), Some(Fraction::new(1, 1)));
        assert_eq!(read("0.05"), Some(Fraction::new(5, 100)));
        assert_eq!(read("2/3"), Some(Fraction::new(2, 3)));
        assert_eq!((read(".75"), read("2.")), (Some(Fraction::new(75, 100)), Some(Fraction::new(2, 1))));
        for bad in ["", ".", "-0.5", "+1", "1/0", "1e-3", "0.5.5", "1/2/3", "0.1234567890123456789", "x"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn shares_compare_exactly() {
        let compare = |a: (u64, u64), b: (u64, u64)| Fraction::new(a.0, a.1).compare(Fraction::new(b.0, b.1));
        assert_eq!(compare((4, 6), (2, 3)), Ordering::Equal);
        assert_eq!(compare((u64::MAX - 1, u64::MAX), (1, 1)), Ordering::Less);
        assert_eq!(compare((0, 0), (1, 1)), Ordering::Equal);
        assert_eq!(Fraction::new(8, 10).complement(), Fraction::new(2, 10));
    }
}
