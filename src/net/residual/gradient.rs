//! The gradient of the loss, by way of the same transforms that inference uses.
//!
//! A batch is cut into parts of a fixed size, each with a gradient of its own; these are added in order. So the result does not
//! depend on the number of threads.

use rayon::prelude::*;

use super::batch::{Batch, Losses};
use super::layers::{Heads, Layers, Packed, Pool, Products, Scaled, at_least, point_maps, read_planes, weight_at};
use super::product::{Left, Right, Sizes, multiply, pack, whole_panels};
use super::weights::{Layout, Weights};
use super::winograd::{
    PRODUCTS, add_gradient_of_input, add_gradient_of_kernel, gradient_of_products, matrix_len, transform_input,
};
use crate::net::kernel;
use crate::net::math;

/// Rows with a gradient of their own.
const PART: usize = 32;
/// Gradients of parts that are held at once, so that memory does not grow with the batch.
const WAVE: usize = 64;
/// Boards that go through the network together; a divisor of [`PART`].
const GROUP: usize = 16;

/// Computes gradients for networks of one shape.
#[derive(Debug)]
pub struct Gradient {
    layers: Layers,
    layout: Layout,
    /// The weights of the heads, transposed.
    points_back: Packed,
    hidden_back: Packed,
    /// The gradients of the parts of the last batch.
    parts: Vec<PartialGradient>,
    scratches: Pool<Scratch>,
}

/// What a part of a batch says.
#[derive(Debug, Default)]
struct PartialGradient {
    gradient: Vec<f32>,
    losses: Losses,
}

/// The buffers of a thread.
#[derive(Debug, Default)]
struct Scratch {
    /// What each layer reads, and what the heads read.
    x: Vec<Vec<f32>>,
    /// The gradient with respect to what the next layer reads.
    delta: Vec<f32>,
    products: Products,
    /// Of each layer, the gradient of the transformed kernel; the first group of a part sets it.
    kernels: Vec<Vec<f32>>,
    heads: Vec<f32>,
    heads_delta: Vec<f32>,
    /// The gradient of the maps that the heads have side by side.
    points: Vec<f32>,
    value: Vec<f32>,
    value_delta: Vec<f32>,
    hidden: Vec<f32>,
    hidden_delta: Vec<f32>,
    hidden_weights: Vec<f32>,
    /// Logits of the legal moves of a row, then what they are to change by.
    logits: Vec<f32>,
}

/// The rows `first..last` of a batch.
#[derive(Clone, Copy)]
struct Rows<'b> {
    batch: &'b Batch,
    first: usize,
    last: usize,
}

impl Rows<'_> {
    const fn len(&self) -> usize {
        self.last - self.first
    }

    fn planes(&self, row_len: usize) -> &[f32] {
        &self.batch.rows[self.first * row_len..self.last * row_len]
    }
}

/// The transpose of what `maps` are side by side, from whole panels of columns to `rows` numbers.
fn transposed(maps: &[Scaled<'_>], rows: usize) -> Packed {
    let depth = whole_panels(maps.iter().map(|(map, _)| map.bias.len()).sum());
    let columns = whole_panels(rows);
    let mut weights = vec![0.0; depth * columns];
    pack(&mut weights, depth, rows, |column, row| weight_at(maps, row, column));
    Packed { depth, columns, weights, bias: vec![0.0; columns] }
}

impl Gradient {
    /// Makes ready for networks of the shape of `weights`.
    pub fn new(weights: &Weights) -> Self {
        let layout = Layout::new(weights.shape());
        let (layers, back) = (Layers::new(weights, &layout, true), transposed_heads(weights, &layout));
        Self { layers, points_back: back.0, hidden_back: back.1, parts: Vec::new(), scratches: Pool::default(), layout }
    }

    /// The mean losses of `batch` with `weights`, and into `gradient` the gradient of their sum; without the part of the weights.
    ///
    /// The batch must fit the shape ([`Batch::check`]) and must not be empty.
    pub(crate) fn of_batch(&mut self, weights: &Weights, batch: &Batch, gradient: &mut [f32]) -> Losses {
        self.take_over(weights);
        let mut parts = std::mem::take(&mut self.parts);
        let share = 1.0 / batch.len() as f32;
        let mut losses = Losses::default();
        gradient.fill(0.0);
        let n_parts = batch.len().div_ceil(PART);
        // The buffers of a larger batch stay for the next step.
        parts.resize_with(WAVE.min(n_parts).max(parts.len()), PartialGradient::default);
        for start in (0..n_parts).step_by(WAVE) {
            let parts = &mut parts[..WAVE.min(n_parts - start)];
            parts.par_iter_mut().enumerate().for_each(|(at, part)| {
                let number = start + at;
                let rows = Rows { batch, first: number * PART, last: batch.len().min((number + 1) * PART) };
                part.gradient.clear();
                part.gradient.resize(gradient.len(), 0.0);
                part.losses = self.scratches.lend(|scratch| self.of_part(scratch, rows, &mut part.gradient));
            });
            gradient.par_chunks_mut(SLICE).enumerate().for_each(|(number, gradient)| {
                for part in &*parts {
                    kernel::add_scaled(gradient, &part.gradient[number * SLICE..][..gradient.len()], share);
                }
            });
            parts.iter().for_each(|part| losses += part.losses);
        }
        self.parts = parts;
        losses.scaled(1.0 / batch.len() as f64)
    }

    fn take_over(&mut self, weights: &Weights) {
        let (layout, flat) = (&self.layout, weights.flat());
        let maps = layout.convolutions.par_iter();
        self.layers.convolutions.par_iter_mut().zip(maps).for_each(|(convolution, map)| convolution.set(map.of(flat)));
        self.layers.heads = Heads::new(weights, layout);
        (self.points_back, self.hidden_back) = transposed_heads(weights, layout);
    }

    /// Losses and gradient of some rows, summed.
    fn of_part(&self, scratch: &mut Scratch, rows: Rows<'_>, gradient: &mut [f32]) -> Losses {
        self.clear(scratch);
        let mut losses = Losses::default();
        for first in (rows.first..rows.last).step_by(GROUP) {
            let group = Rows { first, last: rows.last.min(first + GROUP), ..rows };
            self.forward(scratch, group);
            losses += self.policy(scratch, group);
            losses += self.value(scratch, group, gradient);
            self.back_through_heads(scratch, group.len(), gradient);
            for layer in (0..self.layers.shape.layers).rev() {
                self.back_through_layer(scratch, layer, group.len(), gradient, first == rows.first);
            }
        }
        self.take_sums(scratch, gradient);
        losses
    }

    /// Sets the sums that are kept over the groups of a part to 0.
    fn clear(&self, scratch: &mut Scratch) {
        scratch.x.resize_with(self.layers.shape.layers + 1, Vec::new);
        scratch.kernels.resize_with(self.layers.shape.layers, Vec::new);
        at_least(&mut scratch.points, self.layers.heads.points.weights.len()).fill(0.0);
        at_least(&mut scratch.hidden_weights, self.layers.heads.hidden.weights.len()).fill(0.0);
    }

    /// Fills [`Scratch::x`] and [`Scratch::heads`].
    fn forward(&self, scratch: &mut Scratch, rows: Rows<'_>) {
        let points = rows.len() * self.layers.shape.points();
        let planes = whole_panels(self.layers.shape.planes);
        read_planes(
            &self.layers.shape,
            rows.planes(self.layers.shape.row_len()),
            at_least(&mut scratch.x[0], points * planes),
        );
        for (layer, convolution) in self.layers.convolutions.iter().enumerate() {
            let [x, next] = &mut scratch.x[layer..layer + 2] else { return };
            let x = &x[..points * convolution.kernel.inputs];
            let m = convolution.products(&self.layers.tiling, x, &mut scratch.products);
            let next = at_least(next, points * convolution.kernel.outputs);
            if layer > 0 {
                next.copy_from_slice(x);
            }
            convolution.finish(&self.layers.tiling, m, layer > 0, next);
        }
        let columns = self.layers.heads.points.columns;
        self.layers.heads.points.apply(
            &scratch.x[self.layers.shape.layers],
            points,
            at_least(&mut scratch.heads, points * columns),
        );
        at_least(&mut scratch.heads_delta, points * columns).fill(0.0);
    }

    /// The losses of the policy: cross entropy with the softmax over the legal moves; fills the policy's part of
    /// [`Scratch::heads_delta`].
    fn policy(&self, scratch: &mut Scratch, rows: Rows<'_>) -> Losses {
        let (points, width, depth) =
            (self.layers.shape.points(), self.layers.heads.points.columns, self.layers.shape.policy_channels);
        let mut loss = 0.0;
        for row in rows.first..rows.last {
            let (moves, policy) = rows.batch.moves_of(row);
            let board = (row - rows.first) * points * width;
            let places = |mv: u32| {
                let (from, to) = (mv as usize / points, mv as usize % points);
                let (from, to) = (board + from * width, board + to * width + depth);
                (from..from + depth, to..to + depth)
            };
            let logits = at_least(&mut scratch.logits, moves.len());
            for (logit, &mv) in logits.iter_mut().zip(moves) {
                let (from, to) = places(mv);
                *logit = kernel::dot(&scratch.heads[from], &scratch.heads[to]);
            }
            loss += cross_entropy(logits, policy);
            for (&mv, &change) in moves.iter().zip(logits.iter()) {
                let (from, to) = places(mv);
                kernel::add_scaled(&mut scratch.heads_delta[from.clone()], &scratch.heads[to.clone()], change);
                kernel::add_scaled(&mut scratch.heads_delta[to], &scratch.heads[from], change);
            }
        }
        Losses { policy: loss, ..Losses::default() }
    }

    /// The losses of the value; fills its part of [`Scratch::heads_delta`], and adds to the gradients of its layers.
    fn value(&self, scratch: &mut Scratch, rows: Rows<'_>, gradient: &mut [f32]) -> Losses {
        let (n, columns) = (rows.len(), self.layers.heads.hidden.columns);
        let value = at_least(&mut scratch.value, n * self.layers.shape.value_inputs());
        let hidden = at_least(&mut scratch.hidden, n * columns);
        self.layers.heads.value_layers(&self.layers.shape, n, &scratch.heads, (value, &mut *hidden));
        let deltas = at_least(&mut scratch.hidden_delta, n * columns).chunks_exact_mut(columns);
        let targets = &rows.batch.values[rows.first..rows.last];
        let mut loss = 0.0;
        for ((hidden, delta), z) in hidden.chunks_exact(columns).zip(deltas).zip(targets) {
            loss += self.output(&hidden[..self.layers.shape.value_hidden], delta, *z, gradient);
        }
        self.back_through_value(scratch, n, gradient);
        Losses { value: loss, ..Losses::default() }
    }

    /// From [`Scratch::hidden_delta`] to the value's part of [`Scratch::heads_delta`].
    fn back_through_value(&self, scratch: &mut Scratch, n: usize, gradient: &mut [f32]) {
        let (inputs, columns) = (self.layers.shape.value_inputs(), self.layers.heads.hidden.columns);
        let (value, hidden_delta) = (&scratch.value[..n * inputs], &mut scratch.hidden_delta[..n * columns]);
        kernel::back_through_relu(hidden_delta, &scratch.hidden[..n * columns]);
        add_rows_to(&mut gradient[self.layout.hidden.bias.clone()], hidden_delta, columns);
        let sizes = Sizes { rows: inputs, depth: n, columns };
        let sums = at_least(&mut scratch.hidden_weights, inputs * columns);
        multiply::<true>(sums, Left::transpose(value, inputs), Right::rows(hidden_delta, columns), sizes);
        let back = at_least(&mut scratch.value_delta, n * self.hidden_back.columns);
        self.hidden_back.apply(hidden_delta, n, back);
        let (channels, width) = (self.layers.heads.value_columns(&self.layers.shape), self.layers.heads.points.columns);
        let boards = scratch.heads_delta.chunks_exact_mut(self.layers.shape.points() * width);
        let backs = back.chunks_exact_mut(self.hidden_back.columns);
        for ((board, back), value) in boards.zip(backs).zip(value.chunks_exact(inputs)) {
            let back = &mut back[..inputs];
            kernel::back_through_relu(back, value);
            for (heads, back) in board.chunks_exact_mut(width).zip(back.chunks_exact(channels.len())) {
                heads[channels.clone()].copy_from_slice(back);
            }
        }
    }

    /// The loss (v - z)² of one row, its gradient with respect to the hidden layer into `delta`, and that of the output's weights
    /// added to `gradient`.
    fn output(&self, hidden: &[f32], delta: &mut [f32], z: f32, gradient: &mut [f32]) -> f64 {
        let v = math::tanh(kernel::dot(hidden, &self.layers.heads.output) + self.layers.heads.output_bias);
        let error = v - z;
        let slope = 2.0 * error * (1.0 - v * v);
        delta.fill(0.0);
        kernel::add_scaled(&mut delta[..hidden.len()], &self.layers.heads.output, slope);
        kernel::add_scaled(&mut gradient[self.layout.output.weights.clone()], hidden, slope);
        gradient[self.layout.output.bias.start] += slope;
        f64::from(error) * f64::from(error)
    }

    /// From [`Scratch::heads_delta`] to [`Scratch::delta`].
    fn back_through_heads(&self, scratch: &mut Scratch, n: usize, gradient: &mut [f32]) {
        let (points, columns) = (n * self.layers.shape.points(), self.layers.heads.points.columns);
        let (width, x) = (self.layers.heads.points.depth, &scratch.x[self.layers.shape.layers]);
        let delta = &scratch.heads_delta[..points * columns];
        let mut bias = vec![0.0; columns];
        add_rows_to(&mut bias, delta, columns);
        let mut first = 0;
        for (map, scale) in point_maps(&self.layers.shape, &self.layout) {
            let gradient = &mut gradient[map.bias.clone()];
            kernel::add_scaled(gradient, &bias[first..first + gradient.len()], scale);
            first += gradient.len();
        }
        let sizes = Sizes { rows: width, depth: points, columns };
        let sums = at_least(&mut scratch.points, width * columns);
        multiply::<true>(sums, Left::transpose(x, width), Right::rows(delta, columns), sizes);
        // One point more, for what the way back through the transforms finds outside the boards.
        let back = at_least(&mut scratch.delta, (points + 1) * width);
        self.points_back.apply(delta, points, &mut back[..points * width]);
    }

    /// From [`Scratch::delta`] with respect to what a layer writes to that with respect to what it reads.
    fn back_through_layer(&self, scratch: &mut Scratch, layer: usize, n: usize, gradient: &mut [f32], first: bool) {
        let kernel = &self.layers.convolutions[layer].kernel;
        let (inputs, outputs) = (kernel.inputs, kernel.outputs);
        let (points, tiles) = (n * self.layers.shape.points(), n * self.layers.tiling.n_tiles());
        let delta = &mut scratch.delta[..points * outputs];
        kernel::back_through_relu(delta, &scratch.x[layer + 1][..points * outputs]);
        add_rows_to(&mut gradient[self.layout.convolutions[layer].bias.clone()], delta, outputs);
        let (v_len, m_len) = (matrix_len(tiles, inputs), matrix_len(tiles, outputs));
        let v = at_least(&mut scratch.products.v, PRODUCTS * v_len);
        let m = at_least(&mut scratch.products.m, PRODUCTS * m_len);
        transform_input(&self.layers.tiling, &scratch.x[layer][..points * inputs], inputs, v);
        gradient_of_products(&self.layers.tiling, delta, outputs, m);
        let sizes = Sizes { rows: inputs, depth: tiles, columns: outputs };
        let matrices = v.chunks_exact(v_len).zip(m.chunks_exact(m_len));
        let multiply_of_group = if first { multiply::<false> } else { multiply::<true> };
        let sums = at_least(&mut scratch.kernels[layer], PRODUCTS * kernel.matrix());
        for (sums, (v, m)) in sums.chunks_exact_mut(kernel.matrix()).zip(matrices) {
            multiply_of_group(sums, Left::transpose(v, inputs), Right::rows(m, outputs), sizes);
        }
        if layer == 0 {
            return;
        }
        let sizes = Sizes { rows: tiles, depth: outputs, columns: inputs };
        let matrices = m.chunks_exact(m_len).zip(kernel.backward());
        for (v, (m, u)) in v.chunks_exact_mut(v_len).zip(matrices) {
            multiply::<false>(v, Left::rows(m, outputs), Right::packed(u, outputs), sizes);
        }
        add_gradient_of_input(&self.layers.tiling, v, inputs, &mut scratch.delta[..(points + 1) * inputs]);
    }

    /// Adds the sums of a part, which are kept in the form of the products, to the gradient.
    fn take_sums(&self, scratch: &Scratch, gradient: &mut [f32]) {
        for ((sums, convolution), map) in
            scratch.kernels.iter().zip(&self.layers.convolutions).zip(&self.layout.convolutions)
        {
            let sizes = [convolution.kernel.inputs, convolution.kernel.outputs];
            add_gradient_of_kernel(sums, sizes, &mut gradient[map.weights.clone()], self.layers.shape.channels);
        }
        let mut first = 0;
        for (map, scale) in point_maps(&self.layers.shape, &self.layout) {
            let width = map.bias.len();
            let rows = gradient[map.weights.clone()].chunks_exact_mut(width);
            for (gradient, sums) in rows.zip(scratch.points.chunks_exact(self.layers.heads.points.columns)) {
                kernel::add_scaled(gradient, &sums[first..first + width], scale);
            }
            first += width;
        }
        let hidden = gradient[self.layout.hidden.weights.clone()].chunks_exact_mut(self.layers.shape.value_hidden);
        for (gradient, sums) in hidden.zip(scratch.hidden_weights.chunks_exact(self.layers.heads.hidden.columns)) {
            kernel::add_scaled(gradient, &sums[..gradient.len()], 1.0);
        }
    }
}

/// Weights that a thread adds up at a time.
const SLICE: usize = 1 << 14;

/// The weights of the heads transposed: of the maps that they have side by side, and of the hidden layer of the value.
fn transposed_heads(weights: &Weights, layout: &Layout) -> (Packed, Packed) {
    let (shape, flat) = (weights.shape(), weights.flat());
    let points = point_maps(shape, layout).map(|(map, scale)| (map.of(flat), scale));
    let hidden = [(layout.hidden.of(flat), 1.0)];
    (transposed(&points, shape.channels), transposed(&hidden, shape.value_inputs()))
}

/// `sums` += the rows of `width` numbers in `rows`, as far as `sums` goes.
fn add_rows_to(sums: &mut [f32], rows: &[f32], width: usize) {
    for row in rows.chunks_exact(width) {
        kernel::add_scaled(sums, &row[..sums.len()], 1.0);
    }
}

/// -Σ π ln p with p the softmax of `logits`, which become its gradient with respect to them; 0 without moves.
fn cross_entropy(logits: &mut [f32], policy: &[f32]) -> f64 {
    if logits.is_empty() {
        return 0.0;
    }
    let greatest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    let mut loss = 0.0;
    for (logit, &pi) in logits.iter_mut().zip(policy) {
        let above = *logit - greatest;
        loss -= f64::from(pi) * f64::from(above);
        *logit = math::exp(above);
        sum += *logit;
    }
    let total: f32 = policy.iter().sum();
    for (logit, pi) in logits.iter_mut().zip(policy) {
        *logit = *logit / sum * total - pi;
    }
    loss + f64::from(total) * f64::from(sum).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::residual::Shape;

    #[test]
    fn the_cross_entropy_does_not_change_with_a_number_added_to_all_logits() {
        for shift in [0.0, 100.0, -100.0] {
            let mut logits = [shift, shift];
            let loss = cross_entropy(&mut logits, &[0.25, 0.75]);
            approx::assert_abs_diff_eq!(loss, std::f64::consts::LN_2, epsilon = 1e-5);
            for (slope, expected) in logits.into_iter().zip([0.25, -0.25]) {
                approx::assert_abs_diff_eq!(slope, expected, epsilon = 1e-5);
            }
        }
        assert_eq!(cross_entropy(&mut [], &[]), 0.0);
    }

    /// More weights than one thread adds up at a time.
    #[test]
    fn the_gradient_of_a_batch_of_one_is_that_of_its_part() {
        let shape = Shape { channels: 32, layers: 3, value_hidden: 4, ..Shape::new(6, 6, 2) };
        let weights = Weights::random(shape, 1, "test").unwrap();
        let (mut batch, mut gradient) = (Batch::default(), vec![0.0; weights.n_parameters()]);
        assert!(gradient.len() > SLICE);
        let row: Vec<f32> = (0..2 * 36).map(|at| (at as f32 * 0.7).sin()).collect();
        batch.push(&row, [(0, 0.25), (37, 0.75)], 0.5);
        let mut of = Gradient::new(&weights);
        of.of_batch(&weights, &batch, &mut gradient);
        assert_eq!(gradient, of.parts[0].gradient);
        assert!(gradient[SLICE..].iter().any(|slope| *slope != 0.0));
    }

    /// 17 planes are two panels of channels where the layers behind have one.
    #[test]
    fn a_plane_that_is_always_empty_changes_nothing() {
        let [few, many] = [16, 17].map(|n| Shape { channels: 4, layers: 2, value_hidden: 4, ..Shape::new(6, 6, n) });
        // Of the first convolution what reads the 16 planes, and all other weights.
        let without_the_last = |flat: &[f32]| {
            let (first, others) = flat.split_at(9 * 17 * 4);
            first.chunks_exact(17 * 4).flat_map(|tap| &tap[..16 * 4]).chain(others).copied().collect::<Vec<f32>>()
        };
        let found = |weights: &Weights| {
            let mut row: Vec<f32> = (0..16 * 36).map(|at| (at as f32 * 0.7).sin()).collect();
            row.resize(weights.shape().row_len(), 0.0);
            let (mut batch, mut gradient) = (Batch::default(), vec![0.0; weights.n_parameters()]);
            batch.push(&row, [(0, 0.25), (37, 0.75)], 0.5);
            let losses = Gradient::new(weights).of_batch(weights, &batch, &mut gradient);
            (losses, gradient)
        };
        let large = Weights::random(many, 1, "test").unwrap();
        let small = Weights::from_flat(few, without_the_last(large.flat())).unwrap();
        let ((expected, right), (losses, gradient)) = (found(&small), found(&large));
        approx::assert_abs_diff_eq!(losses.policy, expected.policy, epsilon = 1e-4);
        approx::assert_abs_diff_eq!(losses.value, expected.value, epsilon = 1e-4);
        let gradient = without_the_last(&gradient);
        assert_eq!(gradient.len(), right.len());
        for (found, right) in gradient.iter().zip(&right) {
            approx::assert_abs_diff_eq!(*found, *right, epsilon = 1e-4);
        }
    }
}
