//! How a match or a tournament is played.

use serde::{Deserialize, Serialize};

use super::adjudication::Adjudication;
use crate::settings::{SettingError, choices, require};

/// The most games of one match or one run that makes games.
const MAX_GAMES: usize = 10_000_000;

choices! {
    /// Who plays whom.
    pub enum Schedule = RoundRobin {
        /// Everybody against everybody.
        RoundRobin = "round-robin",
        /// The first against each of the others.
        Gauntlet = "gauntlet",
        /// Each against the next one, as generations of a network are compared.
        Ladder = "ladder",
    }
}

impl Schedule {
    /// The pairings of `entrants` numbered from 0, the lower number first.
    ///
    /// ```
    /// use roughboard::arena::Schedule;
    /// assert_eq!(Schedule::RoundRobin.pairings(3), [[0, 1], [0, 2], [1, 2]]);
    /// assert_eq!(Schedule::Gauntlet.pairings(3), [[0, 1], [0, 2]]);
    /// assert_eq!(Schedule::Ladder.pairings(3), [[0, 1], [1, 2]]);
    /// ```
    pub fn pairings(self, entrants: usize) -> Vec<[usize; 2]> {
        let above = |a| (a + 1..entrants).map(move |b| [a, b]);
        match self {
            Self::RoundRobin => (0..entrants).flat_map(above).collect(),
            Self::Gauntlet => above(0).collect(),
            Self::Ladder => (1..entrants).map(|b| [b - 1, b]).collect(),
        }
    }
}

/// How a match or a tournament is played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MatchSettings {
    /// How many games of each pairing, at most 10,000,000: even, as each opening is played with both colours.
    pub games: usize,
    /// Who plays whom.
    pub schedule: Schedule,
    /// The seed: random movers draw from the stream `random mover` of a number that follows from this and the pair.
    pub seed: u64,
    /// What ends games beside their rules.
    pub adjudication: Adjudication,
    /// Whether to begin again with the first opening when there are fewer openings than pairs. The players being
    /// deterministic, this only repeats games.
    pub reuse_openings: bool,
    /// What the records name as the event.
    pub event: String,
}

impl Default for MatchSettings {
    fn default() -> Self {
        let event = "roughboard match".to_owned();
        let (schedule, adjudication) = (Schedule::default(), Adjudication::default());
        Self { games: 100, schedule, seed: 1, adjudication, reuse_openings: false, event }
    }
}

impl MatchSettings {
    /// Checks the settings, as far as this can be done without openings and players.
    ///
    /// # Errors
    /// When the number of games or plies is out of range.
    pub fn check(&self) -> Result<(), SettingError> {
        let are_pairs = self.games > 0 && self.games.is_multiple_of(2);
        require(are_pairs, "games", "even and at least 2, as each opening is played with both colours", self.games)?;
        check_games(self.games)?;
        self.adjudication.check()
    }
}

/// Checks how many games there are.
pub(super) fn check_games(games: usize) -> Result<(), SettingError> {
    require((1..=MAX_GAMES).contains(&games), "games", "in [1, 10000000]", games)
}
