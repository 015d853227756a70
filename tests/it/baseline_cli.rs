//! `train baseline` as a user runs it.

use std::path::Path;

use crate::command::{Run, roughboard};
use crate::training_runs::Trainer;

/// Fits `model` and writes the run called `name`.
fn fit(trainer: &Trainer, model: &str, name: &str, more: &[&str]) -> Run {
    trainer.train(&["baseline"], name, &[&["--model", model][..], more].concat())
}

fn files_of(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn every_model_is_fitted_plays_and_gives_the_same_bytes_again() {
    let trainer = Trainer::of_uneven_games();
    let few = ["--max-objects", "200"];
    for (model, more) in [("logistic", &["--one-hot"][..]), ("svm", &[]), ("tree", &["--min-leaf", "10"])] {
        for features in ["board91", "terms"] {
            let options = [&["--features", features][..], &few, more].concat();
            let name = format!("{model}-{features}");
            let run = fit(&trainer, model, &name, &options).ended(0);
            assert!(run.stdout.contains("fitted to 200 of"), "{}", run.stdout);
            assert!(run.stdout.contains("held-out mse of a constant"), "{}", run.stdout);
            let folder = trainer.files.path(&name);
            roughboard(&["eval", "--evaluator", folder.to_str().unwrap()]).ended(0);
            let before = files_of(&folder);
            fit(&trainer, model, &name, &options).ended(2);
            fit(&trainer, model, &name, &[&options[..], &["--force"]].concat()).ended(0);
            assert_eq!(files_of(&folder), before, "{name}");
        }
    }
    let tree = trainer.files.path("tree-terms");
    let tree = tree.to_str().unwrap();
    let play = ["match", tree, "traditional", "--games", "2", "--depth", "1", "--json"];
    roughboard(&play).ended(0);
    let onnx = trainer.files.path("tree.onnx");
    let refused = roughboard(&["export", "onnx", tree, "--out", onnx.to_str().unwrap()]).ended(2);
    assert!(refused.stderr.contains("got a decision tree"), "{}", refused.stderr);
}

/// The leaves of a tree are weights, which BP and TD(λ) train on.
#[test]
fn a_tree_is_trained_on() {
    let trainer = Trainer::of_uneven_games();
    fit(&trainer, "tree", "tree", &["--min-leaf", "10", "--max-objects", "300"]).ended(0);
    let (games, tree) = (&trainer.games, trainer.files.path("tree"));
    for method in ["bp", "td"] {
        let out = trainer.files.path(method);
        let given = ["train", method, "--games", games, "--init", tree.to_str().unwrap(), "--passes", "1"];
        roughboard(&[&given[..], &["--out", out.to_str().unwrap()]].concat()).ended(0);
        roughboard(&["eval", "--evaluator", out.to_str().unwrap()]).ended(0);
        let net = |folder: &Path| std::fs::read(folder.join("net.safetensors")).unwrap();
        assert_ne!(net(&out), net(&tree));
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let trainer = Trainer::of_uneven_games();
    let cases: [(&str, &[&str], &str); 7] = [
        ("tree", &["--alpha", "2"], "`--alpha` must be left out, as it is a setting of another `--model`"),
        ("tree", &["--one-hot"], "`--one-hot` must be left out"),
        ("logistic", &["--depth", "3"], "`--depth` must be left out"),
        ("svm", &["--max-objects", "20000"], "`--max-objects` must be in [10, 10000] for svm, got 20000"),
        ("svm", &["--c", "0"], "`--c` must be in (0, 1e6], got 0"),
        ("logistic", &["--target", "search"], "`--target` must be `result` for a baseline"),
        ("logistic", &["--skip-term", "traditional"], "`--skip-term` must be left out for a baseline"),
    ];
    for (model, options, message) in cases {
        let error = fit(&trainer, model, "refused", options).ended(2).stderr;
        assert!(error.contains(message), "{model} {options:?}: {error}");
    }
    assert!(!trainer.files.path("refused").exists());
}
