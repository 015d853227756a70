//! Networks on disk: safetensors files that carry everything needed to use and to trace them.
//!
//! | tensor | type, shape | of |
//! |---|---|---|
//! | `n_values` | u32 (n) | every network: number of values of each input attribute |
//! | `values` | f32 (classes) | every network: the number of each value class |
//! | `input_weights` | f32 (rows, N₁) | plain: W₁, a row an attribute, or a row a value class with one-hot inputs; N₁ = 1 without hidden layers |
//! | `hidden_bias` | f32 (N₁) | plain, with hidden layers: b₁ |
//! | `hidden_weights_2` `hidden_bias_2` … | f32 (N₁, N₂) (N₂) … | plain, with more hidden layers |
//! | `output_weights` | f32 (N_L) | plain, with hidden layers |
//! | `output_bias` | f32 (1) | plain |
//! | `inputs` | u32 (\|R\|) | rough: the attributes that the network reads |
//! | `theta` `omega` `bias` `tau` | f32 (classes, m) (m) (1) (1) | rough, default form |
//! | `theta` | f32 (weights) | rough, default form with products over own conditions: rule by rule, a weight a value |
//! | `inclusion` `omega` | f32 (factors) (m) | rough, literal form: rule by rule, a weight an attribute |
//! | `split_attribute` `split_last` `split_children` | u32 (s) (s) (2 s) | tree: what each split asks, and where it leads |
//! | `leaves` | f32 (s + 1) | tree: the argument of the output in each leaf |
//!
//! A network in whole numbers ([`super::quantise`]) has instead of `input_weights` or `theta`
//!
//! | tensor | type, shape | of |
//! |---|---|---|
//! | `rows` | i8 or i16 (classes, N₁) | a row a value class, in units |
//! | `units` `base` | f32 (N₁) (N₁) | what a unit of each column is worth; what each sum starts from, biases included |
//!
//! The file's metadata has one key, `roughboard`, which holds [`About`] as JSON (one key, so that the bytes do not
//! depend on a hash map's order).

mod quantised;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use super::dense::DenseShape;
use super::first_layer::FirstLayer;
use super::inference::Readout;
use super::quantise::IntegerNet;
use super::residual;
use super::rough::{RoughForm, RoughShape};
use super::tree::Split;
use super::{Coding, DenseNet, Network, Pass, RoughNet, TreeNet};
use crate::disk::write_whole;

pub use quantised::{quantised_to_bytes, save_quantised};

const KEY: &str = "roughboard";
/// The keys of all kinds of network, with what they are called.
const KINDS: [(&str, &str); 2] = [
    (KEY, "a network of `train rough`, `bp`, `td` or `baseline`"),
    (residual::store::KEY, "a residual network of `train zero`, which plays the game that it has learned (`--game`)"),
];

/// A network of any kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Net {
    /// A plain network, trained by BP or TD(λ).
    Dense(DenseNet),
    /// The rough neural network.
    Rough(RoughNet),
    /// A decision tree.
    Tree(TreeNet),
}

/// Calls the same method of whichever network it is.
macro_rules! of_any {
    ($net:expr, $inner:ident => $call:expr) => {
        match $net {
            Net::Dense($inner) => $call,
            Net::Rough($inner) => $call,
            Net::Tree($inner) => $call,
        }
    };
}

impl Network for Net {
    fn parameters(&self) -> &[f32] {
        of_any!(self, net => net.parameters())
    }

    fn layer_and_parameters(&mut self) -> (&FirstLayer, &mut [f32]) {
        of_any!(self, net => net.layer_and_parameters())
    }

    fn first_layer(&self) -> &FirstLayer {
        of_any!(self, net => net.first_layer())
    }

    fn base(&self) -> &[f32] {
        of_any!(self, net => net.base())
    }

    fn head(&self, codes: &[u8], offset: f32, pass: &mut Pass) {
        of_any!(self, net => net.head(codes, offset, pass));
    }

    fn readout(&self) -> Option<Readout> {
        of_any!(self, net => net.readout())
    }

    fn backward(&self, codes: &[u8], pass: &mut Pass) {
        of_any!(self, net => net.backward(codes, pass));
    }
}

/// What a network's file says of its form, beside the tensors.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Form {
    /// A plain network of this shape.
    Dense(DenseShape),
    /// A rough network of this shape.
    Rough(RoughShape),
    /// A decision tree.
    Tree,
}

impl Net {
    /// Its form.
    #[must_use]
    pub fn form(&self) -> Form {
        match self {
            Self::Dense(net) => Form::Dense(net.shape().clone()),
            Self::Rough(net) => Form::Rough(net.shape().clone()),
            Self::Tree(_) => Form::Tree,
        }
    }
}

/// The metadata of a file.
#[derive(serde::Serialize, serde::Deserialize)]
struct Description {
    #[serde(flatten)]
    about: About,
    network: Form,
}

/// What a network's file says about it besides the weights.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct About {
    /// Version of this format.
    pub format: u32,
    /// The game whose positions it evaluates.
    pub game: String,
    /// The attributes that it reads, such as `board91`.
    pub features: String,
    /// How it was trained: `rough`, `bp`, `td`, `logistic`, `svm` or `tree`.
    pub method: String,
    /// All settings of the training, the seed included.
    pub settings: serde_json::Value,
    /// SHA-256 of each input file, by name.
    pub inputs: Vec<(String, String)>,
    /// The rules behind a rough network's neurons, as text, in order.
    pub rules: Vec<String>,
}

/// Weights beyond ± this are refused: training never makes them, and sums over them would not be exact.
const MAX_WEIGHT: f32 = 1e6;

/// The version that this library writes and reads.
pub const FORMAT: u32 = 2;

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
    /// The file is not a safetensors file, or a broken one.
    #[error("`{path}` is not a network file")]
    Container {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: safetensors::SafeTensorError,
    },
    /// The description in the metadata is absent, unreadable, or of another kind of network.
    #[error("`{path}` holds no network of the kind that is needed here: {found}")]
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
pub(super) type Tensor = (String, Dtype, Vec<usize>, Vec<u8>);

pub(super) fn floats(name: &str, shape: &[usize], values: &[f32]) -> Tensor {
    (name.to_owned(), Dtype::F32, shape.to_vec(), values.iter().flat_map(|v| v.to_le_bytes()).collect())
}

fn indices(name: &str, values: impl Iterator<Item = usize>) -> Tensor {
    let values: Vec<u32> = values.map(|v| v as u32).collect();
    (name.to_owned(), Dtype::U32, vec![values.len()], values.iter().flat_map(|v| v.to_le_bytes()).collect())
}

fn coding_tensors(coding: &Coding) -> Vec<Tensor> {
    let values = coding.values_of_attributes();
    vec![indices("n_values", values.iter().map(Vec::len)), floats("values", &[coding.n_classes()], &values.concat())]
}

fn dense_tensors(net: &DenseNet) -> Vec<Tensor> {
    let weights = net.tensors().into_iter().map(|(name, shape, values)| floats(&name, &shape, values));
    coding_tensors(net.coding()).into_iter().chain(weights).collect()
}

fn rough_tensors(net: &RoughNet) -> Vec<Tensor> {
    let mut tensors = coding_tensors(net.coding());
    tensors.push(indices("inputs", net.inputs().iter().copied()));
    tensors.extend(net.tensors().into_iter().map(|(name, shape, values)| floats(name, &shape, values)));
    if net.shape().form == RoughForm::Default {
        tensors.push(floats("tau", &[1], &[net.tau()]));
    }
    tensors
}

fn tree_tensors(net: &TreeNet) -> Vec<Tensor> {
    let splits = net.splits();
    let mut tensors = coding_tensors(net.coding());
    tensors.extend([
        indices("split_attribute", splits.iter().map(|split| split.attribute)),
        indices("split_last", splits.iter().map(|split| split.last)),
        indices("split_children", splits.iter().flat_map(|split| split.children)),
        floats("leaves", &[net.parameters().len()], net.parameters()),
    ]);
    tensors
}

fn tensors_of(net: &Net) -> Vec<Tensor> {
    match net {
        Net::Dense(net) => dense_tensors(net),
        Net::Rough(net) => rough_tensors(net),
        Net::Tree(net) => tree_tensors(net),
    }
}

/// The bytes of a network's file; the same network and description give the same bytes.
///
/// # Errors
/// Never for networks made by this library; the container's own checks are passed on.
pub fn to_bytes(net: &Net, about: &About) -> Result<Vec<u8>, safetensors::SafeTensorError> {
    pack(&tensors_of(net), net, about)
}

/// A file of `tensors` for a network of the form of `net`.
fn pack(tensors: &[Tensor], net: &Net, about: &About) -> Result<Vec<u8>, safetensors::SafeTensorError> {
    pack_with(tensors, KEY, &Description { about: about.clone(), network: net.form() })
}

/// A file of `tensors` whose metadata has `description` as JSON under `key`.
pub(super) fn pack_with(
    tensors: &[Tensor],
    key: &str,
    description: &impl serde::Serialize,
) -> Result<Vec<u8>, safetensors::SafeTensorError> {
    let views: Result<Vec<_>, safetensors::SafeTensorError> = tensors
        .iter()
        .map(|(name, dtype, shape, bytes)| Ok((name.as_str(), TensorView::new(*dtype, shape.clone(), bytes)?)))
        .collect();
    let description = serde_json::to_string(description).unwrap_or_default();
    safetensors::serialize(views?, Some(HashMap::from([(key.to_owned(), description)])))
}

/// Writes a network; the file appears whole or not at all.
///
/// # Errors
/// When the file cannot be written.
pub fn save(path: &Path, net: &Net, about: &About) -> Result<(), StoreError> {
    save_bytes(path, to_bytes(net, about))
}

pub(super) fn save_bytes(path: &Path, bytes: Result<Vec<u8>, safetensors::SafeTensorError>) -> Result<(), StoreError> {
    let bytes = bytes.map_err(|source| StoreError::Container { path: path.to_owned(), source })?;
    write_whole(path, &bytes).map_err(|source| StoreError::Io { action: "write", path: path.to_owned(), source })
}

/// The name of the network in the folder of a training run.
pub const IN_FOLDER: &str = "net.safetensors";

/// The file of the network that `path` stands for: a folder, as a training run writes it, means its [`IN_FOLDER`].
#[must_use]
pub fn network_file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(IN_FOLDER) } else { path.to_owned() }
}

/// Reads the trained network that `path` stands for, a file or the folder of a training run, and its description.
///
/// # Errors
/// When the file cannot be read, is not a network of this library, holds one in whole numbers, or its tensors do not fit
/// together.
pub fn load(path: &Path) -> Result<(Net, About), StoreError> {
    read(path, |reader, net| {
        if reader.is_quantised() {
            let found =
                "a network in whole numbers, which evaluators run; expected the one that it was made from".into();
            return Err(StoreError::About { path: path.to_owned(), found });
        }
        Ok(net)
    })
}

/// Reads the network that `path` stands for as evaluators run it, trained or in whole numbers, and its description.
///
/// # Errors
/// When the file cannot be read, is not a network of this library, or its tensors do not fit together.
pub fn load_for_play(path: &Path) -> Result<(IntegerNet, About), StoreError> {
    read(path, |reader, net| reader.integer_net(net))
}

/// Reads a file; `finish` makes something of the network, the first layer of which is zeros in a file of whole numbers.
fn read<T>(
    path: &Path,
    finish: impl FnOnce(&Reader<'_>, Net) -> Result<T, StoreError>,
) -> Result<(T, About), StoreError> {
    read_container(path, (KEY, FORMAT), |reader, Description { about, network }| {
        let net = match network {
            Form::Rough(shape) => Net::Rough(reader.rough(shape)?),
            Form::Dense(shape) => Net::Dense(reader.dense(shape)?),
            Form::Tree => Net::Tree(reader.tree()?),
        };
        Ok((finish(reader, net)?, about))
    })
}

/// Reads the file that `path` stands for; `finish` makes something of its tensors and of what its metadata says under a key, in a
/// version of the format.
pub(super) fn read_container<D: serde::de::DeserializeOwned, T>(
    path: &Path,
    (key, format): (&str, u32),
    finish: impl FnOnce(&Reader<'_>, D) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let file = network_file(path);
    let path = file.as_path();
    let bytes =
        std::fs::read(path).map_err(|source| StoreError::Io { action: "read", path: path.to_owned(), source })?;
    let container = |source| StoreError::Container { path: path.to_owned(), source };
    let tensors = SafeTensors::deserialize(&bytes).map_err(container)?;
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
    #[derive(serde::Deserialize)]
    struct Version {
        format: u32,
    }
    let wrong = |found: String| StoreError::About { path: path.to_owned(), found };
    let (_, metadata) =
        SafeTensors::read_metadata(bytes).map_err(|source| StoreError::Container { path: path.to_owned(), source })?;
    let known = metadata.metadata().as_ref();
    let text = known.and_then(|keys| keys.get(key));
    let text = text.ok_or_else(|| {
        let other = KINDS.iter().find(|(other, _)| known.is_some_and(|keys| keys.contains_key(*other)));
        wrong(other.map_or_else(|| format!("no metadata key `{key}`"), |(_, kind)| format!("it is {kind}")))
    })?;
    let Version { format } = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    if format != expected {
        return Err(wrong(format!("expected format {expected}, found {format}")));
    }
    serde_json::from_str(text).map_err(|error| wrong(error.to_string()))
}

/// The tensors of a file, read with checks.
pub(super) struct Reader<'a> {
    pub(super) path: &'a Path,
    pub(super) tensors: SafeTensors<'a>,
}

impl Reader<'_> {
    pub(super) fn mismatch(&self, tensor: &str, expected: impl Into<String>, found: impl Into<String>) -> StoreError {
        StoreError::Tensor {
            path: self.path.to_owned(),
            tensor: tensor.to_owned(),
            expected: expected.into(),
            found: found.into(),
        }
    }

    pub(super) fn words(&self, name: &str, dtype: Dtype) -> Result<Vec<[u8; 4]>, StoreError> {
        let view =
            self.tensors.tensor(name).map_err(|_| self.mismatch(name, format!("{dtype:?}"), "no such tensor"))?;
        if view.dtype() != dtype {
            return Err(self.mismatch(name, format!("{dtype:?}"), format!("{:?}", view.dtype())));
        }
        Ok(view.data().chunks_exact(4).map(|word| [word[0], word[1], word[2], word[3]]).collect())
    }

    /// The numbers of a tensor, which must be of a size that sums over them can hold.
    fn floats(&self, name: &str) -> Result<Vec<f32>, StoreError> {
        let values: Vec<f32> = self.words(name, Dtype::F32)?.into_iter().map(f32::from_le_bytes).collect();
        match values.iter().find(|value| !value.is_finite() || value.abs() > MAX_WEIGHT) {
            Some(value) => Err(self.mismatch(name, format!("numbers within ±{MAX_WEIGHT}"), value.to_string())),
            None => Ok(values),
        }
    }

    /// The numbers of a tensor of exactly this shape.
    pub(super) fn shaped(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, StoreError> {
        if self.is_replaced(name) {
            return Ok(vec![0.0; shape.iter().product()]);
        }
        let values = self.floats(name)?;
        let found = self.tensors.tensor(name).map(|view| view.shape().to_vec()).unwrap_or_default();
        if found == shape { Ok(values) } else { Err(self.mismatch(name, format!("{shape:?}"), format!("{found:?}"))) }
    }

    fn indices(&self, name: &str) -> Result<Vec<usize>, StoreError> {
        Ok(self.words(name, Dtype::U32)?.into_iter().map(|word| u32::from_le_bytes(word) as usize).collect())
    }

    fn coding(&self) -> Result<Coding, StoreError> {
        let (sizes, values) = (self.indices("n_values")?, self.floats("values")?);
        if sizes.iter().sum::<usize>() != values.len() || sizes.iter().any(|&size| size == 0 || size > 256) {
            let expected = format!("{} numbers", sizes.iter().sum::<usize>());
            return Err(self.mismatch("values", expected, values.len().to_string()));
        }
        let mut rest = values.as_slice();
        let mut attributes = Vec::new();
        for size in sizes {
            let (attribute, others) = rest.split_at(size);
            attributes.push(attribute.to_vec());
            rest = others;
        }
        Ok(Coding::new(&attributes))
    }

    fn dense(&self, shape: DenseShape) -> Result<DenseNet, StoreError> {
        shape.check().map_err(|error| StoreError::About { path: self.path.to_owned(), found: error.to_string() })?;
        let coding = self.coding()?;
        let mut parameters = Vec::new();
        for (name, shape) in DenseNet::tensor_shapes(&coding, &shape) {
            parameters.extend(self.shaped(&name, &shape)?);
        }
        let mismatch = || self.mismatch("input_weights", "as many weights as the shape has", "other ones");
        DenseNet::from_parameters(coding, shape, parameters).ok_or_else(mismatch)
    }

    fn rough(&self, shape: RoughShape) -> Result<RoughNet, StoreError> {
        let (coding, inputs) = (self.coding()?, self.indices("inputs")?);
        let n_rules = self.floats("omega")?.len();
        let expected = format!("different attributes below {}, rules over them, at least one", coding.n_attributes());
        let found = format!("{inputs:?}");
        let mismatch = || self.mismatch("inputs", expected, found);
        let Some(shapes) = RoughNet::tensor_shapes(&coding, &inputs, &shape, n_rules) else { return Err(mismatch()) };
        let mut parameters = Vec::new();
        for (name, shape) in shapes {
            parameters.extend(self.shaped(name, &shape)?);
        }
        let tau = match shape.form {
            RoughForm::Default => self.shaped("tau", &[1])?[0],
            RoughForm::Literal => 1.0,
        };
        RoughNet::from_parameters(coding, inputs, shape, (n_rules, tau), parameters).ok_or_else(mismatch)
    }
    fn tree(&self) -> Result<TreeNet, StoreError> {
        let attributes = self.indices("split_attribute")?;
        let (last, children) = (self.indices("split_last")?, self.indices("split_children")?);
        let leaves = self.floats("leaves")?;
        let n = attributes.len();
        let mismatch = || {
            let found = format!("{n} attributes, {} codes, {} children", last.len(), children.len());
            self.mismatch("split_children", "splits and leaves that make one tree", found)
        };
        if last.len() != n || children.len() != 2 * n {
            return Err(mismatch());
        }
        let split = |(at, children): (usize, &[usize])| Split {
            attribute: attributes[at],
            last: last[at],
            children: [children[0], children[1]],
        };
        let splits = children.chunks_exact(2).enumerate().map(split).collect();
        TreeNet::from_parts(self.coding()?, splits, leaves).ok_or_else(mismatch)
    }
}
