//! 3×3 convolutions by the method of Winograd, F(3×3, 3×3): nine results from a patch of 25 numbers by 25 products instead of 81.
//!
//! With Y a tile of 3×3 results, d the patch of 5×5 numbers around it and g the kernel (Lavin and Gray, *Fast algorithms for
//! convolutional neural networks*, 2016, eq. (6)–(8), with the points 0, 1, -1, 2, ∞)
//!
//! ```text
//! Y = Aᵀ [ (G g Gᵀ) ⊙ (Bᵀ d B) ] A
//! ```
//!
//! Over all channels and tiles the product ⊙ is 25 products of matrices, tiles × channels in and channels in × channels out. The
//! gradient goes through the same maps backwards. Sums of nine products are thus never formed, so results differ from those of the
//! definition by rounding; they are the same on every processor.

mod maps;

use multiversion::multiversion;

use self::maps::{A, ATransposed, B, BTransposed, G, GTransposed, LANES, Lanes, Map, PATCH, TILE, on_both};
use super::product::{PANEL, whole_panels};
use super::shape::Shape;
use crate::pages::with_large_room;

/// Numbers of a transformed tile.
pub(crate) const PRODUCTS: usize = 25;
/// How tiles cover a board.
#[derive(Debug, Clone)]
pub(crate) struct Tiling {
    /// The patch of each tile.
    patches: Vec<Patch>,
    /// Points of a board; the patches have no others.
    points: usize,
}

/// Which points of the board a patch has, row by row; [`OUTSIDE`] where there is none.
type Patch = [[u16; PATCH]; PATCH];

/// What stands for a point outside the board.
const OUTSIDE: u16 = u16::MAX;

impl Tiling {
    /// The tiles of a board of this shape; those at its end may reach beyond it.
    pub fn new(shape: &Shape) -> Self {
        let point = |row: usize, column: usize| {
            // The patch of a tile begins one row and one column before it.
            let inside = (1..=shape.rows).contains(&row) && (1..=shape.columns).contains(&column);
            if inside { ((row - 1) * shape.columns + column - 1) as u16 } else { OUTSIDE }
        };
        let patch = |row: usize, column: usize| {
            std::array::from_fn(|r| std::array::from_fn(|c| point(row * TILE + r, column * TILE + c)))
        };
        let columns = shape.columns.div_ceil(TILE);
        let tiles = 0..shape.rows.div_ceil(TILE) * columns;
        Self { patches: tiles.map(|tile| patch(tile / columns, tile % columns)).collect(), points: shape.points() }
    }

    /// Points of a board.
    pub(crate) const fn points(&self) -> usize {
        self.points
    }

    /// Tiles of a board.
    pub(crate) fn n_tiles(&self) -> usize {
        self.patches.len()
    }
}

/// Numbers from one of 25 matrices of `rows` × `columns` to the next: a cache line more than they have, since places at the same
/// distance of a power of two would share few lines of the cache.
pub(crate) const fn matrix_len(rows: usize, columns: usize) -> usize {
    rows * columns + PANEL
}

/// Zeros of as many channels as a point may have: what patches read outside the board.
static NOTHING: [f32; whole_panels(Shape::MAX_CHANNELS)] = [0.0; whole_panels(Shape::MAX_CHANNELS)];

/// Boards of channels beside the 25 matrices of their tiles.
struct Boards<'t> {
    tiling: &'t Tiling,
    /// Channels of a point.
    width: usize,
    /// How many there are.
    n: usize,
    /// Numbers from one matrix to the next.
    matrix: usize,
}

impl<'t> Boards<'t> {
    /// The boards of `numbers` numbers, beside matrices of `products` numbers in all.
    ///
    /// # Panics
    /// When the matrices are too small, or `width` is not one of whole panels.
    fn new(tiling: &'t Tiling, width: usize, numbers: usize, products: usize) -> Self {
        assert!(width > 0 && width.is_multiple_of(LANES) && width <= NOTHING.len(), "{width} channels");
        let n = numbers / (tiling.points * width);
        let matrix = matrix_len(n * tiling.n_tiles(), width);
        assert!(products >= PRODUCTS * matrix, "{products} products for {n} boards");
        Self { tiling, width, n, matrix }
    }

    /// Calls `each` for each tile with its patch, with where its board begins, and where its channels stand in a matrix.
    #[inline(always)]
    fn for_tiles(&self, mut each: impl FnMut(&Patch, usize, usize)) {
        for board in 0..self.n {
            for (tile, patch) in self.tiling.patches.iter().enumerate() {
                let tile = board * self.tiling.n_tiles() + tile;
                each(patch, board * self.tiling.points * self.width, tile * self.width);
            }
        }
    }

    /// Calls `each` with the first of the neighbouring channels that are transformed together.
    #[inline(always)]
    fn for_channels(&self, each: impl FnMut(usize)) {
        (0..self.width).step_by(LANES).for_each(each);
    }

    /// Where the number of this row and column of a transformed tile stands whose channel is at `place` of each matrix.
    #[inline(always)]
    const fn product(&self, row: usize, column: usize, place: usize) -> usize {
        product(row, column, self.matrix, place)
    }
}

/// Where the number of this row and column of a transformed tile stands: at `place` of one of the 25 matrices, which are `matrix`
/// numbers each.
#[inline(always)]
const fn product(row: usize, column: usize, matrix: usize, place: usize) -> usize {
    (row * PATCH + column) * matrix + place
}

/// `inside` of each point of a patch, `outside` where it has none: looked up once for all channels, so that the loop over these has
/// no branches.
#[inline(always)]
fn places<T: Copy>(patch: &Patch, outside: T, inside: impl Fn(usize) -> T) -> [[T; PATCH]; PATCH] {
    let mut places = [[outside; PATCH]; PATCH];
    for (places, points) in places.iter_mut().zip(patch) {
        for (place, &point) in places.iter_mut().zip(points) {
            if point != OUTSIDE {
                *place = inside(usize::from(point));
            }
        }
    }
    places
}

/// Bᵀ d B of all tiles of the boards in `x` (board by board, point by point, `width` channels), into `v`: 25 matrices of tiles × `width`.
pub(crate) fn transform_input(tiling: &Tiling, x: &[f32], width: usize, v: &mut [f32]) {
    transform_points::<_, BTransposed>(tiling, x, width, v);
}

/// What `T` makes of the N × N points in the middle of each patch, into 25 matrices of tiles × `width`.
/// A patch fits into the 32 registers that AVX-512 has, also for eight channels at a time.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn transform_points<const N: usize, T: Map<N, PATCH>>(tiling: &Tiling, x: &[f32], width: usize, products: &mut [f32]) {
    let boards = Boards::new(tiling, width, x.len(), products.len());
    let products = products.as_mut_ptr();
    let margin = const { (PATCH - N) / 2 };
    boards.for_tiles(|patch, board, tile| {
        let points = places(patch, NOTHING.as_ptr(), |point| x[board + point * width..][..width].as_ptr());
        boards.for_channels(|channel| {
            // SAFETY: each pointer has `width` channels behind it, and `Boards` has checked that all products have room.
            let read =
                |row: usize, column: usize| unsafe { Lanes::load(points[row + margin][column + margin].add(channel)) };
            let write = |row, column, number: Lanes| unsafe {
                number.store(products.add(boards.product(row, column, tile + channel)));
            };
            on_both::<_, _, T>(read, write);
        });
    });
}

/// `x` ← relu(Aᵀ m A + `bias` and, with `RESIDUAL`, + `x`), for all boards of `x`; `m` holds 25 matrices of tiles × `width`.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
pub(crate) fn transform_output<const RESIDUAL: bool>(
    tiling: &Tiling,
    m: &[f32],
    bias: &[f32],
    width: usize,
    x: &mut [f32],
) {
    let boards = Boards::new(tiling, width, x.len(), m.len());
    assert!(bias.len() >= width, "{} numbers of bias for {width} channels", bias.len());
    let (x, m, bias) = (x.as_mut_ptr(), m.as_ptr(), bias.as_ptr());
    boards.for_tiles(|patch, board, tile| {
        boards.for_channels(|channel| {
            // SAFETY: `Boards` has checked that there are so many products, and points of a patch lie on the board.
            let (read, bias) = unsafe {
                let read = |row, column| Lanes::load(m.add(boards.product(row, column, tile + channel)));
                (read, Lanes::load(bias.add(channel)))
            };
            on_both::<_, _, ATransposed>(read, |row, column, number| {
                let point = patch[row + 1][column + 1];
                if point != OUTSIDE {
                    // SAFETY: as above.
                    unsafe {
                        let x = x.add(board + usize::from(point) * width + channel);
                        let sum = number + bias;
                        let sum = if RESIDUAL { sum + Lanes::load(x) } else { sum };
                        sum.relu().store(x);
                    }
                }
            });
        });
    });
}

/// A kernel G g Gᵀ for all pairs of channels, as 25 matrices for [`super::product::Right::packed`].
#[derive(Debug, Clone)]
pub(crate) struct Kernel {
    /// Channels that it reads, whole panels.
    pub inputs: usize,
    /// Channels that it writes, whole panels.
    pub outputs: usize,
    /// The matrices, inputs × outputs.
    forward: Vec<f32>,
    /// Their transposes, outputs × inputs; empty where gradients are not needed.
    backward: Vec<f32>,
}

impl Kernel {
    /// Room for a convolution from `inputs` to `outputs` channels.
    pub fn new(inputs: usize, outputs: usize, gradients: bool) -> Self {
        let (inputs, outputs) = (whole_panels(inputs), whole_panels(outputs));
        let matrices = |n: usize| {
            let n = n * matrix_len(inputs, outputs);
            let mut numbers = with_large_room(n);
            numbers.resize(n, 0.0);
            numbers
        };
        Self { inputs, outputs, forward: matrices(PRODUCTS), backward: matrices(if gradients { PRODUCTS } else { 0 }) }
    }

    /// Takes over the weights of a convolution, (3, 3, channels in, `n_outputs`).
    pub fn set(&mut self, weights: &[f32], n_outputs: usize) {
        set_kernel(self, weights, n_outputs);
    }

    /// Numbers from one of its matrices to the next.
    pub const fn matrix(&self) -> usize {
        matrix_len(self.inputs, self.outputs)
    }

    /// Its matrices, one after another.
    pub fn forward(&self) -> impl Iterator<Item = &[f32]> {
        self.forward.chunks_exact(self.matrix())
    }

    /// Their transposes, none where gradients are not needed.
    pub fn backward(&self) -> impl Iterator<Item = &[f32]> {
        self.backward.chunks_exact(self.matrix())
    }
}

/// Where the number of a row and a column stands in a packed matrix of `depth` rows.
#[inline(always)]
const fn packed_index(row: usize, column: usize, depth: usize) -> usize {
    column / PANEL * depth * PANEL + row * PANEL + column % PANEL
}

#[multiversion(targets("x86_64+avx2"))]
fn set_kernel(kernel: &mut Kernel, weights: &[f32], n_outputs: usize) {
    let n_inputs = weights.len() / (TILE * TILE * n_outputs);
    let matrix = kernel.matrix();
    let Kernel { inputs, outputs, forward, backward } = kernel;
    for input in 0..n_inputs {
        for output in (0..n_outputs).step_by(LANES) {
            let kernel = read_kernel(weights, n_inputs, n_outputs, input, output);
            on_both::<_, _, G>(
                |row, column| kernel[row][column],
                |row, column, number| {
                    let place = packed_index(input, output, *inputs);
                    forward[product(row, column, matrix, place)..][..LANES].copy_from_slice(&number.0);
                    if !backward.is_empty() {
                        let first = product(row, column, matrix, packed_index(output, input, *outputs));
                        number.0.iter().enumerate().for_each(|(lane, &number)| backward[first + lane * PANEL] = number);
                    }
                },
            );
        }
    }
}

#[inline(always)]
fn read_kernel(
    weights: &[f32],
    n_inputs: usize,
    n_outputs: usize,
    input: usize,
    output: usize,
) -> [[Lanes; TILE]; TILE] {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let first = ((row * TILE + column) * n_inputs + input) * n_outputs;
            Lanes::read(&weights[first + output..first + n_outputs])
        })
    })
}

/// A y Aᵀ of all tiles of the boards in `y` (gradients of sums, laid as in [`transform_input`]), into 25 matrices of tiles × `width`:
/// the way back of [`transform_output`].
pub(crate) fn gradient_of_products(tiling: &Tiling, y: &[f32], width: usize, m: &mut [f32]) {
    transform_points::<_, A>(tiling, y, width, m);
}

/// Adds B v Bᵀ of all tiles to the points of their patches: the way back of [`transform_input`]. `x` has `width` numbers more than
/// its boards, which take what falls outside them.
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn add_gradient_of_input(tiling: &Tiling, v: &[f32], width: usize, x: &mut [f32]) {
    let outside = x.len() - width;
    let boards = Boards::new(tiling, width, outside, v.len());
    let (x, v) = (x.as_mut_ptr(), v.as_ptr());
    boards.for_tiles(|patch, board, tile| {
        let points = places(patch, outside, |point| board + point * width);
        boards.for_channels(|channel| {
            // SAFETY: `Boards` has checked that there are so many products; points lie on the board, or are those behind all boards.
            let read = |row, column| unsafe { Lanes::load(v.add(boards.product(row, column, tile + channel))) };
            on_both::<_, _, B>(read, |row, column, number| unsafe {
                let x = x.add(points[row][column] + channel);
                (Lanes::load(x) + number).store(x);
            });
        });
    });
}

/// Adds Gᵀ u G for all pairs of channels, from 25 matrices of `inputs` × `outputs` (whole panels) to the gradient of the weights of a
/// convolution, (3, 3, channels in, `n_outputs`): the way back of [`Kernel::set`].
#[multiversion(targets("x86_64+avx2"))]
pub(crate) fn add_gradient_of_kernel(u: &[f32], [inputs, outputs]: [usize; 2], gradient: &mut [f32], n_outputs: usize) {
    let (n_inputs, matrix) = (gradient.len() / (TILE * TILE * n_outputs), matrix_len(inputs, outputs));
    assert!(
        n_inputs <= inputs && n_outputs <= outputs && outputs.is_multiple_of(LANES),
        "{n_inputs} × {n_outputs} pairs"
    );
    assert!(u.len() >= PRODUCTS * matrix, "{} numbers of 25 matrices of {inputs} × {outputs}", u.len());
    let u = u.as_ptr();
    for input in 0..n_inputs {
        for output in (0..n_outputs).step_by(LANES) {
            let place = input * outputs + output;
            // SAFETY: the pair of channels lies inside each matrix, as checked above.
            let read = |row, column| unsafe { Lanes::load(u.add(product(row, column, matrix, place))) };
            on_both::<_, _, GTransposed>(read, |row, column, number| {
                let first = ((row * TILE + column) * n_inputs + input) * n_outputs;
                let gradient = &mut gradient[first + output..first + n_outputs];
                gradient.iter_mut().zip(number.0).for_each(|(gradient, number)| *gradient += number);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Tiles reach beyond the board at two of its sides.
    const ROWS: usize = 4;
    const COLUMNS: usize = 5;
    const POINTS: usize = ROWS * COLUMNS;
    const BOARDS: usize = 2;
    const INPUTS: usize = 3;
    const OUTPUTS: usize = 5;

    fn numbers(n: usize, seed: usize) -> Vec<f32> {
        (0..n).map(|at| ((at * 37 + seed) % 17) as f32 / 8.0 - 1.0).collect()
    }

    /// Boards of a panel of channels, of which those from `n` on are 0.
    fn boards(n: usize, seed: usize) -> Vec<f32> {
        let mut all = numbers(BOARDS * POINTS * PANEL, seed);
        all.iter_mut().enumerate().filter(|(at, _)| at % PANEL >= n).for_each(|(_, number)| *number = 0.0);
        all
    }

    /// All that a convolution adds up: the point that is written, the tap, and the point that is read.
    fn terms() -> Vec<(usize, usize, usize)> {
        let mut all = Vec::new();
        for (point, tap) in (0..BOARDS * POINTS).flat_map(|point| (0..9).map(move |tap| (point, tap))) {
            let (board, place) = (point / POINTS * POINTS, point % POINTS);
            let (row, column) = (place / COLUMNS + tap / 3, place % COLUMNS + tap % 3);
            if (1..=ROWS).contains(&row) && (1..=COLUMNS).contains(&column) {
                all.push((point, tap, board + (row - 1) * COLUMNS + column - 1));
            }
        }
        all
    }

    /// All places of a channel in, a channel out, and that of their weight at `tap`.
    fn pairs(tap: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        let pair = move |at| (at / OUTPUTS, at % OUTPUTS, tap * INPUTS * OUTPUTS + at);
        (0..INPUTS * OUTPUTS).map(pair)
    }

    fn assert_near(found: &[f32], expected: &[f32]) {
        assert_eq!(found.len(), expected.len());
        for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert!((found - expected).abs() < 5e-3, "{at}: {found} for {expected}");
        }
    }

    /// The number of tiles, the length of a matrix, and for each of the 25 products each tile's place.
    fn places(tiling: &Tiling) -> (usize, Vec<(usize, usize)>) {
        let tiles = BOARDS * tiling.n_tiles();
        let length = matrix_len(tiles, PANEL);
        let place = move |product| (0..tiles).map(move |tile| (product, product * length + tile * PANEL));
        (length, (0..PRODUCTS).flat_map(place).collect())
    }

    #[test]
    fn results_and_gradients_are_those_of_the_definition() {
        let tiling = Tiling::new(&Shape::new(ROWS, COLUMNS, INPUTS));
        assert_eq!((tiling.n_tiles(), tiling.points), (4, POINTS));
        let (weights, x, y) = (numbers(9 * INPUTS * OUTPUTS, 5), boards(INPUTS, 1), boards(OUTPUTS, 9));
        let mut kernel = Kernel::new(INPUTS, OUTPUTS, true);
        kernel.set(&weights, OUTPUTS);
        assert_eq!((kernel.inputs, kernel.outputs), (PANEL, PANEL));
        let (mut sums, mut slopes, mut of_kernel) = (vec![0.0; x.len()], vec![0.0; x.len()], vec![1.0; weights.len()]);
        for (point, tap, read) in terms() {
            for (input, output, weight) in pairs(tap) {
                let (from, to) = (read * PANEL + input, point * PANEL + output);
                sums[to] += x[from] * weights[weight];
                slopes[from] += y[to] * weights[weight];
                of_kernel[weight] += x[from] * y[to];
            }
        }

        let (length, places) = places(&tiling);
        let list = || vec![0.0_f32; PRODUCTS * length];
        let (mut v, mut m, mut m_back, mut v_back) = (list(), list(), list(), list());
        transform_input(&tiling, &x, PANEL, &mut v);
        gradient_of_products(&tiling, &y, PANEL, &mut m_back);
        let matrix = kernel.matrix();
        let mut u = vec![0.0; PRODUCTS * matrix];
        for (product, first) in places {
            let matrix = product * matrix;
            for (input, output) in (0..PANEL * PANEL).map(|at| (at / PANEL, at % PANEL)) {
                m[first + output] += v[first + input] * kernel.forward[matrix + packed_index(input, output, PANEL)];
                v_back[first + input] +=
                    m_back[first + output] * kernel.backward[matrix + packed_index(output, input, PANEL)];
                u[matrix + input * PANEL + output] += v[first + input] * m_back[first + output];
            }
        }

        let (bias, before) = (numbers(PANEL, 3), boards(PANEL, 8));
        for residual in [false, true] {
            let mut found = before.clone();
            if residual {
                transform_output::<true>(&tiling, &m, &bias, PANEL, &mut found);
            } else {
                transform_output::<false>(&tiling, &m, &bias, PANEL, &mut found);
            }
            let expected = |(at, sum): (usize, &f32)| {
                let kept = if residual { before[at] } else { 0.0 };
                (sum + bias[at % PANEL] + kept).max(0.0)
            };
            assert_near(&found, &sums.iter().enumerate().map(expected).collect::<Vec<_>>());
        }
        let mut found = vec![0.0; (BOARDS * POINTS + 1) * PANEL];
        add_gradient_of_input(&tiling, &v_back, PANEL, &mut found);
        assert_near(&found[..slopes.len()], &slopes);
        let mut found = vec![1.0; weights.len()];
        add_gradient_of_kernel(&u, [PANEL, PANEL], &mut found, OUTPUTS);
        assert_near(&found, &of_kernel);
    }

    /// Every check before the parts without checks, by a list that is too short or channels that are no whole lanes.
    #[test]
    fn lists_that_are_too_short_are_refused() {
        let tiling = Tiling::new(&Shape::new(ROWS, COLUMNS, INPUTS));
        let products = PRODUCTS * places(&tiling).0;
        let (x, m, bias) = (boards(INPUTS, 1), vec![0.0; products], numbers(PANEL, 3));
        let is_refused = |products: usize, bias: &[f32], width: usize| {
            let (boards, m) = (&x[..BOARDS * POINTS * width], &m[..products]);
            let panics = |of: &dyn Fn(&mut [f32], &mut [f32])| {
                let (mut boards, mut m) = (boards.to_vec(), m.to_vec());
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| of(&mut boards, &mut m))).is_err()
            };
            [
                panics(&|x, v| transform_input(&tiling, x, width, v)),
                panics(&|x, m| transform_output::<true>(&tiling, m, bias, width, x)),
                panics(&|x, m| gradient_of_products(&tiling, x, width, m)),
                panics(&|x, v| add_gradient_of_input(&tiling, v, width, &mut [&*x, &vec![0.0; width]].concat())),
            ]
        };
        assert_eq!(is_refused(products, &bias, PANEL), [false; 4]);
        assert_eq!(is_refused(products - 1, &bias, PANEL), [true; 4]);
        assert_eq!(is_refused(products, &bias[1..], PANEL), [false, true, false, false]);
        assert_eq!(is_refused(products, &bias, LANES - 1), [true; 4]);

        let u = vec![0.0; PRODUCTS * matrix_len(PANEL, PANEL)];
        let is_refused = |u: &[f32], inputs: usize, outputs: usize| {
            let mut gradient = vec![0.0; 9 * INPUTS * OUTPUTS];
            let add = || add_gradient_of_kernel(u, [inputs, outputs], &mut gradient, OUTPUTS);
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(add)).is_err()
        };
        assert!(!is_refused(&u, PANEL, PANEL) && is_refused(&u[1..], PANEL, PANEL));
        assert!(is_refused(&u, INPUTS - 1, PANEL) && is_refused(&u, PANEL, LANES + 1));
    }
}
