//! Distances between objects: of numbers by their difference, of other values by what they say of the decision.

use crate::classify::ClassifyError;
use crate::classify::measure::Measure;
use crate::rough::{Point, Similarity};
use crate::table::{Attribute, DecisionTable, TableError};

/// How far a missing number is from any other.
const FAR: f64 = 1.0;

/// The training objects.
pub(crate) struct Space {
    table: DecisionTable,
    measures: Vec<Measure>,
    columns: Vec<Column>,
    /// How far rounding may move distances because numbers are far from 0.
    slack: f64,
}

enum Column {
    /// Numbers in units of their range; NaN where one is missing.
    Numbers(Vec<f64>),
    /// The code of each object, and the shares of the decisions among those with each code.
    Values { codes: Vec<u32>, shares: Vec<Vec<f64>> },
}

/// The training objects as an object in hand sees them.
pub(crate) struct Local<'s> {
    columns: Vec<LocalColumn<'s>>,
    n_objects: usize,
}

enum LocalColumn<'s> {
    Numbers {
        of_rows: &'s [f64],
        own: f64,
    },
    /// The distance of each code.
    Values {
        codes: &'s [u32],
        distances: Vec<f64>,
    },
    /// The object in hand has no number: all others are as far.
    NoNumber,
}

impl Space {
    /// The objects of a table.
    ///
    /// # Errors
    /// When an attribute has infinite numbers, or a range that is too large for a number.
    pub fn of(table: DecisionTable) -> Result<Self, ClassifyError> {
        let measures = Measure::of_all(&table, Similarity::Range, false)?;
        let points = Measure::points_of_all(&measures, &table, table.attributes())?;
        let mut columns = Vec::with_capacity(measures.len());
        for ((attribute, measure), points) in table.attributes().iter().zip(&measures).zip(points) {
            columns.push(match measure {
                Measure::Numbers(_) => Column::Numbers(points.into_iter().map(number).collect()),
                Measure::Values => Column::values(attribute, &table),
            });
        }
        let slack = Measure::slack_of_all(&measures);
        Ok(Self { table, measures, columns, slack })
    }

    /// How far rounding may move distances because numbers are far from 0.
    pub const fn slack(&self) -> f64 {
        self.slack
    }

    /// The place of a training object: its point of each attribute.
    pub fn place(&self, object: usize) -> Vec<Point> {
        let point = |column: &Column| match column {
            Column::Numbers(numbers) => Point::Number(numbers[object]),
            Column::Values { codes, .. } => Point::Code(Some(codes[object])),
        };
        self.columns.iter().map(point).collect()
    }

    /// For each attribute the point of each row of `columns`.
    ///
    /// # Errors
    /// When an attribute is missing.
    pub fn points(&self, columns: &[Attribute]) -> Result<Vec<Vec<Point>>, TableError> {
        Measure::points_of_all(&self.measures, &self.table, columns)
    }

    /// The training objects around the object at this place.
    pub fn around(&self, own: &[Point]) -> Local<'_> {
        let columns = self.columns.iter().zip(own).map(|(column, &own)| column.around(own)).collect();
        Local { columns, n_objects: self.table.n_objects() }
    }
}

/// A number in units of its range; NaN if it is missing.
fn number(point: Point) -> f64 {
    point.number().unwrap_or(f64::NAN)
}

impl Column {
    fn values(attribute: &Attribute, table: &DecisionTable) -> Self {
        let mut weights = vec![vec![0.0; table.n_decisions()]; attribute.n_values()];
        (0..table.n_objects()).for_each(|row| {
            weights[attribute.code(row) as usize][table.decision().code(row) as usize] += table.weight(row) as f64;
        });
        let share = |weights: Vec<f64>| {
            let sum: f64 = weights.iter().sum();
            weights.into_iter().map(|weight| if sum > 0.0 { weight / sum } else { 0.0 }).collect()
        };
        Self::Values { codes: attribute.codes().to_vec(), shares: weights.into_iter().map(share).collect() }
    }

    fn around(&self, own: Point) -> LocalColumn<'_> {
        match self {
            Self::Numbers(of_rows) => match own {
                Point::Number(_) => LocalColumn::Numbers { of_rows, own: number(own) },
                Point::Code(_) => LocalColumn::NoNumber,
            },
            Self::Values { codes, shares } => {
                let own = if let Point::Code(Some(own)) = own { shares.get(own as usize) } else { None };
                let distance =
                    |other: &Vec<f64>| own.map_or(FAR, |own| own.iter().zip(other).map(|(a, b)| (a - b).abs()).sum());
                LocalColumn::Values { codes, distances: shares.iter().map(distance).collect() }
            }
        }
    }
}

impl Local<'_> {
    /// The distance of each training object.
    pub fn distances(&self) -> Vec<f64> {
        let mut distances = vec![0.0; self.n_objects];
        for column in &self.columns {
            for (object, distance) in distances.iter_mut().enumerate() {
                let cell = column.cell(object);
                *distance += if cell.is_nan() { FAR } else { cell.abs() };
            }
        }
        distances
    }

    /// Where a training object lies on each attribute, seen from the object in hand: the difference of numbers, the distance
    /// of other values; NaN if its number is not known.
    pub fn cells(&self, object: usize) -> Vec<f64> {
        self.columns.iter().map(|column| column.cell(object)).collect()
    }
}

impl LocalColumn<'_> {
    #[inline]
    fn cell(&self, object: usize) -> f64 {
        match self {
            Self::Numbers { of_rows, own } if own.is_nan() => {
                if of_rows[object].is_nan() {
                    0.0
                } else {
                    FAR
                }
            }
            Self::Numbers { of_rows, own } => of_rows[object] - own,
            Self::Values { codes, distances } => distances[codes[object] as usize],
            Self::NoNumber => FAR,
        }
    }
}
