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

use std::path::Path;

use super::any::{Net, NetForm};
use super::container::{KEY, Reader, Tensor, floats, indices, pack_with, read_container, save_bytes};
use super::dense::DenseShape;
use super::quantise::IntegerNet;
use super::rough::{Product, RoughForm, RoughShape};
use super::tree::Split;
use super::{Coding, DenseNet, Network, RoughNet, TreeNet};

pub use super::container::{IN_FOLDER, StoreError, network_bytes};
pub use quantised::{quantised_to_bytes, save_quantised};

/// The metadata of a file.
#[derive(serde::Serialize, serde::Deserialize)]
struct Description {
    #[serde(flatten)]
    about: About,
    network: NetForm,
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

/// The version that this library writes and reads.
pub const FORMAT: u32 = 2;

fn tensors_of(net: &Net) -> Vec<Tensor> {
    let coding = net.coding();
    let values = coding.values_of_attributes();
    let sizes = indices("n_values", values.iter().map(Vec::len));
    let mut tensors = vec![sizes, floats("values", &[coding.n_classes()], &values.concat())];
    match net {
        Net::Dense(net) => {
            tensors.extend(net.tensors().into_iter().map(|(name, shape, values)| floats(&name, &shape, values)));
        }
        Net::Rough(net) => {
            tensors.push(indices("inputs", net.inputs().iter().copied()));
            tensors.extend(net.tensors().into_iter().map(|(name, shape, values)| floats(name, &shape, values)));
            if net.shape().form == RoughForm::Default {
                tensors.push(floats("tau", &[1], &[net.tau()]));
            }
        }
        Net::Tree(net) => tensors.extend([
            indices("split_attribute", net.splits().iter().map(|split| split.attribute)),
            indices("split_last", net.splits().iter().map(|split| split.last)),
            indices("split_children", net.splits().iter().flat_map(|split| split.children)),
            floats("leaves", &[net.parameters().len()], net.parameters()),
        ]),
    }
    tensors
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

/// Writes a network; the file appears whole or not at all.
///
/// # Errors
/// When the file cannot be written.
pub fn save(path: &Path, net: &Net, about: &About) -> Result<(), StoreError> {
    save_bytes(path, to_bytes(net, about))
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
            NetForm::Rough(shape) => Net::Rough(reader.rough(shape)?),
            NetForm::Dense(shape) => Net::Dense(reader.dense(shape)?),
            NetForm::Tree => Net::Tree(reader.tree()?),
        };
        Ok((finish(reader, net)?, about))
    })
}

impl Reader<'_> {
    /// The weights of tensors of exactly these shapes; zeros where the file has whole numbers in the place of one.
    fn all_weights(&self, coding: &Coding, shapes: &[(impl AsRef<str>, Vec<usize>)]) -> Result<Vec<f32>, StoreError> {
        let weights = shapes.iter().map(|(name, shape)| match name.as_ref() {
            name if self.is_replaced(name) => self.zeros(coding, shape),
            name => self.shaped(name, shape),
        });
        Ok(weights.collect::<Result<Vec<_>, _>>()?.concat())
    }

    fn coding(&self) -> Result<Coding, StoreError> {
        let (sizes, values) = (self.indices("n_values")?, self.floats("values")?);
        if sizes.is_empty() {
            return Err(self.mismatch("n_values", "at least one attribute", "none"));
        }
        if sizes.iter().sum::<usize>() != values.len() || sizes.iter().any(|&size| size == 0 || size > 256) {
            let expected = format!("{} numbers", sizes.iter().sum::<usize>());
            return Err(self.mismatch("values", expected, values.len().to_string()));
        }
        let mut rest = values.into_iter();
        let attributes: Vec<Vec<f32>> = sizes.into_iter().map(|size| rest.by_ref().take(size).collect()).collect();
        Ok(Coding::new(&attributes))
    }

    fn dense(&self, shape: DenseShape) -> Result<DenseNet, StoreError> {
        shape.check().map_err(|error| StoreError::About { path: self.path.to_owned(), found: error.to_string() })?;
        let coding = self.coding()?;
        let parameters = self.all_weights(&coding, &DenseNet::tensor_shapes(&coding, &shape))?;
        let mismatch = || self.mismatch("input_weights", "as many weights as the shape has", "other ones");
        DenseNet::from_parameters(coding, shape, parameters).ok_or_else(mismatch)
    }

    fn rough(&self, shape: RoughShape) -> Result<RoughNet, StoreError> {
        let (coding, inputs) = (self.coding()?, self.indices("inputs")?);
        let n_rules = self.floats("omega")?.len();
        let expected = format!("different attributes below {}, rules over them, at least one", coding.n_attributes());
        let found = format!("{inputs:?}");
        let mismatch = || self.mismatch("inputs", expected, found);
        if (shape.form, shape.product) == (RoughForm::Literal, Product::Full) {
            let (found, expected) = (self.floats("inclusion")?.len(), n_rules.saturating_mul(inputs.len()));
            if found != expected {
                return Err(self.mismatch("inclusion", format!("{expected} numbers"), found.to_string()));
            }
        }
        let Some(shapes) = RoughNet::tensor_shapes(&coding, &inputs, &shape, n_rules) else { return Err(mismatch()) };
        let parameters = self.all_weights(&coding, &shapes)?;
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
