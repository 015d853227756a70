//! Plain networks by back-propagation.

use linfa::dataset::{AsSingleTargets, DatasetBase};
use linfa::traits::{Fit, FitWith};
use linfa::{Float, ParamGuard};
use ndarray::{ArrayBase, Data, Ix2};

use super::examples::Examples;
use super::{FitNetworkError, FittedNetwork, Target};
use crate::net::DenseNet;
use crate::net::dense::{ActivationFunction, DenseShape, InputForm};
use crate::net::optimiser::OptimiserKind;
use crate::setting::{SettingError, require};
use crate::train::{Schedule, Supervised, SupervisedSettings};

/// Parameters of a plain network trained by back-propagation, checked when it is fitted.
///
/// Without changes: one hidden layer of 20 neurons with the hyperbolic tangent over numbers, 50 passes in batches of 32 by Adam
/// with a step size from 0.01 to 0.001, seed 1.
#[derive(Debug, Clone, PartialEq)]
pub struct BpParams(BpValidParams);

/// Parameters that were checked.
#[derive(Debug, Clone, PartialEq)]
pub struct BpValidParams {
    shape: DenseShape,
    training: SupervisedSettings,
    seed: u64,
}

impl Default for BpParams {
    fn default() -> Self {
        Self(BpValidParams { shape: DenseShape::one_layer(20), training: default_training(), seed: 1 })
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

/// A data set holds no records out, by which training could stop early.
pub(super) fn check_patience(patience: Option<usize>) -> Result<(), SettingError> {
    require(patience.is_none(), "patience", "absent, as no records are held out", patience.unwrap_or_default())
}

impl BpParams {
    /// Neurons of each hidden layer, each in [1, 1024]; none for a linear network.
    #[must_use]
    pub fn hidden(mut self, neurons: &[usize]) -> Self {
        self.0.shape.hidden = neurons.to_vec();
        self
    }

    /// The function of the hidden layers.
    #[must_use]
    pub fn activation(mut self, function: ActivationFunction) -> Self {
        self.0.shape.activation = function;
        self
    }

    /// What stands for a value at the inputs.
    #[must_use]
    pub fn inputs(mut self, form: InputForm) -> Self {
        self.0.shape.inputs = form;
        self
    }

    /// Passes over the records, in [1, 10000].
    #[must_use]
    pub fn passes(mut self, passes: usize) -> Self {
        self.0.training.passes = passes;
        self
    }

    /// All settings of the training.
    #[must_use]
    pub fn training(mut self, settings: SupervisedSettings) -> Self {
        self.0.training = settings;
        self
    }

    /// The seed of first weights and order.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.0.seed = seed;
        self
    }
}

impl ParamGuard for BpParams {
    type Checked = BpValidParams;
    type Error = SettingError;

    fn check_ref(&self) -> Result<&BpValidParams, SettingError> {
        self.0.shape.check()?;
        self.0.training.check()?;
        check_patience(self.0.training.patience)?;
        Ok(&self.0)
    }

    fn check(self) -> Result<BpValidParams, SettingError> {
        self.check_ref()?;
        Ok(self.0)
    }
}

impl<F, D, S, T> Fit<ArrayBase<D, Ix2>, S, FitNetworkError> for BpValidParams
where
    F: Float + Into<f64>,
    D: Data<Elem = F>,
    S: AsSingleTargets<Elem = T>,
    T: Target,
{
    type Object = FittedNetwork<DenseNet, T>;

    /// Trains a network on records (n_samples, n_features) with their targets (n_samples).
    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, S>) -> Result<Self::Object, FitNetworkError> {
        self.fit_with(None, dataset)
    }
}

impl<F, D, S, T> FitWith<'_, ArrayBase<D, Ix2>, S, FitNetworkError> for BpValidParams
where
    F: Float + Into<f64>,
    D: Data<Elem = F>,
    S: AsSingleTargets<Elem = T>,
    T: Target,
{
    type ObjectIn = Option<FittedNetwork<DenseNet, T>>;
    type ObjectOut = FittedNetwork<DenseNet, T>;

    /// Trains `model` on, or a new network if there is none.
    fn fit_with(
        &self,
        model: Self::ObjectIn,
        dataset: &DatasetBase<ArrayBase<D, Ix2>, S>,
    ) -> Result<Self::ObjectOut, FitNetworkError> {
        let examples = Examples::of_dataset(dataset, model.as_ref().map(FittedNetwork::known))?;
        let model = model.unwrap_or_else(|| FittedNetwork::random(&self.shape, self.seed, &examples));
        let method = |net: &DenseNet, batch| Supervised::new(self.training.clone(), self.seed.wrapping_add(batch), net);
        model.learn(method, &examples.single_positions(), self.training.passes)
    }
}
