//! The manifest of a run: everything that its results depend on, and the checksums of what it wrote.

use std::io;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use super::identity::identity_of;
pub use crate::disk::FileError;
pub use crate::disk::MANIFEST;
use crate::disk::{sha256_of_file, write_file};
use crate::net::store::IN_FOLDER;

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
    /// Those of the outputs that may be left out where the run is kept: large files that the same run makes again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_be_left_out: Vec<String>,
}

/// How the files of a run differ from what its manifest lists, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Differences {
    /// Files that are missing and may be.
    pub left_out: Vec<String>,
    /// Files that are missing.
    pub removed: Vec<String>,
    /// Files that hold something else, or cannot be read.
    pub changed: Vec<String>,
}

/// Endings of networks, archives of games, journals, and pictures that come beside those in SVG.
const LARGE: [&str; 4] = [".safetensors", ".pgn.zst", ".jsonl", ".png"];

/// Reads the text in `path`.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn read_text(path: &Path) -> Result<String, FileError> {
    std::fs::read_to_string(path).map_err(FileError::of("read", path))
}

impl Manifest {
    /// The manifest of a run of this program, before its files are written.
    pub fn new(experiment: &str, seed: u64, settings: serde_json::Value, inputs: Vec<(String, String)>) -> Self {
        let (experiment, program) = (experiment.to_owned(), crate::PROGRAM.to_owned());
        Self { experiment, program, seed, settings, inputs, outputs: Vec::new(), may_be_left_out: Vec::new() }
    }

    /// Reads the `manifest.json` of `folder`.
    ///
    /// # Errors
    /// When it cannot be read or is no manifest.
    pub fn read(folder: &Path) -> Result<Self, FileError> {
        let path = folder.join(MANIFEST);
        let parsed = std::fs::read(&path).and_then(|bytes| Ok(serde_json::from_slice(&bytes)?));
        parsed.and_then(Self::with_names_within).map_err(FileError::of("read", &path))
    }

    /// The manifest, if none of the files that it lists lies outside its folder: it may be a stranger's.
    fn with_names_within(self) -> io::Result<Self> {
        let is_within = |name: &str| Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        match self.outputs.iter().find(|(name, _)| !is_within(name)) {
            Some((name, _)) => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("it lists `{name}`, which is not in its folder"),
            )),
            None => Ok(self),
        }
    }

    /// All that the results depend on.
    pub(super) fn identity(&self) -> serde_json::Value {
        let mut identity = identity_of(&self.program, &self.settings, &self.inputs);
        identity["seed"] = self.seed.into();
        identity
    }

    /// Whether the run wrote a file of this `name`.
    pub fn lists(&self, name: &str) -> bool {
        self.outputs.iter().any(|(known, _)| known == name)
    }

    /// How the files in `folder` differ from those that it lists.
    pub fn differences(&self, folder: &Path) -> Differences {
        let mut found = Differences::default();
        for (name, checksum) in &self.outputs {
            let path = folder.join(name);
            let list = match path.exists() {
                // Without the network that it stands for, the folder of a run is of no use.
                false if name != IN_FOLDER && self.may_be_left_out.contains(name) => &mut found.left_out,
                false => &mut found.removed,
                // Not of a pipe or a device, which may have no end.
                true if path.is_file() && sha256_of_file(&path).is_ok_and(|sum| sum == *checksum) => continue,
                true => &mut found.changed,
            };
            list.push(name.clone());
        }
        found
    }

    /// Whether every file that it lists is in `folder` as it was written.
    pub fn is_intact(&self, folder: &Path) -> bool {
        self.differences(folder) == Differences::default()
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
            if LARGE.iter().any(|ending| output.ends_with(ending)) {
                self.may_be_left_out.push(output.clone());
            }
            self.outputs.push((output, checksum));
        }
        let mut text = serde_json::to_vec_pretty(&self).unwrap_or_default();
        text.push(b'\n');
        write_file(&folder.join(name), &text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_told_from_what_was_removed_or_changed() {
        let place = tempfile::tempdir().unwrap();
        let names = ["a.md", "b.md", "games.pgn.zst", "net-1.safetensors", "net.safetensors"].map(str::to_owned);
        names.iter().for_each(|name| std::fs::write(place.path().join(name), name).unwrap());
        Manifest::new("x", 1, serde_json::Value::Null, Vec::new()).write(MANIFEST, place.path(), &names).unwrap();
        let manifest = Manifest::read(place.path()).unwrap();
        assert!(manifest.is_intact(place.path()));
        ["a.md", "net-1.safetensors", "net.safetensors"]
            .iter()
            .for_each(|name| std::fs::remove_file(place.path().join(name)).unwrap());
        std::fs::write(place.path().join("b.md"), "other").unwrap();
        let one = |name: &str| vec![name.to_owned()];
        let (left_out, mut removed, changed) = (one("net-1.safetensors"), one("a.md"), one("b.md"));
        removed.push("net.safetensors".to_owned());
        assert_eq!(manifest.differences(place.path()), Differences { left_out, removed, changed });
        assert!(!manifest.is_intact(place.path()));
    }
}
