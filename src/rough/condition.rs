//! Conditions of rules: a value, or an interval of values, of one attribute.

use std::fmt;

use crate::table::discretize::cut_between;
use crate::table::{AttrIdx, DecisionTable, Value};

/// Words of the text form of rules; a name or value that is one of them is quoted.
const WORDS: [&str; 12] = ["IF", "AND", "THEN", "ALWAYS", "=", "<", "<=", ">", ">=", "?", "is", "in"];

/// A condition on one attribute: it has a certain value, or a number in a certain interval.
///
/// Domains ascend, so that an interval of values is a range of codes; a missing value, the last of its domain, is no
/// part of it. An interval that holds one value of the table is not the same as that value: it goes halfway to the
/// neighbouring values, which matters in another table. A condition whose `first` is above its `last` holds for
/// nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition {
    /// The attribute.
    pub attr: AttrIdx,
    /// The lowest code.
    pub first: u32,
    /// The highest code.
    pub last: u32,
    /// Whether it is an interval; if not, `first` and `last` are the one value.
    pub interval: bool,
}

impl Condition {
    /// The attribute has the value with this code.
    pub const fn value(attr: AttrIdx, code: u32) -> Self {
        Self { attr, first: code, last: code, interval: false }
    }

    /// The attribute has a value with a code in `first..=last`.
    pub const fn interval(attr: AttrIdx, first: u32, last: u32) -> Self {
        Self { attr, first, last, interval: true }
    }

    /// The condition on `attr` that nothing meets.
    pub const fn never(attr: AttrIdx) -> Self {
        Self { attr, first: 1, last: 0, interval: true }
    }

    /// The code of the value that it asks for; `None` if it is an interval.
    pub const fn code(self) -> Option<u32> {
        if self.interval { None } else { Some(self.first) }
    }

    /// Whether it holds for the value with this code.
    #[inline]
    pub const fn holds(self, code: u32) -> bool {
        self.first <= code && code <= self.last
    }

    /// Whether the object `row` of `table` meets it.
    ///
    /// # Panics
    /// When there is no such attribute or object.
    pub fn matches(self, table: &DecisionTable, row: usize) -> bool {
        self.holds(table.attribute(self.attr).code(row))
    }

    /// Whether every value that meets this condition meets `other`, which is on the same attribute.
    pub const fn implies(self, other: Self) -> bool {
        self.attr.index() == other.attr.index() && other.first <= self.first && self.last <= other.last
    }

    /// The interval [low, high) of an interval condition, its bounds midway between neighbouring values of `table`
    /// (for values that are not numbers, the first value above the gap). `None` where there is no bound.
    ///
    /// # Panics
    /// When the table has no such attribute or codes.
    pub fn bounds(self, table: &DecisionTable) -> (Option<Value>, Option<Value>) {
        let domain = table.attribute(self.attr).domain();
        let cut = |above: usize| cut_between(&domain[above - 1], &domain[above]);
        let (first, next) = (self.first as usize, self.last as usize + 1);
        let low = (first > 0).then(|| cut(first));
        (low, (next < known(domain)).then(|| cut(next)))
    }

    /// The condition in words, with the names and values of `table`.
    pub(super) fn display(self, table: &DecisionTable) -> impl fmt::Display {
        fmt::from_fn(move |f| {
            let attribute = table.attribute(self.attr);
            let name = word(attribute.name());
            if let Some(code) = self.code() {
                return write!(f, "{name} {}", value_condition(&attribute.domain()[code as usize]));
            }
            if self.first > self.last {
                return write!(f, "{name} is none");
            }
            let (low, high) = self.bounds(table);
            match (low.as_ref().map(value_word), high.as_ref().map(value_word)) {
                (Some(low), Some(high)) => write!(f, "{low} <= {name} < {high}"),
                (Some(low), None) => write!(f, "{name} >= {low}"),
                (None, Some(high)) => write!(f, "{name} < {high}"),
                (None, None) => write!(f, "{name} is known"),
            }
        })
    }
}

/// Drops the conditions that are not needed: each is tried in order, without those dropped before.
pub(super) fn drop_needless(conditions: &mut Vec<Condition>, suffice: impl Fn(&[Condition]) -> bool) {
    let mut at = 0;
    while at < conditions.len() {
        let condition = conditions.remove(at);
        if !suffice(conditions) {
            conditions.insert(at, condition);
            at += 1;
        }
    }
}

/// The number of values of a domain that an interval may hold, which are the codes below it: the numbers where a domain begins with some,
/// as other values stand behind them where tables are widened for saved rules; else all that are not missing.
pub(super) fn known(domain: &[Value]) -> usize {
    match domain.partition_point(|value| value.as_real().is_some()) {
        0 => domain.len() - usize::from(domain.last() == Some(&Value::Missing)),
        n_numbers => n_numbers,
    }
}

/// A name or value as it stands in a rule: quoted, quotes doubled, if it could be read as anything else.
pub(super) fn word(text: &str) -> String {
    let plain = !text.is_empty() && !WORDS.contains(&text) && !text.contains(|c: char| c.is_whitespace() || c == '"');
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

/// A value as it stands in a rule; a missing value is a bare `?`.
pub(super) fn value_word(value: &Value) -> String {
    if let Value::Text(text) = value { word(text) } else { value.to_string() }
}

/// What a rule says of an attribute that has this value: `= soft`, `in (2.45, 4.75]`.
pub(super) fn value_condition(value: &Value) -> String {
    if matches!(value, Value::Interval(_)) { value.condition() } else { format!("= {}", value_word(value)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Attribute, Weights};

    fn table(values: Vec<Value>) -> DecisionTable {
        let decision = Attribute::from_integers("d", vec![0; values.len()]);
        DecisionTable::new(vec![Attribute::from_values("body mass", &values)], decision, Weights::Unit).unwrap()
    }

    #[test]
    fn intervals_read_by_their_cuts() {
        let table = table(vec![Value::Integer(1), Value::Integer(2), Value::Integer(5), Value::Missing]);
        let read = |first, last| Condition::interval(AttrIdx::new(0), first, last).display(&table).to_string();
        assert_eq!(read(0, 1), "\"body mass\" < 3.5");
        assert_eq!(read(1, 1), "1.5 <= \"body mass\" < 3.5");
        assert_eq!(read(2, 2), "\"body mass\" >= 3.5");
        assert_eq!(read(0, 2), "\"body mass\" is known");
        let value = |code| Condition::value(AttrIdx::new(0), code).display(&table).to_string();
        assert_eq!((value(1), value(3)), ("\"body mass\" = 2".to_owned(), "\"body mass\" = ?".to_owned()));
        assert_eq!(Condition::never(AttrIdx::new(0)).display(&table).to_string(), "\"body mass\" is none");
    }

    #[test]
    fn words_that_could_be_misread_are_quoted() {
        let cases = [("soft", "soft"), ("very high", "\"very high\""), ("AND", "\"AND\""), ("?", "\"?\"")];
        let more = [("", "\"\""), ("6\" pipe", "\"6\"\" pipe\""), ("a,b", "a,b"), ("x=1", "x=1")];
        for (text, expected) in cases.into_iter().chain(more) {
            assert_eq!(word(text), expected);
        }
        assert_eq!(value_word(&Value::Missing), "?");
    }

    #[test]
    fn a_narrower_condition_implies_a_wider_one() {
        let of = |first, last| Condition::interval(AttrIdx::new(2), first, last);
        assert!(of(2, 3).implies(of(1, 3)) && of(2, 3).implies(of(2, 3)) && !of(1, 3).implies(of(2, 3)));
        assert!(!of(2, 3).implies(Condition::interval(AttrIdx::new(1), 0, 9)));
        assert!(of(2, 3).holds(3) && !of(2, 3).holds(4));
    }
}
