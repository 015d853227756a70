//! What the network says, by the definition: slow, and what everything fast is checked against.

use super::shape::Shape;
use super::weights::{Layout, Linear, Weights};

/// Logits and value of one row of planes, summed in double precision straight from the equations.
///
/// # Panics
/// When `row` has not [`Shape::row_len`] numbers.
pub fn reference_forward(weights: &Weights, row: &[f32]) -> (Vec<f32>, f32) {
    let (logits, value) = forward(weights, row);
    (logits.into_iter().map(|logit| logit as f32).collect(), value as f32)
}

/// As [`reference_forward`], unrounded.
pub(super) fn forward(weights: &Weights, row: &[f32]) -> (Vec<f64>, f64) {
    let (shape, layout) = (weights.shape(), Layout::new(weights.shape()));
    assert_eq!(row.len(), shape.row_len());
    let points = shape.points();
    let mut x: Vec<Vec<f64>> =
        (0..points).map(|point| (0..shape.planes).map(|plane| row[plane * points + point].into()).collect()).collect();
    for (layer, convolution) in layout.convolutions.iter().enumerate() {
        let sums = convolve(shape, convolution.of(weights.flat()), &x);
        x = if layer == 0 { sums } else { x.iter().zip(&sums).map(|(x, sum)| added(x, sum)).collect() };
        x.iter_mut().for_each(|channels| relu(channels));
    }
    let of = |linear: &Linear<_>| at_each_point(linear.of(weights.flat()), &x);
    let (from, to) = (of(&layout.from), of(&layout.to));
    let scale = (shape.policy_channels as f64).sqrt();
    let logits = from.iter().flat_map(|from| to.iter().map(move |to| dot(from, to) / scale)).collect();
    (logits, value(weights, &layout, of(&layout.value)))
}

/// The value from the channels of its convolution at each point.
fn value(weights: &Weights, layout: &Layout, channels: Vec<Vec<f64>>) -> f64 {
    let mut inputs = channels.concat();
    relu(&mut inputs);
    let mut hidden = linear(layout.hidden.of(weights.flat()), &inputs);
    relu(&mut hidden);
    linear(layout.output.of(weights.flat()), &hidden)[0].tanh()
}

/// The 3×3 convolution at each point, with zeros around the board.
fn convolve(shape: &Shape, map: Linear<&[f32]>, x: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let (inputs, outputs) = (x[0].len(), map.bias.len());
    let inside = |at: usize, step: usize, size: usize| (at + step).checked_sub(1).filter(|&place| place < size);
    let mut sums = Vec::new();
    for point in 0..shape.points() {
        let mut sum: Vec<f64> = map.bias.iter().map(|&bias| bias.into()).collect();
        for tap in 0..9 {
            let row = inside(point / shape.columns, tap / 3, shape.rows);
            let column = inside(point % shape.columns, tap % 3, shape.columns);
            let (Some(row), Some(column)) = (row, column) else { continue };
            let weights = &map.weights[tap * inputs * outputs..][..inputs * outputs];
            for (x, weights) in x[row * shape.columns + column].iter().zip(weights.chunks_exact(outputs)) {
                sum.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum += x * f64::from(weight));
            }
        }
        sums.push(sum);
    }
    sums
}

fn at_each_point(map: Linear<&[f32]>, x: &[Vec<f64>]) -> Vec<Vec<f64>> {
    x.iter().map(|channels| linear(map, channels)).collect()
}

fn linear(map: Linear<&[f32]>, inputs: &[f64]) -> Vec<f64> {
    let outputs = map.bias.len();
    let output = |o: usize| {
        let products = inputs.iter().enumerate().map(|(i, x)| x * f64::from(map.weights[i * outputs + o]));
        f64::from(map.bias[o]) + products.sum::<f64>()
    };
    (0..outputs).map(output).collect()
}

fn added(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn relu(values: &mut [f64]) {
    values.iter_mut().for_each(|value| *value = value.max(0.0));
}
