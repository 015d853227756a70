//! The n-N-1 network of S1 (plain BP) and S5: one hidden layer, hyperbolic tangents on both layers.
//!
//! h = tanh(W₁ᵀx + b₁), y = tanh(w₂·h + b₂); x holds the number of each attribute's value.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis, s};
use rand::RngExt;

use super::math::tanh;
use super::{CodeRows, Coding, Network};
use crate::random;

/// An n-N-1 network. Weights: W₁ (n, N) by rows, b₁ (N), w₂ (N), b₂ (1).
#[derive(Debug, Clone, PartialEq)]
pub struct DenseNet {
    coding: Coding,
    n_hidden: usize,
    parameters: Vec<f32>,
}

/// The activations of one forward pass over a batch.
struct Forward {
    /// Inputs, shape (batch, n).
    x: Array2<f32>,
    /// Hidden activations, shape (batch, N).
    hidden: Array2<f32>,
    /// Outputs, shape (batch).
    y: Array1<f32>,
}

impl DenseNet {
    /// A network with random weights, uniform in ±1/√(fan-in), drawn from the stream `name` of `seed`.
    #[must_use]
    pub fn random(coding: Coding, n_hidden: usize, seed: u64, name: &str) -> Self {
        let n = coding.n_attributes();
        let mut stream = random::stream(seed, name, 0);
        let mut draw = |fan_in: usize| (stream.random::<f32>() * 2.0 - 1.0) / (fan_in as f32).sqrt();
        let first: Vec<f32> = (0..(n + 1) * n_hidden).map(|_| draw(n)).collect();
        let second: Vec<f32> = (0..n_hidden + 1).map(|_| draw(n_hidden)).collect();
        Self { coding, n_hidden, parameters: [first, second].concat() }
    }

    /// A network with given weights; `None` if it has no hidden neuron or their number does not fit the shape.
    #[must_use]
    pub fn from_parameters(coding: Coding, n_hidden: usize, parameters: Vec<f32>) -> Option<Self> {
        let net = Self { coding, n_hidden, parameters };
        (n_hidden > 0 && net.parameters.len() == net.offsets()[3] + 1).then_some(net)
    }

    /// The value classes of the inputs.
    #[must_use]
    pub fn coding(&self) -> &Coding {
        &self.coding
    }

    /// N, the number of hidden neurons.
    #[must_use]
    pub fn n_hidden(&self) -> usize {
        self.n_hidden
    }

    /// Where b₁, w₂ and b₂ begin (W₁ begins at 0): `[0, b₁, w₂, b₂]`.
    fn offsets(&self) -> [usize; 4] {
        let bias = self.coding.n_attributes() * self.n_hidden;
        [0, bias, bias + self.n_hidden, bias + 2 * self.n_hidden]
    }

    /// W₁: row t holds the weights from input t to the N hidden neurons.
    #[must_use]
    pub fn input_weights(&self) -> ArrayView2<'_, f32> {
        view_rows(&self.parameters[..self.offsets()[1]], self.n_hidden)
    }

    /// b₁, length N.
    #[must_use]
    pub fn hidden_bias(&self) -> &[f32] {
        let [_, bias, output, _] = self.offsets();
        &self.parameters[bias..output]
    }

    /// w₂, length N.
    #[must_use]
    pub fn output_weights(&self) -> &[f32] {
        let [_, _, output, last] = self.offsets();
        &self.parameters[output..last]
    }

    /// b₂.
    #[must_use]
    pub fn output_bias(&self) -> f32 {
        self.parameters[self.offsets()[3]]
    }

    fn forward(&self, rows: CodeRows<'_>) -> Forward {
        let mut x = Array2::zeros((rows.len(), self.coding.n_attributes()));
        for (mut x, codes) in x.rows_mut().into_iter().zip(rows.iter()) {
            if let Some(x) = x.as_slice_mut() {
                self.coding.numbers(codes, x);
            }
        }
        let mut hidden = x.dot(&self.input_weights());
        hidden += &ArrayView1::from(self.hidden_bias());
        hidden.mapv_inplace(tanh);
        let y = (hidden.dot(&ArrayView1::from(self.output_weights())) + self.output_bias()).mapv(tanh);
        Forward { x, hidden, y }
    }

    /// Adds Σ_b `errors[b]` · ∇a_b to `gradient`, where a is the argument of the output's tanh.
    fn add_backward(&self, forward: &Forward, errors: ArrayView1<'_, f32>, gradient: &mut [f32]) {
        let [_, bias, output, last] = self.offsets();
        gradient[last] += errors.sum();
        add(&mut gradient[output..last], &forward.hidden.t().dot(&errors));
        let mut deltas = forward.hidden.mapv(|h| 1.0 - h * h);
        deltas *= &ArrayView1::from(self.output_weights());
        deltas *= &errors.insert_axis(Axis(1));
        add(&mut gradient[bias..output], &deltas.sum_axis(Axis(0)));
        let inputs = forward.x.t().dot(&deltas);
        for (sum, row) in gradient[..bias].chunks_exact_mut(self.n_hidden).zip(inputs.rows()) {
            add(sum, row);
        }
    }

    /// Outputs y and, for each row, its gradient ∇_w y, shape (rows, weights): what TD(λ) makes its traces of.
    #[must_use]
    pub fn output_gradients(&self, rows: CodeRows<'_>) -> (Vec<f32>, Array2<f32>) {
        let forward = self.forward(rows);
        let mut gradients = Array2::zeros((rows.len(), self.parameters.len()));
        for (row, mut gradient) in gradients.rows_mut().into_iter().enumerate() {
            if let Some(gradient) = gradient.as_slice_mut() {
                self.write_output_gradient(&forward, row, gradient);
            }
        }
        (forward.y.to_vec(), gradients)
    }

    fn write_output_gradient(&self, forward: &Forward, row: usize, gradient: &mut [f32]) {
        let [_, bias, output, last] = self.offsets();
        let (x, hidden, y) = (forward.x.row(row), forward.hidden.row(row), forward.y[row]);
        let slope = 1.0 - y * y;
        gradient[last] = slope;
        for (j, &h) in hidden.iter().enumerate() {
            gradient[output + j] = slope * h;
            gradient[bias + j] = slope * self.parameters[output + j] * (1.0 - h * h);
        }
        let (inputs, rest) = gradient.split_at_mut(bias);
        for (sum, &x) in inputs.chunks_exact_mut(self.n_hidden).zip(x) {
            if x != 0.0 {
                sum.iter_mut().zip(&*rest).for_each(|(g, &delta)| *g = x * delta);
            }
        }
    }

    /// Outputs y, and Σ_b `errors_of(y)[b]` · ∇y_b added to `gradient`.
    ///
    /// `errors_of` receives the outputs of all rows and returns one factor a row.
    pub fn add_weighted_gradient(
        &self,
        rows: CodeRows<'_>,
        errors_of: impl FnOnce(&[f32]) -> Vec<f32>,
        gradient: &mut [f32],
    ) -> Vec<f32> {
        let forward = self.forward(rows);
        let y = forward.y.to_vec();
        let errors: Array1<f32> = errors_of(&y).iter().zip(&y).map(|(e, y)| e * (1.0 - y * y)).collect();
        self.add_backward(&forward, errors.slice(s![..]), gradient);
        y
    }
}

fn view_rows(values: &[f32], n_columns: usize) -> ArrayView2<'_, f32> {
    let n_rows = values.len() / n_columns.max(1);
    // The shape is computed from the length, so the conversion cannot fail.
    ArrayView2::from_shape((n_rows, n_columns), values).unwrap_or_else(|_| unreachable!("rows fill the slice"))
}

fn add<'a>(sum: &mut [f32], terms: impl IntoIterator<Item = &'a f32>) {
    sum.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
}

impl Network for DenseNet {
    fn parameters(&self) -> &[f32] {
        &self.parameters
    }

    fn parameters_mut(&mut self) -> &mut [f32] {
        &mut self.parameters
    }

    fn outputs(&self, rows: CodeRows<'_>) -> Vec<f32> {
        self.forward(rows).y.to_vec()
    }

    fn add_gradient(&self, rows: CodeRows<'_>, targets: &[f32], gradient: &mut [f32]) -> f64 {
        let errors_of = |y: &[f32]| y.iter().zip(targets).map(|(y, z)| 2.0 * (y - z)).collect();
        let y = self.add_weighted_gradient(rows, errors_of, gradient);
        y.iter().zip(targets).map(|(y, z)| f64::from((y - z) * (y - z))).sum()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn small_coding() -> Coding {
        Coding::new(&[vec![-1.0, 0.0, 1.0], vec![0.5, -0.25], vec![0.0, 1.0, 2.0, 0.3]])
    }

    /// Checks `add_gradient` against central differences on every weight.
    pub(crate) fn check_gradient<N: Network>(net: &N, codes: &[u8], n_attributes: usize, targets: &[f32]) {
        let rows = CodeRows::new(codes, n_attributes);
        let mut gradient = vec![0.0; net.parameters().len()];
        net.add_gradient(rows, targets, &mut gradient);
        let loss_at = |index: usize, shift: f32| {
            let mut moved = net.clone();
            moved.parameters_mut()[index] += shift;
            let y = moved.outputs(rows);
            y.iter().zip(targets).map(|(y, z)| f64::from(y - z).powi(2)).sum::<f64>()
        };
        let h = 1e-2;
        for (index, &analytic) in gradient.iter().enumerate() {
            let numeric = (loss_at(index, h) - loss_at(index, -h)) / f64::from(2.0 * h);
            approx::assert_abs_diff_eq!(numeric, f64::from(analytic), epsilon = 2e-3);
        }
    }

    #[test]
    fn analytic_gradient_equals_numeric_gradient() {
        let net = DenseNet::random(small_coding(), 4, 3, "test");
        check_gradient(&net, &[0, 1, 2, 2, 0, 3, 1, 1, 0], 3, &[1.0, -1.0, 0.0]);
    }

    #[test]
    fn output_gradients_add_up_to_the_weighted_gradient() {
        let net = DenseNet::random(small_coding(), 5, 4, "test");
        let codes = [0, 1, 2, 2, 0, 3];
        let rows = CodeRows::new(&codes, 3);
        let (y, gradients) = net.output_gradients(rows);
        let mut sum = vec![0.0; net.parameters().len()];
        let again = net.add_weighted_gradient(rows, |_| vec![2.0, -3.0], &mut sum);
        assert_eq!(y, again);
        for (index, sum) in sum.iter().enumerate() {
            let expected = 2.0 * gradients[(0, index)] - 3.0 * gradients[(1, index)];
            approx::assert_abs_diff_eq!(*sum, expected, epsilon = 1e-5);
        }
    }

    #[test]
    fn seeded_weights_are_stable() {
        let net = DenseNet::random(small_coding(), 2, 1, "value stability");
        let again = DenseNet::random(small_coding(), 2, 1, "value stability");
        assert_eq!(net, again);
        assert_ne!(net, DenseNet::random(small_coding(), 2, 2, "value stability"));
    }
}
