//! The loops in which evaluation spends its time, compiled for wider instructions too and chosen at run time.
//!
//! As in [`super::kernel`], every function computes the same on every processor.

use multiversion::multiversion;

use super::math;

/// Partial sums of a reduction.
const LANES: usize = 16;

/// The rows that sums gain and lose, by their first weights.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// Rows to subtract.
    pub removed: Vec<u32>,
    /// Rows to add.
    pub added: Vec<u32>,
}

/// What whole sums are worth: real sum j is base_j + unit_j · sum j.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// Of each column, as many as there are sums.
    pub units: Vec<f32>,
    /// As many.
    pub base: Vec<f32>,
}

/// A weight of whole numbers, and the type of sums of them.
trait Weight: Copy {
    type Sum: Copy + Default;

    /// `sum` + `self`, beyond the range around to its other end, so that the order of rows does not matter.
    fn add_to(self, sum: Self::Sum) -> Self::Sum;
    /// `sum` - `self`, likewise.
    fn take_from(self, sum: Self::Sum) -> Self::Sum;
    fn real(sum: Self::Sum) -> f32;
}

macro_rules! weight {
    ($weight:ty, $sum:ty) => {
        impl Weight for $weight {
            type Sum = $sum;

            #[inline(always)]
            fn add_to(self, sum: $sum) -> $sum {
                sum.wrapping_add(self as $sum)
            }

            #[inline(always)]
            fn take_from(self, sum: $sum) -> $sum {
                sum.wrapping_sub(self as $sum)
            }

            #[inline(always)]
            fn real(sum: $sum) -> f32 {
                sum as f32
            }
        }
    };
}

weight!(i8, i16);
weight!(i16, i16);
weight!(i32, i32);

/// Corrects `sums` by rows of `weights` (as wide as `sums` is long, a multiple of 16) and writes what they are worth into
/// `real`, of the same length.
#[multiversion(targets("x86_64+avx2"))]
pub fn follow_32(sums: &mut [i32], weights: &[i32], changes: &Changes, scale: &Scale, real: &mut [f32]) {
    follow(sums, weights, changes, scale, real);
}

/// As [`follow_32`], for weights of 16 bits.
#[multiversion(targets("x86_64+avx2"))]
pub fn follow_16(sums: &mut [i16], weights: &[i16], changes: &Changes, scale: &Scale, real: &mut [f32]) {
    follow(sums, weights, changes, scale, real);
}

/// As [`follow_32`], for weights of 8 bits.
#[multiversion(targets("x86_64+avx2"))]
pub fn follow_8(sums: &mut [i16], weights: &[i8], changes: &Changes, scale: &Scale, real: &mut [f32]) {
    follow(sums, weights, changes, scale, real);
}

#[inline(always)]
fn follow<W: Weight>(sums: &mut [W::Sum], weights: &[W], changes: &Changes, scale: &Scale, real: &mut [f32]) {
    let (width, mut at) = (sums.len(), 0);
    while width - at >= 64 {
        follow_tile::<W, 64>(sums, weights, changes, scale, real, at);
        at += 64;
    }
    while width - at >= 16 {
        follow_tile::<W, 16>(sums, weights, changes, scale, real, at);
        at += 16;
    }
}

/// The part of [`follow`] for N neighbouring sums, which stay in registers while the rows pass by.
#[inline(always)]
fn follow_tile<W: Weight, const N: usize>(
    sums: &mut [W::Sum],
    weights: &[W],
    changes: &Changes,
    scale: &Scale,
    real: &mut [f32],
    at: usize,
) {
    let mut tile = [W::Sum::default(); N];
    tile.copy_from_slice(&sums[at..at + N]);
    for &row in &changes.removed {
        let first = row as usize + at;
        let row = &weights[first..first + N];
        tile.iter_mut().zip(row).for_each(|(sum, weight)| *sum = weight.take_from(*sum));
    }
    for &row in &changes.added {
        let first = row as usize + at;
        let row = &weights[first..first + N];
        tile.iter_mut().zip(row).for_each(|(sum, weight)| *sum = weight.add_to(*sum));
    }
    sums[at..at + N].copy_from_slice(&tile);
    let worth = scale.units[at..at + N].iter().zip(&scale.base[at..at + N]);
    let real = &mut real[at..at + N];
    real.iter_mut().zip(&tile).zip(worth).for_each(|((real, &sum), (unit, base))| *real = base + unit * W::real(sum));
}

/// Σ weight · tanh(sum).
#[multiversion(targets("x86_64+avx2"))]
#[must_use]
pub fn tanh_dot(sums: &[f32], weights: &[f32]) -> f32 {
    dot_of(sums, weights, math::tanh)
}

/// Σ weight · 1 / (1 + e^-sum).
#[multiversion(targets("x86_64+avx2"))]
#[must_use]
pub fn sigmoid_dot(sums: &[f32], weights: &[f32]) -> f32 {
    dot_of(sums, weights, math::sigmoid)
}

/// Σ weight · max(sum, 0).
#[multiversion(targets("x86_64+avx2"))]
#[must_use]
pub fn relu_dot(sums: &[f32], weights: &[f32]) -> f32 {
    dot_of(sums, weights, |sum| sum.max(0.0))
}

/// Σ weight · e^(factor · sum), the exponent held to ± `limit`.
#[multiversion(targets("x86_64+avx2"))]
#[must_use]
pub fn exp_dot(sums: &[f32], weights: &[f32], factor: f32, limit: f32) -> f32 {
    dot_of(sums, weights, |sum| math::exp((factor * sum).clamp(-limit, limit)))
}

/// Σ weight · f(sum), in the order of [`super::kernel::dot`].
#[inline(always)]
fn dot_of(sums: &[f32], weights: &[f32], f: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0f32; LANES];
    let (sum_chunks, weight_chunks) = (sums.chunks_exact(LANES), weights.chunks_exact(LANES));
    let (last_sums, last_weights) = (sum_chunks.remainder(), weight_chunks.remainder());
    for (sums, weights) in sum_chunks.zip(weight_chunks) {
        for ((lane, &sum), weight) in lanes.iter_mut().zip(sums).zip(weights) {
            *lane += weight * f(sum);
        }
    }
    let rest: f32 = last_sums.iter().zip(last_weights).map(|(&sum, weight)| weight * f(sum)).sum();
    lanes.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::kernel;

    fn numbers(n: usize, seed: u32) -> Vec<f32> {
        (0..n).map(|i| (((i as u32).wrapping_mul(2_654_435_761) ^ seed) % 1000) as f32 / 500.0 - 1.0).collect()
    }

    #[test]
    fn fused_loops_give_the_bits_of_single_ones() {
        for n in [0, 1, 15, 16, 64, 100, 205] {
            let (sums, weights) = (numbers(n, 1), numbers(n, 9));
            let after = |step: fn(&mut [f32])| {
                let mut values = sums.clone();
                step(&mut values);
                kernel::dot(&weights, &values)
            };
            assert_eq!(tanh_dot(&sums, &weights), after(kernel::tanh), "{n}");
            assert_eq!(sigmoid_dot(&sums, &weights), after(kernel::sigmoid), "{n}");
            assert_eq!(relu_dot(&sums, &weights), after(kernel::relu), "{n}");
            assert_eq!(exp_dot(&sums, &weights, 7.0, 3.0), after(|x| kernel::exp_scaled(x, 7.0, 3.0)), "{n}");
        }
    }

    #[test]
    fn sums_of_every_width_follow_their_rows() {
        for width in [16, 32, 64, 80, 112, 208] {
            let weights: Vec<i16> = (0..width * 5).map(|i| ((i * 7919) % 2003) as i16 - 1001).collect();
            let changes = Changes { removed: vec![0, 3 * width as u32], added: vec![width as u32, 4 * width as u32] };
            let scale = Scale { units: numbers(width, 3), base: numbers(width, 4) };
            let mut sums: Vec<i16> = (0..width as i16).collect();
            let expected: Vec<i16> = (0..width)
                .map(|j| j as i16 - weights[j] - weights[3 * width + j] + weights[width + j] + weights[4 * width + j])
                .collect();
            let mut real = vec![0.0; width];
            follow_16(&mut sums, &weights, &changes, &scale, &mut real);
            assert_eq!(sums, expected, "width {width}");
            let worth: Vec<f32> = (0..width).map(|j| scale.base[j] + scale.units[j] * f32::from(expected[j])).collect();
            assert_eq!(real, worth, "width {width}");
        }
    }

    #[test]
    fn sums_that_pass_beyond_their_range_come_back() {
        let weights: Vec<i16> = [30_000, 20_000, 30_000].iter().flat_map(|&w| [w; 16]).collect();
        let mut sums = vec![0i16; 16];
        let (scale, mut real) = (Scale { units: vec![1.0; 16], base: vec![0.0; 16] }, [0.0; 16]);
        let mut go = |removed: &[u32], added: &[u32]| {
            let changes = Changes { removed: removed.to_vec(), added: added.to_vec() };
            follow_16(&mut sums, &weights, &changes, &scale, &mut real);
            real[0]
        };
        go(&[], &[0, 16]);
        assert_eq!(go(&[0], &[]), 20_000.0);
        assert_eq!(go(&[32], &[]), -10_000.0);
    }
}
