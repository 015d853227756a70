//! The table of the positions of games that come one by one.

use super::PositionSet;
use crate::features::FeatureSet;
use crate::features::tabulate::Tabulation;
use crate::game::{Notation, SearchHints};
use crate::record::{Duplicates, GameRecord};
use crate::table::{CountTable, TableError};

/// Games that are encoded together, by all threads.
const BATCH: usize = 256;

/// The positions of games, of which equal ones are merged as the games come: only some games and the different positions are
/// in memory.
pub struct PositionTable<'f, G: SearchHints, F> {
    features: &'f F,
    skip_plies: usize,
    waiting: Vec<GameRecord<G>>,
    merged: Tabulation,
    duplicates: Duplicates,
}

impl<'f, G: SearchHints + Notation, F: FeatureSet<G>> PositionTable<'f, G, F> {
    /// No games yet. `features` describe positions, and the first `skip_plies` plies of each game are left out.
    pub fn new(features: &'f F, skip_plies: usize) -> Self {
        let merged = Tabulation::new(features.attributes());
        Self { features, skip_plies, waiting: Vec::with_capacity(BATCH), merged, duplicates: Duplicates::default() }
    }

    /// Adds a game, which has a result.
    pub fn add(&mut self, game: GameRecord<G>) {
        self.duplicates.add(&game);
        self.waiting.push(game);
        if self.waiting.len() == BATCH {
            self.merge();
        }
    }

    /// Which of the games were there before; they count each time.
    pub const fn duplicates(&self) -> &Duplicates {
        &self.duplicates
    }

    /// The table: one row a position, in the order of first appearance, with its count for each result.
    ///
    /// # Errors
    /// When there are no positions.
    pub fn finish(mut self) -> Result<CountTable, TableError> {
        self.merge();
        self.merged.finish()
    }

    /// Merges the positions of the games that wait.
    fn merge(&mut self) {
        let set = PositionSet::from_records(&self.waiting, self.features, self.skip_plies);
        self.merged.add(set.rows(0..set.len()).iter(), set.results());
        self.waiting.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Catalogue;
    use crate::features::tabulate::tabulate;
    use crate::games::xiangqi::Xiangqi;
    use crate::record::{Policy, read_bytes};

    #[test]
    fn games_one_by_one_make_the_table_of_all() {
        let game = "[Result \"1-0\"]\n\nh2e2 h9g7 h0g2 1-0\n\n[Result \"0-1\"]\n\nh2e2 h9g7 b0c2 0-1\n\n";
        let text = game.repeat(BATCH);
        let (games, _) = read_bytes::<Xiangqi>("games.pgn", text.as_bytes(), Policy::Strict).unwrap();
        let features = Xiangqi::features("board91").unwrap();
        let set = PositionSet::from_records(&games, &features, 1);
        let expected = tabulate(&features.attributes(), set.rows(0..set.len()).iter(), set.results()).unwrap();
        let mut table = PositionTable::new(&features, 1);
        games.into_iter().for_each(|game| table.add(game));
        assert_eq!(table.duplicates().count(), 2 * BATCH as u64 - 2);
        assert_eq!(table.finish().unwrap().into_objects().unwrap(), expected);
    }
}
