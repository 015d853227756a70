//! What searches: the memory and the evaluators that live from one `go` to the next.

use std::sync::Arc;

use super::info::Style;
use crate::eval::Evaluator;
use crate::eval::xiangqi::Factory;
use crate::games::xiangqi::{Move, Xiangqi};
use crate::search::{AlphaBeta, Control, Limits, SearchResult, SearchSettings, Stopper};

/// What a search is made of.
#[derive(Clone)]
pub(super) struct Setup {
    pub search: SearchSettings,
    pub threads: usize,
    pub evaluator: Arc<Factory>,
}

/// One search that a session asks for.
pub(super) struct Job {
    pub position: Xiangqi,
    pub limits: Limits,
    /// Moves at the root that are not considered; at least one is left.
    pub excluded: Vec<Move>,
    /// How many best lines to find.
    pub lines: usize,
    pub stopper: Arc<Stopper>,
    pub style: Style,
}

/// Work that a [`Session`](super::Session) wants done, by a [`Searcher`].
pub struct Task {
    pub(super) setup: Setup,
    /// Whether everything that was learned is forgotten first.
    pub(super) forget: bool,
    /// What to search; nothing if it is enough to be ready.
    pub(super) job: Option<Job>,
}

/// What came of a [`Task`].
#[derive(Debug)]
pub enum Answer {
    /// Everything is ready for a search.
    Ready,
    /// The search has ended.
    Found(SearchResult<Move>),
}

/// Does the tasks of one session, one after the other.
#[derive(Default)]
pub struct Searcher {
    state: Option<State>,
}

struct State {
    setup: Setup,
    memory: AlphaBeta<Xiangqi>,
    evaluators: Vec<Box<dyn Evaluator<Xiangqi>>>,
}

impl State {
    fn of(setup: Setup) -> Self {
        let memory = AlphaBeta::new(setup.search);
        let evaluators = (0..setup.threads.max(1)).map(|_| (setup.evaluator)()).collect();
        Self { setup, memory, evaluators }
    }

    /// Whether it is what `setup` makes.
    fn fits(&self, setup: &Setup) -> bool {
        let same_evaluator = Arc::ptr_eq(&self.setup.evaluator, &setup.evaluator);
        self.setup.search == setup.search && self.setup.threads == setup.threads && same_evaluator
    }
}

impl Searcher {
    /// Does `task`; `say` is given text for the client, whole lines at a time.
    pub fn perform(&mut self, task: Task, say: &mut dyn FnMut(String)) -> Answer {
        let state = self.prepared(task.setup, task.forget);
        let Some(job) = task.job else { return Answer::Ready };
        let Job { mut position, limits, excluded, lines, stopper, style } = job;
        let mut report = |found: crate::search::Iteration<'_, Move>| say(style.iteration(&found));
        let mut control = Control { stopper: &stopper, excluded: &excluded, lines, report: &mut report };
        Answer::Found(state.memory.search_with(&mut position, &mut state.evaluators, limits, &mut control))
    }

    /// The memory and evaluators that `setup` asks for; what was learned under another setup is not kept.
    fn prepared(&mut self, setup: Setup, forget: bool) -> &mut State {
        if self.state.as_ref().is_some_and(|state| !state.fits(&setup)) {
            // Before the new table is made, so that there are never two.
            self.state = None;
        }
        let state = self.state.get_or_insert_with(|| State::of(setup));
        if forget {
            state.memory.clear();
        }
        state
    }
}
