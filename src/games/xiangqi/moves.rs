//! Moves and their notations by coordinates.

use std::fmt::{self, Write};

use super::squares::{SQUARES, file_of, parse_square, rank_of};

/// A move: the point a piece leaves and the point it goes to.
///
/// Shown in ICCS notation, `h2e2`. Ordered by origin, then destination.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// No move at all: what the past holds of a turn that was passed.
    pub(super) const PASS: Self = Self(0);

    /// The move from point `from` to point `to`, both below 90.
    #[inline(always)]
    pub const fn new(from: usize, to: usize) -> Self {
        Self((from << 8 | to) as u16)
    }

    /// The point the piece leaves.
    #[inline(always)]
    pub const fn from(self) -> usize {
        (self.0 >> 8) as usize
    }

    /// The point the piece goes to.
    #[inline(always)]
    pub const fn to(self) -> usize {
        (self.0 & 0xFF) as usize
    }

    /// A number below 8100 that only this move has.
    #[inline(always)]
    pub const fn slot(self) -> usize {
        self.from() * SQUARES + self.to()
    }

    /// Reads ICCS notation: `h2e2`, `H2-E2`. Says nothing about legality.
    pub fn parse(text: &str) -> Option<Self> {
        let (from, to) = text.split_once('-').or_else(|| text.split_at_checked(2))?;
        Some(Self::new(parse_square(from)?, parse_square(to)?))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Games are written by the million: no allocation, no number formatting.
        [self.from(), self.to()].into_iter().try_for_each(|square| {
            f.write_char(char::from(b'a' + file_of(square) as u8))?;
            f.write_char(char::from(b'0' + rank_of(square) as u8))
        })
    }
}

debug_as_written!(Move);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iccs_notation_is_read_in_both_spellings() {
        assert_eq!(Move::parse("h2e2"), Some(Move::new(25, 22)));
        assert_eq!(Move::parse("H2-E2"), Some(Move::new(25, 22)));
        assert_eq!(Move::new(25, 22).to_string(), "h2e2");
        for bad in ["", "h2", "h2e", "h2e22", "h2--e2", "h2e10", "兵兵", "é2e2"] {
            assert_eq!(Move::parse(bad), None, "{bad}");
        }
    }
}
