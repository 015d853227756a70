//! An attribute: its name, its value set V_a, and the code of each object's value.

use super::codes::Codes;
use super::error::TableError;
use super::lent::Held;
use super::value::Value;

/// A named column of dictionary codes. Code `c` stands for `domain()[c]`, and the domain is in ascending order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    name: String,
    domain: Vec<Value>,
    codes: Held,
}

impl Attribute {
    /// An attribute from codes that are already there, or from bytes that stand for them. Codes in a type wider than needed
    /// are narrowed.
    ///
    /// # Errors
    /// When the domain is not strictly ascending, or a code lies outside it.
    pub fn new(name: impl Into<String>, domain: Vec<Value>, codes: impl Into<Held>) -> Result<Self, TableError> {
        let (name, codes) = (name.into(), codes.into());
        if let Some(at) = domain.windows(2).position(|pair| pair[0] >= pair[1]) {
            let (before, after) = (domain[at].to_string(), domain[at + 1].to_string());
            return Err(TableError::UnsortedDomain { column: name, before, after });
        }
        match codes.most() {
            Some(code) if code as usize >= domain.len() => {
                Err(TableError::CodeOutsideDomain { column: name, code, n_values: domain.len() })
            }
            _ => Ok(Self { codes: codes.narrowed(domain.len()), name, domain }),
        }
    }

    /// An attribute from one value per object; the domain is the set of the values.
    pub fn from_values(name: impl Into<String>, values: &[Value]) -> Self {
        let mut domain: Vec<&Value> = values.iter().collect();
        domain.sort_unstable();
        domain.dedup();
        let code = |value: &Value| domain.partition_point(|v| *v < value) as u32;
        let codes = Codes::narrow(values.iter().map(code).collect(), domain.len()).into();
        Self { name: name.into(), domain: domain.into_iter().cloned().collect(), codes }
    }

    /// An attribute from one whole number per object.
    ///
    /// ```
    /// use roughboard::table::{Attribute, Value};
    ///
    /// let age = Attribute::from_integers("age", [31, -1, 31]);
    /// assert_eq!(age, Attribute::from_values("age", &[31, -1, 31].map(Value::Integer)));
    /// ```
    pub fn from_integers(name: impl Into<String>, numbers: impl IntoIterator<Item = i64>) -> Self {
        Self::from_values(name, &numbers.into_iter().map(Value::Integer).collect::<Vec<_>>())
    }

    /// An attribute from a dictionary in any order, in which values may repeat: `codes` are places in `values`.
    pub(crate) fn from_codes(name: &str, values: &[Value], mut codes: Codes) -> Self {
        let sorted = Self::from_values(name, values);
        // There may be more values than the codes count.
        codes.widen(sorted.n_values());
        let places: Vec<u32> = values.iter().map(|value| sorted.code_of(value).unwrap_or_default()).collect();
        let is_in_order = places.iter().zip(0..).all(|(&place, at)| place == at);
        let codes = if is_in_order { codes.narrowed(values.len()) } else { codes.replaced(&places, sorted.n_values()) };
        Self { codes: codes.into(), ..sorted }
    }

    /// As [`Attribute::from_codes`], and the domain holds only values that occur.
    pub(super) fn from_used(name: &str, values: Vec<Value>, codes: Codes) -> Self {
        let used = codes.used(values.len());
        if used.iter().all(|used| *used) {
            return Self::from_codes(name, &values, codes);
        }
        let (mut occurring, mut places) = (Vec::new(), Vec::new());
        for (value, used) in values.into_iter().zip(used) {
            places.push(occurring.len() as u32);
            occurring.extend(used.then_some(value));
        }
        Self::from_codes(name, &occurring, codes.replaced(&places, occurring.len()))
    }

    /// The attribute with each value replaced; values that become equal are made one, and the domain holds only values
    /// that occur.
    pub(super) fn mapped(&self, replace: impl Fn(&Value) -> Value) -> Self {
        Self::from_used(&self.name, self.domain.iter().map(replace).collect(), self.codes().clone())
    }

    /// The name of the column.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value set V_a in ascending order; index = code.
    pub fn domain(&self) -> &[Value] {
        &self.domain
    }

    /// The number of values, |V_a|.
    pub fn n_values(&self) -> usize {
        self.domain.len()
    }

    /// The code of each object; those of bytes that are lent are made when they are first asked for.
    #[inline]
    pub fn codes(&self) -> &Codes {
        self.codes.codes()
    }

    /// What the codes are made of.
    pub(super) const fn held(&self) -> &Held {
        &self.codes
    }

    /// The kind of the values in one word, as [`Value::kind`] names it; `missing` if there are no others.
    pub fn kind(&self) -> &'static str {
        // Missing values come last, so the first value tells.
        self.domain.first().map_or("missing", Value::kind)
    }

    /// Whether the values are numbers, whole or real.
    pub fn is_numeric(&self) -> bool {
        matches!(self.kind(), "integer" | "real")
    }

    /// The values as numbers, ascending and without the missing one; nothing if one of them is no number.
    pub(crate) fn numbers(&self) -> Option<Vec<f64>> {
        let known = self.domain.iter().filter(|value| **value != Value::Missing);
        known.map(Value::as_real).collect()
    }

    /// Whether each object's value is missing.
    pub fn missing(&self) -> Vec<bool> {
        let Some(missing) = self.code_of(&Value::Missing) else { return vec![false; self.len()] };
        (0..self.len()).map(|row| missing == self.code(row)).collect()
    }

    /// The number of objects whose value is missing.
    pub fn n_missing(&self) -> usize {
        self.rows_missing().count()
    }

    /// The objects whose value is missing.
    pub(super) fn rows_missing(&self) -> impl Iterator<Item = u32> {
        let missing = self.code_of(&Value::Missing);
        let n_rows = if missing.is_some() { self.len() as u32 } else { 0 };
        (0..n_rows).filter(move |&row| Some(self.code(row as usize)) == missing)
    }

    /// The number of objects.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of the object `row`, counted from 0.
    ///
    /// # Panics
    /// When there is no such object.
    #[inline]
    pub fn code(&self, row: usize) -> u32 {
        self.codes().get(row)
    }

    /// The value of the object `row`, counted from 0.
    ///
    /// # Panics
    /// When there is no such object.
    pub fn value(&self, row: usize) -> &Value {
        &self.domain[self.code(row) as usize]
    }

    /// The code that stands for `value`, if it is in the domain.
    pub fn code_of(&self, value: &Value) -> Option<u32> {
        self.domain.binary_search(value).ok().map(|at| at as u32)
    }

    /// The same attribute on the objects `rows`, in their order; the domain stays.
    pub fn select(&self, rows: &[u32]) -> Self {
        Self { name: self.name.clone(), domain: self.domain.clone(), codes: self.codes().select(rows).into() }
    }

    /// The codes of the objects `rows`, which ascend, without room for those of others.
    pub(crate) fn into_codes_of(self, rows: &[u32]) -> Codes {
        self.codes.into_codes().kept(rows)
    }
}

/// The names of columns.
pub(crate) fn names_of(columns: &[Attribute]) -> Vec<String> {
    columns.iter().map(|column| column.name.clone()).collect()
}

/// Where the attribute called `name` stands among `columns`.
pub(crate) fn place_of(name: &str, columns: &[Attribute]) -> Result<usize, TableError> {
    let missing = || {
        let (column, existing) = (name.to_owned(), names_of(columns));
        TableError::MissingColumn { role: "attribute column", column, existing }
    };
    columns.iter().position(|column| column.name == name).ok_or_else(missing)
}

/// `VALUE` if `column` is `decision=VALUE`.
pub fn counted_value<'a>(column: &'a str, decision: &str) -> Option<&'a str> {
    column.strip_prefix(decision)?.strip_prefix('=')
}

/// The names of columns that a list was split into at its commas, though names may have commas, too: as many `parts` as
/// are the name of one of the `columns` together are one name, and a part that begins none stays.
pub fn joined_names(parts: &[String], columns: &[String]) -> Vec<String> {
    let n_parts = |name: &String| name.split(',').count();
    let longest = columns.iter().map(n_parts).max().unwrap_or(1);
    let (mut names, mut rest) = (Vec::new(), parts);
    while !rest.is_empty() {
        let is_column = |n: &usize| columns.contains(&rest[..*n].join(","));
        let n = (2..=longest.min(rest.len())).rev().find(is_column).unwrap_or(1);
        names.push(rest[..n].join(","));
        rest = &rest[n..];
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_are_put_together_again() {
        let columns = ["a", "b, c", "d", "d,e", "b"].map(str::to_owned);
        let joined = |list: &str| joined_names(&list.split(',').map(str::to_owned).collect::<Vec<_>>(), &columns);
        assert_eq!(joined("a,b, c,d"), ["a", "b, c", "d"]);
        assert_eq!(joined("d,e,d,a"), ["d,e", "d", "a"]);
        assert_eq!(joined("b,c,x"), ["b", "c", "x"]);
        assert!(joined_names(&[], &columns).is_empty());
    }

    #[test]
    fn numbers_are_coded_by_size() {
        let values = [10, -2, 10, 9].map(Value::Integer);
        let attribute = Attribute::from_values("x", &values);
        assert_eq!(attribute.codes(), &Codes::U8(vec![2, 0, 2, 1]));
        assert_eq!(attribute.code_of(&Value::Integer(9)), Some(1));
        assert_eq!(attribute.code_of(&Value::Integer(3)), None);
    }

    #[test]
    fn codes_outside_the_domain_and_unsorted_domains_are_refused() {
        let domain = vec![Value::Integer(0), Value::Integer(1)];
        let outside = Attribute::new("x", domain.clone(), Codes::U8(vec![0, 2]));
        assert!(matches!(outside, Err(TableError::CodeOutsideDomain { code: 2, n_values: 2, .. })));
        let twice = Attribute::new("x", vec![domain[0].clone(), domain[0].clone()], Codes::U8(vec![0]));
        assert!(matches!(twice, Err(TableError::UnsortedDomain { .. })));
    }

    #[test]
    fn an_unsorted_domain_is_told_by_the_values_in_the_wrong_order() {
        let domain = |numbers: [i64; 4]| numbers.map(Value::Integer).to_vec();
        for (numbers, expected) in [([0, 1, 1, 2], ["1", "1"]), ([5, 7, 9, 8], ["9", "8"]), ([3, 2, 4, 6], ["3", "2"])]
        {
            let unsorted = Attribute::new("x", domain(numbers), Codes::U8(Vec::new()));
            let Err(TableError::UnsortedDomain { column, before, after }) = unsorted else { panic!("{numbers:?}") };
            assert_eq!([column, before, after], ["x", expected[0], expected[1]]);
        }
        let last = Attribute::new("x", domain([0, 1, 2, 3]), Codes::U16(vec![3])).unwrap();
        assert_eq!((last.codes(), last.len(), last.is_empty()), (&Codes::U8(vec![3]), 1, false));
        let outside = Attribute::new("x", domain([0, 1, 2, 3]), Codes::U8(vec![0, 4, 1]));
        assert!(matches!(outside, Err(TableError::CodeOutsideDomain { code: 4, n_values: 4, .. })));
    }

    #[test]
    fn missing_values_are_found_and_are_no_numbers() {
        let some = Attribute::from_values("x", &[Value::Missing, Value::Integer(4), Value::Missing]);
        assert_eq!((some.missing(), some.n_missing()), (vec![true, false, true], 2));
        assert_eq!(some.rows_missing().collect::<Vec<_>>(), [0, 2]);
        assert_eq!((some.kind(), some.is_numeric(), some.numbers()), ("integer", true, Some(vec![4.0])));
        let text = Attribute::from_values("x", &[Value::text("a")]);
        assert_eq!((text.missing(), text.n_missing(), text.numbers()), (vec![false], 0, None));
        let none = Attribute::from_values("x", &[Value::Missing]);
        assert_eq!((none.kind(), none.is_numeric(), none.numbers()), ("missing", false, Some(Vec::new())));
    }
}
