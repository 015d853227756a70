//! Checks proofs on the board, from the definition of a threat, with no code of the search.

use super::super::Connect6;
use super::super::point::Point;
use super::proof::{Proof, Then, names, threats};
use crate::game::{Game, Outcome, Side};

/// What is wrong with a proof. `after` is the line of stones that leads from the position to the flaw.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A turn with too few or too many stones.
    #[error("after `{after}`: expected a turn of {expected} stones, found {found}")]
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
    /// The defender has an answer that the proof has no reply to: any, where no stones are named.
    #[error("after `{after}`: no reply to `{defence}`, which stops all threats")]
    Missing {
        /// The stones up to there.
        after: String,
        /// The answer.
        defence: String,
    },
}

impl Proof {
    /// Checks that this proves a win of the side to move in `game`, by trying all answers on the board.
    ///
    /// # Errors
    /// The first flaw found.
    pub fn verify(&self, game: &Connect6) -> Result<(), Flaw> {
        Verifier::new(game).turn(self)
    }
}

/// Walks through a proof on a board of its own.
struct Verifier {
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

    /// Places the stones of a turn: all that the side to move has, or as many as make six in a row.
    fn place(&mut self, stones: &[Point]) -> Result<(), Flaw> {
        let wrong = Flaw::Stones { after: self.after(), expected: self.game.stones_left(), found: stones.len() };
        let mover = self.game.side_to_move();
        for &stone in stones {
            if self.game.side_to_move() != mover || self.game.end().is_some() {
                return Err(wrong);
            }
            if !self.game.is_free(stone) {
                return Err(Flaw::NotFree { after: self.after(), stone });
            }
            self.game.play(stone);
        }
        let is_whole = self.game.side_to_move() != mover || self.game.end().is_some();
        if is_whole { Ok(()) } else { Err(wrong) }
    }

    fn follows(&mut self, proof: &Proof) -> Result<(), Flaw> {
        let won = self.game.end().is_some_and(|end| end.outcome == Outcome::Win(self.attacker));
        if won != (proof.then == Then::Six) {
            return Err(Flaw::Six { after: self.after(), claimed: !won });
        }
        if won {
            return Ok(());
        }
        if let Some(free) = threats(&self.game, self.attacker.other()).first() {
            return Err(Flaw::Counter { after: self.after(), by: names(free) });
        }
        self.defences(proof)
    }

    /// Checks that every answer that stops all threats has its reply.
    fn defences(&mut self, proof: &Proof) -> Result<(), Flaw> {
        if let Some(defence) = self.without_reply(proof) {
            return Err(Flaw::Missing { after: self.after(), defence: names(&defence) });
        }
        for defence in proof.defences() {
            self.place(&defence.stones)?;
            self.turn(&defence.reply)?;
            self.game.undo();
            self.game.undo();
        }
        Ok(())
    }

    /// Stones that stop all threats and that the proof does not reply to; no stones where there are no threats.
    fn without_reply(&self, proof: &Proof) -> Option<Vec<Point>> {
        let threats = threats(&self.game, self.attacker);
        let points = threats.concat();
        let stop = |stones: &[Point]| threats.iter().all(|free| free.iter().any(|point| stones.contains(point)));
        let has_reply = |pair: [Point; 2]| {
            let same = |stones: [Point; 2]| stones == pair || stones == [pair[1], pair[0]];
            proof.defences().iter().any(|defence| same(defence.stones))
        };
        let alone = points.iter().map(|&point| vec![point]).find(|stone| stop(stone));
        let mut pairs = points.iter().flat_map(|&a| points.iter().map(move |&b| [a, b]));
        let both = || pairs.find(|&pair| stop(&pair) && !has_reply(pair)).map(|pair| pair.to_vec());
        if threats.is_empty() { Some(Vec::new()) } else { alone.or_else(both) }
    }
}
