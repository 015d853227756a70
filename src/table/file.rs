//! Tables in CSV and Parquet files.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use polars::prelude::*;

use super::{DecisionTable, InformationTable, Roles, TableError};
use super::{csv, frame};

/// How a decision table is laid out in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// One row per object with a decision column, and a column `weight` if objects are weighted.
    #[default]
    Objects,
    /// One row per distinct description with a count column `d=VALUE` per decision value.
    Merged,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Csv,
    Tsv,
    Parquet,
}

impl Format {
    fn of(path: &Path) -> Result<Self, TableError> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "csv" => Ok(Self::Csv),
            "tsv" => Ok(Self::Tsv),
            "parquet" => Ok(Self::Parquet),
            _ => Err(TableError::UnknownFormat { found: extension }),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Csv | Self::Tsv => "CSV",
            Self::Parquet => "Parquet",
        }
    }
}

/// How a file is read where its content leaves a choice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// The separator of CSV; without one, it is the comma, semicolon or tab, whichever the header has most of.
    pub separator: Option<u8>,
    /// Texts that mean a missing value, beside the empty cell, `?` and `NA` of CSV and the null and NaN of Parquet. In
    /// Parquet also numbers are missing that are spelled so.
    pub missing: Vec<String>,
}

impl InformationTable {
    /// Reads a file whose name ends in `.csv`, `.tsv` or `.parquet`.
    ///
    /// CSV has a header; its separator is a comma, semicolon or tab, whichever the header has most of; the kind of
    /// value of a column is the first that all its cells spell: booleans, integers, reals, intervals, text; an empty
    /// cell, `?` and `NA` are missing; blank lines are passed over.
    ///
    /// # Errors
    /// When the file cannot be opened, is damaged, has a column of an unsupported type or two of one name. Every
    /// error names the file.
    pub fn read(path: &Path) -> Result<Self, TableError> {
        Self::read_as(path, &Reading::default())
    }

    /// Reads a file as [`InformationTable::read`] does, with choices.
    ///
    /// # Errors
    /// As [`InformationTable::read`]; also when a separator is given for Parquet.
    pub fn read_as(path: &Path, reading: &Reading) -> Result<Self, TableError> {
        read(path, reading).map_err(|e| e.in_file(path))
    }
}

impl DecisionTable {
    /// Reads a file as [`InformationTable::read`] does and gives its columns their `roles`.
    ///
    /// # Errors
    /// As [`InformationTable::read`] and [`InformationTable::decide`]; every error names the file.
    pub fn read(path: &Path, roles: &Roles) -> Result<Self, TableError> {
        InformationTable::read(path)?.decide(roles).map_err(|e| e.in_file(path))
    }

    /// Checks, before any work is done for it, that a table can be written to a file of this name.
    ///
    /// # Errors
    /// When the name ends in nothing that stands for a format; the error names the file.
    pub fn check_name(path: &Path) -> Result<(), TableError> {
        Format::of(path).map(drop).map_err(|e| e.in_file(path))
    }

    /// Writes the table to a file whose name ends in `.csv`, `.tsv` or `.parquet`.
    ///
    /// # Errors
    /// When the file cannot be created or written, or the name has another ending.
    pub fn write(&self, path: &Path, layout: Layout) -> Result<(), TableError> {
        let write = || {
            let format = Format::of(path)?;
            let mut frame = frame::from_table(self, layout)?;
            write_frame(path, format, &mut frame)
        };
        write().map_err(|e| e.in_file(path))
    }
}

fn read(path: &Path, reading: &Reading) -> Result<InformationTable, TableError> {
    let format = Format::of(path)?;
    let mut file = File::open(path).map_err(|source| TableError::Io { action: "open", source })?;
    match format {
        Format::Parquet if reading.separator.is_some() => Err(TableError::NoSeparator),
        Format::Parquet => read_parquet(file).map(|table| table.with_missing(&reading.missing)),
        Format::Csv | Format::Tsv => {
            let separator = reading.separator.or((format == Format::Tsv).then_some(b'\t'));
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(|source| TableError::Io { action: "read", source })?;
            csv::read(&bytes, separator, &reading.missing)
        }
    }
}

fn read_parquet(file: File) -> Result<InformationTable, TableError> {
    let unreadable = |e: PolarsError| TableError::unreadable("Parquet", &e);
    let mut reader = ParquetReader::new(file);
    check_types(reader.schema().map_err(unreadable)?.as_ref())?;
    frame::into_information(reader.finish().map_err(unreadable)?)
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

fn write_frame(path: &Path, format: Format, frame: &mut DataFrame) -> Result<(), TableError> {
    let file = File::create(path).map_err(|source| TableError::Io { action: "create", source })?;
    let unwritable = |source| TableError::Unwritable { format: format.name(), source };
    match format {
        Format::Parquet => ParquetWriter::new(file).finish(frame).map(|_| ()).map_err(unwritable),
        Format::Csv => CsvWriter::new(file).finish(frame).map_err(unwritable),
        Format::Tsv => CsvWriter::new(file).with_separator(b'\t').finish(frame).map_err(unwritable),
    }
}
