//! The `suite` command.

use std::path::PathBuf;

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

fn roughboard() -> Command {
    let mut command = Command::cargo_bin("roughboard").unwrap();
    command.arg("suite");
    command
}

/// A file with `text` in a folder that lives as long as the returned guard.
fn file(text: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("suite.json");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

const WRONG: &str = r#"{"positions": [
    {"id": "pawns", "fen": "4ka3/4a4/9/4P4/9/9/9/9/4p4/3AKA3 w", "nodes": [3, 12, 77]}]}"#;

#[test]
fn a_suite_of_facts_that_hold_passes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/xiangqi_perft.json");
    roughboard().args([path, "--max-nodes", "100000"]).assert().success().stdout("72 of 72 passed\n");
}

#[test]
fn failures_are_listed_and_counted() {
    let (_folder, path) = file(WRONG);
    let line = format!("{}: pawns, depth 3: expected 77, got 76\n2 of 3 passed\n", path.display());
    roughboard().arg(&path).assert().code(1).stdout(line);
    let output = roughboard().arg(&path).arg("--json").assert().code(1).get_output().stdout.clone();
    let document: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!((&document["checked"], &document["passed"]), (&3.into(), &2.into()));
    assert_eq!(document["failures"][0]["got"], "76");
}

#[test]
fn files_that_are_no_suites_are_refused() {
    let known =
        predicate::str::contains("has no known shape: expected xiangqi perft (an object with a list `positions`");
    let (_folder, path) = file(r#"{"facts": []}"#);
    roughboard().arg(path).assert().code(2).stderr(known);
    let (_folder, path) = file("{");
    roughboard()
        .arg(path)
        .assert()
        .code(2)
        .stderr(predicate::str::contains("is not JSON").and(predicate::str::contains("line 1")));
    roughboard()
        .arg("missing.json")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("cannot read suite `missing.json`"));
    roughboard().assert().code(2);
}
