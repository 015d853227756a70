//! Mean and variance of a stream of numbers.

/// Mean and variance, gathered one value at a time (Welford 1962) so that large offsets cost no precision.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Moments {
    count: u64,
    mean: f64,
    /// Sum of the squared distances from the mean.
    squares: f64,
}

impl Moments {
    /// Takes in one more value.
    pub fn push(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    /// How many values were taken in.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The mean; `None` without values.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// The unbiased sample variance (divisor n - 1); `None` below two values.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares / (self.count - 1) as f64)
    }

    /// The standard error of the mean; `None` below two values.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        self.variance().map(|variance| (variance / self.count as f64).sqrt())
    }
}

impl Extend<f64> for Moments {
    fn extend<T: IntoIterator<Item = f64>>(&mut self, values: T) {
        values.into_iter().for_each(|value| self.push(value));
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<T: IntoIterator<Item = f64>>(values: T) -> Self {
        let mut moments = Self::default();
        moments.extend(values);
        moments
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agree_with_two_passes(values in proptest::collection::vec(-1e3..1e3_f64, 2..50)) {
            let moments: Moments = values.iter().copied().collect();
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n;
            let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
            assert_relative_eq!(moments.mean().unwrap(), mean, epsilon = 1e-9);
            assert_relative_eq!(moments.variance().unwrap(), variance, epsilon = 1e-6);
        }
    }

    #[test]
    fn too_few_values_have_no_moments() {
        let mut moments = Moments::default();
        assert_eq!((moments.mean(), moments.variance()), (None, None));
        moments.push(3.0);
        assert_eq!((moments.mean(), moments.standard_error()), (Some(3.0), None));
    }
}
