//! FEN: positions as text.

use super::piece::{Piece, Role};
use super::position::Position;
use super::squares::{FILES, RANKS, square_name};
use crate::game::{PositionError, Side};
use crate::games::rows::{Reader, Rows, write_board};

/// The initial position.
#[cfg(test)]
pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// What a FEN says.
pub struct Setup {
    /// The board and the side to move.
    pub position: Position,
    /// Plies since the last capture.
    pub quiet_plies: u16,
    /// The number of the move to be made, counted from 1 in pairs of plies.
    pub move_number: u32,
}

const ROWS: Rows = Rows { count: RANKS, length: FILES, name: "rank", lowest: 0, one_digit: true };

/// Reads a FEN and checks that a game can go on from it.
pub fn parse(text: &str) -> Result<Setup, PositionError> {
    let mut reader = Reader::new(text);
    let mut placed = Vec::new();
    reader.board(ROWS, Piece::from_letter, |reader, (row, file), piece| {
        placed.push(Placed { piece, square: (RANKS - 1 - row) * FILES + file, at: reader.at() });
    })?;
    let mut position = Position::empty();
    placed.iter().for_each(|placed| position.put(placed.square, placed.piece));
    let field = reader.field();
    match field.text {
        "w" | "r" => {}
        "b" => position.pass(),
        _ => return Err(reader.wrong(&field, "the side to move, `w`, `r` or `b`")),
    }
    // Two fields that have a meaning in chess only.
    for field in [reader.field(), reader.field()] {
        if !matches!(field.text, "" | "-") {
            return Err(reader.wrong(&field, "`-`"));
        }
    }
    let quiet_plies = number(&mut reader, "the number of plies since the last capture", 0)?;
    let move_number = number(&mut reader, "the number of the move", 1)?;
    reader.finish()?;
    check_setup(&reader, &position, &placed)?;
    let quiet_plies = u16::try_from(quiet_plies).unwrap_or(u16::MAX);
    Ok(Setup { position, quiet_plies, move_number })
}

/// The next field as a number.
fn number(reader: &mut Reader<'_>, what: &str, default: u32) -> Result<u32, PositionError> {
    let field = reader.field();
    if field.text.is_empty() {
        return Ok(default);
    }
    field.number().ok_or_else(|| reader.wrong(&field, what))
}

/// Writes a FEN.
pub fn write(setup: &Setup) -> String {
    let board = setup.position.board();
    let letter = |row: usize, file| Some(Piece::from_code(board[(RANKS - 1 - row) * FILES + file])?.letter());
    let turn = if setup.position.turn() == Side::First { 'w' } else { 'b' };
    format!("{} {turn} - - {} {}", write_board(ROWS, letter), setup.quiet_plies, setup.move_number)
}

/// A piece, its point, and the character of the text that put it there.
struct Placed {
    piece: Piece,
    square: usize,
    at: usize,
}

fn check_setup(reader: &Reader<'_>, position: &Position, placed: &[Placed]) -> Result<(), PositionError> {
    for side in [Side::First, Side::Second] {
        check_counts(reader, side, placed)?;
    }
    for Placed { piece, square, at } in placed {
        if !piece.may_stand_on(*square) {
            let expected = format!("a point that the {} can reach", piece.role().name());
            return Err(reader.error(*at, expected, format!("`{}` on {}", piece.letter(), square_name(*square))));
        }
    }
    let mut passed = *position;
    passed.pass();
    if passed.in_check() {
        let king = Piece::new(passed.turn(), Role::King);
        let at = placed.iter().find(|placed| placed.piece == king).map_or(1, |placed| placed.at);
        return Err(reader.error(
            at,
            "a king out of reach of the side to move",
            format!("`{}` in check", king.letter()),
        ));
    }
    Ok(())
}

fn check_counts(reader: &Reader<'_>, side: Side, placed: &[Placed]) -> Result<(), PositionError> {
    for role in Role::ALL {
        let piece = Piece::new(side, role);
        let mut of_piece = placed.iter().filter(|placed| placed.piece == piece);
        if let Some(extra) = of_piece.clone().nth(role.per_side()) {
            let expected = format!("at most {} of `{}`", role.per_side(), piece.letter());
            return Err(reader.error(extra.at, expected, "one more"));
        }
        if role == Role::King && of_piece.next().is_none() {
            return Err(reader.error(1, format!("a king `{}`", piece.letter()), "none on the board"));
        }
    }
    Ok(())
}
