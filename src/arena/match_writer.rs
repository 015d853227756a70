//! Writes down the moves of a game while it is played.

use std::cell::RefCell;
use std::time::Instant;

use super::entry::Begun;
use super::game::{Decision, Failure, Mover};
use super::openings::Opening;
use super::saved::Desk;
use crate::engine::Clock;
use crate::game::Game;

/// Who writes down the moves of one game.
pub(super) struct Scribe<'a, M> {
    desk: Desk<'a, M>,
    unwritten: RefCell<Unwritten<M>>,
}

/// Moves that are not in the journal yet.
struct Unwritten<M> {
    /// How many plies come before them.
    after: usize,
    news: Begun<M>,
    written: Instant,
}

impl<'a, M: Copy + ToString> Scribe<'a, M> {
    /// A scribe at a `desk`, of a game of which so many plies are known.
    pub fn new(desk: Desk<'a, M>, known: usize) -> Self {
        let unwritten = Unwritten { after: known, news: Begun::with_opening(Vec::new()), written: Instant::now() };
        Self { desk, unwritten: RefCell::new(unwritten) }
    }

    /// `mover`, whose moves are written down.
    pub const fn watching<P>(&self, mover: P) -> Watched<'_, 'a, P, M> {
        Watched { mover, scribe: self }
    }

    fn note(&self, side: usize, decision: &Decision<M>) {
        let mut unwritten = self.unwritten.borrow_mut();
        unwritten.news.moves.push(decision.mv);
        unwritten.news.comments.push(decision.comment.clone());
        unwritten.news.nodes[side] += decision.nodes;
        if unwritten.written.elapsed() < self.desk.pause {
            return;
        }
        self.desk.write(unwritten.after, &unwritten.news);
        let after = unwritten.after + unwritten.news.moves.len();
        *unwritten = Unwritten { after, news: Begun::with_opening(Vec::new()), written: Instant::now() };
    }
}

/// A mover whose moves are written down.
pub(super) struct Watched<'s, 'a, P, M> {
    mover: P,
    scribe: &'s Scribe<'a, M>,
}

impl<G: Game, P: Mover<G>> Mover<G> for Watched<'_, '_, P, G::Move> {
    fn decide(
        &mut self,
        position: &mut G,
        line: &Opening<G>,
        clocks: Option<[Clock; 2]>,
    ) -> Result<Option<Decision<G::Move>>, Failure> {
        let side = position.side_to_move().index();
        let decision = self.mover.decide(position, line, clocks)?;
        if let Some(decision) = &decision {
            self.scribe.note(side, decision);
        }
        Ok(decision)
    }
}
