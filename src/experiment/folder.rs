//! The folder of a run, and the hidden one in it that holds what an interrupted run needs to go on.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::manifest::FileError;
use crate::disk::sha256;

/// Where a run writes its results and keeps its state.
#[derive(Debug, Clone)]
pub struct RunFolder {
    /// The results.
    pub results: PathBuf,
    /// The state for resuming, named after everything that the results depend on, so that a run takes up only what an
    /// interrupted run of the same kind has left.
    pub work: PathBuf,
}

impl RunFolder {
    /// Creates `folder`, and in it the folder for the state of a run with this `identity`: settings and inputs. The
    /// program and its version are part of it.
    ///
    /// # Errors
    /// When a folder cannot be made.
    pub fn create(folder: &Path, identity: &impl Serialize) -> Result<Self, FileError> {
        let fingerprint = sha256(&serde_json::to_vec(&(crate::PROGRAM, identity)).unwrap_or_default());
        let work = folder.join(format!(".resume-{}", &fingerprint[..16]));
        for path in [folder, &work] {
            let create = |source| FileError { action: "create", path: path.to_owned(), source };
            std::fs::create_dir_all(path).map_err(create)?;
        }
        Ok(Self { results: folder.to_owned(), work })
    }

    /// Removes the state of a run that is finished.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn forget_state(&self) -> Result<(), FileError> {
        let remove = |source| FileError { action: "remove", path: self.work.clone(), source };
        std::fs::remove_dir_all(&self.work).map_err(remove)
    }
}
