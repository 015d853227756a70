//! TD-BP on Connect6: features beside brute-force counts, learning by playing, and the experiments' smallest runs.

use roughboard::features::FeatureSet;
use roughboard::features::patterns64::{EIGHT, PatternCounts};
use roughboard::game::playout::random_moves;
use roughboard::game::{Notation, Side};
use roughboard::games::connect6::{Connect6, Pattern};
use roughboard::net::Net;
use roughboard::net::dense::{ActivationFunction, DenseShape, InputForm};
use roughboard::net::{Coding, DenseNet, Network};
use roughboard::random;
use roughboard::train::play::{
    LearnFrom, LearnerGames, Learning, Lookahead, Opponent, PlayLambda, PlaySettings, score_of,
};
use roughboard::train::{Schedule, UpdateTime, alpha_of_probabilities};

use crate::command::{Files, roughboard, words};

/// Positions of random games, dense enough that every class turns up.
fn positions() -> Vec<Connect6> {
    let mut positions = Vec::new();
    for seed in 0..20 {
        let mut draws = random::stream(seed, "connect6 learning", 0);
        let mut game = Connect6::of_size(8).unwrap();
        random_moves(&mut game, 40, &mut draws, |position| positions.push(position.clone()));
    }
    positions
}

/// Counted stretch by stretch, without what the board keeps.
fn count_by_stretches(position: &Connect6, side: Side, pattern: Pattern) -> usize {
    position.stretches(side).filter(|(_, _, stretch)| stretch.pattern_by_definition() == pattern).count()
}

#[test]
fn features_are_the_numbers_of_stretches_up_to_three() {
    let mut seen = [false; 4];
    for position in positions() {
        let mut codes = [9; 16];
        PatternCounts::S2.encode(&position, &mut codes);
        for (side, codes) in [Side::First, Side::Second].into_iter().zip(codes.chunks(8)) {
            for (&pattern, &code) in EIGHT.iter().zip(codes) {
                let expected = count_by_stretches(&position, side, pattern).min(3);
                assert_eq!(usize::from(code), expected, "{} of {side:?} in {}", pattern.name(), position.notation());
                seen[usize::from(code)] = true;
            }
        }
    }
    assert_eq!(seen, [true; 4]);
}

fn settings(opponent: Opponent, games: usize) -> PlaySettings {
    let alpha = Schedule::constant(alpha_of_probabilities(0.3));
    PlaySettings {
        opponent,
        games,
        batch: 4,
        lookahead: Lookahead { depth: 1, quiescence_plies: 0, width: 8 },
        learn_from: LearnFrom::Positions,
        explore: 0.05,
        random_plies: 3,
        ply_cap: 80,
        learning: Learning { alpha, lambda: 0.7, update: UpdateTime::Game },
        measure_every: games,
    }
}

fn untrained() -> Net {
    let specs = PatternCounts::S2.attributes();
    let coding = Coding::new(&specs.into_iter().map(|spec| spec.inputs).collect::<Vec<_>>());
    let shape = DenseShape { hidden: vec![18], activation: ActivationFunction::Sigmoid, inputs: InputForm::OneHot };
    Net::Dense(DenseNet::random(coding, shape, 1, "test"))
}

fn learner(settings: PlaySettings) -> PlayLambda<'static, Connect6, PatternCounts> {
    PlayLambda::new(LearnerGames { settings, seed: 1, features: &PatternCounts::S2, opponent: None }, None)
}

/// Played in one go, and in parts by learners that know nothing but the network of the part before.
#[test]
fn games_learned_in_parts_give_the_same_weights() {
    let settings = || settings(Opponent::Itself, 24);
    let mut whole = untrained();
    learner(settings()).learn_games(&mut whole, 0..24, |_| ()).unwrap();
    let mut parts = untrained();
    for range in [0..8, 8..12, 12..24] {
        learner(settings()).learn_games(&mut parts, range, |_| ()).unwrap();
    }
    assert_eq!(whole.parameters(), parts.parameters());
    assert_ne!(whole.parameters(), untrained().parameters());
}

#[test]
fn a_short_run_learns_to_beat_a_random_mover() {
    let mut net = untrained();
    let mut method = learner(settings(Opponent::Random, 200));
    method.learn_games(&mut net, 0..200, |_| ()).unwrap();
    let score = score_of(method.points(), 200, 100).unwrap();
    assert!(score > 0.9, "{score}");
}

#[test]
fn the_smallest_runs_of_both_experiments_write_their_results() {
    let files = Files::new();
    for (name, expected) in [
        ("connect6-tdbp", ["tables.md", "curve.csv", "grid.csv", "final.csv", "curve.svg", "games.pgn.zst"]),
        ("connect6-steps", ["tables.md", "exact.csv", "heuristics.csv", "exact.svg", "heuristics.svg", "headline.csv"]),
        ("connect6-records", ["tables.md", "methods.csv", "errors.csv", "right.csv", "right.svg", "errors.svg"]),
    ] {
        let out = files.path(name);
        roughboard(&["reproduce", name, "--smoke", "--out", out.to_str().unwrap()]).ended(0);
        for file in expected {
            assert!(out.join(file).exists(), "{name}: {file}");
        }
    }
}

#[test]
fn curves_of_several_seeds_say_so() {
    let files = Files::new();
    let out = files.path("run");
    let command = ["reproduce", "connect6-tdbp", "--smoke", "--set", "seeds=2", "--out", out.to_str().unwrap()];
    roughboard(&command).ended(0);
    let page = std::fs::read_to_string(out.join("tables.md")).unwrap();
    assert!(
        page.contains("; curves are means over the seeds 1 to 2, with a band of one standard deviation\n"),
        "{page}"
    );
}

/// With other values in its file, the run is another.
#[test]
fn an_evaluator_with_the_values_of_a_file_is_recorded_by_what_the_file_says() {
    let files = Files::new();
    let printed = roughboard(&["eval", "--game", "connect6", "--print-values"]).ended(0).stdout;
    let values = files.path("values.txt");
    let evaluator = format!("static:{}", values.display());
    for (name, setting, sentence) in [
        ("connect6-tdbp", format!("opponents=[{evaluator:?}]"), format!("opponents: `{evaluator}`, ")),
        ("connect6-records", format!("evaluator={evaluator:?}"), format!("* the {evaluator} evaluation has one ")),
    ] {
        let out = files.path(name);
        let command = ["reproduce", name, "--smoke", "--resume", "--set", &setting, "--out", out.to_str().unwrap()];
        std::fs::write(&values, &printed).unwrap();
        roughboard(&command).ended(0);
        assert!(roughboard(&command).ended(0).stdout.contains("finished before"), "{name}");
        let page = std::fs::read_to_string(out.join("tables.md")).unwrap();
        assert!(page.contains(&sentence) && !page.contains("fitted to most of"), "{page}");
        std::fs::write(&values, printed.replace("\nA = 1\n", "\nA = 2\n")).unwrap();
        let error = roughboard(&command).refusal();
        assert!(error.contains("inputs.1.static:"), "{error}");
    }
}

#[test]
fn a_network_for_connect6_is_trained_and_inspected_by_its_file() {
    let files = Files::new();
    let [games, run, model] = ["games.pgn", "run", "net.onnx"].map(|name| files.path(name));
    let text = |path: &std::path::Path| path.to_str().unwrap().to_owned();
    let [games, run, model] = [text(&games), text(&run), text(&model)];
    let made = words("games generate self-play --game connect6 --games 30 --depth 1");
    roughboard(&[&made[..], &["--out", &games]].concat()).ended(0);
    let train = words(
        "train td --game connect6 --one-hot --hidden 18 --activation sigmoid --alpha 0.075 --lambda 0.7 --play self --depth 1 --quiescence-plies 0 --width 8 --games-to-play 20 --measure-every 10 --max-plies 80",
    );
    let train = [&train[..], &["--games", &games, "--out", &run]].concat();
    roughboard(&train).ended(0);
    let exported = roughboard(&["export", "onnx", &run, "--out", &model]).ended(0);
    assert!(exported.stdout.contains("(batch, 16)"), "one code an attribute: {}", exported.stdout);
    let other = text(&files.path("other"));
    let wrong =
        roughboard(&["train", "bp", "--game", "connect6", "--games", &games, "--features", "board91", "--out", &other]);
    let refusal = wrong.refusal();
    assert!(
        refusal.contains("`--features` must be one of patterns64, patterns64-turn, patterns-all-turn, got board91"),
        "{refusal}"
    );
}

/// Answers to threats multiply in a search that looks at all of them: it would not come to an end.
#[test]
fn a_teacher_searches_within_the_width_of_its_game() {
    let files = Files::new();
    let [games, run] = ["games.pgn", "run"].map(|name| files.path(name).display().to_string());
    let generate = words("games generate self-play --game connect6 --games 8 --depth 1 --out");
    roughboard(&[&generate[..], &[games.as_str()]].concat()).ended(0);
    let train = words("train bp --game connect6 --hidden none --passes 1 --target search --teacher-depth 1 --games");
    roughboard(&[&train[..], &[games.as_str(), "--out", &run]].concat()).ended(0);
}
