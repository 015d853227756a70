//! The upper tail of the hypergeometric distribution.

/// What the highest chance is counted as, so that those that are far lower are numbers too.
const PEAK: f64 = 1e270;

/// P(X >= k) when `drawn` of `total` things are drawn without replacement and `special` of all are special: the chance
/// of at least `k` special ones. In [0, 1]; 1 for k = 0, and 0 where it is too small for a number.
///
/// Chances fall on both sides of the most likely number. From there on they are summed up as multiples of the highest one, as
/// far as they change a sum: time grows with the standard deviation.
pub(super) fn upper_tail(k: u64, drawn: u64, special: u64, total: u64) -> f64 {
    let most = drawn.min(special);
    let least = (drawn + special).saturating_sub(total);
    if k <= least || k > most {
        return if k <= least { 1.0 } else { 0.0 };
    }
    let [of_drawn, of_special, of_total] = [drawn + 1, special + 1, total + 2].map(u128::from);
    let mode = (of_drawn * of_special / of_total) as u64;
    if k > mode && is_next_to_impossible(k, drawn, special, total) {
        return 0.0;
    }
    // How much more likely one more than `k` is.
    let ratio = |k: u64| {
        let up = (special - k) as f64 * (drawn - k) as f64;
        up / ((k + 1) as f64 * (total + k + 1 - special - drawn) as f64)
    };
    let above = || chances((mode..most).map(ratio));
    let below = || chances((least..mode).rev().map(move |k| ratio(k).recip()));
    let from_mode = sum(PEAK, above());
    let whole = from_mode + sum(0.0, below());
    let tail = if k > mode {
        sum(0.0, above().skip((k - mode - 1) as usize))
    } else {
        from_mode + sum(0.0, below().take((mode - k) as usize))
    };
    tail / whole
}

/// Whether the chance of `k` or more, which are above the most likely number, is too small for a number: by the bound of V. Chvátal, *The
/// tail of the hypergeometric distribution*, 1979, it is at most e^(-drawn · D), D the divergence of the shares.
fn is_next_to_impossible(k: u64, drawn: u64, special: u64, total: u64) -> bool {
    let (found, expected) = (k as f64 / drawn as f64, special as f64 / total as f64);
    let part = |a: f64, b: f64| if a > 0.0 { a * (a / b).ln() } else { 0.0 };
    drawn as f64 * (part(found, expected) + part(1.0 - found, 1.0 - expected)) > 750.0
}

/// The chances on one side of the most likely number, each a multiple of the one before it, until they are too small even as
/// that: below the normal numbers products would be rounded up again and never come to nothing.
fn chances(ratios: impl Iterator<Item = f64>) -> impl Iterator<Item = f64> {
    ratios.scan(PEAK, |chance, ratio| {
        *chance *= ratio;
        (*chance >= f64::MIN_POSITIVE).then_some(*chance)
    })
}

/// `start` and falling numbers, but for those that are too small to change the sum.
fn sum(start: f64, falling: impl Iterator<Item = f64>) -> f64 {
    let mut sum = start;
    for number in falling {
        sum += number;
        if number < sum * f64::EPSILON / 16.0 {
            break;
        }
    }
    sum
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
        for (total, special, drawn) in [(24, 5, 6), (24, 15, 12), (60, 30, 20), (40, 40, 7), (10, 0, 3), (10, 9, 9)] {
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

    /// Rows that weigh 4·10⁹ each: a rule of half of them without any bearing on the decision, and one with some.
    #[test]
    fn large_weights_cost_their_root() {
        let weight: u64 = 4_000_000_000;
        let tail = |more: u64| upper_tail(weight + more, 2 * weight, 2 * weight, 4 * weight);
        // The highest chance is 1 / (σ √(2π)), of which half is beyond one half; σ is √(weight / 4) = 31,623.
        let highest = 1.0 / (std::f64::consts::TAU * weight as f64 / 4.0).sqrt();
        assert!((tail(0) - 0.5 - highest / 2.0).abs() < 1e-9, "{}", tail(0));
        assert!((tail(0) + tail(1) - 1.0).abs() < 1e-9);
        assert!((tail(31_623) - 0.158_65).abs() < 1e-4, "one standard deviation: {}", tail(31_623));
        assert!(upper_tail(weight / 4, weight / 2, weight, 4 * weight) < 1e-300);
        // A sure rule: its chance is beyond all that is added up.
        assert_eq!(upper_tail(weight, weight + 1, weight + 1, 2 * weight + 2), 0.0);
    }

    /// 1 / (2n over n) for n of n: the last is below the least number that has all digits.
    #[test]
    fn small_chances_have_their_digits() {
        for n in [8, 500, 514] {
            let (found, expected) = (upper_tail(n, n, n, 2 * n), 1.0 / choose(2 * n, n));
            assert!((found / expected - 1.0).abs() < 1e-12, "{n}: {found} {expected}");
        }
        assert!(upper_tail(514, 514, 514, 1028) < f64::MIN_POSITIVE);
    }

    /// D is ln 2 where all are special instead of one half, and 0.1308 where it is three quarters.
    #[test]
    fn the_divergence_of_the_shares_tells_what_is_next_to_impossible() {
        assert!(is_next_to_impossible(1_090, 1_090, 1_090, 2_180), "755.5");
        assert!(!is_next_to_impossible(1_080, 1_080, 1_080, 2_160), "748.6");
        assert!(is_next_to_impossible(4_320, 5_760, 5_760, 11_520), "753.5");
        assert!(!is_next_to_impossible(4_290, 5_720, 5_720, 11_440), "748.3");
    }

    /// Of every table of up to seven things.
    #[test]
    fn tails_of_the_smallest_tables_equal_their_definition() {
        for total in 1..=7 {
            let tables = (0..=total).flat_map(|special| (0..=total).map(move |drawn| (special, drawn)));
            for (special, drawn) in tables {
                for k in 0..=drawn {
                    let (found, expected) = (upper_tail(k, drawn, special, total), reference(k, drawn, special, total));
                    assert!(
                        (found - expected).abs() < 1e-12,
                        "{k} of {drawn}, {special} of {total}: {found} {expected}"
                    );
                }
                assert_eq!(upper_tail(drawn + 1, drawn, special, total), 0.0);
            }
        }
    }

    /// From a sixteenth of the last digit down a number, and those after it, are left out.
    #[test]
    fn a_sum_ends_where_numbers_change_it_no_more() {
        for (share, expected) in [(4.0, 2.0), (16.0, 2.0), (32.0, 1.0)] {
            assert_eq!(sum(1.0, [f64::EPSILON / share, 1.0].into_iter()), expected, "1 / {share}");
        }
        assert_eq!(sum(0.5, [].into_iter()), 0.5);
    }
}
