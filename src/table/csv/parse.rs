//! The cells of a piece, as numbers in the dictionaries of their columns.

use csv::{ByteRecord, ReaderBuilder};
use memchr::memchr;

use super::BYTE_ORDER_MARK;
use super::dictionary::{Cell, Dictionary};
use super::pieces::{Piece, ends_line, n_line_ends};
use super::tiny::{LONGEST, OTHER, TinyTexts};

/// Set in the numbers of cells that a dictionary does not have yet.
const FRESH: u32 = 1 << 31;
/// Bytes that may be read behind the end of a cell.
const BEHIND: usize = 8;
/// Bytes that are searched for ends of cells together: one for each bit of a word.
const BLOCK: usize = 64;

/// The cells of a piece.
pub struct Parsed {
    /// The line of each row.
    pub lines: Vec<usize>,
    /// The numbers of the cells that are tiny texts, and [`OTHER`] of others: column by column, each with room for `stride` rows.
    tiny: Vec<u8>,
    stride: usize,
    /// Of each column the numbers of its other cells in its dictionary.
    others: Vec<Vec<u32>>,
    /// Of each column the other cells that its dictionary does not have.
    fresh: Vec<Dictionary>,
}

/// The cells of a column in a piece.
pub struct Cells<'p> {
    /// Of each row the number of its tiny text, or [`OTHER`].
    pub tiny: &'p [u8],
    /// The numbers in the column's dictionary of all cells that are no tiny text, as [`known`] tells them.
    pub others: &'p [u32],
    /// Those that the dictionary does not have.
    pub fresh: &'p Dictionary,
}

/// What is wrong with a record.
#[derive(Debug)]
pub enum Fault {
    /// Its line is not UTF-8.
    NotUtf8 {
        line: usize,
    },
    /// It has another number of cells than the header.
    Length {
        line: usize,
        found: usize,
        /// Whether it is the first of its piece, all records of which have one cell more than the header.
        all_longer: bool,
    },
    /// Something stands between a closing quote and the end of its cell.
    BehindQuote {
        line: usize,
    },
    Damaged(csv::Error),
}

/// How the records of a file are read.
pub struct Format<'c> {
    pub separator: u8,
    pub tiny: &'c TinyTexts,
    /// The dictionary of each column; none of a column that is not wanted.
    pub columns: Vec<Option<&'c Dictionary>>,
}

impl Parsed {
    /// The cells of a piece.
    pub fn of(piece: Piece, format: &Format<'_>) -> Result<Self, Fault> {
        let n_columns = format.columns.len();
        // A record has a separator or a line end behind each cell.
        let stride = piece.text.len() / n_columns + 1;
        let mut parsed = Self {
            lines: Vec::new(),
            tiny: vec![OTHER; stride * n_columns],
            stride,
            others: vec![Vec::new(); n_columns],
            fresh: (0..n_columns).map(|_| Dictionary::default()).collect(),
        };
        let plain = format.separator.is_ascii() && memchr(b'"', &piece.text).is_none();
        if plain {
            parsed.read_plain(piece, format)?
        } else {
            parsed.read_quoted(piece, format)?
        }
        Ok(parsed)
    }

    /// The cells of a column.
    pub fn cells(&self, column: usize) -> Cells<'_> {
        let tiny = &self.tiny[column * self.stride..][..self.lines.len()];
        Cells { tiny, others: &self.others[column], fresh: &self.fresh[column] }
    }

    /// Takes the cell of the current row in a column, which is no tiny text.
    #[inline(always)]
    fn take_other(
        &mut self,
        column: usize,
        cell: Cell<'_>,
        text: &[u8],
        line: usize,
        format: &Format<'_>,
    ) -> Result<(), Fault> {
        let Some(dictionary) = format.columns[column] else { return Ok(()) };
        let number = match dictionary.find(cell) {
            Some(number) => number,
            None => self.take_fresh(column, text, line)?,
        };
        self.others[column].push(number);
        Ok(())
    }

    /// Takes a cell that the dictionary of its column does not have.
    #[cold]
    fn take_fresh(&mut self, column: usize, cell: &[u8], line: usize) -> Result<u32, Fault> {
        let text = std::str::from_utf8(cell).map_err(|_| Fault::NotUtf8 { line })?;
        Ok(self.fresh[column].number(text, line) | FRESH)
    }

    /// Reads records without quotes.
    fn read_plain(&mut self, piece: Piece, format: &Format<'_>) -> Result<(), Fault> {
        let Piece { mut text, mut line, .. } = piece;
        let (end, mut at) = (text.len(), 0);
        text.extend_from_slice(&[b'\n'; BLOCK + BEHIND]);
        let mut ends = Ends::of(&text, format.separator);
        while at < end {
            if ends_line(&text[at]) {
                let after_return = at > 0 && text[at - 1] == b'\r';
                line += usize::from(text[at] == b'\r' || !after_return);
                at = ends.next() + 1;
                continue;
            }
            let (begin, mut column, mut place) = (at, 0, self.lines.len());
            loop {
                let cell_end = ends.next();
                if column < format.columns.len() {
                    let number = format.tiny.number([text[at], text[at + 1]]);
                    if cell_end - at <= LONGEST && number != OTHER {
                        self.tiny[place] = number;
                    } else {
                        self.take_other(column, cell_at(&text, at, cell_end), &text[at..cell_end], line, format)?;
                    }
                }
                (column, place, at) = (column + 1, place + self.stride, cell_end + 1);
                if text[cell_end] != format.separator {
                    break;
                }
            }
            if column != format.columns.len() {
                return Err(self.misfit(line, column, &text[begin..end], format));
            }
            self.lines.push(line);
            line += 1;
        }
        Ok(())
    }

    /// Reads records of which some may have quotes.
    fn read_quoted(&mut self, piece: Piece, format: &Format<'_>) -> Result<(), Fault> {
        let Piece { mut text, mut line, .. } = piece;
        // The reader drops a byte order mark at its start. That of the file is gone: here it is a part of a cell. Behind a blank
        // line the reader keeps it.
        if text.starts_with(BYTE_ORDER_MARK) {
            text.insert(0, b'\n');
            line -= 1;
        }
        let mut reader = reader(&text, format.separator);
        let (mut record, mut at) = (ByteRecord::new(), 0);
        while reader.read_byte_record(&mut record).map_err(Fault::Damaged)? {
            let begin = start_of(&record, &text);
            (line, at) = (line + n_line_ends(&text[at..begin]), begin);
            if record.len() != format.columns.len() {
                return Err(self.misfit(line, record.len(), &text[begin..], format));
            }
            let end = reader.position().byte() as usize;
            if let Some(place) = behind_quote(&text[begin..end], format.separator) {
                return Err(Fault::BehindQuote { line: line + n_line_ends(&text[begin..begin + place]) });
            }
            for (column, cell) in record.iter().enumerate() {
                self.take_other(column, Cell::of(cell), cell, line, format)?;
            }
            self.lines.push(line);
        }
        Ok(())
    }

    /// The fault of a record of `found` cells, with which the text `from_here` begins.
    fn misfit(&self, line: usize, found: usize, from_here: &[u8], format: &Format<'_>) -> Fault {
        let longer = |record: csv::Result<ByteRecord>| record.is_ok_and(|record| record.len() == found);
        let ends_empty = || {
            let first = reader(from_here, format.separator).byte_records().next();
            first.and_then(Result::ok).is_none_or(|cells| cells.iter().next_back().is_none_or(<[u8]>::is_empty))
        };
        let all_longer = self.lines.is_empty()
            && found == format.columns.len() + 1
            && !ends_empty()
            && reader(from_here, format.separator).byte_records().all(longer);
        Fault::Length { line, found, all_longer }
    }
}

/// The number of a cell in the dictionary of its column, or its number among the fresh ones of its piece.
pub const fn known(number: u32) -> Result<u32, usize> {
    if number & FRESH == 0 { Ok(number) } else { Err((number ^ FRESH) as usize) }
}

/// A reader of records.
pub fn reader(text: &[u8], separator: u8) -> csv::Reader<&[u8]> {
    ReaderBuilder::new().has_headers(false).delimiter(separator).flexible(true).from_reader(text)
}

/// Where a record begins. Its reader remembers where the one before ended, so line ends and blank lines are passed over.
pub fn start_of(record: &ByteRecord, text: &[u8]) -> usize {
    let after_last = record.position().map_or(0, |position| position.byte() as usize);
    after_last + text[after_last..].iter().take_while(|byte| ends_line(byte)).count()
}

/// Where a record has text right behind a closing quote: its reader would drop the quotes, and make one cell of different ones.
fn behind_quote(record: &[u8], separator: u8) -> Option<usize> {
    let mut from = 0;
    while let Some(quote) = memchr(b'"', &record[from..]).map(|place| from + place) {
        // A quote inside of a cell that does not begin with one is a character like others.
        if quote > 0 && record[quote - 1] != separator {
            from = quote + 1;
            continue;
        }
        let mut close = quote + 1;
        loop {
            close += memchr(b'"', &record[close..])? + 1;
            if record.get(close) != Some(&b'"') {
                break;
            }
            close += 1;
        }
        // Behind a blank the cell may go on: in a file that is separated by blanks.
        if record.get(close).is_some_and(|byte| *byte != separator && !ends_line(byte) && !matches!(byte, b' ' | b'\t'))
        {
            return Some(close);
        }
        from = close;
    }
    None
}

/// The cell between two places, behind which there are [`BEHIND`] bytes.
#[inline]
fn cell_at(text: &[u8], begin: usize, end: usize) -> Cell<'_> {
    match text[begin..].first_chunk() {
        Some(bytes) if end - begin < BEHIND => Cell::short(u64::from_le_bytes(*bytes), end - begin),
        _ => Cell::of(&text[begin..end]),
    }
}

/// The places of separators and line ends, one after another: looked for in a block at a time, so that a cell need not wait
/// for the one before it.
struct Ends<'t> {
    text: &'t [u8],
    separator: u8,
    /// Where the next block begins.
    next: usize,
    /// A bit for each byte of the block before it that is such a place and was not given yet.
    mask: u64,
}

impl<'t> Ends<'t> {
    /// In a text behind which there is a block of line ends.
    const fn of(text: &'t [u8], separator: u8) -> Self {
        Self { text, separator, next: 0, mask: 0 }
    }

    #[inline(always)]
    fn next(&mut self) -> usize {
        while self.mask == 0 {
            self.mask = ends_of(&self.text[self.next..self.next + BLOCK], self.separator);
            self.next += BLOCK;
        }
        let at = self.mask.trailing_zeros() as usize;
        self.mask &= self.mask - 1;
        self.next - BLOCK + at
    }
}

/// A bit for each byte of a block that is a separator or a line end.
#[inline]
fn ends_of(block: &[u8], separator: u8) -> u64 {
    let words = block.as_chunks().0.iter().enumerate();
    words.fold(0, |mask, (at, bytes)| {
        let word = u64::from_le_bytes(*bytes);
        let ends = zero_bytes(word ^ repeated(separator))
            | zero_bytes(word ^ repeated(b'\n'))
            | zero_bytes(word ^ repeated(b'\r'));
        // Moves bit 8i + 7 to bit 56 + i; the products of other bits fall outside the top byte and never meet.
        mask | ((ends >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * at)
    })
}

#[inline]
const fn repeated(byte: u8) -> u64 {
    byte as u64 * 0x0101_0101_0101_0101
}

/// The top bits of the bytes that are 0.
#[inline]
const fn zero_bytes(word: u64) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    !(((word & LOW) + LOW) | word | LOW)
}

#[cfg(test)]
mod tests {
    use super::super::tiny::text_of;
    use super::*;

    /// The cells of a text, row by row, and the line of each row.
    fn parsed(text: &str, n_columns: usize) -> (Vec<Vec<String>>, Vec<usize>) {
        let dictionaries: Vec<Dictionary> = (0..n_columns).map(|_| Dictionary::default()).collect();
        let tiny = TinyTexts::before(b';');
        let format = Format { separator: b';', tiny: &tiny, columns: dictionaries.iter().map(Some).collect() };
        let piece = Piece { text: text.as_bytes().to_vec(), line: 1, open_quote: None };
        let parsed = Parsed::of(piece, &format).unwrap();
        let cell = |column: usize, row: usize| {
            let Cells { tiny, others, fresh } = parsed.cells(column);
            let n_others = tiny[..row].iter().filter(|&&number| number == OTHER).count();
            let other = || fresh.cells().nth(known(others[n_others]).unwrap_err()).unwrap().0.to_owned();
            if tiny[row] == OTHER { other() } else { text_of(tiny[row]) }
        };
        let row = |row: usize| (0..n_columns).map(|column| cell(column, row)).collect();
        ((0..parsed.lines.len()).map(row).collect(), parsed.lines.clone())
    }

    #[test]
    fn records_with_and_without_quotes_are_read_alike() {
        let plain = "1;;three\n\r\nfour-and-more;ü;6\r\n\n7;89012345;8901234\r10;11;12";
        let quoted = plain.replace("three", "\"three\"");
        let expected =
            [["1", "", "three"], ["four-and-more", "ü", "6"], ["7", "89012345", "8901234"], ["10", "11", "12"]];
        for text in [plain, &quoted] {
            let (rows, lines) = parsed(text, 3);
            assert_eq!((rows, lines), (expected.map(|row| row.map(str::to_owned).to_vec()).to_vec(), vec![1, 3, 5, 6]));
        }
    }

    #[test]
    fn a_byte_order_mark_within_a_file_belongs_to_its_cell() {
        for quoted in ["b", "\"b\""] {
            let (rows, lines) = parsed(&format!("\u{feff}a;{quoted}\n\u{feff}a;c\n"), 2);
            assert_eq!(rows, [["\u{feff}a", "b"], ["\u{feff}a", "c"]], "{quoted}");
            assert_eq!(lines, [1, 2], "{quoted}");
        }
    }

    #[test]
    fn cells_of_all_lengths_end_at_their_separator() {
        for length in 0..20 {
            let cell = "x".repeat(length);
            let (rows, _) = parsed(&format!("{cell};{cell}\ny;z\n"), 2);
            assert_eq!(rows, [[cell.clone(), cell], ["y".to_owned(), "z".to_owned()]]);
        }
    }
}
