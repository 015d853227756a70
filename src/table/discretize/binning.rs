//! Bins of equal width and of equal frequency.

use super::scale::{Scale, shortened};

/// How far a cut may lie from its place, as a share of the width of a bin, so that it has fewer digits.
const SLACK: f64 = 1e-9;

/// The cuts at equal distances between the first and the last point.
pub(crate) fn equal_width(scale: &Scale, bins: u16) -> Vec<f64> {
    let (Some(&low), Some(&high)) = (scale.points().first(), scale.points().last()) else { return Vec::new() };
    let n_bins = f64::from(bins.max(1));
    let span = high - low;
    // A span beyond the largest number is divided before it is taken.
    let width = if span.is_finite() { span / n_bins } else { high / n_bins - low / n_bins };
    let cut = |bin: u16| {
        let share = f64::from(bin) / n_bins;
        if span.is_finite() { low + f64::from(bin) * width } else { low * (1.0 - share) + high * share }
    };
    let mut cuts: Vec<f64> = (1..bins).map(|bin| shortened(cut(bin), SLACK * width)).collect();
    // Where a bin is narrower than the grid of floating-point numbers, cuts coincide or leave the range.
    cuts.retain(|cut| (low..high).contains(cut));
    cuts.dedup();
    cuts
}

/// The points after which to cut, given the weight at each point: for each of 1/bins, 2/bins, … the boundary whose
/// weight below comes nearest, of two the lower.
pub fn equal_frequency(weights: &[u64], bins: u16) -> Vec<usize> {
    let total: u128 = weights.iter().copied().map(u128::from).sum();
    let n_boundaries = weights.len().saturating_sub(1);
    let below: Vec<u128> = weights[..n_boundaries]
        .iter()
        .scan(0, |sum, &weight| {
            *sum += u128::from(weight);
            Some(*sum)
        })
        .collect();
    let nearest = |bin: u16| {
        // Distances are multiplied by the number of bins, so that they stay whole.
        let wanted = total * u128::from(bin);
        let distance = |at: usize| (below[at] * u128::from(bins)).abs_diff(wanted);
        let after = below.partition_point(|&sum| sum * u128::from(bins) < wanted);
        [after.checked_sub(1), Some(after)]
            .into_iter()
            .flatten()
            .filter(|&at| at < n_boundaries)
            .min_by_key(|&at| distance(at))
    };
    let mut boundaries: Vec<usize> = (1..bins).filter_map(nearest).collect();
    boundaries.dedup();
    boundaries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Attribute, Value};

    fn scale(numbers: &[i64]) -> Scale {
        Scale::of(&Attribute::from_integers("x", numbers.iter().copied())).unwrap()
    }

    #[test]
    fn bins_of_equal_width() {
        assert_eq!(equal_width(&scale(&[64, 65, 68, 69, 70, 71, 72, 75, 80, 81, 83, 85]), 3), [71.0, 78.0]);
        assert_eq!(equal_width(&scale(&[0, 1]), 10), [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
        assert!(equal_width(&scale(&[7, 7]), 3).is_empty());
        assert!(equal_width(&scale(&[1, 2]), 1).is_empty() && equal_width(&scale(&[1, 2]), 0).is_empty());
    }

    #[test]
    fn bins_of_equal_width_stay_in_range_where_numbers_are_dense_or_huge() {
        let real =
            |low: f64, high: f64| Scale::of(&Attribute::from_values("x", &[low, high].map(Value::Real))).unwrap();
        let dense = equal_width(&real(1.0, 1.0_f64.next_up().next_up()), 100);
        assert_eq!(dense, [1.0, 1.0_f64.next_up()]);
        assert_eq!(equal_width(&real(f64::MIN, f64::MAX), 2), [0.0]);
        let thirds = equal_width(&real(-1.7e308, 1.7e308), 3);
        assert!(thirds.len() == 2 && thirds[0] < 0.0 && (thirds[0] + thirds[1]).abs() < 1e299, "{thirds:?}");
    }

    #[test]
    fn bins_of_equal_frequency() {
        // 4 8 9 15 | 21 21 24 25 | 26 28 29 34
        let weights = [1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1];
        assert_eq!(equal_frequency(&weights, 3), [3, 6]);
        assert_eq!(equal_frequency(&[9, 1, 1], 4), [0]);
        assert_eq!(equal_frequency(&[1, 1], 2), [0]);
        assert!(equal_frequency(&[5], 3).is_empty() && equal_frequency(&[], 3).is_empty());
    }
}
