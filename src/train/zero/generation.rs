//! The games of a generation, which one network plays: a file for each in the state of the run, until all are there.
//!
//! Several processes may write them. A file appears whole or not at all, and a game follows from seed, number and network, so that
//! it does not matter who played it, or whether two did.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::error::ZeroError;
use super::finished::FinishedGame;
use crate::arena::Shard;
use crate::disk::{FileError, Lock, write_whole_shared};
use crate::game::Notation;
use crate::observe::Observer;

/// The folder of the files in the state of a run.
const FOLDER: &str = "games";
/// How often a process that waits for others looks again.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// The most parts that are told by their number.
const TOLD: usize = 6;
/// How long it waits for news before it says so even to those who do not watch.
const LONG: Duration = Duration::from_secs(600);

/// The folder of finished games that are not in the run's file of games yet.
#[derive(Debug)]
pub(super) struct GenerationFolder<G: Notation> {
    path: PathBuf,
    start: G,
}

impl<G: Notation> GenerationFolder<G> {
    /// That in the folder `state`, for games that begin at `start`.
    pub fn new(state: &Path, start: G) -> Self {
        Self { path: state.join(FOLDER), start }
    }

    fn file(&self, number: usize) -> PathBuf {
        self.path.join(format!("{number}.json"))
    }

    /// The numbers of the games that are there.
    fn numbers(&self) -> Result<BTreeSet<usize>, FileError> {
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
            entries => entries.map_err(FileError::of("read", &self.path))?,
        };
        let number = |name: &str| name.strip_suffix(".json")?.parse().ok();
        Ok(entries.flatten().filter_map(|entry| number(&entry.file_name().to_string_lossy())).collect())
    }

    /// Those of the games with these `numbers` that are not there.
    pub fn missing(&self, numbers: Range<usize>) -> Result<Vec<usize>, FileError> {
        let known = self.numbers()?;
        Ok(numbers.filter(|number| !known.contains(number)).collect())
    }

    /// Keeps finished games.
    ///
    /// # Errors
    /// When a file cannot be written, or holds another game already.
    pub fn store(&self, games: &[FinishedGame<G>]) -> Result<(), ZeroError> {
        // Not the state around it: without that the run is over.
        match fs::create_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made.map_err(FileError::of("create", &self.path))?,
        }
        for game in games {
            let (path, text) = (self.file(game.course.number), game.to_line() + "\n");
            match fs::read(&path) {
                Ok(known) if known != text.as_bytes() => return Err(ZeroError::Contradiction(path)),
                Ok(_) => {}
                Err(_) => write_whole_shared(&path, text.as_bytes()).map_err(FileError::of("write", &path))?,
            }
        }
        Ok(())
    }

    /// The games with these `numbers`, which are all there and which the network played after `lesson`.
    ///
    /// # Errors
    /// When a file cannot be read, or holds something else.
    pub fn gather(&self, numbers: Range<usize>, lesson: u64) -> Result<Vec<FinishedGame<G>>, ZeroError> {
        numbers.map(|number| self.read(number, lesson)).collect()
    }

    fn read(&self, number: usize, lesson: u64) -> Result<FinishedGame<G>, ZeroError> {
        let path = self.file(number);
        let text = fs::read_to_string(&path).map_err(FileError::of("read", &path))?;
        let game = FinishedGame::of_line(&self.start, text.trim_end()).and_then(|game| {
            let found = (game.course.number, game.course.lessons);
            let wrong =
                || format!("expected game {number} after {lesson} lessons, found game {} after {:?}", found.0, found.1);
            (found == (number, [lesson; 2])).then_some(game).ok_or_else(wrong)
        });
        game.map_err(|problem| ZeroError::Broken {
            path,
            problem: format!("{problem}; delete the file, and the game is played again"),
        })
    }

    /// Removes the games before `begun`, which are in the run's file of games.
    pub fn forget(&self, begun: usize) -> Result<(), FileError> {
        let old = self.numbers()?.into_iter().take_while(|&number| number < begun);
        old.map(|number| self.file(number))
            .try_for_each(|path| fs::remove_file(&path).map_err(FileError::of("remove", &path)))
    }
}

/// The file by which who learns is known to be at work.
const LEARNER: &str = "learner.lock";

/// Opens a file in the folder `state` that is there to be locked.
pub(super) fn lock_file(state: &Path, name: &str) -> Result<File, FileError> {
    let path = state.join(name);
    File::options().create(true).truncate(false).write(true).open(&path).map_err(FileError::of("open", &path))
}

/// Lets others know that the run whose state is in the folder `state` is learned here, until the lock is dropped.
pub(super) fn begin_learning(state: &Path) -> Result<Lock, FileError> {
    // Who looks whether it is locked holds it for a moment.
    Lock::await_file(lock_file(state, LEARNER)?).map_err(FileError::of("lock", state))
}

/// Whether a process is at work that learns the run whose state is in the folder `state`.
pub(super) fn is_learned(state: &Path) -> Result<bool, FileError> {
    match lock_file(state, LEARNER) {
        // The run was finished a moment ago.
        Err(_) if !state.exists() => Ok(false),
        // Beside others: two that look at the same time would else take each other for who learns.
        file => Ok(Lock::beside_others(file?).map_err(FileError::of("lock", state))?.is_none()),
    }
}

/// Which games are missing, by the parts that they fall to when so many processes play.
pub(super) fn missing_parts(missing: &[usize], actors: Shard) -> String {
    let mut parts: BTreeMap<Shard, usize> = BTreeMap::new();
    missing.iter().for_each(|&number| *parts.entry(actors.holding(number as u64)).or_default() += 1);
    let told: Vec<String> = parts.iter().take(TOLD).map(|(part, games)| format!("{part} ({games})")).collect();
    let others = parts.len().saturating_sub(TOLD);
    let others = if others > 0 { format!(" and {others} others") } else { String::new() };
    format!("waits for games of the parts {}{others}", told.join(", "))
}

/// A process that waits for what others do.
pub(super) struct Waiting {
    since: Instant,
    is_told: bool,
}

impl Waiting {
    /// From now on.
    pub fn begin() -> Self {
        Self { since: Instant::now(), is_told: false }
    }

    /// Waits a moment; `what` it waits for is told to whoever watches, and after a long time to all.
    pub fn pause(&mut self, observer: &dyn Observer, what: &str) {
        observer.remark(what);
        if !self.is_told && self.since.elapsed() > LONG {
            self.is_told = true;
            observer.note(&format!("no news for {} minutes: {what}", LONG.as_secs() / 60));
        }
        thread::sleep(LOOK_EVERY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::line::read_line;
    use crate::game::{Game, Outcome};
    use crate::games::xiangqi::Xiangqi;
    use crate::train::zero::finished::{Course, Searched};

    fn game(number: usize, moves: &str) -> FinishedGame<Xiangqi> {
        let moves = read_line(&mut Xiangqi::start(), moves).unwrap();
        let searched = vec![Searched { value: 0.5, policy: vec![(1, 2)] }];
        let course = Course { moves, searched, ..Course::begin(number, 3) };
        FinishedGame { course, outcome: Outcome::Draw, reason: "repetition".to_owned(), simulations: Some(8) }
    }

    #[test]
    fn games_are_kept_once_and_none_takes_the_place_of_another() {
        let state = tempfile::tempdir().unwrap();
        let folder = GenerationFolder::new(state.path(), Xiangqi::start());
        assert_eq!(folder.missing(0..3).unwrap(), [0, 1, 2]);
        for _ in 0..2 {
            folder.store(&[game(0, "h2e2"), game(2, "h2e2")]).unwrap();
        }
        assert_eq!(folder.missing(0..3).unwrap(), [1]);
        let error = folder.store(&[game(2, "b2e2")]).unwrap_err().to_string();
        assert!(error.contains("2.json") && error.contains("another game"), "{error}");
        folder.store(&[game(1, "h2e2")]).unwrap();
        let lines = |numbers| folder.gather(numbers, 3).unwrap().iter().map(FinishedGame::to_line).collect::<Vec<_>>();
        assert_eq!(lines(0..3), [0, 1, 2].map(|number| game(number, "h2e2").to_line()));
        let error = folder.gather(0..3, 4).unwrap_err().to_string();
        assert!(error.contains("expected game 0 after 4 lessons, found game 0 after [3, 3]"), "{error}");
        fs::write(folder.file(1), game(7, "h2e2").to_line()).unwrap();
        let error = folder.gather(1..2, 3).unwrap_err().to_string();
        assert!(error.contains("expected game 1") && error.contains("delete the file"), "{error}");
        folder.forget(2).unwrap();
        assert_eq!(folder.missing(0..3).unwrap(), [0, 1]);
    }

    #[test]
    fn who_looks_for_a_learner_is_none() {
        let state = tempfile::tempdir().unwrap();
        let look = Lock::beside_others(lock_file(state.path(), LEARNER).unwrap()).unwrap().unwrap();
        assert!(!is_learned(state.path()).unwrap());
        drop(look);
        let learner = begin_learning(state.path()).unwrap();
        assert!(is_learned(state.path()).unwrap());
        drop(learner);
        assert!(!is_learned(state.path()).unwrap());
    }

    #[test]
    fn what_is_missing_is_told_by_parts() {
        let actors = Shard::new(1, 3).unwrap();
        assert_eq!(missing_parts(&[4, 7, 9], actors), "waits for games of the parts 1/3 (1), 2/3 (2)");
    }
}
