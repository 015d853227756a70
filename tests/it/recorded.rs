//! The answers of many commands, as they were recorded: whoever changes none of them on purpose must change none.
//!
//! `tests/data/recorded` has lists of commands, one a line and in their order, all of one list in one folder, in which `data` is `tests/data`.
//! Before a command stands the checksum of what it printed and wrote, notes and its code with it. `!` marks one that fails.
//! Lines of the shell write inputs, or are piped into `engine` or `play`. `ROUGHBOARD_UPDATE=1` writes the checksums anew.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use regex::Regex;
use sha2::{Digest, Sha256};

use crate::command::{Files, PROGRAM_NAME};
use crate::house::root;
use crate::same_bytes::files_below;

/// Where what the shell wrote goes into the program.
static PIPED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r" \| (engine|play)\b").unwrap());
/// Measured times: in JSON, and in what an engine says.
static TIMES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#""(seconds|nodes_per_second)": ?[0-9.e+-]+| (time|nps) [0-9]+|[0-9.]+ ms\b"#).unwrap()
});
static REALS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"-?[0-9]+\.[0-9]+(e[+-]?[0-9]+)?").unwrap());
static CHECKSUM: LazyLock<Regex> = LazyLock::new(|| Regex::new("^[0-9a-f]{8} ").unwrap());

type Contents = BTreeMap<String, Vec<u8>>;

/// A text without measured times, and with as many digits of reals as any processor and library computes alike.
fn settled(text: &str) -> String {
    let text = TIMES.replace_all(text, "");
    let real = |found: &regex::Captures| {
        found[0].parse::<f64>().map_or_else(|_| found[0].to_owned(), |real| format!("{real:.8e}"))
    };
    REALS.replace_all(&text, real).replace(PROGRAM_NAME, "")
}

/// Takes in a text; of what is no text, as packers and libraries of formats write it, that it is there.
fn take_in(sum: &mut Sha256, name: &str, bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).map_or_else(|_| String::new(), settled);
    sum.update(format!("{name}\0{text}\0"));
}

/// Whether a line writes inputs for those that follow.
fn is_input(line: &str) -> bool {
    (line.starts_with("printf ") || line.starts_with("sh ")) && !PIPED.is_match(line)
}

/// What a shell runs for a line without its checksum, and whether the program is to fail.
fn shell_of(line: &str) -> (String, bool) {
    let threads = if line.contains(" --threads ") { "" } else { "--threads 1" };
    let program = |words: &str| format!("'{}' {words} --quiet {threads}", env!("CARGO_BIN_EXE_roughboard"));
    if let Some(bar) = PIPED.find(line) {
        let (input, words) = line.split_at(bar.start());
        (format!("{input} | {}", program(&words[3..])), false)
    } else if is_input(line) {
        (line.to_owned(), false)
    } else {
        let fails = line.strip_prefix("! ");
        (program(fails.unwrap_or(line)), fails.is_some())
    }
}

/// The files of a run, but for what tells of the version that wrote it.
fn files_in(folder: &Path) -> Contents {
    let mut found = Contents::new();
    files_below(folder, &mut found, folder);
    found.retain(|name, _| !name.ends_with("manifest.json"));
    found
}

/// The checksum of what a command wrote and printed; of an input none.
fn checksum(line: &str, folder: &Path, before: &mut Contents) -> Option<String> {
    let (shell, fails) = shell_of(line);
    let Output { status, stdout, stderr } =
        Command::new("sh").args(["-c", &shell]).current_dir(folder).output().unwrap();
    let complaint = String::from_utf8_lossy(&stderr);
    assert!(fails || matches!(status.code(), Some(0 | 1 | 3)), "{shell}: {status}: {complaint}");
    let after = files_in(folder);
    let mut sum = Sha256::new();
    // Beside a file, measured times may be printed.
    if !line.contains(" --out ") {
        take_in(&mut sum, "printed", &stdout);
    }
    take_in(&mut sum, &status.to_string(), &stderr);
    for (name, bytes) in after.iter().filter(|(name, bytes)| before.get(*name) != Some(bytes)) {
        take_in(&mut sum, name, bytes);
    }
    *before = after;
    (!is_input(line)).then(|| sum.finalize().iter().take(4).map(|byte| format!("{byte:02x}")).collect())
}

/// Runs a list; the answers must have the recorded checksums.
fn check(list: &str) {
    let path = root().join("tests/data/recorded").join(list);
    let text = fs::read_to_string(&path).unwrap();
    let folder = Files::new();
    std::os::unix::fs::symlink(root().join("tests/data"), folder.path("data")).unwrap();
    let (mut now, mut before, mut changed) = (String::new(), Contents::new(), Vec::new());
    for line in text.lines() {
        let command = CHECKSUM.replace(line, "");
        let sum = if line.starts_with('#') { None } else { checksum(&command, folder.folder.path(), &mut before) };
        let recorded = sum.map_or_else(|| command.to_string(), |sum| format!("{sum} {command}"));
        if recorded != line {
            changed.push(command.to_string());
        }
        now += &recorded;
        now.push('\n');
    }
    if std::env::var_os("ROUGHBOARD_UPDATE").is_some() {
        fs::write(path, now).unwrap();
    } else {
        assert!(
            changed.is_empty(),
            "{} other answers (ROUGHBOARD_UPDATE=1 records them):\n{}",
            changed.len(),
            changed.join("\n")
        );
    }
}

#[test]
fn games_answer_as_recorded() {
    check("games.txt");
}

#[test]
fn searches_answer_as_recorded() {
    check("search.txt");
}

#[test]
fn tables_answer_as_recorded() {
    check("table.txt");
}

#[test]
fn rough_sets_answer_as_recorded() {
    check("rough.txt");
}
