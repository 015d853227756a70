//! Positions as text: board, side to move, plies since the last capture.
//!
//! `bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r` is the initial position: rows from the top, with `r` for a piece of the side that begins
//! at the bottom and `b` for one of the top side, and numbers for runs of empty points; then the side to move, `r` or
//! `b`; then, if it is not 0, the number of plies since the last capture.

use super::points::SIZE;
use super::position::Position;
use crate::game::{PositionError, Side};
use crate::games::rows::{Reader, write_board};

const LETTERS: [char; 2] = ['r', 'b'];
/// Pieces of a side at the start.
const PIECES: usize = 2 * SIZE;

/// The initial position.
#[cfg(test)]
pub const START: &str = "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r";

/// What a position text says.
pub struct Setup {
    /// Board and side to move.
    pub position: Position,
    /// Plies since the last capture.
    pub quiet_plies: u16,
}

/// Reads a position and checks that it can arise: at most twelve pieces a side, and a piece at least of the side that
/// has just moved.
pub fn parse(text: &str) -> Result<Setup, PositionError> {
    let mut reader = Reader::new(text);
    let mut placed = Vec::new();
    reader.board(SIZE, LETTERS, |row, column, side| placed.push((row * SIZE + column, side)))?;
    let turn = reader.turn(LETTERS)?;
    let field = reader.field();
    let quiet_plies = match field.text {
        "" => 0,
        number => number.parse().map_err(|_| reader.wrong(&field, "the number of plies since the last capture"))?,
    };
    reader.finish()?;
    let mut position = Position::empty(turn);
    placed.into_iter().for_each(|(point, side)| position.put(point, side));
    check(&reader, &position)?;
    Ok(Setup { position, quiet_plies })
}

fn check(reader: &Reader<'_>, position: &Position) -> Result<(), PositionError> {
    for side in [Side::First, Side::Second] {
        let (letter, pieces) = (LETTERS[side.index()], position.pieces(side).len());
        if pieces > PIECES {
            return Err(reader.error(1, format!("at most {PIECES} of `{letter}`"), pieces.to_string()));
        }
        if pieces == 0 && side != position.turn() {
            return Err(reader.error(1, format!("a piece `{letter}` of the side that has just moved"), "none"));
        }
    }
    Ok(())
}

/// Writes a position.
pub fn write(setup: &Setup) -> String {
    let Setup { position, quiet_plies } = setup;
    let rows = write_board(SIZE, LETTERS, |row, column| position.piece_at(row * SIZE + column));
    let quiet = if *quiet_plies == 0 { String::new() } else { format!(" {quiet_plies}") };
    format!("{rows} {}{quiet}", LETTERS[position.turn().index()])
}
