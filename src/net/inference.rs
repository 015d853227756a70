//! The loops in which evaluation spends its time, compiled for wider instructions too and chosen at run time.
//!
//! As in [`super::kernel`], every function computes the same on every processor.

use multiversion::multiversion;

use super::aligned::Aligned;
use super::math;

/// As many sums are read out at once: two registers.
const CHUNK: usize = 16;
const HALF: usize = CHUNK / 2;

/// A row that sums gain or lose.
#[derive(Debug, Clone, Copy, Default)]
pub struct Change {
    /// The first weight of the row.
    pub first: u32,
    /// 0 to add the row, -1 to subtract it: -w is (w ^ -1) - -1, so that both are the same instructions.
    pub flip: i8,
}

/// Rows are added this many at once. A move changes four rows in most cases, so that the processor foresees the end of the loop.
pub const GROUP: usize = 4;

/// What whole sums are worth: real sum j is base_j + unit_j · sum j.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// Of each column, as many as there are sums.
    pub units: Aligned<f32>,
    /// As many.
    pub base: Aligned<f32>,
}

/// A weight of whole numbers, and the type of sums of them.
trait Weight: Copy {
    type Sum: Copy + Default;

    /// `sum` + `self`, or minus it if `flip` is -1; beyond the range around to its other end, so that the order of rows does not
    /// matter.
    fn change(self, flip: i8, sum: Self::Sum) -> Self::Sum;
    fn real(sum: Self::Sum) -> f32;
}

macro_rules! weight {
    ($weight:ty, $sum:ty) => {
        impl Weight for $weight {
            type Sum = $sum;

            #[inline(always)]
            fn change(self, flip: i8, sum: $sum) -> $sum {
                let flip = <$sum>::from(flip);
                sum.wrapping_add((<$sum>::from(self) ^ flip).wrapping_sub(flip))
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

/// What follows the sums in a network the argument of whose output is bias + Σ weight · f(sum).
#[derive(Debug, Clone, PartialEq)]
pub struct Readout {
    /// f.
    pub function: Function,
    /// One a sum, and zeros up to the rows' stride.
    pub weights: Aligned<f32>,
    /// The bias.
    pub bias: f32,
}

/// A function of a sum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Function {
    /// tanh x.
    Tanh,
    /// 1 / (1 + e^-x).
    Sigmoid,
    /// max(x, 0).
    Relu,
    /// e^(factor · x).
    Exp {
        /// What x is multiplied by.
        factor: f32,
        /// The exponent is held to ± this, at most [`math::EXP_LIMIT`].
        limit: f32,
    },
}

macro_rules! kernels {
    ($follow:ident, $read_out:ident, $weight:ty, $sum:ty) => {
        /// Corrects `sums` by rows of `weights` (as wide as `sums` is long, a multiple of 16) and writes what they are worth
        /// into `real`, of the same length. `changes` come in whole [groups](GROUP).
        #[multiversion(targets("x86_64+avx2"))]
        pub fn $follow(sums: &mut [$sum], weights: &[$weight], changes: &[Change], scale: &Scale, real: &mut [f32]) {
            follow(sums, weights, changes, scale, real);
        }

        /// Does the same, and gives what `readout` makes of the sums.
        #[multiversion(targets("x86_64+avx2"))]
        pub fn $read_out(
            sums: &mut [$sum],
            weights: &[$weight],
            changes: &[Change],
            scale: &Scale,
            real: &mut [f32],
            readout: &Readout,
        ) -> f32 {
            follow(sums, weights, changes, scale, real);
            read_out(real, readout)
        }
    };
}

kernels!(follow_32, read_out_32, i32, i32);
kernels!(follow_16, read_out_16, i16, i16);
kernels!(follow_8, read_out_8, i8, i16);

#[inline(always)]
fn read_out(sums: &[f32], Readout { function, weights, bias }: &Readout) -> f32 {
    bias + match *function {
        Function::Tanh => sum_of_fractions(sums, weights, math::tanh_as_fraction),
        Function::Sigmoid => sum_of_fractions(sums, weights, sigmoid),
        Function::Relu => sum_of_fractions(sums, weights, relu),
        Function::Exp { factor, limit } => sum_of_fractions(sums, weights, |x| exp(factor * x, limit)),
    }
}

/// Σ weight · f(sum), where `fraction` gives numerator and denominator of f. Sums that are half a chunk apart share a division, the slowest instruction.
#[inline(always)]
fn sum_of_fractions(sums: &[f32], weights: &[f32], fraction: impl Fn(f32) -> (f32, f32)) -> f32 {
    let mut lanes = [0.0f32; HALF];
    for (sums, weights) in sums.chunks_exact(CHUNK).zip(weights.chunks_exact(CHUNK)) {
        for (j, lane) in lanes.iter_mut().enumerate() {
            let k = j + HALF;
            let ((a, below_a), (b, below_b)) = (fraction(sums[j]), fraction(sums[k]));
            *lane += (weights[j] * a * below_b + weights[k] * b * below_a) / (below_a * below_b);
        }
    }
    lanes.iter().sum()
}

/// 1 / (1 + e^-x) as a fraction.
#[inline(always)]
fn sigmoid(x: f32) -> (f32, f32) {
    (1.0, 1.0 + math::exp(-x))
}

/// max(x, 0) as a fraction.
#[inline(always)]
fn relu(x: f32) -> (f32, f32) {
    (x.max(0.0), 1.0)
}

/// e^x as a fraction, the exponent held to ± `limit`.
#[inline(always)]
fn exp(x: f32, limit: f32) -> (f32, f32) {
    (math::exp(x.clamp(-limit, limit)), 1.0)
}

#[inline(always)]
fn follow<W: Weight>(sums: &mut [W::Sum], weights: &[W], changes: &[Change], scale: &Scale, real: &mut [f32]) {
    let (width, mut at) = (sums.len(), 0);
    while width - at >= 64 {
        follow_tile::<W, 64>(sums, weights, changes, scale, real, at);
        at += 64;
    }
    if width - at >= 48 {
        follow_tile::<W, 48>(sums, weights, changes, scale, real, at);
        at += 48;
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
    changes: &[Change],
    scale: &Scale,
    real: &mut [f32],
    at: usize,
) {
    let mut tile = [W::Sum::default(); N];
    tile.copy_from_slice(&sums[at..at + N]);
    for group in changes.as_chunks::<GROUP>().0 {
        for &Change { first, flip } in group {
            let row = &weights[first as usize + at..][..N];
            tile.iter_mut().zip(row).for_each(|(sum, weight)| *sum = weight.change(flip, *sum));
        }
    }
    sums[at..at + N].copy_from_slice(&tile);
    let worth = scale.units[at..at + N].iter().zip(&scale.base[at..at + N]);
    let real = &mut real[at..at + N];
    real.iter_mut().zip(&tile).zip(worth).for_each(|((real, &sum), (unit, base))| *real = base + unit * W::real(sum));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::kernel::tests::numbers;

    fn aligned(n: usize, seed: u32) -> Aligned<f32> {
        numbers(n, seed).into_iter().collect()
    }

    const WIDTHS: [usize; 6] = [16, 32, 64, 80, 112, 208];

    /// Five rows of `width` weights, four changes, and sums before them.
    fn example(width: usize) -> (Vec<i16>, [Change; 4], Vec<i16>) {
        let weights = (0..width * 5).map(|i| ((i * 7919) % 2003) as i16 - 1001).collect();
        let change = |(row, flip)| Change { first: row * width as u32, flip };
        (weights, [(0, -1), (3, -1), (1, 0), (4, 0)].map(change), (0..width as i16).collect())
    }

    #[test]
    fn sums_of_every_width_follow_their_rows() {
        for width in WIDTHS {
            let (weights, changes, mut sums) = example(width);
            let scale = Scale { units: aligned(width, 3), base: aligned(width, 4) };
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
    fn sums_are_read_out_as_the_definition_says() {
        let functions = [Function::Tanh, Function::Sigmoid, Function::Relu, Function::Exp { factor: 0.7, limit: 3.0 }];
        for (width, function) in WIDTHS.into_iter().flat_map(|width| functions.map(|function| (width, function))) {
            let (weights, changes, mut sums) = example(width);
            let scale = Scale { units: vec![0.002; width].into_iter().collect(), base: aligned(width, 4) };
            let readout = Readout { function, weights: aligned(width, 9), bias: 0.25 };
            let mut real = vec![0.0; width];
            follow_16(&mut sums.clone(), &weights, &changes, &scale, &mut real);
            let f = |x: f64| match function {
                Function::Tanh => x.tanh(),
                Function::Sigmoid => 1.0 / (1.0 + (-x).exp()),
                Function::Relu => x.max(0.0),
                Function::Exp { .. } => (0.7 * x).clamp(-3.0, 3.0).exp(),
            };
            let terms = real.iter().zip(readout.weights.iter()).map(|(&x, &w)| f64::from(w) * f(f64::from(x)));
            let found = read_out_16(&mut sums, &weights, &changes, &scale, &mut real.clone(), &readout);
            approx::assert_abs_diff_eq!(f64::from(found), 0.25 + terms.sum::<f64>(), epsilon = 2e-4);
        }
    }

    #[test]
    fn sums_that_pass_beyond_their_range_come_back() {
        let weights: Vec<i16> = [30_000, 20_000, 30_000, 0].iter().flat_map(|&w| [w; 16]).collect();
        let mut sums = vec![0i16; 16];
        let (scale, mut real) = (Scale { units: [1.0; 16].into_iter().collect(), base: Aligned::zeros(16) }, [0.0; 16]);
        let mut go = |changes: [(u32, i8); 2]| {
            let changes = [changes, [(48, 0); 2]].concat();
            let changes: Vec<_> = changes.into_iter().map(|(first, flip)| Change { first, flip }).collect();
            follow_16(&mut sums, &weights, &changes, &scale, &mut real);
            real[0]
        };
        go([(0, 0), (16, 0)]);
        assert_eq!(go([(0, -1), (48, 0)]), 20_000.0);
        assert_eq!(go([(32, -1), (48, 0)]), -10_000.0);
    }
}
