//! The board: stones, and how many of them stand in each window, kept in step.

use super::point::{POINTS, Point};
use super::windows::{POINTS_OF, SIX, WINDOWS, WINDOWS_OF};
use crate::game::Side;
use crate::random::mix;

const ZOBRIST_SEED: u64 = 0x636F_6E6E_6563_7436;

/// Stones on the board.
#[derive(Clone, PartialEq, Eq)]
pub struct Board {
    stones: [Option<Side>; POINTS],
    count: usize,
    /// By side and window: its stones there.
    filled: [[u8; WINDOWS]; 2],
    /// By side and `k`: windows that hold `k` of its stones and none of the opponent's.
    open: [[u16; SIX + 1]; 2],
    key: u64,
}

impl Board {
    /// No stones.
    pub const fn empty() -> Self {
        let open = [WINDOWS as u16, 0, 0, 0, 0, 0, 0];
        Self { stones: [None; POINTS], count: 0, filled: [[0; WINDOWS]; 2], open: [open; 2], key: 0 }
    }

    /// Whose stone is on `point`.
    pub const fn stone(&self, point: Point) -> Option<Side> {
        self.stones[point.index()]
    }

    /// The number of stones of both sides.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The key of the stones.
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The points without a stone.
    pub fn free(&self) -> impl Iterator<Item = Point> + '_ {
        (0..POINTS).map(Point::new).filter(|&point| self.stone(point).is_none())
    }

    /// Windows with exactly `stones` stones of `side` and none of the opponent's.
    pub fn open(&self, side: Side, stones: usize) -> usize {
        usize::from(self.open[side.index()][stones])
    }

    /// Windows that `side` can fill within one turn: at least four stones of its own and none of the opponent's.
    pub fn threats(&self, side: Side) -> usize {
        (SIX - 2..=SIX).map(|stones| self.open(side, stones)).sum()
    }

    /// The stones of `side` in each window through `point` that has none of the opponent's.
    pub fn open_through(&self, point: Point, side: Side) -> impl Iterator<Item = usize> + '_ {
        let [own, other] = [side, side.other()].map(|side| &self.filled[side.index()]);
        WINDOWS_OF[point.index()].iter().filter(|&window| other[window] == 0).map(|window| usize::from(own[window]))
    }

    /// Whether a stone of `side` on the free `point` makes six in a row.
    pub fn completes_six(&self, point: Point, side: Side) -> bool {
        self.open_through(point, side).any(|stones| stones == SIX - 1)
    }

    /// Whether `side` has six in a row.
    pub fn has_six(&self, side: Side) -> bool {
        self.open(side, SIX) > 0
    }

    /// Places a stone on the free `point`.
    pub fn place(&mut self, point: Point, side: Side) {
        self.stones[point.index()] = Some(side);
        self.count += 1;
        self.key ^= stone_key(point, side);
        self.change_windows(point, side, |stones| stones + 1);
    }

    /// Takes the stone of `side` off `point`.
    pub fn remove(&mut self, point: Point, side: Side) {
        self.stones[point.index()] = None;
        self.count -= 1;
        self.key ^= stone_key(point, side);
        self.change_windows(point, side, |stones| stones - 1);
    }

    /// Changes the stones of `side` in each window of `point`.
    fn change_windows(&mut self, point: Point, side: Side, change: impl Fn(u8) -> u8) {
        for window in WINDOWS_OF[point.index()].iter() {
            self.count_window(window, |open| open - 1);
            let stones = &mut self.filled[side.index()][window];
            *stones = change(*stones);
            self.count_window(window, |open| open + 1);
        }
    }

    /// Takes `window` off the counts of open windows, or adds it to them.
    fn count_window(&mut self, window: usize, change: impl Fn(u16) -> u16) {
        let stones = [0, 1].map(|side: usize| usize::from(self.filled[side][window]));
        for (side, other) in [(0, 1), (1, 0)] {
            if stones[other] == 0 {
                let open = &mut self.open[side][stones[side]];
                *open = change(*open);
            }
        }
    }

    /// The free points on which a stone of `side` makes six in a row, in order.
    pub fn completions(&self, side: Side) -> impl Iterator<Item = Point> + '_ {
        // Most positions have none: then no point is looked at.
        let points = if self.open(side, SIX - 1) > 0 { POINTS } else { 0 };
        (0..points).map(Point::new).filter(move |&point| self.stone(point).is_none() && self.completes_six(point, side))
    }

    /// A window that `side` fills, if there is one.
    pub fn six(&self, side: Side) -> Option<[Point; SIX]> {
        let window = (0..WINDOWS).find(|&window| usize::from(self.filled[side.index()][window]) == SIX)?;
        Some(POINTS_OF[window].map(|point| Point::new(usize::from(point))))
    }
}

const fn stone_key(point: Point, side: Side) -> u64 {
    mix(ZOBRIST_SEED ^ (point.index() * 2 + side.index() + 1) as u64)
}

/// The part of the key that side to move and stones left have.
pub const fn turn_key(side: Side, stones_left: u8) -> u64 {
    mix(ZOBRIST_SEED ^ (0x1_0000 + side.index() * 2 + stones_left as usize) as u64)
}
