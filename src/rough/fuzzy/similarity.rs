//! How similar objects are, attribute by attribute, one object and a block of others at a time.

use super::{RoughError, Similarity, TNorm};
use crate::table::{Attribute, Code, Codes, DecisionTable, ROUNDING, Value, slack_of, with_codes};

/// Rows compared at a time, so that their degrees stay in the first-level cache.
pub const BLOCK: usize = 512;
/// What stands for a missing number: equal to itself, and so far from all others that the degree is 0.
const MISSING: f64 = 1e300;
/// What stands for a value that is no number where numbers were expected.
const NO_NUMBER: f64 = -1e300;

/// The objects of a table, ready to be compared.
#[derive(Debug)]
pub struct Alike {
    columns: Vec<Column>,
    t_norm: TNorm,
}

/// One attribute of the objects.
#[derive(Debug)]
enum Column {
    /// Numbers in units of their scale.
    Numbers { of_rows: Vec<f64>, is_bell: bool },
    /// Values that are equal or not.
    Values(Codes),
}

/// A value of an attribute, to which those of the objects are compared.
#[derive(Debug, Clone, Copy)]
pub enum Point {
    /// A number in units of the attribute's scale.
    Number(f64),
    /// A code; none of a value that no object has.
    Code(Option<u32>),
}

/// Where the numbers of an attribute begin, and the unit that differences are measured in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    least: f64,
    unit: f64,
    /// How far rounding may move the distance of two numbers that are far from 0, in units of the scale.
    slack: f64,
}

impl Scale {
    /// The scale of an attribute of the objects of `table`; none if its values are not numbers.
    pub fn of(
        table: &DecisionTable,
        attribute: &Attribute,
        similarity: Similarity,
    ) -> Result<Option<Self>, RoughError> {
        let mut weights = vec![0_u64; attribute.n_values()];
        (0..table.n_objects()).for_each(|row| weights[attribute.code(row) as usize] += table.weight(row));
        let Some(numbers) = attribute.numbers() else { return Ok(None) };
        let used: Vec<(f64, f64)> =
            numbers.into_iter().zip(&weights).filter(|(_, w)| **w > 0).map(|(v, &w)| (v, w as f64)).collect();
        let (Some(&(least, _)), Some(&(most, _))) = (used.first(), used.last()) else { return Ok(None) };
        let span = RoughError::check_range(attribute.name(), (least, most))?;
        let unit = if similarity == Similarity::Range { span } else { spread(&used, (least, span)) };
        let unit = if unit > 0.0 { unit } else { 1.0 };
        let numbers: Vec<f64> = used.iter().map(|(number, _)| *number).collect();
        Ok(Some(Self { least, unit, slack: slack_of(&numbers, unit) }))
    }

    /// How far rounding may move the distance of two numbers that are far from 0, in units of the scale.
    pub const fn slack(&self) -> f64 {
        self.slack
    }

    /// A value in units of the scale. A text may spell the number.
    pub fn point(&self, value: &Value) -> f64 {
        let number = match value {
            Value::Missing => return MISSING,
            Value::Text(text) => Value::parse(text).as_real(),
            value => value.as_real(),
        };
        number.map_or(NO_NUMBER, |number| (number - self.least) / self.unit)
    }
}

/// The standard deviation of numbers from `least` over a finite `span`, also where their squares are too large or too small for numbers.
fn spread(numbers: &[(f64, f64)], (least, span): (f64, f64)) -> f64 {
    // Equal numbers may differ from their mean, which is rounded.
    if span == 0.0 {
        return 0.0;
    }
    // Numbers far from 0 would have a mean that is rounded by more than their spread.
    let scaled =
        |unit: f64| numbers.iter().map(|&(number, weight)| ((number - least) / unit, weight)).collect::<Vec<_>>();
    let plain = deviation(&scaled(1.0));
    if plain > 0.0 && plain.is_finite() { plain } else { span * deviation(&scaled(span)) }
}

/// The standard deviation of numbers with weights, as of a sample; 0 of a single one.
fn deviation(numbers: &[(f64, f64)]) -> f64 {
    let total: f64 = numbers.iter().map(|(_, weight)| weight).sum();
    let mean = numbers.iter().map(|(number, weight)| number * weight).sum::<f64>() / total;
    let squares: f64 = numbers.iter().map(|(number, weight)| weight * (number - mean).powi(2)).sum();
    if total > 1.0 { (squares / (total - 1.0)).sqrt() } else { 0.0 }
}

impl Point {
    /// The number in units of its scale, if it is one.
    pub fn number(self) -> Option<f64> {
        match self {
            Self::Number(number) if number.abs() < MISSING => Some(number),
            _ => None,
        }
    }
}

impl Alike {
    /// The objects `rows` of `table`; scales come from all objects.
    pub fn new(table: &DecisionTable, rows: &[u32], similarity: Similarity, t_norm: TNorm) -> Result<Self, RoughError> {
        let column = |attribute: &Attribute| {
            let codes = attribute.codes().select(rows);
            let Some(scale) = Scale::of(table, attribute, similarity)? else { return Ok(Column::Values(codes)) };
            let points: Vec<f64> = attribute.domain().iter().map(|value| scale.point(value)).collect();
            let of_rows = with_codes!(&codes, codes => codes.iter().map(|code| points[code.index()]).collect());
            Ok(Column::Numbers { of_rows, is_bell: similarity == Similarity::Gaussian })
        };
        Ok(Self { columns: table.attributes().iter().map(column).collect::<Result<_, RoughError>>()?, t_norm })
    }

    /// The value of the object `row` of an attribute.
    pub fn point(&self, attribute: usize, row: usize) -> Point {
        match &self.columns[attribute] {
            Column::Numbers { of_rows, .. } => Point::Number(of_rows[row]),
            Column::Values(codes) => Point::Code(Some(codes.get(row))),
        }
    }

    /// Joins to the `degrees` of the objects from `start` on how similar they are to a point of an attribute.
    pub fn join(&self, attribute: usize, point: Point, start: usize, degrees: &mut [f64]) {
        match self.t_norm {
            TNorm::Lukasiewicz => self.columns[attribute].join(point, start, degrees, |a, b| rest(a + b - 1.0)),
            TNorm::Minimum => self.columns[attribute].join(point, start, degrees, |a, b| if b < a { b } else { a }),
            TNorm::Product => self.columns[attribute].join(point, start, degrees, |a, b| a * b),
        }
    }
}

/// What is left of 1, or of two degrees. What rounding may leave of 0 is 0: some implicators ask whether there is any
/// similarity.
fn rest(degree: f64) -> f64 {
    if degree > ROUNDING { degree } else { 0.0 }
}

impl Column {
    fn join(&self, point: Point, start: usize, degrees: &mut [f64], t_norm: impl Fn(f64, f64) -> f64) {
        match (self, point) {
            (Self::Numbers { of_rows, is_bell: false }, Point::Number(own)) => {
                for (degree, other) in degrees.iter_mut().zip(&of_rows[start..]) {
                    *degree = t_norm(*degree, rest(1.0 - (own - other).abs()));
                }
            }
            (Self::Numbers { of_rows, .. }, Point::Number(own)) => {
                for (degree, other) in degrees.iter_mut().zip(&of_rows[start..]) {
                    *degree = t_norm(*degree, (-(own - other).powi(2) / 2.0).exp());
                }
            }
            (Self::Values(codes), Point::Code(Some(own))) => with_codes!(codes, codes => {
                for (degree, code) in degrees.iter_mut().zip(&codes[start..]) {
                    *degree = if code.index() == own as usize { *degree } else { 0.0 };
                }
            }),
            // A value that no object has, or of another kind.
            _ => degrees.fill(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Roles;

    #[test]
    fn the_spread_of_numbers_stays_when_all_are_moved() {
        let of = |first: f64| spread(&[0.0, 1.0, 1.0, 2.0, 4.0].map(|number| (first + number, 1.0)), (first, 4.0));
        // The mean is 1.6, and the squares of the differences sum up to 9.2.
        assert!((of(0.0) - 2.3_f64.sqrt()).abs() < 1e-15);
        assert_eq!(of(4_503_599_627_370_497.0), of(0.0));
    }

    #[test]
    fn equal_numbers_have_no_spread_whatever_their_mean_is_rounded_to() {
        let csv = "a,d\n0.1,x\n0.1,x\n0.1,y\n";
        let table = DecisionTable::from_csv(csv, &Roles::decided_by("d")).unwrap();
        assert!(deviation(&[(0.1, 3.0)]) > 0.0);
        let scale = Scale::of(&table, &table.attributes()[0], Similarity::Triangular).unwrap();
        assert_eq!(scale, Some(Scale { least: 0.1, unit: 1.0, slack: slack_of(&[0.1], 1.0) }));
    }
}
