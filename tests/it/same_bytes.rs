//! Every command that writes results writes the same bytes on any number of threads, and however the program was compiled.
//!
//! The commands stand in `tests/data/same_bytes.txt`. `.ci/determinism` runs this test with larger sizes, `ROUGHBOARD_SIZES=large`, and with
//! programs that were compiled in other ways, `ROUGHBOARD_PROGRAMS=PATH:PATH…`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::Files;
use crate::house::root;

const THREADS: [u8; 4] = [1, 2, 3, 8];

/// What holds measured times or nothing, and so is no result.
const NO_RESULTS: [&str; 2] = ["times.md", ".lock"];

/// The commands, with their sizes.
fn commands(is_large: bool) -> Vec<String> {
    let text = fs::read_to_string(root().join("tests/data/same_bytes.txt")).unwrap();
    let data = root().join("tests/data");
    let sized = |line: &str| {
        let mut parts = line.replace("{data}", data.to_str().unwrap());
        while let Some((begin, end)) =
            parts.find('|').and_then(|bar| Some((parts[..bar].rfind('{')?, bar + parts[bar..].find('}')?)))
        {
            let (small, large) = parts[begin + 1..end].split_once('|').unwrap();
            let chosen = if is_large { large } else { small }.to_owned();
            parts.replace_range(begin..=end, &chosen);
        }
        parts
    };
    text.lines().filter(|line| !line.starts_with('#')).map(sized).collect()
}

/// The bytes of a file; of a journal its lines in order, since they stand there as the work ended.
fn in_order(path: &Path, bytes: Vec<u8>) -> Vec<u8> {
    if path.extension().is_none_or(|ending| ending != "jsonl") {
        return bytes;
    }
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    lines.sort();
    lines.concat()
}

/// All files in `folder` and below, by their paths; links are passed over.
pub fn files_below(folder: &Path, found: &mut BTreeMap<String, Vec<u8>>, base: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let (path, kind) = entry.map(|entry| (entry.path(), entry.file_type().unwrap())).unwrap();
        let name = path.strip_prefix(base).unwrap().display().to_string();
        if kind.is_dir() {
            files_below(&path, found, base);
        } else if kind.is_file() && !NO_RESULTS.contains(&path.file_name().unwrap().to_str().unwrap()) {
            found.insert(name, in_order(&path, fs::read(&path).unwrap()));
        }
    }
}

/// What `program` writes or prints when it runs all `commands` on so many threads; `engine` is what plays as an engine.
fn results(program: &str, engine: &str, commands: &[String], threads: u8) -> BTreeMap<String, Vec<u8>> {
    let folder = Files::new();
    let mut found = BTreeMap::new();
    for words in commands {
        let words = words.replace("{program}", engine);
        let shell = format!("exec '{program}' {words} --threads {threads} --quiet");
        let output = Command::new("sh").args(["-c", &shell]).current_dir(folder.folder.path()).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        // Code 3: a part of a match.
        assert!(matches!(output.status.code(), Some(0 | 3)), "{shell}: {complaint}");
        // Beside a file, measured times may be printed.
        if !words.contains(" --out ") {
            found.insert(words, output.stdout);
        }
    }
    files_below(folder.folder.path(), &mut found, folder.folder.path());
    found
}

#[cfg(unix)]
#[test]
fn every_command_writes_the_same_bytes_on_any_number_of_threads() {
    let built = env!("CARGO_BIN_EXE_roughboard").to_owned();
    let programs = std::env::var("ROUGHBOARD_PROGRAMS").unwrap_or(built);
    let commands = commands(std::env::var("ROUGHBOARD_SIZES").is_ok_and(|sizes| sizes == "large"));
    // Manifests tell of engines: it is the same one for all programs.
    let engine = programs.split(':').next().unwrap_or(&programs);
    let mut first = None::<BTreeMap<String, Vec<u8>>>;
    for program in programs.split(':') {
        for threads in THREADS {
            let found = results(program, engine, &commands, threads);
            let expected = first.get_or_insert_with(|| found.clone());
            assert!(found.keys().eq(expected.keys()), "{program} on {threads} threads: {:?}", found.keys());
            let other: Vec<&String> =
                found.iter().filter(|(name, bytes)| expected[*name] != **bytes).map(|(name, _)| name).collect();
            assert!(other.is_empty(), "{program} on {threads} threads: {other:?}");
        }
    }
    let files = first.map_or(0, |found| found.len());
    println!("{} commands, {files} files and answers", commands.len());
}

/// Commands that write a file or a folder, as the page of commands has them, but for those that take minutes or write no results.
#[test]
fn every_command_that_writes_results_is_tried() {
    const NOT_TRIED: [&str; 2] = ["endings table", "man"];
    let page = fs::read_to_string(root().join("docs/commands.md")).unwrap();
    let tried = commands(false);
    let sections = page.split("\n## roughboard ").skip(1).map(|section| section.split_once('\n').unwrap());
    let writing = sections.filter(|(_, text)| text.contains("| `--out ")).map(|(name, _)| name);
    let missing: Vec<&str> = writing
        .filter(|name| !NOT_TRIED.contains(name))
        .filter(|name| !tried.iter().any(|words| words.starts_with(&format!("{name} "))))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
