//! An import in parts: what each finds in the documents that fall to it, in a file of lines of JSON, and all of them put together.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::import::{Found, Importer, Judge};
use super::{Cleaning, Reflection};
use crate::disk::{FileError, Partial, sealed_json, unsealed_json};
use crate::game::Notation;
use crate::record::account::{Dropped, Flaw, Reason};
use crate::record::entry::{FileName, GameRecord, SourceLocation};
use crate::record::error::RecordError;
use crate::settings::{Changes, Choices};

/// The version of the files of parts.
const VERSION: u32 = 2;

/// The first line of a file.
#[derive(Serialize, Deserialize)]
struct Head {
    roughboard_import_part: u32,
    /// The part, from 0, and how many there are.
    part: [u64; 2],
    /// What an import depends on.
    import: Value,
}

/// A line in the middle: a record and where it stands.
#[derive(Serialize, Deserialize)]
struct Entry {
    document: u64,
    file: String,
    game: u64,
    line: u64,
    found: Found,
}

/// The last line.
#[derive(Serialize, Deserialize)]
struct Foot {
    /// How many documents there are in the whole input.
    documents: u64,
    /// How many records this part has.
    records: u64,
    /// The names of tags that were seen, if they were asked for.
    tags: BTreeSet<String>,
}

/// Writes a part of an import: the file appears when it is whole.
pub struct PartWriter<G: Notation> {
    judge: Judge<G>,
    partial: Partial,
    out: BufWriter<File>,
    records: u64,
}

impl<G: Notation> PartWriter<G> {
    /// The part of the numbers `part`, as in [`ReadSettings::part`](crate::record::ReadSettings::part), at `path`. `import` is what the
    /// import depends on.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create(
        path: &Path,
        (part, import): ([u64; 2], &Value),
        (cleaning, reflection): (Cleaning, Option<Reflection<G>>),
    ) -> Result<Self, RecordError> {
        let partial = Partial::new(path);
        let out = File::create(partial.path()).map_err(|cause| partial.failed(cause))?;
        let judge = Judge::new(cleaning, reflection);
        let mut writer = Self { judge, partial, out: BufWriter::new(out), records: 0 };
        writer.push(&Head { roughboard_import_part: VERSION, part, import: import.clone() })?;
        Ok(writer)
    }

    /// Takes the next record of the part, read with [`Scrutiny::Moves`](crate::record::Scrutiny::Moves).
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn enter(&mut self, record: Result<GameRecord<G>, Dropped>) -> Result<(), RecordError> {
        let (place, found) = self.judge.judge(record);
        let SourceLocation { document, file, game, line } = place.unwrap_or_default();
        self.records += 1;
        self.push(&Entry { document, file: file.shown.to_string(), game, line, found })
    }

    /// Ends the file, of an input of so many documents, in which these tags were seen. The number of records in it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self, documents: u64, tags: BTreeSet<String>) -> Result<u64, RecordError> {
        let records = self.records;
        self.push(&Foot { documents, records, tags })?;
        self.out.flush().map_err(|cause| self.partial.failed(cause))?;
        self.partial.appear()?;
        Ok(records)
    }

    fn push(&mut self, line: &impl Serialize) -> Result<(), RecordError> {
        let text = serde_json::to_string(line).map_err(io::Error::from);
        let written = text.and_then(|text| writeln!(self.out, "{}", sealed_json(text)));
        Ok(written.map_err(|cause| self.partial.failed(cause))?)
    }
}

/// The file of a part that is there.
pub struct ImportPart {
    path: PathBuf,
    lines: BufReader<File>,
    number: u64,
    part: [u64; 2],
    /// The record that comes next.
    next: Option<Entry>,
    taken: u64,
}

impl ImportPart {
    /// Opens the file of a part of the import that depends on `import`.
    ///
    /// # Errors
    /// When it cannot be read, is no such file, or one of another import.
    pub fn open(path: &Path, import: &Value) -> Result<Self, RecordError> {
        let file = File::open(path).map_err(FileError::of("read", path))?;
        let (path, lines) = (path.to_owned(), BufReader::new(file));
        let mut part = Self { path, lines, number: 0, part: [0, 1], next: None, taken: 0 };
        let head: Head = part.line().map_err(|_| part.unusable("it is not the part of an import"))?;
        if head.roughboard_import_part != VERSION || head.part[0] >= head.part[1] {
            return Err(part.unusable("it is the part of an import by another version"));
        }
        if head.import != *import {
            return Err(part.unusable(&format!("it is of another import: {}", Changes::between(&head.import, import))));
        }
        part.part = head.part;
        Ok(part)
    }

    /// How many parts there are.
    pub const fn count(&self) -> u64 {
        self.part[1]
    }

    /// The numbers of the parts that are not among `parts`.
    ///
    /// # Errors
    /// When these are not parts of one whole, each once.
    pub fn missing(parts: &[Self]) -> Result<Vec<u64>, RecordError> {
        let (count, mut known) = (parts.first().map_or(0, |part| part.part[1]), BTreeSet::new());
        for part in parts {
            let [number, of] = part.part;
            let told = format!("it is part {} of {of}", number + 1);
            if of != count {
                return Err(part.unusable(&format!("{told}, and the first is one of {count}")));
            }
            if !known.insert(number) {
                return Err(part.unusable(&format!("{told}, which is there already")));
            }
        }
        Ok((0..count).filter(|number| !known.contains(number)).collect())
    }

    fn unusable(&self, problem: &str) -> RecordError {
        RecordError::Part { path: self.path.clone(), problem: problem.to_owned() }
    }

    fn broken(&self) -> RecordError {
        self.unusable(&format!(
            "line {} was changed, or is cut short; delete the file and do the part again",
            self.number
        ))
    }

    fn text(&mut self) -> Result<Vec<u8>, RecordError> {
        let mut bytes = Vec::new();
        self.number += 1;
        self.lines.read_until(b'\n', &mut bytes).map_err(FileError::of("read", &self.path))?;
        match unsealed_json(&bytes) {
            Ok(text) => Ok(text.into_owned()),
            Err(_) => Err(self.broken()),
        }
    }

    fn line<T: DeserializeOwned>(&mut self) -> Result<T, RecordError> {
        let text = self.text()?;
        serde_json::from_slice(&text).map_err(|_| self.broken())
    }

    /// Goes to the next record; at the end, what stands there.
    fn advance(&mut self) -> Result<Option<Foot>, RecordError> {
        let text = self.text()?;
        if let Ok(entry) = serde_json::from_slice(&text) {
            self.next = Some(entry);
            self.taken += 1;
            return Ok(None);
        }
        let foot: Foot = serde_json::from_slice(&text).map_err(|_| self.broken())?;
        self.next = None;
        if foot.records == self.taken { Ok(Some(foot)) } else { Err(self.broken()) }
    }
}

/// What is known of parts that were put together.
#[derive(Default)]
pub struct Gathered {
    /// The names of tags that were seen.
    pub tags: BTreeSet<String>,
    /// Files that could not be read to their end.
    pub unread: Vec<Dropped>,
}

impl<G: Notation> Importer<G> {
    /// Takes the records of `parts`, of which none may be [missing](ImportPart::missing), in the order of the input.
    ///
    /// # Errors
    /// When parts contradict each other or cannot be read.
    pub fn gather(&mut self, mut parts: Vec<ImportPart>) -> Result<Gathered, RecordError> {
        let (mut gathered, mut documents) = (Gathered::default(), vec![None; parts.len()]);
        for (part, documents) in parts.iter_mut().zip(&mut documents) {
            end_of(part.advance()?, documents, &mut gathered);
        }
        while let Some(at) = first_of(&parts) {
            let part = &mut parts[at];
            if let Some(Entry { document, file, game, line, found }) = part.next.take() {
                let file = FileName { shown: file.into(), asked: 0 };
                let place = SourceLocation { document, file, game, line };
                gathered.unread.extend(unread(&place, &found));
                self.take(Some(place), found).map_err(|cause| match cause.kind() {
                    io::ErrorKind::InvalidData => part.broken(),
                    _ => RecordError::Spool(cause),
                })?;
            }
            end_of(part.advance()?, &mut documents[at], &mut gathered);
        }
        if let Some(at) = documents.iter().position(|found| *found != documents[0]) {
            return Err(parts[at].unusable("another number of documents was read for it: the input has changed"));
        }
        Ok(gathered)
    }
}

/// The part whose next record stands first in the input.
fn first_of(parts: &[ImportPart]) -> Option<usize> {
    let next = parts.iter().enumerate().filter_map(|(at, part)| Some((part.next.as_ref()?.document, at)));
    next.min().map(|(_, at)| at)
}

fn end_of(foot: Option<Foot>, documents: &mut Option<u64>, gathered: &mut Gathered) {
    if let Some(foot) = foot {
        *documents = Some(foot.documents);
        gathered.tags.extend(foot.tags);
    }
}

/// The file that could not be read to its end, if that was found.
fn unread(place: &SourceLocation, found: &Found) -> Option<Dropped> {
    let Found::Flaw(reason, detail) = found else { return None };
    let unreadable = |cause: &str| Flaw::Unreadable(cause.to_owned());
    let is_unread = *reason == Reason::Unreadable.name();
    // As the flaw tells it.
    let cause = detail.strip_prefix("cannot be read: ").unwrap_or(detail);
    is_unread.then(|| Dropped { place: place.clone(), flaw: unreadable(cause) })
}
