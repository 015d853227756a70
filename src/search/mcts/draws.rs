//! Random numbers of the distributions that the search needs, from basic arithmetic only, so that they are the same on every
//! machine.

use rand::RngExt;

use crate::net::math;
use crate::random::Stream;

/// The natural logarithm of a positive, normal number, absolute error below 1e-12.
pub(super) fn ln(x: f64) -> f64 {
    const SQRT_2: f64 = std::f64::consts::SQRT_2;
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    if mantissa > SQRT_2 {
        mantissa /= 2.0;
        exponent += 1;
    }
    // ln m = 2 artanh((m - 1) / (m + 1)), whose series converges fast next to 1.
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let series = (0..9).rev().fold(0.0, |sum, k| sum * square + 1.0 / f64::from(2 * k + 1));
    exponent as f64 * std::f64::consts::LN_2 + 2.0 * ratio * series
}

/// x to the power `exponent`, for x in (0, 1] and a positive exponent: relative error below 1e-5, and never below e^-40.
pub(super) fn power(x: f64, exponent: f64) -> f64 {
    f64::from(math::exp((ln(x) * exponent).max(f64::from(-math::EXP_LIMIT)) as f32))
}

/// Evenly from (0, 1).
fn uniform(stream: &mut Stream) -> f64 {
    (stream.random::<f64>() + f64::EPSILON / 4.0).min(1.0 - f64::EPSILON)
}

/// From the standard normal distribution: Marsaglia's polar method.
fn normal(stream: &mut Stream) -> f64 {
    loop {
        let [x, y] = [(); 2].map(|()| 2.0 * stream.random::<f64>() - 1.0);
        let square = x * x + y * y;
        if square > 1e-12 && square < 1.0 {
            return x * (-2.0 * ln(square) / square).sqrt();
        }
    }
}

/// From the gamma distribution of shape `alpha` and scale 1 (Marsaglia and Tsang 2000). Below shape 1 it is that of shape
/// α + 1 times u^(1/α). Not that of `rand_distr`, whose draws would make other games of the same seed.
pub(super) fn gamma(alpha: f64, stream: &mut Stream) -> f64 {
    if alpha < 1.0 {
        let scale = power(uniform(stream), 1.0 / alpha);
        return gamma(alpha + 1.0, stream) * scale;
    }
    let d = alpha - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(stream);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && ln(uniform(stream)) < 0.5 * x * x + d - d * v + d * ln(v) {
            return d * v;
        }
    }
}

/// Replaces `out` by `n` numbers from the symmetric Dirichlet distribution of concentration `alpha`: they are in [0, 1] and sum
/// to 1.
pub(crate) fn dirichlet(n: usize, alpha: f64, stream: &mut Stream, out: &mut Vec<f32>) {
    out.clear();
    out.extend((0..n).map(|_| gamma(alpha, stream) as f32));
    let sum: f32 = out.iter().sum();
    let share = |draw: f32| if sum > 0.0 { draw / sum } else { 1.0 / n as f32 };
    out.iter_mut().for_each(|draw| *draw = share(*draw));
}

/// From the standard Gumbel distribution.
pub(super) fn gumbel(stream: &mut Stream) -> f64 {
    -ln(-ln(uniform(stream)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;

    #[test]
    fn logarithm_and_power_agree_with_the_platform() {
        for i in 1..20_000 {
            let x = f64::from(i) * 1e-3;
            assert!((ln(x) - x.ln()).abs() < 1e-12, "ln({x}) = {}", ln(x));
        }
        assert!((ln(1e-300) - 1e-300f64.ln()).abs() < 1e-9);
        assert!((power(0.5, 10.0) - 0.5f64.powi(10)).abs() < 1e-8);
    }

    #[test]
    fn moments_are_those_of_the_distributions() {
        let mut stream = random::stream(1, "draws", 0);
        let n = 40_000;
        for alpha in [0.1, 0.3, 1.0, 2.5, 20.0] {
            let draws: Vec<f64> = (0..n).map(|_| gamma(alpha, &mut stream)).collect();
            let mean = draws.iter().sum::<f64>() / f64::from(n);
            let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(n);
            // The standard error of the mean is √(α/n); the variance of a gamma variable is its shape.
            assert!((mean - alpha).abs() < 5.0 * (alpha / f64::from(n)).sqrt(), "{alpha}: mean {mean}");
            assert!((variance / alpha - 1.0).abs() < 0.15, "{alpha}: variance {variance}");
        }
        let mean = (0..n).map(|_| gumbel(&mut stream)).sum::<f64>() / f64::from(n);
        assert!((mean - 0.577_215_7).abs() < 0.03, "{mean}");
    }

    #[test]
    fn dirichlet_numbers_sum_to_one() {
        let mut stream = random::stream(2, "draws", 0);
        let mut out = Vec::new();
        for n in 1..200 {
            for alpha in [0.01, 0.3, 10.0] {
                dirichlet(n, alpha, &mut stream, &mut out);
                assert_eq!(out.len(), n);
                assert!((out.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{n} numbers of {alpha}: {out:?}");
                assert!(out.iter().all(|share| (0.0..=1.0).contains(share)));
            }
        }
    }

    #[test]
    fn even_numbers_are_those_of_the_stream_moved_off_zero_by_its_last_bit_at_most() {
        let [mut stream, mut plain] = [(); 2].map(|()| random::stream(4, "draws", 0));
        for _ in 0..1000 {
            let (x, drawn) = (uniform(&mut stream), plain.random::<f64>());
            assert!(x > 0.0 && x < 1.0 && (x - drawn).abs() <= f64::EPSILON / 2.0, "{x} of {drawn}");
        }
    }

    #[test]
    fn powers_are_held_where_they_would_vanish() {
        for (x, exponent, expected) in [(0.25, 1.5, 0.125), (0.5, 0.5, 0.5_f64.sqrt()), (1.0, 9.0, 1.0)] {
            approx::assert_relative_eq!(power(x, exponent), expected, max_relative = 1e-5);
        }
        approx::assert_relative_eq!(power(1e-30, 5.0), (-40.0_f64).exp(), epsilon = 0.0, max_relative = 1e-5);
    }
}
