//! `eval`, evaluators with fewer terms, and `reproduce evaluation-terms` as a user calls them.

use roughboard::games::xiangqi::Xiangqi;

use super::command::{Files, roughboard};
use super::conversation::Conversation;

const MORE_ROOK: &str = "4k4/9/9/9/9/9/9/9/7R1/3K5 b";

#[test]
fn eval_explains_the_value_term_by_term() {
    let run = roughboard(&["eval", "--fen", MORE_ROOK, "--explain", "--json"]).ended(0);
    let json = run.json();
    assert_eq!((json["side_to_move"].as_str(), json["terms"].as_array().map(Vec::len)), (Some("black"), Some(6)));
    let number = |value: &serde_json::Value| value.as_i64().unwrap();
    let differences: i64 = json["terms"].as_array().unwrap().iter().map(|term| number(&term["difference"])).sum();
    assert_eq!(differences, number(&json["value_for_red"]));
    assert_eq!(number(&json["value"]), -differences);
    assert!(json["expected_result"].as_f64().unwrap() < -0.7);
    let text = roughboard(&["eval", "--fen", MORE_ROOK, "--explain"]).ended(0).stdout;
    for word in ["for black, to move", "material", "threats", "difference", "sum"] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[test]
fn eval_takes_the_initial_position_and_any_terms() {
    let json = roughboard(&["eval", "--evaluator", "traditional:material", "--json"]).ended(0).json();
    assert_eq!((json["value"].as_i64(), json["side_to_move"].as_str()), (Some(0), Some("red")));
    assert!(json.get("terms").is_none());
    let error = roughboard(&["eval", "--evaluator", "traditional:e6"]).refusal();
    assert!(error.contains("unknown term `e6`") && error.contains("`threats`"), "{error}");
    for engine in ["engine:pikafish", "engine:/no/such/engine"] {
        let error = roughboard(&["eval", "--evaluator", engine]).refusal();
        assert!(
            error.contains("; engines can play in `match` and `play`, but cannot evaluate positions here"),
            "{error}"
        );
    }
    assert!(roughboard(&["eval", "--fen", "nonsense"]).refusal().contains("invalid position"));
}

#[test]
fn eval_tells_the_centipawns_of_the_engine() {
    for evaluator in ["rough", "traditional"] {
        let json = roughboard(&["eval", "--evaluator", evaluator, "--fen", MORE_ROOK, "--json"]).ended(0).json();
        let mut engine = Conversation::<Xiangqi>::new();
        let said = engine.say(&format!("setoption name EvalFile value {evaluator}"))
            + &engine.say(&format!("position fen {MORE_ROOK}"))
            + &engine.say("eval");
        let words = format!("eval {:+} centipawns for black", json["centipawns"].as_i64().unwrap());
        assert!(said.contains(&words), "{words}: {said}");
    }
}

#[test]
fn the_board_of_an_explanation_has_every_piece() {
    let text = roughboard(&["eval", "--evaluator", "rough", "--explain"]).ended(0).stdout;
    let board: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("What each piece changes")).collect();
    let cells = |line: &&str| line.split_whitespace().filter(|cell| cell.chars().all(char::is_alphabetic)).count();
    let ranks = board.iter().skip_while(|line| !line.starts_with(['9', ' '])).take(12);
    let pieces: usize = ranks.map(cells).sum();
    assert_eq!(pieces, 32 + "abcdefghi".len(), "{text}");
    let json = roughboard(&["eval", "--evaluator", "rough", "--explain", "--json"]).ended(0).json();
    let numbers = |value: &serde_json::Value| value["number"].as_u64().unwrap();
    let rules = json["network"]["rules"].as_array().unwrap();
    assert_eq!(rules.iter().map(numbers).min(), Some(1), "as `inspect` counts them");
}

#[test]
fn a_match_of_other_terms_is_refused() {
    let files = Files::new();
    let run = files.path("run");
    let play = |terms: &str| {
        let (a, run) = (format!("traditional:{terms}"), run.to_str().unwrap());
        let short = ["--games", "2", "--depth", "1", "--max-plies", "14", "--quiet", "--resume", "--out", run];
        roughboard(&[&["match", &a, "traditional"], &short[..]].concat())
    };
    play("e1").ended(0);
    play("e1").ended(0);
    play("e1+e2").refusal();
}

#[test]
fn evaluation_terms_writes_the_same_bytes_on_any_number_of_threads() {
    let files = Files::new();
    let outputs = ["1", "2"].map(|threads| {
        let folder = files.path(threads);
        let out = folder.to_str().unwrap();
        let tiny = ["--smoke", "--threads", threads, "--quiet", "--out", out];
        roughboard(&[&["reproduce", "evaluation-terms"], &tiny[..]].concat()).ended(0);
        ["tables.md", "matches.csv", "games.csv", "matches.svg", "config.toml", "manifest.json"]
            .map(|name| std::fs::read_to_string(folder.join(name)).unwrap())
    });
    assert_eq!(outputs[0], outputs[1]);
    assert_eq!(outputs[0][1].lines().count(), 13, "{}", outputs[0][1]);
    let refused = roughboard(&["reproduce", "evaluation-terms", "--set", "games=3"]).refusal();
    assert!(refused.contains("games"), "{refused}");
}
