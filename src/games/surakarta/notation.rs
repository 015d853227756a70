//! Positions as text: board, side to move, plies since the last capture, rules of the end.
//!
//! `bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r` is the initial position: rows from the top, with `r` for a piece of the side that begins
//! at the bottom and `b` for one of the top side, and numbers for runs of empty points; then the side to move, `r` or
//! `b`; then, if it is not 0, the number of plies since the last capture; then the [`EndRules`] that are not the usual ones, such as
//! `0 quiet=80 repetitions=2`, with the number of plies before them always.

use super::ends::{EXPECTED, EndRules, EndRulesError, Reading};
use super::points::SIZE;
use super::position::Position;
use crate::game::{PositionError, Side};
use crate::games::rows::{Field, Reader, Rows, side_of, write_board};

/// The letters of the sides.
pub const LETTERS: [char; 2] = ['r', 'b'];
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
    /// What ends the game by a count of the pieces.
    pub rules: EndRules,
}

/// Reads a position and checks that it can arise: at most twelve pieces a side, and a piece at least of the side that
/// has just moved.
pub fn parse(text: &str) -> Result<Setup, PositionError> {
    let mut reader = Reader::new(text);
    let mut placed = Vec::new();
    reader.board(Rows::square(SIZE), side_of(LETTERS), |_, (row, column), side| {
        placed.push((row * SIZE + column, side))
    })?;
    let turn = reader.turn(LETTERS)?;
    let field = reader.field();
    let has_number = !field.text.contains('=');
    let quiet_plies = match field.text {
        text if !text.is_empty() && has_number => {
            field.number().ok_or_else(|| reader.wrong(&field, "the number of plies since the last capture"))?
        }
        _ => 0,
    };
    let field = if has_number { reader.field() } else { field };
    let rules = end_rules(&mut reader, field)?;
    let mut position = Position::empty(turn);
    placed.into_iter().for_each(|(point, side)| position.put(point, side));
    check(&reader, &position)?;
    Ok(Setup { position, quiet_plies, rules })
}

/// Reads `first` and the rest of the text: rules with blanks between them.
fn end_rules<'a>(reader: &mut Reader<'a>, first: Field<'a>) -> Result<EndRules, PositionError> {
    let mut reading = Reading::default();
    let mut last = first;
    while !last.text.is_empty() {
        reading.read(last.text).map_err(|error| wrong_rule(reader, &last, &error))?;
        let next = reader.field();
        if next.text.is_empty() {
            break;
        }
        last = next;
    }
    reading.finish().map_err(|error| wrong_rule(reader, &last, &error))
}

fn wrong_rule(reader: &Reader<'_>, field: &Field<'_>, error: &EndRulesError) -> PositionError {
    let expected = match error {
        EndRulesError::Unknown(_) => format!("a rule of the end, {EXPECTED}, or the end"),
        EndRulesError::Number { key, range, .. } => format!("for `{key}` {range}"),
        EndRulesError::Twice(key) => format!("`{key}` once"),
        EndRulesError::Unbounded => "one of `quiet` and `plies` that is not 0".to_owned(),
    };
    reader.wrong(field, expected)
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
    let Setup { position, quiet_plies, rules } = setup;
    let letter = |row, column| Some(LETTERS[position.piece_at(row * SIZE + column)?.index()]);
    let rows = write_board(Rows::square(SIZE), letter);
    let rules: String = rules.unusual().map(|rule| format!(" {rule}")).collect();
    let quiet = if *quiet_plies == 0 && rules.is_empty() { String::new() } else { format!(" {quiet_plies}") };
    format!("{rows} {}{quiet}{rules}", LETTERS[position.turn().index()])
}
