//! Monte Carlo tree search as the engine's search, with networks that say which moves are promising.

use std::sync::Arc;
use std::time::Instant;

use super::task::Job;
use crate::eval::{PolicyValue, Score, score_of_value};
use crate::game::BoardGame;
use crate::search::mcts::single::{Searcher, SearcherSettings, Thought};
use crate::search::mcts::{MctsSettings, Proof};
use crate::search::{Iteration, SearchResult, WIN};

/// Simulations before the first report; each further one comes after twice as many.
const FIRST_REPORT: u32 = 64;

/// The most nodes of a tree: some 200 MB in a game of 1296 moves.
const MOST_NODES: u32 = 1 << 18;

/// The trees of one session, which are kept from move to move.
pub(super) struct TreeSearch<G: BoardGame>(Searcher<G>);

impl<G: BoardGame> TreeSearch<G> {
    /// A search that asks `network` and plays the move with most visits.
    pub fn new(network: &Arc<dyn PolicyValue<G>>) -> Self {
        let mcts = MctsSettings { max_nodes: MOST_NODES, ..MctsSettings::default() };
        let settings = SearcherSettings { mcts, temperature: 0.0, ..SearcherSettings::default() };
        Self(Searcher::new(Arc::clone(network), settings, 0))
    }

    /// Forgets what it knows of positions.
    pub fn forget(&mut self) {
        self.0.begin_game(0);
    }

    /// Searches until it is stopped, the simulations (`nodes`) are made, those of the tree that was kept included, the expected line is as
    /// long as the depth asked for, nothing is left to find out, or the tree is full.
    pub fn search(&mut self, job: &Job<G>, say: &mut dyn FnMut(String)) -> SearchResult<G::Move> {
        let begun = Instant::now();
        let most = job.limits.nodes().map_or(u32::MAX, |nodes| nodes.try_into().unwrap_or(u32::MAX));
        let (mut asked, mut made) = (FIRST_REPORT.min(most), 0);
        loop {
            let thought = self.0.think(&job.position, Some(asked), &job.stopper);
            made += thought.made;
            let (reached, is_new) = (u32::try_from(thought.simulations).unwrap_or(u32::MAX), thought.made > 0);
            let found = result_of(thought, made);
            let is_over = reached < asked || asked == most || job.stopper.is_spent();
            let is_deep = is_new && found.depth >= job.limits.depth();
            if is_new || is_over {
                say(job.style.iteration(&report(&found, begun)));
            }
            if is_over || is_deep {
                return found;
            }
            // A tree that was kept may be beyond the first reports.
            asked = if is_new { asked.saturating_mul(2) } else { reached.saturating_add(FIRST_REPORT) }.min(most);
        }
    }
}

/// What was thought, in the terms of every search; a proof counts as an end as far away as the expected line is long.
fn result_of<M>(thought: Thought<M>, nodes: u64) -> SearchResult<M> {
    let Thought { best, value, proof, line, .. } = thought;
    let (depth, distance) = (line.len() as u32, line.len().max(1) as Score);
    let score = match proof {
        Some(Proof::Win) => WIN - distance,
        Some(Proof::Loss) => distance - WIN,
        Some(Proof::Draw) | None => score_of_value(value),
    };
    SearchResult { best, score, depth, nodes, null_windows: 0, pv: line }
}

fn report<M>(found: &SearchResult<M>, begun: Instant) -> Iteration<'_, M> {
    Iteration {
        depth: found.depth,
        seldepth: found.depth,
        line: 1,
        score: found.score,
        nodes: found.nodes,
        null_windows: 0,
        elapsed: begun.elapsed(),
        hashfull: 0,
        pv: &found.pv,
    }
}
