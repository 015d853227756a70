//! Runs of many games that can resume: finished games go into a journal, and are not played again.

use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::game::PlayedGame;
use super::journal::{Journal, JournalError};
use crate::game::{Game, Outcome, Side};
use crate::observe::Observer;

/// Games numbered from 0, each fixed by its number alone.
pub(super) trait Run<G: Game>: Sync {
    /// Why the run may fail.
    type Error: From<JournalError> + Send;

    /// What the observer is told.
    const TASK: &'static str;

    /// How many games.
    fn games(&self) -> usize;

    /// What two runs share exactly if they consist of the same games.
    fn fingerprint(&self) -> &str;

    /// The position before the first move of a game.
    fn start(&self, game: usize) -> G;

    /// Plays a game.
    fn play_one(&self, game: usize) -> Result<PlayedGame<G::Move>, Self::Error>;
}

/// All games of `run`, in order, played on the current rayon pool. With a `journal`, games that it holds are not played
/// again, and every other is added to it as it ends. `ended` hears of each game, from any thread.
///
/// # Errors
/// When the journal cannot be used, or a game cannot be played to its end; games that were running are still added to the
/// journal.
pub(super) fn play_all<G: Game, R: Run<G>>(
    run: &R,
    journal: Option<&Path>,
    observer: &dyn Observer,
    ended: impl Fn(usize, &PlayedGame<G::Move>) + Sync,
) -> Result<Vec<PlayedGame<G::Move>>, R::Error> {
    go_on(run, restore(run, journal)?, observer, ended)
}

/// Plays the games that are missing. The observer is told of the end also when the journal fails on the way.
fn go_on<G: Game, R: Run<G>>(
    run: &R,
    Restored { journal, games }: Restored<G::Move>,
    observer: &dyn Observer,
    ended: impl Fn(usize, &PlayedGame<G::Move>) + Sync,
) -> Result<Vec<PlayedGame<G::Move>>, R::Error> {
    observer.begin(R::TASK, run.games() as u64);
    let games = games.into_par_iter().enumerate().with_max_len(1).map(|(game, done)| {
        let played = done.map_or_else(|| play_and_save(run, game, journal.as_ref()), Ok)?;
        observer.advance(1);
        ended(game, &played);
        Ok(played)
    });
    let games = games.collect();
    observer.end();
    games
}

fn play_and_save<G: Game, R: Run<G>>(
    run: &R,
    game: usize,
    journal: Option<&Journal>,
) -> Result<PlayedGame<G::Move>, R::Error> {
    let played = run.play_one(game)?;
    journal.map_or(Ok(()), |journal| journal.append(&Entry::of(game, &played)))?;
    Ok(played)
}

/// What there is of a run before it goes on.
struct Restored<M> {
    journal: Option<Journal>,
    /// One place per game; `None` where it is still to be played.
    games: Vec<Option<PlayedGame<M>>>,
}

/// Opens the journal, if there is one, and reads the games that it holds.
fn restore<G: Game>(run: &impl Run<G>, path: Option<&Path>) -> Result<Restored<G::Move>, JournalError> {
    let mut games = vec![None; run.games()];
    let Some(path) = path else { return Ok(Restored { journal: None, games }) };
    let (journal, entries) = Journal::open::<Entry>(path, run.fingerprint())?;
    for (line, entry) in entries {
        let number = entry.game;
        let problem = |problem| JournalError::Game { path: path.to_owned(), line, game: number, problem };
        let played = entry.replay(run).map_err(problem)?;
        let place = &mut games[number - 1];
        if place.as_ref().is_some_and(|known| *known != played) {
            return Err(problem("differs from an earlier record of the same game".to_owned()));
        }
        *place = Some(played);
    }
    Ok(Restored { journal: Some(journal), games })
}

/// A game in the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// From 1.
    game: usize,
    /// All moves, separated by blanks.
    moves: String,
    comments: Vec<String>,
    /// 1, 0 or -1 for the first side.
    result: i32,
    reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
    nodes: [u64; 2],
}

impl Entry {
    /// The entry of game number `game`, from 0.
    fn of<M: ToString>(game: usize, played: &PlayedGame<M>) -> Self {
        Self {
            game: game + 1,
            moves: played.moves.iter().map(M::to_string).collect::<Vec<_>>().join(" "),
            comments: played.comments.clone(),
            result: played.outcome.value(),
            reason: played.reason.clone(),
            failure: played.failure.clone(),
            nodes: played.nodes,
        }
    }

    /// The game of `run` as it was played; else what is wrong with the entry.
    fn replay<G: Game>(self, run: &impl Run<G>) -> Result<PlayedGame<G::Move>, String> {
        if !(1..=run.games()).contains(&self.game) {
            return Err(format!("expected a game in 1 to {}", run.games()));
        }
        let mut position = run.start(self.game - 1);
        let mut moves = Vec::new();
        for (at, text) in self.moves.split_ascii_whitespace().enumerate() {
            let mv = position.parse_move(text).map_err(|error| format!("move {}: {error}", at + 1))?;
            position.play(mv);
            moves.push(mv);
        }
        if self.comments.len() != moves.len() {
            return Err(format!("expected {} comments, found {}", moves.len(), self.comments.len()));
        }
        let (outcome, Self { comments, reason, failure, nodes, .. }) = (outcome_of(self.result), self);
        Ok(PlayedGame { moves, comments, outcome, reason, failure, nodes })
    }
}

/// The outcome with `result` for the first side.
const fn outcome_of(result: i32) -> Outcome {
    match result {
        1.. => Outcome::Win(Side::First),
        0 => Outcome::Draw,
        _ => Outcome::Win(Side::Second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::xiangqi::Xiangqi;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Games without moves.
    struct Idle;

    impl Run<Xiangqi> for Idle {
        type Error = JournalError;

        const TASK: &'static str = "idling";

        fn games(&self) -> usize {
            3
        }

        fn fingerprint(&self) -> &'static str {
            "idle"
        }

        fn start(&self, _game: usize) -> Xiangqi {
            Xiangqi::start()
        }

        fn play_one(&self, _game: usize) -> Result<PlayedGame<<Xiangqi as Game>::Move>, JournalError> {
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
        let journal = Some(Journal::read_only(file.path()).unwrap());
        let error = go_on(&Idle, Restored { journal, games: vec![None; 3] }, &counter, |_, _| ()).unwrap_err();
        assert!(matches!(error, JournalError::Io { action: "write", .. }), "{error}");
        assert_eq!((counter.begun.into_inner(), counter.ended.into_inner()), (1, 1));
    }
}
