//! A stream of CSV cut into pieces of whole records, so that no more than some pieces of the text are in memory.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memrchr};

/// Bytes of a piece, unless a record is longer: few enough that all that is made of a piece finds room in a cache, and that
/// its memory is not returned to the system and taken anew each time.
const PIECE: usize = 1 << 16;

/// Records of a file.
pub struct Piece {
    /// Whole records, the last of which may lack its line end.
    pub text: Vec<u8>,
    /// The line on which the text begins, counted from 1.
    pub line: usize,
    /// The line of a quote after the text that is never closed.
    pub open_quote: Option<usize>,
}

/// The pieces of a stream, one after another.
pub struct Pieces<R> {
    source: R,
    separator: u8,
    /// What was read and not yet given out.
    rest: Vec<u8>,
    line: usize,
    at_end: bool,
}

impl<R: Read> Pieces<R> {
    /// The pieces of what [`begin_of`] gave and what follows it in `source`. The first begins on the line number `line`.
    pub fn new((begin, at_end): (Vec<u8>, bool), source: R, separator: u8, line: usize) -> Self {
        Self { source, separator, rest: begin, line, at_end }
    }

    /// The number of the line that follows what was given out.
    pub const fn next_line(&self) -> usize {
        self.line
    }

    /// The next piece; none at the end.
    pub fn next(&mut self) -> io::Result<Option<Piece>> {
        let mut wanted = PIECE;
        loop {
            // What is typed goes on after its end, which is to be given once.
            self.at_end = self.at_end || !fill(&mut self.source, &mut self.rest, wanted)?;
            let scan = Scan::of(&self.rest, self.separator);
            if self.at_end {
                return Ok(self.last(&scan));
            }
            if scan.end > 0 {
                return Ok(Some(self.cut(scan.end)));
            }
            wanted = 2 * self.rest.len();
        }
    }

    /// All that is left; without the record of a quote that is never closed.
    fn last(&mut self, scan: &Scan) -> Option<Piece> {
        let open_quote = scan.open_quote.map(|at| self.line + n_line_ends(&self.rest[..at]));
        let end = if open_quote.is_some() { scan.end } else { self.rest.len() };
        let piece = Piece { open_quote, ..self.cut(end) };
        self.rest.clear();
        (!piece.text.is_empty() || open_quote.is_some()).then_some(piece)
    }

    fn cut(&mut self, end: usize) -> Piece {
        let rest = self.rest.split_off(end);
        let text = std::mem::replace(&mut self.rest, rest);
        let piece = Piece { line: self.line, text, open_quote: None };
        self.line += n_line_ends(&piece.text);
        piece
    }
}

/// Reads until `bytes` are so many; whether there may be more.
pub fn fill(source: &mut impl Read, bytes: &mut Vec<u8>, wanted: usize) -> io::Result<bool> {
    let missing = wanted.saturating_sub(bytes.len());
    bytes.reserve(missing);
    let read = source.by_ref().take(missing as u64).read_to_end(bytes)?;
    Ok(read == missing)
}

/// The begin of a stream, so much that a header of usual length is in it, and whether that is all.
pub fn begin_of(source: &mut impl Read) -> io::Result<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    let goes_on = fill(source, &mut bytes, PIECE)?;
    Ok((bytes, !goes_on))
}

/// The number of lines that end in a text: a line feed, a carriage return, or both together end one.
pub fn n_line_ends(text: &[u8]) -> usize {
    let is_alone = |&at: &usize| text.get(at + 1) != Some(&b'\n');
    memchr_iter(b'\n', text).count() + memchr_iter(b'\r', text).filter(is_alone).count()
}

pub const fn ends_line(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// What a text says about the end of its last record.
#[derive(Debug, PartialEq, Eq)]
struct Scan {
    /// Where the last record that has a line end ends.
    end: usize,
    /// Where a quote was opened that is not closed.
    open_quote: Option<usize>,
}

impl Scan {
    fn of(text: &[u8], separator: u8) -> Self {
        if memchr(b'"', text).is_some() {
            return Self::through_quotes(text, separator);
        }
        // A line feed may follow the carriage return that is the last byte.
        let before = text.strip_suffix(b"\r").unwrap_or(text);
        let end = memrchr(b'\n', text).or_else(|| memrchr(b'\r', before));
        Self { end: end.map_or(0, |at| at + 1), open_quote: None }
    }

    fn through_quotes(text: &[u8], separator: u8) -> Self {
        let (mut opened, mut last, mut begins, mut end) = (None, 0, true, 0);
        for (at, byte) in text.iter().enumerate() {
            (opened, begins) = match (opened, byte) {
                (Some(_), b'"') => (None, true),
                (Some(_), _) => (opened, false),
                // A quote right after one that closed stands for itself.
                (None, b'"') if begins => {
                    last = if at > 0 && text[at - 1] == b'"' { last } else { at };
                    (Some(last), false)
                }
                (None, _) => (None, *byte == separator || ends_line(byte)),
            };
            if opened.is_none()
                && (*byte == b'\n' || *byte == b'\r' && text.get(at + 1).is_some_and(|next| *next != b'\n'))
            {
                end = at + 1;
            }
        }
        Self { end, open_quote: opened }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_that_is_never_closed_is_found_where_it_was_opened() {
        for (rows, open_quote, end) in [
            ("\"a\",1\n", None, 6),
            ("\"a \"\"b\"\"\",1\n", None, 12),
            ("\"\",\"\"\"\"\n", None, 8),
            ("5\" disc,1\n", None, 10),
            ("1,\"a\n2,b\n", Some(2), 0),
            ("\"a\n\",\"b \"\"c\n", Some(5), 0),
            ("x\r\ny\r\"\n", Some(5), 5),
        ] {
            assert_eq!(Scan::of(rows.as_bytes(), b','), Scan { end, open_quote }, "{rows:?}");
        }
    }

    #[test]
    fn pieces_are_the_text_and_know_their_lines() {
        let row = format!("1,{}\r\n\"2\n\",{}\n", "x".repeat(1000), "y".repeat(2000));
        let text = row.repeat(500);
        let mut pieces = Pieces::new((Vec::new(), false), text.as_bytes(), b',', 7);
        let (mut together, mut n_pieces) = (Vec::new(), 0);
        while let Some(piece) = pieces.next().unwrap() {
            assert_eq!(piece.line, 7 + n_line_ends(&together));
            assert!(piece.text.ends_with(b"x\r\n") || piece.text.ends_with(b"y\n"));
            (n_pieces, together) = (n_pieces + 1, [together, piece.text].concat());
        }
        assert!(n_pieces > 3 && together == text.as_bytes());
    }
}
