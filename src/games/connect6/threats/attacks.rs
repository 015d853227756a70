//! The turns of the attacker that leave at least a double threat.
//!
//! A turn begins without threats of the attacker: the defender has just stopped them all. So a threat that stands after a
//! pair of stones is a window that held three of his stones and got one, or held two and got both. Hence a pair that
//! leaves a double threat is one of these, and nothing is left out:
//!
//! * two stones, each on a free point of a window with three;
//! * two stones in the same window with two;
//! * a stone that makes a double threat alone, and any other stone.

use super::super::point::{POINTS, SIZE};
use super::super::windows::SIX;
use super::cover::{Level, Threat, level, stops};
use super::field::{Field, Kind, Role};

/// Ends a list.
const END: u32 = u32::MAX;
/// Distances along a line within a window, times four directions.
const OFFSETS: usize = 20;

/// A turn of the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Attack {
    /// The points of its stones.
    pub stones: [u16; 2],
    /// What it leaves.
    pub level: Level,
    /// Larger is tried first.
    pub promise: i32,
}

/// Finds attacks. Holds the lists that one position needs, so that none is allocated for the next.
pub(crate) struct Attacks {
    /// Threats in chains: a threat and the next one's place.
    chains: Vec<(Threat, u32)>,
    /// By point: the threats that a stone there makes, a chain.
    of_point: Box<[u32; POINTS]>,
    /// By pair of points in a window: the threats that come from windows that need both, a chain.
    of_pair: Box<[u32]>,
    /// The points with a chain.
    singles: Vec<u16>,
    /// The pairs with a chain.
    couples: Vec<[u16; 2]>,
    /// The defender's threats.
    counters: Vec<Threat>,
    /// The threats after the pair in question.
    threats: Vec<Threat>,
    has_double: bool,
}

impl Attacks {
    /// Empty lists.
    pub fn new() -> Self {
        Self {
            chains: Vec::new(),
            of_point: Box::new([END; POINTS]),
            of_pair: vec![END; POINTS * OFFSETS].into_boxed_slice(),
            singles: Vec::new(),
            couples: Vec::new(),
            counters: Vec::new(),
            threats: Vec::new(),
            has_double: false,
        }
    }

    /// Appends every turn that stops all threats of the defender and leaves at least `least`, in no order, each once. The
    /// attacker has no threats yet. Says whether some turn leaves a double threat, be it less than `least`.
    pub fn find(&mut self, field: &Field, least: Level, out: &mut Vec<Attack>) -> bool {
        self.has_double = false;
        field.threats(Role::Defender, &mut self.counters);
        if level(&self.counters) == Level::Triple {
            return false;
        }
        self.fill(field);
        self.pairs_of_singles(least, out);
        self.pairs_of_couples(least, out);
        self.stones_to_spare(field, least, out);
        self.has_double
    }

    /// Builds the chains.
    fn fill(&mut self, field: &Field) {
        self.singles.drain(..).for_each(|point| self.of_point[usize::from(point)] = END);
        self.couples.drain(..).filter_map(slot).for_each(|slot| self.of_pair[slot] = END);
        self.chains.clear();
        for window in field.windows(Kind::Three) {
            let mut free = [0; 3];
            free.iter_mut().zip(field.free_of(window)).for_each(|(slot, point)| *slot = point);
            for (stone, rest) in [(0, [1, 2]), (1, [0, 2]), (2, [0, 1])] {
                self.add_single(free[stone], Threat(rest.map(|at: usize| free[at])));
            }
        }
        for window in field.windows(Kind::Two) {
            let mut free = [0; 4];
            free.iter_mut().zip(field.free_of(window)).for_each(|(slot, point)| *slot = point);
            for (stones, rest) in HALVES {
                self.add_couple(stones.map(|at| free[at]), Threat(rest.map(|at| free[at])));
            }
        }
    }

    fn add_single(&mut self, point: u16, threat: Threat) {
        let head = &mut self.of_point[usize::from(point)];
        if *head == END {
            self.singles.push(point);
        }
        self.chains.push((threat, *head));
        *head = self.chains.len() as u32 - 1;
    }

    fn add_couple(&mut self, pair: [u16; 2], threat: Threat) {
        let Some(slot) = slot(pair) else { return };
        let head = &mut self.of_pair[slot];
        if *head == END {
            self.couples.push(pair);
        }
        self.chains.push((threat, *head));
        *head = self.chains.len() as u32 - 1;
    }

    fn is_single(&self, point: u16) -> bool {
        self.of_point[usize::from(point)] != END
    }

    fn pairs_of_singles(&mut self, least: Level, out: &mut Vec<Attack>) {
        for first in 0..self.singles.len() {
            for second in 0..first {
                self.try_pair([self.singles[second], self.singles[first]], least, out);
            }
        }
    }

    fn pairs_of_couples(&mut self, least: Level, out: &mut Vec<Attack>) {
        for at in 0..self.couples.len() {
            let pair = self.couples[at];
            if !pair.iter().all(|&point| self.is_single(point)) {
                self.try_pair(pair, least, out);
            }
        }
    }

    /// Single stones that leave a double threat, each with every other stone that is not among the pairs tried.
    fn stones_to_spare(&mut self, field: &Field, least: Level, out: &mut Vec<Attack>) {
        if least == Level::Triple && self.counters.is_empty() {
            return; // With any other of the points that make a threat, such a stone was among the pairs.
        }
        for at in 0..self.singles.len() {
            let point = self.singles[at];
            self.threats.clear();
            self.threats.extend(chain(&self.chains, self.of_point[usize::from(point)]));
            if !stops(self.threats.iter().copied()).is_empty() {
                continue;
            }
            let level = level(&self.threats);
            let is_new = |&other: &u16| other != point && !self.is_single(other) && !self.is_couple([point, other]);
            let others = field.free().filter(is_new).filter(|&other| self.stops_counters([point, other]));
            let before = out.len();
            out.extend(others.map(|other| Attack { stones: [point, other], level, promise: 0 }));
            self.has_double |= out.len() > before;
            if level < least {
                out.truncate(before);
            }
        }
    }

    fn is_couple(&self, pair: [u16; 2]) -> bool {
        slot(pair).is_some_and(|slot| self.of_pair[slot] != END)
    }

    fn stops_counters(&self, pair: [u16; 2]) -> bool {
        self.counters.iter().all(|threat| pair.iter().any(|&point| threat.is_stopped_by(point)))
    }

    fn try_pair(&mut self, pair: [u16; 2], least: Level, out: &mut Vec<Attack>) {
        if !self.stops_counters(pair) {
            return;
        }
        self.collect(pair);
        if !stops(self.threats.iter().copied()).is_empty() {
            return;
        }
        self.has_double = true;
        let level = level(&self.threats);
        if level >= least {
            out.push(Attack { stones: pair, level, promise: self.threats.len() as i32 });
        }
    }

    /// The threats that stand after `pair`.
    fn collect(&mut self, pair: [u16; 2]) {
        let [first, second] = pair;
        let (chains, of_point) = (&self.chains, &self.of_point);
        self.threats.clear();
        self.threats.extend(chain(chains, of_point[usize::from(first)]).map(|threat| threat.filled(second)));
        self.threats.extend(chain(chains, of_point[usize::from(second)]).map(|threat| threat.filled(first)));
        if let Some(slot) = slot(pair) {
            self.threats.extend(chain(chains, self.of_pair[slot]));
        }
    }
}

/// The ways to put two stones on four free points: those two, and the two that stay free.
const HALVES: [([usize; 2], [usize; 2]); 6] =
    [([0, 1], [2, 3]), ([0, 2], [1, 3]), ([0, 3], [1, 2]), ([1, 2], [0, 3]), ([1, 3], [0, 2]), ([2, 3], [0, 1])];

fn chain(chains: &[(Threat, u32)], head: u32) -> impl Iterator<Item = Threat> + '_ {
    let at = move |place: u32| chains.get(place as usize);
    std::iter::successors(at(head), move |&&(_, next)| at(next)).map(|&(threat, _)| threat)
}

/// The place of a pair of points of a window in a table of such pairs; none for points that share no window.
fn slot(pair: [u16; 2]) -> Option<usize> {
    let (low, high) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
    let offset = *OFFSET.get(usize::from(high - low))?;
    (offset != u8::MAX).then(|| usize::from(low) * OFFSETS + usize::from(offset))
}

/// By difference of two points: a number for direction and distance, if they can share a window.
static OFFSET: [u8; (SIX - 1) * (SIZE + 1) + 1] = offsets();

const fn offsets() -> [u8; (SIX - 1) * (SIZE + 1) + 1] {
    let mut offsets = [u8::MAX; (SIX - 1) * (SIZE + 1) + 1];
    let steps = [1, SIZE - 1, SIZE, SIZE + 1];
    let mut number = 0;
    while number < OFFSETS {
        offsets[steps[number % steps.len()] * (number / steps.len() + 1)] = number as u8;
        number += 1;
    }
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation, Side};
    use crate::games::connect6::Connect6;

    #[test]
    fn a_stone_that_makes_a_double_threat_is_an_attack_if_the_other_stops_the_defender() {
        // A fourth stone beside three makes a double threat. One stone stops a four in a corner, and none stops two.
        for (edge, is_attack) in [("wwww15", true), ("wwww11wwww", false)] {
            let text = format!("{}7bbb9/{}{edge} b 2", "19/".repeat(9), "19/".repeat(8));
            let field = Field::new(&Connect6::from_notation(&text).unwrap(), Side::First);
            let mut out = Vec::new();
            assert_eq!(Attacks::new().find(&field, Level::Double, &mut out), is_attack, "{edge}");
            assert_eq!(out.is_empty(), !is_attack, "{edge}");
        }
    }

    #[test]
    fn attacks_are_the_pairs_that_leave_a_double_threat_each_once() {
        let game = Connect6::from_notation("9/9/9/9/3bbb3/9/9/9/9 b 2").unwrap();
        let field = Field::new(&game, Side::First);
        let mut out = Vec::new();
        assert!(Attacks::new().find(&field, Level::Double, &mut out));
        let in_order = |[a, b]: [u16; 2]| [a.min(b), a.max(b)];
        let mut found: Vec<_> = out.iter().map(|attack| (in_order(attack.stones), attack.level)).collect();
        found.sort_unstable();
        let points: Vec<u16> = field.free().collect();
        let (mut expected, mut threats) = (Vec::new(), Vec::new());
        for (at, &first) in points.iter().enumerate() {
            for &second in &points[at + 1..] {
                let mut after = field.clone();
                after.place(first, Role::Attacker);
                after.place(second, Role::Attacker);
                after.threats(Role::Attacker, &mut threats);
                if level(&threats) >= Level::Double {
                    expected.push(([first, second], level(&threats)));
                }
            }
        }
        assert_eq!(found, expected);
    }
}
