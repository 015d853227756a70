//! The greedy reduct: the attribute that resolves most conflicts first, consistent classes dropped on the way.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::conflict::ConflictClasses;
use super::{Quotient, Reduct};
use crate::table::{AttrIdx, Code, with_codes};

/// Up to this many counters stand in an array, more in a map.
const MAX_COUNTERS: usize = 1 << 22;

/// Classes with this many rows per counter are counted first and summed up afterwards.
const HISTOGRAM: usize = 4;

impl Quotient {
    /// Adds the attribute that leaves fewest conflicting pairs of rows (the first of equals) until there are none,
    /// and prunes the result, so that it is minimal.
    #[must_use]
    pub fn greedy_reduct(&self) -> Reduct {
        let mut conflicting = self.keep_conflicting((0..self.n_rows() as u32).map(|row| (0, row)).collect());
        let mut chosen: Vec<AttrIdx> = Vec::new();
        while !conflicting.rows.is_empty() {
            let left = |column: usize| (self.conflicts_after(column, &conflicting), column);
            let open = (0..self.columns().len()).into_par_iter().filter(|&c| !chosen.contains(&self.columns()[c].attr));
            let Some((_, best)) = open.map(left).min() else { break };
            chosen.push(self.columns()[best].attr);
            conflicting = self.split(best, &conflicting);
        }
        self.prune(self.superreduct_of(chosen.iter().copied().collect()), &chosen)
    }

    /// The number of pairs of rows with different labels that would still be in one class.
    fn conflicts_after(&self, column: usize, conflicting: &ConflictClasses) -> u64 {
        let column = &self.columns()[column];
        let n_values = column.n_values;
        with_codes!(&column.codes, codes => {
            let (mut start, mut pairs) = (0, 0);
            let (mut of_value, mut of_both) = (vec![0; n_values], Vec::new());
            for (&end, &n_labels) in conflicting.ends.iter().zip(&conflicting.n_labels) {
                let members = || conflicting.rows[start..end].iter().zip(&conflicting.labels[start..end])
                    .map(|(&row, &label)| (codes[row as usize].index(), label as usize));
                pairs += if end - start >= HISTOGRAM * n_values * n_labels {
                    count_by_histogram(members(), n_labels, n_values * n_labels)
                } else if n_values * n_labels <= MAX_COUNTERS {
                    if of_both.len() < n_values * n_labels {
                        of_both.resize(n_values * n_labels, 0);
                    }
                    count_dense(members, n_labels, &mut of_value, &mut of_both)
                } else {
                    count_sparse(members())
                };
                start = end;
            }
            pairs
        })
    }

    /// The classes after adding `column`, without those that are free of conflicts.
    fn split(&self, column: usize, conflicting: &ConflictClasses) -> ConflictClasses {
        let codes = &self.columns()[column].codes;
        let (mut keyed, mut start) = (Vec::with_capacity(conflicting.rows.len()), 0);
        for (class, &end) in (0_u64..).zip(&conflicting.ends) {
            let key = |&row: &u32| (class << 32 | u64::from(codes.get(row as usize)), row);
            keyed.extend(conflicting.rows[start..end].iter().map(key));
            start = end;
        }
        self.keep_conflicting(keyed)
    }
}

/// Conflicting pairs within the values of one class. Counters come and leave as zeros.
fn count_dense<I: Iterator<Item = (usize, usize)>>(
    members: impl Fn() -> I,
    n_labels: usize,
    of_value: &mut [u32],
    of_both: &mut [u32],
) -> u64 {
    let mut pairs = 0;
    for (value, label) in members() {
        let both = &mut of_both[value * n_labels + label];
        pairs += u64::from(of_value[value] - *both);
        *both += 1;
        of_value[value] += 1;
    }
    for (value, label) in members() {
        of_both[value * n_labels + label] = 0;
        of_value[value] = 0;
    }
    pairs
}

/// As [`count_dense`], for many members: neighbours are counted apart, so that they need not wait for each other.
fn count_by_histogram(members: impl Iterator<Item = (usize, usize)>, n_labels: usize, n_counters: usize) -> u64 {
    let mut counters = vec![[0_u32; 4]; n_counters];
    for (i, (value, label)) in members.enumerate() {
        counters[value * n_labels + label][i % 4] += 1;
    }
    let of_value = |of_labels: &[[u32; 4]]| {
        let counts = of_labels.iter().map(|four| four.iter().map(|&n| u64::from(n)).sum::<u64>());
        let (all, squares) = counts.fold((0, 0), |(all, squares), n| (all + n, squares + n * n));
        (all * all - squares) / 2
    };
    counters.chunks_exact(n_labels).map(of_value).sum()
}

fn count_sparse(members: impl Iterator<Item = (usize, usize)>) -> u64 {
    let (mut of_value, mut of_both) = (FxHashMap::<usize, u64>::default(), FxHashMap::<(usize, usize), u64>::default());
    let mut pairs = 0;
    for (value, label) in members {
        let (all, same) = (of_value.entry(value).or_default(), of_both.entry((value, label)).or_default());
        pairs += *all - *same;
        *all += 1;
        *same += 1;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_of_counting_conflicts_agree() {
        let members = [(0, 0), (1, 0), (0, 1), (0, 2), (1, 0), (0, 0)];
        let (mut of_value, mut of_both) = (vec![0; 2], vec![0; 6]);
        let dense = count_dense(|| members.iter().copied(), 3, &mut of_value, &mut of_both);
        assert_eq!(dense, 5);
        assert_eq!(count_sparse(members.iter().copied()), 5);
        assert_eq!(count_by_histogram(members.iter().copied(), 3, 6), 5);
        assert!(of_value.iter().chain(&of_both).all(|&count| count == 0));
    }
}
