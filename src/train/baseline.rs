//! What a network must beat: the constant and the linear fit of material (linfa).

use linfa::Dataset;
use linfa::traits::{Fit, Predict};
use linfa_linear::LinearRegression;
use ndarray::{Array1, Array2, Axis};

use super::positions::PositionSet;
use crate::game::Game;
use crate::game::MaterialCount;

/// Held-out errors of the simplest predictors.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Baselines {
    /// What the linear fit goes by: the name of [`MaterialCount`].
    pub name: &'static str,
    /// Mean squared error of always predicting the mean result of the training positions.
    pub constant_mse: f64,
    /// Mean squared error of the linear fit to the differences in the numbers of pieces of each value.
    pub material_mse: f64,
    /// The fitted weight of one piece more, by the piece's value.
    pub material_weights: Vec<(i32, f64)>,
}

/// Rows fitted at most; a least-squares fit of a handful of weights gains nothing from more.
const MAX_ROWS: usize = 200_000;

/// A column of which no more than this share of its variance is its own depends on the others.
const SINGULAR: f64 = 1e-9;

/// Why the linear fit failed.
#[derive(Debug, thiserror::Error)]
#[error("the linear fit of material to the results failed")]
pub struct BaselineError(#[from] linfa_linear::LinearError<f64>);

/// Fits both predictors on `training` and measures them on `held_out`, both of which were read with `material`.
///
/// # Errors
/// When the fit is singular, as with no training positions.
pub fn baselines<G: Game>(
    material: &MaterialCount<G>,
    training: &PositionSet,
    held_out: &PositionSet,
) -> Result<Baselines, BaselineError> {
    let step = training.len().div_ceil(MAX_ROWS).max(1);
    let all: Vec<usize> = (0..material.values.len()).collect();
    let kinds = independent(&design(&all, training, step).0);
    let mean = training.results().iter().map(|&z| f64::from(z)).sum::<f64>() / training.len().max(1) as f64;
    let (x, z) = design(&kinds, training, step);
    let model = LinearRegression::default().fit(&Dataset::new(x, z))?;
    let (x, z) = design(&kinds, held_out, 1);
    let predicted = model.predict(&x);
    Ok(Baselines {
        name: material.name,
        constant_mse: z.iter().map(|z| (z - mean).powi(2)).sum::<f64>() / z.len().max(1) as f64,
        material_mse: (&predicted - &z).mapv(|e| e * e).mean().unwrap_or(f64::NAN),
        material_weights: kinds.iter().map(|&kind| material.values[kind]).zip(model.params().iter().copied()).collect(),
    })
}

/// The columns of `x` that are no combination of those before, a constant included: others would make the fit singular.
fn independent(x: &Array2<f64>) -> Vec<usize> {
    let Some(means) = x.mean_axis(Axis(0)) else { return Vec::new() };
    let centred = x - &means;
    let products = centred.t().dot(&centred);
    // Cholesky's decomposition of the products; a column without a rest of its own is passed over.
    let mut kept: Vec<(usize, Vec<f64>)> = Vec::new();
    for column in 0..x.ncols() {
        let mut row: Vec<f64> = Vec::with_capacity(kept.len() + 1);
        for (at, (other, of_other)) in kept.iter().enumerate() {
            let known: f64 = row.iter().zip(of_other).map(|(a, b)| a * b).sum();
            row.push((products[[column, *other]] - known) / of_other[at]);
        }
        let rest = products[[column, column]] - row.iter().map(|part| part * part).sum::<f64>();
        if rest > SINGULAR * products[[column, column]] {
            row.push(rest.sqrt());
            kept.push((column, row));
        }
    }
    kept.into_iter().map(|(column, _)| column).collect()
}

/// By how many pieces of each of `kinds` the first side leads, shape (positions, kinds), and the results, of every `step`-th
/// position.
fn design(kinds: &[usize], set: &PositionSet, step: usize) -> (Array2<f64>, Array1<f64>) {
    let chosen: Vec<usize> = (0..set.len()).step_by(step).collect();
    let lead = |(row, column): (usize, usize)| f64::from(set.leads(chosen[row])[kinds[column]]);
    let x = Array2::from_shape_fn((chosen.len(), kinds.len()), lead);
    let z = chosen.iter().map(|&position| f64::from(set.results()[position])).collect();
    (x, z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_columns_and_combinations_of_others_are_left_out() {
        let base = [[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [-1.0, 1.0], [2.0, -2.0]];
        let row = |[a, b]: [f64; 2]| [a, 0.0, 7.0, 2.0 * a + 3.0, b, a - b];
        let x = Array2::from_shape_vec((5, 6), base.into_iter().flat_map(row).collect()).unwrap();
        assert_eq!(independent(&x), [0, 4]);
        assert!(independent(&Array2::zeros((0, 3))).is_empty());
    }
}
