//! Products of small matrices, compiled for wider instructions too and chosen at run time.
//!
//! Every number of a product is a chain of fused multiplications and additions in the order of the inner dimension. So it depends
//! on one row and one column alone, and not on the processor: without instructions for it the fused operation is computed in
//! software, with the same result, slowly.

use multiversion::{multiversion, target::match_target};

use crate::pages::prefetch_early;

/// Columns that are computed together: those of a panel.
pub(crate) const PANEL: usize = 16;
/// The most rows that are computed together.
const MOST_ROWS: usize = 8;
/// What sums start from.
static ZEROS: [f32; PANEL] = [0.0; PANEL];

/// `n` rounded up to whole panels.
pub(crate) const fn whole_panels(n: usize) -> usize {
    n.div_ceil(PANEL) * PANEL
}

/// The left factor of a product: where its numbers are.
#[derive(Debug, Clone, Copy)]
pub struct Left<'a> {
    /// The matrix.
    values: &'a [f32],
    /// From one row to the next.
    row: usize,
    /// From one number of a row to the next.
    number: usize,
}

impl<'a> Left<'a> {
    /// A matrix with rows of `width` numbers.
    pub const fn rows(values: &'a [f32], width: usize) -> Self {
        Self { values, row: width, number: 1 }
    }

    /// The transpose of a matrix with rows of `width` numbers.
    pub const fn transpose(values: &'a [f32], width: usize) -> Self {
        Self { values, row: 1, number: width }
    }
}

/// The right factor of a product, in panels of [`PANEL`] columns.
#[derive(Debug, Clone, Copy)]
pub struct Right<'a> {
    /// The matrix.
    values: &'a [f32],
    /// From the beginning of a panel to that of the next.
    panel: usize,
    /// From one row of a panel to the next.
    row: usize,
}

impl<'a> Right<'a> {
    /// A matrix of `depth` rows that [`pack`] has put panel after panel.
    pub const fn packed(values: &'a [f32], depth: usize) -> Self {
        Self { values, panel: depth * PANEL, row: PANEL }
    }

    /// A matrix with rows of `width` numbers, whole panels.
    pub const fn rows(values: &'a [f32], width: usize) -> Self {
        Self { values, panel: PANEL, row: width }
    }
}

/// Packs a matrix of `depth` × `columns` numbers, read by `at(row, column)`, for [`Right::packed`]; what fills the last panel is 0.
pub fn pack(packed: &mut [f32], depth: usize, columns: usize, at: impl Fn(usize, usize) -> f32) {
    for (panel, numbers) in packed.chunks_exact_mut(depth * PANEL).enumerate() {
        for (row, numbers) in numbers.chunks_exact_mut(PANEL).enumerate() {
            for (lane, number) in numbers.iter_mut().enumerate() {
                let column = panel * PANEL + lane;
                *number = if column < columns { at(row, column) } else { 0.0 };
            }
        }
    }
}

/// The sizes of a product of rows × depth and depth × columns numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    /// Rows of the left factor.
    pub rows: usize,
    /// The inner dimension.
    pub depth: usize,
    /// Columns of the right factor, whole panels.
    pub columns: usize,
}

/// `out` ← or, with `ADD`, += `left` · `right`; `out` has rows of [`Sizes::columns`] numbers.
///
/// # Panics
/// When a matrix has fewer numbers than the sizes say, or the columns are not whole panels.
pub fn multiply<const ADD: bool>(out: &mut [f32], left: Left<'_>, right: Right<'_>, sizes: Sizes) {
    let Sizes { rows, depth, columns } = sizes;
    assert!(columns.is_multiple_of(PANEL), "{columns} columns are not whole panels");
    if rows == 0 || columns == 0 || depth == 0 {
        assert!(ADD || depth > 0, "a product over nothing");
        return;
    }
    let panels = columns / PANEL;
    assert!(out.len() >= rows * columns);
    assert!(left.values.len() > (rows - 1) * left.row + (depth - 1) * left.number);
    assert!(right.values.len() >= (panels - 1) * right.panel + (depth - 1) * right.row + PANEL);
    // SAFETY: the checks above are those that it asks for.
    unsafe { multiply_unchecked::<ADD>(out.as_mut_ptr(), left, right, sizes) }
}

/// The body of [`multiply`].
///
/// # Safety
/// The last number of the last row must lie inside each matrix, and the columns must be whole panels.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2+fma"))]
unsafe fn multiply_unchecked<const ADD: bool>(out: *mut f32, left: Left<'_>, right: Right<'_>, sizes: Sizes) {
    // The sums of a block fill half of 32 registers of sixteen numbers, or 12 of 16 registers of eight: enough to hide how long a
    // sum takes.
    // SAFETY: as the caller promises.
    unsafe {
        match_target! {
            "x86_64+avx512f" => multiply_in_blocks::<8, 2, ADD>(out, left, right, sizes),
            _ => multiply_in_blocks::<6, 1, ADD>(out, left, right, sizes),
        }
    }
}

/// The product in blocks of ROWS rows (at most [`MOST_ROWS`]) and PANELS panels.
///
/// # Safety
/// As for [`multiply_unchecked`].
#[inline(always)]
unsafe fn multiply_in_blocks<const ROWS: usize, const PANELS: usize, const ADD: bool>(
    out: *mut f32,
    left: Left<'_>,
    right: Right<'_>,
    sizes: Sizes,
) {
    const { assert!(ROWS <= MOST_ROWS) };
    let n_panels = sizes.columns / PANEL;
    let alone = n_panels - n_panels % PANELS;
    // SAFETY: as the caller promises; both loops end with the last panel.
    unsafe {
        for panel in (0..alone).step_by(PANELS) {
            multiply_panels::<ROWS, PANELS, ADD>(out, left, right, sizes, panel);
        }
        for panel in alone..n_panels {
            multiply_panels::<ROWS, 1, ADD>(out, left, right, sizes, panel);
        }
    }
}

/// The columns of PANELS panels from `panel` on.
///
/// # Safety
/// As for [`multiply_unchecked`], and there must be these panels.
#[inline(always)]
unsafe fn multiply_panels<const ROWS: usize, const PANELS: usize, const ADD: bool>(
    out: *mut f32,
    left: Left<'_>,
    right: Right<'_>,
    sizes: Sizes,
    panel: usize,
) {
    let mut row = 0;
    while row < sizes.rows {
        let n = (sizes.rows - row).min(ROWS);
        // The panels that come next, or the first ones of the matrix behind this: each block asks for its share of them. A block
        // that is alone has no time for it.
        let lines = if sizes.rows > ROWS { sizes.depth } else { 0 };
        for line in row * lines / sizes.rows..(row + n) * lines / sizes.rows {
            for next in 0..PANELS {
                prefetch_early(right.values, (panel + PANELS + next) * right.panel + line * right.row);
            }
        }
        // SAFETY: the block from (row, panel · PANEL) of n rows and the panels' columns lies inside, as the caller promises.
        unsafe {
            let out = out.add(row * sizes.columns + panel * PANEL);
            let a = left.values.as_ptr().add(row * left.row);
            let b = right.values.as_ptr().add(panel * right.panel);
            let steps =
                Steps { out: sizes.columns, row: left.row, number: left.number, line: right.row, panel: right.panel };
            match n {
                MOST_ROWS => block::<MOST_ROWS, PANELS, ADD>(out, a, b, steps, sizes.depth),
                7 => block::<7, PANELS, ADD>(out, a, b, steps, sizes.depth),
                6 => block::<6, PANELS, ADD>(out, a, b, steps, sizes.depth),
                5 => block::<5, PANELS, ADD>(out, a, b, steps, sizes.depth),
                4 => block::<4, PANELS, ADD>(out, a, b, steps, sizes.depth),
                3 => block::<3, PANELS, ADD>(out, a, b, steps, sizes.depth),
                2 => block::<2, PANELS, ADD>(out, a, b, steps, sizes.depth),
                _ => block::<1, PANELS, ADD>(out, a, b, steps, sizes.depth),
            }
        }
        row += n;
    }
}

/// How far it is from one number to the next in the matrices of a product.
#[derive(Clone, Copy)]
struct Steps {
    /// From row to row of the product.
    out: usize,
    /// From row to row of the left factor.
    row: usize,
    /// From number to number of such a row.
    number: usize,
    /// From row to row of the right factor.
    line: usize,
    /// From panel to panel of it.
    panel: usize,
}

/// N rows and the columns of P panels of a product.
///
/// # Safety
/// All numbers that the steps reach must lie inside the matrices.
#[inline(always)]
unsafe fn block<const N: usize, const P: usize, const ADD: bool>(
    out: *mut f32,
    mut a: *const f32,
    mut b: *const f32,
    steps: Steps,
    depth: usize,
) {
    let mut sums = [[[0.0; PANEL]; P]; N];
    // SAFETY: as the caller promises. Pointers move by wrapping additions, since the last moves lead outside and are not read.
    unsafe {
        // Where sums start from 0 they are read from zeros: told that they are constants, the compiler keeps them in memory.
        let (start, row, panel) =
            if ADD { (out.cast_const(), steps.out, PANEL) } else { (std::hint::black_box(ZEROS.as_ptr()), 0, 0) };
        for (i, sums) in sums.iter_mut().enumerate() {
            for (p, sums) in sums.iter_mut().enumerate() {
                *sums = start.add(i * row + p * panel).cast::<[f32; PANEL]>().read();
            }
        }
        for _ in 0..depth {
            let line: [[f32; PANEL]; P] = std::array::from_fn(|p| b.add(p * steps.panel).cast::<[f32; PANEL]>().read());
            for (i, sums) in sums.iter_mut().enumerate() {
                let factor = *a.add(i * steps.row);
                for (sums, numbers) in sums.iter_mut().zip(&line) {
                    for (sum, number) in sums.iter_mut().zip(numbers) {
                        *sum = factor.mul_add(*number, *sum);
                    }
                }
            }
            (a, b) = (a.wrapping_add(steps.number), b.wrapping_add(steps.line));
        }
        for (i, sums) in sums.iter().enumerate() {
            for (p, sums) in sums.iter().enumerate() {
                out.add(i * steps.out + p * PANEL).cast::<[f32; PANEL]>().write(*sums);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole numbers, so that sums are exact, in memory of just this size: a sanitizer sees what is read or written beside it.
    fn numbers(n: usize, step: usize) -> Box<[f32]> {
        (0..n).map(|i| (i * step % 13) as f32 - 6.0).collect()
    }

    /// The product by its definition, added to what `out` holds.
    fn add_product(out: &mut [f32], Sizes { rows, depth, columns }: Sizes, a: impl Fn(usize, usize) -> f32, b: &[f32]) {
        for row in 0..rows {
            for column in 0..columns {
                out[row * columns + column] += (0..depth).map(|k| a(row, k) * b[k * columns + column]).sum::<f32>();
            }
        }
    }

    /// The product as this processor computes it, and by blocks of either size without instructions for them.
    fn products<const ADD: bool>(before: &[f32], left: Left<'_>, right: Right<'_>, sizes: Sizes) -> [Box<[f32]>; 3] {
        let mut outs = [(); 3].map(|()| Box::from(before));
        let [chosen, narrow, wide] = &mut outs;
        multiply::<ADD>(chosen, left, right, sizes);
        // SAFETY: `multiply` has checked the sizes.
        unsafe {
            multiply_in_blocks::<6, 1, ADD>(narrow.as_mut_ptr(), left, right, sizes);
            multiply_in_blocks::<8, 2, ADD>(wide.as_mut_ptr(), left, right, sizes);
        }
        outs
    }

    #[test]
    fn products_are_those_of_the_definition_and_stay_inside_their_matrices() {
        /// A number of the left matrix by row and place.
        type At<'m> = &'m dyn Fn(usize, usize) -> f32;
        for (rows, depth, panels) in (1..=2 * MOST_ROWS + 1)
            .flat_map(|rows| (1..=5).flat_map(move |depth| (1..=3).map(move |panels| (rows, depth, panels))))
        {
            let sizes = Sizes { rows, depth, columns: panels * PANEL };
            let (a, b, before) =
                (numbers(rows * depth, 5), numbers(depth * sizes.columns, 7), numbers(rows * sizes.columns, 3));
            let mut packed = vec![f32::NAN; depth * sizes.columns].into_boxed_slice();
            pack(&mut packed, depth, sizes.columns, |row, column| b[row * sizes.columns + column]);
            let lefts: [(Left<'_>, At<'_>); 2] = [
                (Left::rows(&a, depth), &|row, k| a[row * depth + k]),
                (Left::transpose(&a, rows), &|row, k| a[k * rows + row]),
            ];
            for (left, at) in lefts {
                for right in [Right::packed(&packed, depth), Right::rows(&b, sizes.columns)] {
                    let mut expected = before.clone();
                    add_product(&mut expected, sizes, at, &b);
                    for added in products::<true>(&before, left, right, sizes) {
                        assert_eq!(added, expected, "{sizes:?}");
                    }
                    expected.fill(0.0);
                    add_product(&mut expected, sizes, at, &b);
                    for set in products::<false>(&before, left, right, sizes) {
                        assert_eq!(set, expected, "{sizes:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_product_without_rows_or_columns_is_nothing() {
        for (rows, columns) in [(0, PANEL), (1, 0), (0, 0)] {
            multiply::<false>(
                &mut [],
                Left::rows(&[], 1),
                Right::rows(&[], columns),
                Sizes { rows, depth: 1, columns },
            );
        }
    }

    /// Every check before the unsafe part, by a matrix that is one number too short.
    #[test]
    fn matrices_that_are_too_short_are_refused() {
        let sizes = Sizes { rows: 7, depth: 3, columns: 2 * PANEL };
        let (a, b, out) = (numbers(7 * 3, 1), numbers(3 * 2 * PANEL, 1), numbers(7 * 2 * PANEL, 1));
        let is_refused = |a: &[f32], b: &[f32], out: &[f32], sizes: Sizes| {
            let multiplied = |left: Left<'_>, right: Right<'_>| {
                let mut out = out.to_vec();
                std::panic::catch_unwind(move || multiply::<true>(&mut out, left, right, sizes)).is_err()
            };
            let lefts = [Left::rows(a, 3), Left::transpose(a, 7)];
            let rights = [Right::packed(b, 3), Right::rows(b, 2 * PANEL)];
            lefts.map(|left| rights.map(|right| multiplied(left, right)))
        };
        assert_eq!(is_refused(&a, &b, &out, sizes), [[false; 2]; 2]);
        assert_eq!(is_refused(&a[1..], &b, &out, sizes), [[true; 2]; 2]);
        assert_eq!(is_refused(&a, &b[1..], &out, sizes), [[true; 2]; 2]);
        assert_eq!(is_refused(&a, &b, &out[1..], sizes), [[true; 2]; 2]);
        assert_eq!(is_refused(&a, &b, &out, Sizes { columns: 2 * PANEL - 1, ..sizes }), [[true; 2]; 2]);
    }
}
