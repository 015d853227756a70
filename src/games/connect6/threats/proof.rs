//! Proofs of victories.

use std::fmt;

use serde::{Serialize, Serializer};

use super::super::Connect6;
use super::super::point::{POINTS, Point};
use super::super::windows::SIX;
use crate::game::{Game, Side};

/// A turn of the attacker and what comes of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Proof {
    /// The stones of the turn, one or two.
    #[serde(serialize_with = "as_names")]
    pub stones: Vec<Point>,
    /// What follows.
    pub then: Then,
}

/// What follows a turn of the attacker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// Six in a row: the game is won.
    Six,
    /// No two stones stop all threats, and the defender has no threats: six in a row next turn.
    Unstoppable,
    /// Every defence, and the attacker's reply.
    Defences(Vec<Defence>),
}

/// Two stones that stop all threats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Defence {
    /// The stones.
    #[serde(serialize_with = "as_names")]
    pub stones: [Point; 2],
    /// How the attacker goes on.
    pub reply: Proof,
}

fn as_names<S: Serializer>(points: impl AsRef<[Point]>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(points.as_ref().iter().map(|point| point.name()))
}

impl Proof {
    /// The double-threat turns against the longest resistance: 0 for six in a row, 1 for a turn that nothing stops.
    pub fn turns(&self) -> u32 {
        match &self.then {
            Then::Six => 0,
            Then::Unstoppable => 1,
            Then::Defences(defences) => 1 + defences.iter().map(|defence| defence.reply.turns()).max().unwrap_or(0),
        }
    }

    /// The turns of the attacker that it holds.
    pub fn size(&self) -> usize {
        1 + self.defences().iter().map(|defence| defence.reply.size()).sum::<usize>()
    }

    /// The defences that it replies to.
    pub(super) fn defences(&self) -> &[Defence] {
        if let Then::Defences(defences) = &self.then { defences } else { &[] }
    }

    /// The stones of both sides from `game`, the position that this proves, up to six in a row, with the first of the defences
    /// that hold out longest.
    pub fn line(&self, game: &Connect6) -> Vec<Point> {
        let (mut line, mut proof) = (self.stones.clone(), self);
        // The last of several maxima would come out of `max_by_key`.
        while let Some(defence) = proof.defences().iter().rev().max_by_key(|defence| defence.reply.turns()) {
            proof = &defence.reply;
            line.extend(defence.stones.iter().chain(&proof.stones));
        }
        if proof.then == Then::Unstoppable {
            let mut end = game.clone();
            line.iter().for_each(|&stone| end.play(stone));
            line.extend(last_turns(&end, game.side_to_move()));
        }
        line
    }
}

/// The free points of every window of six points that holds four or more stones of `side` and none of the other's.
pub fn threats(game: &Connect6, side: Side) -> Vec<Vec<Point>> {
    let steps = [(1, 0), (0, 1), (1, 1), (-1, 1)];
    let starts = (0..POINTS).map(Point::new).flat_map(|start| steps.map(|step| (start, step)));
    starts.filter_map(|(start, step)| free_of(game, side, start, step)).collect()
}

/// The free points of the window from `start`, if it is a threat.
fn free_of(game: &Connect6, side: Side, start: Point, (right, up): (isize, isize)) -> Option<Vec<Point>> {
    let mut free = Vec::new();
    for k in 0..SIX as isize {
        let column = start.column().checked_add_signed(right * k)?;
        let point = Point::at(column, start.row().checked_add_signed(up * k)?)?;
        if game.is_free(point) {
            free.push(point);
        } else if game.stone(point) != Some(side) {
            return None;
        }
    }
    (free.len() <= 2).then_some(free)
}

/// Two stones of the defender and the attacker's next up to six in a row, where two stones do not stop all threats. The
/// defender leaves windows that lack two stones, if he can.
fn last_turns(game: &Connect6, attacker: Side) -> Vec<Point> {
    let threats = threats(game, attacker);
    let points: Vec<_> = threats.concat();
    let pairs = points.iter().flat_map(|&a| points.iter().filter(move |&&b| b != a).map(move |&b| [a, b]));
    let left = |pair: &[Point; 2]| {
        threats.iter().filter(|free| !pair.iter().any(|point| free.contains(point))).min_by_key(|free| free.len())
    };
    let ends = pairs.filter_map(|pair| left(&pair).map(|free| (pair, free)));
    // Of equal ends the first.
    let longest = ends.reduce(|best, next| if next.1.len() > best.1.len() { next } else { best });
    longest.map_or_else(Vec::new, |(pair, free)| pair.iter().chain(free).copied().collect())
}

/// One turn a line, defences and replies indented below the turn that they answer.
impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

impl Proof {
    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let indent = "    ".repeat(depth);
        write!(f, "{indent}{}", names(&self.stones))?;
        match &self.then {
            Then::Six => writeln!(f, "  six in a row"),
            Then::Unstoppable => writeln!(f, "  three threats"),
            Then::Defences(defences) => {
                writeln!(f)?;
                defences.iter().try_for_each(|defence| {
                    writeln!(f, "{indent}  - {}", names(&defence.stones))?;
                    defence.reply.write(f, depth + 1)
                })
            }
        }
    }
}

/// The points, separated by spaces.
pub fn names(points: &[Point]) -> String {
    points.iter().map(|point| point.name()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_those_of_the_longest_defence_and_the_size_counts_all() {
        let turn = |then| Proof { stones: vec![Point::new(0), Point::new(1)], then };
        let defence = |reply| Defence { stones: [Point::new(2), Point::new(3)], reply };
        let short = turn(Then::Unstoppable);
        let long = turn(Then::Defences(vec![defence(short.clone())]));
        let both = turn(Then::Defences(vec![defence(long.clone()), defence(short.clone())]));
        for (proof, turns, size) in [(turn(Then::Six), 0, 1), (short, 1, 1), (long, 2, 2), (both, 3, 4)] {
            assert_eq!((proof.turns(), proof.size()), (turns, size), "{proof}");
        }
    }

    #[test]
    fn replies_are_indented_below_the_turn_that_they_answer() {
        let [a, b, c] = [0, 1, 2].map(Point::new);
        let reply = Proof { stones: vec![b, c], then: Then::Six };
        let proof = |reply| Proof { stones: vec![a], then: Then::Defences(vec![Defence { stones: [b, c], reply }]) };
        let [a, b, c] = [a, b, c].map(|point| point.name());
        let expected = format!("{a}\n  - {b} {c}\n    {a}\n      - {b} {c}\n        {b} {c}  six in a row\n");
        assert_eq!(proof(proof(reply)).to_string(), expected);
    }
}
