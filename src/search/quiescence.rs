//! Quiescence: a leaf's value once the noise (captures, threats) has died down.

use super::score_without_moves;
use super::settings::Leaf;
use super::tree::{Memory, Tree};
use super::turn::Window;
use crate::eval::Score;
use crate::game::Game;

impl<G: Game> Tree<'_, G> {
    /// The value of a leaf for its side to move.
    pub fn leaf_value(&mut self, ply: u32, window: Window) -> Option<Score> {
        match self.settings.leaf() {
            Leaf::Static => Some(self.evaluator.evaluate(&*self.position)),
            Leaf::Quiescence { plies } => self.quiet_value(plies, ply, window),
        }
    }

    /// As [`Tree::leaf_value`], of a position that quiescence itself reached.
    fn deeper_value(&mut self, left: u32, ply: u32, window: Window) -> Option<Score> {
        self.visit()?;
        match self.ended_by_history(ply) {
            Some(score) => Some(score),
            None => self.quiet_value(left, ply, window),
        }
    }

    /// The side to move takes the static value (stands pat) or tries the noisy moves; a side that is in check must try
    /// every move it has. `left` plies from here the static value is taken in any case.
    fn quiet_value(&mut self, left: u32, ply: u32, window: Window) -> Option<Score> {
        let forced = left > 0 && self.position.in_check();
        if forced {
            return self.best_noisy_value(-Score::MAX, (left, ply), window);
        }
        let standing = self.evaluator.evaluate(&*self.position);
        if left == 0 || standing >= window.beta {
            return Some(standing);
        }
        self.best_noisy_value(standing, (left, ply), window.raised(standing))
    }

    /// The best of `standing` (out of range when the side may not stand pat) and the moves worth trying.
    fn best_noisy_value(&mut self, standing: Score, (left, ply): (u32, u32), mut window: Window) -> Option<Score> {
        let start = self.memory.stack.len();
        let forced = standing == -Score::MAX;
        let count = if forced { self.push_legal(ply, None) } else { self.push_noisy(ply) };
        if forced && count == 0 {
            return Some(score_without_moves(&*self.position, ply));
        }
        let mut best = standing;
        for at in start.. {
            let Some(mv) = self.memory.stack.choose(at) else { break };
            let score = self.child(mv, window, |tree, window| tree.deeper_value(left - 1, ply + 1, window))?;
            best = best.max(score);
            if best >= window.beta {
                break;
            }
            window = window.raised(best);
        }
        self.memory.stack.truncate(start);
        Some(best)
    }

    fn push_noisy(&mut self, ply: u32) -> usize {
        let (position, Memory { ordering, stack, .. }) = (&*self.position, &mut *self.memory);
        stack.fill(|moves| position.noisy_moves(moves), |mv| ordering.rank(position, mv, ply, None))
    }
}
