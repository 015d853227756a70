//! Move generation from the preset tables.

use super::danger::Danger;
use super::moves::Move;
use super::piece::{Piece, Role};
use super::position::{Position, spread_rank};
use super::squares::{Squares, file_of, rank_of};
use super::tables::{ADVISOR, ELEPHANT, FILE_LINES, FILE_SPREAD, HORSE, KING, Line, PAWN, RANK_LINES};
use crate::game::Side;

/// Room that the tables' legs and eyes need below point 0.
pub const MARGIN: usize = 10;

impl Position {
    /// Calls `visit` with each piece of the side to move and its legal destinations among `within`.
    /// Pieces that need no legality test come first, then those that do, then the king.
    #[inline(always)]
    pub(crate) fn visit_legal(&self, within: Squares, mut visit: impl FnMut(usize, Squares)) {
        let danger = self.danger(self.turn());
        self.visit_free(&danger, within, &mut visit);
        self.visit_restricted(&danger, within, &mut visit);
    }

    /// The part of [`Position::visit_legal`] for pieces whose leaving cannot expose the king.
    #[inline(always)]
    pub(crate) fn visit_free(&self, danger: &Danger, within: Squares, visit: &mut impl FnMut(usize, Squares)) {
        let free = self.side(self.turn()) & !danger.critical;
        if danger.checkers.is_empty() {
            let allowed = within & !danger.forbidden;
            self.visit_pieces(free, |from, targets| visit(from, targets & allowed));
        } else {
            // Evasions, by capture of the checker, block, or a second screen before a cannon. Those of the king and of critical
            // pieces come from `visit_restricted`.
            self.visit_tested(free, within & danger.resolving, visit);
        }
    }

    /// The part of [`Position::visit_legal`] for critical pieces and the king.
    #[inline(always)]
    pub(crate) fn visit_restricted(&self, danger: &Danger, within: Squares, visit: &mut impl FnMut(usize, Squares)) {
        let critical = danger.critical & self.side(self.turn());
        if !critical.is_empty() {
            self.visit_tested(critical, within, visit);
        }
        let king = self.king(self.turn());
        let steps = Squares(KING[king]) & !self.side(self.turn()) & within;
        visit(king, self.unexposing(king, steps));
    }

    /// Calls `visit` with each of `pieces`, which belong to the side to move, and where the rules of its movement let
    /// it go. Kings are left out.
    #[inline(always)]
    fn visit_pieces(&self, pieces: Squares, mut visit: impl FnMut(usize, Squares)) {
        let us = self.turn();
        let open = !self.side(us);
        let padded = self.occupied().0 << MARGIN;
        let own = |role| self.pieces(us, role) & pieces;
        for from in own(Role::Rook) {
            visit(from, self.along_lines(us, from, Line::rook));
        }
        for from in own(Role::Cannon) {
            visit(from, self.along_lines(us, from, Line::cannon));
        }
        for from in own(Role::Horse) {
            visit(from, horse_targets(from, padded) & open);
        }
        for from in own(Role::Pawn) {
            visit(from, Squares(PAWN[us.index()][from]) & open);
        }
        for from in own(Role::Advisor) {
            visit(from, Squares(ADVISOR[from]) & open);
        }
        for from in own(Role::Elephant) {
            visit(from, elephant_targets(from, padded) & open);
        }
    }

    /// As [`Position::visit_pieces`], with a test of every destination.
    #[inline(never)]
    fn visit_tested(&self, pieces: Squares, within: Squares, visit: &mut impl FnMut(usize, Squares)) {
        self.visit_pieces(pieces, |from, targets| visit(from, self.unexposing(from, targets & within)));
    }

    /// Those of `targets` that the piece on `from` can go to without leaving its own king in check.
    #[inline(always)]
    fn unexposing(&self, from: usize, targets: Squares) -> Squares {
        let mut safe = Squares::EMPTY;
        for to in targets {
            if self.is_safe(from, to) {
                safe = safe | Squares::of(to);
            }
        }
        safe
    }

    /// Whether the king of the side to move is out of check once its piece on `from` has gone to `to`.
    #[inline(always)]
    fn is_safe(&self, from: usize, to: usize) -> bool {
        let us = self.turn();
        let king = if from == self.king(us) { to } else { self.king(us) };
        let occupied = (self.occupied() & !Squares::of(from)) | Squares::of(to);
        !self.attacks_king(us, king, occupied, Squares::of(to))
    }

    /// The destinations of a rook or cannon of `us`.
    #[inline(always)]
    pub(crate) fn along_lines(&self, us: Side, from: usize, reach: impl Fn(Line, u16) -> u16) -> Squares {
        let (file, rank) = (file_of(from), rank_of(from));
        let (filled, enemy) = self.rank_line(us, rank);
        let along_rank = reach(RANK_LINES[file][usize::from(filled) & 511], enemy);
        let (filled, enemy) = self.file_line(us, file);
        let along_file = reach(FILE_LINES[rank][usize::from(filled) & 1023], enemy);
        spread_rank(along_rank, rank) | Squares(FILE_SPREAD[usize::from(along_file) & 1023] << file)
    }

    /// Where the rules of its movement let the piece on `from` go, whether or not that exposes its own king;
    /// empty for an empty point.
    pub fn targets(&self, from: usize) -> Squares {
        let Some(piece) = Piece::from_code(self.board()[from]) else { return Squares::EMPTY };
        let us = piece.side();
        let padded = self.occupied().0 << MARGIN;
        let reached = match piece.role() {
            Role::King => Squares(KING[from]),
            Role::Advisor => Squares(ADVISOR[from]),
            Role::Elephant => elephant_targets(from, padded),
            Role::Horse => horse_targets(from, padded),
            Role::Rook => self.along_lines(us, from, Line::rook),
            Role::Cannon => self.along_lines(us, from, Line::cannon),
            Role::Pawn => Squares(PAWN[us.index()][from]),
        };
        reached & !self.side(us)
    }

    /// Appends the legal moves to points of `within`.
    pub fn legal_moves(&self, within: Squares, out: &mut Vec<Move>) {
        self.visit_legal(within, |from, targets| targets.for_each(|to| out.push(Move::new(from, to))));
    }

    /// Whether `mv`, any two points of the board, is legal.
    pub(crate) fn is_legal(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        self.side(self.turn()).contains(from) && self.targets(from).contains(to) && self.is_safe(from, to)
    }
}

/// A horse's jumps, its own pieces not yet taken out. `padded` is the filled points, shifted up by [`MARGIN`].
#[inline(always)]
pub(crate) fn horse_targets(from: usize, padded: u128) -> Squares {
    let around = (padded >> (from + MARGIN - 9)) as usize;
    let legs = (around & 1) | (around >> 8 & 5) << 1 | (around >> 18 & 1) << 2;
    Squares(HORSE[from][legs])
}

/// An elephant's steps, its own pieces not yet taken out. `padded` as for [`horse_targets`].
#[inline(always)]
pub(crate) fn elephant_targets(from: usize, padded: u128) -> Squares {
    let around = (padded >> (from + MARGIN - 10)) as usize;
    Squares(ELEPHANT[from][(around & 5) | (around >> 18 & 5) << 1])
}
