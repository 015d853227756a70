//! CSV. Every column is read as a dictionary of spellings, whose kind of value is told from the spellings that occur.

use std::io::{self, Write};

use csv::{ByteRecord, ReaderBuilder};
use rustc_hash::{FxHashMap, FxHashSet};

use super::build::check_rows;
use super::interval::Interval;
use super::layout::FileColumn;
use super::{Attribute, Codes, InformationTable, TableError, Value};

/// Texts that always mean a missing value in a CSV file.
const MISSING: [&str; 3] = ["", "?", "NA"];
/// The separators that are recognised, the likeliest first.
const SEPARATORS: [u8; 3] = *b",;\t";
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The table in a CSV file with this content. Without a `separator`, it is the one that the header has most of;
/// `missing` are texts that mean a missing value beside the usual ones.
pub fn read(bytes: &[u8], separator: Option<u8>, missing: &[String]) -> Result<InformationTable, TableError> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    if bytes.is_empty() {
        return Err(TableError::NoRows);
    }
    let separator = separator.unwrap_or_else(|| likeliest_separator(bytes));
    let damaged = |e: csv::Error| TableError::unreadable("CSV", &e);
    let mut reader = ReaderBuilder::new().delimiter(separator).flexible(true).from_reader(bytes);
    let mut columns = columns(reader.byte_headers().map_err(damaged)?)?;
    let (mut cells, mut n_rows) = (ByteRecord::new(), 0);
    while reader.read_byte_record(&mut cells).map_err(damaged)? {
        n_rows += 1;
        check_rows(n_rows)?;
        if cells.len() != columns.len() {
            return Err(TableError::LineLength {
                line: line_of(bytes, &cells),
                expected: columns.len(),
                found: cells.len(),
            });
        }
        for (column, cell) in columns.iter_mut().zip(&cells) {
            column.push(cell).map_err(|()| not_utf8(line_of(bytes, &cells)))?;
        }
    }
    let missing: FxHashSet<&str> = MISSING.into_iter().chain(missing.iter().map(String::as_str)).collect();
    InformationTable::new(columns.into_iter().map(|column| column.coded(&missing)).collect())
}

/// Writes columns as CSV. A missing value is an empty cell, and an empty text a quoted one.
pub fn write(mut out: impl Write, columns: &[FileColumn], separator: u8) -> io::Result<()> {
    let spelled: Vec<Vec<String>> = columns.iter().map(|column| spellings(column, separator)).collect();
    for (at, column) in columns.iter().enumerate() {
        begin_cell(&mut out, at, separator)?;
        out.write_all(quoted(column.name(), separator).as_bytes())?;
    }
    out.write_all(b"\n")?;
    for row in 0..columns.first().map_or(0, FileColumn::n_rows) {
        for (at, (column, spelled)) in columns.iter().zip(&spelled).enumerate() {
            begin_cell(&mut out, at, separator)?;
            match column {
                FileColumn::Values(attribute) => out.write_all(spelled[attribute.code(row) as usize].as_bytes())?,
                FileColumn::Counts(_, counts) => write!(out, "{}", counts[row])?,
            }
        }
        out.write_all(b"\n")?;
    }
    out.flush()
}

fn begin_cell(out: &mut impl Write, at: usize, separator: u8) -> io::Result<()> {
    if at > 0 { out.write_all(&[separator]) } else { Ok(()) }
}

/// The cell of each code of a column.
fn spellings(column: &FileColumn, separator: u8) -> Vec<String> {
    let cell = |value: &Value| match value {
        Value::Missing => String::new(),
        Value::Real(number) => zmij::Buffer::new().format(*number).to_owned(),
        value => quoted(&value.to_string(), separator),
    };
    match column {
        FileColumn::Values(attribute) => attribute.domain().iter().map(cell).collect(),
        FileColumn::Counts(..) => Vec::new(),
    }
}

fn quoted(text: &str, separator: u8) -> String {
    let special = |byte| ends_line(&byte) || byte == b'"' || byte == separator;
    if text.is_empty() || text.bytes().any(special) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn not_utf8(line: usize) -> TableError {
    TableError::Unreadable { format: "CSV", reason: format!("line {line} is not UTF-8") }
}

const fn ends_line(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The separator that the header has most of, outside quotes.
fn likeliest_separator(bytes: &[u8]) -> u8 {
    let mut counts = [0; SEPARATORS.len()];
    let mut quoted = false;
    for &byte in bytes.iter().skip_while(|byte| ends_line(byte)) {
        if !quoted && ends_line(&byte) {
            break;
        }
        quoted ^= byte == b'"';
        if let Some(at) = SEPARATORS.iter().position(|&separator| separator == byte && !quoted) {
            counts[at] += 1;
        }
    }
    let most = counts.iter().copied().max().unwrap_or(0);
    SEPARATORS.into_iter().zip(counts).find(|&(_, count)| count == most).map_or(b',', |(separator, _)| separator)
}

/// One empty column per name of the header.
fn columns(header: &ByteRecord) -> Result<Vec<Spelled>, TableError> {
    if header.is_empty() {
        return Err(TableError::Unreadable { format: "CSV", reason: "it has no header".to_owned() });
    }
    let mut seen = FxHashSet::default();
    let column = |name: &[u8]| {
        let name = String::from_utf8(name.to_vec()).map_err(|_| not_utf8(1))?;
        if !seen.insert(name.clone()) {
            return Err(TableError::DuplicateColumn(name));
        }
        Ok(Spelled { name, codes: Vec::new(), spellings: Vec::new(), code_of: FxHashMap::default() })
    };
    header.iter().map(column).collect()
}

/// The line, counted from 1, on which a record begins. The reader remembers where the record before it ended, so line
/// ends and blank lines are passed over.
fn line_of(bytes: &[u8], record: &ByteRecord) -> usize {
    let after_last = record.position().map_or(0, |position| position.byte() as usize);
    let blank = bytes[after_last..].iter().take_while(|byte| ends_line(byte)).count();
    let before = &bytes[..after_last + blank];
    let is_last_of_end = |at: usize| before[at] == b'\n' || before[at] == b'\r' && before.get(at + 1) != Some(&b'\n');
    1 + (0..before.len()).filter(|&at| is_last_of_end(at)).count()
}

/// A column under construction: its distinct cells in the order in which they occurred, and the place of each row's.
struct Spelled {
    name: String,
    codes: Vec<u32>,
    spellings: Vec<String>,
    code_of: FxHashMap<Box<[u8]>, u32>,
}

impl Spelled {
    /// Adds the cell of the next row; fails if it is not UTF-8.
    fn push(&mut self, cell: &[u8]) -> Result<(), ()> {
        let code = match self.code_of.get(cell) {
            Some(&code) => code,
            None => {
                let code = self.spellings.len() as u32;
                self.spellings.push(String::from_utf8(cell.to_vec()).map_err(|_| ())?);
                self.code_of.insert(cell.into(), code);
                code
            }
        };
        self.codes.push(code);
        Ok(())
    }

    fn coded(self, missing: &FxHashSet<&str>) -> Attribute {
        let is_missing = |text: &str| missing.contains(text);
        let given: Vec<&str> = self.spellings.iter().map(String::as_str).filter(|text| !is_missing(text)).collect();
        let parse = kind_of(&given);
        let value = |text: &String| if is_missing(text) { None } else { parse(text) };
        let values: Vec<Value> = self.spellings.iter().map(|text| value(text).unwrap_or(Value::Missing)).collect();
        Attribute::from_codes(&self.name, &values, Codes::U32(self.codes))
    }
}

/// How to read the spellings of a column: as the first kind of value that all of them spell.
fn kind_of(spellings: &[&str]) -> fn(&str) -> Option<Value> {
    // Whole numbers beyond 64 bits would lose digits as reals, so that different ones could become equal.
    let number = if spellings.iter().all(|text| is_whole(text)) { integer } else { real };
    let kinds: [fn(&str) -> Option<Value>; 4] = [boolean, integer, number, interval];
    let spelled = kinds.into_iter().find(|parse| spellings.iter().all(|text| parse(text).is_some()));
    spelled.unwrap_or(|text| Some(Value::text(text)))
}

fn boolean(text: &str) -> Option<Value> {
    match text {
        "true" | "True" | "TRUE" => Some(Value::Boolean(true)),
        "false" | "False" | "FALSE" => Some(Value::Boolean(false)),
        _ => None,
    }
}

fn integer(text: &str) -> Option<Value> {
    text.parse().ok().map(Value::Integer)
}

fn real(text: &str) -> Option<Value> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() || matches!(text, "inf" | "-inf") => Some(Value::Real(number + 0.0)),
        Ok(_) if text == "NaN" => Some(Value::Missing),
        _ => None,
    }
}

fn is_whole(text: &str) -> bool {
    text.trim_start_matches(['+', '-']).bytes().all(|byte| byte.is_ascii_digit())
}

fn interval(text: &str) -> Option<Value> {
    Interval::parse(text).map(Value::Interval)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    fn column(cells: &[&str]) -> Attribute {
        let text = format!("x,y\n{}", cells.iter().map(|cell| format!("\"{cell}\",0\n")).collect::<String>());
        read(text.as_bytes(), None, &[]).unwrap().columns()[0].clone()
    }

    #[test]
    fn a_column_has_the_first_kind_that_all_its_cells_spell() {
        let kinds = [
            (&["true", "FALSE", ""][..], "boolean"),
            (&["1", "-2", "NA"], "integer"),
            (&["1", "2.5", "1e3", "inf", "NaN"], "real"),
            (&["9223372036854775808", "1"], "text"),
            (&["9223372036854775808", "1.5"], "real"),
            (&["<= 1.5", "(1.5, 2]", "?"], "interval"),
            (&["<= 1.5", "1.5"], "text"),
            (&["1", "x"], "text"),
            (&["", "?"], "missing"),
        ];
        for (cells, kind) in kinds {
            assert_eq!(column(cells).kind(), kind, "{cells:?}");
        }
    }

    #[test]
    fn spellings_of_one_number_are_one_value() {
        let numbers = column(&["1.0", "1", "10e-1", "2"]);
        assert_eq!((numbers.domain(), numbers.codes().to_vec()), (&[1.0, 2.0].map(Value::Real)[..], vec![0, 0, 0, 1]));
    }

    #[test]
    fn lines_are_counted_through_quotes_blank_lines_and_all_line_ends() {
        for (text, expected) in [
            ("a,b\n1,2\n3\n", 3),
            ("a,b\r\n1,2\r\n3\r\n", 3),
            ("a,b\r1,2\r3\r", 3),
            ("a,b\n\n\"1\n1\",2\n\n3\n", 6),
            ("\n\na,b\n1\n", 4),
        ] {
            let error = read(text.as_bytes(), None, &[]).unwrap_err();
            assert!(matches!(error, TableError::LineLength { line, .. } if line == expected), "{text:?}: {error}");
        }
    }

    #[test]
    fn what_is_written_is_quoted_where_it_must_be() {
        let texts = ["", "a,b", "say \"so\"", "two\nlines", "plain"].map(Value::text);
        let reals = [1.0, 1e16, 0.000_01, 1e-7, f64::NEG_INFINITY].map(Value::Real);
        let attributes = [Attribute::from_values("x;y", &texts), Attribute::from_values("z", &reals)];
        let mut columns = Vec::from(attributes.map(|a| FileColumn::Values(Cow::Owned(a))));
        columns.push(FileColumn::Counts("d=1".to_owned(), Cow::Borrowed(&[0, 1, 2, 3, u32::MAX])));
        let mut out = Vec::new();
        write(&mut out, &columns, b';').unwrap();
        let expected = "\"x;y\";z;d=1\n\"\";1.0;0\na,b;1e+16;1\n\"say \"\"so\"\"\";0.00001;2\n\
            \"two\nlines\";1e-7;3\nplain;-inf;4294967295\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn separators_inside_quotes_do_not_count() {
        assert_eq!(likeliest_separator(b"\"a,b,c\";d\n1,2,3,4\n"), b';');
        assert_eq!(likeliest_separator(b"\"a\n,\";d;e\n"), b';');
        assert_eq!(likeliest_separator(b"a\n1\n"), b',');
    }
}
