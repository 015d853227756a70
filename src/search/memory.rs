//! What a search keeps: table, move ordering, variations, and buffers.

use std::sync::Arc;

use super::eval_cache::EvalCache;
use super::ordering::{MoveStack, Ordering};
use super::settings::{MAX_DEPTH, SearchSettings};
use super::transposition::TranspositionTable;
use super::variation::Variations;
use crate::game::SearchHints;

/// The most plies from the root that extensions and quiescence lead to.
pub(super) const MAX_PLIES: u32 = 2 * MAX_DEPTH;

/// What a search keeps from node to node and from move to move.
#[derive(Debug, Clone)]
pub(super) struct Memory<G: SearchHints> {
    pub settings: SearchSettings,
    pub table: Option<Arc<TranspositionTable>>,
    pub ordering: Ordering<G>,
    pub variations: Variations<G::Move>,
    pub stack: MoveStack<G::Move>,
    pub evaluations: EvalCache,
    /// Whether the table may cut off by what earlier searches found.
    pub trusts_earlier: bool,
}

impl<G: SearchHints> Memory<G> {
    pub fn new(settings: SearchSettings) -> Self {
        const { assert!(G::MOVE_SLOTS <= 1 << 16, "the table keeps the slot of a move in 16 bits") };
        let megabytes = settings.transposition_mb;
        Self::with_table((megabytes > 0).then(|| Arc::new(TranspositionTable::new(megabytes))), settings)
    }

    /// Makes the memory of a thread that helps, on that thread: everything its own but the table.
    pub(crate) fn for_helper(&self) -> impl FnOnce() -> Self + Send + use<G> {
        let (table, settings) = (self.table.clone(), self.settings);
        move || {
            let mut memory = Self::with_table(table, settings);
            memory.prepare();
            memory
        }
    }

    fn with_table(table: Option<Arc<TranspositionTable>>, settings: SearchSettings) -> Self {
        Self {
            settings,
            table,
            ordering: Ordering::new(settings),
            variations: Variations::new(),
            stack: MoveStack::new(),
            evaluations: EvalCache::default(),
            trusts_earlier: false,
        }
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        let megabytes = self.settings.transposition_mb;
        if let Some(shared) = &mut self.table {
            match Arc::get_mut(shared) {
                Some(table) => table.clear(),
                // Clones of this search go on with the old one.
                None => *shared = Arc::new(TranspositionTable::new(megabytes)),
            }
        }
        self.ordering.clear();
    }

    /// Makes ready for the search of a new root.
    pub fn prepare(&mut self) {
        self.ordering.prepare(MAX_PLIES as usize + 1);
        self.variations.prepare(MAX_PLIES);
        self.stack.truncate(0);
        self.evaluations.clear();
        self.trusts_earlier = false;
    }
}
