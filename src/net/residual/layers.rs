//! The layers of a network made ready for groups of boards: what inference and training share.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::product::{Left, Right, Sizes, multiply, pack, whole_panels};
use super::shape::Shape;
use super::weights::{Layout, Linear, Weights};
use super::winograd::{Kernel, PRODUCTS, Tiling, matrix_len, transform_input, transform_output};
use crate::net::kernel;

/// The first `n` numbers of `list`, which grows where it is shorter.
pub fn at_least(list: &mut Vec<f32>, n: usize) -> &mut [f32] {
    if list.len() < n {
        list.resize(n, 0.0);
    }
    &mut list[..n]
}

/// The planes of boards, row after row, as channels of each point, whole panels of them.
pub(crate) fn read_planes(shape: &Shape, rows: &[f32], x: &mut [f32]) {
    let (points, width) = (shape.points(), whole_panels(shape.planes));
    x.fill(0.0);
    for (row, x) in rows.chunks_exact(shape.row_len()).zip(x.chunks_exact_mut(points * width)) {
        for (plane, numbers) in row.chunks_exact(points).enumerate() {
            numbers.iter().enumerate().for_each(|(point, &number)| x[point * width + plane] = number);
        }
    }
}

/// Transformed boards and their products with a kernel, 25 matrices each.
#[derive(Debug, Default)]
pub(crate) struct Products {
    /// Bᵀ x B: tiles × channels in.
    pub v: Vec<f32>,
    /// Their products: tiles × channels out.
    pub m: Vec<f32>,
}

/// A 3×3 convolution.
#[derive(Debug)]
pub(crate) struct Convolution {
    /// Its kernel, transformed.
    pub kernel: Kernel,
    /// One number a channel out, whole panels.
    pub bias: Vec<f32>,
}

impl Convolution {
    /// The convolution number `layer` of a network.
    pub fn new(weights: &Weights, layout: &Layout, layer: usize, gradients: bool) -> Self {
        let shape = weights.shape();
        let kernel = Kernel::new(shape.channels_into(layer), shape.channels, gradients);
        let bias = vec![0.0; kernel.outputs];
        let mut convolution = Self { kernel, bias };
        convolution.set(layout.convolutions[layer].of(weights.flat()));
        convolution
    }

    /// Takes over new weights.
    pub fn set(&mut self, map: Linear<&[f32]>) {
        self.kernel.set(map.weights, map.bias.len());
        self.bias[..map.bias.len()].copy_from_slice(map.bias);
    }

    /// The products of the boards in `x`, for [`Convolution::finish`].
    pub fn products<'r>(&self, tiling: &Tiling, x: &[f32], room: &'r mut Products) -> &'r [f32] {
        let Kernel { inputs, outputs, .. } = &self.kernel;
        let tiles = x.len() / (tiling.points() * inputs) * tiling.n_tiles();
        let (v_len, m_len) = (matrix_len(tiles, *inputs), matrix_len(tiles, *outputs));
        let v = at_least(&mut room.v, PRODUCTS * v_len);
        let m = at_least(&mut room.m, PRODUCTS * m_len);
        transform_input(tiling, x, *inputs, v);
        let sizes = Sizes { rows: tiles, depth: *inputs, columns: *outputs };
        let factors = v.chunks_exact(v_len).zip(self.kernel.forward());
        for (m, (v, u)) in m.chunks_exact_mut(m_len).zip(factors) {
            multiply::<false>(m, Left::rows(v, *inputs), Right::packed(u, *inputs), sizes);
        }
        m
    }

    /// `x` ← relu(sums + bias), with what stands in `x` before where the layer is `residual`.
    pub fn finish(&self, tiling: &Tiling, m: &[f32], residual: bool, x: &mut [f32]) {
        if residual {
            transform_output::<true>(tiling, m, &self.bias, self.kernel.outputs, x);
        } else {
            transform_output::<false>(tiling, m, &self.bias, self.kernel.outputs, x);
        }
    }
}

/// Linear maps side by side that read the same numbers.
#[derive(Debug)]
pub(crate) struct Packed {
    /// Numbers that they read; `depth` may be more than the maps have weights for.
    pub depth: usize,
    /// Numbers that they write, whole panels.
    pub columns: usize,
    /// The weights for [`Right::packed`].
    pub weights: Vec<f32>,
    /// One number a column.
    pub bias: Vec<f32>,
}

/// A linear map of a network, scaled.
pub(crate) type Scaled<'a> = (Linear<&'a [f32]>, f32);

impl Packed {
    /// `maps` side by side, reading `depth` numbers.
    pub fn new(maps: &[Scaled<'_>], depth: usize) -> Self {
        let columns = whole_panels(maps.iter().map(|(map, _)| map.bias.len()).sum());
        let mut weights = vec![0.0; depth * columns];
        pack(&mut weights, depth, columns, |row, column| weight_at(maps, row, column));
        let bias = maps.iter().flat_map(|(map, scale)| map.bias.iter().map(move |bias| bias * scale));
        Self { depth, columns, weights, bias: bias.chain(std::iter::repeat(0.0)).take(columns).collect() }
    }

    /// `out` ← `x` · weights + bias, `rows` rows.
    pub fn apply(&self, x: &[f32], rows: usize, out: &mut [f32]) {
        let sizes = Sizes { rows, depth: self.depth, columns: self.columns };
        for row in out.chunks_exact_mut(self.columns) {
            row.copy_from_slice(&self.bias);
        }
        multiply::<true>(out, Left::rows(x, self.depth), Right::packed(&self.weights, self.depth), sizes);
    }
}

/// A weight of maps side by side, 0 where they have none.
pub(crate) fn weight_at(maps: &[Scaled<'_>], row: usize, mut column: usize) -> f32 {
    for (map, scale) in maps {
        let width = map.bias.len();
        if column < width {
            return map.weights.get(row * width + column).map_or(0.0, |weight| weight * scale);
        }
        column -= width;
    }
    0.0
}

/// The layers of a network, for boards of one shape.
#[derive(Debug)]
pub struct Layers {
    /// The sizes of the network.
    pub shape: Shape,
    /// How tiles cover its board.
    pub tiling: Tiling,
    /// The 3×3 convolutions.
    pub convolutions: Vec<Convolution>,
    /// What reads the last of them.
    pub heads: Heads,
}

impl Layers {
    /// The layers of a network, with what `gradients` need or without.
    pub fn new(weights: &Weights, layout: &Layout, gradients: bool) -> Self {
        let shape = *weights.shape();
        let convolution = |layer| Convolution::new(weights, layout, layer, gradients);
        let convolutions = (0..shape.layers).map(convolution).collect();
        Self { shape, tiling: Tiling::new(&shape), convolutions, heads: Heads::new(weights, layout) }
    }
}

/// Buffers that no thread uses at the moment.
#[derive(Debug, Default)]
pub(crate) struct Pool<T>(Mutex<Vec<T>>);

impl<T: Default> Pool<T> {
    /// Lends one of them for `work`, a new one if there is none.
    pub(crate) fn lend<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let free = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut buffer = free().pop().unwrap_or_default();
        let result = work(&mut buffer);
        free().push(buffer);
        result
    }
}

/// The heads of a network.
#[derive(Debug)]
pub(crate) struct Heads {
    /// F / √D, T and the convolution of the value side by side, for each point.
    pub points: Packed,
    /// The hidden layer of the value.
    pub hidden: Packed,
    /// The output of the value.
    pub output: Vec<f32>,
    /// Its bias.
    pub output_bias: f32,
}

/// The maps of [`Heads::points`] with their places among the weights and their scales.
pub(crate) fn point_maps<'l>(shape: &Shape, layout: &'l Layout) -> [(&'l Linear<Range<usize>>, f32); 3] {
    let scale = 1.0 / (shape.policy_channels as f32).sqrt();
    [(&layout.from, scale), (&layout.to, 1.0), (&layout.value, 1.0)]
}

impl Heads {
    /// The heads of a network.
    pub fn new(weights: &Weights, layout: &Layout) -> Self {
        let (shape, flat) = (weights.shape(), weights.flat());
        let points = point_maps(shape, layout).map(|(map, scale)| (map.of(flat), scale));
        let output = layout.output.of(flat);
        Self {
            points: Packed::new(&points, whole_panels(shape.channels)),
            hidden: Packed::new(&[(layout.hidden.of(flat), 1.0)], shape.value_inputs()),
            output: output.weights.to_vec(),
            output_bias: output.bias[0],
        }
    }

    /// The channels of the value among those of [`Heads::points`], which are `columns` for each point.
    pub(crate) const fn value_columns(&self, shape: &Shape) -> Range<usize> {
        let first = 2 * shape.policy_channels;
        first..first + shape.value_channels
    }

    /// From what `heads` are at the points of `n` boards to the two layers of the value behind their rectifiers: `value`, which
    /// are [`Shape::value_inputs`] a board, and `hidden`.
    pub(crate) fn value_layers(
        &self,
        shape: &Shape,
        n: usize,
        heads: &[f32],
        (value, hidden): (&mut [f32], &mut [f32]),
    ) {
        let (channels, width) = (self.value_columns(shape), self.points.columns);
        let points = heads[..n * shape.points() * width].chunks_exact(width);
        for (value, point) in value.chunks_exact_mut(channels.len()).zip(points) {
            value.copy_from_slice(&point[channels.clone()]);
        }
        kernel::relu(value);
        self.hidden.apply(value, n, hidden);
        kernel::relu(hidden);
    }
}
