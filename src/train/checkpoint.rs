//! The state of a training run on disk, from which it continues to the same bytes.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, SafeTensors};

use super::curve::{Curve, CurvePoint};
use crate::disk::{FileError, read_sealed, write_sealed};
use crate::net::container::{floats, serialised};

const KEY: &str = "fingerprint";

/// Where a run keeps its state, and which run it is.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    path: PathBuf,
    fingerprint: String,
}

/// Where a run stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot<W = Vec<f32>, C = Curve> {
    /// The weights of the network.
    pub weights: W,
    /// What the method remembers besides.
    pub memory: W,
    /// The weights of the lowest held-out error so far; empty unless the plan asks for patience.
    pub best: W,
    /// The curve so far.
    pub curve: C,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file could not be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is broken.
    #[error("checkpoint `{path}` is broken: {found}; remove it to start over")]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        found: String,
    },
    /// It was left by a run with other settings or other games.
    #[error("checkpoint `{0}` belongs to a run with other settings or games; remove it to start over")]
    OtherRun(PathBuf),
}

impl Checkpoint {
    /// The checkpoint at `path` of the run that `fingerprint` identifies: all settings and input checksums.
    pub fn new(path: PathBuf, fingerprint: String) -> Self {
        Self { path, fingerprint }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn broken(&self, found: impl ToString) -> CheckpointError {
        CheckpointError::Broken { path: self.path.clone(), found: found.to_string() }
    }

    /// Saves where a run stands; the file appears whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, state: Snapshot<&[f32], &[CurvePoint]>) -> Result<(), CheckpointError> {
        let numbers = |p: &CurvePoint| [p.pass, p.positions as f64, p.training_mse, p.held_out_mse];
        let curve: Vec<u8> = state.curve.iter().flat_map(numbers).flat_map(f64::to_le_bytes).collect();
        let tensor = |name, values: &[f32]| floats(name, &[values.len()], values);
        let tensors = [
            tensor("weights", state.weights),
            tensor("best", state.best),
            tensor("memory", state.memory),
            ("curve".to_owned(), Dtype::F64, vec![4 * state.curve.len()], curve),
        ];
        let bytes = serialised(&tensors, KEY, self.fingerprint.clone()).map_err(|e| self.broken(e))?;
        Ok(write_sealed(&self.path, &bytes).map_err(FileError::of("write", &self.path))?)
    }

    /// Where a run stands whose network has `n_weights` weights and whose method remembers `n_memory` numbers; `None` if there is
    /// no checkpoint.
    ///
    /// # Errors
    /// When it cannot be read, is broken, or belongs to another run.
    pub fn load(&self, n_weights: usize, n_memory: usize) -> Result<Option<Snapshot>, CheckpointError> {
        if !self.path.exists() {
            return Ok(None);
        }
        // An older file has no seal. No sealed one passes for it: safetensors refuses bytes behind the content.
        let is_whole = |bytes: &[u8]| SafeTensors::deserialize(bytes).is_ok();
        let bytes = match read_sealed(&self.path, is_whole) {
            Err(error) if error.kind() == ErrorKind::InvalidData => return Err(self.broken(error)),
            read => read.map_err(FileError::of("read", &self.path))?,
        };
        let (_, metadata) = SafeTensors::read_metadata(&bytes).map_err(|e| self.broken(e))?;
        if metadata.metadata().as_ref().and_then(|keys| keys.get(KEY)) != Some(&self.fingerprint) {
            return Err(CheckpointError::OtherRun(self.path.clone()));
        }
        let tensors = SafeTensors::deserialize(&bytes).map_err(|e| self.broken(e))?;
        let numbers = |bytes: &[u8]| bytes.as_chunks().0.iter().map(|&word| f32::from_le_bytes(word)).collect();
        let floats = |name| -> Result<Vec<f32>, _> {
            tensors.tensor(name).map(|view| numbers(view.data())).map_err(|error| self.broken(error))
        };
        let (weights, memory, best) = (floats("weights")?, floats("memory")?, floats("best")?);
        if weights.len() != n_weights || memory.len() != n_memory || ![0, n_weights].contains(&best.len()) {
            return Err(self.broken("its sizes do not fit the network"));
        }
        let curve = tensors.tensor("curve").map_err(|e| self.broken(e))?;
        let curve: Curve = curve.data().as_chunks().0.as_chunks().0.iter().map(point_of).collect();
        if curve.is_empty() {
            return Err(self.broken("its learning curve is empty"));
        }
        Ok(Some(Snapshot { weights, memory, best, curve }))
    }

    /// Removes the file, if there is one: the run is complete.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self) -> Result<(), FileError> {
        let removed = if self.path.exists() { std::fs::remove_file(&self.path) } else { Ok(()) };
        removed.map_err(FileError::of("remove", &self.path))
    }
}

fn point_of(numbers: &[[u8; 8]; 4]) -> CurvePoint {
    let [pass, positions, training_mse, held_out_mse] = numbers.map(f64::from_le_bytes);
    CurvePoint { pass, positions: positions as u64, training_mse, held_out_mse }
}
