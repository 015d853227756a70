//! `train iterate` as a user runs it: its folder, its resumption, and what it refuses.

use std::time::Duration;

use serde_json::Value as Json;

use crate::command::{Files, assert_described, contents, roughboard, words};
use crate::training_runs::kill_after;

/// Rounds of seconds.
const SMALL: &str = "--rounds 2 --games 16 --depth 1 --gate-games 4 --gate-depth 1 --max-plies 200 --seed 5";

fn iterate(files: &Files, net: &str, run: &str, more: &[&str]) -> Vec<String> {
    let out = files.path(run);
    let given = ["train", "iterate", net, "--out", out.to_str().unwrap()];
    // TD(λ) learns without searches.
    let of_values: &[&str] = if net.ends_with("td") { &[] } else { &["--target-depth", "1"] };
    let given = given.into_iter().chain(SMALL.split(' ')).chain(of_values.iter().copied());
    given.chain(more.iter().copied()).map(str::to_owned).collect()
}

fn run(command: &[String]) -> crate::command::Run {
    roughboard(&command.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn rough_plain_and_td_networks_learn_from_their_own_games() {
    let files = Files::new();
    for net in ["rough", "bp", "td"] {
        let text = run(&iterate(&files, net, &format!("{net}-rounds"), &[])).ended(0).stdout;
        assert!(text.contains("round 1 from 0") && text.contains("best network"), "{text}");
        let out = files.path(&format!("{net}-rounds"));
        let written = contents(&out);
        assert_described(&written);
        let names: Vec<&str> = written.keys().map(String::as_str).collect();
        let is_of_results = String::from_utf8_lossy(&written["tables.md"]).contains("learned by TD(λ) from");
        assert_eq!(is_of_results, net == "td");
        assert_eq!(names, ["elo.svg", "manifest.json", "net.safetensors", "nets", "rounds.csv", "tables.md"]);
        let manifest: Json = serde_json::from_slice(&written["manifest.json"]).unwrap();
        assert_eq!(manifest["settings"]["iteration"]["settings"]["rounds"], 2);
        // The best network is one of those of the rounds, and plays; no path of this machine is in it.
        let nets = contents(&out.join("nets"));
        assert_eq!(nets.len(), 3);
        assert!(nets.values().any(|bytes| *bytes == written["net.safetensors"]));
        let folder = files.folder.path().to_str().unwrap();
        let has_path = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(folder);
        assert!(!nets.values().chain(written.values()).any(|bytes| has_path(bytes)));
        roughboard(&["eval", "--evaluator", out.to_str().unwrap()]).ended(0);
    }
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let files = Files::new();
    run(&iterate(&files, "bp", "whole", &[])).ended(0);
    let mut wait = 100;
    while !files.path("killed/manifest.json").exists() {
        // However the folder is named.
        let folder = ["killed", "./killed"][(wait / 100 % 2) as usize];
        kill_after(&iterate(&files, "bp", folder, &["--resume"]), Duration::from_millis(wait));
        wait += 100;
    }
    for folder in ["", "/nets"] {
        let [whole, killed] = ["whole", "killed"].map(|run| contents(&files.path(&format!("{run}{folder}"))));
        assert_eq!(whole, killed);
    }
    let told = run(&iterate(&files, "bp", "whole", &["--resume"])).ended(0).stdout;
    assert!(told.contains("finished before, see"), "{told}");
    let error = run(&iterate(&files, "bp", "whole", &["--resume", "--rate", "0.01"])).refusal();
    assert!(error.contains("holds another run: --rate: 0.003 before, 0.01 now; choose another"), "{error}");
}

#[test]
fn what_cannot_go_on_is_refused() {
    let files = Files::new();
    for option in ["--rate", "--target-depth", "--result-share"] {
        let error = run(&iterate(&files, "td", "out", &[option, "1"])).refusal();
        let expected = format!("`{option}` must be left out, as the network was trained by TD(λ), got 1");
        assert!(error.contains(&expected), "{error}");
    }
    let error = run(&iterate(&files, "nothing", "out", &[])).refusal();
    assert!(error.contains("cannot read network"), "{error}");
    let error = run(&iterate(&files, "td", "out", &["--gate-elo1", "-5"])).refusal();
    assert!(error.contains("`--gate-elo1` must be above `--gate-elo0`, which is 0, got -5"), "{error}");
    let error = run(&iterate(&files, "bp", "out", &["--random-plies", "0"])).refusal();
    assert!(error.contains("`--random-plies` must be at least 1, or the same game would be"), "{error}");
    let error = run(&iterate(&files, "bp", "out", &["--random-plies", "0", "--margin", "0.1"])).refusal();
    assert!(error.contains("`--margin` must be left out, as no plies are drawn at random, got 0.1"), "{error}");
    assert!(!files.path("out").exists());
    // The state of a run with other settings is not taken up.
    std::fs::create_dir_all(files.path("out/.resume")).unwrap();
    std::fs::write(files.path("out/.resume/identity.json"), "\"run 0123456789abcdef\"").unwrap();
    let error = run(&iterate(&files, "td", "out", &["--resume"])).refusal();
    assert!(error.contains("holds another run: other settings, games or program"), "{error}");
}

/// What a command reads it never writes, not even with `--force`.
#[test]
fn a_run_does_not_replace_the_network_that_it_begins_with() {
    let files = Files::new();
    run(&iterate(&files, "bp", "rounds", &[])).ended(0);
    let (before, net) = (contents(&files.path("rounds")), files.path("rounds/nets/round-1.safetensors"));
    let error = run(&iterate(&files, net.to_str().unwrap(), "rounds", &["--force"])).refusal();
    assert!(error.contains(" is read, and `--force` replaces the run in "), "{error}");
    assert_eq!(contents(&files.path("rounds")), before);
}

/// Only a schedule that moves has an end, and it may be the file that says that it does not.
#[test]
fn a_last_step_size_without_effect_is_refused() {
    let files = Files::new();
    let net = files.path("steady").display().to_string();
    let train = ["train", "bp", "--hidden", "none", "--passes", "1", "--curve-points", "1", "--schedule", "constant"];
    roughboard(&[&train[..], &["--out", &net]].concat()).ended(0);
    let error = run(&iterate(&files, &net, "out", &["--final-rate", "0.0001"])).refusal();
    assert!(error.contains("`--final-rate` must be left out unless `--schedule` is given"), "{error}");
    assert!(!files.path("out").exists());
}

/// Where all games are drawn the values of the searches are there to learn from.
#[test]
fn games_of_one_result_teach_what_searches_say() {
    let files = Files::new();
    let out = files.path("drawn").display().to_string();
    let short = words("train iterate bp --rounds 1 --games 8 --depth 1 --target-depth 0 --max-plies 30 --seed 5");
    let run = roughboard(&[&short[..], &["--gate-games", "20", "--gate-depth", "1", "--out", &out]].concat());
    let run = run.ended(0);
    assert!(run.stdout.contains("round 1 from 0"), "{}", run.stdout);
    // Eight games and the initial position give fewer openings than the matches ask for.
    assert!(run.stderr.contains(" of 10 openings: "), "{}", run.stderr);
}

#[test]
fn a_network_that_learned_from_its_own_games_goes_on() {
    let files = Files::new();
    let [games, net] = ["games.pgn", "played-td"].map(|name| files.path(name).display().to_string());
    let generate = ["games", "generate", "self-play", "--games", "8", "--depth", "1", "--max-plies", "40"];
    roughboard(&[&generate[..], &["--out", &games]].concat()).ended(0);
    let train =
        ["train", "td", "--games", &games, "--hidden", "2", "--skip-plies", "4", "--play", "self", "--depth", "1"];
    roughboard(&[&train[..], &["--games-to-play", "2", "--max-plies", "24", "--out", &net]].concat()).ended(0);
    let text = run(&iterate(&files, &net, "rounds", &[])).ended(0).stdout;
    assert!(text.contains("best network"), "{text}");
}
