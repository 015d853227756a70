//! Monte Carlo tree search as the engine's search, with networks that say which moves are promising.

use std::sync::Arc;
use std::time::Instant;

use super::searcher::Job;
use crate::eval::{PolicyValue, score_of_value};
use crate::game::Game;
use crate::search::mcts::single::{Searcher, SearcherSettings, Thought};
use crate::search::{Bound, Iteration, SearchResult};

/// Simulations before the first report; each further one comes after twice as many.
const FIRST_REPORT: u32 = 64;

/// The trees of one session, which are kept from move to move.
pub(super) struct TreeSearch<G: Game>(Searcher<G>);

impl<G: Game> TreeSearch<G> {
    /// A search that asks `network` and plays the move with most visits.
    pub fn new(network: &Arc<dyn PolicyValue<G>>) -> Self {
        let settings = SearcherSettings { temperature: 0.0, ..SearcherSettings::default() };
        Self(Searcher::new(Arc::clone(network), settings, 0))
    }

    /// Forgets what it knows of positions.
    pub fn forget(&mut self) {
        self.0.begin_game(0);
    }

    /// Searches until it is stopped, the simulations (`nodes`) are made, the expected line is as long as the depth asked for, or nothing
    /// is left to find out.
    pub fn search(&mut self, job: &Job<G>, say: &mut dyn FnMut(String)) -> SearchResult<G::Move> {
        let begun = Instant::now();
        let most = job.limits.nodes().map_or(u32::MAX, |nodes| nodes.try_into().unwrap_or(u32::MAX));
        let mut asked = FIRST_REPORT.min(most);
        loop {
            let thought = self.0.think(&job.position, Some(asked), &job.stopper);
            let (is_stuck, found) = (thought.simulations < u64::from(asked), result_of(thought));
            say(job.style.iteration(&report(&found, begun)));
            if is_stuck || asked == most || found.depth >= job.limits.depth() || job.stopper.is_spent() {
                return found;
            }
            asked = asked.saturating_mul(2).min(most);
        }
    }
}

/// What was thought, in the terms of every search.
fn result_of<M>(thought: Thought<M>) -> SearchResult<M> {
    let Thought { best, value, line, simulations, .. } = thought;
    let depth = line.len() as u32;
    SearchResult { best, score: score_of_value(value), depth, nodes: simulations, null_windows: 0, pv: line }
}

fn report<M>(found: &SearchResult<M>, begun: Instant) -> Iteration<'_, M> {
    Iteration {
        depth: found.depth,
        seldepth: found.depth,
        line: 1,
        score: found.score,
        bound: Bound::Exact,
        nodes: found.nodes,
        null_windows: 0,
        elapsed: begun.elapsed(),
        hashfull: 0,
        pv: &found.pv,
    }
}
