//! What a residual network says, by the definition: slow, and what everything fast is checked against.

use roughboard::net::residual::{Shape, Weights};

/// A linear map: weights (inputs, outputs) or (3, 3, inputs, outputs), and a bias.
#[derive(Clone, Copy)]
struct Linear<'a> {
    weights: &'a [f32],
    bias: &'a [f32],
}

/// Logits and value of one row of planes, summed in double precision straight from the equations.
pub fn forward(net: &Weights, row: &[f32]) -> (Vec<f64>, f64) {
    let shape = net.shape();
    assert_eq!(row.len(), shape.row_len());
    let mut rest = net.flat();
    let mut take = |n: usize| {
        let (taken, others) = rest.split_at(n);
        rest = others;
        taken
    };
    let mut next = |inputs: usize, outputs: usize| Linear { weights: take(inputs * outputs), bias: take(outputs) };
    let points = shape.points();
    let mut x: Vec<Vec<f64>> =
        (0..points).map(|point| (0..shape.planes).map(|plane| row[plane * points + point].into()).collect()).collect();
    for layer in 0..shape.layers {
        let sums = convolve(shape, next(9 * x[0].len(), shape.channels), &x);
        x = if layer == 0 { sums } else { x.iter().zip(&sums).map(|(x, sum)| added(x, sum)).collect() };
        x.iter_mut().for_each(|channels| relu(channels));
    }
    let channels = shape.channels;
    let [from, to] = [(); 2].map(|()| at_each_point(next(channels, shape.policy_channels), &x));
    let mut inputs = at_each_point(next(channels, shape.value_channels), &x).concat();
    let (hidden, output) = (next(inputs.len(), shape.value_hidden), next(shape.value_hidden, 1));
    assert!(rest.is_empty());
    relu(&mut inputs);
    let mut numbers = linear(hidden, &inputs);
    relu(&mut numbers);
    let scale = (shape.policy_channels as f64).sqrt();
    let logits = from.iter().flat_map(|from| to.iter().map(move |to| dot(from, to) / scale)).collect();
    (logits, linear(output, &numbers)[0].tanh())
}

/// The 3×3 convolution at each point, with zeros around the board.
fn convolve(shape: &Shape, map: Linear<'_>, x: &[Vec<f64>]) -> Vec<Vec<f64>> {
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

fn at_each_point(map: Linear<'_>, x: &[Vec<f64>]) -> Vec<Vec<f64>> {
    x.iter().map(|channels| linear(map, channels)).collect()
}

fn linear(map: Linear<'_>, inputs: &[f64]) -> Vec<f64> {
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
