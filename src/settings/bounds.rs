//! Ranges of numbers.

use std::fmt;
use std::ops::{Range, RangeFrom, RangeInclusive, RangeToInclusive};

use super::error::{SettingError, require};

/// What a number may be at least and at most; by default anything.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bounds {
    least: Option<End>,
    most: Option<End>,
}

/// One end of a range.
#[derive(Debug, Clone, PartialEq)]
struct End {
    value: f64,
    is_open: bool,
    text: String,
}

/// A number that can be the end of a range.
pub trait Number: Copy {
    /// The number itself, or the next one that there is.
    fn real(self) -> f64;

    /// The number as messages show it.
    fn text(self) -> String;
}

macro_rules! whole {
    ($($number:ty)+) => {$(
        impl Number for $number {
            fn real(self) -> f64 {
                self as f64
            }

            fn text(self) -> String {
                self.to_string()
            }
        }
    )+};
}

whole!(u32 i32 u64 usize);

impl Number for f64 {
    fn real(self) -> f64 {
        self
    }

    fn text(self) -> String {
        let is_handy = self == 0.0 || (1e-4..1e6).contains(&self.abs());
        if is_handy { self.to_string() } else { format!("{self:e}") }
    }
}

fn closed(number: impl Number) -> Option<End> {
    Some(End { value: number.real(), is_open: false, text: number.text() })
}

fn open(number: impl Number) -> Option<End> {
    Some(End { value: number.real(), is_open: true, text: number.text() })
}

/// Numbers above `least`, which is none of them.
pub fn above(least: impl Number) -> Bounds {
    Bounds { least: open(least), most: None }
}

/// Checks that a number is within the bounds of a setting, which its range is told from.
///
/// # Errors
/// When it is not, with the setting's name, range and value.
///
/// ```
/// use roughboard::settings::require_in;
/// let error = require_in("lambda", 0.0..=1.0, 1.5).unwrap_err();
/// assert_eq!(error.to_string(), "`lambda` must be in [0, 1], got 1.5");
/// ```
pub fn require_in(setting: &str, bounds: impl Into<Bounds>, found: impl Number) -> Result<(), SettingError> {
    let bounds = bounds.into();
    require(bounds.contain(found.real()), setting, &bounds.to_string(), found.text())
}

impl Bounds {
    /// The same numbers up to `most`.
    #[must_use]
    pub fn up_to(self, most: impl Number) -> Self {
        Self { most: closed(most), ..self }
    }

    /// The same numbers below `most`.
    #[must_use]
    pub fn below(self, most: impl Number) -> Self {
        Self { most: open(most), ..self }
    }

    /// Whether a number is one of them; what is no finite number is only where there are no bounds.
    pub(crate) fn contain(&self, number: f64) -> bool {
        let above = |end: &End| number > end.value || (!end.is_open && number == end.value);
        let below = |end: &End| number < end.value || (!end.is_open && number == end.value);
        let is_bounded = self.least.is_some() || self.most.is_some();
        (!is_bounded || number.is_finite()) && self.least.iter().all(above) && self.most.iter().all(below)
    }

    /// The least and the greatest whole number within both these bounds and `limits`.
    pub fn whole(&self, limits: (i64, i64)) -> (i64, i64) {
        let end = |end: &Option<End>| end.as_ref().map(|end| end.value as i64);
        (end(&self.least).unwrap_or(limits.0).max(limits.0), end(&self.most).unwrap_or(limits.1).min(limits.1))
    }
}

/// As messages say it, such as `in (0, 1]` and `at least 1`; nothing without bounds.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.least, &self.most) {
            (Some(least), Some(most)) => {
                let (left, right) = (if least.is_open { '(' } else { '[' }, if most.is_open { ')' } else { ']' });
                write!(f, "in {left}{}, {}{right}", least.text, most.text)
            }
            (Some(least), None) => write!(f, "{} {}", if least.is_open { "above" } else { "at least" }, least.text),
            (None, Some(most)) => write!(f, "{} {}", if most.is_open { "below" } else { "at most" }, most.text),
            (None, None) => Ok(()),
        }
    }
}

impl<T: Number> From<RangeInclusive<T>> for Bounds {
    fn from(range: RangeInclusive<T>) -> Self {
        Self { least: closed(*range.start()), most: closed(*range.end()) }
    }
}

impl<T: Number> From<Range<T>> for Bounds {
    fn from(range: Range<T>) -> Self {
        Self { least: closed(range.start), most: open(range.end) }
    }
}

impl<T: Number> From<RangeFrom<T>> for Bounds {
    fn from(range: RangeFrom<T>) -> Self {
        Self { least: closed(range.start), most: None }
    }
}

impl<T: Number> From<RangeToInclusive<T>> for Bounds {
    fn from(range: RangeToInclusive<T>) -> Self {
        Self { least: None, most: closed(range.end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_written_as_they_are_meant() {
        let texts = |bounds: &[Bounds]| bounds.iter().map(Bounds::to_string).collect::<Vec<_>>();
        let all = [
            (1..=64).into(),
            (0.0..1.0).into(),
            above(0.0).up_to(1e9),
            above(0.5).below(1.0),
            (1..).into(),
            (1e-9..=1.0).into(),
            Bounds::default(),
        ];
        assert_eq!(
            texts(&all),
            ["in [1, 64]", "in [0, 1)", "in (0, 1e9]", "in (0.5, 1)", "at least 1", "in [1e-9, 1]", ""]
        );
    }

    #[test]
    fn ends_belong_to_closed_ranges_alone() {
        let half = above(0.0).up_to(1.0);
        assert_eq!(
            [0.0, 1e-300, 1.0, 1.1, f64::NAN].map(|number| half.contain(number)),
            [false, true, true, false, false]
        );
        assert!(!Bounds::from(1..).contain(f64::INFINITY) && Bounds::default().contain(f64::INFINITY));
        assert_eq!(Bounds::from(1..=64).whole((0, 10)), (1, 10));
    }
}
