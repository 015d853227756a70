//! Reads games from files and from memory, and keeps the account.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;

use super::account::{Account, Dropped, Policy};
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
    let sizes = paths.iter().filter_map(|path| fs::metadata(path.as_ref()).ok());
    observer.begin("reading games", sizes.map(|metadata| metadata.len()).sum());
    let mut account = Account::default();
    let outcome = paths.iter().try_for_each(|path| {
        let path = path.as_ref();
        let advance = |bytes| observer.advance(bytes);
        let metered = Metered { inner: open(path)?, report: &advance };
        let input = BufReader::with_capacity(1 << 17, metered);
        Reading::new(path, policy).run(input, &mut account, &mut visit)
    });
    observer.end();
    outcome.map(|()| account)
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
    Reading::new(Path::new(name), policy).run(bytes, &mut account, &mut |game| games.push(game))?;
    Ok((games, account))
}

/// The reading of one file.
struct Reading<'a> {
    path: &'a Path,
    file: Arc<str>,
    policy: Policy,
    /// Games of this file so far.
    games: u64,
}

impl<'a> Reading<'a> {
    fn new(path: &'a Path, policy: Policy) -> Self {
        Self { path, file: path.to_string_lossy().into(), policy, games: 0 }
    }

    fn run<G: Game>(
        mut self,
        input: impl BufRead + Send,
        account: &mut Account,
        visit: &mut dyn FnMut(GameRecord<G>),
    ) -> Result<(), RecordError> {
        let unpacked = unpack(input, self.path).map_err(|cause| self.failed(cause, 0))?;
        let mut splitter = Splitter::new(unpacked);
        loop {
            let (chunks, failure) = next_batch(&mut splitter);
            let at_end = chunks.len() < BATCH;
            let played: Vec<_> = chunks.par_iter().map(played::<G>).collect();
            for result in played.into_iter().flatten() {
                self.enter(result, account, visit)?;
            }
            if let Some(cause) = failure {
                return Err(self.failed(cause, splitter.line()));
            }
            if at_end {
                return Ok(());
            }
        }
    }

    /// Puts one game on the account and hands it on.
    fn enter<G: Game>(
        &mut self,
        played: Played<G>,
        account: &mut Account,
        visit: &mut dyn FnMut(GameRecord<G>),
    ) -> Result<(), RecordError> {
        self.games += 1;
        let place = |line| Place { file: Arc::clone(&self.file), game: self.games, line };
        match played {
            Ok((line, mut game)) => {
                game.source = Some(place(line));
                account.keep();
                visit(game);
            }
            Err((line, flaw)) => {
                let dropped = Dropped { place: place(line), flaw };
                if self.policy == Policy::Strict && dropped.flaw.reason().is_invalid() {
                    return Err(RecordError::Invalid(Box::new(dropped)));
                }
                account.drop(dropped);
            }
        }
        Ok(())
    }

    fn failed(&self, cause: io::Error, line: u64) -> RecordError {
        let (file, games) = (self.file.to_string(), self.games);
        if cause.kind() == io::ErrorKind::UnexpectedEof {
            return RecordError::Truncated { file, games, line };
        }
        RecordError::Read { file, games, line, cause }
    }
}

/// A game with its first line, or what is wrong with it.
type Played<G> = Result<(u64, GameRecord<G>), Flawed>;

fn played<G: Game>(chunk: &Chunk) -> Vec<Played<G>> {
    match &chunk.text {
        Err(flawed) => vec![Err(flawed.clone())],
        Ok(text) => {
            let games = parse(text, chunk.line).into_iter();
            games.map(|raw| raw.and_then(|raw| Ok((raw.line, build(raw)?)))).collect()
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
