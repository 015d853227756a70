//! The positions of many games as rows of value codes, with the results of their games and what training aims at.

mod judge;
mod judgements;
mod recipe;
mod set;
mod table;

use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

pub use judgements::{Judgements, hash_of_game};
pub use recipe::{Maker, Recipe};
pub(super) use set::Example;
pub use set::PositionSet;
pub use table::PositionTable;

use crate::random;
use crate::search::MAX_DEPTH;
use crate::settings::settings;

settings! {
    /// Which positions of games are learned from, and in which images.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct PositionSelection {
        /// Plies at the beginning of each game that are left out.
        pub skip_plies: usize = 0;
        /// Leave out positions in check, and those whose value for the teacher quiescence changes.
        pub quiescent_only: bool = false, as "quiescent";
        /// Also learn from the mirror image of each training game.
        pub mirror: bool = false;
        /// Also learn from each training game with the colours exchanged, and with `mirror` from the mirror image of that as well.
        pub flip_colours: bool = false;
    }
}

impl PositionSelection {
    /// All positions from ply `skip_plies` on, as they are.
    pub fn from_ply(skip_plies: usize) -> Self {
        Self { skip_plies, ..Self::default() }
    }
}

settings! {
    /// The evaluator that judges which positions are quiet and what they are worth.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Teacher {
        /// Evaluator that judges quietness and gives values: a built-in one or a network [default: that of the game].
        pub evaluator: String = String::new(), as "{}";
        /// Plies that the teacher's values look ahead; 0 for quiescence alone, which judges quietness at any depth.
        pub depth: u32 = 0, in 0..=MAX_DEPTH, as "{}-depth";
    }
}

/// What happened to the positions of games, each counted once regardless of its images.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionAccount {
    /// Positions in which a move was made.
    pub seen: usize,
    /// Left out because they belong to the first plies.
    pub opening: usize,
    /// Left out because the side to move was in check.
    pub in_check: usize,
    /// Left out because quiescence changed their value.
    pub not_quiet: usize,
    /// Rows that are images of other rows.
    pub copies: usize,
}

sums!(PositionAccount { seen, opening, in_check, not_quiet, copies });

impl PositionAccount {
    /// Positions kept.
    pub const fn kept(&self) -> usize {
        self.seen - self.opening - self.in_check - self.not_quiet
    }
}

impl std::fmt::Display for PositionAccount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { seen, opening, in_check, not_quiet, copies } = self;
        write!(f, "{seen} positions seen, {} kept; dropped: {opening} of the opening, ", self.kept())?;
        write!(f, "{in_check} in check, {not_quiet} not quiet; {copies} copies added")
    }
}

/// Splits the games 0..`n_games` into training and held-out games: `share` of them, rounded, are drawn by `seed` for the
/// latter. Both lists are in ascending order, so that "the first 2000 training games" means something.
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

    #[test]
    fn the_range_of_the_depth_is_stated() {
        let teacher = Teacher { evaluator: "traditional".into(), depth: 65 };
        assert_eq!(teacher.check().unwrap_err().to_string(), "`depth` must be in [0, 64], got 65");
    }
}
