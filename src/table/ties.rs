//! Numbers that rounding must not order.

/// Numbers that differ by no more than this are equal.
const TIE: f64 = 1e-9;

/// The number in steps within which rounding moves it: numbers that are equal but for rounding are equal in steps.
pub(crate) fn in_steps(number: f64) -> f64 {
    (number / TIE).round()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_in_another_order_are_equal_in_steps() {
        let (sum, other) = (0.1 + (1.0 + 0.1), (0.2 + 1.0) + 0.0);
        assert!(sum != other && in_steps(sum) == in_steps(other), "{sum} {other}");
        assert!(in_steps(1.2) < in_steps(1.200_000_01));
    }
}
