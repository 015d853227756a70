//! The maps of lines that the transforms of tiles and kernels are made of, by the letters of [`super`], and how one goes over a square.
//! A number of a line is one of several neighbouring channels at once.

use std::mem::MaybeUninit;
use std::ops::{Add, Mul, Sub};

/// Rows and columns of a tile of results.
pub(super) const TILE: usize = 3;
/// Rows and columns of the patch that a tile depends on.
pub(super) const PATCH: usize = 5;
/// Neighbouring channels that are transformed together.
pub(super) const LANES: usize = 8;

/// Numbers of neighbouring channels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lanes(pub [f32; LANES]);

impl Lanes {
    const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    fn with(self, other: Self, of: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|lane| of(self.0[lane], other.0[lane])))
    }

    /// The numbers from `first` on.
    ///
    /// # Safety
    /// All of them must lie inside what `first` points into.
    #[inline(always)]
    pub(super) unsafe fn load(first: *const f32) -> Self {
        // SAFETY: as the caller promises.
        Self(unsafe { first.cast::<[f32; LANES]>().read() })
    }

    /// Writes to the numbers from `first` on.
    ///
    /// # Safety
    /// All of them must lie inside what `first` points into.
    #[inline(always)]
    pub(super) unsafe fn store(self, first: *mut f32) {
        // SAFETY: as the caller promises.
        unsafe { first.cast::<[f32; LANES]>().write(self.0) }
    }

    /// The numbers at the beginning of `list`, and zeros where it is shorter.
    #[inline(always)]
    pub(super) fn read(list: &[f32]) -> Self {
        list.first_chunk().map_or_else(|| Self::read_short(list), |numbers| Self(*numbers))
    }

    #[cold]
    fn read_short(list: &[f32]) -> Self {
        Self(std::array::from_fn(|lane| list.get(lane).copied().unwrap_or(0.0)))
    }

    #[inline(always)]
    pub(super) fn relu(self) -> Self {
        self.with(Self::ZERO, f32::max)
    }
}

impl Add for Lanes {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }
}

impl Sub for Lanes {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }
}

impl Mul<f32> for Lanes {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f32) -> Self {
        Self(self.0.map(|number| number * factor))
    }
}

/// A map of lines of N numbers to lines of M.
///
/// A type and not a function: only what is called by its name is sure to be compiled into the loop around it, for its instructions.
pub(super) trait Map<const N: usize, const M: usize> {
    /// Where the map takes a line.
    fn of(line: [Lanes; N]) -> [Lanes; M];
}

/// Bᵀ of a line of a patch.
pub(super) struct BTransposed;

impl Map<PATCH, PATCH> for BTransposed {
    #[inline(always)]
    fn of([d0, d1, d2, d3, d4]: [Lanes; PATCH]) -> [Lanes; PATCH] {
        let (odd, even) = (d3 - d1, d3 - d2);
        [(d0 - d2) * 2.0 + odd, even - d1 * 2.0, even + (d1 - d2) * 2.0, odd, (d1 - d3) * 2.0 + (d4 - d2)]
    }
}

/// B of a line: the way back of [`BTransposed`].
pub(super) struct B;

impl Map<PATCH, PATCH> for B {
    #[inline(always)]
    fn of([v0, v1, v2, v3, v4]: [Lanes; PATCH]) -> [Lanes; PATCH] {
        let d1 = (v2 - v1 + v4) * 2.0 - v0 - v3;
        let d2 = Lanes::ZERO - v0 * 2.0 - v1 - v2 * 3.0 - v4;
        [v0 * 2.0, d1, d2, v0 + v1 + v2 + v3 - v4 * 2.0, v4]
    }
}

/// Aᵀ of a line of products.
pub(super) struct ATransposed;

impl Map<PATCH, TILE> for ATransposed {
    #[inline(always)]
    fn of([m0, m1, m2, m3, m4]: [Lanes; PATCH]) -> [Lanes; TILE] {
        let sum = m1 + m2;
        [m0 + sum + m3, m1 - m2 + m3 * 2.0, sum + m3 * 4.0 + m4]
    }
}

/// A of a line of results: the way back of [`ATransposed`].
pub(super) struct A;

impl Map<TILE, PATCH> for A {
    #[inline(always)]
    fn of([y0, y1, y2]: [Lanes; TILE]) -> [Lanes; PATCH] {
        let sum = y0 + y2;
        [y0, sum + y1, sum - y1, y0 + y1 * 2.0 + y2 * 4.0, y2]
    }
}

/// G of a line of a kernel.
pub(super) struct G;

impl Map<TILE, PATCH> for G {
    #[inline(always)]
    fn of([g0, g1, g2]: [Lanes; TILE]) -> [Lanes; PATCH] {
        const SIXTH: f32 = 1.0 / 6.0;
        let sum = g0 + g2;
        [g0 * 0.5, (sum + g1) * -0.5, (g1 - sum) * SIXTH, (g0 + g1 * 2.0 + g2 * 4.0) * SIXTH, g2]
    }
}

/// Gᵀ of a line: the way back of [`G`].
pub(super) struct GTransposed;

impl Map<PATCH, TILE> for GTransposed {
    #[inline(always)]
    fn of([u0, u1, u2, u3, u4]: [Lanes; PATCH]) -> [Lanes; TILE] {
        const SIXTH: f32 = 1.0 / 6.0;
        let (half, sixth) = (u1 * 0.5, u2 * SIXTH);
        let third = u3 * SIXTH;
        [u0 * 0.5 - half - sixth + third, sixth - half + third * 2.0, third * 4.0 - half - sixth + u4]
    }
}

/// A map of lines on the columns of a square, whose numbers `read` gives by row and column, and then on its rows; `write` takes
/// what comes out.
///
/// Numbers go from memory through one line at a time: a square as a value does not fit the registers and is copied again and again.
#[inline(always)]
pub(super) fn on_both<const N: usize, const M: usize, T: Map<N, M>>(
    read: impl Fn(usize, usize) -> Lanes,
    mut write: impl FnMut(usize, usize, Lanes),
) {
    // Zeros would be written anew for each square, which takes as long as the map.
    let mut halfway = [[MaybeUninit::uninit(); N]; M];
    for column in 0..N {
        let mut line = [Lanes::ZERO; N];
        for (row, number) in line.iter_mut().enumerate() {
            *number = read(row, column);
        }
        for (halfway, number) in halfway.iter_mut().zip(T::of(line)) {
            halfway[column].write(number);
        }
    }
    for (row, halfway) in halfway.iter().enumerate() {
        let mut line = [Lanes::ZERO; N];
        for (number, halfway) in line.iter_mut().zip(halfway) {
            // SAFETY: each column of each row has been written above.
            *number = unsafe { halfway.assume_init() };
        }
        for (column, number) in T::of(line).into_iter().enumerate() {
            write(row, column, number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a map makes of unit vectors, as a matrix of its rows.
    fn matrix<const N: usize, const M: usize, T: Map<N, M>>(_: T) -> [[f32; N]; M] {
        let unit = |at: usize| std::array::from_fn(|i| Lanes([f32::from(u8::from(i == at)); LANES]));
        let columns: [[Lanes; M]; N] = std::array::from_fn(|column| T::of(unit(column)));
        std::array::from_fn(|row| std::array::from_fn(|column| columns[column][row].0[0]))
    }

    fn transposed<const N: usize, const M: usize>(matrix: [[f32; N]; M]) -> [[f32; M]; N] {
        std::array::from_fn(|row| std::array::from_fn(|column| matrix[column][row]))
    }

    /// For every result i, number k of the kernel, and number j of the patch: 1 where j = i + k, else 0.
    #[test]
    fn five_products_give_three_results_and_ways_back_are_transposes() {
        let (b_transposed, a_transposed, g) = (matrix(BTransposed), matrix(ATransposed), matrix(G));
        for (i, k, j) in (0..27).flat_map(|at| (0..PATCH).map(move |j| (at / 9, at % 3, j))) {
            let sum: f32 = (0..PATCH).map(|p| a_transposed[i][p] * g[p][k] * b_transposed[p][j]).sum();
            approx::assert_abs_diff_eq!(sum, f32::from(u8::from(j == i + k)), epsilon = 1e-5);
        }
        assert_eq!(matrix(B), transposed(b_transposed));
        assert_eq!(matrix(A), transposed(a_transposed));
        assert_eq!(matrix(GTransposed), transposed(g));
    }
}
