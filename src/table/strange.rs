//! Values of one column that another, which should be of the same kind, does not know.

use super::{Attribute, EncodedColumn, Interval, Value};

/// How the values of a column stand to those that are known, such as those that a classifier was trained on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StrangeValues {
    /// The objects that have a value.
    pub n_values: usize,
    /// Those whose value is none of the known ones.
    pub n_strange: usize,
    /// An interval of the column and a known one that overlap and are not the same: they lie between other cut points.
    pub overlap: Option<(Interval, Interval)>,
}

impl StrangeValues {
    /// What is strange in `column` to who knows the values of `known`. Values are compared as
    /// [`Encoder::encode`](super::Encoder::encode) does.
    ///
    /// ```
    /// use roughboard::table::{Attribute, StrangeValues, Value};
    /// let codes = |texts: &[&str]| Attribute::from_values("zip", &texts.iter().map(|t| Value::text(t)).collect::<Vec<_>>());
    /// let strange = StrangeValues::of(&codes(&["0123", "4567"]), &codes(&["4567", "123", "?"]));
    /// assert_eq!((strange.n_values, strange.n_strange), (3, 2));
    /// ```
    pub fn of(known: &Attribute, column: &Attribute) -> Self {
        let encoded = EncodedColumn::new(column, known.domain());
        let given: Vec<usize> = (0..column.len()).filter(|&row| *column.value(row) != Value::Missing).collect();
        let n_strange = given.iter().filter(|&&row| encoded.place(row).code().is_none()).count();
        Self { n_values: given.len(), n_strange, overlap: overlap(known, column) }
    }

    /// Whether no value of the column is known.
    pub const fn is_all(&self) -> bool {
        self.n_values > 0 && self.n_strange == self.n_values
    }
}

/// The first interval of `column` that overlaps a known one and is another. Intervals between the same cut points never do.
fn overlap(known: &Attribute, column: &Attribute) -> Option<(Interval, Interval)> {
    let intervals = |attribute: &Attribute| -> Vec<Interval> {
        let interval = |value: &Value| if let Value::Interval(interval) = value { Some(*interval) } else { None };
        attribute.domain().iter().filter_map(interval).collect()
    };
    let known = intervals(known);
    let overlaps = |a: &Interval, b: &Interval| a.low() < b.high() && b.low() < a.high() && a != b;
    let other = |own: Interval| known.iter().find(|known| overlaps(&own, known)).map(|known| (own, *known));
    intervals(column).into_iter().find_map(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: &[&str]) -> Attribute {
        Attribute::from_values("x", &texts.iter().map(|text| Value::parse(text)).collect::<Vec<_>>())
    }

    fn shown(known: &[&str], tested: &[&str]) -> (usize, usize, Option<String>) {
        let strange = StrangeValues::of(&column(known), &column(tested));
        (strange.n_values, strange.n_strange, strange.overlap.map(|(own, other)| format!("{own} and {other}")))
    }

    #[test]
    fn missing_values_are_not_strange() {
        assert_eq!(shown(&["1", "2"], &["1", "?", "3", "2.0"]), (3, 1, None));
        assert!(!StrangeValues::of(&column(&["1"]), &column(&["?"])).is_all());
        assert!(StrangeValues::of(&column(&["true"]), &column(&["1", "?"])).is_all());
    }

    #[test]
    fn intervals_of_other_cut_points_overlap() {
        let known = ["<= 2.5", "(2.5, 4]", "> 9"];
        assert_eq!(shown(&known, &["<= 2.5", "> 9"]), (2, 0, None));
        assert_eq!(shown(&known, &["<= 3.5", "> 9"]), (2, 1, Some("<= 3.5 and <= 2.5".to_owned())));
        // Between the same cut points may lie intervals in which no known object lies.
        assert_eq!(shown(&known, &["(4, 9]"]), (1, 1, None));
    }
}
