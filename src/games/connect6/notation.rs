//! Positions as text: board, side to move, stones left in the turn.
//!
//! `19/…/19 b 1` is the initial position: 19 rows from the top, with `b` for a black and `w` for a white stone and numbers,
//! 1 to 19, for runs of empty points; then the side to move, `b` or `w`; then the stones that it has yet to place in this
//! turn, 1 or 2. Smaller boards, of 6 x 6 points at least, have fewer rows.

use super::board::Board;
use super::point::{Point, SIZE};
use super::windows::SIX;
use crate::game::{PositionError, Side};
use crate::games::rows::{Reader, Rows, side_of, write_board};

const LETTERS: [char; 2] = ['b', 'w'];

/// What a position text says.
pub struct Setup {
    /// The stones.
    pub board: Board,
    /// The side to move.
    pub turn: Side,
    /// The stones that it has yet to place in this turn, 1 or 2.
    pub stones_left: u8,
}

/// Reads a position. Both sides cannot have six in a row; one may, and has won.
pub fn parse(text: &str) -> Result<Setup, PositionError> {
    let mut reader = Reader::new(text);
    let size = text.split(' ').next().unwrap_or_default().split('/').count();
    if !(SIX..=SIZE).contains(&size) {
        return Err(reader.error(1, format!("{SIX} to {SIZE} rows with `/` between them"), format!("{size}")));
    }
    let mut board = Board::empty(size);
    let rows = Rows::square(size);
    reader.board(rows, side_of(LETTERS), |_, (row, column), side| board.place(point(size, row, column), side))?;
    let turn = reader.turn(LETTERS)?;
    let field = reader.field();
    let stones_left = match field.text {
        "1" => 1,
        "2" => 2,
        _ => return Err(reader.wrong(&field, "the stones left in the turn, `1` or `2`")),
    };
    reader.finish()?;
    if board.has_six(Side::First) && board.has_six(Side::Second) {
        return Err(reader.error(1, "six in a row of one side at most", "of both"));
    }
    Ok(Setup { board, turn, stones_left })
}

/// Writes a position.
pub fn write(board: &Board, turn: Side, stones_left: u8) -> String {
    let size = board.size();
    let letter = |row, column| Some(LETTERS[board.stone(point(size, row, column))?.index()]);
    let rows = write_board(Rows::square(size), letter);
    format!("{rows} {} {stones_left}", LETTERS[turn.index()])
}

/// The point in a row counted from the top of a board of `size` rows.
const fn point(size: usize, row: usize, column: usize) -> Point {
    Point::new((size - 1 - row) * SIZE + column)
}
