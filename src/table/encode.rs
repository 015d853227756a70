//! Columns of one table in the codes of another: the same value gets the same code, whatever codes it has at home.

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
/// Places are numbered upwards: `2c + 1` is the value with code `c`, `2c` the gap below it. So `value ≤ domain[c]`
/// holds exactly if its place is at most `2c + 1`, for values that the set lacks too. A missing value that the set lacks lies in no gap,
/// since it is no greater than any value: its place is beyond them all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValuePlace(u32);

impl ValuePlace {
    /// The place of the value with code `code`.
    pub const fn of_code(code: u32) -> Self {
        Self(2 * code + 1)
    }

    /// The gap below the value with code `code`; above all values if there is no such code.
    const fn below(code: usize) -> Self {
        Self(2 * code as u32)
    }

    /// The place of a missing value in a set of so many values that has none.
    const fn missing(n_values: usize) -> Self {
        Self::below(n_values + 1)
    }

    /// The code of the value; none for a value that the set lacks.
    pub const fn code(self) -> Option<u32> {
        if self.0 % 2 == 1 { Some(self.0 / 2) } else { None }
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
    /// Values are compared by value: 2 and 2.0 are one number, and a number or an interval equals a text that spells it, since
    /// the kind of a column that is read from text depends on all of its rows.
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
        let same = column.domain() == domain;
        let place = |code: u32, value| if same { ValuePlace::of_code(code) } else { place(value, domain) };
        let places = (0..).zip(column.domain()).map(|(code, value)| place(code, value)).collect();
        Self { codes: column.codes(), places }
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
    place(value, domain).code()
}

/// The place of `value` in `domain`, found among values of its kind where it can be read as one.
fn place(value: &Value, domain: &[Value]) -> ValuePlace {
    use Value::{Boolean, Integer, Interval, Real, Text};
    // A missing value comes last, so that the first value tells the kind of all.
    match (value, domain.first()) {
        (Integer(_), Some(Real(_))) | (Real(_), Some(Integer(_))) => {
            let Some(number) = value.as_real() else { return ValuePlace::below(domain.len()) };
            let below = domain.partition_point(|v| v.as_real().is_some_and(|other| other < number));
            let found = domain.get(below).and_then(Value::as_real) == Some(number);
            if found { ValuePlace::of_code(below as u32) } else { ValuePlace::below(below) }
        }
        (Boolean(_) | Integer(_) | Real(_) | Interval(_), Some(Text(_))) => search(&Text(value.to_string()), domain),
        (Text(text), Some(Boolean(_) | Integer(_) | Real(_) | Interval(_))) => match Value::parse(text) {
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
        Err(above) => ValuePlace::below(above),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integers(values: &[i64]) -> Vec<Value> {
        values.iter().copied().map(Value::Integer).collect()
    }

    fn index(value: &Value, domain: &[Value]) -> usize {
        place(value, domain).index()
    }

    #[test]
    fn values_lie_on_codes_or_in_gaps() {
        let domain = integers(&[2, 4]);
        let places: Vec<usize> = integers(&[1, 2, 3, 4, 5]).iter().map(|v| index(v, &domain)).collect();
        assert_eq!(places, [0, 1, 2, 3, 4]);
        assert_eq!(
            (ValuePlace(3).code(), ValuePlace(2).code(), ValuePlace::of_code(1)),
            (Some(1), None, ValuePlace(3))
        );
        assert_eq!(index(&Value::Missing, &domain), 6);
        assert_eq!(ValuePlace::missing(2).code(), None);
        assert_eq!(index(&Value::Missing, &[Value::Integer(2), Value::Missing]), 3);
    }

    #[test]
    fn values_of_different_kinds_are_compared_by_what_they_say() {
        let whole = integers(&[2, 4]);
        assert_eq!(index(&Value::Real(4.0), &whole), 3);
        assert_eq!(index(&Value::Real(3.5), &whole), 2);
        assert_eq!(index(&Value::text("4"), &whole), 3);
        assert_eq!(index(&Value::text("four"), &whole), 4);
        assert_eq!(index(&Value::Integer(4), &[Value::Real(0.5), Value::Real(4.0)]), 3);
        assert_eq!(index(&Value::Integer(4), &[Value::text("4"), Value::text("x")]), 1);
        assert_eq!(index(&Value::Boolean(true), &[Value::text("false"), Value::text("true")]), 3);
        assert_eq!(index(&Value::text("?"), &[Value::Integer(1), Value::Missing]), 2);
        let interval = Value::parse("<= 2.5");
        assert_eq!(index(&Value::text("<= 2.5"), std::slice::from_ref(&interval)), 1);
        assert_eq!(index(&interval, &[Value::text("<= 2.5"), Value::text("none")]), 1);
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
