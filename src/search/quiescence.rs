//! Quiescence: a leaf's value once the noise (captures, threats) has died down.

use super::memory::{MAX_PLIES, Memory};
use super::ordering::Context;
use super::picker::{Kind, Picker, Scope};
use super::score_without_moves;
use super::settings::{Leaf, SearchSettings};
use super::tree::{Shared, Tree};
use super::turn::{Turn, UNREACHED, Window};
use crate::eval::{Evaluator, Score};
use crate::game::SearchHints;

/// The most positions that quiescence visits below one leaf before it falls back to static values. Exchanges that go on and on, as in
/// Surakarta, have no end in a wide window otherwise; no search of the bench comes to it.
const LEAF_NODES: u64 = 1 << 15;

/// Quiescence by itself, as the search sees a leaf, with an evaluator of its own.
///
/// What it answers depends on the position and its past alone, not on what it was asked before.
pub struct Quiescence<G: SearchHints> {
    memory: Memory<G>,
    evaluator: Box<dyn Evaluator<G>>,
}

impl<G: SearchHints> Quiescence<G> {
    /// Quiescence with the usual settings of a search of `G`.
    pub fn new(evaluator: Box<dyn Evaluator<G>>) -> Self {
        let settings = SearchSettings { transposition_mb: 0, ..SearchSettings::of_game::<G>() };
        let mut memory = Memory::new(settings);
        memory.prepare();
        Self { memory, evaluator }
    }

    /// The value of `position` for its side to move once the noise has died down; a forced end as the search scores it.
    pub fn value(&mut self, position: &mut G) -> Score {
        let shared = Shared::default();
        let in_check = position.in_check();
        let mut tree = Tree::new(position, &mut *self.evaluator, &mut self.memory, &shared);
        // Only a limit or a signal to stop leaves a value out, and there is neither.
        tree.leaf_value(0, in_check, Window::FULL).unwrap_or_default()
    }

    /// The evaluator's own value of `position` for its side to move.
    pub fn static_value(&mut self, position: &G) -> Score {
        self.memory.evaluations.evaluate(position, &mut *self.evaluator)
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &dyn Evaluator<G> {
        &*self.evaluator
    }
}

/// Where quiescence stands.
#[derive(Clone, Copy)]
struct QuietNode {
    /// Plies from the root.
    ply: u32,
    /// Plies after which the static value is taken in any case.
    left: u32,
    /// Whether the side to move is in check.
    in_check: bool,
    /// Whether quiet checks are tried here.
    checks: bool,
}

impl<G: SearchHints> Tree<'_, G> {
    /// The value of a leaf for its side to move.
    pub(crate) fn leaf_value(&mut self, ply: u32, in_check: bool, window: Window) -> Option<Score> {
        match self.settings.leaf() {
            Leaf::Static => Some(self.static_value()),
            Leaf::Quiescence { plies } => {
                let left = plies.min(MAX_PLIES.saturating_sub(ply));
                self.leaf_end = self.nodes.saturating_add(LEAF_NODES);
                self.quiet_value(QuietNode { ply, left, in_check, checks: self.settings.quiescence_checks }, window)
            }
        }
    }

    /// As [`Tree::leaf_value`], of a position that quiescence itself reached.
    fn deeper_value(&mut self, left: u32, ply: u32, window: Window) -> Option<Score> {
        self.visit(ply)?;
        self.cyclic = false;
        if let Some(score) = self.ended_by_history(ply) {
            return Some(score);
        }
        let left = if self.nodes < self.leaf_end { left } else { 0 };
        let in_check = left > 0 && self.position.in_check();
        self.quiet_value(QuietNode { ply, left, in_check, checks: false }, window)
    }

    /// The side to move takes the static value (stands pat) or tries the noisy moves; a side that is in check must try
    /// every move it has.
    fn quiet_value(&mut self, node: QuietNode, window: Window) -> Option<Score> {
        if node.in_check && node.left > 0 {
            return self.best_noisy_value(-UNREACHED, node, Scope::All, window);
        }
        let standing = self.static_value();
        if node.left == 0 || standing >= window.beta {
            return Some(standing);
        }
        let scope = if node.checks { Scope::NoisyAndChecks } else { Scope::Noisy };
        self.best_noisy_value(standing, node, scope, window.raised(standing))
    }

    /// The best of `standing` (out of range when the side may not stand pat) and the moves of `scope`.
    fn best_noisy_value(
        &mut self,
        standing: Score,
        node: QuietNode,
        scope: Scope,
        mut window: Window,
    ) -> Option<Score> {
        let start = self.memory.stack.len();
        let mut picker = Picker::new(&*self.memory, scope, None);
        let context = Context { ply: node.ply, previous: None };
        let (mut best, mut cyclic, mut any) = (standing, false, false);
        while let Some((mv, kind)) = picker.next(&*self.position, self.memory, context) {
            any = true;
            if scope != Scope::All && kind == Kind::Quiet && !self.position.see_at_least(mv, 0) {
                continue;
            }
            let score =
                self.after(mv, window, |tree, window| tree.deeper_value(node.left - 1, node.ply + 1, window))?;
            if score > best {
                (best, cyclic) = (score, self.cyclic);
            }
            if best >= window.beta {
                break;
            }
            window = window.raised(best);
        }
        self.memory.stack.truncate(start);
        self.cyclic = cyclic;
        Some(if any || scope != Scope::All { best } else { score_without_moves(&*self.position, node.ply) })
    }

    /// The mover's value of the position after `mv`, found by `value`, which is given the child's window.
    pub fn after(
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::surakarta::Material;
    use crate::game::{Game, Notation};
    use crate::games::surakarta::Surakarta;

    #[test]
    fn exchanges_without_end_are_given_up() {
        let mut position = Surakarta::from_notation("1bbbbb/rb1bbb/2rrr1/r1b3/2brb1/rrrrrr b").unwrap();
        let mut memory = Memory::new(SearchSettings { transposition_mb: 0, ..SearchSettings::of_game::<Surakarta>() });
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let nodes_after = |mv| {
            position.play(mv);
            memory.prepare();
            let shared = Shared::default();
            let mut evaluator = Material::PIECES;
            let mut tree = Tree::new(&mut position, &mut evaluator, &mut memory, &shared);
            tree.leaf_value(1, false, Window::FULL).unwrap();
            let nodes = tree.nodes;
            position.undo();
            nodes
        };
        let most = moves.into_iter().map(nodes_after).max().unwrap();
        // What is begun is brought to an end: the captures of at most so many plies.
        assert!((LEAF_NODES..LEAF_NODES + 2000).contains(&most), "{most}");
    }
}
