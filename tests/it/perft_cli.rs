//! The `perft` command.

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;

fn roughboard(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("roughboard").unwrap().args(args).assert()
}

#[test]
fn every_depth_is_counted() {
    let row = |depth: u32, nodes: u64| predicate::str::is_match(format!(r"(?m)^ +{depth} +{nodes} ")).unwrap();
    roughboard(&["perft", "--depth", "4"])
        .success()
        .stdout(row(1, 44).and(row(2, 1_920)).and(row(3, 79_666)).and(row(4, 3_290_240)));
}

#[test]
fn json_gives_counts_and_division() {
    let output = roughboard(&["perft", "--depth", "2", "--divide", "--json"]).success().get_output().stdout.clone();
    let document: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(document["counts"][1]["nodes"], 1_920);
    let below = document["divide"].as_array().unwrap();
    assert_eq!(below.len(), 44);
    assert_eq!(below.iter().map(|branch| branch["nodes"].as_u64().unwrap()).sum::<u64>(), 1_920);
}

#[test]
fn a_position_can_be_given() {
    let fen = "4ka3/4a4/9/4P4/9/9/9/9/4p4/3AKA3 w";
    roughboard(&["perft", "--fen", fen, "--depth", "3", "--threads", "1"])
        .success()
        .stdout(predicate::str::contains(" 76 "));
}

#[test]
fn bad_arguments_are_refused_in_one_line() {
    for (args, message) in [
        (&["--depth", "0"][..], "error: `--depth` must be in [1, 20], got 0\n"),
        (&["--depth", "21"], "error: `--depth` must be in [1, 20], got 21\n"),
        (
            &["--depth", "1", "--fen", "9/9"],
            "error: `--fen`: invalid position `9/9`: at character 4: expected `/` after the 9 points of rank 8, found the end\n",
        ),
    ] {
        roughboard(&[&["perft"], args].concat()).code(2).stderr(message);
    }
    roughboard(&["perft", "--depth", "x"]).code(2);
    roughboard(&["perft"]).code(2);
}
