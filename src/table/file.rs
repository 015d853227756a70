//! Tables in CSV and Parquet files.

use std::borrow::Cow;
use std::fs::File;
#[cfg(feature = "parquet")]
use std::io::Seek;
use std::io::{self, BufRead, BufReader, BufWriter, Read};
use std::path::{Path, PathBuf};

use super::arff;
use super::csv;
use super::layout::{FileColumn, Layout, check_columns, object_columns};
use super::merge::{Merger, check_folder};
#[cfg(feature = "parquet")]
use super::parquet;
use super::parts::{differ, name_of, parts_of};
use super::{Attribute, CountTable, DecisionTable, InformationTable, ReadOptions, Roles, TableError, Value};
#[cfg(feature = "games")]
use crate::disk::Packing;
use crate::disk::Partial;

/// Bytes of a file that are read at a time.
const BUFFER: usize = 1 << 18;
/// The path that stands for standard input.
const STANDARD_INPUT: &str = "-";
/// What files of Parquet begin with.
#[cfg(feature = "parquet")]
const PARQUET: &[u8] = b"PAR1";

/// The endings of names of tables that are written.
pub const TABLE_ENDINGS: &[&str] =
    if cfg!(feature = "parquet") { &[".csv", ".tsv", ".parquet"] } else { &[".csv", ".tsv"] };

/// The same in words.
const WRITTEN: &str = if cfg!(feature = "parquet") { ".csv, .tsv or .parquet" } else { ".csv or .tsv" };
/// The endings of names of tables that are read.
const READ: &str = match (cfg!(feature = "parquet"), cfg!(feature = "games")) {
    (true, true) => ".csv, .tsv, .tab, .txt, .data or .arff (also packed: .gz, .zst, .xz) or .parquet or .pq",
    (true, false) => ".csv, .tsv, .tab, .txt, .data, .arff, .parquet or .pq",
    _ => ".csv, .tsv, .tab, .txt, .data or .arff",
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    /// Cells separated by this character, if it has a usual one.
    Csv(Option<u8>),
    /// Attribute-relation file of Weka, which is read only.
    Arff,
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Format {
    /// Whether parts of both formats may be one table: CSV goes with CSV, whatever it is usually separated by.
    fn is_like(self, other: Self) -> bool {
        self == other || matches!((self, other), (Self::Csv(_), Self::Csv(_)))
    }

    /// The format of a table that is written.
    fn of(path: &Path) -> Result<Self, TableError> {
        let extension = extension(path);
        Self::called(&extension).ok_or(TableError::UnknownFormat { expected: WRITTEN, found: extension })
    }

    fn called(extension: &str) -> Option<Self> {
        match extension {
            "csv" => Some(Self::Csv(None)),
            "tsv" => Some(Self::Csv(Some(b'\t'))),
            #[cfg(feature = "parquet")]
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }

    /// The format of a table that is read: more than is written.
    fn of_input(path: &Path) -> Result<Self, TableError> {
        if path == Path::new(STANDARD_INPUT) {
            return Ok(Self::Csv(None));
        }
        let bare = unpacked_name(path);
        let unknown = || TableError::UnknownFormat { expected: READ, found: extension(path) };
        let read_only = |ending| match ending {
            "txt" | "data" => "csv",
            "tab" => "tsv",
            "pq" => "parquet",
            other => other,
        };
        match read_only(extension(bare.as_ref()).as_str()) {
            "arff" => Ok(Self::Arff),
            inside => match Self::called(inside).ok_or_else(unknown)? {
                #[cfg(feature = "parquet")]
                Self::Parquet if bare != path.to_string_lossy() => Err(unknown()),
                format => Ok(format),
            },
        }
    }
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// The name of a file without the ending that says how it is packed.
#[cfg(feature = "games")]
fn unpacked_name(path: &Path) -> String {
    Packing::split_name(&path.to_string_lossy()).1
}

#[cfg(not(feature = "games"))]
fn unpacked_name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

impl InformationTable {
    /// Reads a file whose name ends in `.csv`, `.tsv`, `.tab`, `.txt`, `.data` or `.arff`, or with the feature `parquet` in
    /// `.parquet` or `.pq`; `-` is CSV on standard input. With the feature `games`, CSV and ARFF may be packed by gzip, Zstandard or xz.
    ///
    /// A folder is read as the part files in it, in the order of their names, which must have the same columns, and those of Parquet the
    /// same types; the rows are numbered through all of them. Names that begin with `_` or `.` or end in `.crc` are no parts.
    ///
    /// CSV has a header; its separator is a comma, semicolon or tab, whichever the header has most of; the kind of
    /// value of a column is the first that all its cells spell: booleans, integers, reals, intervals, text. Columns of
    /// numbers with leading zeros or beyond 64 bits are text. An empty cell, `?` and what pandas and R write for a
    /// missing value are missing; blank lines are passed over. What could be read in another way, too, is in
    /// [`InformationTable::remarks`].
    ///
    /// ARFF declares its columns: numeric ones are numbers, and nominal ones, strings and dates are text. A `?` and an empty
    /// text are missing, also in quotes.
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
    /// As [`InformationTable::read`]; also when a separator is given for Parquet or ARFF, a column that `reading` names does
    /// not exist, or a column that is to be numbers has a cell that is none.
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
    /// assert_eq!(error.to_string(), "line 2 has 1 cell, expected 2 as in the header");
    /// # Ok::<(), roughboard::table::TableError>(())
    /// ```
    pub fn from_csv(text: &str, roles: &Roles) -> Result<Self, TableError> {
        csv::read(text.as_bytes(), None, &ReadOptions::default())?.decide(roles)
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
        match layout {
            Layout::Objects => write(path, &object_columns(self)),
            Layout::Merged => CountTable::of(self).map_err(|e| e.in_file(path))?.write(path),
        }
    }
}

impl InformationTable {
    /// Writes the columns as [`DecisionTable::write`] does.
    ///
    /// # Errors
    /// When the file cannot be created or written, or the name has another ending.
    pub fn write(&self, path: &Path) -> Result<(), TableError> {
        let columns = self.columns().iter().map(|column| FileColumn::Values(Cow::Borrowed(column)));
        write(path, &columns.collect::<Vec<_>>())
    }
}

/// The columns of text that are not read from CSV as they are written, such as those whose texts all spell numbers
/// or one of whose texts means a missing value there; each with whether it is what was written where it is read as text.
pub fn misread_from_csv<'t>(columns: impl IntoIterator<Item = &'t Attribute>) -> Vec<(String, bool)> {
    let texts = columns.into_iter().filter(|column| column.kind() == "text");
    let misread = texts.filter(|column| !is_kept_by_csv(column, &[]));
    misread.map(|column| (column.name().to_owned(), is_kept_by_csv(column, &["column".to_owned()]))).collect()
}

/// Whether the values of a column come back from CSV where these are the columns `text`. Which of its rows have them does not matter.
fn is_kept_by_csv(column: &Attribute, text: &[String]) -> bool {
    let (comma, mut written) = (b',', Vec::new());
    let values: Vec<Value> = column.domain().iter().filter(|value| **value != Value::Missing).cloned().collect();
    let one_each = FileColumn::Values(Cow::Owned(Attribute::from_values("column", &values)));
    let reading = ReadOptions { separator: Some(comma), text: text.to_vec(), ..ReadOptions::default() };
    let is_written = csv::write(&mut written, &[one_each], comma).is_ok();
    is_written && csv::read(written.as_slice(), None, &reading).is_ok_and(|read| read.columns()[0].domain() == values)
}

/// The files that a table is read from: the one at `path`, or the part files of a folder, in the order of their names.
///
/// # Errors
/// When a folder cannot be read, or is no table in part files.
pub fn table_files(path: &Path) -> Result<Vec<PathBuf>, TableError> {
    if path.is_dir() { parts_of(path, READ).map_err(|error| error.in_file(path)) } else { Ok(vec![path.to_owned()]) }
}

fn read(path: &Path, reading: &ReadOptions) -> Result<InformationTable, TableError> {
    reading.memory.as_ref().map_or(Ok(()), check_folder)?;
    if !path.is_dir() {
        return read_files(&[path.to_owned()], &[Format::of_input(path)?], reading);
    }
    let parts = table_files(path)?;
    let formats = parts.iter().map(|part| Format::of_input(part).map_err(|error| error.in_file(part)));
    let formats: Vec<Format> = formats.collect::<Result<_, _>>()?;
    match formats.iter().position(|format| !format.is_like(formats[0])) {
        None => read_files(&parts, &formats, reading),
        Some(other) => {
            let (first, other) = (name_of(&parts[0]), name_of(&parts[other]));
            Err(differ((&first, &other), "they are of different kinds".to_owned()))
        }
    }
}

/// The table in files of these formats, which are alike: the parts of a folder or one file.
fn read_files(parts: &[PathBuf], formats: &[Format], reading: &ReadOptions) -> Result<InformationTable, TableError> {
    match formats[0] {
        #[cfg(feature = "parquet")]
        Format::Parquet if reading.separator.is_some() => Err(TableError::NoSeparator("a Parquet file")),
        #[cfg(feature = "parquet")]
        Format::Parquet if reading.no_header => Err(TableError::NamesColumns("a Parquet file")),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::read(parts, open_parquet, reading).map(|table| table.with_missing(reading)),
        Format::Arff if reading.separator.is_some() => Err(TableError::NoSeparator("an ARFF file")),
        Format::Arff if reading.no_header => Err(TableError::NamesColumns("an ARFF file")),
        Format::Arff if reading.memory.is_some() => Err(TableError::ReadWhole("an ARFF file")),
        Format::Arff => match parts {
            [file] => read_content(file, |source| arff::read(source, reading)),
            _ => Err(TableError::Folder("with several files of ARFF, which is read from one file".to_owned())),
        },
        // From a thread among those that work, which else were called for every few pieces of the text.
        Format::Csv(_) => rayon::scope(|_| read_csv(parts, formats, reading)),
    }
}

/// The table in files of CSV.
fn read_csv(parts: &[PathBuf], formats: &[Format], reading: &ReadOptions) -> Result<InformationTable, TableError> {
    let (mut table, mut merger) = (csv::Reader::new(reading), reading.memory.as_ref().map(Merger::new));
    for (part, format) in parts.iter().zip(formats) {
        let usual = if let Format::Csv(usual) = *format { usual } else { None };
        let name = (parts.len() > 1).then(|| name_of(part));
        let taken = read_content(part, |source| table.take(source, (usual, name.as_deref()), &mut merger));
        taken.map_err(|error| if error.is_of_parts() { error } else { error.in_file(part) })?;
    }
    table.finish(merger)
}

/// Reads the unpacked bytes of a file, or of standard input, by `reader`.
fn read_content<T>(path: &Path, reader: impl FnOnce(Box<dyn Read>) -> Result<T, TableError>) -> Result<T, TableError> {
    let (source, is_packed) = content(path)?;
    reader(source).map_err(|error| if is_packed { error.while_unpacking() } else { error })
}

fn open(path: &Path) -> Result<File, TableError> {
    File::open(path).map_err(|source| TableError::Io { action: "open", source })
}

/// Opens a file of Parquet, unless it begins like something else.
#[cfg(feature = "parquet")]
fn open_parquet(path: &Path) -> Result<File, TableError> {
    let unreadable = |source| TableError::Io { action: "read", source };
    let mut file = open(path)?;
    let mut begin = Vec::new();
    // What cannot be read, such as a folder, is the reader's to refuse.
    let _ = (&mut file).take(PARQUET.len() as u64).read_to_end(&mut begin);
    // Encrypted files begin with other four bytes, of which the reader says what they are.
    if begin.len() == PARQUET.len() && !begin.starts_with(&PARQUET[..3]) {
        let reason = "it does not begin as Parquet does; if it is CSV, its name must end in .csv".to_owned();
        return Err(TableError::Unreadable { format: "Parquet", reason });
    }
    file.rewind().map_err(unreadable)?;
    Ok(file)
}

/// The unpacked bytes of a file, or of standard input, as a stream, and whether they were packed.
fn content(path: &Path) -> Result<(Box<dyn Read>, bool), TableError> {
    let is_stream = path == Path::new(STANDARD_INPUT);
    let source: Box<dyn Read> = if is_stream { Box::new(io::stdin()) } else { Box::new(open(path)?) };
    let mut source = BufReader::with_capacity(BUFFER, source);
    refuse_parquet(&mut source, is_stream)?;
    unpacked(source, path).map_err(|source| TableError::Io { action: "unpack", source })
}

#[cfg(feature = "parquet")]
fn refuse_parquet(source: &mut impl BufRead, is_stream: bool) -> Result<(), TableError> {
    if !source.fill_buf().map_err(|source| TableError::Io { action: "read", source })?.starts_with(PARQUET) {
        return Ok(());
    }
    let reason = "it holds Parquet, for which its name must end in .parquet".to_owned();
    Err(if is_stream { TableError::ParquetInStream } else { TableError::Unreadable { format: "CSV", reason } })
}

#[cfg(not(feature = "parquet"))]
fn refuse_parquet(_: &mut impl BufRead, _: bool) -> Result<(), TableError> {
    Ok(())
}

#[cfg(feature = "games")]
fn unpacked(mut source: impl BufRead + 'static, path: &Path) -> io::Result<(Box<dyn Read>, bool)> {
    let packing = Packing::of(source.fill_buf()?, &path.to_string_lossy());
    Ok((packing.unpack(source)?, packing != Packing::Plain))
}

#[cfg(not(feature = "games"))]
fn unpacked(source: impl BufRead + 'static, _: &Path) -> io::Result<(Box<dyn Read>, bool)> {
    Ok((Box::new(source), false))
}

/// Writes columns to a file: the whole of it, or nothing.
pub fn write(path: &Path, columns: &[FileColumn]) -> Result<(), TableError> {
    write_to(path, columns).map_err(|e| e.in_file(path))
}

fn write_to(path: &Path, columns: &[FileColumn]) -> Result<(), TableError> {
    let format = Format::of(path)?;
    check_columns(columns)?;
    let partial = Partial::new(path);
    let file = File::create(partial.path()).map_err(|source| TableError::Io { action: "create", source })?;
    match format {
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::write(file, columns)?,
        // No name of a table that is written says so.
        Format::Arff => return Err(TableError::UnknownFormat { expected: WRITTEN, found: "arff".to_owned() }),
        Format::Csv(separator) => csv::write(BufWriter::new(file), columns, separator.unwrap_or(b','))
            .map_err(|source| TableError::Unwritable { format: "CSV", source: source.into() })?,
    }
    partial.appear().map_err(|error| TableError::Io { action: "write", source: error.source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_all_spell_numbers_or_mean_missing_values_are_misread_from_csv() {
        let columns = [("codes", ["1", "2"]), ("marks", ["?", "x"]), ("words", ["x", "y"])];
        let columns = columns.map(|(name, texts)| Attribute::from_values(name, &texts.map(Value::text)));
        assert_eq!(misread_from_csv(&columns), [("codes".to_owned(), true), ("marks".to_owned(), false)]);
    }
}
