//! The points of the board, which are also the moves: one stone each.

use std::fmt;
use std::sync::LazyLock;

/// Rows, and points of a row.
pub const SIZE: usize = 19;
/// Points of the board.
pub const POINTS: usize = SIZE * SIZE;

/// A point of the board, and the move that places a stone there.
///
/// Its text is the letter of the column, `a` to `s` from the left (`i` included), and the number of the row, 1 to 19 from
/// the bottom: `j10` is the centre.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

impl Point {
    /// The point with this index, which must be below [`POINTS`]: rows from the bottom, in each from the left.
    pub const fn new(index: usize) -> Self {
        Self(index as u16)
    }

    /// The point in `column` (0 is the left one) and `row` (0 is the bottom one), if they are on the board.
    pub fn at(column: usize, row: usize) -> Option<Self> {
        (column < SIZE && row < SIZE).then(|| Self::new(row * SIZE + column))
    }

    /// A number below [`POINTS`] that only this point has: `row * 19 + column`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for the left column, 18 for the right one.
    pub const fn column(self) -> usize {
        self.index() % SIZE
    }

    /// 0 for the bottom row, 18 for the top one.
    pub const fn row(self) -> usize {
        self.index() / SIZE
    }

    /// Whether the point is on the board of `size` x `size` points in the lower left corner.
    pub const fn is_within(self, size: usize) -> bool {
        self.column() < size && self.row() < size
    }

    /// The text of the point: `j10` is the centre.
    pub fn name(self) -> &'static str {
        static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
            let name = |point: Point| format!("{}{}", char::from(b'a' + point.column() as u8), point.row() + 1);
            (0..POINTS).map(Point::new).map(name).collect()
        });
        &NAMES[self.index()]
    }

    /// Reads a point such as `j10`; the letter may be a capital.
    pub fn parse(text: &str) -> Option<Self> {
        let (letter, number) = text.split_at_checked(1)?;
        let column = letter.bytes().next()?.to_ascii_lowercase().checked_sub(b'a')?;
        let plain = (1..=2).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
        let row = number.parse::<usize>().ok().filter(|_| plain)?.checked_sub(1)?;
        Self::at(usize::from(column), row)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

debug_as_written!(Point);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_read_as_it_is_written() {
        for index in 0..POINTS {
            let point = Point::new(index);
            assert_eq!(Point::parse(&point.to_string()), Some(point));
            assert_eq!(Point::parse(&point.to_string().to_uppercase()), Some(point));
            assert_eq!(Point::at(point.column(), point.row()), Some(point));
        }
        assert_eq!(Point::parse("j10"), Point::at(9, 9));
        assert_eq!(Point::parse("a1"), Some(Point::new(0)));
    }

    #[test]
    fn nothing_else_is_a_point() {
        for text in ["", "j", "10", "j0", "j20", "t1", "j+1", "j 1", "jj", "j010", "é1", "k11i11"] {
            assert_eq!(Point::parse(text), None, "{text}");
        }
    }
}
