//! Reads games from files and from memory, and keeps the account.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::account::{Account, Dropped, Policy, Scrutiny};
use super::compress::{Metered, unpack};
use super::entry::{GameRecord, Place};
use super::error::RecordError;
use super::pgn::{Chunk, Flawed, Splitter, build, parse};
use crate::game::Game;
use crate::observe::Observer;

/// Games that are replayed together, on all threads; bounds the memory of a stream.
const BATCH: usize = 1024;

/// Reads all games of all files, which may be plain, gzip or Zstandard; the order is that of the files.
///
/// Progress is reported in bytes of the files.
///
/// # Errors
/// When a file cannot be read to its end, or, with [`Policy::Strict`], at the first invalid game.
pub fn read_games<G: Game>(
    paths: &[impl AsRef<Path>],
    policy: Policy,
    observer: &dyn Observer,
) -> Result<(Vec<GameRecord<G>>, Account), RecordError> {
    let mut games = Vec::new();
    let account = for_each_game(paths, policy, observer, |game| games.push(game))?;
    Ok((games, account))
}

/// Hands each game of all files to `visit`, in order, without holding more than a batch of them in memory.
///
/// # Errors
/// As [`read_games`]; games may have been visited before an error shows.
pub fn for_each_game<G: Game>(
    paths: &[impl AsRef<Path>],
    policy: Policy,
    observer: &dyn Observer,
    mut visit: impl FnMut(GameRecord<G>),
) -> Result<Account, RecordError> {
    let mut account = Account::default();
    for_each_record(paths, Scrutiny::Full, observer, |record| {
        record_on(&mut account, policy, record).map(|game| game.into_iter().for_each(&mut visit))
    })?;
    Ok(account)
}

/// Puts a record on the account; gives it back if it is a game.
fn record_on<G: Game>(
    account: &mut Account,
    policy: Policy,
    record: Result<GameRecord<G>, Dropped>,
) -> Result<Option<GameRecord<G>>, RecordError> {
    match record {
        Ok(game) => {
            account.keep();
            Ok(Some(game))
        }
        Err(dropped) if policy == Policy::Strict && dropped.flaw.reason().is_invalid() => {
            Err(RecordError::Invalid(Box::new(dropped)))
        }
        Err(dropped) => {
            account.drop(dropped);
            Ok(None)
        }
    }
}

/// Hands each record of all files to `visit`, in order: the game, or what is wrong with it. No more than a batch of them
/// is held in memory.
///
/// # Errors
/// When a file cannot be read to its end, and what `visit` returns.
pub fn for_each_record<G: Game>(
    paths: &[impl AsRef<Path>],
    scrutiny: Scrutiny,
    observer: &dyn Observer,
    mut visit: impl FnMut(Result<GameRecord<G>, Dropped>) -> Result<(), RecordError>,
) -> Result<(), RecordError> {
    let sizes = paths.iter().filter_map(|path| fs::metadata(path.as_ref()).ok());
    observer.begin("reading games", sizes.map(|metadata| metadata.len()).sum());
    let outcome = paths.iter().try_for_each(|path| {
        let path = path.as_ref();
        let advance = |bytes| observer.advance(bytes);
        let metered = Metered { inner: open(path)?, report: &advance };
        let input = BufReader::with_capacity(1 << 17, metered);
        Reading::new(path, scrutiny).run(input, &mut visit)
    });
    observer.end();
    outcome
}

fn open(path: &Path) -> Result<File, RecordError> {
    let failed = |cause| RecordError::Open { path: path.to_owned(), cause };
    let file = File::open(path).map_err(failed)?;
    // Some systems open a folder as if it were a file.
    if file.metadata().map_err(failed)?.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    Ok(file)
}

/// Reads all games in `bytes`, which may be plain, gzip or Zstandard; `name` stands for the file in places.
///
/// # Errors
/// As [`read_games`].
pub fn read_bytes<G: Game>(
    name: &str,
    bytes: &[u8],
    policy: Policy,
) -> Result<(Vec<GameRecord<G>>, Account), RecordError> {
    let (mut games, mut account) = (Vec::new(), Account::default());
    Reading::new(Path::new(name), Scrutiny::Full).run(bytes, &mut |record| {
        games.extend(record_on(&mut account, policy, record)?);
        Ok(())
    })?;
    Ok((games, account))
}

/// The reading of one file.
struct Reading<'a> {
    path: &'a Path,
    file: Arc<str>,
    scrutiny: Scrutiny,
    /// Games of this file so far.
    games: u64,
}

impl<'a> Reading<'a> {
    fn new(path: &'a Path, scrutiny: Scrutiny) -> Self {
        Self { path, file: path.to_string_lossy().into(), scrutiny, games: 0 }
    }

    fn run<G: Game>(mut self, input: impl BufRead + Send, visit: &mut Visit<'_, G>) -> Result<(), RecordError> {
        let unpacked = unpack(input, self.path).map_err(|cause| self.failed(cause, 0))?;
        let mut splitter = Splitter::new(unpacked);
        let scrutiny = self.scrutiny;
        loop {
            let (chunks, failure) = next_batch(&mut splitter);
            let at_end = chunks.len() < BATCH;
            let played: Vec<_> = chunks.par_iter().map(|chunk| played::<G>(chunk, scrutiny)).collect();
            for result in played.into_iter().flatten() {
                visit(self.placed(result))?;
            }
            if let Some(cause) = failure {
                return Err(self.failed(cause, splitter.line()));
            }
            if at_end {
                return Ok(());
            }
        }
    }

    /// The next record of the file, with its place.
    fn placed<G: Game>(&mut self, played: Played<G>) -> Result<GameRecord<G>, Dropped> {
        self.games += 1;
        let place = |line| Place { file: Arc::clone(&self.file), game: self.games, line };
        match played {
            Ok((line, mut game)) => {
                game.source = Some(place(line));
                Ok(game)
            }
            Err((line, flaw)) => Err(Dropped { place: place(line), flaw }),
        }
    }

    fn failed(&self, cause: io::Error, line: u64) -> RecordError {
        let (file, games) = (self.file.to_string(), self.games);
        if cause.kind() == io::ErrorKind::UnexpectedEof {
            return RecordError::Truncated { file, games, line };
        }
        RecordError::Read { file, games, line, cause }
    }
}

/// Takes each record.
type Visit<'v, G> = dyn FnMut(Result<GameRecord<G>, Dropped>) -> Result<(), RecordError> + 'v;

/// A game with its first line, or what is wrong with it.
type Played<G> = Result<(u64, GameRecord<G>), Flawed>;

fn played<G: Game>(chunk: &Chunk, scrutiny: Scrutiny) -> Vec<Played<G>> {
    match &chunk.text {
        Err(flawed) => vec![Err(flawed.clone())],
        Ok(text) => {
            let games = parse(text, chunk.line).into_iter();
            games.map(|raw| raw.and_then(|raw| Ok((raw.line, build(raw, scrutiny)?)))).collect()
        }
    }
}

/// The next games of the stream; fewer than [`BATCH`] at its end or before a failure.
fn next_batch(splitter: &mut Splitter<impl BufRead>) -> (Vec<Chunk>, Option<io::Error>) {
    let mut chunks = Vec::new();
    while chunks.len() < BATCH {
        match splitter.next_chunk() {
            Ok(Some(chunk)) => chunks.push(chunk),
            Ok(None) => break,
            Err(cause) => return (chunks, Some(cause)),
        }
    }
    (chunks, None)
}
