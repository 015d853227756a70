//! Plain feed-forward networks: the 91-N-1 network of S1 (plain BP) and S5, and deeper or narrower ones.
//!
//! With hidden layers of N₁, …, N_L neurons: h₁ = f(W₁ᵀx + b₁), h_l = f(W_lᵀh_{l-1} + b_l), y = tanh(w·h_L + b); without
//! any, y = tanh(w·x + b).

use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::container::{n_weights, with_weights};
use super::first_layer::FirstLayer;
use super::inference::{Function, Readout};
use super::{Coding, Network, Pass, kernel};
use crate::random;
use crate::settings::{SettingError, choices, require, settings};

#[cfg(test)]
pub(crate) use tests::{check_gradient, small_coding};

choices! {
    /// The function f of the hidden layers.
    pub enum ActivationFunction = Tanh {
        /// The hyperbolic tangent, as in S1 and S5.
        Tanh,
        /// The logistic function 1 / (1 + e^-x).
        Sigmoid,
        /// max(x, 0).
        Relu,
    }
}

impl ActivationFunction {
    fn apply(self, values: &mut [f32]) {
        match self {
            Self::Tanh => kernel::tanh(values),
            Self::Sigmoid => kernel::sigmoid(values),
            Self::Relu => kernel::relu(values),
        }
    }

    fn function(self) -> Function {
        match self {
            Self::Tanh => Function::Tanh,
            Self::Sigmoid => Function::Sigmoid,
            Self::Relu => Function::Relu,
        }
    }

    /// Multiplies `delta` by the derivative, which is known from the activations.
    fn back(self, delta: &mut [f32], hidden: &[f32]) {
        match self {
            Self::Tanh => kernel::back_through_tanh(delta, hidden),
            Self::Sigmoid => kernel::back_through_sigmoid(delta, hidden),
            Self::Relu => kernel::back_through_relu(delta, hidden),
        }
    }
}

choices! {
    /// What stands for an attribute's value at the inputs.
    pub enum InputForm = Numbers {
        /// One number an attribute, as in S1 and S5.
        Numbers,
        /// One input a value class, 1 for the class that the object lies in and 0 for the others.
        OneHot,
    }
}

settings! {
    /// The shape of a plain network.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct DenseShape {
        /// Neurons of each hidden layer, the one next to the inputs first, such as 100 or 64,16; `none` for a network without.
        pub hidden: Vec<usize> = vec![100], in 1..=1024;
        /// Function of the hidden layers.
        pub activation: ActivationFunction = ActivationFunction::Tanh, serde(default);
        /// Give each value of an attribute weights of its own, instead of one number an attribute.
        pub inputs: InputForm = InputForm::Numbers, as "one-hot=one-hot", serde(default);
    }
    and check_layers
}

impl DenseShape {
    /// One hidden layer of `n` neurons with the hyperbolic tangent over numbers: n-N-1 of S1 and S5.
    pub fn one_layer(n: usize) -> Self {
        Self { hidden: vec![n], activation: ActivationFunction::Tanh, inputs: InputForm::Numbers }
    }

    fn check_layers(&self) -> Result<(), SettingError> {
        require(self.hidden.len() <= 8, "hidden", "at most 8 layers", self.hidden.len())
    }

    fn first_layer(&self, coding: Coding) -> FirstLayer {
        let width = self.hidden.first().copied().unwrap_or(1);
        match self.inputs {
            InputForm::Numbers => FirstLayer::of_numbers(coding, width),
            InputForm::OneHot => {
                let all: Vec<usize> = (0..coding.n_attributes()).collect();
                FirstLayer::of_classes(coding, &all, width)
            }
        }
    }
}

/// A plain network. Weights: W₁ by rows, b₁, W₂ by rows, b₂, …, w, b.
#[derive(Debug, Clone, PartialEq)]
pub struct DenseNet {
    shape: DenseShape,
    layer: FirstLayer,
    parameters: Vec<f32>,
}

impl DenseNet {
    /// A network with random weights, uniform in ±1/√(fan-in), drawn from the stream `name` of `seed`.
    pub fn random(coding: Coding, shape: DenseShape, seed: u64, name: &str) -> Self {
        let layer = shape.first_layer(coding);
        let mut stream = random::stream(seed, name, 0);
        let mut parameters = Vec::new();
        let mut draw = |n: usize, fan_in: usize| {
            let scale = (fan_in as f32).sqrt();
            parameters.extend((0..n).map(|_| (stream.random::<f32>() * 2.0 - 1.0) / scale));
        };
        draw(layer.n_weights() + layer.width(), layer.coding().n_attributes());
        for pair in shape.hidden.windows(2) {
            draw((pair[0] + 1) * pair[1], pair[0]);
        }
        if let Some(&last) = shape.hidden.last() {
            draw(last + 1, last);
        }
        Self { shape, layer, parameters }
    }

    /// A network with given weights; `None` if the shape is out of range or their number does not fit it.
    pub fn from_parameters(coding: Coding, shape: DenseShape, parameters: Vec<f32>) -> Option<Self> {
        shape.check().ok()?;
        let layer = shape.first_layer(coding);
        let fits = parameters.len() == n_weights(&tensor_shapes(&shape, &layer));
        fits.then_some(Self { shape, layer, parameters })
    }

    /// The layers.
    pub fn shape(&self) -> &DenseShape {
        &self.shape
    }

    /// Where the weights of what follows b₁ begin.
    fn after_first(&self) -> usize {
        self.layer.n_weights() + self.layer.width()
    }

    /// The later hidden layers: where the weights begin, inputs and neurons of each.
    fn later_layers(&self) -> impl DoubleEndedIterator<Item = LayerSpan> + '_ {
        let hidden = self.shape.hidden.as_slice();
        // A search asks this in every node, so nothing is collected; layers are few.
        (1..hidden.len()).map(|at| {
            let weights_before: usize = hidden[..at].windows(2).map(|pair| (pair[0] + 1) * pair[1]).sum();
            let first = self.after_first() + weights_before;
            LayerSpan { first, before: hidden[..at - 1].iter().sum(), n_inputs: hidden[at - 1], n_neurons: hidden[at] }
        })
    }

    /// w and b of the output; w is empty in a network without hidden layers, whose b is b₁.
    fn output(&self) -> (&[f32], f32) {
        let n = self.shape.hidden.last().copied().unwrap_or(0);
        let (rest, bias) = self.parameters.split_at(self.parameters.len() - 1);
        (&rest[rest.len() - n..], bias[0])
    }

    /// The weights by layer: name, shape and values, in the order of [`Network::parameters`].
    pub fn tensors(&self) -> Vec<(String, Vec<usize>, &[f32])> {
        with_weights(tensor_shapes(&self.shape, &self.layer), &self.parameters)
    }

    /// Names and shapes of the tensors of a network of this shape.
    pub(crate) fn tensor_shapes(coding: &Coding, shape: &DenseShape) -> Vec<(String, Vec<usize>)> {
        tensor_shapes(shape, &shape.first_layer(coding.clone()))
    }
}

/// A hidden layer that is not the first.
#[derive(Clone, Copy)]
struct LayerSpan {
    /// Its first weight.
    first: usize,
    /// Its first input among all hidden activations.
    before: usize,
    n_inputs: usize,
    n_neurons: usize,
}

impl LayerSpan {
    fn bias(self) -> usize {
        self.first + self.n_inputs * self.n_neurons
    }

    fn end(self) -> usize {
        self.bias() + self.n_neurons
    }
}

fn tensor_shapes(shape: &DenseShape, layer: &FirstLayer) -> Vec<(String, Vec<usize>)> {
    let mut tensors = vec![("input_weights".to_owned(), vec![layer.n_rows, layer.width()])];
    if let Some(&first) = shape.hidden.first() {
        tensors.push(("hidden_bias".to_owned(), vec![first]));
    }
    for (at, pair) in shape.hidden.windows(2).enumerate() {
        tensors.push((format!("hidden_weights_{}", at + 2), vec![pair[0], pair[1]]));
        tensors.push((format!("hidden_bias_{}", at + 2), vec![pair[1]]));
    }
    if let Some(&last) = shape.hidden.last() {
        tensors.push(("output_weights".to_owned(), vec![last]));
    }
    tensors.push(("output_bias".to_owned(), vec![1]));
    tensors
}

impl Network for DenseNet {
    parts!(layer, parameters);

    fn base(&self) -> &[f32] {
        &self.parameters[self.layer.n_weights()..self.after_first()]
    }

    fn head(&self, _codes: &[u8], offset: f32, pass: &mut Pass) {
        pass.hidden.clear();
        if self.shape.hidden.is_empty() {
            pass.argument = pass.sums[0] + offset;
        } else {
            pass.hidden.extend_from_slice(&pass.sums);
            self.shape.activation.apply(&mut pass.hidden);
            for span in self.later_layers() {
                self.forward_layer(span, &mut pass.hidden);
            }
            let (weights, bias) = self.output();
            let last = &pass.hidden[pass.hidden.len() - weights.len()..];
            pass.argument = kernel::dot(weights, last) + bias + offset;
        }
        pass.y = self.output_of(pass.argument);
    }

    fn readout(&self) -> Option<Readout> {
        let (weights, bias) = self.output();
        let function = self.shape.activation.function();
        (self.shape.hidden.len() == 1).then(|| Readout { function, weights: weights.iter().copied().collect(), bias })
    }

    fn backward(&self, _codes: &[u8], pass: &mut Pass) {
        let slope = 1.0 - pass.y * pass.y;
        pass.tail.resize(self.parameters.len() - self.layer.n_weights(), 0.0);
        pass.delta.clear();
        let (weights, _) = self.output();
        if weights.is_empty() {
            pass.delta.push(slope);
            pass.tail[0] = slope;
            return;
        }
        let last = &pass.hidden[pass.hidden.len() - weights.len()..];
        pass.delta.extend(weights.iter().map(|weight| slope * weight));
        self.shape.activation.back(&mut pass.delta, last);
        let output = pass.tail.len() - weights.len() - 1;
        pass.tail[output..].iter_mut().zip(last).for_each(|(g, h)| *g = slope * h);
        pass.tail[output + weights.len()] = slope;
        for span in self.later_layers().rev() {
            self.backward_layer(span, pass);
        }
        pass.tail[..pass.delta.len()].copy_from_slice(&pass.delta);
    }
}

impl DenseNet {
    /// Appends the activations of a later layer to those of the layers before it.
    fn forward_layer(&self, span: LayerSpan, hidden: &mut Vec<f32>) {
        let at = hidden.len();
        hidden.extend_from_slice(&self.parameters[span.bias()..span.end()]);
        let (inputs, sums) = hidden.split_at_mut(at);
        kernel::add_product(sums, &inputs[span.before..], &self.parameters[span.first..span.bias()]);
        self.shape.activation.apply(sums);
    }

    /// From ∂y / ∂sums of a later layer to its weights' gradient and to ∂y / ∂sums of the layer before it.
    fn backward_layer(&self, span: LayerSpan, pass: &mut Pass) {
        let inputs = &pass.hidden[span.before..span.before + span.n_inputs];
        let shift = self.layer.n_weights();
        let gradient = &mut pass.tail[span.first - shift..span.end() - shift];
        let (weights, bias) = gradient.split_at_mut(span.bias() - span.first);
        bias.copy_from_slice(&pass.delta);
        for (row, &h) in weights.chunks_exact_mut(span.n_neurons).zip(inputs) {
            row.iter_mut().zip(&pass.delta).for_each(|(g, delta)| *g = h * delta);
        }
        let rows = self.parameters[span.first..span.bias()].chunks_exact(span.n_neurons);
        pass.spare.clear();
        pass.spare.extend(rows.map(|row| kernel::dot(row, &pass.delta)));
        std::mem::swap(&mut pass.delta, &mut pass.spare);
        self.shape.activation.back(&mut pass.delta, inputs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::CodeRows;

    pub(crate) fn small_coding() -> Coding {
        Coding::new(&[vec![-1.0, 0.0, 1.0], vec![0.5, -0.25], vec![0.0, 1.0, 2.0, 0.3]])
    }

    /// Checks `add_gradient` against the loss by its definition, and central differences of this on every weight.
    pub(crate) fn check_gradient<N: Network>(net: &N, codes: &[u8], n_attributes: usize, targets: &[f32]) {
        let offsets: Vec<f32> = (0..targets.len()).map(|index| index as f32 * 0.1 - 0.1).collect();
        let rows = CodeRows::new(codes, n_attributes).with_offsets(Some(&offsets));
        let mut gradient = vec![0.0; net.parameters().len()];
        let loss = net.add_gradient(rows, targets, &mut Pass::default(), &mut gradient);
        let loss_at = |index: usize, shift: f32| {
            let mut moved = net.clone();
            moved.parameters_mut()[index] += shift;
            let y = moved.outputs(rows);
            y.iter().zip(targets).map(|(y, z)| f64::from(y - z).powi(2)).sum::<f64>()
        };
        approx::assert_abs_diff_eq!(loss, loss_at(0, 0.0), epsilon = 1e-5);
        // Small enough that hardly a rectifier changes its mind in between.
        let h = 1e-3;
        for (index, &analytic) in gradient.iter().enumerate() {
            let numeric = (loss_at(index, h) - loss_at(index, -h)) / f64::from(2.0 * h);
            approx::assert_abs_diff_eq!(numeric, f64::from(analytic), epsilon = 4e-3);
        }
    }

    fn shapes() -> Vec<DenseShape> {
        use ActivationFunction::{Relu, Sigmoid, Tanh};
        let mut shapes = Vec::new();
        for hidden in [vec![], vec![4], vec![5, 3], vec![4, 6, 3]] {
            for activation in [Tanh, Sigmoid, Relu] {
                for inputs in [InputForm::Numbers, InputForm::OneHot] {
                    shapes.push(DenseShape { hidden: hidden.clone(), activation, inputs });
                }
            }
        }
        shapes
    }

    #[test]
    fn analytic_gradients_equal_numeric_gradients_for_every_shape() {
        for shape in shapes() {
            let net = DenseNet::random(small_coding(), shape, 3, "test");
            check_gradient(&net, &[0, 1, 2, 2, 0, 3, 1, 1, 0], 3, &[1.0, -1.0, 0.0]);
        }
    }

    /// The definition, with nothing but loops.
    fn output_by_definition(net: &DenseNet, codes: &[u8]) -> f32 {
        let f = |x: f32| match net.shape.activation {
            ActivationFunction::Tanh => x.tanh(),
            ActivationFunction::Sigmoid => 1.0 / (1.0 + (-x).exp()),
            ActivationFunction::Relu => x.max(0.0),
        };
        let coding = net.coding();
        let mut inputs: Vec<f32> = match net.shape.inputs {
            InputForm::Numbers => (0..codes.len()).map(|t| coding.value(coding.class(t, codes[t]))).collect(),
            InputForm::OneHot => {
                let mut x = vec![0.0; coding.n_classes()];
                (0..codes.len()).for_each(|t| x[coding.class(t, codes[t])] = 1.0);
                x
            }
        };
        let mut rest = net.parameters();
        let widths: Vec<usize> = net.shape.hidden.iter().copied().chain([1]).collect();
        for (layer, &width) in widths.iter().enumerate() {
            let (weights, others) = rest.split_at(inputs.len() * width);
            let (bias, others) = others.split_at(width);
            let sum = |j: usize| (0..inputs.len()).map(|i| inputs[i] * weights[i * width + j]).sum::<f32>() + bias[j];
            inputs = (0..width).map(|j| if layer + 1 == widths.len() { sum(j).tanh() } else { f(sum(j)) }).collect();
            rest = others;
        }
        assert!(rest.is_empty());
        inputs[0]
    }

    #[test]
    fn outputs_follow_the_definition_for_every_shape() {
        for shape in shapes() {
            let net = DenseNet::random(small_coding(), shape, 3, "test");
            for codes in [[0, 1, 2], [2, 0, 3], [1, 1, 0]] {
                let y = net.outputs(CodeRows::new(&codes, 3))[0];
                approx::assert_abs_diff_eq!(y, output_by_definition(&net, &codes), epsilon = 2e-6);
            }
        }
    }

    #[test]
    fn tensors_hold_all_weights_in_order() {
        for shape in shapes() {
            let net = DenseNet::random(small_coding(), shape.clone(), 3, "test");
            let joined: Vec<f32> = net.tensors().iter().flat_map(|(_, _, values)| values.to_vec()).collect();
            assert_eq!(joined, net.parameters());
            let again = DenseNet::from_parameters(small_coding(), shape.clone(), joined.clone());
            assert_eq!(again, Some(net));
            assert_eq!(DenseNet::from_parameters(small_coding(), shape, joined[1..].to_vec()), None);
        }
    }

    #[test]
    fn seeded_weights_are_stable() {
        let random = |seed| DenseNet::random(small_coding(), DenseShape::one_layer(2), seed, "value stability");
        assert_eq!(random(1), random(1));
        assert_ne!(random(1), random(2));
    }

    #[test]
    fn there_are_at_most_eight_hidden_layers() {
        let with = |n: usize| DenseShape { hidden: vec![1; n], ..DenseShape::one_layer(1) }.check();
        assert_eq!(with(8), Ok(()));
        assert_eq!(with(9).unwrap_err().to_string(), "`hidden` must be at most 8 layers, got 9");
    }
}
