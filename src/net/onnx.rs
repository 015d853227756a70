//! Networks as ONNX models, for other programs to run.
//!
//! | network | input | graph |
//! |---|---|---|
//! | plain, of numbers | `x`, float (batch, n): the number of each attribute's value | a Gemm and an activation a layer |
//! | plain, one-hot | `codes`, int64 (batch, n): the value code of each attribute | Gather of the rows of W₁, ReduceSum, Add of b₁, activation; further layers as above |
//! | rough | `codes` | Gather of the rows of θ, ReduceSum, Mul by τ, Clip and Exp or, normalised, Softmax and Mul by m, Gemm with ω and b, Tanh |
//!
//! Products over a rule's own conditions have rows that are 0 elsewhere. The literal form of the rough network has no model.
//!
//! The output of all is `y`, float (batch): the expected result in [-1, 1] for the side that moves first. Networks that learned
//! beside a skip term have a second input `offset`, float (batch), that is added to the argument of the last Tanh. The model's
//! metadata hold what the network's file says about it (`roughboard`), the names of the attributes (`attributes`) and the
//! number of each value in the order of the codes (`values`), all as JSON.
//!
//! Field numbers are those of `onnx.proto` (<https://github.com/onnx/onnx/blob/main/onnx/onnx.proto>).

use std::ops::RangeInclusive;

use super::dense::{ActivationFunction, InputForm};
use super::rough::{ACTIVATION_LIMIT, RoughForm};
use super::store::About;
use super::{Coding, DenseNet, Net, Network, RoughNet};
use crate::protobuf::{Message, field_numbers};
use crate::settings::{SettingError, require};

/// Versions of ONNX's operators that can be asked for. From 13 on the operators used here have the form used here.
pub const OPSETS: RangeInclusive<i64> = 13..=21;
/// The version of ONNX's operators that most programs read.
pub const DEFAULT_OPSET: i64 = 17;

/// The output of every model.
pub const OUTPUT: &str = "y";
/// The second input of the model of a network that learned beside a skip term: what that says, times its scale.
pub const OFFSET: &str = "offset";

/// A network to be exported.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// The network.
    pub net: &'a Net,
    /// What its file says about it.
    pub about: &'a About,
    /// The names of its attributes, in their order; empty if they are not known.
    pub attributes: &'a [String],
    /// The version of ONNX's operators, one of [`OPSETS`].
    pub opset: i64,
}

impl Export<'_> {
    /// The bytes of the model's file; the same network gives the same bytes.
    ///
    /// # Errors
    /// When the version of the operators is outside [`OPSETS`], or the network is a decision tree or a literal rough network.
    pub fn to_bytes(&self) -> Result<Vec<u8>, SettingError> {
        require(OPSETS.contains(&self.opset), "opset", "in [13, 21]", self.opset)?;
        let is_literal = matches!(self.net, Net::Rough(net) if net.shape().form == RoughForm::Literal);
        require(!is_literal, "network", "a plain network, or a rough one of the default form", "a literal one")?;
        let mut graph = Graph::default();
        let argument = match self.net {
            Net::Dense(net) => graph.dense(net),
            Net::Rough(net) => graph.rough(net),
            Net::Tree(_) => {
                let (setting, range) = ("network", "a plain or a rough network to become an ONNX model");
                return Err(SettingError::value(setting, range, "a decision tree"));
            }
        };
        graph.output(&argument, self.has_offset());
        let graph = graph.finish(self.about.method.as_str(), self.inputs());
        let opset = Message::new().text(opset_id::DOMAIN, "").int(opset_id::VERSION, self.opset);
        let model = Message::new()
            .int(model::IR_VERSION, ir_version(self.opset))
            .text(model::PRODUCER_NAME, env!("CARGO_PKG_NAME"))
            .text(model::PRODUCER_VERSION, env!("CARGO_PKG_VERSION"))
            .message(model::GRAPH, &graph)
            .message(model::OPSET_IMPORT, &opset)
            .messages(model::METADATA_PROPS, self.metadata());
        Ok(model.as_bytes().to_vec())
    }

    fn metadata(&self) -> Vec<Message> {
        let values = self.net.coding().values_of_attributes();
        let texts = [
            ("roughboard", serde_json::to_string(self.about)),
            ("attributes", serde_json::to_string(self.attributes)),
            ("values", serde_json::to_string(&values)),
        ];
        let entry = |(key, value): (&str, serde_json::Result<String>)| {
            Message::new().text(entry::KEY, key).text(entry::VALUE, &value.unwrap_or_default())
        };
        texts.into_iter().map(entry).collect()
    }

    /// Whether the model has the input [`OFFSET`], as the network learned beside a skip term.
    pub fn has_offset(&self) -> bool {
        self.about.settings.get("skip").is_some_and(|skip| !skip.is_null())
    }

    /// The name of the model's first input.
    pub fn input(&self) -> &'static str {
        match self.net {
            Net::Dense(net) if net.shape().inputs == InputForm::Numbers => NUMBERS,
            _ => CODES,
        }
    }

    fn inputs(&self) -> Vec<Message> {
        let element = if self.input() == NUMBERS { Element::Float } else { Element::Integer };
        let first = value(self.input(), element, Some(self.n_attributes()));
        let offset = self.has_offset().then(|| value(OFFSET, Element::Float, None));
        [first].into_iter().chain(offset).collect()
    }

    /// The number of attributes, n.
    pub fn n_attributes(&self) -> usize {
        self.net.coding().n_attributes()
    }
}

const NUMBERS: &str = "x";
const CODES: &str = "codes";
/// The sums of the first layer.
const SUMS: &str = "sums";

/// The version of the file format that came with a version of the operators.
const fn ir_version(opset: i64) -> i64 {
    match opset {
        ..=14 => 7,
        15..=18 => 8,
        19..=20 => 9,
        _ => 10,
    }
}

/// One layer: activation(Wᵀx + b).
struct Layer<'a> {
    /// W by rows, one an input.
    weights: &'a [f32],
    bias: &'a [f32],
    activation: &'static str,
}

/// The layers; that of the output, whose function is another, comes last.
fn layers(net: &DenseNet) -> Vec<Layer<'_>> {
    let activation = match net.shape().activation {
        ActivationFunction::Tanh => "Tanh",
        ActivationFunction::Sigmoid => "Sigmoid",
        ActivationFunction::Relu => "Relu",
    };
    let tensors: Vec<&[f32]> = net.tensors().into_iter().map(|(_, _, values)| values).collect();
    tensors.chunks_exact(2).map(|pair| Layer { weights: pair[0], bias: pair[1], activation }).collect()
}

/// θ by value class and rule; 0 where a rule has no weight.
fn rows_of(net: &RoughNet) -> Vec<f32> {
    let coding = net.coding();
    let classes = (0..coding.n_attributes()).flat_map(|t| (0..coding.n_values(t)).map(move |code| (t, code as u8)));
    let row = |(t, code)| (0..net.n_rules()).map(move |rule| net.layer_2(rule, t, code).unwrap_or_default());
    classes.flat_map(row).collect()
}

/// The type of a tensor's elements.
#[derive(Clone, Copy)]
enum Element {
    Float = 1,
    Integer = 7,
}

/// A graph under construction.
#[derive(Default)]
struct Graph {
    nodes: Vec<Message>,
    constants: Vec<Message>,
}

impl Graph {
    /// A plain network up to the argument of its output's function; gives the name of that, of shape (batch, 1).
    fn dense(&mut self, net: &DenseNet) -> String {
        let layers = layers(net);
        let mut signal = NUMBERS.to_owned();
        for (number, layer) in (1..).zip(&layers) {
            let sums = match net.shape().inputs {
                InputForm::OneHot if number == 1 => self.first_sums(net.coding(), layer),
                _ => self.product(number, layer, &signal),
            };
            if number == layers.len() {
                return sums;
            }
            signal = format!("layer_{number}");
            self.node(layer.activation, &[&sums], &signal, &[]);
        }
        signal
    }

    /// The first layer of a network with one-hot inputs, before its function.
    fn first_sums(&mut self, coding: &Coding, layer: &Layer<'_>) -> String {
        let all: Vec<usize> = (0..coding.n_attributes()).collect();
        self.sum_of_rows(coding, &all, layer.weights, "weights_1");
        self.floats("bias_1", &[layer.bias.len()], layer.bias);
        self.node("Add", &[SUMS, "bias_1"], "sum_1", &[]);
        "sum_1".to_owned()
    }

    /// A rough network up to the argument of its output's function; gives the name of that, of shape (batch, 1).
    fn rough(&mut self, net: &RoughNet) -> String {
        self.sum_of_rows(net.coding(), net.inputs(), &rows_of(net), "theta");
        self.floats("tau", &[1], &[net.tau()]);
        self.node("Mul", &[SUMS, "tau"], "scaled", &[]);
        if net.shape().normalised {
            self.floats("m", &[1], &[net.n_rules() as f32]);
            self.node("Softmax", &["scaled"], "shares", &[("axis", 1)]);
            self.node("Mul", &["shares", "m"], "activations", &[]);
        } else {
            self.floats("least", &[], &[-ACTIVATION_LIMIT]);
            self.floats("most", &[], &[ACTIVATION_LIMIT]);
            self.node("Clip", &["scaled", "least", "most"], "held", &[]);
            self.node("Exp", &["held"], "activations", &[]);
        }
        self.product(4, &Layer { weights: net.omega(), bias: &[net.bias()], activation: "Tanh" }, "activations")
    }

    /// The output from its argument, with the offset added if there is one.
    fn output(&mut self, argument: &str, has_offset: bool) {
        self.integers("over_outputs", &[1]);
        self.node("Squeeze", &[argument, "over_outputs"], "argument", &[]);
        if has_offset {
            self.node("Add", &["argument", OFFSET], "shifted", &[]);
        }
        self.node("Tanh", &[if has_offset { "shifted" } else { "argument" }], OUTPUT, &[]);
    }

    fn floats(&mut self, name: &str, shape: &[usize], values: &[f32]) {
        self.constant(name, shape, Element::Float, values.iter().flat_map(|value| value.to_le_bytes()));
    }

    fn integers(&mut self, name: &str, values: &[i64]) {
        self.constant(name, &[values.len()], Element::Integer, values.iter().flat_map(|value| value.to_le_bytes()));
    }

    fn constant(&mut self, name: &str, shape: &[usize], element: Element, bytes: impl Iterator<Item = u8>) {
        let tensor = shape.iter().fold(Message::new(), |tensor, &size| tensor.int(tensor::DIMS, size as i64));
        let tensor = tensor.int(tensor::DATA_TYPE, element as i64).text(tensor::NAME, name);
        self.constants.push(tensor.data(tensor::RAW_DATA, &bytes.collect::<Vec<_>>()));
    }

    /// One operation with one output, and attributes that are whole numbers.
    fn node(&mut self, operation: &str, inputs: &[&str], output: &str, attributes: &[(&str, i64)]) {
        let attribute = |&(name, value): &(&str, i64)| {
            Message::new().text(attribute::NAME, name).int(attribute::INT, value).int(attribute::TYPE, WHOLE_NUMBER)
        };
        let node = inputs.iter().fold(Message::new(), |node, input| node.text(node::INPUT, input));
        let node = node.text(node::OUTPUT, output).text(node::NAME, output).text(node::OPERATION, operation);
        self.nodes.push(node.messages(node::ATTRIBUTE, attributes.iter().map(attribute)));
    }

    /// From the value codes of the attributes `inputs` to the sums of their classes' rows of `table`, called `name`.
    fn sum_of_rows(&mut self, coding: &Coding, inputs: &[usize], table: &[f32], name: &str) {
        let first: Vec<i64> = inputs.iter().map(|&t| coding.class(t, 0) as i64).collect();
        let inputs: Vec<i64> = inputs.iter().map(|&t| t as i64).collect();
        self.integers("inputs", &inputs);
        self.integers("first_class", &first);
        self.floats(name, &[coding.n_classes(), table.len() / coding.n_classes()], table);
        self.integers("over_attributes", &[1]);
        self.node("Gather", &[CODES, "inputs"], "codes_read", &[("axis", 1)]);
        self.node("Add", &["codes_read", "first_class"], "classes", &[]);
        self.node("Gather", &[name, "classes"], "rows", &[("axis", 0)]);
        self.node("ReduceSum", &["rows", "over_attributes"], SUMS, &[("keepdims", 0)]);
    }

    /// Wᵀx + b of layer number `number` on what is called `input`; gives the name of the result, of shape (batch, neurons).
    fn product(&mut self, number: usize, layer: &Layer<'_>, input: &str) -> String {
        let name = |what: &str| format!("{what}_{number}");
        let (weights, bias) = (name("weights"), name("bias"));
        let n_outputs = layer.bias.len();
        self.floats(&weights, &[layer.weights.len() / n_outputs, n_outputs], layer.weights);
        self.floats(&bias, &[n_outputs], layer.bias);
        self.node("Gemm", &[input, &weights, &bias], &name("sum"), &[]);
        name("sum")
    }

    fn finish(self, name: &str, inputs: Vec<Message>) -> Message {
        Message::new()
            .messages(graph::NODE, self.nodes)
            .text(graph::NAME, name)
            .messages(graph::CONSTANT, self.constants)
            .messages(graph::INPUT, inputs)
            .message(graph::OUTPUT, &value(OUTPUT, Element::Float, None))
    }
}

/// The description of an input or output of shape (batch) or (batch, `n_columns`).
fn value(name: &str, element: Element, n_columns: Option<usize>) -> Message {
    let batch = Message::new().text(dimension::PARAM, "batch");
    let columns = n_columns.map(|n| Message::new().int(dimension::VALUE, n as i64));
    let shape = Message::new().messages(shape::DIM, [Some(batch), columns].into_iter().flatten());
    let tensor = Message::new().int(tensor_type::ELEMENT, element as i64).message(tensor_type::SHAPE, &shape);
    let of_type = Message::new().message(value_type::TENSOR, &tensor);
    Message::new().text(value_info::NAME, name).message(value_info::TYPE, &of_type)
}

field_numbers! {
    /// Fields of `ModelProto`.
    model { IR_VERSION = 1, PRODUCER_NAME = 2, PRODUCER_VERSION = 3, GRAPH = 7, OPSET_IMPORT = 8, METADATA_PROPS = 14 }
    /// Fields of `OperatorSetIdProto`.
    opset_id { DOMAIN = 1, VERSION = 2 }
    /// Fields of `StringStringEntryProto`.
    entry { KEY = 1, VALUE = 2 }
    /// Fields of `GraphProto`.
    graph { NODE = 1, NAME = 2, CONSTANT = 5, INPUT = 11, OUTPUT = 12 }
    /// Fields of `NodeProto`.
    node { INPUT = 1, OUTPUT = 2, NAME = 3, OPERATION = 4, ATTRIBUTE = 5 }
    /// Fields of `AttributeProto`.
    attribute { NAME = 1, INT = 3, TYPE = 20 }
    /// Fields of `TensorProto`.
    tensor { DIMS = 1, DATA_TYPE = 2, NAME = 8, RAW_DATA = 9 }
    /// Fields of `ValueInfoProto`.
    value_info { NAME = 1, TYPE = 2 }
    /// Fields of `TypeProto`.
    value_type { TENSOR = 1 }
    /// Fields of `TypeProto.Tensor`.
    tensor_type { ELEMENT = 1, SHAPE = 2 }
    /// Fields of `TensorShapeProto`.
    shape { DIM = 1 }
    /// Fields of `TensorShapeProto.Dimension`.
    dimension { VALUE = 1, PARAM = 2 }
}

/// The type of an attribute that holds a whole number.
const WHOLE_NUMBER: i64 = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::dense::{DenseShape, small_coding};
    use crate::net::rough::RoughShape;

    fn operation(name: &str, inputs: &[&str], output: &str) -> Message {
        let node = inputs.iter().fold(Message::new(), |node, input| node.text(node::INPUT, input));
        node.text(node::OUTPUT, output).text(node::NAME, output).text(node::OPERATION, name)
    }

    #[test]
    fn the_output_is_the_hyperbolic_tangent_of_the_argument_and_what_is_added_to_it() {
        for has_offset in [false, true] {
            let mut graph = Graph::default();
            graph.output("sum_4", has_offset);
            let squeezed = operation("Squeeze", &["sum_4", "over_outputs"], "argument");
            let expected = if has_offset {
                let shifted = operation("Add", &["argument", OFFSET], "shifted");
                vec![squeezed, shifted, operation("Tanh", &["shifted"], OUTPUT)]
            } else {
                vec![squeezed, operation("Tanh", &["argument"], OUTPUT)]
            };
            assert_eq!(graph.nodes, expected);
            let axes = Message::new().int(tensor::DIMS, 1).int(tensor::DATA_TYPE, 7).text(tensor::NAME, "over_outputs");
            assert_eq!(graph.constants, [axes.data(tensor::RAW_DATA, &1_i64.to_le_bytes())]);
        }
    }

    #[test]
    fn each_version_of_the_operators_has_that_of_its_file() {
        assert_eq!([13, 14, 15, 18, 19, 20, 21].map(ir_version), [7, 7, 8, 8, 9, 9, 10]);
    }

    #[test]
    fn layers_and_rows_have_the_weights_of_their_networks() {
        for (activation, name) in [
            (ActivationFunction::Tanh, "Tanh"),
            (ActivationFunction::Sigmoid, "Sigmoid"),
            (ActivationFunction::Relu, "Relu"),
        ] {
            let shape = DenseShape { hidden: vec![4, 2], activation, ..DenseShape::one_layer(1) };
            let net = DenseNet::random(small_coding(), shape, 3, "test");
            let layers = layers(&net);
            let sizes: Vec<_> = layers.iter().map(|layer| (layer.weights.len(), layer.bias.len())).collect();
            assert_eq!(sizes, [(3 * 4, 4), (4 * 2, 2), (2, 1)]);
            assert!(layers.iter().all(|layer| layer.activation == name));
            let joined: Vec<f32> = layers.iter().flat_map(|layer| [layer.weights, layer.bias].concat()).collect();
            assert_eq!(joined, net.parameters());
        }
        // Nine value classes of which 3 and 4 are not read, two rules, and b.
        let weights: Vec<f32> = (1..=21_u8).map(f32::from).collect();
        let mut expected = weights[..18].to_vec();
        expected[6..10].fill(0.0);
        let net =
            RoughNet::from_parameters(small_coding(), vec![0, 2], RoughShape::default(), (2, 0.5), weights).unwrap();
        assert_eq!(rows_of(&net), expected);
    }
}
