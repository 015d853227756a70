//! How a match or a tournament is played.

use serde::{Deserialize, Serialize};

use super::adjudication::Adjudication;
use crate::settings::{SettingError, choices, require, settings};
use crate::stats::Sprt;

/// The most games of one match or one run that makes games.
pub(crate) const MAX_GAMES: usize = 10_000_000;

choices! {
    /// Who plays whom.
    pub enum Schedule = RoundRobin {
        /// Everybody against everybody.
        RoundRobin,
        /// The first against each of the others.
        Gauntlet,
        /// Each against the next one, as generations of a network are compared.
        Ladder,
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

settings! {
    /// How a match or a tournament is played.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct MatchSettings {
        /// Games of each pairing, an even number: each opening is played with both colours.
        pub games: usize = 100, in 2..=MAX_GAMES;
        /// Who plays whom.
        pub schedule: Schedule = Schedule::RoundRobin;
        /// The seed: random movers draw from the stream `random mover` of a number that follows from this and the pair.
        pub seed: u64 = 1, as "-";
        /// What ends games beside their rules.
        pub adjudication: Adjudication = Adjudication::default();
        /// The sequential test of the first entrant against the second that ends the match of two; without one all games are played.
        pub sprt: Option<Sprt> = None, as "-", serde(skip_serializing_if = "Option::is_none");
        /// Start again from the first opening if there are too few; deterministic players then repeat games.
        pub reuse_openings: bool = false;
        /// What the records name as the event.
        pub event: String = "roughboard match".to_owned(), as "-";
    }
    and check_pairs
}

impl MatchSettings {
    fn check_pairs(&self) -> Result<(), SettingError> {
        require(self.games.is_multiple_of(2), "games", "even, as each opening is played with both colours", self.games)
    }
}
