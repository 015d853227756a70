//! The pairs t = (attribute, values) that complexes are made of, and the best of an attribute.

use std::cmp::Reverse;
use std::ops::Range;

use crate::rough::classes::Classes;
use crate::rough::condition::{Condition, known};
use crate::table::discretize::cut_between;
use crate::table::{AttrIdx, Value};

/// The pairs t of an attribute, in their order: for each cut between two numbers what is below it, then what is not; then single values.
pub(super) struct AttributePairs {
    attr: AttrIdx,
    /// The codes from 0 on that are numbers; 0 if each value is a pair of its own.
    pub numbers: usize,
    /// The lowest code above each cut between two numbers that occur.
    cuts: Vec<usize>,
    /// The weight of the objects below each cut.
    below: Vec<u64>,
    /// That of all objects with a number.
    of_numbers: u64,
    /// The weight of the objects with each value.
    weights: Vec<u64>,
}

/// A pair with its |[t] ∩ G| and |[t]|, and its place among those of its attribute.
#[derive(Debug, PartialEq)]
pub(super) struct WeighedPair {
    pub pair: Condition,
    in_goal: u64,
    size: u64,
    place: usize,
}

impl WeighedPair {
    /// The better of two pairs, of equal ones that which comes first.
    pub fn better(self, other: Self) -> Self {
        let rank = |one: &Self| (one.in_goal, Reverse((one.size, one.pair.attr, one.place)));
        if rank(&other) > rank(&self) { other } else { self }
    }
}

/// What is left of an attribute while a complex grows.
pub(super) struct Left {
    /// The weights of G by code, and their sum over the numbers.
    goal: Vec<u64>,
    in_numbers: u64,
    /// The codes that meet the conditions so far.
    pub codes: Range<usize>,
    /// The numbers from the lowest to the highest in G; they become fewer.
    span: Range<usize>,
}

impl AttributePairs {
    pub fn of(classes: &Classes<'_>, column: usize, intervals: bool) -> Self {
        let attr = classes.attrs[column];
        let domain = classes.table.attribute(attr).domain();
        let numeric = intervals && domain.first().is_some_and(|value| value.as_real().is_some());
        let all: Vec<u32> = (0..classes.len() as u32).collect();
        let weights = classes.columns[column].tally(&all, |class| classes.weight(class));
        let numbers = if numeric { known(domain) } else { 0 };
        let cuts = cuts(&domain[..numbers], &weights);
        // Without a cut there is one number at most: it is a pair of its own, beside a missing value.
        let numbers = if cuts.is_empty() { 0 } else { numbers };
        let add = |sum: &mut u64, weight: &u64| {
            *sum += weight;
            Some(*sum)
        };
        let up_to: Vec<u64> = weights[..numbers].iter().scan(0, add).collect();
        let (below, of_numbers) =
            (cuts.iter().map(|&cut| up_to[cut - 1]).collect(), up_to.last().map_or(0, |&all| all));
        Self { attr, numbers, cuts, below, of_numbers, weights }
    }

    /// Everything is left, of which G has the weights `goal`.
    pub fn all_left(&self, goal: Vec<u64>) -> Left {
        let in_numbers = goal[..self.numbers].iter().sum();
        Left { goal, in_numbers, codes: 0..self.weights.len(), span: 0..self.numbers }
    }

    /// Takes an object of this weight, which has the value `code`, out of the G of `left`.
    pub fn take(&self, left: &mut Left, code: usize, weight: u64) {
        left.goal[code] -= weight;
        if code < self.numbers {
            left.in_numbers -= weight;
        }
    }

    /// The best value of which G has something, by the weights of G, but the one that was `chosen` before.
    pub fn best_value(&self, goal: &[u64], chosen: &[Condition]) -> Option<WeighedPair> {
        let but = chosen.iter().filter(|pair| pair.attr == self.attr).find_map(|pair| pair.code());
        let codes = (self.numbers..self.weights.len()).filter(|&code| goal[code] > 0 && but != Some(code as u32));
        let pair = |code: usize| WeighedPair {
            pair: Condition::value(self.attr, code as u32),
            in_goal: goal[code],
            size: self.weights[code],
            place: 2 * self.cuts.len() + code,
        };
        codes.map(pair).reduce(WeighedPair::better)
    }

    /// The best pair of which G has something, of those that contain none of the pairs on this attribute that were `chosen` before, of
    /// which the intervals have left their bounds in `left`.
    pub fn best(&self, left: &mut Left, chosen: &[Condition]) -> Option<WeighedPair> {
        let value = self.best_value(&left.goal, chosen);
        let Left { goal, codes, span, in_numbers, .. } = left;
        let is_in_goal = |code: usize| goal[code] > 0;
        while span.start < span.end && !is_in_goal(span.end - 1) {
            span.end -= 1;
        }
        while span.start < span.end && !is_in_goal(span.start) {
            span.start += 1;
        }
        if span.start == span.end {
            return value;
        }
        let below = self.best_below(goal, codes.end, span, *in_numbers);
        let above = self.best_above(goal, codes.start, span, *in_numbers);
        below.into_iter().chain(above).chain(value).reduce(WeighedPair::better)
    }

    /// The best interval below a cut that is below `end`. The highest such cut leaves out the least of G, of which `all` are numbers; of
    /// the cuts that leave out no more the lowest has the smallest interval.
    fn best_below(&self, goal: &[u64], end: usize, span: &Range<usize>, mut all: u64) -> Option<WeighedPair> {
        let cut_above = |code: usize| self.cuts.partition_point(|&cut| cut <= code);
        let highest = span.end - 1;
        let mut at = cut_above(highest);
        if self.cuts.get(at).is_none_or(|&cut| cut >= end) {
            let cut = self.cuts[at.checked_sub(1)?];
            all -= goal[cut.max(span.start)..=highest].iter().sum::<u64>();
            at = cut_above((span.start..cut).rev().find(|&code| goal[code] > 0)?);
        }
        let pair = Condition::interval(self.attr, 0, self.cuts[at] as u32 - 1);
        Some(WeighedPair { pair, in_goal: all, size: self.below[at], place: 2 * at })
    }

    /// The best interval above a cut that is above `start`, as [`AttributePairs::best_below`].
    fn best_above(&self, goal: &[u64], start: usize, span: &Range<usize>, mut all: u64) -> Option<WeighedPair> {
        let cuts_up_to = |code: usize| self.cuts.partition_point(|&cut| cut <= code);
        let mut count = cuts_up_to(span.start);
        if count == 0 || self.cuts[count - 1] <= start {
            let &cut = self.cuts.get(count)?;
            all -= goal[span.start..cut.min(span.end)].iter().sum::<u64>();
            count = cuts_up_to((cut..span.end).find(|&code| goal[code] > 0)?);
        }
        let at = count - 1;
        let pair = Condition::interval(self.attr, self.cuts[at] as u32, self.numbers as u32 - 1);
        Some(WeighedPair { pair, in_goal: all, size: self.of_numbers - self.below[at], place: 2 * at + 1 })
    }
}

/// The lowest codes above the cuts, which are midway between each two neighbours of the numbers that occur.
fn cuts(numbers: &[Value], weights: &[u64]) -> Vec<usize> {
    let occurring: Vec<usize> = (0..numbers.len()).filter(|&code| weights[code] > 0).collect();
    let above = |pair: &[usize]| {
        let cut = cut_between(&numbers[pair[0]], &numbers[pair[1]]);
        // Values of the domain that no object has may lie between the two.
        let is_below = |value: &Value| value.as_real() < cut.as_real();
        pair[0] + 1 + numbers[pair[0] + 1..pair[1]].partition_point(is_below)
    };
    occurring.windows(2).map(above).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_lie_between_values_that_occur() {
        let domain: Vec<Value> = [1, 2, 3, 9, 10].map(Value::Integer).to_vec();
        // Between 1 and 9 the cut is 5, so that 2 and 3 are below it.
        assert_eq!(cuts(&domain, &[1, 0, 0, 2, 1]), [3, 4]);
        assert_eq!(cuts(&domain, &[0, 0, 1, 0, 0]), [0; 0]);
        // A value that is the cut is above it.
        assert_eq!(cuts(&domain, &[1, 0, 1, 0, 0]), [1]);
    }
}
