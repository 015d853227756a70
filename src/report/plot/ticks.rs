//! Round numbers along an axis.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// The range of an axis and where its labels stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// First and last value shown.
    pub range: (f64, f64),
    /// Labelled values, rising, within the range.
    pub ticks: Vec<f64>,
    /// Decimals that tell the labels apart.
    digits: usize,
}

impl Axis {
    /// An axis over `low..=high` with about `wanted` labels at multiples of 1, 2 or 5 times a power of ten.
    /// With `whole_steps` the range is widened to begin and end at a label.
    pub fn over(low: f64, high: f64, wanted: usize, whole_steps: bool) -> Self {
        let (low, high) = widened(low, high);
        let step = round_step((high - low) / wanted.max(1) as f64);
        let slack = 1e-9;
        let (mut first, mut last) = ((low / step - slack).ceil(), (high / step + slack).floor());
        let mut range = (low, high);
        if whole_steps {
            (first, last) = ((low / step + slack).floor(), (high / step - slack).ceil());
            range = (first * step, last * step);
        }
        let count = (last - first).round().max(0.0) as usize;
        // Adding zero turns -0 into 0.
        let ticks = (0..=count).map(|k| (first + k as f64) * step + 0.0).collect();
        Self { range, ticks, digits: decimals(step) }
    }

    /// The label of `value`.
    pub fn label(&self, value: f64) -> String {
        let text = format!("{value:.*}", self.digits);
        if self.digits == 0 { grouped(&text) } else { text }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let share = (value - self.range.0) / (self.range.1 - self.range.0);
        start + (f64::from(end - start) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _hint: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.0..self.range.1
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        self.label(*value)
    }
}

/// A range of positive length around the given one.
fn widened(low: f64, high: f64) -> (f64, f64) {
    if high > low {
        return (low, high);
    }
    let reach = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
    (low - reach, low + reach)
}

/// The smallest of 1, 2, 5 times a power of ten that is not below `step`.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let leading = [1.0, 2.0, 5.0].into_iter().find(|leading| leading * power >= step * (1.0 - 1e-9));
    leading.unwrap_or(10.0) * power
}

fn decimals(step: f64) -> usize {
    (-(step.log10() + 1e-9).floor()).max(0.0) as usize
}

/// Groups of three digits from 10,000 up, as printed texts have them.
fn grouped(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    if digits.len() < 5 {
        return format!("{sign}{digits}");
    }
    let head = digits.len() % 3;
    let mut groups: Vec<&str> = (head..digits.len()).step_by(3).map(|at| &digits[at..at + 3]).collect();
    if head > 0 {
        groups.insert(0, &digits[..head]);
    }
    format!("{sign}{}", groups.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks.iter().map(|&tick| axis.label(tick)).collect()
    }

    #[test]
    fn labels_are_round() {
        assert_eq!(labels(&Axis::over(0.0, 1.0, 5, false)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(&Axis::over(0.561, 0.652, 5, true)), ["0.56", "0.58", "0.60", "0.62", "0.64", "0.66"]);
        assert_eq!(labels(&Axis::over(-1.0, 1.0, 4, false)), ["-1.0", "-0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(&Axis::over(0.0, 1_234_567.0, 3, false)), ["0", "500,000", "1,000,000"]);
    }

    #[test]
    fn a_single_value_gets_room() {
        let axis = Axis::over(3.0, 3.0, 4, false);
        assert!(axis.range.0 < 3.0 && axis.range.1 > 3.0 && axis.ticks.len() > 1);
    }
}
