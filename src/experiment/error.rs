//! Why an experiment stopped.

use std::error::Error;

/// Whatever stopped an experiment.
pub type ExperimentError = Box<dyn Error + Send + Sync>;

/// A run is a part of a whole, and games are left to other parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{missing} of {games} games are left to other parts")]
pub struct Incomplete {
    /// Games that are missing.
    pub missing: usize,
    /// All games.
    pub games: usize,
}
