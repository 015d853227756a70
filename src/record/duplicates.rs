//! Games that were read before.

use rustc_hash::FxHashSet;

use super::entry::GameRecord;
use crate::game::Game;

/// Start and moves of a game.
type Told<M> = (Box<str>, Box<[M]>);

/// Counts games that tell the same moves from the same start as an earlier one, whatever their tags, comments and results.
#[derive(Debug, Clone)]
pub struct Duplicates<G: Game> {
    /// Every different game. The set compares by hash first and exactly where the hashes agree.
    seen: FxHashSet<Told<G::Move>>,
    count: u64,
}

impl<G: Game> Default for Duplicates<G> {
    fn default() -> Self {
        Self { seen: FxHashSet::default(), count: 0 }
    }
}

impl<G: Game> Duplicates<G> {
    /// Enters a game; whether it had been entered before.
    pub fn add(&mut self, game: &GameRecord<G>) -> bool {
        let known = !self.seen.insert((game.start.notation().into(), game.moves.as_slice().into()));
        self.count += u64::from(known);
        known
    }

    /// How many games had been entered before: games less different games.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }
}
