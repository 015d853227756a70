//! Parquet files: columns of numbers, decimal ones included, booleans, text, dates and times, which may be null.

mod arrow;
mod chunk;
mod coded;
mod coder;
mod key;
mod kind;
mod parts;
mod places;
mod write;

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use parquet::basic::Type as PhysicalType;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, FloatType, Int32Type,
    Int64Type, Int96, Int96Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use rayon::prelude::*;

use self::chunk::{Chunks, Decoder, Group, decoder};
use self::coded::{Coded, Dictionary};
use self::key::Keys;
use self::kind::Kind;
#[cfg(feature = "spark")]
pub(crate) use self::kind::widened;
use self::parts::Parts;
pub(crate) use self::write::{Cells, ColumnType, Content, GroupWriter};
use super::cell::{self, MISSING};
use super::codes::{Code, with_codes};
use super::decimal;
use super::interval::Interval;
use super::layout::FileColumn;
use super::merge::{Held, Merger};
use super::moment::{self, Moment, TimeUnit};
use super::origin::Origin;
use super::parts::name_of;
use super::reading::{DecimalMark, Wanted, shown};
use super::{Attribute, Codes, InformationTable, ReadOptions, Remark, TableError, TextCause, Value, fallen_together};

/// Rows of a group of the tables written here.
const ROWS_OF_GROUP: usize = 1 << 18;
/// A column is written as places in a dictionary where a value is repeated so often on average.
const REPEATED: usize = 4;

/// Reads the files of Parquet that are a table, which are opened by `open`: the columns side by side, each group of rows after group, so that
/// beside the coded table no more than a group of a column is held by each thread. Within a limit of memory a group of all columns is
/// read at a time, and its rows are merged.
pub fn read(
    paths: &[PathBuf],
    open: impl Fn(&Path) -> Result<File, TableError>,
    reading: &ReadOptions,
) -> Result<InformationTable, TableError> {
    let Parts { chunks, columns, existing, places } = Parts::open(paths, open, reading)?;
    let rooms = if reading.memory.is_some() { vec![Vec::new(); columns.len()] } else { chunks.rooms(columns.len()) };
    let mut decoders: Vec<_> = columns.iter().zip(rooms).map(|(column, room)| column.decoder(room)).collect();
    let (codes, origin) = match &reading.memory {
        None => (read_groups(&chunks, &mut decoders)?, Origin::default()),
        Some(memory) => merge_groups(&chunks, &columns, &mut decoders, Merger::new(memory))?,
    };
    let rows = origin.in_parts(places);
    let finish = |((column, decoder), codes): ((&Column, Box<dyn Decoder>), Codes)| {
        let (attribute, fell_together) = column.finish(decoder.finish().0, codes, reading, &rows)?;
        let remark = column.remark(&attribute, reading, &rows).or(fell_together);
        Ok((attribute, remark))
    };
    let finished = columns.par_iter().zip(decoders).zip(codes).map(finish);
    let (attributes, remarks): (Vec<_>, Vec<_>) = finished.collect::<Result<Vec<_>, TableError>>()?.into_iter().unzip();
    let remarks = remarks.into_iter().flatten().collect();
    Ok(InformationTable::new(attributes)?.with_remarks(remarks).with_existing(existing).with_origin(rows))
}

/// The codes of each column.
fn read_groups(chunks: &Chunks, decoders: &mut [Box<dyn Decoder>]) -> Result<Vec<Codes>, TableError> {
    let read = |decoder: &mut Box<dyn Decoder>| {
        chunks.groups().try_for_each(|group| read_group(chunks, group, decoder.as_mut()))?;
        Ok(decoder.take_codes())
    };
    decoders.par_iter_mut().map(read).collect()
}

fn read_group(chunks: &Chunks, group: Group, decoder: &mut dyn Decoder) -> Result<(), TableError> {
    decoder.read(chunks, group).map_err(|error| unreadable(error).in_file(chunks.path(group)))
}

/// The codes of the different rows in each column, and which rows they are.
fn merge_groups(
    chunks: &Chunks,
    columns: &[Column],
    decoders: &mut [Box<dyn Decoder>],
    mut merger: Merger,
) -> Result<(Vec<Codes>, Origin), TableError> {
    for group in chunks.groups() {
        let n_rows = u64::try_from(chunks.group(group).num_rows()).unwrap_or_default();
        let bytes_of_codes = |decoder: &dyn Decoder| n_rows * u64::from(Codes::bits_of(decoder.held().0) / 8);
        let before: u64 = decoders.iter().map(|decoder| bytes_of_codes(decoder.as_ref())).sum();
        let check = |n_bytes| merger.check_group(n_bytes, || name_of(chunks.path(group)));
        let known = AtomicU64::new(before + bytes_of_pages(chunks.group(group), columns));
        check(known.load(Ordering::Relaxed))?;
        decoders.par_iter_mut().try_for_each(|decoder| {
            let before = bytes_of_codes(decoder.as_ref());
            read_group(chunks, group, decoder.as_mut())?;
            // How wide its codes are is known now: as wide as its values ask for.
            let more = bytes_of_codes(decoder.as_ref()) - before;
            check(known.fetch_add(more, Ordering::Relaxed) + more)
        })?;
        let codes: Vec<Codes> = decoders.iter_mut().map(|decoder| decoder.take_codes()).collect();
        check_lengths(columns, &codes)?;
        merger.add(&codes.iter().collect::<Vec<_>>(), self::held(columns, decoders).into_iter())?;
    }
    merger.finish(&held(columns, decoders))
}

/// Refuses a group whose columns differ in length.
fn check_lengths(columns: &[Column], codes: &[Codes]) -> Result<(), TableError> {
    let expected = codes.first().map_or(0, Codes::len);
    match columns.iter().zip(codes).find(|(_, codes)| codes.len() != expected) {
        None => Ok(()),
        Some((column, codes)) => Err(TableError::Length { column: column.name.clone(), expected, found: codes.len() }),
    }
}

/// What the columns keep beside the codes of rows.
fn held<'c>(columns: &'c [Column], decoders: &[Box<dyn Decoder>]) -> Vec<Held<'c>> {
    let of_codes = decoders.iter().map(|decoder| decoder.held());
    columns
        .iter()
        .zip(of_codes)
        .map(|(column, (n_values, bytes))| Held { column: &column.name, n_values, bytes })
        .collect()
}

/// About how many bytes the pages of a group of rows take that are read at a time: those of one column for each thread.
fn bytes_of_pages(group: &RowGroupMetaData, columns: &[Column]) -> u64 {
    let bytes = |n: i64| u64::try_from(n).unwrap_or_default();
    let pages = |column: &Column| {
        let column = group.column(column.at);
        bytes(column.uncompressed_size()) + bytes(column.compressed_size())
    };
    rayon::current_num_threads() as u64 * columns.iter().map(pages).max().unwrap_or_default()
}

/// Where the row of these codes stands in the file, for messages.
fn place(rows: &Origin, row: usize) -> String {
    format!("row {}", rows.place(row as u32))
}

/// The first row with this code.
fn row_of(code: usize, codes: &Codes) -> usize {
    (0..codes.len()).find(|&row| codes.get(row) as usize == code).unwrap_or_default()
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

/// A column that was read, and what is to be said of numbers that fell together.
type Finished = (Attribute, Option<Remark>);

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
                let kind =
                    unit.filter(|_| kind == Kind::Integer).map_or(kind, |unit| Kind::Moment(Moment::Duration(unit)));
                columns.push(Column { at: first_of(field).unwrap_or_default(), name, kind, wanted });
            }
            Err(found) => refused.push((name, found)),
        }
    }
    if refused.is_empty() { Ok(columns) } else { Err(TableError::UnsupportedTypes(refused)) }
}

/// The columns that are durations, as far as the file says so.
fn durations(metadata: &ParquetMetaData) -> Result<Vec<(String, TimeUnit)>, TableError> {
    let entries = metadata.file_metadata().key_value_metadata();
    let schema = entries.and_then(|entries| entries.iter().find(|entry| entry.key == arrow::SCHEMA));
    let Some(schema) = schema.and_then(|entry| entry.value.as_ref()) else { return Ok(Vec::new()) };
    let damaged = || TableError::Unreadable { format: "Parquet", reason: format!("its {} is damaged", arrow::SCHEMA) };
    arrow::durations(schema).ok_or_else(damaged)
}

impl Column {
    /// What reads the column, with this room for its codes.
    fn decoder(&self, room: Vec<u8>) -> Box<dyn Decoder> {
        let (at, real) = (self.at, |value: f64| (!value.is_nan()).then(|| kind::in_order(value + 0.0)));
        match self.kind {
            Kind::Boolean => decoder::<BoolType, i64>(at, room, |&value| Some(value.into())),
            Kind::Small | Kind::Moment(Moment::Date | Moment::Time(TimeUnit::Milli)) => {
                decoder::<Int32Type, i64>(at, room, |&value| Some(value.into()))
            }
            Kind::SmallUnsigned => decoder::<Int32Type, i64>(at, room, |&value| Some((value as u32).into())),
            Kind::Integer | Kind::Unsigned | Kind::Moment(_) => {
                decoder::<Int64Type, i64>(at, room, |&value| Some(value))
            }
            Kind::SmallReal => decoder::<FloatType, i64>(at, room, move |&value| real(kind::widened(value))),
            Kind::Real => decoder::<DoubleType, i64>(at, room, move |&value| real(value)),
            Kind::OldTimestamp => decoder::<Int96Type, i128>(at, room, nanoseconds),
            Kind::Text => decoder::<ByteArrayType, _>(at, room, |text| Some(text.data().to_vec())),
            Kind::Decimal(_, stored) => decimals(at, room, stored),
        }
    }

    /// The attribute of these codes, which stand for these keys, in these rows.
    fn finish(&self, keys: Keys, codes: Codes, reading: &ReadOptions, rows: &Origin) -> Result<Finished, TableError> {
        match (keys, self.kind) {
            (Keys::Numbers(keys), _) => self.numbers(keys, codes, reading, rows),
            (Keys::Wide(keys), _) => {
                let value = |nanoseconds: i128| moment::timestamp(nanoseconds, self.wanted);
                let values = keys.iter().map(|key| key.map(value)).collect();
                self.exact(values, &|at| keys[at].unwrap_or_default().to_string(), codes, rows)
            }
            (Keys::Bytes(keys), Kind::Decimal(scale, _)) => {
                let too_large = || unreadable(damaged("a decimal number has more than 256 bits"));
                let text = |key: &Option<Vec<u8>>| {
                    key.as_ref()
                        .map(|key| decimal::spelled(key, scale))
                        .map(|text| text.ok_or_else(too_large))
                        .transpose()
                };
                let texts = keys.iter().map(text).collect::<Result<Vec<Option<String>>, _>>()?;
                self.spelled(&texts, codes, (reading, DecimalMark::Point), rows)
            }
            (Keys::Bytes(keys), _) => self.texts(&keys, codes, reading, rows),
        }
    }

    /// A column of numbers, times or booleans.
    fn numbers(
        &self,
        keys: Vec<Option<i64>>,
        codes: Codes,
        reading: &ReadOptions,
        rows: &Origin,
    ) -> Result<Finished, TableError> {
        let (is_unsigned, is_number) = (self.kind == Kind::Unsigned, self.wanted == Wanted::Number);
        // Large numbers that mean a missing value stay texts until they are made missing, and make no texts of others.
        let is_kept = |key: i64| is_number || !reading.means_missing(&(key as u64).to_string(), Wanted::Text);
        let is_large = is_unsigned && keys.iter().flatten().any(|&key| key < 0 && is_kept(key));
        let value = |key: i64| match self.wanted {
            Wanted::Number if is_large => Value::Real(key as u64 as f64),
            _ if is_large || is_unsigned && key < 0 => Value::text(&(key as u64).to_string()),
            wanted => self.kind.value(key, wanted),
        };
        let spelled = |at: usize| match keys[at].unwrap_or_default() {
            key if is_unsigned => (key as u64).to_string(),
            key => key.to_string(),
        };
        self.exact(keys.iter().map(|key| key.map(value)).collect(), &spelled, codes, rows)
    }

    /// What is to be said of a column of whole numbers that is text because one of them has more than 64 bits with sign.
    fn remark(&self, attribute: &Attribute, reading: &ReadOptions, rows: &Origin) -> Option<Remark> {
        let is_whole = matches!(self.kind, Kind::Unsigned | Kind::Decimal(0, _));
        if !is_whole || (self.wanted, attribute.kind()) != (Wanted::Any, "text") {
            return None;
        }
        let is_large = |text: &str| text.parse::<i64>().is_err() && !reading.means_missing(text, Wanted::Text);
        let by_code: Vec<bool> =
            attribute.domain().iter().map(|value| matches!(value, Value::Text(text) if is_large(text))).collect();
        let row = (0..attribute.len()).find(|&row| by_code[attribute.code(row) as usize])?;
        let (column, found) = (self.name.clone(), attribute.value(row).to_string());
        Some(Remark::Text { column, found, place: place(rows, row), cause: TextCause::TooLarge })
    }

    /// As [`Column::finished`], of values that are `spelled` so in the file. Told of are the first two that are one real number, of
    /// numbers that the file has exactly.
    fn exact(
        &self,
        values: Vec<Option<Value>>,
        spelled: &dyn Fn(usize) -> String,
        codes: Codes,
        rows: &Origin,
    ) -> Result<Finished, TableError> {
        let is_exact = !matches!(self.kind, Kind::SmallReal | Kind::Real | Kind::Text);
        let told = is_exact.then(|| fallen_together(values.iter().map(Option::as_ref), spelled)).flatten();
        let remark = told.map(|(one, other)| {
            // What is told of is the later one.
            let [first, second] = [one, other].map(|key| (row_of(key, &codes), key));
            let ((_, like), (row, at)) = (first.min(second), first.max(second));
            let (column, found, like) = (self.name.clone(), shown(&spelled(at)), shown(&spelled(like)));
            Remark::FellTogether { column, found, place: place(rows, row), like }
        });
        Ok((self.finished(values, codes, rows)?, remark))
    }

    /// The attribute whose codes stand for these values, as texts or numbers where these are wanted.
    fn finished(&self, values: Vec<Option<Value>>, codes: Codes, rows: &Origin) -> Result<Attribute, TableError> {
        let is_other = |value: &Option<Value>| value.as_ref().is_some_and(|value| value.as_real().is_none());
        if let Some(at) = values.iter().position(is_other).filter(|_| self.wanted == Wanted::Number) {
            let found = values[at].as_ref().map(Value::to_string).unwrap_or_default();
            return Err(self.not_a_number(&found, at, &codes, rows));
        }
        let value = |value: Option<Value>| match value {
            None => Value::Missing,
            Some(value) if self.wanted == Wanted::Text => Value::text(&value.to_string()),
            Some(value) => value,
        };
        Ok(Attribute::from_used(&self.name, values.into_iter().map(value).collect(), codes))
    }

    /// A column that is to be numbers has this cell, which has the code `code`.
    fn not_a_number(&self, found: &str, code: usize, codes: &Codes, rows: &Origin) -> TableError {
        let place = place(rows, row_of(code, codes));
        TableError::NotANumber { column: self.name.clone(), place, found: shown(found) }
    }

    /// A column of text: intervals if every text spells one that is not listed as missing.
    fn texts(
        &self,
        keys: &[Option<Vec<u8>>],
        codes: Codes,
        reading: &ReadOptions,
        rows: &Origin,
    ) -> Result<Finished, TableError> {
        let text = |key: &Option<Vec<u8>>| key.clone().map(String::from_utf8).transpose();
        let texts = keys.iter().map(text).collect::<Result<Vec<Option<String>>, _>>();
        let texts = texts.map_err(|reason| TableError::unreadable("Parquet", &reason.utf8_error()))?;
        let values = match self.wanted {
            Wanted::Number => return self.spelled(&texts, codes, (reading, reading.decimal), rows),
            Wanted::Text => values(&texts, |text| Some(Value::text(text))),
            Wanted::Any | Wanted::Nothing => {
                let interval = |text: &str| Interval::parse(text).map(Value::Interval);
                let is_other = |text: &str| interval(text).is_none() && !reading.means_missing(text, Wanted::Text);
                let has_other = texts.iter().flatten().any(|text| is_other(text));
                // A listed one stays a text until it is made missing.
                let value = |text: &str| interval(text).filter(|_| !has_other).or_else(|| Some(Value::text(text)));
                values(&texts, value)
            }
        };
        Ok((self.finished(values, codes, rows)?, None))
    }

    /// A column whose values are what their texts spell, with this decimal mark. Missing is what is missing in CSV, too.
    fn spelled(
        &self,
        texts: &[Option<String>],
        codes: Codes,
        (reading, mark): (&ReadOptions, DecimalMark),
        rows: &Origin,
    ) -> Result<Finished, TableError> {
        let listed = |text: &str| reading.listed(text, self.wanted);
        let is_missing = |text: &str| MISSING.contains(&text) || listed(text).is_some();
        let is_given = |text: &Option<String>| text.as_deref().is_some_and(|text| !is_missing(text));
        let places: Vec<usize> = (0..texts.len()).filter(|&at| is_given(&texts[at])).collect();
        let cells: Vec<&str> = places.iter().filter_map(|&at| texts[at].as_deref()).collect();
        let kind = cell::Kind::of(&cells, self.wanted, mark)
            .map_err(|at| self.not_a_number(cells[at], places[at], &codes, rows))?;
        let value = |text: &str| match listed(text) {
            // It is made missing as it is listed, which also tells what of the list is met nowhere.
            Some(missing) if self.wanted != Wanted::Number => Some(Value::text(missing)),
            _ if is_missing(text) => None,
            _ => kind.value(text, mark),
        };
        self.exact(values(texts, value), &|at| texts[at].clone().unwrap_or_default(), codes, rows)
    }
}

/// What reads a column of decimal numbers, which are what they would be in CSV.
fn decimals(at: usize, room: Vec<u8>, stored: PhysicalType) -> Box<dyn Decoder> {
    let whole = |number: i64| Some(number.to_be_bytes().to_vec());
    match stored {
        PhysicalType::INT32 => decoder::<Int32Type, _>(at, room, move |&n| whole(n.into())),
        PhysicalType::INT64 => decoder::<Int64Type, _>(at, room, move |&n| whole(n)),
        PhysicalType::BYTE_ARRAY => decoder::<ByteArrayType, _>(at, room, |n: &ByteArray| Some(n.data().to_vec())),
        _ => decoder::<FixedLenByteArrayType, _>(at, room, |n: &FixedLenByteArray| Some(n.data().to_vec())),
    }
}

/// A timestamp in 96 bits: the nanoseconds of a day, and the day counted from 4713 BC.
fn nanoseconds(time: &Int96) -> Option<i128> {
    match *time.data() {
        [low, high, day] => Some(moment::of_julian_day(day as i32, u64::from(high) << 32 | u64::from(low))),
        _ => None,
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

/// The kind of value of a column, whole numbers in the narrowest signed type; real ones, if any number is.
fn type_of(column: &FileColumn) -> ColumnType {
    let attribute = match column {
        FileColumn::Counts(..) => return ColumnType::Count,
        FileColumn::Values(attribute) => attribute,
    };
    let numbers = || attribute.domain().iter().filter_map(Value::as_integer);
    let is_real = attribute.domain().iter().any(|value| matches!(value, Value::Real(_)));
    match attribute.domain().iter().find(|value| **value != Value::Missing) {
        _ if is_real => ColumnType::Real,
        None | Some(Value::Integer(_)) if numbers().all(|number| i8::try_from(number).is_ok()) => ColumnType::Integer8,
        Some(Value::Integer(_)) if numbers().all(|number| i16::try_from(number).is_ok()) => ColumnType::Integer16,
        None | Some(Value::Integer(_)) => ColumnType::Integer64,
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
