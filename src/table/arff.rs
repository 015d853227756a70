//! ARFF, the attribute-relation files of Weka: columns that are declared with their types, then rows of values, dense or
//! sparse. Cells are kept as those of CSV are, so that missing values, notes and errors are the same.

mod words;

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};

use rustc_hash::FxHashSet;

use self::words::{Word, Words};
use super::build::{check_header, check_rows};
use super::cell::{Kind, has_leading_zero};
use super::csv::{BYTE_ORDER_MARK, Column, finished, not_utf8, refuse_other_than_text, unreadable};
use super::parts::Places;
use super::reading::{Wanted, shown};
use super::{InformationTable, ReadOptions, TableError, shorten};

const FORMAT: &str = "ARFF";
/// What a value that is not known is written as.
const UNKNOWN: &str = "?";

/// The type of an attribute.
enum Declared {
    Number,
    /// Text: the values that are allowed, in their order.
    Nominal(Vec<String>),
    /// Text with a name for messages, `string` or `date`.
    Free(&'static str),
}

/// The table in a stream of ARFF.
pub fn read(source: impl Read, reading: &ReadOptions) -> Result<InformationTable, TableError> {
    let mut lines = Lines { source: BufReader::new(source), bytes: Vec::new(), number: 0 };
    refuse_other_than_text(lines.source.fill_buf().map_err(unreadable)?, FORMAT)?;
    let (names, types): (Vec<String>, Vec<Declared>) = header(&mut lines)?.into_iter().unzip();
    check_header(&names)?;
    let wanted = reading.wanted(&names)?.into_iter().zip(&types).map(|(wanted, declared)| match (wanted, declared) {
        (Wanted::Any, Declared::Nominal(_) | Declared::Free(_)) => Wanted::Text,
        (chosen, _) => chosen,
    });
    let mut columns: Vec<Column> = names.into_iter().zip(wanted).map(|(name, w)| Column::new(name, w)).collect();
    let mut n_rows = 0;
    while let Some((text, line)) = lines.next()? {
        let mut words = Words::of(text, line);
        let Some(first) = words.next()? else { continue };
        match first {
            Word::Open => sparse_row(words, &types, &mut columns)?,
            first => dense_row(first, words, &mut columns)?,
        }
        n_rows += 1;
        check_rows(n_rows)?;
    }
    columns.iter_mut().zip(&types).try_for_each(|(column, declared)| match declared {
        Declared::Nominal(values) => check_values(column, values),
        Declared::Number if column.wanted == Wanted::Any => take_as_numbers(column, reading),
        Declared::Number | Declared::Free(_) => Ok(()),
    })?;
    finished(columns, reading, (&Places::default(), Vec::new()))
}

/// An error of a line.
fn fault(line: usize, what: impl std::fmt::Display) -> TableError {
    TableError::Unreadable { format: FORMAT, reason: format!("line {line}: {what}") }
}

/// The lines of a stream, counted from 1.
struct Lines<R> {
    source: BufReader<R>,
    bytes: Vec<u8>,
    number: usize,
}

impl<R: Read> Lines<R> {
    /// The next line with its number.
    fn next(&mut self) -> Result<Option<(&str, usize)>, TableError> {
        self.bytes.clear();
        if self.source.read_until(b'\n', &mut self.bytes).map_err(unreadable)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        let text = self.bytes.strip_prefix(BYTE_ORDER_MARK).filter(|_| self.number == 1).unwrap_or(&self.bytes);
        match std::str::from_utf8(text) {
            Ok(text) => Ok(Some((text, self.number))),
            Err(_) => Err(not_utf8(FORMAT, self.number)),
        }
    }
}

/// The attributes that are declared before the data, with their types.
fn header<R: Read>(lines: &mut Lines<R>) -> Result<Vec<(String, Declared)>, TableError> {
    let mut attributes = Vec::new();
    while let Some((text, line)) = lines.next()? {
        let mut words = Words::of(text, line);
        let keyword = match words.next()? {
            None => continue,
            Some(Word::Value(keyword)) => keyword.to_lowercase(),
            Some(_) => String::new(),
        };
        match keyword.as_str() {
            "@relation" => {}
            "@attribute" => attributes.push(attribute(words)?),
            "@data" if attributes.is_empty() => return Err(fault(line, "no attribute was declared before @data")),
            "@data" if words.next()?.is_some() => {
                return Err(fault(line, "expected rows from the line after @data on"));
            }
            "@data" => return Ok(attributes),
            _ => {
                let expected = "expected @relation, @attribute or @data";
                return Err(fault(line, format_args!("{expected}, found `{}`", shown(text.trim()))));
            }
        }
    }
    Err(TableError::Unreadable { format: FORMAT, reason: "it has no @data".to_owned() })
}

/// The name and the type after `@attribute`.
fn attribute(mut words: Words<'_>) -> Result<(String, Declared), TableError> {
    let line = words.line;
    let Some(Word::Value(name)) = words.next()? else { return Err(fault(line, "expected the name of an attribute")) };
    let declared = match words.next()? {
        Some(Word::Open) => Declared::Nominal(nominal_values(&mut words)?),
        Some(Word::Value(kind)) => match kind.to_lowercase().as_str() {
            "numeric" | "real" | "integer" => Declared::Number,
            "string" => Declared::Free("string"),
            "date" => {
                // The format of the dates, which stay as they are written.
                words.next()?;
                Declared::Free("date")
            }
            _ => return Err(unknown_type(&name, &kind, line)),
        },
        _ => return Err(unknown_type(&name, "", line)),
    };
    match words.next()? {
        None => Ok((name.into_owned(), declared)),
        Some(_) => Err(fault(line, format_args!("the declaration of `{name}` goes on behind its type"))),
    }
}

fn unknown_type(name: &str, found: &str, line: usize) -> TableError {
    let expected = "expected numeric, real, integer, string, date or values in braces";
    fault(line, format_args!("attribute `{name}`: {expected}, found `{}`", shown(found)))
}

/// The values in braces that a nominal attribute may have.
fn nominal_values(words: &mut Words<'_>) -> Result<Vec<String>, TableError> {
    let mut values = Vec::new();
    loop {
        match words.next()? {
            Some(Word::Value(value)) => values.push(value.into_owned()),
            Some(Word::Comma) => {}
            Some(Word::Close) => return Ok(values),
            _ => return Err(fault(words.line, "expected values up to `}` on the same line")),
        }
    }
}

/// Adds a row of values that commas or blanks separate.
fn dense_row(first: Word<'_>, mut words: Words<'_>, columns: &mut [Column]) -> Result<(), TableError> {
    let (line, mut found, mut word) = (words.line, 0, Some(first));
    loop {
        match word {
            Some(Word::Value(value)) => {
                if let Some(column) = columns.get_mut(found).filter(|column| column.wanted != Wanted::Nothing) {
                    column.push(&value, line);
                }
                found += 1;
            }
            Some(Word::Open) => return Err(weighted(line)),
            _ => return Err(fault(line, format_args!("value {} is empty, expected {UNKNOWN} if unknown", found + 1))),
        }
        word = words.next()?;
        match word {
            None => break,
            Some(Word::Comma) => word = words.next()?,
            Some(_) => {}
        }
    }
    if found == columns.len() {
        return Ok(());
    }
    Err(TableError::LineLength { line, expected: columns.len(), found, first: "the header" })
}

/// Adds a row of pairs of the number of an attribute, from 0, and its value. Attributes that it does not name are 0, or have
/// the first of their values.
fn sparse_row(mut words: Words<'_>, types: &[Declared], columns: &mut [Column]) -> Result<(), TableError> {
    let line = words.line;
    let mut cells: Vec<Option<Cow<'_, str>>> = vec![None; columns.len()];
    let expected = "expected number and value of an attribute in a sparse row";
    loop {
        match words.next()? {
            Some(Word::Close) => break,
            Some(Word::Comma) => {}
            Some(Word::Value(number)) => {
                let Some(Word::Value(value)) = words.next()? else { return Err(fault(line, expected)) };
                let cell = number.parse().ok().and_then(|at: usize| cells.get_mut(at));
                let last = columns.len() - 1;
                let Some(cell) = cell else {
                    let what = format_args!("expected the number of an attribute, 0 to {last}, found `{number}`");
                    return Err(fault(line, what));
                };
                if cell.replace(value).is_some() {
                    return Err(fault(line, format_args!("the attribute number {number} has two values")));
                }
            }
            _ => return Err(fault(line, expected)),
        }
    }
    if words.next()?.is_some() {
        return Err(weighted(line));
    }
    let wanted = columns.iter_mut().zip(types).zip(&cells).filter(|((column, _), _)| column.wanted != Wanted::Nothing);
    for ((column, declared), cell) in wanted {
        let usual = match declared {
            Declared::Number => Some("0"),
            Declared::Nominal(values) => values.first().map(String::as_str),
            Declared::Free(_) => None,
        };
        match (cell.as_deref().or(usual), declared) {
            (Some(value), _) => column.push(value, line),
            (None, Declared::Free(kind)) => {
                let what = format!("attribute `{}` has no value, and a {kind} has no usual one", column.name);
                return Err(fault(line, what));
            }
            (None, _) => column.push(UNKNOWN, line),
        }
    }
    Ok(())
}

fn weighted(line: usize) -> TableError {
    fault(line, "the row has a weight in braces, expected none: weights are read from an attribute")
}

/// Refuses a cell that is no number in a column that is declared to be numbers. Leading zeros do not count there; otherwise the
/// column is as in CSV, where different whole numbers stay different.
fn take_as_numbers(column: &mut Column, reading: &ReadOptions) -> Result<(), TableError> {
    let is_number = |cell: &str| Kind::Real.value(cell, reading.decimal).is_some();
    let is_other = |cell: &str| !reading.is_missing(cell, Wanted::Number) && !is_number(cell);
    if let Some((cell, line)) = column.dictionary.cells().find(|(cell, _)| is_other(cell)) {
        let (column, place, found) = (column.name.clone(), format!("line {line}"), shown(cell));
        return Err(TableError::NotANumber { column, place, found });
    }
    if column.dictionary.cells().any(|(cell, _)| has_leading_zero(cell)) {
        column.wanted = Wanted::Number;
    }
    Ok(())
}

/// Refuses a value that is none of those `values` that the declaration of its attribute lists.
fn check_values(column: &Column, values: &[String]) -> Result<(), TableError> {
    let allowed: FxHashSet<&str> = values.iter().map(String::as_str).chain([UNKNOWN]).collect();
    match column.dictionary.cells().find(|(cell, _)| !allowed.contains(cell)) {
        None => Ok(()),
        Some((cell, line)) => {
            let (name, found) = (&column.name, shown(cell));
            Err(fault(line, format_args!("attribute `{name}`: expected one of {}, found `{found}`", shorten(values))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Value;

    fn table(text: &str) -> InformationTable {
        read(text.as_bytes(), &ReadOptions::default()).unwrap()
    }

    fn refusal(text: &str) -> String {
        read(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string()
    }

    /// The data of `rows` behind a number `n`, a nominal `c` and a string `s`.
    fn of_rows(rows: &str) -> String {
        format!(
            "@relation r\n@attribute n numeric\n@attribute c {{low, 'very high'}}\n@attribute s string\n@data\n{rows}"
        )
    }

    fn values(table: &InformationTable, column: usize) -> Vec<String> {
        let column = &table.columns()[column];
        (0..column.len()).map(|row| column.value(row).to_string()).collect()
    }

    #[test]
    fn types_quotes_comments_and_unknown_values_are_read() {
        let text = "\u{feff}% A comment\n@RELATION 'a b'\r\n\n@Attribute 'a name' REAL % of metres\n\
            @attribute kind{'it\\'s',\"b, c\",007}\n@attribute day date 'yyyy-MM-dd'\n@DATA\n% more\n\
            1.5, 'it\\'s', 2020-01-01\n?\t\"b, c\"\t'?'\r\n-2,007,\"2020-01-02\" % the last\n";
        let table = table(text);
        assert_eq!(table.existing(), ["a name", "kind", "day"]);
        assert_eq!(table.columns().iter().map(|c| c.kind()).collect::<Vec<_>>(), ["real", "text", "text"]);
        assert_eq!(values(&table, 0), ["1.5", "?", "-2"]);
        assert_eq!(values(&table, 1), ["it's", "b, c", "007"]);
        assert_eq!(values(&table, 2), ["2020-01-01", "?", "2020-01-02"]);
        assert_eq!(table.remarks(), []);
        let reading = ReadOptions { number: vec!["day".to_owned()], ..ReadOptions::default() };
        assert_eq!(values(&read(text.as_bytes(), &reading).unwrap(), 2), ["18262", "?", "18263"]);
    }

    #[test]
    fn whole_numbers_are_integers() {
        let table = table("@attribute n numeric\n@data\n1\n2\n");
        assert_eq!(table.columns()[0].domain(), [1, 2].map(Value::Integer));
    }

    #[test]
    fn different_whole_numbers_stay_different_as_in_csv() {
        let kind_and_values = |cells: &str| {
            let table = table(&format!("@attribute n numeric\n@data\n{cells}\n"));
            let column = &table.columns()[0];
            (column.kind(), column.n_values(), table.remarks().len())
        };
        assert_eq!(kind_and_values("99999999999999999999\n99999999999999999998"), ("text", 2, 1));
        assert_eq!(kind_and_values("99999999999999999999\n99999999999999999998\n1.5"), ("real", 2, 1));
        assert_eq!(kind_and_values("007\n7\n8.5"), ("real", 2, 0));
        assert_eq!(kind_and_values("007\n7"), ("integer", 1, 0));
    }

    #[test]
    fn declared_numbers_that_are_wanted_as_text_stay_as_they_are_written() {
        let reading = ReadOptions { text: vec!["n".to_owned()], ..ReadOptions::default() };
        let table = read(&b"@attribute n numeric\n@data\n007\n7\nx\n"[..], &reading).unwrap();
        assert_eq!(values(&table, 0), ["007", "7", "x"]);
    }

    #[test]
    fn what_sparse_rows_do_not_name_is_0_or_the_first_value() {
        let table = table(&of_rows("{0 7, 2 x}\n{1 'very high',2 y}\n{0 ?, 1 ?, 2 ?}\n"));
        assert_eq!(values(&table, 0), ["7", "0", "?"]);
        assert_eq!(values(&table, 1), ["low", "very high", "?"]);
        assert_eq!(values(&table, 2), ["x", "y", "?"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (rows, expected) in [
            ("1,low,x\n1,medium,x\n", "line 7: attribute `c`: expected one of `low`, `very high`, found `medium`"),
            ("1,low\n", "line 6 has 2 cells, expected 3 as in the header"),
            ("1,low,x,y\n", "line 6 has 4 cells, expected 3 as in the header"),
            ("1,,x\n", "line 6: value 2 is empty, expected ? if unknown"),
            ("1,low,'x\n", "the quote opened in line 6 is never closed"),
            ("1,low,x,{5}\n", "line 6: the row has a weight in braces, expected none: weights are read"),
            ("{0 1, 2 x}, {5}\n", "line 6: the row has a weight in braces"),
            ("{0 1, 3 x}\n", "line 6: expected the number of an attribute, 0 to 2, found `3`"),
            ("{0 1, 0 2}\n", "line 6: the attribute number 0 has two values"),
            ("{0 1}\n", "line 6: attribute `s` has no value, and a string has no usual one"),
            ("1,low,50%\n", "line 6: `50%` has a percent sign, which begins a comment: write the value in quotes"),
            ("1,low,'x'y\n", "line 6: `'x'y` goes on behind its quotes"),
            ("wide,low,x\n", "column `n`, line 6: expected a number of 64 bits, found `wide`"),
        ] {
            let error = refusal(&of_rows(rows));
            assert!(error.contains(expected), "{rows}: {error}");
        }
        for (text, expected) in [
            ("a,b\n1,2\n", "line 1: expected @relation, @attribute or @data, found `a,b`"),
            ("@relation r\n@data\n1\n", "line 2: no attribute was declared before @data"),
            ("@attribute a numeric\n", "it has no @data"),
            ("@attribute a numeric\n@data 1\n", "line 2: expected rows from the line after @data on"),
            ("@attribute a numeric\n@attribute a string\n@data\n", "two columns are called `a`"),
            (
                "@attribute a relational\n",
                "line 1: attribute `a`: expected numeric, real, integer, string, date or values",
            ),
            ("@attribute a {x,\n y}\n", "line 1: expected values up to `}` on the same line"),
            ("@attribute a numeric [0,1]\n", "line 1: the declaration of `a` goes on behind its type"),
        ] {
            assert!(refusal(text).contains(expected), "{text}: {}", refusal(text));
        }
        let error = read(&b"@attribute \xff numeric\n"[..], &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains("ARFF: line 1 is not UTF-8"), "{error}");
    }
}
