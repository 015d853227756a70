//! What is left on the board.

use super::piece::Role;
use super::position::Position;
use super::squares::Squares;
use crate::game::Side;

impl Position {
    /// Whether neither side has a piece that can cross the river: kings, advisors and elephants give no check, so that
    /// nobody can win but by a blunder into stalemate.
    #[inline]
    pub fn is_harmless(&self) -> bool {
        let crossing = |side| {
            let [rooks, horses, cannons, pawns] =
                [Role::Rook, Role::Horse, Role::Cannon, Role::Pawn].map(|role| self.pieces(side, role));
            rooks | horses | cannons | pawns
        };
        crossing(Side::First) | crossing(Side::Second) == Squares::EMPTY
    }
}
