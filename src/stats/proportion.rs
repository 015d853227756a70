//! The beta distribution, and intervals for a proportion.

use super::{Z95, bisect, normal_cdf};

/// Where both parameters are larger, the distribution is taken as normal, which it is to five digits; the sums of logarithms below lose as many.
const LARGE: f64 = 1e9;

/// The probability that a variable with distribution Beta(`a`, `b`) lies below `x`: the regularised incomplete beta
/// function I_x(a, b), for `a`, `b` > 0 and `x` clamped to [0, 1].
pub fn beta_cdf(x: f64, a: f64, b: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    if x == 0.0 || x == 1.0 {
        return x;
    }
    if a.min(b) > LARGE {
        let mean = a / (a + b);
        return normal_cdf((x - mean) / (mean * (1.0 - mean) / (a + b + 1.0)).sqrt());
    }
    // The fraction converges fast below the mean; above it the mirror image does.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_cdf(1.0 - x, b, a);
    }
    let log_front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    log_front.exp() / (a * beta_fraction(x, a, b))
}

/// The continued fraction of the incomplete beta function (Abramowitz & Stegun 26.5.8), from the far end.
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    let terms = 200 + 4 * (a + b).sqrt() as u32;
    (1..=terms).rev().fold(1.0, |below, term| {
        let m = f64::from(term / 2);
        let coefficient = if term % 2 == 0 {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        1.0 + coefficient / below
    })
}

/// ln Γ(x) for x > 0, by Stirling's series after shifting x above 12.
fn ln_gamma(x: f64) -> f64 {
    let mut shift = 0.0;
    let mut x = x;
    while x < 12.0 {
        shift += x.ln();
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let series = [1.0 / 1188.0, -1.0 / 1680.0, 1.0 / 1260.0, -1.0 / 360.0, 1.0 / 12.0];
    let correction = series.iter().fold(-691.0 / 360_360.0, |sum, c| sum * inverse + c) / x;
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + correction - shift
}

/// Wilson's 95 % interval for the probability behind `successes` out of `trials`; [0, 1] without trials.
pub fn wilson(successes: u64, trials: u64) -> (f64, f64) {
    wilson_score(successes as f64, trials)
}

/// Wilson's 95 % interval for the expected score behind `points`, in [0, `games`], out of `games`; [0, 1] without games.
///
/// With drawn games it is wider than need be: a game of three outcomes varies less than one of two with the same mean.
pub fn wilson_score(points: f64, games: u64) -> (f64, f64) {
    if games == 0 {
        return (0.0, 1.0);
    }
    let n = games as f64;
    let p = points / n;
    let z2 = Z95 * Z95;
    let centre = p + z2 / (2.0 * n);
    let reach = Z95 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    let low = if points <= 0.0 { 0.0 } else { (centre - reach) / scale };
    let high = if points >= n { 1.0 } else { (centre + reach) / scale };
    (low, high)
}

/// Clopper and Pearson's exact 95 % interval for the probability behind `successes` out of `trials`; [0, 1] without
/// trials.
pub fn clopper_pearson(successes: u64, trials: u64) -> (f64, f64) {
    let (k, n) = (successes as f64, trials as f64);
    let low = if successes == 0 { 0.0 } else { beta_quantile(0.025, k, n - k + 1.0) };
    let high = if successes == trials { 1.0 } else { beta_quantile(0.975, k + 1.0, n - k) };
    (low, high)
}

/// The `x` with I_x(a, b) = `p`.
fn beta_quantile(p: f64, a: f64, b: f64) -> f64 {
    bisect((0.0, 1.0), |x| beta_cdf(x, a, b) < p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_abs_diff_eq;

    #[test]
    fn many_results_are_told_from_few() {
        for n in [0.9 * LARGE, 1.1 * LARGE, 1e12, 1e15] {
            for z in [-2.0, 0.0, 1.0, 3.0] {
                let share = beta_cdf(0.5, n, n + z * (2.0 * n).sqrt());
                assert!((share - normal_cdf(z)).abs() < 1e-5, "{share} of {n} and {z}");
            }
        }
        assert_eq!(beta_cdf(0.5, 1e12, 2e12), 1.0);
        assert_eq!(beta_cdf(0.5, 2e12, 1e12), 0.0);
    }

    #[test]
    fn ln_gamma_of_integers_is_ln_of_factorials() {
        let mut log_factorial = 0.0;
        for n in 1..200_u32 {
            assert_abs_diff_eq!(ln_gamma(f64::from(n)), log_factorial, epsilon = 1e-11);
            log_factorial += f64::from(n).ln();
        }
    }

    /// For whole a and b, I_x(a, b) is the chance of at least `a` successes in a + b - 1 trials.
    fn binomial_tail(x: f64, a: u32, b: u32) -> f64 {
        let n = a + b - 1;
        let mut choose = 1.0;
        let mut tail = 0.0;
        for k in 0..=n {
            if k >= a {
                tail += choose * x.powi(k as i32) * (1.0 - x).powi((n - k) as i32);
            }
            choose = choose * f64::from(n - k) / f64::from(k + 1);
        }
        tail
    }

    #[test]
    fn beta_cdf_is_the_binomial_tail() {
        for (a, b) in [(1, 1), (1, 7), (9, 2), (30, 31), (3, 60)] {
            for x in [0.001, 0.2, 0.5, 0.77, 0.999] {
                let fast = beta_cdf(x, f64::from(a), f64::from(b));
                assert_abs_diff_eq!(fast, binomial_tail(x, a, b), epsilon = 1e-12);
            }
        }
    }

    /// Half of a symmetric distribution lies below its middle, of however many games.
    #[test]
    fn many_trials_take_enough_terms() {
        for n in [3e3, 1e5, 1e6] {
            assert_abs_diff_eq!(beta_cdf(0.5, n, n), 0.5, epsilon = 1e-6);
        }
    }

    /// At an end of the interval, as many successes as were seen, or farther out, have a chance of 2.5 %.
    #[test]
    fn ends_of_the_exact_interval_are_tails() {
        for (seen, trials) in [(1, 5), (3, 10), (9, 12)] {
            let (low, high) = clopper_pearson(seen, trials);
            let at_least = |p: f64, least: u64| binomial_tail(p, least as u32, (trials - least + 1) as u32);
            assert_abs_diff_eq!(at_least(low, seen), 0.025, epsilon = 1e-9);
            assert_abs_diff_eq!(1.0 - at_least(high, seen + 1), 0.025, epsilon = 1e-9);
        }
    }

    #[test]
    fn nothing_observed_says_nothing() {
        assert_eq!(wilson(0, 0), (0.0, 1.0));
        assert_eq!(clopper_pearson(0, 0), (0.0, 1.0));
    }

    #[test]
    fn the_interval_of_wilson_is_that_of_its_formula_and_ends_where_shares_end() {
        let (low, high) = wilson(1, 10);
        assert_abs_diff_eq!(low, 0.017_876_213_095, epsilon = 1e-9);
        assert_abs_diff_eq!(high, 0.404_150_026_795, epsilon = 1e-9);
        assert_eq!((wilson(0, 10).0, wilson(10, 10).1), (0.0, 1.0));
        assert_abs_diff_eq!(wilson(0, 10).1, 0.277_532_799_863, epsilon = 1e-9);
        assert_eq!(wilson_score(1.0, 10), wilson(1, 10));
    }
}
