//! The board: stones, how many of them stand in each window, and the classes of what they make on each line, kept in step.

use super::lines::{LINES_OF, Lines, Place};
use super::pattern::{N_PATTERNS, THREAT};
use super::point::{POINTS, Point, SIZE};
use super::windows::{POINTS_OF, SIX, WINDOWS, WINDOWS_OF};
use crate::game::Side;
use crate::random::mix;

const ZOBRIST_SEED: u64 = 0x636F_6E6E_6563_7436;

/// What [`Board::filled`] says of windows that are not wholly on the board: neither side has them to itself.
const OUTSIDE: u8 = 1 << 4;

/// Stones on a board, which is the lower left corner of that of 19 x 19 points.
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    size: usize,
    stones: [Option<Side>; POINTS],
    count: usize,
    /// By side and window: its stones there.
    filled: [[u8; WINDOWS]; 2],
    /// By side and `k`: windows that hold `k` of its stones and none of the opponent's.
    open: [[u16; SIX + 1]; 2],
    lines: Lines,
    /// By side and class: its stretches of at least six points.
    patterns: [[u16; N_PATTERNS]; 2],
    key: u64,
}

impl Board {
    /// No stones on `size` x `size` points, 6 to 19.
    pub fn empty(size: usize) -> Self {
        let inside = |points: &[u16; SIX]| points.iter().all(|&point| Point::new(usize::from(point)).is_within(size));
        let filled = std::array::from_fn(|window| if inside(&POINTS_OF[window]) { 0 } else { OUTSIDE });
        let windows = filled.iter().filter(|&&stones| stones == 0).count() as u16;
        let lines = Lines::empty(size);
        Self {
            size,
            stones: [None; POINTS],
            count: 0,
            filled: [filled; 2],
            open: [[windows, 0, 0, 0, 0, 0, 0]; 2],
            patterns: [Side::First, Side::Second].map(|side| count_patterns(&lines, side)),
            lines,
            key: size_key(size),
        }
    }

    /// Rows, and points of a row.
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Whether `point` is on the board and has no stone.
    pub const fn is_free(&self, point: Point) -> bool {
        self.stones[point.index()].is_none() && point.is_within(self.size)
    }

    /// The stretches of `side`, of at least six points, by class.
    pub const fn patterns(&self, side: Side) -> &[u16; N_PATTERNS] {
        &self.patterns[side.index()]
    }

    /// The stones on each line.
    pub const fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Whose stone is on `point`.
    pub const fn stone(&self, point: Point) -> Option<Side> {
        self.stones[point.index()]
    }

    /// The number of free points.
    pub const fn free_points(&self) -> usize {
        self.size * self.size - self.count
    }

    /// The key of the stones and of the size.
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The points without a stone.
    pub fn free(&self) -> impl Iterator<Item = Point> + '_ {
        (0..self.size)
            .flat_map(|row| (0..self.size).map(move |column| Point::new(row * SIZE + column)))
            .filter(|&point| self.stone(point).is_none())
    }

    /// Whether every point has a stone.
    pub const fn is_full(&self) -> bool {
        self.free_points() == 0
    }

    /// The stones on the board and whose they are, in the order of the points.
    pub fn stones(&self) -> impl Iterator<Item = (Point, Side)> + '_ {
        (0..POINTS).map(Point::new).filter_map(|point| Some((point, self.stone(point)?)))
    }

    /// Whether no stone is on the board.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// By window: the stones of `side` and those of its opponent. Windows that are not wholly on the board seem to hold some of
    /// both, and more than six.
    pub(crate) const fn filled_by(&self, side: Side) -> [&[u8; WINDOWS]; 2] {
        [&self.filled[side.index()], &self.filled[side.other().index()]]
    }

    /// Windows with exactly `stones` stones of `side` and none of the opponent's.
    pub fn open(&self, side: Side, stones: usize) -> usize {
        usize::from(self.open[side.index()][stones])
    }

    /// Windows that `side` can fill within one turn: at least four stones of its own and none of the opponent's.
    pub fn threats(&self, side: Side) -> usize {
        (THREAT..=SIX).map(|stones| self.open(side, stones)).sum()
    }

    /// The stones of `side` in each window through `point` that has none of the opponent's.
    pub(crate) fn open_through(&self, point: Point, side: Side) -> impl Iterator<Item = usize> + '_ {
        let [own, other] = [side, side.other()].map(|side| &self.filled[side.index()]);
        WINDOWS_OF[point.index()].iter().filter(|&window| other[window] == 0).map(|window| usize::from(own[window]))
    }

    /// Whether `side` has six in a row.
    pub(crate) fn has_six(&self, side: Side) -> bool {
        self.open(side, SIX) > 0
    }

    /// Places a stone on the free `point`.
    pub fn place(&mut self, point: Point, side: Side) {
        self.stones[point.index()] = Some(side);
        self.count += 1;
        self.key ^= stone_key(point, side);
        self.change_windows(point, side, |stones| stones + 1);
        self.change_lines(point, side);
    }

    /// Takes the stone of `side` off `point`.
    pub fn remove(&mut self, point: Point, side: Side) {
        self.stones[point.index()] = None;
        self.count -= 1;
        self.key ^= stone_key(point, side);
        self.change_windows(point, side, |stones| stones - 1);
        self.change_lines(point, side);
    }

    /// Places a stone of `side` on the lines of `point`, or takes it away, and counts the stretches that this changes anew.
    fn change_lines(&mut self, point: Point, side: Side) {
        for place in LINES_OF[point.index()].iter() {
            self.count_stretches(place, |count| count - 1);
            self.lines.toggle(place, side);
            self.count_stretches(place, |count| count + 1);
        }
    }

    /// Takes the stretches that end at a place or hold it off the counts of patterns, or adds them.
    fn count_stretches(&mut self, place: Place, change: impl Fn(u16) -> u16) {
        for side in [Side::First, Side::Second] {
            for stretch in self.lines.stretches_at(place, side).filter(|stretch| stretch.len() >= SIX) {
                let count = &mut self.patterns[side.index()][stretch.pattern().index()];
                *count = change(*count);
            }
        }
    }

    /// Changes the stones of `side` in each window of `point`, and the counts of open windows with them.
    #[inline]
    fn change_windows(&mut self, point: Point, side: Side, change: impl Fn(u8) -> u8) {
        let (own, other) = (side.index(), side.other().index());
        for window in WINDOWS_OF[point.index()].iter() {
            let before = self.filled[own][window];
            let after = change(before);
            self.filled[own][window] = after;
            let others = usize::from(self.filled[other][window]);
            if others == 0 {
                self.open[own][usize::from(before)] -= 1;
                self.open[own][usize::from(after)] += 1;
            }
            // The first stone takes the window from the opponent, and the last to go gives it back.
            if before == 0 {
                self.open[other][others] -= 1;
            } else if after == 0 {
                self.open[other][others] += 1;
            }
        }
    }

    /// A window that `side` fills, if there is one.
    pub fn six(&self, side: Side) -> Option<[Point; SIX]> {
        let window = (0..WINDOWS).find(|&window| usize::from(self.filled[side.index()][window]) == SIX)?;
        Some(POINTS_OF[window].map(|point| Point::new(usize::from(point))))
    }
}

/// The stretches of `side`, of at least six points, by class, counted from scratch.
fn count_patterns(lines: &Lines, side: Side) -> [u16; N_PATTERNS] {
    let mut patterns = [0; N_PATTERNS];
    lines.stretches(side).for_each(|(_, _, stretch)| patterns[stretch.pattern().index()] += 1);
    patterns
}

/// The part of the key that a stone on `point` has.
pub(crate) const fn stone_key(point: Point, side: Side) -> u64 {
    mix(ZOBRIST_SEED ^ (point.index() * 2 + side.index() + 1) as u64)
}

/// The part of the key that the size of the board has.
pub(crate) const fn size_key(size: usize) -> u64 {
    if size == SIZE { 0 } else { mix(ZOBRIST_SEED ^ (0x2_0000 + size) as u64) }
}

/// The part of the key that side to move and stones left have.
pub(crate) const fn turn_key(side: Side, stones_left: u8) -> u64 {
    mix(ZOBRIST_SEED ^ (0x1_0000 + side.index() * 2 + stones_left as usize) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_parts_of_keys_are_different() {
        let sides = [Side::First, Side::Second];
        let stones = (0..POINTS).flat_map(|point| sides.map(|side| stone_key(Point::new(point), side)));
        let turns = sides.into_iter().flat_map(|side| [1, 2].map(|stones_left| turn_key(side, stones_left)));
        let parts: Vec<u64> = stones.chain(turns).chain((SIX..=SIZE).map(size_key)).collect();
        assert_eq!(parts.iter().collect::<BTreeSet<_>>().len(), parts.len());
    }

    #[test]
    fn keys_are_those_that_books_on_disk_hold() {
        let stones = [(0, Side::First), (0, Side::Second), (360, Side::Second)];
        assert_eq!(
            stones.map(|(point, side)| stone_key(Point::new(point), side)),
            [0xFDCB_768A_9747_231E, 0x90E6_FAB4_8C85_2193, 0x8899_8963_070F_9493]
        );
        assert_eq!(turn_key(Side::Second, 1), 0x99DB_6D57_A4B6_4FA3);
        assert_eq!(size_key(15), 0xD65B_8C7A_C483_B4E5);
    }
}
