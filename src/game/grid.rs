//! Boards as drawings and as text.

use std::fmt::Write as _;

use super::Side;

/// A board for a reader: points in rows and columns, what stands on them, and the lines between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    /// How many rows there are.
    pub rows: usize,
    /// How many columns.
    pub columns: usize,
    /// The number of the lowest row in the texts of moves; columns are letters from `a`.
    pub lowest: usize,
    /// What stands on each point, `.` for nothing: row by row, the upper left point first.
    pub letters: Vec<char>,
    /// The lines as data of an SVG path: points are 1 apart, and the upper left one is at 0, 0.
    pub lines: String,
    /// How far the lines reach beyond the outer points.
    pub reach: usize,
}

/// How a piece is drawn that [`Grid::letters`] has a letter for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PieceLook {
    /// The letter.
    pub letter: char,
    /// Whose it is.
    pub side: Side,
    /// What stands on it in Latin letters; nothing on a plain stone.
    pub label: String,
    /// What stands on it in its own script, if that is another one.
    pub glyph: String,
    /// What it is called.
    pub name: &'static str,
}

impl PieceLook {
    /// A stone of `side` without anything on it.
    pub const fn stone(letter: char, side: Side) -> Self {
        Self { letter, side, label: String::new(), glyph: String::new(), name: "stone" }
    }
}

impl Grid {
    /// A board with a line along every row and column, the lowest of which is called `lowest`; `letter` says what stands in a row,
    /// counted from the bottom, and a column.
    pub fn new((rows, columns): (usize, usize), lowest: usize, letter: impl Fn(usize, usize) -> char) -> Self {
        let row = |row: usize| (0..columns).map(move |column| (row, column));
        let letters = (0..rows).rev().flat_map(row).map(|(row, column)| letter(row, column)).collect();
        let mut lines = String::new();
        for y in 0..rows {
            // Writing to a string cannot fail, here and below.
            let _ = write!(lines, "M0 {y}H{}", columns.saturating_sub(1));
        }
        for x in 0..columns {
            let _ = write!(lines, "M{x} 0V{}", rows.saturating_sub(1));
        }
        Self { rows, columns, lowest, letters, lines, reach: 0 }
    }

    /// The names of the points, in the order of [`Grid::letters`].
    pub fn points(&self) -> impl Iterator<Item = String> + '_ {
        let name = |row: usize, column: usize| format!("{}{}", column_name(column), self.lowest + self.rows - 1 - row);
        (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| name(row, column)))
    }

    /// The board as text with the names of rows and columns, the lowest row being called `lowest`.
    pub fn to_text(&self, lowest: usize) -> String {
        let mut text = String::new();
        for (row, letters) in self.letters.chunks(self.columns.max(1)).enumerate() {
            let points: String = letters.iter().flat_map(|&letter| [' ', letter]).collect();
            let _ = writeln!(text, "{:>2}{points}", lowest + self.rows - 1 - row);
        }
        let names: String = (0..self.columns).flat_map(|column| [' ', column_name(column)]).collect();
        text + &format!("  {names}\n")
    }
}

/// The letter of a column, from `a`.
fn column_name(column: usize) -> char {
    char::from(b'a' + column as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_named_from_the_lower_left() {
        let grid = Grid::new((2, 3), 1, |row, column| if (row, column) == (0, 2) { 'X' } else { '.' });
        assert_eq!(grid.points().collect::<Vec<_>>(), ["a2", "b2", "c2", "a1", "b1", "c1"]);
        assert_eq!(grid.letters, ['.', '.', '.', '.', '.', 'X']);
        assert_eq!(grid.to_text(1), " 2 . . .\n 1 . . X\n   a b c\n");
        assert_eq!(grid.lines, "M0 0H2M0 1H2M0 0V1M1 0V1M2 0V1");
    }
}
