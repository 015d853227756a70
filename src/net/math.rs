//! Exponential, hyperbolic tangent and softmax in single precision, from basic arithmetic only.
//!
//! The functions of the platform's mathematics library differ in the last bit from one platform to the next, so what a
//! network says of a position would depend on the machine. These do not, and the compiler vectorises loops over them.

/// Arguments of [`exp`] are held to ±this, so that neither the result nor its square overflows.
pub const EXP_LIMIT: f32 = 40.0;

const LOG2_E: f32 = std::f32::consts::LOG2_E;
/// ln 2 in two parts: the first has few bits, so that its product with a small integer is exact.
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;
/// Adding and subtracting 1.5 · 2^23 rounds a small number to the nearest integer without a library call.
const ROUNDER: f32 = 12_582_912.0;

/// e^x, relative error below 2e-7; `x` is held to ±[`EXP_LIMIT`].
#[inline]
pub fn exp(x: f32) -> f32 {
    let x = x.clamp(-EXP_LIMIT, EXP_LIMIT);
    let rounded = x * LOG2_E + ROUNDER;
    let whole = rounded - ROUNDER;
    let rest = (x - whole * LN_2_HIGH) - whole * LN_2_LOW;
    // The last bits of the sum are the whole number; 127 more are the exponent of its power of two.
    let power = f32::from_bits(rounded.to_bits().wrapping_add(127u32.wrapping_sub(ROUNDER.to_bits())) << 23);
    power * exp_near_zero(rest)
}

/// The Taylor polynomial of e^x of degree 7, for |x| ≤ ln 2 / 2, where its error is below 6e-9.
#[inline]
fn exp_near_zero(x: f32) -> f32 {
    let mut sum = 1.0 / 5040.0;
    for coefficient in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum * x + coefficient;
    }
    sum
}

/// Beyond this the tanh is 1 in single precision, less 7e-8.
const TANH_LIMIT: f32 = 8.6;
/// Coefficients of p and q in tanh x ≈ x p(x²) / q(x²), highest power first: the best fit in the largest absolute error up to
/// the limit, which is 1.2e-8 before rounding.
const TANH_P: [f32; 5] = [1.391_237_5e-8, 2.099_135_8e-5, 3.518_038_4e-3, 0.133_996_83, 0.999_999_94];
const TANH_Q: [f32; 5] = [7.998_646_7e-7, 3.322_884e-4, 2.596_162_8e-2, 0.467_329_92, 1.0];

/// tanh x, absolute error below 4e-7.
#[inline]
pub fn tanh(x: f32) -> f32 {
    let (numerator, denominator) = tanh_as_fraction(x);
    (numerator / denominator).clamp(-1.0, 1.0)
}

/// Two numbers whose quotient is tanh x, with absolute error below 4e-7; it may lie beyond ±1 by so much. The denominator is in
/// [1, 400], so that products of two cannot overflow.
#[inline(always)]
pub(crate) fn tanh_as_fraction(x: f32) -> (f32, f32) {
    let x = x.clamp(-TANH_LIMIT, TANH_LIMIT);
    let square = x * x;
    let polynomial = |coefficients: [f32; 5]| {
        let [first, rest @ ..] = coefficients;
        rest.iter().fold(first, |sum, coefficient| sum * square + coefficient)
    };
    (x * polynomial(TANH_P), polynomial(TANH_Q))
}

/// The logistic function 1 / (1 + e^-x), absolute error below 2e-7.
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// Turns logits into probabilities that sum to 1: e^(x - max) over their sum. What is not a number counts as the smallest; if none
/// is a number, all are equal.
pub fn softmax(logits: &mut [f32]) {
    let largest = logits.iter().copied().filter(|x| x.is_finite()).fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for x in logits.iter_mut() {
        let power = if x.is_finite() { exp(*x - largest) } else { 0.0 };
        *x = power;
        sum += power;
    }
    let equal = 1.0 / logits.len() as f32;
    logits.iter_mut().for_each(|x| *x = if sum > 0.0 { *x / sum } else { equal });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(limit: f32) -> impl Iterator<Item = f32> {
        (-20_000..=20_000).map(move |i| limit * i as f32 / 20_000.0)
    }

    #[test]
    fn exp_agrees_with_the_platform() {
        for x in grid(EXP_LIMIT) {
            let right = f64::from(x).exp();
            assert!((f64::from(exp(x)) - right).abs() <= 2e-7 * right, "exp({x}) = {}", exp(x));
        }
    }

    #[test]
    fn sigmoid_agrees_with_the_platform() {
        for x in grid(30.0) {
            let right = 1.0 / (1.0 + (-f64::from(x)).exp());
            assert!((f64::from(sigmoid(x)) - right).abs() < 2e-7, "sigmoid({x}) = {}", sigmoid(x));
        }
    }

    #[test]
    fn small_arguments_keep_their_digits() {
        for x in grid(1e-3) {
            assert!((tanh(x) - x.tanh()).abs() <= 3e-7 * x.abs(), "tanh({x}) = {}", tanh(x));
        }
    }

    #[test]
    fn tanh_agrees_with_the_platform_and_stays_in_range() {
        for x in grid(30.0) {
            let y = tanh(x);
            assert!((f64::from(y) - f64::from(x).tanh()).abs() < 4e-7, "tanh({x}) = {y}");
            assert!((-1.0..=1.0).contains(&y));
            let (numerator, denominator) = tanh_as_fraction(x);
            assert!((numerator / denominator - y).abs() < 4e-7 && (1.0..400.0).contains(&denominator), "{denominator}");
            assert_eq!(tanh(-x), -y);
        }
    }

    #[test]
    fn probabilities_sum_to_one_however_large_the_logits() {
        for mut logits in
            [vec![0.0], vec![1.0, 2.0, 3.0], vec![1e30, -1e30, 0.0], vec![f32::NAN, 1.0], vec![f32::NAN; 3]]
        {
            softmax(&mut logits);
            assert!((logits.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{logits:?}");
        }
        let mut logits = [0.0, std::f32::consts::LN_2];
        softmax(&mut logits);
        assert!((logits[0] - 1.0 / 3.0).abs() < 1e-6);
    }
}
