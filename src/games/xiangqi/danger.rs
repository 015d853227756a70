//! Check, and which pieces and points matter to the safety of a king.
//!
//! Most moves cannot expose their own king. [`Danger`] says which ones might, so that only those are tested.

use super::piece::Role;
use super::position::Position;
use super::squares::Squares;
use super::tables::{BETWEEN, CROSS, HORSE, PAWN_ATTACKERS, horse_leg};
use crate::game::Side;

/// What threatens the king of one side. Read by its owner it says which moves are unsafe, read by the opponent where a
/// discovered check may come from.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Danger {
    /// Enemy pieces that give check.
    pub checkers: Squares,
    /// In check: the points where a piece that is not critical may answer it, by capture, block or second screen.
    pub resolving: Squares,
    /// Pieces of either side whose leaving may expose the king: pins, cannon screens, horse legs, between facing kings.
    pub critical: Squares,
    /// Points before an enemy cannon that has no screen: whatever steps there becomes one.
    pub forbidden: Squares,
}

/// How many pieces stand on a line, as far as it matters.
pub(crate) enum Screens {
    /// The line is free.
    None,
    /// One piece: a screen.
    One,
    /// Two pieces.
    Two,
    /// Three or more.
    More,
}

/// How many pieces there are in `between`, the filled points of a line.
#[inline(always)]
pub const fn screens(between: Squares) -> Screens {
    if between.is_empty() {
        Screens::None
    } else if between.rest().is_empty() {
        Screens::One
    } else if between.rest().rest().is_empty() {
        Screens::Two
    } else {
        Screens::More
    }
}

impl Position {
    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        let us = self.turn();
        self.attacks_king(us, self.king(us), self.occupied(), Squares::EMPTY)
    }

    /// Whether the opponent of `us` would attack a king of `us` standing on `square`, were the board filled as
    /// `occupied` says and the pieces on `absent` gone. `square` itself counts neither as filled nor as empty.
    #[inline(always)]
    pub(crate) fn attacks_king(&self, us: Side, square: usize, occupied: Squares, absent: Squares) -> bool {
        let them = us.other();
        let pawns = self.pieces(them, Role::Pawn) & Squares(PAWN_ATTACKERS[us.index()][square]);
        if !(pawns & !absent).is_empty() {
            return true;
        }
        let mut horses = self.pieces(them, Role::Horse) & Squares(HORSE[square][0]) & !absent;
        while !horses.is_empty() {
            if !occupied.contains(horse_leg(horses.first(), square)) {
                return true;
            }
            horses = horses.rest();
        }
        self.attacks_along_lines(them, square, occupied, absent)
    }

    #[inline(always)]
    fn attacks_along_lines(&self, them: Side, square: usize, occupied: Squares, absent: Squares) -> bool {
        let cross = Squares(CROSS[square]) & !absent;
        let mut rooks = (self.pieces(them, Role::Rook) | self.pieces(them, Role::King)) & cross;
        while !rooks.is_empty() {
            if (Squares(BETWEEN[square][rooks.first()]) & occupied).is_empty() {
                return true;
            }
            rooks = rooks.rest();
        }
        let mut cannons = self.pieces(them, Role::Cannon) & cross;
        while !cannons.is_empty() {
            if let Screens::One = screens(Squares(BETWEEN[square][cannons.first()]) & occupied) {
                return true;
            }
            cannons = cannons.rest();
        }
        false
    }

    /// What threatens the king of `us`.
    #[inline(always)]
    pub(crate) fn danger(&self, us: Side) -> Danger {
        let king = self.king(us);
        let mut danger = Danger::default();
        let pawns = self.pieces(us.other(), Role::Pawn) & Squares(PAWN_ATTACKERS[us.index()][king]);
        danger.checkers = pawns;
        danger.resolving = pawns;
        self.danger_from_horses(us, king, &mut danger);
        self.danger_from_rooks(us, king, &mut danger);
        self.danger_from_cannons(us, king, &mut danger);
        danger
    }

    #[inline(always)]
    fn danger_from_horses(&self, us: Side, king: usize, danger: &mut Danger) {
        let mut horses = self.pieces(us.other(), Role::Horse) & Squares(HORSE[king][0]);
        while !horses.is_empty() {
            let horse = horses.first();
            let leg = Squares::of(horse_leg(horse, king));
            if (leg & self.occupied()).is_empty() {
                danger.checkers = danger.checkers | Squares::of(horse);
                danger.resolving = danger.resolving | Squares::of(horse) | leg;
            } else {
                danger.critical = danger.critical | leg;
            }
            horses = horses.rest();
        }
    }

    #[inline(always)]
    fn danger_from_rooks(&self, us: Side, king: usize, danger: &mut Danger) {
        let them = us.other();
        let cross = Squares(CROSS[king]);
        let mut rooks = (self.pieces(them, Role::Rook) | self.pieces(them, Role::King)) & cross;
        while !rooks.is_empty() {
            let rook = rooks.first();
            let path = Squares(BETWEEN[king][rook]);
            let filled = path & self.occupied();
            match screens(filled) {
                Screens::None => {
                    danger.checkers = danger.checkers | Squares::of(rook);
                    danger.resolving = danger.resolving | Squares::of(rook) | path;
                }
                Screens::One => danger.critical = danger.critical | filled,
                Screens::Two | Screens::More => {}
            }
            rooks = rooks.rest();
        }
    }

    #[inline(always)]
    fn danger_from_cannons(&self, us: Side, king: usize, danger: &mut Danger) {
        let mut cannons = self.pieces(us.other(), Role::Cannon) & Squares(CROSS[king]);
        while !cannons.is_empty() {
            let cannon = cannons.first();
            let path = Squares(BETWEEN[king][cannon]);
            let filled = path & self.occupied();
            match screens(filled) {
                Screens::None => danger.forbidden = danger.forbidden | path,
                Screens::One => {
                    danger.checkers = danger.checkers | Squares::of(cannon);
                    danger.resolving = danger.resolving | Squares::of(cannon) | path;
                    danger.critical = danger.critical | filled;
                }
                Screens::Two => danger.critical = danger.critical | filled,
                Screens::More => {}
            }
            cannons = cannons.rest();
        }
    }
}
