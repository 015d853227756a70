//! Lazy SMP: several threads search the same root and help each other through the transposition table alone.

use std::sync::atomic::Ordering::Relaxed;

use super::SearchResult;
use super::control::{Control, Stopper};
use super::memory::Memory;
use super::settings::Limits;
use super::tree::{Shared, Tree};
use crate::eval::Evaluator;
use crate::game::SearchHints;

/// Searches on the calling thread, which decides, with the first evaluator, and on one more for each of the others.
pub(super) fn search<G: SearchHints>(
    memory: &mut Memory<G>,
    position: &mut G,
    evaluators: &mut [Box<dyn Evaluator<G>>],
    limits: Limits,
    control: &mut Control<'_, G::Move>,
) -> SearchResult<G::Move> {
    let (evaluator, helpers) = evaluators.split_at_mut(1);
    let shared = Shared::default();
    std::thread::scope(|scope| {
        for (number, helper) in helpers.iter_mut().enumerate() {
            let (position, memory) = (position.clone(), memory.for_helper());
            let (shared, stopper, excluded) = (&shared, control.stopper, control.excluded.to_vec());
            let thread = Helper { number, position, memory, stopper, excluded };
            scope.spawn(move || thread.run(&mut **helper, limits, shared));
        }
        let mut tree = Tree::new(position, &mut *evaluator[0], memory, &shared);
        tree.stopper = Some(control.stopper);
        let result = tree.deepen(limits, control);
        shared.over.store(true, Relaxed);
        result
    })
}

/// A thread that fills the table.
struct Helper<'a, G: SearchHints> {
    number: usize,
    position: G,
    memory: Memory<G>,
    stopper: &'a Stopper,
    excluded: Vec<G::Move>,
}

impl<G: SearchHints> Helper<'_, G> {
    /// Searches until the deciding thread is done. Every other helper is a ply ahead, so that not all do the same.
    fn run(mut self, evaluator: &mut dyn Evaluator<G>, limits: Limits, shared: &Shared) {
        let mut tree = Tree::new(&mut self.position, evaluator, &mut self.memory, shared);
        (tree.helping, tree.interruptible) = (true, true);
        tree.stopper = Some(self.stopper);
        tree.wide_root = !self.excluded.is_empty();
        tree.excluded = self.excluded;
        let ahead = 1 - self.number as u32 % 2;
        for depth in 1..=limits.depth() {
            if tree.root_value(depth + ahead, super::turn::Window::FULL).is_none() {
                break;
            }
        }
    }
}
