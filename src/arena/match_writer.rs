//! Writes down the moves of a game while it is played.

use std::time::{Duration, Instant};

use super::entry::{Key, Line};
use super::game::Begun;
use super::journal::Journal;
use super::players::Decision;
use crate::game::Side;

/// Writes the moves of one game to the journal of its run, if there is one.
pub(super) struct MatchWriter<'a, M> {
    journal: Option<&'a Journal>,
    key: Key,
    /// How long moves wait to be written.
    pause: Duration,
    /// What is known of the game from an interrupted run.
    pub begun: Option<Begun<M>>,
    /// How many plies come before those of `unwritten`.
    after: usize,
    /// Moves that are not in the journal yet.
    unwritten: Begun<M>,
    /// When moves were written last.
    written: Instant,
}

impl<'a, M: Clone + ToString> MatchWriter<'a, M> {
    /// A writer of the game that the `journal` calls `key` and that has `begun` so far. Moves are written once the pause beside the
    /// journal has passed since the last were.
    pub fn new(journal: Option<(&'a Journal, Duration)>, key: Key, begun: Option<Begun<M>>) -> Self {
        let (journal, pause) = journal.map_or((None, Duration::ZERO), |(journal, pause)| (Some(journal), pause));
        let unwritten = Begun::with_opening(Vec::new());
        Self { journal, key, pause, begun, after: 0, unwritten, written: Instant::now() }
    }

    /// The game begins after so many plies.
    pub fn begin(&mut self, after: usize) {
        (self.after, self.written) = (after, Instant::now());
    }

    /// Takes note of what `side` decided. A failure to write is not told: the line of the finished game, which matters more, would
    /// meet it too.
    pub fn note(&mut self, side: Side, decision: &Decision<M>) {
        let Some(journal) = self.journal else { return };
        self.unwritten.moves.push(decision.mv.clone());
        self.unwritten.comments.push(decision.comment.clone());
        self.unwritten.nodes[side.index()] += decision.nodes;
        if self.written.elapsed() >= self.pause {
            let _ = journal.append(&Line::moves(self.key.clone(), self.after, &self.unwritten));
            self.begin(self.after + self.unwritten.moves.len());
            self.unwritten = Begun::with_opening(Vec::new());
        }
    }
}
