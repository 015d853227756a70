//! Confusion tables and the figures drawn from them.

use std::collections::BTreeMap;

use super::ClassifyError;

/// How often each decision was forecast for each true one, in weights. Only the pairs of decisions that occur are kept: there are at most
/// as many as objects, where a whole table of many decisions would fill the memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confusion {
    n_classes: usize,
    /// The weights above 0 by true and forecast decision.
    cells: BTreeMap<(u32, u32), u64>,
    /// By true decision the weights above 0 of the objects that no rule matched.
    unmatched: BTreeMap<u32, u64>,
}

/// The figures of one decision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassFigures {
    /// The weight of the objects that have the decision.
    pub weight: u64,
    /// Of the objects it was forecast for, the share that have it; none if it was never forecast.
    pub precision: Option<f64>,
    /// Of the objects that have it, the share it was forecast for; none if no object has it.
    pub recall: Option<f64>,
    /// 2 · right / (forecast + present), the harmonic mean of both; none if it was neither forecast nor present.
    pub f1: Option<f64>,
    /// Of the objects that have it, the share that no rule matched; none if no object has it.
    pub unmatched: Option<f64>,
}

impl Confusion {
    /// The most decisions that learners are compared on: the whole table, as it is shown, has 2²² cells then.
    pub const MOST_SHOWN: usize = 1 << 11;

    /// Refuses more decisions than [`Self::MOST_SHOWN`].
    ///
    /// # Errors
    /// When `n_classes` is above it.
    pub fn check_size(n_classes: usize) -> Result<(), ClassifyError> {
        if n_classes > Self::MOST_SHOWN {
            return Err(ClassifyError::TooManyDecisions { found: n_classes, limit: Self::MOST_SHOWN });
        }
        Ok(())
    }

    /// An empty table of `n_classes` decisions, of which there may be any number.
    pub const fn new(n_classes: usize) -> Self {
        Self { n_classes, cells: BTreeMap::new(), unmatched: BTreeMap::new() }
    }

    /// How many decisions there are.
    pub const fn n_classes(&self) -> usize {
        self.n_classes
    }

    /// Counts a forecast of `predicted` for objects of weight `weight` that are `truth`; `matched` unless no rule
    /// matched them.
    ///
    /// # Panics
    /// When there is no such decision.
    pub fn add(&mut self, truth: u32, predicted: u32, weight: u64, matched: bool) {
        let n_classes = self.n_classes;
        assert!((truth.max(predicted) as usize) < n_classes, "{truth} or {predicted} is none of {n_classes} decisions");
        // What weighs nothing leaves no cell: tables that count the same are equal.
        if weight == 0 {
            return;
        }
        *self.cells.entry((truth, predicted)).or_default() += weight;
        if !matched {
            *self.unmatched.entry(truth).or_default() += weight;
        }
    }

    /// Adds what another table counted, which is one of the same decisions.
    pub fn merge(&mut self, other: &Self) {
        self.n_classes = self.n_classes.max(other.n_classes);
        add_all(&mut self.cells, &other.cells);
        add_all(&mut self.unmatched, &other.unmatched);
    }

    /// The whole table: a row for each true decision, a column for each forecast one. It takes memory for a number for each pair of
    /// decisions, see [`Self::MOST_SHOWN`].
    pub fn counts(&self) -> Vec<Vec<u64>> {
        let mut counts = vec![vec![0; self.n_classes]; self.n_classes];
        for (&(truth, predicted), &weight) in &self.cells {
            counts[truth as usize][predicted as usize] = weight;
        }
        counts
    }

    /// The weight of all objects.
    pub fn total(&self) -> u64 {
        self.cells.values().sum()
    }

    /// The weight of the objects whose decision was forecast rightly.
    pub fn right(&self) -> u64 {
        self.cells.iter().filter(|((truth, predicted), _)| truth == predicted).map(|(_, weight)| weight).sum()
    }

    /// The share of right forecasts; 0 for an empty table.
    pub fn accuracy(&self) -> f64 {
        share(self.right(), self.total()).unwrap_or(0.0)
    }

    /// The share of objects that no rule matched; 0 for an empty table.
    pub fn unmatched_share(&self) -> f64 {
        share(self.unmatched.values().sum(), self.total()).unwrap_or(0.0)
    }

    /// The figures of all decisions, in one pass over the pairs that occur.
    pub fn classes(&self) -> Vec<ClassFigures> {
        let mut sums = vec![Sums::default(); self.n_classes];
        for (&(truth, predicted), &weight) in &self.cells {
            sums[truth as usize].weight += weight;
            sums[predicted as usize].predicted += weight;
            if truth == predicted {
                sums[truth as usize].right = weight;
            }
        }
        for (&truth, &weight) in &self.unmatched {
            sums[truth as usize].unmatched = weight;
        }
        sums.into_iter().map(Sums::figures).collect()
    }

    /// The figures of the decision `class`; those of many take one call of [`Self::classes`].
    ///
    /// # Panics
    /// When there is no such decision.
    pub fn class(&self, class: usize) -> ClassFigures {
        self.classes()[class]
    }

    /// The mean recall of the decisions that occur: every decision counts the same, however rare it is.
    pub fn balanced_accuracy(&self) -> f64 {
        mean(self.classes().iter().filter_map(|class| class.recall))
    }

    /// The mean F1 of the decisions that occur or were forecast.
    pub fn macro_f1(&self) -> f64 {
        mean(self.classes().iter().filter_map(|class| class.f1))
    }
}

/// The weights that the figures of one decision are shares of.
#[derive(Clone, Copy, Default)]
struct Sums {
    weight: u64,
    predicted: u64,
    right: u64,
    unmatched: u64,
}

impl Sums {
    fn figures(self) -> ClassFigures {
        let Self { weight, predicted, right, unmatched } = self;
        ClassFigures {
            weight,
            precision: share(right, predicted),
            recall: share(right, weight),
            f1: share(2 * right, predicted + weight),
            unmatched: share(unmatched, weight),
        }
    }
}

fn add_all<K: Ord + Copy>(ours: &mut BTreeMap<K, u64>, theirs: &BTreeMap<K, u64>) {
    for (&key, weight) in theirs {
        *ours.entry(key).or_default() += weight;
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0_u32), |(sum, n), value| (sum + value, n + 1));
    if n == 0 { 0.0 } else { sum / f64::from(n) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    /// Rows true, columns forecast: 5 1 0 / 2 3 0 / 1 0 0, and a fourth decision that is neither.
    fn confusion() -> Confusion {
        let mut confusion = Confusion::new(4);
        for (truth, predicted, weight) in [(0, 0, 5), (0, 1, 1), (1, 0, 2), (1, 1, 3), (2, 0, 1)] {
            confusion.add(truth, predicted, weight, (truth, predicted) != (1, 0));
        }
        confusion
    }

    #[test]
    fn figures_are_those_computed_by_hand() {
        let confusion = confusion();
        assert_eq!((confusion.right(), confusion.total()), (8, 12));
        assert_abs_diff_eq!(confusion.balanced_accuracy(), (5.0 / 6.0 + 3.0 / 5.0 + 0.0) / 3.0, epsilon = 1e-15);
        assert_abs_diff_eq!(confusion.macro_f1(), (10.0 / 14.0 + 6.0 / 9.0 + 0.0) / 3.0, epsilon = 1e-15);
        let first = confusion.class(0);
        assert_eq!((first.precision, first.recall, first.f1), (Some(5.0 / 8.0), Some(5.0 / 6.0), Some(10.0 / 14.0)));
        assert_eq!((confusion.class(1).unmatched, confusion.class(0).unmatched), (Some(0.4), Some(0.0)));
        let (third, fourth) = (confusion.class(2), confusion.class(3));
        assert_eq!((third.precision, third.recall, third.f1), (None, Some(0.0), Some(0.0)));
        assert_eq!((fourth.precision, fourth.recall, fourth.f1, fourth.weight), (None, None, None, 0));
    }

    #[test]
    fn tables_add_up() {
        let mut twice = confusion();
        twice.merge(&confusion());
        assert_eq!((twice.total(), twice.class(1).unmatched), (24, Some(0.4)));
        assert_eq!((Confusion::new(2).accuracy(), Confusion::new(2).macro_f1()), (0.0, 0.0));
    }

    /// A whole table of so many decisions would take 80 GB.
    #[test]
    fn of_many_decisions_the_pairs_that_occur_are_kept() {
        let counted = |n_classes: usize, [first, second, third]: [u32; 3]| {
            let mut confusion = Confusion::new(n_classes);
            confusion.add(first, first, 3, true);
            confusion.add(first, third, 2, true);
            confusion.add(third, second, 1, false);
            confusion
        };
        let (many, few) = (counted(100_000, [5, 7, 99_999]), counted(3, [0, 1, 2]));
        assert_eq!(few.counts(), [[3, 0, 2], [0, 0, 0], [0, 1, 0]]);
        let figures = |confusion: &Confusion| {
            let means = [confusion.balanced_accuracy(), confusion.macro_f1()];
            (confusion.right(), confusion.total(), confusion.accuracy(), confusion.unmatched_share(), means)
        };
        assert_eq!(figures(&many), figures(&few));
        assert_eq!(figures(&few), (3, 6, 0.5, 1.0 / 6.0, [0.3, 0.25]));
        let classes = many.classes();
        assert_eq!([5, 7, 99_999].map(|class: usize| classes[class]), [0, 1, 2].map(|class| few.class(class)));
        assert_eq!(classes.len(), 100_000);
    }

    #[test]
    fn what_weighs_nothing_leaves_no_trace() {
        let mut confusion = Confusion::new(2);
        confusion.add(0, 1, 0, false);
        assert_eq!(confusion, Confusion::new(2));
    }
}
