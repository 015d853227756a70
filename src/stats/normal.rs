//! The normal distribution. Own code, since results state these numbers to the last bit.

use super::bisect;

/// The quantile of the standard normal distribution at 0.975: half the width, in standard errors, of a 95 % interval.
pub const Z95: f64 = 1.959_963_984_540_054_3;

/// Where the series hands over to the continued fraction.
const SERIES_UNTIL: f64 = 3.0;

/// Φ(x): the probability that a standard normal variable lies below `x`; absolute error below 1e-15.
///
/// Φ(x) = 1/2 + φ(x)·(x + x³/3 + x⁵/(3·5) + …) near zero; Mills' ratio as a continued fraction in the tails.
pub fn normal_cdf(x: f64) -> f64 {
    if x.is_nan() {
        return f64::NAN;
    }
    if x.abs() < SERIES_UNTIL {
        return 0.5 + density(x) * odd_series(x);
    }
    // |x| + 1/(|x| + 2/(|x| + 3/(|x| + …))), evaluated from the far end.
    let denominator = (1..=120).rev().fold(x.abs(), |below, k| x.abs() + f64::from(k) / below);
    let tail = density(x) / denominator;
    if x > 0.0 { 1.0 - tail } else { tail }
}

/// The x with Φ(x) = `probability`: infinite at 0 and 1, NaN outside.
pub fn normal_quantile(probability: f64) -> f64 {
    if !(0.0..=1.0).contains(&probability) {
        return f64::NAN;
    }
    if probability == 0.0 {
        return f64::NEG_INFINITY;
    }
    if probability > 0.5 {
        return -normal_quantile(1.0 - probability);
    }
    // Φ falls to 0 before -40.
    bisect((-40.0, 0.0), |x| normal_cdf(x) < probability)
}

fn density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt()
}

fn odd_series(x: f64) -> f64 {
    let (mut sum, mut term, mut odd) = (x, x, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    /// Simpson's rule on the density, from 0.
    fn reference(x: f64) -> f64 {
        let steps = 20_000;
        let h = x / f64::from(steps);
        let weight = |i: i32| if i == 0 || i == steps { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
        0.5 + (0..=steps).map(|i| weight(i) * density(h * f64::from(i))).sum::<f64>() * h / 3.0
    }

    #[test]
    fn agrees_with_numerical_integration() {
        for x in [-6.0, -3.01, -2.99, -1.0, -1e-9, 0.0, 0.3, 1.5, 2.999, 3.0, 4.5] {
            assert_abs_diff_eq!(normal_cdf(x), reference(x), epsilon = 1e-13);
        }
    }

    #[test]
    fn the_quantile_is_the_quantile() {
        assert_abs_diff_eq!(normal_cdf(Z95), 0.975, epsilon = 1e-15);
        assert_abs_diff_eq!(normal_quantile(0.975), Z95, epsilon = 1e-14);
        for probability in [1e-9, 0.05, 0.5, 0.8, 0.999] {
            assert_abs_diff_eq!(normal_cdf(normal_quantile(probability)), probability, epsilon = 1e-15);
        }
        assert_eq!([0.0, 1.0].map(normal_quantile), [f64::NEG_INFINITY, f64::INFINITY]);
        assert!(normal_quantile(1.1).is_nan());
    }

    #[test]
    fn infinite_arguments_are_certain() {
        assert_eq!((normal_cdf(f64::NEG_INFINITY), normal_cdf(f64::INFINITY)), (0.0, 1.0));
    }
}
