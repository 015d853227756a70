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

errors! {
    /// Why a run in a folder stopped, or what it has left cannot be read.
    #[derive(Debug, thiserror::Error)]
    #[error(transparent)]
    #[non_exhaustive]
    pub enum RunsError of
        Folder(FolderError), File(FileError), Plot(PlotError), Record(RecordError), Store(StoreError),
        Learn(LearnError), Zero(ZeroError), Journal(JournalError), Seeds(SeedsError) {
        /// The plan of a match cannot be used.
        #[error("`{}`", .0.display())]
        Plan(PathBuf, #[source] PlanError),
        /// Plans of several folders cannot be one.
        Plans(PlanError),
        /// A file that others follow from is not what a finished run wrote.
        #[error("`{}` was changed since the run finished: put back what it wrote, or make the run anew", .0.display())]
        Changed(PathBuf),
        /// A link in the folder of a run leads out of it.
        #[error("`{}` is a link that leads out of the folder of the run: put the file itself there", .0.display())]
        Outside(PathBuf),
        /// The folder of a run holds a pipe, a socket or a device.
        #[error("`{}` is neither a file nor a folder: the folder of a run holds nothing else", .0.display())]
        Endless(PathBuf),
        /// A folder holds no finished run.
        #[error("`{}` is not the folder of a finished run: it holds no `{MANIFEST}`", .0.display())]
        NoRun(PathBuf),
        /// A finished run that is to go on to more games would not be what it is from the start.
        #[error(
            "`{path}` holds a finished run of {before} games; continued to {games}, it would not be the same as a run of {games} from the start: \
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
    }
}
