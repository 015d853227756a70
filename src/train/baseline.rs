//! What a network must beat: the constant and the linear fit of material (linfa).

use linfa::Dataset;
use linfa::traits::{Fit, Predict};
use linfa_linear::LinearRegression;
use ndarray::{Array1, Array2};

use super::positions::PositionSet;
use crate::features::AttributeSpec;

/// Held-out errors of the simplest predictors.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Baselines {
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

/// Fits both predictors on `training` and measures them on `held_out`.
///
/// `attributes` tell which values are pieces: a value v > 0 is a piece of the side that moves first, -v the same piece
/// of the other side, 0 none. Attributes that never take the value 0 (the side to move) are not material.
///
/// # Errors
/// When the fit is singular, as with no training positions.
pub fn baselines(
    attributes: &[AttributeSpec],
    training: &PositionSet,
    held_out: &PositionSet,
) -> Result<Baselines, BaselineError> {
    let step = training.len().div_ceil(MAX_ROWS).max(1);
    let pieces = telling_pieces(attributes, training, step);
    let mean = training.results().iter().map(|&z| f64::from(z)).sum::<f64>() / training.len().max(1) as f64;
    let (x, z) = material(attributes, &pieces, training, step);
    let model = LinearRegression::default().fit(&Dataset::new(x, z))?;
    let (x, z) = material(attributes, &pieces, held_out, 1);
    let predicted = model.predict(&x);
    Ok(Baselines {
        constant_mse: z.iter().map(|z| (z - mean).powi(2)).sum::<f64>() / z.len().max(1) as f64,
        material_mse: (&predicted - &z).mapv(|e| e * e).mean().unwrap_or(f64::NAN),
        material_weights: pieces.iter().copied().zip(model.params().iter().copied()).collect(),
    })
}

fn has_empty(attribute: &AttributeSpec) -> bool {
    attribute.values.contains(&0)
}

/// The distinct positive values of attributes that can be empty.
fn piece_values(attributes: &[AttributeSpec]) -> Vec<i32> {
    let mut values: Vec<i32> =
        attributes.iter().filter(|a| has_empty(a)).flat_map(|a| &a.values).copied().filter(|&v| v > 0).collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// The piece values whose numbers ever differ between the sides: a king's never does, and would make the fit singular.
fn telling_pieces(attributes: &[AttributeSpec], set: &PositionSet, step: usize) -> Vec<i32> {
    let all = piece_values(attributes);
    let (x, _) = material(attributes, &all, set, step);
    let differs = |column: usize| x.column(column).iter().any(|&difference| difference != 0.0);
    all.iter().enumerate().filter(|(column, _)| differs(*column)).map(|(_, &value)| value).collect()
}

/// Piece-number differences, shape (positions, pieces), and results of every `step`-th position.
fn material(
    attributes: &[AttributeSpec],
    pieces: &[i32],
    set: &PositionSet,
    step: usize,
) -> (Array2<f64>, Array1<f64>) {
    let chosen: Vec<usize> = (0..set.len()).step_by(step).collect();
    let mut x = Array2::zeros((chosen.len(), pieces.len()));
    for (mut x, &position) in x.rows_mut().into_iter().zip(&chosen) {
        for (attribute, &code) in attributes.iter().zip(set.row(position)).filter(|(a, _)| has_empty(a)) {
            let value = attribute.values[usize::from(code)];
            if let Ok(piece) = pieces.binary_search(&value.abs()) {
                x[piece] += f64::from(value.signum());
            }
        }
    }
    let z = chosen.iter().map(|&position| f64::from(set.results()[position])).collect();
    (x, z)
}
