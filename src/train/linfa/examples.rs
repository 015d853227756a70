//! From the records of a data set to rows of value codes and outputs.

use linfa::Float;
use linfa::dataset::DatasetBase;
use ndarray::{ArrayBase, ArrayView1, Data, Ix2};

use super::{FitNetworkError, Result, Target};
use crate::net::Coding;
use crate::table::{Attribute, attributes_of_records, feature_names, weight_counts};
use crate::train::PositionSet;

/// The values of each column, ascending.
#[derive(Debug, Clone, PartialEq)]
pub struct Codebook {
    values: Vec<Vec<f64>>,
}

/// The most values that codes of one byte tell apart.
const MOST_VALUES: usize = 256;

impl Codebook {
    /// The values of these columns.
    fn of(columns: &[Attribute]) -> Result<Self> {
        let values = |column: &Attribute| {
            if column.n_values() > MOST_VALUES {
                let (column, found) = (column.name().to_owned(), column.n_values());
                return Err(FitNetworkError::TooManyValues { column, found });
            }
            let finite = |value: &crate::table::Value| {
                let not_finite =
                    || FitNetworkError::NotFinite { column: column.name().to_owned(), found: value.to_string() };
                value.as_real().filter(|number| number.is_finite()).ok_or_else(not_finite)
            };
            column.domain().iter().map(finite).collect()
        };
        Ok(Self { values: columns.iter().map(values).collect::<Result<_, _>>()? })
    }

    /// The number of columns.
    pub fn n_columns(&self) -> usize {
        self.values.len()
    }

    /// How the values enter a network.
    pub fn coding(&self) -> Coding {
        let numbers = |values: &Vec<f64>| values.iter().map(|&value| value as f32).collect();
        Coding::new(&self.values.iter().map(numbers).collect::<Vec<_>>())
    }

    /// Appends the codes of the values nearest to those of a record; `None`, with codes all the same, if one is no number.
    pub fn encode<F: Float + Into<f64>>(&self, record: ArrayView1<'_, F>, codes: &mut Vec<u8>) -> Option<()> {
        let numbers = record.iter().map(|&number| Into::<f64>::into(number));
        let mut are_numbers = true;
        codes.extend(self.values.iter().zip(numbers).map(|(values, number)| {
            are_numbers &= !number.is_nan();
            nearest(values, number) as u8
        }));
        are_numbers.then_some(())
    }
}

/// The place of the value nearest to `number`, the lower of two; 0 for a NaN.
fn nearest(values: &[f64], number: f64) -> usize {
    let above = values.partition_point(|&value| value < number);
    let is_above_nearer = above == 0 || (above < values.len() && values[above] - number < number - values[above - 1]);
    if is_above_nearer { above } else { above - 1 }
}

/// What is known from a first batch: the values of the columns, and what leads from outputs back to targets.
pub type Known<'a, T> = Option<(&'a Codebook, &'a <T as Target>::Scale)>;

/// Rows to learn from, and what leads from outputs back to targets.
pub struct Examples<T: Target> {
    pub codebook: Codebook,
    pub scale: T::Scale,
    pub codes: Vec<u8>,
    /// One a sample: a row, or a game of rows.
    pub outputs: Vec<f32>,
}

/// The columns of a data set, with their names.
pub(super) fn columns<F, D, T>(dataset: &DatasetBase<ArrayBase<D, Ix2>, T>) -> Vec<Attribute>
where
    F: Float + Into<f64>,
    D: Data<Elem = F>,
{
    attributes_of_records(dataset.records(), &feature_names(dataset.feature_names(), dataset.records().ncols()))
}

impl<T: Target> Examples<T> {
    /// Codes of `records` and outputs of `targets` by what is `known` from a first batch, or by their own values.
    pub fn of<F, D>(
        records: &ArrayBase<D, Ix2>,
        columns: impl FnOnce() -> Vec<Attribute>,
        targets: ArrayView1<'_, T>,
        known: Known<'_, T>,
    ) -> Result<Self>
    where
        F: Float + Into<f64>,
        D: Data<Elem = F>,
    {
        if records.is_empty() || targets.is_empty() {
            return Err(linfa::Error::NotEnoughSamples.into());
        }
        let (codebook, scale) = match known {
            Some((codebook, scale)) => (codebook.clone(), scale.clone()),
            None => (Codebook::of(&columns())?, T::scale(targets)?),
        };
        let (expected, found) = (codebook.n_columns(), records.ncols());
        if expected != found {
            return Err(FitNetworkError::Columns { expected, found });
        }
        let mut codes = Vec::with_capacity(records.len());
        for record in records.rows() {
            let not_a_number =
                || FitNetworkError::NotFinite { column: "of a further batch".into(), found: "NaN".into() };
            codebook.encode(record, &mut codes).ok_or_else(not_a_number)?;
        }
        let outputs = targets.iter().enumerate().map(|(at, target)| target.output(&scale, at + 1));
        Ok(Self { outputs: outputs.collect::<Result<_, _>>()?, codebook, scale, codes })
    }

    /// Each sample, which is so many rows, as often as it weighs, and how many rows each one is then.
    pub(super) fn weighted(self, lengths: Vec<usize>, weights: Option<&[f32]>) -> Result<(Self, Vec<usize>)> {
        let Some(weights) = weights else { return Ok((self, lengths)) };
        if weights.len() != lengths.len() {
            return Err(linfa::Error::MismatchedShapes(lengths.len(), weights.len()).into());
        }
        let counts = weight_counts(weights)?;
        let rows = lengths.iter().zip(&counts).map(|(&length, &count)| (length as u64).saturating_mul(count.into()));
        let found = rows.fold(0, u64::saturating_add);
        if found == 0 {
            return Err(linfa::Error::NotEnoughSamples.into());
        }
        if found > u64::from(u32::MAX) {
            return Err(FitNetworkError::TooMany(found));
        }
        let (mut codes, mut outputs, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
        let mut rest = self.codes.as_slice();
        for ((length, &output), count) in lengths.into_iter().zip(&self.outputs).zip(counts) {
            let (sample, others) = rest.split_at(length * self.codebook.n_columns());
            rest = others;
            codes.extend(std::iter::repeat_n(sample, count as usize).flatten());
            outputs.extend(std::iter::repeat_n(output, count as usize));
            repeated.extend(std::iter::repeat_n(length, count as usize));
        }
        Ok((Self { codes, outputs, ..self }, repeated))
    }

    /// The rows as positions of games that are `lengths` long.
    pub fn positions(&self, outputs: Vec<f32>, lengths: &[usize]) -> PositionSet {
        PositionSet::from_rows(self.codebook.n_columns(), self.codes.clone(), outputs, lengths)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_value_is_taken_the_lower_of_two() {
        let values = [-1.0, 0.0, 2.0];
        let cases = [(-9.0, 0), (-1.0, 0), (-0.5, 0), (-0.4, 1), (0.9, 1), (1.0, 1), (1.1, 2), (9.0, 2)];
        for (number, place) in cases {
            assert_eq!(nearest(&values, number), place, "{number}");
        }
        assert_eq!([nearest(&values, f64::NAN), nearest(&values, f64::NEG_INFINITY)], [0, 0]);
        assert_eq!([nearest(&values, f64::INFINITY), nearest(&[5.0], 7.0)], [2, 0]);
    }
}
