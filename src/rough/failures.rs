//! Which conditions of a rule keep some classes out.

use super::classes::Classes;
use super::condition::Condition;
use crate::table::{Code, with_codes};

/// For each of some classes, how many of a rule's conditions it fails and, if one, which.
pub(super) struct Failures<'c> {
    classes: &'c Classes<'c>,
    of: &'c [u32],
    conditions: &'c [Condition],
    /// The number of conditions that each class fails.
    count: Vec<u32>,
    /// The sum of the places of these conditions: of one, its place.
    sum: Vec<u32>,
}

impl<'c> Failures<'c> {
    /// What the classes `of` fail of `conditions`.
    pub fn new(classes: &'c Classes<'c>, of: &'c [u32], conditions: &'c [Condition]) -> Self {
        let mut failures = Self { classes, of, conditions, count: vec![0; of.len()], sum: vec![0; of.len()] };
        for place in 0..conditions.len() {
            failures.update(place, |count, sum| {
                *count += 1;
                *sum += place as u32;
            });
        }
        failures
    }

    /// Changes count and sum of the classes that fail the condition at `place`.
    fn update(&mut self, place: usize, mut change: impl FnMut(&mut u32, &mut u32)) {
        let condition = self.conditions[place];
        let Ok(column) = self.classes.attrs.binary_search(&condition.attr) else { return };
        with_codes!(&self.classes.columns[column].codes, codes => {
            for ((&class, count), sum) in self.of.iter().zip(&mut self.count).zip(&mut self.sum) {
                if !condition.holds(codes[class as usize].index() as u32) {
                    change(count, sum);
                }
            }
        });
    }

    /// The conditions that are needed to keep all the classes out, each tried in order. All must be kept out before.
    pub(crate) fn into_needed(mut self) -> Vec<Condition> {
        // How many classes each condition keeps out alone.
        let mut alone = vec![0_u64; self.conditions.len()];
        let single = self.count.iter().zip(&self.sum).filter(|(count, _)| **count == 1);
        single.for_each(|(_, place)| alone[*place as usize] += 1);
        let mut needed = Vec::new();
        for (place, &condition) in self.conditions.iter().enumerate() {
            if alone[place] > 0 {
                needed.push(condition);
                continue;
            }
            self.update(place, |count, sum| {
                *count -= 1;
                *sum -= place as u32;
                if *count == 1 {
                    alone[*sum as usize] += 1;
                }
            });
        }
        needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{AttrIdx, DecisionTable};

    #[test]
    fn conditions_that_keep_nothing_out_alone_are_dropped() {
        let rows = [["0", "0", "0", "x"], ["1", "1", "0", "y"], ["0", "1", "1", "y"]];
        let table = DecisionTable::from_rows(&["a", "b", "c"], "d", &rows).unwrap();
        let classes = Classes::new(&table, &table.all_attributes());
        let conditions: Vec<Condition> = (0..3).map(|at| Condition::value(AttrIdx::new(at), 0)).collect();
        assert_eq!(Failures::new(&classes, &[1, 2], &conditions).into_needed(), conditions[1..2]);
        assert_eq!(Failures::new(&classes, &[2], &conditions).into_needed(), conditions[2..]);
        assert_eq!(Failures::new(&classes, &[], &conditions).into_needed(), []);
    }
}
