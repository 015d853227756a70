//! Pieces: their roles, sides, letters, and the code that stands for them on the board.

use super::squares::Squares;
use super::tables::PLACES;
use crate::game::Side;

/// What a piece is, whoever owns it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The general (帥 將).
    King,
    /// The guard that stays on the diagonals of the palace (仕 士).
    Advisor,
    /// The elephant, which never crosses the river (相 象).
    Elephant,
    /// The horse, blocked by a piece on its leg (馬).
    Horse,
    /// The chariot (車).
    Rook,
    /// The cannon, which captures over exactly one screen (炮).
    Cannon,
    /// The soldier (兵 卒).
    Pawn,
}

/// Fixed piece values of S3 (e1), by role: K 6000, A 125, E 120, H 270, R 600, C 285, P 20.
pub const PIECE_VALUES: [i32; 7] = [6000, 125, 120, 270, 600, 285, 20];

impl Role {
    /// Every role, in the order of the piece codes.
    pub const ALL: [Self; 7] =
        [Self::King, Self::Advisor, Self::Elephant, Self::Horse, Self::Rook, Self::Cannon, Self::Pawn];

    /// How many pieces of this role one side of a set has.
    pub const fn per_side(self) -> usize {
        [1, 2, 2, 2, 2, 2, 5][self as usize]
    }

    /// The upper-case letter of FEN: `K A B N R C P`.
    pub const fn letter(self) -> char {
        ['K', 'A', 'B', 'N', 'R', 'C', 'P'][self as usize]
    }

    /// The role that a letter of either case stands for; horses are `N` or `H`, elephants `B` or `E`.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_uppercase() {
            'K' => Self::King,
            'A' => Self::Advisor,
            'B' | 'E' => Self::Elephant,
            'N' | 'H' => Self::Horse,
            'R' => Self::Rook,
            'C' => Self::Cannon,
            'P' => Self::Pawn,
            _ => return None,
        })
    }

    /// The English name, lower case.
    pub const fn name(self) -> &'static str {
        ["king", "advisor", "elephant", "horse", "rook", "cannon", "pawn"][self as usize]
    }
}

/// A piece of one side.
///
/// Its code, as it stands on the board: 1..=7 Red's king, advisor, elephant, horse, rook, cannon, pawn;
/// 8..=14 Black's in the same order. 0 is an empty point and no piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece(u8);

impl Piece {
    /// The piece of `side` with `role`.
    pub const fn new(side: Side, role: Role) -> Self {
        Self(1 + role as u8 + 7 * side as u8)
    }

    /// The piece that `code` stands for; `None` for 0 and codes above 14.
    pub const fn from_code(code: u8) -> Option<Self> {
        if matches!(code, 1..=14) { Some(Self(code)) } else { None }
    }

    /// The code on the board, 1 to 14.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// The owner.
    pub const fn side(self) -> Side {
        if self.0 < 8 { Side::First } else { Side::Second }
    }

    /// What the piece is.
    pub const fn role(self) -> Role {
        Role::ALL[((self.0 - 1) % 7) as usize]
    }

    /// Whether the piece can stand on `square`, a number below 90, in any position.
    pub const fn may_stand_on(self, square: usize) -> bool {
        Squares(PLACES[self.0 as usize]).contains(square)
    }

    /// The letter of FEN: upper case for Red, lower case for Black.
    pub const fn letter(self) -> char {
        match self.side() {
            Side::First => self.role().letter(),
            Side::Second => self.role().letter().to_ascii_lowercase(),
        }
    }

    /// The piece that a letter of FEN stands for.
    pub const fn from_letter(letter: char) -> Option<Self> {
        let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
        match Role::from_letter(letter) {
            Some(role) => Some(Self::new(side, role)),
            None => None,
        }
    }
}

impl std::fmt::Debug for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_letters_stand_for_the_same_pieces() {
        for code in 1..=14 {
            let piece = Piece::from_code(code).unwrap();
            assert_eq!(Piece::new(piece.side(), piece.role()), piece);
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
        }
        assert_eq!(Piece::from_code(0), None);
        assert_eq!(Piece::from_code(15), None);
        assert_eq!(Piece::from_letter('x'), None);
        assert_eq!(Piece::from_letter('h'), Piece::from_letter('n'));
        assert_eq!(Piece::from_letter('E'), Piece::from_letter('B'));
    }
}
