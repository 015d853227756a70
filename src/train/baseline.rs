//! What a network must beat: the constant and the linear fit of material (linfa).

use linfa::Dataset;
use linfa::traits::{Fit, Predict};
use linfa_linear::LinearRegression;
use ndarray::{Array1, Array2};

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
    let kinds = telling_kinds(material.values.len(), training, step);
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

/// The kinds of pieces whose numbers ever differ between the sides: others would make the fit singular.
fn telling_kinds(n_kinds: usize, set: &PositionSet, step: usize) -> Vec<usize> {
    let differs = |kind: &usize| (0..set.len()).step_by(step).any(|position| set.leads(position)[*kind] != 0);
    (0..n_kinds).filter(differs).collect()
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
