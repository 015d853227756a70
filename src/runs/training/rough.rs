//! The rough network: from a decision table to rules, to the network, to its training.

mod inputs;
mod reduction;
mod rules;
mod twins;

pub use inputs::{Inputs, InputsError};
pub use reduction::{Reduced, Reduction};
pub use rules::{RuleConfig, RuleOrigin};
pub(super) use twins::words_of_twin;

use serde::Serialize;

use super::run::{Initialisation, Training};
use super::{Data, LearnError};
use crate::net::Net;
use crate::net::rough::{RoughForm, RoughSettings};
use crate::observe::Observer;
use crate::rough::{Rule, Wording};
use crate::settings::{SettingError, is_zero, require, within};
use crate::table::{AttrIdx, AttrSet, DecisionTable, Involution};
use crate::train::SupervisedSettings;
use crate::train::rough::{rough_network, rule_neurons};

/// How to make and train a rough network.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoughPlan {
    /// Which rules become neurons.
    pub rules: RuleConfig,
    /// Its initial form.
    pub form: RoughSettings,
    /// Its training.
    pub training: SupervisedSettings,
    /// Which attributes it reads and has rules over.
    pub inputs: Inputs,
    /// What is left out before training.
    pub reduction: Reduction,
    /// Whether it starts from random weights, as a control.
    pub random_start: bool,
    /// Whether rules come in pairs of twins with shared weights, so that the network says the opposite when colours are exchanged.
    #[serde(skip_serializing_if = "is_zero")]
    pub symmetric: bool,
}

impl Default for RoughPlan {
    fn default() -> Self {
        Self::new(&RuleConfig::default(), &RoughSettings::default(), &SupervisedSettings::default())
    }
}

impl RoughPlan {
    /// A network over all attributes that learns from all positions.
    pub fn new(rules: &RuleConfig, form: &RoughSettings, training: &SupervisedSettings) -> Self {
        Self {
            rules: rules.clone(),
            form: form.clone(),
            training: training.clone(),
            inputs: Inputs::All,
            reduction: Reduction::default(),
            random_start: false,
            symmetric: false,
        }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        within("rules", self.rules.check())?;
        within("form", self.form.check())?;
        let is_default = self.form.form == RoughForm::Default;
        require(is_default || !self.symmetric, "symmetric", "left out where `form` is literal", self.symmetric)?;
        let is_even = self.rules.number.is_multiple_of(2);
        let range = "even where `symmetric` asks for pairs of rules";
        require(is_even || !self.symmetric, "rules.number", range, self.rules.number)?;
        within("training", self.training.check())
    }
}

/// What the rough sets say of the training positions, before any training.
pub struct Knowledge {
    /// The decision table.
    pub table: DecisionTable,
    /// The attributes R that the network reads.
    pub inputs: AttrSet,
    /// The rules over R.
    pub rules: Vec<Rule>,
    /// What was left out before, if anything was to be.
    pub reduced: Option<Reduced>,
    /// If the second half of the rules are the twins of the first, the exchange that makes them.
    pub exchange: Option<Involution>,
}

impl Knowledge {
    /// The rules over `inputs` of the decision table of `data`.
    ///
    /// # Errors
    /// When the table cannot be made, no rule has the support asked for, or the search for them would take too long.
    pub fn over(
        inputs: AttrSet,
        data: &Data,
        config: &RuleConfig,
        observer: &dyn Observer,
    ) -> Result<Self, LearnError> {
        let table = data.table()?;
        let rules = config.rules(&inputs, (data, &table), observer)?;
        Ok(Self { table, inputs, rules, reduced: None, exchange: None })
    }

    /// Rules in pairs of twins over `inputs`, and what these become when colours are exchanged, of the decision table that holds the
    /// positions of `data` as they are and with colours exchanged.
    ///
    /// # Errors
    /// As [`Knowledge::over`]; when the features of `data` do not tell what the exchange makes of values, or no rule has a twin.
    pub fn in_pairs(
        inputs: &AttrSet,
        data: &Data,
        config: &RuleConfig,
        observer: &dyn Observer,
    ) -> Result<Self, LearnError> {
        let exchange = data.exchange()?.clone();
        let (table, inputs) = (data.symmetric_table()?, twins::closed(inputs, &exchange));
        let rules = config.pairs(&inputs, (data, &table), &exchange, observer)?;
        Ok(Self { table, inputs, rules, reduced: None, exchange: Some(exchange) })
    }

    /// The rules over `inputs` that `plan` asks for.
    fn asked(inputs: AttrSet, data: &Data, plan: &RoughPlan, observer: &dyn Observer) -> Result<Self, LearnError> {
        if plan.symmetric {
            return Self::in_pairs(&inputs, data, &plan.rules, observer);
        }
        Self::over(inputs, data, &plan.rules, observer)
    }

    /// What `plan` asks for, except for its reduction: rules over all attributes of `data`, or over some.
    ///
    /// # Errors
    /// As [`Knowledge::over`]; when an attribute asked for does not exist.
    pub fn of(data: &Data, plan: &RoughPlan, observer: &dyn Observer) -> Result<Self, LearnError> {
        let inputs = plan.inputs.of(&data.table()?)?;
        Self::asked(inputs, data, plan, observer)
    }

    /// What `plan` asks for, its reduction included, and the data that are left to learn from.
    ///
    /// # Errors
    /// As [`Knowledge::of`].
    pub fn reducing(data: Data, plan: &RoughPlan, observer: &dyn Observer) -> Result<(Self, Data), LearnError> {
        if plan.reduction.is_none() {
            return Ok((Self::of(&data, plan, observer)?, data));
        }
        let (data, attributes, mut reduced) = plan.reduction.reduce(data, &plan.inputs)?;
        let inputs = match plan.inputs {
            Inputs::All => data.table()?.all_attributes(),
            _ => attributes.iter().map(|&attribute| AttrIdx::new(attribute)).collect(),
        };
        let mut knowledge = Self::asked(inputs, &data, plan, observer)?;
        let data = plan.reduction.merge(data, &attributes, &mut reduced);
        knowledge.reduced = Some(reduced);
        Ok((knowledge, data))
    }
}

impl RoughPlan {
    /// The rough network that follows from what is known of the training positions, and its training.
    pub fn start(&self, data: &Data, knowledge: &Knowledge) -> (Initialisation, Training) {
        let Knowledge { table, inputs, rules, reduced, exchange } = knowledge;
        let inputs: Vec<AttrIdx> = inputs.iter().collect();
        let (own, twins) = rules.split_at(if exchange.is_some() { rules.len() / 2 } else { rules.len() });
        let mut net = rough_network(table, own, &inputs, &data.coding, &self.form);
        let mut about = data.about("rough", self);
        if let Some(reduced) = reduced {
            about.settings["reduced"] = serde_json::to_value(reduced).unwrap_or_default();
        }
        if self.random_start {
            net = net.randomised(data.basis.seed);
        }
        if let Some(exchange) = exchange {
            // Random weights have no rules, and so no twins of them.
            let known = if net.shape().rules.is_empty() { Vec::new() } else { rule_neurons(table, twins) };
            net = net.with_twins(exchange, known, 1.0);
        }
        if !net.shape().rules.is_empty() {
            about.rules = rules.iter().map(|rule| rule.display_as(table, Wording::Coverage).to_string()).collect();
        }
        (Initialisation { net: Net::Rough(net), about }, Training::Supervised(self.training.clone()))
    }
}
