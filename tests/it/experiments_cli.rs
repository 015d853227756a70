//! The experiments on learning: complete, killed and resumed, repeated.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::command::{Files, roughboard};

/// All files of results but the times, which are another on every run.
fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let named = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()));
    named.filter(|(name, _)| name != "times.md").map(|(name, path)| (name, fs::read(path).unwrap())).collect()
}

fn run(experiment: &str, out: &Path) {
    let out = out.to_str().unwrap();
    roughboard(&["reproduce", experiment, "--max-games", "60", "--seeds", "2", "--out", out]).ended(0);
}

/// Runs `experiment` whole, and killed after its first repetition and taken up again.
fn gives_the_same_files_when_killed(experiment: &str) -> BTreeMap<String, Vec<u8>> {
    let files = Files::new();
    let (whole, killed) = (files.path("whole"), files.path("killed"));
    run(experiment, &whole);
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_roughboard"))
        .args(["reproduce", experiment, "--max-games", "60", "--seeds", "2", "--out", killed.to_str().unwrap()])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while child.try_wait().unwrap().is_none() && !has_repetition(&killed) {
        std::thread::yield_now();
    }
    let _ = child.kill();
    child.wait().unwrap();
    run(experiment, &killed);
    assert_eq!(results(&whole), results(&killed));
    results(&whole)
}

fn has_repetition(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    let is_json = |path: &Path| path.extension().is_some_and(|extension| extension == "json");
    let in_work = |path: &Path| fs::read_dir(path).is_ok_and(|mut files| files.any(|f| is_json(&f.unwrap().path())));
    entries.flatten().any(|entry| entry.path().is_dir() && in_work(&entry.path()))
}

fn text(files: &BTreeMap<String, Vec<u8>>, name: &str) -> String {
    String::from_utf8(files[name].clone()).unwrap()
}

#[test]
fn all_methods_are_compared_on_games_held_out() {
    let files = gives_the_same_files_when_killed("held-out-error");
    let errors = text(&files, "errors.csv");
    for method in [
        "constant",
        "material, linear",
        "decision tree, feature table",
        "BP 91-30-1",
        "rough, reduct",
        "TD(λ) 91-100-1",
        "rough, feature table",
    ] {
        assert!(errors.contains(method), "{method} is missing in\n{errors}");
    }
    // The literal form over all inputs is silent: nothing changes from pass to pass.
    let silent = errors.lines().find(|line| line.contains("literal, all inputs")).unwrap();
    let cells: Vec<&str> = silent.rsplit(',').take(5).collect();
    assert!(cells.iter().all(|cell| cell == &cells[0]), "{silent}");
    assert!(text(&files, "tables.md").contains("2 seeds"));
}

#[test]
fn the_start_and_the_reduction_are_weighed() {
    let files = gives_the_same_files_when_killed("inclusion-start");
    assert!(text(&files, "passes.csv").starts_with("error,inclusion degrees,random weights,saved"));
    let reduction = text(&files, "reduction.csv");
    for way in ["inclusion degrees", "random weights", "reduced games", "reduced objects", "reduced attributes"] {
        assert!(reduction.contains(way), "{way} is missing in\n{reduction}");
    }
}
