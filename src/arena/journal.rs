//! The journal of a match or of a run that makes games: one line of JSON for each finished game, and in a match for moves of games that
//! take long, so that a killed run resumes where it stopped. Games that are made are kept whole only.
//!
//! The first line carries the fingerprint of the run, and each line a checksum of itself. A line counts once its newline is written; what a kill left of a
//! line is cut off when the journal is opened again.

use std::fs::{File, OpenOptions};
use std::hash::BuildHasher;
use std::io::{BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustc_hash::{FxBuildHasher, FxHashSet};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::disk::{FileError, Lock, Partial, sealed_json, unsealed_json};
use crate::settings::Changes;

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be opened, read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another process writes to it.
    #[error("journal `{0}` is in use by another process")]
    Busy(PathBuf),
    /// The file is something else.
    #[error("`{0}` is not a journal of games: its first line does not carry a fingerprint")]
    NotAJournal(PathBuf),
    /// The journal belongs to a run with other players, openings or settings.
    #[error(
        "journal `{path}` belongs to another match or other games: {difference}; name another journal, or delete this one"
    )]
    OtherMatch {
        /// The file.
        path: PathBuf,
        /// The settings that differ, or the fingerprints where those are not known.
        difference: String,
    },
    /// What is to be taken over was made by a run with other players, openings or settings.
    #[error("`{path}` is a part of another run: {difference}; give the options that it was made with")]
    OtherPart {
        /// The file.
        path: PathBuf,
        /// As for [`JournalError::OtherMatch`].
        difference: String,
    },
    /// A whole line that is not a record.
    #[error(
        "journal `{path}`, line {line}: not a record of a game; the run that writes it leaves the line out when it goes on, and \
         plays its game again"
    )]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The cause.
        source: serde_json::Error,
    },
    /// A record that does not fit the run.
    #[error("journal `{path}`, line {line}: {problem}")]
    Game {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Which game it is, and what is wrong with it.
        problem: String,
    },
}

impl JournalError {
    /// Of the record at `place` in `path`: an earlier one says something else of the same `what`.
    pub(crate) fn contradiction(path: &Path, place: Place, what: &str) -> Self {
        let problem = format!("{what}: {CONTRADICTION}");
        Self::Game { path: path.to_owned(), line: place.line, problem }
    }
}

/// What is wrong with a record that contradicts an earlier one.
pub(super) const CONTRADICTION: &str = "differs from an earlier record of the same game";

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    journal: String,
    fingerprint: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    identity: Option<Value>,
}

/// Whose journal it is.
#[derive(Debug, Clone, Copy)]
pub struct Owner<'a> {
    /// The fingerprint of the run.
    pub fingerprint: &'a str,
    /// All that the run depends on, where its journal is to say it.
    pub identity: Option<&'a Value>,
}

impl<'a> From<&'a str> for Owner<'a> {
    fn from(fingerprint: &'a str) -> Self {
        Self { fingerprint, identity: None }
    }
}

/// Where a record stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// Its line, from 1.
    pub line: usize,
    /// Bytes before it.
    offset: u64,
}

/// Lines of a journal that are no records, and are left out by a run that goes on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Damage {
    lines: usize,
    /// The first of them.
    first: usize,
}

impl Damage {
    /// The record of the line at `place`; nothing of one that is none, which is counted.
    pub fn sift<R>(&mut self, place: Place, record: Result<R, JournalError>) -> Option<R> {
        if record.is_err() {
            self.lines += 1;
            self.first = if self.lines == 1 { place.line } else { self.first };
        }
        record.ok()
    }

    /// Whether there are any.
    pub const fn is_there(self) -> bool {
        self.lines > 0
    }

    /// What is to be said of them in the journal `path`, with what is done to their games.
    pub fn remark(self, path: &Path, again: &str) -> Option<String> {
        let Self { lines, first } = self;
        let which = match lines {
            0 => return None,
            1 => format!("line {first} is not a record of a game and is left out: its game is"),
            _ => format!(
                "{lines} lines, the first of them line {first}, are not records of games and are left out: their games are"
            ),
        };
        Some(format!("journal `{}`: {which} {again} again, unless another line tells of it", path.display()))
    }
}

/// What `journal` says in the first line: the format and its version.
const FORMAT: &str = "roughboard-games-2";

/// An open journal; no other process can open it meanwhile.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Mutex<Open>,
}

/// The file of an open journal.
#[derive(Debug)]
struct Open {
    file: Lock,
    /// The line that is written next.
    line: usize,
}

impl Journal {
    /// Opens the journal of the run `owner`, or makes a new one, and hands the records that it holds to `visit`, each with its place;
    /// of a line that is no record, the error.
    ///
    /// # Errors
    /// When the file cannot be used, is in use, is no journal or belongs to another run; and what `visit` returns.
    pub fn open<'a, R: DeserializeOwned>(
        path: &Path,
        owner: impl Into<Owner<'a>>,
        mut visit: impl FnMut(Place, Result<R, JournalError>) -> Result<(), JournalError>,
    ) -> Result<Self, JournalError> {
        Self::open_lines(path, owner.into(), &mut |place, line| visit(place, record_of_line(path, place.line, line)))
    }

    /// Puts the lines of the journals `others` of the run `owner`, if there are any, into the one at `path`, made if it is not there, but
    /// for those that it holds. What a kill left of a last line is passed over.
    ///
    /// Before anything is written, `check` is given all records, those at `path` first, each with its file and its place; of a line that
    /// is no record, the error.
    ///
    /// # Errors
    /// When a file cannot be used, is no journal or belongs to another run; when the one at `path` is in use; and what `check` returns.
    pub fn gather<'a, R: DeserializeOwned>(
        path: &Path,
        owner: impl Into<Owner<'a>>,
        others: &[PathBuf],
        mut check: impl FnMut(&Path, Place, Result<R, JournalError>) -> Result<(), JournalError>,
    ) -> Result<(), JournalError> {
        if others.is_empty() {
            return Ok(());
        }
        let (owner, mut known) = (owner.into(), FxHashSet::default());
        let mut is_new = |line: &[u8]| known.insert(FxBuildHasher.hash_one(line));
        for other in others {
            check_part(other, owner)?;
        }
        let own = Some(path).filter(|path| path.exists());
        for one in own.into_iter().chain(others.iter().map(PathBuf::as_path)) {
            let file = File::open(one).map_err(FileError::of("read", one))?;
            visit_lines(one, &file, owner, &mut |place, line| {
                check(one, place, record_of_line(one, place.line, line))
            })?;
        }
        let journal = Self::open_lines(path, owner, &mut |_, line| {
            is_new(line);
            Ok(())
        })?;
        for other in others {
            let file = File::open(other).map_err(FileError::of("read", other))?;
            visit_lines(other, &file, owner, &mut |_, line| {
                if is_new(line) {
                    journal.write(line)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// [`Journal::open`], with the lines as they stand.
    fn open_lines(path: &Path, owner: Owner<'_>, visit: &mut VisitLine<'_>) -> Result<Self, JournalError> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let lock = Lock::of_file(file.map_err(FileError::of("open", path))?).map_err(FileError::of("lock", path))?;
        let mut file = lock.ok_or_else(|| JournalError::Busy(path.to_owned()))?;
        let (Place { line, offset: whole }, torn) = visit_lines(path, &file, owner, visit)?;
        let header = header_line(owner);
        if whole == 0 && !header.as_bytes().starts_with(&torn) {
            return Err(JournalError::NotAJournal(path.to_owned()));
        }
        let cut = file.set_len(whole).and_then(|()| file.seek(SeekFrom::Start(whole)));
        cut.map_err(FileError::of("truncate", path))?;
        let journal = Self { path: path.to_owned(), file: Mutex::new(Open { file, line }) };
        if whole == 0 {
            journal.write(header.as_bytes())?;
        }
        Ok(journal)
    }

    /// Hands the records of the journal of the run with `fingerprint` to `visit`, each with its place; it is not changed. A line that
    /// a kill has torn off is passed over.
    ///
    /// # Errors
    /// As [`Journal::open`]; also when there is no such file.
    pub fn read<R: DeserializeOwned>(
        path: &Path,
        fingerprint: &str,
        mut visit: impl FnMut(Place, Result<R, JournalError>) -> Result<(), JournalError>,
    ) -> Result<(), JournalError> {
        let file = File::open(path).map_err(FileError::of("read", path))?;
        let visit = &mut |place: Place, line: &[u8]| visit(place, record_of_line(path, place.line, line));
        visit_lines(path, &file, fingerprint.into(), visit).map(drop)
    }

    /// The record at a place of this journal.
    ///
    /// # Errors
    /// When it cannot be read any more.
    pub(crate) fn record_at<R: DeserializeOwned>(&self, place: Place) -> Result<R, JournalError> {
        let Open { file, .. } = &mut *self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let record = record_in(file, &self.path, place);
        file.seek(SeekFrom::End(0)).map_err(FileError::of("read", &self.path))?;
        record
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A journal that cannot be written.
    #[cfg(test)]
    pub(crate) fn read_only(path: &Path) -> std::io::Result<Self> {
        let lock = Lock::of_file(std::fs::File::open(path)?)?.ok_or(std::io::ErrorKind::ResourceBusy)?;
        Ok(Self { path: path.to_owned(), file: Mutex::new(Open { file: lock, line: 1 }) })
    }

    /// Appends a record; when this returns, the operating system has it, at this place.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn append<R: Serialize>(&self, record: &R) -> Result<Place, FileError> {
        self.write(line_of(record).as_bytes())
    }

    /// Writes `text`, a line, in one piece.
    fn write(&self, text: &[u8]) -> Result<Place, FileError> {
        // A thread that panicked while it held the lock cannot have left the file in a worse state than a kill.
        let Open { file, line } = &mut *self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let written = file.stream_position().and_then(|offset| {
            if let Err(error) = file.write_all(text).and_then(|()| file.flush()) {
                // The next line, for which there may be room again, must not stand behind a part of this one.
                let _ = file.set_len(offset).and_then(|()| file.seek(SeekFrom::Start(offset)));
                return Err(error);
            }
            *line += 1;
            Ok(Place { line: *line - 1, offset })
        });
        written.map_err(FileError::of("write", &self.path))
    }
}

/// A journal whose records are read back.
#[derive(Debug)]
pub(super) enum Source {
    /// That of this run: nobody else can use it meanwhile.
    Own(Journal),
    /// One of many that are put together: it is opened for each record, as no more than some files can be open at a time.
    Other(PathBuf),
}

impl Source {
    /// As [`Journal::record_at`].
    pub fn record_at<R: DeserializeOwned>(&self, place: Place) -> Result<R, JournalError> {
        match self {
            Self::Own(journal) => journal.record_at(place),
            Self::Other(path) => record_in(&mut File::open(path).map_err(FileError::of("read", path))?, path, place),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Own(journal) => journal.path(),
            Self::Other(path) => path,
        }
    }
}

/// A journal that is written anew, and takes the place of another when it is finished.
pub(super) struct NewJournal {
    partial: Partial,
    file: BufWriter<File>,
}

impl NewJournal {
    /// A journal of the run `owner`, without records.
    pub fn create(path: &Path, owner: Owner<'_>) -> Result<Self, JournalError> {
        let partial = Partial::new(path);
        let file = File::create(partial.path()).map_err(|cause| partial.failed(cause))?;
        let mut journal = Self { partial, file: BufWriter::new(file) };
        journal.write(&header_line(owner))?;
        Ok(journal)
    }

    /// Appends a record.
    pub fn push(&mut self, record: &impl Serialize) -> Result<(), JournalError> {
        self.write(&line_of(record))
    }

    fn write(&mut self, line: &str) -> Result<(), JournalError> {
        Ok(self.file.write_all(line.as_bytes()).map_err(|cause| self.partial.failed(cause))?)
    }

    /// Completes it.
    pub fn finish(mut self) -> Result<(), JournalError> {
        self.file.flush().map_err(|cause| self.partial.failed(cause))?;
        Ok(self.partial.appear()?)
    }
}

/// The record at `place` of the journal `path`.
fn record_in<R: DeserializeOwned>(file: &mut File, path: &Path, place: Place) -> Result<R, JournalError> {
    let mut line = Vec::new();
    let read = file.seek(SeekFrom::Start(place.offset)).and_then(|_| BufReader::new(file).read_until(b'\n', &mut line));
    read.map_err(FileError::of("read", path))?;
    record_of_line(path, place.line, &line)
}

fn header_line(Owner { fingerprint, identity }: Owner<'_>) -> String {
    let (journal, fingerprint) = (FORMAT.to_owned(), fingerprint.to_owned());
    line_of(&Header { journal, fingerprint, identity: identity.cloned() })
}

fn line_of(record: &impl Serialize) -> String {
    // Numbers and texts always go into JSON.
    sealed_json(serde_json::to_string(record).unwrap_or_default()) + "\n"
}

/// What lines are handed to: of a type that is not known, so that reading them is compiled once.
type VisitLine<'v> = dyn FnMut(Place, &[u8]) -> Result<(), JournalError> + 'v;

/// Hands the whole lines in `input` to `visit`, after a first line with the right fingerprint. Where its whole lines end, and what comes
/// after them.
fn visit_lines(
    path: &Path,
    input: &File,
    owner: Owner<'_>,
    visit: &mut VisitLine<'_>,
) -> Result<(Place, Vec<u8>), JournalError> {
    let (mut input, mut bytes) = (BufReader::new(input), Vec::new());
    let mut place = Place { line: 1, offset: 0 };
    loop {
        bytes.clear();
        input.read_until(b'\n', &mut bytes).map_err(FileError::of("read", path))?;
        if bytes.last() != Some(&b'\n') {
            return Ok((place, bytes));
        }
        if place.line == 1 {
            check_header(path, &bytes, owner)?;
        } else {
            visit(place, &bytes)?;
        }
        place = Place { line: place.line + 1, offset: place.offset + bytes.len() as u64 };
    }
}

/// Checks that the file `path` is the journal of a part of the run `owner`, or has no whole line yet.
fn check_part(path: &Path, owner: Owner<'_>) -> Result<(), JournalError> {
    let (file, mut line) = (File::open(path).map_err(FileError::of("read", path))?, Vec::new());
    BufReader::new(file).read_until(b'\n', &mut line).map_err(FileError::of("read", path))?;
    if line.last() != Some(&b'\n') {
        return Ok(());
    }
    check_header(path, &line, owner).map_err(|error| match error {
        JournalError::OtherMatch { path, difference } => JournalError::OtherPart { path, difference },
        error => error,
    })
}

/// Checks that the first line is that of a journal of `owner`.
fn check_header(path: &Path, line: &[u8], owner: Owner<'_>) -> Result<(), JournalError> {
    let header = from_line::<Header>(line).ok().filter(|header| header.journal == FORMAT);
    let header = header.ok_or_else(|| JournalError::NotAJournal(path.to_owned()))?;
    if header.fingerprint == owner.fingerprint {
        return Ok(());
    }
    let difference = match header.identity.as_ref().zip(owner.identity) {
        Some((before, now)) => Changes::between(before, now).to_string(),
        None => format!("expected fingerprint {}, found {}", owner.fingerprint, header.fingerprint),
    };
    Err(JournalError::OtherMatch { path: path.to_owned(), difference })
}

/// What a line says, if it is as it was written.
fn from_line<R: DeserializeOwned>(line: &[u8]) -> serde_json::Result<R> {
    serde_json::from_slice(&unsealed_json(line).map_err(serde::de::Error::custom)?)
}

fn record_of_line<R: DeserializeOwned>(path: &Path, line: usize, bytes: &[u8]) -> Result<R, JournalError> {
    from_line(bytes).map_err(|source| JournalError::Line { path: path.to_owned(), line, source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn reopen(path: &Path) -> Result<Vec<(usize, u32)>, JournalError> {
        let mut records = Vec::new();
        Journal::open(path, "abc", |place, record| {
            records.push((place.line, record?));
            Ok(())
        })?;
        Ok(records)
    }

    #[test]
    fn records_come_back_and_a_torn_line_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        let journal = Journal::open::<u32>(&path, "abc", |_, _| unreachable!()).unwrap();
        journal.append(&7_u32).unwrap();
        journal.append(&89_u32).unwrap();
        assert!(matches!(reopen(&path), Err(JournalError::Busy(_))));
        drop(journal);
        assert_eq!(reopen(&path).unwrap(), [(2, 7), (3, 89)]);
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let newlines = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(reopen(&path).unwrap().len(), newlines.saturating_sub(1), "cut at {length}");
        }
    }

    #[test]
    fn a_record_is_read_again_between_others_that_are_appended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        fs::write(&path, header_line("abc".into()) + "7\n89\n").unwrap();
        let mut places = Vec::new();
        let visit = |place, _: Result<u32, _>| {
            places.push(place);
            Ok(())
        };
        let journal = Journal::open(&path, "abc", visit).unwrap();
        journal.append(&1_u32).unwrap();
        let [seven, more] = [0, 1].map(|at| journal.record_at::<u32>(places[at]).unwrap());
        assert_eq!((seven, more), (7, 89));
        journal.append(&2_u32).unwrap();
        drop(journal);
        assert_eq!(reopen(&path).unwrap(), [(2, 7), (3, 89), (4, 1), (5, 2)]);
    }

    #[test]
    fn journals_of_parts_are_gathered_and_those_of_others_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let part = |name: &str, lines: &str| fs::write(path(name), header_line("abc".into()) + lines).unwrap();
        part("whole", "7\n");
        part("one", "7\n8\n");
        part("two", "9\n8\n1");
        let parts = [path("one"), path("two")];
        let gather = |name: &str, owner: &str, parts: &[PathBuf]| {
            Journal::gather(&path(name), owner, parts, |_, _, _: Result<u32, _>| Ok(()))
        };
        for _ in 0..2 {
            gather("whole", "abc", &parts).unwrap();
            assert_eq!(reopen(&path("whole")).unwrap(), [(2, 7), (3, 8), (4, 9)]);
        }
        gather("new", "abc", &parts).unwrap();
        assert_eq!(reopen(&path("new")).unwrap(), [(2, 7), (3, 8), (4, 9)]);
        let error = gather("new", "abc", &[path("none")]).unwrap_err();
        assert!(matches!(error, JournalError::File(FileError { action: "read", .. })), "{error}");
        let error = gather("other", "xyz", &parts).unwrap_err();
        assert!(matches!(error, JournalError::OtherPart { .. }) && !path("other").exists(), "{error}");
        // What the records say is looked at before anything is written.
        let mut seen = Vec::new();
        let refused = Journal::gather(&path("checked"), "abc", &parts, |file, place, record: Result<u32, _>| {
            seen.push((file.to_owned(), place.line, record?));
            if seen.len() < 4 { Ok(()) } else { Err(JournalError::Busy(file.to_owned())) }
        });
        assert!(refused.is_err() && !path("checked").exists());
        assert_eq!(seen, [("one", 2, 7), ("one", 3, 8), ("two", 2, 9), ("two", 3, 8)].map(|(f, l, r)| (path(f), l, r)));
    }

    #[test]
    fn lines_that_are_no_records_are_counted_and_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        let sifted = |lines: &str| {
            fs::write(&path, header_line("abc".into()) + lines).unwrap();
            let (mut records, mut damage) = (Vec::new(), Damage::default());
            let visit = |place, record: Result<u32, _>| {
                records.extend(damage.sift(place, record));
                Ok(())
            };
            drop(Journal::open(&path, "abc", visit).unwrap());
            (records, damage.remark(Path::new("j"), "played").unwrap_or_default())
        };
        assert_eq!(sifted("7\n89\n"), (vec![7, 89], String::new()));
        let (records, remark) = sifted("7\n{\"a\"\n89\n");
        let expected = "journal `j`: line 3 is not a record of a game and is left out: its game is played again";
        assert!(records == [7, 89] && remark.starts_with(expected), "{records:?} {remark}");
        let (records, remark) = sifted("x\n7\ny\nz\n");
        let expected = "journal `j`: 3 lines, the first of them line 2, are not records of games and are left out: their games are";
        assert!(records == [7] && remark.starts_with(expected), "{records:?} {remark}");
    }

    #[test]
    fn what_is_not_this_journal_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for text in ["precious", "precious\nlines\n"] {
            fs::write(&path, text).unwrap();
            assert!(matches!(reopen(&path), Err(JournalError::NotAJournal(_))));
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::write(&path, header_line("xyz".into())).unwrap();
        let error = reopen(&path).unwrap_err().to_string();
        assert!(error.contains("expected fingerprint abc, found xyz"), "{error}");
        let [three, four] = [3, 4].map(|depth| serde_json::json!({ "depth": depth }));
        fs::write(&path, header_line(Owner { fingerprint: "xyz", identity: Some(&three) })).unwrap();
        let owner = Owner { fingerprint: "abc", identity: Some(&four) };
        let error = Journal::open::<u32>(&path, owner, |_, _| Ok(())).unwrap_err().to_string();
        assert!(error.contains("other games: depth: 3 before, 4 now; name another journal"), "{error}");
        fs::write(&path, header_line("abc".into()) + "1\nwrong\n3\n").unwrap();
        let error = reopen(&path).unwrap_err().to_string();
        assert!(error.contains("line 3: not a record of a game; "), "{error}");
    }
}
