//! How learners that compute with values see those of an attribute: numbers on a scale, all others as equal or not.

use super::ClassifyError;
use crate::rough::{Point, Scale, Similarity};
use crate::table::{Attribute, DecisionTable, EncodedColumn, TableError, place_of};

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

    /// The point of each row of the column among `columns` that has the name of `attribute`, one of the training table.
    fn points(&self, attribute: &Attribute, columns: &[Attribute]) -> Result<Vec<Point>, TableError> {
        let column = &columns[place_of(attribute.name(), columns)?];
        Ok(match self {
            Self::Numbers(scale) => {
                let points: Vec<f64> = column.domain().iter().map(|value| scale.point(value)).collect();
                (0..column.len()).map(|row| Point::Number(points[column.code(row) as usize])).collect()
            }
            Self::Values => {
                let places = EncodedColumn::new(column, attribute.domain()).places();
                places.into_iter().map(|place| Point::Code(place.code())).collect()
            }
        })
    }
}
