//! What a network may be fitted to.

use ndarray::ArrayView1;

use super::{FitNetworkError, Result};

/// A kind of target: `f32` and `f64` are results in [-1, 1], `usize` is a label.
pub trait Target: Copy + Default + Send + Sync + 'static {
    /// What leads from outputs back to targets.
    type Scale: Clone + PartialEq + std::fmt::Debug + Send + Sync;

    /// The scale of these targets.
    ///
    /// # Errors
    /// When there are labels, but no two that differ.
    fn scale(targets: ArrayView1<'_, Self>) -> Result<Self::Scale>;

    /// The output in [-1, 1] that stands for the target in row `row` (from 1).
    ///
    /// # Errors
    /// When the target is outside [-1, 1], or a label that `scale` does not know.
    fn output(self, scale: &Self::Scale, row: usize) -> Result<f32>;

    /// The target that an output in [-1, 1] stands for.
    fn from_output(y: f32, scale: &Self::Scale) -> Self;
}

macro_rules! result {
    ($float:ty) => {
        impl Target for $float {
            type Scale = ();

            fn scale(_targets: ArrayView1<'_, Self>) -> Result<()> {
                Ok(())
            }

            fn output(self, _scale: &(), row: usize) -> Result<f32> {
                let is_result = (-1.0..=1.0).contains(&self);
                is_result.then_some(self as f32).ok_or(FitNetworkError::Target { row, found: self.into() })
            }

            fn from_output(y: f32, _scale: &()) -> Self {
                y.into()
            }
        }
    };
}

result!(f32);
result!(f64);

impl Target for usize {
    /// The labels, ascending.
    type Scale = Vec<usize>;

    fn scale(targets: ArrayView1<'_, Self>) -> Result<Vec<usize>> {
        let mut labels = targets.to_vec();
        labels.sort_unstable();
        labels.dedup();
        if labels.len() < 2 { Err(FitNetworkError::Labels(labels.len())) } else { Ok(labels) }
    }

    fn output(self, labels: &Vec<usize>, row: usize) -> Result<f32> {
        let place = labels.binary_search(&self).map_err(|_| FitNetworkError::UnknownLabel { row, label: self })?;
        Ok(2.0 * place as f32 / (labels.len() - 1) as f32 - 1.0)
    }

    fn from_output(y: f32, labels: &Vec<usize>) -> Self {
        let last = labels.len() - 1;
        let place = ((y + 1.0) / 2.0 * last as f32).round() as usize;
        labels[place.min(last)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn labels_stand_evenly_and_the_nearest_is_predicted() {
        let labels = usize::scale(array![9, 4, 9, 7].view()).unwrap();
        let outputs: Vec<f32> = [4, 7, 9].iter().map(|label| label.output(&labels, 1).unwrap()).collect();
        assert_eq!(outputs, [-1.0, 0.0, 1.0]);
        for (y, label) in [(-1.0, 4), (-0.51, 4), (-0.49, 7), (0.49, 7), (0.51, 9), (1.0, 9), (f32::NAN, 4)] {
            assert_eq!(usize::from_output(y, &labels), label, "{y}");
        }
        assert_eq!(5.output(&labels, 3).unwrap_err().to_string(), "label 5 of target 3 was not in the first batch");
        assert!(usize::scale(array![4, 4].view()).is_err());
    }

    #[test]
    fn results_must_be_results() {
        assert_eq!(1.5.output(&(), 2).unwrap_err().to_string(), "target 2 must be in [-1, 1], found 1.5");
        assert!(f32::NAN.output(&(), 1).is_err());
    }
}
