//! Games as records: TD(λ) learns from them and not from single records.

use linfa::Float;
use linfa::dataset::{AsSingleTargets, DatasetBase, Records};
use ndarray::Array2;

use super::examples::{Examples, Known};
use super::params::Samples;
use super::{FitNetworkError, Result, Target};
use crate::table::{attributes_of_records, feature_names};
use crate::train::{PositionSet, TdSettings};

/// Games as the records of a data set: a sample is a game, its target the game's result, its weight how often it is learned from
/// in each pass, one time after the other.
///
/// ```
/// use linfa::prelude::*;
/// use ndarray::array;
/// use roughboard::train::linfa::{Games, TdParams};
///
/// // Two games of two positions each: the first is won, the second lost.
/// let positions = array![[0.0, 0.5], [0.0, 1.0], [0.0, -0.5], [0.0, -1.0]];
/// let games = DatasetBase::new(Games::new(positions.clone(), &[2, 2])?, array![1.0, -1.0]);
/// let network = TdParams::default().fit(&games)?;
/// let values = network.predict(&positions);
/// println!("{values}");
/// assert!(values[1] > values[3]);
/// # Ok::<(), roughboard::train::linfa::FitNetworkError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Games<F> {
    positions: Array2<F>,
    lengths: Vec<usize>,
}

impl<F> Games<F> {
    /// Games from their positions (n_positions, n_features) in the order of play, one game after the other, and the number of
    /// positions of each game.
    ///
    /// # Errors
    /// When the lengths do not add up to the number of positions.
    pub fn new(positions: Array2<F>, lengths: &[usize]) -> Result<Self> {
        let (expected, found) = (positions.nrows(), lengths.iter().sum());
        if expected == found {
            Ok(Self { positions, lengths: lengths.to_vec() })
        } else {
            Err(FitNetworkError::Games { expected, found })
        }
    }

    /// The positions of all games, one after the other.
    pub const fn positions(&self) -> &Array2<F> {
        &self.positions
    }

    /// The number of positions of each game.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }
}

impl<F> Records for Games<F> {
    type Elem = F;

    /// The number of games.
    fn nsamples(&self) -> usize {
        self.lengths.len()
    }

    fn nfeatures(&self) -> usize {
        self.positions.ncols()
    }
}

impl<F, S, T> Samples<S, T> for Games<F>
where
    F: Float + Into<f64>,
    S: AsSingleTargets<Elem = T>,
    T: Target,
{
    type Training = TdSettings;

    fn examples(dataset: &DatasetBase<Self, S>, known: Known<'_, T>) -> Result<(Examples<T>, PositionSet)> {
        let Games { positions, lengths } = dataset.records();
        let targets = dataset.as_single_targets();
        if targets.len() != lengths.len() {
            return Err(linfa::Error::MismatchedShapes(lengths.len(), targets.len()).into());
        }
        let columns = || attributes_of_records(positions, &feature_names(dataset.feature_names(), positions.ncols()));
        let examples = Examples::of(positions, columns, targets, known)?;
        let (examples, lengths) = examples.weighted(lengths.clone(), dataset.weights())?;
        let results = examples.outputs.iter().zip(&lengths);
        let results = results.flat_map(|(&result, &length)| std::iter::repeat_n(result, length)).collect();
        let positions = examples.positions(results, &lengths);
        Ok((examples, positions))
    }
}
