//! How learners that compute with values see those of an attribute: numbers on a scale, all others as equal or not.

use super::ClassifyError;
use crate::rough::{Point, Scale, Similarity};
use crate::table::{Attribute, DecisionTable, EncodedColumn, TableError, Value, place_of};

/// How values of an attribute are compared with those of the training objects.
pub enum Measure {
    Numbers(Scale),
    Values,
}

impl Measure {
    /// The measure of each attribute of a training table. The unit of numbers is what `similarity` divides by; `as_values` takes
    /// numbers for names.
    pub fn of_all(table: &DecisionTable, similarity: Similarity, as_values: bool) -> Result<Vec<Self>, ClassifyError> {
        let measure = |attribute: &Attribute| {
            let scale = if as_values { None } else { Scale::of(table, attribute, similarity)? };
            Ok(scale.map_or(Self::Values, Self::Numbers))
        };
        table.attributes().iter().map(measure).collect()
    }

    /// For each attribute of the training table the points of `columns`.
    pub fn points_of_all(
        measures: &[Self],
        table: &DecisionTable,
        columns: &[Attribute],
    ) -> Result<Vec<Vec<Point>>, TableError> {
        table.attributes().iter().zip(measures).map(|(attribute, measure)| measure.points(attribute, columns)).collect()
    }

    /// How far rounding may move the sum of the distances on all attributes because numbers are far from 0.
    pub fn slack_of_all(measures: &[Self]) -> f64 {
        let slack = |measure: &Self| if let Self::Numbers(scale) = measure { scale.slack() } else { 0.0 };
        measures.iter().map(slack).sum()
    }

    /// The point of each row of the column among `columns` that has the name of `attribute`, one of the training table.
    fn points(&self, attribute: &Attribute, columns: &[Attribute]) -> Result<Vec<Point>, TableError> {
        let column = &columns[place_of(attribute.name(), columns)?];
        Ok(match self {
            Self::Numbers(scale) => {
                // What is neither a number nor missing is a value that no training object has.
                let point = |value: &Value| match Point::Number(scale.point(value)) {
                    point if point.number().is_some() || *value == Value::Missing => point,
                    _ => Point::Code(None),
                };
                let points: Vec<Point> = column.domain().iter().map(point).collect();
                (0..column.len()).map(|row| points[column.code(row) as usize]).collect()
            }
            Self::Values => {
                let places = EncodedColumn::new(column, attribute.domain()).places();
                places.into_iter().map(|place| Point::Code(place.code())).collect()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::{FuzzyNeighbours, Learner, NearestNeighbours, Riona};
    use crate::table::Roles;

    #[test]
    fn what_is_no_number_is_not_missing() {
        let train = DecisionTable::from_csv("a,d\n1,x\n?,y\n3,z\n5,x\n", &Roles::decided_by("d")).unwrap();
        let nearest = NearestNeighbours { k: 1, ..NearestNeighbours::default() };
        let fuzzy = FuzzyNeighbours { k: 1, ..FuzzyNeighbours::default() };
        let learners: [&dyn Learner; 3] = [&nearest, &fuzzy, &Riona { k_max: 1 }];
        for learner in learners {
            let model = learner.fit(&train).unwrap();
            let decision = |value: Value| model.predict(&[Attribute::from_values("a", &[value])]).unwrap()[0].decision;
            assert_eq!((decision(Value::Missing), decision(Value::Integer(3))), (1, 2), "{}", learner.name());
            // As far from all objects, of which most are x.
            let others = [Value::text("many"), Value::Real(f64::INFINITY), Value::Boolean(true)];
            assert_eq!(others.map(decision), [0, 0, 0], "{}", learner.name());
        }
    }
}
