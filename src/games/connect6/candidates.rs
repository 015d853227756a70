//! Candidates: the few points that a search with a limited width looks at.
//!
//! * Who can complete six in a row within the turn looks at nothing else.
//! * Else, who must answer threats looks only at points that stop some of them and leave so few that the rest of the turn
//!   stops them too. This never leaves out the only defence. Where there is no defence, all points that stop some remain.
//! * Else all free points at most [`REACH`] from a stone, in either colour, are ranked by [`Board::promise`].

use super::board::Board;
use super::point::{POINTS, Point, SIZE};
use super::threats::Threat;
use super::windows::{POINTS_OF, SIX, WINDOWS};
use crate::game::Side;

/// The distance, in steps of a chess king, from a stone at which points are looked at.
const REACH: usize = 2;

/// The most windows that two stones can lie in: more threats than that cannot be stopped in a turn.
const MOST_STOPPED: usize = 8 * SIX;

/// Points found so far, each with its promise before it, as one number to sort by.
struct Found {
    keys: [u32; POINTS],
    len: usize,
}

impl Found {
    const fn none() -> Self {
        Self { keys: [0; POINTS], len: 0 }
    }

    #[inline]
    const fn push(&mut self, point: Point, promise: u32) {
        self.keys[self.len] = promise << 16 | point.index() as u32;
        self.len += 1;
    }

    /// Appends the `width` most promising points, most promising first.
    fn push_best(&mut self, width: usize, out: &mut Vec<Point>) {
        let mut keys = &mut self.keys[..self.len];
        if width < keys.len() {
            keys.select_nth_unstable_by(width, |a, b| b.cmp(a));
            keys = &mut keys[..width];
        }
        keys.sort_unstable_by(|a, b| b.cmp(a));
        out.extend(keys.iter().map(|key| Point::new((key & 0xFFFF) as usize)));
    }
}

/// A set of points.
#[derive(Clone, Copy, Default)]
pub(crate) struct PointSet([u64; POINTS.div_ceil(64)]);

impl PointSet {
    /// Adds a point.
    pub const fn insert(&mut self, point: usize) {
        self.0[point / 64] |= 1 << (point % 64);
    }

    /// Whether `point` is in it.
    pub const fn contains(&self, point: Point) -> bool {
        self.0[point.index() / 64] >> (point.index() % 64) & 1 == 1
    }

    /// The points in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Point> {
        self.0.into_iter().enumerate().flat_map(|(word, bits)| {
            let rest = std::iter::successors(Some(bits), |bits| Some(bits & bits.wrapping_sub(1)));
            rest.take_while(|&bits| bits != 0).map(move |bits| Point::new(word * 64 + bits.trailing_zeros() as usize))
        })
    }
}

/// Whether `stones` stones stop all `threats`, one or none.
fn can_be_stopped(mut threats: impl Iterator<Item = Threat> + Clone, stones: u8) -> bool {
    let Some(first) = threats.next() else { return true };
    stones > 0 && first.0.into_iter().any(|point| threats.clone().all(|threat| threat.is_stopped_by(point)))
}

impl Board {
    /// Appends at most `width` (one at least) candidates of `side`, which has `stones_left` stones to place and no six to
    /// answer, most promising first.
    pub(crate) fn push_candidates(&self, side: Side, stones_left: u8, width: usize, out: &mut Vec<Point>) {
        let mut found = Found::none();
        if self.can_complete(side, stones_left) {
            let nearest = if self.open(side, SIX - 1) > 0 { 1 } else { stones_left };
            self.completing(side, nearest).iter().for_each(|point| found.push(point, self.promise(point, side)));
        } else if self.threats(side.other()) > 0 {
            self.find_defences(side, stones_left, &mut found);
        } else {
            self.find_near(side, &mut found);
        }
        found.push_best(width.max(1), out);
    }

    /// Whether `side` can complete six in a row with `stones` stones, 1 or 2.
    fn can_complete(&self, side: Side, stones: u8) -> bool {
        self.open(side, SIX - 1) > 0 || (stones > 1 && self.open(side, SIX - 2) > 0)
    }

    /// The free points of windows that `side` fills with at most `stones` more stones, 1 or 2.
    pub fn completing(&self, side: Side, stones: u8) -> PointSet {
        let mut points = PointSet::default();
        // Most positions have none: then no window is looked at.
        if self.can_complete(side, stones) {
            self.open_windows_with(side, SIX - usize::from(stones)).for_each(|window| {
                self.free_in(window).for_each(|point| points.insert(usize::from(point)));
            });
        }
        points
    }

    /// The windows with at least `least` stones of `side` and none of its opponent.
    fn open_windows_with(&self, side: Side, least: usize) -> impl Iterator<Item = usize> + '_ {
        let [own, other] = self.filled_by(side);
        (0..WINDOWS).filter(move |&window| usize::from(own[window]) >= least && other[window] == 0)
    }

    fn free_in(&self, window: usize) -> impl Iterator<Item = u16> + '_ {
        POINTS_OF[window].into_iter().filter(|&point| self.stone(Point::new(usize::from(point))).is_none())
    }

    /// The points that stop some threats and leave no more than the other stones of the turn stop; if there are none,
    /// those that stop some.
    fn find_defences(&self, side: Side, stones_left: u8, found: &mut Found) {
        let stops = self.completing(side.other(), 2);
        let mut threats = [Threat([0; 2]); MOST_STOPPED];
        if let Some(threats) = self.collect_threats(side.other(), &mut threats) {
            for point in stops.iter() {
                let left = threats.iter().copied().filter(|threat| !threat.is_stopped_by(point.index() as u16));
                if can_be_stopped(left, stones_left - 1) {
                    found.push(point, self.promise(point, side));
                }
            }
        }
        if found.len == 0 {
            stops.iter().for_each(|point| found.push(point, self.promise(point, side)));
        }
    }

    /// The threats of `side`, unless they are more than two stones can stop.
    fn collect_threats<'a>(&self, side: Side, threats: &'a mut [Threat; MOST_STOPPED]) -> Option<&'a [Threat]> {
        let mut count = 0;
        for window in self.open_windows_with(side, SIX - 2) {
            *threats.get_mut(count)? = Threat::of(self.free_in(window))?;
            count += 1;
        }
        Some(&threats[..count])
    }

    /// All free points near a stone; the centre of the empty board.
    fn find_near(&self, side: Side, found: &mut Found) {
        for (row, mut columns) in self.near().into_iter().enumerate() {
            while columns != 0 {
                let point = Point::new(row * SIZE + columns.trailing_zeros() as usize);
                found.push(point, self.promise(point, side));
                columns &= columns - 1;
            }
        }
        if found.len == 0 && self.is_empty() {
            found.push(Point::new(self.size() / 2 * (SIZE + 1)), 0);
        }
    }

    /// By row: a bit for each free point at most [`REACH`] from a stone.
    fn near(&self) -> [u32; SIZE] {
        let lines = self.lines();
        let beside: [u32; SIZE] = std::array::from_fn(|row| {
            let stones = lines.stones_in_row(row);
            (1..=REACH).fold(stones, |near, step| near | stones << step | stones >> step)
        });
        std::array::from_fn(|row| {
            let rows = row.saturating_sub(REACH)..(row + REACH + 1).min(SIZE);
            beside[rows].iter().fold(0, |near, columns| near | columns) & lines.free_in_row(row)
        })
    }

    /// How promising the free `point` is for `side`, below 2^16: what the windows through it are worth that are empty or hold
    /// stones of one side only, more for its own and for fuller ones.
    #[inline]
    pub(crate) fn promise(&self, point: Point, side: Side) -> u32 {
        let [own, other] = self.filled_by(side);
        let worth = |window: usize| WORTH[usize::from(own[window]) << 5 | usize::from(other[window])];
        super::windows::WINDOWS_OF[point.index()].iter().map(|window| u32::from(worth(window))).sum()
    }
}

/// What a stone adds in a window that holds none of the opponent's, by the stones of its side there. These and [`DEFENCE`] up to
/// three stones were fitted to the stones of recorded games where nothing was at stake, as a choice among all points near stones.
const ATTACK: [u16; SIX] = [1, 6, 15, 42, 42, 500];
/// What a stone takes from the opponent in a window that holds none of its own side, by the opponent's stones there.
const DEFENCE: [u16; SIX] = [0, 4, 16, 28, 100, 200];

/// By own stones and, in the five bits below, the opponent's: what a window is worth.
static WORTH: [u16; 1 << 10] = {
    let mut worth = [0; 1 << 10];
    let mut stones = 0;
    while stones < SIX {
        worth[stones] += DEFENCE[stones];
        worth[stones << 5] += ATTACK[stones];
        stones += 1;
    }
    worth
};
