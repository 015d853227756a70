//! Counts games into a book.

use std::marker::PhantomData;

use rustc_hash::{FxHashMap, FxHashSet};

use super::fold::Fold;
use super::{Book, BookRow, Meta};
use crate::game::{SearchHints, Side, Symmetric};
use crate::record::GameRecord;
use crate::record::clean::folded_key;
use crate::settings::{SettingError, settings};
use crate::stats::Wdl;

settings! {
    /// What of the games a book takes in.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct BookSettings {
        /// Plies of each game that are counted.
        pub plies: u32 = 40, in 1..=1000;
        /// Leave out moves that were played in fewer games.
        pub min_games: u32 = 1, in 1..=1_000_000;
    }
}

/// A book that is being counted. Its result does not depend on the order of the games.
pub struct Builder<G> {
    settings: BookSettings,
    games: u64,
    /// The side that moves and results, by key and slot of [`BookRow`].
    counts: FxHashMap<(i64, u32), (Side, Wdl)>,
    /// The key of each game.
    keys: Vec<i64>,
    game: PhantomData<fn() -> G>,
}

impl<G: Symmetric + SearchHints> Builder<G> {
    /// A book without games.
    ///
    /// # Errors
    /// When a setting is outside its range.
    pub fn new(settings: BookSettings) -> Result<Self, SettingError> {
        settings.check()?;
        Ok(Self { settings, games: 0, counts: FxHashMap::default(), keys: Vec::new(), game: PhantomData })
    }

    /// Counts one game; one without a result says nothing and is passed over. A move that a game repeats in the same
    /// position counts once.
    pub fn add(&mut self, record: &GameRecord<G>) {
        let Some(outcome) = record.outcome else { return };
        self.games += 1;
        self.keys.push(folded_key(record).cast_signed());
        let mut seen = FxHashSet::default();
        let mut position = record.start.clone();
        for &mv in record.moves.iter().take(self.settings.plies as usize) {
            let fold = Fold::of(&position);
            let place = (fold.key, G::move_slot(fold.stored(&position, mv)) as u32);
            if seen.insert(place) {
                let side = position.side_to_move();
                let (_, wdl) = self.counts.entry(place).or_insert((side, Wdl::default()));
                wdl.record(outcome.value_for(side));
            }
            position.play(mv);
        }
    }

    /// The book of the games so far; `inputs` are name and SHA-256 of the files they came from.
    pub fn finish(self, mut inputs: Vec<(String, String)>) -> Book<G> {
        let BookSettings { plies, min_games } = self.settings;
        let rows = self.counts.into_iter().filter(|(_, (_, wdl))| wdl.games() >= u64::from(min_games));
        let mut rows: Vec<BookRow> = rows.map(|((key, slot), (side, wdl))| BookRow { key, side, slot, wdl }).collect();
        rows.sort_unstable_by_key(|row| (row.key, row.slot));
        inputs.sort();
        let mut keys = self.keys;
        keys.sort_unstable();
        keys.dedup();
        let program = crate::PROGRAM.to_owned();
        Book {
            meta: Meta { plies, min_games, games: self.games, program, inputs },
            rows,
            games: Some(keys),
            game: PhantomData,
        }
    }
}
