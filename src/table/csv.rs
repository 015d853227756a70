//! CSV. Every column is read as a dictionary of spellings, whose kind of value is told from the spellings that occur.

use std::io::{self, Write};

use csv::{ByteRecord, ReaderBuilder};
use rustc_hash::{FxHashMap, FxHashSet};

use super::build::check_rows;
use super::cell::{Kind, MISSING, MISSING_TEXT, WORDS, cause_of_text, may_be_thousands, means};
use super::layout::FileColumn;
use super::reading::{DecimalMark, Wanted, shown};
use super::{Attribute, Codes, InformationTable, ReadOptions, Remark, TableError, Value};

/// The separators that are recognised, the likeliest first.
const SEPARATORS: [u8; 3] = *b",;\t";
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
/// Below this size all whole numbers are different real numbers.
const EXACT: u64 = 1 << 53;
/// What files in UTF-16 begin with.
const UTF_16: [&[u8]; 2] = [b"\xFF\xFE", b"\xFE\xFF"];

/// The table in a CSV file with this content. Without a separator, it is the `usual` one if the header has it, and else
/// the one that the header has most of.
pub fn read(bytes: &[u8], usual: Option<u8>, reading: &ReadOptions) -> Result<InformationTable, TableError> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    if bytes.is_empty() {
        return Err(TableError::NoRows);
    }
    if UTF_16.iter().any(|mark| bytes.starts_with(mark)) {
        let reason = "it is UTF-16, expected UTF-8: `iconv -f UTF-16 -t UTF-8` converts it".to_owned();
        return Err(TableError::Unreadable { format: "CSV", reason });
    }
    let separator = reading.separator.unwrap_or_else(|| likeliest_separator(bytes, usual));
    let damaged = |e: csv::Error| TableError::unreadable("CSV", &e);
    let mut reader = ReaderBuilder::new().delimiter(separator).flexible(true).from_reader(bytes);
    let mut columns = columns(reader.byte_headers().map_err(damaged)?, reading)?;
    let (mut cells, mut n_rows, mut last) = (ByteRecord::new(), 0, 0);
    while reader.read_byte_record(&mut cells).map_err(damaged)? {
        n_rows += 1;
        check_rows(n_rows)?;
        last = start_of(&cells);
        if cells.len() != columns.len() {
            let expected = columns.len();
            return Err(misfit(&cells, expected, n_rows == 1, (bytes, separator), &mut reader));
        }
        for (column, cell) in columns.iter_mut().zip(&cells).filter(|(column, _)| column.wanted != Wanted::Nothing) {
            let start = start_of(&cells);
            column.push(cell, start).map_err(|()| not_utf8(line_at(bytes, start)))?;
        }
    }
    if let Some(opened) = open_quote(&bytes[last..], separator) {
        return Err(TableError::OpenQuote { line: line_at(bytes, last + opened) });
    }
    let noted = reading.separator.is_none() && separator != b',';
    let mut remarks: Vec<Remark> = noted.then_some(Remark::Separator(separator)).into_iter().collect();
    remarks.extend(are_numbers(&columns).then_some(Remark::NumbersAsNames));
    remarks.extend(separator_missed(&columns).filter(|_| reading.separator.is_none()).map(Remark::OneColumn));
    remarks.extend(never_missing(&columns, reading));
    let mut attributes = Vec::new();
    for column in columns.into_iter().filter(|column| column.wanted != Wanted::Nothing) {
        attributes.push(column.coded(reading, bytes, &mut remarks)?);
    }
    Ok(InformationTable::new(attributes)?.with_remarks(remarks))
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
    let reason = format!("line {line} is not UTF-8; if it is Latin-1, `iconv -f WINDOWS-1252 -t UTF-8` converts it");
    TableError::Unreadable { format: "CSV", reason }
}

const fn ends_line(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The separator that the header has most of, outside quotes; the `usual` one if it has any of that.
fn likeliest_separator(bytes: &[u8], usual: Option<u8>) -> u8 {
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
    let counted = || SEPARATORS.into_iter().zip(counts).filter(|&(_, count)| count > 0);
    let most = counted().map(|(_, count)| count).max();
    let usual = counted().find(|&(separator, _)| Some(separator) == usual);
    usual.or_else(|| counted().find(|&(_, count)| Some(count) == most)).map_or(b',', |(separator, _)| separator)
}

/// One empty column per name of the header.
fn columns(header: &ByteRecord, reading: &ReadOptions) -> Result<Vec<Spelled>, TableError> {
    if header.is_empty() {
        return Err(TableError::Unreadable { format: "CSV", reason: "it has no header".to_owned() });
    }
    let name = |name: &[u8]| String::from_utf8(name.to_vec()).map_err(|_| not_utf8(1));
    let names = header.iter().map(name).collect::<Result<Vec<_>, _>>()?;
    let mut seen = FxHashSet::default();
    if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
        return Err(TableError::DuplicateColumn(twice.clone()));
    }
    let wanted = reading.wanted(&names)?;
    Ok(names.into_iter().zip(wanted).map(|(name, wanted)| Spelled::new(name, wanted)).collect())
}

/// Where a record begins, or blank lines before it.
fn start_of(record: &ByteRecord) -> usize {
    record.position().map_or(0, |position| position.byte() as usize)
}

/// The line, counted from 1, on which the record begins that the reader found at `after_last`. The reader remembers
/// where the record before it ended, so line ends and blank lines are passed over.
fn line_at(bytes: &[u8], after_last: usize) -> usize {
    let blank = bytes[after_last..].iter().take_while(|byte| ends_line(byte)).count();
    let before = &bytes[..after_last + blank];
    let is_last_of_end = |at: usize| before[at] == b'\n' || before[at] == b'\r' && before.get(at + 1) != Some(&b'\n');
    1 + (0..before.len()).filter(|&at| is_last_of_end(at)).count()
}

/// What is wrong with a row of other than the `expected` number of cells in this content with this separator.
fn misfit(
    cells: &ByteRecord,
    expected: usize,
    is_first: bool,
    (bytes, separator): (&[u8], u8),
    reader: &mut csv::Reader<&[u8]>,
) -> TableError {
    let (start, found) = (start_of(cells), cells.len());
    let is_last = reader.position().byte() as usize >= bytes.len();
    if let Some(opened) = open_quote(&bytes[start..], separator).filter(|_| is_last) {
        return TableError::OpenQuote { line: line_at(bytes, start + opened) };
    }
    let ends_empty = cells.iter().next_back().is_none_or(<[u8]>::is_empty);
    if is_first && found == expected + 1 && !ends_empty && are_of_length(reader, found) {
        return TableError::RowNames;
    }
    TableError::LineLength { line: line_at(bytes, start), expected, found }
}

/// Whether all further rows have so many cells.
fn are_of_length(reader: &mut csv::Reader<&[u8]>, n_cells: usize) -> bool {
    reader.byte_records().all(|row| row.is_ok_and(|cells| cells.len() == n_cells))
}

/// Where a quote stands in these rows that is never closed.
fn open_quote(rows: &[u8], separator: u8) -> Option<usize> {
    let (mut opened, mut last, mut begins) = (None, 0, true);
    for (at, byte) in rows.iter().enumerate() {
        (opened, begins) = match (opened, byte) {
            (Some(_), b'"') => (None, true),
            (Some(_), _) => (opened, false),
            // A quote right after one that closed stands for itself.
            (None, b'"') if begins => {
                last = if at > 0 && rows[at - 1] == b'"' { last } else { at };
                (Some(last), false)
            }
            (None, _) => (None, *byte == separator || ends_line(byte)),
        };
    }
    opened
}

/// A column, a cell of it, shortened, and its line.
type Place = (String, String, usize);

/// A column under construction: its distinct cells in the order in which they occurred, and the place of each row's.
struct Spelled {
    name: String,
    wanted: Wanted,
    codes: Vec<u32>,
    spellings: Vec<String>,
    /// Where the first row with each spelling begins.
    starts: Vec<usize>,
    code_of: FxHashMap<Box<[u8]>, u32>,
}

impl Spelled {
    fn new(name: String, wanted: Wanted) -> Self {
        let code_of = FxHashMap::default();
        Self { name, wanted, codes: Vec::new(), spellings: Vec::new(), starts: Vec::new(), code_of }
    }

    /// Adds the cell of the next row, which begins at `start`; fails if it is not UTF-8.
    fn push(&mut self, cell: &[u8], start: usize) -> Result<(), ()> {
        let code = match self.code_of.get(cell) {
            Some(&code) => code,
            None => {
                let code = self.spellings.len() as u32;
                self.spellings.push(String::from_utf8(cell.to_vec()).map_err(|_| ())?);
                self.starts.push(start);
                self.code_of.insert(cell.into(), code);
                code
            }
        };
        self.codes.push(code);
        Ok(())
    }

    /// The finished column. What is to be said of it is added to `remarks`.
    fn coded(self, reading: &ReadOptions, bytes: &[u8], remarks: &mut Vec<Remark>) -> Result<Attribute, TableError> {
        let usual: &[&str] = if self.wanted == Wanted::Text { &MISSING_TEXT } else { &MISSING };
        let is_listed =
            |text: &str| reading.missing.iter().any(|missing| means(missing, text, self.wanted, reading.decimal));
        let is_missing = |text: &str| usual.contains(&text) || is_listed(text);
        let (given, starts): (Vec<&str>, Vec<usize>) = self.cells().filter(|(text, _)| !is_missing(text)).unzip();
        let kind = Kind::of(&given, self.wanted, reading.decimal).map_err(|at| TableError::NotANumber {
            column: self.name.clone(),
            place: format!("line {}", line_at(bytes, starts[at])),
            found: shown(given[at]),
        })?;
        let told = |(cell, start): (&str, usize)| (self.name.clone(), shown(cell), line_at(bytes, start));
        let place = |at: usize| told((given[at], starts[at]));
        let word = || self.cells().find(|(text, _)| WORDS.contains(text) && !is_listed(text));
        let may_be_word = kind == Kind::Text && !given.is_empty();
        let word = may_be_word.then(word).flatten().map(told);
        self.remark(kind, &given, (reading.decimal, word, &place), remarks);
        let value = |text: &String| if is_missing(text) { None } else { kind.value(text, reading.decimal) };
        let values: Vec<Value> = self.spellings.iter().map(|text| value(text).unwrap_or(Value::Missing)).collect();
        Ok(Attribute::from_codes(&self.name, &values, Codes::U32(self.codes)))
    }

    /// Adds to `remarks` what is to be said of the column, which is of this `kind`. Of the `given` cells `place` tells column, text and line;
    /// `word` is the first that is missing and may be a word.
    fn remark(
        &self,
        kind: Kind,
        given: &[&str],
        (mark, word, place): (DecimalMark, Option<Place>, &dyn Fn(usize) -> Place),
        remarks: &mut Vec<Remark>,
    ) {
        let is_free = self.wanted == Wanted::Any;
        if kind == Kind::Text && is_free {
            remarks.extend(cause_of_text(given, mark).map(|(at, cause)| {
                let (column, found, line) = place(at);
                Remark::Text { column, found, line, cause }
            }));
            remarks.extend(word.map(|(column, found, line)| Remark::Word { column, found, line }));
        }
        if kind == Kind::Real && mark == DecimalMark::Comma {
            remarks.extend(may_be_thousands(given, mark).map(|at| {
                let (column, found, line) = place(at);
                Remark::Thousands { column, found, line, mark }
            }));
        }
        if kind == Kind::Real && is_free {
            remarks.extend(fell_together(given, mark).map(|(like, at)| {
                let (column, found, line) = place(at);
                Remark::FellTogether { column, found, line, like: shown(given[like]) }
            }));
        }
        if kind == Kind::Text {
            remarks.extend(alike_but_for_blanks(given).map(|(like, at)| {
                let (column, found, line) = place(at);
                Remark::Blanks { column, found, line, like: shown(given[like]) }
            }));
        }
    }

    /// The distinct cells, and where the first row with each begins.
    fn cells(&self) -> impl Iterator<Item = (&str, usize)> {
        self.spellings.iter().map(String::as_str).zip(self.starts.iter().copied())
    }
}

/// Whether names look like the cells of a first object: half of them or more are numbers, which do not count upwards.
fn are_numbers(columns: &[Spelled]) -> bool {
    let numbers: Vec<f64> = columns.iter().filter_map(|column| column.name.trim().parse().ok()).collect();
    let count_upwards = numbers.windows(2).all(|pair| pair[1] == pair[0] + 1.0);
    numbers.len() >= 2 && 2 * numbers.len() >= columns.len() && !count_upwards
}

/// What may separate the cells of a file that has one column: a blank or a bar that stands in its name and in all cells.
fn separator_missed(columns: &[Spelled]) -> Option<u8> {
    let [only] = columns else { return None };
    let stands = |separator: &u8| {
        let holds = |cell: &str| cell.trim().contains(char::from(*separator));
        holds(&only.name) && !only.spellings.is_empty() && only.spellings.iter().all(|cell| holds(cell))
    };
    [b' ', b'|'].into_iter().find(stands)
}

/// The texts that were to mean a missing value and are those of no cell.
fn never_missing(columns: &[Spelled], reading: &ReadOptions) -> Vec<Remark> {
    let is_in = |text: &str, column: &Spelled| {
        column.spellings.iter().any(|cell| means(text, cell, column.wanted, reading.decimal))
    };
    let missing = reading.missing.iter().filter(|text| !columns.iter().any(|column| is_in(text, column)));
    missing.map(|text| Remark::NeverMissing(shown(text))).collect()
}

/// The first two different whole numbers of 64 bits that are one real number.
fn fell_together(cells: &[&str], mark: DecimalMark) -> Option<(usize, usize)> {
    let mut first = FxHashMap::default();
    (0..cells.len()).find_map(|at| {
        let whole: i64 = cells[at].parse().ok().filter(|whole: &i64| whole.unsigned_abs() >= EXACT)?;
        let real = Kind::Real.value(cells[at], mark)?.as_real()?;
        let (like, other) = *first.entry(real.to_bits()).or_insert((at, whole));
        (other != whole).then_some((like, at))
    })
}

/// The first two texts that differ only by blanks around them.
fn alike_but_for_blanks(texts: &[&str]) -> Option<(usize, usize)> {
    if texts.iter().all(|text| text.trim() == *text) {
        return None;
    }
    let mut first = FxHashMap::default();
    (0..texts.len()).find_map(|at| first.insert(texts[at].trim(), at).map(|like| (like, at)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    fn column(cells: &[&str]) -> Attribute {
        let text = format!("x,y\n{}", cells.iter().map(|cell| format!("\"{cell}\",0\n")).collect::<String>());
        read(text.as_bytes(), None, &ReadOptions::default()).unwrap().columns()[0].clone()
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
            (&["1", "N/A", "nan", "<NA>", "None"], "integer"),
            (&["00123", "123"], "text"),
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
            let error = read(text.as_bytes(), None, &ReadOptions::default()).unwrap_err();
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
    fn a_quote_that_is_never_closed_is_found_where_it_was_opened() {
        for (rows, expected) in [
            ("\"a\",1\n", None),
            ("\"a \"\"b\"\"\",1\n", None),
            ("\"\",\"\"\"\"\n", None),
            ("5\" disc,1\n", None),
            ("1,\"a\n2,b\n", Some(2)),
            ("\"a\n\",\"b \"\"c\n", Some(5)),
        ] {
            assert_eq!(open_quote(rows.as_bytes(), b','), expected, "{rows:?}");
        }
    }

    #[test]
    fn separators_inside_quotes_do_not_count() {
        assert_eq!(likeliest_separator(b"\"a,b,c\";d\n1,2,3,4\n", None), b';');
        assert_eq!(likeliest_separator(b"\"a\n,\";d;e\n", None), b';');
        assert_eq!(likeliest_separator(b"a\n1\n", None), b',');
        assert_eq!(likeliest_separator(b"a, b, c\td\n", Some(b'\t')), b'\t');
        assert_eq!(likeliest_separator(b"a;b;c\n", Some(b'\t')), b';');
    }
}
