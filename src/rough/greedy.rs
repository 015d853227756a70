//! The greedy reduct: the attribute that resolves most conflicts first, consistent classes dropped on the way.

use std::ops::AddAssign;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::conflict::ConflictClasses;
use super::significance::Contribution;
use super::{Quotient, Reduct};
use crate::table::{AttrIdx, Code, TIE, with_codes};

/// Up to this many counters stand in an array, more in a map.
const MAX_COUNTERS: usize = 1 << 22;

/// Of classes of up to so many rows all pairs are compared.
const FEW_ROWS: usize = 8;
/// Up to so many counters per row of a class are summed up afterwards, all at once; of more only those that were touched.
const COUNTERS_PER_ROW: usize = 16;
/// Classes with so many rows per counter are counted in several sets of counters.
const ROWS_PER_COUNTER: usize = 8;
/// Counters whose squares are summed up together.
const TOGETHER: usize = 16;

/// What a greedy search makes as small as it can with every attribute that it adds, where that is not the number of
/// pairs of rows with different labels.
///
/// All are 0 exactly when the labels of the notion are preserved, so the search ends at the same place: a superreduct.
/// Objects count by their weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Criterion {
    /// The weight of the objects whose class holds several labels: 1 - γ for the positive region (QuickReduct).
    Dependency,
    /// The conditional entropy of the label in its class.
    Entropy,
    /// The Gini impurity of the label in its class.
    Gini,
}

impl Quotient {
    /// Adds the attribute that leaves fewest conflicting pairs of rows (the first of equals) until there are none,
    /// and prunes the result, so that it is minimal (Johnson's greedy algorithm on the discernibility matrix).
    ///
    /// An attribute never resolves more pairs than it would have resolved earlier, when more were open. So what it
    /// resolved last is a bound, and only attributes whose bound is high enough are counted anew.
    pub(super) fn greedy_reduct(&self) -> Reduct {
        let mut bounds: Vec<(u64, usize)> = (0..self.columns.len()).map(|column| (u64::MAX, column)).collect();
        self.greedy(|conflicting, _| self.most_resolving(&mut bounds, conflicting))
    }

    /// As [`Quotient::greedy_reduct`], by another criterion.
    pub(super) fn greedy_reduct_by(&self, criterion: Criterion) -> Reduct {
        let total: u64 = self.weights.iter().sum();
        // Weights of objects are whole numbers, which no rounding touches.
        let tie = if criterion == Criterion::Dependency { 1.0 } else { TIE * total as f64 };
        self.greedy(|conflicting, chosen| {
            let open = (0..self.columns.len()).into_par_iter().filter(|&c| !chosen.contains(&self.columns[c].attr));
            let steps = |column: usize| (self.impurity_after(column, conflicting, criterion) / tie).round() as u64;
            open.map(|column| (steps(column), column)).min().map(|(_, best)| best)
        })
    }

    /// Adds the columns that `next` gives for what is in conflict and what is chosen, until nothing is in conflict; prunes.
    fn greedy(&self, mut next: impl FnMut(&ConflictClasses, &[AttrIdx]) -> Option<usize>) -> Reduct {
        let mut conflicting = self.all_conflicts();
        let mut chosen: Vec<AttrIdx> = Vec::new();
        while !conflicting.rows.is_empty() {
            let Some(best) = next(&conflicting, &chosen) else { break };
            chosen.push(self.columns[best].attr);
            conflicting = self.split(best, &conflicting);
        }
        self.drop_in_order(&chosen)
    }

    /// All rows in one class, unless they have one label.
    fn all_conflicts(&self) -> ConflictClasses {
        ConflictClasses::of((0..self.n_rows() as u32).map(|row| (0, row)).collect(), &self.labels)
    }

    /// Takes out of `bounds` the column that resolves most pairs (the first of equals) and brings the bounds of all
    /// columns that were counted up to date.
    fn most_resolving(&self, bounds: &mut Vec<(u64, usize)>, conflicting: &ConflictClasses) -> Option<usize> {
        let total = self.n_conflicts(conflicting);
        let batch = rayon::current_num_threads().max(1);
        let mut n_counted = 0;
        bounds.sort_unstable_by_key(|&(bound, column)| (std::cmp::Reverse(bound), column));
        loop {
            let best = bounds[..n_counted].iter().copied().min_by_key(|&(n, column)| (std::cmp::Reverse(n), column));
            let next = bounds.get(n_counted);
            match (best, next) {
                (Some((resolved, column)), next) if next.is_none_or(|next| (next.0, column) < (resolved, next.1)) => {
                    bounds.retain(|entry| entry.1 != column);
                    return Some(column);
                }
                (None, None) => return None,
                _ => {}
            }
            let end = (n_counted + batch).min(bounds.len());
            let count = |entry: &mut (u64, usize)| entry.0 = total - self.conflicts_after(entry.1, conflicting);
            bounds[n_counted..end].par_iter_mut().for_each(count);
            n_counted = end;
        }
    }

    /// The number of pairs of rows of one class with different labels.
    fn n_conflicts(&self, conflicting: &ConflictClasses) -> u64 {
        let of_class = |class: usize| {
            let mut sizes = vec![0_u64; conflicting.n_labels[class]];
            conflicting.labels[conflicting.class(class)].iter().for_each(|&label| sizes[label as usize] += 1);
            let all: u64 = sizes.iter().sum();
            (all * all - sizes.iter().map(|n| n * n).sum::<u64>()) / 2
        };
        (0..conflicting.len()).map(of_class).sum()
    }

    /// What the criterion would be after adding `column`, summed over objects instead of averaged.
    fn impurity_after(&self, column: usize, conflicting: &ConflictClasses, criterion: Criterion) -> f64 {
        let codes = &self.columns[column].codes;
        let (mut sum, mut cells, mut weights) = (0.0, Vec::new(), Vec::new());
        for class in 0..conflicting.len() {
            cells.clear();
            cells.extend(conflicting.class(class).map(|at| {
                let row = conflicting.rows[at] as usize;
                (codes.get(row), conflicting.labels[at], self.weights[row])
            }));
            cells.sort_unstable();
            for of_value in cells.chunk_by(|a, b| a.0 == b.0) {
                weights.clear();
                weights
                    .extend(of_value.chunk_by(|a, b| a.1 == b.1).map(|run| run.iter().map(|cell| cell.2).sum::<u64>()));
                sum += impurity(&weights, criterion);
            }
        }
        sum
    }

    /// The number of pairs of rows with different labels that would still be in one class.
    fn conflicts_after(&self, column: usize, conflicting: &ConflictClasses) -> u64 {
        let column = &self.columns[column];
        let n_values = column.n_values;
        with_codes!(&column.codes, codes => {
            let (mut start, mut pairs) = (0, 0);
            let (mut of_value, mut of_both, mut touched) = (vec![0; n_values], Vec::new(), Vec::new());
            let (mut small, mut large) = (Vec::<u16>::new(), Vec::<u32>::new());
            for (&end, &n_labels) in conflicting.ends.iter().zip(&conflicting.n_labels) {
                let (n_rows, n_counters) = (end - start, n_values * n_labels);
                let members = || conflicting.rows[start..end].iter().zip(&conflicting.labels[start..end])
                    .map(|(&row, &label)| (codes[row as usize].index(), label as usize));
                pairs += if n_rows == 2 {
                    // Two conflicting rows are one pair, which stays if they agree.
                    let (a, b) = (conflicting.rows[start] as usize, conflicting.rows[start + 1] as usize);
                    u64::from(codes[a] == codes[b])
                } else if n_rows <= FEW_ROWS {
                    count_pairs(members())
                } else if n_rows >= ROWS_PER_COUNTER * n_counters {
                    count::<u32, 4>(members(), (n_labels, n_values), &mut large)
                } else if n_rows <= i16::MAX as usize && n_counters <= COUNTERS_PER_ROW * n_rows {
                    count::<u16, 1>(members(), (n_labels, n_values), &mut small)
                } else if n_counters <= MAX_COUNTERS {
                    if of_both.len() < n_counters {
                        of_both.resize(n_counters, 0);
                    }
                    count_dense(members(), n_labels, (&mut of_value, &mut of_both), &mut touched)
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
        let column = &self.columns[column];
        let (mut kept, mut sorter) = (ConflictClasses::default(), ByValue::default());
        for class in 0..conflicting.len() {
            let rows = &conflicting.rows[conflicting.class(class)];
            with_codes!(&column.codes, codes => sorter.sort(rows, codes, column.n_values));
            sorter.runs().for_each(|rows| kept.push(rows, &self.labels));
        }
        kept
    }
}

/// Rows sorted by their value in one column, in the order in which they came among equals.
#[derive(Default)]
struct ByValue {
    rows: Vec<u32>,
    /// Where the rows of each value that occurs end.
    ends: Vec<usize>,
    keyed: Vec<(u32, u32)>,
    sizes: Vec<usize>,
}

impl ByValue {
    /// Sorts `rows` by their code: few rows by comparing, many by counting.
    fn sort<C: Code>(&mut self, rows: &[u32], codes: &[C], n_values: usize) {
        self.rows.clear();
        self.ends.clear();
        if rows.len() < n_values {
            self.keyed.clear();
            self.keyed.extend(rows.iter().map(|&row| (codes[row as usize].index() as u32, row)));
            self.keyed.sort_unstable();
            for run in self.keyed.chunk_by(|a, b| a.0 == b.0) {
                self.rows.extend(run.iter().map(|pair| pair.1));
                self.ends.push(self.rows.len());
            }
            return;
        }
        self.sizes.clear();
        self.sizes.resize(n_values, 0);
        rows.iter().for_each(|&row| self.sizes[codes[row as usize].index()] += 1);
        let mut end = 0;
        for size in &mut self.sizes {
            let start = end;
            end += *size;
            if *size > 0 {
                self.ends.push(end);
            }
            *size = start;
        }
        self.rows.resize(rows.len(), 0);
        for &row in rows {
            let next = &mut self.sizes[codes[row as usize].index()];
            self.rows[*next] = row;
            *next += 1;
        }
    }

    /// The rows of each value that occurs.
    fn runs(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.rows[start..end])
    }
}

/// How far the objects of one class, given by the weight of each label, are from having one label.
fn impurity(weights: &[u64], criterion: Criterion) -> f64 {
    let class = || Contribution::of(weights.iter().copied());
    match criterion {
        // A class of one label is not impure.
        Criterion::Dependency if weights.len() <= 1 => 0.0,
        Criterion::Dependency => weights.iter().sum::<u64>() as f64,
        Criterion::Entropy => class().entropy,
        Criterion::Gini => class().gini,
    }
}

/// Conflicting pairs within the values of one class. Counters come and leave as zeros.
fn count_dense(
    members: impl Iterator<Item = (usize, usize)>,
    n_labels: usize,
    (of_value, of_both): (&mut [u32], &mut [u32]),
    touched: &mut Vec<(u32, u32)>,
) -> u64 {
    let mut pairs = 0;
    touched.clear();
    for (value, label) in members {
        let cell = value * n_labels + label;
        let both = &mut of_both[cell];
        pairs += u64::from(of_value[value] - *both);
        *both += 1;
        of_value[value] += 1;
        touched.push((value as u32, cell as u32));
    }
    for &(value, cell) in touched.iter() {
        of_both[cell as usize] = 0;
        of_value[value as usize] = 0;
    }
    pairs
}

/// As [`count_dense`], by comparing each two of a few members.
#[inline(always)]
fn count_pairs(members: impl Iterator<Item = (usize, usize)>) -> u64 {
    let (mut earlier, mut pairs) = ([(0, 0); FEW_ROWS], 0);
    for (at, (value, label)) in members.enumerate() {
        pairs += earlier[..at].iter().map(|other| u64::from((other.0 == value) & (other.1 != label))).sum::<u64>();
        earlier[at] = (value, label);
    }
    pairs
}

/// As [`count_dense`], for more members: all counters are summed up afterwards. Members that follow each other are counted in `N` sets,
/// so that they need not wait for each other.
fn count<C: Counter, const N: usize>(
    members: impl Iterator<Item = (usize, usize)>,
    (n_labels, n_values): (usize, usize),
    counters: &mut Vec<C>,
) -> u64 {
    let width = n_values.next_multiple_of(TOGETHER);
    let n_of_set = n_labels * width;
    counters.clear();
    counters.resize(N * n_of_set, C::default());
    for (i, (value, label)) in members.enumerate() {
        counters[i % N * n_of_set + label * width + value] += C::from(true);
    }
    let (sum, others) = counters.split_at_mut(n_of_set);
    for other in others.chunks_exact(n_of_set) {
        sum.iter_mut().zip(other).for_each(|(sum, &n)| *sum += n);
    }
    let (mut all, mut same) = (0, 0);
    for from in (0..width).step_by(TOGETHER) {
        let mut of_value = [C::default(); TOGETHER];
        for of_label in sum.chunks_exact(width).filter_map(|of_label| of_label[from..].first_chunk()) {
            of_value.iter_mut().zip(of_label).for_each(|(sum, &n)| *sum += n);
            same += C::squares(of_label);
        }
        all += C::squares(&of_value);
    }
    (all - same) / 2
}

/// A counter that is as small as the number of rows allows, so that many are summed up at once.
trait Counter: Copy + Default + AddAssign + From<bool> {
    /// The sum of their squares.
    fn squares(counters: &[Self; TOGETHER]) -> u64;
}

impl Counter for u16 {
    /// Of counters up to 32,767 that count at most so many rows together.
    #[inline(always)]
    fn squares(counters: &[Self; TOGETHER]) -> u64 {
        let square = |&n: &u16| i32::from(n as i16) * i32::from(n as i16);
        counters.iter().map(square).sum::<i32>() as u64
    }
}

impl Counter for u32 {
    #[inline(always)]
    fn squares(counters: &[Self; TOGETHER]) -> u64 {
        counters.iter().map(|&n| u64::from(n) * u64::from(n)).sum()
    }
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
    use crate::rough::Notion;
    use crate::table::{Attribute, DecisionTable, Weights};

    #[test]
    fn few_and_many_rows_are_sorted_alike() {
        let (codes, rows) = ([2_u8, 0, 2, 1, 0, 2], [5, 1, 0, 3]);
        let sorted = |n_values: usize| {
            let mut sorter = ByValue::default();
            sorter.sort(&rows, &codes, n_values);
            sorter.runs().map(<[u32]>::to_vec).collect::<Vec<_>>()
        };
        assert_eq!(sorted(3), [vec![1], vec![3], vec![5, 0]]);
        assert_eq!(sorted(9), [vec![1], vec![3], vec![0, 5]]);
    }

    #[test]
    fn impurities_follow_their_definitions() {
        let of = |criterion| impurity(&[2, 6], criterion);
        assert_eq!(of(Criterion::Dependency), 8.0);
        assert!((of(Criterion::Entropy) - 8.0 * 0.811_278_124_459_132_8).abs() < 1e-12);
        assert!((of(Criterion::Gini) - 8.0 * (1.0 - 0.0625 - 0.5625)).abs() < 1e-12);
        assert_eq!(impurity(&[5], Criterion::Entropy), 0.0);
    }

    /// `b` and `c` decide together, `a` alone; the last object, which is alone with its decision, weighs nothing.
    #[test]
    fn an_object_without_weight_does_not_make_an_attribute_the_best() {
        let column = |name: &str, values: [i64; 5]| Attribute::from_integers(name, values);
        let conditions = vec![column("b", [0, 0, 1, 1, 1]), column("c", [0, 1, 0, 1, 2]), column("a", [0, 1, 1, 0, 2])];
        let weights = Weights::Counts(vec![5, 5, 5, 5, 0]);
        let table = DecisionTable::new(conditions, column("d", [0, 1, 1, 0, 2]), weights).unwrap();
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        for criterion in [Criterion::Dependency, Criterion::Entropy, Criterion::Gini] {
            assert_eq!(table.names(quotient.greedy_reduct_by(criterion).attrs()), ["a"], "{criterion:?}");
            let expected = if criterion == Criterion::Dependency { 5.0 } else { 0.0 };
            assert_eq!((impurity(&[0, 5], criterion), impurity(&[0, 0], criterion)), (expected, 0.0));
        }
    }

    #[test]
    fn all_ways_of_counting_conflicts_agree() {
        let members = [(0, 0), (1, 0), (0, 1), (0, 2), (1, 0), (0, 0)];
        let (mut of_value, mut of_both) = (vec![0; 2], vec![0; 6]);
        let dense = count_dense(members.iter().copied(), 3, (&mut of_value, &mut of_both), &mut Vec::new());
        assert_eq!(dense, 5);
        assert_eq!(count_sparse(members.iter().copied()), 5);
        assert_eq!(count_pairs(members.iter().copied()), 5);
        assert_eq!(count::<u16, 1>(members.iter().copied(), (3, 2), &mut Vec::new()), 5);
        assert_eq!(count::<u32, 4>(members.iter().copied(), (3, 2), &mut vec![7; 5]), 5);
        assert!(of_value.iter().chain(&of_both).all(|&count| count == 0));
    }

    /// Of three, two and one rows of a label 3 · 2 + 3 · 1 + 2 · 1 pairs; `b` sets the three apart.
    #[test]
    fn conflicts_are_pairs_of_rows_with_different_labels() {
        let column = |name: &str, values: [i64; 6]| Attribute::from_integers(name, values);
        let conditions = vec![column("a", [0, 1, 2, 3, 4, 5]), column("b", [0, 0, 0, 1, 1, 1])];
        let table = DecisionTable::new(conditions, column("d", [0, 0, 0, 1, 1, 2]), Weights::Unit).unwrap();
        let quotient = Quotient::new(&table, &table.all_attributes(), Notion::Positive);
        let all = quotient.all_conflicts();
        assert_eq!((quotient.n_conflicts(&all), quotient.conflicts_after(1, &all)), (11, 2));
        assert_eq!(quotient.n_conflicts(&quotient.split(1, &all)), 2);
    }
}
