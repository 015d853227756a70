//! Static exchange evaluation: what a capture is worth once both sides have taken back on the same point as long as it
//! pays them.

use super::danger::{Screens, screens};
use super::generate::{MARGIN, elephant_targets};
use super::moves::Move;
use super::piece::{Piece, Role};
use super::position::Position;
use super::squares::Squares;
use super::tables::{ADVISOR, BETWEEN, CROSS, HORSE, KING, PAWN_ATTACKERS, has_crossed, horse_leg};
use crate::game::Side;

/// The order in which a side's pieces join an exchange: the cheapest first, and of equal ones that on the lowest point.
const ORDER: [Role; 7] = [Role::Pawn, Role::Elephant, Role::Advisor, Role::Horse, Role::Cannon, Role::Rook, Role::King];

/// What a piece is worth in an exchange on `square`, in points.
const fn worth(piece: Piece, square: usize) -> i32 {
    match piece.role() {
        Role::King => 6000,
        Role::Rook => 600,
        Role::Cannon => 285,
        Role::Horse => 270,
        Role::Advisor => 125,
        Role::Elephant => 120,
        Role::Pawn => {
            if has_crossed(piece.side(), square) {
                120
            } else {
                60
            }
        }
    }
}

impl Position {
    fn worth_at(&self, from: usize, square: usize) -> i32 {
        Piece::from_code(self.board()[from]).map_or(0, |piece| worth(piece, square))
    }

    /// Whether the exchange that the legal move `mv` begins wins the side to move at least `least` points.
    pub(crate) fn exchange_at_least(&self, mv: Move, least: i32) -> bool {
        let (us, to) = (self.turn(), mv.to());
        let mut exchange = Exchange::after(self, mv);
        let mut holder = us;
        // How far the holder, who captured last, is above what he needs if the exchange ends now: `us` needs `least`, the
        // opponent needs `us` to get less.
        let mut margin = self.worth_at(to, to) - least;
        let mut stake = self.worth_at(mv.from(), to);
        while (0..stake).contains(&margin) {
            let Some(from) = exchange.capture(holder.other()) else { return holder == us };
            holder = holder.other();
            margin = stake - 1 - margin;
            stake = self.worth_at(from, to);
        }
        (holder == us) == (margin >= 0)
    }
}

/// An exchange on one point under way.
struct Exchange<'a> {
    position: &'a Position,
    /// The point on which the pieces capture each other.
    square: usize,
    /// The filled points at this stage.
    occupied: Squares,
    /// The points whose pieces, as the position has them, are gone: captured, or moved to `square`.
    gone: Squares,
}

impl<'a> Exchange<'a> {
    /// The exchange after its first move.
    fn after(position: &'a Position, mv: Move) -> Self {
        let (from, to) = (Squares::of(mv.from()), Squares::of(mv.to()));
        let occupied = (position.occupied() & !from) | to;
        Self { position, square: mv.to(), occupied, gone: from | to }
    }

    /// Captures on the point with the first piece of `side` in [`ORDER`] that can legally do so, and tells where it stood.
    fn capture(&mut self, side: Side) -> Option<usize> {
        let from = ORDER.into_iter().find_map(|role| {
            let candidates = self.position.pieces(side, role) & !self.gone & self.reach(side, role);
            candidates.into_iter().find(|&from| self.attacks(role, from) && self.is_legal(side, role, from))
        })?;
        self.occupied = self.occupied & !Squares::of(from);
        self.gone = self.gone | Squares::of(from);
        Some(from)
    }

    /// The points from which a piece may attack the point, as far as the pieces between leave it the way.
    #[inline(always)]
    fn reach(&self, side: Side, role: Role) -> Squares {
        Squares(match role {
            Role::Pawn => PAWN_ATTACKERS[side.other().index()][self.square],
            Role::Elephant => elephant_targets(self.square, self.occupied.0 << MARGIN).0,
            Role::Advisor => ADVISOR[self.square],
            Role::Horse => HORSE[self.square][0],
            Role::Rook | Role::Cannon => CROSS[self.square],
            Role::King => KING[self.square],
        })
    }

    /// Whether the pieces between leave a piece on `from`, within [`Exchange::reach`], the way.
    #[inline(always)]
    fn attacks(&self, role: Role, from: usize) -> bool {
        let between = || Squares(BETWEEN[self.square][from]) & self.occupied;
        match role {
            Role::Horse => !self.occupied.contains(horse_leg(from, self.square)),
            Role::Rook => between().is_empty(),
            Role::Cannon => matches!(screens(between()), Screens::One),
            _ => true,
        }
    }

    /// Whether the king of `side` is out of check after the capture from `from`.
    #[inline(always)]
    fn is_legal(&self, side: Side, role: Role, from: usize) -> bool {
        let king = if role == Role::King { self.square } else { self.position.king(side) };
        let (occupied, gone) = (self.occupied & !Squares::of(from), self.gone | Squares::of(from));
        !self.position.attacks_king(side, king, occupied, gone)
    }
}
