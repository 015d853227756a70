//! Columns of Python objects.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use roughboard::table::Value;
use rustc_hash::FxHashMap;

use crate::cells::{Block, Cells};
use crate::coding::as_intervals;

/// What objects are told apart by.
#[derive(PartialEq, Eq, Hash, Clone)]
enum Key {
    Missing,
    Boolean(bool),
    Integer(i64),
    /// A whole number of more than 64 bits, in words.
    Large(String),
    /// The bits of a real number.
    Real(u64),
    Text(String),
}

impl Key {
    fn value(&self) -> Value {
        match self {
            Self::Missing => Value::Missing,
            Self::Boolean(value) => Value::Boolean(*value),
            Self::Integer(number) => Value::Integer(*number),
            Self::Real(bits) => Value::Real(f64::from_bits(*bits)),
            Self::Large(text) | Self::Text(text) => Value::text(text),
        }
    }
}

/// The cells of a column of objects, none of which is a container.
pub fn block(column: &Bound<'_, PyAny>, name: &str) -> PyResult<Block> {
    let refused = |_| PyTypeError::new_err(format!("column `{name}` is a `{}`, expected values", type_name(column)));
    let mut objects = Objects::default();
    for (row, object) in column.try_iter().map_err(refused)?.enumerate() {
        let code = objects.code(object?, (name, row))?;
        objects.codes.push(code);
    }
    let Objects { codes, keys, .. } = objects;
    let len = codes.len();
    Ok(Block { cells: Cells::Values { codes, values: values(&keys) }, len, given: None, keeper: None, is_fixed: false })
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
        let key = key(&object, place)?;
        let is_text = matches!(key, Key::Text(_));
        let keys = &mut self.keys;
        let code = *self.known.entry(key).or_insert_with_key(|key| {
            keys.push(key.clone());
            keys.len() as u32 - 1
        });
        if is_text {
            self.seen.insert(object.as_ptr() as usize, (object, code));
        }
        Ok(code)
    }
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
        return Ok(object.extract().map_or_else(|_| Key::Large(object.to_string()), Key::Integer));
    }
    if object.is_instance_of::<PyFloat>() {
        let number: f64 = object.extract()?;
        return Ok(if number.is_nan() { Key::Missing } else { Key::Real((number + 0.0).to_bits()) });
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
        // A boolean is a whole number for Python, too.
        if item.is_instance_of::<PyInt>() || item.is_instance_of::<PyFloat>() {
            return key(&item, (name, row));
        }
    }
    let known = if kind == "Decimal" { decimal(object)? } else { time(object, &kind)? };
    let expected = "expected a number, a text, a boolean, a date, a time or None";
    known.ok_or_else(|| {
        PyTypeError::new_err(format!("column `{name}`, row {row}, counted from 0: found a `{kind}`, {expected}"))
    })
}

/// A decimal number, whole if it has no fraction.
fn decimal(number: &Bound<'_, PyAny>) -> PyResult<Option<Key>> {
    if number.call_method0("is_nan")?.is_truthy()? {
        return Ok(Some(Key::Missing));
    }
    let text: String = number.call_method1("__format__", ("f",))?.extract()?;
    let real = || text.parse().ok().map(|real: f64| Key::Real((real + 0.0).to_bits()));
    let is_whole = text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    Ok(if is_whole { Some(text.parse().map_or_else(|_| Key::Large(text.clone()), Key::Integer)) } else { real() })
}

/// A date or a time as ISO 8601 has it, as columns of dates and times are read; a duration in seconds. Times with an offset are
/// those of UTC.
fn time(object: &Bound<'_, PyAny>, kind: &str) -> PyResult<Option<Key>> {
    let text: String = match kind {
        "timedelta" | "Timedelta" => {
            let seconds: f64 = object.call_method0("total_seconds")?.extract()?;
            return Ok(Some(Key::Real((seconds + 0.0).to_bits())));
        }
        "datetime64" | "Period" => object.str()?.extract()?,
        "datetime" | "Timestamp" => in_utc(object)?.call_method0("isoformat")?.extract()?,
        "time" if !object.getattr("tzinfo")?.is_none() => return Ok(None),
        "date" | "time" => object.call_method0("isoformat")?.extract()?,
        _ => return Ok(None),
    };
    let is_exact = !text.contains('.');
    let shown = if is_exact { &text } else { text.trim_end_matches('0').trim_end_matches('.') };
    Ok(Some(if shown == "NaT" { Key::Missing } else { Key::Text(shown.to_owned()) }))
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

pub fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string())
}

/// The values of the keys, of one kind: reals if some of the numbers are, texts if they are not all of a kind.
fn values(keys: &[Key]) -> Vec<Value> {
    let any = |is_it: fn(&Key) -> bool| keys.iter().any(is_it);
    let booleans = any(|key| matches!(key, Key::Boolean(_)));
    let integers = any(|key| matches!(key, Key::Integer(_)));
    let reals = any(|key| matches!(key, Key::Real(_)));
    let texts = any(|key| matches!(key, Key::Large(_) | Key::Text(_)));
    let is_mixed = usize::from(booleans) + usize::from(integers || reals) + usize::from(texts) > 1;
    let value = |key: &Key| match (key, key.value()) {
        (Key::Missing, missing) => missing,
        (_, value) if is_mixed => Value::text(&value.to_string()),
        (Key::Integer(number), _) if reals => Value::Real(*number as f64),
        (_, value) => value,
    };
    as_intervals(keys.iter().map(value).collect())
}
