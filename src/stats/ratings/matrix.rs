//! Small dense matrices.

/// A square matrix, row by row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    pub fn zero(size: usize) -> Self {
        Self { size, entries: vec![0.0; size * size] }
    }

    pub const fn size(&self) -> usize {
        self.size
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.size + column]
    }

    pub(crate) fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.entries[row * self.size + column]
    }

    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let row = |row: usize| (0..self.size).map(|column| self.at(row, column) * vector[column]).sum();
        (0..self.size).map(row).collect()
    }

    /// The pseudo-inverse of a symmetric positive semidefinite matrix whose null space is the vectors of equal entries: the
    /// Laplacian of a connected graph. With c in every entry added, it is the inverse less 1/(c·size²).
    pub(crate) fn pseudo_inverse(mut self) -> Self {
        let size = self.size as f64;
        let trace: f64 = (0..self.size).map(|i| self.at(i, i)).sum();
        if trace <= 0.0 {
            return Self::zero(self.size);
        }
        let shift = trace / (size * size);
        self.entries.iter_mut().for_each(|entry| *entry += shift);
        let mut inverse = self.inverse();
        inverse.entries.iter_mut().for_each(|entry| *entry -= 1.0 / (shift * size * size));
        inverse
    }

    /// The inverse of a positive definite matrix, by Gauss and Jordan, which needs no pivots there.
    fn inverse(mut self) -> Self {
        let size = self.size;
        for pivot in 0..size {
            let scale = 1.0 / self.at(pivot, pivot);
            *self.at_mut(pivot, pivot) = 1.0;
            (0..size).for_each(|column| *self.at_mut(pivot, column) *= scale);
            for row in (0..size).filter(|&row| row != pivot) {
                let factor = std::mem::take(self.at_mut(row, pivot));
                for column in 0..size {
                    *self.at_mut(row, column) -= factor * self.at(pivot, column);
                }
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    #[test]
    fn the_pseudo_inverse_solves_what_can_be_solved() {
        let mut laplacian = Matrix::zero(4);
        for (i, j, weight) in [(0, 1, 2.0), (1, 2, 0.5), (2, 3, 7.0), (0, 3, 1e-3)] {
            *laplacian.at_mut(i, i) += weight;
            *laplacian.at_mut(j, j) += weight;
            *laplacian.at_mut(i, j) -= weight;
            *laplacian.at_mut(j, i) -= weight;
        }
        let wanted = [3.0, -1.0, -4.0, 2.0];
        let solution = laplacian.clone().pseudo_inverse().times(&laplacian.times(&wanted));
        for (found, wanted) in solution.iter().zip(wanted) {
            assert_abs_diff_eq!(*found, wanted, epsilon = 1e-10);
        }
        assert_eq!(Matrix::zero(1).pseudo_inverse(), Matrix::zero(1));
    }
}
