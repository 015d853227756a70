//! Plain networks by back-propagation.

use linfa::Float;
use linfa::dataset::{AsSingleTargets, DatasetBase};
use ndarray::{ArrayBase, Data, Ix2};

use super::examples::{Codebook, Examples};
use super::params::{FitsTo, Kind, NetworkParams};
use super::{FitNetworkError, Target};
use crate::net::DenseNet;
use crate::net::dense::{ActivationFunction, DenseShape, InputForm};
use crate::net::optimiser::OptimiserKind;
use crate::settings::SettingError;
use crate::train::{PositionSet, Schedule, SupervisedSettings};

/// A plain network trained by back-propagation.
#[derive(Debug, Clone, PartialEq)]
pub struct Bp(DenseShape);

/// Parameters of a plain network trained by back-propagation.
///
/// Without changes: one hidden layer of 20 neurons with the hyperbolic tangent over numbers, 50 passes in batches of 32 by Adam
/// with a step size from 0.01 to 0.001, seed 1.
pub type BpParams = NetworkParams<Bp>;

impl Default for BpParams {
    fn default() -> Self {
        Self::new(Bp(DenseShape::one_layer(20)), default_training())
    }
}

/// 50 passes in batches of 32 by Adam, with a falling step size.
pub(super) fn default_training() -> SupervisedSettings {
    SupervisedSettings {
        passes: 50,
        batch: 32,
        optimiser: OptimiserKind::Adam,
        rate: Schedule::exponential(0.01, 0.001),
        patience: None,
    }
}

impl BpParams {
    /// Neurons of each hidden layer, each in [1, 1024]; none for a linear network.
    #[must_use]
    pub fn hidden(mut self, neurons: &[usize]) -> Self {
        self.0.kind.0.hidden = neurons.to_vec();
        self
    }

    /// The function of the hidden layers.
    #[must_use]
    pub const fn activation(mut self, function: ActivationFunction) -> Self {
        self.0.kind.0.activation = function;
        self
    }

    /// What stands for a value at the inputs.
    #[must_use]
    pub const fn inputs(mut self, form: InputForm) -> Self {
        self.0.kind.0.inputs = form;
        self
    }

    /// Passes over the records, in [1, 10000].
    #[must_use]
    pub const fn passes(mut self, passes: usize) -> Self {
        self.0.training.passes = passes;
        self
    }
}

impl Kind for Bp {
    type Net = DenseNet;
    type Training = SupervisedSettings;

    fn check(&self) -> Result<(), SettingError> {
        self.0.check()
    }
}

/// A plain network with random weights for these examples.
pub(super) fn random_network<T: Target>(shape: &DenseShape, examples: &Examples<T>, seed: u64) -> DenseNet {
    DenseNet::random(examples.codebook.coding(), shape.clone(), seed, "linfa-initial-weights")
}

impl<F, D, S, T> FitsTo<ArrayBase<D, Ix2>, S, T> for Bp
where
    F: Float + Into<f64>,
    D: Data<Elem = F>,
    S: AsSingleTargets<Elem = T>,
    T: Target,
{
    fn examples(
        dataset: &DatasetBase<ArrayBase<D, Ix2>, S>,
        known: Option<(&Codebook, &T::Scale)>,
    ) -> Result<(Examples<T>, PositionSet), FitNetworkError> {
        Examples::of_dataset(dataset, known)
    }

    fn untrained(
        &self,
        _dataset: &DatasetBase<ArrayBase<D, Ix2>, S>,
        examples: &Examples<T>,
        seed: u64,
    ) -> Result<DenseNet, FitNetworkError> {
        Ok(random_network(&self.0, examples, seed))
    }
}
