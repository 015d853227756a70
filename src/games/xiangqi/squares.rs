//! Points of the board and sets of points.
//!
//! A point is a number from 0 to 89: nine times its rank plus its file. Rank 0 is Red's back rank and file 0 is `a`,
//! so that `a0` is 0 and `i9` is 89.

use std::ops::Not;

/// Points of a rank.
pub const FILES: usize = 9;
/// Points of a file.
pub const RANKS: usize = 10;
/// Points of the board.
pub const SQUARES: usize = FILES * RANKS;

/// The points of file `a` as bits; shift left by a file.
pub const FILE_A: u128 = {
    let (mut points, mut rank) = (0, 0);
    while rank < RANKS {
        points |= 1 << (rank * FILES);
        rank += 1;
    }
    points
};
/// By side: its half of the board.
pub const HALVES: [Squares; 2] =
    [Squares((1 << (SQUARES / 2)) - 1), Squares(((1 << (SQUARES / 2)) - 1) << (SQUARES / 2))];

/// By side: its palace.
pub const PALACES: [Squares; 2] =
    [Squares(0b111_000_000_111_000_000_111 << 3), Squares(0b111_000_000_111_000_000_111 << 66)];

/// The file of a point, 0 (`a`) to 8 (`i`).
#[inline(always)]
pub const fn file_of(square: usize) -> usize {
    (square as u8 % FILES as u8) as usize
}

/// The rank of a point, 0 (Red's back rank) to 9.
#[inline(always)]
pub const fn rank_of(square: usize) -> usize {
    (square as u8 / FILES as u8) as usize
}

/// The name of a point in ICCS notation, such as `h2`.
pub fn square_name(square: usize) -> String {
    format!("{}{}", (b'a' + file_of(square) as u8) as char, rank_of(square))
}

/// Reads the name of a point; the file may be in either case.
pub fn parse_square(name: &str) -> Option<usize> {
    match *name.as_bytes() {
        [file, rank @ b'0'..=b'9'] => {
            let file = file.to_ascii_lowercase();
            matches!(file, b'a'..=b'i').then(|| usize::from(rank - b'0') * FILES + usize::from(file - b'a'))
        }
        _ => None,
    }
}

/// A set of points: bit `s` of the word is set when point `s` is in the set.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Squares(pub u128);

impl Squares {
    /// No point.
    pub const EMPTY: Self = Self(0);
    /// Every point of the board.
    pub(crate) const BOARD: Self = Self((1 << SQUARES) - 1);

    /// The set of one point.
    #[inline(always)]
    pub const fn of(square: usize) -> Self {
        Self(1 << square)
    }

    /// Whether the set has no point.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `square` is in the set.
    #[inline(always)]
    pub const fn contains(self, square: usize) -> bool {
        self.0 >> square & 1 == 1
    }

    /// The number of points.
    #[inline(always)]
    pub const fn len(self) -> usize {
        ((self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()) as usize
    }

    /// The lowest point. The set must not be empty.
    #[inline(always)]
    pub const fn first(self) -> usize {
        self.0.trailing_zeros() as usize
    }

    /// The set without its lowest point; the empty set stays empty.
    #[must_use]
    #[inline(always)]
    pub const fn rest(self) -> Self {
        Self(self.0 & self.0.wrapping_sub(1))
    }

    /// Calls `visit` with each point, lowest first.
    #[inline(always)]
    pub fn for_each(self, mut visit: impl FnMut(usize)) {
        let mut low = self.0 as u64;
        while low != 0 {
            visit(low.trailing_zeros() as usize);
            low &= low - 1;
        }
        let mut high = (self.0 >> 64) as u64;
        while high != 0 {
            visit(64 + high.trailing_zeros() as usize);
            high &= high - 1;
        }
    }
}

/// The points of a set, lowest first.
#[derive(Debug, Clone)]
pub struct Points(Squares);

impl Iterator for Points {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0.is_empty() {
            return None;
        }
        let square = self.0.first();
        self.0 = self.0.rest();
        Some(square)
    }
}

impl IntoIterator for Squares {
    type Item = usize;
    type IntoIter = Points;

    #[inline(always)]
    fn into_iter(self) -> Points {
        Points(self)
    }
}

bit_operators!(Squares: BitAnd bitand &, BitOr bitor |, BitXor bitxor ^);

impl Not for Squares {
    type Output = Self;
    /// Every point that is not in the set, and bits beyond the board: intersect before counting.
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl std::fmt::Debug for Squares {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries((*self & Self::BOARD).into_iter().map(square_name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_points_correspond() {
        for square in 0..SQUARES {
            assert_eq!(parse_square(&square_name(square)), Some(square));
            assert_eq!(rank_of(square) * FILES + file_of(square), square);
        }
        assert_eq!(parse_square("a0"), Some(0));
        assert_eq!(parse_square("I9"), Some(89));
        for bad in ["", "a", "j0", "a10", "aa", "00"] {
            assert_eq!(parse_square(bad), None, "{bad}");
        }
    }

    #[test]
    fn halves_and_palaces_are_those_of_the_board() {
        for square in 0..SQUARES {
            let (file, rank) = (file_of(square), rank_of(square));
            assert_eq!(HALVES.map(|half| half.contains(square)), [rank < 5, rank >= 5]);
            let is_between = (3..=5).contains(&file);
            let in_palace = [is_between && rank <= 2, is_between && rank >= 7];
            assert_eq!(PALACES.map(|palace| palace.contains(square)), in_palace);
        }
    }

    #[test]
    fn a_set_lists_its_points_in_order() {
        let set = Squares::of(3) | Squares::of(63) | Squares::of(64) | Squares::of(89);
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [3, 63, 64, 89]);
        assert_eq!(set.len(), 4);
        let mut visited = Vec::new();
        set.for_each(|square| visited.push(square));
        assert_eq!(visited, [3, 63, 64, 89]);
        assert!(!set.contains(4) && set.contains(64));
        assert_eq!(format!("{set:?}"), r#"{"d0", "a7", "b7", "i9"}"#);
    }
}
