//! How a command gives its answer: as text or JSON, on standard output or in a file.

use clap::Arg;
use serde_json::Value as Json;

use crate::cli::output::{print, write};
use crate::cli::targets::OutPath;

/// The options of every command that answers with text or JSON.
#[derive(clap::Args)]
pub struct Answer {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print long lists in full
    #[arg(long)]
    pub all: bool,
    /// Write the answer to a file, .txt or .json
    #[arg(long, value_parser = OutPath::file(&[".txt", ".json"]), value_name = "FILE")]
    out: Option<OutPath>,
}

/// The option `--out` of a command that writes its answer as CSV too.
pub fn or_csv(out: Arg) -> Arg {
    out.value_parser(OutPath::file(&[".txt", ".json", ".csv"])).help("Write the answer to a file, .txt, .json or .csv")
}

impl Answer {
    /// Gives the answer in the form that was asked for; only that form is made.
    pub fn give(&self, json: impl FnOnce() -> Json, text: impl FnOnce() -> String) -> anyhow::Result<()> {
        self.write(if self.wants_json() { format!("{}\n", json()) } else { text() })
    }

    /// Whether JSON was asked for, by the option or by the name of the file.
    pub fn wants_json(&self) -> bool {
        self.json || self.out_ends_in("json")
    }

    /// Whether the answer goes to a file whose name ends in `extension`.
    pub fn out_ends_in(&self, extension: &str) -> bool {
        self.out.as_ref().and_then(|path| path.extension()).is_some_and(|found| found.eq_ignore_ascii_case(extension))
    }

    /// Tells that an answer which is not complete goes to a file or a program; the text for the screen says so itself.
    pub fn note_limit(&self, things: &str, complete: bool) {
        if !complete && (self.out.is_some() || self.json) {
            eprintln!("note: a limit was reached, there may be more {things}: `--limit` says how many at most");
        }
    }

    /// Writes the finished answer to where it was asked for.
    pub fn write(&self, answer: String) -> anyhow::Result<()> {
        match &self.out {
            None => print(&answer),
            Some(path) => write(path, answer),
        }
    }
}
