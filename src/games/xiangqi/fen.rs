//! FEN: positions as text.

use super::piece::{Piece, Role};
use super::position::Position;
use super::squares::{FILES, RANKS, square_name};
use crate::game::{PositionError, Side};

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

/// Reads a FEN and checks that a game can go on from it.
pub fn parse(text: &str) -> Result<Setup, PositionError> {
    let mut reader = Reader { text, rest: text, at: 1 };
    let (position, placed) = reader.board()?;
    let position = reader.turn(position)?;
    reader.dash()?;
    reader.dash()?;
    let quiet_plies = reader.number("the number of plies since the last capture", 0)?;
    let move_number = reader.number("the number of the move", 1)?;
    reader.finish()?;
    reader.check_setup(&position, &placed)?;
    let quiet_plies = u16::try_from(quiet_plies).unwrap_or(u16::MAX);
    Ok(Setup { position, quiet_plies, move_number })
}

/// Writes a FEN.
pub fn write(setup: &Setup) -> String {
    let mut text = String::with_capacity(96);
    for rank in (0..RANKS).rev() {
        write_rank(&setup.position.board()[rank * FILES..][..FILES], &mut text);
        if rank > 0 {
            text.push('/');
        }
    }
    let turn = if setup.position.turn() == Side::First { 'w' } else { 'b' };
    text + &format!(" {turn} - - {} {}", setup.quiet_plies, setup.move_number)
}

fn write_rank(codes: &[u8], text: &mut String) {
    for run in codes.chunk_by(|&a, &b| a == 0 && b == 0) {
        match Piece::from_code(run[0]) {
            Some(piece) => text.push(piece.letter()),
            None => text.push_str(&run.len().to_string()),
        }
    }
}

/// A piece, its point, and the character of the text that put it there.
struct Placed {
    piece: Piece,
    square: usize,
    at: usize,
}

/// Reads a text from left to right and remembers the character it is at.
struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn error(&self, at: usize, expected: impl Into<String>, found: impl Into<String>) -> PositionError {
        PositionError { text: self.text.to_owned(), at, expected: expected.into(), found: found.into() }
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest.chars().next()?;
        self.rest = &self.rest[next.len_utf8()..];
        self.at += 1;
        Some(next)
    }

    /// The error that `expected` does not stand where the last character was read.
    fn unexpected(&self, expected: impl Into<String>, found: Option<char>) -> PositionError {
        match found {
            Some(found) => self.error(self.at - 1, expected, format!("`{found}`")),
            None => self.error(self.at, expected, "the end"),
        }
    }

    fn board(&mut self) -> Result<(Position, Vec<Placed>), PositionError> {
        let mut position = Position::empty();
        let mut placed = Vec::new();
        for rank in (0..RANKS).rev() {
            self.rank(rank, &mut placed)?;
            let end = if rank > 0 { Some('/') } else { None };
            self.end_of_rank(rank, end)?;
        }
        for Placed { piece, square, .. } in &placed {
            position.put(*square, *piece);
        }
        Ok((position, placed))
    }

    fn rank(&mut self, rank: usize, placed: &mut Vec<Placed>) -> Result<(), PositionError> {
        let mut file = 0;
        while file < FILES {
            let at = self.at;
            let found = self.next();
            let left = FILES - file;
            match found {
                Some(digit @ '1'..='9') if digit as usize - '0' as usize <= left => {
                    file += digit as usize - '0' as usize
                }
                Some(letter) if Piece::from_letter(letter).is_some() => {
                    placed.extend(Piece::from_letter(letter).map(|piece| Placed {
                        piece,
                        square: rank * FILES + file,
                        at,
                    }));
                    file += 1;
                }
                _ => return Err(self.unexpected(format!("{left} more points of rank {rank}"), found)),
            }
        }
        Ok(())
    }

    fn end_of_rank(&mut self, rank: usize, end: Option<char>) -> Result<(), PositionError> {
        match (end, self.rest.chars().next()) {
            (None, None | Some(' ')) => Ok(()),
            (Some(end), Some(found)) if found == end => {
                self.next();
                Ok(())
            }
            (end, _) => {
                let end = end.map_or("a space".to_owned(), |end| format!("`{end}`"));
                let found = self.next();
                Err(self.unexpected(format!("{end} after the 9 points of rank {rank}"), found))
            }
        }
    }

    /// The next field and the character it begins at; empty at the end.
    fn field(&mut self) -> (String, usize) {
        while self.rest.starts_with(' ') {
            self.next();
        }
        let at = self.at;
        let mut field = String::new();
        while !self.rest.is_empty() && !self.rest.starts_with(' ') {
            field.extend(self.next());
        }
        (field, at)
    }

    fn turn(&mut self, mut position: Position) -> Result<Position, PositionError> {
        match self.field() {
            (side, _) if side == "w" || side == "r" => {}
            (side, _) if side == "b" => position.pass(),
            (other, at) => return Err(self.error(at, "the side to move, `w`, `r` or `b`", quoted(&other))),
        }
        Ok(position)
    }

    /// A field that has a meaning in chess only.
    fn dash(&mut self) -> Result<(), PositionError> {
        match self.field() {
            (field, _) if field.is_empty() || field == "-" => Ok(()),
            (other, at) => Err(self.error(at, "`-`", quoted(&other))),
        }
    }

    fn number(&mut self, what: &str, default: u32) -> Result<u32, PositionError> {
        let (field, at) = self.field();
        if field.is_empty() {
            return Ok(default);
        }
        field.parse().map_err(|_| self.error(at, what, quoted(&field)))
    }

    fn finish(&mut self) -> Result<(), PositionError> {
        let (field, at) = self.field();
        if field.is_empty() { Ok(()) } else { Err(self.error(at, "the end", quoted(&field))) }
    }

    fn check_setup(&self, position: &Position, placed: &[Placed]) -> Result<(), PositionError> {
        for side in [Side::First, Side::Second] {
            self.check_counts(side, placed)?;
        }
        for Placed { piece, square, at } in placed {
            if !piece.may_stand_on(*square) {
                let expected = format!("a point that the {} can reach", piece.role().name());
                return Err(self.error(*at, expected, format!("`{}` on {}", piece.letter(), square_name(*square))));
            }
        }
        let mut passed = *position;
        passed.pass();
        if passed.in_check() {
            let king = Piece::new(passed.turn(), Role::King);
            let at = placed.iter().find(|placed| placed.piece == king).map_or(1, |placed| placed.at);
            return Err(self.error(
                at,
                "a king out of reach of the side to move",
                format!("`{}` in check", king.letter()),
            ));
        }
        Ok(())
    }

    fn check_counts(&self, side: Side, placed: &[Placed]) -> Result<(), PositionError> {
        for role in Role::ALL {
            let piece = Piece::new(side, role);
            let mut of_piece = placed.iter().filter(|placed| placed.piece == piece);
            if let Some(extra) = of_piece.clone().nth(role.per_side()) {
                let expected = format!("at most {} of `{}`", role.per_side(), piece.letter());
                return Err(self.error(extra.at, expected, "one more"));
            }
            if role == Role::King && of_piece.next().is_none() {
                return Err(self.error(1, format!("a king `{}`", piece.letter()), "none on the board"));
            }
        }
        Ok(())
    }
}

fn quoted(field: &str) -> String {
    if field.is_empty() { "the end".to_owned() } else { format!("`{field}`") }
}
