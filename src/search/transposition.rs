//! The transposition table: what earlier searches found out about a position, by its key.

use super::settings::{MAX_DEPTH, MAX_TABLE_MB};
use super::turn::Window;
use crate::eval::{MAX_EVAL, Score};

/// Entries that one key may be kept in.
const WAYS: usize = 4;

/// What a stored score says about the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The value is the score.
    Exact,
    /// The value is the score or more: some move was too good.
    Lower,
    /// The value is the score or less: no move was good enough.
    Upper,
}

impl Bound {
    /// What `score` says about the value when it is the best that a fail-soft search of `window` found.
    pub(super) const fn of(score: Score, window: Window) -> Self {
        if score <= window.alpha {
            Self::Upper
        } else if score >= window.beta {
            Self::Lower
        } else {
            Self::Exact
        }
    }
}

/// What the table keeps of one position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<M> {
    /// The score for the side to move; forced ends count their plies from this position, not from a root.
    pub score: Score,
    /// The remaining depth, in plies, of the search that found it.
    pub depth: u32,
    /// What the score says about the value.
    pub bound: Bound,
    /// The best move found.
    pub best: M,
    /// Whether the search that is running stored it; [`TranspositionTable::put`] takes it as true.
    pub current: bool,
}

impl<M> Entry<M> {
    /// The score as a root `ply` plies above sees it, if it settles a search of `window`.
    pub(super) const fn cutoff(&self, ply: u32, window: Window) -> Option<Score> {
        let score = from_node(self.score, ply);
        let settles = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        if settles { Some(score) } else { None }
    }
}

/// A score that counts plies to a forced end from the root, counted from a node `ply` plies below it instead.
pub(super) const fn to_node(score: Score, ply: u32) -> Score {
    if score > MAX_EVAL {
        score + ply as Score
    } else if score < -MAX_EVAL {
        score - ply as Score
    } else {
        score
    }
}

/// The inverse of [`to_node`].
pub(super) const fn from_node(score: Score, ply: u32) -> Score {
    if score > MAX_EVAL {
        score - ply as Score
    } else if score < -MAX_EVAL {
        score + ply as Score
    } else {
        score
    }
}

/// An entry as it lies in memory.
#[derive(Debug, Clone, Copy)]
struct Slot<M> {
    key: u64,
    score: Score,
    depth: u8,
    bound: Bound,
    generation: u8,
    /// `None` in a slot that was never written.
    best: Option<M>,
}

impl<M> Slot<M> {
    const EMPTY: Self = Self { key: 0, score: 0, depth: 0, bound: Bound::Upper, generation: 0, best: None };

    /// How much would be lost by overwriting this slot; empty and aged slots are worth least.
    fn worth(&self, generation: u8) -> i32 {
        let age = i32::from(generation.wrapping_sub(self.generation));
        if self.best.is_none() { i32::MIN } else { i32::from(self.depth) - (MAX_DEPTH as i32 + 1) * age }
    }
}

/// How many slots, in whole buckets, fill `megabytes` MiB.
fn slots_in<M>(megabytes: usize) -> usize {
    let bytes = megabytes.min(MAX_TABLE_MB).saturating_mul(1 << 20);
    (bytes / (WAYS * size_of::<Slot<M>>())).max(1) * WAYS
}

/// A table of fixed size. Keys are kept whole (64 bits) and compared whole.
#[derive(Debug, Clone)]
pub struct TranspositionTable<M> {
    slots: Vec<Slot<M>>,
    generation: u8,
}

impl<M: Copy> TranspositionTable<M> {
    /// A table that fills `megabytes` MiB, at least one bucket; beyond [`MAX_TABLE_MB`] it does not grow.
    #[must_use]
    pub fn new(megabytes: usize) -> Self {
        Self { slots: vec![Slot::EMPTY; slots_in::<M>(megabytes)], generation: 0 }
    }

    /// The number of positions that it can hold.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(Slot::EMPTY);
        self.generation = 0;
    }

    /// Marks what is stored from now on as newer than what is there.
    pub const fn next_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    /// What is known of the position with `key`.
    #[must_use]
    pub fn get(&self, key: u64) -> Option<Entry<M>> {
        let start = self.bucket(key);
        let slot = self.slots[start..start + WAYS].iter().find(|slot| slot.key == key)?;
        let (best, current) = (slot.best?, slot.generation == self.generation);
        Some(Entry { score: slot.score, depth: u32::from(slot.depth), bound: slot.bound, best, current })
    }

    /// Stores `entry` for the position with `key`: over what is known of it, or else over what is worth least.
    pub fn put(&mut self, key: u64, entry: Entry<M>) {
        let (start, generation) = (self.bucket(key), self.generation);
        let bucket = &mut self.slots[start..start + WAYS];
        let worst = |slot: &&mut Slot<M>| if slot.key == key { (0, 0) } else { (1, slot.worth(generation)) };
        if let Some(slot) = bucket.iter_mut().min_by_key(worst) {
            let depth = entry.depth.min(u32::from(u8::MAX)) as u8;
            *slot = Slot { key, score: entry.score, depth, bound: entry.bound, generation, best: Some(entry.best) };
        }
    }

    /// The first slot of the bucket of `key`: the key's high bits spread over the buckets.
    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.slots.len() / WAYS) as u128;
        ((u128::from(key) * buckets) >> 64) as usize * WAYS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::WIN;

    const fn entry(depth: u32, best: u16) -> Entry<u16> {
        Entry { score: 7, depth, bound: Bound::Exact, best, current: true }
    }

    #[test]
    fn gives_back_what_was_stored_under_the_whole_key_only() {
        let mut table = TranspositionTable::new(1);
        table.put(5, entry(3, 1));
        assert_eq!(table.get(5), Some(entry(3, 1)));
        assert_eq!(table.get(6), None, "same bucket, another key");
        table.put(5, entry(1, 2));
        assert_eq!(table.get(5), Some(entry(1, 2)), "the newest of one position");
        table.clear();
        assert_eq!(table.get(5), None);
    }

    #[test]
    fn an_empty_table_knows_nothing_of_key_zero() {
        assert_eq!(TranspositionTable::<u16>::new(0).get(0), None);
    }

    #[test]
    fn no_size_wraps_around() {
        let (largest, slot) = (slots_in::<u16>(MAX_TABLE_MB), size_of::<Slot<u16>>());
        assert!((MAX_TABLE_MB << 20) - largest * slot < WAYS * slot);
        assert_eq!([1 << 44, usize::MAX].map(slots_in::<u16>), [largest; 2]);
    }

    #[test]
    fn the_shallowest_of_the_oldest_makes_room() {
        let mut table = TranspositionTable::new(0);
        assert_eq!(table.capacity(), WAYS);
        for key in 0..4 {
            table.put(key, entry(10 - key as u32, 0));
        }
        table.next_generation();
        table.put(9, entry(1, 9));
        assert_eq!(table.get(3), None);
        table.put(10, entry(1, 10));
        assert_eq!(table.get(2), None);
        assert_eq!((table.get(9), table.get(0)), (Some(entry(1, 9)), Some(Entry { current: false, ..entry(10, 0) })));
    }

    #[test]
    fn forced_ends_keep_their_distance_from_the_node() {
        for score in [WIN - 9, 9 - WIN, 0, MAX_EVAL] {
            assert_eq!(from_node(to_node(score, 4), 4), score);
        }
        assert_eq!(to_node(WIN - 9, 4), WIN - 5);
        assert_eq!(to_node(MAX_EVAL, 4), MAX_EVAL);
    }

    #[test]
    fn bounds_cut_off_only_on_their_side() {
        let window = Window { alpha: 0, beta: 10 };
        let with = |score, bound| Entry { score, depth: 1, bound, best: 0_u16, current: true }.cutoff(0, window);
        assert_eq!(with(5, Bound::Exact), Some(5));
        assert_eq!((with(10, Bound::Lower), with(9, Bound::Lower)), (Some(10), None));
        assert_eq!((with(0, Bound::Upper), with(1, Bound::Upper)), (Some(0), None));
    }
}
