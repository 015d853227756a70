//! The nodes of the alpha-beta tree: fail-soft negamax over a window.

use super::control::Stopper;
use super::end_score;
use super::ordering::{MoveStack, Ordering};
use super::score_without_moves;
use super::settings::SearchSettings;
use super::transposition::{Bound, Entry, TranspositionTable, to_node};
use super::turn::{Turn, Window};
use super::variation::Variations;
use crate::eval::{Evaluator, Score};
use crate::game::Game;

/// What a search keeps from node to node and from move to move.
#[derive(Debug, Clone)]
pub(super) struct Memory<G: Game> {
    pub table: Option<TranspositionTable<G::Move>>,
    pub ordering: Ordering<G>,
    pub variations: Variations<G::Move>,
    pub stack: MoveStack<G::Move>,
}

impl<G: Game> Memory<G> {
    pub fn new(settings: SearchSettings) -> Self {
        let megabytes = settings.transposition_mb;
        Self {
            table: (megabytes > 0).then(|| TranspositionTable::new(megabytes)),
            ordering: Ordering::new(settings),
            variations: Variations::new(),
            stack: MoveStack::new(),
        }
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        self.table.iter_mut().for_each(TranspositionTable::clear);
        self.ordering.clear();
    }

    /// Makes ready for the search of a new root.
    pub fn prepare(&mut self, depth: u32) {
        self.table.iter_mut().for_each(TranspositionTable::next_generation);
        self.ordering.prepare(depth);
        self.variations.prepare(depth);
        self.stack.truncate(0);
    }
}

/// Where in the tree a node stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Plies still to search below.
    pub depth: u32,
    /// Plies from the root.
    pub ply: u32,
}

impl Place {
    /// The root of a search of `depth` plies.
    pub const fn root(depth: u32) -> Self {
        Self { depth, ply: 0 }
    }

    const fn child(self) -> Self {
        Self { depth: self.depth - 1, ply: self.ply + 1 }
    }
}

/// The best of a node's moves, and its value. No move: the game is over there.
struct Best<M> {
    score: Score,
    mv: Option<M>,
}

/// One search at work. Its methods give `None` when the node limit stopped it.
pub(super) struct Tree<'a, G: Game> {
    pub position: &'a mut G,
    pub evaluator: &'a mut dyn Evaluator<G>,
    pub settings: SearchSettings,
    pub memory: &'a mut Memory<G>,
    /// Positions visited so far.
    pub nodes: u64,
    /// The search stops when it would visit more.
    pub node_limit: u64,
    /// How many ends by history were met: values that rest on one hold for this path only.
    pub history_ends: u64,
    /// Moves at the root that are not considered.
    pub excluded: Vec<G::Move>,
    /// Ends the search early.
    pub stopper: Option<&'a Stopper>,
}

impl<G: Game> Tree<'_, G> {
    /// The value of the current position for its side to move: exact within `window`, a bound outside of it.
    pub fn value(&mut self, place: Place, window: Window) -> Option<Score> {
        self.memory.variations.clear(place.ply);
        self.visit()?;
        if place.ply > 0
            && let Some(score) = self.ended_by_history(place.ply)
        {
            return Some(score);
        }
        if place.depth == 0 {
            return self.leaf_value(place.ply, window);
        }
        let key = self.position.key();
        let known = self.memory.table.as_ref().and_then(|table| table.get(key));
        match known.and_then(|entry| self.cutoff(entry, place, window)) {
            Some(score) => Some(score),
            None => self.expand(key, place, window, known.map(|entry| entry.best)),
        }
    }

    /// Counts a node.
    pub fn visit(&mut self) -> Option<()> {
        self.nodes += 1;
        let stopped = || self.nodes.is_multiple_of(1024) && self.stopper.is_some_and(Stopper::is_stopped);
        (self.nodes <= self.node_limit && !stopped()).then_some(())
    }

    /// The score of an end by repetition and the like, if there is one here.
    pub fn ended_by_history(&mut self, ply: u32) -> Option<Score> {
        let end = self.position.end_by_history()?;
        self.history_ends += 1;
        Some(end_score(end, self.position.side_to_move(), ply))
    }

    /// The score that the table settles this node with. Never at the root, which must give a move, and never from an
    /// earlier search: since then positions have been repeated, and a line that was good may by now lose or draw.
    fn cutoff(&self, entry: Entry<G::Move>, place: Place, window: Window) -> Option<Score> {
        let deep_enough = entry.depth == place.depth || (self.settings.deeper_entries && entry.depth > place.depth);
        if place.ply > 0 && entry.current && deep_enough { entry.cutoff(place.ply, window) } else { None }
    }

    /// Searches the moves of this node and remembers what came of it.
    fn expand(&mut self, key: u64, place: Place, window: Window, hint: Option<G::Move>) -> Option<Score> {
        let history_ends = self.history_ends;
        let best = self.best_move(place, window, hint)?;
        if let (Some(mv), Some(table)) = (best.mv, &mut self.memory.table)
            && history_ends == self.history_ends
        {
            let (score, bound) = (to_node(best.score, place.ply), Bound::of(best.score, window));
            table.put(key, Entry { score, depth: place.depth, bound, best: mv, current: true });
        }
        Some(best.score)
    }

    fn best_move(&mut self, place: Place, mut window: Window, hint: Option<G::Move>) -> Option<Best<G::Move>> {
        let start = self.memory.stack.len();
        if self.push_legal(place.ply, hint) == 0 {
            return Some(Best { score: score_without_moves(&*self.position, place.ply), mv: None });
        }
        let mut best = Best { score: -Score::MAX, mv: None };
        for at in start.. {
            let Some(mv) = self.memory.stack.choose(at) else { break };
            if place.ply == 0 && self.excluded.contains(&mv) {
                continue;
            }
            let score = self.child(mv, window, |tree, window| tree.value(place.child(), window))?;
            if score > window.alpha {
                self.memory.variations.extend(place.ply, mv);
            }
            if score > best.score {
                best = Best { score, mv: Some(mv) };
            }
            if score >= window.beta {
                self.memory.ordering.reward(&*self.position, mv, place.depth, place.ply);
                break;
            }
            window = window.raised(score);
        }
        self.memory.stack.truncate(start);
        Some(best)
    }

    /// Puts the legal moves on the stack and gives their number.
    pub fn push_legal(&mut self, ply: u32, hint: Option<G::Move>) -> usize {
        let (position, Memory { ordering, stack, .. }) = (&*self.position, &mut *self.memory);
        stack.fill(|moves| position.legal_moves(moves), |mv| ordering.rank(position, mv, ply, hint))
    }

    /// The mover's value of the position after `mv`, found by `value`, which is given the child's window.
    pub fn child(
        &mut self,
        mv: G::Move,
        window: Window,
        value: impl FnOnce(&mut Self, Window) -> Option<Score>,
    ) -> Option<Score> {
        let mover = self.position.side_to_move();
        self.position.play(mv);
        let turn = Turn::after(mover, &*self.position);
        let score = value(self, turn.window(window));
        self.position.undo();
        Some(turn.value(score?))
    }
}
