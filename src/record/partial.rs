//! Files that appear when they are complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::RecordError;
use crate::disk::{FileError, partial_path};

/// A file on its way: `NAME.partial`, removed unless it [appears](Partial::appear). Until then an old file of its name stays.
pub struct Partial {
    target: PathBuf,
    path: PathBuf,
}

impl Partial {
    pub fn new(target: &Path) -> Self {
        Self { target: target.to_owned(), path: partial_path(target) }
    }

    /// Where it is written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The error for what went wrong with it.
    pub fn failed(&self, cause: io::Error) -> RecordError {
        FileError::of("write file", &self.target)(cause).into()
    }

    /// Gives it its name.
    pub fn appear(self) -> Result<(), RecordError> {
        fs::rename(&self.path, &self.target).map_err(|cause| self.failed(cause))
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // After it has appeared there is nothing to remove; a partial file that stays does no harm.
        let _ = fs::remove_file(&self.path);
    }
}
