//! The upper tail of the hypergeometric distribution.

/// ln(n!) is summed below this and given by Stirling's series from here on.
const SMALL: u64 = 32;

/// P(X >= k) when `drawn` of `total` things are drawn without replacement and `special` of all are special: the chance
/// of at least `k` special ones. In [0, 1]; 1 for k = 0.
pub(super) fn upper_tail(k: u64, drawn: u64, special: u64, total: u64) -> f64 {
    let most = drawn.min(special);
    let least = (drawn + special).saturating_sub(total);
    if k <= least || k > most {
        return if k <= least { 1.0 } else { 0.0 };
    }
    let mut term = (ln_choose(special, k) + ln_choose(total - special, drawn - k) - ln_choose(total, drawn)).exp();
    let mut sum = term;
    for k in k..most {
        let up = (special - k) as f64 * (drawn - k) as f64;
        let down = (k + 1) as f64 * (total + k + 1 - special - drawn) as f64;
        term *= up / down;
        sum += term;
        // Terms rise to the mode and fall ever faster after it.
        if up < down && term < sum * f64::EPSILON / 16.0 {
            break;
        }
    }
    // Where the first term is too small to be written, the mode is above it, so that nearly all chance is in the tail.
    if sum == 0.0 && (k as f64) < drawn as f64 * special as f64 / total as f64 { 1.0 } else { sum.min(1.0) }
}

fn ln_choose(n: u64, k: u64) -> f64 {
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

fn ln_factorial(n: u64) -> f64 {
    if n < SMALL {
        return (2..=n).map(|i| i as f64).product::<f64>().ln();
    }
    let x = n as f64;
    let square = x * x;
    let correction = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * square)) / square) / x;
    x.mul_add(x.ln(), -x) + 0.5 * (std::f64::consts::TAU * x).ln() + correction
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(n: u64, k: u64) -> f64 {
        if k > n { 0.0 } else { (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product() }
    }

    /// The sum of the definition.
    fn reference(k: u64, drawn: u64, special: u64, total: u64) -> f64 {
        let ways = |k: u64| choose(special, k) * choose(total - special, drawn - k);
        (k..=drawn.min(special)).map(ways).sum::<f64>() / choose(total, drawn)
    }

    #[test]
    fn tails_equal_their_definition() {
        for (total, special, drawn) in [(24, 5, 6), (24, 15, 12), (60, 30, 20), (40, 40, 7), (10, 0, 3)] {
            for k in 0..=drawn {
                let (found, expected) = (upper_tail(k, drawn, special, total), reference(k, drawn, special, total));
                assert!((found - expected).abs() < 1e-12, "{k} of {drawn}, {special} of {total}: {found} {expected}");
            }
        }
    }

    /// Fisher's tea: all four cups right.
    #[test]
    fn the_lady_tasting_tea() {
        assert!((upper_tail(4, 4, 4, 8) - 1.0 / 70.0).abs() < 1e-15);
    }

    #[test]
    fn large_tables_do_not_overflow() {
        assert!(upper_tail(1, 500_000, 500_000, 1_000_000) > 0.999);
        assert_eq!(upper_tail(500_000, 500_000, 500_000, 1_000_000), 0.0);
        let middle = upper_tail(250_000, 500_000, 500_000, 1_000_000);
        assert!((0.5..0.51).contains(&middle), "{middle}");
    }

    #[test]
    fn factorials_agree_on_both_sides_of_the_border() {
        let summed: f64 = (2..=40).map(|i| f64::from(i).ln()).sum();
        assert!((ln_factorial(40) - summed).abs() < 1e-10);
    }
}
