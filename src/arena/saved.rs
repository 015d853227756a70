//! Runs of many games that can resume: finished games go into a journal, and are not played again.

use std::collections::BTreeMap;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};
use serde_json::Value;

use super::entry::{Key, Line};
use super::game::{Begun, PlayedGame};
use super::journal::{CONTRADICTION, Damage, Journal, JournalError, Owner, Place};
use super::match_writer::MatchWriter;
use super::openings::Opening;
use crate::game::BoardGame;
use crate::observe::Observer;

/// Games numbered from 0, as a journal tells of them.
pub(super) trait Series<G: BoardGame>: Sync {
    /// How many games.
    fn games(&self) -> usize;

    /// What two runs share exactly if they consist of the same games.
    fn fingerprint(&self) -> &str;

    /// All that decides the games, where a journal of them is to say it.
    fn identity(&self) -> Option<&Value> {
        None
    }

    /// What the journal calls a game.
    fn key(&self, game: usize) -> Key;

    /// The number of the game that the journal calls so; else what is wrong with it.
    fn number(&self, key: &Key) -> Result<usize, String>;

    /// Where a game starts, with the moves that are given, where they are known before it is played.
    fn opening(&self, game: usize) -> Opening<G>;
}

/// A series that is played.
pub(super) trait Run<G: BoardGame>: Sync {
    /// Why the run may fail.
    type Error: From<JournalError> + Send;

    /// The games.
    fn series(&self) -> &dyn Series<G>;

    /// Whether a game is to be played here and now.
    fn is_due(&self, _game: usize) -> bool {
        true
    }

    /// Whether what games come to decides which others are due.
    fn may_end_early(&self) -> bool {
        false
    }

    /// Plays a game.
    fn play_one(&self, game: usize, writer: MatchWriter<'_, G::Move>) -> Result<PlayedGame<G::Move>, Self::Error>;
}

/// Where a run is written down on the way.
#[derive(Debug, Clone, Copy)]
pub struct JournalPlace<'a> {
    /// The file; made if it is not there.
    pub path: &'a Path,
    /// The moves of a game go into the journal before its end once this long has passed since its last line; with zero, each move
    /// does the moment it is played.
    pub pause: Duration,
    /// Journals of parts of the same run, of which the file is to hold the games too.
    pub parts: &'a [PathBuf],
}

impl<'a> JournalPlace<'a> {
    /// The file `path`, to which moves are written at most once a second.
    pub const fn new(path: &'a Path) -> Self {
        Self { path, pause: Duration::from_secs(1), parts: &[] }
    }
}

/// A finished game, and its place in the journal of its run if there is one.
pub(super) type Saved<M> = (PlayedGame<M>, Option<Place>);

/// Plays the due games of `run` on the current rayon pool, and hands them and those that are in the journal to `visit`, in the order of
/// their numbers, from any thread; gives the journal. With a journal, games that it holds are not played again, and every other is added
/// to it as it ends.
///
/// Games are begun in order too, so that few of them wait for an earlier one to end: beside these, none is held in memory.
///
/// # Errors
/// When the journal cannot be used, or a game cannot be played to its end; games that were running are still added to the
/// journal. Also what `visit` returns.
pub(super) fn play_all<G: BoardGame, R: Run<G>>(
    run: &R,
    journal: Option<JournalPlace<'_>>,
    observer: &dyn Observer,
    visit: impl FnMut(usize, Saved<G::Move>) -> Result<(), R::Error> + Send,
) -> Result<Option<Journal>, R::Error> {
    let series = run.series();
    let mut told = Told::nothing(series);
    let Some(JournalPlace { path, pause, parts }) = journal else {
        return go_on(run, None, &told, observer, visit).map(|()| None);
    };
    let owner = Owner { fingerprint: series.fingerprint(), identity: series.identity() };
    let mut gathered = Told::nothing(series);
    Journal::gather(path, owner, parts, |file, place, line| match gathered.damage.sift(place, line) {
        Some(line) => gathered.take(file, place, line).map(drop),
        None => Ok(()),
    })?;
    let journal = Journal::open(path, owner, |place, line| match told.damage.sift(place, line) {
        Some(line) => told.take(path, place, line).map(drop),
        None => Ok(()),
    })?;
    told.damage.remark(path, "played").iter().for_each(|remark| observer.note(remark));
    let (games, missing) = (series.games(), series.games() - told.finished.len());
    if missing > 0 && !parts.is_empty() {
        observer.note(&format!("{missing} of {games} games are in none of the parts, and are played now"));
    }
    go_on(run, Some((&journal, pause)), &told, observer, visit)?;
    Ok(Some(journal))
}

/// Plays the games that are missing. The observer is told of the end also when the journal fails on the way.
fn go_on<G: BoardGame, R: Run<G>>(
    run: &R,
    journal: Option<(&Journal, Duration)>,
    told: &Told<'_, G>,
    observer: &dyn Observer,
    visit: impl FnMut(usize, Saved<G::Move>) -> Result<(), R::Error> + Send,
) -> Result<(), R::Error> {
    let Told { series, begun, finished, .. } = told;
    let is_mine = |game: &usize| finished.contains_key(game) || run.is_due(*game);
    observer.begin("games", (0..series.games()).filter(is_mine).count() as u64);
    let played = |game: usize| {
        if let (Some((journal, _)), Some(&(_, place))) = (journal, finished.get(&game)) {
            return Ok((replayed((*series, game), (journal.path(), place), journal.record_at(place)?)?, Some(place)));
        }
        let key = series.key(game);
        let played = run.play_one(game, MatchWriter::new(journal, key.clone(), begun.get(&game).cloned()))?;
        let append = |(journal, _): (&Journal, _)| journal.append(&Line::finished(key, &played));
        let place = journal.map(append).transpose().map_err(JournalError::from)?;
        Ok::<_, R::Error>((played, place))
    };
    let in_order = Mutex::new(InOrder { next: 0, waiting: BTreeMap::new(), visit });
    let take = |(place, game): (usize, usize)| {
        let played = played(game)?;
        observer.advance(1);
        in_order.lock().unwrap_or_else(PoisonError::into_inner).take(place, (game, played))
    };
    let mut mine = (0..series.games()).filter(is_mine).enumerate().peekable();
    // What they come to is known before any further game is begun.
    let is_known = |&(_, game): &(usize, usize)| run.may_end_early() && finished.contains_key(&game);
    let known = std::iter::from_fn(|| mine.next_if(is_known)).try_for_each(take);
    // Unlike a parallel range, which is halved, a bridge begins with the first.
    let outcome = known.and_then(|()| mine.par_bridge().try_for_each(take));
    observer.end();
    outcome
}

/// The finished game of a line, at `place` in the journal `path`, that was taken in before as that of `game`.
pub(super) fn replayed<G: BoardGame>(
    (series, game): (&dyn Series<G>, usize),
    (path, place): (&Path, Place),
    line: Line,
) -> Result<PlayedGame<G::Move>, JournalError> {
    let key = line.key();
    let played = match key == series.key(game) {
        true => line.replay(series.opening(game).start),
        false => Err("stands where another game stood".to_owned()),
    };
    played.map_err(|problem| wrong(path, place, &key, &problem))
}

/// The error that a line of the journal `path` tells of the game `key` what cannot be.
fn wrong(path: &Path, Place { line, .. }: Place, Key { pair, game }: &Key, problem: &str) -> JournalError {
    let pair = pair.as_ref().map(|id| format!("pair {id}, ")).unwrap_or_default();
    JournalError::Game { path: path.to_owned(), line, problem: format!("{pair}game {game}: {problem}") }
}

/// Games that may not be handed on before those with lower numbers.
struct InOrder<T, V> {
    next: usize,
    waiting: BTreeMap<usize, T>,
    visit: V,
}

impl<T, E, V: FnMut(usize, T) -> Result<(), E>> InOrder<(usize, T), V> {
    /// Takes a game, the `place`-th of all, and hands on what is due.
    fn take(&mut self, place: usize, game: (usize, T)) -> Result<(), E> {
        self.waiting.insert(place, game);
        while let Some((game, played)) = self.waiting.remove(&self.next) {
            self.next += 1;
            (self.visit)(game, played)?;
        }
        Ok(())
    }
}

/// What the lines of journals have told so far.
pub(super) struct Told<'s, G: BoardGame> {
    series: &'s dyn Series<G>,
    /// What is known of games that go on.
    begun: FxHashMap<usize, Begun<G::Move>>,
    /// Hashes of the lines of finished games, and where they stand.
    finished: FxHashMap<usize, (u64, Place)>,
    /// Lines that tell nothing, and are left out.
    damage: Damage,
}

impl<'s, G: BoardGame> Told<'s, G> {
    /// No line yet.
    pub fn nothing(series: &'s dyn Series<G>) -> Self {
        Self { series, begun: FxHashMap::default(), finished: FxHashMap::default(), damage: Damage::default() }
    }

    /// Takes in a line of the journal `path`: the finished game that it tells, if it is not of a game that goes on.
    pub fn take(&mut self, path: &Path, place: Place, line: Line) -> Result<Option<Finished<G::Move>>, JournalError> {
        let key = line.key();
        self.enter(place, line).map_err(|problem| wrong(path, place, &key, &problem))
    }

    fn enter(&mut self, place: Place, line: Line) -> Result<Option<Finished<G::Move>>, String> {
        let game = self.series.number(&line.key())?;
        let opening = self.series.opening(game);
        if line.after.is_some() {
            let known = self.begun.remove(&game);
            match line.follow(opening, known) {
                Ok(Some(begun)) => _ = self.begun.insert(game, begun),
                // The moves before these stood in a line that is left out, or that is there once where a part of the match that was
                // killed told it twice: the game begins anew.
                Ok(None) => {}
                Err(_) if self.damage.is_there() => {}
                Err(problem) => return Err(problem),
            }
            return Ok(None);
        }
        let hash = FxBuildHasher.hash_one(&line);
        let played = line.replay(opening.start)?;
        match self.finished.insert(game, (hash, place)) {
            Some((before, _)) if before != hash => Err(CONTRADICTION.to_owned()),
            before => Ok(Some(Finished { game, played, is_known: before.is_some() })),
        }
    }
}

/// A finished game that a line of a journal tells.
pub(super) struct Finished<M> {
    /// Its number.
    pub game: usize,
    pub played: PlayedGame<M>,
    /// Whether an earlier line told the same.
    pub is_known: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::FileError;
    use crate::game::{Game, Outcome};
    use crate::games::xiangqi::Xiangqi;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A part of a match that was killed may tell the same moves twice, of which a gathered journal keeps one line.
    #[test]
    fn moves_that_follow_no_line_begin_the_game_anew() {
        let line = |after: usize| {
            let text = format!(r#"{{"game":1,"moves":"h2e2","comments":[""],"nodes":[1,0],"after":{after}}}"#);
            serde_json::from_str::<Line>(&text).unwrap()
        };
        let mut told = Told::nothing(&Idle);
        assert!(told.enter(Place::default(), line(0)).unwrap().is_none());
        assert_eq!(told.begun.len(), 1);
        assert!(told.enter(Place::default(), line(3)).unwrap().is_none());
        assert!(told.begun.is_empty());
    }

    /// Games without moves.
    struct Idle;

    impl Series<Xiangqi> for Idle {
        fn games(&self) -> usize {
            3
        }

        fn fingerprint(&self) -> &'static str {
            "idle"
        }

        fn key(&self, game: usize) -> Key {
            Key { pair: None, game: game + 1 }
        }

        fn number(&self, key: &Key) -> Result<usize, String> {
            Ok(key.game - 1)
        }

        fn opening(&self, _game: usize) -> Opening<Xiangqi> {
            Opening::initial()
        }
    }

    impl Run<Xiangqi> for Idle {
        type Error = JournalError;

        fn series(&self) -> &dyn Series<Xiangqi> {
            self
        }

        fn play_one(
            &self,
            _game: usize,
            _writer: MatchWriter<'_, <Xiangqi as Game>::Move>,
        ) -> Result<PlayedGame<<Xiangqi as Game>::Move>, JournalError> {
            let (outcome, reason, failure) = (Outcome::Draw, "idle".to_owned(), None);
            Ok(PlayedGame { moves: Vec::new(), comments: Vec::new(), outcome, reason, failure, nodes: [0; 2] })
        }
    }

    /// Counts beginnings and ends.
    #[derive(Default)]
    struct Counter {
        begun: AtomicU64,
        ended: AtomicU64,
    }

    impl Observer for Counter {
        fn begin(&self, _task: &str, _total: u64) {
            self.begun.fetch_add(1, Ordering::Relaxed);
        }
        fn advance(&self, _units: u64) {}
        fn remark(&self, _text: &str) {}
        fn end(&self) {
            self.ended.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn games_are_handed_on_in_order_whichever_ends_first() {
        let mut seen = Vec::new();
        let visit = |game, name| {
            seen.push((game, name));
            if name == 'd' { Err(name) } else { Ok(()) }
        };
        let mut in_order = InOrder { next: 0, waiting: BTreeMap::new(), visit };
        for (place, game) in [(2, (7, 'c')), (0, (1, 'a')), (1, (5, 'b'))] {
            assert_eq!(in_order.take(place, game), Ok(()));
        }
        assert!(in_order.waiting.is_empty());
        assert_eq!(in_order.take(3, (9, 'd')), Err('d'));
        assert_eq!(seen, [(1, 'a'), (5, 'b'), (7, 'c'), (9, 'd')]);
    }

    #[test]
    fn the_observer_hears_the_end_of_a_run_whose_journal_fails() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let counter = Counter::default();
        let journal = Journal::read_only(file.path()).unwrap();
        let place = Some((&journal, Duration::ZERO));
        let error = go_on(&Idle, place, &Told::nothing(&Idle), &counter, |_, _| Ok(())).unwrap_err();
        assert!(matches!(error, JournalError::File(FileError { action: "write", .. })), "{error}");
        assert_eq!((counter.begun.into_inner(), counter.ended.into_inner()), (1, 1));
    }
}
