//! The commands from games to results, as a user calls them: good runs, and bad input.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::command;

fn roughboard(arguments: &[&str]) -> (i32, String, String) {
    let run = command::roughboard(arguments);
    (run.code, run.stdout, run.stderr)
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// A small database, made by the program.
fn games(folder: &Path, n: usize) -> String {
    let file = path(folder, "games.pgn");
    let number = n.to_string();
    let (code, _, errors) =
        roughboard(&["games", "selfplay", "--games", &number, "--depth", "1", "--max-plies", "80", "--out", &file]);
    assert_eq!(code, 0, "{errors}");
    file
}

/// Asserts that a command fails on bad input with one line that holds all of `parts`.
fn refused(arguments: &[&str], parts: &[&str]) {
    let (code, _, errors) = roughboard(arguments);
    assert_eq!(code, 2, "{arguments:?}: {errors}");
    assert_eq!(errors.trim_end().lines().count(), 1, "{arguments:?}: {errors}");
    assert!(!errors.contains("panicked"), "{errors}");
    for part in parts {
        assert!(errors.contains(part), "{arguments:?}: expected `{part}` in: {errors}");
    }
}

fn csv_files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let csv = entries.filter(|path| path.extension().is_some_and(|e| e == "csv" || e == "json" || e == "md"));
    csv.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())).collect()
}

#[test]
fn the_main_job_gives_the_same_bytes_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let run = |threads: &str| {
        let out = path(folder.path(), threads);
        let (code, text, errors) = roughboard(&["reproduce", "--smoke", "--threads", threads, "--out", &out]);
        assert_eq!(code, 0, "{errors}");
        assert!(text.contains("S1 Table 1"), "{text}");
        csv_files(Path::new(&out))
    };
    let (one, two) = (run("1"), run("2"));
    assert!(one.len() >= 9, "{:?}", one.keys());
    assert_eq!(one, two);
}

#[test]
fn a_table_is_built_and_read_by_the_rough_commands() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path(), 30);
    for name in ["table.parquet", "table.csv"] {
        let table = path(folder.path(), name);
        let (code, _, errors) = roughboard(&["table", "build", "--games", &games, "--out", &table]);
        assert_eq!(code, 0, "{errors}");
        let (code, text, errors) = roughboard(&["rough", "approx", &table, "--decision", "result", "--json"]);
        assert_eq!(code, 0, "{errors}");
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!((0.0..=1.0).contains(&json["gamma"].as_f64().unwrap()));
        refused(&["rough", "core", &table, "--decision", "outcome"], &[name, "outcome", "`a0`"]);
    }
}

#[test]
fn a_trained_network_plays_and_its_games_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let games = games(folder.path(), 60);
    let net = path(folder.path(), "net.safetensors");
    for method in ["rough", "bp", "td"] {
        let arguments = ["train", method, "--games", &games, "--out", &net, "--passes", "1"];
        let (code, text, errors) = roughboard(&arguments);
        assert_eq!(code, 0, "{errors}");
        assert!(text.contains("held_out_mse"), "{text}");
        assert!(["csv", "svg"].iter().all(|ext| Path::new(&net).with_extension(ext).exists()));
        assert!(!Path::new(&net).with_extension("checkpoint").exists());
    }
    let (pgn, journal) = (path(folder.path(), "match.pgn.zst"), path(folder.path(), "match.jsonl"));
    let arguments = [
        "match",
        "--a",
        &net,
        "--b",
        "traditional",
        "--games",
        "4",
        "--depth",
        "1",
        "--openings",
        &games,
        "--max-plies",
        "60",
        "--out",
        &pgn,
        "--journal",
        &journal,
        "--json",
    ];
    let (code, text, errors) = roughboard(&arguments);
    assert_eq!(code, 0, "{errors}");
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let sum: u64 = ["wins", "draws", "losses"].iter().map(|key| json[key].as_u64().unwrap()).sum();
    assert_eq!(sum, 4);
    let bytes = fs::read(&pgn).unwrap();
    assert_eq!(roughboard(&arguments).1, text, "resumed from a complete journal");
    assert_eq!(fs::read(&pgn).unwrap(), bytes);
    let (code, text, _) = roughboard(&["games", "read", &pgn, "--json"]);
    assert_eq!(code, 0);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["kept"], 4, "{text}");
}

#[test]
fn bad_input_gets_one_clear_line() {
    let folder = tempfile::tempdir().unwrap();
    let good = games(folder.path(), 20);
    let out = path(folder.path(), "net.safetensors");
    let missing = path(folder.path(), "missing.pgn");
    refused(&["train", "bp", "--games", &missing, "--out", &out], &["missing.pgn", "No such file"]);

    let packed = path(folder.path(), "games.pgn.zst");
    assert_eq!(roughboard(&["games", "convert", &good, "--out", &packed]).0, 0);
    let bytes = fs::read(&packed).unwrap();
    let truncated = path(folder.path(), "truncated.pgn.zst");
    fs::write(&truncated, &bytes[..bytes.len() * 2 / 3]).unwrap();
    refused(&["reproduce", "--games", &truncated, "--out", &out], &["truncated.pgn.zst"]);

    let text = fs::read_to_string(&good).unwrap();
    let mut parts: Vec<String> = text.split("[Event").map(str::to_owned).collect();
    let start = parts[17].find("\n\n").unwrap() + 2;
    parts[17].replace_range(start..start + 4, "a0a9");
    let illegal = path(folder.path(), "illegal.pgn");
    fs::write(&illegal, parts.join("[Event")).unwrap();
    let words = ["illegal.pgn", "game 17", "move 1", "a0a9", "illegal"];
    refused(&["table", "build", "--games", &illegal, "--out", &out], &words);

    refused(&["match", "--a", "traditional", "--b", &missing, "--games", "2"], &["missing.pgn"]);
    refused(&["perft", "--depth", "0"], &["--depth", "0"]);
    refused(&["match", "--a", "traditional", "--b", "traditional", "--depth", "0"], &["depth", "[1, 64]", "0"]);
    refused(
        &["train", "td", "--games", &good, "--out", &out, "--lambda", "1.2"],
        &["`--lambda` must be in [0, 1], got 1.2"],
    );
    refused(&["train", "td", "--games", &good, "--out", &out, "--alpha", "0"], &["`--alpha` must be in (0, 1], got 0"]);
    refused(&["train", "rough", "--games", &good, "--out", &out, "--tau", "2"], &["`--tau` must be in (0, 1], got 2"]);
    refused(&["train", "bp", "--games", &good, "--out", "/nonexistent/net", "--passes", "1"], &["is not a folder"]);
    assert!(!Path::new(&out).exists());
}
