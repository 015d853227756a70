//! The loops in which training and evaluation spend their time, compiled for wider instructions too and chosen at run time.
//!
//! Every function does the same additions and multiplications in the same order on every processor: sums that would
//! have to be split over the lanes of a register are split by hand into 16 partial sums, and products are never
//! fused with sums. So a network trained on one machine has the bytes of one trained on another.

use multiversion::multiversion;

use super::first_layer::Activation;
use super::math;

/// Decay of Adam's first moment.
pub(super) const BETA_1: f32 = 0.9;
/// Decay of Adam's second moment.
pub(super) const BETA_2: f32 = 0.999;
/// What keeps Adam's step finite.
const EPSILON: f32 = 1e-8;
/// Partial sums of a reduction.
const LANES: usize = 16;

/// Goes through `width` columns in tiles that fit into registers: `body` for each, with its width N and its first column.
macro_rules! in_tiles {
    ($width:expr, $n:ident, $at:ident => $body:expr) => {{
        let (width, mut $at) = ($width, 0);
        in_tiles!(@ 96, width, $n, $at, $body);
        in_tiles!(@ 64, width, $n, $at, $body);
        in_tiles!(@ 32, width, $n, $at, $body);
        in_tiles!(@ 8, width, $n, $at, $body);
        in_tiles!(@ 4, width, $n, $at, $body);
        in_tiles!(@ 1, width, $n, $at, $body);
    }};
    (@ $size:literal, $width:ident, $n:ident, $at:ident, $body:expr) => {
        while $width - $at >= $size {
            const $n: usize = $size;
            $body;
            $at += $size;
        }
    };
}

/// `sums` += Σ factor · row, over the rows of `matrix` (row-major, as wide as `sums` is long) that are `active`.
#[multiversion(targets("x86_64+avx2"))]
pub fn add_rows(sums: &mut [f32], matrix: &[f32], active: &[Activation]) {
    add_weighted_rows(sums, matrix, active.iter().map(|activation| (activation.row as usize, activation.factor)));
}

/// `sums` += Σ_j factors\[j\] · row j of `matrix`: a product of a vector and a matrix.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn add_product(sums: &mut [f32], factors: &[f32], matrix: &[f32]) {
    add_weighted_rows(sums, matrix, factors.iter().copied().enumerate());
}

#[inline(always)]
fn add_weighted_rows(sums: &mut [f32], matrix: &[f32], rows: impl Iterator<Item = (usize, f32)> + Clone) {
    in_tiles!(sums.len(), N, at => add_tile::<N>(sums, matrix, rows.clone(), at));
}

/// The part of [`add_weighted_rows`] for N neighbouring sums, which stay in registers while the rows pass by.
#[inline(always)]
fn add_tile<const N: usize>(sums: &mut [f32], matrix: &[f32], rows: impl Iterator<Item = (usize, f32)>, at: usize) {
    let width = sums.len();
    let mut tile = [0.0; N];
    tile.copy_from_slice(&sums[at..at + N]);
    for (row, factor) in rows {
        let first = row * width + at;
        let row = &matrix[first..first + N];
        for (sum, weight) in tile.iter_mut().zip(row) {
            *sum += factor * weight;
        }
    }
    sums[at..at + N].copy_from_slice(&tile);
}

/// row += `scale` · factor · `delta`, for the rows of `matrix` (as wide as `delta` is long) that are `active`.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn add_to_rows(matrix: &mut [f32], active: &[Activation], delta: &[f32], scale: f32) {
    in_tiles!(delta.len(), N, at => add_to_tiles::<N>(matrix, active, delta, scale, at));
}

/// The part of [`add_to_rows`] for N neighbouring columns, whose deltas stay in registers while the rows pass by.
#[inline(always)]
fn add_to_tiles<const N: usize>(matrix: &mut [f32], active: &[Activation], delta: &[f32], scale: f32, at: usize) {
    let width = delta.len();
    let mut tile = [0.0; N];
    tile.copy_from_slice(&delta[at..at + N]);
    for activation in active {
        let factor = scale * activation.factor;
        let first = activation.row as usize * width + at;
        let row = &mut matrix[first..first + N];
        row.iter_mut().zip(&tile).for_each(|(weight, delta)| *weight += factor * delta);
    }
}

/// `target` += `factor` · `terms`.
#[multiversion(targets("x86_64+avx2"))]
pub fn add_scaled(target: &mut [f32], terms: &[f32], factor: f32) {
    target.iter_mut().zip(terms).for_each(|(target, term)| *target += factor * term);
}

/// `target` ← `decay` · `target` + `factor` · `terms`.
#[multiversion(targets("x86_64+avx2"))]
pub fn decay_and_add(target: &mut [f32], decay: f32, terms: &[f32], factor: f32) {
    target.iter_mut().zip(terms).for_each(|(target, term)| *target = decay * *target + factor * term);
}

/// `values` ← `factor` · `values`.
#[multiversion(targets("x86_64+avx2"))]
pub fn scale(values: &mut [f32], factor: f32) {
    values.iter_mut().for_each(|value| *value *= factor);
}

/// Σ a · b.
#[multiversion(targets("x86_64+avx2"))]
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let (a_chunks, b_chunks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let (a_rest, b_rest) = (a_chunks.remainder(), b_chunks.remainder());
    for (a, b) in a_chunks.zip(b_chunks) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += a * b;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f32>() + rest
}

/// tanh of each value, in place.
#[multiversion(targets("x86_64+avx2"))]
pub fn tanh(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = math::tanh(*value));
}

/// 1 / (1 + e^-x) of each value x, in place.
#[multiversion(targets("x86_64+avx2"))]
pub fn sigmoid(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = math::sigmoid(*value));
}

/// max(x, 0) of each value x, in place.
#[multiversion(targets("x86_64+avx2"))]
pub fn relu(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = value.max(0.0));
}

/// `delta` ← `delta` · (1 - h²): back through h = tanh.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn back_through_tanh(delta: &mut [f32], hidden: &[f32]) {
    delta.iter_mut().zip(hidden).for_each(|(delta, h)| *delta *= 1.0 - h * h);
}

/// `delta` ← `delta` · h (1 - h): back through the logistic function.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn back_through_sigmoid(delta: &mut [f32], hidden: &[f32]) {
    delta.iter_mut().zip(hidden).for_each(|(delta, h)| *delta *= h * (1.0 - h));
}

/// `delta` ← `delta` where h > 0, else 0: back through h = max(x, 0).
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn back_through_relu(delta: &mut [f32], hidden: &[f32]) {
    delta.iter_mut().zip(hidden).for_each(|(delta, &h)| *delta = if h > 0.0 { *delta } else { 0.0 });
}

/// e^(factor · x), the exponent held to ± `limit`, of each value x, in place.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn exp_scaled(values: &mut [f32], factor: f32, limit: f32) {
    values.iter_mut().for_each(|value| *value = math::exp((factor * *value).clamp(-limit, limit)));
}

/// One step of Adam (Kingma and Ba, 2015, algorithm 1) with step size `rate`; `scales` are 1 / (1 - β^t) of both moments.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn adam(
    weights: &mut [f32],
    gradient: &[f32],
    first: &mut [f32],
    second: &mut [f32],
    rate: f32,
    scales: [f32; 2],
) {
    for (((weight, &g), m), v) in weights.iter_mut().zip(gradient).zip(first).zip(second) {
        *m = BETA_1 * *m + (1.0 - BETA_1) * g;
        *v = BETA_2 * *v + (1.0 - BETA_2) * g * g;
        *weight -= rate * (*m * scales[0]) / ((*v * scales[1]).sqrt() + EPSILON);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Numbers in [-1, 1) that look random.
    pub fn numbers(n: usize, seed: u32) -> Vec<f32> {
        (0..n).map(|i| (((i as u32).wrapping_mul(2_654_435_761) ^ seed) % 1000) as f32 / 500.0 - 1.0).collect()
    }

    #[test]
    fn rows_of_every_width_add_up_as_one_by_one() {
        for width in [1, 3, 4, 7, 8, 31, 32, 60, 64, 100, 128, 205] {
            let matrix = numbers(width * 5, 7);
            let active = [(4, 0.5), (0, -2.0), (3, 1.0)].map(|(row, factor)| Activation { row, factor });
            let mut sums = numbers(width, 3);
            let expected: Vec<f32> = (0..width)
                .map(|j| active.iter().fold(sums[j], |sum, a| sum + a.factor * matrix[a.row as usize * width + j]))
                .collect();
            add_rows(&mut sums, &matrix, &active);
            assert_eq!(sums, expected, "width {width}");
        }
    }

    #[test]
    fn updates_reach_only_the_active_rows() {
        let mut matrix = vec![0.0; 12];
        add_to_rows(&mut matrix, &[Activation { row: 2, factor: 0.5 }], &[1.0, 2.0, 3.0, 4.0], 2.0);
        assert_eq!(matrix, [0., 0., 0., 0., 0., 0., 0., 0., 1., 2., 3., 4.]);
    }

    /// In the first step the moments, scaled, are the gradient and its square.
    #[test]
    fn adam_moves_a_weight_by_the_rate_and_by_less_where_the_gradient_is_next_to_nothing() {
        let (mut weights, mut moments) = ([0.0_f32; 3], [[0.0_f32; 3]; 2]);
        let [first, second] = &mut moments;
        adam(&mut weights, &[2.0, -EPSILON, 0.0], first, second, 0.5, [1.0 / (1.0 - BETA_1), 1.0 / (1.0 - BETA_2)]);
        for (weight, expected) in weights.into_iter().zip([-0.5, 0.25, 0.0]) {
            approx::assert_abs_diff_eq!(weight, expected, epsilon = 1e-4);
        }
    }

    #[test]
    fn a_dot_product_is_that_of_the_definition() {
        for n in [0, 1, 15, 16, 17, 100] {
            let (a, b) = (numbers(n, 1), numbers(n, 9));
            let exact: f64 = a.iter().zip(&b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            approx::assert_abs_diff_eq!(f64::from(dot(&a, &b)), exact, epsilon = 1e-4);
        }
    }
}
