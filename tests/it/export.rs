//! Networks in other programs: ONNX models, and the snippet of Python in docs/formats.md.

use std::collections::HashMap;
use std::process::Command;

use roughboard::features::FeatureSet;
use roughboard::features::board91::Board91;
use roughboard::game::Notation;
use roughboard::games::xiangqi::Xiangqi;
use roughboard::net::Net;
use roughboard::net::dense::{ActivationFunction, DenseShape, InputForm};
use roughboard::net::onnx::Export;
use roughboard::net::store::{self, About};
use roughboard::net::{CodeRows, DenseNet, Network};

use crate::command::roughboard;
use crate::training_runs::{METHODS, Trainer};

const POSITIONS: [&str; 4] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C4NC1/9/RNBAKAB1R b - - 0 1",
    "3ak4/4a4/4b4/p3R3p/2b6/9/P3P3P/4C4/4A4/2rAK1B2 w - - 0 1",
    "4k4/9/9/9/9/9/9/9/4r4/3K5 b - - 0 1",
];

fn codes() -> Vec<u8> {
    let mut codes = vec![0; POSITIONS.len() * 91];
    for (row, fen) in codes.chunks_exact_mut(91).zip(POSITIONS) {
        Board91.encode(&Xiangqi::from_notation(fen).unwrap(), row);
    }
    codes
}

fn outputs(net: &Net) -> Vec<f32> {
    net.outputs(CodeRows::new(&codes(), 91))
}

/// A network of each kind, trained a little, and plain ones of other shapes: path, network, what its file says.
fn networks(trainer: &Trainer) -> Vec<(String, Net, About)> {
    let train = |method: &&[&str]| {
        trainer.train(method, method[0], &[]).ended(0);
        let run = trainer.path(method[0]);
        let (net, about) = store::load(run.as_ref()).unwrap();
        (run, net, about)
    };
    let mut networks: Vec<_> = METHODS.iter().map(train).collect();
    let (_, bp, about) = &networks[1];
    let coding = bp.first_layer().coding().clone();
    let other = |(at, (hidden, activation, inputs)): (usize, (Vec<usize>, _, _))| {
        let shape = DenseShape { hidden, activation, inputs };
        let net = Net::Dense(DenseNet::random(coding.clone(), shape, 1, "test"));
        let path = trainer.path(&format!("shape-{at}.safetensors"));
        store::save(path.as_ref(), &net, about).unwrap();
        (path, net, about.clone())
    };
    let others: Vec<_> =
        SHAPES.iter().map(|&(hidden, f, inputs)| (hidden.to_vec(), f, inputs)).enumerate().map(other).collect();
    networks.extend(others);
    networks
}

const SHAPES: [(&[usize], ActivationFunction, InputForm); 5] = [
    (&[], ActivationFunction::Tanh, InputForm::Numbers),
    (&[], ActivationFunction::Tanh, InputForm::OneHot),
    (&[6], ActivationFunction::Relu, InputForm::OneHot),
    (&[5, 3], ActivationFunction::Sigmoid, InputForm::OneHot),
    (&[4, 6, 3], ActivationFunction::Relu, InputForm::Numbers),
];

/// The value of a field of a message.
#[derive(Debug, Clone, Copy)]
enum Field<'a> {
    Int(i64),
    Bytes(&'a [u8]),
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    value
}

/// The fields of a message, in order.
fn fields(mut bytes: &[u8]) -> Vec<(u64, Field<'_>)> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let value = match key & 7 {
            0 => Field::Int(varint(&mut bytes) as i64),
            2 => {
                let length = varint(&mut bytes) as usize;
                let (value, rest) = bytes.split_at(length);
                bytes = rest;
                Field::Bytes(value)
            }
            wire => panic!("wire type {wire}"),
        };
        fields.push((key >> 3, value));
    }
    fields
}

fn all<'a>(message: &'a [u8], number: u64) -> Vec<&'a [u8]> {
    let bytes = |(at, field): (u64, Field<'a>)| match field {
        Field::Bytes(bytes) if at == number => Some(bytes),
        _ => None,
    };
    fields(message).into_iter().filter_map(bytes).collect()
}

fn texts(message: &[u8], number: u64) -> Vec<String> {
    all(message, number).into_iter().map(|bytes| String::from_utf8(bytes.to_vec()).unwrap()).collect()
}

fn ints(message: &[u8], number: u64) -> Vec<i64> {
    let int = |(at, field): (u64, Field<'_>)| match field {
        Field::Int(value) if at == number => Some(value),
        _ => None,
    };
    fields(message).into_iter().filter_map(int).collect()
}

#[derive(Debug, Clone, PartialEq)]
struct Tensor {
    shape: Vec<usize>,
    values: Vec<f64>,
}

impl Tensor {
    fn of_constant(message: &[u8]) -> (String, Self) {
        let raw = all(message, 9)[0];
        let values = match ints(message, 2)[0] {
            1 => raw.chunks_exact(4).map(|b| f64::from(f32::from_le_bytes(b.try_into().unwrap()))).collect(),
            7 => raw.chunks_exact(8).map(|b| i64::from_le_bytes(b.try_into().unwrap()) as f64).collect(),
            other => panic!("element type {other}"),
        };
        let shape: Vec<usize> = ints(message, 1).into_iter().map(|size| size as usize).collect();
        let tensor = Self { shape, values };
        assert_eq!(tensor.shape.iter().product::<usize>(), tensor.values.len());
        (texts(message, 8)[0].clone(), tensor)
    }

    fn map(&self, change: impl Fn(f64) -> f64) -> Self {
        Self { shape: self.shape.clone(), values: self.values.iter().map(|&value| change(value)).collect() }
    }

    /// With a vector as long as the rows, or a number, repeated.
    fn with(&self, other: &Self, join: impl Fn(f64, f64) -> f64) -> Self {
        assert!(other.values.len() == 1 || other.shape == [*self.shape.last().unwrap()]);
        let values = self.values.iter().zip(other.values.iter().cycle()).map(|(&a, &b)| join(a, b)).collect();
        Self { shape: self.shape.clone(), values }
    }

    /// Rows of a matrix (`axis` 0, for indices of two dimensions) or columns of one (`axis` 1, for a list of indices).
    fn gather(&self, indices: &Self, axis: i64) -> Self {
        let [rows, columns] = self.shape[..] else { panic!("{:?}", self.shape) };
        if axis == 0 {
            let row = |&index: &f64| self.values[index as usize * columns..][..columns].to_vec();
            let values = indices.values.iter().flat_map(row).collect();
            return Self { shape: [&indices.shape[..], &[columns]].concat(), values };
        }
        let values = (0..rows).flat_map(|r| indices.values.iter().map(move |&c| self.values[r * columns + c as usize]));
        Self { shape: vec![rows, indices.values.len()], values: values.collect() }
    }

    /// The sum over the middle one of three dimensions.
    fn sum_middle(&self) -> Self {
        let [batch, n, m] = self.shape[..] else { panic!("{:?}", self.shape) };
        let sum = |b: usize, i: usize| (0..n).map(|t| self.values[(b * n + t) * m + i]).sum();
        let values = (0..batch).flat_map(|b| (0..m).map(move |i| sum(b, i))).collect();
        Self { shape: vec![batch, m], values }
    }

    fn gemm(&self, weights: &Self, bias: &Self) -> Self {
        let [batch, n] = self.shape[..] else { panic!("{:?}", self.shape) };
        assert_eq!(weights.shape[0], n);
        let m = weights.shape[1];
        let dot = |b: usize, j: usize| (0..n).map(|i| self.values[b * n + i] * weights.values[i * m + j]).sum();
        let values = (0..batch).flat_map(|b| (0..m).map(move |j| dot(b, j))).collect();
        Self { shape: vec![batch, m], values }.with(bias, |a, b| a + b)
    }
}

/// Runs a model as ONNX defines its operators.
fn run_model(model: &[u8], inputs: &[(&str, Tensor)]) -> Tensor {
    let graph = all(model, 7)[0];
    let mut known: HashMap<String, Tensor> = all(graph, 5).into_iter().map(Tensor::of_constant).collect();
    let names: Vec<String> = all(graph, 11).iter().flat_map(|input| texts(input, 1)).collect();
    assert_eq!(names, inputs.iter().map(|input| input.0).collect::<Vec<_>>());
    known.extend(inputs.iter().map(|(name, tensor)| ((*name).to_owned(), tensor.clone())));
    for node in all(graph, 1) {
        let inputs: Vec<&Tensor> = texts(node, 1).iter().map(|name| &known[name]).collect();
        let attribute = |name: &str| {
            let attributes = all(node, 5);
            attributes.iter().find(|attribute| texts(attribute, 1) == [name]).map(|attribute| ints(attribute, 3)[0])
        };
        let result = match texts(node, 4)[0].as_str() {
            "Gather" => inputs[0].gather(inputs[1], attribute("axis").unwrap()),
            "Add" => inputs[0].with(inputs[1], |a, b| a + b),
            "Mul" => inputs[0].with(inputs[1], |a, b| a * b),
            "ReduceSum" => {
                assert_eq!((inputs[1].values[0], attribute("keepdims")), (1.0, Some(0)));
                inputs[0].sum_middle()
            }
            "Clip" => inputs[0].map(|value| value.clamp(inputs[1].values[0], inputs[2].values[0])),
            "Exp" => inputs[0].map(f64::exp),
            "Tanh" => inputs[0].map(f64::tanh),
            "Sigmoid" => inputs[0].map(|value| 1.0 / (1.0 + (-value).exp())),
            "Relu" => inputs[0].map(|value| value.max(0.0)),
            "Gemm" => inputs[0].gemm(inputs[1], inputs[2]),
            "Squeeze" => Tensor { shape: vec![inputs[0].shape[0]], values: inputs[0].values.clone() },
            other => panic!("operator {other}"),
        };
        known.insert(texts(node, 2)[0].clone(), result);
    }
    known.remove(&texts(all(graph, 12)[0], 1)[0]).unwrap()
}

#[test]
fn a_model_computes_what_its_network_computes() {
    let trainer = Trainer::new();
    let attributes: Vec<String> = Board91.attributes().into_iter().map(|attribute| attribute.name).collect();
    for (run, net, about) in networks(&trainer) {
        let export = Export { net: &net, about: &about, attributes: &attributes, opset: 17 };
        let model = export.to_bytes().unwrap();
        let codes = codes();
        let coding = net.first_layer().coding();
        let number = |(at, &code): (usize, &u8)| coding.value(coding.class(at % 91, code));
        let numbers: Vec<f64> = match export.input() {
            "x" => codes.iter().enumerate().map(number).map(f64::from).collect(),
            _ => codes.iter().map(|&code| f64::from(code)).collect(),
        };
        let input = Tensor { shape: vec![POSITIONS.len(), 91], values: numbers };
        let input = (export.input(), input);
        let y = run_model(&model, std::slice::from_ref(&input));
        assert_eq!(y.shape, [POSITIONS.len()]);
        for (y, expected) in y.values.iter().zip(outputs(&net)) {
            assert!((y - f64::from(expected)).abs() < 1e-5, "{}: {y} {expected}", about.method);
        }
        check_offset((&net, &about), input);
        let metadata: HashMap<String, String> =
            all(&model, 14).iter().map(|entry| (texts(entry, 1)[0].clone(), texts(entry, 2)[0].clone())).collect();
        assert_eq!(serde_json::from_str::<Vec<String>>(&metadata["attributes"]).unwrap(), attributes);
        assert_eq!(serde_json::from_str::<About>(&metadata["roughboard"]).unwrap(), about);
        let file = format!("{run}.onnx");
        let text = roughboard(&["export", "onnx", &run, "--out", &file]).ended(0).stdout;
        assert!(text.contains("(batch, 91)"), "{text}");
        assert!(std::fs::read(&file).unwrap() == model);
        for opset in ["12", "22"] {
            let error = roughboard(&["export", "onnx", &run, "--out", &file, "--force", "--opset", opset]).refusal();
            assert!(error.contains("`--opset` must be in [13, 21]"), "{error}");
        }
    }
}

/// A model of a network that learned beside a skip term adds what that says.
fn check_offset((net, about): (&Net, &About), input: (&str, Tensor)) {
    let mut about = about.clone();
    about.settings["skip"] = serde_json::json!({"evaluator": "traditional", "scale": 1.0});
    let offsets = [0.3_f32, -0.2, 0.0, 1.5];
    let export = Export { net, about: &about, attributes: &[], opset: 13 };
    let offset = Tensor { shape: vec![4], values: offsets.map(f64::from).to_vec() };
    let y = run_model(&export.to_bytes().unwrap(), &[input, ("offset", offset)]);
    let codes = codes();
    let expected = net.outputs(CodeRows::new(&codes, 91).with_offsets(Some(&offsets)));
    for (y, expected) in y.values.iter().zip(expected) {
        assert!((y - f64::from(expected)).abs() < 1e-5, "{y} {expected}");
    }
}

/// A Python that has all of `modules`; `ROUGHBOARD_PYTHON` says which, `python3` without it. Says so if there is none.
fn python(modules: &str) -> Option<Command> {
    let name = std::env::var("ROUGHBOARD_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&name).args(["-c", &format!("import {modules}")]).output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(Command::new(name));
    }
    eprintln!("skipped: `{name}` cannot import {modules}; ROUGHBOARD_PYTHON names another Python");
    None
}

/// The first block of Python in a document.
fn python_of(document: &str) -> String {
    let text = std::fs::read_to_string(format!("{}/{document}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    text.split("```python\n").nth(1).unwrap().split("```").next().unwrap().to_owned()
}

#[test]
fn the_documented_snippet_of_python_gives_the_values_of_networks() {
    let Some(mut python) = python("numpy, safetensors") else { return };
    let trainer = Trainer::new();
    let networks = networks(&trainer);
    let file = |path: &String| format!("{path}/net.safetensors");
    let files: Vec<String> = networks.iter().map(|(path, ..)| file(path)).collect();
    let loop_over = format!("for file in {files:?}:\n  for fen in {POSITIONS:?}: print(value(file, fen))\n");
    let script = trainer.files.write("snippet.py", python_of("docs/formats.md") + &loop_over);
    let output = python.arg(script).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let values: Vec<f32> = text.lines().map(|line| line.parse().unwrap()).collect();
    let expected: Vec<f32> = networks.iter().flat_map(|(_, net, _)| outputs(net)).collect();
    assert_eq!(values.len(), expected.len(), "{}", String::from_utf8_lossy(&output.stderr));
    for (value, expected) in values.iter().zip(&expected) {
        assert!((value - expected).abs() < 1e-5, "{value} {expected}");
    }
}

#[test]
fn onnxruntime_agrees_with_the_networks() {
    let Some(mut python) = python("numpy, safetensors, onnxruntime") else { return };
    let trainer = Trainer::new();
    let runs = networks(&trainer).into_iter().map(|(run, ..)| run);
    let script = format!("{}/benches/peers/onnx_check.py", env!("CARGO_MANIFEST_DIR"));
    let output = python.args([&script, "--roughboard", env!("CARGO_BIN_EXE_roughboard")]).args(runs).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.lines().count(), METHODS.len() + SHAPES.len(), "{text}");
}
