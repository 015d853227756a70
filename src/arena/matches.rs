//! A match of two players: the smallest tournament.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::adjudication::Adjudication;
use super::contestant::{Contestant, ContestantError};
use super::game::check_games;
use super::journal::JournalError;
use super::openings::Opening;
use super::plan::{Plan, PlanError, Schedule};
use super::player::Player;
use super::result::MatchResult;
use super::saved::JournalPlace;
use super::shard::Shard;
use super::tournament::{Played, Tournament};
use crate::game::Game;
use crate::observe::Observer;
use crate::record::GameRecord;
use crate::settings::SettingError;

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
    pub fn check(&self) -> Result<(), MatchError> {
        if self.games == 0 || !self.games.is_multiple_of(2) {
            return Err(MatchError::Games { found: self.games });
        }
        check_games(self.games)?;
        self.adjudication.check()?;
        Ok(())
    }
}

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// An odd number of games, or none.
    #[error("`games` must be even and at least 2, got {found} (each opening is played with both colours)")]
    Games {
        /// What was asked for.
        found: usize,
    },
    /// More pairs than openings.
    #[error(
        "{games} games need {needed} openings, found {found}: give more openings or fewer games (deterministic players \
         would only repeat their games from an opening that is used again; allow that explicitly if it is wanted)"
    )]
    TooFewOpenings {
        /// How many games were asked for.
        games: usize,
        /// How many openings they need.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// A cap that leaves no move to play.
    #[error("`max_plies` must be above the {plies} plies of opening {opening}, got {found}")]
    PlyCap {
        /// The longest opening, from 1.
        opening: usize,
        /// Its plies.
        plies: usize,
        /// What was asked for.
        found: usize,
    },
    /// Nobody to play against.
    #[error("a match needs at least two entrants, got {found}")]
    TooFewEntrants {
        /// How many there are.
        found: usize,
    },
    /// Two players that the records could not tell apart.
    #[error("the players must have different names, got `{name}` twice")]
    SameName {
        /// The name.
        name: String,
    },
    /// Another setting is outside its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Somebody cannot play.
    #[error(transparent)]
    Contestant(#[from] ContestantError),
    /// The plan does not hold together.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// A match of two players that can be played: its settings fit each other.
#[derive(Debug)]
pub struct Match<G: Game>(Tournament<G>);

/// A match that was played.
#[derive(Debug, Clone)]
pub struct FinishedMatch<G: Game> {
    /// The figures.
    pub result: MatchResult,
    /// The games, in order, with what the players thought of each move.
    pub records: Vec<GameRecord<G>>,
}

impl<G: Game> Match<G> {
    /// A match of `players` a and b. Pair i plays opening i: in its first game a moves first, in its second b. Openings
    /// beyond the number of pairs are not used.
    ///
    /// # Errors
    /// When `settings` are out of range or do not fit the openings and players.
    pub fn new(
        players: [Player<G>; 2],
        openings: Vec<Opening<G>>,
        settings: MatchSettings,
    ) -> Result<Self, MatchError> {
        Tournament::new(players.map(Contestant::Evaluator).into(), openings, &settings, Vec::new()).map(Self)
    }

    /// Who plays whom from where.
    #[must_use]
    pub const fn plan(&self) -> &Plan<G> {
        self.0.plan()
    }

    /// Plays the match on the current rayon pool. With a `journal`, games that it holds are not played again, and every game
    /// is added to it as it ends.
    ///
    /// # Errors
    /// When the journal cannot be used.
    pub fn play(&self, journal: Option<&Path>, observer: &dyn Observer) -> Result<FinishedMatch<G>, MatchError> {
        let played = self.0.play(Shard::WHOLE, journal.map(JournalPlace::new), observer)?;
        Ok(self.finished(&played))
    }

    /// As [`Match::play`], but only the games of `shard`, and those that the journal holds; gives the number of missing games if
    /// these are not all.
    ///
    /// # Errors
    /// When the journal cannot be used.
    pub fn play_shard(
        &self,
        shard: Shard,
        journal: &Path,
        observer: &dyn Observer,
    ) -> Result<Result<FinishedMatch<G>, usize>, MatchError> {
        let played = self.0.play(shard, Some(JournalPlace::new(journal)), observer)?;
        Ok(match played.missing() {
            0 => Ok(self.finished(&played)),
            missing => Err(missing),
        })
    }

    fn finished(&self, played: &Played<'_, G>) -> FinishedMatch<G> {
        let names = || self.plan().names().try_into().unwrap_or_default();
        let result = played.result().pairings.pop().unwrap_or_else(|| MatchResult::of(names(), Vec::new()));
        FinishedMatch { result, records: played.records().collect() }
    }
}
