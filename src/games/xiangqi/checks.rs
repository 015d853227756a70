//! Moves that give check.
//!
//! A quiet move gives check in three ways: its piece arrives where it attacks the king, it arrives before a cannon that
//! lacks a screen, or it leaves a line or a leg that it blocked.

use super::danger::{Screens, screens};
use super::moves::Move;
use super::piece::{Piece, Role};
use super::position::{Position, spread_rank};
use super::squares::{Squares, file_of, rank_of};
use super::tables::{BETWEEN, CROSS, FILE_BEYOND, FILE_SPREAD, HORSE, Line, PAWN_ATTACKERS, RANK_BEYOND, horse_leg};
use crate::game::Side;

/// Where the quiet moves of a side give check to the other's king.
struct Aim {
    /// By role: the empty points from which a piece attacks the king.
    direct: [Squares; Role::ALL.len()],
    /// Points on which any piece becomes the screen of a cannon.
    screening: Squares,
    /// Pieces whose leaving may discover a check, and cannons that lack a screen: their moves are tried one by one.
    uncertain: Squares,
}

impl Position {
    /// Whether the legal move `mv` gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        let them = self.turn().other();
        let (from, to) = (Squares::of(mv.from()), Squares::of(mv.to()));
        let occupied = (self.occupied() & !from) | to;
        let king = self.king(them);
        self.attacks_king(them, king, occupied, from)
            || Piece::from_code(self.board()[mv.from()]).is_some_and(|piece| strikes(piece, mv.to(), king, occupied))
    }

    /// Appends the legal moves that capture nothing and give check.
    pub fn quiet_checks(&self, out: &mut Vec<Move>) {
        let aim = self.aim();
        self.visit_legal(Squares::BOARD & !self.occupied(), |from, targets| {
            let add = |to| out.push(Move::new(from, to));
            if aim.uncertain.contains(from) {
                targets.into_iter().filter(|&to| self.gives_check(Move::new(from, to))).for_each(add);
            } else {
                let role = Piece::from_code(self.board()[from]).map_or(Role::King, Piece::role);
                (targets & (aim.direct[role as usize] | aim.screening)).for_each(add);
            }
        });
    }

    fn aim(&self) -> Aim {
        let (us, them) = (self.turn(), self.turn().other());
        let king = self.king(them);
        let danger = self.danger(them);
        let cannons = self.pieces(us, Role::Cannon) & Squares(CROSS[king]);
        let bare = cannons.into_iter().filter(|&at| (Squares(BETWEEN[king][at]) & self.occupied()).is_empty());
        let bare = bare.fold(Squares::EMPTY, |set, at| set | Squares::of(at));
        Aim {
            direct: self.points_of_check(them, king),
            screening: danger.forbidden,
            uncertain: (danger.critical & self.side(us)) | bare,
        }
    }

    /// The empty points from which a piece of each role would attack the king of `them` on `king`.
    fn points_of_check(&self, them: Side, king: usize) -> [Squares; Role::ALL.len()] {
        let mut points = [Squares::EMPTY; Role::ALL.len()];
        let jumps = Squares(HORSE[king][0]);
        let free_jumps = jumps.into_iter().filter(|&from| !self.occupied().contains(horse_leg(from, king)));
        points[Role::Horse as usize] = free_jumps.fold(Squares::EMPTY, |set, from| set | Squares::of(from));
        points[Role::Rook as usize] = self.along_lines(them, king, |line, _| Line::rook(line, 0));
        points[Role::Cannon as usize] = self.beyond_one_piece(king);
        points[Role::Pawn as usize] = Squares(PAWN_ATTACKERS[them.index()][king]);
        points
    }

    /// The empty points of the rank and the file of `square` that lie behind exactly one piece.
    fn beyond_one_piece(&self, square: usize) -> Squares {
        let (file, rank) = (file_of(square), rank_of(square));
        let along_rank = RANK_BEYOND[file][usize::from(self.rank_line(Side::First, rank).0) & 511];
        let along_file = FILE_BEYOND[rank][usize::from(self.file_line(Side::First, file).0) & 1023];
        spread_rank(along_rank, rank) | Squares(FILE_SPREAD[usize::from(along_file) & 1023] << file)
    }
}

/// Whether `piece`, standing on `from`, attacks the enemy king on `king` when the filled points are `occupied`. Kings never
/// do: a legal move does not make them face each other.
#[inline(always)]
fn strikes(piece: Piece, from: usize, king: usize, occupied: Squares) -> bool {
    let between = || Squares(BETWEEN[king][from]) & occupied;
    match piece.role() {
        Role::Pawn => PAWN_ATTACKERS[piece.side().other().index()][king] >> from & 1 == 1,
        Role::Horse => HORSE[king][0] >> from & 1 == 1 && !occupied.contains(horse_leg(from, king)),
        Role::Rook => CROSS[king] >> from & 1 == 1 && between().is_empty(),
        Role::Cannon => CROSS[king] >> from & 1 == 1 && matches!(screens(between()), Screens::One),
        Role::King | Role::Advisor | Role::Elephant => false,
    }
}
