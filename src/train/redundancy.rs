//! Which games of a database say nothing new under a reduct (S1 §3.3: 2000 games in, 1423 kept).
//!
//! Two positions are indiscernible when they agree on the reduct and, if moves count, the same move was played in both; a game is
//! redundant when every position of it lies in a class of the games kept before it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::positions::PositionSet;

/// What the reduction of a database kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reduction {
    /// The indices of the games kept, in order.
    pub kept: Vec<usize>,
    /// Games without a position in the set, which can be neither kept nor redundant.
    pub too_short: usize,
    /// The number of classes, of reduct values and the move if moves count, in the kept games.
    pub n_classes: usize,
}

/// Goes through the games of `set` in order and keeps those that are not redundant under the attributes `reduct`; with `moves`, positions
/// in which different moves were played are different.
pub fn reduce_games(set: &PositionSet, reduct: &[usize], moves: bool) -> Reduction {
    let mut classes: FxHashSet<Box<[u8]>> = FxHashSet::default();
    let (mut kept, mut too_short) = (Vec::new(), 0);
    for (index, game) in set.games().iter().enumerate() {
        too_short += usize::from(game.is_empty());
        let mut is_new = false;
        for position in game.clone() {
            let (row, continuation) = (set.row(position), set.continuations()[position].to_le_bytes());
            let continuation = continuation.into_iter().filter(|_| moves);
            is_new |= classes.insert(reduct.iter().map(|&attribute| row[attribute]).chain(continuation).collect());
        }
        if is_new {
            kept.push(index);
        }
    }
    Reduction { kept, too_short, n_classes: classes.len() }
}

/// What a class of indiscernible objects teaches.
#[derive(Default)]
struct Class {
    result: f64,
    target: f64,
    size: u32,
}

/// One object for each class of U/IND(R), R being the attributes `reduct`: the first of the class, in the game where it
/// occurred. Result and target become the means over the class, so that each class counts once however often it occurred.
///
/// Its other attributes, the move and what a skip term adds are those of the first object.
pub fn merge_objects(set: &PositionSet, reduct: &[usize]) -> PositionSet {
    let mut index: FxHashMap<Box<[u8]>, usize> = FxHashMap::default();
    let (mut first, mut classes) = (Vec::new(), Vec::<Class>::new());
    for position in 0..set.len() {
        let row = set.row(position);
        let key = reduct.iter().map(|&attribute| row[attribute]).collect();
        let at = *index.entry(key).or_insert_with(|| {
            first.push(position);
            classes.push(Class::default());
            classes.len() - 1
        });
        let class = &mut classes[at];
        class.result += f64::from(set.results()[position]);
        class.target += f64::from(set.targets()[position]);
        class.size += 1;
    }
    let mean = |sum: f64, class: &Class| (sum / f64::from(class.size)) as f32;
    let results = classes.iter().map(|class| mean(class.result, class)).collect();
    let targets = classes.iter().map(|class| mean(class.target, class)).collect();
    set.select_positions(&first, results, targets)
}
