//! Columns of Python objects.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyMapping, PyMemoryView, PySet, PyString};
use roughboard::table::{Interval, Value};
use rustc_hash::FxHashMap;

use crate::cells::{Block, Cells};
use crate::coding::{as_intervals, fell_together, too_large, widened};
use crate::numpy;

/// What objects are told apart by.
#[derive(PartialEq, Eq, Hash, Clone)]
enum Key {
    Missing,
    Boolean(bool),
    Integer(i64),
    /// A whole number of more than 64 bits, in words.
    Large(String),
    /// A number with more digits than the nearest real one has, in words.
    Long(String),
    /// The bits of a real number.
    Real(u64),
    Text(String),
    /// A moment in UTC, which is no moment of an unknown time zone.
    InUtc(String),
}

impl Key {
    fn value(&self) -> Value {
        match self {
            Self::Missing => Value::Missing,
            Self::Boolean(value) => Value::Boolean(*value),
            Self::Integer(number) => Value::Integer(*number),
            Self::Real(bits) => Value::Real(f64::from_bits(*bits)),
            Self::Large(text) | Self::Long(text) | Self::Text(text) | Self::InUtc(text) => Value::text(text),
        }
    }

    /// A number as the nearest real one of 64 bits; nothing if it is beyond these.
    fn real(&self) -> Option<f64> {
        match self {
            Self::Integer(number) => Some(*number as f64),
            Self::Large(digits) | Self::Long(digits) => digits.parse().ok().filter(|number: &f64| number.is_finite()),
            Self::Real(bits) => Some(f64::from_bits(*bits)),
            _ => None,
        }
    }

    /// The number in words, in which whole and real numbers that are equal are spelled alike.
    fn spelled(&self) -> String {
        match self.value() {
            Value::Real(number) if number.fract() == 0.0 => format!("{number:.0}"),
            value => value.to_string(),
        }
    }
}

/// What a real number is told apart by, of which both zeros are one; it is missing if it is no number.
fn real(number: f64) -> Key {
    if number.is_nan() { Key::Missing } else { Key::Real((number + 0.0).to_bits()) }
}

/// Most digits of decimal numbers, which are those of 256 bits.
const MOST_DIGITS: i64 = 76;

/// The cells of a column of objects, none of which is a container.
pub fn block(column: &Bound<'_, PyAny>, name: &str) -> PyResult<Block> {
    let refused = || PyTypeError::new_err(format!("column `{name}` is {}, expected values", described(column)));
    // What is iterated over in mappings are keys, and sets have no order.
    let is_set = column.is_instance_of::<PySet>() || column.is_instance_of::<PyFrozenSet>();
    if is_set || column.cast::<PyMapping>().is_ok() {
        return Err(refused());
    }
    let is_short = holds_short_reals(column)?;
    let mut objects = Objects::default();
    for (row, object) in column.try_iter().map_err(|_| refused())?.enumerate() {
        let object = object?;
        let code = if is_short {
            objects.code_of(real(widened(object.extract()?)))
        } else {
            objects.code(object, (name, row))?
        };
        objects.codes.push(code);
    }
    let Objects { codes, keys, .. } = objects;
    check_zones(&keys, name)?;
    let (values, note) = values(&keys);
    Ok(Block {
        len: codes.len(),
        cells: Cells::Values { codes, values, note },
        given: None,
        keeper: None,
        is_fixed: false,
    })
}

/// Whether a column keeps real numbers of 16 or 32 bits, as `array.array("f")` does, which it hands out as ones of 64.
fn holds_short_reals(column: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Ok(memory) = PyMemoryView::from(column) else { return Ok(false) };
    let (format, n_axes): (String, usize) = (memory.getattr("format")?.extract()?, memory.getattr("ndim")?.extract()?);
    // What several axes hand out are rows.
    Ok(n_axes == 1 && matches!(format.trim_start_matches(['@', '=', '<', '>', '!']), "e" | "f"))
}

/// Refuses moments of which only some have a time zone: nobody knows which of them are equal.
fn check_zones(keys: &[Key], name: &str) -> PyResult<()> {
    let zoned = keys.iter().any(|key| matches!(key, Key::InUtc(_)));
    let other = keys.iter().find_map(|key| if let Key::Text(text) = key { Some(text) } else { None });
    match other.filter(|_| zoned) {
        None => Ok(()),
        Some(other) => Err(PyTypeError::new_err(format!(
            "column `{name}` has moments with a time zone and `{other}` without one, expected one kind"
        ))),
    }
}

/// Objects and their numbers so far.
#[derive(Default)]
struct Objects<'py> {
    known: FxHashMap<Key, u32>,
    keys: Vec<Key>,
    codes: Vec<u32>,
    /// Texts that were seen, by where they are: they are held, so that no other object comes to be there.
    seen: FxHashMap<usize, (Bound<'py, PyAny>, u32)>,
}

impl<'py> Objects<'py> {
    fn code(&mut self, object: Bound<'py, PyAny>, place: (&str, usize)) -> PyResult<u32> {
        if let Some((_, code)) = self.seen.get(&(object.as_ptr() as usize)) {
            return Ok(*code);
        }
        let key = key(&object, place).map_err(|error| at_place(error, object.py(), place))?;
        let is_text = matches!(key, Key::Text(_));
        let code = self.code_of(key);
        if is_text {
            self.seen.insert(object.as_ptr() as usize, (object, code));
        }
        Ok(code)
    }

    fn code_of(&mut self, key: Key) -> u32 {
        let keys = &mut self.keys;
        *self.known.entry(key).or_insert_with_key(|key| {
            keys.push(key.clone());
            keys.len() as u32 - 1
        })
    }
}

/// What Python says of an object, such as a text or a number that it cannot spell, with the place where the object stands.
fn at_place(error: PyErr, py: Python<'_>, (name, row): (&str, usize)) -> PyErr {
    if error.is_instance_of::<PyTypeError>(py) {
        return error;
    }
    PyValueError::new_err(format!("column `{name}`, row {row}, counted from 0: {}", error.value(py)))
}

fn key(object: &Bound<'_, PyAny>, place: (&str, usize)) -> PyResult<Key> {
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Key::Text(text.to_cow()?.into_owned()));
    }
    if object.is_none() {
        return Ok(Key::Missing);
    }
    if object.is_instance_of::<PyBool>() {
        return Ok(Key::Boolean(object.is_truthy()?));
    }
    if object.is_instance_of::<PyInt>() {
        return whole(object);
    }
    if object.is_instance_of::<PyFloat>() {
        return object.extract().map(real);
    }
    of_library(object, place)
}

/// What dates, times, decimals, and scalars of numpy and pandas say.
fn of_library(object: &Bound<'_, PyAny>, (name, row): (&str, usize)) -> PyResult<Key> {
    let kind = type_name(object);
    if matches!(kind.as_str(), "NAType" | "NaTType") {
        return Ok(Key::Missing);
    }
    let is_scalar = ["bool", "bool_", "int", "uint", "float"].iter().any(|known| kind.starts_with(known));
    if is_scalar && object.hasattr("item")? {
        let item = object.call_method0("item")?;
        if matches!(kind.as_str(), "float16" | "float32") && item.is_instance_of::<PyFloat>() {
            return item.extract().map(|number| real(widened(number)));
        }
        // A boolean is a whole number for Python, too.
        if item.is_instance_of::<PyInt>() || item.is_instance_of::<PyFloat>() {
            return key(&item, (name, row));
        }
    }
    let known = if kind == "Decimal" { Some(decimal(object)?) } else { time(object, &kind)? };
    let expected = "expected a number, a text, a boolean, a date, a time without a time zone or None";
    known.ok_or_else(|| {
        let found = described(object);
        PyTypeError::new_err(format!("column `{name}`, row {row}, counted from 0: found {found}, {expected}"))
    })
}

/// A whole number. One with too many digits to be spelled is refused by Python.
fn whole(number: &Bound<'_, PyAny>) -> PyResult<Key> {
    match number.extract() {
        Ok(number) => Ok(Key::Integer(number)),
        Err(_) => Ok(Key::Large(number.str()?.to_cow()?.into_owned())),
    }
}

/// A decimal number, whole if it has no fraction.
fn decimal(number: &Bound<'_, PyAny>) -> PyResult<Key> {
    if number.call_method0("is_nan")?.is_truthy()? {
        return Ok(Key::Missing);
    }
    let digits = number.call_method0("adjusted")?.extract::<i64>()? + 1;
    if digits > MOST_DIGITS {
        return Err(PyValueError::new_err(format!(
            "a decimal number has {digits} digits, expected {MOST_DIGITS} at most"
        )));
    }
    let exponent = number.call_method0("as_tuple")?.getattr("exponent")?.extract::<i64>();
    if exponent.is_ok_and(|exponent| exponent >= 0) {
        return whole(&number.call_method0("__int__")?);
    }
    let nearest = number.call_method0("__float__")?;
    if number.get_type().call1((nearest.repr()?,))?.eq(number)? {
        return nearest.extract().map(real);
    }
    let digits: String = number.str()?.extract()?;
    Ok(Key::Long(if digits.contains('E') { digits } else { digits.trim_end_matches('0').to_owned() }))
}

/// A date or a time as ISO 8601 has it, as columns of dates and times are read; a duration in seconds. Times with an offset are
/// those of UTC.
fn time(object: &Bound<'_, PyAny>, kind: &str) -> PyResult<Option<Key>> {
    let text: String = match kind {
        "timedelta" => return object.call_method0("total_seconds")?.extract().map(|seconds| Some(real(seconds))),
        // Its own seconds lack the nanoseconds.
        "Timedelta" => return of_numpy(&object.call_method0("to_timedelta64")?),
        "datetime64" | "timedelta64" => return of_numpy(object),
        "Period" => object.str()?.extract()?,
        "Interval" => return interval(object).map(|text| Some(Key::Text(text))),
        "datetime" | "Timestamp" => in_utc(object)?.call_method0("isoformat")?.extract()?,
        "time" if !object.getattr("tzinfo")?.is_none() => return Ok(None),
        "date" | "time" => object.call_method0("isoformat")?.extract()?,
        _ => return Ok(None),
    };
    let is_exact = !text.contains('.');
    let shown = if is_exact { &text } else { text.trim_end_matches('0').trim_end_matches('.') };
    let has_zone = matches!(kind, "datetime" | "Timestamp") && !object.call_method0("utcoffset")?.is_none();
    Ok(Some(if has_zone { Key::InUtc(shown.to_owned()) } else { Key::Text(shown.to_owned()) }))
}

/// A date, a time or a duration of numpy.
fn of_numpy(scalar: &Bound<'_, PyAny>) -> PyResult<Option<Key>> {
    let key = |(value, digits): (Value, String)| match value {
        Value::Real(seconds) if seconds.to_string() == digits => real(seconds),
        Value::Real(_) => Key::Long(digits),
        Value::Text(text) => Key::Text(text),
        _ => Key::Missing,
    };
    Ok(numpy::moment_of(scalar)?.map(key))
}

/// An interval as the library spells those that are closed on the right; others as they spell themselves.
fn interval(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let end = |name| object.getattr(name)?.extract::<f64>();
    let is_ours = object.getattr("closed")?.eq("right")?;
    let own =
        end("left").ok().zip(end("right").ok()).filter(|_| is_ours).and_then(|(low, high)| Interval::new(low, high));
    own.map_or_else(|| object.str()?.extract(), |interval| Ok(interval.to_string()))
}

/// A moment without its offset from UTC.
fn in_utc<'py>(moment: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let offset = moment.call_method0("utcoffset")?;
    if offset.is_none() {
        return Ok(moment.clone());
    }
    let naive = PyDict::new(moment.py());
    naive.set_item("tzinfo", moment.py().None())?;
    moment.call_method("replace", (), Some(&naive))?.sub(offset)
}

/// What an object is, in words: `an `int``.
pub fn described(object: &Bound<'_, PyAny>) -> String {
    let kind = type_name(object);
    let article = if kind.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} `{kind}`")
}

pub fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string())
}

/// The values of the keys, of one kind: reals if some of the numbers are, texts if they are not all of a kind, or whole numbers
/// of which one has more than 64 bits. With them what is to be said of that, and of values that differ in Python and may be equal
/// now.
fn values(keys: &[Key]) -> (Vec<Value>, Option<String>) {
    let any = |is_it: fn(&Key) -> bool| keys.iter().any(is_it);
    let booleans = any(|key| matches!(key, Key::Boolean(_)));
    let integers = any(|key| matches!(key, Key::Integer(_)));
    let reals = any(|key| matches!(key, Key::Real(_) | Key::Long(_)));
    let large = any(|key| matches!(key, Key::Large(_)));
    let texts = any(|key| matches!(key, Key::Text(_) | Key::InUtc(_)));
    let is_mixed = usize::from(booleans) + usize::from(integers || reals || large) + usize::from(texts) > 1;
    let is_real = |key: &Key| reals && key.real().is_some();
    let too_large_one = keys.iter().find(|key| matches!(key, Key::Large(_)) && !is_real(key));
    let as_texts = is_mixed || too_large_one.is_some();
    let value = |key: &Key| match (key, key.value()) {
        (Key::Missing, missing) => missing,
        (_, value) if as_texts => Value::text(&value.to_string()),
        (_, value) => key.real().filter(|_| reals).map_or(value, Value::Real),
    };
    let kinds = [(booleans, "booleans"), (integers || reals || large, "numbers"), (texts, "texts")];
    let kinds: Vec<&str> = kinds.into_iter().filter_map(|(are_there, kind)| are_there.then_some(kind)).collect();
    let equal = if booleans { "True and 'true'" } else { "1 and '1'" };
    let mixed = || format!("has {}, which are all read as texts, so that {equal} are equal", kinds.join(" and "));
    let values: Vec<Value> = keys.iter().map(value).collect();
    let note = match too_large_one {
        _ if is_mixed => Some(mixed()),
        Some(large) => Some(too_large(&large.spelled())),
        None => fell_together(&values, |at| keys[at].spelled()),
    };
    (as_intervals(values), note)
}
