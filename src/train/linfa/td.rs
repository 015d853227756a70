//! Plain networks by TD(λ), which learns from games and not from single records.

use linfa::dataset::{AsSingleTargets, DatasetBase, Records};
use linfa::traits::{Fit, FitWith};
use linfa::{Float, ParamGuard};
use ndarray::Array2;

use super::bp::check_patience;
use super::examples::Examples;
use super::{FitNetworkError, FittedNetwork, Target};
use crate::net::DenseNet;
use crate::net::dense::DenseShape;
use crate::setting::SettingError;
use crate::table::{attributes_of_records, feature_names};
use crate::train::{Schedule, TdLambda, TdSettings, UpdateForm, UpdateTime};

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
    #[must_use]
    pub const fn positions(&self) -> &Array2<F> {
        &self.positions
    }

    /// The number of positions of each game.
    #[must_use]
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

/// Parameters of a plain network trained by TD(λ), checked when it is fitted.
///
/// Without changes: one hidden layer of 20 neurons over numbers, 50 passes over the games, λ = 0.7, α = 0.05 after each game,
/// seed 1.
#[derive(Debug, Clone, PartialEq)]
pub struct TdParams(TdValidParams);

/// Parameters that were checked.
#[derive(Debug, Clone, PartialEq)]
pub struct TdValidParams {
    shape: DenseShape,
    training: TdSettings,
    seed: u64,
}

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
        Self(TdValidParams { shape: DenseShape::one_layer(20), training, seed: 1 })
    }
}

impl TdParams {
    /// The layers.
    #[must_use]
    pub fn shape(mut self, shape: DenseShape) -> Self {
        self.0.shape = shape;
        self
    }

    /// All settings of the training.
    #[must_use]
    pub fn training(mut self, settings: TdSettings) -> Self {
        self.0.training = settings;
        self
    }

    /// The seed of the first weights.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.0.seed = seed;
        self
    }
}

impl ParamGuard for TdParams {
    type Checked = TdValidParams;
    type Error = SettingError;

    fn check_ref(&self) -> Result<&TdValidParams, SettingError> {
        self.0.shape.check()?;
        self.0.training.check()?;
        check_patience(self.0.training.patience)?;
        Ok(&self.0)
    }

    fn check(self) -> Result<TdValidParams, SettingError> {
        self.check_ref()?;
        Ok(self.0)
    }
}

impl<F, S, T> Fit<Games<F>, S, FitNetworkError> for TdValidParams
where
    F: Float + Into<f64>,
    S: AsSingleTargets<Elem = T>,
    T: Target,
{
    type Object = FittedNetwork<DenseNet, T>;

    /// Trains a network on games with their results (n_games), in their order.
    fn fit(&self, dataset: &DatasetBase<Games<F>, S>) -> Result<Self::Object, FitNetworkError> {
        self.fit_with(None, dataset)
    }
}

impl<F, S, T> FitWith<'_, Games<F>, S, FitNetworkError> for TdValidParams
where
    F: Float + Into<f64>,
    S: AsSingleTargets<Elem = T>,
    T: Target,
{
    type ObjectIn = Option<FittedNetwork<DenseNet, T>>;
    type ObjectOut = FittedNetwork<DenseNet, T>;

    /// Trains `model` on, or a new network if there is none.
    fn fit_with(
        &self,
        model: Self::ObjectIn,
        dataset: &DatasetBase<Games<F>, S>,
    ) -> Result<Self::ObjectOut, FitNetworkError> {
        let Games { positions, lengths } = dataset.records();
        let targets = dataset.as_single_targets();
        if targets.len() != lengths.len() {
            return Err(linfa::Error::MismatchedShapes(lengths.len(), targets.len()).into());
        }
        let columns = || attributes_of_records(positions, &feature_names(dataset.feature_names(), positions.ncols()));
        let examples = Examples::of(positions, columns, targets, model.as_ref().map(FittedNetwork::known))?;
        let results = examples.outputs.iter().zip(lengths);
        let results = results.flat_map(|(&result, &length)| std::iter::repeat_n(result, length)).collect();
        let model = model.unwrap_or_else(|| FittedNetwork::random(&self.shape, self.seed, &examples));
        let method = |_: &DenseNet, _| TdLambda::new(self.training.clone());
        model.learn(method, &examples.positions(results, lengths), self.training.passes)
    }
}
