//! Sums over value classes that follow a position from move to move.
//!
//! Both networks begin with a sum over the attributes of one row of weights per attribute, the row chosen by the
//! attribute's value. Between two positions of a search only a few attributes differ, so the sum is corrected instead
//! of recomputed. It is kept in integers: additions and subtractions are then exact, and the value of a position does
//! not depend on the positions that were evaluated before it.

use super::{CodeRows, Coding};

/// Sums of absolute values stay below this many units, which leaves room for corrections in any order.
const LIMIT: f64 = (1u64 << 29) as f64;
const MAX_SHIFT: i32 = 20;

/// The running sums Σ_t row(t, x_t) for the object that was looked at last.
#[derive(Debug, Clone)]
pub struct Accumulator {
    coding: Coding,
    /// Rows of weights in units of `unit`, shape (n_classes, width), row-major.
    rows: Vec<i32>,
    width: usize,
    unit: f32,
    base: Vec<i32>,
    sums: Vec<i32>,
    codes: Vec<u8>,
}

impl Accumulator {
    /// An accumulator over `row_of(class)`, one row of `width` weights for each value class of `coding`, that starts
    /// from the sums `base`.
    #[must_use]
    pub fn new(coding: &Coding, base: &[f32], row_of: impl Fn(usize) -> Vec<f32>) -> Self {
        let weights: Vec<Vec<f32>> = (0..coding.n_classes()).map(row_of).collect();
        let shift = shift_for(largest_sum(coding, &weights, base));
        let scale = 2f64.powi(shift);
        let fixed = |w: &f32| (f64::from(*w) * scale).round() as i32;
        let base: Vec<i32> = base.iter().map(fixed).collect();
        let mut accumulator = Self {
            coding: coding.clone(),
            rows: weights.iter().flatten().map(fixed).collect(),
            width: base.len(),
            unit: scale.recip() as f32,
            sums: base.clone(),
            base,
            codes: Vec::new(),
        };
        accumulator.reset();
        accumulator
    }

    /// Starts over from an object whose codes are all 0.
    fn reset(&mut self) {
        self.codes = vec![0; self.coding.n_attributes()];
        self.sums.copy_from_slice(&self.base);
        for t in 0..self.codes.len() {
            self.add_row(self.coding.class(t, 0), 1);
        }
    }

    #[inline]
    fn add_row(&mut self, class: usize, sign: i32) {
        let row = &self.rows[class * self.width..(class + 1) * self.width];
        self.sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += sign * weight);
    }

    /// Moves to the object with these codes (one an attribute) and writes its sums into `out` (length `width`).
    pub fn move_to(&mut self, codes: &[u8], out: &mut [f32]) {
        for (t, &new) in codes.iter().enumerate() {
            let old = self.codes[t];
            if old != new {
                self.replace(t, old, new);
            }
        }
        self.codes.copy_from_slice(codes);
        out.iter_mut().zip(&self.sums).for_each(|(out, &sum)| *out = sum as f32 * self.unit);
    }

    #[inline]
    fn replace(&mut self, attribute: usize, old: u8, new: u8) {
        let from = self.coding.class(attribute, old) * self.width;
        let to = self.coding.class(attribute, new) * self.width;
        let removed = &self.rows[from..from + self.width];
        let added = &self.rows[to..to + self.width];
        self.sums.iter_mut().zip(removed.iter().zip(added)).for_each(|(sum, (&old, &new))| *sum += new - old);
    }

    /// The sums of one object computed from scratch in floating point, for tests and audits.
    #[must_use]
    pub fn from_scratch(&self, codes: &[u8]) -> Vec<f32> {
        let mut sums: Vec<f64> = self.base.iter().map(|&w| f64::from(w)).collect();
        for codes in CodeRows::new(codes, self.coding.n_attributes()).iter() {
            for (t, &code) in codes.iter().enumerate() {
                let first = self.coding.class(t, code) * self.width;
                let row = &self.rows[first..first + self.width];
                sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += f64::from(weight));
            }
        }
        sums.iter().map(|&sum| sum as f32 * self.unit).collect()
    }
}

/// The largest absolute value that any sum can take.
fn largest_sum(coding: &Coding, weights: &[Vec<f32>], base: &[f32]) -> f64 {
    let bound = |unit: usize| -> f64 {
        let attribute = |t: usize| -> f64 {
            let sizes = (0..coding.n_values(t)).map(|c| f64::from(weights[coding.class(t, c as u8)][unit].abs()));
            sizes.fold(0.0, f64::max)
        };
        f64::from(base[unit].abs()) + (0..coding.n_attributes()).map(attribute).sum::<f64>()
    };
    (0..base.len()).map(bound).fold(0.0, f64::max)
}

/// The binary digits after the point that sums of this size leave room for.
fn shift_for(largest: f64) -> i32 {
    ((LIMIT / largest.max(1e-9)).log2().floor() as i32).clamp(-MAX_SHIFT, MAX_SHIFT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::dense::tests::small_coding;

    fn row(class: usize) -> Vec<f32> {
        vec![class as f32 * 0.37 - 1.0, 100.0 / (1.0 + class as f32)]
    }

    #[test]
    fn following_equals_computing_from_scratch_whatever_came_before() {
        let mut accumulator = Accumulator::new(&small_coding(), &[0.5, -2.0], row);
        let objects = [[0, 1, 2], [2, 0, 3], [2, 0, 0], [0, 1, 2]];
        let mut seen = Vec::new();
        for codes in objects {
            let mut sums = [0.0; 2];
            accumulator.move_to(&codes, &mut sums);
            assert_eq!(sums.to_vec(), accumulator.from_scratch(&codes));
            seen.push(sums);
        }
        assert_eq!(seen[0], seen[3]);
        let exact = 0.5 + row(0)[0] + row(4)[0] + row(7)[0];
        approx::assert_abs_diff_eq!(seen[0][0], exact, epsilon = 1e-4);
    }

    #[test]
    fn large_weights_get_fewer_digits_instead_of_overflowing() {
        let mut accumulator = Accumulator::new(&small_coding(), &[0.0], |class| vec![1e8 * (class as f32 + 1.0)]);
        let mut sums = [0.0];
        accumulator.move_to(&[2, 1, 3], &mut sums);
        approx::assert_relative_eq!(sums[0], 1e8 * (3.0 + 5.0 + 9.0), max_relative = 1e-3);
    }
}
