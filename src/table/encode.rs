//! Columns of one table in the codes of another: the same value gets the same code, whatever codes it has at home.

use super::discretize::cut_between;
use super::{Attribute, Code, Codes, TableError, Value, place_of, with_codes};

/// The names and value sets of the attributes of a table, in order: what other columns are encoded by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoder {
    columns: Vec<(String, Vec<Value>)>,
}

/// Columns seen through the value sets of an [`Encoder`], in its order.
#[derive(Debug)]
pub struct Encoded<'c> {
    /// In the order of the encoder.
    pub columns: Vec<EncodedColumn<'c>>,
    /// The number of rows.
    pub n_rows: usize,
}

/// One column with the place of each of its values in a value set.
#[derive(Debug)]
pub struct EncodedColumn<'c> {
    codes: &'c Codes,
    places: Vec<ValuePlace>,
}

/// Where a value stands relative to a value set in ascending order: it is the value of a code, or lies in a gap.
///
/// Places are numbered upwards: `3c + 2` is the value with code `c`, `3c` and `3c + 1` the halves of the gap below it, which meet midway
/// between two numbers, where rules cut; of other values the whole gap is its lower half. So `value ≤ domain[c]` holds exactly if its
/// place is at most `3c + 2`, for values that the set lacks too. A missing value that the set lacks lies in no gap, since it is no greater
/// than any value: its place is beyond them all. So is, among numbers, that of a value that is none, and among intervals that of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValuePlace(u32);

impl ValuePlace {
    /// The place of the value with code `code`.
    pub const fn of_code(code: u32) -> Self {
        Self(3 * code + 2)
    }

    /// The lower half of the gap below the value with code `code`; above all values if there is no such code.
    pub const fn lower_half(code: u32) -> Self {
        Self(3 * code)
    }

    /// The upper half of that gap.
    pub const fn upper_half(code: u32) -> Self {
        Self(3 * code + 1)
    }

    /// The place of a missing value in a set of so many values that has none, and of what does not compare with them.
    const fn missing(n_values: usize) -> Self {
        Self::lower_half(n_values as u32 + 1)
    }

    /// The place of a value that is not in `domain`, where `above` is the first code above it.
    fn in_gap(value: &Value, domain: &[Value], above: usize) -> Self {
        let ends = above.checked_sub(1).and_then(|below| Some((domain.get(below)?, domain.get(above)?)));
        let is_upper = ends.is_some_and(|(low, high)| {
            let cut = cut_between(low, high);
            cut != *high && value.as_real() >= cut.as_real()
        });
        if is_upper { Self::upper_half(above as u32) } else { Self::lower_half(above as u32) }
    }

    /// The code of the value; none for a value that the set lacks.
    pub const fn code(self) -> Option<u32> {
        if self.0 % 3 == 2 { Some(self.0 / 3) } else { None }
    }

    /// The number of the place, from 0 and less than [`ValuePlace::bound`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// More than the number of any place in a set of so many values.
    pub const fn bound(n_values: usize) -> usize {
        Self::missing(n_values).index() + 1
    }
}

impl Encoder {
    /// The encoder by these attributes.
    pub fn of(attributes: &[Attribute]) -> Self {
        Self { columns: attributes.iter().map(|a| (a.name().to_owned(), a.domain().to_vec())).collect() }
    }

    /// The names of the attributes, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }

    /// The values of each attribute, in order.
    pub fn domains(&self) -> impl Iterator<Item = &[Value]> {
        self.columns.iter().map(|(_, domain)| domain.as_slice())
    }

    /// Finds the attributes among `columns` by name and places their values; other columns are left out.
    ///
    /// Values are compared by value: 2 and 2.0 are one number, and a boolean, a number or an interval equals a text that spells
    /// it in any way, since the kind of a column that is read from text depends on all of its rows.
    ///
    /// # Errors
    /// When there is no column of a name.
    pub fn encode<'c>(&self, columns: &'c [Attribute]) -> Result<Encoded<'c>, TableError> {
        let find =
            |(name, domain): &(String, Vec<Value>)| Ok(EncodedColumn::new(&columns[place_of(name, columns)?], domain));
        let n_rows = columns.first().map_or(0, Attribute::len);
        Ok(Encoded { columns: self.columns.iter().map(find).collect::<Result<_, _>>()?, n_rows })
    }
}

impl<'c> EncodedColumn<'c> {
    /// The column `column` in terms of `domain`, which ascends.
    pub fn new(column: &'c Attribute, domain: &[Value]) -> Self {
        Self { codes: column.codes(), places: places_of(column.domain(), domain) }
    }

    /// The place of the value in the row `row`.
    ///
    /// # Panics
    /// When there is no such row.
    #[inline]
    pub fn place(&self, row: usize) -> ValuePlace {
        self.places[self.codes.get(row) as usize]
    }

    /// The places of all rows.
    pub fn places(&self) -> Vec<ValuePlace> {
        with_codes!(self.codes, codes => codes.iter().map(|code| self.places[code.index()]).collect())
    }
}

/// The code in `domain` of what `value` says, compared as [`Encoder::encode`] compares it.
pub fn code_in(value: &Value, domain: &[Value]) -> Option<u32> {
    codes_in(std::slice::from_ref(value), domain)[0]
}

/// The codes in `domain` of what `values` of one kind, which ascend, say: all at once, where each by itself might read all of a domain.
pub fn codes_in(values: &[Value], domain: &[Value]) -> Vec<Option<u32>> {
    places_of(values, domain).into_iter().map(ValuePlace::code).collect()
}

/// The values as such of one kind: of whole and real numbers reals, of others texts. Missing values stay.
pub fn of_one_kind(values: Vec<Value>) -> Vec<Value> {
    let given = || values.iter().filter(|value| **value != Value::Missing);
    let kind = given().next().map_or("missing", Value::kind);
    let (is_one_kind, is_number) =
        (given().all(|value| value.kind() == kind), given().all(|value| value.as_real().is_some()));
    let as_one_kind = |value: Value| match value {
        value if is_one_kind || value == Value::Missing => value,
        value if is_number => value.as_real().map_or(value, Value::Real),
        value => Value::text(&value.to_string()),
    };
    values.into_iter().map(as_one_kind).collect()
}

/// The places of `values`, which ascend, in `domain`.
fn places_of(values: &[Value], domain: &[Value]) -> Vec<ValuePlace> {
    if values == domain {
        return (0..domain.len() as u32).map(ValuePlace::of_code).collect();
    }
    let mut places: Vec<ValuePlace> = values.iter().map(|value| place(value, domain)).collect();
    // As in `place`, the first value tells the kind of all.
    let is_text = |values: &[Value]| matches!(values.first(), Some(Value::Text(_)));
    if is_text(domain) && !is_text(values) && places.iter().any(|place| place.code().is_none()) {
        find_other_spellings(values, domain, &mut places);
    }
    places
}

/// Places those of the `values` that texts of `domain` spell otherwise than they are shown, such as `True` or `1.0`.
fn find_other_spellings(values: &[Value], domain: &[Value], places: &mut [ValuePlace]) {
    for (code, text) in (0..).zip(domain) {
        let Value::Text(text) = text else { continue };
        let spelled = Value::parse(text);
        if matches!(spelled, Value::Text(_) | Value::Missing) {
            continue;
        }
        let Some(at) = place(&spelled, values).code() else { continue };
        let found = &mut places[at as usize];
        if found.code().is_none() {
            *found = ValuePlace::of_code(code);
        }
    }
}

/// The place of `value` in `domain`, found among values of its kind where it can be read as one.
fn place(value: &Value, domain: &[Value]) -> ValuePlace {
    use Value::{Boolean, Integer, Interval, Real, Text};
    // A missing value comes last, so that the first value tells the kind of all.
    match (value, domain.first()) {
        (Integer(_), Some(Real(_))) | (Real(_), Some(Integer(_))) => {
            let Some(number) = value.as_real() else { return ValuePlace::lower_half(domain.len() as u32) };
            let below = domain.partition_point(|v| v.as_real().is_some_and(|other| other < number));
            let found = domain.get(below).and_then(Value::as_real) == Some(number);
            if found { ValuePlace::of_code(below as u32) } else { ValuePlace::in_gap(value, domain, below) }
        }
        // By its kind it would be below or above all numbers, and so in an interval of them, or below all intervals.
        (Boolean(_) | Interval(_), Some(Integer(_) | Real(_)))
        | (Boolean(_) | Integer(_) | Real(_), Some(Interval(_))) => ValuePlace::missing(domain.len()),
        (Boolean(_) | Integer(_) | Real(_) | Interval(_), Some(Text(_))) => search(&Text(value.to_string()), domain),
        (Text(text), Some(first @ (Boolean(_) | Integer(_) | Real(_) | Interval(_)))) => match Value::parse(text) {
            Text(_) | Value::Missing if first.as_real().is_some() => ValuePlace::missing(domain.len()),
            Text(_) | Value::Missing => search(value, domain),
            parsed => place(&parsed, domain),
        },
        _ => search(value, domain),
    }
}

fn search(value: &Value, domain: &[Value]) -> ValuePlace {
    match domain.binary_search(value) {
        Ok(code) => ValuePlace::of_code(code as u32),
        Err(_) if *value == Value::Missing => ValuePlace::missing(domain.len()),
        Err(above) => ValuePlace::in_gap(value, domain, above),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(values: &[i64]) -> Vec<Value> {
        values.iter().copied().map(Value::Integer).collect()
    }

    fn index(value: &Value, domain: &[Value]) -> usize {
        places_of(std::slice::from_ref(value), domain)[0].index()
    }

    #[test]
    fn values_lie_on_codes_or_in_gaps() {
        let domain = integers(&[2, 4]);
        let places: Vec<usize> = integers(&[1, 2, 3, 4, 5]).iter().map(|v| index(v, &domain)).collect();
        assert_eq!(places, [0, 2, 4, 5, 6]);
        let codes = [3, 4, 5].map(|place| ValuePlace(place).code());
        assert_eq!((codes, ValuePlace::of_code(1)), ([None, None, Some(1)], ValuePlace(5)));
        assert_eq!(index(&Value::Missing, &domain), 9);
        assert_eq!(ValuePlace::missing(2).code(), None);
        assert_eq!(index(&Value::Missing, &[Value::Integer(2), Value::Missing]), 5);
    }

    #[test]
    fn gaps_are_cut_midway_between_numbers() {
        let domain = integers(&[2, 7]);
        let places = [2.5, 4.4, 4.5, 6.9].map(|number| index(&Value::Real(number), &domain));
        assert_eq!(places, [3, 3, 4, 4]);
        let large = integers(&[i64::MAX - 9, i64::MAX]);
        assert_eq!(index(&Value::Integer(i64::MAX - 1), &large), 3);
        assert_eq!(index(&Value::text("n"), &["m", "p"].map(Value::text)), 3);
    }

    #[test]
    fn values_of_different_kinds_are_compared_by_what_they_say() {
        let whole = integers(&[2, 4]);
        assert_eq!(index(&Value::Real(4.0), &whole), 5);
        assert_eq!(index(&Value::Real(3.5), &whole), 4);
        assert_eq!(index(&Value::text("4"), &whole), 5);
        assert_eq!(index(&Value::Integer(4), &[Value::Real(0.5), Value::Real(4.0)]), 5);
        assert_eq!(index(&Value::Integer(4), &[Value::text("4"), Value::text("x")]), 2);
        assert_eq!(index(&Value::Boolean(true), &[Value::text("false"), Value::text("true")]), 5);
        let interval = Value::parse("<= 2.5");
        assert_eq!(index(&Value::text("<= 2.5"), std::slice::from_ref(&interval)), 2);
        assert_eq!(index(&interval, &[Value::text("<= 2.5"), Value::text("none")]), 2);
    }

    #[test]
    fn what_is_no_number_lies_in_no_gap_between_numbers() {
        let (whole, real) = (integers(&[2, 4]), [2.5, 4.0].map(Value::Real));
        let others = [Value::text("four"), Value::text("?"), Value::text("true"), Value::Boolean(false)];
        for other in others.into_iter().chain([Value::parse("<= 2.5"), Value::text("<= 2.5")]) {
            assert_eq!([&whole[..], &real].map(|domain| index(&other, domain)), [9, 9], "{other}");
        }
        // A text is not the missing value that the set has.
        assert_eq!(index(&Value::text("?"), &[Value::Integer(1), Value::Missing]), 9);
        // Intervals keep their order among themselves, and what is none lies beyond them.
        let halves = ["<= 2", "> 4"].map(Value::parse);
        assert_eq!(index(&Value::parse("(2, 4]"), &halves), 3);
        for other in [Value::Integer(1), Value::Real(7.5), Value::Boolean(true), Value::text("1")] {
            assert_eq!(index(&other, &halves), 9, "{other}");
        }
    }

    #[test]
    fn texts_are_compared_with_other_values_by_what_they_spell() {
        let flags = ["False", "True", "maybe"].map(Value::text);
        let numbers = ["-0.0", "007", "1.0", "1.00", "z"].map(Value::text);
        let codes = |values: &[Value], domain: &[Value]| {
            let column = Attribute::from_values("x", values);
            EncodedColumn::new(&column, domain).places().into_iter().map(ValuePlace::code).collect::<Vec<_>>()
        };
        assert_eq!(codes(&[false, true].map(Value::Boolean), &flags), [Some(0), Some(1)]);
        assert_eq!(codes(&[0.0, 1.0, 7.0].map(Value::Real), &numbers), [Some(0), Some(2), None]);
        assert_eq!(codes(&[0, 1, 7].map(Value::Integer), &numbers), [Some(0), Some(2), None]);
        assert_eq!(codes(&[Value::Real(0.5), Value::Missing], &["NA", "x"].map(Value::text)), [None, None]);
        // The exact spelling goes first, and texts are texts.
        assert_eq!(index(&Value::Real(1.0), &["+1", "1"].map(Value::text)), 5);
        assert_eq!(codes(&["1.0", "true"].map(Value::text), &["1", "True"].map(Value::text)), [None, None]);
        // The other way round.
        assert_eq!(codes(&flags, &[false, true].map(Value::Boolean)), [Some(0), Some(1), None]);
        let reals = [0.0, 1.0, f64::INFINITY].map(Value::Real);
        assert_eq!(codes(&numbers, &reals), [Some(0), None, Some(1), Some(1), None]);
        assert_eq!(index(&Value::text("Inf"), &reals), 8);
        assert_eq!(codes(&["99999999999999999999", "z"].map(Value::text), &[Value::Real(1e20)]), [Some(0), None]);
    }

    #[test]
    fn values_of_several_kinds_become_numbers_or_texts() {
        let become_one = |values: &[Value]| of_one_kind(values.to_vec());
        let (one, half, no) = (Value::Integer(1), Value::Real(0.5), Value::Boolean(false));
        assert_eq!(become_one(&[one.clone(), Value::Missing]), [one.clone(), Value::Missing]);
        assert_eq!(
            become_one(&[Value::Missing, one.clone(), half.clone()]),
            [Value::Missing, Value::Real(1.0), half.clone()]
        );
        assert_eq!(become_one(&[half, one, no]), ["0.5", "1", "false"].map(Value::text));
    }

    #[test]
    fn columns_are_found_by_name() {
        let column = |name: &str, values: &[i64]| Attribute::from_integers(name, values.iter().copied());
        let encoder = Encoder::of(&[column("a", &[1, 3]), column("b", &[7, 8])]);
        let columns = [column("b", &[8, 9]), column("z", &[0, 0]), column("a", &[3, 2])];
        let encoded = encoder.encode(&columns).unwrap();
        let codes: Vec<Vec<Option<u32>>> =
            encoded.columns.iter().map(|c| c.places().into_iter().map(ValuePlace::code).collect()).collect();
        assert_eq!(codes, [vec![Some(1), None], vec![Some(1), None]]);
        let error = encoder.encode(&columns[..2]).unwrap_err().to_string();
        assert_eq!(error, "no attribute column `a`; its columns are `b`, `z`");
    }
}
