//! Why an experiment stopped: one error for all of them.

use super::config::ConfigError;
use super::mtdf_steps::Disagreement;
use super::sprt_simulation::NoPairs;
use super::td_random_walk::Restless;
use crate::arena::{GenerationError, MatchError, OpeningsError};
use crate::eval::LoadError;
use crate::net::store::StoreError;
use crate::record::RecordError;
use crate::runs::folder::NoPart;
use crate::runs::manifest::FileError;
use crate::runs::repeats::RepeatError;
use crate::runs::results::ResultsError;
use crate::runs::training::LearnError;
use crate::search::SettingsError;
use crate::setting::SettingError;
use crate::train::CheckpointError;
use crate::train::zero::ZeroError;

/// Why an experiment stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The settings cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A setting of the search is outside its range.
    #[error(transparent)]
    Search(#[from] SettingsError),
    /// Learning failed.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// A repetition failed.
    #[error(transparent)]
    Repeat(#[from] RepeatError),
    /// The state of training could not be handed on.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The openings could not be drawn.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// Self-play or learning from it failed.
    #[error(transparent)]
    Zero(#[from] ZeroError),
    /// An evaluator could not be made.
    #[error(transparent)]
    Evaluator(#[from] LoadError),
    /// A match could not be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// Games could not be made.
    #[error(transparent)]
    Generation(#[from] GenerationError),
    /// The run is a part of a whole, and games are left to other parts.
    #[error("{missing} of {games} games are left to other parts")]
    Incomplete {
        /// Games that are missing.
        missing: usize,
        /// All games.
        games: usize,
    },
    /// A folder is not that of another part of the run.
    #[error(transparent)]
    NoPart(#[from] NoPart),
    /// Searches that must find one value found several.
    #[error(transparent)]
    Disagreement(#[from] Disagreement),
    /// Repeated presentations did not come to rest.
    #[error(transparent)]
    Restless(#[from] Restless),
    /// No pairs of games have the results that were asked for.
    #[error(transparent)]
    NoPairs(#[from] NoPairs),
    /// A network could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The games of the matches could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Results could not be written.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
}
