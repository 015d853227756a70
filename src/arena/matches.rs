//! A match of two players: the smallest tournament.

use std::path::Path;

use super::openings::Opening;
use super::plan::Plan;
use super::players::Player;
use super::result::MatchResult;
use super::saved::JournalPlace;
use super::settings::MatchSettings;
use super::shard::Shard;
use super::tournament::{MatchError, Played, Tournament};
use crate::game::BoardGame;
use crate::observe::Observer;
use crate::record::GameRecord;

/// A match of two players that can be played: its settings fit each other.
#[derive(Debug)]
pub struct Match<G: BoardGame>(Tournament<G>);

/// A match that was played.
#[derive(Debug, Clone)]
pub struct FinishedMatch<G: BoardGame> {
    /// The figures.
    pub result: MatchResult,
    /// The games, in order, with what the players thought of each move.
    pub records: Vec<GameRecord<G>>,
}

impl<G: BoardGame> Match<G> {
    /// A match of `players` a and b. Pair i plays opening i: in its first game a moves first, in its second b. Openings
    /// beyond the number of pairs are not used.
    ///
    /// # Errors
    /// When `settings` are out of range or do not fit the openings and players.
    pub fn new(
        players: [Box<dyn Player<G>>; 2],
        openings: Vec<Opening<G>>,
        settings: MatchSettings,
    ) -> Result<Self, MatchError> {
        Tournament::new(players.into(), openings, &settings, Vec::new()).map(Self)
    }

    /// Who plays whom from where.
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
