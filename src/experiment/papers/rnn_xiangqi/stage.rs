//! One number of training games: its decision table, its reduct, and the games that are not redundant.

use crate::rough::{Approximations, Fraction, Partition, Reduct};
use crate::runs::training::{Data, LearnError, reduct_of};
use crate::train::redundancy::reduce_games;

/// What the reduction did with the first `games_in` training games.
#[derive(Debug, Clone, PartialEq)]
pub struct StageFigures {
    /// Training games looked at.
    pub games_in: usize,
    /// Games kept: those with a position in a class that no game kept before has.
    pub games_kept: usize,
    /// Games without a position from ply `skip_plies` on: neither kept nor redundant.
    pub too_short: usize,
    /// Positions of the games looked at, |U|.
    pub positions: u64,
    /// Classes of U/IND(C) over all condition attributes: distinct positions.
    pub classes: usize,
    /// γ of all condition attributes.
    pub gamma: Fraction,
    /// The names of the attributes of the reduct.
    pub reduct: Vec<String>,
    /// Classes of U/IND(R) over the reduct.
    pub reduct_classes: usize,
    /// γ of the reduct; equal to that of all attributes.
    pub reduct_gamma: Fraction,
}

/// The numbers of training games to look at: `wanted`, or in a database with fewer than the last of them the same
/// shares of `available`.
pub fn sizes(wanted: &[usize], available: usize) -> Vec<usize> {
    let last = wanted.last().copied().unwrap_or(available);
    // In 128 bits, as the product of two counts may exceed 64.
    let share = |size: usize| (size as u128 * available as u128).div_ceil(last as u128) as usize;
    let scaled = |size: usize| if last <= available { size } else { share(size) };
    let mut sizes: Vec<usize> = wanted.iter().map(|&size| scaled(size)).collect();
    sizes.dedup();
    sizes
}

/// Reduces the first `n_games` training games of `data`; gives the figures, the reduct, and the data of the games kept.
pub fn reduce(data: &Data, n_games: usize) -> Result<(StageFigures, Reduct, Data), LearnError> {
    let first: Vec<usize> = (0..n_games).collect();
    let data = data.with_training(data.training.select_games(&first));
    let table = data.table()?;
    let reduct = reduct_of(&table);
    let attributes: Vec<usize> = reduct.attrs().iter().map(|attr| attr.index()).collect();
    let reduction = reduce_games(&data.training, &attributes);
    let kept = data.with_training(data.training.select_games(&reduction.kept));
    let all = table.all_attributes();
    let figures = StageFigures {
        games_in: n_games,
        games_kept: reduction.kept.len(),
        too_short: reduction.too_short,
        positions: table.total_weight(),
        classes: Partition::by(&table, &all).n_classes(),
        gamma: Approximations::of(&table, &all).gamma(),
        reduct: table.names(reduct.attrs()).into_iter().map(str::to_owned).collect(),
        reduct_classes: Partition::by(&table, reduct.attrs()).n_classes(),
        reduct_gamma: Approximations::of(&table, reduct.attrs()).gamma(),
    };
    Ok((figures, reduct, kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_databases_take_the_same_shares() {
        assert_eq!(sizes(&[2000, 4000, 6000], 7000), [2000, 4000, 6000]);
        assert_eq!(sizes(&[2000, 4000, 6000], 3000), [1000, 2000, 3000]);
        assert_eq!(sizes(&[2000, 4000, 6000], 2), [1, 2]);
    }
}
