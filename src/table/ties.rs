//! Numbers that rounding must not order.

/// What part of a number rounding may move it by.
pub(crate) const ROUNDING: f64 = 1e-12;
/// How far distances in units of ranges may be off: numbers are rounded as those about 1 are, however near they are to each other.
const SLACK: f64 = 8.0 * f64::EPSILON;

/// The most that a distance may be off, in units of a range, because the numbers are far from 0: of a range that is itself a matter of
/// rounding nothing better is known.
const MOST_SLACK: f64 = 1e-3;

/// Measures of an object (bits, shares) that differ by no more than this are equal: rounding must not choose between them.
pub(crate) const TIE: f64 = 1e-9;

/// The number in steps within which rounding moves it: numbers that are equal but for rounding are equal in steps.
pub(crate) fn in_steps(number: f64) -> f64 {
    (number / TIE).round()
}

/// The largest distance, in units of ranges, that differs from this one by rounding alone. Where the numbers are far from 0, rounding moves
/// it by `slack` more: the sum over the attributes of what [`slack_of`] gives.
pub(crate) fn reach(distance: f64, slack: f64) -> f64 {
    distance * (1.0 + ROUNDING) + SLACK + slack
}

/// By how much rounding may move the distance of two of these numbers, in units of a `range`, beside what it may move any distance by:
/// numbers with a fraction are rounded as what they are, however near they are to each other, and whole ones are exact.
pub(crate) fn slack_of(numbers: &[f64], range: f64) -> f64 {
    let with_fraction = numbers.iter().filter(|number| number.fract().abs() > 0.0);
    let largest = with_fraction.fold(0.0, |largest: f64, number| largest.max(number.abs()));
    (4.0 * f64::EPSILON * largest / range).min(MOST_SLACK)
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

    #[test]
    fn rounding_parts_no_distances() {
        let (one, other) = (0.3 - 0.2, 0.2 - 0.1);
        assert!(one < other && reach(one, 0.0) >= other && reach(one, 0.0) < 0.1 + 1e-9);
        let parts = [1_000_001.0, 1_000_002.0, 1_000_003.0].map(|number: f64| number / 3e6);
        let (below, above) = (parts[1] - parts[0], parts[2] - parts[1]);
        assert!(reach(below, 0.0) >= above && reach(above, 0.0) >= below && reach(below, 0.0) < 2.0 * above);
    }

    #[test]
    fn numbers_far_from_0_are_rounded_as_what_they_are_unless_they_are_whole() {
        let numbers = [1e6, 1_000_000.1, 1_000_000.2, 1_000_000.3];
        let [below, above] = [numbers[2] - numbers[1], numbers[3] - numbers[2]].map(|distance| distance / 0.3);
        let slack = slack_of(&numbers, 0.3);
        assert!(reach(below, 0.0) < above && reach(below, slack) >= above && slack < 1e-8);
        assert_eq!(slack_of(&[4e15, 4e15 + 1.0, f64::INFINITY], 1.0), 0.0);
        // Two numbers of which the one is the other but for rounding outweigh no other attribute.
        assert_eq!(slack_of(&[0.3, 0.1 + 0.2], (0.1 + 0.2) - 0.3), MOST_SLACK);
    }
}
