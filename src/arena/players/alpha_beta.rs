//! Players: an evaluator, and how far the common search engine looks ahead for it.

use std::fmt;
use std::time::Duration;

use super::game::{Decision, Failure, Mover};
use super::openings::Opening;
use crate::engine::Clock;
use crate::eval::Evaluator;
use crate::game::Game;
use crate::search::{AlphaBeta, Control, Limits, SearchSettings, Stopper, expected_result};

/// What a search under a clock leaves of its time for the steps between clock and search.
pub(super) const OVERHEAD: Duration = Duration::from_millis(10);

/// Makes an evaluator; every game gets its own, so that games can be played in parallel.
pub type EvaluatorFactory<G> = crate::eval::Factory<G>;

/// Who plays: all players share the search engine and differ in what they feed it.
pub struct Player<G: Game> {
    /// The name in tables and game records.
    pub name: String,
    /// What tells this evaluator from every other, such as the SHA-256 of its weights: a journal is resumed only with the
    /// same one.
    pub checksum: String,
    /// Makes the evaluator.
    pub evaluator: EvaluatorFactory<G>,
    /// The switches of the search.
    pub search: SearchSettings,
    /// How far it looks at each move.
    pub limits: Limits,
}

impl<G: Game> fmt::Debug for Player<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player")
            .field("name", &self.name)
            .field("checksum", &self.checksum)
            .field("search", &self.search)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// What the player thought of the move it made. Displays as `+0.352/3 1234`: expected result, depth, nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thought {
    /// The expected result for the **mover**, in [-1, 1], by its own evaluator.
    pub expected: f64,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The positions visited.
    pub nodes: u64,
}

impl fmt::Display for Thought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.3}/{} {}", self.expected, self.depth, self.nodes)
    }
}

/// A player in one game: its own evaluator and its own, at first empty, search memory.
pub(super) struct Seat<G: Game> {
    evaluator: Box<dyn Evaluator<G>>,
    searcher: AlphaBeta<G>,
    limits: Limits,
}

impl<G: Game> Seat<G> {
    pub fn of(player: &Player<G>) -> Self {
        let (evaluator, searcher) = ((player.evaluator)(), AlphaBeta::new(player.search));
        Self { evaluator, searcher, limits: player.limits }
    }

    /// Every legal move with the result that the mover may expect after it, seen one ply deep and then quiet.
    pub fn glance(&mut self, position: &mut G) -> Vec<(G::Move, f64)> {
        let rated = self.searcher.rate_moves(position, &mut *self.evaluator, 1);
        rated.into_iter().map(|(mv, score)| (mv, expected_result(&*self.evaluator, score))).collect()
    }
}

impl<G: Game> Mover<G> for Seat<G> {
    fn decide(
        &mut self,
        position: &mut G,
        _line: &Opening<G>,
        clocks: Option<[Clock; 2]>,
    ) -> Result<Option<Decision<G::Move>>, Failure> {
        let stopper = Stopper::new();
        if let Some(clocks) = clocks {
            clocks[position.side_to_move().index()].allowance(OVERHEAD).begin(&stopper);
        }
        let mut control = Control { stopper: &stopper, excluded: &[], lines: 1, report: &mut |_| () };
        let evaluators = std::slice::from_mut(&mut self.evaluator);
        let found = self.searcher.search_with(position, evaluators, self.limits, &mut control);
        let expected = expected_result(&*self.evaluator, found.score);
        let thought = Thought { expected, depth: found.depth, nodes: found.nodes };
        let decision = |mv| Decision { mv, comment: thought.to_string(), expected: Some(expected), nodes: found.nodes };
        Ok(found.best.map(decision))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thought_reads_as_documented() {
        let thought = Thought { expected: 0.3521, depth: 3, nodes: 1234 };
        assert_eq!(thought.to_string(), "+0.352/3 1234");
        assert_eq!(Thought { expected: -1.0, ..thought }.to_string(), "-1.000/3 1234");
    }
}
