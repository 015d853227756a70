//! Monte Carlo tree search led by an evaluator of moves and positions: PUCT as in S4 and AlphaZero, or Gumbel selection.
//!
//! [`Mcts`] is one tree that never calls the evaluator itself: it hands out positions as rows ([`Mcts::select`]) and takes answers
//! ([`Mcts::answer`]), so that a driver can gather the rows of many trees into one batch. [`single::Searcher`] is such a driver for one position.
//! `docs/mcts.md` has the equations.
//!
//! Values are for the **side to move** of the position they belong to, and whose turn it is is asked of the position.

mod cache;
mod choice;
mod draws;
mod gumbel;
mod result;
mod settings;
pub mod single;
mod store;

pub use cache::{Answer, EvaluationCache, NewAnswers};
pub(crate) use draws::dirichlet;
pub use settings::{FirstPlay, MAX_NODES, MctsSettings, Selection};
pub use store::Proof;

use crate::eval::{PolicyValue, View};
use crate::game::{Outcome, SearchHints};
use crate::net::math::softmax;
use crate::random::Stream;
use gumbel::Halving;
use store::{Edge, NONE, ROOT, State, Store};

/// A position that waits for an answer, which [`Mcts::answer`] takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    node: u32,
    /// Of the tree, when it was handed out: later trees do not know it.
    epoch: u32,
    /// How its row was written.
    pub view: View,
    /// The key of its row, by which its answer can be remembered.
    pub key: u64,
}

/// Simulations without the evaluator after which [`Mcts::select`] returns.
const UNASKED: usize = 4096;

/// How far [`Mcts::select`] came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selected {
    /// The row was written and waits for its answer.
    Leaf(Leaf),
    /// Nothing more can be done before answers come.
    Pending,
    /// Many simulations in a row have needed no evaluator: it is time to look at the clock, and to call again.
    Paused,
    /// The search is over.
    Done,
}

/// What one simulation came to.
enum Step {
    BackedUp,
    Waits(Leaf),
    /// It met a position that waits already.
    Collided,
}

/// What one search does at the root.
#[derive(Debug, Clone, Default)]
struct Search {
    /// Simulations to finish.
    target: u32,
    /// Simulations finished; those that an earlier search left in the tree count, but not for Gumbel selection.
    finished: u32,
    /// Simulations that wait for an answer.
    waiting: u32,
    /// Whether the root is explored at random.
    noise: bool,
    /// Whether what follows was drawn: it needs the root's moves.
    ready: bool,
    /// The priors of the root with the noise in them.
    priors: Vec<f32>,
    halving: Halving,
}

/// One tree search of one position, and of those that follow from it.
///
/// ```
/// use roughboard::eval::{PolicyValue, UniformPolicy};
/// use roughboard::eval::connect6::StaticEvaluator;
/// use roughboard::game::Game;
/// use roughboard::games::connect6::Connect6;
/// use roughboard::random;
/// use roughboard::search::mcts::{EvaluationCache, Mcts, MctsSettings, Selected};
///
/// let net = UniformPolicy::<Connect6>::new(Box::new(|| Box::new(StaticEvaluator::default())));
/// let cache = EvaluationCache::new(0, 0);
/// let mut search = Mcts::new(Connect6::start(), MctsSettings::default(), random::stream(1, "example", 0));
/// let (mut row, mut logits, mut value) = (vec![0.0; net.row_len()], vec![0.0; net.n_logits()], [0.0]);
/// search.begin(20, false);
/// while let Selected::Leaf(leaf) = search.select(&net, &cache, &mut row) {
///     net.evaluate(&row, &mut logits, &mut value);
///     search.answer(leaf, &net, &logits, value[0]);
/// }
/// assert_eq!(search.visits().map(|(_, visits)| visits).sum::<u32>(), 20);
/// ```
#[derive(Debug, Clone)]
pub struct Mcts<G: SearchHints> {
    position: G,
    settings: MctsSettings,
    stream: Stream,
    store: Store<G::Move>,
    /// Where a subtree is copied to.
    spare: Store<G::Move>,
    epoch: u32,
    search: Search,
    /// Whether the tree would need more nodes than it may have.
    full: bool,
    cache_hits: u64,
    /// Buffers.
    scratch: Vec<f64>,
    priors: Vec<f32>,
}

impl<G: SearchHints> Mcts<G> {
    /// A search of `position` whose noise and choices draw from `stream`. The settings are taken to be checked.
    pub fn new(position: G, settings: MctsSettings, stream: Stream) -> Self {
        Self {
            position,
            settings,
            stream,
            store: Store::new(),
            spare: Store::new(),
            epoch: 0,
            search: Search::default(),
            full: false,
            cache_hits: 0,
            scratch: Vec::new(),
            priors: Vec::new(),
        }
    }

    /// The position at the root.
    pub const fn position(&self) -> &G {
        &self.position
    }

    /// The settings.
    pub const fn settings(&self) -> &MctsSettings {
        &self.settings
    }

    /// The stream that noise and choices draw from, as it is now.
    pub const fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Begins a search of `simulations`, with noise at the root or without. A simulation tries a move of the root; looking at the
    /// root itself is none.
    ///
    /// Under PUCT the simulations that an earlier search left in the tree count towards them; under Gumbel selection they do not,
    /// as its schedule needs them all. Leaves that wait for an answer are dropped.
    pub fn begin(&mut self, simulations: u32, noise: bool) {
        self.drop_waiting();
        let kept = self.root_edges().iter().map(|edge| edge.visits).sum();
        let search = &mut self.search;
        search.finished = if self.settings.selection == Selection::Gumbel { 0 } else { kept };
        (search.target, search.noise, search.ready) = (simulations, noise, false);
        self.prepare();
    }

    /// Has what the next call of [`Mcts::select`] begins with brought near; other trees may be worked on meanwhile.
    pub fn expect_selection(&self) {
        self.store.expect_root();
    }

    /// Has what [`Mcts::answer`] begins with brought near.
    pub fn expect_answer(&self, leaf: Leaf) {
        if leaf.epoch == self.epoch {
            self.store.expect_path(leaf.node);
        }
    }

    /// Makes simulations until one needs the evaluator, which is then written into `row`, [`PolicyValue::row_len`] numbers; those that end
    /// in an end of the game, or in an answer that `cache` remembers, are finished on the way.
    ///
    /// It may be called again before the answer comes: the virtual loss then leads elsewhere, if anywhere.
    pub fn select(&mut self, net: &dyn PolicyValue<G>, cache: &EvaluationCache, row: &mut [f32]) -> Selected {
        for _ in 0..UNASKED {
            let next = if self.is_over() { None } else { self.descend() };
            let Some((at, depth)) = next else {
                return if self.search.waiting > 0 { Selected::Pending } else { Selected::Done };
            };
            let step = self.arrive(at, depth, net, cache, row);
            (0..depth).for_each(|_| self.position.undo());
            match step {
                Step::BackedUp => {}
                Step::Waits(leaf) => return Selected::Leaf(leaf),
                Step::Collided => return Selected::Pending,
            }
        }
        Selected::Paused
    }

    /// Takes the evaluator's answer for `leaf`: the logits of its row, [`PolicyValue::n_logits`] numbers, and the value for its
    /// side to move. What it came to may be remembered by the leaf's key; the answer for a leaf of a tree that was dropped since is
    /// ignored, and comes to nothing.
    pub fn answer(&mut self, leaf: Leaf, net: &dyn PolicyValue<G>, logits: &[f32], value: f32) -> Option<Answer<'_>> {
        if !self.waits(leaf) {
            return None;
        }
        self.search.waiting -= 1;
        self.store.mark(leaf.node, false);
        let mut priors = std::mem::take(&mut self.priors);
        priors.clear();
        priors.extend(self.store.moves_of(leaf.node).iter().map(|&mv| logits[net.logit_of(leaf.view, mv)]));
        softmax(&mut priors);
        self.open(leaf.node, value, &priors);
        self.priors = priors;
        Some(Answer { value, priors: &self.priors })
    }

    /// Makes the legal move `mv`, and keeps what the tree knows of the position behind it. Leaves that wait for an answer are dropped.
    pub fn advance(&mut self, mv: G::Move) {
        let child = self.child(ROOT, mv).filter(|&child| self.store.node(child).state == State::Open);
        self.position.play(mv);
        match child {
            Some(child) => self.keep(child),
            None => self.forget(),
        }
    }

    /// Drops the tree and keeps the position, whose next search draws from `stream`.
    pub fn restart(&mut self, stream: Stream) {
        self.forget();
        self.stream = stream;
    }

    /// Drops the tree and keeps the position.
    pub fn forget(&mut self) {
        self.store.clear();
        self.end_epoch();
    }

    /// Drops the tree and goes to another position.
    pub fn set_position(&mut self, position: G) {
        self.position = position;
        self.forget();
    }

    /// The nodes of the tree.
    pub const fn n_nodes(&self) -> usize {
        self.store.nodes.len()
    }

    /// Whether the search ended because the tree had no room for another node.
    pub const fn is_full(&self) -> bool {
        self.full
    }

    /// Simulations of the running search that are finished.
    pub const fn finished(&self) -> u32 {
        self.search.finished
    }

    /// Leaves that wait for an answer.
    pub const fn waiting(&self) -> u32 {
        self.search.waiting
    }

    /// Answers found in the cache so far, by all searches of this tree.
    pub const fn cache_hits(&self) -> u64 {
        self.cache_hits
    }

    /// Whether no further simulation is begun.
    fn is_over(&self) -> bool {
        let Search { target, finished, waiting, .. } = self.search;
        let solved = self.store.nodes.first().is_some_and(|root| root.proof.is_some());
        let looked_at = self.store.nodes.first().is_some_and(|root| root.state == State::Open);
        solved || self.full || (looked_at && finished + waiting >= target)
    }

    fn waits(&self, leaf: Leaf) -> bool {
        leaf.epoch == self.epoch && self.store.node(leaf.node).state == State::Waiting
    }

    fn end_epoch(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
        self.full = false;
        (self.search.waiting, self.search.ready) = (0, false);
    }

    /// Makes the subtree below `root` the tree.
    fn keep(&mut self, root: u32) {
        self.spare.copy_subtree(&self.store, root);
        std::mem::swap(&mut self.store, &mut self.spare);
        self.end_epoch();
    }

    fn drop_waiting(&mut self) {
        let open = self.store.nodes.first().is_some_and(|root| root.state == State::Open);
        match (open, self.search.waiting) {
            (true, 0) => {}
            (true, _) => self.keep(ROOT),
            (false, _) => self.forget(),
        }
    }

    fn root_edges(&self) -> &[Edge] {
        if self.store.nodes.is_empty() { &[] } else { self.store.edges_of(ROOT) }
    }

    fn child(&self, at: u32, mv: G::Move) -> Option<u32> {
        self.store.nodes.get(at as usize)?;
        let number = self.store.moves_of(at).iter().position(|&other| other == mv)?;
        Some(self.store.edges_of(at)[number].child).filter(|&child| child != NONE)
    }

    /// Plays from the root to a node that is not [`State::Open`] or is proved, new where the tree ends, and says how deep it is. `None` if
    /// the tree has no room for it.
    fn descend(&mut self) -> Option<(u32, usize)> {
        if self.store.nodes.is_empty() {
            self.store.add(NONE, NONE, self.position.side_to_move());
        }
        let (mut at, mut depth) = (ROOT, 0);
        loop {
            let node = self.store.node(at);
            if node.state != State::Open || node.proof.is_some() {
                return Some((at, depth));
            }
            self.store.expect_moves(node.first);
            let edge = node.edges().start + self.choose_edge(at);
            if self.store.edges[edge].child == NONE && self.store.nodes.len() >= self.settings.max_nodes as usize {
                self.full = true;
                (0..depth).for_each(|_| self.position.undo());
                return None;
            }
            self.store.expect_node(self.store.edges[edge].child);
            self.position.play(self.store.moves[edge]);
            depth += 1;
            at = match self.store.edges[edge].child {
                NONE => self.store.add(at, edge as u32, self.position.side_to_move()),
                child => child,
            };
        }
    }

    /// The number of the edge that a simulation tries at node `at`.
    fn choose_edge(&mut self, at: u32) -> usize {
        let (settings, search) = (&self.settings, &self.search);
        let (node, edges) = (self.store.node(at), self.store.edges_of(at));
        match settings.selection {
            Selection::Puct if at == ROOT => choice::puct(settings, node, edges, |number| search.priors[number]),
            Selection::Puct => choice::puct(settings, node, edges, |number| edges[number].prior),
            Selection::Gumbel if at == ROOT => {
                search.halving.next(settings, node, edges, search.finished + search.waiting)
            }
            Selection::Gumbel => gumbel::below_root(settings, node, edges, &mut self.scratch),
        }
    }

    /// What a simulation does that reached node `at`, `depth` plies below the root, where the position stands.
    fn arrive(
        &mut self,
        at: u32,
        depth: usize,
        net: &dyn PolicyValue<G>,
        cache: &EvaluationCache,
        row: &mut [f32],
    ) -> Step {
        let node = self.store.node(at);
        if node.state == State::Waiting {
            return Step::Collided;
        }
        if node.proof.is_some() {
            return self.finish(at, 0.0);
        }
        match self.judge(at, depth) {
            Some(outcome) => self.finish(at, f64::from(outcome.value())),
            None => self.ask(at, net, cache, row),
        }
    }

    /// The end of the game at the new node `at`, if it is one; otherwise it is given its edges.
    fn judge(&mut self, at: u32, depth: usize) -> Option<Outcome> {
        if let Some(end) = self.position.end_by_history() {
            return Some(self.end_game(at, end.outcome));
        }
        if self.settings.cycles
            && let Some(end) = self.position.cycle_end(depth)
        {
            // Not proved, and looked at anew each time: the root moves on.
            self.store.node_mut(at).state = State::Cycle;
            return Some(end.outcome);
        }
        let position = &self.position;
        if self.store.lay_edges(at, |moves| position.legal_moves(moves)) == 0 {
            let outcome = position.end().map_or(Outcome::Draw, |end| end.outcome);
            return Some(self.end_game(at, outcome));
        }
        None
    }

    fn end_game(&mut self, at: u32, outcome: Outcome) -> Outcome {
        let node = self.store.node_mut(at);
        (node.state, node.proof) = (State::Ended, Some(Proof::of(outcome, node.side)));
        outcome
    }

    /// Opens node `at`, which has its edges, from the cache, or has its row written.
    fn ask(&mut self, at: u32, net: &dyn PolicyValue<G>, cache: &EvaluationCache, row: &mut [f32]) -> Step {
        let key = net.row_key(&self.position);
        if let Some(Answer { value, priors }) = cache.get(key, self.store.node(at).n_edges as usize) {
            self.cache_hits += 1;
            self.open(at, value, priors);
            return Step::BackedUp;
        }
        self.store.node_mut(at).state = State::Waiting;
        self.store.mark(at, true);
        self.search.waiting += 1;
        let view = net.write_row(&self.position, row);
        Step::Waits(Leaf { node: at, epoch: self.epoch, view, key })
    }

    /// Gives node `at` its priors and its value for its side to move, and ends the simulation there.
    fn open(&mut self, at: u32, value: f32, priors: &[f32]) {
        let range = self.store.node(at).edges();
        self.store.edges[range].iter_mut().zip(priors).for_each(|(edge, &prior)| edge.prior = prior);
        let node = self.store.node_mut(at);
        (node.state, node.value) = (State::Open, value);
        let value = f64::from(value) * f64::from(node.side.sign());
        self.finish(at, value);
        if at == ROOT {
            self.prepare();
        }
    }

    /// Ends a simulation at node `at` with `value` for [`Side::First`](crate::game::Side::First).
    fn finish(&mut self, at: u32, value: f64) -> Step {
        self.store.back_up(at, value, self.settings.solve);
        self.search.finished += u32::from(at != ROOT);
        Step::BackedUp
    }

    /// Draws what a search needs at the root, once the root has its priors.
    fn prepare(&mut self) {
        let open = self.store.nodes.first().is_some_and(|root| root.state == State::Open);
        if !open || std::mem::replace(&mut self.search.ready, true) {
            return;
        }
        let (search, stream, settings) = (&mut self.search, &mut self.stream, &self.settings);
        let edges = self.store.edges_of(ROOT);
        search.priors.clear();
        search.priors.extend(edges.iter().map(|edge| edge.prior));
        match settings.selection {
            Selection::Puct if search.noise => {
                dirichlet(edges.len(), settings.noise_alpha, stream, &mut self.priors);
                mix_noise(&mut search.priors, &self.priors, settings.noise_fraction as f32);
            }
            Selection::Puct => {}
            Selection::Gumbel => {
                let noise = search.noise;
                let draw = || if noise { draws::gumbel(stream) } else { 0.0 };
                search.halving.begin(settings.considered, search.target, edges, draw);
            }
        }
    }
}

/// (1 - ε) P + ε η, as Silver et al. 2017 explore at the root.
fn mix_noise(priors: &mut [f32], noise: &[f32], fraction: f32) {
    for (prior, noise) in priors.iter_mut().zip(noise) {
        *prior = (1.0 - fraction) * *prior + fraction * noise;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation, Side};
    use crate::games::xiangqi::Xiangqi;
    use crate::random;

    /// Red has given check at each of its moves, and the position is that of four plies ago.
    #[test]
    fn a_repetition_below_the_root_is_an_end_if_cycles_are() {
        let mut position = Xiangqi::from_notation("3k5/R8/9/9/9/9/9/9/9/4K4 w").unwrap();
        for text in ["a8a9", "d9d8", "a9a8", "d8d9"] {
            position.play(position.parse_move(text).unwrap());
        }
        let lost = Some(Outcome::Win(Side::Second));
        for (cycles, depth, expected) in [(true, 4, lost), (true, 3, None), (true, 0, None), (false, 4, None)] {
            let settings = MctsSettings { cycles, ..MctsSettings::default() };
            let mut search = Mcts::new(position.clone(), settings, random::stream(1, "cycles", 0));
            search.store.add(NONE, NONE, Side::First);
            assert_eq!(search.judge(ROOT, depth), expected, "cycles {cycles}, {depth} plies from the root");
            assert_eq!(search.store.node(ROOT).state == State::Cycle, expected.is_some());
        }
    }
}
