//! Training: from game records to networks.
//!
//! A [`Method`] changes a network by one share of the training positions; [`run`] repeats it over passes, measures the
//! error on held-out games, reports to an observer, and leaves checkpoints from which a killed run goes on to the same
//! bytes.

pub mod baseline;
pub mod checkpoint;
pub mod positions;
pub mod redundancy;
pub mod rough;
pub mod runner;
pub mod supervised;
pub mod td;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use positions::{PositionSet, split_games};
pub use runner::{Curve, CurvePoint, Method, Plan, Share, run};
pub use supervised::{Supervised, SupervisedSettings};
pub use td::{TdLambda, TdSettings, UpdateForm};

/// A setting outside its range: one sentence for all methods.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("`{setting}` must be {range}, got {found}")]
pub struct SettingError {
    /// The setting, as the command line spells it.
    pub setting: &'static str,
    /// The values it may take, such as `in [0, 1]`.
    pub range: &'static str,
    /// The value it has.
    pub found: String,
}

/// Checks that `valid` holds for a setting.
///
/// # Errors
/// When it does not, with the setting's name, range and value.
pub fn require(
    valid: bool,
    setting: &'static str,
    range: &'static str,
    found: impl ToString,
) -> Result<(), SettingError> {
    if valid { Ok(()) } else { Err(SettingError { setting, range, found: found.to_string() }) }
}
