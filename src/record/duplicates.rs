//! Games that were read before.

use rustc_hash::FxHashSet;

use super::clean::game_key;
use super::entry::GameRecord;
use crate::game::Notation;

/// Counts games that tell the same moves from the same start as an earlier one, whatever their tags, comments and results.
///
/// Games are told apart by keys of 64 bits ([`game_key`]), so that a million of them take some 16 MB; among a million different
/// games the chance that any two are taken for one is below 10⁻⁷.
#[derive(Debug, Clone, Default)]
pub struct Duplicates {
    seen: FxHashSet<u64>,
    count: u64,
}

impl Duplicates {
    /// Enters a game; whether it had been entered before.
    pub fn add<G: Notation>(&mut self, game: &GameRecord<G>) -> bool {
        let known = !self.seen.insert(game_key(game));
        self.count += u64::from(known);
        known
    }

    /// How many games had been entered before: games less different games.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// `2 of 9 games are duplicates, which count each time`, of `all` games that were entered; nothing if there are none.
    pub fn note(&self, all: u64) -> Option<String> {
        let (are, count_each) =
            if self.count == 1 { ("is a duplicate", "counts") } else { ("are duplicates", "count") };
        (self.count > 0).then(|| format!("{} of {all} games {are}, which {count_each} each time", self.count))
    }
}
