//! What is usual among the known values of an attribute: the most frequent one, the mean, the median.

use crate::table::{Attribute, Value};

/// A statistic of the known values of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Statistic {
    Frequent,
    Mean,
    Median,
}

impl Statistic {
    /// The statistic of ascending values with these weights; missing if none of them is known and counts. A mean of whole numbers
    /// `rounds` if they are to stay so.
    pub fn of<'v>(self, weighed: impl Iterator<Item = (&'v Value, u64)>, rounds: bool) -> Value {
        let is_known = |(value, weight): &(&Value, u64)| **value != Value::Missing && *weight > 0;
        let known: Vec<(&Value, u64)> = weighed.filter(is_known).collect();
        let are_numbers = !known.is_empty() && known.iter().all(|(value, _)| value.as_real().is_some());
        match self {
            Self::Mean if are_numbers => mean(&known, rounds),
            Self::Median if are_numbers => match middle(&known) {
                (low, high) if low == high => known[low].0.clone(),
                (low, high) => mean(&[(known[low].0, 1), (known[high].0, 1)], rounds),
            },
            _ => {
                let most = known.into_iter().reduce(|best, other| if other.1 > best.1 { other } else { best });
                most.map_or(Value::Missing, |(value, _)| value.clone())
            }
        }
    }
}

/// Whether whole numbers of an attribute are so large that they may be no real ones: a mean that made them real would change them.
pub(super) fn is_beyond_reals(attribute: &Attribute) -> bool {
    let mut numbers = attribute.domain().iter().filter_map(Value::as_integer);
    numbers.any(|number| number.unsigned_abs() >= 1 << f64::MANTISSA_DIGITS)
}

/// The mean of ascending numbers with weights; missing if infinite ones of both signs are among them.
fn mean(numbers: &[(&Value, u64)], rounds: bool) -> Value {
    if let Some(mean) = whole_mean(numbers, rounds) {
        return Value::Integer(mean);
    }
    let is_whole = numbers.iter().all(|(value, _)| value.as_integer().is_some());
    let numbers: Vec<(f64, u64)> =
        numbers.iter().filter_map(|(value, weight)| Some((value.as_real()?, *weight))).collect();
    match real_mean(&numbers) {
        mean if mean.is_nan() => Value::Missing,
        mean if is_whole && mean.fract() == 0.0 => Value::Integer(mean as i64),
        mean => Value::Real(mean + 0.0),
    }
}

/// The mean of whole numbers with weights where it is one too, or if it `rounds`.
fn whole_mean(numbers: &[(&Value, u64)], rounds: bool) -> Option<i64> {
    let (mut sum, mut total) = (0_i128, 0_i128);
    for (value, weight) in numbers {
        let weight = i128::from(*weight);
        (sum, total) = (sum + i128::from(value.as_integer()?) * weight, total + weight);
    }
    let (below, rest) = (sum.div_euclid(total), sum.rem_euclid(total));
    let nearest = below + i128::from(2 * rest >= total);
    i64::try_from(nearest).ok().filter(|_| rest == 0 || rounds)
}

/// The mean of ascending numbers with weights.
fn real_mean(numbers: &[(f64, u64)]) -> f64 {
    let total = numbers.iter().map(|(_, weight)| weight).sum::<u64>() as f64;
    let mean = numbers.iter().map(|&(number, weight)| number * weight as f64).sum::<f64>() / total;
    // The sum of large numbers may be too large for a number where their mean is not.
    let by_shares = || numbers.iter().map(|&(number, weight)| number * (weight as f64 / total)).sum();
    let mean = if mean.is_finite() { mean } else { by_shares() };
    // Rounding may take the mean of equal numbers beyond them.
    mean.clamp(numbers[0].0, numbers[numbers.len() - 1].0)
}

/// The places of the middle of ascending numbers with weights: of an odd number of objects the same place twice.
fn middle(numbers: &[(&Value, u64)]) -> (usize, usize) {
    let total: u64 = numbers.iter().map(|(_, weight)| weight).sum();
    let at = |object: u64| {
        let mut seen = 0;
        let is_there = |(_, weight): &(&Value, u64)| {
            seen += weight;
            seen > object
        };
        numbers.iter().position(is_there).unwrap_or_default()
    };
    (at((total - 1) / 2), at(total / 2))
}
