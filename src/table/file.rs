//! Tables in CSV and Parquet files.

use std::fs::File;
use std::path::Path;

use polars::prelude::*;
use rustc_hash::FxHashSet;

use super::frame;
use super::{DecisionTable, InformationTable, Roles, TableError};

/// Texts that mean a missing value in a CSV file.
const MISSING: [&str; 3] = ["", "?", "NA"];

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

impl InformationTable {
    /// Reads a file whose name ends in `.csv`, `.tsv` or `.parquet`.
    ///
    /// CSV has a header; its separator is a comma, semicolon or tab, whichever the header has most of; types are
    /// inferred from the whole column; an empty cell, `?` and `NA` are missing.
    ///
    /// # Errors
    /// When the file cannot be opened, is damaged, has a column of an unsupported type or two of one name. Every
    /// error names the file.
    pub fn read(path: &Path) -> Result<Self, TableError> {
        read(path).map_err(|e| e.in_file(path))
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

fn read(path: &Path) -> Result<InformationTable, TableError> {
    let format = Format::of(path)?;
    let file = File::open(path).map_err(|source| TableError::Io { action: "open", source })?;
    let unreadable = |e: PolarsError| TableError::unreadable(format.name(), &e);
    let frame = match format {
        Format::Parquet => {
            let mut reader = ParquetReader::new(file);
            check_types(reader.schema().map_err(unreadable)?.as_ref())?;
            reader.finish().map_err(unreadable)?
        }
        Format::Csv | Format::Tsv => {
            let (separator, n_rows) = check_csv(path, format)?;
            let frame = csv_options(separator).into_reader_with_file_handle(file).finish().map_err(unreadable)?;
            if frame.height() != n_rows {
                return Err(TableError::BlankLines { expected: n_rows, found: frame.height() });
            }
            frame
        }
    };
    frame::into_information(frame)
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

fn csv_options(separator: u8) -> CsvReadOptions {
    let missing: Vec<PlSmallStr> = MISSING.iter().map(|&text| PlSmallStr::from_static(text)).collect();
    CsvReadOptions::default().with_infer_schema_length(None).map_parse_options(|options| {
        options.with_separator(separator).with_null_values(Some(NullValues::AllColumns(missing.clone())))
    })
}

/// Finds the separator in the header. Checks what polars would silently mend: names that occur twice, rows with too few
/// or too many cells. Gives the separator and the number of rows, in which blank lines do not count.
fn check_csv(path: &Path, format: Format) -> Result<(u8, usize), TableError> {
    let header = first_line(path)?;
    let count = |separator: &u8| header.bytes().filter(|b| b == separator).count();
    let separator = match format {
        Format::Tsv => b'\t',
        _ => [b'\t', b';', b','].into_iter().max_by_key(count).unwrap_or(b','),
    };
    let damaged = |e: csv::Error| TableError::unreadable("CSV", &e);
    let mut reader = csv::ReaderBuilder::new().delimiter(separator).flexible(true).from_path(path).map_err(damaged)?;
    let names = reader.byte_headers().map_err(damaged)?.clone();
    let mut seen = FxHashSet::default();
    if let Some(name) = names.iter().find(|name| !seen.insert(*name)) {
        return Err(TableError::DuplicateColumn { column: String::from_utf8_lossy(name).into_owned() });
    }
    let (mut cells, mut row) = (csv::ByteRecord::new(), 0);
    while reader.read_byte_record(&mut cells).map_err(damaged)? {
        row += 1;
        if cells.len() != names.len() {
            return Err(TableError::RowLength { row, expected: names.len(), found: cells.len() });
        }
    }
    Ok((separator, row))
}

fn first_line(path: &Path) -> Result<String, TableError> {
    use std::io::BufRead;
    let io = |action| move |source| TableError::Io { action, source };
    let mut line = Vec::new();
    let file = File::open(path).map_err(io("open"))?;
    std::io::BufReader::new(file).read_until(b'\n', &mut line).map_err(io("read"))?;
    if line.is_empty() {
        return Err(TableError::NoRows);
    }
    Ok(String::from_utf8_lossy(&line).into_owned())
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
