//! The tree in flat arrays: nodes, their edges one after another, and the moves of the edges.

use crate::game::{Outcome, Side};
use crate::pages::{LINE, prefetch};

/// The index of nothing.
pub(super) const NONE: u32 = u32::MAX;
/// The index of the root.
pub(super) const ROOT: u32 = 0;

/// Edges of the root that are brought near; a processor guesses the rest.
const EXPECTED: usize = 16;

/// The result of a position that both sides play perfectly, for one of them. Worse results are less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Proof {
    /// Lost whatever is played.
    Loss,
    /// Neither side can do better.
    Draw,
    /// Won by force.
    Win,
}

impl Proof {
    /// What `outcome` is for `side`.
    pub const fn of(outcome: Outcome, side: Side) -> Self {
        match outcome.value_for(side) {
            1.. => Self::Win,
            0 => Self::Draw,
            _ => Self::Loss,
        }
    }

    /// -1, 0 or 1.
    pub const fn value(self) -> f64 {
        match self {
            Self::Loss => -1.0,
            Self::Draw => 0.0,
            Self::Win => 1.0,
        }
    }

    /// The same result for the opponent.
    #[must_use]
    pub const fn turned(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// What is known of a node's position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// Nothing yet.
    New,
    /// It has its edges, and waits for the answer of the evaluator.
    Waiting,
    /// It has its edges, and they have their priors.
    Open,
    /// The game ended here.
    Ended,
    /// It occurred before, when last looked at.
    Cycle,
}

/// A position of the tree. Values are for its side to move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub parent: u32,
    /// The edge that leads here.
    pub edge: u32,
    /// The first of its edges, which stand one after another.
    pub first: u32,
    pub n_edges: u32,
    /// Simulations that ended here or passed.
    pub visits: u32,
    /// What the evaluator said.
    pub value: f32,
    /// The sum of the values of those simulations.
    pub total: f64,
    pub side: Side,
    pub state: State,
    pub proof: Option<Proof>,
}

impl Node {
    pub(crate) fn edges(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.n_edges) as usize
    }

    /// The average value of its visits.
    pub fn mean(&self) -> f64 {
        self.total / f64::from(self.visits.max(1))
    }
}

/// A move of a node. Values are for the side that makes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    /// W in S4.
    pub total: f64,
    /// P in S4.
    pub prior: f32,
    /// N in S4.
    pub visits: u32,
    pub child: u32,
    /// Simulations on their way through here that wait for an answer.
    pub pending: u16,
    pub proof: Option<Proof>,
}

impl Edge {
    const NEW: Self = Self { total: 0.0, prior: 0.0, visits: 0, child: NONE, pending: 0, proof: None };

    /// Visits, those included that wait for their answer.
    pub const fn attempts(&self) -> u32 {
        self.visits + self.pending as u32
    }

    /// Q: what was proved, or else the average of the visits, of which those that wait lose `virtual_loss`; `None` without any.
    pub fn mean(&self, virtual_loss: f64) -> Option<f64> {
        let waiting = f64::from(self.pending) * virtual_loss;
        match self.proof {
            Some(proof) => Some(proof.value()),
            None if self.attempts() == 0 => None,
            None => Some((self.total - waiting) / f64::from(self.attempts())),
        }
    }
}

/// A tree of nodes; the first is the root.
#[derive(Debug, Clone)]
pub(super) struct Store<M> {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// Parallel to `edges`.
    pub moves: Vec<M>,
    /// While a subtree is copied: where its nodes stood.
    origins: Vec<u32>,
}

impl<M: Copy> Store<M> {
    pub const fn new() -> Self {
        Self { nodes: Vec::new(), edges: Vec::new(), moves: Vec::new(), origins: Vec::new() }
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.moves.clear();
    }

    pub fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    pub(crate) fn node_mut(&mut self, at: u32) -> &mut Node {
        &mut self.nodes[at as usize]
    }

    pub(crate) fn edges_of(&self, at: u32) -> &[Edge] {
        &self.edges[self.node(at).edges()]
    }

    pub fn moves_of(&self, at: u32) -> &[M] {
        &self.moves[self.node(at).edges()]
    }

    /// Has the root brought near, with what it needs to choose a move.
    pub fn expect_root(&self) {
        self.expect_node(ROOT);
        self.expect_moves(0);
        let edges = LINE / size_of::<Edge>();
        (0..EXPECTED).step_by(edges).for_each(|edge| prefetch(&self.edges, edge));
    }

    /// Has node `at` brought near.
    pub fn expect_node(&self, at: u32) {
        prefetch(&self.nodes, at as usize);
    }

    /// Has what stands on the way from node `at` to the root brought near.
    pub fn expect_path(&self, mut at: u32) {
        while at != ROOT {
            let Node { parent, edge, .. } = *self.node(at);
            prefetch(&self.edges, edge as usize);
            at = parent;
        }
    }

    /// Has the moves of a node brought near whose first edge is `first`.
    pub fn expect_moves(&self, first: u32) {
        prefetch(&self.moves, first as usize);
    }

    /// A new node for the position behind `edge` of `parent`, both [`NONE`] for the root, where `side` is to move.
    pub fn add(&mut self, parent: u32, edge: u32, side: Side) -> u32 {
        let at = self.nodes.len() as u32;
        let (first, n_edges, visits, value, total) = (0, 0, 0, 0.0, 0.0);
        let (state, proof) = (State::New, None);
        self.nodes.push(Node { parent, edge, first, n_edges, visits, value, total, side, state, proof });
        if edge != NONE {
            self.edges[edge as usize].child = at;
        }
        at
    }

    /// Gives node `at` the moves that `write` appends as its edges, without priors, and says how many there are.
    pub(crate) fn lay_edges(&mut self, at: u32, write: impl FnOnce(&mut Vec<M>)) -> usize {
        let first = self.moves.len();
        write(&mut self.moves);
        self.edges.resize(self.moves.len(), Edge::NEW);
        let n_edges = self.moves.len() - first;
        let node = self.node_mut(at);
        (node.first, node.n_edges) = (first as u32, n_edges as u32);
        n_edges
    }

    /// Counts a simulation on its way through the edges above node `at`, or no longer so.
    pub fn mark(&mut self, mut at: u32, waits: bool) {
        while at != ROOT {
            let Node { parent, edge, .. } = *self.node(at);
            let pending = &mut self.edges[edge as usize].pending;
            *pending = if waits { *pending + 1 } else { *pending - 1 };
            at = parent;
        }
    }

    /// Ends a simulation at node `at` with `value` for [`Side::First`]: adds it to all above, and, if `solve`, carries up what
    /// is proved. From a proved node on the value that goes up is the proved one.
    pub(crate) fn back_up(&mut self, mut at: u32, mut value: f64, solve: bool) {
        loop {
            let node = self.node_mut(at);
            if let Some(proof) = node.proof {
                value = proof.value() * f64::from(node.side.sign());
            }
            node.visits += 1;
            node.total += value * f64::from(node.side.sign());
            let Node { parent, edge, side, proof, .. } = *node;
            if parent == NONE {
                return;
            }
            let mover = self.node(parent).side;
            let edge = &mut self.edges[edge as usize];
            edge.visits += 1;
            edge.total += value * f64::from(mover.sign());
            if solve && edge.proof.is_none() && proof.is_some() {
                edge.proof = if mover == side { proof } else { proof.map(Proof::turned) };
                self.prove(parent);
            }
            at = parent;
        }
    }

    /// Proves node `at` if its edges do: one won move is enough to win, otherwise all must be proved.
    fn prove(&mut self, at: u32) {
        let edges = self.edges_of(at);
        let best = edges.iter().try_fold(Proof::Loss, |best, edge| edge.proof.map(|proof| best.max(proof)));
        let won = edges.iter().any(|edge| edge.proof == Some(Proof::Win));
        self.node_mut(at).proof = if won { Some(Proof::Win) } else { best };
    }

    /// Becomes the subtree of `other` below node `root`. What waited for an answer is dropped.
    pub(crate) fn copy_subtree(&mut self, other: &Self, root: u32) {
        self.clear();
        self.origins.clear();
        self.copy_node(other, root, (NONE, NONE));
        let mut next = 0;
        while next < self.nodes.len() {
            self.copy_edges(other, next as u32);
            next += 1;
        }
    }

    fn copy_node(&mut self, other: &Self, origin: u32, (parent, edge): (u32, u32)) {
        self.origins.push(origin);
        self.nodes.push(Node { parent, edge, ..*other.node(origin) });
    }

    fn copy_edges(&mut self, other: &Self, at: u32) {
        let origin = self.origins[at as usize];
        let first = self.edges.len();
        self.edges.extend_from_slice(other.edges_of(origin));
        self.moves.extend_from_slice(other.moves_of(origin));
        self.node_mut(at).first = first as u32;
        for edge in first..self.edges.len() {
            let child = std::mem::replace(&mut self.edges[edge].child, NONE);
            self.edges[edge].pending = 0;
            if child != NONE && !matches!(other.node(child).state, State::New | State::Waiting) {
                self.edges[edge].child = self.nodes.len() as u32;
                self.copy_node(other, child, (at, edge as u32));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visit_that_waits_loses_so_much_and_what_is_proved_is_certain() {
        let edge = Edge { total: 1.0, visits: 2, pending: 2, ..Edge::NEW };
        assert_eq!((edge.attempts(), Edge::NEW.attempts()), (4, 0));
        assert_eq!([0.0, 0.5, 1.0].map(|loss| edge.mean(loss)), [Some(0.25), Some(0.0), Some(-0.25)]);
        assert_eq!(Edge::NEW.mean(1.0), None);
        let proved = [Proof::Loss, Proof::Draw, Proof::Win].map(|proof| Edge { proof: Some(proof), ..edge });
        assert_eq!(proved.map(|edge| edge.mean(1.0)), [Some(-1.0), Some(0.0), Some(1.0)]);
    }

    #[test]
    fn proofs_turn_with_the_side() {
        let all = [Proof::Loss, Proof::Draw, Proof::Win];
        assert_eq!(all.map(Proof::turned), [Proof::Win, Proof::Draw, Proof::Loss]);
        assert_eq!(Proof::of(Outcome::Draw, Side::Second), Proof::Draw);
        let sides = [Side::First, Side::Second];
        assert_eq!(sides.map(|side| Proof::of(Outcome::Win(Side::First), side)), [Proof::Win, Proof::Loss]);
    }

    /// The root with the moves a and b; behind b, where the first side moves once more, c, d, e and f; behind d, where the second
    /// side moves, g.
    fn small() -> Store<char> {
        let mut store = Store::new();
        store.add(NONE, NONE, Side::First);
        assert_eq!(store.lay_edges(ROOT, |out| out.extend("ab".chars())), 2);
        assert_eq!(store.add(ROOT, 1, Side::First), 1);
        assert_eq!(store.lay_edges(1, |out| out.extend("cdef".chars())), 4);
        assert_eq!(store.add(1, 3, Side::Second), 2);
        assert_eq!(store.lay_edges(2, |out| out.push('g')), 1);
        store.nodes.iter_mut().for_each(|node| node.state = State::Open);
        store
    }

    #[test]
    fn a_simulation_counts_for_all_above_it_with_the_sign_of_who_moved() {
        let mut store = small();
        store.mark(2, true);
        store.mark(2, true);
        store.mark(1, true);
        let pending = |store: &Store<char>| store.edges.iter().map(|edge| edge.pending).collect::<Vec<_>>();
        assert_eq!(pending(&store), [0, 3, 0, 2, 0, 0, 0]);
        store.mark(2, false);
        assert_eq!(pending(&store), [0, 2, 0, 1, 0, 0, 0]);
        store.back_up(2, 0.5, true);
        store.back_up(1, -0.25, true);
        let nodes: Vec<_> = store.nodes.iter().map(|node| (node.visits, node.total, node.proof)).collect();
        assert_eq!(nodes, [(2, 0.25, None), (2, 0.25, None), (1, -0.5, None)]);
        assert_eq!((store.node(ROOT).mean(), store.node(2).mean()), (0.125, -0.5));
        let edges = [0, 1, 2, 3].map(|at: usize| (store.edges[at].visits, store.edges[at].total));
        assert_eq!(edges, [(0, 0.0), (2, 0.25), (0, 0.0), (1, 0.5)]);
    }

    /// The second side has lost behind d, so that the first has won with it, and with b.
    #[test]
    fn proofs_go_up_as_far_as_they_decide_and_only_if_asked() {
        for solve in [true, false] {
            let mut store = small();
            store.node_mut(2).proof = Some(Proof::Loss);
            // The value of the proved node replaces that which came.
            store.back_up(2, 0.0, solve);
            let win = solve.then_some(Proof::Win);
            assert_eq!([0, 1].map(|at| store.node(at).proof), [win; 2]);
            assert_eq!([1, 3].map(|at: usize| store.edges[at].proof), [win; 2]);
            assert_eq!([0, 1, 2].map(|at| store.node(at).total), [1.0, 1.0, -1.0]);
        }
        let (loss, draw, win) = (Some(Proof::Loss), Some(Proof::Draw), Some(Proof::Win));
        for (proofs, expected) in [
            ([None, win], win),
            ([draw, win], win),
            ([draw, loss], draw),
            ([loss, loss], loss),
            ([draw, None], None),
            ([loss, None], None),
        ] {
            let mut store = small();
            store.edges.iter_mut().zip(proofs).for_each(|(edge, proof)| edge.proof = proof);
            store.prove(ROOT);
            assert_eq!(store.node(ROOT).proof, expected, "{proofs:?}");
        }
    }

    #[test]
    fn a_subtree_is_copied_without_what_waits() {
        let mut store = small();
        // Behind c, e and f: a node that waits, a new one, and an end.
        let others = [(2, State::Waiting), (4, State::New), (5, State::Ended)].map(|(edge, state)| {
            let at = store.add(1, edge, Side::Second);
            store.node_mut(at).state = state;
            at
        });
        assert_eq!(others, [3, 4, 5]);
        for (edge, number) in store.edges.iter_mut().zip(1..) {
            (edge.visits, edge.pending) = (number, 1);
        }
        store.node_mut(1).visits = 7;
        // Into a store that held something else.
        let mut copy = small();
        copy.copy_subtree(&store, 1);
        let nodes: Vec<_> = copy.nodes.iter().map(|node| (node.parent, node.edge, node.first, node.n_edges)).collect();
        assert_eq!(nodes, [(NONE, NONE, 0, 4), (0, 1, 4, 1), (0, 3, 5, 0)]);
        assert_eq!([copy.node(0).visits, copy.node(1).visits], [7, 0]);
        assert_eq!(copy.node(2).state, State::Ended);
        assert_eq!((copy.moves_of(0), copy.moves_of(1)), (&['c', 'd', 'e', 'f'][..], &['g'][..]));
        let edges: Vec<_> = copy.edges.iter().map(|edge| (edge.visits, edge.child, edge.pending)).collect();
        assert_eq!(edges, [(3, NONE, 0), (4, 1, 0), (5, NONE, 0), (6, 2, 0), (7, NONE, 0)]);
    }
}
