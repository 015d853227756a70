//! Surakarta: rules and position notation. <https://en.wikipedia.org/wiki/Surakarta_(game)>
//!
//! On 6 x 6 points each side has twelve pieces on its two rows. A piece steps to a free point next to it, diagonally
//! too, or captures: it travels along a circuit over free points, through one arc at least, to the first piece that it meets,
//! which must be the opponent's. The point that it leaves counts as free. Capturing is not compulsory.
//!
//! The side that captures all pieces wins. Otherwise the side with more pieces wins, and equal numbers are a draw, when the
//! side to move cannot move, when a position occurs for the third time, after 50 plies without a capture, and after 400 plies in
//! all. These ends are not standard: tournaments stop games in various ways, so the numbers can be set ([`EndRules`]).

mod ends;
mod kit;
mod moves;
mod notation;
mod planes;
mod points;
mod position;
mod symmetry;
mod tracks;

pub use ends::{EndRules, EndRulesError};
pub use moves::Move;
pub use points::{POINTS, Points, SIZE, parse_point, point_name};
pub use symmetry::image_point;
pub use tracks::CIRCUITS;

use std::cmp::Ordering;

use super::repetition::occurrences;
use crate::game::{End, Game, MoveError, Notation, Outcome, PositionError, SearchHints, Side};
use notation::Setup;
use position::Position;

/// A game of Surakarta in progress. [`Side::First`] begins at the bottom.
///
/// ```
/// use roughboard::game::{Game, Notation};
/// use roughboard::games::surakarta::Surakarta;
/// let mut game = Surakarta::start();
/// game.play(game.parse_move("a2a3").unwrap());
/// assert_eq!(game.notation(), "bbbbbb/bbbbbb/6/r5/1rrrrr/rrrrrr b 1");
/// ```
#[derive(Clone)]
pub struct Surakarta {
    position: Position,
    quiet_plies: u16,
    rules: EndRules,
    past: Vec<Past>,
}

/// One move made, with what is needed to take it back.
#[derive(Debug, Clone, Copy)]
struct Past {
    /// The key before the move.
    key: u64,
    mv: Move,
    captured: bool,
    /// Plies without capture before the move.
    quiet_plies: u16,
}

impl Surakarta {
    /// The same game under other rules of the end, which must pass their [check](EndRules::check).
    #[must_use]
    pub fn with_rules(self, rules: EndRules) -> Self {
        Self { rules, ..self }
    }

    /// What ends the game by a count of the pieces.
    pub const fn rules(&self) -> EndRules {
        self.rules
    }

    /// The points of the pieces of `side`.
    pub const fn pieces(&self, side: Side) -> Points {
        self.position.pieces(side)
    }

    /// Whose piece is on `point`, a number below 36.
    pub fn piece_at(&self, point: usize) -> Option<Side> {
        self.position.piece_at(point)
    }

    /// The captures that `side` could make if it were its turn.
    pub fn count_captures(&self, side: Side) -> usize {
        self.pieces(side).into_iter().map(|from| self.position.captures(from, side).len()).sum()
    }

    /// Plies since the last capture, those that the position's text told included.
    pub const fn quiet_plies(&self) -> u16 {
        self.quiet_plies
    }

    /// The moves made on this value, first to last.
    pub fn moves_made(&self) -> impl Iterator<Item = Move> + '_ {
        self.past.iter().map(|past| past.mv)
    }

    /// The last of them.
    pub fn last_move(&self) -> Option<Move> {
        self.past.last().map(|past| past.mv)
    }

    /// The pieces of both sides now and before each of the moves made, latest first.
    pub(crate) fn pieces_back(&self) -> impl Iterator<Item = [Points; 2]> + '_ {
        let mut position = self.position;
        let earlier = self.past.iter().rev().map(move |past| {
            position.unmake(past.mv, past.captured);
            position.both()
        });
        std::iter::once(self.position.both()).chain(earlier)
    }

    /// [`Game::key`] before each of the moves made, latest first.
    pub(crate) fn keys_back(&self) -> impl Iterator<Item = u64> + '_ {
        self.past.iter().rev().map(|past| past.key)
    }

    /// The side with more pieces wins.
    fn counted(&self, reason: &'static str) -> End {
        let outcome = match self.pieces(Side::First).len().cmp(&self.pieces(Side::Second).len()) {
            Ordering::Greater => Outcome::Win(Side::First),
            Ordering::Less => Outcome::Win(Side::Second),
            Ordering::Equal => Outcome::Draw,
        };
        End { outcome, reason }
    }

    /// How many plies ago this position occurred before, latest first, within the last `reach` plies.
    fn occurrences(&self, reach: usize) -> impl Iterator<Item = usize> {
        // Before the last capture there were more pieces.
        let reach = reach.min(usize::from(self.quiet_plies));
        occurrences(self.key(), reach, &self.past, |past| past.key)
    }

    /// Appends, for each piece of the side to move, its moves to the points of `targets`.
    fn push_moves(&self, out: &mut Vec<Move>, targets: impl Fn(usize) -> Points) {
        for from in self.pieces(self.side_to_move()) {
            out.extend(targets(from).into_iter().map(|to| Move::new(from, to)));
        }
    }

    fn captures(&self, from: usize) -> Points {
        self.position.captures(from, self.side_to_move())
    }

    fn why_illegal(&self, mv: Move) -> String {
        let us = self.side_to_move();
        let [mover, other] = [us, us.other()].map(|side| Self::SIDES[side.index()]);
        let [from, to] = [mv.from(), mv.to()].map(point_name);
        match (self.piece_at(mv.from()), self.piece_at(mv.to())) {
            (None, _) => format!("no piece on {from}"),
            (Some(owner), _) if owner != us => format!("the piece on {from} is {other}'s, and it is {mover}'s turn"),
            (_, None) => format!("{to} is not next to {from}"),
            (_, Some(owner)) if owner == us => format!("{to} holds a piece of {mover}'s own"),
            _ => format!("no way along a circuit from {from} meets {to} first"),
        }
    }
}

impl Game for Surakarta {
    type Move = Move;
    const NAME: &'static str = "surakarta";
    const SIDES: [&'static str; 2] = ["red", "black"];

    fn start() -> Self {
        let mut position = Position::empty(Side::First);
        for point in 0..2 * SIZE {
            position.put(point, Side::Second);
            position.put(POINTS - 1 - point, Side::First);
        }
        Self { position, quiet_plies: 0, rules: EndRules::default(), past: Vec::new() }
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.position.turn()
    }

    fn legal_moves(&self, out: &mut Vec<Move>) {
        self.push_moves(out, |from| self.captures(from) | self.position.steps(from));
    }

    fn count_legal_moves(&self) -> usize {
        self.position.count_moves()
    }

    fn play(&mut self, mv: Move) {
        let (key, quiet_plies) = (self.key(), self.quiet_plies);
        let captured = self.position.make(mv);
        self.past.push(Past { key, mv, captured, quiet_plies });
        self.quiet_plies = if captured { 0 } else { quiet_plies.saturating_add(1) };
    }

    #[allow(clippy::expect_used, reason = "the trait documents this panic")]
    fn undo(&mut self) {
        let past = self.past.pop().expect("undo without a move made");
        self.position.unmake(past.mv, past.captured);
        self.quiet_plies = past.quiet_plies;
    }

    #[inline]
    fn key(&self) -> u64 {
        self.position.key()
    }

    fn conditions(&self) -> String {
        let is_usual = self.quiet_plies == 0 && self.rules == EndRules::default();
        if is_usual { String::new() } else { format!("{} {}", self.quiet_plies, self.rules) }
    }

    fn plies(&self) -> usize {
        self.past.len()
    }

    fn end_by_history(&self) -> Option<End> {
        let EndRules { quiet_plies, max_plies, repetitions } = self.rules;
        if quiet_plies > 0 && self.quiet_plies >= quiet_plies {
            return Some(self.counted("limit of plies without capture"));
        }
        if repetitions > 1 && self.occurrences(usize::MAX).nth(usize::from(repetitions) - 2).is_some() {
            return Some(self.counted("repetition"));
        }
        (max_plies > 0 && self.plies() >= max_plies as usize).then(|| self.counted("limit of plies"))
    }

    fn end(&self) -> Option<End> {
        let us = self.side_to_move();
        if self.pieces(us).is_empty() {
            return Some(End { outcome: Outcome::Win(us.other()), reason: "all pieces captured" });
        }
        if self.count_legal_moves() == 0 {
            return Some(self.counted("no move"));
        }
        self.end_by_history()
    }
}

impl Notation for Surakarta {
    /// Reads six rows from the top with `r`, `b` and runs of empty points, the side to move (`r` or `b`), and, if they are
    /// there, the number of plies since the last capture and the [`EndRules`] that are not the usual ones, as in `r 0 quiet=80`.
    fn from_notation(text: &str) -> Result<Self, PositionError> {
        let Setup { position, quiet_plies, rules } = notation::parse(text)?;
        Ok(Self { position, quiet_plies, rules, past: Vec::new() })
    }

    fn notation(&self) -> String {
        notation::write(&Setup { position: self.position, quiet_plies: self.quiet_plies, rules: self.rules })
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let (mv, says_capture) =
            Move::parse(text).ok_or_else(|| MoveError::syntax(text, "two points such as `a2a3`"))?;
        if !self.position.is_legal(mv) {
            return Err(MoveError::illegal(text, self.why_illegal(mv)));
        }
        if says_capture && self.piece_at(mv.to()).is_none() {
            return Err(MoveError::illegal(text, format!("there is nothing to capture on {}", point_name(mv.to()))));
        }
        Ok(mv)
    }
}

impl SearchHints for Surakarta {
    const MOVE_SLOTS: usize = POINTS * POINTS;

    /// The captures.
    fn noisy_moves(&self, out: &mut Vec<Move>) {
        self.push_moves(out, |from| self.captures(from));
    }

    fn quiet_moves(&self, out: &mut Vec<Move>) {
        self.push_moves(out, |from| self.position.steps(from));
    }

    /// None: there is no check in Surakarta.
    fn quiet_checks(&self, _out: &mut Vec<Move>) {}

    fn gives_check(&self, _mv: Move) -> bool {
        false
    }

    fn noise_of(&self, mv: Move) -> i32 {
        i32::from(self.piece_at(mv.to()).is_some())
    }

    #[inline]
    fn move_slot(mv: Move) -> usize {
        mv.slot()
    }

    fn move_in_slot(&self, slot: usize) -> Option<Move> {
        let mv = (slot < Self::MOVE_SLOTS).then(|| Move::new(slot / POINTS, slot % POINTS))?;
        self.position.is_legal(mv).then_some(mv)
    }

    /// Whichever rule would end the repetition in the end, it counts the pieces, and none is captured until then.
    fn cycle_end(&self, within: usize) -> Option<End> {
        self.occurrences(within).next().map(|_| self.counted("repetition"))
    }
}

impl std::fmt::Debug for Surakarta {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Surakarta({}; {} plies made)", self.notation(), self.past.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_initial_position_is_the_one_its_text_describes() {
        let start = Surakarta::start();
        assert_eq!(start.notation(), notation::START);
        assert_eq!(Surakarta::from_notation(notation::START).unwrap().key(), start.key());
        assert_eq!(start.count_legal_moves(), 16);
    }

    #[test]
    fn the_captures_of_each_side_are_counted() {
        // From b2 an arc leads over b1 and b2 itself to b4, another to e5; the piece on b2 is in the way of that on b4.
        let game = Surakarta::from_notation("6/4b1/1b4/6/1r4/6 r").unwrap();
        assert_eq!([Side::First, Side::Second].map(|side| game.count_captures(side)), [2, 1]);
    }
}
