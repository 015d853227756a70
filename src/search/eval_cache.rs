//! Static values found lately: the same position is often asked about again, by another search of its parent.

use crate::eval::{Evaluator, Score};
use crate::game::Game;

/// Values kept: 256 KiB, which stay in a processor's second cache.
const SLOTS: usize = 1 << 14;

/// The static values of the positions seen last, by key. It belongs to one evaluator.
#[derive(Debug, Clone, Default)]
pub(super) struct EvalCache {
    slots: Vec<(u64, Score)>,
}

impl EvalCache {
    /// Forgets everything, as another evaluator may be asked next.
    pub fn clear(&mut self) {
        self.slots.clear();
        // A key that does not lie in its slot is never found there.
        self.slots.extend((0..SLOTS).map(|slot| (!(slot as u64), 0)));
    }

    /// What `evaluator` says of `position`.
    #[inline]
    pub fn evaluate<G: Game>(&mut self, position: &G, evaluator: &mut dyn Evaluator<G>) -> Score {
        let key = position.key();
        let slot = &mut self.slots[key as usize % SLOTS];
        if slot.0 != key {
            *slot = (key, evaluator.evaluate(position));
        }
        slot.1
    }
}
