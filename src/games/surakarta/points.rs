//! The points of the board and sets of them.

use std::ops::Not;

/// Rows, and points of a row.
pub const SIZE: usize = 6;
/// Points of the board. Point `p` is in row `p / 6`, counted from the top, and column `p % 6`.
pub const POINTS: usize = SIZE * SIZE;

/// The name of a point: its column, `a` to `f` from the left, and its row, 1 to 6 from the bottom.
pub fn point_name(point: usize) -> String {
    format!("{}{}", char::from(b'a' + (point % SIZE) as u8), SIZE - point / SIZE)
}

/// Reads the name of a point, as [`point_name`] writes it or with a capital.
pub fn parse_point(text: &str) -> Option<usize> {
    let &[column, row] = text.as_bytes() else { return None };
    let column = usize::from(column.to_ascii_lowercase().checked_sub(b'a')?);
    let row = usize::from(row.checked_sub(b'1')?);
    (column < SIZE && row < SIZE).then(|| (SIZE - 1 - row) * SIZE + column)
}

/// A set of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Points(u64);

impl Points {
    /// No points.
    pub const EMPTY: Self = Self(0);

    /// The set of one point, a number below [`POINTS`].
    pub const fn of(point: usize) -> Self {
        Self(1 << point)
    }

    /// Whether `point` is in the set.
    pub const fn contains(self, point: usize) -> bool {
        self.0 >> point & 1 != 0
    }

    /// The number of points.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set with `point` added to it.
    #[must_use]
    pub const fn with(self, point: usize) -> Self {
        Self(self.0 | 1 << point)
    }

    /// The set with `point` added to it, or taken out where it was in it.
    #[must_use]
    pub const fn toggled(self, point: usize) -> Self {
        Self(self.0 ^ 1 << point)
    }
}

/// The points that are not in the left column, and those not in the right one.
const OFF_LEFT: u64 = columns(1, SIZE);
const OFF_RIGHT: u64 = columns(0, SIZE - 1);

/// The points in the columns from `first` up to and without `end`.
const fn columns(first: usize, end: usize) -> u64 {
    let mut set = 0;
    let mut point = 0;
    while point < POINTS {
        if first <= point % SIZE && point % SIZE < end {
            set |= 1 << point;
        }
        point += 1;
    }
    set
}

impl Points {
    /// How many single steps lead from a point of the set to one of `targets`, in the eight directions.
    pub const fn count_steps(self, targets: Self) -> usize {
        let (from, to) = (self.0, targets.0);
        let (from_left, from_right) = (from & OFF_LEFT, from & OFF_RIGHT);
        let downward = [from_left << (SIZE - 1), from << SIZE, from_right << (SIZE + 1), from_right << 1];
        let upward = [from_right >> (SIZE - 1), from >> SIZE, from_left >> (SIZE + 1), from_left >> 1];
        let mut steps = 0;
        let mut direction = 0;
        while direction < 4 {
            steps += (downward[direction] & to).count_ones() + (upward[direction] & to).count_ones();
            direction += 1;
        }
        steps as usize
    }
}

bit_operators!(Points: BitAnd bitand &, BitOr bitor |);

impl Not for Points {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0 & ((1 << POINTS) - 1))
    }
}

/// Lowest point first.
impl IntoIterator for Points {
    type Item = usize;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        Iter(self)
    }
}

/// The points of a set, lowest first.
#[derive(Debug, Clone)]
pub struct Iter(Points);

impl Iterator for Iter {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let Points(left) = &mut self.0;
        let point = left.trailing_zeros() as usize;
        *left &= left.wrapping_sub(1);
        (point < POINTS).then_some(point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_points_match() {
        assert_eq!(point_name(0), "a6");
        assert_eq!(parse_point("a1"), Some(30));
        assert!((0..POINTS).all(|point| parse_point(&point_name(point)) == Some(point)));
        for text in ["", "a", "a0", "a7", "g1", "a11", "é", "兵"] {
            assert_eq!(parse_point(text), None, "{text}");
        }
    }

    #[test]
    fn sets_give_their_points_in_order() {
        let set = Points::of(35).with(0).with(7);
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [0, 7, 35]);
        assert_eq!((set.len(), (!set).len(), (set & Points::of(7)).len()), (3, 33, 1));
        assert_eq!((!Points::EMPTY).into_iter().count(), POINTS);
    }
}
