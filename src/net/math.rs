//! Exponential and hyperbolic tangent in single precision, from basic arithmetic only.
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
#[must_use]
pub fn exp(x: f32) -> f32 {
    let x = x.clamp(-EXP_LIMIT, EXP_LIMIT);
    let whole = (x * LOG2_E + ROUNDER) - ROUNDER;
    let rest = (x - whole * LN_2_HIGH) - whole * LN_2_LOW;
    let power = f32::from_bits((((whole as i32) + 127) << 23) as u32);
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

/// tanh x, absolute error below 2e-7.
#[inline]
#[must_use]
pub fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (exp(2.0 * x) + 1.0)
}

/// The logistic function 1 / (1 + e^-x), absolute error below 2e-7.
#[inline]
#[must_use]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
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
    fn tanh_agrees_with_the_platform_and_stays_in_range() {
        for x in grid(30.0) {
            let y = tanh(x);
            assert!((f64::from(y) - f64::from(x).tanh()).abs() < 2e-7, "tanh({x}) = {y}");
            assert!((-1.0..=1.0).contains(&y));
        }
    }
}
