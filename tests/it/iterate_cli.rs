//! `train iterate` as a user runs it: its folder, its resumption, and what it refuses.

use std::time::Duration;

use serde_json::Value as Json;

use crate::command::{contents, roughboard};
use crate::training_runs::{Trainer, kill_after};

/// Rounds of seconds.
const SMALL: [&str; 16] = [
    "--rounds",
    "2",
    "--games",
    "12",
    "--depth",
    "1",
    "--target-depth",
    "1",
    "--gate-games",
    "4",
    "--gate-depth",
    "1",
    "--max-plies",
    "60",
    "--seed",
    "5",
];

fn iterate(trainer: &Trainer, net: &str, run: &str, more: &[&str]) -> Vec<String> {
    let given = ["train", "iterate", &trainer.path(net), "--out", &trainer.path(run)];
    [&given[..], &SMALL, more].concat().into_iter().map(str::to_owned).collect()
}

fn run(command: &[String]) -> crate::command::Run {
    roughboard(&command.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn rough_plain_and_td_networks_learn_from_their_own_games() {
    let trainer = Trainer::new();
    let methods: [&[&str]; 3] = [
        &["rough", "--rules", "6", "--passes", "1", "--quiescent"],
        &["bp", "--hidden", "4", "--passes", "1"],
        &["td", "--hidden", "4", "--passes", "1"],
    ];
    for method in methods {
        trainer.train(method, method[0], &[]).ended(0);
        let out = format!("{}-rounds", method[0]);
        let text = run(&iterate(&trainer, method[0], &out, &[])).ended(0).stdout;
        assert!(text.contains("round 1 from 0") && text.contains("best network"), "{text}");
        let files = contents(&trainer.files.path(&out));
        let names: Vec<&str> = files.keys().map(String::as_str).collect();
        assert_eq!(names, ["elo.svg", "manifest.json", "net.safetensors", "nets", "rounds.csv", "tables.md"]);
        let manifest: Json = serde_json::from_slice(&files["manifest.json"]).unwrap();
        assert_eq!(manifest["settings"]["iteration"]["settings"]["rounds"], 2);
        // The best network is one of those of the rounds, and plays; no path of this machine is in it.
        let nets = contents(&trainer.files.path(&format!("{out}/nets")));
        assert_eq!(nets.len(), 3);
        assert!(nets.values().any(|bytes| *bytes == files["net.safetensors"]));
        let folder = trainer.files.folder.path().to_str().unwrap();
        let has_path = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains(folder);
        assert!(!nets.values().chain(files.values()).any(|bytes| has_path(bytes)));
        roughboard(&["eval", "--evaluator", &trainer.path(&out)]).ended(0);
    }
}

#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let trainer = Trainer::new();
    trainer.train(&["bp", "--hidden", "4", "--passes", "2"], "net", &[]).ended(0);
    run(&iterate(&trainer, "net", "whole", &[])).ended(0);
    let mut wait = 40;
    while !trainer.files.path("killed/manifest.json").exists() {
        kill_after(&iterate(&trainer, "net", "killed", &["--resume"]), Duration::from_millis(wait));
        wait += 40;
    }
    for folder in ["", "/nets"] {
        let [whole, killed] = ["whole", "killed"].map(|run| contents(&trainer.files.path(&format!("{run}{folder}"))));
        assert_eq!(whole, killed);
    }
    let error = run(&iterate(&trainer, "net", "whole", &["--resume"])).refusal();
    assert!(error.contains("holds a finished run"), "{error}");
}

#[test]
fn what_cannot_go_on_is_refused() {
    let trainer = Trainer::new();
    trainer.train(&["td", "--hidden", "4", "--passes", "1"], "td", &[]).ended(0);
    let error = run(&iterate(&trainer, "td", "out", &["--rate", "0.1"])).refusal();
    assert!(error.contains("trained by TD(λ)"), "{error}");
    let error = run(&iterate(&trainer, "nothing", "out", &[])).refusal();
    assert!(error.contains("cannot read network"), "{error}");
    let error = run(&iterate(&trainer, "td", "out", &["--gate-elo1", "-5"])).refusal();
    assert!(error.contains("--gate-elo1") && error.contains("above"), "{error}");
    assert!(!trainer.files.path("out").exists());
    // The state of a run with other settings is not taken up.
    std::fs::create_dir_all(trainer.files.path("out/.resume")).unwrap();
    std::fs::write(trainer.files.path("out/.resume/identity.json"), "\"run 0123456789abcdef\"").unwrap();
    let error = run(&iterate(&trainer, "td", "out", &["--resume"])).refusal();
    assert!(error.contains("holds another run"), "{error}");
}
