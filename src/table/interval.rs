//! Half-open intervals of numbers: the values of a discretised attribute.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The numbers x with low < x ≤ high; low may be -∞ and high ∞.
///
/// Intervals order by their lower end, then by their upper end: the intervals between the cut points of an attribute
/// order as its numbers do.
///
/// ```
/// use roughboard::table::Interval;
/// let middle = Interval::new(2.45, 4.75).unwrap();
/// assert!(middle.contains(4.75) && !middle.contains(2.45));
/// assert_eq!(middle.to_string(), "(2.45, 4.75]");
/// assert_eq!(Interval::new(f64::NEG_INFINITY, 2.45).unwrap().to_string(), "<= 2.45");
/// assert_eq!(Interval::parse("> 4.75"), Interval::new(4.75, f64::INFINITY));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    low: f64,
    high: f64,
}

impl Interval {
    /// The interval (low, high]; none if it would be empty.
    pub fn new(low: f64, high: f64) -> Option<Self> {
        // Adding 0 makes -0 and 0 one number.
        (low < high).then_some(Self { low: low + 0.0, high: high + 0.0 })
    }

    /// The lower end, which is outside.
    pub const fn low(&self) -> f64 {
        self.low
    }

    /// The upper end, which is inside unless it is ∞.
    pub const fn high(&self) -> f64 {
        self.high
    }

    /// Whether `number` is in the interval.
    pub fn contains(&self, number: f64) -> bool {
        self.low < number && number <= self.high
    }

    /// The interval that `text` spells exactly as `Display` does; other spellings remain text, so that no text of a
    /// file is ever replaced by another.
    pub fn parse(text: &str) -> Option<Self> {
        let (low, high) = ends(text)?;
        Self::new(low, high).filter(|interval| interval.to_string() == text)
    }
}

/// The ends in a text that looks like an interval.
fn ends(text: &str) -> Option<(f64, f64)> {
    if let Some(high) = text.strip_prefix("<= ") {
        return Some((f64::NEG_INFINITY, high.parse().ok()?));
    }
    if let Some(low) = text.strip_prefix("> ") {
        return Some((low.parse().ok()?, f64::INFINITY));
    }
    let inside = text.strip_prefix('(')?.strip_suffix([']', ')'])?;
    let (low, high) = inside.split_once(", ")?;
    Some((low.parse().ok()?, high.parse().ok()?))
}

/// A real number as it is written: with an exponent where it would else have many zeros before or behind its digits.
pub(super) fn written(value: f64) -> impl fmt::Display {
    fmt::from_fn(move |f| match value.abs() {
        magnitude if magnitude.is_finite() && magnitude != 0.0 && !(1e-7..1e16).contains(&magnitude) => {
            write!(f, "{value:e}")
        }
        _ => write!(f, "{value}"),
    })
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.low.is_finite(), self.high.is_finite()) {
            (true, true) => write!(f, "({}, {}]", written(self.low), written(self.high)),
            (false, true) => write!(f, "<= {}", written(self.high)),
            (true, false) => write!(f, "> {}", written(self.low)),
            (false, false) => f.write_str("(-inf, inf)"),
        }
    }
}

impl Serialize for Interval {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Interval {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).ok_or_else(|| de::Error::custom("expected an interval"))
    }
}

impl Ord for Interval {
    fn cmp(&self, other: &Self) -> Ordering {
        self.low.total_cmp(&other.low).then(self.high.total_cmp(&other.high))
    }
}

impl PartialOrd for Interval {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Interval {}

#[cfg(test)]
mod tests {
    use super::*;

    const INFINITY: f64 = f64::INFINITY;

    #[test]
    fn parsing_undoes_display_and_takes_nothing_else() {
        for (low, high) in [(-INFINITY, INFINITY), (-INFINITY, -0.5), (1e300, INFINITY), (-2.0, 0.1), (-1e-9, 0.0)] {
            let interval = Interval::new(low, high).unwrap();
            assert_eq!(Interval::parse(&interval.to_string()), Some(interval));
        }
        for text in
            ["<=2", "<= 2.0", "> x", "> NaN", "(1,2]", "(2, 1]", "(1, 2)", "(1, 2", "[1, 2]", "<= inf", "(0, inf]"]
        {
            assert_eq!(Interval::parse(text), None, "{text}");
        }
    }

    #[test]
    fn empty_intervals_are_none_and_the_order_is_numeric() {
        assert_eq!(Interval::new(1.0, 1.0), None);
        assert_eq!(Interval::new(f64::NAN, 1.0), None);
        let ordered = ["<= 2", "(2, 10]", "(10, 30]", "> 30"].map(|text| Interval::parse(text).unwrap());
        assert!(ordered.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn the_upper_end_is_inside_and_the_lower_one_is_not() {
        let inside =
            |text: &str| [2.0, 2.5, 3.0, 4.0, 4.5].map(|number| Interval::parse(text).unwrap().contains(number));
        assert_eq!(inside("(2, 4]"), [false, true, true, true, false]);
        assert_eq!(inside("<= 3"), [true, true, true, false, false]);
        assert_eq!(inside("> 3"), [false, false, false, true, true]);
    }
}
