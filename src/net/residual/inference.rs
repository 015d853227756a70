//! The network as evaluators run it: boards in small groups that stay in the cache, several groups at the same time.

use rayon::prelude::*;

use super::layers::{Layers, Pool, Products, at_least, read_planes};
use super::product::{Left, Right, Sizes, multiply, pack, whole_panels};
use super::shape::Shape;
use super::weights::{Layout, Weights};
use super::winograd::Kernel;
use crate::net::kernel;
use crate::net::math;

/// Boards that go through the network together.
const GROUP: usize = 16;

/// A network made ready for many evaluations.
#[derive(Debug)]
pub struct Inference {
    layers: Layers,
    scratches: Pool<Scratch>,
}

/// The buffers of a group.
#[derive(Debug, Default)]
struct Scratch {
    x: Vec<f32>,
    products: Products,
    heads: Vec<f32>,
    to: Vec<f32>,
    logits: Vec<f32>,
    value: Vec<f32>,
    hidden: Vec<f32>,
}

impl Inference {
    /// Makes `weights` ready.
    pub fn new(weights: &Weights) -> Self {
        Self { layers: Layers::new(weights, &Layout::new(weights.shape()), false), scratches: Pool::default() }
    }

    /// The sizes of the network.
    pub const fn shape(&self) -> &Shape {
        &self.layers.shape
    }

    /// Logits ([`Shape::n_logits`] a row) and values (one a row, in [-1, 1]) of the `rows` that stand one after another. What is
    /// said of a row depends on it alone, bit for bit.
    ///
    /// # Panics
    /// When the lengths do not fit each other.
    pub fn evaluate(&self, rows: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let (row_len, n_logits) = (self.layers.shape.row_len(), self.layers.shape.n_logits());
        assert_eq!(rows.len(), values.len() * row_len);
        assert_eq!(logits.len(), values.len() * n_logits);
        // Few rows are shared by all threads; the answers are the same however they are grouped.
        let group = values.len().div_ceil(rayon::current_num_threads()).clamp(1, GROUP);
        let outputs = logits.par_chunks_mut(group * n_logits).zip(values.par_chunks_mut(group));
        rows.par_chunks(group * row_len).zip(outputs).for_each(|(rows, (logits, values))| {
            self.scratches.lend(|scratch| self.evaluate_group(scratch, rows, logits, values));
        });
    }

    fn evaluate_group(&self, scratch: &mut Scratch, rows: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let n = values.len();
        let points = n * self.layers.shape.points();
        read_planes(
            &self.layers.shape,
            rows,
            at_least(&mut scratch.x, points * whole_panels(self.layers.shape.planes)),
        );
        for (layer, convolution) in self.layers.convolutions.iter().enumerate() {
            let Kernel { inputs, outputs, .. } = convolution.kernel;
            let m = convolution.products(&self.layers.tiling, &scratch.x[..points * inputs], &mut scratch.products);
            convolution.finish(&self.layers.tiling, m, layer > 0, at_least(&mut scratch.x, points * outputs));
        }
        let Scratch { x, heads, .. } = scratch;
        self.layers.heads.points.apply(x, points, at_least(heads, points * self.layers.heads.points.columns));
        self.policy(scratch, logits);
        self.value(scratch, values);
    }

    /// ⟨F, T⟩ / √D of all pairs of points.
    fn policy(&self, scratch: &mut Scratch, logits: &mut [f32]) {
        let (points, width, depth) =
            (self.layers.shape.points(), self.layers.heads.points.columns, self.layers.shape.policy_channels);
        let columns = whole_panels(points);
        let to = at_least(&mut scratch.to, depth * columns);
        let products = at_least(&mut scratch.logits, points * columns);
        let boards = scratch.heads.chunks_exact(points * width);
        for (heads, logits) in boards.zip(logits.chunks_exact_mut(points * points)) {
            pack(to, depth, points, |channel, point| heads[point * width + depth + channel]);
            let sizes = Sizes { rows: points, depth, columns };
            multiply::<false>(products, Left::rows(heads, width), Right::packed(to, depth), sizes);
            for (logits, products) in logits.chunks_exact_mut(points).zip(products.chunks_exact(columns)) {
                logits.copy_from_slice(&products[..points]);
            }
        }
    }

    fn value(&self, scratch: &mut Scratch, values: &mut [f32]) {
        let (n, columns) = (values.len(), self.layers.heads.hidden.columns);
        let inputs = at_least(&mut scratch.value, n * self.layers.shape.value_inputs());
        let hidden = at_least(&mut scratch.hidden, n * columns);
        self.layers.heads.value_layers(&self.layers.shape, n, &scratch.heads, (inputs, &mut *hidden));
        for (value, hidden) in values.iter_mut().zip(hidden.chunks_exact(columns)) {
            let sum = kernel::dot(&hidden[..self.layers.heads.output.len()], &self.layers.heads.output);
            *value = math::tanh(sum + self.layers.heads.output_bias);
        }
    }
}
