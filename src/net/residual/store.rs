//! Residual networks on disk: safetensors files with the tensors that `weights.rs` lists, f32.
//!
//! The file's metadata has one key, `roughboard-residual`, which holds [`About`] and the [`Shape`] as JSON.

use std::path::Path;

use safetensors::tensor::Dtype;
use serde::{Deserialize, Serialize};

use super::shape::Shape;
use super::weights::{Weights, tensors};
use crate::net::container::{
    RESIDUAL_KEY, Reader, StoreError, Tensor, floats, has_key, pack_with, read_container, save_bytes,
};

/// The version of the format that this library writes and reads.
pub const FORMAT: u32 = 1;

/// What a file says of its network besides shape and weights.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct About {
    /// The game whose positions it evaluates.
    pub game: String,
    /// Earlier positions whose pieces its planes show.
    pub history: usize,
    /// How it was trained: all settings, the seed included, and what it learned from.
    #[serde(default)]
    pub training: serde_json::Value,
}

/// The metadata of a file.
#[derive(Serialize, Deserialize)]
struct Description {
    format: u32,
    #[serde(flatten)]
    about: About,
    shape: Shape,
}

/// The bytes of a network's file; the same network and description give the same bytes.
///
/// # Errors
/// Never for networks made by this library; the container's own checks are passed on.
pub fn to_bytes(weights: &Weights, about: &About) -> Result<Vec<u8>, safetensors::SafeTensorError> {
    bytes_with(weights, about, Vec::new())
}

/// The bytes of a file that holds `more` besides the network.
pub(super) fn bytes_with(
    weights: &Weights,
    about: &About,
    more: Vec<Tensor>,
) -> Result<Vec<u8>, safetensors::SafeTensorError> {
    let description = Description { format: FORMAT, about: about.clone(), shape: *weights.shape() };
    let list = tensors(weights.shape()).into_iter();
    let list = list.map(|tensor| floats(&tensor.name, &tensor.shape, &weights.flat()[tensor.range]));
    let all: Vec<Tensor> = list.chain(more).collect();
    pack_with(&all, RESIDUAL_KEY, &description)
}

/// Writes a network; the file appears whole or not at all.
///
/// # Errors
/// When the file cannot be written.
pub fn save(path: &Path, weights: &Weights, about: &About) -> Result<(), StoreError> {
    save_bytes(path, to_bytes(weights, about))
}

/// Reads the network that `path` stands for, a file or the folder of a training run, and what its file says of it.
///
/// # Errors
/// When the file cannot be read, is not a residual network of this library, or its tensors do not fit the shape.
pub fn load(path: &Path) -> Result<(Weights, About), StoreError> {
    read_container(path, (RESIDUAL_KEY, FORMAT), |reader, Description { about, shape, .. }| {
        Ok((read_weights(reader, shape)?, about))
    })
}

/// The tensor in which a file keeps what the optimiser remembers.
const MEMORY: &str = "optimiser";

/// Writes a network and what its optimiser remembers.
pub(super) fn save_with_memory(
    path: &Path,
    weights: &Weights,
    about: &About,
    memory: &[f32],
) -> Result<(), StoreError> {
    save_bytes(path, bytes_with(weights, about, vec![floats(MEMORY, &[memory.len()], memory)]))
}

/// Reads a network and what its optimiser remembers, `length` numbers of the network.
pub(super) fn load_with_memory(
    path: &Path,
    length: impl Fn(&Weights) -> usize,
) -> Result<(Weights, Vec<f32>, About), StoreError> {
    read_container(path, (RESIDUAL_KEY, FORMAT), |reader, Description { about, shape, .. }| {
        let weights = read_weights(reader, shape)?;
        let (memory, expected) = (reader.words(MEMORY, Dtype::F32)?, length(&weights));
        if memory.len() != expected {
            return Err(reader.mismatch(MEMORY, format!("{expected} numbers"), memory.len().to_string()));
        }
        // Any bits are allowed: the number of steps is among them.
        Ok((weights, memory.into_iter().map(f32::from_le_bytes).collect(), about))
    })
}

fn read_weights(reader: &Reader<'_>, shape: Shape) -> Result<Weights, StoreError> {
    let wrong = |found: String| StoreError::About { path: reader.path.to_owned(), found };
    shape.check().map_err(|error| wrong(error.to_string()))?;
    let mut flat = Vec::new();
    for tensor in tensors(&shape) {
        flat.extend(reader.shaped(&tensor.name, &tensor.shape)?);
    }
    Weights::from_flat(shape, flat).ok_or_else(|| wrong("a shape that its tensors do not have".to_owned()))
}

/// Whether `path` stands for a residual network, for whoever reads networks of several kinds.
pub fn is_residual(path: &Path) -> bool {
    has_key(path, RESIDUAL_KEY)
}
