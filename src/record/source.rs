//! From paths to documents: files, folders, archives in archives, packed files, standard input.

mod archive;
mod stream;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::account::Flaw;
use super::encoding::decode_name;
use super::entry::FileName;
use super::error::RecordError;
use crate::disk::{FileError, MANIFEST, Packing};
use stream::{Metered, Unpacked, Watch, Watched};

pub(crate) use stream::Peeked;

/// The file in the folder of a run that keeps the games of its matches.
pub const MATCH_GAMES: &str = "games.pgn.zst";
/// The file in the folder of a run that keeps the games of its self-play.
pub const SELF_PLAY_GAMES: &str = "games.jsonl";
/// Archives and packings that may lie within each other.
const DEEPEST: usize = 4;

/// Receives the documents of the input, one after the other.
pub(crate) trait Sink {
    /// Takes a document, which is read to its end or to a failure.
    fn document(&mut self, name: &Name, input: &mut Peeked<'_>) -> Result<(), RecordError>;

    /// Takes a document that nothing is read of.
    fn passed_over(&mut self, name: &Name, flaw: Flaw) -> Result<(), RecordError>;

    /// Takes the failure of an archive or a packed file outside any document.
    fn failed(&mut self, name: &Name, cause: io::Error) -> Result<(), RecordError>;
}

/// What a document is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// Where it is found.
    pub file: FileName,
    /// The same without the endings of packings that were taken off: by this its kind is told.
    pub bare: String,
}

impl Name {
    fn new(shown: impl Into<Arc<str>>, asked: usize) -> Self {
        let shown = shown.into();
        Self { bare: shown.to_string(), file: FileName { shown, asked } }
    }

    /// The file at `path`, which was asked for itself or lies in `folder`, which was.
    fn of_path(path: &Path, folder: &Path) -> Self {
        let shown = |path: &Path| decode_name(path.as_os_str().as_encoded_bytes());
        // With a separator behind it, unless it has one or is empty.
        let (name, lead) = (shown(path), shown(&folder.join("")));
        let asked = if name.starts_with(&lead) { lead.len() } else { 0 };
        Self::new(name, asked)
    }

    fn member(&self, path: &[u8]) -> Self {
        Self::new(format!("{}/{}", self.file.shown, decode_name(path)), self.file.asked)
    }

    fn unpacked(&self) -> Self {
        Self { bare: Packing::split_name(&self.bare).1, ..self.clone() }
    }
}

/// The bytes of the files that `paths` name, folders included; what cannot be asked counts nothing.
pub fn size_of(paths: &[impl AsRef<Path>]) -> u64 {
    paths.iter().map(|path| size_below(path.as_ref())).sum()
}

fn size_below(path: &Path) -> u64 {
    let Ok(metadata) = fs::metadata(path) else { return 0 };
    if !metadata.is_dir() {
        return metadata.len();
    }
    let entries = entries_to_read(path).unwrap_or_default();
    entries.iter().filter(|entry| !entry.is_symlink()).map(|entry| size_below(entry)).sum()
}

/// Hands everything that is found under `path` to `sink`; `-` is standard input. Bytes of files that are done are
/// reported to `advance`.
pub(crate) fn visit_path(
    path: &Path,
    most: u64,
    advance: &dyn Fn(u64),
    sink: &mut dyn Sink,
) -> Result<(), RecordError> {
    let mut walk = Walk { most, advance, sink };
    if path == Path::new("-") {
        return walk.stream(&Name::new("-", 0), &mut io::stdin().lock(), 0);
    }
    let failed = || FileError::of("open game file", path);
    if fs::metadata(path).map_err(failed())?.is_dir() {
        let entries = entries_to_read(path).map_err(failed())?;
        return entries.iter().try_for_each(|entry| walk.entry(entry, path));
    }
    let file = File::open(path).map_err(failed())?;
    walk.file(&Name::of_path(path, path.parent().unwrap_or(path)), file)
}

/// Hands everything in `bytes` to `sink`, as if they were a file called `name`.
pub(crate) fn visit_bytes(name: &str, bytes: &[u8], most: u64, sink: &mut dyn Sink) -> Result<(), RecordError> {
    Walk { most, advance: &|_| {}, sink }.stream(&Name::new(name, 0), &mut &*bytes, 0)
}

/// What is read of a folder, in the order of the bytes of the names: all of it, but of the folder of a run its games alone.
fn entries_to_read(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = sorted_entries(folder)?;
    let games =
        [MATCH_GAMES, SELF_PLAY_GAMES].map(|name| folder.join(name)).into_iter().find(|games| entries.contains(games));
    let is_run = entries.contains(&folder.join(MANIFEST));
    Ok(games.filter(|_| is_run).map_or(entries, |games| vec![games]))
}

/// The entries of a folder in the order of the bytes of their names.
pub(crate) fn sorted_entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
    names.sort_by(|a, b| OsStr::as_encoded_bytes(a).cmp(OsStr::as_encoded_bytes(b)));
    Ok(names.into_iter().map(|name| folder.join(name)).collect())
}

/// The walk through one input.
struct Walk<'a> {
    /// The most bytes that one file or member may unpack to.
    most: u64,
    advance: &'a dyn Fn(u64),
    sink: &'a mut dyn Sink,
}

impl Walk<'_> {
    /// An entry of a folder, which is `asked` for or lies in a folder that is.
    fn entry(&mut self, path: &Path, asked: &Path) -> Result<(), RecordError> {
        let name = Name::of_path(path, asked);
        let unreadable = |cause: io::Error| Flaw::Unreadable(cause.to_string());
        let kind = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata.file_type(),
            Err(cause) => return self.sink.passed_over(&name, unreadable(cause)),
        };
        if kind.is_dir() {
            return match entries_to_read(path) {
                Ok(entries) => entries.iter().try_for_each(|entry| self.entry(entry, asked)),
                Err(cause) => self.sink.passed_over(&name, unreadable(cause)),
            };
        }
        if !kind.is_file() {
            let found = if kind.is_symlink() { "a link, which is not followed" } else { "a device, pipe or socket" };
            return self.sink.passed_over(&name, Flaw::NotGames(found));
        }
        match File::open(path) {
            Ok(file) => self.file(&name, file),
            Err(cause) => self.sink.passed_over(&name, unreadable(cause)),
        }
    }

    /// A file of the file system. An archive that needs to be read out of order is read where it lies.
    fn file(&mut self, name: &Name, mut file: File) -> Result<(), RecordError> {
        let length = file.metadata().map_or(0, |metadata| if metadata.is_file() { metadata.len() } else { 0 });
        // A pipe has no length, and what is read of it does not come again.
        if length > 0 && begins_as_zip(&mut file) {
            self.zip(name, io::BufReader::new(file), 0)?;
            (self.advance)(length);
            return Ok(());
        }
        let advance = self.advance;
        self.stream(name, &mut Metered { input: file, advance }, 0)
    }

    /// A stream of bytes: an archive, a packed file or a document. `depth` counts what it lies in.
    fn stream(&mut self, name: &Name, input: &mut dyn Read, depth: usize) -> Result<(), RecordError> {
        let mut input = Peeked::new(input);
        let packing = Packing::of(input.head(), &name.bare);
        let zip = archive::is_zip(input.head());
        let tar = archive::is_tar(input.head(), &name.bare);
        if packing == Packing::Plain && !zip && !tar {
            return self.sink.document(name, &mut input);
        }
        if depth >= DEEPEST {
            let cause = format!("more than {DEEPEST} archives or packings within each other");
            return self.sink.passed_over(name, Flaw::Unreadable(cause));
        }
        if zip {
            self.spooled_zip(name, &mut input, depth)
        } else if tar {
            self.tar(name, &mut input, depth)
        } else {
            self.packed(name, packing, input, depth)
        }
    }

    fn packed(&mut self, name: &Name, packing: Packing, input: Peeked<'_>, depth: usize) -> Result<(), RecordError> {
        let watch = Watch::default();
        let watched = io::BufReader::with_capacity(1 << 16, Watched { input, watch: &watch });
        match packing.unpack(watched) {
            Ok(unpacked) => {
                let mut unpacked = Unpacked::new(unpacked, self.most, || watch.taken.get());
                self.stream(&name.unpacked(), &mut unpacked, depth + 1)
            }
            Err(cause) => self.sink.failed(name, cause),
        }
    }
}

/// Whether a file is a zip archive by its first bytes; it is left at its start.
fn begins_as_zip(file: &mut File) -> bool {
    let mut head = [0; 4];
    let read = file.read_exact(&mut head);
    file.rewind().is_ok() && read.is_ok() && archive::is_zip(&head)
}
