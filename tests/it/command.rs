//! Runs the program the way a user does.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use roughboard::report::columns::is_described;
use serde_json::Value as Json;
use tempfile::TempDir;

/// What the program calls itself.
pub const PROGRAM_NAME: &str = concat!("roughboard ", env!("CARGO_PKG_VERSION"));

/// Files for one test, in a folder that goes with this value.
pub struct Files {
    pub folder: TempDir,
    /// The decision that `rough` is asked about.
    decision: &'static str,
}

/// A table in a file by its path, or the contents of one.
pub trait Table {
    fn in_file(self, files: &Files) -> PathBuf;
}

impl Table for &PathBuf {
    fn in_file(self, _: &Files) -> PathBuf {
        self.clone()
    }
}

impl Table for &str {
    fn in_file(self, files: &Files) -> PathBuf {
        files.write("table.csv", self)
    }
}

impl Files {
    pub fn new() -> Self {
        Self::decided_by("d")
    }

    /// For tables whose decision has this name.
    pub fn decided_by(decision: &'static str) -> Self {
        Self { folder: TempDir::new().unwrap(), decision }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// As [`Files::path`]; as an argument of the program.
    pub fn argument(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), contents).unwrap();
        self.path(name)
    }

    /// As [`Files::write`]; the path as an argument of the program.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        self.write(name, contents);
        self.argument(name)
    }

    /// Runs `rough` on a table.
    pub fn rough(&self, command: &str, table: impl Table, options: &[&str]) -> Run {
        let path = table.in_file(self);
        roughboard(&[&["rough", command, path.to_str().unwrap(), "--decision", self.decision], options].concat())
    }

    #[track_caller]
    pub fn json(&self, command: &str, table: impl Table, options: &[&str]) -> Json {
        self.rough(command, table, &[options, &["--json"]].concat()).ended(0).json()
    }

    #[track_caller]
    pub fn text(&self, command: &str, table: impl Table, options: &[&str]) -> String {
        self.rough(command, table, options).ended(0).stdout
    }

    #[track_caller]
    pub fn refusal(&self, command: &str, table: impl Table, options: &[&str]) -> String {
        self.rough(command, table, options).refusal()
    }
}

/// Makes a named pipe.
#[cfg(unix)]
pub fn make_pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A file of the collections of recorded games, if `ROUGHBOARD_DATA` tells where they are; else the test is skipped.
pub fn collection(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("ROUGHBOARD_DATA").filter(|folder| !folder.is_empty());
    if folder.is_none() {
        eprintln!("skipped: ROUGHBOARD_DATA does not name the folder of `{name}`");
    }
    folder.map(|folder| PathBuf::from(folder).join(name))
}

/// What `folder` holds by name: the bytes of files, and nothing of folders.
pub fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let bytes = |path: &Path| if path.is_dir() { Vec::new() } else { std::fs::read(path).unwrap() };
    entries.map(|path| (name(&path), bytes(&path))).collect()
}

/// The names of what `folder` holds, in order, also while files come and go.
pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

/// Checks that the data dictionary describes CSV that was printed.
#[track_caller]
pub fn assert_stdout_described(text: &str) {
    let columns: Vec<&str> = text.lines().next().unwrap_or_default().split(',').collect();
    assert!(is_described("standard output", &columns), "{columns:?} are not in the data dictionary");
}

/// Checks that the data dictionary describes all CSV among `files`, which are contents by names.
pub fn assert_described(files: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in files.iter().filter(|(name, _)| name.ends_with(".csv")) {
        let mut reader = csv::Reader::from_reader(&bytes[..]);
        let columns: Vec<&str> = reader.headers().unwrap().iter().collect();
        assert!(is_described(name, &columns), "{name}: {columns:?} are not in the data dictionary");
    }
}

/// The lines of a journal without their checksums, so that what else is checked of them can be tried.
pub fn without_sums(journal: &str) -> String {
    let line = |line: &str| match line.rsplit_once(",\"sum\":\"") {
        Some((before, _)) => format!("{before}}}\n"),
        None => format!("{line}\n"),
    };
    journal.lines().map(line).collect()
}

/// The file of a network without its checksum, so that what else is checked of it can be tried.
pub fn without_sum(mut network: Vec<u8>) -> Vec<u8> {
    let key = b"sha256";
    let at = network.windows(key.len()).position(|window| window == key).unwrap();
    network[at..at + key.len()].copy_from_slice(b"former");
    network
}

/// What a run of the program left behind.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// The words of a command that has no quotation marks.
pub fn words(command: &str) -> Vec<&str> {
    command.split(' ').collect()
}

/// Runs the program with `arguments` to its end.
pub fn roughboard(arguments: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_roughboard")).args(arguments).output().unwrap();
    Run::of(output, arguments)
}

/// Runs the program with `arguments` to its end, with `input` as its standard input.
pub fn roughboard_told(arguments: &[&str], input: &str) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_roughboard"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that leaves before it has read all is none of this function's business.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    Run::of(child.wait_with_output().unwrap(), arguments)
}

/// Checks that a command fails on its input with one line that holds all of `parts`.
#[track_caller]
pub fn refused(arguments: &[&str], parts: &[&str]) {
    let error = roughboard(arguments).refusal();
    for part in parts {
        assert!(error.contains(part), "{arguments:?}: expected `{part}` in: {error}");
    }
}

impl Run {
    fn of(output: Output, arguments: &[&str]) -> Self {
        let code = output.status.code().unwrap_or_else(|| panic!("{arguments:?} was ended by a signal"));
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code, stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// This run, if it ended with `code`.
    #[track_caller]
    pub fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// Standard output as JSON.
    #[track_caller]
    pub fn json(&self) -> Json {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e}: {}", self.stdout))
    }

    /// The error message, if this run failed on its input with a single line.
    #[track_caller]
    pub fn refusal(self) -> String {
        let error = self.ended(2).stderr;
        assert!(error.starts_with("error: ") && error.lines().count() == 1, "expected one line: {error}");
        assert!(!error.contains("panicked"), "{error}");
        error
    }
}

/// The program at work, which does not outlive its test, whatever becomes of that.
pub struct Mortal(pub Child);

impl Mortal {
    /// Starts it; nobody reads what it says.
    pub fn begin(arguments: &[String]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_roughboard"));
        Self(command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Mortal {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
