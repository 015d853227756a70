//! Lazy SMP: several threads search the same root and help each other through the transposition table alone.

use std::sync::atomic::Ordering::Relaxed;

use super::SearchResult;
use super::control::Control;
use super::memory::Memory;
use super::settings::Limits;
use super::tree::{Shared, Tree};
use super::turn::Window;
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
            let (mut position, memory) = (position.clone(), memory.for_helper());
            let (shared, stopper, excluded) = (&shared, control.stopper, control.excluded.to_vec());
            scope.spawn(move || {
                let mut memory = memory();
                let mut tree = Tree::new(&mut position, &mut **helper, &mut memory, shared);
                (tree.helping, tree.stopper) = (true, Some(stopper));
                (tree.wide_root, tree.excluded) = (!excluded.is_empty(), excluded);
                // Until the deciding thread is done. Every other helper is a ply ahead, so that not all do the same.
                let ahead = 1 - number as u32 % 2;
                let _ =
                    (1..=limits.depth()).try_for_each(|depth| tree.root_value(depth + ahead, Window::FULL).map(drop));
            });
        }
        let result = Tree::new(position, &mut *evaluator[0], memory, &shared).deepen(limits, control);
        shared.over.store(true, Relaxed);
        result
    })
}
