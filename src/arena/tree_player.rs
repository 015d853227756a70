//! Players of Monte Carlo tree search: what says how promising moves are, and how much is simulated for each move.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rand::RngExt;
use serde::Serialize;

use super::game::{Decision, Failure, Mover};
use super::openings::Opening;
use crate::engine::Clock;
use crate::eval::PolicyValue;
use crate::game::Game;
use crate::random::Stream;
use crate::search::mcts::{MctsSettings, Searcher};
use crate::setting::{SettingError, require};

/// The temperature of S4 in matches.
pub const MATCH_TEMPERATURE: f64 = 0.1;
/// The simulations of a move that was told no number and no time.
pub const DEFAULT_SIMULATIONS: u32 = 400;

/// Who plays by Monte Carlo tree search.
pub struct TreePlayer<G: Game> {
    /// The name in tables and game records.
    pub name: String,
    /// What tells its network from every other, such as the SHA-256 of its weights.
    pub checksum: String,
    /// Says what positions are worth and how promising their moves are.
    pub network: Arc<dyn PolicyValue<G>>,
    /// How the tree is searched.
    pub search: MctsSettings,
    /// How much it simulates for each move.
    pub effort: Effort,
    /// The temperature τ at which a move is drawn from the visits, π ∝ N^(1/τ); 0 plays the most visited.
    pub temperature: f64,
}

/// How much is simulated for a move: whichever comes first. With a time, games differ from run to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Effort {
    /// Simulations, those of the tree that is kept from the move before included.
    pub simulations: Option<u32>,
    /// Time.
    pub movetime: Option<Duration>,
}

impl<G: Game> fmt::Debug for TreePlayer<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TreePlayer")
            .field("name", &self.name)
            .field("checksum", &self.checksum)
            .field("search", &self.search)
            .field("effort", &self.effort)
            .field("temperature", &self.temperature)
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
        let milliseconds = movetime.map_or(1, |time| time.as_millis());
        require((1..=MAX_MOVETIME_MS).contains(&milliseconds), "movetime", "in [1, 3600000]", milliseconds)?;
        let limited = simulations.is_some() || movetime.is_some();
        require(limited, "simulations", "given, or movetime", "neither")?;
        let temperature = self.temperature;
        require((0.0..=10.0).contains(&temperature), "temperature", "in [0, 10]", temperature)
    }
}
