//! What every way of learning shares: the trained network with its curve, and the run that makes it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Data, LearnError};
use crate::net::store::{self, About, StoreError};
use crate::net::{Net, Network, are_weights};
use crate::train::{
    Curve, CurvePoint, Method, Supervised, SupervisedSettings, TdLambda, TdSettings, TrainingContext, TrainingPlan,
    kept_point, run,
};

/// A trained network with its learning curve.
#[derive(Debug, Clone)]
pub struct Learned {
    /// The name in tables and plots.
    pub name: String,
    /// The network.
    pub net: Net,
    /// What its file says about it.
    pub about: About,
    /// Errors on the way, the untrained network first.
    pub curve: Curve,
    /// The errors of the weights that it was left with.
    pub kept: Option<CurvePoint>,
    /// The positions that it was trained on.
    pub n_positions: usize,
}

impl Learned {
    /// Writes the network's file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), StoreError> {
        store::save(path, &self.net, &self.about)
    }

    /// The name and the learning curve.
    pub fn named_curve(&self) -> (&str, &[CurvePoint]) {
        (&self.name, &self.curve)
    }

    /// The number of weights that the network reads; value classes outside a rough network's inputs have idle ones.
    pub fn n_weights(&self) -> usize {
        match &self.net {
            Net::Dense(net) => net.parameters().len(),
            Net::Rough(net) => net.n_weights(),
            Net::Tree(net) => net.parameters().len(),
        }
    }
}

/// What learning starts from: a network and what its file will say of it.
pub struct Initialisation {
    /// The network before training.
    pub net: Net,
    /// Settings and inputs, the training's included.
    pub about: About,
}

/// How a network learns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Training {
    /// Back-propagation on single positions.
    Supervised(SupervisedSettings),
    /// TD(λ) on whole games.
    Td(TdSettings),
}

impl Training {
    /// What files of networks call it.
    pub(super) fn method(&self) -> &'static str {
        match self {
            Self::Supervised(_) => "bp",
            Self::Td(_) => "td",
        }
    }

    /// The passes, and how many without progress end it before.
    pub(crate) fn length(&self) -> (usize, Option<usize>) {
        match self {
            Self::Supervised(settings) => (settings.passes, settings.patience),
            Self::Td(settings) => (settings.passes, settings.patience),
        }
    }
}

/// Trains the network of `beginning` on `data`; `name` stands for it in tables and messages.
///
/// # Errors
/// When the checkpoint cannot be used, a measurement cannot be recorded, or training runs away.
pub fn learn(
    data: &Data,
    beginning: Initialisation,
    training: &Training,
    name: &str,
    context: TrainingContext<'_>,
) -> Result<Learned, LearnError> {
    learn_for(data, beginning, training, training.length().0, name, context)
}

/// As [`learn`], for the first `passes` passes of those that `training` asks for. With the checkpoint of such a run, a longer one
/// goes on from there.
///
/// # Errors
/// As [`learn`].
pub fn learn_for(
    data: &Data,
    mut beginning: Initialisation,
    training: &Training,
    passes: usize,
    name: &str,
    context: TrainingContext<'_>,
) -> Result<Learned, LearnError> {
    let plan = TrainingPlan { passes, parts: data.basis.settings.curve_points, patience: training.length().1 };
    let task = format!("train {name}");
    let told = (name, task.as_str());
    match training {
        Training::Supervised(settings) => {
            let ties = data.ties_of(&beginning.net)?;
            ties.iter().for_each(|ties| ties.apply(beginning.net.parameters_mut()));
            let mut method = Supervised::new(settings.clone(), data.basis.seed, &beginning.net).tied(ties);
            carry_out(&mut method, told, (beginning, data), plan, context)
        }
        Training::Td(settings) => {
            carry_out(&mut TdLambda::new(settings.clone()), told, (beginning, data), plan, context)
        }
    }
}

/// Has `method` learn by `plan`, which is shown as `task`; what it gave is called `name`, and has weights that are numbers.
pub(super) fn carry_out<M: Method<Net = Net>>(
    method: &mut M,
    (name, task): (&str, &str),
    (beginning, data): (Initialisation, &Data),
    plan: TrainingPlan,
    context: TrainingContext<'_>,
) -> Result<Learned, LearnError> {
    let Initialisation { mut net, about } = beginning;
    let observer = context.observer;
    observer.begin(task, (data.training.len() * plan.passes) as u64);
    let curve = run(method, &mut net, (&data.training, &data.held_out), plan, context);
    observer.end();
    let curve = curve?;
    // TD(λ) knows no ties.
    let is_as_stated = data.ties_of(&net)?.is_none_or(|ties| ties.hold(net.parameters()));
    if let (Net::Rough(rough), false) = (&mut net, is_as_stated) {
        rough.forget_twins();
    }
    if !are_weights(net.parameters()) {
        return Err(LearnError::Diverged { name: name.to_owned() });
    }
    let kept = kept_point(&curve, plan.patience).copied();
    Ok(Learned { name: name.to_owned(), net, about, curve, kept, n_positions: data.training.len() })
}
