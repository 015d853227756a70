//! The log of the games that a session plays: each is appended to a file as PGN when it is over.
//!
//! Protocols tell an engine positions and ask for moves; that a game has ended, and how, they do not say. So a game is what a
//! row of positions has in common, and its result is what the board shows, what the last search proved, or what the operator
//! says, in this order of weight: operator, board, proof. Otherwise it has none.

mod file;
mod line;

use std::io;
use std::path::{Path, PathBuf};

use self::line::joined;
use super::own_book::EMPTY;
use super::refusal::Refusal;
use crate::PROGRAM;
use crate::eval::Catalogue;
use crate::game::line::Line;
use crate::game::{End, Outcome, Side};
use crate::record::{GameRecord, result_text, to_pgn};
use crate::search::{SearchResult, mate_distance};

/// The event of logged games.
pub(super) const EVENT: &str = "roughboard engine";

/// The games of a session, as far as they are logged.
pub(super) struct GameLog<G: Catalogue> {
    /// The file; none if games are not logged.
    file: Option<PathBuf>,
    running: Option<Logged<G>>,
    /// The last position that was set up and not searched: the opponent's last move may stand only there.
    upcoming: Option<Line<G>>,
}

/// The game that is being played.
struct Logged<G: Catalogue> {
    line: Line<G>,
    /// The evaluator of the sides for which the engine moved.
    players: [Option<String>; 2],
    /// The side that searched last.
    searched: Option<Side>,
    /// The side that the last search proved to win.
    proved: Option<Side>,
}

// Derived, it would ask the same of the game.
impl<G: Catalogue> Default for GameLog<G> {
    fn default() -> Self {
        Self { file: None, running: None, upcoming: None }
    }
}

impl<G: Catalogue> GameLog<G> {
    /// The file; empty for none.
    pub fn file(&self) -> String {
        self.file.as_ref().map(|file| file.display().to_string()).unwrap_or_default()
    }

    /// Logs to `file` from now on; to none if it is empty.
    pub fn open(&mut self, file: &str) -> Result<(), Refusal> {
        let file = Some(file).filter(|file| !file.is_empty() && *file != EMPTY).map(PathBuf::from);
        file.as_deref().map_or(Ok(()), |path| file::check(path).map_err(|source| failed(path, source)))?;
        self.close()?;
        self.file = file;
        Ok(())
    }

    /// A position was set up.
    pub fn set_position(&mut self, line: &Line<G>) {
        // Where another game begins, the position before may hold the last move of this one.
        let is_another = |logged: &Logged<G>| joined(&logged.line, line).is_none();
        if self.upcoming.is_some() && self.running.as_ref().is_some_and(is_another) {
            self.take_upcoming();
        }
        self.upcoming = self.file.is_some().then(|| line.clone());
    }

    /// The position that was set up last is no part of a game: it is only thought about.
    pub(crate) fn drop_position(&mut self) {
        self.upcoming = None;
    }

    /// `line` was searched by the evaluator of this name, and this was `found`. Where every legal move was considered, a forced
    /// mate is proved.
    pub fn answered(
        &mut self,
        line: &Line<G>,
        found: &SearchResult<G::Move>,
        (considers_all, evaluator): (bool, &str),
    ) -> Result<(), Refusal> {
        if self.file.is_none() {
            return Ok(());
        }
        self.upcoming = None;
        let whole = self.running.as_ref().and_then(|logged| joined(&logged.line, line));
        let written = if whole.is_none() { self.close() } else { Ok(()) };
        let side = line.position().side_to_move();
        let mut logged = match (whole, self.running.take()) {
            (Some(line), Some(logged)) => Logged { line, ..logged },
            _ if found.best.is_none() => return written,
            _ => Logged { line: line.clone(), players: [None, None], searched: None, proved: None },
        };
        let mate = mate_distance(found.score).filter(|_| considers_all);
        (logged.searched, logged.proved) = (Some(side), mate.map(|plies| if plies > 0 { side } else { side.other() }));
        if let Some(mv) = found.best {
            logged.line.moves.push(mv);
            logged.players[side.index()] = Some(evaluator.to_owned());
        }
        let over = logged.line.position().count_legal_moves() == 0;
        self.running = Some(logged);
        if over { written.and(self.close()) } else { written }
    }

    /// The game is over, or another one begins: what was played is written.
    pub fn close(&mut self) -> Result<(), Refusal> {
        self.close_as(None)
    }

    /// The operator says how the game ended.
    pub fn result(&mut self, outcome: Outcome) -> Result<(), Refusal> {
        self.take_upcoming();
        let Some(logged) = &self.running else {
            return Err(Refusal::Missing { command: "result", missing: "no game is being logged" });
        };
        // Where the moves have run out the result is beyond doubt; the rest is for the players to agree on.
        let position = logged.line.position();
        let over = position.end().filter(|_| position.count_legal_moves() == 0).map(|end| end.outcome);
        if let Some(board) = over.filter(|board| *board != outcome) {
            return Err(Refusal::Result { told: result_text(Some(outcome)), board: result_text(Some(board)) });
        }
        self.close_as(Some(outcome))
    }

    fn close_as(&mut self, told: Option<Outcome>) -> Result<(), Refusal> {
        self.take_upcoming();
        let (Some(logged), Some(path)) = (self.running.take(), &self.file) else { return Ok(()) };
        let text = to_pgn(&logged.record(told));
        file::append(path, &text).map_err(|source| failed(path, source))
    }

    /// Lets the game go on to the position that was upcoming last, if it does.
    fn take_upcoming(&mut self) {
        let (Some(line), Some(logged)) = (self.upcoming.take(), &mut self.running) else { return };
        let Some(whole) = joined(&logged.line, &line).filter(|whole| whole.moves.len() > logged.line.moves.len())
        else {
            return;
        };
        // A win stays proved whatever the loser answers; a loss that was foreseen may have been averted since.
        let (engine, winner) = (logged.searched, logged.proved);
        logged.proved = winner.filter(|winner| Some(*winner) == engine);
        logged.line = whole;
    }
}

impl<G: Catalogue> Logged<G> {
    /// The record of the game, which ended as the operator `told`, if anybody did.
    fn record(self, told: Option<Outcome>) -> GameRecord<G> {
        let (outcome, reason) = self.ending(told);
        let mut record = GameRecord::new(self.line.start);
        record.set_tag("Event", EVENT);
        for (side, player) in [Side::First, Side::Second].into_iter().zip(self.players) {
            record.set_player(
                side,
                player.map_or_else(|| "?".to_owned(), |evaluator| format!("{PROGRAM} ({evaluator})")),
            );
        }
        record.set_tag("Termination", reason);
        self.line.moves.into_iter().for_each(|mv| record.push(mv, None));
        record.outcome = outcome;
        record
    }

    fn ending(&self, told: Option<Outcome>) -> (Option<Outcome>, &'static str) {
        let proved = self.proved.map(|winner| End { outcome: Outcome::Win(winner), reason: "forced mate" });
        match (told, self.line.position().end().or(proved)) {
            (Some(outcome), _) => (Some(outcome), "told by the operator"),
            (None, Some(end)) => (Some(end.outcome), end.reason),
            (None, None) => (None, "unfinished"),
        }
    }
}

fn failed(path: &Path, source: io::Error) -> Refusal {
    Refusal::Log { path: path.to_owned(), source }
}
