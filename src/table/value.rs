//! Values of attributes.

use std::cmp::Ordering;
use std::fmt;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize, Serializer};

use super::interval::{Interval, written};

/// A value of an attribute. Within a column all values but [`Value::Missing`] are of one kind.
///
/// The order is that of the domain of an attribute: numbers and intervals by size, text by code points, a missing value
/// last.
///
/// As JSON it is a boolean, a number, a text or null; an interval is the text that it shows, and such a text an interval. Infinite numbers
/// are the texts `inf` and `-inf`, as JSON has no other form for them.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// False before true.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A real number; not a NaN, which is read as missing.
    Real(f64),
    /// The numbers between two cut points: what discretisation makes of numbers.
    Interval(Interval),
    /// A text.
    Text(String),
    /// No value was given: a value of its own, equal to itself, shown as `?`.
    Missing,
}

impl Value {
    /// A text value.
    pub fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// The whole number that this value is, if it is one.
    pub const fn as_integer(&self) -> Option<i64> {
        if let Self::Integer(number) = self { Some(*number) } else { None }
    }

    /// The number that this value is, if it is one.
    pub const fn as_real(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Real(number) => Some(*number),
            _ => None,
        }
    }

    /// What kind of value this is, in one word.
    pub const fn kind(&self) -> &'static str {
        ["boolean", "integer", "real", "interval", "text", "missing"][self.rank()]
    }

    /// What a rule says of an attribute that has this value: `= won`, `<= 2.45`, `in (2.45, 4.75]`; of the interval of all
    /// numbers `is known`.
    pub fn condition(&self) -> String {
        let Self::Interval(interval) = self else { return format!("= {self}") };
        match (interval.low().is_finite(), interval.high().is_finite()) {
            (true, true) => format!("in {interval}"),
            (false, false) => "is known".to_owned(),
            _ => interval.to_string(),
        }
    }

    /// Where values of this kind stand among those of other kinds.
    const fn rank(&self) -> usize {
        match self {
            Self::Boolean(_) => 0,
            Self::Integer(_) => 1,
            Self::Real(_) => 2,
            Self::Interval(_) => 3,
            Self::Text(_) => 4,
            Self::Missing => 5,
        }
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Boolean(a), Self::Boolean(b)) => a.cmp(b),
            (Self::Integer(a), Self::Integer(b)) => a.cmp(b),
            (Self::Real(a), Self::Real(b)) => a.total_cmp(b),
            (Self::Interval(a), Self::Interval(b)) => a.cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Boolean(value) => out.serialize_bool(*value),
            Self::Integer(value) => out.serialize_i64(*value),
            Self::Real(value) if value.is_infinite() => out.collect_str(value),
            Self::Real(value) => out.serialize_f64(*value),
            Self::Interval(value) => value.serialize(out),
            Self::Text(value) => out.serialize_str(value),
            Self::Missing => out.serialize_unit(),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(value) => value.fmt(f),
            Self::Integer(value) => value.fmt(f),
            Self::Real(value) => written(*value).fmt(f),
            Self::Interval(value) => value.fmt(f),
            Self::Text(value) => value.fmt(f),
            Self::Missing => f.write_str("?"),
        }
    }
}

/// The places of the first two values that are one real number, though they are `spelled` otherwise where they come from.
///
/// ```
/// use roughboard::table::{Value, fallen_together};
/// let (digits, values) = (["0.5", "0.1", "0.10000000000000000001"], [0.5, 0.1, 0.1].map(Value::Real));
/// assert_eq!(fallen_together(values.iter().map(Some), |at| digits[at].to_owned()), Some((1, 2)));
/// ```
pub fn fallen_together<'v>(
    values: impl Iterator<Item = Option<&'v Value>>,
    spelled: impl Fn(usize) -> String,
) -> Option<(usize, usize)> {
    let mut first = FxHashMap::default();
    values.enumerate().find_map(|(at, value)| {
        let Some(Value::Real(real)) = value else { return None };
        let like = *first.entry(real.to_bits()).or_insert(at);
        (like != at && spelled(like) != spelled(at)).then_some((like, at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_order_within_their_kind_and_missing_comes_last() {
        assert!(Value::Integer(-7) < Value::Integer(2));
        assert!(Value::Real(2.0) < Value::Real(10.0));
        assert!(Value::text("10") < Value::text("9"));
        assert!(Value::text("z") < Value::Missing);
        assert_eq!(Value::Missing, Value::Missing);
    }

    #[test]
    fn parsing_undoes_display() {
        let interval = Value::Interval(Interval::new(0.5, 2.0).unwrap());
        let infinite = Value::Real(f64::NEG_INFINITY);
        let numbers = [Value::Integer(-1), Value::Real(0.5), infinite];
        let others = [Value::text("won"), Value::Missing, Value::Boolean(true), interval];
        for value in numbers.into_iter().chain(others).chain(["007", "-00.5"].map(Value::text)) {
            assert_eq!(Value::parse(&value.to_string()), value);
        }
    }

    #[test]
    fn conditions_read_as_sentences() {
        let said = |text: &str| Value::parse(text).condition();
        assert_eq!(["won", "3", "<= 2.5", "> 1", "(1, 2]"].map(said), ["= won", "= 3", "<= 2.5", "> 1", "in (1, 2]"]);
        assert_eq!(said("(-inf, inf)"), "is known");
    }
}
