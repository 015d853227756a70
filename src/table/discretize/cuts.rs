//! Cut points: from a file or fitted, and applied to a table.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::Serialize;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};

use crate::table::{Attribute, DecisionTable, Interval, TableError, Value};

/// Cut points of attributes: a name, and finite numbers in strictly ascending order. n cut points make n + 1 intervals.
///
/// As JSON it is one object, `{"length": [2.45, 4.75], "width": []}`.
///
/// ```
/// use roughboard::table::discretize::Cuts;
/// let cuts = Cuts::from_json("{\"length\": [2.45, 4.75]}").unwrap();
/// assert_eq!(cuts.of("length"), Some(&[2.45, 4.75][..]));
/// assert!(Cuts::from_json("{\"length\": [4.75, 2.45]}").is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(transparent)]
pub struct Cuts {
    of: BTreeMap<String, Vec<f64>>,
}

impl Cuts {
    /// These cut points.
    ///
    /// # Errors
    /// When those of an attribute are not finite and strictly ascending.
    pub fn new(of: BTreeMap<String, Vec<f64>>) -> Result<Self, TableError> {
        of.iter().try_for_each(|(attribute, cuts)| check(attribute, cuts))?;
        Ok(Self { of })
    }

    /// Cut points that are in order already.
    pub(super) const fn ascending(of: BTreeMap<String, Vec<f64>>) -> Self {
        Self { of }
    }

    /// The cut points of the attribute `name`, if it is to be cut.
    pub fn of(&self, name: &str) -> Option<&[f64]> {
        self.of.get(name).map(Vec::as_slice)
    }

    /// Each attribute with its cut points, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[f64])> {
        self.of.iter().map(|(name, cuts)| (name.as_str(), cuts.as_slice()))
    }

    /// The number of cut points of all attributes.
    pub fn n_cuts(&self) -> usize {
        self.of.values().map(Vec::len).sum()
    }

    /// The table with the numbers of each named attribute replaced by the intervals that they lie in; domains hold the
    /// intervals that occur. Without cut points there is one interval, so that the attribute becomes a constant.
    /// Missing values stay missing, other attributes stay as they are.
    ///
    /// # Errors
    /// When the table has no attribute of a name, or one whose values are not numbers.
    pub fn apply(&self, table: &DecisionTable) -> Result<DecisionTable, TableError> {
        table.attributes_called(&self.of.keys().collect::<Vec<_>>())?;
        let (decision, weights) = (table.decision().clone(), table.weights().clone());
        Ok(DecisionTable::new(self.apply_to(table.attributes())?, decision, weights)?.with_rows_of(table))
    }

    /// As [`Cuts::apply`], of columns among which the named ones may be missing.
    ///
    /// # Errors
    /// When the values of a named one are not numbers.
    pub fn apply_to(&self, columns: &[Attribute]) -> Result<Vec<Attribute>, TableError> {
        let cut = |attribute: &Attribute| match self.of(attribute.name()) {
            None => Ok(attribute.clone()),
            Some(cuts) => intervals(attribute, cuts),
        };
        columns.iter().map(cut).collect()
    }

    /// As [`Cuts::apply_to`], of columns that need not be numbers: in those of text, texts that spell numbers become the texts of the
    /// intervals. All other values stay as they are.
    pub(crate) fn apply_to_spelled(&self, columns: &[Attribute]) -> Vec<Attribute> {
        let cut = |attribute: &Attribute| match self.of(attribute.name()) {
            None => attribute.clone(),
            Some(cuts) => attribute.mapped(|value| spelled_interval(value, cuts).unwrap_or_else(|| value.clone())),
        };
        columns.iter().map(cut).collect()
    }

    /// Cut points from JSON.
    ///
    /// # Errors
    /// When the text is not a JSON object of lists of numbers, names an attribute twice, or as [`Cuts::new`].
    pub fn from_json(text: &str) -> Result<Self, TableError> {
        let entries: Entries = serde_json::from_str(text).map_err(|e| TableError::unreadable("JSON", &e))?;
        Self::new(entries.0)
    }

    /// The JSON form: one line per attribute.
    pub fn to_json(&self) -> String {
        let text = |value: serde_json::Value| value.to_string();
        let line = |(name, cuts): (&str, &[f64])| format!("  {}: {}", text(name.into()), text(cuts.into()));
        format!("{{\n{}\n}}\n", self.iter().map(line).collect::<Vec<_>>().join(",\n"))
    }

    /// Reads a JSON file of cut points.
    ///
    /// # Errors
    /// When it cannot be read, or as [`Cuts::from_json`]; every error names the file.
    pub fn load(path: &Path) -> Result<Self, TableError> {
        let text = std::fs::read_to_string(path).map_err(|source| TableError::Io { action: "read", source });
        text.and_then(|text| Self::from_json(&text)).map_err(|e| e.in_file_of("cut points", path))
    }
}

fn check(attribute: &str, cuts: &[f64]) -> Result<(), TableError> {
    let unsorted = |found: f64, before| TableError::UnsortedCuts { attribute: attribute.to_owned(), found, before };
    if let Some(&cut) = cuts.iter().find(|cut| !cut.is_finite()) {
        return Err(unsorted(cut, None));
    }
    match cuts.windows(2).find(|pair| pair[0] >= pair[1]) {
        Some(pair) => Err(unsorted(pair[1], Some(pair[0]))),
        None => Ok(()),
    }
}

/// The attribute with its numbers replaced by the intervals between `cuts`.
fn intervals(attribute: &Attribute, cuts: &[f64]) -> Result<Attribute, TableError> {
    let other = attribute.domain().iter().find(|value| value.as_real().is_none() && **value != Value::Missing);
    if let Some(value) = other {
        return Err(TableError::NotNumeric { column: attribute.name().to_owned(), found: value.kind() });
    }
    Ok(attribute.mapped(|value| value.as_real().map_or(Value::Missing, |number| interval_of(number, cuts))))
}

fn interval_of(number: f64, cuts: &[f64]) -> Value {
    let above = cuts.partition_point(|&cut| cut < number);
    let low = above.checked_sub(1).map_or(f64::NEG_INFINITY, |below| cuts[below]);
    let high = cuts.get(above).copied().unwrap_or(f64::INFINITY);
    Interval::new(low, high).map_or(Value::Missing, Value::Interval)
}

/// The interval of a number, as a text where a text spells the number; none for other values.
fn spelled_interval(value: &Value, cuts: &[f64]) -> Option<Value> {
    match value {
        Value::Text(text) => Some(Value::text(&interval_of(Value::parse(text).as_real()?, cuts).to_string())),
        value => Some(interval_of(value.as_real()?, cuts)),
    }
}

impl<'de> Deserialize<'de> for Cuts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Entries::deserialize(deserializer)?.0).map_err(de::Error::custom)
    }
}

/// A map in which no name stands twice: of two lists, one would be lost silently.
struct Entries(BTreeMap<String, Vec<f64>>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor).map(Self)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = BTreeMap<String, Vec<f64>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of attributes with lists of cut points")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut entries = BTreeMap::new();
        while let Some((name, cuts)) = map.next_entry::<String, Vec<f64>>()? {
            if entries.contains_key(&name) {
                return Err(de::Error::custom(format_args!("attribute `{name}` is listed twice")));
            }
            entries.insert(name, cuts);
        }
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Weights;

    fn table(numbers: &[Option<i64>]) -> DecisionTable {
        let value = |number: &Option<i64>| number.map_or(Value::Missing, Value::Integer);
        let a = Attribute::from_values("a", &numbers.iter().map(value).collect::<Vec<_>>());
        let b = Attribute::from_values("b", &vec![Value::text("x"); numbers.len()]);
        let decision = Attribute::from_integers("d", vec![0; numbers.len()]);
        DecisionTable::new(vec![a, b], decision, Weights::Unit).unwrap()
    }

    #[test]
    fn numbers_become_intervals_that_occur() {
        let cuts = Cuts::from_json(r#"{"a": [2, 4.5, 9]}"#).unwrap();
        let cut = cuts.apply(&table(&[Some(3), None, Some(2), Some(100)])).unwrap();
        let texts: Vec<String> = cut.attributes()[0].domain().iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["<= 2", "(2, 4.5]", "> 9", "?"]);
        assert_eq!(cut.attributes()[0].codes().to_vec(), [1, 3, 0, 2]);
        assert_eq!(cut.attributes()[1].domain(), [Value::text("x")]);
    }

    #[test]
    fn cuts_that_do_not_fit_the_table_are_refused() {
        let refused = |json: &str| Cuts::from_json(json).unwrap().apply(&table(&[Some(1)])).unwrap_err().to_string();
        assert_eq!(refused(r#"{"c": []}"#), "no attribute column `c`; its columns are `a`, `b`");
        assert_eq!(refused(r#"{"b": [1]}"#), "attribute `b` has values of kind text, expected numbers to cut");
    }

    #[test]
    fn bad_cut_points_are_refused_with_their_reason() {
        let cases = [
            (r#"{"a": [2, 2]}"#, "the cut points of `a` must be finite and ascend, found 2 after 2"),
            (r#"{"a": [1], "a": [2]}"#, "attribute `a` is listed twice"),
            (r#"{"a": 1}"#, "it is not readable as JSON: invalid type"),
            (r"[1]", "expected an object of attributes with lists of cut points"),
            ("", "it is not readable as JSON"),
        ];
        for (json, reason) in cases {
            let error = Cuts::from_json(json).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
        let infinite = Cuts::new(BTreeMap::from([("a".to_owned(), vec![f64::INFINITY])]));
        assert!(infinite.unwrap_err().to_string().ends_with("found inf"));
    }

    #[test]
    fn json_goes_round() {
        let cuts = Cuts::from_json("{\"b \\\" c\": [-1.5, 0.1, 1e300], \"a\": []}").unwrap();
        assert_eq!(Cuts::from_json(&cuts.to_json()).unwrap(), cuts);
        assert_eq!(serde_json::from_str::<Cuts>(&serde_json::to_string(&cuts).unwrap()).unwrap(), cuts);
        assert_eq!(cuts.to_json().lines().nth(1), Some("  \"a\": [],"));
        assert_eq!(cuts.n_cuts(), 3);
    }
}
