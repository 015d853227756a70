//! How a command gives its answer: as text or JSON, on standard output or in a file.

use anyhow::ensure;
use serde::Serialize;
use serde_json::Value as Json;

use crate::cli::form::{Form, Sheet};
use crate::cli::output::{print, write};
use crate::cli::targets::OutPath;

/// The options of every command that answers with text, JSON or CSV.
#[derive(clap::Args)]
pub struct Answer {
    #[command(flatten)]
    form: Form,
    /// Print long lists in full
    #[arg(long)]
    pub all: bool,
    /// Write the answer to a file, .txt, .json or .csv
    #[arg(long, value_parser = OutPath::file(&[".txt", ".json", ".csv"]), value_name = "FILE")]
    out: Option<OutPath>,
}

impl Answer {
    /// Refuses a file whose name is that of another form than the one that was asked for, before anything is computed.
    pub fn check(&self) -> anyhow::Result<()> {
        let is_table = self.out_ends_in("csv");
        let is_other = self.form.json && is_table;
        let is_named = !self.form.csv || self.out.is_none() || is_table;
        ensure!(!is_other, "`--json` needs a name for `--out` that ends in .json, or no `--out`");
        ensure!(is_named, "`--csv` needs a name for `--out` that ends in .csv, or no `--out`");
        Ok(())
    }

    /// Gives the answer in the form that was asked for, of CSV its `sheet`; only that form is made.
    pub fn give(&self, sheet: Sheet<'_>, json: impl Fn() -> Json, text: impl FnOnce() -> String) -> anyhow::Result<()> {
        self.give_long(|| sheet.csv(&json), &json, text)
    }

    /// As [`Answer::give`], of an answer that would fill the memory if all of it were made before it is written.
    pub fn give_long<J: Serialize>(
        &self,
        csv: impl FnOnce() -> String,
        json: impl FnOnce() -> J,
        text: impl FnOnce() -> String,
    ) -> anyhow::Result<()> {
        let answer = match () {
            () if self.wants_csv() => csv(),
            () if self.wants_json() => serde_json::to_string(&json())? + "\n",
            () => text(),
        };
        match &self.out {
            None => print(&answer),
            Some(path) => write(path, answer),
        }
    }

    /// Whether CSV was asked for, by the option or by the name of the file.
    pub fn wants_csv(&self) -> bool {
        self.form.csv || self.out_ends_in("csv")
    }

    /// Whether JSON was asked for, by the option or by the name of the file.
    pub fn wants_json(&self) -> bool {
        self.form.json || self.out_ends_in("json")
    }

    /// Whether the answer goes to a file whose name ends in `extension`.
    fn out_ends_in(&self, extension: &str) -> bool {
        self.out.as_ref().and_then(|path| path.extension()).is_some_and(|found| found.eq_ignore_ascii_case(extension))
    }

    /// Whether long lists are given in full, as a file has them.
    pub fn is_in_full(&self) -> bool {
        self.all || self.out.is_some()
    }

    /// Whether the answer goes to a file or a program as a whole, not to a reader in parts.
    pub fn is_whole(&self) -> bool {
        self.wants_csv() || self.wants_json()
    }

    /// Tells that an answer which is not complete goes to a file or a program; the text for the screen says so itself.
    pub fn note_limit(&self, things: &str, complete: bool) {
        self.note_limit_of("limit", things, complete);
    }

    /// As [`Answer::note_limit`], of a limit that this option sets.
    pub fn note_limit_of(&self, option: &str, things: &str, complete: bool) {
        if !complete {
            self.note(&format!("a limit was reached, there may be more {things}: `--{option}` says how many at most"));
        }
    }

    /// Tells what the text for the screen says itself, where the answer goes to a file or a program.
    pub fn note(&self, what: &str) {
        if self.out.is_some() || self.form.is_for_programs() {
            eprintln!("note: {what}");
        }
    }
}
