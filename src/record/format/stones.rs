//! What the formats of Connect6 share: stones in order, with colours that must fit the turns.

use crate::game::{Game, Outcome, SearchHints, Side};
use crate::games::connect6::{Connect6, Point};
use crate::record::account::Flaw;
use crate::record::pgn::{Claim, Flawed, RawGame, RawMove};

#[cfg(test)]
pub(crate) use tests::{a_game, moves, only, outcome, side_of_stone};

/// Collects the stones of a record into a game.
pub struct Stones<'a> {
    /// The game so far.
    pub game: RawGame<'a>,
    points: Vec<Point>,
}

impl<'a> Stones<'a> {
    /// A game that begins in `line`.
    pub fn new(line: u64) -> Self {
        Self { game: RawGame { line, ..RawGame::default() }, points: Vec::new() }
    }

    /// Appends a stone of `side` that stands in `line`. Black places the first stone, then White two, Black two, and so on.
    ///
    /// # Errors
    /// When it is the other side's turn.
    pub fn place(&mut self, side: Side, point: Point, line: u64) -> Result<(), Flawed> {
        let due = if self.points.len().div_ceil(2).is_multiple_of(2) { Side::First } else { Side::Second };
        if side != due {
            let expected = if due == Side::First { "a stone of black" } else { "a stone of white" };
            let found = format!("{point} of {} as stone {}", Connect6::SIDES[side.index()], self.points.len() + 1);
            return Err((line, Flaw::Syntax { expected, found }));
        }
        self.points.push(point);
        self.game.moves.push(RawMove { text: point.name().into(), comment: None, line });
        Ok(())
    }

    /// The game, with the result that the record states, and where. Most records of games won on the board state none: then it
    /// is the one on the board.
    pub fn finish(mut self, stated: Option<(Outcome, &'static str)>) -> RawGame<'a> {
        let (stated, place) = stated.unzip();
        let outcome = stated.or_else(|| result_on_board(&self.points));
        self.game.result = outcome.map(|outcome| Some(Claim::Outcome(outcome)));
        self.game.result_place = place;
        self.game
    }
}

/// How the game ends that these stones make, if it does.
fn result_on_board(points: &[Point]) -> Option<Outcome> {
    let mut game = Connect6::start();
    for point in points {
        let mv = game.move_in_slot(point.index())?;
        game.play(mv);
    }
    game.end().map(|end| end.outcome)
}

/// A text without byte order mark and blanks before it.
pub fn text_of(head: &[u8]) -> &[u8] {
    head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head).trim_ascii_start()
}

/// The side that a property or stone is of, by its letter.
pub(crate) const fn side_of(letter: u8) -> Option<Side> {
    match letter {
        b'B' | b'b' => Some(Side::First),
        b'W' | b'w' => Some(Side::Second),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    //! What the tests of the formats share.

    use proptest::prelude::*;

    use super::*;
    use crate::games::connect6::POINTS;

    /// Different points, in the order in which they are taken.
    pub(crate) fn a_game() -> impl Strategy<Value = Vec<Point>> {
        let points = (0..POINTS).map(Point::new).collect::<Vec<_>>();
        Just(points)
            .prop_shuffle()
            .prop_flat_map(|points| (1..60_usize).prop_map(move |count| points[..count].to_vec()))
    }

    /// Whose the stone number `at`, counted from 0, is: B W W B B W W …
    pub(crate) fn side_of_stone(at: usize) -> Side {
        if matches!(at % 4, 0 | 3) { Side::First } else { Side::Second }
    }

    /// The only game of a text.
    pub fn only(mut games: Vec<Result<RawGame<'_>, Flawed>>) -> Result<RawGame<'_>, Flawed> {
        assert_eq!(games.len(), 1, "{games:?}");
        games.remove(0)
    }

    /// The outcome that the game states, which these formats tell by the order of the sides.
    pub fn outcome(game: &RawGame<'_>) -> Option<Outcome> {
        game.result.flatten().map(|claim| claim.outcome(Side::First))
    }

    /// The texts of the moves.
    pub fn moves<'r>(game: &'r RawGame<'_>) -> Vec<&'r str> {
        game.moves.iter().map(|mv| mv.text.as_ref()).collect()
    }
}
