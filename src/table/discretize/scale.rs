//! The numbers of an attribute in ascending order.

use crate::table::{Attribute, DecisionTable, Value};

/// The place of a missing value.
pub(crate) const NO_POINT: u32 = u32::MAX;
/// Whole numbers from here on are not all exact as reals.
const EXACT: u64 = 1 << 52;
/// How far a cut may lie from the middle, as a share of the gap, so that it has fewer digits.
const SLACK: f64 = 1e-9;

/// The distinct numbers that occur in an attribute, ascending: its points.
pub struct Scale {
    points: Vec<f64>,
    /// The point of each code; [`NO_POINT`] for missing.
    of_code: Vec<u32>,
}

/// The weight of the objects at a point that have a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PointTally {
    pub point: u32,
    pub decision: u32,
    pub weight: u64,
}

impl Scale {
    /// The scale of an attribute with numbers; none if it has none, or values of another kind.
    pub fn of(attribute: &Attribute) -> Option<Self> {
        let used = attribute.codes().used(attribute.n_values());
        let (mut points, mut of_code) = (Vec::new(), vec![NO_POINT; attribute.n_values()]);
        for (code, value) in attribute.domain().iter().enumerate().filter(|(code, _)| used[*code]) {
            if *value == Value::Missing {
                continue;
            }
            // Infinite reals take the place of the outermost finite ones, between which and others cuts can lie.
            let number = value.as_real()?.clamp(f64::MIN, f64::MAX);
            if points.last() != Some(&number) {
                points.push(number);
            }
            of_code[code] = points.len() as u32 - 1;
        }
        (!points.is_empty()).then_some(Self { points, of_code })
    }

    pub fn points(&self) -> &[f64] {
        &self.points
    }

    /// The point of each object.
    pub(crate) fn of_objects(&self, attribute: &Attribute) -> Vec<u32> {
        attribute.codes().to_vec().into_iter().map(|code| self.of_code[code as usize]).collect()
    }

    /// The weight of the objects at each point.
    pub fn weights(&self, attribute: &Attribute, table: &DecisionTable) -> Vec<u64> {
        let mut weights = vec![0; self.points.len()];
        for (row, point) in self.of_objects(attribute).into_iter().enumerate().filter(|(_, p)| *p != NO_POINT) {
            weights[point as usize] += table.weight(row);
        }
        weights
    }

    /// The weights of points and decisions that occur together, by point, then decision.
    pub fn tallies(&self, attribute: &Attribute, table: &DecisionTable) -> Vec<PointTally> {
        let tally =
            |(row, point)| PointTally { point, decision: table.decision().code(row), weight: table.weight(row) };
        let mut tallies: Vec<PointTally> =
            self.of_objects(attribute).into_iter().enumerate().filter(|(_, p)| *p != NO_POINT).map(tally).collect();
        tallies.retain(|tally| tally.weight > 0);
        tallies.sort_unstable_by_key(|t| (t.point, t.decision));
        tallies.dedup_by(|next, kept| {
            let same = (next.point, next.decision) == (kept.point, kept.decision);
            kept.weight += if same { next.weight } else { 0 };
            same
        });
        tallies
    }

    /// The cut between the point `point` and the next: midway, in as few digits as that allows.
    ///
    /// # Panics
    /// When there is no next point.
    pub(crate) fn cut_after(&self, point: usize) -> f64 {
        let (low, high) = (self.points[point], self.points[point + 1]);
        // Nothing lies between two adjacent floating-point numbers; the lower one separates them.
        midway(low, high).unwrap_or(low)
    }
}

/// The number midway between two, in as few digits as that allows; none where nothing lies between them.
fn midway(low: f64, high: f64) -> Option<f64> {
    let middle = low.midpoint(high);
    (low < middle && middle < high).then(|| shortened(middle, (high / 2.0 - low / 2.0) * SLACK))
}

/// A value above `below` and not above `above`: the mean of two numbers, if that can be written exactly enough.
pub fn cut_between(below: &Value, above: &Value) -> Value {
    let exact = |value: &Value| value.as_integer().is_none_or(|number| number.unsigned_abs() < EXACT);
    match (below.as_real(), above.as_real()) {
        (Some(a), Some(b)) if exact(below) && exact(above) => midway(a, b).map_or_else(|| above.clone(), Value::Real),
        _ => above.clone(),
    }
}

/// The number of fewest decimal digits that differs from `exact` by at most `slack`.
pub fn shortened(exact: f64, slack: f64) -> f64 {
    let to_digits = |digits: usize| format!("{exact:.digits$e}").parse::<f64>();
    let close = |number: &f64| (number - exact).abs() <= slack;
    (0..17).filter_map(|digits| to_digits(digits).ok()).find(close).unwrap_or(exact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Weights;

    fn scale(numbers: &[f64]) -> Scale {
        Scale::of(&Attribute::from_values("x", &numbers.iter().copied().map(Value::Real).collect::<Vec<_>>())).unwrap()
    }

    #[test]
    fn cuts_lie_midway_and_have_few_digits() {
        assert_eq!(scale(&[5.2, 5.1]).cut_after(0), 5.15);
        assert_eq!(scale(&[0.1, 0.2]).cut_after(0), 0.15);
        assert_eq!(scale(&[-1.0, 1.0]).cut_after(0), 0.0);
        assert_eq!(scale(&[f64::MIN, f64::MAX]).cut_after(0), 0.0);
        assert_eq!(scale(&[1e15, 1e15 + 1.0]).cut_after(0), 1e15 + 0.5);
    }

    #[test]
    fn cuts_lie_above_the_lower_value_and_not_above_the_upper() {
        assert_eq!(cut_between(&Value::Real(1.0), &Value::Real(2.0)), Value::Real(1.5));
        assert_eq!(cut_between(&Value::Integer(1), &Value::Integer(3)), Value::Real(2.0));
        let next = f64::from_bits(1.0_f64.to_bits() + 1);
        assert_eq!(cut_between(&Value::Real(1.0), &Value::Real(next)), Value::Real(next));
        // From 2⁵² on there are no halves, so that no mean of whole numbers is sure to be exact.
        let (below, above) = (Value::Integer(1 << 52), Value::Integer((1 << 52) + 4));
        assert_eq!(cut_between(&below, &above), above);
        assert_eq!(cut_between(&Value::Integer(0), &above), above);
        let large = Value::Integer(i64::MAX);
        assert_eq!(cut_between(&Value::Integer(i64::MAX - 1), &large), large);
        assert_eq!(cut_between(&Value::text("a"), &Value::text("b")), Value::text("b"));
        let (least, most) = (Value::Real(-f64::MAX), Value::Real(f64::MAX));
        assert_eq!(cut_between(&least, &most), Value::Real(0.0));
    }

    #[test]
    fn a_cut_separates_even_adjacent_and_infinite_numbers() {
        let adjacent = [1.0, 1.0_f64.next_up(), f64::MIN, f64::NEG_INFINITY, f64::MAX.next_down(), f64::INFINITY, 0.0];
        let scale = scale(&adjacent);
        assert_eq!(scale.points().len(), 6);
        for point in 0..5 {
            let cut = scale.cut_after(point);
            assert!(cut.is_finite() && scale.points()[point] <= cut && cut < scale.points()[point + 1], "{cut}");
        }
    }

    #[test]
    fn whole_numbers_that_reals_cannot_tell_apart_are_one_point() {
        let large = i64::MAX;
        let attribute = Attribute::from_integers("x", [large, large - 1, 0]);
        let scale = Scale::of(&attribute).unwrap();
        assert_eq!((scale.points().len(), scale.of_objects(&attribute)), (2, vec![1, 1, 0]));
    }

    #[test]
    fn points_and_decisions_that_weigh_nothing_have_no_tally() {
        let x = Attribute::from_integers("x", [5, 7, 7, 7, 9]);
        let decision = Attribute::from_integers("d", [0, 1, 0, 0, 1]);
        let table = DecisionTable::new(vec![x.clone()], decision, Weights::Counts(vec![1, 0, 2, 3, 0])).unwrap();
        let tallies = Scale::of(&x).unwrap().tallies(&x, &table);
        let tallies: Vec<(u32, u32, u64)> = tallies.iter().map(|t| (t.point, t.decision, t.weight)).collect();
        assert_eq!(tallies, [(0, 0, 1), (1, 0, 5)]);
    }

    #[test]
    fn attributes_without_numbers_have_no_scale() {
        assert!(Scale::of(&Attribute::from_values("x", &[Value::Missing])).is_none());
        assert!(Scale::of(&Attribute::from_values("x", &[Value::text("1"), Value::Missing])).is_none());
        assert!(Scale::of(&Attribute::from_values("x", &[Value::Boolean(true)])).is_none());
    }
}
