//! The commands from games to results, as a user calls them: good runs, and bad input.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::command::{Files, Mortal, refused, roughboard};

/// A small database, made by the program.
fn games(files: &Files, n: usize) -> String {
    let (file, number) = (files.argument("games.pgn"), n.to_string());
    let generate = ["games", "generate", "self-play", "--depth", "1", "--max-plies", "80"];
    roughboard(&[&generate[..], &["--games", &number, "--out", &file]].concat()).ended(0);
    file
}

fn csv_files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let kept = |path: &std::path::PathBuf| path.extension().is_some_and(|e| e == "csv" || e == "json" || e == "md");
    // Times are another on every run.
    let csv = entries.filter(|path| kept(path) && !path.ends_with("times.md"));
    csv.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())).collect()
}

#[test]
fn the_main_job_gives_the_same_bytes_on_any_number_of_threads() {
    let files = Files::new();
    let run = |threads: &str| {
        let out = files.argument(threads);
        let text = roughboard(&["reproduce", "--smoke", "--threads", threads, "--out", &out]).ended(0).stdout;
        assert!(text.contains("S1 Table 1"), "{text}");
        csv_files(Path::new(&out))
    };
    let (one, two) = (run("1"), run("2"));
    assert!(one.len() >= 9, "{:?}", one.keys());
    assert_eq!(one, two);
}

#[test]
fn a_table_is_built_and_read_by_the_rough_commands() {
    let files = Files::new();
    let games = games(&files, 30);
    for name in ["table.parquet", "table.csv"] {
        let table = files.argument(name);
        roughboard(&["table", "build", "--games", &games, "--out", &table]).ended(0);
        let json = roughboard(&["rough", "approx", &table, "--decision", "result", "--json"]).ended(0).json();
        assert!((0.0..=1.0).contains(&json["gamma"].as_f64().unwrap()));
        refused(&["rough", "core", &table, "--decision", "outcome"], &[name, "outcome", "`a0`"]);
    }
    let none = files.argument("none.csv");
    let build = ["table", "build", "--games", &games, "--skip-plies", "5000", "--out", &none];
    let error = roughboard(&build).ended(2).stderr;
    for part in ["`--skip-plies 5000` leaves no position of ", " games: the table has no rows"] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_trained_network_plays_and_its_games_are_read_back() {
    let files = Files::new();
    let games = games(&files, 60);
    let net = files.argument("run");
    for method in ["rough", "bp", "td"] {
        let arguments = ["train", method, "--games", &games, "--out", &net, "--passes", "1", "--force"];
        let text = roughboard(&arguments).ended(0).stdout;
        assert!(text.contains("held_out_mse"), "{text}");
    }
    let run = files.argument("match");
    let players = ["match", &net, "traditional", "--depth", "1", "--openings", &games, "--out", &run];
    let arguments = [&players[..], &["--games", "4", "--max-plies", "60", "--resume", "--json"]].concat();
    let played = roughboard(&arguments).ended(0);
    let result = &played.json()["pairings"][0];
    let sum: u64 = ["won", "drawn", "lost"].iter().map(|key| result[key].as_u64().unwrap()).sum();
    assert_eq!(sum, 4);
    let pgn = files.argument("match/games.pgn.zst");
    let bytes = fs::read(&pgn).unwrap();
    assert_eq!(roughboard(&arguments).stdout, played.stdout, "resumed when complete");
    assert_eq!(fs::read(&pgn).unwrap(), bytes);
    let read = roughboard(&["games", "read", &pgn, "--json"]).ended(0);
    assert_eq!(read.json()["kept"], 4, "{}", read.stdout);
}

#[test]
fn bad_input_gets_one_clear_line() {
    let files = Files::new();
    let good = games(&files, 20);
    let out = files.argument("run");
    let missing = files.argument("missing.pgn");
    refused(&["train", "bp", "--games", &missing, "--out", &out], &["missing.pgn", "No such file"]);

    let packed = files.argument("games.pgn.zst");
    roughboard(&["games", "convert", &good, "--out", &packed]).ended(0);
    let bytes = fs::read(&packed).unwrap();
    let truncated = files.argument("truncated.pgn.zst");
    fs::write(&truncated, &bytes[..bytes.len() * 2 / 3]).unwrap();
    refused(&["reproduce", "--games", &truncated, "--out", &out], &["truncated.pgn.zst"]);

    let text = fs::read_to_string(&good).unwrap();
    let mut parts: Vec<String> = text.split("[Event").map(str::to_owned).collect();
    let start = parts[17].find("\n\n").unwrap() + 2;
    parts[17].replace_range(start..start + 4, "a0a9");
    let illegal = files.argument("illegal.pgn");
    fs::write(&illegal, parts.join("[Event")).unwrap();
    let words = ["illegal.pgn", "game 17", "move 1", "a0a9", "illegal"];
    let table = files.argument("table.csv");
    refused(&["table", "build", "--games", &illegal, "--out", &table], &words);

    refused(&["match", "traditional", &missing, "--games", "2"], &["missing.pgn"]);
    refused(&["perft", "--depth", "0"], &["--depth", "0"]);
    refused(&["match", "traditional", "traditional", "--depth", "0"], &["depth", "[1, 64]", "0"]);
    refused(
        &["train", "td", "--games", &good, "--out", &out, "--lambda", "1.2"],
        &["`--lambda` must be in [0, 1], got 1.2"],
    );
    refused(&["train", "td", "--games", &good, "--out", &out, "--alpha", "0"], &["`--alpha` must be in (0, 1], got 0"]);
    refused(&["train", "rough", "--games", &good, "--out", &out, "--tau", "2"], &["`--tau` must be in (0, 1], got 2"]);
    let idle = "`--games` has no effect on `surakarta-zero`, which reads no games: leave it out";
    refused(&["reproduce", "surakarta-zero", "--games", &good, "--out", &out], &[idle]);
    let nowhere = files.argument("games.pgn/run");
    refused(&["train", "bp", "--games", &good, "--out", &nowhere], &["cannot write", "games.pgn/run"]);
    assert!(!Path::new(&out).exists());
}

#[test]
fn settings_outside_their_range_are_refused_before_any_work() {
    let files = Files::new();
    let (good, out) = (games(&files, 20), files.argument("run"));
    let train = |method: &str, option: &str, value: &str, parts: &[&str]| {
        refused(&["train", method, "--games", &good, "--out", &out, option, value], parts);
    };
    train("rough", "--smoothing", "inf", &["`--smoothing` must be in (0, 1e9], got inf"]);
    train("rough", "--sharpness", "NaN", &["`--sharpness` must be in [1, 100], got NaN"]);
    train("rough", "--rules", "18446744073709551615", &["`--rules` must be in [3, 10000]"]);
    train("bp", "--hidden", "0", &["`--hidden` must be in [1, 1024], got 0"]);
    train("td", "--hidden", "18446744073709551615", &["`--hidden` must be in [1, 1024]"]);
    train("bp", "--passes", "0", &["`--passes` must be in [1, 10000], got 0"]);
    train("bp", "--batch", "1000000", &["`--batch` must be in [1, 65536], got 1000000"]);
    train("bp", "--skip-plies", "1000000", &["`--skip-plies` must be below the length of the games"]);
    train("bp", "--held-out", "1", &["`--held-out` must be in (0, 1), got 1"]);
    refused(&["train", "bp", "--games", &good, "--out", &good], &["cannot write", "games.pgn"]);

    let config = files.argument("config.toml");
    fs::write(&config, "seed = 1\nstages = \"many\"\n").unwrap();
    let results = files.argument("results");
    refused(&["reproduce", "--config", &config, "--games", &good, "--out", &results], &["config.toml", "line 2"]);
    refused(&["reproduce", "--smoke", "--games", &good, "--out", &good], &["games.pgn"]);
}

#[test]
fn a_killed_main_job_goes_on_to_the_same_bytes() {
    let files = Files::new();
    let [whole, killed] = ["whole", "killed"].map(|name| files.argument(name));
    roughboard(&["reproduce", "--smoke", "--out", &whole]).ended(0);
    let mut child = Mortal::begin(&["reproduce", "--smoke", "--out", &killed].map(str::to_owned));
    // Wherever it is when the first state for resuming appears: that is the moment to kill it.
    while child.0.try_wait().unwrap().is_none() && !has_state(Path::new(&killed)) {
        std::thread::yield_now();
    }
    drop(child);
    let error = roughboard(&["reproduce", "--smoke", "--out", &killed]).ended(2).stderr;
    assert!(error.contains("not finished: go on with it by `roughboard reproduce --smoke --out "), "{error}");
    roughboard(&["reproduce", "--smoke", "--out", &killed, "--resume"]).ended(0);
    assert_eq!(csv_files(Path::new(&whole)), csv_files(Path::new(&killed)));
    assert!(!has_state(Path::new(&killed)), "the state for resuming is removed at the end");
}

/// Whether a folder of results holds checkpoints or journals.
fn has_state(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| {
        let hidden = entry.file_name().to_string_lossy().starts_with(".resume");
        let is_progress = |file: fs::DirEntry| file.file_name() != "identity.json";
        hidden && fs::read_dir(entry.path()).is_ok_and(|files| files.flatten().any(is_progress))
    })
}
