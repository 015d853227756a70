//! Players of Monte Carlo tree search: what says how promising moves are, and how much is simulated for each move.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rand::RngExt;
use serde::Serialize;

use super::contestant::check_movetime;
use super::game::{Decision, Failure, Mover};
use super::openings::Opening;
use super::player::{OVERHEAD, Thought};
use crate::engine::{Allowance, Clock};
use crate::eval::PolicyValue;
use crate::game::Game;
use crate::random::Stream;
use crate::search::Stopper;
use crate::search::mcts::Selection;
use crate::search::mcts::single::{Searcher, SearcherSettings};
use crate::settings::{SettingError, require};

/// The simulations of a move that was told no number and no time.
pub const DEFAULT_SIMULATIONS: u32 = 400;

/// The most simulations of one move.
const MAX_SIMULATIONS: u32 = 100_000_000;

/// The most simulations of one move that Gumbel selection plans.
const MOST_PLANNED: u32 = 1_000_000;

/// Who plays by Monte Carlo tree search.
pub struct TreePlayer<G: Game> {
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

/// How much is simulated for a move: up to whichever comes first. With a time, games differ from run to run.
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

impl<G: Game> fmt::Debug for TreePlayer<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreePlayer")
            .field("name", &self.name)
            .field("checksum", &self.checksum)
            .field("search", &self.search)
            .field("effort", &self.effort)
            .finish_non_exhaustive()
    }
}

impl<G: Game> TreePlayer<G> {
    /// Checks the settings.
    ///
    /// # Errors
    /// For the first that is outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        self.search.check()?;
        let Effort { simulations, movetime } = self.effort;
        let number = simulations.unwrap_or(1);
        require((1..=MAX_SIMULATIONS).contains(&number), "simulations", "in [1, 100000000]", number)?;
        require(simulations.is_some() || movetime.is_some(), "simulations", "given where movetime is not", "nothing")?;
        // Gumbel selection plans all of its simulations beforehand.
        let is_planned = self.search.mcts.selection == Selection::Gumbel;
        let can_plan = !is_planned || simulations.is_some_and(|number| number <= MOST_PLANNED);
        let found = simulations.map_or_else(|| "no number".to_owned(), |number| number.to_string());
        require(can_plan, "simulations", "in [1, 1000000] with selection=gumbel", found)?;
        movetime.map_or(Ok(()), check_movetime)
    }
}

/// A player in one game: its own trees.
pub(super) struct TreeSeat<G: Game> {
    searcher: Searcher<G>,
    effort: Effort,
}

impl<G: Game> TreeSeat<G> {
    /// A seat whose draws follow from `stream`.
    pub fn of(player: &TreePlayer<G>, mut stream: Stream) -> Self {
        let network = Arc::clone(&player.network);
        Self { searcher: Searcher::new(network, player.search, stream.random()), effort: player.effort }
    }

    /// What stops the search of the next move.
    fn stopper(&self, clock: Option<Clock>) -> Stopper {
        let stopper = Stopper::new();
        let fixed = self.effort.movetime.map(|time| Allowance::all_of(time, Duration::ZERO));
        let left = clock.map(|clock| clock.allowance(OVERHEAD));
        if let Some(allowance) = fixed.into_iter().chain(left).reduce(Allowance::min) {
            allowance.begin(&stopper);
        }
        stopper
    }
}

impl<G: Game> Mover<G> for TreeSeat<G> {
    fn decide(
        &mut self,
        position: &mut G,
        _line: &Opening<G>,
        clocks: Option<[Clock; 2]>,
    ) -> Result<Option<Decision<G::Move>>, Failure> {
        let stopper = self.stopper(clocks.map(|clocks| clocks[position.side_to_move().index()]));
        let thought = self.searcher.think(position, self.effort.simulations, &stopper);
        let (expected, depth) = (thought.value, thought.line.len() as u32);
        let comment = Thought { expected, depth, nodes: thought.simulations }.to_string();
        let decision = |mv| Decision { mv, comment, expected: Some(expected), nodes: thought.evaluations };
        Ok(thought.best.map(decision))
    }
}
