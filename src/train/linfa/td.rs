//! Plain networks by TD(λ), which learns from games and not from single records.

use linfa::Float;
use linfa::dataset::{AsSingleTargets, DatasetBase, Records};
use ndarray::Array2;

use super::bp::random_network;
use super::examples::{Codebook, Examples};
use super::params::{FitsTo, Kind, NetworkParams};
use super::{FitNetworkError, Target};
use crate::net::DenseNet;
use crate::net::dense::DenseShape;
use crate::settings::SettingError;
use crate::table::{attributes_of_records, feature_names};
use crate::train::{PositionSet, Schedule, TdSettings, UpdateForm, UpdateTime};

/// Games as the records of a data set: a sample is a game, its target the game's result.
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
    pub fn new(positions: Array2<F>, lengths: &[usize]) -> Result<Self, FitNetworkError> {
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

/// A plain network trained by TD(λ).
#[derive(Debug, Clone, PartialEq)]
pub struct Td(DenseShape);

/// Parameters of a plain network trained by TD(λ).
///
/// Without changes: one hidden layer of 20 neurons over numbers, 50 passes over the games, λ = 0.7, α = 0.05 after each game,
/// seed 1.
pub type TdParams = NetworkParams<Td>;

impl Default for TdParams {
    fn default() -> Self {
        let training = TdSettings {
            passes: 50,
            alpha: Schedule::constant(0.05),
            lambda: 0.7,
            update: UpdateTime::Game,
            form: UpdateForm::Traces,
            patience: None,
        };
        Self::new(Td(DenseShape::one_layer(20)), training)
    }
}

impl TdParams {
    /// The layers.
    #[must_use]
    pub fn shape(mut self, shape: DenseShape) -> Self {
        self.0.kind = Td(shape);
        self
    }
}

impl Kind for Td {
    type Net = DenseNet;
    type Training = TdSettings;

    fn check(&self) -> Result<(), SettingError> {
        self.0.check()
    }
}

impl<F, S, T> FitsTo<Games<F>, S, T> for Td
where
    F: Float + Into<f64>,
    S: AsSingleTargets<Elem = T>,
    T: Target,
{
    fn examples(
        dataset: &DatasetBase<Games<F>, S>,
        known: Option<(&Codebook, &T::Scale)>,
    ) -> Result<(Examples<T>, PositionSet), FitNetworkError> {
        let Games { positions, lengths } = dataset.records();
        let targets = dataset.as_single_targets();
        if targets.len() != lengths.len() {
            return Err(linfa::Error::MismatchedShapes(lengths.len(), targets.len()).into());
        }
        let columns = || attributes_of_records(positions, &feature_names(dataset.feature_names(), positions.ncols()));
        let examples = Examples::of(positions, columns, targets, known)?;
        let results = examples.outputs.iter().zip(lengths);
        let results = results.flat_map(|(&result, &length)| std::iter::repeat_n(result, length)).collect();
        let positions = examples.positions(results, lengths);
        Ok((examples, positions))
    }

    fn untrained(
        &self,
        _dataset: &DatasetBase<Games<F>, S>,
        examples: &Examples<T>,
        seed: u64,
    ) -> Result<DenseNet, FitNetworkError> {
        Ok(random_network(&self.0, examples, seed))
    }
}
