//! `roughboard doctor`: what it finds, as text and as JSON.

use std::process::Command;

use crate::command::{Files, roughboard};

#[test]
fn what_is_there_is_found_and_what_is_not_is_advised() {
    let files = Files::new();
    let engine = files.write("pikafish", "");
    files.write("rough", "");
    let mut command = Command::new(env!("CARGO_BIN_EXE_roughboard"));
    command.args(["doctor", "--json", "--threads", "2"]).current_dir(files.folder.path());
    let output = command.env("PATH", engine.parent().unwrap()).env("ROUGHBOARD_DATA", "/none/such").output().unwrap();
    let findings: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let of = |what: &str| findings.as_array().unwrap().iter().find(|one| one["what"] == what).unwrap();
    assert_eq!(of("program")["found"], roughboard::PROGRAM);
    assert!(of("threads")["found"].as_str().unwrap().starts_with("2 of "));
    // Each feature that the command does not need, if this build has it.
    for (feature, is_there) in
        [("gpu", cfg!(feature = "gpu")), ("burn", cfg!(feature = "burn")), ("spark", cfg!(feature = "spark"))]
    {
        assert_eq!(of("features")["found"].as_str().unwrap().split(", ").any(|name| name == feature), is_there);
    }
    assert_eq!(of("engines")["found"], "pikafish");
    assert_eq!(of("networks")["found"], "rough, bp, td, tdbp, zero");
    assert!(of("networks")["advice"].as_str().unwrap().contains("`./rough`"));
    assert!(of("data")["found"] == "ROUGHBOARD_DATA=/none/such" && of("data")["advice"].is_string());
    let text = roughboard(&["doctor"]).ended(0).stdout;
    assert!(["program", "threads", "memory", "advice"].iter().all(|word| text.contains(word)), "{text}");
}
