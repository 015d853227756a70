//! Commands as other programs read them: manual pages and completions.

use std::process::{Command, Stdio};

use crate::command::{Files, contents, roughboard};

#[test]
fn every_command_has_a_page_with_all_its_options() {
    let files = Files::new();
    let folder = files.path("man");
    let pages = || roughboard(&["man", "--out", folder.to_str().unwrap()]);
    let said = pages().ended(0).stdout;
    let written = contents(&folder);
    assert_eq!(said, format!("{} pages: {}\n", written.len(), folder.display()));
    assert!(written.len() > 60 && written.contains_key("roughboard.1"), "{:?}", written.keys());
    let page = String::from_utf8(written["roughboard-rough-reduct.1"].clone()).unwrap();
    // An option that short help leaves out is explained all the same, and the examples are there.
    let expected = ["The separator of CSV", "Which objects are alike", "roughboard rough reduct table.csv"];
    expected.iter().for_each(|words| assert!(page.contains(words), "{words}: {page}"));
    let error = pages().refusal();
    assert!(error.contains("is not empty: expected a new folder; `--force` replaces files in it"), "{error}");
}

#[test]
fn shells_take_the_completions() {
    let script = roughboard(&["completions", "bash"]).ended(0).stdout;
    assert!(script.contains("--certificate") && script.contains("connect6-tdbp"), "{script}");
    let mut bash = Command::new("bash").args(["-n"]).stdin(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut bash.stdin.take().unwrap(), script.as_bytes()).unwrap();
    assert!(bash.wait().unwrap().success());
    for shell in ["zsh", "fish", "elvish", "powershell"] {
        assert!(roughboard(&["completions", shell]).ended(0).stdout.contains("roughboard"), "{shell}");
    }
    let error = roughboard(&["completions", "csh"]).ended(2).stderr;
    assert!(error.contains("bash") && error.contains("zsh"), "{error}");
}
