//! The positions of many games as rows of value codes, with the results of their games.

use std::ops::Range;

use rand::seq::SliceRandom;
use rayon::prelude::*;

use crate::features::FeatureSet;
use crate::game::Game;
use crate::net::CodeRows;
use crate::random;
use crate::record::GameRecord;

/// Positions in game order: rows of codes, results, and the move that was played next.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PositionSet {
    n_attributes: usize,
    codes: Vec<u8>,
    results: Vec<f32>,
    continuations: Vec<u32>,
    games: Vec<Range<usize>>,
}

/// The positions of one game before they are joined.
struct GamePositions {
    codes: Vec<u8>,
    continuations: Vec<u32>,
    result: f32,
}

impl PositionSet {
    /// The positions in which each move of `records` was made, from ply `skip_plies` on, encoded by `features`.
    ///
    /// A game shorter than that contributes no position but keeps its place among the games; games without a result
    /// count as drawn, so filter them before.
    #[must_use]
    pub fn from_records<G: Game, F: FeatureSet<G>>(records: &[GameRecord<G>], features: &F, skip_plies: usize) -> Self {
        let games: Vec<GamePositions> =
            records.par_iter().map(|record| encode_game(record, features, skip_plies)).collect();
        let mut set = Self { n_attributes: features.n_attributes(), ..Self::default() };
        for game in games {
            let first = set.results.len();
            set.results.resize(first + game.continuations.len(), game.result);
            set.codes.extend(game.codes);
            set.continuations.extend(game.continuations);
            set.games.push(first..set.results.len());
        }
        set
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.results.len()
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.results.is_empty()
    }

    /// The number of attributes of a position.
    #[must_use]
    pub fn n_attributes(&self) -> usize {
        self.n_attributes
    }

    /// The positions of each game, in the order of the games.
    #[must_use]
    pub fn games(&self) -> &[Range<usize>] {
        &self.games
    }

    /// The results of the positions' games for the side that moves first: 1, 0 or -1 each.
    #[must_use]
    pub fn results(&self) -> &[f32] {
        &self.results
    }

    /// A number for the move that was played in each position: equal for equal moves.
    #[must_use]
    pub fn continuations(&self) -> &[u32] {
        &self.continuations
    }

    /// The rows of a range of positions.
    #[must_use]
    pub fn rows(&self, range: Range<usize>) -> CodeRows<'_> {
        CodeRows::new(&self.codes[range.start * self.n_attributes..range.end * self.n_attributes], self.n_attributes)
    }

    /// The codes of one position.
    #[must_use]
    pub fn row(&self, position: usize) -> &[u8] {
        &self.codes[position * self.n_attributes..(position + 1) * self.n_attributes]
    }

    /// What one position teaches: its codes, its offset, and what the output shall be, for the side that moves first.
    #[inline]
    #[must_use]
    pub fn example(&self, position: usize) -> (&[u8], f32, f32) {
        (self.row(position), 0.0, self.results[position])
    }

    /// The set of the games with these indices, in this order.
    #[must_use]
    pub fn select_games(&self, indices: &[usize]) -> Self {
        let mut set = Self { n_attributes: self.n_attributes, ..Self::default() };
        for &index in indices {
            let range = self.games[index].clone();
            let first = set.results.len();
            set.codes.extend_from_slice(&self.codes[range.start * self.n_attributes..range.end * self.n_attributes]);
            set.results.extend_from_slice(&self.results[range.clone()]);
            set.continuations.extend_from_slice(&self.continuations[range]);
            set.games.push(first..set.results.len());
        }
        set
    }
}

fn encode_game<G: Game, F: FeatureSet<G>>(record: &GameRecord<G>, features: &F, skip_plies: usize) -> GamePositions {
    let mut position = record.start.clone();
    let mut codes = Vec::new();
    let mut continuations = Vec::new();
    for (ply, &mv) in record.moves.iter().enumerate() {
        if ply >= skip_plies {
            let first = codes.len();
            codes.resize(first + features.n_attributes(), 0);
            features.encode(&position, &mut codes[first..]);
            continuations.push(G::move_slot(mv) as u32);
        }
        position.play(mv);
    }
    let result = record.outcome.map_or(0.0, |outcome| outcome.value() as f32);
    GamePositions { codes, continuations, result }
}

/// Splits the games 0..`n_games` into training and held-out games: `share` of them, rounded, are drawn by `seed` for the
/// latter. Both lists are in ascending order, so that "the first 2000 training games" means something.
#[must_use]
pub fn split_games(n_games: usize, share: f64, seed: u64) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> = (0..n_games).collect();
    order.shuffle(&mut random::stream(seed, "held-out games", 0));
    let n_held_out = (n_games as f64 * share).round() as usize;
    let mut training = order.split_off(n_held_out.min(n_games));
    order.sort_unstable();
    training.sort_unstable();
    (training, order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_is_a_partition_fixed_by_the_seed() {
        let (training, held_out) = split_games(100, 0.25, 9);
        assert_eq!((training.len(), held_out.len()), (75, 25));
        let mut all = [training.clone(), held_out.clone()].concat();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
        assert_eq!(split_games(100, 0.25, 9), (training, held_out.clone()));
        assert_ne!(split_games(100, 0.25, 10).1, held_out);
    }
}
