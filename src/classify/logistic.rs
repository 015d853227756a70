//! Multinomial logistic regression (linfa) on numbers and indicators of values.

use linfa::Dataset;
use linfa::traits::Fit;
use linfa_logistic::{MultiFittedLogisticRegression, MultiLogisticRegression};
use ndarray::{Array1, Array2};

use super::measure::Measure;
use super::{ClassifyError, Forecast, Learner, Majority, Model, Numbers};
use crate::rough::{Point, Similarity, gcd, winner};
use crate::table::{Attribute, DecisionTable, TableError, Value};

/// The name in results and messages.
const NAME: &str = "logistic";
/// The most columns of the matrix.
const MAX_COLUMNS: u64 = 4096;
/// The most numbers in the matrix: 0.8 GB.
const MAX_CELLS: u64 = 100_000_000;

/// Multinomial logistic regression with an L2 penalty of 1/2 |w|², on one column for each attribute of numbers, less the mean of
/// the training objects and divided by their standard deviation, and on one indicator for each value of each other attribute;
/// L-BFGS stops after 100 steps or when the gradient is small. A missing number is the mean, and has an indicator if training
/// objects lack it; a value that the training table lacks has no indicator.
///
/// linfa knows no weights here, so that an object of weight w becomes w rows (weights divided by their greatest common
/// divisor, which makes the penalty count more).
#[derive(Debug, Clone, Copy, Default)]
pub struct Logistic {
    /// Whether numbers are taken for names, each with an indicator.
    pub as_values: bool,
}

/// How objects become rows of a matrix.
struct Form {
    table: DecisionTable,
    measures: Vec<Measure>,
    /// Of attributes of numbers the mean of the training objects, in units of the scale.
    means: Vec<f64>,
}

struct Fitted {
    form: Form,
    regression: MultiFittedLogisticRegression<f64, usize>,
    priors: Vec<u64>,
}

impl Learner for Logistic {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn numbers(&self) -> Numbers {
        Numbers::scaled_unless(self.as_values)
    }

    fn fit(&self, table: &DecisionTable) -> Result<Box<dyn Model>, ClassifyError> {
        let priors = table.decision_weights();
        if priors.iter().filter(|weight| **weight > 0).count() < 2 {
            return Majority.fit(table);
        }
        let form = Form::of(table, self.as_values)?;
        let width = form.widths().sum::<usize>() as u64;
        limit("columns", width, MAX_COLUMNS)?;
        let rows = observations(table, width)?;
        let records = form.records(&form.points(table.attributes())?, &rows);
        let targets: Array1<usize> = rows.iter().map(|&row| table.decision().code(row) as usize).collect();
        let regression = MultiLogisticRegression::default()
            .max_iterations(100)
            .fit(&Dataset::new(records, targets))
            .map_err(|e| ClassifyError::Unfitted { learner: NAME, reason: first_line(&e) })?;
        Ok(Box::new(Fitted { form, regression, priors }))
    }
}

impl Model for Fitted {
    fn predict(&self, columns: &[Attribute]) -> Result<Vec<Forecast>, TableError> {
        let points = self.form.points(columns)?;
        let rows: Vec<usize> = (0..columns.first().map_or(0, Attribute::len)).collect();
        let blocks = rows.chunks(4096).map(|rows| self.form.records(&points, rows));
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
            Forecast { decision: winner(&votes, &self.priors), votes: votes.into(), basis: None }
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

impl Form {
    fn of(table: &DecisionTable, as_values: bool) -> Result<Self, ClassifyError> {
        let measures = Measure::of_all(table, Similarity::Gaussian, as_values)?;
        let points = Measure::points_of_all(&measures, table, table.attributes())?;
        let means = points.iter().map(|points| mean(points, table)).collect();
        Ok(Self { table: table.clone(), measures, means })
    }

    fn points(&self, columns: &[Attribute]) -> Result<Vec<Vec<Point>>, TableError> {
        Measure::points_of_all(&self.measures, &self.table, columns)
    }

    /// How many columns each attribute has.
    fn widths(&self) -> impl Iterator<Item = usize> {
        self.table.attributes().iter().zip(&self.measures).map(|(attribute, measure)| match measure {
            Measure::Numbers(_) => 1 + usize::from(attribute.domain().last() == Some(&Value::Missing)),
            Measure::Values => attribute.n_values(),
        })
    }

    /// The matrix with the `rows` of `points`.
    fn records(&self, points: &[Vec<Point>], rows: &[usize]) -> Array2<f64> {
        let mut matrix = Array2::zeros((rows.len(), self.widths().sum()));
        let mut start = 0;
        for ((points, mean), width) in points.iter().zip(&self.means).zip(self.widths()) {
            for (at, &row) in rows.iter().enumerate() {
                let (column, value) = match (points[row], points[row].number()) {
                    (Point::Code(code), _) => (code.map(|code| code as usize), 1.0),
                    (Point::Number(_), Some(number)) => (Some(0), number - mean),
                    (Point::Number(_), None) => ((width > 1).then_some(1), 1.0),
                };
                column.into_iter().for_each(|column| matrix[(at, start + column)] = value);
            }
            start += width;
        }
        matrix
    }
}

/// The mean of the numbers among the points of training objects; 0 of none.
fn mean(points: &[Point], table: &DecisionTable) -> f64 {
    let weighed =
        points.iter().enumerate().filter_map(|(row, point)| Some((point.number()?, table.weight(row) as f64)));
    let (sum, total) =
        weighed.fold((0.0, 0.0), |(sum, total), (number, weight)| (sum + weight * number, total + weight));
    if total > 0.0 { sum / total } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Roles;

    fn flu() -> DecisionTable {
        let rows = [["a", "1", "x"], ["a", "2", "x"], ["b", "1", "y"], ["b", "2", "y"], ["a", "1", "y"]];
        DecisionTable::from_rows(&["p", "q"], "d", &rows).unwrap().reweighted(&[8, 8, 8, 8, 4]).unwrap()
    }

    #[test]
    fn the_heavier_decision_wins_and_unseen_values_are_allowed() {
        let model = Logistic::default().fit(&flu()).unwrap();
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
        assert_eq!(Logistic::default().fit(&table).unwrap().predict(table.attributes()).unwrap()[1].decision, 0);
    }

    #[test]
    fn numbers_are_one_column_in_units_of_their_deviation() {
        let table = DecisionTable::from_csv("x,c,d\n1,p,a\n3,q,b\n5,p,b\n?,q,a\n", &Roles::decided_by("d")).unwrap();
        let form = Form::of(&table, false).unwrap();
        let records = form.records(&form.points(table.attributes()).unwrap(), &[0, 1, 2, 3]);
        assert_eq!(
            records,
            ndarray::array![[-1.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]]
        );
        let others = [("x", "many"), ("c", "p")].map(|(name, text)| Attribute::from_values(name, &[Value::text(text)]));
        assert_eq!(form.records(&form.points(&others).unwrap(), &[0]), ndarray::array![[0.0, 0.0, 1.0, 0.0]]);
        assert_eq!(Form::of(&table, true).unwrap().widths().collect::<Vec<_>>(), [4, 2]);
    }
}
