//! What can be wrong with a table.

use std::path::PathBuf;

use super::origin::Origin;
use super::parts::Line;
use crate::settings::{counted, first_of, nearest, perhaps};

/// At most this many column names stand in a message.
const SHOWN_COLUMNS: usize = 12;
/// At most this many numbers of rows stand in a message.
const SHOWN_ROWS: usize = 5;

/// Why something is not a decision table, or could not be read or written as one.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A file could not be used; the cause says why.
    #[error("cannot use `{}` as {role}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// `a decision table` or `cut points`.
        role: &'static str,
        /// What is wrong with it.
        #[source]
        reason: Box<TableError>,
    },
    /// The file could not be opened, created, read or written.
    #[error("cannot {action} it")]
    Io {
        /// `open`, `create`, `read`, …
        action: &'static str,
        /// The system's reason.
        #[source]
        source: std::io::Error,
    },
    /// The contents are damaged or not in the format that the file's name promises.
    #[error("it is not readable as {format}: {reason}")]
    Unreadable {
        /// `CSV`, `ARFF`, `Parquet` or `JSON`.
        format: &'static str,
        /// The reader's reason, on one line.
        reason: String,
    },
    /// Writing failed.
    #[error("it cannot be written as {format}")]
    Unwritable {
        /// `CSV` or `Parquet`.
        format: &'static str,
        /// The writer's reason.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The extension of the file says nothing about its format.
    #[error("expected a name ending in {expected}, found `{found}`")]
    UnknownFormat {
        /// The endings that say something.
        expected: &'static str,
        /// The extension.
        found: String,
    },
    /// A column that was asked for does not exist.
    #[error("no {role} `{column}`{}; its columns are {}", meant(role, column, existing), shorten(existing))]
    MissingColumn {
        /// `decision column`, `weight column`, `attribute column` or `column`.
        role: &'static str,
        /// The name asked for.
        column: String,
        /// All columns that exist.
        existing: Vec<String>,
    },
    /// Two columns have one name.
    #[error("two columns are called `{}`{}", _0, header_doubt(_0))]
    DuplicateColumn(String),
    /// The column of weights or counts of a table that is written would have the name of another column.
    #[error("its counts need a column `{0}`, which is the name of another column: rename that one, or leave it out")]
    CountsName(String),
    /// Columns are of types that have no values of the table's kinds: their names and types.
    #[error("{}, expected text, integers, reals, booleans, dates or times", typed(_0))]
    UnsupportedTypes(Vec<(String, String)>),
    /// There is not a single object.
    #[error("the table has no rows")]
    NoRows,
    /// No object counts, so that no share of them is defined.
    #[error("every row has a count of 0 in {}, expected a count above 0", shorten(_0))]
    NoWeight(Vec<String>),
    /// Nothing is left to tell objects apart by.
    #[error("the table has no condition attributes, only {}", shorten(_0))]
    NoConditions(Vec<String>),
    /// A count or weight is not a whole number in range.
    #[error("column `{column}`, row {row}: expected a count from 0 to 4294967295, found `{found}`")]
    NotACount {
        /// The column of counts.
        column: String,
        /// The row, counted from 1 in its file.
        row: Line,
        /// What stands there.
        found: String,
    },
    /// The weights of equal rows, which were merged, add up to more than a count can be.
    #[error(
        "column `{column}`: the weights of {n_rows} equal rows, {weight} each, add up to {}, expected at most 4294967295; \
         the first of them is row {row}",
        u64::from(*n_rows) * u64::from(*weight)
    )]
    WeightSum {
        /// The column of weights.
        column: String,
        /// The first of the rows, counted from 1 in its file.
        row: Line,
        /// How many rows they are.
        n_rows: u32,
        /// The weight of each.
        weight: u32,
    },
    /// Columns differ in length.
    #[error("column `{column}` has {found} rows, expected {expected}")]
    Length {
        /// The column that differs.
        column: String,
        /// The number of rows of the table.
        expected: usize,
        /// The number of rows of the column.
        found: usize,
    },
    /// A row of text has too few or too many cells.
    #[error("row {row} has {found} cells, expected {expected}")]
    RowLength {
        /// The row of values, counted from 1; a header does not count.
        row: usize,
        /// The number of columns.
        expected: usize,
        /// The number of cells found.
        found: usize,
    },
    /// A line of a file has too few or too many cells.
    #[error("line {line} has {}, expected {expected} as in {first}", counted(*found, "cell"))]
    LineLength {
        /// The line on which the row begins, counted from 1.
        line: usize,
        /// The number of columns.
        expected: usize,
        /// The number of cells found.
        found: usize,
        /// What has as many cells as expected: `the header` or `the first row`.
        first: &'static str,
    },
    /// The path leads to a folder that is no table in part files: what it is instead.
    #[error("it is a folder {0}")]
    Folder(String),
    /// Two part files of a folder do not belong together.
    #[error("its parts `{first}` and `{other}` differ: {what}")]
    PartsDiffer {
        /// The name of the first part.
        first: String,
        /// The name of the part that is not like it.
        other: String,
        /// In what they differ.
        what: String,
    },
    /// A table that is read within a limit of memory does not fit.
    #[error("it does not fit in {}: {what}", bytes(*limit))]
    Memory {
        /// The limit, in bytes.
        limit: u64,
        /// What does not fit, how much it takes, and what helps.
        what: String,
    },
    /// The folder for rows that do not fit in memory is of no use.
    #[error("the folder for temporary files `{}`: {what}", folder.display())]
    Scratch {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A table that can only be read whole is to be read within a limit of memory.
    #[error("{0} is read whole, expected CSV or Parquet with a limit of memory")]
    ReadWhole(&'static str),
    /// Something stands in CSV between a closing quote and the end of the cell.
    #[error("line {line}: found text behind a closing quote, expected a separator or the end of the line")]
    BehindQuote {
        /// Its line, counted from 1.
        line: usize,
    },
    /// A quote of CSV is opened and never closed.
    #[error("the quote opened in line {line} is never closed")]
    OpenQuote {
        /// Its line, counted from 1.
        line: usize,
    },
    /// Every row has a name that the header has no column for.
    #[error(
        "every row has one cell more than the header, as write.table of R writes names of rows; write it with col.names=NA or row.names=FALSE"
    )]
    RowNames,
    /// A column is to be text and numbers at once.
    #[error("column `{0}` cannot be both text and numbers")]
    TextAndNumber(String),
    /// A column is named more than once as the decision, a part of it, or the weight.
    #[error("column `{0}` is given two roles, expected it once among decision and weight")]
    TwoRoles(String),
    /// A column that is to be numbers has another cell.
    #[error("column `{column}`, {place}: expected a number of 64 bits, found `{found}`{}", number_doubt(found))]
    NotANumber {
        /// The column.
        column: String,
        /// The line of CSV or the row of Parquet, counted from 1, such as `line 3`.
        place: String,
        /// What stands there, shortened.
        found: String,
    },
    /// Parquet is read from its end.
    #[error("it holds Parquet, which is read from files only")]
    ParquetInStream,
    /// Only cells of CSV are separated by a character.
    #[error("{0} has no separator to choose, but one was given")]
    NoSeparator(&'static str),
    /// Only CSV may lack the names of its columns.
    #[error("{0} names its columns, expected CSV where there is no header")]
    NamesColumns(&'static str),
    /// Every object lacks a value.
    #[error("every object has a missing value; `{column}` has most of them, in {found} of {n_objects} objects")]
    NothingComplete {
        /// The attribute, a condition or the decision, with the most missing values.
        column: String,
        /// The number of rows without a value of it.
        found: usize,
        /// The number of rows.
        n_objects: usize,
    },
    /// No object has a decision.
    #[error("no object has a decision: `{decision}` is missing in each of {n_objects} objects")]
    NothingDecided {
        /// The decision.
        decision: String,
        /// The number of rows.
        n_objects: usize,
    },
    /// Cut points are not finite and strictly ascending.
    #[error("the cut points of `{attribute}` must be finite and ascend, found {found}{}", after(*before))]
    UnsortedCuts {
        /// The attribute.
        attribute: String,
        /// A cut point.
        found: f64,
        /// The cut point before it, which is not smaller, if that is what is wrong.
        before: Option<f64>,
    },
    /// Between infinite ends there are no equal distances.
    #[error(
        "attribute `{column}` is infinite in {}, expected finite numbers for intervals of equal width",
        of_rows(rows)
    )]
    Infinite {
        /// The attribute.
        column: String,
        /// The rows that the numbers come from, counted from 1.
        rows: Vec<u32>,
    },
    /// Values of one table cannot stand in for those of another.
    #[error("attribute `{column}` has values of kind {found}, expected {expected} as in the table that completes it")]
    OtherKind {
        /// The attribute.
        column: String,
        /// The kind of the table that completes it.
        expected: &'static str,
        /// The kind of its values.
        found: &'static str,
    },
    /// Only numbers can be cut.
    #[error("attribute `{column}` has values of kind {found}, expected numbers to cut")]
    NotNumeric {
        /// The attribute.
        column: String,
        /// The kind of its values.
        found: &'static str,
    },
    /// A code has no value.
    #[error("attribute `{column}`: code {code} is outside its domain of {n_values} values")]
    CodeOutsideDomain {
        /// The attribute.
        column: String,
        /// The code.
        code: u32,
        /// The size of the domain.
        n_values: usize,
    },
    /// A domain is not strictly ascending.
    #[error("attribute `{column}`: its domain must ascend, found `{before}` before `{after}`")]
    UnsortedDomain {
        /// The attribute.
        column: String,
        /// A value.
        before: String,
        /// Its successor, which is not larger.
        after: String,
    },
    /// Rows are numbered in 32 bits.
    #[error("the table has {0} rows, expected at most 4294967294")]
    TooManyRows(usize),
}

impl TableError {
    /// The error of a file that was read through its packing, which is what failed.
    pub(super) fn while_unpacking(self) -> Self {
        match self {
            Self::Io { action: "read", source } => Self::Io { action: "unpack", source },
            other => other,
        }
    }

    /// Contents that cannot be read, with the first line of the reader's reason: the rest is advice to programmers.
    pub(super) fn unreadable(format: &'static str, reason: &dyn std::error::Error) -> Self {
        let reason = reason.to_string().lines().next().unwrap_or("damaged").to_owned();
        Self::Unreadable { format, reason }
    }

    /// No count where one is expected; `row` is counted from 0.
    pub(super) fn not_a_count(column: &str, row: usize, found: impl ToString) -> Self {
        Self::NotACount { column: column.to_owned(), row: Line::alone(row + 1), found: found.to_string() }
    }

    /// Whether it is about a whole table, though it was met in one of its parts.
    pub(super) const fn is_of_parts(&self) -> bool {
        matches!(self, Self::PartsDiffer { .. } | Self::Memory { .. } | Self::Scratch { .. } | Self::TooManyRows(_))
    }

    /// This error, of which a row is one of a table of this origin, with the row of the file.
    pub(super) fn in_row_of(mut self, origin: &Origin) -> Self {
        if let Self::NotACount { row, .. } | Self::WeightSum { row, .. } = &mut self {
            *row = origin.place(row.number as u32 - 1);
        }
        self
    }

    /// This error as the reason why `path` could not be used.
    #[must_use]
    pub fn in_file(self, path: impl Into<PathBuf>) -> Self {
        self.in_file_of("a decision table", path)
    }

    /// An error that names a file already, such as one part of several, stays.
    pub(super) fn in_file_of(self, role: &'static str, path: impl Into<PathBuf>) -> Self {
        match self {
            Self::File { .. } => self,
            other => Self::File { path: path.into(), role, reason: Box::new(other) },
        }
    }
}

/// A number of bytes in a message, rounded up.
pub(super) fn bytes(n: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    match units.into_iter().find(|(unit, _)| n >= *unit) {
        None => format!("{n} bytes"),
        Some((unit, name)) => {
            let tenths = n.div_ceil(unit / 10);
            let whole = tenths / 10;
            if tenths.is_multiple_of(10) || whole >= 100 {
                format!("{} {name}", tenths.div_ceil(10))
            } else {
                format!("{whole}.{} {name}", tenths % 10)
            }
        }
    }
}

fn after(before: Option<f64>) -> String {
    before.map(|cut| format!(" after {cut}")).unwrap_or_default()
}

/// Rows in a message: the first of many.
fn of_rows(rows: &[u32]) -> String {
    format!("{} {}", if rows.len() == 1 { "row" } else { "rows" }, first_of(rows.iter(), SHOWN_ROWS))
}

/// Columns with their types.
fn typed(columns: &[(String, String)]) -> String {
    if let [(column, found)] = columns {
        return format!("column `{column}` has type {found}");
    }
    let shown = columns.iter().map(|(column, found)| format!("`{column}` ({found})"));
    format!("columns have other types: {}", shown.collect::<Vec<_>>().join(", "))
}

/// What may be meant by a cell that is no number: one with a comma in place of its point, or a date.
fn number_doubt(cell: &str) -> &'static str {
    let is_number = cell.contains(',') && cell.replacen(',', ".", 1).trim().parse::<f64>().is_ok();
    let parts: Vec<&str> = cell.split(['-', '.', '/']).collect();
    let is_date = parts.len() == 3 && parts.iter().all(|part| part.parse::<u16>().is_ok());
    match (is_number, is_date) {
        (true, _) => ": is the comma a decimal mark?",
        (_, true) => ": dates are numbers where all cells are such as `2024-01-31`",
        _ => "",
    }
}

/// A question, if a name is one of an object's cells rather than that of a column.
fn header_doubt(name: &str) -> &'static str {
    if name.parse::<f64>().is_ok() { ": is there a header?" } else { "" }
}

/// The column that was probably meant by `column`, for a message. A decision may also be the `d` of columns `d=VALUE`.
fn meant(role: &str, column: &str, existing: &[String]) -> String {
    let counted = existing.iter().filter_map(|name| name.split_once('=')).map(|(decision, _)| decision);
    let counted = counted.filter(|_| role.starts_with("decision"));
    perhaps(nearest(column, existing.iter().map(String::as_str).chain(counted)))
}

/// Names in a message: the first of many.
pub(crate) fn shorten(names: &[String]) -> String {
    first_of(names.iter().map(|name| format!("`{name}`")), SHOWN_COLUMNS)
}
