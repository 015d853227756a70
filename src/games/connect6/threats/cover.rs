//! Threats and the stones that stop them.
//!
//! A window with four or five stones of a side and none of the other has one or two free points: it is stopped by an enemy
//! stone on either. With points for vertices and threats for edges, the stones that stop all threats are a vertex cover.
//! An edge has two ends at most, so the covers are found by trying both ends of an edge that is not covered yet.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::super::point::Point;

/// Stands for no point.
const NONE: u16 = u16::MAX;

/// The free points of a window that a side can fill within one turn: two different ones, or one twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Threat(pub [u16; 2]);

impl Threat {
    /// The threat of a window whose free points are these, one or two; none where a third is left.
    pub fn of(mut free: impl Iterator<Item = u16>) -> Option<Self> {
        let first = free.next()?;
        let second = free.next().unwrap_or(first);
        free.next().is_none().then_some(Self([first, second]))
    }

    /// Whether an enemy stone on `point` stops it.
    pub(crate) const fn is_stopped_by(self, point: u16) -> bool {
        self.0[0] == point || self.0[1] == point
    }

    /// What is left of it when its owner puts a stone on `point`, with another point still free.
    pub const fn filled(self, point: u16) -> Self {
        let [first, second] = self.0;
        if first == point {
            Self([second, second])
        } else if second == point {
            Self([first, first])
        } else {
            self
        }
    }
}

/// At most two points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Few([u16; 2]);

impl Few {
    /// The points.
    pub fn iter(self) -> impl Iterator<Item = u16> {
        self.0.into_iter().filter(|&point| point != NONE)
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0[0] == NONE && self.0[1] == NONE
    }

    /// Whether `point` is one of them.
    pub const fn contains(self, point: u16) -> bool {
        self.0[0] == point || self.0[1] == point
    }

    /// Keeps the points that stop `threat` too.
    const fn keep(&mut self, threat: Threat) {
        if !threat.is_stopped_by(self.0[0]) {
            self.0[0] = NONE;
        }
        if !threat.is_stopped_by(self.0[1]) {
            self.0[1] = NONE;
        }
    }
}

/// The points each of which stops all `threats`; none when there are no threats.
pub fn stops(threats: impl IntoIterator<Item = Threat>) -> Few {
    let mut threats = threats.into_iter();
    let Some(Threat([first, second])) = threats.next() else { return Few([NONE; 2]) };
    let mut points = Few([first, if second == first { NONE } else { second }]);
    for threat in threats {
        points.keep(threat);
        if points.is_empty() {
            break;
        }
    }
    points
}

/// The least number of enemy stones that stop all threats, T, as far as a turn of two stones goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// One stone is enough, or none is needed.
    Single,
    /// Two stones: the enemy's whole turn.
    Double,
    /// More than a turn has: nothing stops them.
    Triple,
}

/// How many stones stop all `threats`.
pub fn level(threats: &[Threat]) -> Level {
    let Some(&first) = threats.first() else { return Level::Single };
    if !stops(threats.iter().copied()).is_empty() {
        Level::Single
    } else if first.0.iter().any(|&point| !partners(threats, point).is_empty()) {
        Level::Double
    } else {
        Level::Triple
    }
}

/// The points that together with `point` stop all `threats`, of which it does not stop every one.
fn partners(threats: &[Threat], point: u16) -> Few {
    stops(threats.iter().copied().filter(|threat| !threat.is_stopped_by(point)))
}

/// At most four pairs of points.
#[derive(Debug, Clone, Copy)]
pub struct Pairs {
    pairs: [[u16; 2]; 4],
    count: usize,
}

impl Pairs {
    /// The pairs.
    pub fn as_slice(&self) -> &[[u16; 2]] {
        &self.pairs[..self.count]
    }

    /// The pairs, to be put into another order.
    pub fn as_mut_slice(&mut self) -> &mut [[u16; 2]] {
        &mut self.pairs[..self.count]
    }

    /// Puts the pairs of most `worth` first.
    pub fn sort_by_worth(&mut self, worth: impl Fn([u16; 2]) -> i32) {
        if self.count < 2 {
            return;
        }
        let mut keyed = self.pairs.map(|pair| (0, pair));
        let keyed = &mut keyed[..self.count];
        keyed.iter_mut().for_each(|(key, pair)| *key = worth(*pair));
        keyed.sort_by_key(|&(key, _)| Reverse(key));
        self.pairs.iter_mut().zip(keyed).for_each(|(slot, (_, pair))| *slot = *pair);
    }

    fn add(&mut self, pair: [u16; 2]) {
        if !self.as_slice().contains(&[pair[1], pair[0]]) {
            self.pairs[self.count] = pair;
            self.count += 1;
        }
    }
}

/// Every pair of points that stops all `threats` while neither of its points does. Where [`level`] is double these are all
/// the enemy's defences: it has no stone to spare.
pub fn pairs(threats: &[Threat]) -> Pairs {
    let mut found = Pairs { pairs: [[NONE; 2]; 4], count: 0 };
    let Some(&Threat([first, second])) = threats.first() else { return found };
    let alone = stops(threats.iter().copied());
    for point in Few([first, if second == first { NONE } else { second }]).iter() {
        if !alone.contains(point) {
            partners(threats, point)
                .iter()
                .filter(|&other| !alone.contains(other))
                .for_each(|other| found.add([point, other]));
        }
    }
    found
}

/// The sets of one or two points that stop all `threats` and of which no point can be left out, in order.
pub fn minimal(threats: &[Threat]) -> Vec<Vec<Point>> {
    let sorted = |mut pair: [u16; 2]| {
        pair.sort_unstable();
        pair.map(|point| Point::new(usize::from(point))).to_vec()
    };
    let singles = stops(threats.iter().copied()).iter().map(|point| vec![Point::new(usize::from(point))]);
    let mut sets: Vec<_> = singles.chain(pairs(threats).as_slice().iter().copied().map(sorted)).collect();
    sets.sort_unstable_by_key(|set| (set.len(), set.clone()));
    sets
}

/// The least number of points that stop all `threats`, however many.
pub fn least(threats: &[Threat]) -> usize {
    let in_order = |&Threat([a, b]): &Threat| if a <= b { [a, b] } else { [b, a] };
    let different: BTreeSet<[u16; 2]> = threats.iter().map(in_order).collect();
    let different: Vec<Threat> = different.into_iter().map(Threat).collect();
    least_below(&different, different.len())
}

/// The least number of points that stop all `threats`, or `limit` if that is less: by branch and bound.
fn least_below(threats: &[Threat], limit: usize) -> usize {
    // Each of threats without a point in common asks for a point of its own.
    if threats.is_empty() || n_disjoint(threats) >= limit {
        return limit.min(threats.len());
    }
    let with = |points: &[u16], limit: usize| {
        let is_left = |threat: &Threat| !points.iter().any(|&point| threat.is_stopped_by(point));
        let left: Vec<_> = threats.iter().copied().filter(is_left).collect();
        if points.len() < limit { points.len() + least_below(&left, limit - points.len()) } else { limit }
    };
    if let Some(point) = without_choice(threats) {
        return with(&[point], limit);
    }
    // Either the point that stops most of them, or else the other points of all those.
    let Some(point) = fullest(threats) else { return limit };
    let others = threats.iter().filter(|threat| threat.is_stopped_by(point)).flat_map(|threat| threat.0);
    let others: BTreeSet<u16> = others.filter(|&other| other != point).collect();
    let best = with(&[point], limit);
    with(&Vec::from_iter(others), best)
}

/// A point that some least set has, if one is seen at once: the only one of a threat, or the one beside a point of no other threat.
fn without_choice(threats: &[Threat]) -> Option<u16> {
    let is_alone = |point: u16| threats.iter().filter(|threat| threat.is_stopped_by(point)).count() == 1;
    threats.iter().find_map(|&Threat([a, b])| match (a == b || is_alone(b), is_alone(a)) {
        (true, _) => Some(a),
        (false, true) => Some(b),
        _ => None,
    })
}

/// The first of the points that stop most of `threats`.
fn fullest(threats: &[Threat]) -> Option<u16> {
    let count = |point: u16| threats.iter().filter(|threat| threat.is_stopped_by(point)).count();
    threats.iter().flat_map(|threat| threat.0).max_by_key(|&point| (count(point), Reverse(point)))
}

/// So many threats without a point in common, taken as they come.
fn n_disjoint(threats: &[Threat]) -> usize {
    let (mut used, mut count) = (Vec::with_capacity(2 * threats.len()), 0);
    for Threat(points) in threats {
        if !points.iter().any(|point| used.contains(point)) {
            used.extend(points);
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All sets of at most two of the first `points` points that stop all threats and are minimal, by trying every set.
    fn by_trying(threats: &[Threat], points: u16) -> Vec<Vec<Point>> {
        let stop = |set: &[u16]| threats.iter().all(|threat| set.iter().any(|&point| threat.is_stopped_by(point)));
        let mut sets: Vec<Vec<u16>> = (0..points).map(|point| vec![point]).filter(|set| stop(set)).collect();
        let pairs = (0..points).flat_map(|a| (a + 1..points).map(move |b| vec![a, b]));
        sets.extend(pairs.filter(|pair| stop(pair) && !stop(&pair[..1]) && !stop(&pair[1..])).collect::<Vec<_>>());
        sets.into_iter().map(|set| set.into_iter().map(|point| Point::new(usize::from(point))).collect()).collect()
    }

    fn by_size(threats: &[Threat], points: u16) -> usize {
        let stop = |set: u32| threats.iter().all(|&Threat([a, b])| set >> a & 1 == 1 || set >> b & 1 == 1);
        (0..1_u32 << points).filter(|&set| stop(set)).map(u32::count_ones).min().unwrap() as usize
    }

    #[test]
    fn many_threats_apart_are_counted_at_once() {
        let threats: Vec<Threat> = (0..60).map(|n| Threat([2 * n, 2 * n + 1])).collect();
        assert_eq!(least(&threats), 60);
        let chain: Vec<Threat> = (0..60).map(|n| Threat([n, n + 1])).collect();
        assert_eq!(least(&chain), 30);
        // Windows in which every fifth point of a row is free: of one point or of two.
        let mut rows: Vec<Threat> =
            (0..90).map(|n| if n % 5 == 4 { Threat([n / 5, n / 5 + 1]) } else { Threat([n / 5, n / 5]) }).collect();
        assert_eq!(least(&rows), 18);
        rows.retain(|threat| threat.0[0] != threat.0[1]);
        assert_eq!(least(&rows), 9);
        // Each of these points is in four.
        let grid: Vec<Threat> = (0..16).flat_map(|n| [Threat([n, (n + 1) % 16]), Threat([n, (n + 4) % 16])]).collect();
        assert_eq!(least(&grid), by_size(&grid, 16));
    }

    #[test]
    fn the_point_that_stops_most_need_not_be_one_of_the_fewest() {
        // A cube without a corner: 1, 2 and 3 stop all, and with 0, which is in as many as they, it takes four.
        let edges = [[0, 1], [0, 2], [0, 3], [1, 4], [2, 4], [2, 5], [3, 5], [1, 6], [3, 6]];
        assert_eq!(least(&edges.map(Threat)), 3);
    }

    proptest! {
        #[test]
        fn covers_are_those_that_trying_every_set_finds(edges in prop::collection::vec((0_u16..9, 0_u16..9), 1..9)) {
            let threats: Vec<_> = edges.into_iter().map(|(a, b)| Threat([a, b])).collect();
            prop_assert_eq!(minimal(&threats), by_trying(&threats, 9));
            let stones = by_size(&threats, 9);
            prop_assert_eq!(least(&threats), stones);
            prop_assert_eq!(level(&threats), [Level::Single, Level::Single, Level::Double, Level::Triple][stones.min(3)]);
        }
    }

    #[test]
    fn pairs_are_sorted_by_worth_and_stay_the_same() {
        let threats = [Threat([1, 2]), Threat([3, 4])];
        let found = pairs(&threats);
        assert_eq!(found.as_slice(), [[1, 3], [1, 4], [2, 3], [2, 4]]);
        let mut sorted = found;
        sorted.sort_by_worth(|[first, second]| i32::from(first + 2 * second));
        assert_eq!(sorted.as_slice(), [[2, 4], [1, 4], [2, 3], [1, 3]]);
        sorted.sort_by_worth(|_| 0);
        assert_eq!(sorted.as_slice(), [[2, 4], [1, 4], [2, 3], [1, 3]], "equals stay in order");
        let mut single = pairs(&[Threat([1, 1]), Threat([2, 2])]);
        single.sort_by_worth(|_| 1);
        assert_eq!(single.as_slice(), [[1, 2]]);
    }

    #[test]
    fn no_threats_need_no_stones() {
        assert_eq!((least(&[]), level(&[])), (0, Level::Single));
        assert!(minimal(&[]).is_empty());
    }
}
