//! Parquet files, by way of the frames of polars.

use std::fs::File;

use polars::prelude::*;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::build::check_rows;
use super::interval::Interval;
use super::layout::FileColumn;
use super::{Attribute, Codes, InformationTable, TableError, Value};

/// Whole numbers that span no more than this are coded through an array, others through a map.
const DENSE_SPAN: i128 = 1 << 16;

/// Reads a Parquet file and codes every column, dropping each as soon as it is coded.
pub fn read(file: File) -> Result<InformationTable, TableError> {
    let mut reader = ParquetReader::new(file);
    check_types(reader.schema().map_err(unreadable)?.as_ref())?;
    let frame = reader.finish().map_err(unreadable)?;
    check_rows(frame.height())?;
    let columns = frame.into_columns();
    let coded = columns.into_par_iter().map(|column| encode(&column)).collect::<Result<Vec<_>, _>>()?;
    InformationTable::new(coded)
}

/// Refuses columns whose values are of no kind of the table's, such as dates and lists, before they are decoded.
fn check_types(schema: &ArrowSchema) -> Result<(), TableError> {
    use ArrowDataType as Type;
    let supported = |dtype: &Type| {
        let text = matches!(dtype, Type::Utf8 | Type::LargeUtf8 | Type::Utf8View);
        let real = matches!(dtype, Type::Float32 | Type::Float64);
        let signed = matches!(dtype, Type::Int8 | Type::Int16 | Type::Int32 | Type::Int64);
        let unsigned = matches!(dtype, Type::UInt8 | Type::UInt16 | Type::UInt32 | Type::UInt64);
        text || real || signed || unsigned || matches!(dtype, Type::Null | Type::Boolean)
    };
    match schema.iter_values().find(|field| !supported(field.dtype())) {
        None => Ok(()),
        Some(field) => {
            let described = format!("{:?}", field.dtype());
            // Parameters of a type, such as the fields of a structure, would fill the line.
            let found = described.split(['(', ' ']).next().unwrap_or_default().to_lowercase();
            Err(TableError::UnsupportedType { column: field.name.to_string(), found })
        }
    }
}
fn encode(column: &Column) -> Result<Attribute, TableError> {
    let name = column.name().as_str();
    match column.dtype() {
        DataType::Boolean => {
            let values = column.bool().map_err(unreadable)?;
            Ok(encode_keys(name, values.iter().map(|v| v.map(i64::from)), |v| Value::Boolean(v != 0)))
        }
        dtype if dtype.is_integer() => encode_integers(name, column),
        dtype if dtype.is_float() => {
            let values = column.cast(&DataType::Float64).map_err(unreadable)?;
            let values = values.f64().map_err(unreadable)?;
            let bits = |v: f64| (!v.is_nan()).then(|| (v + 0.0).to_bits());
            Ok(encode_keys(name, values.iter().map(|v| v.and_then(bits)), |b| Value::Real(f64::from_bits(b))))
        }
        DataType::String => Ok(encode_text(name, column.str().map_err(unreadable)?)),
        DataType::Null => Ok(encode_keys(name, (0..column.len()).map(|_| None::<i64>), Value::Integer)),
        other => Err(TableError::UnsupportedType { column: name.to_owned(), found: other.to_string() }),
    }
}

fn unreadable(reason: PolarsError) -> TableError {
    TableError::unreadable("Parquet", &reason)
}

/// A column of whole numbers; text if one is beyond 64 bits with sign, as in CSV.
fn encode_integers(name: &str, column: &Column) -> Result<Attribute, TableError> {
    let Ok(values) = column.strict_cast(&DataType::Int64) else {
        let texts = column.cast(&DataType::String).map_err(unreadable)?;
        return Ok(encode_text(name, texts.str().map_err(unreadable)?));
    };
    let values = values.i64().map_err(unreadable)?;
    match span(values.min(), values.max()) {
        Some(low) => encode_dense(name, values, low),
        None => Ok(encode_keys(name, values.iter(), Value::Integer)),
    }
}

/// The least value, if the values lie close enough together for an array.
fn span(min: Option<i64>, max: Option<i64>) -> Option<i64> {
    let (min, max) = (min?, max?);
    (i128::from(max) - i128::from(min) < DENSE_SPAN).then_some(min)
}

fn encode_dense(name: &str, values: &Int64Chunked, low: i64) -> Result<Attribute, TableError> {
    let missing = DENSE_SPAN as usize;
    let slot = |value: Option<i64>| value.map_or(missing, |v| (v - low) as usize);
    let mut code_of = vec![u32::MAX; missing + 1];
    values.iter().for_each(|value| code_of[slot(value)] = 0);
    let mut domain = Vec::new();
    for (at, code) in code_of.iter_mut().enumerate().filter(|(_, code)| **code == 0) {
        *code = domain.len() as u32;
        domain.push(if at == missing { Value::Missing } else { Value::Integer(low + at as i64) });
    }
    let n_values = domain.len();
    Attribute::new(name, domain, Codes::narrow(values.iter().map(|value| code_of[slot(value)]).collect(), n_values))
}

fn encode_keys<K: Copy + Eq + std::hash::Hash>(
    name: &str,
    values: impl Iterator<Item = Option<K>>,
    value: impl Fn(K) -> Value,
) -> Attribute {
    let (mut found, mut order) = (FxHashMap::default(), Vec::new());
    let code = |key: Option<K>| {
        *found.entry(key).or_insert_with(|| {
            order.push(key.map_or(Value::Missing, &value));
            order.len() as u32 - 1
        })
    };
    let first_seen: Vec<u32> = values.map(code).collect();
    Attribute::from_dictionary(name, &order, first_seen.into_iter())
}

/// A column of text: intervals if every text spells one.
fn encode_text(name: &str, texts: &StringChunked) -> Attribute {
    let coded = encode_keys(name, texts.iter(), |text: &str| Value::text(text));
    let interval = |value: &Value| match value {
        Value::Text(text) => Interval::parse(text).map(Value::Interval),
        other => Some(other.clone()),
    };
    if coded.kind() == "text" && coded.domain().iter().all(|value| interval(value).is_some()) {
        return coded.mapped(|value| interval(value).unwrap_or(Value::Missing));
    }
    coded
}

/// Writes columns as a Parquet file.
pub fn write(file: File, columns: &[FileColumn]) -> Result<(), TableError> {
    let column = |column: &FileColumn| match column {
        FileColumn::Values(attribute) => decode(attribute),
        FileColumn::Counts(name, counts) => Column::new(name.as_str().into(), &**counts),
    };
    let frame = DataFrame::new_infer_height(columns.iter().map(column).collect());
    let written = frame.and_then(|mut frame| ParquetWriter::new(file).finish(&mut frame));
    written.map(drop).map_err(|source| TableError::Unwritable { format: "Parquet", source: source.into() })
}

/// The values of an attribute as a polars column: its kind of value, whole numbers in the narrowest signed type.
fn decode(attribute: &Attribute) -> Column {
    let name: PlSmallStr = attribute.name().into();
    let kind = attribute.domain().iter().find(|v| **v != Value::Missing);
    let is = |sample: &Value| kind.is_none_or(|k| std::mem::discriminant(k) == std::mem::discriminant(sample));
    if is(&Value::Integer(0)) {
        return decode_integers(attribute, name);
    }
    if is(&Value::Real(0.0)) {
        return Column::new(name, decoded(attribute, Value::as_real));
    }
    if is(&Value::Boolean(false)) {
        return Column::new(name, decoded(attribute, |v| if let Value::Boolean(b) = v { Some(*b) } else { None }));
    }
    let texts: Vec<Option<String>> =
        attribute.domain().iter().map(|v| (*v != Value::Missing).then(|| v.to_string())).collect();
    let rows = attribute.codes().to_vec();
    Column::new(name, rows.iter().map(|&code| texts[code as usize].as_deref()).collect::<Vec<Option<&str>>>())
}

fn decode_integers(attribute: &Attribute, name: PlSmallStr) -> Column {
    let fits = |low: i64, high: i64| {
        attribute.domain().iter().filter_map(Value::as_integer).all(|number| (low..=high).contains(&number))
    };
    if fits(i64::from(i8::MIN), i64::from(i8::MAX)) {
        Column::new(name, decoded(attribute, |v| v.as_integer().map(|number| number as i8)))
    } else if fits(i64::from(i16::MIN), i64::from(i16::MAX)) {
        Column::new(name, decoded(attribute, |v| v.as_integer().map(|number| number as i16)))
    } else {
        Column::new(name, decoded(attribute, Value::as_integer))
    }
}

fn decoded<T: Copy>(attribute: &Attribute, value: impl Fn(&Value) -> Option<T>) -> Vec<Option<T>> {
    let by_code: Vec<Option<T>> = attribute.domain().iter().map(value).collect();
    attribute.codes().to_vec().into_iter().map(|code| by_code[code as usize]).collect()
}
