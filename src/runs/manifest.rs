//! The manifest of a run: everything that its results depend on, and the checksums of what it wrote.

use std::path::Path;

use serde::{Deserialize, Serialize};

pub use crate::disk::FileError;
use crate::disk::{sha256_of_file, write_whole};

/// The manifest's name in the folder of a run.
pub const MANIFEST: &str = "manifest.json";
/// What runs write for readers: their tables, and which pictures go with them.
pub const TABLES: &str = "tables.md";

/// Written as `manifest.json` beside the results. It holds no times and no host names, so that a run repeated or
/// resumed elsewhere gives the same bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The experiment, such as `rnn-xiangqi`.
    pub experiment: String,
    /// The program and its version.
    pub program: String,
    /// The seed of every random draw.
    pub seed: u64,
    /// All settings.
    pub settings: serde_json::Value,
    /// SHA-256 of every input, by name.
    pub inputs: Vec<(String, String)>,
    /// SHA-256 of every file written, by name, in order of name.
    pub outputs: Vec<(String, String)>,
}

/// Reads the text in `path`.
///
/// # Errors
/// When it cannot be read.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    std::fs::read_to_string(path).map_err(FileError::of("read", path))
}

/// Writes `bytes` to `path`: the whole file or none of it.
///
/// # Errors
/// When it cannot be written.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    write_whole(path, bytes).map_err(FileError::of("write", path))
}

impl Manifest {
    /// The manifest of a run of this program, before its files are written.
    pub fn new(experiment: &str, seed: u64, settings: serde_json::Value, inputs: Vec<(String, String)>) -> Self {
        let (experiment, program) = (experiment.to_owned(), crate::PROGRAM.to_owned());
        Self { experiment, program, seed, settings, inputs, outputs: Vec::new() }
    }

    /// Reads the `manifest.json` of `folder`.
    ///
    /// # Errors
    /// When it cannot be read or is no manifest.
    pub fn read(folder: &Path) -> Result<Self, FileError> {
        let path = folder.join(MANIFEST);
        let text = std::fs::read(&path).and_then(|bytes| Ok(serde_json::from_slice(&bytes)?));
        text.map_err(FileError::of("read", &path))
    }

    /// Whether every file that it lists is in `folder` as it was written.
    pub fn is_intact(&self, folder: &Path) -> bool {
        self.outputs.iter().all(|(name, checksum)| sha256_of_file(&folder.join(name)).is_ok_and(|sum| sum == *checksum))
    }

    /// Fills in the outputs from the files of `folder` with these names, and writes the manifest there to the file called `name`.
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn write(mut self, name: &str, folder: &Path, outputs: &[String]) -> Result<(), FileError> {
        let mut names = outputs.to_vec();
        names.sort();
        for output in names {
            let path = folder.join(&output);
            let checksum = sha256_of_file(&path).map_err(FileError::of("read", &path))?;
            self.outputs.push((output, checksum));
        }
        let mut text = serde_json::to_vec_pretty(&self).unwrap_or_default();
        text.push(b'\n');
        write_file(&folder.join(name), &text)
    }
}
