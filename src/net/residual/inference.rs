//! The network as evaluators run it: boards in small groups that stay in the cache, several groups at the same time.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::product::{Left, Right, Sizes, multiply, pack, whole_panels};
use super::shape::Shape;
use super::weights::{Layout, Linear, Weights};
use super::winograd::{Kernel, PRODUCTS, Tiling, matrix_len, transform_input, transform_output};
use crate::net::kernel;
use crate::net::math;

/// Boards that go through the network together.
const GROUP: usize = 16;

/// A network made ready for many evaluations.
#[derive(Debug)]
pub struct Inference {
    shape: Shape,
    tiling: Tiling,
    convolutions: Vec<Convolution>,
    heads: Heads,
    /// Buffers that no call uses at the moment.
    rooms: Mutex<Vec<Room>>,
}

/// A 3×3 convolution made ready.
#[derive(Debug)]
struct Convolution {
    kernel: Kernel,
    /// One number a channel out, whole panels.
    bias: Vec<f32>,
}

/// The heads made ready.
#[derive(Debug)]
struct Heads {
    /// F / √D, T and the convolution of the value side by side.
    points: Packed,
    hidden: Packed,
    output: Vec<f32>,
    output_bias: f32,
}

/// A linear map made ready.
#[derive(Debug)]
struct Packed {
    depth: usize,
    columns: usize,
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// The buffers of a group.
#[derive(Debug, Default)]
struct Room {
    x: Vec<f32>,
    v: Vec<f32>,
    m: Vec<f32>,
    heads: Vec<f32>,
    to: Vec<f32>,
    logits: Vec<f32>,
    value: Vec<f32>,
    hidden: Vec<f32>,
}

/// The first `n` numbers of `list`, which grows where it is shorter.
fn at_least(list: &mut Vec<f32>, n: usize) -> &mut [f32] {
    if list.len() < n {
        list.resize(n, 0.0);
    }
    &mut list[..n]
}

impl Packed {
    /// Maps side by side that read the same `depth` numbers, laid in rows of `stride`.
    fn new(maps: &[(Linear<&[f32]>, f32)], depth: usize, stride: usize) -> Self {
        let n: usize = maps.iter().map(|(map, _)| map.bias.len()).sum();
        let columns = whole_panels(n);
        let mut bias: Vec<f32> = maps.iter().flat_map(|(map, scale)| map.bias.iter().map(move |b| b * scale)).collect();
        bias.resize(columns, 0.0);
        let at = |row: usize, mut column: usize| {
            for (map, scale) in maps {
                let width = map.bias.len();
                if column < width {
                    return if row < depth { map.weights[row * width + column] * scale } else { 0.0 };
                }
                column -= width;
            }
            0.0
        };
        let mut weights = vec![0.0; stride * columns];
        pack(&mut weights, stride, n, at);
        Self { depth: stride, columns, weights, bias }
    }

    /// `out` ← `x` · weights + bias, `rows` rows.
    fn apply(&self, x: &[f32], rows: usize, out: &mut [f32]) {
        let sizes = Sizes { rows, depth: self.depth, columns: self.columns };
        for row in out.chunks_exact_mut(self.columns) {
            row.copy_from_slice(&self.bias);
        }
        multiply::<true>(out, Left::rows(x, self.depth), Right::packed(&self.weights, self.depth), sizes);
    }
}

impl Inference {
    /// Makes `weights` ready.
    #[must_use]
    pub fn new(weights: &Weights) -> Self {
        let (shape, layout, flat) = (*weights.shape(), Layout::new(weights.shape()), weights.flat());
        let convolution = |(layer, map): (usize, &Linear<_>)| {
            let map = map.of(flat);
            let mut kernel = Kernel::new(shape.channels_into(layer), shape.channels, false);
            kernel.set(map.weights, shape.channels);
            let mut bias = map.bias.to_vec();
            bias.resize(kernel.outputs, 0.0);
            Convolution { kernel, bias }
        };
        let scale = 1.0 / (shape.policy_channels as f32).sqrt();
        let maps = [(layout.from.of(flat), scale), (layout.to.of(flat), 1.0), (layout.value.of(flat), 1.0)];
        let heads = Heads {
            points: Packed::new(&maps, shape.channels, whole_panels(shape.channels)),
            hidden: Packed::new(&[(layout.hidden.of(flat), 1.0)], shape.value_inputs(), shape.value_inputs()),
            output: layout.output.of(flat).weights.to_vec(),
            output_bias: layout.output.of(flat).bias[0],
        };
        Self {
            shape,
            tiling: Tiling::new(&shape),
            convolutions: layout.convolutions.iter().enumerate().map(convolution).collect(),
            heads,
            rooms: Mutex::default(),
        }
    }

    /// The sizes of the network.
    #[must_use]
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Logits ([`Shape::n_logits`] a row) and values (one a row, in [-1, 1]) of the `rows` that stand one after another. What is
    /// said of a row depends on it alone, bit for bit.
    ///
    /// # Panics
    /// When the lengths do not fit each other.
    pub fn evaluate(&self, rows: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let (row_len, n_logits) = (self.shape.row_len(), self.shape.n_logits());
        assert_eq!(rows.len(), values.len() * row_len);
        assert_eq!(logits.len(), values.len() * n_logits);
        // Few rows are shared by all threads; the answers are the same however they are grouped.
        let group = values.len().div_ceil(rayon::current_num_threads()).clamp(1, GROUP);
        let outputs = logits.par_chunks_mut(group * n_logits).zip(values.par_chunks_mut(group));
        rows.par_chunks(group * row_len).zip(outputs).for_each(|(rows, (logits, values))| {
            let mut room = self.rooms.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
            self.evaluate_group(&mut room, rows, logits, values);
            self.rooms.lock().unwrap_or_else(PoisonError::into_inner).push(room);
        });
    }

    fn evaluate_group(&self, room: &mut Room, rows: &[f32], logits: &mut [f32], values: &mut [f32]) {
        let n = values.len();
        self.read_planes(room, rows);
        for (layer, convolution) in self.convolutions.iter().enumerate() {
            self.convolve(room, convolution, layer > 0, n);
        }
        let points = n * self.shape.points();
        let Room { x, heads, .. } = room;
        self.heads.points.apply(x, points, at_least(heads, points * self.heads.points.columns));
        self.policy(room, logits);
        self.value(room, values);
    }

    /// The planes of each board as channels of each point.
    fn read_planes(&self, room: &mut Room, rows: &[f32]) {
        let (planes, points, width) = (self.shape.planes, self.shape.points(), whole_panels(self.shape.planes));
        let n = rows.len() / self.shape.row_len();
        let x = at_least(&mut room.x, n * points * width);
        x.fill(0.0);
        for (row, x) in rows.chunks_exact(planes * points).zip(x.chunks_exact_mut(points * width)) {
            for (plane, numbers) in row.chunks_exact(points).enumerate() {
                numbers.iter().enumerate().for_each(|(point, &number)| x[point * width + plane] = number);
            }
        }
    }

    /// One convolution of the `n` boards in the room, with what follows it.
    fn convolve(&self, room: &mut Room, convolution: &Convolution, residual: bool, n: usize) {
        let Kernel { inputs, outputs, forward, .. } = &convolution.kernel;
        let (points, tiles) = (n * self.tiling.points(), n * self.tiling.n_tiles());
        let (v_len, m_len) = (matrix_len(tiles, *inputs), matrix_len(tiles, *outputs));
        let v = at_least(&mut room.v, PRODUCTS * v_len);
        let m = at_least(&mut room.m, PRODUCTS * m_len);
        transform_input(&self.tiling, &room.x[..points * inputs], *inputs, v);
        let sizes = Sizes { rows: tiles, depth: *inputs, columns: *outputs };
        let factors = v.chunks_exact(v_len).zip(forward.chunks_exact(inputs * outputs));
        for (m, (v, u)) in m.chunks_exact_mut(m_len).zip(factors) {
            multiply::<false>(m, Left::rows(v, *inputs), Right::packed(u, *inputs), sizes);
        }
        let x = at_least(&mut room.x, points * outputs);
        if residual {
            transform_output::<true>(&self.tiling, m, &convolution.bias, *outputs, x);
        } else {
            transform_output::<false>(&self.tiling, m, &convolution.bias, *outputs, x);
        }
    }

    /// ⟨F, T⟩ / √D of all pairs of points.
    fn policy(&self, room: &mut Room, logits: &mut [f32]) {
        let (points, width, depth) = (self.shape.points(), self.heads.points.columns, self.shape.policy_channels);
        let columns = whole_panels(points);
        let to = at_least(&mut room.to, depth * columns);
        let products = at_least(&mut room.logits, points * columns);
        let boards = room.heads.chunks_exact(points * width);
        for (heads, logits) in boards.zip(logits.chunks_exact_mut(points * points)) {
            pack(to, depth, points, |channel, point| heads[point * width + depth + channel]);
            let sizes = Sizes { rows: points, depth, columns };
            multiply::<false>(products, Left::rows(heads, width), Right::packed(to, depth), sizes);
            for (logits, products) in logits.chunks_exact_mut(points).zip(products.chunks_exact(columns)) {
                logits.copy_from_slice(&products[..points]);
            }
        }
    }

    fn value(&self, room: &mut Room, values: &mut [f32]) {
        let (points, width, channels) = (self.shape.points(), self.heads.points.columns, self.shape.value_channels);
        let first = 2 * self.shape.policy_channels;
        let inputs = at_least(&mut room.value, values.len() * self.shape.value_inputs());
        for (inputs, heads) in
            inputs.chunks_exact_mut(channels).zip(room.heads[..values.len() * points * width].chunks_exact(width))
        {
            inputs.copy_from_slice(&heads[first..first + channels]);
        }
        kernel::relu(inputs);
        let hidden = at_least(&mut room.hidden, values.len() * self.heads.hidden.columns);
        self.heads.hidden.apply(inputs, values.len(), hidden);
        kernel::relu(hidden);
        for (value, hidden) in values.iter_mut().zip(hidden.chunks_exact(self.heads.hidden.columns)) {
            let sum = kernel::dot(&hidden[..self.heads.output.len()], &self.heads.output);
            *value = math::tanh(sum + self.heads.output_bias);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::residual::reference_forward;
    use rand::RngExt;

    fn rows(shape: &Shape, n: usize) -> Vec<f32> {
        let mut stream = crate::random::stream(5, "rows", 0);
        (0..n * shape.row_len()).map(|_| f32::from(u8::from(stream.random_bool(0.3)))).collect()
    }

    fn shapes() -> impl Iterator<Item = Shape> {
        let small = |rows, columns, planes, channels, layers| Shape {
            channels,
            layers,
            policy_channels: 20,
            value_channels: 3,
            value_hidden: 10,
            ..Shape::new(rows, columns, planes)
        };
        [
            Shape::new(6, 6, 7),
            small(6, 6, 7, 16, 1),
            small(6, 6, 9, 24, 3),
            small(4, 6, 2, 8, 2),
            small(5, 7, 17, 20, 4),
            small(1, 1, 1, 1, 2),
        ]
        .into_iter()
    }

    #[test]
    fn fast_answers_are_those_of_the_definition() {
        for shape in shapes() {
            let weights = Weights::random(shape, 3, "test").unwrap();
            let (rows, n) = (rows(&shape, 3), 3);
            let (mut logits, mut values) = (vec![0.0; n * shape.n_logits()], vec![0.0; n]);
            Inference::new(&weights).evaluate(&rows, &mut logits, &mut values);
            for (i, row) in rows.chunks_exact(shape.row_len()).enumerate() {
                let (right, value) = reference_forward(&weights, row);
                for (a, b) in logits[i * shape.n_logits()..].iter().zip(&right) {
                    approx::assert_abs_diff_eq!(a, b, epsilon = 1e-4);
                }
                approx::assert_abs_diff_eq!(values[i], value, epsilon = 1e-4);
            }
        }
    }

    #[test]
    fn an_answer_does_not_depend_on_the_other_rows() {
        for shape in shapes() {
            let net = Inference::new(&Weights::random(shape, 3, "test").unwrap());
            let n = 130;
            let rows = rows(&shape, n);
            let (mut logits, mut values) = (vec![0.0; n * shape.n_logits()], vec![0.0; n]);
            net.evaluate(&rows, &mut logits, &mut values);
            for size in [1, 7, 64] {
                let (mut some, mut value) = (vec![1.0; size * shape.n_logits()], vec![1.0; size]);
                for first in [0, 3, n - size] {
                    net.evaluate(&rows[first * shape.row_len()..][..size * shape.row_len()], &mut some, &mut value);
                    assert_eq!(some, logits[first * shape.n_logits()..][..some.len()]);
                    assert_eq!(value, values[first..][..size]);
                }
            }
        }
    }
}
