//! Tables in CSV and Parquet files.

use std::fs::File;
use std::io::{BufWriter, Read};
use std::path::Path;

use super::csv;
use super::layout::{FileColumn, Layout, columns};
#[cfg(feature = "parquet")]
use super::parquet;
use super::{DecisionTable, InformationTable, Roles, TableError};
use crate::disk::Partial;

enum Format {
    /// Cells separated by this character, unless another is asked for.
    Csv(Option<u8>),
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Format {
    fn of(path: &Path) -> Result<Self, TableError> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "csv" => Ok(Self::Csv(None)),
            "tsv" => Ok(Self::Csv(Some(b'\t'))),
            #[cfg(feature = "parquet")]
            "parquet" => Ok(Self::Parquet),
            _ => Err(TableError::UnknownFormat(extension)),
        }
    }
}

/// How a file is read where its content leaves a choice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// The separator of CSV; without one, it is the comma, semicolon or tab, whichever the header has most of.
    pub separator: Option<u8>,
    /// Texts that mean a missing value, beside the empty cell, `?` and `NA` of CSV and the null and NaN of Parquet. In
    /// Parquet also numbers are missing that are spelled so.
    pub missing: Vec<String>,
}

impl InformationTable {
    /// Reads a file whose name ends in `.csv` or `.tsv`, or with the feature `parquet` in `.parquet`.
    ///
    /// CSV has a header; its separator is a comma, semicolon or tab, whichever the header has most of; the kind of
    /// value of a column is the first that all its cells spell: booleans, integers, reals, intervals, text; an empty
    /// cell, `?` and `NA` are missing; blank lines are passed over.
    ///
    /// # Errors
    /// When the file cannot be opened, is damaged, has a column of an unsupported type or two of one name. Every
    /// error names the file.
    pub fn read(path: &Path) -> Result<Self, TableError> {
        Self::read_as(path, &ReadOptions::default())
    }

    /// Reads a file as [`InformationTable::read`] does, with choices.
    ///
    /// # Errors
    /// As [`InformationTable::read`]; also when a separator is given for Parquet.
    pub fn read_as(path: &Path, reading: &ReadOptions) -> Result<Self, TableError> {
        read(path, reading).map_err(|e| e.in_file(path))
    }
}

impl DecisionTable {
    /// The table in a text of CSV, read as [`InformationTable::read`] does, whose columns have these `roles`.
    ///
    /// # Errors
    /// When the text is damaged or has two columns of one name, and as [`InformationTable::decide`].
    ///
    /// ```
    /// use roughboard::table::{DecisionTable, Roles, Value};
    /// let csv = "temperature,headache,flu\n38.5,yes,yes\n36.9,?,no\n";
    /// let table = DecisionTable::from_csv(csv, &Roles::decided_by("flu"))?;
    /// assert_eq!((table.n_objects(), table.n_attributes(), table.n_decisions()), (2, 2, 2));
    /// assert_eq!(table.attributes()[0].value(0), &Value::Real(38.5));
    /// assert_eq!(table.attributes()[1].value(1), &Value::Missing);
    ///
    /// let error = DecisionTable::from_csv("a,d\n1\n", &Roles::decided_by("d")).unwrap_err();
    /// assert_eq!(error.to_string(), "line 2 has 1 cells, expected 2 as in the header");
    /// # Ok::<(), roughboard::table::TableError>(())
    /// ```
    pub fn from_csv(text: &str, roles: &Roles) -> Result<Self, TableError> {
        csv::read(text.as_bytes(), None, &[])?.decide(roles)
    }

    /// Reads a file as [`InformationTable::read`] does and gives its columns their `roles`.
    ///
    /// # Errors
    /// As [`InformationTable::read`] and [`InformationTable::decide`]; every error names the file.
    pub fn read(path: &Path, roles: &Roles) -> Result<Self, TableError> {
        InformationTable::read(path)?.decide(roles).map_err(|e| e.in_file(path))
    }

    /// Writes the table to a file whose name ends in `.csv` or `.tsv`, or with the feature `parquet` in `.parquet`: the whole of it, or
    /// nothing.
    ///
    /// # Errors
    /// When the file cannot be created or written, or the name has another ending.
    pub fn write(&self, path: &Path, layout: Layout) -> Result<(), TableError> {
        let write_to = || {
            let format = Format::of(path)?;
            write(path, format, &columns(self, layout)?)
        };
        write_to().map_err(|e| e.in_file(path))
    }
}

fn read(path: &Path, reading: &ReadOptions) -> Result<InformationTable, TableError> {
    let format = Format::of(path)?;
    let mut file = File::open(path).map_err(|source| TableError::Io { action: "open", source })?;
    match format {
        #[cfg(feature = "parquet")]
        Format::Parquet if reading.separator.is_some() => Err(TableError::NoSeparator),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::read(file).map(|table| table.with_missing(&reading.missing)),
        Format::Csv(separator) => {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(|source| TableError::Io { action: "read", source })?;
            csv::read(&bytes, reading.separator.or(separator), &reading.missing)
        }
    }
}

fn write(path: &Path, format: Format, columns: &[FileColumn]) -> Result<(), TableError> {
    let partial = Partial::new(path);
    let file = File::create(partial.path()).map_err(|source| TableError::Io { action: "create", source })?;
    match format {
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::write(file, columns)?,
        Format::Csv(separator) => csv::write(BufWriter::new(file), columns, separator.unwrap_or(b','))
            .map_err(|source| TableError::Unwritable { format: "CSV", source: source.into() })?,
    }
    partial.appear().map_err(|error| TableError::Io { action: "write", source: error.source })
}
