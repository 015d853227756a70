//! Suites: files of facts that must come out exactly, in the formats that `docs/formats.md` describes.

pub mod connect6_positions;
mod connect6_tests;
mod entry;
mod match_statistics;
mod perft;
mod reduct_figures;
mod rough_tables;
pub mod xiangqi_mates;
mod xiangqi_notation;
pub mod xiangqi_verdicts;

use std::fmt::Debug;
use std::path::Path;

pub use entry::ContentError;
use serde_json::Value;

use crate::observe::Observer;

/// One fact that did not come out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Which fact: the entry of the file and the quantity.
    pub what: String,
    /// What the file says.
    pub expected: String,
    /// What was computed.
    pub got: String,
}

/// The account of checked facts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The number of facts checked.
    pub checked: usize,
    /// Those that did not come out, in the order of the file.
    pub failures: Vec<Failure>,
    /// What else the file lets one say, a sentence each; neither passed nor failed.
    pub notes: Vec<String>,
}

impl Report {
    /// Checks one fact; `what` is asked only when it fails.
    pub fn expect<T: PartialEq + Debug>(&mut self, what: impl FnOnce() -> String, expected: &T, got: &T) {
        self.checked += 1;
        if expected != got {
            let [expected, got] = [expected, got].map(|value| format!("{value:?}"));
            self.failures.push(Failure { what: what(), expected, got });
        }
    }

    /// Counts a fact that came out.
    pub const fn pass(&mut self) {
        self.checked += 1;
    }

    /// Counts a fact that could not even be checked.
    pub(crate) fn fail(&mut self, what: impl Into<String>, expected: impl Into<String>, got: impl Into<String>) {
        self.checked += 1;
        self.failures.push(Failure { what: what.into(), expected: expected.into(), got: got.into() });
    }

    /// The number of facts that came out.
    pub const fn passed(&self) -> usize {
        self.checked - self.failures.len()
    }

    /// Adds the facts and notes of another account.
    pub fn append(&mut self, mut other: Self) {
        self.checked += other.checked;
        self.failures.append(&mut other.failures);
        self.notes.append(&mut other.notes);
    }
}

/// How much to check, and whom to tell.
#[derive(Clone, Copy)]
pub struct Settings<'a> {
    /// Perft rows with more nodes than this are left out.
    pub max_nodes: u64,
    /// Is told of each checked entry.
    pub observer: &'a dyn Observer,
}

impl Settings<'_> {
    /// Checks every entry, and tells of each.
    fn each<T>(&self, task: &str, entries: &[T], mut check: impl FnMut(&T)) {
        self.observer.begin(task, entries.len() as u64);
        for entry in entries {
            check(entry);
            self.observer.advance(1);
        }
        self.observer.end();
    }
}

/// What a file states, and where it lies.
#[derive(Clone, Copy)]
struct Document<'a> {
    /// The content of the file.
    content: &'a Value,
    /// The folder of the file: other files that the content names lie there.
    folder: &'a Path,
}

/// A kind of suite: a module with `matches`, which tells its documents, and `check`, which checks their facts.
struct Format {
    /// What messages call it, with the shape of its documents in a few words.
    shape: &'static str,
    /// Whether a document has this shape.
    matches: fn(&Value) -> bool,
    /// Checks every fact of a document of this shape; fails where the document does not state its facts properly.
    check: fn(Document<'_>, Settings<'_>, &mut Report) -> Result<(), ContentError>,
}

macro_rules! formats {
    ($($module:ident = $shape:literal,)+) => {
        &[$(Format { shape: $shape, matches: $module::matches, check: $module::check }),+]
    };
}

/// The known formats. The first that matches a document is taken.
const FORMATS: &[Format] = formats! {
    xiangqi_mates = "xiangqi mates (an object with a list `positions` of objects with `fen`, `mate_in` and `best`)",
    xiangqi_notation =
        "xiangqi notation (an object with a list `moves` of objects with `fen`, `iccs` and texts in other notations)",
    connect6_tests = "connect6 tests (an object with `game`: `connect6` and a list `line_patterns` of objects with `line` and \
        `class`)",
    perft = "perft (an object with a list `positions` of objects with `fen` and `nodes` or `perft`)",
    xiangqi_verdicts =
        "xiangqi verdicts (an object with a list `cases` of objects with `fen`, `moves_iccs` and `expected`)",
    match_statistics = "match statistics (an object with `schema`: `xq-match-stats-ground-truth/1`)",
    rough_tables = "rough tables (an object of objects with `attributes`, `rows`, `decision` and figures)",
    reduct_figures = "reduct figures (an object with an object `tables` of objects with figures)",
};

/// Checks every fact of a file.
///
/// # Errors
/// When the file cannot be read, is not JSON, has none of the known shapes, or holds entries that are no facts.
pub fn run_file(path: &Path, settings: Settings<'_>) -> Result<Report, ContentError> {
    let suite = format!("suite `{}`", path.display());
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|source| ContentError::because(format!("cannot read {suite}"), source))?;
    let content = serde_json::from_str(&text);
    let content = content.map_err(|source| ContentError::because(format!("{suite} is not JSON"), source))?;
    let shapes = || FORMATS.iter().map(|format| format.shape).collect::<Vec<_>>().join(", or ");
    let unknown = || ContentError::new(format!("{suite} has no known shape: expected {}", shapes()));
    let format = FORMATS.iter().find(|format| (format.matches)(&content)).ok_or_else(unknown)?;
    let mut report = Report::default();
    let document = Document { content: &content, folder: path.parent().unwrap_or(Path::new("")) };
    let unusable = |source| ContentError::because(format!("{suite} cannot be checked"), source);
    (format.check)(document, settings, &mut report).map_err(unusable)?;
    Ok(report)
}

/// The document as it comes with no file, for the tests of formats.
#[cfg(test)]
fn checked(
    check: fn(Document<'_>, Settings<'_>, &mut Report) -> Result<(), ContentError>,
    content: &Value,
) -> Result<Report, ContentError> {
    let settings = Settings { max_nodes: u64::MAX, observer: &crate::observe::Silent };
    let mut report = Report::default();
    check(Document { content, folder: Path::new("some/folder") }, settings, &mut report).map(|()| report)
}

/// Whether `document` says that it is for `game`, or for none in particular.
fn is_for(document: &Value, game: &str) -> bool {
    document.get("game").is_none_or(|named| named == game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_counts_facts_and_keeps_the_failed_ones() {
        let mut report = Report::default();
        report.expect(|| unreachable!("asked only for failures"), &1, &1);
        report.expect(|| "two".into(), &2, &3);
        report.notes.push("a note".into());
        let mut all = Report::default();
        all.fail("x", "y", "z");
        all.append(report);
        assert_eq!((all.checked, all.passed()), (3, 1));
        assert_eq!(all.notes, ["a note"]);
        assert_eq!(all.failures[1], Failure { what: "two".into(), expected: "2".into(), got: "3".into() });
    }
}
