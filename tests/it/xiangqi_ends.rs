//! How games of Xiangqi end: mate, stalemate, repetition, plies without capture.

use roughboard::game::{End, Game, Outcome, Side};
use roughboard::games::xiangqi::Xiangqi;
use serde_json::Value;

fn played(fen: &str, moves: &[&str]) -> Xiangqi {
    let mut game = Xiangqi::from_notation(fen).unwrap();
    for mv in moves {
        game.play(game.parse_move(mv).unwrap());
    }
    game
}

fn verdict(end: Option<End>) -> &'static str {
    match end.map(|end| end.outcome) {
        None => "none",
        Some(Outcome::Draw) => "draw",
        Some(Outcome::Win(Side::First)) => "red-wins",
        Some(Outcome::Win(Side::Second)) => "black-wins",
    }
}

fn cases(text: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(text).unwrap();
    document["cases"].as_array().unwrap().clone()
}

fn verdict_of(case: &Value) -> &'static str {
    let moves: Vec<_> = case["moves_iccs"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
    verdict(played(case["fen"].as_str().unwrap(), &moves).end())
}

/// Cases that need no rule but mate, stalemate, perpetual check, plain repetition and plies without capture.
const RULES_OF_CHECK: [&str; 19] = [
    "fsf-07", "fsf-08", "fsf-16", "fsf-17", "fsf-18", "fsf-19", "fsf-20", "own-01", "own-02", "own-03", "own-07",
    "own-09", "own-10", "own-13", "mat-02", "mat-04", "end-01", "end-02", "clk-01",
];

#[test]
fn cases_of_check_and_plain_repetition_are_judged_as_agreed() {
    let cases = cases(include_str!("../data/xiangqi_rules.json"));
    for id in RULES_OF_CHECK {
        let case = cases.iter().find(|case| case["id"] == id).unwrap();
        assert_eq!(verdict_of(case), case["expected"], "{id}: {}", case["note"]);
    }
}

#[test]
fn perpetual_check_of_the_rule_book_is_judged_as_there() {
    let cases = cases(include_str!("../data/xiangqi_repetition.json"));
    let of_check = cases
        .iter()
        .filter(|case| ["perpetual check tests.", "two-to-one check."].contains(&case["note"].as_str().unwrap()));
    let mut judged = 0;
    for case in of_check {
        assert_eq!(verdict_of(case), case["expected_wxf"], "{}", case["id"]);
        judged += 1;
    }
    assert_eq!(judged, 12);
}

#[test]
fn the_reason_of_an_end_is_told() {
    let end = |fen, moves: &[&str]| played(fen, moves).end().map(|end| end.reason);
    assert_eq!(end("3k5/3PP4/9/9/9/9/9/9/9/4K4 b", &[]), Some("checkmate"));
    assert_eq!(end("5k3/4P4/9/9/9/9/9/9/9/4K4 b", &[]), Some("stalemate"));
    assert_eq!(end("3k5/9/9/9/9/r8/9/1R7/9/4K4 w - - 119 80", &["b2b3"]), Some("120 plies without capture"));
    assert_eq!(end("3k5/9/9/9/9/r8/9/1R7/9/4K4 w - - 118 80", &["b2b3"]), None);
    let shuffle = ["h0g2", "h9g7", "g2h0", "g7h9"].repeat(2);
    let start = Xiangqi::start().notation();
    assert_eq!(end(&start, &shuffle), Some("repetition"));
    assert_eq!(end(&start, &shuffle[..7]), None);
    let checks = ["a1a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8", "d8d9", "a8a9"];
    assert_eq!(end("3k5/9/9/9/9/9/9/9/R8/4K4 w", &checks), Some("perpetual check"));
}

#[test]
fn a_capture_or_a_pawns_advance_ends_the_look_back() {
    // The same position three times, but a capture lies between: only the occurrences after it count.
    let mut game = played("3k5/9/9/9/9/9/p8/R8/9/4K4 w", &["a2a3"]);
    assert_eq!(game.quiet_plies(), 0);
    for mv in ["d9d8", "a3b3", "d8d9", "b3a3", "d9d8", "a3b3", "d8d9", "b3a3"] {
        assert_eq!(game.end_by_history(), None, "before {mv}");
        game.play(game.parse_move(mv).unwrap());
    }
    assert_eq!(game.end_by_history().map(|end| end.reason), Some("repetition"));
    game.undo();
    assert_eq!(game.end_by_history(), None);
}

#[test]
fn mate_on_the_last_quiet_ply_wins() {
    let game = played("3k5/8R/9/R8/9/9/9/9/9/4K4 w - - 119 80", &["a6a9"]);
    assert_eq!(game.quiet_plies(), 120);
    assert_eq!(game.end(), Some(End { outcome: Outcome::Win(Side::First), reason: "checkmate" }));
}
