//! Cuts a text into games that a bracket closes, as bytes: what cannot be decoded costs its game only.

use std::io::{self, BufRead};

use super::LARGEST;
use crate::record::pgn::{Chunk, lines_in, read_through};

/// What is open where a text has been read to.
#[derive(Debug, Default)]
pub struct Open {
    /// Brackets that hold parts of the game.
    pub depth: usize,
    /// Whether a value is open, in which brackets are text.
    pub value: bool,
    /// Whether a backslash takes the meaning of the next byte.
    pub escape: bool,
}

/// Goes on by a byte; whether the game ends with it.
pub type Ends = fn(&mut Open, u8) -> bool;

/// Finds the games in a text.
pub(crate) struct Splitter<R> {
    input: R,
    ends: Ends,
    /// The line that has been read to.
    pub line: u64,
}

impl<R: BufRead> Splitter<R> {
    pub const fn new(input: R, ends: Ends) -> Self {
        Self { input, ends, line: 1 }
    }

    /// The text of the next game; `None` at the end.
    pub(crate) fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        self.skip_blanks()?;
        let (first_line, ends, mut open, mut text) = (self.line, self.ends, Open::default(), Vec::new());
        let stops = |byte| {
            self.line += u64::from(byte == b'\n');
            ends(&mut open, byte)
        };
        // A game beyond all bounds is cut; it is dropped as too long.
        let found = read_through(&mut self.input, stops, LARGEST + 1, &mut text)?;
        Ok(found.then(|| Chunk::within(LARGEST, first_line, text)))
    }

    /// Goes on to what is no blank, so that a game is known by the line in which it begins.
    fn skip_blanks(&mut self) -> io::Result<()> {
        loop {
            let available = self.input.fill_buf()?;
            let blanks = available.len() - available.trim_ascii_start().len();
            if blanks == 0 {
                return Ok(());
            }
            self.line += lines_in(&available[..blanks]);
            self.input.consume(blanks);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Format, bracketed};
    use super::*;
    use crate::record::account::Flaw;

    /// The lines in which games begin, and the flaws of those that have no text.
    fn cut(format: Format, text: &[u8]) -> Vec<Result<u64, (u64, Flaw)>> {
        // Few bytes at a time, so that games go on in the next buffer.
        let mut splitter = bracketed(format, io::BufReader::with_capacity(3, text));
        let chunks = std::iter::from_fn(|| splitter.next_chunk().unwrap());
        chunks.map(|chunk| chunk.text.map(|_| chunk.line)).collect()
    }

    #[test]
    fn games_end_where_their_bracket_closes() {
        let sgf = b"\n(;C[)\\](];B[j10](;W[a1])(;W[b1]))(;B[a1])\n\n (;B[j10]\n;W[k11]";
        assert_eq!(cut(Format::Sgf, sgf), [Ok(2), Ok(2), Ok(4)]);
        // Without parentheses a game goes up to the next one that has some, which is told apart later.
        assert_eq!(cut(Format::Sgf, b";B[a1]\n(;B[j10])\n)(;B[a1])\n"), [Ok(1), Ok(3)]);
        let ccga = b"{{C6}[a];B(J,10)}\n{[C6][b]}{[C6]\n;B(J,10)}\n}\n{[C6]";
        assert_eq!(cut(Format::Ccga, ccga), [Ok(1), Ok(2), Ok(2), Ok(4), Ok(5)]);
    }

    #[test]
    fn what_cannot_be_decoded_or_is_too_long_costs_its_game_only() {
        let sgf = b"(;B[j10])\n(;B[j10]\nC[\xff])\n(;B[j10])";
        assert_eq!(cut(Format::Sgf, sgf), [Ok(1), Err((3, Flaw::Encoding(0xff))), Ok(4)]);
        let ccga = [&b"{[C6][\xff]}\n{[C6]["[..], &b"x".repeat(LARGEST), b"]}\n{[C6]}"].concat();
        let expected = [Err((1, Flaw::Encoding(0xff))), Err((2, Flaw::TooLong(LARGEST))), Ok(3)];
        assert_eq!(cut(Format::Ccga, &ccga), expected);
    }
}
