//! What every way of learning shares: the trained network with its curve, and the run that makes it.

use std::path::Path;

use super::{Data, LearnError};
use crate::net::Network;
use crate::net::store::{self, About, Net, StoreError};
use crate::observe::Observer;
use crate::train::{Checkpoint, Curve, Method, NoRecord, Plan, Recorder, run};

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

    /// The number of weights that the network reads; value classes outside a rough network's inputs have idle ones.
    #[must_use]
    pub fn n_weights(&self) -> usize {
        match &self.net {
            Net::Dense(net) => net.parameters().len(),
            Net::Rough(net) => net.n_weights(),
        }
    }
}

/// What a run keeps while it goes on.
pub struct Keeping<'a> {
    /// Where its state is saved after each pass, and taken up from.
    pub checkpoint: &'a Checkpoint,
    /// What is told of each measurement.
    pub recorder: &'a mut dyn Recorder,
}

pub(super) fn train<M: Method>(
    method: &mut M,
    net: &mut M::Net,
    data: &Data,
    (name, passes): (&str, usize),
    keeping: Option<Keeping<'_>>,
    observer: &dyn Observer,
) -> Result<Curve, LearnError> {
    let mut no_record = NoRecord;
    let (checkpoint, recorder): (_, &mut dyn Recorder) = match keeping {
        Some(Keeping { checkpoint, recorder }) => (Some(checkpoint), recorder),
        None => (None, &mut no_record),
    };
    observer.begin(&format!("train {name}"), (data.training.len() * passes) as u64);
    let plan = Plan { passes, parts: data.settings.curve_points };
    let curve = run(method, net, (&data.training, &data.held_out), plan, checkpoint, recorder, observer);
    observer.end();
    if net.parameters().iter().all(|weight| weight.is_finite()) {
        Ok(curve?)
    } else {
        Err(LearnError::Diverged { name: name.to_owned() })
    }
}
