//! What searches: the memory and the evaluators that live from one `go` to the next.

use std::sync::Arc;

use super::task::{Answer, Job, Setup, Task};
use super::tree::TreeSearch;
use crate::eval::Evaluator;
use crate::game::BoardGame;
use crate::search::{AlphaBeta, Control, Iteration, SearchResult, mate_distance};

/// Does the tasks of one session, one after the other.
pub struct Searcher<G: BoardGame> {
    state: Option<State<G>>,
}

// Derived, it would ask the same of the game.
impl<G: BoardGame> Default for Searcher<G> {
    fn default() -> Self {
        Self { state: None }
    }
}

struct State<G: BoardGame> {
    setup: Setup<G>,
    memory: AlphaBeta<G>,
    evaluators: Vec<Box<dyn Evaluator<G>>>,
    tree: Option<TreeSearch<G>>,
}

impl<G: BoardGame> State<G> {
    fn of(setup: Setup<G>) -> Self {
        let memory = AlphaBeta::new(setup.search);
        let evaluators = (0..setup.threads.max(1)).map(|_| (setup.evaluator)()).collect();
        let tree = setup.network.as_ref().map(TreeSearch::new);
        Self { setup, memory, evaluators, tree }
    }

    /// Does `job`; where its turn goes on behind the line found, and all of it is wanted, by one more search.
    fn search(&mut self, mut job: Job<G>, say: &mut dyn FnMut(String)) -> SearchResult<G::Move> {
        let start = job.position.clone();
        let mut found = self.search_move(&mut job, say);
        while job.whole_turn
            && let Some(rest) = unfinished(&start, &found.pv)
        {
            job.position = rest;
            let next = self.search_move(&mut job, say);
            if next.pv.is_empty() {
                break;
            }
            found.pv.extend(next.pv);
        }
        found
    }

    /// Does `job` for one move: by simulations if there is a network for it. These know neither moves left out nor further lines, and nothing to play
    /// where the game is over by its past, as an interface may see it otherwise.
    fn search_move(&mut self, job: &mut Job<G>, say: &mut dyn FnMut(String)) -> SearchResult<G::Move> {
        let is_plain = job.excluded.is_empty() && job.lines == 1 && job.position.end_by_history().is_none();
        if let Some(tree) = self.tree.as_mut().filter(|_| is_plain) {
            return tree.search(job, say);
        }
        let Job { position, limits, mate, excluded, lines, stopper, style, .. } = job;
        let mut report = |found: Iteration<'_, G::Move>| say(style.iteration(&found));
        let mut control = Control { stopper, excluded, lines: *lines, report: &mut report };
        let mut search =
            |memory: &mut AlphaBeta<G>| memory.search_with(position, &mut self.evaluators, *limits, &mut control);
        let found = search(&mut self.memory);
        match *mate {
            // Quick, but it may have passed the win over.
            Some(plies) if !wins_within(&found, plies) && !stopper.is_spent() => self.memory.in_full(search),
            _ => found,
        }
    }

    /// Forgets what was learned.
    fn forget(&mut self) {
        self.memory.clear();
        self.tree.iter_mut().for_each(TreeSearch::forget);
    }

    /// Whether it is what `setup` makes.
    fn fits(&self, setup: &Setup<G>) -> bool {
        let same_evaluator = Arc::ptr_eq(&self.setup.evaluator, &setup.evaluator);
        self.setup.search == setup.search && self.setup.threads == setup.threads && same_evaluator
    }
}

fn wins_within<M>(found: &SearchResult<M>, plies: u32) -> bool {
    mate_distance(found.score).is_some_and(|distance| distance >= 0 && distance.unsigned_abs() <= plies)
}

/// The position after `line` if the turn that it begins with is not over there.
fn unfinished<G: BoardGame>(start: &G, line: &[G::Move]) -> Option<G> {
    let (mover, mut position) = (start.side_to_move(), start.clone());
    for &mv in line {
        position.play(mv);
        if position.side_to_move() != mover || position.end().is_some() {
            return None;
        }
    }
    (!line.is_empty()).then_some(position)
}

impl<G: BoardGame> Searcher<G> {
    /// Does `task`; `say` is given text for the client, whole lines at a time.
    pub fn perform(&mut self, task: Task<G>, say: &mut dyn FnMut(String)) -> Answer<G::Move> {
        let state = self.prepared(task.setup, task.forget);
        task.job.map_or(Answer::Ready, |job| Answer::Found(state.search(job, say)))
    }

    /// The memory and evaluators that `setup` asks for; what was learned under another setup is not kept.
    fn prepared(&mut self, setup: Setup<G>, forget: bool) -> &mut State<G> {
        if self.state.as_ref().is_some_and(|state| !state.fits(&setup)) {
            // Before the new table is made, so that there are never two.
            self.state = None;
        }
        let state = self.state.get_or_insert_with(|| State::of(setup));
        if forget {
            state.forget();
        }
        state
    }
}
