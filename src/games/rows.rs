//! Square boards of two kinds of pieces as rows of letters and numbers, which the position notations of games share.
//!
//! Rows come from the top, with `/` between them; a letter is a piece, a number a run of empty points. Fields
//! follow, with blanks between them.

use crate::game::{PositionError, Side};

/// Reads a position from left to right and remembers the character it is at.
pub struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
    /// The next character, counted from 1.
    at: usize,
}

/// A field after the board and the character it begins at; empty at the end of the text.
pub struct Field<'a> {
    /// The field without blanks.
    pub text: &'a str,
    /// Its first character, counted from 1.
    pub at: usize,
}

impl<'a> Reader<'a> {
    /// Begins at the first character of `text`.
    pub const fn new(text: &'a str) -> Self {
        Self { text, rest: text, at: 1 }
    }

    /// Reads a board of `size` rows of `size` points, on which `letters` stand for the pieces of the two sides, and calls
    /// `put` with row (0 is the top), column and side of each piece.
    pub fn board(
        &mut self,
        size: usize,
        letters: [char; 2],
        mut put: impl FnMut(usize, usize, Side),
    ) -> Result<(), PositionError> {
        for row in 0..size {
            if row > 0 {
                self.separator(size, size - row)?;
            }
            self.row(size, letters, size - row, &mut |column, side| put(row, column, side))?;
        }
        match self.peek() {
            None | Some(' ') => Ok(()),
            found => Err(self.unexpected(format!("a blank after the {size} points of row 1"), found)),
        }
    }

    fn separator(&mut self, size: usize, row: usize) -> Result<(), PositionError> {
        match self.peek() {
            Some('/') => {
                self.step();
                Ok(())
            }
            found => Err(self.unexpected(format!("`/` after the {size} points of row {}", row + 1), found)),
        }
    }

    /// Reads one row; `number` is the row's number from the bottom, for messages.
    fn row(
        &mut self,
        size: usize,
        letters: [char; 2],
        number: usize,
        put: &mut dyn FnMut(usize, Side),
    ) -> Result<(), PositionError> {
        let mut column = 0;
        while column < size {
            let left = size - column;
            let found = self.peek();
            match found {
                Some(letter) if letter == letters[0] => put(column, Side::First),
                Some(letter) if letter == letters[1] => put(column, Side::Second),
                Some('1'..='9') => {
                    column += self.run(left, number)?;
                    continue;
                }
                _ => return Err(self.unexpected(points_of_row(left, number), found)),
            }
            self.step();
            column += 1;
        }
        Ok(())
    }

    /// A run of 1 to `left` empty points.
    fn run(&mut self, left: usize, row: usize) -> Result<usize, PositionError> {
        let digits = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = &self.rest[..digits];
        match number.parse() {
            Ok(run) if run <= left => {
                (0..digits).for_each(|_| self.step());
                Ok(run)
            }
            _ => Err(self.error(self.at, points_of_row(left, row), format!("`{number}`"))),
        }
    }

    /// Reads the side to move: the letter of its pieces.
    pub fn turn(&mut self, letters: [char; 2]) -> Result<Side, PositionError> {
        let field = self.field();
        let is = |letter: char| field.text.strip_prefix(letter) == Some("");
        match letters.map(is) {
            [true, _] => Ok(Side::First),
            [_, true] => Ok(Side::Second),
            _ => Err(self.wrong(&field, format!("the side to move, `{}` or `{}`", letters[0], letters[1]))),
        }
    }

    /// Reads the next field.
    pub fn field(&mut self) -> Field<'a> {
        while self.peek() == Some(' ') {
            self.step();
        }
        let at = self.at;
        let text = self.rest.split(' ').next().unwrap_or_default();
        text.chars().for_each(|_| self.step());
        Field { text, at }
    }

    /// Checks that nothing is left.
    pub fn finish(&mut self) -> Result<(), PositionError> {
        let field = self.field();
        if field.text.is_empty() { Ok(()) } else { Err(self.wrong(&field, "the end")) }
    }

    /// The error that `expected` does not stand in `field`.
    pub fn wrong(&self, field: &Field<'_>, expected: impl Into<String>) -> PositionError {
        let found = if field.text.is_empty() { "the end".to_owned() } else { format!("`{}`", field.text) };
        self.error(field.at, expected, found)
    }

    /// The error that `found` stands at character `at` instead of `expected`.
    pub fn error(&self, at: usize, expected: impl Into<String>, found: impl Into<String>) -> PositionError {
        PositionError { text: self.text.to_owned(), at, expected: expected.into(), found: found.into() }
    }

    fn unexpected(&self, expected: impl Into<String>, found: Option<char>) -> PositionError {
        let found = found.map_or("the end".to_owned(), |found| format!("`{found}`"));
        self.error(self.at, expected, found)
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn step(&mut self) {
        self.rest = &self.rest[self.peek().map_or(0, char::len_utf8)..];
        self.at += 1;
    }
}

fn points_of_row(left: usize, row: usize) -> String {
    format!("{left} more points of row {row}")
}

/// The rows of a board of `size` x `size` points; `piece` gives who has a piece at a row (0 is the top) and column.
pub fn write_board(size: usize, letters: [char; 2], piece: impl Fn(usize, usize) -> Option<Side>) -> String {
    let row = |row| {
        let points: Vec<_> = (0..size).map(|column| piece(row, column)).collect();
        let runs = points.chunk_by(|a, b| a.is_none() && b.is_none());
        runs.map(|run| run[0].map_or_else(|| run.len().to_string(), |side| letters[side.index()].to_string()))
            .collect::<String>()
    };
    (0..size).map(row).collect::<Vec<_>>().join("/")
}
