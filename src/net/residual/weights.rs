//! The weights of a network: one flat list, and where each tensor lies in it.

use std::ops::Range;

use rand::RngExt;

use super::shape::Shape;
use crate::random;
use crate::settings::SettingError;

/// A residual convolution starts as this share of what would keep its input's variance, so that the sum of all layers stays of
/// the size of the first.
const RESIDUAL_START: f32 = 0.3;
/// The last layer of each head starts as this share, so that first policies are nearly even and first values nearly 0.
const HEAD_START: f32 = 0.3;

/// A tensor of a network: its name, its shape, and where it lies among all weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tensor {
    /// The name, also that in files.
    pub name: String,
    /// The sizes of its dimensions; the last changes fastest.
    pub shape: Vec<usize>,
    /// Where its numbers are.
    pub range: Range<usize>,
}

/// The tensors of a network of this shape, in the order of their weights.
///
/// | tensor | shape |
/// |---|---|
/// | `convolution_1_weights` … | (3, 3, channels in, C): row and column of the tap, from and to channel |
/// | `convolution_1_bias` … | (C) |
/// | `from_weights` `from_bias` `to_weights` `to_bias` | (C, D) (D) (C, D) (D) |
/// | `value_weights` `value_bias` | (C, V) (V) |
/// | `hidden_weights` `hidden_bias` | (points · V, H) (H): point by point |
/// | `output_weights` `output_bias` | (H) (1) |
pub fn tensors(shape: &Shape) -> Vec<Tensor> {
    let Shape { channels: c, policy_channels: d, value_channels: v, value_hidden: h, .. } = *shape;
    let mut list = Vec::new();
    let mut next = 0;
    let mut add = |name: String, shape: Vec<usize>| {
        let range = next..next + shape.iter().product::<usize>();
        next = range.end;
        list.push(Tensor { name, shape, range });
    };
    for layer in 0..shape.layers {
        add(format!("convolution_{}_weights", layer + 1), vec![3, 3, shape.channels_into(layer), c]);
        add(format!("convolution_{}_bias", layer + 1), vec![c]);
    }
    for (name, inputs, outputs) in [("from", c, d), ("to", c, d), ("value", c, v), ("hidden", shape.value_inputs(), h)]
    {
        add(format!("{name}_weights"), vec![inputs, outputs]);
        add(format!("{name}_bias"), vec![outputs]);
    }
    add("output_weights".to_owned(), vec![h]);
    add("output_bias".to_owned(), vec![1]);
    list
}

/// A linear map of a network: its weights, (inputs, outputs) or (3, 3, inputs, outputs), and its bias.
#[derive(Debug, Clone, Copy)]
pub struct Linear<T> {
    /// The weights; the output changes fastest.
    pub weights: T,
    /// One number an output.
    pub bias: T,
}

/// Where everything lies among the weights of a network of one shape.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The 3×3 convolutions.
    pub convolutions: Vec<Linear<Range<usize>>>,
    /// F of the policy.
    pub from: Linear<Range<usize>>,
    /// T of the policy.
    pub to: Linear<Range<usize>>,
    /// The convolution of the value.
    pub value: Linear<Range<usize>>,
    /// The hidden layer of the value.
    pub hidden: Linear<Range<usize>>,
    /// The output of the value.
    pub output: Linear<Range<usize>>,
}

impl Layout {
    /// The layout of networks of this shape.
    pub fn new(shape: &Shape) -> Self {
        let mut ranges = tensors(shape).into_iter().map(|tensor| tensor.range);
        // The list has a pair of tensors for each of these, so the default is never taken.
        let mut next =
            || Linear { weights: ranges.next().unwrap_or_default(), bias: ranges.next().unwrap_or_default() };
        Self {
            convolutions: (0..shape.layers).map(|_| next()).collect(),
            from: next(),
            to: next(),
            value: next(),
            hidden: next(),
            output: next(),
        }
    }
}

impl Linear<Range<usize>> {
    /// Its numbers among all weights.
    pub fn of<'a>(&self, flat: &'a [f32]) -> Linear<&'a [f32]> {
        Linear { weights: &flat[self.weights.clone()], bias: &flat[self.bias.clone()] }
    }
}

/// A network: its shape and its weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    shape: Shape,
    flat: Vec<f32>,
}

impl Weights {
    /// Random weights: uniform with the variance of He et al. (2015), less for residual convolutions and the ends of the heads;
    /// biases 0. The stream is that of `seed` called `name`.
    ///
    /// # Errors
    /// When the shape is out of range.
    pub fn random(shape: Shape, seed: u64, name: &str) -> Result<Self, SettingError> {
        shape.check()?;
        let mut stream = random::stream(seed, name, 0);
        let mut flat = Vec::new();
        for tensor in tensors(&shape) {
            let bound = start_bound(&tensor);
            flat.extend(tensor.range.map(|_| (stream.random::<f32>() * 2.0 - 1.0) * bound));
        }
        Ok(Self { shape, flat })
    }

    /// A network with given weights, in the order of the tensors of its file; `None` if the shape is out of range or they are not as many as
    /// it has.
    pub fn from_flat(shape: Shape, flat: Vec<f32>) -> Option<Self> {
        shape.check().ok()?;
        let fits = flat.len() == tensors(&shape).last().map_or(0, |tensor| tensor.range.end);
        fits.then_some(Self { shape, flat })
    }

    /// The sizes.
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// All weights, in the order of the tensors of the network's file.
    pub fn flat(&self) -> &[f32] {
        &self.flat
    }

    /// All weights, to be changed.
    pub(crate) fn flat_mut(&mut self) -> &mut [f32] {
        &mut self.flat
    }

    /// The number of weights.
    pub fn n_parameters(&self) -> usize {
        self.flat.len()
    }

    /// SHA-256 of the weights' bytes in little-endian order, in 64 hexadecimal digits.
    pub fn sha256(&self) -> String {
        let bytes: Vec<u8> = self.flat.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        crate::disk::sha256(&bytes)
    }
}

/// The bound of the random numbers that a tensor starts with.
fn start_bound(tensor: &Tensor) -> f32 {
    if tensor.name.ends_with("bias") {
        return 0.0;
    }
    let inputs: usize = match tensor.shape.as_slice() {
        [inputs] => *inputs,
        [inner @ .., _] => inner.iter().product(),
        [] => 1,
    };
    // Uniform numbers within ±b have the variance b² / 3; that of He is 2 / inputs.
    let he = (6.0 / inputs as f32).sqrt();
    match tensor.name.as_str() {
        "convolution_1_weights" | "value_weights" | "hidden_weights" => he,
        "from_weights" | "to_weights" | "output_weights" => he * HEAD_START,
        _ => he * RESIDUAL_START,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// √(6 / inputs), of which residual convolutions and the ends of the heads have 0.3.
    #[test]
    fn weights_start_within_the_bound_of_their_layer() {
        let six = 6f32.sqrt();
        let expected = [
            ("convolution_1_weights", six / 27f32.sqrt()),
            ("convolution_1_bias", 0.0),
            ("convolution_2_weights", 0.3 * six / 36f32.sqrt()),
            ("from_weights", 0.3 * six / 2.0),
            ("to_weights", 0.3 * six / 2.0),
            ("value_weights", six / 2.0),
            ("hidden_weights", six / 144f32.sqrt()),
            ("hidden_bias", 0.0),
            ("output_weights", 0.3 * six / 8f32.sqrt()),
        ];
        // Taps times channels: 9 · 3 and 9 · 4; points times channels of the value: 36 · 4.
        let shape = Shape { channels: 4, layers: 2, value_channels: 4, value_hidden: 8, ..Shape::new(6, 6, 3) };
        let tensors = tensors(&shape);
        for (name, bound) in expected {
            let tensor = tensors.iter().find(|tensor| tensor.name == name).unwrap();
            approx::assert_abs_diff_eq!(start_bound(tensor), bound, epsilon = 1e-6);
        }
    }
}
