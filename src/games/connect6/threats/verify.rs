//! Checks proofs on the board, from the definition of a threat, with no code of the search.

use super::super::Connect6;
use super::super::point::{POINTS, Point};
use super::super::windows::SIX;
use super::proof::{Proof, Then, names};
use crate::game::{Game, Outcome, Side};

/// What is wrong with a proof. `after` is the line of stones that leads from the position to the flaw.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A turn with too few or too many stones.
    #[error("after `{after}`: a turn needs {expected} stones, found {found}")]
    Stones {
        /// The stones before.
        after: String,
        /// How many the side to move has left.
        expected: u8,
        /// How many the proof has.
        found: usize,
    },
    /// A stone that cannot be placed.
    #[error("after `{after}`: `{stone}` is not free")]
    NotFree {
        /// The stones before.
        after: String,
        /// The point.
        stone: Point,
    },
    /// The proof speaks of six in a row where there is none, or goes on where there is.
    #[error("after `{after}`: six in a row {}", if *.claimed { "is claimed, but not there" } else { "ends the game, but the proof goes on" })]
    Six {
        /// The stones up to there.
        after: String,
        /// Whether the proof says that there is six in a row.
        claimed: bool,
    },
    /// The defender could make six in a row.
    #[error("after `{after}`: the defender wins with `{by}`")]
    Counter {
        /// The stones up to there.
        after: String,
        /// The stones that he needs for it.
        by: String,
    },
    /// The defender has an answer that the proof has no reply to.
    #[error("after `{after}`: no reply to `{defence}`, which stops all threats")]
    Missing {
        /// The stones up to there.
        after: String,
        /// The answer.
        defence: String,
    },
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
        let point = Point::at(column, start.row().checked_add_signed(up * k)?).filter(|&point| is_inside(game, point))?;
        match game.stone(point) {
            None => free.push(point),
            Some(owner) if owner == side => (),
            Some(_) => return None,
        }
    }
    (free.len() <= 2).then_some(free)
}

fn is_inside(_game: &Connect6, _point: Point) -> bool {
    true
}

/// Walks through a proof on a board of its own.
pub struct Verifier {
    game: Connect6,
    attacker: Side,
    begin: usize,
}

impl Verifier {
    /// A check of proofs that the side to move in `game` wins.
    pub fn new(game: &Connect6) -> Self {
        Self { game: game.clone(), attacker: game.side_to_move(), begin: game.plies() }
    }

    fn after(&self) -> String {
        names(&self.game.moves_made()[self.begin..])
    }

    /// Checks the attacker's turn that comes next, and all that follows.
    pub fn turn(&mut self, proof: &Proof) -> Result<(), Flaw> {
        self.place(&proof.stones)?;
        self.follows(proof)?;
        proof.stones.iter().for_each(|_| self.game.undo());
        Ok(())
    }

    fn place(&mut self, stones: &[Point]) -> Result<(), Flaw> {
        let (mover, mut left) = (self.game.side_to_move(), 0);
        for &stone in stones {
            if self.game.side_to_move() != mover || (left > 0 && self.game.end().is_some()) {
                return Err(Flaw::Stones { after: self.after(), expected: left, found: stones.len() });
            }
            if self.game.stone(stone).is_some() || !is_inside(&self.game, stone) {
                return Err(Flaw::NotFree { after: self.after(), stone });
            }
            left += 1;
            self.game.play(stone);
        }
        Ok(())
    }

    fn follows(&mut self, proof: &Proof) -> Result<(), Flaw> {
        let won = self.game.end().is_some_and(|end| end.outcome == Outcome::Win(self.attacker));
        if won != (proof.then == Then::Six) {
            return Err(Flaw::Six { after: self.after(), claimed: !won });
        }
        if won {
            return Ok(());
        }
        if self.game.side_to_move() == self.attacker {
            let (expected, found) = (proof.stones.len() as u8 + self.game.stones_left(), proof.stones.len());
            return Err(Flaw::Stones { after: self.after(), expected, found });
        }
        if let Some(free) = threats(&self.game, self.attacker.other()).first() {
            return Err(Flaw::Counter { after: self.after(), by: names(free) });
        }
        self.defences(proof)
    }

    /// Checks that every answer that stops all threats has its reply. Without threats every answer would.
    fn defences(&mut self, proof: &Proof) -> Result<(), Flaw> {
        let threats = threats(&self.game, self.attacker);
        let points: Vec<_> = if threats.is_empty() { Vec::new() } else { threats.concat() };
        let missing = |defence: String| Flaw::Missing { after: self.after(), defence };
        if threats.is_empty() {
            return Err(missing(String::new()));
        }
        let stop = |stones: &[Point]| threats.iter().all(|free| free.iter().any(|point| stones.contains(point)));
        if let Some(point) = points.iter().find(|&&point| stop(&[point])) {
            return Err(missing(point.to_string()));
        }
        let replied = |pair: [Point; 2]| {
            proof.defences().iter().any(|defence| defence.stones == pair || defence.stones == [pair[1], pair[0]])
        };
        let pairs = points.iter().flat_map(|&a| points.iter().map(move |&b| [a, b]));
        if let Some(pair) = pairs.filter(|pair| stop(pair)).find(|&pair| !replied(pair)) {
            return Err(missing(names(&pair)));
        }
        for defence in proof.defences() {
            self.place(&defence.stones)?;
            self.turn(&defence.reply)?;
            defence.stones.iter().for_each(|_| self.game.undo());
        }
        Ok(())
    }
}
