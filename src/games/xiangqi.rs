//! Xiangqi (Chinese chess): rules, move generation, FEN.
//!
//! The board is held in three forms that change in step: the matrix of 90 piece codes, bitboards of 90 bits by piece
//! and by side, and the occupancies of ranks and files that index the preset tables for rook and cannon. A 64-bit key
//! stands for all of it; piece lists are drawn from the bitboards where they serve. Moves are generated from preset tables;
//! [`Generator`] names the other ways.

mod chase;
mod checks;
mod count;
mod danger;
pub mod endings;
mod exchange;
mod fen;
mod generate;
mod generator;
mod history;
mod kit;
mod material;
mod moves;
mod notation;
mod piece;
mod position;
mod reach;
pub mod reference;
mod squares;
mod symmetry;
mod tables;
mod templates;

pub use generator::Generator;
pub use history::QUIET_PLIES;
pub use moves::Move;
pub use notation::{MoveNotation, Script};
pub use piece::{PIECE_VALUES, Piece, Role};
pub use squares::{
    FILE_A, FILES, HALVES, PALACES, Points, RANKS, SQUARES, Squares, file_of, parse_square, rank_of, square_name,
};
pub use tables::{king_steps, points_between, points_in_line};

use super::repetition::occurrences;
use crate::game::{End, Game, MoveError, Notation, Outcome, PositionError, SearchHints, Side};
use fen::Setup;
use history::Past;
use position::Position;

/// A game of Xiangqi in progress. Red is [`Side::First`].
///
/// ```
/// use roughboard::game::{Game, Notation};
/// use roughboard::games::xiangqi::Xiangqi;
/// let mut game = Xiangqi::start();
/// game.play(game.parse_move("h2e2").unwrap());
/// assert_eq!(game.count_legal_moves(), 45);
/// ```
#[derive(Clone)]
pub struct Xiangqi {
    position: Position,
    quiet_plies: u16,
    repeatable_plies: u16,
    /// Plies before the set-up, as far as the FEN's move number tells.
    plies_before: u64,
    past: Vec<Past>,
}

impl Xiangqi {
    /// The code of each point: 0 empty, 1..=7 Red's king, advisor, elephant, horse, rook, cannon, pawn, 8..=14 Black's
    /// in the same order. Point `s` is on rank `s / 9` (0 is Red's back rank) and file `s % 9`.
    pub const fn board(&self) -> &[u8; SQUARES] {
        self.position.board()
    }

    /// The piece on `square`, a number below 90.
    pub const fn piece_at(&self, square: usize) -> Option<Piece> {
        Piece::from_code(self.board()[square])
    }

    /// The points of the pieces of `side` with `role`.
    pub const fn pieces(&self, side: Side, role: Role) -> Squares {
        self.position.pieces(side, role)
    }

    /// The points of all pieces of `side`.
    pub const fn side(&self, side: Side) -> Squares {
        self.position.side(side)
    }

    /// The points of all pieces.
    pub const fn occupied(&self) -> Squares {
        self.position.occupied()
    }

    /// The pieces of `side` with their points, lowest point first.
    pub fn pieces_of(&self, side: Side) -> impl Iterator<Item = (usize, Role)> + '_ {
        self.side(side).into_iter().filter_map(|square| Some((square, self.piece_at(square)?.role())))
    }

    /// The point of the king of `side`.
    pub const fn king(&self, side: Side) -> usize {
        self.position.king(side)
    }

    /// The enemy pieces that give check to the side to move; empty when there is no check.
    pub fn checkers(&self) -> Squares {
        self.position.danger(self.side_to_move()).checkers
    }

    /// Where the piece on `square` could go by its way of moving, whoever's turn it is and whether or not that would
    /// expose its own king. Own pieces are not among the points. Empty for an empty point.
    pub fn targets(&self, square: usize) -> Squares {
        self.position.targets(square)
    }

    /// The number of points of [`Xiangqi::targets`]: the mobility of the piece on `square`.
    pub fn mobility(&self, square: usize) -> usize {
        self.targets(square).len()
    }

    /// Calls `visit` with the role and point of each piece of `side`, and the points that it reaches: those of
    /// [`Xiangqi::targets`] and the own pieces that it protects. Pawns come all at once, without a point, for each of
    /// their directions.
    #[inline(always)]
    pub fn visit_reaches(&self, side: Side, visit: impl FnMut(Role, Option<usize>, Squares)) {
        self.position.visit_reaches(side, visit);
    }

    /// Plies since the last capture, those that the FEN told included.
    pub const fn quiet_plies(&self) -> u16 {
        self.quiet_plies
    }

    /// The moves made on this value, first to last.
    pub fn moves_made(&self) -> impl Iterator<Item = Move> + '_ {
        self.past.iter().map(|past| past.mv)
    }

    /// How many plies ago this position occurred before, latest first, within the last `reach` plies.
    #[inline]
    fn occurrences(&self, reach: usize) -> impl Iterator<Item = usize> {
        // Captures and pawns' advances are not taken back.
        let reach = reach.min(usize::from(self.repeatable_plies));
        occurrences(self.key(), reach, &self.past, |past| past.key)
    }

    /// The verdict on the last `span` plies, which led from this position back to it.
    fn judge_last(&self, span: usize) -> End {
        history::judge_repetition(self.position, &self.past[self.past.len() - span..])
    }

    fn is_irreversible(&self, mv: Move, captured: u8) -> bool {
        let advance = mv.from().abs_diff(mv.to()) == FILES;
        captured != 0 || (advance && self.piece_at(mv.to()).is_some_and(|piece| piece.role() == Role::Pawn))
    }

    fn why_illegal(&self, mv: Move) -> String {
        let [from, to] = [mv.from(), mv.to()].map(square_name);
        let Some(piece) = self.piece_at(mv.from()) else { return format!("no piece on {from}") };
        let role = piece.role().name();
        let [mover, other] = [self.side_to_move(), self.side_to_move().other()].map(|side| Self::SIDES[side.index()]);
        if piece.side() != self.side_to_move() {
            return format!("the {role} on {from} is {other}'s, and it is {mover}'s turn");
        }
        if !self.targets(mv.from()).contains(mv.to()) {
            return format!("the {role} on {from} cannot go to {to}");
        }
        format!("it would leave {mover}'s king in check")
    }
}

impl Game for Xiangqi {
    type Move = Move;
    const NAME: &'static str = "xiangqi";
    const SIDES: [&'static str; 2] = ["red", "black"];

    fn start() -> Self {
        let mut position = Position::empty();
        for (square, piece) in initial_pieces() {
            position.put(square, piece);
        }
        Self { position, quiet_plies: 0, repeatable_plies: 0, plies_before: 0, past: Vec::new() }
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.position.turn()
    }

    fn legal_moves(&self, out: &mut Vec<Move>) {
        self.position.legal_moves(Squares::BOARD, out);
    }

    fn count_legal_moves(&self) -> usize {
        self.position.count_legal_moves()
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let key = self.position.key();
        let captured = self.position.make(mv);
        let (quiet_plies, repeatable_plies) = (self.quiet_plies, self.repeatable_plies);
        self.past.push(Past { key, mv, quiet_plies, repeatable_plies, captured });
        self.quiet_plies = if captured == 0 { quiet_plies.saturating_add(1) } else { 0 };
        self.repeatable_plies = if self.is_irreversible(mv, captured) { 0 } else { repeatable_plies.saturating_add(1) };
    }

    #[inline]
    #[allow(clippy::expect_used, reason = "the trait documents this panic")]
    fn undo(&mut self) {
        let past = self.past.pop().expect("undo without a move made");
        self.position.unmake(past.mv, past.captured, past.key);
        self.quiet_plies = past.quiet_plies;
        self.repeatable_plies = past.repeatable_plies;
    }

    #[inline]
    fn key(&self) -> u64 {
        self.position.key()
    }

    fn conditions(&self) -> String {
        if self.quiet_plies == 0 { String::new() } else { self.quiet_plies.to_string() }
    }

    fn plies(&self) -> usize {
        self.past.len()
    }

    fn end_by_history(&self) -> Option<End> {
        // Mate and stalemate come before what ends a game by its history; a repeated position was moved in before.
        let may_move = || self.count_legal_moves() > 0;
        if self.position.is_harmless() && may_move() {
            return Some(End { outcome: Outcome::Draw, reason: "insufficient material" });
        }
        if let Some(span) = self.occurrences(usize::MAX).nth(1) {
            return Some(self.judge_last(span));
        }
        (self.quiet_plies >= QUIET_PLIES && may_move())
            .then_some(End { outcome: Outcome::Draw, reason: "120 plies without capture" })
    }

    fn end(&self) -> Option<End> {
        if self.count_legal_moves() > 0 {
            return self.end_by_history();
        }
        let reason = if self.in_check() { "checkmate" } else { "stalemate" };
        Some(End { outcome: Outcome::Win(self.side_to_move().other()), reason })
    }
}

impl Notation for Xiangqi {
    const NOTATIONS: &'static [&'static str] = MoveNotation::NAMES;
    const LOOKALIKE: Option<usize> = Some(MoveNotation::UCI);

    /// Reads a FEN. Horses may be `N` or `H`, elephants `B` or `E`, the side to move `w`, `r` or `b`; fields after the
    /// side to move may be missing.
    fn from_notation(text: &str) -> Result<Self, PositionError> {
        let Setup { position, quiet_plies, move_number } = fen::parse(text)?;
        let plies_before = 2 * u64::from(move_number.saturating_sub(1)) + position.turn() as u64;
        Ok(Self { position, quiet_plies, repeatable_plies: 0, plies_before, past: Vec::new() })
    }

    fn notation(&self) -> String {
        let move_number = (self.plies_before + self.past.len() as u64) / 2 + 1;
        let move_number = u32::try_from(move_number).unwrap_or(u32::MAX);
        fen::write(&Setup { position: self.position, quiet_plies: self.quiet_plies, move_number })
    }

    /// Reads ICCS, WXF and Chinese notation, whichever the text has the shape of, and coordinates with ranks 1 to 10 where a
    /// rank 10 leaves no doubt; see [`MoveNotation`].
    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        self.read_move(text)
    }

    fn parse_move_in(&self, text: &str, notation: usize) -> Result<Move, MoveError> {
        MoveNotation::ALL
            .get(notation)
            .map_or_else(|| self.read_move(text), |&notation| self.read_move_in(text, notation))
    }

    fn write_move(&self, mv: Move, notation: usize, out: &mut String) {
        self.write_move_in(mv, MoveNotation::ALL.get(notation).copied().unwrap_or(MoveNotation::Iccs), out);
    }
}

impl SearchHints for Xiangqi {
    const MOVE_SLOTS: usize = SQUARES * SQUARES;

    fn noisy_moves(&self, out: &mut Vec<Move>) {
        self.position.legal_moves(self.side(self.side_to_move().other()), out);
    }

    fn quiet_moves(&self, out: &mut Vec<Move>) {
        self.position.legal_moves(Squares::BOARD & !self.occupied(), out);
    }

    fn quiet_checks(&self, out: &mut Vec<Move>) {
        self.position.quiet_checks(out);
    }

    fn in_check(&self) -> bool {
        self.position.in_check()
    }

    fn gives_check(&self, mv: Move) -> bool {
        self.position.gives_check(mv)
    }

    /// In points: rook 600, cannon 285, horse 270, advisor 125, elephant 120, pawn 60 and beyond the river 120. Captures that
    /// would leave the own king in check are no part of the exchange.
    fn see_at_least(&self, mv: Move, least: i32) -> bool {
        self.position.exchange_at_least(mv, least)
    }

    fn noise_of(&self, mv: Move) -> i32 {
        match (self.piece_at(mv.from()), self.piece_at(mv.to())) {
            (Some(attacker), Some(victim)) => 16 * rough_value(victim.role()) - rough_value(attacker.role()),
            _ => 0,
        }
    }

    #[inline]
    fn move_slot(mv: Move) -> usize {
        mv.slot()
    }

    fn move_in_slot(&self, slot: usize) -> Option<Move> {
        let mv = Move::new(slot / SQUARES, slot % SQUARES);
        (slot < Self::MOVE_SLOTS && self.position.is_legal(mv)).then_some(mv)
    }

    fn pass(&mut self) -> bool {
        if self.in_check() {
            return false;
        }
        let (quiet_plies, repeatable_plies) = (self.quiet_plies, self.repeatable_plies);
        self.past.push(Past { key: self.key(), mv: Move::PASS, quiet_plies, repeatable_plies, captured: 0 });
        self.position.pass();
        self.quiet_plies = quiet_plies.saturating_add(1);
        self.repeatable_plies = 0;
        true
    }

    /// With fewer than two pieces that cross the river at their own pace.
    fn is_prone_to_zugzwang(&self) -> bool {
        let us = self.side_to_move();
        let strong = [Role::Rook, Role::Horse, Role::Cannon].map(|role| self.pieces(us, role).len());
        strong.into_iter().sum::<usize>() < 2
    }

    fn cycle_end(&self, within: usize) -> Option<End> {
        self.occurrences(within).next().map(|span| self.judge_last(span))
    }
}

impl std::fmt::Debug for Xiangqi {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Xiangqi({}; {} plies made)", self.notation(), self.past.len())
    }
}

/// The order of the roles by value, for ordering captures only: victims far apart, attackers within 16.
const fn rough_value(role: Role) -> i32 {
    [15, 2, 2, 4, 10, 5, 1][role as usize]
}

/// The pieces of the initial position with their points.
fn initial_pieces() -> impl Iterator<Item = (usize, Piece)> {
    use Role::{Advisor, Cannon, Elephant, Horse, King, Pawn, Rook};
    let back = [Rook, Horse, Elephant, Advisor, King, Advisor, Elephant, Horse, Rook].into_iter().enumerate();
    let cannons = [(19, Cannon), (25, Cannon)];
    let pawns = [27, 29, 31, 33, 35].map(|square| (square, Pawn));
    back.chain(cannons).chain(pawns).flat_map(|(square, role)| {
        let mirrored = SQUARES - FILES - square / FILES * FILES + square % FILES;
        [(square, Piece::new(Side::First, role)), (mirrored, Piece::new(Side::Second, role))]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_initial_position_is_the_one_its_fen_describes() {
        let start = Xiangqi::start();
        assert_eq!(start.notation(), fen::START);
        assert_eq!(Xiangqi::from_notation(fen::START).unwrap().key(), start.key());
        assert_eq!(start.count_legal_moves(), 44);
    }

    #[test]
    fn mate_comes_before_the_end_of_quiet_plies() {
        let mut game = Xiangqi::from_notation("3k5/9/9/9/9/9/9/9/R8/1R2K4 w - - 119 80").unwrap();
        game.play(game.parse_move("b0d0").unwrap());
        assert!(game.end_by_history().is_none());
        assert_eq!(game.end().map(|end| end.reason), Some("checkmate"));
        game.undo();
        game.play(game.parse_move("b0b1").unwrap());
        assert_eq!(game.end_by_history().map(|end| end.outcome), Some(Outcome::Draw));
    }

    #[test]
    fn captures_and_advances_of_pawns_end_what_can_be_repeated() {
        let mut game = Xiangqi::start();
        let plies =
            [("a0a1", 1), ("h9g7", 2), ("h2e2", 3), ("g7h9", 4), ("e2e6", 0), ("h9g7", 1), ("a3a4", 0), ("g7h9", 1)];
        for (text, repeatable) in plies {
            game.play(game.parse_move(text).unwrap());
            assert_eq!(game.repeatable_plies, repeatable, "{text}");
        }
        let mut sideways = Xiangqi::from_notation("4k4/9/9/9/P8/9/9/9/9/3K5 w").unwrap();
        sideways.play(sideways.parse_move("a5b5").unwrap());
        assert_eq!(sideways.repeatable_plies, 1);
    }
}
