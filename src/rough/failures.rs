//! What a rule's conditions keep out: for classes, which of the conditions they fail.

use super::classes::Classes;
use super::condition::Condition;
use crate::table::{Code, with_codes};

/// For each of some classes, how many of a rule's conditions it fails and, if one, which.
pub(super) struct Failures<'c> {
    classes: &'c Classes<'c>,
    of: &'c [u32],
    conditions: Vec<Condition>,
    /// Whether each condition is still there.
    kept: Vec<bool>,
    /// The number of conditions that each class fails.
    count: Vec<u32>,
    /// The sum of the places of these conditions: of one, its place.
    sum: Vec<u32>,
}

impl<'c> Failures<'c> {
    /// What the classes `of`, ascending and each once, fail of `conditions`.
    pub fn new(classes: &'c Classes<'c>, of: &'c [u32], conditions: Vec<Condition>) -> Self {
        let (count, sum, kept) = (vec![0; of.len()], vec![0; of.len()], vec![true; conditions.len()]);
        let mut failures = Self { classes, of, conditions, kept, count, sum };
        for place in 0..failures.conditions.len() {
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
        let Ok(column) = self.classes.attrs().binary_search(&condition.attr) else { return };
        let mut update = |(code, (count, sum)): (u32, (&mut u32, &mut u32))| {
            if !condition.holds(code) {
                change(count, sum);
            }
        };
        let counters = self.count.iter_mut().zip(&mut self.sum);
        with_codes!(&self.classes.columns()[column].codes, codes => {
            if self.of.len() == codes.len() {
                codes.iter().map(|code| code.index() as u32).zip(counters).for_each(&mut update);
            } else {
                self.of.iter().map(|&class| codes[class as usize].index() as u32).zip(counters).for_each(&mut update);
            }
        });
    }

    /// Takes the condition at `place` away; `single` is told the place of each condition that a class now fails alone.
    pub fn drop(&mut self, place: usize, mut single: impl FnMut(usize)) {
        self.kept[place] = false;
        self.update(place, |count, sum| {
            *count -= 1;
            *sum -= place as u32;
            if *count == 1 {
                single(*sum as usize);
            }
        });
    }

    /// Whether the condition at `place` is still there.
    pub fn keeps(&self, place: usize) -> bool {
        self.kept[place]
    }

    /// The number of conditions at the start.
    pub const fn n_places(&self) -> usize {
        self.conditions.len()
    }

    /// The classes that fail at most one condition, each with the place of that one.
    pub fn nearest(&self) -> impl Iterator<Item = (u32, Option<usize>)> {
        let all = self.of.iter().zip(self.count.iter().zip(&self.sum));
        all.filter(|(_, (count, _))| **count < 2)
            .map(|(&class, (&count, &sum))| (class, (count == 1).then_some(sum as usize)))
    }

    /// The conditions that are still there.
    pub fn into_conditions(self) -> Vec<Condition> {
        self.conditions.into_iter().zip(self.kept).filter(|(_, kept)| *kept).map(|(condition, _)| condition).collect()
    }

    /// The conditions that are needed to keep all the classes out, each tried in order. All must be kept out before.
    pub fn into_needed(mut self) -> Vec<Condition> {
        let mut alone = vec![0_u64; self.n_places()];
        self.nearest().filter_map(|(_, place)| place).for_each(|place| alone[place] += 1);
        for place in 0..self.n_places() {
            if alone[place] == 0 {
                self.drop(place, |place| alone[place] += 1);
            }
        }
        self.into_conditions()
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
        let failures = Failures::new(&classes, &[1, 2], conditions.clone());
        assert_eq!(failures.nearest().count(), 0);
        assert_eq!(failures.into_needed(), conditions[1..2]);
        let near: Vec<_> = Failures::new(&classes, &[0, 1], conditions[1..].to_vec()).nearest().collect();
        assert_eq!(near, [(0, None), (1, Some(0))]);
    }
}
