//! Learning: the loss, and one step of an optimiser after another.
//!
//! Over a batch of N positions with the policies π of a search and the results z, for weights θ,
//!
//! ```text
//! loss = 1/N Σ [ -Σ_moves π ln p + (v - z)² ] + c |θ|²
//! ```
//!
//! where p is the softmax of the logits over the legal moves alone (Silver et al., 2017, eq. (1)).

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::batch::{Batch, BatchError, Losses};
use super::device::{Device, DeviceError};
use super::runner::GradientBackend;
use super::store::{self, About};
use super::weights::Weights;
use crate::net::kernel;
use crate::net::optimiser::{Optimiser, OptimiserKind};
use crate::net::store::StoreError;
use crate::settings::{SettingError, above, settings};

settings! {
    /// How a network learns.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct LearnerSettings {
        /// How gradients become steps.
        pub optimiser: OptimiserKind = OptimiserKind::Adam;
        /// The size of a step.
        pub rate: f64 = 1e-3, in above(0.0);
        /// The weight c of |θ|² in the loss.
        pub l2: f64 = 1e-4, in 0.0..;
    }
}

errors! {
    /// Why there can be no learner.
    #[derive(Debug, thiserror::Error)]
    #[error(transparent)]
    pub enum LearnerError of Setting(SettingError), Device(DeviceError), Store(StoreError) {}
}

/// A network that learns, with what its optimiser remembers.
///
/// The same batches give the same weights, byte for byte, on any number of threads.
#[derive(Debug)]
pub struct Learner {
    weights: Weights,
    settings: LearnerSettings,
    optimiser: Optimiser,
    backend: GradientBackend,
    /// The gradient of the last batch.
    gradient: Vec<f32>,
}

impl Learner {
    /// A learner that starts from `weights` and finds gradients on `device`. On others than the processor the last bits of a
    /// gradient may differ from run to run.
    ///
    /// # Errors
    /// When a setting is out of range, or there is no such device.
    pub fn on(device: Device, weights: Weights, settings: LearnerSettings) -> Result<Self, LearnerError> {
        settings.check()?;
        let n = weights.n_parameters();
        let (backend, optimiser) = (GradientBackend::on(device, &weights)?, Optimiser::new(settings.optimiser, n));
        Ok(Self { optimiser, backend, gradient: vec![0.0; n], weights, settings })
    }

    /// Takes one step on the loss of `batch`; returns what the loss was before it.
    ///
    /// # Errors
    /// When the batch does not fit the network or is empty.
    pub fn step(&mut self, batch: &Batch) -> Result<Losses, BatchError> {
        let losses = self.compute_gradient(batch)?;
        self.optimiser.step(self.weights.flat_mut(), &self.gradient, self.settings.rate as f32);
        Ok(losses)
    }

    /// The loss of `batch` and its gradient with respect to all weights.
    ///
    /// # Errors
    /// When the batch does not fit the network or is empty.
    pub fn gradient(&mut self, batch: &Batch) -> Result<(Losses, &[f32]), BatchError> {
        Ok((self.compute_gradient(batch)?, &self.gradient))
    }

    fn compute_gradient(&mut self, batch: &Batch) -> Result<Losses, BatchError> {
        batch.check(self.weights.shape())?;
        let losses = self.backend.of_batch(&self.weights, batch, &mut self.gradient);
        let square: f64 = self.weights.flat().iter().map(|&weight| f64::from(weight) * f64::from(weight)).sum();
        kernel::add_scaled(&mut self.gradient, self.weights.flat(), 2.0 * self.settings.l2 as f32);
        Ok(Losses { l2: self.settings.l2 * square, ..losses })
    }

    /// The weights as they are now.
    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// How it learns.
    pub const fn settings(&self) -> &LearnerSettings {
        &self.settings
    }

    /// Changes the size of the next steps.
    pub fn set_rate(&mut self, rate: f64) {
        self.settings.rate = rate;
    }

    /// Writes the network and what the optimiser remembers, as one file that [`Learner::load_on`] and [`store::load`] read.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, path: &Path, about: &About) -> Result<(), StoreError> {
        store::save_with_memory(path, &self.weights, about, &self.optimiser.memory())
    }

    /// A learner that continues on `device` from where the one that wrote the file stopped, with the optimiser of `settings`.
    ///
    /// # Errors
    /// When the file cannot be read, what it remembers is of another optimiser, a setting is out of range, or there is no such device.
    pub fn load_on(device: Device, path: &Path, settings: LearnerSettings) -> Result<(Self, About), LearnerError> {
        let (weights, memory, about) = store::load_with_memory(path, |weights| {
            Optimiser::new(settings.optimiser, weights.n_parameters()).memory().len()
        })?;
        let mut learner = Self::on(device, weights, settings)?;
        learner.optimiser.restore(&memory);
        Ok((learner, about))
    }
}
