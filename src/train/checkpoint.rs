//! The state of a training run on disk, from which it goes on to the same bytes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use super::runner::{CurvePoint, Method, State};
use crate::disk::write_whole;
use crate::net::Network;

const KEY: &str = "fingerprint";

/// Where a run keeps its state, and which run it is.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    path: PathBuf,
    fingerprint: String,
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file could not be read or written.
    #[error("cannot {action} checkpoint `{path}`")]
    Io {
        /// `read` or `write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// The file is broken.
    #[error("checkpoint `{path}` is broken: {found}; remove it to start over")]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        found: String,
    },
    /// It was left by a run with other settings or other games.
    #[error("checkpoint `{path}` belongs to a run with other settings or games; remove it to start over")]
    OtherRun {
        /// The file.
        path: PathBuf,
    },
}

impl Checkpoint {
    /// The checkpoint at `path` of the run that `fingerprint` identifies: all settings and input checksums.
    #[must_use]
    pub fn new(path: PathBuf, fingerprint: String) -> Self {
        Self { path, fingerprint }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn broken(&self, found: impl ToString) -> CheckpointError {
        CheckpointError::Broken { path: self.path.clone(), found: found.to_string() }
    }

    fn io(&self, action: &'static str) -> impl FnOnce(std::io::Error) -> CheckpointError {
        let path = self.path.clone();
        move |source| CheckpointError::Io { action, path, source }
    }

    /// Saves weights, the method's memory and where the run stands; the file appears whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save<M: Method>(&self, method: &M, net: &M::Net, state: &State) -> Result<(), CheckpointError> {
        let weights = bytes_of(net.parameters());
        let memory = bytes_of(&method.memory());
        let best = bytes_of(&state.best);
        let curve: Vec<u8> = state.curve.iter().flat_map(numbers_of).flat_map(f64::to_le_bytes).collect();
        let tensors = [
            ("weights", Dtype::F32, &weights),
            ("best", Dtype::F32, &best),
            ("memory", Dtype::F32, &memory),
            ("curve", Dtype::F64, &curve),
        ];
        let mut views = Vec::new();
        for (name, dtype, bytes) in tensors {
            let shape = vec![bytes.len() / dtype.bitsize().div_ceil(8)];
            views.push((name, TensorView::new(dtype, shape, bytes).map_err(|e| self.broken(e))?));
        }
        let metadata = HashMap::from([(KEY.to_owned(), self.fingerprint.clone())]);
        let bytes = safetensors::serialize(views, Some(metadata)).map_err(|e| self.broken(e))?;
        write_whole(&self.path, &bytes).map_err(self.io("write"))
    }

    /// Restores `method` and `net` and says where the run stands; `None` if there is no checkpoint.
    ///
    /// # Errors
    /// When it cannot be read, is broken, or belongs to another run.
    pub fn load<M: Method>(&self, method: &mut M, net: &mut M::Net) -> Result<Option<State>, CheckpointError> {
        if !self.path.exists() {
            return Ok(None);
        }
        let bytes = std::fs::read(&self.path).map_err(self.io("read"))?;
        let (_, metadata) = SafeTensors::read_metadata(&bytes).map_err(|e| self.broken(e))?;
        if metadata.metadata().as_ref().and_then(|keys| keys.get(KEY)) != Some(&self.fingerprint) {
            return Err(CheckpointError::OtherRun { path: self.path.clone() });
        }
        let tensors = SafeTensors::deserialize(&bytes).map_err(|e| self.broken(e))?;
        let floats = |name| tensors.tensor(name).map(|view| floats_of(view.data())).map_err(|e| self.broken(e));
        let (weights, memory) = (floats("weights")?, floats("memory")?);
        let best = floats("best")?;
        let n = net.parameters().len();
        if weights.len() != n || memory.len() != method.memory().len() || ![0, n].contains(&best.len()) {
            return Err(self.broken("its sizes do not fit the network"));
        }
        let curve = tensors.tensor("curve").map_err(|e| self.broken(e))?;
        let curve: Vec<CurvePoint> = curve.data().chunks_exact(32).map(point_of).collect();
        if curve.is_empty() {
            return Err(self.broken("its learning curve is empty"));
        }
        net.parameters_mut().copy_from_slice(&weights);
        method.restore(&memory);
        Ok(Some(State { curve, best }))
    }

    /// Removes the file, if there is one: the run is complete.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self) -> Result<(), CheckpointError> {
        if self.path.exists() { std::fs::remove_file(&self.path).map_err(self.io("remove")) } else { Ok(()) }
    }
}

fn bytes_of(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn floats_of(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|word| f32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

fn numbers_of(point: &CurvePoint) -> [f64; 4] {
    [point.pass, point.positions as f64, point.training_mse, point.held_out_mse]
}

fn point_of(bytes: &[u8]) -> CurvePoint {
    let number = |index: usize| {
        let mut word = [0; 8];
        word.copy_from_slice(&bytes[index * 8..index * 8 + 8]);
        f64::from_le_bytes(word)
    };
    CurvePoint { pass: number(0), positions: number(1) as u64, training_mse: number(2), held_out_mse: number(3) }
}
