//! Plain networks, by back-propagation or by TD(λ).

use std::marker::PhantomData;

use linfa::dataset::DatasetBase;

use super::examples::Examples;
use super::params::{FitsTo, Kind, NetworkParams, Samples, Training};
use super::{Result, Target};
use crate::net::DenseNet;
use crate::net::dense::{ActivationFunction, DenseShape, InputForm};
use crate::net::optimiser::OptimiserKind;
use crate::settings::SettingError;
use crate::train::{Schedule, SupervisedSettings, TdSettings};

/// A plain network with settings `M` of its training.
#[derive(Debug, Clone, PartialEq)]
pub struct Plain<M>(DenseShape, PhantomData<M>);

/// Parameters of a plain network trained by back-propagation.
///
/// Without changes: one hidden layer of 20 neurons with the hyperbolic tangent over numbers, 50 passes in batches of 32 by Adam
/// with a step size from 0.01 to 0.001, seed 1.
pub type BpParams = NetworkParams<Plain<SupervisedSettings>>;

/// Parameters of a plain network trained by TD(λ).
///
/// Without changes: one hidden layer of 20 neurons over numbers, 50 passes over the games, λ = 0.7, α = 0.05 after each game,
/// seed 1.
pub type TdParams = NetworkParams<Plain<TdSettings>>;

impl Default for BpParams {
    fn default() -> Self {
        Self::new(Plain(DenseShape::one_layer(20), PhantomData), default_training())
    }
}

impl Default for TdParams {
    fn default() -> Self {
        let training = TdSettings { passes: 50, alpha: Schedule::constant(0.05), lambda: 0.7, ..TdSettings::default() };
        Self::new(Plain(DenseShape::one_layer(20), PhantomData), training)
    }
}

/// 50 passes in batches of 32 by Adam, with a falling step size.
pub(super) fn default_training() -> SupervisedSettings {
    let rate = Schedule::exponential(0.01, 0.001);
    SupervisedSettings { passes: 50, batch: 32, optimiser: OptimiserKind::Adam, rate, ..SupervisedSettings::default() }
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

impl TdParams {
    /// The layers.
    #[must_use]
    pub fn shape(mut self, shape: DenseShape) -> Self {
        self.0.kind.0 = shape;
        self
    }
}

impl<M: Training> Kind for Plain<M> {
    type Net = DenseNet;
    type Training = M;

    fn check(&self) -> Result<(), SettingError> {
        self.0.check()
    }
}

impl<M: Training, R: Samples<S, T>, S, T: Target> FitsTo<R, S, T> for Plain<M> {
    fn untrained(&self, _dataset: &DatasetBase<R, S>, examples: &Examples<T>, seed: u64) -> Result<DenseNet> {
        Ok(DenseNet::random(examples.codebook.coding(), self.0.clone(), seed, "linfa-initial-weights"))
    }
}
