//! Parameters of networks, and fitting by them: what all kinds have in common.

use linfa::dataset::{AsSingleTargets, DatasetBase, Records};
use linfa::traits::{Fit, FitWith};
use linfa::{Float, ParamGuard};
use ndarray::{ArrayBase, Data, Ix2};

use super::examples::{Examples, Known, columns};
use super::{FitNetworkError, FittedNetwork, Result, Target};
use crate::net::Network;
use crate::settings::{SettingError, Settings, require};
use crate::train::{Method, PositionSet, Supervised, SupervisedSettings, TdLambda, TdSettings};

/// Settings of a method of training.
pub trait Training: Settings + Clone + PartialEq + std::fmt::Debug {
    /// The method, for networks of one type.
    type Method<N: Network>: Method<Net = N>;

    /// Passes over the records, and measurements without progress after which training is to stop.
    fn passes_and_patience(&self) -> (usize, Option<usize>);

    /// The method that trains `net`.
    fn method<N: Network>(&self, seed: u64, net: &N) -> Self::Method<N>;
}

impl Training for SupervisedSettings {
    type Method<N: Network> = Supervised<N>;

    fn passes_and_patience(&self) -> (usize, Option<usize>) {
        (self.passes, self.patience)
    }

    fn method<N: Network>(&self, seed: u64, net: &N) -> Supervised<N> {
        Supervised::new(self.clone(), seed, net)
    }
}

impl Training for TdSettings {
    type Method<N: Network> = TdLambda<N>;

    fn passes_and_patience(&self) -> (usize, Option<usize>) {
        (self.passes, self.patience)
    }

    fn method<N: Network>(&self, _seed: u64, _net: &N) -> TdLambda<N> {
        TdLambda::new(self.clone())
    }
}

/// A kind of network with the parameters of its own.
pub trait Kind: Clone + PartialEq + std::fmt::Debug {
    /// The network.
    type Net: Network + 'static;
    /// The settings of its training.
    type Training: Training;

    /// Checks the range of each parameter.
    fn check(&self) -> Result<(), SettingError>;
}

/// Records that come with targets of type `T` in an `S`.
pub trait Samples<S, T: Target>: Records + Sized {
    /// How networks learn from such records.
    type Training: Training;

    /// The examples of a data set, by what is `known` from a first batch, and the positions that are learned from.
    fn examples(dataset: &DatasetBase<Self, S>, known: Known<'_, T>) -> Result<(Examples<T>, PositionSet)>;
}

/// Single records: each counts as often as it weighs. Their positions belong to no game.
impl<F, D, S, T> Samples<S, T> for ArrayBase<D, Ix2>
where
    F: Float + Into<f64>,
    D: Data<Elem = F>,
    S: AsSingleTargets<Elem = T>,
    T: Target,
{
    type Training = SupervisedSettings;

    fn examples(dataset: &DatasetBase<Self, S>, known: Known<'_, T>) -> Result<(Examples<T>, PositionSet)> {
        let targets = dataset.as_single_targets();
        if targets.len() != dataset.nsamples() {
            return Err(linfa::Error::MismatchedShapes(dataset.nsamples(), targets.len()).into());
        }
        let examples = Examples::of(dataset.records(), || columns(dataset), targets, known)?;
        let (examples, _) = examples.weighted(vec![1; dataset.nsamples()], dataset.weights())?;
        let positions = examples.positions(examples.outputs.clone(), &[examples.outputs.len()]);
        Ok((examples, positions))
    }
}

/// A kind of network that is fitted to such records.
pub trait FitsTo<R: Samples<S, T>, S, T: Target>: Kind {
    /// A network for these examples that has not learned yet.
    fn untrained(&self, dataset: &DatasetBase<R, S>, examples: &Examples<T>, seed: u64) -> Result<Self::Net>;
}

/// Parameters of a network of some kind, checked when it is fitted.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkParams<K: Kind>(pub(super) ValidNetworkParams<K>);

/// Parameters that were checked.
#[derive(Debug, Clone, PartialEq)]
pub struct ValidNetworkParams<K: Kind> {
    pub(super) kind: K,
    pub(super) training: K::Training,
    pub(super) seed: u64,
}

impl<K: Kind> NetworkParams<K> {
    pub(super) const fn new(kind: K, training: K::Training) -> Self {
        Self(ValidNetworkParams { kind, training, seed: 1 })
    }

    /// All settings of the training.
    #[must_use]
    pub fn training(mut self, settings: K::Training) -> Self {
        self.0.training = settings;
        self
    }

    /// The seed of random first weights and of the order of the records.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.0.seed = seed;
        self
    }
}

impl<K: Kind> ParamGuard for NetworkParams<K> {
    type Checked = ValidNetworkParams<K>;
    type Error = SettingError;

    fn check_ref(&self) -> Result<&Self::Checked, SettingError> {
        let ValidNetworkParams { kind, training, .. } = &self.0;
        kind.check()?;
        training.check()?;
        let (_, patience) = training.passes_and_patience();
        // A data set holds no records out, by which training could stop early.
        require(patience.is_none(), "patience", "absent, as no records are held out", patience.unwrap_or_default())?;
        Ok(&self.0)
    }

    fn check(self) -> Result<Self::Checked, SettingError> {
        self.check_ref()?;
        Ok(self.0)
    }
}

impl<K, R, S, T> Fit<R, S, FitNetworkError> for ValidNetworkParams<K>
where
    K: FitsTo<R, S, T>,
    R: Samples<S, T, Training = K::Training>,
    S: AsSingleTargets<Elem = T>,
    T: Target,
{
    type Object = FittedNetwork<K::Net, T>;

    /// Makes a network for the records with their targets, and trains it.
    fn fit(&self, dataset: &DatasetBase<R, S>) -> Result<Self::Object> {
        self.fit_with(None, dataset)
    }
}

impl<K, R, S, T> FitWith<'_, R, S, FitNetworkError> for ValidNetworkParams<K>
where
    K: FitsTo<R, S, T>,
    R: Samples<S, T, Training = K::Training>,
    S: AsSingleTargets<Elem = T>,
    T: Target,
{
    type ObjectIn = Option<FittedNetwork<K::Net, T>>;
    type ObjectOut = FittedNetwork<K::Net, T>;

    /// Trains `model` on, or a new network if there is none. The rules of a rough network stay what they are.
    fn fit_with(&self, model: Self::ObjectIn, dataset: &DatasetBase<R, S>) -> Result<Self::ObjectOut> {
        let (examples, positions) = R::examples(dataset, model.as_ref().map(FittedNetwork::known))?;
        let model = match model {
            Some(model) => model,
            None => FittedNetwork::untrained(self.kind.untrained(dataset, &examples, self.seed)?, &examples),
        };
        let method = |net: &K::Net, batch| self.training.method(self.seed.wrapping_add(batch), net);
        model.learn(method, &positions, self.training.passes_and_patience().0)
    }
}
