//! The network that a run starts from in place of one of random weights.

use std::path::Path;

use super::error::ZeroError;
use super::settings::ZeroSettings;
use crate::disk::sha256;
use crate::game::Planes;
use crate::net::residual::store::{About, load};
use crate::net::residual::{Shape, Weights};
use crate::net::store::network_bytes;

/// A network to start from: its weights, and no more; the optimiser begins anew.
#[derive(Debug, Clone)]
pub struct InitialNetwork {
    /// Name and SHA-256 of its file.
    pub file: (String, String),
    pub(super) weights: Weights,
    about: About,
}

impl InitialNetwork {
    /// Reads the network that `path` stands for, a file or the folder of a run.
    ///
    /// # Errors
    /// When it cannot be read or is no residual network.
    pub fn load(path: &Path) -> Result<Self, ZeroError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (weights, about) = load(path)?;
        Ok(Self { file: (name, sha256(&network_bytes(path)?)), weights, about })
    }

    /// Checks that it has the form that `settings` ask for, and plays `G`.
    ///
    /// # Errors
    /// When it does not.
    pub fn check<G: Planes>(&self, settings: &ZeroSettings) -> Result<(), ZeroError> {
        let form = |game: &str, shape: &Shape, history: usize| {
            let Shape { channels, layers, policy_channels, value_channels, value_hidden, .. } = shape;
            format!(
                "a network of {game} with {channels} channels, {layers} layers, a history of {history}, \
                 {policy_channels} channels of the policy, {value_channels} of the value and {value_hidden} numbers behind them"
            )
        };
        let (asked, shape) = (settings.shape::<G>(), self.weights.shape());
        let expected = form(G::NAME, &asked, settings.network.history);
        let found = form(&self.about.game, shape, self.about.history);
        if *shape == asked && expected == found {
            return Ok(());
        }
        Err(ZeroError::Init { name: self.file.0.clone(), expected, found })
    }
}
