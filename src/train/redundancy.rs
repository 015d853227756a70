//! Which games of a database say nothing new under a reduct (S1 §3.3: 2000 games in, 1423 kept).
//!
//! Two positions are indiscernible when they agree on the reduct and the same move was played in both; a game is
//! redundant when every position of it lies in a class of the games kept before it.

use rustc_hash::FxHashSet;

use super::positions::PositionSet;

/// What the reduction of a database kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reduction {
    /// The indices of the games kept, in order.
    pub kept: Vec<usize>,
    /// Games without a position in the set, which can be neither kept nor redundant.
    pub too_short: usize,
    /// The number of classes of (reduct values, move) in the kept games.
    pub n_classes: usize,
}

/// Goes through the games of `set` in order and keeps those that are not redundant under the attributes `reduct`.
#[must_use]
pub fn reduce_games(set: &PositionSet, reduct: &[usize]) -> Reduction {
    let mut classes: FxHashSet<Box<[u8]>> = FxHashSet::default();
    let (mut kept, mut too_short) = (Vec::new(), 0);
    for (index, game) in set.games().iter().enumerate() {
        too_short += usize::from(game.is_empty());
        let mut is_new = false;
        for position in game.clone() {
            is_new |= classes.insert(class_key(set, position, reduct));
        }
        if is_new {
            kept.push(index);
        }
    }
    Reduction { kept, too_short, n_classes: classes.len() }
}

/// The values on the reduct, followed by the move: equal keys, indiscernible positions.
fn class_key(set: &PositionSet, position: usize, reduct: &[usize]) -> Box<[u8]> {
    let row = set.row(position);
    let continuation = set.continuations()[position].to_le_bytes();
    reduct.iter().map(|&attribute| row[attribute]).chain(continuation).collect()
}
