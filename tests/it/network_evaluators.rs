//! Networks in search: sums that follow the game, whole numbers of fewer bits, skip terms, explanations.

use rand::RngExt;
use roughboard::disk::sha256;
use roughboard::eval::network::{Explanation, NetworkEvaluator, SCORE_UNIT};
use roughboard::eval::skip_argument;
use roughboard::eval::xiangqi::{Traditional, XiangqiFeatures};
use roughboard::eval::{Catalogue, Network as GameNetwork};
use roughboard::features::FeatureSet;
use roughboard::features::board91::Board91;
use roughboard::game::{Game, Notation};
use roughboard::games::xiangqi::Xiangqi;
use roughboard::net::Net;
use roughboard::net::dense::{ActivationFunction, DenseShape, InputForm};
use roughboard::net::math::tanh;
use roughboard::net::rough::{NeuronCondition, Product, RoughForm, RoughShape, RuleNeuron};
use roughboard::net::store::{self, About, StoreError};
use roughboard::net::{Bits, CodeRows, Coding, DenseNet, IntegerNet, Network, RoughNet, SUPPLIED_NETWORKS, residual};
use roughboard::random::stream;

use super::command::{Files, roughboard};

fn coding(features: &impl FeatureSet<Xiangqi>) -> Coding {
    let inputs: Vec<Vec<f32>> = features.attributes().into_iter().map(|spec| spec.inputs).collect();
    Coding::new(&inputs)
}

fn rough(coding: Coding, rules: usize) -> Net {
    let mut draw = stream(3, "test network", 0);
    let weights = (0..coding.n_classes() * rules + rules + 1).map(|_| draw.random::<f32>() - 0.5).collect();
    let inputs = (0..coding.n_attributes()).filter(|t| t % 7 != 3).collect();
    Net::Rough(RoughNet::from_parameters(coding, inputs, RoughShape::default(), (rules, 0.05), weights).unwrap())
}

fn dense(coding: Coding, hidden: &[usize], activation: ActivationFunction, inputs: InputForm) -> Net {
    Net::Dense(DenseNet::random(coding, DenseShape { hidden: hidden.to_vec(), activation, inputs }, 3, "test network"))
}

/// A rough network whose products run over the conditions of its rules, so that its first layer has no rows.
fn rough_without_rows(coding: Coding, form: RoughForm) -> Net {
    let n = coding.n_attributes();
    let condition = |attribute| NeuronCondition { attribute, first: 0, last: 1 };
    let neuron =
        |t| RuleNeuron { conditions: vec![condition(t), condition(n - 1)], decision: 0, value: 1.0, inclusion: 0.5 };
    let rules: Vec<RuleNeuron> = (0..4).map(|i| neuron(i * 5)).collect();
    let shape = RoughShape { form, product: Product::Own, rules, ..RoughShape::default() };
    let weights = |n: usize| (0..n).map(|i| (i % 7) as f32 * 0.1 - 0.3).collect();
    let inputs: Vec<usize> = (0..n).collect();
    let net = (1..2000)
        .find_map(|n| RoughNet::from_parameters(coding.clone(), inputs.clone(), shape.clone(), (4, 0.5), weights(n)));
    Net::Rough(net.unwrap())
}

/// Plain networks of all shapes, and rough ones.
fn nets(coding: &Coding) -> Vec<Net> {
    let mut nets = vec![rough(coding.clone(), 9)];
    nets.extend([RoughForm::Default, RoughForm::Literal].map(|form| rough_without_rows(coding.clone(), form)));
    for hidden in [&[][..], &[17], &[100], &[20, 5]] {
        for activation in [ActivationFunction::Tanh, ActivationFunction::Sigmoid, ActivationFunction::Relu] {
            nets.push(dense(coding.clone(), hidden, activation, InputForm::Numbers));
        }
        nets.push(dense(coding.clone(), hidden, ActivationFunction::Tanh, InputForm::OneHot));
    }
    nets
}

fn about(features: &str) -> About {
    About {
        format: store::FORMAT,
        game: Xiangqi::NAME.to_owned(),
        features: features.to_owned(),
        method: "bp".to_owned(),
        settings: serde_json::json!({}),
        inputs: Vec::new(),
        rules: Vec::new(),
    }
}

/// The output for Red, from scratch and in floating point.
fn output(net: &Net, features: &impl FeatureSet<Xiangqi>, position: &Xiangqi) -> f32 {
    let mut codes = vec![0; features.n_attributes()];
    features.encode(position, &mut codes);
    net.outputs(CodeRows::new(&codes, codes.len()))[0]
}

/// The output for an argument.
fn y_of(net: &Net, argument: f32) -> f32 {
    match net {
        Net::Rough(net) if net.shape().form == RoughForm::Literal => argument.clamp(-1.0, 1.0),
        _ => tanh(argument),
    }
}

/// Visits the positions of a random game in which one move in three is taken back.
fn playout(number: u64, mut visit: impl FnMut(&Xiangqi)) {
    let mut draw = stream(9, "playout with moves taken back", number);
    let (mut game, mut moves) = (Xiangqi::start(), Vec::new());
    for _ in 0..80 {
        visit(&game);
        moves.clear();
        game.legal_moves(&mut moves);
        if game.plies() > 0 && (moves.is_empty() || draw.random_range(0..3) == 0) {
            game.undo();
        } else {
            game.play(moves[draw.random_range(0..moves.len())]);
        }
    }
}

#[test]
fn following_equals_from_scratch_for_every_kind_of_network_and_features() {
    for name in XiangqiFeatures::NAMES {
        let features = XiangqiFeatures::from_name(name).unwrap();
        for (number, net) in nets(&coding(&features)).iter().enumerate() {
            let mut following = NetworkEvaluator::<Xiangqi, _>::new(net, features.clone());
            playout(number as u64, |position| {
                let (y, expected) = (y_of(net, following.argument(position)), output(net, &features, position));
                assert!((y - expected).abs() < 1e-5, "{name}, network {number}: {y}, not {expected}");
            });
        }
    }
}

#[test]
fn values_do_not_depend_on_the_way_whatever_the_bits() {
    for bits in [Bits::Eight, Bits::Sixteen, Bits::ThirtyTwo] {
        for net in nets(&coding(&Board91)).iter().step_by(3) {
            let net = IntegerNet::of(net, bits);
            assert!(net.rows().largest_sum() <= bits.largest_sum());
            let mut following = NetworkEvaluator::<Xiangqi, _>::playing(net.clone(), Board91);
            playout(1, |position| {
                let fresh = NetworkEvaluator::<Xiangqi, _>::playing(net.clone(), Board91).argument(position);
                assert_eq!(following.argument(position), fresh);
            });
        }
    }
}

#[test]
fn fewer_bits_change_little() {
    for (bits, most) in [(Bits::Eight, 0.2), (Bits::Sixteen, 2e-3)] {
        for net in
            [rough(coding(&Board91), 9), dense(coding(&Board91), &[100], ActivationFunction::Tanh, InputForm::Numbers)]
        {
            let mut rounded = NetworkEvaluator::<Xiangqi, _>::playing(IntegerNet::of(&net, bits), Board91);
            playout(2, |position| {
                let change = (tanh(rounded.argument(position)) - output(&net, &Board91, position)).abs();
                assert!(change < most, "{bits:?}: {change}");
            });
        }
    }
}

#[test]
fn networks_in_whole_numbers_are_read_back_for_play_only() {
    let files = Files::new();
    let path = files.path("net.safetensors");
    for net in nets(&coding(&Board91)) {
        for bits in [Bits::Eight, Bits::Sixteen] {
            let integer = IntegerNet::of(&net, bits);
            store::save_quantised(&path, &integer, &about("board91")).unwrap();
            let (read, description) = store::load_for_play(&path).unwrap();
            assert_eq!((read.rows(), description), (integer.rows(), about("board91")));
            let refused = store::load(&path).unwrap_err().to_string();
            assert!(refused.contains("whole numbers"), "{refused}");
        }
        store::save(&path, &net, &about("board91")).unwrap();
        assert_eq!(store::load_for_play(&path).unwrap().0, IntegerNet::of(&net, Bits::ThirtyTwo));
    }
}

#[test]
fn sizes_that_the_rows_do_not_have_ask_for_no_memory() {
    let files = Files::new();
    let net = IntegerNet::of(&rough(coding(&Board91), 9), Bits::Eight);
    let bytes = crate::command::without_sum(store::quantised_to_bytes(&net, &about("board91")).unwrap());
    let n = usize::from_le_bytes(bytes[..8].try_into().unwrap());
    let mut head: serde_json::Value = serde_json::from_slice(&bytes[8..8 + n]).unwrap();
    let [from, to] = [0, 1].map(|at| head["rows"]["data_offsets"][at].as_u64().unwrap());
    head["rows"]["shape"] = serde_json::json!([1, to - from]);
    let head = head.to_string();
    let changed = [&(head.len() as u64).to_le_bytes()[..], head.as_bytes(), &bytes[8 + n..]].concat();
    let error = store::load_for_play(&files.write("net.safetensors", changed)).unwrap_err();
    assert!(matches!(&error, StoreError::Tensor { tensor, .. } if tensor == "rows"), "{error}");
    let (read, other) = (store::load(&files.path("net.safetensors")).unwrap_err().to_string(), error.to_string());
    assert_eq!(read, other, "before anything is made of it");
}

#[test]
fn a_network_over_no_attributes_is_refused() {
    let files = Files::new();
    let net = dense(Coding::new(&[]), &[], ActivationFunction::Tanh, InputForm::OneHot);
    let path = files.path("net.safetensors");
    store::save(&path, &net, &about("board91")).unwrap();
    let error = store::load(&path).unwrap_err().to_string();
    assert!(error.contains("`n_values`") && error.contains("at least one attribute"), "{error}");
}

#[test]
fn rows_whose_sums_might_not_fit_are_refused() {
    let files = Files::new();
    let net = IntegerNet::of(&rough(coding(&Board91), 9), Bits::Sixteen);
    let mut bytes = crate::command::without_sum(store::quantised_to_bytes(&net, &about("board91")).unwrap());
    let number = net.rows().numbers(0)[0] as i16;
    let row: Vec<u8> = net.rows().numbers(0).iter().flat_map(|&q| (q as i16).to_le_bytes()).collect();
    let at = bytes.windows(row.len()).position(|window| window == row).unwrap();
    assert_ne!(number, i16::MAX);
    bytes[at..at + 2].copy_from_slice(&i16::MAX.to_le_bytes());
    let error = store::load_for_play(&files.write("net.safetensors", bytes)).unwrap_err();
    assert!(matches!(&error, StoreError::Tensor { tensor, .. } if tensor == "rows"), "{error}");
}

/// What a file says of a network that was trained beside the traditional evaluator.
fn beside_traditional(scale: f32) -> About {
    let name = "traditional";
    let settings = serde_json::json!({ "skip": { "evaluator": name, "scale": scale } });
    let inputs = vec![(name.to_owned(), sha256(Xiangqi::identity(name).unwrap().unwrap().as_bytes()))];
    About { settings, inputs, ..about("board91") }
}

#[test]
fn a_network_adds_to_the_evaluator_it_was_trained_beside() {
    let net = dense(coding(&Board91), &[6], ActivationFunction::Tanh, InputForm::Numbers);
    let about = beside_traditional(0.5);
    let network = GameNetwork::<Xiangqi>::of("net", IntegerNet::of(&net, Bits::ThirtyTwo), &about).unwrap();
    let mut evaluator = network.evaluator();
    let mut traditional = Traditional::default();
    playout(4, |position| {
        let offset = 0.5 * skip_argument(&mut traditional, position);
        let explained = Explanation::of((&net, &about), &Board91, Some(offset), position);
        let score = evaluator.evaluate(position);
        let red = evaluator.expected_result(score) * f64::from(position.side_to_move().sign());
        assert!((red - explained.value).abs() < 2.0 / f64::from(SCORE_UNIT), "{red}, not {}", explained.value);
        assert_eq!(explained.offset, Some(f64::from(offset)));
    });
}

#[test]
fn an_explanation_names_pieces_and_adds_up() {
    let position = Xiangqi::from_notation("4k4/9/9/9/9/9/9/9/7R1/3K5 b").unwrap();
    let net = dense(coding(&Board91), &[], ActivationFunction::Tanh, InputForm::Numbers);
    let explained = Explanation::of((&net, &about("board91")), &Board91, None, &position);
    let words: Vec<&str> = explained.parts.iter().map(|part| part.words.as_str()).collect();
    for word in ["red rook on h1", "red king on d0", "black king on e9", "Black to move"] {
        assert!(words.contains(&word), "{words:?}");
    }
    assert_eq!(words.len(), 4);
    // Without hidden layers the argument is a sum, so what one piece changes is known.
    let without = Xiangqi::from_notation("4k4/9/9/9/9/9/9/9/9/3K5 b").unwrap();
    let rook = explained.parts.iter().find(|part| part.words.contains("rook")).unwrap();
    let expected = f64::from(output(&net, &Board91, &position) - output(&net, &Board91, &without));
    assert!((rook.change - expected).abs() < 1e-6 && explained.rules.is_empty());
    assert!((explained.value - explained.argument.tanh()).abs() < 1e-6);
}

#[test]
fn rules_are_explained_by_their_shares() {
    let net = rough(coding(&Board91), 5);
    let rules: Vec<String> = (0..5).map(|_| "IF e9 = -6000 THEN result = -1 (5 of 6, 0.83)".to_owned()).collect();
    let about = About { rules, ..about("board91") };
    let explained = Explanation::of((&net, &about), &Board91, None, &Xiangqi::start());
    let Net::Rough(net) = &net else { panic!("not a rough network") };
    assert!((explained.rules.iter().map(|rule| rule.share).sum::<f64>() - 1.0).abs() < 1e-6);
    let argument = explained.rules.iter().map(|rule| rule.product()).sum::<f64>() + f64::from(net.bias());
    assert!((argument - explained.argument).abs() < 1e-5);
    let first = &explained.rules[0];
    assert_eq!((first.rule.as_str(), first.decision.as_str()), ("black king on e9", "result = -1"));
    assert_eq!(first.conditions.len(), 3);
    assert!(explained.rules.windows(2).all(|pair| pair[0].share >= pair[1].share));
}

#[test]
fn quantise_writes_a_network_that_plays_and_tells_the_loss() {
    let files = Files::new();
    let trained = files.path("trained.safetensors");
    store::save(&trained, &rough(coding(&Board91), 4), &about("board91")).unwrap();
    let game = files.write("game.pgn", "[Game \"Chinese Chess\"]\n[Result \"1-0\"]\n\n1. h2e2 h9g7 2. h0g2 1-0\n");
    let (trained, game) = (trained.to_str().unwrap(), game.to_str().unwrap());
    for bits in ["8", "16"] {
        let out = files.path(&format!("{bits}.safetensors"));
        let out = out.to_str().unwrap();
        let line = ["quantise", trained, "--bits", bits, "--out", out, "--games", game, "--json", "--quiet"];
        let json = roughboard(&line).ended(0).json();
        assert_eq!((json["positions"].as_u64(), json["bits"].as_u64()), (Some(3), bits.parse().ok()));
        assert!(json["largest_change"].as_f64().unwrap() < 0.05 && json["mse_after"].as_f64().unwrap() > 0.0);
        let value = |evaluator: &str| {
            roughboard(&["eval", "--evaluator", evaluator, "--json"]).ended(0).json()["expected_result"]
                .as_f64()
                .unwrap()
        };
        assert!((value(out) - value(trained)).abs() < 0.05);
        assert!(roughboard(&["eval", "--evaluator", out, "--explain"]).refusal().contains("whole numbers"));
        let again = ["quantise", out, "--bits", "8", "--out", trained, "--force"];
        assert!(roughboard(&again).refusal().contains("whole numbers"));
    }
    let over = ["quantise", trained, "--bits", "8", "--out", trained, "--games", game, "--force"];
    assert!(roughboard(&over).refusal().contains("is to be read and written"));
    let new = files.path("new.safetensors");
    let fresh = ["quantise", trained, "--bits", "8", "--out", new.to_str().unwrap(), "--games", game];
    let text = roughboard(&fresh).ended(0).stdout;
    assert!(text.contains("largest change of y") && text.contains("3 positions"), "{text}");
}

#[test]
fn eval_explains_networks_in_text_and_json() {
    let files = Files::new();
    let path = files.path("net.safetensors");
    let rules = vec!["IF e9 = -6000 THEN result = -1 (5 of 6, 0.83)".to_owned(); 12];
    store::save(&path, &rough(coding(&Board91), 12), &About { rules, ..about("board91") }).unwrap();
    let path = path.to_str().unwrap();
    let json = roughboard(&["eval", "--evaluator", path, "--explain", "--json"]).ended(0).json();
    let network = &json["network"];
    assert_eq!(network["parts"].as_array().map(Vec::len), Some(33));
    assert_eq!(network["rules"].as_array().map(Vec::len), Some(12));
    assert!((network["value_for_red"].as_f64().unwrap() - json["expected_result"].as_f64().unwrap()).abs() < 1e-3);
    let text = roughboard(&["eval", "--evaluator", path, "--explain"]).ended(0).stdout;
    for word in ["Rules, 10 of 12", "black king on e9", "bias", "Red to move", "result = -1"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn networks_that_come_with_the_program_have_short_names() {
    for network in SUPPLIED_NETWORKS {
        let (name, path) = (network.name, std::path::Path::new(network.name));
        let (game, stated) = match name {
            "zero" => ("surakarta", residual::store::load(path).unwrap().1.game),
            "tdbp" => ("connect6", store::load(path).unwrap().1.game),
            _ => ("xiangqi", store::load(path).unwrap().1.game),
        };
        assert_eq!(stated, game);
        assert!(store::network_bytes(path).unwrap().len() <= 2_000_000, "{name}");
        let file = format!("{}/datasets/nets/{name}.safetensors", env!("CARGO_MANIFEST_DIR"));
        let eval = |evaluator: &str| roughboard(&["eval", "--game", game, "--evaluator", evaluator, "--json"]);
        assert_eq!(eval(name).json()["value"], eval(&file).json()["value"]);
        if game == "xiangqi" {
            // With endings behind it, as the engine plays.
            eval(&format!("{name}+endings")).ended(0);
        }
    }
    // Of another game they are refused.
    let error = roughboard(&["eval", "--game", "connect6", "--evaluator", "bp"]).refusal();
    let expected = "there is no evaluator of connect6 called `bp`";
    assert!(error.contains(expected) && error.contains("it is one of xiangqi: `--game xiangqi`"), "{error}");
    // Where a run has such a name, it is not guessed which is meant.
    let files = Files::new();
    std::fs::create_dir(files.path("bp")).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_roughboard"));
    let output = command.args(["eval", "--evaluator", "bp"]).current_dir(files.folder.path()).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && error.contains("write `./bp`"), "{error}");
}
