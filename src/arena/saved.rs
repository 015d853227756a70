//! Runs of many games that can resume: finished games go into a journal, and are not played again.

use std::path::Path;
use std::time::Duration;

use rayon::prelude::*;
use serde_json::Value;

use super::entry::{Key, Line};
use super::game::{Begun, PlayedGame};
use super::journal::{Journal, JournalError, Owner};
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
}

impl<'a> JournalPlace<'a> {
    /// The file `path`, to which moves are written at most once a second.
    pub const fn new(path: &'a Path) -> Self {
        Self { path, pause: Duration::from_secs(1) }
    }
}

/// The games of a series; `None` where one was not played.
pub(super) type Games<M> = Vec<Option<PlayedGame<M>>>;

/// The due games of `run`, and those that are in the journal, played on the current rayon pool; `None` for the others. With a
/// journal, games that it holds are not played again, and every other is added to it as it ends. `ended` hears of each game,
/// from any thread.
///
/// # Errors
/// When the journal cannot be used, or a game cannot be played to its end; games that were running are still added to the
/// journal.
pub(super) fn play_all<G: BoardGame, R: Run<G>>(
    run: &R,
    journal: Option<JournalPlace<'_>>,
    observer: &dyn Observer,
    ended: impl Fn(usize, &PlayedGame<G::Move>) + Sync,
) -> Result<Games<G::Move>, R::Error> {
    let mut restored = Restored::nothing(run.series());
    let Some(JournalPlace { path, pause }) = journal else {
        return go_on(run, None, restored, observer, ended);
    };
    let series = run.series();
    let owner = Owner { fingerprint: series.fingerprint(), identity: series.identity() };
    let (journal, lines) = Journal::open(path, owner)?;
    restored.take_all(run.series(), path, lines)?;
    go_on(run, Some((&journal, pause)), restored, observer, ended)
}

/// Plays the games that are missing. The observer is told of the end also when the journal fails on the way.
fn go_on<G: BoardGame, R: Run<G>>(
    run: &R,
    journal: Option<(&Journal, Duration)>,
    Restored { games, begun }: Restored<G::Move>,
    observer: &dyn Observer,
    ended: impl Fn(usize, &PlayedGame<G::Move>) + Sync,
) -> Result<Games<G::Move>, R::Error> {
    let is_mine = |game: usize, done: &Option<_>| done.is_some() || run.is_due(game);
    let mine = games.iter().enumerate().filter(|&(game, done)| is_mine(game, done)).count();
    observer.begin("games", mine as u64);
    let games = games.into_par_iter().zip(begun).enumerate().with_max_len(1).map(|(game, (done, begun))| {
        if !is_mine(game, &done) {
            return Ok(None);
        }
        let play = || {
            let key = run.series().key(game);
            let played = run.play_one(game, MatchWriter::new(journal, key.clone(), begun))?;
            if let Some((journal, _)) = journal {
                journal.append(&Line::finished(key, &played)).map_err(JournalError::from)?;
            }
            Ok(played)
        };
        let played = done.map_or_else(play, Ok::<_, R::Error>)?;
        observer.advance(1);
        ended(game, &played);
        Ok(Some(played))
    });
    let games = games.collect();
    observer.end();
    games
}

/// What there is of a run before it goes on: one place a game.
pub(super) struct Restored<M> {
    /// Finished games.
    pub games: Games<M>,
    /// What is known of games that had begun.
    begun: Vec<Option<Begun<M>>>,
}

impl<M: Clone> Restored<M> {
    /// Nothing is there yet.
    pub fn nothing<G: BoardGame<Move = M>>(series: &dyn Series<G>) -> Self {
        Self { games: vec![None; series.games()], begun: vec![None; series.games()] }
    }
}

impl<M: Clone + PartialEq> Restored<M> {
    /// Takes in a line of a journal; whether it repeats what was known. Else what is wrong with it.
    fn take<G: BoardGame<Move = M>>(&mut self, series: &dyn Series<G>, line: Line) -> Result<bool, String> {
        let game = series.number(&line.key())?;
        let opening = series.opening(game);
        if line.after.is_some() {
            let known = self.begun[game].take();
            self.begun[game] = Some(line.follow(opening, known)?);
            return Ok(false);
        }
        let played = Some(line.replay(opening.start)?);
        let place = &mut self.games[game];
        if place.is_some() && *place != played {
            return Err("differs from an earlier record of the same game".to_owned());
        }
        Ok(std::mem::replace(place, played).is_some())
    }

    /// Takes in the lines of the journal `path`; how many finished games of it were known.
    pub fn take_all<G: BoardGame<Move = M>>(
        &mut self,
        series: &dyn Series<G>,
        path: &Path,
        lines: Vec<(usize, Line)>,
    ) -> Result<usize, JournalError> {
        let mut repeated = 0;
        for (line, entry) in lines {
            let Key { pair, game } = entry.key();
            repeated += usize::from(self.take(series, entry).map_err(|problem| {
                let pair = pair.map(|id| format!("pair {id}, ")).unwrap_or_default();
                JournalError::Game { path: path.to_owned(), line, problem: format!("{pair}game {game}: {problem}") }
            })?);
        }
        Ok(repeated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::FileError;
    use crate::game::{Game, Outcome};
    use crate::games::xiangqi::Xiangqi;
    use std::sync::atomic::{AtomicU64, Ordering};

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
    fn the_observer_hears_the_end_of_a_run_whose_journal_fails() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let counter = Counter::default();
        let journal = Journal::read_only(file.path()).unwrap();
        let place = Some((&journal, Duration::ZERO));
        let error = go_on(&Idle, place, Restored::nothing(&Idle), &counter, |_, _| ()).unwrap_err();
        assert!(matches!(error, JournalError::File(FileError { action: "write", .. })), "{error}");
        assert_eq!((counter.begun.into_inner(), counter.ended.into_inner()), (1, 1));
    }
}
