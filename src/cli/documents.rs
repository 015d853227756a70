//! Every command in the documentation is one that the program takes, with options that have an effect.
//!
//! A shell runs the blocks of commands with a stand-in for the program, which notes the words that it is given, so that loops,
//! variables and quotation marks mean what they mean to a reader. Nothing else is found there, so nothing else is run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use clap::Command;
use clap::error::ErrorKind;

use super::reference::root;
use super::{effects, program};

/// What stands before each block: the stand-in, also where the program is built first.
const STAND_IN: &str = r#"
shopt -s execfail
exec 3> "$1"
PATH=/nonexistent
roughboard() { printf '%s\n' roughboard "$@" '' >&3; }
cargo() { while [ $# -gt 0 ] && [ "$1" != -- ]; do shift; done; [ $# = 0 ] || { shift; roughboard "$@"; }; }
"#;

/// The files of Markdown in `folder` and below with their texts, hidden and built ones left out.
fn pages(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !name.starts_with('.') && !["target", "site"].contains(&name) {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|ending| ending == "md") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    found
}

/// The commands of a page: its blocks of shell, and lines of a session, which begin with `$`.
fn blocks(text: &str) -> Vec<String> {
    let (mut found, mut fence) = (Vec::new(), None::<String>);
    for line in text.lines() {
        match (&fence, line.strip_prefix("```")) {
            (None, Some(kind)) => {
                fence = Some(kind.to_owned());
                found.push(String::new());
            }
            (Some(_), Some(_)) => fence = None,
            (Some(kind), None) if kind.split(' ').next() == Some("sh") => {
                *found.last_mut().unwrap() += &format!("{line}\n")
            }
            (Some(_), None) => {
                let command = line.strip_prefix("$ ").map(|line| format!("{line}\n"));
                *found.last_mut().unwrap() += &command.unwrap_or_default();
            }
            (None, None) => {}
        }
    }
    found.retain(|block| block.contains("roughboard") || block.contains("cargo run"));
    found
}

/// The words of each command of the program in `block`.
fn commands(block: &str) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let noted = folder.path().join("noted");
    let script = format!("{STAND_IN}{block}");
    let mut shell = Process::new("bash");
    shell.args(["-c", &script, "bash"]).arg(&noted).current_dir(folder.path());
    shell.env("HOME", folder.path()).output().unwrap();
    let text = fs::read_to_string(noted).unwrap();
    text.split_terminator("\n\n").map(|command| command.lines().map(str::to_owned).collect()).collect()
}

/// The commands that sentences name, as `` `roughboard rough reduct [--minimum]` ``: code between blocks.
fn named(text: &str) -> Vec<&str> {
    let prose = text.split("```").step_by(2);
    let code = prose.flat_map(|part| part.split('`').skip(1).step_by(2));
    code.filter(|code| code.starts_with("roughboard ")).collect()
}

/// What is wrong with a command that a sentence names: it may lack arguments, but what it has must be there.
fn fault(program: &Command, code: &str) -> Option<String> {
    let has = |command: &Command, option| command.get_arguments().any(|arg| arg.get_long() == Some(option));
    let mut command = program;
    let words = code.split([' ', '\n', '[', ']']).filter(|word| !word.is_empty());
    for word in words.skip(1).take_while(|word| *word != "…") {
        let option = word.strip_prefix("--").filter(|option| !["help", "version"].contains(option));
        if let Some(inner) = command.find_subcommand(word) {
            command = inner;
        } else if let Some(option) = option.filter(|option| !has(program, option) && !has(command, option)) {
            return Some(format!("`{}` has no --{option}", command.get_name()));
        } else if command.is_subcommand_required_set() && word.starts_with(|c: char| c.is_ascii_lowercase()) {
            return Some(format!("`{}` has no command `{word}`", command.get_name()));
        }
    }
    None
}

#[test]
fn every_command_that_a_sentence_names_is_there() {
    let (program, mut seen) = (program(), 0);
    for (page, text) in pages(root()) {
        let found = named(&text);
        seen += found.len();
        let faults: Vec<String> = found.into_iter().filter_map(|code| fault(&program, code)).collect();
        assert!(faults.is_empty(), "{}: {faults:?}", page.display());
    }
    assert!(seen > 100, "{seen}");
    let found = ["roughboard rough core", "roughboard rough cores", "roughboard rough core --core"]
        .map(|code| fault(&program, code).is_some());
    assert_eq!(found, [false, true, true]);
}

#[test]
fn the_shell_says_what_the_words_of_a_command_are() {
    let block = "for s in 1 2; do\n  roughboard train bp --seed $s \\\n    --out 'a b'   # why\ndone\nexec roughboard engine > x\n";
    let train = |seed| ["roughboard", "train", "bp", "--seed", seed, "--out", "a b"].map(str::to_owned).to_vec();
    assert_eq!(commands(block), [train("1"), train("2")]);
    let text = "```sh form\ncargo run --release -- bench\n```\n```text\n$ roughboard bench\nroughboard says\n```\n";
    let bench = ["roughboard", "bench"].map(str::to_owned).to_vec();
    let found: Vec<_> = blocks(text).iter().flat_map(|block| commands(block)).collect();
    assert_eq!(found, [bench.clone(), bench]);
}

#[test]
fn every_command_in_the_documentation_is_taken() {
    let (program, mut seen) = (program(), 0);
    for (page, text) in pages(root()) {
        for words in blocks(&text).iter().flat_map(|block| commands(block)) {
            seen += 1;
            let taken = program.clone().try_get_matches_from(&words);
            let complaint = match taken {
                Ok(matches) => effects::check(&program, &matches).err().map(|error| error.to_string()),
                Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => None,
                Err(error) => Some(error.to_string()),
            };
            let complaint = complaint.unwrap_or_default();
            assert!(complaint.is_empty(), "{}: {}\n{complaint}", page.display(), words.join(" "));
        }
    }
    assert!(seen > 150, "{seen}");
}
