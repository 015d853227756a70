//! Why a run in a folder stopped.

use std::path::PathBuf;

use super::folder::FolderError;
use super::manifest::{FileError, MANIFEST};
use super::training::{LearnError, SeedsError};
use crate::arena::{JournalError, PlanError};
use crate::net::store::StoreError;
use crate::record::RecordError;
use crate::report::PlotError;
use crate::train::zero::ZeroError;

/// Why a run in a folder stopped, or what it has left cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunsError {
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A picture cannot be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// Games cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A network cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Learning failed.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// Self-play, or learning from it, failed.
    #[error(transparent)]
    Zero(#[from] ZeroError),
    /// The plan of a match cannot be used.
    #[error("`{}`", .0.display())]
    Plan(PathBuf, #[source] PlanError),
    /// Plans of several folders cannot be one.
    #[error(transparent)]
    Plans(PlanError),
    /// The journal of a match cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file that others follow from is not what a finished run wrote.
    #[error("`{}` was changed since the run finished: put back what it wrote, or make the run anew", .0.display())]
    Changed(PathBuf),
    /// A folder holds no finished run.
    #[error("`{}` is not the folder of a finished run: it holds no `{MANIFEST}`", .0.display())]
    NoRun(PathBuf),
    /// A finished run that is to go on to more games would not be what it is from the start.
    #[error(
        "`{path}` holds a finished run of {before} games; gone on with to {games}, it is not the same as one of {games} from the start: \
         {reasons}",
        path = path.display(),
    )]
    Extension {
        /// The folder.
        path: PathBuf,
        /// Its games.
        before: usize,
        /// The games that are asked for.
        games: usize,
        /// What makes the difference.
        reasons: String,
    },
    /// A training run cannot be set beside others.
    #[error(transparent)]
    Seeds(#[from] SeedsError),
}
