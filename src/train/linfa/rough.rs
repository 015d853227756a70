//! Rough networks: rules of the data set's decision table become neurons, which are then trained.

use linfa::Float;
use linfa::dataset::{AsSingleTargets, DatasetBase};
use ndarray::{ArrayBase, Data, Ix2};

use super::examples::{Examples, columns};
use super::params::{FitsTo, Kind, NetworkParams};
use super::plain::default_training;
use super::{FitNetworkError, Result, Target};
use crate::net::RoughNet;
use crate::net::rough::RoughSettings;
use crate::observe::Silent;
use crate::rough::{Covering, Method, Notion, Reduct, covering_rules};
use crate::settings::{SettingError, above, settings};
use crate::table::{AttrIdx, Attribute, DecisionTable, Value, Weights, weight_counts};
use crate::train::SupervisedSettings;
use crate::train::rough::rough_network;

settings! {
    /// Which rules of the data set's decision table become neurons.
    #[derive(Debug, Clone, Copy, PartialEq)]
    pub struct CoveringRules {
        /// Rules in all, shared evenly among the decisions.
        pub number: usize = 12, in 3..=10_000;
        /// Conditions of a rule at most.
        pub max_conditions: usize = 3, in 1..=20;
        /// Records that have a rule's decision among those that match it, as a share of all records.
        pub min_support: f64 = 0.01, in above(0.0).below(1.0);
    }
}

impl CoveringRules {
    /// What it asks of the rules of a table of `n_objects` objects.
    fn covering(&self, n_objects: u64) -> Covering {
        let min_support = ((n_objects as f64 * self.min_support).round() as u64).max(1);
        Covering { n_rules: self.number, max_len: self.max_conditions, min_support }
    }
}

/// A rough network.
#[derive(Debug, Clone, PartialEq)]
pub struct Rough {
    rules: CoveringRules,
    form: RoughSettings,
    reduct: Option<(Notion, Method)>,
}

/// Parameters of a rough network.
///
/// Each distinct target is a decision, so that there should be few. Without changes: 12 rules of at most 3 conditions, supported
/// by a hundredth of the records, over all columns; τ = 1, smoothing by one record, sharpness 2; training as of
/// [`BpParams`](super::BpParams); seed 1.
pub type RoughNetParams = NetworkParams<Rough>;

impl Default for RoughNetParams {
    fn default() -> Self {
        let form = RoughSettings { tau: 1.0, smoothing: 1.0, ..RoughSettings::default() };
        Self::new(Rough { rules: CoveringRules::default(), form, reduct: None }, default_training())
    }
}

impl RoughNetParams {
    /// Which rules become neurons.
    #[must_use]
    pub const fn rules(mut self, rules: CoveringRules) -> Self {
        self.0.kind.rules = rules;
        self
    }

    /// The network's form before training.
    #[must_use]
    pub fn form(mut self, form: RoughSettings) -> Self {
        self.0.kind.form = form;
        self
    }

    /// Reads only the columns of a reduct, and has rules over them only.
    #[must_use]
    pub const fn reduct(mut self, notion: Notion, method: Method) -> Self {
        self.0.kind.reduct = Some((notion, method));
        self
    }
}

impl Kind for Rough {
    type Net = RoughNet;
    type Training = SupervisedSettings;

    fn check(&self) -> Result<(), SettingError> {
        self.rules.check()?;
        self.form.check()
    }
}

/// The decision table of a data set: the outputs that stand for the targets are the decisions.
fn table_of<F, D, S, T>(dataset: &DatasetBase<ArrayBase<D, Ix2>, S>, scale: &T::Scale) -> Result<DecisionTable>
where
    F: Float + Into<f64>,
    D: Data<Elem = F>,
    S: AsSingleTargets<Elem = T>,
    T: Target,
{
    let targets = dataset.as_single_targets();
    let decision = |(at, target): (usize, &T)| Ok(Value::Real(f64::from(target.output(scale, at + 1)?) + 0.0));
    let decisions: Result<Vec<Value>> = targets.iter().enumerate().map(decision).collect();
    let weights = match dataset.weights() {
        None => Weights::Unit,
        Some(weights) => Weights::Counts(weight_counts(weights)?),
    };
    Ok(DecisionTable::new(columns(dataset), Attribute::from_values("target", &decisions?), weights)?)
}

impl<F, D, S, T> FitsTo<ArrayBase<D, Ix2>, S, T> for Rough
where
    F: Float + Into<f64>,
    D: Data<Elem = F>,
    S: AsSingleTargets<Elem = T>,
    T: Target,
{
    /// The network of the rules of the data set's decision table, whose codes are those of the examples.
    fn untrained(
        &self,
        dataset: &DatasetBase<ArrayBase<D, Ix2>, S>,
        examples: &Examples<T>,
        _seed: u64,
    ) -> Result<RoughNet> {
        let table = table_of(dataset, &examples.scale)?;
        let inputs = match self.reduct {
            Some((notion, method)) => Reduct::of(&table, notion, method).attrs().clone(),
            None => table.all_attributes(),
        };
        let n_objects = table.total_weight();
        let covering = self.rules.covering(n_objects);
        let rules = covering_rules(&table, &inputs, &covering, &Silent)?;
        if rules.is_empty() {
            return Err(FitNetworkError::NoRules { min_support: covering.min_support, n_objects });
        }
        let inputs: Vec<AttrIdx> = inputs.iter().collect();
        Ok(rough_network(&table, &rules, &inputs, &examples.codebook.coding(), &self.form))
    }
}
