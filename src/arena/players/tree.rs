//! A network of policy and value behind Monte Carlo tree search.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rand::RngExt;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Chance, Decided, Decision, Failure, OVERHEAD, Player, PlayerError, Seat, check_movetime, thought};
use crate::arena::openings::Opening;
use crate::engine::{Allowance, Clock};
use crate::eval::PolicyValue;
use crate::game::{BoardGame, Side};
use crate::search::Stopper;
use crate::search::mcts::Selection;
use crate::search::mcts::single::{Searcher, SearcherSettings};
use crate::settings::{SettingError, require_in};

/// The simulations of a move that nothing limits, not even a clock.
const DEFAULT_SIMULATIONS: u32 = 400;

/// The most simulations of one move.
const MAX_SIMULATIONS: u32 = 100_000_000;

/// A network of policy and value behind Monte Carlo tree search; its draws come from the stream `tree search`.
pub struct TreePlayer<G: BoardGame> {
    /// The name in tables and game records.
    pub name: String,
    /// What tells its network from every other, such as the SHA-256 of its weights.
    pub checksum: String,
    /// Says what positions are worth and how promising their moves are.
    pub network: Arc<dyn PolicyValue<G>>,
    /// How positions are searched, and moves drawn.
    pub search: SearcherSettings,
    /// How much it simulates for each move.
    pub effort: Effort,
}

/// How much is simulated for a move: up to whichever comes first, the time that a clock allows among them. With a time, games differ from
/// run to run. Where nothing is given and there is no clock, [`Effort::most_simulations`] says how many are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Effort {
    /// Simulations, those of the tree that is kept from the move before included; `None` for no limit.
    pub simulations: Option<u32>,
    /// Time; `None` for no limit.
    pub movetime: Option<Duration>,
}

impl Default for Effort {
    fn default() -> Self {
        Self { simulations: Some(DEFAULT_SIMULATIONS), movetime: None }
    }
}

impl<G: BoardGame> fmt::Debug for TreePlayer<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TreePlayer({})", self.identity())
    }
}

impl Effort {
    /// The most simulations of a move, in games with a clock or without; `None` where time alone limits it.
    pub fn most_simulations(self, has_clock: bool) -> Option<u32> {
        let is_timed = has_clock || self.movetime.is_some();
        self.simulations.or((!is_timed).then_some(DEFAULT_SIMULATIONS))
    }

    /// Checks the ranges, for a tree search that selects so.
    ///
    /// # Errors
    /// For the first limit outside its range, and where a number is missing that the search has to know beforehand.
    pub fn check(self, selection: Selection) -> Result<(), SettingError> {
        let Self { simulations, movetime } = self;
        let number = simulations.unwrap_or(1);
        require_in("simulations", 1..=MAX_SIMULATIONS, number)?;
        selection.check_simulations(simulations)?;
        movetime.map_or(Ok(()), check_movetime)
    }
}

impl<G: BoardGame> Player<G> for TreePlayer<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn identity(&self) -> Value {
        let Self { name, checksum, search, effort, .. } = self;
        json!({ "tree": { "name": name, "checksum": checksum, "search": search, "effort": effort } })
    }

    fn check(&self) -> Result<(), PlayerError> {
        self.search.check()?;
        Ok(self.effort.check(self.search.mcts.selection)?)
    }

    fn is_timed(&self) -> bool {
        self.effort.movetime.is_some()
    }

    fn sit(&self, chance: Chance, side: Side) -> Result<Box<dyn Seat<G>>, Failure> {
        let (network, seed) = (Arc::clone(&self.network), chance.stream("tree search", side).random());
        Ok(Box::new(TreeSeat { searcher: Searcher::new(network, self.search, seed), effort: self.effort }))
    }
}

/// The player in one game: its own trees.
struct TreeSeat<G: BoardGame> {
    searcher: Searcher<G>,
    effort: Effort,
}

impl<G: BoardGame> TreeSeat<G> {
    /// What stops the search of the next move.
    fn stopper(&self, clock: Option<Clock>) -> Stopper {
        let stopper = Stopper::new();
        let fixed = self.effort.movetime.map(Allowance::all_of);
        let left = clock.map(|clock| clock.allowance(OVERHEAD));
        if let Some(allowance) = fixed.into_iter().chain(left).reduce(Allowance::min) {
            allowance.begin(&stopper);
        }
        stopper
    }
}

impl<G: BoardGame> Seat<G> for TreeSeat<G> {
    fn decide(&mut self, position: &mut G, _line: &Opening<G>, clocks: Option<[Clock; 2]>) -> Decided<G::Move> {
        let simulations = self.effort.most_simulations(clocks.is_some());
        let stopper = self.stopper(clocks.map(|clocks| clocks[position.side_to_move().index()]));
        let found = self.searcher.think(position, simulations, &stopper);
        let comment = thought(found.value, found.line.len() as u32, found.simulations);
        let decision = |mv| Decision { mv, comment, expected: Some(found.value), nodes: found.evaluations };
        Ok(found.best.map(decision))
    }
}
