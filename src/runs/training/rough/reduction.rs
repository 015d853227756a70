//! The rough set classifier that S1 puts in front of the network (§3.2, step 1): what says nothing new under the reduct is left out.

use serde::{Deserialize, Serialize};

use super::super::{Data, LearnError};
use super::Inputs;
use crate::table::DecisionTable;
use crate::train::redundancy::{merge_objects, reduce_games};

/// What is left out before training.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reduction {
    /// Games every position of which lies, with the move played there, in a class of games before.
    pub games: bool,
    /// All objects of a class of U/IND(R) but one, which then aims at the mean of the class.
    pub objects: bool,
}

/// What the reduction did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Reduced {
    /// Attributes of the set R under which objects are indiscernible.
    pub attributes: usize,
    /// Training games, without their images.
    pub games: usize,
    /// Those kept.
    pub games_kept: usize,
    /// Games without a position: neither kept nor redundant.
    pub games_too_short: usize,
    /// Training positions, with those of images.
    pub positions: usize,
    /// Those of the games kept.
    pub positions_kept: usize,
    /// Examples to learn from: the positions of the games kept, or their classes of U/IND(R).
    pub examples: usize,
}

impl std::fmt::Display for Reduced {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { attributes, games, games_kept, games_too_short, positions, positions_kept, examples } = self;
        write!(
            f,
            "under {attributes} attributes: {games} games, {games_kept} kept, {games_too_short} without a position; \
             {positions} positions, {positions_kept} of the games kept, {examples} examples to learn from"
        )
    }
}

/// The set R under which objects count as equal: the inputs if they are a choice among the attributes, else a reduct.
fn discerning(table: &DecisionTable, inputs: &Inputs) -> Result<Vec<usize>, LearnError> {
    let chosen = if *inputs == Inputs::All { &Inputs::REDUCT } else { inputs };
    Ok(chosen.of(table)?.iter().map(|attr| attr.index()).collect())
}

impl Reduction {
    /// Whether nothing is left out.
    pub const fn is_none(self) -> bool {
        !self.games && !self.objects
    }

    /// Leaves redundant games of `data` out; the decision table of what is kept, and the attributes R.
    pub(super) fn reduce(self, data: Data, inputs: &Inputs) -> Result<(Data, Vec<usize>, Reduced), LearnError> {
        let attributes = discerning(&data.table()?, inputs)?;
        let (games, positions) = (data.training.n_played(), data.training.len());
        let (mut data, mut games_kept, mut games_too_short) = (data, games, 0);
        if self.games {
            // A game is kept with its images or without any.
            let reduction = reduce_games(&data.training.without_images(), &attributes, true);
            data = data.with_training(data.training.select_played(&reduction.kept));
            (games_kept, games_too_short) = (reduction.kept.len(), reduction.too_short);
        }
        let kept = data.training.len();
        let reduced = Reduced {
            attributes: attributes.len(),
            games,
            games_kept,
            games_too_short,
            positions,
            positions_kept: kept,
            examples: kept,
        };
        Ok((data, attributes, reduced))
    }

    /// Merges indiscernible objects of `data`, when its decision table has been made.
    pub(super) fn merge(self, data: Data, attributes: &[usize], reduced: &mut Reduced) -> Data {
        if !self.objects {
            return data;
        }
        let merged = merge_objects(&data.training, attributes);
        reduced.examples = merged.len();
        data.with_training(merged)
    }
}
