//! The rough network: from a decision table to rules, to the network, to its training.

use serde::Serialize;

use super::run::{Beginning, Training};
use super::{Data, LearnError};
use crate::net::rough::RoughSettings;
use crate::net::store::Net;
use crate::observe::Observer;
use crate::rough::{Method as ReductMethod, Notion, Reduct, Rule, Wording, covering_rules};
use crate::setting::SettingError;
use crate::table::{AttrIdx, AttrSet, DecisionTable};
use crate::train::SupervisedSettings;
use crate::train::rough::{RuleConfig, rough_network};

/// How to make and train a rough network.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoughPlan {
    /// Which rules become neurons.
    pub rules: RuleConfig,
    /// Its initial form.
    pub form: RoughSettings,
    /// Its training.
    pub training: SupervisedSettings,
    /// Whether it reads the attributes of a reduct only, and has rules over them only, instead of all.
    pub reduct_only: bool,
    /// Whether it starts from random weights, as a control.
    pub random_start: bool,
}

impl RoughPlan {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        self.rules.check()?;
        self.form.check()?;
        self.training.check()
    }
}

/// A reduct of the positive-region notion of `table`, by backward elimination.
#[must_use]
pub fn reduct_of(table: &DecisionTable) -> Reduct {
    Reduct::of(table, Notion::Positive, ReductMethod::Backward)
}

/// What the rough sets say of the training positions, before any training.
pub struct Knowledge {
    /// The decision table.
    pub table: DecisionTable,
    /// The attributes R that the network reads.
    pub inputs: AttrSet,
    /// The rules over R.
    pub rules: Vec<Rule>,
}

impl Knowledge {
    /// The rules over `inputs` of the decision table of `data`.
    ///
    /// # Errors
    /// When the table cannot be made, or no rule has the support asked for.
    pub fn over(
        inputs: AttrSet,
        data: &Data,
        config: &RuleConfig,
        observer: &dyn Observer,
    ) -> Result<Self, LearnError> {
        let table = data.table()?;
        let n_objects = table.total_weight();
        let covering = config.covering(n_objects);
        let rules = covering_rules(&table, &inputs, &covering, observer);
        if rules.is_empty() {
            return Err(LearnError::NoRules { min_support: covering.min_support, n_objects });
        }
        Ok(Self { table, inputs, rules })
    }

    /// What `plan` asks for: rules over all attributes of `data`, or over a reduct of its table.
    ///
    /// # Errors
    /// As [`Knowledge::over`].
    pub fn of(data: &Data, plan: &RoughPlan, observer: &dyn Observer) -> Result<Self, LearnError> {
        let table = data.table()?;
        let inputs = if plan.reduct_only { reduct_of(&table).attrs().clone() } else { table.all_attributes() };
        Self::over(inputs, data, &plan.rules, observer)
    }
}

impl RoughPlan {
    /// The rough network that follows from what is known of the training positions, and its training.
    #[must_use]
    pub fn start(&self, data: &Data, knowledge: &Knowledge) -> (Beginning, Training) {
        let Knowledge { table, inputs, rules } = knowledge;
        let inputs: Vec<AttrIdx> = inputs.iter().collect();
        let mut net = rough_network(table, rules, &inputs, &data.coding, &self.form);
        let mut about = data.about("rough", self);
        if self.random_start {
            net = net.randomised(data.seed);
        } else {
            about.rules = rules.iter().map(|rule| rule.display_as(table, Wording::Coverage).to_string()).collect();
        }
        (Beginning { net: Net::Rough(net), about }, Training::Supervised(self.training.clone()))
    }
}
