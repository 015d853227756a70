//! Why a run of self-play stopped.

use std::path::PathBuf;

use crate::arena::Shard;
use crate::disk::FileError;
use crate::eval::LoadError;
use crate::game::PositionError;
use crate::net::residual::BatchError;
use crate::net::residual::LearnerError;
use crate::net::store::StoreError;
use crate::settings::SettingError;

errors! {
    /// Why a run of self-play stopped.
    #[derive(Debug, thiserror::Error)]
    #[error(transparent)]
    #[non_exhaustive]
    pub enum ZeroError of
        Setting(SettingError), Start(PositionError), File(FileError), Store(StoreError), Learner(LearnerError),
        Batch(BatchError), Evaluator(LoadError) {
        /// A file of the run is not as the run wrote it.
        #[error("`{path}` is broken: {problem}")]
        Broken {
            /// The file.
            path: PathBuf,
            /// What is wrong.
            problem: String,
        },
        /// A checkpoint belongs to a run with other settings.
        #[error("`{0}` is of a run with other settings: repeat it with those, or start over")]
        OtherRun(PathBuf),
        /// Losses that are no numbers, or weights that are none within ± 10⁶.
        #[error("the weights grew without bound in lesson {0}: take a smaller rate")]
        Diverged(u64),
        /// Two processes have played different games under one number.
        #[error(
            "`{0}` holds another game than this process has played under the same number: the file was changed, or the machines compute \
             differently; delete it, and the game is played again"
        )]
        Contradiction(PathBuf),
        /// Games of a run are to be played by others that all depend on each other.
        #[error(
            "games can be played in parts only where `sync` is by generation, so that no game depends on the others beside it"
        )]
        NotApart,
        /// An actor of a run that plays its games itself.
        #[error("the process that learns plays all games itself: it was not told how many others are to play them")]
        NoActors,
        /// An actor of a run whose games are split in another way.
        #[error("the process that learns expects {expected} parts, found one of {found}")]
        OtherParts {
            /// The number of parts that it expects.
            expected: u64,
            /// The number that the actor was told.
            found: u64,
        },
        /// Another actor of the same part.
        #[error("part {0} is played by another process")]
        PartBusy(Shard),
        /// The network to start from is of another game or form.
        #[error("`{name}` cannot be started from: expected {expected}, found {found}")]
        Init {
            /// The network's file.
            name: String,
            /// The form that the settings ask for.
            expected: String,
            /// Its own.
            found: String,
        },
        /// The learner's thread ended without an answer.
        #[error("the learner ended without an answer")]
        NoAnswer,
    }
}
