//! What a session asks of its searcher, and what comes of it.

use std::sync::Arc;

use super::info::Style;
use crate::eval::{Factory, PolicyValue};
use crate::game::BoardGame;
use crate::search::{Limits, SearchResult, SearchSettings, Stopper};

/// What a search is made of.
#[derive(Clone)]
pub(super) struct Setup<G: BoardGame> {
    pub search: SearchSettings,
    pub threads: usize,
    pub evaluator: Arc<Factory<G>>,
    /// What searches by simulations, where the evaluator can say which moves are promising.
    pub network: Option<Arc<dyn PolicyValue<G>>>,
}

/// One search that a session asks for.
pub(super) struct Job<G: BoardGame> {
    pub position: G,
    pub limits: Limits,
    /// Within how many plies a win is asked for, if nothing but one is.
    pub mate: Option<u32>,
    /// Moves at the root that are not considered; at least one is left.
    pub excluded: Vec<G::Move>,
    /// How many best lines to find.
    pub lines: usize,
    /// Whether all moves of the turn are wanted, as the beginning of the line found, and not its first alone.
    pub whole_turn: bool,
    pub stopper: Arc<Stopper>,
    pub style: Style,
}

/// Work that a [`Session`](super::Session) wants done, by a [`Searcher`](super::Searcher).
pub struct Task<G: BoardGame> {
    pub(super) setup: Setup<G>,
    /// Whether everything that was learned is forgotten first.
    pub(super) forget: bool,
    /// What to search; nothing if it is enough to be ready.
    pub(super) job: Option<Job<G>>,
}

/// What came of a [`Task`].
#[derive(Debug)]
pub enum Answer<M> {
    /// Everything is ready for a search.
    Ready,
    /// The search has ended.
    Found(SearchResult<M>),
}
