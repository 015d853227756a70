//! The engine that plays: alpha-beta by iterative deepening.

use std::time::Instant;

use super::control::{Control, Iteration, Stopper};
use super::settings::{Limits, SearchSettings};
use super::transposition::Bound;
use super::tree::{Memory, Place, Tree};
use super::turn::Window;
use super::{SearchResult, mate_distance, score_without_moves};
use crate::eval::{Evaluator, Score};
use crate::game::Game;

/// A searcher and its memory: table, killers and history, kept from one move of a game to the next.
///
/// The same calls in the same order give the same results: no clock and no chance is involved. Of root moves of equal value
/// the one that was tried first is taken.
///
/// Among positions that the path could have repeated, a table can bring in a value found on another path; values that rest on
/// an end by history are therefore never stored.
#[derive(Debug, Clone)]
pub struct AlphaBeta<G: Game> {
    settings: SearchSettings,
    memory: Memory<G>,
}

impl<G: Game> AlphaBeta<G> {
    /// A searcher that knows nothing yet.
    #[must_use]
    pub fn new(settings: SearchSettings) -> Self {
        Self { settings, memory: Memory::new(settings) }
    }

    /// The settings that it was made with.
    #[must_use]
    pub const fn settings(&self) -> &SearchSettings {
        &self.settings
    }

    /// Forgets all earlier searches, for a new game.
    pub fn clear(&mut self) {
        self.memory.clear();
    }

    /// Searches `position` depth by depth until a limit is reached or the outcome is forced within the depth.
    ///
    /// An iteration that the node limit breaks off counts for nothing. `position` is as before when this returns.
    pub fn search(
        &mut self,
        position: &mut G,
        evaluator: &mut dyn Evaluator<G>,
        limits: Limits,
    ) -> SearchResult<G::Move> {
        let (stopper, report) = (Stopper::new(), &mut |_: Iteration<'_, G::Move>| ());
        self.deepen(position, evaluator, limits, &mut Control { stopper: &stopper, excluded: &[], lines: 1, report })
    }

    /// As [`AlphaBeta::search`], steered by `control`, on as many threads as there are `evaluators` (at least one). On
    /// several threads the result depends on chance.
    pub fn search_with(
        &mut self,
        position: &mut G,
        evaluators: &mut [Box<dyn Evaluator<G>>],
        limits: Limits,
        control: &mut Control<'_, G::Move>,
    ) -> SearchResult<G::Move> {
        self.deepen(position, &mut *evaluators[0], limits, control)
    }

    fn deepen(
        &mut self,
        position: &mut G,
        evaluator: &mut dyn Evaluator<G>,
        limits: Limits,
        control: &mut Control<'_, G::Move>,
    ) -> SearchResult<G::Move> {
        let started = Instant::now();
        let mut result = SearchResult { best: None, score: 0, depth: 0, nodes: 0, pv: Vec::new() };
        let mut tree = self.tree(position, evaluator, limits.depth());
        tree.excluded = control.excluded.to_vec();
        for depth in 1..=limits.depth() {
            if depth > 1 {
                tree.node_limit = limits.nodes().unwrap_or(u64::MAX);
                tree.stopper = Some(control.stopper);
                if control.stopper.is_spent() {
                    break;
                }
            }
            let Some(score) = tree.value(Place::root(depth), Window::FULL) else { break };
            result = SearchResult { score, depth, ..result };
            result.pv = tree.principal_variation(depth);
            let (nodes, elapsed, pv) = (tree.nodes, started.elapsed(), &result.pv[..]);
            let (seldepth, bound) = (depth, Bound::Exact);
            (control.report)(Iteration { depth, seldepth, line: 1, score, bound, nodes, elapsed, hashfull: 0, pv });
            if result.pv.is_empty() || is_settled(score, depth) {
                break;
            }
        }
        result.nodes = tree.nodes;
        result.best = result.pv.first().copied();
        if result.best.is_none() {
            (result.score, result.depth) = (score_without_moves(position, 0), 0);
        }
        result
    }

    /// The exact value of every legal move for the side to move, `depth` plies deep with the move itself counted (at least
    /// one), in the order of generation.
    pub fn rate_moves(
        &mut self,
        position: &mut G,
        evaluator: &mut dyn Evaluator<G>,
        depth: u32,
    ) -> Vec<(G::Move, Score)> {
        let depth = depth.max(1);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut tree = self.tree(position, evaluator, depth);
        let below = Place { depth: depth - 1, ply: 1 };
        moves
            .into_iter()
            .filter_map(|mv| Some((mv, tree.child(mv, Window::FULL, |tree, window| tree.value(below, window))?)))
            .collect()
    }

    fn tree<'a>(&'a mut self, position: &'a mut G, evaluator: &'a mut dyn Evaluator<G>, depth: u32) -> Tree<'a, G> {
        self.memory.prepare(depth);
        let (settings, memory) = (self.settings, &mut self.memory);
        Tree {
            position,
            evaluator,
            settings,
            memory,
            nodes: 0,
            node_limit: u64::MAX,
            history_ends: 0,
            excluded: Vec::new(),
            stopper: None,
        }
    }
}

/// Whether searching deeper than `depth` cannot change `score`: a forced end within the part of the tree that was searched
/// in full.
const fn is_settled(score: Score, depth: u32) -> bool {
    match mate_distance(score) {
        Some(plies) => plies.unsigned_abs() <= depth,
        None => false,
    }
}

impl<G: Game> Tree<'_, G> {
    /// The line found at the root, carried on from the table where a stored exact value cut it short of `depth`.
    fn principal_variation(&mut self, depth: u32) -> Vec<G::Move> {
        let mut line = self.memory.variations.root().to_vec();
        for &mv in &line {
            self.position.play(mv);
        }
        while !line.is_empty() && line.len() < depth as usize {
            let Some(mv) = self.stored_exact_move() else { break };
            self.position.play(mv);
            line.push(mv);
        }
        for _ in &line {
            self.position.undo();
        }
        line
    }

    /// The best move of the current position if the table has an exact value of it and the game goes on here.
    fn stored_exact_move(&self) -> Option<G::Move> {
        let entry = self.memory.table.as_ref()?.get(self.position.key())?;
        if entry.bound != Bound::Exact || self.position.end_by_history().is_some() {
            return None;
        }
        let mut legal = Vec::new();
        self.position.legal_moves(&mut legal);
        legal.contains(&entry.best).then_some(entry.best)
    }
}
