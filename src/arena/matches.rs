//! A match of two players: the smallest tournament.

use super::journal::JournalError;
use super::played::Played;
use super::result::MatchResult;
use crate::game::BoardGame;
use crate::record::GameRecord;

/// A match of two players that was played.
#[derive(Debug, Clone)]
pub struct FinishedMatch<G: BoardGame> {
    /// The figures.
    pub result: MatchResult,
    /// The games, in order, with what the players thought of each move.
    pub records: Vec<GameRecord<G>>,
}

impl<G: BoardGame> Played<'_, G> {
    /// The first pairing of the tournament, which is all of it where there are two players.
    ///
    /// # Errors
    /// When a game cannot be read any more.
    pub fn finished_match(&self) -> Result<FinishedMatch<G>, JournalError> {
        let mut tournament = self.result();
        let result = match tournament.pairings.is_empty() {
            false => tournament.pairings.swap_remove(0),
            true => MatchResult::of(tournament.names.try_into().unwrap_or_default(), Vec::new(), &[]),
        };
        Ok(FinishedMatch { result, records: self.records().collect::<Result<_, _>>()? })
    }
}
