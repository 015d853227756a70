//! Networks in whole numbers, as evaluators run them: rows of integers that are added without rounding.
//!
//! Sums of integers do not depend on the order in which rows come and go, so a sum may follow a search from move to move.
//! With [`Bits::ThirtyTwo`] nothing that matters is lost; with fewer bits a row takes less memory and fewer instructions.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::aligned::Aligned;
use super::inference::{Readout, Scale};
use super::{Coding, FirstLayer, Net, Network};

#[cfg(test)]
pub(crate) use tests::nets;

/// The size of a first-layer weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bits {
    /// 8 bits; sums have 16.
    Eight,
    /// 16 bits; sums too.
    Sixteen,
    /// 32 bits; sums too. What evaluators make of a network in floating point.
    ThirtyTwo,
}

impl Bits {
    /// The largest absolute value of a weight.
    const fn largest_weight(self) -> i64 {
        (1 << (self.number() - 1)) - 1
    }

    /// The largest absolute value of a sum. With 32 bits a part is left unused, since single precision has no more digits.
    pub const fn largest_sum(self) -> i64 {
        match self {
            Self::Eight | Self::Sixteen => i16::MAX as i64,
            Self::ThirtyTwo => 1 << 30,
        }
    }

    /// The number of bits.
    pub const fn number(self) -> u32 {
        match self {
            Self::Eight => 8,
            Self::Sixteen => 16,
            Self::ThirtyTwo => 32,
        }
    }
}

/// Whole numbers, shape (n_rows, stride), row-major.
#[derive(Debug, Clone, PartialEq)]
pub enum Weights {
    /// Of 8 bits.
    Eight(Aligned<i8>),
    /// Of 16 bits.
    Sixteen(Aligned<i16>),
    /// Of 32 bits.
    ThirtyTwo(Aligned<i32>),
}

/// Rows are as long as a multiple of this, so that sums fill whole registers and 32-bit rows whole cache lines.
const ROW_UNIT: usize = 16;

/// What a value class adds to the sums: a row of weights, times a sign. No enum, since a search cannot foresee the cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignedRow {
    /// The first weight of the row.
    pub first: u32,
    /// 1, -1, or 0 where the class adds nothing.
    pub sign: i8,
}

impl SignedRow {
    /// Adds nothing.
    pub const NONE: Self = Self { first: 0, sign: 0 };
}

/// A first layer in whole numbers: one row for each value class, and what a unit of each column is worth.
///
/// An object's sum j is base_j + unit_j · Σ_t q(x_t, j). Rows are differences from the row of the attribute's value 0 where it
/// has one (an empty point), which the base holds instead, so that these classes need no row; otherwise from the middle of
/// the attribute's rows, column by column, so that the numbers are small. Classes with equal or opposite numbers (the same
/// piece of both sides) share a row, so that what a search reads stays in the processor's caches.
#[derive(Debug, Clone, PartialEq)]
pub struct IntegerRows {
    /// The value classes.
    pub(crate) coding: Coding,
    /// The number of sums.
    pub(super) width: usize,
    /// The length of a row, padded.
    pub(super) stride: usize,
    /// All rows.
    pub(super) weights: Weights,
    /// The first weight of a row of zeros.
    pub(super) zero_row: u32,
    /// Of length stride; what lies beyond `width` has no meaning.
    pub(super) scale: Scale,
    /// What each value class adds.
    rows: Vec<SignedRow>,
}

impl IntegerRows {
    /// The first layer of `net` in whole numbers of `bits`.
    ///
    /// The unit of each column is the smallest with which no weight and no sum over any object (one value class an
    /// attribute) is too large.
    pub fn of<N: Network>(net: &N, bits: Bits) -> Self {
        let layer = net.first_layer();
        let real = RealRows::of(layer, net.parameters());
        let units = real.units(layer.coding(), bits);
        let base: Vec<f32> = net.base().iter().zip(&real.shift).map(|(b, s)| (f64::from(*b) + s) as f32).collect();
        let weights = real.rounded(&units);
        let units: Vec<f32> = units.into_iter().map(|unit| unit as f32).collect();
        Self::assembled(layer.coding().clone(), bits, &weights, &units, &base)
    }

    /// Rows of given numbers, shape (n_classes, width) without padding; `None` if sizes differ or a sum might be too large.
    pub(crate) fn from_parts(coding: Coding, bits: Bits, weights: &[i64], units: &[f32], base: &[f32]) -> Option<Self> {
        let width = units.len();
        let fits = base.len() == width
            && weights.len() == coding.n_classes() * width
            && weights.iter().all(|weight| weight.abs() <= bits.largest_weight())
            && largest_sum(&coding, weights, width) <= bits.largest_sum();
        fits.then(|| Self::assembled(coding, bits, weights, units, base))
    }

    /// From one row of numbers a value class, without padding.
    fn assembled(coding: Coding, bits: Bits, numbers: &[i64], units: &[f32], base: &[f32]) -> Self {
        let (width, stride) = (units.len(), stride_of(units.len()));
        let mut distinct = DistinctRows::default();
        let class_row = |class: usize| &numbers[class * width..(class + 1) * width];
        let rows = (0..coding.n_classes()).map(|class| distinct.row(class_row(class), stride)).collect();
        let zero_row = distinct.append(&[], stride);
        let scale = Scale { units: Aligned::padded(units, stride), base: Aligned::padded(base, stride) };
        Self { coding, width, stride, weights: packed(bits, &distinct.weights), zero_row, scale, rows }
    }

    /// The size of a weight.
    pub fn bits(&self) -> Bits {
        match self.weights {
            Weights::Eight(_) => Bits::Eight,
            Weights::Sixteen(_) => Bits::Sixteen,
            Weights::ThirtyTwo(_) => Bits::ThirtyTwo,
        }
    }

    /// What `code` on `attribute` adds.
    #[inline]
    pub fn row(&self, attribute: usize, code: u8) -> SignedRow {
        self.rows[self.coding.class(attribute, code)]
    }

    /// The numbers of one value class, without padding.
    pub fn numbers(&self, class: usize) -> Vec<i64> {
        let SignedRow { first, sign } = self.rows[class];
        let (range, sign) = (first as usize..first as usize + self.width, i64::from(sign));
        match &self.weights {
            Weights::Eight(weights) => weights[range].iter().map(|&q| sign * i64::from(q)).collect(),
            Weights::Sixteen(weights) => weights[range].iter().map(|&q| sign * i64::from(q)).collect(),
            Weights::ThirtyTwo(weights) => weights[range].iter().map(|&q| sign * i64::from(q)).collect(),
        }
    }

    /// The largest absolute value that a sum over an object can take.
    pub fn largest_sum(&self) -> i64 {
        let numbers: Vec<i64> = (0..self.coding.n_classes()).flat_map(|class| self.numbers(class)).collect();
        largest_sum(&self.coding, &numbers, self.width)
    }

    /// The sums of the object with these codes, one row after the other: the reference for [`super::accumulator`].
    pub fn sums(&self, codes: &[u8]) -> Vec<f32> {
        let mut sums = vec![0; self.width];
        for (t, &code) in codes.iter().enumerate() {
            let row = self.numbers(self.coding.class(t, code));
            sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
        }
        (0..self.width).map(|j| self.scale.base[j] + self.scale.units[j] * sums[j] as f32).collect()
    }
}

/// `width` rounded up to whole registers.
fn stride_of(width: usize) -> usize {
    width.next_multiple_of(ROW_UNIT)
}

/// The largest |Σ_t q(x_t, j)| over all objects and columns: one value class an attribute, so the largest of each.
fn largest_sum(coding: &Coding, weights: &[i64], width: usize) -> i64 {
    let column = |j: usize| -> i64 {
        let largest = |t: usize| coding.classes_of(t).map(|class| weights[class * width + j].abs()).max().unwrap_or(0);
        (0..coding.n_attributes()).map(largest).sum()
    };
    (0..width).map(column).max().unwrap_or(0)
}

/// Rows that differ in more than the sign, padded with zeros.
#[derive(Default)]
struct DistinctRows {
    weights: Vec<i64>,
    known: FxHashMap<Vec<i64>, u32>,
}

impl DistinctRows {
    /// The row with these numbers, made if there is none.
    fn row(&mut self, numbers: &[i64], stride: usize) -> SignedRow {
        if numbers.iter().all(|&number| number == 0) {
            return SignedRow::NONE;
        }
        if let Some(&first) = self.known.get(numbers) {
            return SignedRow { first, sign: 1 };
        }
        let opposite: Vec<i64> = numbers.iter().map(|number| -number).collect();
        if let Some(&first) = self.known.get(&opposite) {
            return SignedRow { first, sign: -1 };
        }
        let first = self.append(numbers, stride);
        self.known.insert(numbers.to_vec(), first);
        SignedRow { first, sign: 1 }
    }

    /// Appends these numbers and zeros up to the stride, and gives the place of the first.
    fn append(&mut self, numbers: &[i64], stride: usize) -> u32 {
        let first = self.weights.len();
        self.weights.extend_from_slice(numbers);
        self.weights.resize(first + stride, 0);
        first as u32
    }
}

/// Numbers that are known to fit.
fn packed(bits: Bits, weights: &[i64]) -> Weights {
    match bits {
        Bits::Eight => Weights::Eight(weights.iter().map(|&q| q as i8).collect()),
        Bits::Sixteen => Weights::Sixteen(weights.iter().map(|&q| q as i16).collect()),
        Bits::ThirtyTwo => Weights::ThirtyTwo(weights.iter().map(|&q| q as i32).collect()),
    }
}

/// The rows of all value classes before rounding, shape (n_classes, width), and what was taken out of them.
struct RealRows {
    width: usize,
    rows: Vec<f64>,
    /// What the rows of every object together lack.
    shift: Vec<f64>,
}

impl RealRows {
    fn of(layer: &FirstLayer, parameters: &[f32]) -> Self {
        let (coding, width) = (layer.coding(), layer.width());
        let row = |class: usize| {
            let activation = layer.activation(class);
            let first = activation.row as usize * width;
            let weights = if activation.factor == 0.0 { &[] } else { &parameters[first..first + width] };
            let products = weights.iter().map(move |weight| f64::from(activation.factor * weight));
            products.chain(std::iter::repeat(0.0)).take(width)
        };
        let mut real = Self { width, rows: (0..coding.n_classes()).flat_map(row).collect(), shift: vec![0.0; width] };
        (0..coding.n_attributes()).for_each(|t| real.centre(coding, t));
        real
    }

    /// Takes the row of value 0, or else the middle of all rows, out of the rows of `attribute`.
    fn centre(&mut self, coding: &Coding, attribute: usize) {
        let classes = coding.classes_of(attribute);
        let nothing = classes.clone().find(|&class| coding.value(class) == 0.0);
        for j in 0..self.width {
            let at = |class: usize| self.rows[class * self.width + j];
            let centre = nothing.map_or_else(
                || {
                    let highest = classes.clone().map(at).fold(f64::NEG_INFINITY, f64::max);
                    let lowest = classes.clone().map(at).fold(f64::INFINITY, f64::min);
                    (highest + lowest) / 2.0
                },
                at,
            );
            classes.clone().for_each(|class| self.rows[class * self.width + j] -= centre);
            self.shift[j] += centre;
        }
    }

    /// The unit of each column.
    fn units(&self, coding: &Coding, bits: Bits) -> Vec<f64> {
        // Rounding may enlarge each term of a sum by a half.
        let room = (bits.largest_sum() - coding.n_attributes() as i64).max(1) as f64;
        let column = |j: usize| {
            let size = |class: usize| self.rows[class * self.width + j].abs();
            let largest = |t: usize| coding.classes_of(t).map(size).fold(0.0, f64::max);
            let sum: f64 = (0..coding.n_attributes()).map(largest).sum();
            let weight = (0..coding.n_attributes()).map(largest).fold(0.0, f64::max);
            let unit = (sum / room).max(weight / bits.largest_weight() as f64);
            // Stored in single precision; the numbers are rounded for the unit that is stored.
            if unit > 0.0 { f64::from((unit as f32).next_up()) } else { 1.0 }
        };
        (0..self.width).map(column).collect()
    }

    fn rounded(&self, units: &[f64]) -> Vec<i64> {
        let row = |row: &[f64]| row.iter().zip(units).map(|(w, unit)| (w / unit).round() as i64).collect::<Vec<_>>();
        self.rows.chunks_exact(self.width.max(1)).flat_map(row).collect()
    }
}

/// A network as an evaluator runs it: the first layer in whole numbers, the rest as it was trained. Clones share both.
#[derive(Debug, Clone, PartialEq)]
pub struct IntegerNet {
    rows: Arc<IntegerRows>,
    /// The network; the weights of its first layer are zeros.
    pub(crate) head: Arc<Net>,
    /// What makes the argument of the output out of the sums, if that is a weighted sum of a function of each; padded to the rows' stride.
    pub(crate) readout: Option<Arc<Readout>>,
}

impl IntegerNet {
    /// `net` with a first layer of `bits`.
    pub fn of(net: &Net, bits: Bits) -> Self {
        Self::from_parts(IntegerRows::of(net, bits), net.clone())
    }

    /// `rows` in place of the first layer of `head`.
    pub(crate) fn from_parts(rows: IntegerRows, mut head: Net) -> Self {
        let n_weights = head.first_layer().n_weights();
        head.parameters_mut()[..n_weights].fill(0.0);
        let readout = head.readout().map(|mut readout| {
            readout.weights = Aligned::padded(&readout.weights, rows.stride);
            Arc::new(readout)
        });
        Self { rows: Arc::new(rows), head: Arc::new(head), readout }
    }

    /// The first layer.
    pub fn rows(&self) -> &Arc<IntegerRows> {
        &self.rows
    }
}

/// What a network loses when it is put into whole numbers, added up over positions.
#[derive(Debug, Clone, Copy, Default, PartialEq, serde::Serialize)]
pub struct Loss {
    /// The number of positions.
    pub positions: u64,
    /// The largest |Δy|.
    pub largest: f64,
    sum: f64,
    squares_before: f64,
    squares_after: f64,
}

impl Loss {
    /// Adds a position with outputs `before` and `after` and the game's `result`, all in [-1, 1] for the same side.
    pub fn add(&mut self, before: f64, after: f64, result: f64) {
        self.positions += 1;
        self.largest = self.largest.max((after - before).abs());
        self.sum += (after - before).abs();
        self.squares_before += (before - result).powi(2);
        self.squares_after += (after - result).powi(2);
    }

    fn mean_of(&self, sum: f64) -> f64 {
        sum / self.positions.max(1) as f64
    }

    /// The mean |Δy|.
    pub fn mean(&self) -> f64 {
        self.mean_of(self.sum)
    }

    /// Mean squared errors against the results, before and after.
    pub fn errors(&self) -> [f64; 2] {
        [self.squares_before, self.squares_after].map(|sum| self.mean_of(sum))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::net::dense::{DenseShape, InputForm, small_coding};
    use crate::net::rough::RoughShape;
    use crate::net::{CodeRows, DenseNet, Pass, RoughNet};

    const ALL: [Bits; 3] = [Bits::Eight, Bits::Sixteen, Bits::ThirtyTwo];

    /// Plain networks without, with one and with two hidden layers, of both forms of input, and a rough one.
    pub(crate) fn nets(coding: &Coding, seed: u64) -> Vec<Net> {
        let mut nets = Vec::new();
        for hidden in [vec![], vec![5], vec![20, 3]] {
            for inputs in [InputForm::Numbers, InputForm::OneHot] {
                let shape = DenseShape { hidden: hidden.clone(), inputs, ..DenseShape::one_layer(1) };
                nets.push(Net::Dense(DenseNet::random(coding.clone(), shape, seed, "test")));
            }
        }
        let rules = 3;
        let n_weights = coding.n_classes() * rules + rules + 1;
        let weights = random_weights(n_weights, seed);
        let inputs = (0..coding.n_attributes()).collect();
        nets.extend(
            RoughNet::from_parameters(coding.clone(), inputs, RoughShape::default(), (rules, 0.3), weights)
                .map(Net::Rough),
        );
        nets
    }

    fn random_weights(n: usize, seed: u64) -> Vec<f32> {
        use rand::RngExt;
        let mut draw = crate::random::stream(seed, "test weights", 0);
        (0..n).map(|_| draw.random::<f32>() * 2.0 - 1.0).collect()
    }

    fn output(net: &IntegerNet, codes: &[u8]) -> f32 {
        let mut pass = Pass { sums: net.rows().sums(codes), ..Pass::default() };
        net.head.head(codes, 0.0, &mut pass);
        pass.y
    }

    #[test]
    fn thirty_two_bits_lose_nothing_that_matters() {
        for net in nets(&small_coding(), 4) {
            let exact = IntegerNet::of(&net, Bits::ThirtyTwo);
            for codes in [[0, 1, 2], [2, 0, 3], [1, 1, 0]] {
                let y = net.outputs(CodeRows::new(&codes, 3))[0];
                approx::assert_abs_diff_eq!(output(&exact, &codes), y, epsilon = 1e-6);
            }
        }
    }

    #[test]
    fn fewer_bits_lose_more() {
        for net in nets(&small_coding(), 4) {
            let loss = |bits: Bits| {
                let rounded = IntegerNet::of(&net, bits);
                let difference = |codes: &[u8; 3]| {
                    f64::from(output(&rounded, codes) - net.outputs(CodeRows::new(codes, 3))[0]).abs()
                };
                [[0, 1, 2], [2, 0, 3], [1, 1, 0], [2, 1, 1]].iter().map(difference).sum::<f64>()
            };
            let [eight, sixteen, all] = ALL.map(loss);
            assert!(eight > sixteen && sixteen >= all && eight < 0.2, "{eight} {sixteen} {all}");
        }
    }

    #[test]
    fn empty_points_have_no_rows() {
        let rows = IntegerRows::of(&nets(&small_coding(), 4)[1], Bits::Sixteen);
        // Attribute 0 has value 0 as code 1, attribute 2 as code 0; attribute 1 has none.
        assert_eq!((rows.row(0, 1), rows.row(2, 0)), (SignedRow::NONE, SignedRow::NONE));
        assert!([rows.row(0, 0), rows.row(1, 0), rows.row(1, 1)].iter().all(|&row| row != SignedRow::NONE));
    }

    #[test]
    fn opposite_values_share_a_row() {
        let rows = IntegerRows::of(&nets(&small_coding(), 4)[0], Bits::Sixteen);
        // The numbers of attribute 0 are -1, 0, 1.
        let SignedRow { first, sign } = rows.row(0, 0);
        assert_eq!((sign, rows.row(0, 2)), (1, SignedRow { first, sign: -1 }));
        assert_eq!(rows.numbers(0).iter().map(|q| -q).collect::<Vec<_>>(), rows.numbers(2));
    }

    #[test]
    fn of_two_values_that_are_not_zero_the_numbers_are_opposite() {
        for net in nets(&small_coding(), 4) {
            // Attribute 1 has the value classes 3 and 4.
            let rows = IntegerRows::of(&net, Bits::Sixteen);
            assert_eq!(rows.numbers(3).iter().map(|q| -q).collect::<Vec<_>>(), rows.numbers(4));
        }
    }

    #[test]
    fn a_column_of_zeros_has_the_unit_one() {
        let mut net = DenseNet::random(small_coding(), DenseShape::one_layer(2), 4, "test");
        net.parameters_mut().fill(0.0);
        let rows = IntegerRows::of(&net, Bits::Sixteen);
        assert_eq!(rows.scale.units[..2], [1.0; 2]);
    }

    #[test]
    fn a_loss_is_measured_position_by_position() {
        let mut loss = Loss::default();
        loss.add(0.5, 0.25, 1.0);
        loss.add(-1.0, -1.0, -1.0);
        assert_eq!((loss.positions, loss.largest, loss.mean()), (2, 0.25, 0.125));
        assert_eq!(loss.errors(), [0.125, 0.28125]);
        assert_eq!(Loss::default().errors(), [0.0, 0.0]);
    }

    #[test]
    fn numbers_whose_sums_might_not_fit_are_refused() {
        let coding = small_coding();
        let parts = |number: i64| {
            let weights = vec![number; coding.n_classes()];
            IntegerRows::from_parts(coding.clone(), Bits::Sixteen, &weights, &[1.0], &[0.0])
        };
        assert!(parts(32_767 / 3).is_some());
        assert!(parts(32_767 / 3 + 1).is_none());
        assert!(IntegerRows::from_parts(coding, Bits::Eight, &[1], &[1.0], &[0.0]).is_none());
    }

    proptest! {
        #[test]
        fn no_object_has_a_sum_beyond_the_bound(
            weights in proptest::collection::vec(-1e3f32..1e3, 9 * 2),
            scale in -20i32..20,
            codes in (0u8..3, 0u8..2, 0u8..4),
        ) {
            let weights: Vec<f32> = weights.iter().map(|w| w * 2f32.powi(scale)).chain([1.0, 1.0, 0.0]).collect();
            let net = RoughNet::from_parameters(small_coding(), vec![0, 1, 2], RoughShape::default(), (2, 0.5), weights).unwrap();
            for bits in ALL {
                let rows = IntegerRows::of(&net, bits);
                prop_assert!(rows.largest_sum() <= bits.largest_sum());
                for j in 0..2 {
                    let classes = [(0, codes.0), (1, codes.1), (2, codes.2)].map(|(t, code)| rows.coding.class(t, code));
                    let sum: i64 = classes.iter().map(|&class| rows.numbers(class)[j]).sum();
                    prop_assert!(sum.abs() <= rows.largest_sum());
                }
            }
        }
    }

    /// Attribute 0 has the value 0 as its second, attribute 2 as its first, attribute 1 not at all.
    #[test]
    fn what_all_objects_share_is_taken_out_of_the_rows() {
        let rows = vec![1.0, -2.0, 0.5, 3.0, -1.0, 4.0, 0.0, 1.0, 2.0];
        let mut real = RealRows { width: 1, rows, shift: vec![10.0] };
        (0..3).for_each(|t| real.centre(&small_coding(), t));
        assert_eq!(real.rows, [3.0, 0.0, 2.5, 2.0, -2.0, 0.0, -4.0, -3.0, -2.0]);
        // -2 of attribute 0, (3 - 1) / 2 of attribute 1, and 4.
        assert_eq!(real.shift, [10.0 - 2.0 + 1.0 + 4.0]);
    }

    #[test]
    fn a_unit_is_as_small_as_the_largest_weight_and_the_largest_sum_allow() {
        let rows = vec![1.0, -2.0, 0.5, 3.0, -3.0, 0.0, -4.0, 1.0, 2.0];
        let real = RealRows { width: 1, rows, shift: vec![0.0] };
        // Of 8 bits the weight -4 decides, beyond them the sum 2 + 3 + 4, with room for a rounding of each of three terms.
        let expected = [4.0 / 127.0, 9.0 / (32_767.0 - 3.0), 9.0 / (1_073_741_824.0 - 3.0)];
        for (bits, unit) in ALL.into_iter().zip(expected) {
            let units = real.units(&small_coding(), bits);
            assert_eq!(units, [f64::from((unit as f32).next_up())], "{bits:?}");
            let rounded = real.rounded(&units);
            assert_eq!(rounded[6], (-4.0 / units[0]).round() as i64, "{bits:?}");
            assert!(largest_sum(&small_coding(), &rounded, 1) <= bits.largest_sum());
        }
        assert_eq!(ALL.map(Bits::largest_weight), [127, 32_767, 2_147_483_647]);
        assert_eq!(ALL.map(Bits::largest_sum), [32_767, 32_767, 1_073_741_824]);
    }
}
