//! What the files of all kinds of networks have in common: tensors and a description, in one safetensors file.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::Deserialize;

use super::supplied::supplied;
use crate::disk::{Changed, MANIFEST, sha256, write_whole};

/// The metadata key of networks that read value codes.
pub const KEY: &str = "roughboard";
/// The metadata key of residual networks.
pub(crate) const RESIDUAL_KEY: &str = "roughboard-residual";

/// The keys of all kinds of network, with what they are called.
const KINDS: [(&str, &str); 2] = [
    (KEY, "a network of `train rough`, `bp`, `td` or `baseline`"),
    (RESIDUAL_KEY, "a residual network of `train zero`"),
];

/// Weights beyond ± this are refused, as sums over them would not be exact.
const MAX_WEIGHT: f32 = 1e6;

/// Whether this is a weight that a file may hold.
fn is_weight(number: f32) -> bool {
    // What is no number lies within no bounds.
    number.abs() <= MAX_WEIGHT
}

/// Whether all are weights that a file may hold: numbers within ± 10⁶. Others mean that training ran away.
pub fn are_weights(numbers: &[f32]) -> bool {
    numbers.iter().copied().all(is_weight)
}

/// Why a network could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file could not be read or written.
    #[error("cannot {action} network `{path}`")]
    Io {
        /// `read` or `write`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// A short name is that of a file too.
    #[error(
        "`{0}` is a network that comes with the program and also a file or folder here: write `./{0}` for the latter"
    )]
    Ambiguous(PathBuf),
    /// The folder of a finished run holds another network than the run wrote.
    #[error(
        "`{path}` is not the network that the run in its folder wrote: `{MANIFEST}` states SHA-256 {stated}, found {found}; \
         name the file itself to use it all the same"
    )]
    Replaced {
        /// The file.
        path: PathBuf,
        /// The SHA-256 of what the run wrote.
        stated: String,
        /// That of the file.
        found: String,
    },
    /// The file is not a safetensors file, or a broken one.
    #[error("`{path}` is not a network file")]
    Container {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: safetensors::SafeTensorError,
    },
    /// The file is not as it was written.
    #[error(
        "`{0}` is not the network that was written: {Changed}; without the member `sha256` of its description it is taken as it is"
    )]
    Changed(PathBuf),
    /// The description in the metadata is absent, unreadable, or of another kind of network.
    #[error("`{path}` does not hold a network of the kind needed here: {found}")]
    About {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        found: String,
    },
    /// A tensor has the wrong type or size.
    #[error("tensor `{tensor}` of `{path}` does not fit: expected {expected}, found {found}")]
    Tensor {
        /// The file.
        path: PathBuf,
        /// The tensor.
        tensor: String,
        /// Type and size that the others imply.
        expected: String,
        /// Type and size in the file.
        found: String,
    },
}

/// One tensor to write: name, type, shape, bytes in little-endian order.
pub type Tensor = (String, Dtype, Vec<usize>, Vec<u8>);

/// A tensor of real numbers.
pub fn floats(name: &str, shape: &[usize], values: &[f32]) -> Tensor {
    (name.to_owned(), Dtype::F32, shape.to_vec(), values.iter().flat_map(|v| v.to_le_bytes()).collect())
}

/// A tensor of whole numbers, one after the other.
pub fn indices(name: &str, values: impl Iterator<Item = usize>) -> Tensor {
    let values: Vec<u32> = values.map(|v| v as u32).collect();
    (name.to_owned(), Dtype::U32, vec![values.len()], values.iter().flat_map(|v| v.to_le_bytes()).collect())
}

/// The number of weights in tensors of these shapes.
pub fn n_weights<N>(shapes: &[(N, Vec<usize>)]) -> usize {
    shapes.iter().map(|(_, shape)| shape.iter().product::<usize>()).sum()
}

/// Tensors of these names and shapes with their weights, which lie one after another in `flat`.
pub fn with_weights<N>(shapes: Vec<(N, Vec<usize>)>, mut flat: &[f32]) -> Vec<(N, Vec<usize>, &[f32])> {
    let tensor = |(name, shape): (N, Vec<usize>)| {
        let (weights, others) = flat.split_at(shape.iter().product());
        flat = others;
        (name, shape, weights)
    };
    shapes.into_iter().map(tensor).collect()
}

/// A file of `tensors` whose metadata has `text` under `key`.
pub(crate) fn serialised(tensors: &[Tensor], key: &str, text: String) -> Result<Vec<u8>, safetensors::SafeTensorError> {
    let views = tensors.iter().map(|(name, dtype, shape, bytes)| {
        TensorView::new(*dtype, shape.clone(), bytes).map(|view| (name.as_str(), view))
    });
    let views = views.collect::<Result<Vec<_>, _>>()?;
    safetensors::serialize(views, Some(HashMap::from([(key.to_owned(), text)])))
}

/// As [`serialised`], with `description` as JSON and a checksum of the file in it.
pub(crate) fn pack_with(
    tensors: &[Tensor],
    key: &str,
    description: &impl serde::Serialize,
) -> Result<Vec<u8>, safetensors::SafeTensorError> {
    let description = serde_json::to_string(description).unwrap_or_default();
    let description = description.replacen('{', &format!("{{\"sha256\":\"{}\",", "0".repeat(DIGITS)), 1);
    let mut bytes = serialised(tensors, key, description)?;
    if let Some(place) = place_of_sum(&bytes) {
        let sum = sha256(&bytes);
        bytes[place].copy_from_slice(sum.as_bytes());
    }
    Ok(bytes)
}

/// How a description begins that has a checksum of the file, as the head of the file has it: a text within JSON. The checksum is SHA-256 of
/// the file with zeros in its place.
const SUM: &[u8] = b"\"{\\\"sha256\\\":\\\"";
/// Hexadecimal digits of a checksum.
const DIGITS: usize = 64;

/// Where a file has the checksum of itself, if it has one.
fn place_of_sum(bytes: &[u8]) -> Option<Range<usize>> {
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let head = rest.get(..usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    let at = length.len() + head.windows(SUM.len()).position(|window| window == SUM)? + SUM.len();
    (at + DIGITS <= bytes.len()).then_some(at..at + DIGITS)
}

/// Whether a file is as it was written, as far as it says.
fn is_as_written(bytes: &[u8]) -> bool {
    place_of_sum(bytes).is_none_or(|place| {
        let mut without = bytes.to_vec();
        without[place.clone()].fill(b'0');
        sha256(&without).as_bytes() == &bytes[place]
    })
}

/// Writes the bytes of a network; the file appears whole or not at all.
pub(crate) fn save_bytes(path: &Path, bytes: Result<Vec<u8>, safetensors::SafeTensorError>) -> Result<(), StoreError> {
    let bytes = bytes.map_err(|source| StoreError::Container { path: path.to_owned(), source })?;
    write_whole(path, &bytes).map_err(|source| StoreError::Io { action: "write", path: path.to_owned(), source })
}

/// The name of the network in the folder of a training run.
pub const IN_FOLDER: &str = "net.safetensors";

/// The file of the network that `path` stands for: a folder, as a training run writes it, means its [`IN_FOLDER`].
fn network_file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(IN_FOLDER) } else { path.to_owned() }
}

/// The bytes of the network that `path` stands for: the short name of a [supplied network](super::SUPPLIED_NETWORKS), a file, or a folder.
///
/// # Errors
/// When there is no such network, a short name is that of a file too, or a folder holds another network than its run wrote.
pub fn network_bytes(path: &Path) -> Result<Cow<'static, [u8]>, StoreError> {
    match supplied(path) {
        Some(_) if path.exists() => Err(StoreError::Ambiguous(path.to_owned())),
        Some(network) => Ok(Cow::Borrowed(network.bytes)),
        None => {
            let file = network_file(path);
            let bytes = std::fs::read(&file).map_err(|source| StoreError::Io { action: "read", path: file, source })?;
            if path.is_dir() {
                check_stated(path, &bytes)?;
            }
            Ok(Cow::Owned(bytes))
        }
    }
}

/// Refuses `bytes` as the network of the run in `folder` where the run states that it wrote another: a folder stands for its run.
fn check_stated(folder: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    /// The part of a manifest that is of interest.
    #[derive(Deserialize)]
    struct Stated {
        outputs: Vec<(String, String)>,
    }
    // Only a finished run has a manifest.
    let manifest = std::fs::read(folder.join(MANIFEST)).ok();
    let stated = manifest.and_then(|text| serde_json::from_slice::<Stated>(&text).ok());
    let outputs = stated.map(|stated| stated.outputs).unwrap_or_default();
    let Some((_, stated)) = outputs.into_iter().find(|(name, _)| name == IN_FOLDER) else { return Ok(()) };
    let found = sha256(bytes);
    if stated == found { Ok(()) } else { Err(StoreError::Replaced { path: folder.join(IN_FOLDER), stated, found }) }
}

/// Whether the metadata of the network that `path` stands for has `key`. Only the head of the file is read.
pub(crate) fn has_key(path: &Path, key: &str) -> bool {
    /// The part of the head that is of interest.
    #[derive(Deserialize)]
    struct Head {
        #[serde(rename = "__metadata__")]
        metadata: HashMap<String, String>,
    }
    let head = || -> Option<Head> {
        let mut file: Box<dyn Read> = match supplied(path) {
            Some(network) => Box::new(network.bytes),
            None => Box::new(File::open(network_file(path)).ok()?),
        };
        let mut length = [0; 8];
        file.read_exact(&mut length).ok()?;
        let mut text = Vec::new();
        file.take(u64::from_le_bytes(length)).read_to_end(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    };
    head().is_some_and(|head| head.metadata.contains_key(key))
}

/// Reads the file that `path` stands for; `finish` makes something of its tensors and of what its metadata says under a key, in a
/// version of the format.
pub(crate) fn read_container<D: serde::de::DeserializeOwned, T>(
    path: &Path,
    (key, format): (&str, u32),
    finish: impl FnOnce(&Reader<'_>, D) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let bytes = network_bytes(path)?;
    let file = network_file(path);
    let path = file.as_path();
    let container = |source| StoreError::Container { path: path.to_owned(), source };
    let tensors = SafeTensors::deserialize(&bytes).map_err(container)?;
    // After that a file which was cut is called none.
    if !is_as_written(&bytes) {
        return Err(StoreError::Changed(path.to_owned()));
    }
    let description = read_description(path, &bytes, key, format)?;
    finish(&Reader { path, tensors }, description)
}

/// What the metadata of a file says under `key`, if it is of version `expected`.
fn read_description<D: serde::de::DeserializeOwned>(
    path: &Path,
    bytes: &[u8],
    key: &str,
    expected: u32,
) -> Result<D, StoreError> {
    /// What tells the version of files of any version.
    #[derive(Deserialize)]
    struct Version {
        format: u32,
    }
    let wrong = |found: String| StoreError::About { path: path.to_owned(), found };
    let (_, metadata) =
        SafeTensors::read_metadata(bytes).map_err(|source| StoreError::Container { path: path.to_owned(), source })?;
    let known = metadata.metadata().as_ref();
    let text = known.and_then(|keys| keys.get(key));
    let text = text.ok_or_else(|| {
        let other = KINDS.iter().find_map(|(other, kind)| Some((kind, known?.get(*other)?)));
        wrong(other.map_or_else(
            || format!("no metadata key `{key}`"),
            |(kind, about)| format!("it is {kind}{}", game_of(about)),
        ))
    })?;
    let Version { format } = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    if format != expected {
        return Err(wrong(format!("expected format {expected}, found {format}")));
    }
    serde_json::from_str(text).map_err(|error| wrong(error.to_string()))
}

/// For which game a network is, behind what it is.
fn game_of(about: &str) -> String {
    let about: serde_json::Value = serde_json::from_str(about).unwrap_or_default();
    about["game"].as_str().map(|game| format!(" for {game}")).unwrap_or_default()
}

/// The tensors of a file, read with checks.
pub struct Reader<'a> {
    /// The file.
    pub path: &'a Path,
    /// What it holds.
    pub tensors: SafeTensors<'a>,
}

impl Reader<'_> {
    pub fn mismatch(&self, tensor: &str, expected: impl Into<String>, found: impl Into<String>) -> StoreError {
        StoreError::Tensor {
            path: self.path.to_owned(),
            tensor: tensor.to_owned(),
            expected: expected.into(),
            found: found.into(),
        }
    }

    pub fn words(&self, name: &str, dtype: Dtype) -> Result<Vec<[u8; 4]>, StoreError> {
        let view =
            self.tensors.tensor(name).map_err(|_| self.mismatch(name, format!("{dtype:?}"), "no such tensor"))?;
        if view.dtype() != dtype {
            return Err(self.mismatch(name, format!("{dtype:?}"), format!("{:?}", view.dtype())));
        }
        Ok(view.data().chunks_exact(4).map(|word| [word[0], word[1], word[2], word[3]]).collect())
    }

    /// The numbers of a tensor, which must be of a size that sums over them can hold.
    pub fn floats(&self, name: &str) -> Result<Vec<f32>, StoreError> {
        let values: Vec<f32> = self.words(name, Dtype::F32)?.into_iter().map(f32::from_le_bytes).collect();
        match values.iter().find(|value| !is_weight(**value)) {
            Some(value) => Err(self.mismatch(name, format!("numbers within ±{MAX_WEIGHT}"), value.to_string())),
            None => Ok(values),
        }
    }

    /// The numbers of a tensor of exactly this shape.
    pub(crate) fn shaped(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, StoreError> {
        let values = self.floats(name)?;
        let found = self.tensors.tensor(name).map(|view| view.shape().to_vec()).unwrap_or_default();
        if found == shape { Ok(values) } else { Err(self.mismatch(name, format!("{shape:?}"), format!("{found:?}"))) }
    }

    /// The whole numbers of a tensor.
    pub fn indices(&self, name: &str) -> Result<Vec<usize>, StoreError> {
        Ok(self.words(name, Dtype::U32)?.into_iter().map(|word| u32::from_le_bytes(word) as usize).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_any_byte_behind_the_checksum_is_noticed() {
        let tensors = [floats("weights", &[2], &[0.5, -1.0])];
        let bytes = pack_with(&tensors, KEY, &HashMap::from([("format", 1)])).unwrap();
        assert!(is_as_written(&bytes));
        for at in place_of_sum(&bytes).unwrap().start..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(!is_as_written(&changed), "byte {at}");
        }
        assert!(is_as_written(b"without a checksum"));
    }

    #[test]
    fn a_checksum_stands_within_the_head_and_the_file() {
        let file = |length: usize, head: &[u8]| [&(length as u64).to_le_bytes()[..], head].concat();
        let head = [&b"xx"[..], SUM, &[b'0'; DIGITS][..]].concat();
        let first = 8 + 2 + SUM.len();
        for length in [head.len(), 2 + SUM.len()] {
            assert_eq!(place_of_sum(&file(length, &head)), Some(first..first + DIGITS), "{length}");
        }
        assert_eq!(place_of_sum(&file(1 + SUM.len(), &head)), None, "beyond the head");
        assert_eq!(place_of_sum(&file(head.len() + 1, &head)), None, "a head that is cut");
        assert_eq!(place_of_sum(&file(head.len() - 1, &head[..head.len() - 1])), None, "digits that are cut");
        assert_eq!(place_of_sum(b"short"), None);
        assert!(!is_as_written(&file(head.len(), &head)), "zeros are not the sum of this file");
    }

    #[test]
    fn weights_are_numbers_of_a_size_that_sums_can_hold() {
        assert!(are_weights(&[1e6, -1e6, 0.0]) && are_weights(&[]));
        for wrong in [1_000_001.0, -1_000_001.0, f32::NAN, f32::INFINITY] {
            assert!(!are_weights(&[0.0, wrong]), "{wrong}");
        }
    }

    #[test]
    fn tensors_share_out_the_weights_in_their_order() {
        let shapes = || vec![("a", vec![2, 3]), ("b", vec![1]), ("c", vec![2])];
        assert_eq!(n_weights(&shapes()), 9);
        let flat: Vec<f32> = (0..9_u8).map(f32::from).collect();
        let expected =
            vec![("a", vec![2_usize, 3], &flat[..6]), ("b", vec![1], &flat[6..7]), ("c", vec![2], &flat[7..])];
        assert_eq!(with_weights(shapes(), &flat), expected);
    }
}
