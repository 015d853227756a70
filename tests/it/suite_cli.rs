//! The `suite` command.

use tempfile::TempDir;

use crate::command::{Run, roughboard};
use crate::house::root;

fn suite(arguments: &[&str]) -> Run {
    roughboard(&[&["suite"], arguments].concat())
}

/// A file with `text` in a folder that lives as long as the returned guard.
fn file(text: &str) -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("suite.json");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

/// The path of a file of facts that is tested with.
fn facts(name: &str) -> String {
    format!("{}/tests/data/{name}", root().display())
}

#[test]
fn figures_of_matches_come_out_to_the_ninth_decimal() {
    assert_eq!(suite(&[&facts("match_statistics.json")]).ended(0).stdout, "511 of 511 passed\n");
}

#[test]
fn wrong_figures_of_matches_fail_and_unknown_ones_are_refused() {
    let statistics = |section: &str| file(&format!(r#"{{"schema": "xq-match-stats-ground-truth/1", {section}}}"#));
    let (_folder, path) = statistics(r#""elo_score": [{"elo": 0, "score": 0.500000002}]"#);
    let got = suite(&[&path]).ended(1).stdout;
    assert!(got.starts_with(&format!("{path}: elo_score 1: elo: expected 0, got 0.00000138")), "{got}");
    assert!(got.ends_with("elo_score 1: score: expected 0.500000002, got 0.5\n0 of 2 passed\n"), "{got}");
    for (section, words) in [
        (r#""pentanomial": [{"pairs": [1, 0, 0, 0, 0], "skore": 0}]"#, "pentanomial 1: unknown figure `skore`"),
        (r#""trinomial": [{"ldw": [1, 2]}]"#, "trinomial 1: `ldw`: expected a list of as many counts"),
        (r#""trinominal": []"#, "unknown section `trinominal`"),
        (r#""note": "nothing""#, "it has no figures, so there is nothing to check"),
        (
            r#""bradley_terry": [{"pairs": {"a-a": [1, 0, 0]}, "anchor": "a", "ratings": {"a": {"elo": 0}}}]"#,
            "bradley_terry 1, pairs cannot be rated: encounter 1: expected two entrants, found 0 against itself",
        ),
    ] {
        let (_folder, path) = statistics(section);
        let error = suite(&[&path]).refusal();
        assert!(error.contains(words), "{error}");
    }
}

const WRONG: &str = r#"{"positions": [
    {"id": "pawns", "fen": "4ka3/4a4/9/4P4/9/9/9/9/4p4/3AKA3 w", "nodes": [3, 12, 77]}]}"#;

#[test]
fn a_suite_of_facts_that_hold_passes() {
    assert_eq!(suite(&[&facts("xiangqi_perft.json"), "--max-nodes", "100000"]).ended(0).stdout, "72 of 72 passed\n");
}

#[test]
fn a_suite_of_which_nothing_is_checked_does_not_pass() {
    let (_folder, path) = file(WRONG);
    let error = suite(&[&path, "--max-nodes", "2"]).refusal();
    assert!(error.contains("no count within `max_nodes`"), "{error}");
}

#[test]
fn lines_of_connect6_are_of_their_classes_and_positions_are_solved() {
    let text = suite(&[&facts("connect6_tests.json")]).ended(0).stdout;
    assert!(text.contains(" of ") && text.ends_with(" passed\n"), "{text}");
}

#[test]
fn moves_of_every_notation_are_read_and_written() {
    assert_eq!(suite(&[&facts("xiangqi_notation.json")]).ended(0).stdout, "1360 of 1360 passed\n");
}

#[test]
fn verdicts_of_engines_are_noted_beside_our_own() {
    let rules = &facts("xiangqi_rules.json");
    let book = &facts("xiangqi_repetition.json");
    let agreement = "agreement with the expected verdicts: roughboard";
    let rules_note = "44 of 44, elephanteye 31 of 44, fairy-stockfish 44 of 44, pikafish 44 of 44";
    let book_note = "170 of 170, elephanteye 117 of 170, fairy-stockfish 169 of 170, pikafish 157 of 170";
    let text = format!("{rules}: {agreement} {rules_note}\n{book}: {agreement} {book_note}\n222 of 222 passed\n");
    assert_eq!(suite(&[rules, book]).ended(0).stdout, text);
    let document = suite(&[book, "--json"]).ended(0).json();
    assert_eq!(document["notes"], serde_json::json!([format!("{agreement} {book_note}")]));
}

#[test]
fn failures_are_listed_and_counted() {
    let (_folder, path) = file(WRONG);
    let text = format!("{path}: pawns, depth 3: expected 77, got 76\n2 of 3 passed\n");
    assert_eq!(suite(&[&path]).ended(1).stdout, text);
    let document = suite(&[&path, "--json"]).ended(1).json();
    assert_eq!((&document["checked"], &document["passed"]), (&3.into(), &2.into()));
    assert_eq!(document["failures"][0]["got"], "76");
}

#[test]
fn files_that_are_no_suites_are_refused() {
    let (_folder, path) = file(r#"{"facts": []}"#);
    let error = suite(&[&path]).refusal();
    assert!(error.contains("has no known shape: expected xiangqi mates (an object with a list `positions`"), "{error}");
    let (_folder, path) = file("{");
    let error = suite(&[&path]).refusal();
    assert!(error.contains("is not JSON") && error.contains("line 1"), "{error}");
    let error = suite(&["missing.json"]).refusal();
    assert!(error.contains("cannot read suite `missing.json`"), "{error}");
    suite(&[]).ended(2);
}

#[test]
fn documents_that_state_nothing_are_refused() {
    let table = r#"{"t": {"n": 1, "attributes": ["a"], "rows": [["0"]], "decision": ["x"], "gamma_of_subset": [3]}}"#;
    for (text, words) in [
        (r#"{"positions": []}"#, "it has no positions, so there is nothing to check"),
        (
            r#"{"positions": [{"id": "p", "fen": "x", "nodes": []}]}"#,
            "position `p`: `nodes`: expected a list of counts",
        ),
        (r#"{"cases": []}"#, "it has no cases with a verdict that is agreed or chosen, so there is nothing to check"),
        (r#"{"cases": [{"id": "c", "fen": "x", "moves_iccs": []}]}"#, "case `c`: `expected`: expected a verdict"),
        (table, "table `t`: `gamma_of_subset`: expected an object of whole numbers by subset, found [3]"),
        (r#"{"tables": {}}"#, "it has no tables, so there is nothing to check"),
        (r#"{"tables": {"t": {"gama": 1}}}"#, "table `t` has an unknown figure `gama`"),
        (r#"{"tables": {"t": {"rows": 1}}}"#, "table `t`: expected the file `"),
        ("{}", "has no known shape"),
    ] {
        let (_folder, path) = file(text);
        let error = suite(&[&path]).refusal();
        assert!(error.contains("suite.json") && error.contains(words), "{error}");
    }
}
