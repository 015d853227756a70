//! An evaluator behind alpha-beta search.

use std::fmt;

use serde_json::{Value, json};

use super::{Chance, Decided, Decision, Failure, OVERHEAD, Player, PlayerError, Seat, thought};
use crate::arena::openings::Opening;
use crate::engine::Clock;
use crate::eval::{Catalogue, Evaluator, Factory, LoadError};
use crate::game::{BoardGame, Side};
use crate::search::{AlphaBeta, Control, Limits, SearchSettings, Stopper, expected_result};

/// An evaluator behind the common search: all such players share the search and differ in what they feed it.
pub struct AlphaBetaPlayer<G: BoardGame> {
    /// The name in tables and game records.
    pub name: String,
    /// What tells this evaluator from every other, such as the SHA-256 of its weights.
    pub checksum: String,
    /// Makes the evaluator.
    pub evaluator: Factory<G>,
    /// The switches of the search.
    pub search: SearchSettings,
    /// How far it looks at each move.
    pub limits: Limits,
}

impl<G: BoardGame> fmt::Debug for AlphaBetaPlayer<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AlphaBetaPlayer({})", self.settings())
    }
}

impl<G: BoardGame> AlphaBetaPlayer<G> {
    /// All that decides how it plays.
    pub(in crate::arena) fn settings(&self) -> Value {
        json!({ "name": self.name, "checksum": self.checksum, "search": self.search, "limits": self.limits })
    }
}

impl<G: BoardGame> Player<G> for AlphaBetaPlayer<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> Value {
        json!({ "evaluator": self.settings() })
    }

    fn check(&self) -> Result<(), PlayerError> {
        Ok(self.search.check()?)
    }

    fn is_timed(&self) -> bool {
        self.limits.movetime().is_some()
    }

    fn sit(&self, _chance: Chance, _side: Side) -> Result<Box<dyn Seat<G>>, Failure> {
        Ok(Box::new(AlphaBetaSeat::of(self)))
    }
}

impl<G: Catalogue> AlphaBetaPlayer<G> {
    /// The evaluator called `name`, a built-in one or a network, behind the common search.
    ///
    /// # Errors
    /// When there is no such evaluator.
    pub fn named(name: &str, search: SearchSettings, limits: Limits) -> Result<Self, LoadError> {
        let (checksum, evaluator) = (G::checksum(name)?, G::evaluator_factory(name)?);
        Ok(Self { name: name.to_owned(), checksum, evaluator, search, limits })
    }
}

/// The player in one game: its own evaluator and its own, at first empty, search memory.
pub(in crate::arena) struct AlphaBetaSeat<G: BoardGame> {
    evaluator: Box<dyn Evaluator<G>>,
    searcher: AlphaBeta<G>,
    limits: Limits,
}

impl<G: BoardGame> AlphaBetaSeat<G> {
    pub fn of(player: &AlphaBetaPlayer<G>) -> Self {
        let (evaluator, searcher) = ((player.evaluator)(), AlphaBeta::new(player.search));
        Self { evaluator, searcher, limits: player.limits }
    }

    /// Every legal move with the result that the mover may expect after it, seen one ply deep and then quiet.
    pub fn glance(&mut self, position: &mut G) -> Vec<(G::Move, f64)> {
        let rated = self.searcher.rate_moves(position, &mut *self.evaluator, 1);
        rated.into_iter().map(|(mv, score)| (mv, expected_result(&*self.evaluator, score))).collect()
    }
}

impl<G: BoardGame> Seat<G> for AlphaBetaSeat<G> {
    fn decide(&mut self, position: &mut G, _line: &Opening<G>, clocks: Option<[Clock; 2]>) -> Decided<G::Move> {
        let stopper = Stopper::new();
        if let Some(clocks) = clocks {
            clocks[position.side_to_move().index()].allowance(OVERHEAD).begin(&stopper);
        }
        let mut control = Control { stopper: &stopper, excluded: &[], lines: 1, report: &mut |_| () };
        let evaluators = std::slice::from_mut(&mut self.evaluator);
        let found = self.searcher.search_with(position, evaluators, self.limits, &mut control);
        let expected = expected_result(&*self.evaluator, found.score);
        let comment = thought(expected, found.depth, found.nodes);
        Ok(found.best.map(|mv| Decision { mv, comment, expected: Some(expected), nodes: found.nodes }))
    }
}
