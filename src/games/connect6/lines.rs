//! Lines: the 92 rows, columns and diagonals of at least six points, with the stones on them as bits.

use std::ops::Range;

use super::pattern::Stretch;
use super::point::{POINTS, Point, SIZE};
use super::windows::SIX;
use crate::game::Side;

/// The diagonals of one direction with at least six points.
const DIAGONALS: usize = 2 * (SIZE - SIX) + 1;
/// The number of lines: rows, columns, diagonals up and right, diagonals up and left.
pub const LINES: usize = 2 * SIZE + 2 * DIAGONALS;

/// A place on a line.
#[derive(Clone, Copy)]
pub struct Place {
    /// The line, below [`LINES`].
    pub line: usize,
    /// The place on it, from 0 at its lower end, or left end for a row.
    pub at: usize,
}

/// The lines of a point, at most four.
#[derive(Clone, Copy)]
pub(crate) struct LinesOf {
    places: [Place; 4],
    count: usize,
}

impl LinesOf {
    const NONE: Self = Self { places: [Place { line: 0, at: 0 }; 4], count: 0 };

    /// Where the point is on each of its lines.
    pub fn iter(&self) -> impl Iterator<Item = Place> + '_ {
        self.places[..self.count].iter().copied()
    }
}

/// A line: where it begins, and how it goes on.
#[derive(Clone, Copy)]
struct Course {
    first: usize,
    step: usize,
    length: usize,
}

impl Course {
    const fn point(self, at: usize) -> Point {
        Point::new(self.first + at * self.step)
    }
}

const COURSES: [Course; LINES] = courses();
/// The lines of every point.
pub(crate) static LINES_OF: [LinesOf; POINTS] = lines_of_points();

const fn courses() -> [Course; LINES] {
    let mut courses = [Course { first: 0, step: 0, length: SIZE }; LINES];
    let mut k = 0;
    while k < SIZE {
        courses[k] = Course { first: k * SIZE, step: 1, length: SIZE };
        courses[SIZE + k] = Course { first: k, step: SIZE, length: SIZE };
        k += 1;
    }
    k = 0;
    while k < DIAGONALS {
        // From the lower right corner along the bottom to the left, then up the left edge; the other diagonals are their
        // images in the mirror.
        let longest = DIAGONALS / 2;
        let (column, row) = if k <= longest { (longest - k, 0) } else { (0, k - longest) };
        let length = SIZE - column - row;
        courses[2 * SIZE + k] = Course { first: row * SIZE + column, step: SIZE + 1, length };
        courses[2 * SIZE + DIAGONALS + k] = Course { first: row * SIZE + SIZE - 1 - column, step: SIZE - 1, length };
        k += 1;
    }
    courses
}

const fn lines_of_points() -> [LinesOf; POINTS] {
    let mut of = [LinesOf::NONE; POINTS];
    let mut line = 0;
    while line < LINES {
        let mut at = 0;
        while at < COURSES[line].length {
            let list = &mut of[COURSES[line].point(at).index()];
            list.places[list.count] = Place { line, at };
            list.count += 1;
            at += 1;
        }
        line += 1;
    }
    of
}

/// The point at a place of a line.
pub(crate) const fn point_at(place: Place) -> Point {
    COURSES[place.line].point(place.at)
}

/// The stones on every line.
#[derive(Clone, PartialEq, Eq)]
pub struct Lines {
    /// By side and line: a bit for each of its stones.
    stones: [[u32; LINES]; 2],
    /// By line: the places that are not on the board.
    walls: [u32; LINES],
}

impl Lines {
    /// The lines of an empty board of `size` x `size` points in the lower left corner.
    pub const fn empty(size: usize) -> Self {
        let mut walls = [u32::MAX; LINES];
        let mut line = 0;
        while line < LINES {
            let mut at = 0;
            while at < COURSES[line].length {
                if COURSES[line].point(at).is_within(size) {
                    walls[line] &= !(1 << at);
                }
                at += 1;
            }
            line += 1;
        }
        Self { stones: [[0; LINES]; 2], walls }
    }

    /// Places a stone of `side`, or takes it away.
    #[inline]
    pub const fn toggle(&mut self, place: Place, side: Side) {
        self.stones[side.index()][place.line] ^= 1 << place.at;
    }

    /// The stretches of `side` that end at this place or hold it: one if no stone of the opponent is there, else that
    /// before it and that behind it. Any of them may have fewer than six points.
    #[inline]
    pub(crate) fn stretches_at(&self, place: Place, side: Side) -> impl Iterator<Item = Stretch> {
        let (own, stops) = self.contents(place.line, side);
        let at = place.at;
        let end = at + (stops >> at).trailing_zeros() as usize;
        let start = start_of(stops, at);
        // A stone of the opponent ends the stretch before it, where `end` equals `at`.
        let behind = (end == at).then(|| at + 1..at + 1 + (stops >> (at + 1)).trailing_zeros() as usize);
        [Some(start..end), behind].into_iter().flatten().map(move |run| stretch(own, &run))
    }

    /// All stretches of `side` with at least six points, line by line.
    pub fn stretches(&self, side: Side) -> impl Iterator<Item = (usize, Range<usize>, Stretch)> + '_ {
        (0..LINES).flat_map(move |line| {
            let (own, stops) = self.contents(line, side);
            let runs = (0..SIZE).filter(move |&end| stops >> (end + 1) & 1 == 1 && stops >> end & 1 == 0);
            let runs = runs.map(move |last| start_of(stops, last)..last + 1).filter(|run| run.len() >= SIX);
            runs.map(move |run| (line, run.clone(), stretch(own, &run)))
        })
    }

    /// A bit for each column of a row with a stone.
    #[inline]
    pub(crate) const fn stones_in_row(&self, row: usize) -> u32 {
        // The first lines are the rows.
        self.stones[0][row] | self.stones[1][row]
    }

    /// A bit for each column of a row that is on the board and has no stone.
    #[inline]
    pub(crate) const fn free_in_row(&self, row: usize) -> u32 {
        !(self.stones_in_row(row) | self.walls[row])
    }

    /// The stones of `side` on a line, and what ends its stretches there.
    const fn contents(&self, line: usize, side: Side) -> (u32, u32) {
        (self.stones[side.index()][line], self.stones[side.other().index()][line] | self.walls[line])
    }
}

/// Where the stretch begins that holds the place before which, or at which, nothing of `stops` is.
#[inline]
const fn start_of(stops: u32, at: usize) -> usize {
    (u32::BITS - (stops & ((1 << at) - 1)).leading_zeros()) as usize
}

#[inline]
const fn stretch(own: u32, run: &Range<usize>) -> Stretch {
    Stretch::new(own >> run.start, run.end - run.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect6::windows::POINTS_OF;

    #[test]
    fn lines_hold_every_window_once_and_no_other_run_of_six() {
        let runs = COURSES.iter().flat_map(|course| {
            (0..=course.length - SIX).map(|start| [0, 1, 2, 3, 4, 5].map(|k| course.point(start + k).index() as u16))
        });
        let mut runs: Vec<_> = runs.collect();
        let mut windows = POINTS_OF.to_vec();
        runs.sort_unstable();
        windows.sort_unstable();
        assert_eq!(runs, windows);
    }

    #[test]
    fn points_know_their_places() {
        for (point, of) in LINES_OF.iter().enumerate() {
            assert!(of.iter().all(|place| point_at(place).index() == point));
        }
        assert_eq!(
            LINES_OF.iter().map(|of| of.count).sum::<usize>(),
            COURSES.iter().map(|course| course.length).sum::<usize>()
        );
        assert_eq!(LINES, 92);
    }

    /// Stops at the places 2 and 5.
    #[test]
    fn a_stretch_begins_behind_the_last_stop_before_a_place() {
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 9].map(|at| start_of(0b10_0100, at)), [0, 0, 0, 3, 3, 3, 6, 6]);
        assert_eq!([0, 7, 18].map(|at| start_of(0, at)), [0; 3]);
    }
}
