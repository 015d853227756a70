//! Confusion tables and the figures drawn from them.

/// How often each decision was forecast for each true one, in weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confusion {
    /// The weights: a row for each true decision, a column for each forecast one.
    pub counts: Vec<Vec<u64>>,
    /// For each true decision the weight of the objects that no rule matched.
    pub unmatched: Vec<u64>,
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
    /// An empty table of `n_classes` decisions.
    pub fn new(n_classes: usize) -> Self {
        Self { counts: vec![vec![0; n_classes]; n_classes], unmatched: vec![0; n_classes] }
    }

    /// Counts a forecast of `predicted` for objects of weight `weight` that are `truth`; `matched` unless no rule
    /// matched them.
    ///
    /// # Panics
    /// When there is no such decision.
    pub fn add(&mut self, truth: u32, predicted: u32, weight: u64, matched: bool) {
        self.counts[truth as usize][predicted as usize] += weight;
        if !matched {
            self.unmatched[truth as usize] += weight;
        }
    }

    /// Adds what another table of the same decisions counted.
    pub fn merge(&mut self, other: &Self) {
        for (ours, theirs) in self.counts.iter_mut().flatten().zip(other.counts.iter().flatten()) {
            *ours += theirs;
        }
        for (ours, theirs) in self.unmatched.iter_mut().zip(&other.unmatched) {
            *ours += theirs;
        }
    }

    /// The weight of all objects.
    pub fn total(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// The weight of the objects whose decision was forecast rightly.
    pub fn right(&self) -> u64 {
        (0..self.counts.len()).map(|class| self.counts[class][class]).sum()
    }

    /// The share of right forecasts; 0 for an empty table.
    pub fn accuracy(&self) -> f64 {
        share(self.right(), self.total()).unwrap_or(0.0)
    }

    /// The share of objects that no rule matched; 0 for an empty table.
    pub fn unmatched_share(&self) -> f64 {
        share(self.unmatched.iter().sum(), self.total()).unwrap_or(0.0)
    }

    /// The figures of the decision `class`.
    ///
    /// # Panics
    /// When there is no such decision.
    pub fn class(&self, class: usize) -> ClassFigures {
        let right = self.counts[class][class];
        let weight = self.counts[class].iter().sum();
        let predicted: u64 = self.counts.iter().map(|row| row[class]).sum();
        ClassFigures {
            weight,
            precision: share(right, predicted),
            recall: share(right, weight),
            f1: share(2 * right, predicted + weight),
            unmatched: share(self.unmatched[class], weight),
        }
    }

    /// The mean recall of the decisions that occur: every decision counts the same, however rare it is.
    pub fn balanced_accuracy(&self) -> f64 {
        mean((0..self.counts.len()).filter_map(|class| self.class(class).recall))
    }

    /// The mean F1 of the decisions that occur or were forecast.
    pub fn macro_f1(&self) -> f64 {
        mean((0..self.counts.len()).filter_map(|class| self.class(class).f1))
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
}
