//! What a reduct must preserve: the notions of decision, each of which has reducts of its own.

use rustc_hash::FxHashMap;

use super::{Distribution, Partition};
use crate::choices;
use crate::table::DecisionTable;

choices! {
    /// What a set of attributes must preserve to be a superreduct.
    ///
    /// Each notion gives every class of U/IND(A) a label, and B ⊆ A preserves the notion exactly if no class of U/IND(B)
    /// holds two labels. From the weakest to the strongest.
    pub enum Notion = Positive {
        /// The positive region: POS_B(d) = POS_A(d). Label: the decision of a consistent class, one more for all others.
        Positive,
        /// The set of decisions in each class: ∂_B = ∂_A, the generalised decision. Label: that set.
        Generalized,
        /// The distribution of decisions in each class: μ_B = μ_A, as exact fractions. Label: the distribution.
        Distribution,
        /// Indiscernibility itself: IND(B) = IND(A), whatever the decision. Label: the class.
        Information,
    }
}

impl Notion {
    /// The label of each class, numbered from 0 by first occurrence.
    pub fn labels(self, table: &DecisionTable, partition: &Partition) -> Vec<u32> {
        if self == Self::Information {
            return (0..partition.n_classes() as u32).collect();
        }
        if self == Self::Positive {
            return number(partition.certain_decisions(table).into_iter());
        }
        let distribution = Distribution::of(table, partition);
        let classes = 0..distribution.n_classes();
        match self {
            Self::Generalized => number(classes.map(|e| decisions(distribution.of_class(e)))),
            _ => number(classes.map(|e| shares(distribution.of_class(e)))),
        }
    }
}

fn decisions(entries: &[(u32, u64)]) -> Vec<u32> {
    entries.iter().map(|entry| entry.0).collect()
}

/// The distribution with its weights divided by their greatest common divisor: equal for equal shares.
fn shares(entries: &[(u32, u64)]) -> Vec<(u32, u64)> {
    let divisor = entries.iter().fold(0, |d, entry| gcd(d, entry.1)).max(1);
    entries.iter().map(|&(decision, weight)| (decision, weight / divisor)).collect()
}

/// The greatest common divisor.
pub(crate) const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn number<K: Eq + std::hash::Hash>(keys: impl Iterator<Item = K>) -> Vec<u32> {
    let mut seen = FxHashMap::default();
    keys.map(|key| {
        let next = seen.len() as u32;
        *seen.entry(key).or_insert(next)
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_are_compared_as_shares() {
        assert_eq!(shares(&[(0, 2), (1, 4)]), shares(&[(0, 1), (1, 2)]));
        assert_ne!(shares(&[(0, 2), (1, 4)]), shares(&[(0, 2), (1, 2)]));
        assert_eq!(number([7, 3, 7, 9].into_iter()), vec![0, 1, 0, 2]);
    }
}
