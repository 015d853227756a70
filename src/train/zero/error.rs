//! Why a run of self-play stopped.

use std::path::PathBuf;

use crate::disk::FileError;
use crate::eval::LoadError;
use crate::game::PositionError;
use crate::net::residual::BatchError;
use crate::net::residual::LearnerError;
use crate::net::store::StoreError;
use crate::settings::SettingError;

/// Why a run of self-play stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ZeroError {
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The text of the starting position is invalid.
    #[error(transparent)]
    Start(#[from] PositionError),
    /// A file cannot be opened, read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file of the run is not as the run wrote it.
    #[error("`{path}` is broken: {problem}")]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A network cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The network cannot learn as it should.
    #[error(transparent)]
    Learner(#[from] LearnerError),
    /// Examples do not fit the network.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// A network does not fit the game.
    #[error(transparent)]
    Evaluator(#[from] LoadError),
    /// A checkpoint belongs to a run with other settings.
    #[error("`{0}` is of a run with other settings: repeat it with those, or start over")]
    OtherRun(PathBuf),
    /// Weights that are not numbers any more.
    #[error("the weights grew without bound in lesson {0}: take a smaller rate")]
    Diverged(u64),
    /// The learner's thread ended without an answer.
    #[error("the learner ended without an answer")]
    NoAnswer,
}
