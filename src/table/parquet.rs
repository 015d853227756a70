//! Parquet files: columns of numbers, booleans and text, which may be null.

mod chunk;
mod coder;
mod kind;
mod write;

use std::fs::File;

use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, FloatType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use rayon::prelude::*;

use self::chunk::{Chunks, code_column};
use self::kind::Kind;
pub(crate) use self::write::{Cells, ColumnType, GroupWriter};
use super::build::check_rows;
use super::interval::Interval;
use super::layout::FileColumn;
use super::{Attribute, InformationTable, TableError, Value};

/// Rows of a group of the tables written here.
const ROWS_OF_GROUP: usize = 1 << 18;

/// Reads a Parquet file: the columns side by side, each group of rows after group, so that beside the coded table no
/// more than a group of a column is held by each thread.
pub fn read(file: File) -> Result<InformationTable, TableError> {
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&file).map_err(unreadable)?;
    let kinds = kinds(&metadata)?;
    check_rows(usize::try_from(metadata.file_metadata().num_rows()).unwrap_or_default())?;
    let chunks = Chunks::new(file, metadata);
    let column = |(at, (name, kind)): (usize, (String, Kind))| column(&chunks, at, &name, kind);
    InformationTable::new(kinds.into_par_iter().enumerate().map(column).collect::<Result<_, _>>()?)
}

fn unreadable(reason: ParquetError) -> TableError {
    TableError::unreadable("Parquet", &reason)
}

/// The name of each column and the kind of its values.
fn kinds(metadata: &ParquetMetaData) -> Result<Vec<(String, Kind)>, TableError> {
    let fields = metadata.file_metadata().schema_descr().root_schema().get_fields();
    let kind = |field: &parquet::schema::types::TypePtr| {
        let name = field.name().to_owned();
        match Kind::of(field) {
            Ok(kind) => Ok((name, kind)),
            Err(found) => Err(TableError::UnsupportedType { column: name, found }),
        }
    };
    fields.iter().map(kind).collect()
}

fn column(chunks: &Chunks, at: usize, name: &str, kind: Kind) -> Result<Attribute, TableError> {
    let real = |value: f64| (!value.is_nan()).then(|| (value + 0.0).to_bits());
    let coded = match kind {
        Kind::Boolean => code_column::<BoolType, u64>(chunks, at, |&value| Some(value.into())),
        Kind::Small => code_column::<Int32Type, u64>(chunks, at, |&value| Some(i64::from(value) as u64)),
        Kind::SmallUnsigned => code_column::<Int32Type, u64>(chunks, at, |&value| Some((value as u32).into())),
        Kind::Integer | Kind::Unsigned => code_column::<Int64Type, u64>(chunks, at, |&value| Some(value as u64)),
        Kind::SmallReal => code_column::<FloatType, u64>(chunks, at, |&value| real(value.into())),
        Kind::Real => code_column::<DoubleType, u64>(chunks, at, |&value| real(value)),
        Kind::Text => return texts(chunks, at, name),
    };
    let (keys, codes) = coded.map_err(unreadable)?;
    let spelled = kind == Kind::Unsigned && keys.iter().flatten().any(|&key| i64::try_from(key).is_err());
    let value = |key: &Option<u64>| match *key {
        None => Value::Missing,
        Some(key) if spelled => Value::text(&key.to_string()),
        Some(key) => kind.value(key),
    };
    Ok(Attribute::from_used(name, keys.iter().map(value).collect(), codes))
}

/// A column of text: intervals if every text spells one.
fn texts(chunks: &Chunks, at: usize, name: &str) -> Result<Attribute, TableError> {
    let bytes = |text: &ByteArray| Some(text.data().to_vec());
    let (keys, codes) = code_column::<ByteArrayType, Vec<u8>>(chunks, at, bytes).map_err(unreadable)?;
    let text = |key: &Option<Vec<u8>>| match key {
        None => Ok(Value::Missing),
        Some(bytes) => std::str::from_utf8(bytes).map(Value::text),
    };
    let values = keys.iter().map(text).collect::<Result<Vec<_>, _>>();
    let values = values.map_err(|reason| TableError::unreadable("Parquet", &reason))?;
    let interval = |value: &Value| match value {
        Value::Text(text) => Interval::parse(text).map(Value::Interval),
        other => Some(other.clone()),
    };
    let intervals: Option<Vec<Value>> = values.iter().map(interval).collect();
    Ok(Attribute::from_used(name, intervals.unwrap_or(values), codes))
}

/// Writes columns as a Parquet file.
pub fn write(file: File, columns: &[FileColumn]) -> Result<(), TableError> {
    let types: Vec<(&str, ColumnType)> = columns.iter().map(|column| (column.name(), type_of(column))).collect();
    let n_rows = columns.first().map_or(0, FileColumn::n_rows);
    let written = || {
        let mut writer = GroupWriter::create(file, &types)?;
        for first in (0..n_rows).step_by(ROWS_OF_GROUP) {
            let rows = first..n_rows.min(first + ROWS_OF_GROUP);
            writer.write(columns.iter().zip(&types).map(|(column, (_, kind))| cells(column, *kind, rows.clone())))?;
        }
        writer.finish()
    };
    written().map_err(|source: ParquetError| TableError::Unwritable { format: "Parquet", source: source.into() })
}

/// The kind of value of a column, whole numbers in the narrowest signed type.
fn type_of(column: &FileColumn) -> ColumnType {
    let attribute = match column {
        FileColumn::Counts(..) => return ColumnType::Count,
        FileColumn::Values(attribute) => attribute,
    };
    let numbers = || attribute.domain().iter().filter_map(Value::as_integer);
    match attribute.domain().iter().find(|value| **value != Value::Missing) {
        None | Some(Value::Integer(_)) if numbers().all(|number| i8::try_from(number).is_ok()) => ColumnType::Integer8,
        Some(Value::Integer(_)) if numbers().all(|number| i16::try_from(number).is_ok()) => ColumnType::Integer16,
        None | Some(Value::Integer(_)) => ColumnType::Integer64,
        Some(Value::Real(_)) => ColumnType::Real,
        Some(Value::Boolean(_)) => ColumnType::Boolean,
        Some(_) => ColumnType::Text,
    }
}

fn cells(column: &FileColumn, kind: ColumnType, rows: std::ops::Range<usize>) -> Cells {
    let attribute = match column {
        FileColumn::Counts(_, counts) => {
            return Cells::Integer(counts[rows].iter().map(|&count| Some(count.into())).collect());
        }
        FileColumn::Values(attribute) => attribute,
    };
    match kind {
        ColumnType::Real => Cells::Real(decoded(attribute, rows, Value::as_real)),
        ColumnType::Boolean => {
            Cells::Boolean(decoded(attribute, rows, |v| if let Value::Boolean(b) = v { Some(*b) } else { None }))
        }
        ColumnType::Text => Cells::Text(decoded(attribute, rows, |v| {
            (*v != Value::Missing).then(|| ByteArray::from(v.to_string().into_bytes()))
        })),
        _ => Cells::Integer(decoded(attribute, rows, Value::as_integer)),
    }
}

fn decoded<T: Clone>(
    attribute: &Attribute,
    rows: std::ops::Range<usize>,
    value: impl Fn(&Value) -> Option<T>,
) -> Vec<Option<T>> {
    let by_code: Vec<Option<T>> = attribute.domain().iter().map(value).collect();
    rows.map(|row| by_code[attribute.code(row) as usize].clone()).collect()
}
