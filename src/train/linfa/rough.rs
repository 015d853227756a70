//! Rough networks: rules of the data set's decision table become neurons, which are then trained.

use linfa::dataset::{AsSingleTargets, DatasetBase};
use linfa::traits::{Fit, FitWith};
use linfa::{Float, ParamGuard};
use ndarray::{ArrayBase, Data, Ix2};

use super::bp::{check_patience, default_training};
use super::examples::{Examples, columns};
use super::{FitNetworkError, FittedNetwork, Target};
use crate::net::RoughNet;
use crate::net::rough::RoughSettings;
use crate::observe::Silent;
use crate::rough::{Covering, Method, Notion, Reduct, covering_rules};
use crate::setting::{SettingError, require};
use crate::table::{AttrIdx, Attribute, DecisionTable, Value, Weights, weight_counts};
use crate::train::rough::rough_network;
use crate::train::{Supervised, SupervisedSettings};

/// Which rules of the data set's decision table become neurons.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoveringRules {
    /// Rules in all, shared evenly among the decisions, in [3, 10000].
    pub number: usize,
    /// Conditions of a rule at most, in [1, 20].
    pub max_conditions: usize,
    /// Records that have a rule's decision among those that match it, as a share of all records, in (0, 1).
    pub min_support: f64,
}

impl CoveringRules {
    fn check(&self) -> Result<(), SettingError> {
        require((3..=10_000).contains(&self.number), "number", "in [3, 10000]", self.number)?;
        let (most, least) = (self.max_conditions, self.min_support);
        require((1..=20).contains(&most), "max_conditions", "in [1, 20]", most)?;
        require(least > 0.0 && least < 1.0, "min_support", "in (0, 1)", least)
    }

    /// What it asks of the rules of a table of `n_objects` objects.
    fn covering(&self, n_objects: u64) -> Covering {
        let min_support = ((n_objects as f64 * self.min_support).round() as u64).max(1);
        Covering { n_rules: self.number, max_len: self.max_conditions, min_support }
    }
}

/// Parameters of a rough network, checked when it is fitted.
///
/// Each distinct target is a decision, so that there should be few. Without changes: 12 rules of at most 3 conditions, supported
/// by a hundredth of the records, over all columns; τ = 1, smoothing by one record, sharpness 2; training as of
/// [`BpParams`](super::BpParams); seed 1.
#[derive(Debug, Clone, PartialEq)]
pub struct RoughNetParams(RoughNetValidParams);

/// Parameters that were checked.
#[derive(Debug, Clone, PartialEq)]
pub struct RoughNetValidParams {
    rules: CoveringRules,
    form: RoughSettings,
    reduct: Option<(Notion, Method)>,
    training: SupervisedSettings,
    seed: u64,
}

impl Default for RoughNetParams {
    fn default() -> Self {
        Self(RoughNetValidParams {
            rules: CoveringRules { number: 12, max_conditions: 3, min_support: 0.01 },
            form: RoughSettings { tau: 1.0, smoothing: 1.0, ..RoughSettings::default() },
            reduct: None,
            training: default_training(),
            seed: 1,
        })
    }
}

impl RoughNetParams {
    /// Which rules become neurons.
    #[must_use]
    pub fn rules(mut self, rules: CoveringRules) -> Self {
        self.0.rules = rules;
        self
    }

    /// The network's form before training.
    #[must_use]
    pub fn form(mut self, form: RoughSettings) -> Self {
        self.0.form = form;
        self
    }

    /// Reads only the columns of a reduct, and has rules over them only.
    #[must_use]
    pub fn reduct(mut self, notion: Notion, method: Method) -> Self {
        self.0.reduct = Some((notion, method));
        self
    }

    /// All settings of the training.
    #[must_use]
    pub fn training(mut self, settings: SupervisedSettings) -> Self {
        self.0.training = settings;
        self
    }

    /// The seed of the order of the records.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.0.seed = seed;
        self
    }
}

impl ParamGuard for RoughNetParams {
    type Checked = RoughNetValidParams;
    type Error = SettingError;

    fn check_ref(&self) -> Result<&RoughNetValidParams, SettingError> {
        self.0.rules.check()?;
        self.0.form.check()?;
        self.0.training.check()?;
        check_patience(self.0.training.patience)?;
        Ok(&self.0)
    }

    fn check(self) -> Result<RoughNetValidParams, SettingError> {
        self.check_ref()?;
        Ok(self.0)
    }
}

impl RoughNetValidParams {
    /// The network of the rules of `table`, whose codes are those of the examples.
    fn untrained<T: Target>(
        &self,
        table: &DecisionTable,
        examples: &Examples<T>,
    ) -> Result<FittedNetwork<RoughNet, T>, FitNetworkError> {
        let inputs = match self.reduct {
            Some((notion, method)) => Reduct::of(table, notion, method).attrs().clone(),
            None => table.all_attributes(),
        };
        let n_objects = table.total_weight();
        let covering = self.rules.covering(n_objects);
        let rules = covering_rules(table, &inputs, &covering, &Silent);
        if rules.is_empty() {
            return Err(FitNetworkError::NoRules { min_support: covering.min_support, n_objects });
        }
        let inputs: Vec<AttrIdx> = inputs.iter().collect();
        let net = rough_network(table, &rules, &inputs, &examples.codebook.coding(), &self.form);
        Ok(FittedNetwork::untrained(net, examples))
    }

    fn learn<T: Target>(
        &self,
        model: FittedNetwork<RoughNet, T>,
        examples: &Examples<T>,
    ) -> Result<FittedNetwork<RoughNet, T>, FitNetworkError> {
        let method = |net: &RoughNet, batch| Supervised::new(self.training.clone(), self.seed.wrapping_add(batch), net);
        model.learn(method, &examples.single_positions(), self.training.passes)
    }
}

/// The decision table of a data set: the outputs that stand for the targets are the decisions.
fn table_of<F, D, S, T>(
    dataset: &DatasetBase<ArrayBase<D, Ix2>, S>,
    scale: &T::Scale,
) -> Result<DecisionTable, FitNetworkError>
where
    F: Float + Into<f64>,
    D: Data<Elem = F>,
    S: AsSingleTargets<Elem = T>,
    T: Target,
{
    let targets = dataset.as_single_targets();
    let decision = |(at, target): (usize, &T)| Ok(Value::Real(f64::from(target.output(scale, at + 1)?) + 0.0));
    let decisions: Result<Vec<Value>, FitNetworkError> = targets.iter().enumerate().map(decision).collect();
    let weights = match dataset.weights() {
        None => Weights::Unit,
        Some(weights) => Weights::Counts(weight_counts(weights)?),
    };
    Ok(DecisionTable::new(columns(dataset), Attribute::from_values("target", &decisions?), weights)?)
}

impl<F, D, S, T> Fit<ArrayBase<D, Ix2>, S, FitNetworkError> for RoughNetValidParams
where
    F: Float + Into<f64>,
    D: Data<Elem = F>,
    S: AsSingleTargets<Elem = T>,
    T: Target,
{
    type Object = FittedNetwork<RoughNet, T>;

    /// Builds a network of the rules of records (n_samples, n_features) with their targets (n_samples), and trains it.
    fn fit(&self, dataset: &DatasetBase<ArrayBase<D, Ix2>, S>) -> Result<Self::Object, FitNetworkError> {
        self.fit_with(None, dataset)
    }
}

impl<F, D, S, T> FitWith<'_, ArrayBase<D, Ix2>, S, FitNetworkError> for RoughNetValidParams
where
    F: Float + Into<f64>,
    D: Data<Elem = F>,
    S: AsSingleTargets<Elem = T>,
    T: Target,
{
    type ObjectIn = Option<FittedNetwork<RoughNet, T>>;
    type ObjectOut = FittedNetwork<RoughNet, T>;

    /// Trains `model` on, whose rules stay what they are, or a new network if there is none.
    fn fit_with(
        &self,
        model: Self::ObjectIn,
        dataset: &DatasetBase<ArrayBase<D, Ix2>, S>,
    ) -> Result<Self::ObjectOut, FitNetworkError> {
        let examples = Examples::of_dataset(dataset, model.as_ref().map(FittedNetwork::known))?;
        let model = match model {
            Some(model) => model,
            None => self.untrained(&table_of(dataset, &examples.scale)?, &examples)?,
        };
        self.learn(model, &examples)
    }
}
