//! Subtables of objects drawn at random.

use rand::RngExt;

use super::{DecisionTable, Weights};
use crate::random::Stream;

impl DecisionTable {
    /// The table of `size` objects drawn without replacement, in their order; at least one and at most all of them.
    ///
    /// Drawn are objects, not rows: a row of weight w is in with a weight of 0 to w, so that a merged table gives
    /// the same chances to all. Domains stay. Time grows with the weight of the table.
    pub fn sample(&self, size: u64, rng: &mut Stream) -> Self {
        let (mut open, mut wanted) = (self.total_weight, size.clamp(1, self.total_weight));
        let total_weight = wanted;
        let (mut rows, mut counts) = (Vec::new(), Vec::new());
        for row in 0..self.n_objects() {
            let mut drawn = 0_u32;
            for _ in 0..self.weight(row) {
                // Each object is taken with the chance that it is among those still wanted (Knuth, algorithm S).
                let taken = rng.random_range(0..open) < wanted;
                (open, wanted, drawn) = (open - 1, wanted - u64::from(taken), drawn + u32::from(taken));
            }
            if drawn > 0 {
                rows.push(row as u32);
                counts.push(drawn);
            }
        }
        let weights = if self.weights == Weights::Unit { Weights::Unit } else { Weights::Counts(counts) };
        let conditions = self.conditions.iter().map(|attribute| attribute.select(&rows)).collect();
        let (decision, origin) = (self.decision.select(&rows), self.origin.select(&rows));
        Self { conditions, decision, weights, total_weight, origin }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;
    use crate::table::Attribute;

    fn weighted() -> DecisionTable {
        let column = |name: &str| Attribute::from_integers(name, [0, 1, 2]);
        DecisionTable::new(vec![column("a")], column("d"), Weights::Counts(vec![1, 60, 39])).unwrap()
    }

    #[test]
    fn a_sample_has_its_size_and_no_more_of_a_row_than_there_is() {
        let table = weighted();
        for size in [1, 50, 99, 100] {
            let sample = table.sample(size, &mut stream(1, "subtables", size));
            assert_eq!(sample.total_weight(), size);
            for row in 0..sample.n_objects() {
                assert!(sample.weight(row) <= table.weight(sample.decision().code(row) as usize));
            }
        }
        assert_eq!(table.sample(u64::MAX, &mut stream(1, "subtables", 0)), table);
        assert_eq!(table.sample(0, &mut stream(1, "subtables", 0)).total_weight(), 1);
    }

    #[test]
    fn every_object_has_the_same_chance() {
        let table = weighted();
        let mut drawn = [0_u64; 3];
        for index in 0..2000 {
            let sample = table.sample(10, &mut stream(3, "subtables", index));
            (0..sample.n_objects()).for_each(|row| drawn[sample.decision().code(row) as usize] += sample.weight(row));
        }
        // Expected 200, 12,000 and 7,800.
        assert!((150..250).contains(&drawn[0]) && (11_700..12_300).contains(&drawn[1]), "{drawn:?}");
    }
}
