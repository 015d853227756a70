//! Moves and their notation.

use std::fmt;

use super::points::{POINTS, parse_point, point_name};

/// A move of a piece from one point to another. Whether it captures is asked of the position: two ways to one point are
/// one move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    from: u8,
    to: u8,
}

impl Move {
    /// The move from one point to another, both below 36.
    pub const fn new(from: usize, to: usize) -> Self {
        Self { from: from as u8, to: to as u8 }
    }

    /// The point that the piece leaves.
    pub const fn from(self) -> usize {
        self.from as usize
    }

    /// The point that the piece goes to.
    pub const fn to(self) -> usize {
        self.to as usize
    }

    /// A number below 1296 that only this move has.
    pub const fn slot(self) -> usize {
        self.from() * POINTS + self.to()
    }

    /// Reads `a2a3`, `a2-a3` or `a2xa3`, and says whether the `x` of a capture was there. Says nothing about legality.
    pub fn parse(text: &str) -> Option<(Self, bool)> {
        let (from, rest) = text.split_at_checked(2)?;
        let to = rest.strip_prefix(['-', 'x', 'X']).unwrap_or(rest);
        Some((Self::new(parse_point(from)?, parse_point(to)?), rest.starts_with(['x', 'X'])))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", point_name(self.from()), point_name(self.to()))
    }
}

debug_as_written!(Move);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_in_three_spellings() {
        let mv = Move::new(24, 18);
        assert_eq!(mv.to_string(), "a2a3");
        for (text, capture) in [("a2a3", false), ("a2-a3", false), ("A2-A3", false), ("a2xa3", true)] {
            assert_eq!(Move::parse(text), Some((mv, capture)), "{text}");
        }
        for text in ["", "a2", "a2a", "a2--a3", "a2a33", "a2 a3", "é2a3", "兵兵"] {
            assert_eq!(Move::parse(text), None, "{text}");
        }
    }
}
