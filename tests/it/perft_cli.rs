//! The `perft` command.

use crate::command::roughboard;

#[test]
fn every_depth_is_counted() {
    let text = roughboard(&["perft", "--depth", "4"]).ended(0).stdout;
    let words = text.lines().map(|line| line.split_whitespace().take(2).collect::<Vec<_>>());
    let rows: Vec<_> = words.filter(|words| words.first().is_some_and(|word| word.parse::<u32>().is_ok())).collect();
    assert_eq!(rows, [["1", "44"], ["2", "1920"], ["3", "79666"], ["4", "3290240"]], "{text}");
}

#[test]
fn json_gives_counts_and_division() {
    let document = roughboard(&["perft", "--depth", "2", "--divide", "--json"]).ended(0).json();
    assert_eq!(document["counts"][1]["nodes"], 1_920);
    let below = document["divide"].as_array().unwrap();
    assert_eq!(below.len(), 44);
    assert_eq!(below.iter().map(|branch| branch["nodes"].as_u64().unwrap()).sum::<u64>(), 1_920);
}

#[test]
fn every_generator_counts_the_same() {
    for generator in ["tables", "templates", "scan"] {
        let document =
            roughboard(&["perft", "--depth", "3", "--generator", generator, "--divide", "--json"]).ended(0).json();
        assert_eq!(document["counts"][2]["nodes"], 79_666, "{generator}");
        assert_eq!(document["divide"].as_array().unwrap().len(), 44);
    }
    roughboard(&["perft", "--depth", "1", "--generator", "guess"]).ended(2);
}

#[test]
fn a_position_can_be_given() {
    let fen = "4ka3/4a4/9/4P4/9/9/9/9/4p4/3AKA3 w";
    let text = roughboard(&["perft", "--fen", fen, "--depth", "3", "--threads", "1"]).ended(0).stdout;
    assert!(text.contains(" 76 "), "{text}");
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
        assert_eq!(roughboard(&[&["perft"], args].concat()).refusal(), message);
    }
    roughboard(&["perft", "--depth", "x"]).ended(2);
    let error = roughboard(&["perft", "--depth", "1", "--threads", "100000000"]).ended(2).stderr;
    assert!(error.contains("expected a whole number from 0 to 1024"), "{error}");
    roughboard(&["perft"]).ended(2);
}
