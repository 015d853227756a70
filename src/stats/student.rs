//! Student's t distribution. Own code, since results state these numbers to the last bit.

use super::{beta_cdf, bisect};

/// The quantile at 0.975 of Student's t distribution with `freedom` degrees of freedom: half the width, in standard
/// errors, of a 95 % interval. Infinite without any freedom.
pub fn t95(freedom: u64) -> f64 {
    if freedom == 0 {
        return f64::INFINITY;
    }
    // P(|T| > t) falls from 1 to 0; it is below 0.05 at 12.8 for one degree of freedom, and earlier for more.
    let freedom = freedom as f64;
    bisect((0.0, 16.0), |t| beta_cdf(freedom / (freedom + t * t), 0.5 * freedom, 0.5) > 0.05)
}

#[cfg(test)]
mod tests {
    use super::super::Z95;
    use super::*;
    use approx::assert_abs_diff_eq;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, quantile) in [(1, 12.706_205), (2, 4.302_653), (9, 2.262_157), (30, 2.042_272), (99, 1.984_217)] {
            assert_abs_diff_eq!(t95(freedom), quantile, epsilon = 1e-6);
        }
        assert_eq!(t95(0), f64::INFINITY);
        assert_abs_diff_eq!(t95(1_000_000), Z95, epsilon = 1e-5);
    }
}
