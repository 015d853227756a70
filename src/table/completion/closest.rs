//! What the nearest objects that have a value lend to those that lack it.

use rayon::prelude::*;

use crate::table::{Attribute, Value, reach, slack_of};

/// For each of the `own` columns and each object that lacks its value the one of the nearest object of `known` that has it.
pub(super) fn closest_values(known: &[Attribute], own: &[&Attribute]) -> Vec<Vec<Value>> {
    let rulers: Vec<Ruler<'_>> = known.iter().zip(own).map(|(known, own)| Ruler::new(known, own)).collect();
    let lacked: Vec<Vec<bool>> = own.iter().map(|column| column.missing()).collect();
    let missing: Vec<Vec<bool>> = known.iter().map(Attribute::missing).collect();
    let n_objects = lacked.first().map_or(0, Vec::len);
    let incomplete: Vec<usize> = (0..n_objects).filter(|&row| lacked.iter().any(|lacked| lacked[row])).collect();
    let nearest = |&row: &usize| {
        let lacked: Vec<usize> = (0..rulers.len()).filter(|&at| lacked[at][row]).collect();
        closest(row, &lacked, &rulers, &missing)
    };
    let found: Vec<Vec<(usize, Value)>> = incomplete.par_iter().map(nearest).collect();
    let mut values = vec![Vec::new(); own.len()];
    found.into_iter().flatten().for_each(|(at, value)| values[at].push(value));
    values
}

/// The attributes that the object `row` has `lacked`, each with the value of the nearest known object that has it.
fn closest(row: usize, lacked: &[usize], rulers: &[Ruler<'_>], missing: &[Vec<bool>]) -> Vec<(usize, Value)> {
    let mut distances = vec![0.0; missing.first().map_or(0, Vec::len)];
    rulers.iter().for_each(|ruler| ruler.add_distances(row, &mut distances));
    let slack: f64 = rulers.iter().map(|ruler| ruler.slack).sum();
    let value = |&at: &usize| {
        let known = || (0..distances.len()).filter(|&other| !missing[at][other]);
        let least = known().map(|other| distances[other]).reduce(f64::min);
        let nearest = least.and_then(|least| known().find(|&other| distances[other] <= reach(least, slack)));
        (at, nearest.map_or(Value::Missing, |nearest| rulers[at].known.value(nearest).clone()))
    };
    lacked.iter().map(value).collect()
}

/// Measures distances of objects to those of a table, on one attribute.
struct Ruler<'t> {
    known: &'t Attribute,
    /// The values of the objects.
    own: &'t Attribute,
    /// Half the range of the known numbers, if the attribute has numbers: the whole may be too large for a number.
    half_range: Option<f64>,
    /// How far rounding may move a distance because numbers are far from 0.
    slack: f64,
}

impl<'t> Ruler<'t> {
    fn new(known: &'t Attribute, own: &'t Attribute) -> Self {
        let numbers = known.numbers().unwrap_or_default();
        let half_range = numbers.first().zip(numbers.last()).map(|(least, most)| most / 2.0 - least / 2.0);
        let of_range = half_range.filter(|half| half.is_finite() && *half > 0.0);
        let slack = of_range.map_or(0.0, |half| slack_of(&numbers, 2.0 * half));
        Self { known, own, half_range, slack }
    }

    /// Adds the distance of each known object to the object `row`.
    fn add_distances(&self, row: usize, distances: &mut [f64]) {
        let own = self.own.value(row);
        let of_code: Vec<f64> = self.known.domain().iter().map(|value| self.distance(own, value)).collect();
        for (other, distance) in distances.iter_mut().enumerate() {
            *distance += of_code[self.known.code(other) as usize];
        }
    }

    fn distance(&self, own: &Value, known: &Value) -> f64 {
        if [own, known].contains(&&Value::Missing) {
            return 1.0;
        }
        match (self.half_range, own.as_real().zip(known.as_real())) {
            _ if own == known => 0.0,
            (_, Some((a, b))) if a == b => 0.0,
            // Between infinite ends every two numbers are as far apart as can be.
            (Some(half), Some((a, b))) if half.is_finite() && half > 0.0 => (a / 2.0 - b / 2.0).abs() / half,
            _ => 1.0,
        }
    }
}
