//! Parquet files: columns of numbers, decimal ones included, booleans, text, dates and times, which may be null.

mod arrow;
mod chunk;
mod coded;
mod coder;
mod decimal;
mod kind;
mod moment;
mod places;
mod write;

use std::fs::File;
use std::ops::Range;

use parquet::basic::Type as PhysicalType;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type, Int96, Int96Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use rayon::prelude::*;

use self::chunk::{Chunks, code_column};
use self::coded::{Coded, Dictionary};
use self::kind::Kind;
#[cfg(feature = "spark")]
pub(crate) use self::kind::widened;
use self::moment::Unit;
pub(crate) use self::write::{Cells, ColumnType, Content, GroupWriter};
use super::build::check_rows;
use super::cell::{self, MISSING};
use super::codes::{Code, with_codes};
use super::interval::Interval;
use super::layout::FileColumn;
use super::reading::{DecimalMark, Wanted, shown};
use super::{Attribute, Codes, InformationTable, ReadOptions, Remark, TableError, TextCause, Value};

/// Rows of a group of the tables written here.
const ROWS_OF_GROUP: usize = 1 << 18;
/// A column is written as places in a dictionary where a value is repeated so often on average.
const REPEATED: usize = 4;

/// Reads a Parquet file: the columns side by side, each group of rows after group, so that beside the coded table no
/// more than a group of a column is held by each thread.
pub fn read(file: File, reading: &ReadOptions) -> Result<InformationTable, TableError> {
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&file).map_err(unreadable)?;
    let columns = columns(&metadata, reading)?;
    check_rows(usize::try_from(metadata.file_metadata().num_rows()).unwrap_or_default())?;
    let existing = names(&metadata);
    let chunks = Chunks::new(file, metadata, columns.len());
    let read = |column: &Column| column.read(&chunks, reading);
    let attributes: Vec<Attribute> = columns.par_iter().map(read).collect::<Result<_, _>>()?;
    let remarks = columns.iter().zip(&attributes).filter_map(|(column, attribute)| column.remark(attribute, reading));
    let remarks = remarks.collect();
    Ok(InformationTable::new(attributes)?.with_remarks(remarks).with_existing(existing))
}

/// The names of all columns of the file.
fn names(metadata: &ParquetMetaData) -> Vec<String> {
    let fields = metadata.file_metadata().schema_descr().root_schema().get_fields();
    fields.iter().map(|field| field.name().to_owned()).collect()
}

fn unreadable(reason: ParquetError) -> TableError {
    TableError::unreadable("Parquet", &reason)
}

/// What is wrong with the pages of a column.
fn damaged(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}

/// A column that is read.
struct Column {
    /// Its place among the columns of the file, of which a field of the schema may have several.
    at: usize,
    name: String,
    kind: Kind,
    wanted: Wanted,
}

/// The columns that are read.
fn columns(metadata: &ParquetMetaData, reading: &ReadOptions) -> Result<Vec<Column>, TableError> {
    let schema = metadata.file_metadata().schema_descr();
    let fields = schema.root_schema().get_fields();
    let (names, durations) = (names(metadata), durations(metadata)?);
    let first_of = |field: usize| (0..schema.num_columns()).find(|&at| schema.get_column_root_idx(at) == field);
    let wanted = reading.wanted(&names)?;
    let (mut columns, mut refused) = (Vec::new(), Vec::new());
    let all = names.into_iter().zip(wanted).enumerate();
    for (field, (name, wanted)) in all.filter(|(_, (_, wanted))| *wanted != Wanted::Nothing) {
        match Kind::of(&fields[field]) {
            Ok(kind) => {
                let unit = durations.iter().find(|(other, _)| *other == name).map(|(_, unit)| *unit);
                let kind = unit.filter(|_| kind == Kind::Integer).map_or(kind, Kind::Duration);
                columns.push(Column { at: first_of(field).unwrap_or_default(), name, kind, wanted });
            }
            Err(found) => refused.push((name, found)),
        }
    }
    if refused.is_empty() { Ok(columns) } else { Err(TableError::UnsupportedTypes(refused)) }
}

/// The columns that are durations, as far as the file says so.
fn durations(metadata: &ParquetMetaData) -> Result<Vec<(String, Unit)>, TableError> {
    let entries = metadata.file_metadata().key_value_metadata();
    let schema = entries.and_then(|entries| entries.iter().find(|entry| entry.key == arrow::SCHEMA));
    let Some(schema) = schema.and_then(|entry| entry.value.as_ref()) else { return Ok(Vec::new()) };
    let damaged = || TableError::Unreadable { format: "Parquet", reason: format!("its {} is damaged", arrow::SCHEMA) };
    arrow::durations(schema).ok_or_else(damaged)
}

impl Column {
    fn read(&self, chunks: &Chunks, reading: &ReadOptions) -> Result<Attribute, TableError> {
        let (at, real) = (self.at, |value: f64| (!value.is_nan()).then(|| kind::in_order(value + 0.0)));
        let coded = match self.kind {
            Kind::Boolean => code_column::<BoolType, i64>(chunks, at, |&value| Some(value.into())),
            Kind::Small | Kind::Date | Kind::Time(Unit::Milli) => {
                code_column::<Int32Type, i64>(chunks, at, |&value| Some(value.into()))
            }
            Kind::SmallUnsigned => code_column::<Int32Type, i64>(chunks, at, |&value| Some((value as u32).into())),
            Kind::Integer | Kind::Unsigned | Kind::Time(_) | Kind::Timestamp(_) | Kind::Duration(_) => {
                code_column::<Int64Type, i64>(chunks, at, |&value| Some(value))
            }
            Kind::SmallReal => code_column::<FloatType, i64>(chunks, at, |&value| real(kind::widened(value))),
            Kind::Real => code_column::<DoubleType, i64>(chunks, at, |&value| real(value)),
            Kind::OldTimestamp => return self.old_timestamps(chunks),
            Kind::Text => return self.texts(chunks, reading),
            Kind::Decimal(scale, stored) => return self.decimals(chunks, scale, stored, reading),
        };
        let (keys, codes) = coded.map_err(unreadable)?;
        let (is_unsigned, is_number) = (self.kind == Kind::Unsigned, self.wanted == Wanted::Number);
        // Large numbers that mean a missing value stay texts until they are made missing, and make no texts of others.
        let is_kept = |key: i64| is_number || !reading.means_missing(&(key as u64).to_string(), Wanted::Text);
        let is_large = is_unsigned && keys.iter().flatten().any(|&key| key < 0 && is_kept(key));
        let value = |key: i64| match self.wanted {
            Wanted::Number if is_large => Value::Real(key as u64 as f64),
            _ if is_large || is_unsigned && key < 0 => Value::text(&(key as u64).to_string()),
            wanted => self.kind.value(key, wanted),
        };
        self.finished(keys.into_iter().map(|key| key.map(value)).collect(), codes)
    }

    /// What is to be said of a column of whole numbers that is text because one of them has more than 64 bits with sign.
    fn remark(&self, attribute: &Attribute, reading: &ReadOptions) -> Option<Remark> {
        let is_whole = matches!(self.kind, Kind::Unsigned | Kind::Decimal(0, _));
        if !is_whole || (self.wanted, attribute.kind()) != (Wanted::Any, "text") {
            return None;
        }
        let is_large = |text: &str| text.parse::<i64>().is_err() && !reading.means_missing(text, Wanted::Text);
        let by_code: Vec<bool> =
            attribute.domain().iter().map(|value| matches!(value, Value::Text(text) if is_large(text))).collect();
        let row = (0..attribute.len()).find(|&row| by_code[attribute.code(row) as usize])?;
        let (column, found) = (self.name.clone(), attribute.value(row).to_string());
        Some(Remark::Text { column, found, place: format!("row {}", row + 1), cause: TextCause::TooLarge })
    }

    /// The attribute whose codes stand for these values, as texts or numbers where these are wanted.
    fn finished(&self, values: Vec<Option<Value>>, codes: Codes) -> Result<Attribute, TableError> {
        let is_other = |value: &Option<Value>| value.as_ref().is_some_and(|value| value.as_real().is_none());
        if let Some(at) = values.iter().position(is_other).filter(|_| self.wanted == Wanted::Number) {
            let found = values[at].as_ref().map(Value::to_string).unwrap_or_default();
            return Err(self.not_a_number(&found, at, &codes));
        }
        let value = |value: Option<Value>| match value {
            None => Value::Missing,
            Some(value) if self.wanted == Wanted::Text => Value::text(&value.to_string()),
            Some(value) => value,
        };
        Ok(Attribute::from_used(&self.name, values.into_iter().map(value).collect(), codes))
    }

    /// A column that is to be numbers has this cell, which has the code `code`.
    fn not_a_number(&self, found: &str, code: usize, codes: &Codes) -> TableError {
        let row = (0..codes.len()).find(|&row| codes.get(row) as usize == code).unwrap_or_default();
        TableError::NotANumber { column: self.name.clone(), place: format!("row {}", row + 1), found: shown(found) }
    }

    /// A column of timestamps in 96 bits: the nanoseconds of a day, and the day counted from 4713 BC.
    fn old_timestamps(&self, chunks: &Chunks) -> Result<Attribute, TableError> {
        let nanoseconds = |time: &Int96| match *time.data() {
            [low, high, day] => Some(moment::of_julian_day(day as i32, u64::from(high) << 32 | u64::from(low))),
            _ => None,
        };
        let (keys, codes) = code_column::<Int96Type, i128>(chunks, self.at, nanoseconds).map_err(unreadable)?;
        let value = |nanoseconds: i128| moment::timestamp(nanoseconds, self.wanted);
        self.finished(keys.into_iter().map(|key| key.map(value)).collect(), codes)
    }

    /// A column of text: intervals if every text spells one.
    fn texts(&self, chunks: &Chunks, reading: &ReadOptions) -> Result<Attribute, TableError> {
        let bytes = |text: &ByteArray| Some(text.data().to_vec());
        let (keys, codes) = code_column::<ByteArrayType, Vec<u8>>(chunks, self.at, bytes).map_err(unreadable)?;
        let text = |key: &Option<Vec<u8>>| key.clone().map(String::from_utf8).transpose();
        let texts = keys.iter().map(text).collect::<Result<Vec<Option<String>>, _>>();
        let texts = texts.map_err(|reason| TableError::unreadable("Parquet", &reason.utf8_error()))?;
        match self.wanted {
            Wanted::Number => self.spelled(&texts, codes, reading, reading.decimal),
            Wanted::Text => self.finished(values(&texts, |text| Some(Value::text(text))), codes),
            Wanted::Any | Wanted::Nothing => {
                let intervals = values(&texts, |text| Interval::parse(text).map(Value::Interval));
                let all = intervals.iter().zip(&texts).all(|(interval, text)| interval.is_some() == text.is_some());
                let values = if all { intervals } else { values(&texts, |text| Some(Value::text(text))) };
                self.finished(values, codes)
            }
        }
    }

    /// A column of decimal numbers, which are what they would be in CSV.
    fn decimals(
        &self,
        chunks: &Chunks,
        scale: usize,
        stored: PhysicalType,
        reading: &ReadOptions,
    ) -> Result<Attribute, TableError> {
        let whole = |number: i64| Some(number.to_be_bytes().to_vec());
        let coded = match stored {
            PhysicalType::INT32 => code_column::<Int32Type, Vec<u8>>(chunks, self.at, |&n| whole(n.into())),
            PhysicalType::INT64 => code_column::<Int64Type, Vec<u8>>(chunks, self.at, |&n| whole(n)),
            PhysicalType::BYTE_ARRAY => {
                code_column::<ByteArrayType, _>(chunks, self.at, |n: &ByteArray| Some(n.data().to_vec()))
            }
            _ => code_column::<FixedLenByteArrayType, _>(chunks, self.at, |n: &FixedLenByteArray| {
                Some(n.data().to_vec())
            }),
        };
        let (keys, codes) = coded.map_err(unreadable)?;
        let too_large = || unreadable(damaged("a decimal number has more than 256 bits"));
        let text = |key: &Option<Vec<u8>>| {
            key.as_ref().map(|key| decimal::spelled(key, scale)).map(|text| text.ok_or_else(too_large)).transpose()
        };
        let texts = keys.iter().map(text).collect::<Result<Vec<Option<String>>, _>>()?;
        self.spelled(&texts, codes, reading, DecimalMark::Point)
    }

    /// A column whose values are what their texts spell, with this decimal mark. Missing is what is missing in CSV, too.
    fn spelled(
        &self,
        texts: &[Option<String>],
        codes: Codes,
        reading: &ReadOptions,
        mark: DecimalMark,
    ) -> Result<Attribute, TableError> {
        let is_missing = |text: &str| MISSING.contains(&text) || reading.means_missing(text, self.wanted);
        let is_given = |text: &Option<String>| text.as_deref().is_some_and(|text| !is_missing(text));
        let places: Vec<usize> = (0..texts.len()).filter(|&at| is_given(&texts[at])).collect();
        let cells: Vec<&str> = places.iter().filter_map(|&at| texts[at].as_deref()).collect();
        let kind =
            cell::Kind::of(&cells, self.wanted, mark).map_err(|at| self.not_a_number(cells[at], places[at], &codes))?;
        let value = |text: &str| if is_missing(text) { None } else { kind.value(text, mark) };
        self.finished(values(texts, value), codes)
    }
}

fn values(texts: &[Option<String>], value: impl Fn(&str) -> Option<Value>) -> Vec<Option<Value>> {
    texts.iter().map(|text| text.as_deref().and_then(&value)).collect()
}

/// Writes columns as a Parquet file.
pub fn write(file: File, columns: &[FileColumn]) -> Result<(), TableError> {
    let types: Vec<(&str, ColumnType)> = columns.iter().map(|column| (column.name(), type_of(column))).collect();
    let n_rows = columns.first().map_or(0, FileColumn::n_rows);
    let kinds: Vec<(&FileColumn, ColumnType)> = columns.iter().zip(types.iter().map(|&(_, kind)| kind)).collect();
    let written = || {
        let mut writer = GroupWriter::create(file, &types)?;
        for first in (0..n_rows).step_by(ROWS_OF_GROUP) {
            let rows = first..n_rows.min(first + ROWS_OF_GROUP);
            writer.write(&kinds, |(column, kind)| content(column, *kind, rows.clone()))?;
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

fn content(column: &FileColumn, kind: ColumnType, rows: Range<usize>) -> Content {
    match column {
        FileColumn::Counts(_, counts) => {
            Content::Cells(Cells::Integer(counts[rows].iter().map(|&count| Some(count.into())).collect()))
        }
        FileColumn::Values(attribute) => coded(attribute, kind, rows.clone())
            .map_or_else(|| Content::Cells(cells(attribute, kind, rows)), Content::Coded),
    }
}

/// The rows of an attribute as places in a dictionary, if its values are repeated often enough.
fn coded(attribute: &Attribute, kind: ColumnType, rows: Range<usize>) -> Option<Coded> {
    let (used, places, levels) =
        with_codes!(attribute.codes(), codes => numbered(&codes[rows], attribute.code_of(&Value::Missing)));
    if used.is_empty() || used.len() * REPEATED > places.len() {
        return None;
    }
    let values = || used.iter().map(|&code| &attribute.domain()[code]);
    let dictionary = match kind {
        ColumnType::Boolean | ColumnType::Count => return None,
        ColumnType::Real => Dictionary::Real(values().filter_map(Value::as_real).collect()),
        ColumnType::Text => Dictionary::Text(values().map(text_of).collect()),
        ColumnType::Integer64 => Dictionary::Wide(values().filter_map(Value::as_integer).collect()),
        ColumnType::Integer8 | ColumnType::Integer16 => {
            Dictionary::Integer(values().filter_map(Value::as_integer).map(|value| value as i32).collect())
        }
    };
    Some(Coded { dictionary, places, levels })
}

/// Which codes occur, in the order in which they first do, and for each row that is not `missing` the place of its code
/// among them. Where rows are missing, also which are not: 1 for each that is there, 0 for others.
fn numbered<C: Code>(codes: &[C], missing: Option<u32>) -> (Vec<usize>, Vec<u32>, Vec<u32>) {
    let missing = missing.map(|missing| missing as usize);
    let n_values = codes.iter().map(|code| code.index() + 1).max().unwrap_or_default();
    let (mut place_of, mut used) = (vec![u32::MAX; n_values], Vec::new());
    let place = |code: &C| {
        let place = &mut place_of[code.index()];
        if *place == u32::MAX {
            *place = used.len() as u32;
            used.push(code.index());
        }
        *place
    };
    let is_there = |code: &&C| Some(code.index()) != missing;
    let places: Vec<u32> = match missing {
        None => codes.iter().map(place).collect(),
        Some(_) => codes.iter().filter(is_there).map(place).collect(),
    };
    let all = places.len() == codes.len();
    let levels = if all { Vec::new() } else { codes.iter().map(|code| u32::from(is_there(&code))).collect() };
    (used, places, levels)
}

fn text_of(value: &Value) -> ByteArray {
    ByteArray::from(value.to_string().into_bytes())
}

fn cells(attribute: &Attribute, kind: ColumnType, rows: Range<usize>) -> Cells {
    match kind {
        ColumnType::Real => Cells::Real(decoded(attribute, rows, Value::as_real)),
        ColumnType::Boolean => {
            Cells::Boolean(decoded(attribute, rows, |v| if let Value::Boolean(b) = v { Some(*b) } else { None }))
        }
        ColumnType::Text => {
            Cells::Text(decoded(attribute, rows, |value| (*value != Value::Missing).then(|| text_of(value))))
        }
        _ => Cells::Integer(decoded(attribute, rows, Value::as_integer)),
    }
}

fn decoded<T: Clone>(attribute: &Attribute, rows: Range<usize>, value: impl Fn(&Value) -> Option<T>) -> Vec<Option<T>> {
    let by_code: Vec<Option<T>> = attribute.domain().iter().map(value).collect();
    rows.map(|row| by_code[attribute.code(row) as usize].clone()).collect()
}
