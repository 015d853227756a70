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
    // What stands below the options is in sections of the usual names.
    let text = |name: &str| String::from_utf8(written[name].clone()).unwrap();
    assert!(written.keys().all(|name| !text(name).contains(".SH EXTRA")), "{:?}", written.keys());
    let of_match = text("roughboard-match.1");
    let [examples, notes] = [".SH EXAMPLES\n", ".SH NOTES\nEntrants: "].map(|title| of_match.find(title).unwrap());
    assert!(examples < notes && !of_match.contains("\nExamples:"), "{of_match}");
    assert!(text("roughboard.1").contains(".SH \"EXIT STATUS\"\n"), "{}", text("roughboard.1"));
    let error = pages().refusal();
    assert!(error.contains("is not empty: expected a new folder; `--force` replaces files in it"), "{error}");
}

/// They need no files.
#[test]
fn examples_of_positions_can_be_run_as_they_stand() {
    let examples = include_str!("../../src/cli/help.txt").lines().filter(|line| line.contains(" --fen '"));
    for example in examples {
        let (before, rest) = example.strip_prefix("roughboard ").unwrap().split_once('\'').unwrap();
        let (fen, after) = rest.split_once('\'').unwrap();
        let words = before.split_whitespace().chain([fen]).chain(after.split_whitespace());
        roughboard(&words.collect::<Vec<_>>()).ended(0);
    }
}

#[test]
fn shells_take_the_completions() {
    let script = roughboard(&["completions", "bash"]).ended(0).stdout;
    assert!(script.contains("--certificate") && script.contains("connect6-tdbp"), "{script}");
    // Where a network, an evaluator or an entrant is asked for, their names are offered, and files all the same.
    let names = "traditional rough bp td static static-handset tdbp material material-captures zero";
    assert!(script.contains(&format!("{names} random")), "{script}");
    assert!(script.contains(&format!("compgen -W \"{names}\"")), "{script}");
    assert!(script.contains("compgen -W \"rough bp td tdbp zero\"") && script.contains("-o default"), "{script}");
    let zsh = roughboard(&["completions", "zsh"]).ended(0).stdout;
    let offered = format!(":{{_alternative \"names\\:name\\:({names} random)\" \"files\\:file\\:_files\"}}");
    assert!(zsh.contains(&offered), "{zsh}");
    let fish = roughboard(&["completions", "fish"]).ended(0).stdout;
    let of_eval = fish.lines().find(|line| line.contains("subcommand eval\" -l evaluator")).unwrap();
    assert!(of_eval.contains("-F -a \"traditional"), "{of_eval}");
    let mut bash = Command::new("bash").args(["-n"]).stdin(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut bash.stdin.take().unwrap(), script.as_bytes()).unwrap();
    assert!(bash.wait().unwrap().success());
    for shell in ["zsh", "fish", "elvish", "powershell"] {
        assert!(roughboard(&["completions", shell]).ended(0).stdout.contains("roughboard"), "{shell}");
    }
    let error = roughboard(&["completions", "csh"]).ended(2).stderr;
    assert!(error.contains("bash") && error.contains("zsh"), "{error}");
}
