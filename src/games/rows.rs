//! Boards of pieces as rows of letters and numbers, which the position notations of games share.
//!
//! Rows come from the top, with `/` between them; a letter is a piece, a number a run of empty points. Fields
//! follow, with blanks between them.

use crate::game::{PositionError, Side};

/// The rows of a board and how they are written.
#[derive(Clone, Copy)]
pub struct Rows {
    /// How many there are.
    pub count: usize,
    /// The points of each.
    pub length: usize,
    /// What a row is called.
    pub name: &'static str,
    /// The number of the lowest.
    pub lowest: usize,
    /// Whether a number is one digit, so that another one may follow at once.
    pub one_digit: bool,
}

impl Rows {
    /// Those of a board of `size` x `size` points.
    pub const fn square(size: usize) -> Self {
        Self { count: size, length: size, name: "row", lowest: 1, one_digit: false }
    }
}

/// What `letters`, one for each side, stand for.
pub fn side_of(letters: [char; 2]) -> impl Fn(char) -> Option<Side> {
    move |letter| {
        [Side::First, Side::Second].into_iter().zip(letters).find_map(|(side, own)| (own == letter).then_some(side))
    }
}

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

impl Field<'_> {
    /// The number that its digits are; `None` if it has others, or the number is out of range.
    pub fn number<N: std::str::FromStr>(&self) -> Option<N> {
        number_of(self.text)
    }
}

/// The number that the digits of `text` are; `None` if it has other characters or none, or the number is out of range.
pub fn number_of<N: std::str::FromStr>(text: &str) -> Option<N> {
    // `parse` would take a sign, too.
    let has_only_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    has_only_digits.then(|| text.parse().ok()).flatten()
}

impl<'a> Reader<'a> {
    /// Begins at the first character of `text`.
    pub const fn new(text: &'a str) -> Self {
        Self { text, rest: text, at: 1 }
    }

    /// The character that is read next, counted from 1.
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Reads the board: `piece` says what a letter stands for, and `put` is called with row (0 is the top), column and piece of
    /// each, before the reader goes on behind its letter.
    pub fn board<P>(
        &mut self,
        rows: Rows,
        piece: impl Fn(char) -> Option<P>,
        mut put: impl FnMut(&Self, (usize, usize), P),
    ) -> Result<(), PositionError> {
        for row in 0..rows.count {
            if row > 0 {
                self.separator(rows, row - 1)?;
            }
            self.row(rows, row, &piece, &mut put)?;
        }
        match self.peek() {
            None | Some(' ') => Ok(()),
            found => Err(self.unexpected(format!("a space after {}", rows.points_of(rows.count - 1)), found)),
        }
    }

    fn separator(&mut self, rows: Rows, row: usize) -> Result<(), PositionError> {
        match self.peek() {
            Some('/') => {
                self.step();
                Ok(())
            }
            found => Err(self.unexpected(format!("`/` after {}", rows.points_of(row)), found)),
        }
    }

    fn row<P>(
        &mut self,
        rows: Rows,
        row: usize,
        piece: &impl Fn(char) -> Option<P>,
        put: &mut impl FnMut(&Self, (usize, usize), P),
    ) -> Result<(), PositionError> {
        let mut column = 0;
        while column < rows.length {
            let expected = || format!("{} more points of {} {}", rows.length - column, rows.name, rows.number(row));
            let found = self.peek();
            if let Some(piece) = found.and_then(piece) {
                put(&*self, (row, column), piece);
                self.step();
                column += 1;
            } else if matches!(found, Some('1'..='9')) {
                column += self.run(rows, rows.length - column, expected)?;
            } else {
                return Err(self.unexpected(expected(), found));
            }
        }
        Ok(())
    }

    /// A run of 1 to `left` empty points.
    fn run(&mut self, rows: Rows, left: usize, expected: impl Fn() -> String) -> Result<usize, PositionError> {
        let digits = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = &self.rest[..if rows.one_digit { 1 } else { digits }];
        match number.parse() {
            Ok(run) if run <= left => {
                number.chars().for_each(|_| self.step());
                Ok(run)
            }
            _ => Err(self.error(self.at, expected(), format!("`{number}`"))),
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
        PositionError::new(self.text, at, expected, found)
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

impl Rows {
    /// The number of a row, of which 0 is the top one.
    const fn number(self, row: usize) -> usize {
        self.lowest + self.count - 1 - row
    }

    fn points_of(self, row: usize) -> String {
        format!("the {} points of {} {}", self.length, self.name, self.number(row))
    }
}

/// The rows of a board; `letter` stands for the piece at a row (0 is the top) and column.
pub(crate) fn write_board(rows: Rows, letter: impl Fn(usize, usize) -> Option<char>) -> String {
    let row = |row| {
        let points: Vec<_> = (0..rows.length).map(|column| letter(row, column)).collect();
        let runs = points.chunk_by(|a, b| a.is_none() && b.is_none());
        runs.map(|run| run[0].map_or_else(|| run.len().to_string(), String::from)).collect::<String>()
    };
    (0..rows.count).map(row).collect::<Vec<_>>().join("/")
}
