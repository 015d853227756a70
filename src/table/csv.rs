//! CSV. Every column is read as a dictionary of its different cells, whose kind of value is told from those that occur.
//!
//! The text is cut into pieces of whole records, of which each thread turns one into numbers of the dictionaries; what the
//! dictionaries lack is taken up piece after piece, so nothing depends on the number of threads.

mod column;
mod dictionary;
mod parse;
mod pieces;
mod tiny;
mod write;

use std::io::Read;

use csv::ByteRecord;
use rayon::prelude::*;

pub use self::column::Column;
use self::parse::{Fault, Format, Parsed, reader, start_of};
use self::pieces::{Piece, Pieces, begin_of, ends_line, n_line_ends};
use self::tiny::TinyTexts;
pub use self::write::{csv_text, write};
use super::build::{check_header, check_rows};
use super::cell::means;
use super::merge::{Held, Merger};
use super::origin::Origin;
use super::parts::{Places, check_columns};
use super::reading::{Wanted, shown};
use super::{Codes, InformationTable, ReadOptions, Remark, TableError};

/// The separators that are recognised, the likeliest first.
const SEPARATORS: [u8; 3] = *b",;\t";
pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
/// What files begin with that are no text, and what to do about it.
const NO_TEXT: [(&[u8], &str); 3] = [
    (b"\xFF\xFE", UTF_16),
    (b"\xFE\xFF", UTF_16),
    (b"PK\x03\x04", "it is a workbook or another archive of ZIP, expected text: save the sheet as CSV"),
];
const UTF_16: &str = "it is UTF-16, expected UTF-8: `iconv -f UTF-16 -t UTF-8` converts it";
/// The word that ARFF begins with.
const ARFF: &[u8] = b"@relation";
/// What spreadsheets write before the header to name the separator.
const SEPARATOR_LINE: &[u8] = b"sep=";

/// The table in a stream of CSV, as [`Reader`] reads it.
pub fn read(source: impl Read, usual: Option<u8>, reading: &ReadOptions) -> Result<InformationTable, TableError> {
    let mut table = Reader::new(reading);
    table.take(source, (usual, None), &mut None)?;
    table.finish(None)
}

/// A table that is read from one stream of CSV after another, which together are as one file: what kind of values a column has is told from
/// the cells of all.
pub struct Reader<'o> {
    reading: &'o ReadOptions,
    columns: Vec<Column>,
    n_rows: usize,
    /// The lines of the streams so far.
    n_lines: usize,
    /// The separator and the name of the first stream, if they are known.
    first: Option<(u8, String)>,
    /// Where lines stand.
    places: Places,
    /// Where rows stand.
    rows: Places,
}

impl<'o> Reader<'o> {
    /// Nothing yet.
    pub fn new(reading: &'o ReadOptions) -> Self {
        let (places, rows) = Default::default();
        Self { reading, columns: Vec::new(), n_rows: 0, n_lines: 0, first: None, places, rows }
    }

    /// Takes in the rows of a stream, which is the `part` of this name, or the only one. Without a separator among the options, it is the
    /// `usual` one if the header has it, and else the one that the header has most of. With a `merger` the rows go there.
    pub fn take(
        &mut self,
        mut source: impl Read,
        (usual, part): (Option<u8>, Option<&str>),
        merger: &mut Option<Merger>,
    ) -> Result<(), TableError> {
        let (mut begin, at_end) = begin_of(&mut source).map_err(unreadable)?;
        if begin.starts_with(BYTE_ORDER_MARK) {
            begin.drain(..BYTE_ORDER_MARK.len());
        }
        refuse_other_than_text(&begin, "CSV")?;
        refuse_arff(&begin)?;
        let named = separator_line(&mut begin);
        let first_line = if named.is_some() { 2 } else { 1 };
        let separator = self.reading.separator.or(named).unwrap_or_else(|| likeliest_separator(&begin, usual));
        let mut pieces = Pieces::new((begin, at_end), source, separator, first_line);
        // Some programs write a part that has no rows as a file without a byte.
        let Some(mut first) = pieces.next().map_err(unreadable)? else { return Ok(()) };
        let columns = take_header(&mut first, separator, self.reading)?;
        self.take_columns(columns, separator, part)?;
        if let Some(part) = part {
            self.places.add(part, self.n_lines);
            self.rows.add(part, self.n_rows);
        }
        self.read_pieces(first, &mut pieces, separator, merger)?;
        self.n_lines += pieces.next_line();
        Ok(())
    }

    /// Takes the columns of the first part, and refuses others of a part that follows.
    fn take_columns(&mut self, columns: Vec<Column>, separator: u8, part: Option<&str>) -> Result<(), TableError> {
        let Some((_, first)) = &self.first else {
            self.first = Some((separator, part.unwrap_or_default().to_owned()));
            self.columns = columns;
            return Ok(());
        };
        let names = |columns: &[Column]| columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
        check_columns((first, part.unwrap_or_default()), (&names(&self.columns), &names(&columns)))
    }

    /// The table of all streams.
    pub fn finish(mut self, merger: Option<Merger>) -> Result<InformationTable, TableError> {
        let Some((separator, _)) = self.first else { return Err(TableError::NoRows) };
        let free = self.reading.separator.is_none();
        let mut remarks = Vec::new();
        remarks.extend((free && separator != b',').then_some(Remark::Separator(separator)));
        let has_header = !self.reading.no_header;
        remarks.extend((has_header && are_numbers(&self.columns)).then_some(Remark::NumbersAsNames));
        remarks.extend(separator_missed(&self.columns, has_header).filter(|_| free).map(Remark::OneColumn));
        remarks.extend(header_again(&self.columns).map(|line| Remark::HeaderAgain(self.places.line(line))));
        let origin = merger.map(|merger| merged(&mut self.columns, merger)).transpose()?.unwrap_or_default();
        let table = finished(self.columns, self.reading, (&self.places, remarks))?;
        Ok(table.with_origin(origin.in_parts(self.rows)))
    }

    /// Reads all records of a stream.
    fn read_pieces(
        &mut self,
        first: Piece,
        pieces: &mut Pieces<impl Read>,
        separator: u8,
        merger: &mut Option<Merger>,
    ) -> Result<(), TableError> {
        let (mut n_rows, mut next) = (0, Some(first));
        let tiny = TinyTexts::before(separator);
        while let Some(piece) = next {
            let mut together = vec![piece];
            while together.len() < rayon::current_num_threads() {
                let Some(piece) = pieces.next().map_err(unreadable)? else { break };
                together.push(piece);
            }
            let open_quote = together.iter().find_map(|piece| piece.open_quote);

            let columns = &mut self.columns;
            let wanted = columns.iter().map(Column::wanted_dictionary).collect();
            let format = Format { separator, tiny: &tiny, columns: wanted };
            let parsed: Vec<_> = together.into_par_iter().map(|piece| Parsed::of(piece, &format)).collect();
            let mut read = Vec::new();
            for parsed in parsed {
                let parsed = parsed.map_err(|fault| fault.told(columns.len(), n_rows, self.reading))?;
                n_rows += parsed.lines.len();
                check_rows(self.n_rows + n_rows)?;
                read.push(parsed);
            }
            let before = self.n_lines;
            columns
                .par_iter_mut()
                .enumerate()
                .for_each(|(at, column)| read.iter().for_each(|piece| column.append(piece, at, before)));
            if let Some(line) = open_quote {
                return Err(TableError::OpenQuote { line });
            }
            if let Some(merger) = merger {
                merge(columns, merger)?;
            }
            next = pieces.next().map_err(unreadable)?;
        }
        self.n_rows += n_rows;
        Ok(())
    }
}

/// Hands the rows that were read to `merger`.
fn merge(columns: &mut [Column], merger: &mut Merger) -> Result<(), TableError> {
    let codes: Vec<Codes> = columns.iter_mut().map(Column::take_codes).collect();
    let is_wanted = columns.iter().map(|column| column.wanted != Wanted::Nothing);
    let wanted: Vec<&Codes> =
        codes.iter().zip(is_wanted).filter(|(_, wanted)| *wanted).map(|(codes, _)| codes).collect();
    merger.add(&wanted, columns.iter().map(Column::held))
}

/// Gives the columns the rows that `merger` has made of all: which rows of the table they come from.
fn merged(columns: &mut [Column], merger: Merger) -> Result<Origin, TableError> {
    let wanted: Vec<&mut Column> = columns.iter_mut().filter(|column| column.wanted != Wanted::Nothing).collect();
    let held: Vec<Held> = wanted.iter().map(|column| column.held()).collect();
    let (codes, origin) = merger.finish(&held)?;
    wanted.into_iter().zip(codes).for_each(|(column, codes)| column.put_codes(codes));
    Ok(origin)
}

/// The table of columns that are read to their end, and what is to be said of it beside `remarks`.
pub fn finished(
    mut columns: Vec<Column>,
    reading: &ReadOptions,
    (places, mut remarks): (&Places, Vec<Remark>),
) -> Result<InformationTable, TableError> {
    remarks.extend(never_missing(&columns, reading));
    let existing = columns.iter().map(|column| column.name.clone()).filter(|name| !name.is_empty()).collect();
    columns.retain(|column| column.wanted != Wanted::Nothing);
    let n_before = columns.len();
    columns.retain(|column| !column.is_empty());
    remarks.extend((columns.len() < n_before).then(|| Remark::Nameless(n_before - columns.len())));
    let mut attributes = Vec::new();
    for column in columns {
        attributes.push(column.coded(reading, places, &mut remarks)?);
    }
    Ok(InformationTable::new(attributes)?.with_remarks(remarks).with_existing(existing))
}

/// Refuses what begins like a file that is no text, where text of this `format` is expected.
pub fn refuse_other_than_text(begin: &[u8], format: &'static str) -> Result<(), TableError> {
    match NO_TEXT.iter().find(|(mark, _)| begin.starts_with(mark)) {
        None => Ok(()),
        Some((_, reason)) => Err(TableError::Unreadable { format, reason: (*reason).to_owned() }),
    }
}

/// Refuses what begins as ARFF does, behind its comments.
fn refuse_arff(begin: &[u8]) -> Result<(), TableError> {
    let mut lines = begin.split(ends_line).map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    let first = lines.find(|line| !line.starts_with(b"%")).unwrap_or_default();
    let word = first.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    if !word.eq_ignore_ascii_case(ARFF) {
        return Ok(());
    }
    let reason = "it holds ARFF, which is read from files whose names end in .arff".to_owned();
    Err(TableError::Unreadable { format: "CSV", reason })
}

pub fn unreadable(source: std::io::Error) -> TableError {
    TableError::Io { action: "read", source }
}

/// The error of a line of a text of this `format` that is not UTF-8.
pub fn not_utf8(format: &'static str, line: usize) -> TableError {
    let reason = format!("line {line} is not UTF-8; if it is Latin-1, `iconv -f WINDOWS-1252 -t UTF-8` converts it");
    TableError::Unreadable { format, reason }
}

/// The separator that the first line names, which is taken away.
fn separator_line(begin: &mut Vec<u8>) -> Option<u8> {
    let rest = begin.strip_prefix(SEPARATOR_LINE)?;
    let (&separator, rest) = rest.split_first().filter(|(first, _)| !ends_line(first))?;
    let after = rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n"))?.len();
    begin.drain(..begin.len() - after);
    Some(separator)
}

/// The separator that the header has most of, outside quotes; the `usual` one if it has any of that.
fn likeliest_separator(bytes: &[u8], usual: Option<u8>) -> u8 {
    let mut counts = [0; SEPARATORS.len()];
    // Where a cell begins, and whether behind a blank: readers take a quote there for a character, so it may never be closed.
    let (mut quoted, mut begins, mut is_loose) = (false, Some(false), false);
    for &byte in bytes.iter().skip_while(|byte| ends_line(byte)) {
        if (!quoted || is_loose) && ends_line(&byte) {
            break;
        }
        let separator = SEPARATORS.iter().position(|&separator| separator == byte).filter(|_| !quoted);
        if let Some(at) = separator {
            counts[at] += 1;
        }
        // A quote inside a cell is a character like others, and one right after a quote that closed opens again.
        let is_quote = byte == b'"' && (quoted || begins.is_some());
        is_loose = if is_quote && !quoted { begins == Some(true) } else { is_loose };
        begins = match byte {
            _ if separator.is_some() || is_quote && quoted => Some(false),
            b' ' => begins.map(|_| true),
            _ => None,
        };
        quoted ^= is_quote;
    }
    let counted = || SEPARATORS.into_iter().zip(counts).filter(|&(_, count)| count > 0);
    let most = counted().map(|(_, count)| count).max();
    let usual = counted().find(|&(separator, _)| Some(separator) == usual);
    usual.or_else(|| counted().find(|&(_, count)| Some(count) == most)).map_or(b',', |(separator, _)| separator)
}

/// Takes the header from the first piece, where there is one: one empty column per name.
fn take_header(first: &mut Piece, separator: u8, reading: &ReadOptions) -> Result<Vec<Column>, TableError> {
    let mut reader = reader(&first.text, separator);
    let mut header = ByteRecord::new();
    reader.read_byte_record(&mut header).map_err(|e| TableError::unreadable("CSV", &e))?;
    if header.is_empty() {
        return Err(match first.open_quote {
            Some(line) => TableError::OpenQuote { line },
            None if reading.no_header => TableError::NoRows,
            None => TableError::Unreadable { format: "CSV", reason: "it has no header".to_owned() },
        });
    }
    // The reader passes over the line feed after a carriage return only with the next record.
    let read = reader.position().byte() as usize;
    let end =
        if first.text[..read].ends_with(b"\r") && first.text[read..].starts_with(b"\n") { read + 1 } else { read };
    let line = first.line + n_line_ends(&first.text[..start_of(&header, &first.text)]);
    let name = |name: &[u8]| String::from_utf8(name.to_vec()).map_err(|_| not_utf8("CSV", line));
    let names: Vec<String> = if reading.no_header {
        (1..=header.len()).map(|number| format!("c{number}")).collect()
    } else {
        header.iter().map(name).collect::<Result<_, _>>()?
    };
    check_header(&names)?;
    let wanted = reading.wanted(&names)?;
    if !reading.no_header {
        first.line += n_line_ends(&first.text[..end]);
        first.text.drain(..end);
    }
    Ok(names.into_iter().zip(wanted).map(|(name, wanted)| Column::new(name, wanted)).collect())
}

impl Fault {
    /// The fault as a message tells it, where `expected` cells make a record and `n_before` records come before the piece.
    fn told(self, expected: usize, n_before: usize, reading: &ReadOptions) -> TableError {
        let first = if reading.no_header { "the first row" } else { "the header" };
        match self {
            Self::NotUtf8 { line } => not_utf8("CSV", line),
            Self::Length { all_longer: true, .. } if n_before == 0 => TableError::RowNames,
            Self::Length { line, found, .. } => TableError::LineLength { line, expected, found, first },
            Self::BehindQuote { line } => TableError::BehindQuote { line },
            Self::Damaged(error) => TableError::unreadable("CSV", &error),
        }
    }
}

/// The line of a record that is the header again, as where files were joined.
fn header_again(columns: &[Column]) -> Option<usize> {
    let line = |column: &Column| column.dictionary.line_of(&column.name);
    let mut lines = columns.iter().filter(|column| column.wanted != Wanted::Nothing).map(line);
    let first = lines.next()??;
    (columns.len() > 1 && lines.all(|line| line == Some(first))).then_some(first)
}

/// Whether names look like the cells of a first object: several are numbers that do not count upwards, and one of them has decimals or half of
/// the names are numbers.
fn are_numbers(columns: &[Column]) -> bool {
    let numbers: Vec<f64> = columns.iter().filter_map(|column| column.name.trim().parse().ok()).collect();
    let count_upwards = numbers.windows(2).all(|pair| pair[1] == pair[0] + 1.0);
    let has_decimals = numbers.iter().any(|number| number.fract() != 0.0);
    numbers.len() >= 2 && !count_upwards && (has_decimals || 2 * numbers.len() >= columns.len())
}

/// What may separate the cells of a file that has one column: a blank or a bar that stands in its name, where the file has one, and in all
/// cells.
fn separator_missed(columns: &[Column], has_header: bool) -> Option<u8> {
    let [only] = columns else { return None };
    let stands = |separator: &u8| {
        let holds = |cell: &str| cell.trim().contains(char::from(*separator));
        (!has_header || holds(&only.name))
            && only.dictionary.len() > 0
            && only.dictionary.cells().all(|(cell, _)| holds(cell))
    };
    [b' ', b'|'].into_iter().find(stands)
}

/// The texts that were to mean a missing value and are those of no cell.
fn never_missing(columns: &[Column], reading: &ReadOptions) -> Vec<Remark> {
    let is_in = |text: &str, column: &Column| {
        column.dictionary.cells().any(|(cell, _)| means(text, cell, column.wanted, reading.decimal))
    };
    let missing = reading.missing.iter().filter(|text| !columns.iter().any(|column| is_in(text, column)));
    missing.map(|text| Remark::NeverMissing(shown(text))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Attribute, Memory, Value};

    /// What is still to be read, the last first. It goes on after its end, as what is typed does.
    struct Typed(Vec<&'static str>);

    impl Read for Typed {
        fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
            let text = self.0.pop().unwrap_or_default().as_bytes();
            room[..text.len()].copy_from_slice(text);
            Ok(text.len())
        }
    }

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
            (&["1", "-Inf", "Inf", "-inf"], "real"),
            (&["1", "2", "INF"], "text"),
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
    fn cells_are_what_they_spell_in_whatever_piece_and_between_quotes_or_not() {
        let texts = ["7", "-7", "", "42", "ab", "long-text", "0", "\u{e9}"];
        let text_of = |row: usize| texts[row * row / 7 % (1 + row / 9_000).min(texts.len())];
        let quoted =
            |row: usize| if row % 20_000 < 100 { format!("\"{}\"", text_of(row)) } else { text_of(row).to_owned() };
        let lines: String = (0..80_000).map(|row| format!("{},{row}\n", quoted(row))).collect();
        let text = format!("x,y\n{lines}");
        let within = ReadOptions { memory: Some(Memory { limit: 1 << 30, folder: None }), ..ReadOptions::default() };
        // No two rows are equal, so merging them leaves all.
        for (n_threads, reading) in [(1, ReadOptions::default()), (3, ReadOptions::default()), (2, within)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            let (mut table, mut merger) = (Reader::new(&reading), reading.memory.as_ref().map(Merger::new));
            pool.install(|| table.take(text.as_bytes(), (None, None), &mut merger)).unwrap();
            let table = table.finish(merger).unwrap();
            let (x, y) = (&table.columns()[0], &table.columns()[1]);
            for row in 0..80_000 {
                assert_eq!(y.value(row), &Value::Integer(row as i64));
                let expected = if text_of(row).is_empty() { Value::Missing } else { Value::Text(text_of(row).into()) };
                assert_eq!(x.value(row), &expected, "row {row}");
            }
        }
    }

    #[test]
    fn nothing_is_read_after_the_end() {
        let table = read(Typed(vec!["2,y\n", "", "1,x\n", "a,d\n"]), None, &ReadOptions::default()).unwrap();
        assert_eq!((table.n_rows(), table.columns().len()), (1, 2));
    }

    #[test]
    fn two_columns_of_one_name_are_refused_also_where_they_are_not_read() {
        let ignoring = ReadOptions { ignore: vec!["a".to_owned()], ..ReadOptions::default() };
        // The name is told of before the length of a line.
        for (text, reading) in [("a,a,d\n1,2,3\n", &ignoring), ("a,a,d\n1\n", &ReadOptions::default())] {
            let error = read(text.as_bytes(), None, reading).unwrap_err();
            assert!(matches!(&error, TableError::DuplicateColumn(name) if name == "a"), "{error}");
        }
    }

    #[test]
    fn the_rows_of_parts_add_up() {
        let (text, reading) = (format!("a,d\n{}", "1,x\n".repeat(1 << 16)), ReadOptions::default());
        let mut table = Reader::new(&reading);
        for part in ["first", "second"] {
            table.take(text.as_bytes(), (None, Some(part)), &mut None).unwrap();
        }
        assert_eq!(table.finish(None).unwrap().n_rows(), 2 << 16);
    }

    #[test]
    fn a_remark_names_the_part_of_its_line() {
        let reading = ReadOptions::default();
        let mut table = Reader::new(&reading);
        for (part, rows) in [("first", "1,yes\n"), ("second", "2,no\n1,yes \n"), ("third", "1,no\n")] {
            let text = format!("a,d\n{rows}");
            table.take(text.as_bytes(), (None, Some(part)), &mut None).unwrap();
        }
        let told = table.finish(None).unwrap().remarks()[0].to_string();
        assert!(told.contains("line 3 of `second`"), "{told}");
    }

    #[test]
    fn columns_without_a_name_and_a_value_are_left_out_also_where_there_are_no_rows() {
        for (text, n_rows) in [("a,d,,\n", 0), ("a,d,,\n1,x,,\n", 1)] {
            let table = read(text.as_bytes(), None, &ReadOptions::default()).unwrap();
            assert_eq!((table.n_rows(), table.existing()), (n_rows, &["a", "d"].map(str::to_owned)[..]));
            assert_eq!((table.columns().len(), table.remarks()), (2, &[Remark::Nameless(2)][..]));
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
    fn separators_inside_quotes_do_not_count() {
        assert_eq!(likeliest_separator(b"\"a,b,c\";d\n1,2,3,4\n", None), b';');
        assert_eq!(likeliest_separator(b"\"a\n,\";d;e\n", None), b';');
        assert_eq!(likeliest_separator(b"\"say \"\"a,b,c\"\"\";d\n", None), b';');
        assert_eq!(likeliest_separator(b"a\n1\n", None), b',');
        assert_eq!(likeliest_separator(b"a, b, c\td\n", Some(b'\t')), b'\t');
        assert_eq!(likeliest_separator(b"a;b;c\n", Some(b'\t')), b';');
        assert_eq!(likeliest_separator(b"a, \"b;c;d;e\", f\n1,2,x\n", None), b',');
        assert_eq!(likeliest_separator(b"name, \"size (in)\nA;;;,1\n", None), b',');
        // Not even where a quote on the next line seems to close it.
        assert_eq!(likeliest_separator(b"name, \"size (in)\nA\";;;,1\n", None), b',');
    }

    #[test]
    fn a_quote_inside_a_name_hides_no_separator() {
        assert_eq!(likeliest_separator(b"size 5\";price;d\n1;2;p\n", None), b';');
        assert_eq!(likeliest_separator(b"d;\"a,b,c\";size 5\"\n", None), b';');
        assert_eq!(likeliest_separator(b"\"a\"b\",c;d;e\n", None), b';');
        let reading = ReadOptions::default();
        let table = read(&b"size 5\";price;d\n1;2;p\n"[..], None, &reading).unwrap();
        assert_eq!(table.existing(), ["size 5\"", "price", "d"]);
    }

    #[test]
    fn a_separator_was_missed_if_the_only_name_and_all_cells_hold_it() {
        for (text, expected) in [
            ("a d\n1 x\nsecond y\n", Some(b' ')),
            ("a|d\n1|x\nsecond|y\n", Some(b'|')),
            ("a d\nfirst\nsecond\n", None),
            ("a d\n1 x\nsecond\n", None),
            ("ad\n1 x\nsecond y\n", None),
            ("a d\n", None),
        ] {
            let table = read(text.as_bytes(), None, &ReadOptions::default()).unwrap();
            let is_told = |byte: &u8| table.remarks().contains(&Remark::OneColumn(*byte));
            assert_eq!([b' ', b'|'].into_iter().find(is_told), expected, "{text:?}");
        }
    }
}
