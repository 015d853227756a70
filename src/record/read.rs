//! Reads games from files, folders, archives and memory, and keeps the account.

use std::io::{self, BufRead, Read};
use std::path::Path;

use rayon::prelude::*;

use super::account::{Account, Dropped, Flaw, Policy, Scrutiny};
use super::encoding::{Encoding, Guesses, decoded};
use super::endings::{Ending, Endings};
use super::entry::{FileName, GameRecord, SourceLocation};
use super::error::RecordError;
use super::format::{
    DhtmlxqSplitter, Format, Kind, LARGEST, TableSplitter, bracketed, game_of_xqf, games, kind_of_bytes, kind_of_text,
};
use super::pgn::{Chunk, Flawed, RawGame, Splitter, build};
use super::source::{Name, Peeked, Sink, size_of, visit_bytes, visit_path};
use crate::game::Notation;
use crate::observe::{Observer, Silent};

/// Texts of games that are replayed together, on all threads.
const BATCH: usize = 1024;

/// Bytes of text that are replayed together; with [`BATCH`] this bounds the memory of a stream.
const BATCH_BYTES: usize = 8 << 20;

/// The most that one file or member may unpack to, unless another bound is set: 16 GiB.
pub const DEFAULT_MAX_UNPACKED: u64 = 16 << 30;

/// How games are read. A [`Policy`] alone stands for the settings with this policy and all else by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadSettings {
    /// What to do with what is not valid.
    pub policy: Policy,
    /// The encoding of all text documents.
    pub encoding: Encoding,
    /// The most bytes that one packed file or one member of an archive may unpack to.
    pub max_unpacked: u64,
    /// How much of a record is checked.
    pub scrutiny: Scrutiny,
    /// Which documents are replayed: those whose number, divided by the second, leaves the first. The others are only passed over.
    pub part: [u64; 2],
}

impl Default for ReadSettings {
    fn default() -> Self {
        Self {
            policy: Policy::default(),
            encoding: Encoding::default(),
            max_unpacked: DEFAULT_MAX_UNPACKED,
            scrutiny: Scrutiny::default(),
            part: [0, 1],
        }
    }
}

impl From<Policy> for ReadSettings {
    fn from(policy: Policy) -> Self {
        Self { policy, ..Self::default() }
    }
}

/// Reads all games under all paths, in the order of the paths. A path is a file, a folder, which is read with all that
/// is in it in the order of the names, or `-` for standard input. Files may be packed (gzip, Zstandard, xz) and may be
/// archives (tar, zip), one in another up to four deep; each member is a document like a file.
///
/// Every document stands in the account, be it with its games or with the reason why there are none. Progress is
/// reported in bytes of the files.
///
/// # Errors
/// When a path cannot be opened. With [`Policy::Strict`] also at the first file or member that cannot be read to its end
/// and at the first invalid game.
pub fn read_games<G: Notation>(
    paths: &[impl AsRef<Path>],
    settings: impl Into<ReadSettings>,
    observer: &dyn Observer,
) -> Result<(Vec<GameRecord<G>>, Account), RecordError> {
    let mut games = Vec::new();
    let account = for_each_game(paths, settings, observer, |game| games.push(game))?;
    Ok((games, account))
}

/// Hands each game of all paths to `visit`, in order, without holding more than a batch of them in memory.
///
/// # Errors
/// As [`read_games`]; games may have been visited before an error shows.
pub fn for_each_game<G: Notation>(
    paths: &[impl AsRef<Path>],
    settings: impl Into<ReadSettings>,
    observer: &dyn Observer,
    mut visit: impl FnMut(GameRecord<G>),
) -> Result<Account, RecordError> {
    let settings = settings.into();
    let mut account = Account::default();
    for_each_record(paths, settings, observer, |record| enter_on(&mut account, settings.policy, record, &mut visit))?;
    Ok(account)
}

/// Puts a record on the account, and hands it to `visit` if it is a game.
fn enter_on<G: Notation>(
    account: &mut Account,
    policy: Policy,
    record: Result<GameRecord<G>, Dropped>,
    visit: &mut impl FnMut(GameRecord<G>),
) -> Result<(), RecordError> {
    match record {
        Ok(game) => {
            account.keep();
            visit(game);
        }
        Err(dropped) if policy == Policy::Strict && dropped.flaw.reason().is_invalid() => {
            return Err(RecordError::Invalid(Box::new(dropped)));
        }
        Err(dropped) => account.drop(dropped),
    }
    Ok(())
}

/// Hands each record under all paths to `visit`, in order: the game, or why there is none. No more than a batch of them is
/// held in memory. The number of documents.
///
/// # Errors
/// When a path cannot be opened; with [`Policy::Strict`] also when a file or member cannot be read to its end; and what
/// `visit` returns.
pub fn for_each_record<G: Notation>(
    paths: &[impl AsRef<Path>],
    settings: impl Into<ReadSettings>,
    observer: &dyn Observer,
    mut visit: impl FnMut(Result<GameRecord<G>, Dropped>) -> Result<(), RecordError>,
) -> Result<u64, RecordError> {
    let settings = settings.into();
    observer.begin("reading games", size_of(paths));
    let advance = |bytes| observer.advance(bytes);
    let mut reading = Reading::new(settings, observer, &mut visit);
    let outcome =
        paths.iter().try_for_each(|path| visit_path(path.as_ref(), settings.max_unpacked, &advance, &mut reading));
    // What was read before an error is delivered first.
    let outcome = reading.flush().and(outcome);
    reading.guesses.remarks().for_each(|remark| observer.note(&remark));
    observer.end();
    outcome.map(|()| reading.documents)
}

/// Records that [`count_first`] passes over at most.
const FARTHEST: u64 = 100_000;

/// What the first `limit` records under all paths are that stand in files whose names `is_meant` takes: how many are games of `G` with
/// moves, and how many records there are. A path that cannot be read has none, and behind many thousands of others they are not found.
pub fn count_first<G: Notation>(
    paths: &[impl AsRef<Path>],
    settings: impl Into<ReadSettings>,
    limit: u64,
    is_meant: impl Fn(&str) -> bool,
) -> [u64; 2] {
    let [mut games, mut records, mut others] = [0; 3];
    // Any error ends the reading.
    let _ = for_each_record::<G>(paths, settings, &Silent, |record| {
        if records == limit || others == FARTHEST {
            return Err(RecordError::Spool(io::ErrorKind::Interrupted.into()));
        }
        let place = record.as_ref().map_or_else(|dropped| Some(&dropped.place), |game| game.source.as_ref());
        if !place.is_some_and(|place| is_meant(&place.file.shown)) {
            others += 1;
            return Ok(());
        }
        records += 1;
        games += u64::from(record.is_ok_and(|game| !game.moves.is_empty()));
        Ok(())
    });
    [games, records]
}

/// Reads all games in `bytes` as if they were a file called `name`.
///
/// # Errors
/// As [`read_games`].
pub fn read_bytes<G: Notation>(
    name: &str,
    bytes: &[u8],
    settings: impl Into<ReadSettings>,
) -> Result<(Vec<GameRecord<G>>, Account), RecordError> {
    let settings = settings.into();
    let (mut games, mut account) = (Vec::new(), Account::default());
    let mut enter = |game| games.push(game);
    let mut visit = |record| enter_on(&mut account, settings.policy, record, &mut enter);
    let mut reading = Reading::new(settings, &Silent, &mut visit);
    let outcome = visit_bytes(name, bytes, settings.max_unpacked, &mut reading);
    reading.flush().and(outcome)?;
    Ok((games, account))
}

/// Something that the account will hear of.
enum Content {
    /// The text of a game.
    Chunk(Format, Chunk),
    /// The bytes of a whole file of XQStudio.
    Xqf(Vec<u8>),
    /// Why there is no game.
    Flaw(Flaw),
    /// The document cannot be read beyond a line.
    Failure(u64, io::Error),
    /// The document is at its end.
    End,
}

/// A game with its first line, or what is wrong with it.
type Played<G> = Result<(u64, GameRecord<G>), Flawed>;

/// What was read, with how it ends where a result is to end it.
type Told<G> = (Played<G>, Option<Ending>);

impl Content {
    /// Takes the text apart and replays it.
    fn played<G: Notation>(&self, scrutiny: Scrutiny) -> Vec<Told<G>> {
        match self {
            Self::Chunk(format, Chunk { line, text: Ok(text) }) => {
                // Other formats tell by their brackets that a game is whole.
                let ending: fn(&RawGame<'_>) -> _ = if *format == Format::Pgn { Ending::of } else { |_| None };
                replayed(games(*format, text, *line), scrutiny, ending)
            }
            Self::Xqf(bytes) => replayed(vec![game_of_xqf(bytes)], scrutiny, |_| None),
            Self::Chunk(_, Chunk { text: Err(flawed), .. }) => vec![(Err(flawed.clone()), None)],
            Self::Flaw(flaw) => vec![(Err((1, flaw.clone())), None)],
            Self::Failure(..) | Self::End => Vec::new(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Chunk(_, Chunk { text: Ok(text), .. }) => text.len(),
            Self::Xqf(bytes) => bytes.len(),
            _ => 0,
        }
    }
}

fn replayed<G: Notation>(
    games: Vec<Result<RawGame<'_>, Flawed>>,
    scrutiny: Scrutiny,
    ending: impl Fn(&RawGame<'_>) -> Option<Ending>,
) -> Vec<Told<G>> {
    let one = |raw: Result<RawGame<'_>, Flawed>| {
        let ending = raw.as_ref().ok().and_then(&ending);
        (raw.and_then(|raw| Ok((raw.line, build(raw, scrutiny)?))), ending)
    };
    games.into_iter().map(one).collect()
}

/// Where records come from.
#[derive(Clone)]
struct Document {
    file: FileName,
    number: u64,
}

/// What records are handed to: of a type that is not known, so that reading is compiled once for a game.
type Visit<'o, G> = dyn FnMut(Result<GameRecord<G>, Dropped>) -> Result<(), RecordError> + 'o;

/// Takes documents, gathers their games in batches across documents, and hands them on.
struct Reading<'o, G: Notation> {
    settings: ReadSettings,
    observer: &'o dyn Observer,
    visit: &'o mut Visit<'o, G>,
    /// With the documents that they come from.
    batch: Vec<(Document, Content)>,
    /// Documents that are at their end.
    documents: u64,
    /// Games in the batch.
    chunks: usize,
    /// Bytes of text in the batch.
    bytes: usize,
    /// Games entered of the document that was entered last.
    games: u64,
    /// How they end.
    endings: Endings,
    /// The encodings that were guessed.
    guesses: Guesses,
}

impl<'o, G: Notation> Reading<'o, G> {
    fn new(settings: ReadSettings, observer: &'o dyn Observer, visit: &'o mut Visit<'o, G>) -> Self {
        Self {
            settings,
            observer,
            visit,
            batch: Vec::new(),
            documents: 0,
            chunks: 0,
            bytes: 0,
            games: 0,
            endings: Endings::default(),
            guesses: Guesses::default(),
        }
    }

    /// Whether the current document is in the part that is read.
    const fn is_mine(&self) -> bool {
        let [mine, parts] = self.settings.part;
        self.documents % parts == mine
    }

    fn push(&mut self, file: &FileName, content: Content) -> Result<(), RecordError> {
        let (number, is_mine, is_end) = (self.documents, self.is_mine(), matches!(content, Content::End));
        self.documents += u64::from(is_end);
        if !is_mine {
            return Ok(());
        }
        self.chunks += usize::from(!is_end);
        self.bytes += content.bytes();
        self.batch.push((Document { file: file.clone(), number }, content));
        if self.chunks >= BATCH || self.bytes >= BATCH_BYTES { self.flush() } else { Ok(()) }
    }

    /// Replays and enters what has been gathered.
    fn flush(&mut self) -> Result<(), RecordError> {
        let batch = std::mem::take(&mut self.batch);
        (self.chunks, self.bytes) = (0, 0);
        let scrutiny = self.settings.scrutiny;
        let played: Vec<_> = batch.par_iter().map(|(_, content)| content.played::<G>(scrutiny)).collect();
        for ((document, content), played) in batch.into_iter().zip(played) {
            for (result, ending) in played {
                self.enter(&document, result)?;
                self.endings.add(self.games, ending);
            }
            match content {
                Content::Failure(line, cause) => self.enter_failure(&document, line, cause)?,
                Content::End => self.end_document(&document)?,
                Content::Chunk(..) | Content::Xqf(_) | Content::Flaw(_) => {}
            }
        }
        Ok(())
    }

    /// Hands a record on, with its place.
    fn enter(&mut self, Document { file, number }: &Document, played: Played<G>) -> Result<(), RecordError> {
        self.games += 1;
        let place = |line| SourceLocation { document: *number, file: file.clone(), game: self.games, line };
        let record = match played {
            Ok((line, mut game)) => {
                game.source = Some(place(line));
                Ok(game)
            }
            Err((line, flaw)) => Err(Dropped { place: place(line), flaw }),
        };
        (self.visit)(record)
    }

    fn enter_failure(&mut self, document: &Document, line: u64, cause: io::Error) -> Result<(), RecordError> {
        let is_cut = cause.kind() == io::ErrorKind::UnexpectedEof;
        let (name, games) = (document.file.shown.to_string(), self.games);
        match self.settings.policy {
            Policy::Strict if is_cut => Err(RecordError::Truncated { file: name, games, line }),
            Policy::Strict => Err(RecordError::Read { file: name, games, line, cause }),
            Policy::Drop => {
                let text = if is_cut { "it is cut short".to_owned() } else { cause.to_string() };
                // Where nothing could be read, there is no line before the first.
                self.enter(document, Err((line.max(1), Flaw::Unreadable(text))))
            }
        }
    }

    fn end_document(&mut self, document: &Document) -> Result<(), RecordError> {
        if self.games == 0 {
            self.enter(document, Err((1, Flaw::NotGames("text without games"))))?;
        }
        if let Some(remark) = std::mem::take(&mut self.endings).remark(&document.file) {
            self.observer.note(&remark);
        }
        self.games = 0;
        Ok(())
    }

    /// Takes the games that `next` gives one after the other, and the line where it fails.
    fn split(
        &mut self,
        file: &FileName,
        format: Format,
        next: &mut dyn FnMut() -> Result<Option<Chunk>, (u64, io::Error)>,
    ) -> Result<(), RecordError> {
        loop {
            match next() {
                Ok(Some(chunk)) => self.push(file, Content::Chunk(format, chunk))?,
                Ok(None) => return Ok(()),
                Err((line, cause)) => return self.push(file, Content::Failure(line, cause)),
            }
        }
    }

    fn text(&mut self, name: &Name, input: &mut Peeked<'_>) -> Result<(), RecordError> {
        let file = &name.file;
        let encoding = self.settings.encoding.settle(input.head());
        let mut text = decoded(&mut *input, encoding);
        let kind = match text.fill_buf() {
            Ok(head) => kind_of_text(head, name),
            Err(cause) => return self.push(file, Content::Failure(0, cause)),
        };
        if matches!(kind, Kind::Games(_)) && self.settings.encoding == Encoding::Auto && self.is_mine() {
            self.guesses.add(encoding, file);
        }
        match kind {
            Kind::Games(Format::Dhtmlxq) => {
                let mut splitter = DhtmlxqSplitter::new(text);
                self.split(file, Format::Dhtmlxq, &mut || splitter.next_chunk().map_err(|cause| (splitter.line, cause)))
            }
            Kind::Games(Format::Table) => {
                let mut splitter = TableSplitter::new(text);
                self.split(file, Format::Table, &mut || splitter.next_chunk().map_err(|cause| (splitter.line, cause)))
            }
            Kind::Games(format @ (Format::Sgf | Format::Ccga)) => {
                let mut splitter = bracketed(format, text);
                self.split(file, format, &mut || splitter.next_chunk().map_err(|cause| (splitter.line, cause)))
            }
            Kind::Games(format) => {
                let mut splitter = Splitter::new(text);
                self.split(file, format, &mut || splitter.next_chunk().map_err(|cause| (splitter.line, cause)))
            }
            other => {
                drop(text);
                // What was cut short may have been anything.
                match input.take_failure() {
                    Some(cause) => self.push(file, Content::Failure(0, cause)),
                    None => self.no_games(file, other),
                }
            }
        }
    }

    /// Takes a file of XQStudio, which is read as a whole; beyond [`LARGEST`] bytes it is too long.
    fn xqf(&mut self, file: &FileName, input: impl Read) -> Result<(), RecordError> {
        let mut bytes = Vec::new();
        match input.take(LARGEST as u64 + 1).read_to_end(&mut bytes) {
            Ok(_) => self.push(file, Content::Xqf(bytes)),
            Err(cause) => self.push(file, Content::Failure(0, cause)),
        }
    }

    fn no_games(&mut self, file: &FileName, kind: Kind) -> Result<(), RecordError> {
        match kind {
            Kind::Games(_) | Kind::Xqf => Ok(()),
            Kind::Other(found) => self.push(file, Content::Flaw(Flaw::NotGames(found))),
            Kind::Unsupported(format, why) => self.push(file, Content::Flaw(Flaw::UnsupportedFormat(format, why))),
        }
    }

    fn one(&mut self, name: &Name, content: Content) -> Result<(), RecordError> {
        self.push(&name.file, content)?;
        self.push(&name.file, Content::End)
    }
}

impl<G: Notation> Sink for Reading<'_, G> {
    fn document(&mut self, name: &Name, input: &mut Peeked<'_>) -> Result<(), RecordError> {
        match kind_of_bytes(input.head()) {
            None => self.text(name, input)?,
            Some(Kind::Xqf) => self.xqf(&name.file, input)?,
            Some(other) => self.no_games(&name.file, other)?,
        }
        self.push(&name.file, Content::End)
    }

    fn passed_over(&mut self, name: &Name, flaw: Flaw) -> Result<(), RecordError> {
        self.one(name, Content::Flaw(flaw))
    }

    fn failed(&mut self, name: &Name, cause: io::Error) -> Result<(), RecordError> {
        self.one(name, Content::Failure(0, cause))
    }
}
