//! One strong search of one position: trees side by side on threads, each gathering batches for the evaluator.
//!
//! The trees know nothing of each other (root parallelism, as S4 cites it) and differ in the noise at their roots; in the end their visits
//! are added up. What a search finds follows from its seed and its number of trees, not from what runs when, unless a
//! clock ends it.

use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::result::{COLD, draw, most_visited, visit_policy};
use super::settings::{MctsSettings, Selection};
use super::store::Edge;
use super::{EvaluationCache, Leaf, Mcts, Proof, Selected};
use crate::eval::PolicyValue;
use crate::game::BoardGame;
use crate::random;
use crate::search::Stopper;
use crate::settings::settings;

/// The most plies by which a position may be ahead of the last one for the tree to be kept: both sides' stones of a turn of Connect6.
const MOST_AHEAD: usize = 4;

settings! {
    /// How one position is searched with all means.
    #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct SearcherSettings {
        /// How each tree goes about it.
        pub mcts: MctsSettings = MctsSettings::default();
        /// Trees, side by side on the threads there are. More make another search, not the same one faster.
        pub trees: u32 = 1, in 1..=1024;
        /// The most positions that a tree has evaluated at once: those after the first are chosen under virtual losses.
        pub batch: u32 = 8, in 1..=4096;
        /// The answers that each tree remembers.
        pub cache_entries: u32 = 1 << 14;
        /// The most legal moves of an answer that is remembered.
        pub cache_moves: u32 = 64;
        /// The temperature by which the move is drawn: S4 takes 0.1 in matches; 0 is the best move.
        pub temperature: f64 = 0.1, in 0.0..=100.0;
    }
}

impl SearcherSettings {
    /// Whether moves are drawn, so that the same position can have other ones: neither Gumbel selection nor the best move alone.
    pub fn draws_moves(&self) -> bool {
        self.mcts.selection == Selection::Puct && self.temperature >= COLD
    }
}

/// What a search came to. Values are for the side to move.
#[derive(Debug, Clone, PartialEq)]
pub struct Thought<M> {
    /// The move to play; `None` where the game is over.
    pub best: Option<M>,
    /// The value of the position, in [-1, 1].
    pub value: f64,
    /// What is proved of the position.
    pub proof: Option<Proof>,
    /// All legal moves with the visits that they got in all trees.
    pub visits: Vec<(M, u32)>,
    /// The moves that both sides expect, `best` first.
    pub line: Vec<M>,
    /// The visits of all moves, those kept from an earlier search included.
    pub simulations: u64,
    /// Simulations made in this search.
    pub made: u64,
    /// Positions that the evaluator was asked about in this search.
    pub evaluations: u64,
}

/// Searches one position after another with an evaluator, and keeps its trees from move to move.
pub struct Searcher<G: BoardGame> {
    net: Arc<dyn PolicyValue<G>>,
    settings: SearcherSettings,
    seed: u64,
    workers: Vec<Worker<G>>,
}

impl<G: BoardGame> Searcher<G> {
    /// A searcher that asks `net`. The settings are taken to be checked; all that is drawn follows from `seed`.
    pub fn new(net: Arc<dyn PolicyValue<G>>, settings: SearcherSettings, seed: u64) -> Self {
        let workers = (0..settings.trees).map(|_| Worker::new(&*net, &settings)).collect();
        Self { net, settings, seed, workers }
    }

    /// Draws from another seed from now on, and forgets what it knows of positions: a new game.
    pub fn begin_game(&mut self, seed: u64) {
        self.seed = seed;
        for worker in &mut self.workers {
            worker.search.forget();
            // An answer that is remembered takes no place in a batch, so that the search would go another way.
            worker.cache.clear();
        }
    }

    /// Searches `position` for about `simulations` shared among its trees, or until `stopper` says so, whichever is first; the position itself
    /// is looked at in any case. Trees are kept if the position follows from the last one by a few moves.
    pub fn think(&mut self, position: &G, simulations: Option<u32>, stopper: &Stopper) -> Thought<G::Move> {
        let (trees, total) = (self.settings.trees, simulations.unwrap_or(u32::MAX));
        for (number, worker) in (0u64..).zip(&mut self.workers) {
            worker.go_to(position);
            // By the ply, so that a game that is gone on with draws as if it had never stopped.
            let index = (number << 32) | position.plies() as u64;
            worker.search.stream = random::stream(self.seed, "tree search", index);
        }
        let (net, share) = (&*self.net, |number: u32| total / trees + u32::from(number < total % trees));
        // On the pool that games and networks share: threads of its own would wait for ones that wait for them.
        self.workers.par_iter_mut().enumerate().for_each(|(number, worker)| {
            worker.run(net, share(number as u32), number > 0, stopper);
        });
        self.thought()
    }

    /// What the trees found together.
    fn thought(&mut self) -> Thought<G::Move> {
        let edges = self.merged();
        let number = self.choose(&edges);
        let first = self.workers.first().into_iter();
        let moves: Vec<G::Move> = first.flat_map(|worker| worker.search.visits()).map(|(mv, _)| mv).collect();
        let proof = self.workers.iter().find_map(|worker| worker.search.proof());
        let lines = self.workers.iter().map(|worker| number.map_or_else(Vec::new, |number| worker.search.line(number)));
        Thought {
            best: number.map(|number| moves[number]),
            value: proof.map_or_else(|| self.value(), Proof::value),
            proof,
            visits: moves.iter().copied().zip(edges.iter().map(|edge| edge.visits)).collect(),
            line: lines.max_by_key(Vec::len).unwrap_or_default(),
            simulations: edges.iter().map(|edge| u64::from(edge.visits)).sum(),
            made: self.workers.iter().map(|worker| u64::from(worker.made)).sum(),
            evaluations: self.workers.iter().map(|worker| worker.evaluations).sum(),
        }
    }

    /// The edges of the root, their visits and values added up over the trees.
    fn merged(&self) -> Vec<Edge> {
        let mut roots = self.workers.iter().map(|worker| worker.search.root_edges()).filter(|edges| !edges.is_empty());
        let mut merged = roots.next().map(<[Edge]>::to_vec).unwrap_or_default();
        for edges in roots {
            for (sum, edge) in merged.iter_mut().zip(edges) {
                sum.visits += edge.visits;
                sum.total += edge.total;
                sum.proof = sum.proof.or(edge.proof);
            }
        }
        merged
    }

    /// The number of the move to play: a single tree's own choice, or by the visits of all.
    fn choose(&mut self, edges: &[Edge]) -> Option<usize> {
        let temperature = self.settings.temperature;
        match &mut self.workers[..] {
            _ if edges.is_empty() => None,
            [alone] => alone.search.choose_number(temperature),
            [first, ..] => {
                let mut weights = Vec::new();
                visit_policy(edges, temperature, &mut weights);
                Some(draw(&weights, &mut first.search.stream).unwrap_or_else(|| most_visited(edges)))
            }
            [] => None,
        }
    }

    /// The average value of the trees' roots, by their visits.
    fn value(&self) -> f64 {
        let weight = |worker: &Worker<G>| f64::from(worker.search.root_visits());
        let visits: f64 = self.workers.iter().map(weight).sum();
        let sum: f64 = self.workers.iter().map(|worker| weight(worker) * worker.search.value()).sum();
        if visits > 0.0 { sum / visits } else { 0.0 }
    }
}

/// One tree with what it needs to ask the evaluator.
struct Worker<G: BoardGame> {
    search: Mcts<G>,
    cache: EvaluationCache,
    leaves: Vec<Leaf>,
    /// One after another, as many as a batch has at most.
    rows: Vec<f32>,
    logits: Vec<f32>,
    values: Vec<f32>,
    row_len: usize,
    n_logits: usize,
    /// Simulations made in the last search.
    made: u32,
    /// Positions that the evaluator was asked about in it.
    evaluations: u64,
}

impl<G: BoardGame> Worker<G> {
    fn new(net: &dyn PolicyValue<G>, settings: &SearcherSettings) -> Self {
        let (batch, row_len, n_logits) = (settings.batch as usize, net.row_len(), net.n_logits());
        Self {
            search: Mcts::new(G::start(), settings.mcts, random::stream(0, "tree search", 0)),
            cache: EvaluationCache::new(settings.cache_entries as usize, settings.cache_moves as usize),
            leaves: Vec::with_capacity(batch),
            rows: vec![0.0; batch * row_len],
            logits: vec![0.0; batch * n_logits],
            values: vec![0.0; batch],
            row_len,
            n_logits,
            made: 0,
            evaluations: 0,
        }
    }

    /// Makes `position` the root, with what the tree knows of it.
    fn go_to(&mut self, position: &G) {
        match moves_between(self.search.position(), position) {
            Some(moves) => moves.into_iter().for_each(|mv| self.search.advance(mv)),
            None => self.search.set_position(position.clone()),
        }
    }

    fn run(&mut self, net: &dyn PolicyValue<G>, simulations: u32, noise: bool, stopper: &Stopper) {
        self.evaluations = 0;
        self.search.begin(simulations, noise);
        let kept = self.search.finished();
        while self.gather(net) {
            self.ask(net);
            if stopper.is_spent() {
                break;
            }
        }
        self.made = self.search.finished() - kept;
    }

    /// Fills the next batch, as far as that goes without answers, and says whether the search goes on.
    fn gather(&mut self, net: &dyn PolicyValue<G>) -> bool {
        self.leaves.clear();
        for row in self.rows.chunks_mut(self.row_len) {
            match self.search.select(net, &self.cache, row) {
                Selected::Leaf(leaf) => self.leaves.push(leaf),
                Selected::Paused => return true,
                Selected::Pending | Selected::Done => break,
            }
        }
        !self.leaves.is_empty()
    }

    /// Asks the evaluator about the batch.
    fn ask(&mut self, net: &dyn PolicyValue<G>) {
        let n = self.leaves.len();
        if n == 0 {
            return;
        }
        let (rows, logits) = (&self.rows[..n * self.row_len], &mut self.logits[..n * self.n_logits]);
        net.evaluate(rows, logits, &mut self.values[..n]);
        self.evaluations += n as u64;
        for ((&leaf, logits), &value) in self.leaves.iter().zip(logits.chunks(self.n_logits)).zip(&self.values) {
            if let Some(answer) = self.search.answer(leaf, net, logits, value) {
                self.cache.insert(leaf.key, answer);
            }
        }
    }
}

/// The moves, [`MOST_AHEAD`] at most, by which `new` follows from `old`: the same game with the same past.
fn moves_between<G: BoardGame>(old: &G, new: &G) -> Option<Vec<G::Move>> {
    let ahead = new.plies().checked_sub(old.plies()).filter(|&ahead| ahead <= MOST_AHEAD)?;
    let mut back = new.clone();
    let keys: Vec<u64> = std::iter::repeat_with(|| {
        let key = back.key();
        back.undo();
        key
    })
    .take(ahead)
    .collect();
    if !is_same_game(back, old.clone()) {
        return None;
    }
    let mut position = old.clone();
    keys.into_iter().rev().map(|key| play_to(&mut position, key)).collect()
}

/// Makes the move that leads to the position with this key, if there is one.
fn play_to<G: BoardGame>(position: &mut G, key: u64) -> Option<G::Move> {
    let moves = position.moves();
    moves.into_iter().find(|&mv| {
        position.play(mv);
        let found = position.key() == key;
        if !found {
            position.undo();
        }
        found
    })
}

/// Whether two games with the same number of plies went through the same positions from the same beginning.
fn is_same_game<G: BoardGame>(mut a: G, mut b: G) -> bool {
    while a.plies() > 0 && a.key() == b.key() {
        a.undo();
        b.undo();
    }
    a.plies() == 0 && a.notation() == b.notation()
}
