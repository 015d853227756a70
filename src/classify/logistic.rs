//! Multinomial logistic regression (linfa) on indicators of values.

use linfa::Dataset;
use linfa::traits::Fit;
use linfa_logistic::{MultiFittedLogisticRegression, MultiLogisticRegression};
use ndarray::{Array1, Array2};

use super::{ClassifyError, Forecast, Learner, Majority, Model};
use crate::rough::{gcd, winner};
use crate::table::{Attribute, DecisionTable, Encoded, Encoder, TableError};

/// The name in results and messages.
const NAME: &str = "logistic";
/// The most indicator columns, one for each value of each attribute.
const MAX_COLUMNS: u64 = 4096;
/// The most numbers in the matrix of indicators: 0.8 GB.
const MAX_CELLS: u64 = 100_000_000;

/// Multinomial logistic regression with an L2 penalty of 1/2 |w|², on one indicator for each value of each attribute;
/// L-BFGS stops after 100 steps or when the gradient is small. A value that the training table lacks has no indicator.
///
/// linfa knows no weights here, so that an object of weight w becomes w rows (weights divided by their greatest common
/// divisor, which makes the penalty count more).
#[derive(Debug, Clone, Copy, Default)]
pub struct Logistic;

struct Fitted {
    encoder: Encoder,
    regression: MultiFittedLogisticRegression<f64, usize>,
    priors: Vec<u64>,
}

impl Learner for Logistic {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn fit(&self, table: &DecisionTable) -> Result<Box<dyn Model>, ClassifyError> {
        let priors = table.decision_weights();
        if priors.iter().filter(|weight| **weight > 0).count() < 2 {
            return Majority.fit(table);
        }
        let encoder = Encoder::of(table.attributes());
        let width = encoder.n_values().sum::<usize>() as u64;
        limit("columns", width, MAX_COLUMNS)?;
        let rows = observations(table, width)?;
        let records = indicators(&encoder, &encoder.encode(table.attributes())?, &rows);
        let targets: Array1<usize> = rows.iter().map(|&row| table.decision().code(row) as usize).collect();
        let regression = MultiLogisticRegression::default()
            .max_iterations(100)
            .fit(&Dataset::new(records, targets))
            .map_err(|e| ClassifyError::Unfitted { learner: NAME, reason: first_line(&e) })?;
        Ok(Box::new(Fitted { encoder, regression, priors }))
    }
}

impl Model for Fitted {
    fn predict(&self, columns: &[Attribute]) -> Result<Vec<Forecast>, TableError> {
        let encoded = self.encoder.encode(columns)?;
        let rows: Vec<usize> = (0..encoded.n_rows).collect();
        let blocks = rows.chunks(4096).map(|rows| indicators(&self.encoder, &encoded, rows));
        Ok(blocks.flat_map(|records| self.forecasts(&records)).collect())
    }
}

impl Fitted {
    fn forecasts(&self, records: &Array2<f64>) -> Vec<Forecast> {
        let probabilities = self.regression.predict_probabilities(records);
        let forecast = |of_classes: ndarray::ArrayView1<'_, f64>| {
            let mut votes = vec![0.0; self.priors.len()];
            for (&class, &probability) in self.regression.classes().iter().zip(of_classes) {
                votes[class] = probability;
            }
            Forecast { decision: winner(&votes, &self.priors), votes, basis: None }
        };
        probabilities.rows().into_iter().map(forecast).collect()
    }
}

fn first_line(error: &dyn std::error::Error) -> String {
    error.to_string().lines().next().unwrap_or("no reason is given").to_owned()
}

fn limit(what: &'static str, found: u64, limit: u64) -> Result<(), ClassifyError> {
    if found > limit { Err(ClassifyError::TooLarge { learner: NAME, what, found, limit }) } else { Ok(()) }
}

/// Each object as often as it weighs, divided by the greatest common divisor of the weights.
fn observations(table: &DecisionTable, width: u64) -> Result<Vec<usize>, ClassifyError> {
    let divisor = (0..table.n_objects()).fold(0, |divisor, row| gcd(divisor, table.weight(row))).max(1);
    limit("cells", (table.total_weight() / divisor).saturating_mul(width), MAX_CELLS)?;
    let repeated = |row| std::iter::repeat_n(row, (table.weight(row) / divisor) as usize);
    Ok((0..table.n_objects()).flat_map(repeated).collect())
}

/// The matrix (rows, values) that has a 1 where a row has a value.
fn indicators(encoder: &Encoder, encoded: &Encoded<'_>, rows: &[usize]) -> Array2<f64> {
    let mut matrix = Array2::zeros((rows.len(), encoder.n_values().sum()));
    let mut start = 0;
    for (column, n_values) in encoded.columns.iter().zip(encoder.n_values()) {
        for (at, &row) in rows.iter().enumerate() {
            if let Some(code) = column.place(row).code() {
                matrix[(at, start + code as usize)] = 1.0;
            }
        }
        start += n_values;
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flu() -> DecisionTable {
        let rows = [["a", "1", "x"], ["a", "2", "x"], ["b", "1", "y"], ["b", "2", "y"], ["a", "1", "y"]];
        DecisionTable::from_rows(&["p", "q"], "d", &rows).unwrap().reweighted(&[8, 8, 8, 8, 4]).unwrap()
    }

    #[test]
    fn the_heavier_decision_wins_and_unseen_values_are_allowed() {
        let model = Logistic.fit(&flu()).unwrap();
        let new = DecisionTable::from_rows(&["p", "q"], "d", &[["a", "1", "?"], ["b", "9", "?"]]).unwrap();
        let forecasts = model.predict(new.attributes()).unwrap();
        assert_eq!(forecasts.iter().map(|f| f.decision).collect::<Vec<_>>(), [0, 1]);
        assert!((forecasts[0].votes.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn weights_become_rows() {
        assert_eq!(observations(&flu(), 4).unwrap(), [0, 0, 1, 1, 2, 2, 3, 3, 4]);
        let error = observations(&flu(), MAX_CELLS).unwrap_err().to_string();
        assert!(error.contains("at most 100000000 cells of numbers, this table gives 900000000"), "{error}");
    }

    #[test]
    fn a_single_decision_needs_no_regression() {
        let table = DecisionTable::from_rows(&["p"], "d", &[["a", "x"], ["b", "x"]]).unwrap();
        assert_eq!(Logistic.fit(&table).unwrap().predict(table.attributes()).unwrap()[1].decision, 0);
    }
}
