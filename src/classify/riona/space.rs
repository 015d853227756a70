//! Distances between objects: of numbers by their difference, of other values by what they say of the decision.

use crate::table::{Attribute, DecisionTable, EncodedColumn, TableError, Value, names_of, place_of};

/// How far a missing number is from any other.
const FAR: f64 = 1.0;

/// The training objects.
pub(crate) struct Space {
    names: Vec<String>,
    columns: Vec<Column>,
    n_objects: usize,
}

enum Column {
    /// Numbers in units of their range; NaN where one is missing.
    Numbers { of_rows: Vec<f64>, range: f64 },
    /// The code of each object, and the shares of the decisions among those with each code.
    Values { codes: Vec<u32>, shares: Vec<Vec<f64>>, domain: Vec<Value> },
}

/// A value of an attribute.
#[derive(Debug, Clone, Copy)]
pub enum Place {
    /// A number in units of the range; NaN if it is missing.
    Number(f64),
    /// A code; none of a value that no training object has.
    Code(Option<u32>),
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
}

impl Space {
    /// The objects of a table.
    pub fn of(table: &DecisionTable) -> Self {
        let names = names_of(table.attributes());
        let columns = table.attributes().iter().map(|attribute| Column::of(attribute, table)).collect();
        Self { names, columns, n_objects: table.n_objects() }
    }

    /// The place of a training object.
    pub fn place(&self, object: usize) -> Vec<Place> {
        let place = |column: &Column| match column {
            Column::Numbers { of_rows, .. } => Place::Number(of_rows[object]),
            Column::Values { codes, .. } => Place::Code(Some(codes[object])),
        };
        self.columns.iter().map(place).collect()
    }

    /// For each attribute the place of each row of `columns`.
    ///
    /// # Errors
    /// When an attribute is missing.
    pub fn places(&self, columns: &[Attribute]) -> Result<Vec<Vec<Place>>, TableError> {
        let of_column = |(name, column): (&String, &Column)| Ok(column.places(&columns[place_of(name, columns)?]));
        self.names.iter().zip(&self.columns).map(of_column).collect()
    }

    /// The training objects around the object at these places.
    pub fn around(&self, own: &[Place]) -> Local<'_> {
        let columns = self.columns.iter().zip(own).map(|(column, &own)| column.around(own)).collect();
        Local { columns, n_objects: self.n_objects }
    }
}

impl Column {
    fn of(attribute: &Attribute, table: &DecisionTable) -> Self {
        let rows = 0..table.n_objects();
        let known = attribute.domain().iter().filter(|value| **value != Value::Missing);
        let is_numeric = known.map(Value::as_real).all(|number| number.is_some_and(f64::is_finite));
        if is_numeric {
            let numbers: Vec<f64> = rows.map(|row| attribute.value(row).as_real().unwrap_or(f64::NAN)).collect();
            // The least and the largest of numbers skip NaN.
            let (least, most) =
                (numbers.iter().copied().fold(f64::NAN, f64::min), numbers.iter().copied().fold(f64::NAN, f64::max));
            let range = if most > least { most - least } else { 1.0 };
            return Self::Numbers { of_rows: numbers.into_iter().map(|number| number / range).collect(), range };
        }
        let mut weights = vec![vec![0.0; table.n_decisions()]; attribute.n_values()];
        rows.for_each(|row| {
            weights[attribute.code(row) as usize][table.decision().code(row) as usize] += table.weight(row) as f64;
        });
        let share = |weights: Vec<f64>| {
            let sum: f64 = weights.iter().sum();
            weights.into_iter().map(|weight| if sum > 0.0 { weight / sum } else { 0.0 }).collect()
        };
        let shares = weights.into_iter().map(share).collect();
        Self::Values { codes: attribute.codes().to_vec(), shares, domain: attribute.domain().to_vec() }
    }

    fn places(&self, column: &Attribute) -> Vec<Place> {
        match self {
            Self::Numbers { range, .. } => {
                let number = |value: &Value| match value {
                    Value::Text(text) => Value::parse(text).as_real(),
                    value => value.as_real(),
                };
                let of_code: Vec<f64> = column
                    .domain()
                    .iter()
                    .map(|value| number(value).map_or(f64::NAN, |number| number / range))
                    .collect();
                (0..column.len()).map(|row| Place::Number(of_code[column.code(row) as usize])).collect()
            }
            Self::Values { domain, .. } => {
                EncodedColumn::new(column, domain).places().into_iter().map(|place| Place::Code(place.code())).collect()
            }
        }
    }

    fn around(&self, own: Place) -> LocalColumn<'_> {
        match (self, own) {
            (Self::Numbers { of_rows, .. }, Place::Number(own)) => LocalColumn::Numbers { of_rows, own },
            (Self::Numbers { of_rows, .. }, Place::Code(_)) => LocalColumn::Numbers { of_rows, own: f64::NAN },
            (Self::Values { codes, shares, .. }, own) => {
                let own = if let Place::Code(Some(own)) = own { shares.get(own as usize) } else { None };
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
        }
    }
}
