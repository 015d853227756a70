//! Stratified folds.

use rand::seq::SliceRandom;
use rustc_hash::FxHashMap;

use super::ClassifyError;
use crate::random;
use crate::settings::require;
use crate::table::DecisionTable;

/// The test objects of one fold; all others are its training objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fold {
    /// Pairs of object and weight, by object, each weight above 0.
    ///
    /// An object of weight w is w observations, which may fall into different folds: it then is tested with the weight
    /// given here, and trained on with the rest.
    pub test: Vec<(u32, u32)>,
}

/// So many observations of an object are dealt at random for each fold; the rest is spread evenly.
const RANDOM_SHARE: u32 = 64;

/// Splits the observations of `table` into `n_folds` folds that differ by at most one in size, and by at most one in
/// the number of observations of each decision. Repeat number `repeat` of `seed` has folds of its own.
///
/// An object of weight w counts as w observations, dealt one by one: equal observations may be trained on and tested,
/// as they may be if they are rows of their own. Before they are shuffled, observations are sorted by decision and
/// values, so that folds depend neither on the order of rows nor on whether equal rows are merged. (Of an object that
/// weighs more than 64 for each fold, what is above that is spread evenly without a draw.)
///
/// # Errors
/// When there are fewer than 2 folds, or fewer observations than folds.
pub fn stratified_folds(
    table: &DecisionTable,
    n_folds: usize,
    seed: u64,
    repeat: u64,
) -> Result<Vec<Fold>, ClassifyError> {
    require(n_folds >= 2, "folds", "at least 2", n_folds)?;
    if (n_folds as u64) > table.total_weight() {
        return Err(ClassifyError::TooFewObjects { folds: n_folds, objects: table.total_weight() });
    }
    let mut dealer = Dealer { folds: vec![FxHashMap::default(); n_folds], next: 0 };
    let mut stream = random::stream(seed, "folds", repeat);
    let rows = sorted_rows(table);
    for of_decision in rows.chunk_by(|&a, &b| decision(table, a) == decision(table, b)) {
        let mut drawn = Vec::new();
        for &row in of_decision {
            let even = dealer.spread_evenly(row, table.weight(row as usize) as u32);
            drawn.extend(std::iter::repeat_n(row, even as usize));
        }
        drawn.shuffle(&mut stream);
        drawn.into_iter().for_each(|row| dealer.deal(row));
    }
    Ok(dealer.folds.into_iter().map(fold).collect())
}

fn decision(table: &DecisionTable, row: u32) -> u32 {
    table.decision().code(row as usize)
}

/// All objects by decision, then by their values; equal ones in the order of rows.
fn sorted_rows(table: &DecisionTable) -> Vec<u32> {
    let mut rows: Vec<u32> = (0..table.n_objects() as u32).collect();
    let values = |row: u32| {
        let columns = std::iter::once(table.decision()).chain(table.attributes());
        columns.map(move |column| column.code(row as usize))
    };
    rows.sort_by(|&a, &b| values(a).cmp(values(b)));
    rows
}

struct Dealer {
    /// Object → weight of each fold.
    folds: Vec<FxHashMap<u32, u32>>,
    next: usize,
}

impl Dealer {
    /// Gives each fold its even share of what a heavy object has above the part that is drawn; returns that part.
    fn spread_evenly(&mut self, row: u32, weight: u32) -> u32 {
        let n_folds = self.folds.len() as u32;
        let share = weight.saturating_sub(RANDOM_SHARE.saturating_mul(n_folds)) / n_folds;
        if share > 0 {
            self.folds.iter_mut().for_each(|fold| *fold.entry(row).or_insert(0) += share);
        }
        weight - share * n_folds
    }

    /// Gives one observation to the next fold.
    fn deal(&mut self, row: u32) {
        *self.folds[self.next].entry(row).or_insert(0) += 1;
        self.next = (self.next + 1) % self.folds.len();
    }
}

fn fold(weights: FxHashMap<u32, u32>) -> Fold {
    let mut test: Vec<(u32, u32)> = weights.into_iter().collect();
    test.sort_unstable();
    Fold { test }
}

impl Fold {
    /// The weight of each of the `table`'s objects in the test part.
    pub fn test_weights(&self, table: &DecisionTable) -> Vec<u32> {
        let mut weights = vec![0; table.n_objects()];
        for &(row, weight) in &self.test {
            weights[row as usize] = weight;
        }
        weights
    }

    /// The weight of each of the `table`'s objects in the training part.
    pub fn training_weights(&self, table: &DecisionTable) -> Vec<u32> {
        let mut weights: Vec<u32> = (0..table.n_objects()).map(|row| table.weight(row) as u32).collect();
        for &(row, weight) in &self.test {
            weights[row as usize] -= weight;
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Attribute, Weights};

    fn table(weights: Vec<u32>) -> DecisionTable {
        let n = weights.len() as i64;
        let column = |name: &str, of: fn(i64) -> i64| Attribute::from_integers(name, (0..n).map(of));
        DecisionTable::new(vec![column("a", |row| row)], column("d", |row| row % 3), Weights::Counts(weights)).unwrap()
    }

    #[test]
    fn heavy_objects_are_split_and_nothing_is_lost() {
        let table = table(vec![1, 4_000_000_000, 3, 0, 900]);
        let folds = stratified_folds(&table, 7, 1, 0).unwrap();
        let mut sums = vec![0_u64; 5];
        for fold in &folds {
            fold.test.iter().for_each(|&(row, weight)| sums[row as usize] += u64::from(weight));
            assert!((571_428_000..571_430_000).contains(&fold.test_weights(&table)[1]));
        }
        assert_eq!(sums, [1, 4_000_000_000, 3, 0, 900]);
    }

    #[test]
    fn bad_numbers_of_folds_are_refused() {
        let message = |folds| stratified_folds(&table(vec![1, 1, 1]), folds, 1, 0).unwrap_err().to_string();
        assert_eq!(message(1), "`folds` must be at least 2, got 1");
        assert_eq!(message(4), "4 folds need at least 4 objects, the table has 3");
    }
}
