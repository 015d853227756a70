//! How files are read where their content leaves a choice, and what is to be said of what was read.

use std::fmt;
use std::path::PathBuf;

use super::attribute::counted_value;
use super::build::check_existing;
use super::{Line, TableError, joined_names, shorten};

/// The longest cell that is told in full, in characters.
const SHOWN_CELL: usize = 40;

crate::choices! {
    /// What stands between the whole part and the fraction of a number.
    pub enum DecimalMark = Point {
        /// A point: 11.1.
        Point | ".",
        /// A comma: 11,1.
        Comma | ",",
    }
}

impl DecimalMark {
    pub(super) const fn other(self) -> Self {
        match self {
            Self::Point => Self::Comma,
            Self::Comma => Self::Point,
        }
    }

    pub(super) const fn character(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }
}

/// How a file is read where its content leaves a choice. A name of a column that has commas may also be listed in its
/// parts, as by who splits a list at its commas.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// The separator of CSV; without one, it is the comma, semicolon or tab, whichever the header has most of.
    pub separator: Option<u8>,
    /// Whether CSV has no header: its first row is an object as all others, and the columns are called `c1`, `c2` and so on.
    pub no_header: bool,
    /// Texts that mean a missing value, beside the usual ones of CSV (the empty cell, `?`, and what pandas and R write,
    /// such as `NA`, `NaN` and `null`) and the null and NaN of Parquet. In Parquet also numbers are missing that are
    /// spelled so.
    pub missing: Vec<String>,
    /// The decimal mark of numbers that are spelled as text.
    pub decimal: DecimalMark,
    /// The columns that are text whatever they spell. Of CSV only the empty cell, `?` and what `missing` lists are
    /// missing there.
    pub text: Vec<String>,
    /// The columns whose cells must be numbers, also those with leading zeros and texts of Parquet that spell numbers.
    /// Dates become days, timestamps become seconds, both since the beginning of 1970, times of the day seconds: those of
    /// Parquet, and texts of ISO 8601 where all cells of the column are such.
    pub number: Vec<String>,
    /// Whether columns of `text`, `number` and `ignore` may be absent, as in the second of two files that are read alike; else they are
    /// refused.
    pub may_lack: bool,
    /// The columns that are not read.
    pub ignore: Vec<String>,
    /// The only columns that are read, if there are any: a name stands for the column of that name, or for the columns that
    /// it lists, or as `d` for the columns `d=VALUE`. Whoever asks for a column that is none is told then.
    pub only: Vec<String>,
    /// The memory that the table may take. Within a limit, equal rows are made one while they are read, and tables larger than memory can
    /// be read that have few enough different rows.
    pub memory: Option<Memory>,
}

/// How much memory the rows and values of a table may take, from reading to the answer of a question about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// The limit in bytes. What the program itself and its buffers take comes on top, some 40 MB.
    pub limit: u64,
    /// Where rows are put that do not fit while the table is read, into a file without a name, which goes with the process; none for the
    /// system's folder for such files.
    pub folder: Option<PathBuf>,
}

/// What the values of a column shall be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// What the file says.
    Any,
    Text,
    Number,
    /// The column is not read.
    Nothing,
}

impl ReadOptions {
    /// What is wanted of each of the columns `names`.
    pub(super) fn wanted(&self, names: &[String]) -> Result<Vec<Wanted>, TableError> {
        let [text, number, ignore] = [&self.text, &self.number, &self.ignore].map(|parts| joined_names(parts, names));
        if !self.may_lack {
            check_existing("column", &text, names)?;
            check_existing("column", &number, names)?;
            check_existing("attribute column", &ignore, names)?;
        }
        if let Some(both) = text.iter().find(|name| number.contains(name)) {
            return Err(TableError::TextAndNumber(both.clone()));
        }
        let only = joined_names(&self.only, names);
        let is_read = |column: &String| only.is_empty() || only.contains(column) || self.is_listed(column);
        let chosen = [(ignore, Wanted::Nothing), (text, Wanted::Text), (number, Wanted::Number)];
        let wanted_of = |column: &String| {
            if !is_read(column) {
                return Wanted::Nothing;
            }
            chosen.iter().find(|(names, _)| names.contains(column)).map_or(Wanted::Any, |(_, wanted)| *wanted)
        };
        Ok(names.iter().map(wanted_of).collect())
    }

    /// Whether one of the only columns that are read stands for `column`.
    fn is_listed(&self, column: &str) -> bool {
        let stands_for = |name: &String| {
            name == column || name.split(',').any(|part| part == column) || counted_value(column, name).is_some()
        };
        self.only.iter().any(stands_for)
    }
}

/// Why a column whose cells look like numbers is text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextCause {
    /// A number would lose the leading zeros of a cell.
    LeadingZero,
    /// A number is too large for 64 bits.
    TooLarge,
    /// A number has this decimal mark, and the other was expected.
    OtherMark(DecimalMark),
    /// The same, but three digits follow wherever the mark stands, as those of thousands do.
    EitherMark(DecimalMark),
    /// A number has the decimal mark that was not expected, and with neither mark all cells are numbers.
    NeitherMark,
    /// This mark stands before every three digits of a number.
    Thousands(DecimalMark),
    /// A number but for this, such as `a percent sign`.
    Beside(&'static str),
    /// A cell spells a boolean otherwise than booleans are read.
    Boolean,
    /// All cells are dates of ISO 8601, all are times of the day, or all are both.
    Moment,
    /// A cell is no number, while most of the different ones are.
    NotANumber,
}

/// What a reader of a table should know, since it could be read in another way, too. Lines are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// The first row of CSV says that this character separates cells, which is no comma.
    Separator(u8),
    /// A column is text.
    Text {
        /// The column.
        column: String,
        /// The first cell that keeps it from being numbers, shortened.
        found: String,
        /// The line of CSV or the row of Parquet that the cell stands in, such as `line 3`.
        place: String,
        /// Why the cell does so.
        cause: TextCause,
    },
    /// A word that may be a value is read as missing in a column of text.
    Word {
        /// The column.
        column: String,
        /// The word.
        found: String,
        /// The line on which it stands first.
        line: Line,
    },
    /// What the usual programs write for a missing value is read as that in a column of text, where it may be a word after all.
    Missing {
        /// The column.
        column: String,
        /// The different spellings, in the order in which they appear.
        found: Vec<String>,
        /// The line on which the first of them stands first.
        line: Line,
    },
    /// The decimal mark of all numbers that have one could also separate thousands.
    Thousands {
        /// The column.
        column: String,
        /// The first such cell, shortened.
        found: String,
        /// The line of that cell.
        line: Line,
        /// The mark.
        mark: DecimalMark,
    },
    /// Two texts of a column differ only by blanks around them.
    Blanks {
        /// The column.
        column: String,
        /// The text that is like one before it, shortened.
        found: String,
        /// The line on which it stands first.
        line: Line,
        /// The one before it, shortened; none where the text is blanks alone.
        like: Option<String>,
    },
    /// Two numbers of a column of real numbers are one real number: of CSV whole ones, of Parquet any that it holds exactly.
    FellTogether {
        /// The column.
        column: String,
        /// The number that is like one before it.
        found: String,
        /// The line or row in which it stands first, as in `line 7`.
        place: String,
        /// The one before it.
        like: String,
    },
    /// The record on this line is the header again.
    HeaderAgain(Line),
    /// So many columns have neither a name nor a value, and are left out.
    Nameless(usize),
    /// Names of columns are numbers, as those of the first object are in a file without a header.
    NumbersAsNames,
    /// There is one column, and all its cells hold this character, which may separate cells.
    OneColumn(u8),
    /// No cell is this text, which was to mean a missing value.
    NeverMissing(String),
}

impl Remark {
    /// The column that is spoken of; none if it is the whole file.
    pub fn column(&self) -> Option<&str> {
        match self {
            Self::Separator(_)
            | Self::HeaderAgain(_)
            | Self::Nameless(_)
            | Self::NumbersAsNames
            | Self::OneColumn(_)
            | Self::NeverMissing(_) => None,
            Self::Text { column, .. }
            | Self::Word { column, .. }
            | Self::Missing { column, .. }
            | Self::Thousands { column, .. }
            | Self::Blanks { column, .. }
            | Self::FellTogether { column, .. } => Some(column),
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Separator(b'\t') => f.write_str("the cells are separated by tabs, as in the first row"),
            Self::Separator(b';') => f.write_str("the cells are separated by semicolons, as in the first row"),
            Self::Separator(other) => {
                write!(f, "the cells are separated by `{}`, as in the first row", char::from(*other))
            }
            Self::Text { column, found, place, cause } => {
                write!(f, "column `{column}` is text because of `{found}`, {place}: {cause}")
            }
            Self::Word { column, found, line } => {
                write!(f, "column `{column}` has missing values because of `{found}`, line {line}")
            }
            Self::Missing { column, found, line } => {
                let first = if found.len() == 1 { "" } else { "first " };
                write!(f, "column `{column}` has missing values because of {}, {first}line {line}", shorten(found))
            }
            Self::Thousands { column, found, line, mark } => {
                write!(
                    f,
                    "the {mark} of `{found}`, line {line}, is read as a decimal mark in column `{column}`, as all "
                )?;
                write!(f, "others there; three digits follow each, so it may separate thousands instead")
            }
            Self::Blanks { column, found, line, like: Some(like) } => {
                write!(f, "column `{column}`: `{found}`, line {line}, differs from `{like}` only by blanks")
            }
            Self::Blanks { column, found, line, like: None } => {
                write!(
                    f,
                    "column `{column}`: `{found}`, line {line}, is blanks alone, and a value as any other: it is not missing"
                )
            }
            Self::FellTogether { column, found, place, like } => {
                write!(f, "column `{column}`: `{found}`, {place}, and `{like}` are one real number of 64 bits")
            }
            Self::HeaderAgain(line) => write!(f, "line {line} is the header again: were files joined?"),
            Self::Nameless(1) => f.write_str("a column with neither a name nor a value is left out"),
            Self::Nameless(n) => write!(f, "{n} columns with neither names nor values are left out"),
            Self::NumbersAsNames => f.write_str("names of columns are numbers: is there a header?"),
            Self::OneColumn(b' ') => f.write_str("there is one column, and all its cells hold blanks"),
            Self::OneColumn(other) => {
                write!(f, "there is one column, and all its cells hold `{}`", char::from(*other))
            }
            Self::NeverMissing(text) => {
                write!(f, "no cell that is read is `{text}`, which was to mean a missing value")
            }
        }
    }
}

impl fmt::Display for TextCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeadingZero => f.write_str("a number would lose its leading zeros"),
            Self::TooLarge => f.write_str("it is too large for a number of 64 bits"),
            Self::OtherMark(mark) => write!(f, "it has a decimal {mark}"),
            Self::EitherMark(mark) => write!(f, "its {mark} is a decimal mark or separates thousands"),
            Self::NeitherMark => f.write_str("neither with a decimal comma nor with a point all cells are numbers"),
            Self::Thousands(mark) => write!(f, "its {mark} seems to separate thousands"),
            Self::Beside(what) => write!(f, "it has {what}"),
            Self::Boolean => f.write_str("it is not a boolean, as the other values are but for their spelling"),
            Self::Moment => f.write_str("it is a date or a time"),
            Self::NotANumber => f.write_str("it is not a number, as most of the other values are"),
        }
    }
}

/// A cell as a message shows it: on one line, and not at length.
pub fn shown(cell: &str) -> String {
    let mut shown: String = cell.chars().take(SHOWN_CELL).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if cell.chars().nth(SHOWN_CELL).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_do_not_exist_or_are_two_things_are_refused() {
        let names = ["zip", "age", "kind"].map(str::to_owned);
        let wanted = |text: &str, number: &str, ignore: &str| {
            let [text, number, ignore] =
                [text, number, ignore].map(|names| names.split_whitespace().map(str::to_owned).collect());
            ReadOptions { text, number, ignore, ..ReadOptions::default() }.wanted(&names)
        };
        assert_eq!(wanted("zip", "age", "kind").unwrap(), [Wanted::Text, Wanted::Number, Wanted::Nothing]);
        let error = wanted("", "", "kinds").unwrap_err().to_string();
        assert_eq!(error, "no attribute column `kinds` (did you mean `kind`?); its columns are `zip`, `age`, `kind`");
        assert!(wanted("zpi", "", "").unwrap_err().to_string().starts_with("no column `zpi` (did you mean `zip`?)"));
        assert_eq!(wanted("age", "age", "").unwrap_err().to_string(), "column `age` cannot be both text and numbers");
    }

    #[test]
    fn columns_of_another_file_may_be_absent() {
        let names = ["zip", "age"].map(str::to_owned);
        let [text, number] = ["zip", "size"].map(|name| vec![name.to_owned()]);
        let alike = ReadOptions { text, number, may_lack: true, ..ReadOptions::default() };
        assert_eq!(alike.wanted(&names).unwrap(), [Wanted::Text, Wanted::Any]);
        let ignoring = ReadOptions { ignore: vec!["size".to_owned()], ..alike.clone() };
        assert_eq!(ignoring.wanted(&names).unwrap(), [Wanted::Text, Wanted::Any]);
        let alone = ReadOptions { ignore: vec!["size".to_owned()], ..ReadOptions::default() };
        assert!(alone.wanted(&names).unwrap_err().to_string().starts_with("no attribute column `size`"));
    }

    #[test]
    fn a_remark_names_its_column_unless_it_is_one_on_the_file() {
        let (column, found, line) = ("zip".to_owned(), "NA".to_owned(), Line::alone(2));
        assert_eq!(Remark::Word { column, found, line: line.clone() }.column(), Some("zip"));
        assert_eq!(Remark::HeaderAgain(line).column(), None);
    }

    #[test]
    fn only_columns_that_are_asked_for_are_read() {
        let names = ["a", "b,c", "b", "d", "n=0", "n=1", "nn=1"].map(str::to_owned);
        let read = |only: &[&str]| {
            let only = only.iter().map(|&name| name.to_owned()).collect();
            let wanted = ReadOptions { only, ..ReadOptions::default() }.wanted(&names).unwrap();
            let read = names.iter().zip(wanted).filter(|(_, wanted)| *wanted == Wanted::Any);
            read.map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(read(&[]), names.join(" "));
        assert_eq!(read(&["a", "d"]), "a d");
        assert_eq!(read(&["b", "c", "n"]), "b,c b n=0 n=1");
        assert_eq!(read(&["d,a", "none"]), "a d");
    }
}
