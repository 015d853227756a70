//! linfa's models on the same positions as the networks.

use serde::Serialize;

use super::{Data, LearnError, Learned};
use crate::observe::Observer;
use crate::settings::SettingError;
use crate::train::Model;
use crate::train::measurement;

/// Which model is fitted, and to how much.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BaselinePlan {
    /// The model.
    pub model: Model,
    /// Positions that it is fitted to at most: all training positions, or a sample of them drawn by the seed.
    pub max_objects: usize,
}

impl BaselinePlan {
    /// Checks the ranges.
    ///
    /// # Errors
    /// For the first setting outside its range.
    pub fn check(&self) -> Result<(), SettingError> {
        self.model.check()?;
        self.model.check_objects(self.max_objects)
    }

    /// Fits the model to the results of the training positions of `data`. Its learning curve is one point, after a pass over
    /// the positions that it was fitted to.
    ///
    /// # Errors
    /// When a setting is outside its range, or the model cannot be fitted.
    pub fn fit(&self, data: &Data, observer: &dyn Observer) -> Result<Learned, LearnError> {
        let Data { coding, training, held_out, .. } = data;
        let (net, n_positions) = self.model.fit(coding, training, self.max_objects, data.basis.seed, observer)?;
        let about = data.about(self.model.name(), self);
        let curve = vec![measurement(&net, (training, held_out), 1.0, n_positions as u64)];
        let kept = curve.last().copied();
        Ok(Learned { name: self.model.name().to_owned(), net, about, curve, kept, n_positions })
    }
}
