//! The transposition table: what earlier searches found out about a position, by its key.
//!
//! Several threads may use one table without locks: a slot is two words, its key and its data, and the key is stored combined
//! with the data, so that a slot half written by one thread and half by another is taken for one of another position.

use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::mate_distance;
use super::settings::{MAX_DEPTH, MAX_TABLE_MB};
use super::turn::Window;
use crate::eval::Score;
use crate::pages::{prefetch, with_large_room};

/// Entries that one key may be kept in: a bucket of them fills a cache line.
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
pub struct TableEntry {
    /// The score for the side to move; forced ends count their plies from this position, not from a root.
    pub score: Score,
    /// The remaining depth, in plies, of the search that found it, at most [`MAX_DEPTH`].
    pub depth: u32,
    /// What the score says about the value.
    pub bound: Bound,
    /// The [slot](crate::game::SearchHints::move_slot) of the best move found.
    pub best: u16,
    /// Whether the search that is running stored it; [`TranspositionTable::put`] takes it as true.
    pub current: bool,
}

impl TableEntry {
    /// The score as a root `ply` plies above sees it, if it settles a search of `window`.
    pub(super) const fn cutoff(&self, ply: u32, window: Window) -> Option<Score> {
        let score = further(self.score, -(ply as Score));
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
    further(score, ply as Score)
}

/// A score whose forced end, if it is one, is so many plies nearer.
const fn further(score: Score, plies: Score) -> Score {
    match mate_distance(score) {
        Some(_) => score + score.signum() * plies,
        None => score,
    }
}

/// Generations are counted from 0 to this, and then from 0 again: more than a game has moves.
const GENERATIONS: u16 = (1 << 14) - 1;

/// An entry in one word, from the lowest bit: score 24, depth 8, move 16, generation 14, bound 2 (never 0, so that no entry
/// is the word of an empty slot).
#[derive(Debug, Clone, Copy)]
struct Word(u64);

impl Word {
    fn of(entry: TableEntry, generation: u16) -> Self {
        let score = u64::from(entry.score as u32 & 0xFF_FFFF);
        let depth = u64::from(entry.depth.min(MAX_DEPTH)) << 24;
        let bound = (entry.bound as u64 + 1) << 62;
        Self(score | depth | u64::from(entry.best) << 32 | u64::from(generation) << 48 | bound)
    }

    const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The score's sign is its bit 23.
    const fn score(self) -> Score {
        ((self.0 as u32) << 8) as Score >> 8
    }

    const fn depth(self) -> u32 {
        (self.0 >> 24) as u32 & 0xFF
    }

    const fn generation(self) -> u16 {
        (self.0 >> 48) as u16 & GENERATIONS
    }

    const fn bound(self) -> Bound {
        match self.0 >> 62 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            _ => Bound::Upper,
        }
    }

    /// How much would be lost by overwriting this word; empty and aged ones are worth least.
    fn worth(self, generation: u16) -> i32 {
        let age = i32::from(generation.wrapping_sub(self.generation()) & GENERATIONS);
        if self.is_empty() { i32::MIN } else { self.depth() as i32 - (MAX_DEPTH as i32 + 1) * age }
    }
}

#[derive(Debug, Default)]
struct Slot {
    /// The key, combined with the word by exclusive or.
    lock: AtomicU64,
    word: AtomicU64,
}

impl Slot {
    fn word(&self) -> Word {
        Word(self.word.load(Ordering::Relaxed))
    }

    fn holds(&self, key: u64) -> Option<Word> {
        let word = self.word();
        (self.lock.load(Ordering::Relaxed) ^ word.0 == key && !word.is_empty()).then_some(word)
    }

    fn store(&self, key: u64, word: Word) {
        self.lock.store(key ^ word.0, Ordering::Relaxed);
        self.word.store(word.0, Ordering::Relaxed);
    }
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

/// How many buckets fill `megabytes` MiB.
fn buckets_in(megabytes: usize) -> usize {
    let bytes = megabytes.min(MAX_TABLE_MB).saturating_mul(1 << 20);
    (bytes / size_of::<Bucket>()).max(1)
}

/// Buckets of one block: a page of memory.
const BLOCK: usize = 64;

/// The buckets of a table, and which blocks of them hold something: short games leave most of a table as it was.
#[derive(Debug, Default)]
struct Buckets {
    all: Vec<Bucket>,
    /// Whether something was stored in the block.
    used: Vec<AtomicBool>,
}

impl Buckets {
    /// So many empty buckets.
    fn new(count: usize) -> Self {
        let mut all = with_large_room(count);
        all.resize_with(count, Bucket::default);
        Self { all, used: (0..count.div_ceil(BLOCK)).map(|_| AtomicBool::new(false)).collect() }
    }

    fn clear(&mut self) {
        for (used, block) in self.used.iter_mut().zip(self.all.chunks_mut(BLOCK)) {
            if std::mem::take(used.get_mut()) {
                block.fill_with(Bucket::default);
            }
        }
    }

    /// The number of the bucket of `key`: the key's high bits spread over the buckets.
    #[inline]
    fn number(&self, key: u64) -> usize {
        ((u128::from(key) * self.all.len() as u128) >> 64) as usize
    }
}

/// How many buckets are kept of tables that are of no use any more: 256 MiB.
const MOST_SPARE: usize = (256 << 20) / size_of::<Bucket>();

/// Their memory. Every game has tables of its own; allocated and freed by the thousand between other things they would leave the heap
/// full of holes that the system never sees again.
static SPARES: Mutex<Vec<Buckets>> = Mutex::new(Vec::new());

/// The memory of an earlier table of so many buckets, emptied, if there is one.
fn spare_buckets(count: usize) -> Option<Buckets> {
    let find = || {
        let mut spares = SPARES.lock().unwrap_or_else(PoisonError::into_inner);
        let fitting = spares.iter().position(|spare| spare.all.len() == count)?;
        Some(spares.swap_remove(fitting))
    };
    let mut buckets = find()?;
    buckets.clear();
    Some(buckets)
}

impl Drop for TranspositionTable {
    fn drop(&mut self) {
        let mut spares = SPARES.lock().unwrap_or_else(PoisonError::into_inner);
        let kept: usize = spares.iter().map(|spare| spare.all.len()).sum();
        if kept + self.buckets.all.len() <= MOST_SPARE {
            spares.push(std::mem::take(&mut self.buckets));
        }
    }
}

/// A table of fixed size. Keys are compared whole.
#[derive(Debug)]
pub struct TranspositionTable {
    buckets: Buckets,
    generation: AtomicU16,
}

impl TranspositionTable {
    /// A table that fills `megabytes` MiB, at least one bucket; beyond [`MAX_TABLE_MB`] it does not grow. The memory of one that is of
    /// no use any more is taken if there is one of this size.
    pub fn new(megabytes: usize) -> Self {
        let count = buckets_in(megabytes);
        let buckets = spare_buckets(count).unwrap_or_else(|| Buckets::new(count));
        Self { buckets, generation: AtomicU16::new(0) }
    }

    /// The number of positions that it can hold.
    pub const fn capacity(&self) -> usize {
        self.buckets.all.len() * WAYS
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.clear();
        self.generation = AtomicU16::new(0);
    }

    /// Marks what is stored from now on as newer than what is there.
    pub(crate) fn next_generation(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    fn generation(&self) -> u16 {
        self.generation.load(Ordering::Relaxed) & GENERATIONS
    }

    /// What is known of the position with `key`.
    pub fn get(&self, key: u64) -> Option<TableEntry> {
        let word = self.bucket(key).0.iter().find_map(|slot| slot.holds(key))?;
        Some(TableEntry {
            score: word.score(),
            depth: word.depth(),
            bound: word.bound(),
            best: (word.0 >> 32) as u16,
            current: word.generation() == self.generation(),
        })
    }

    /// Stores `entry` for the position with `key`: over what is known of it, or else over what is worth least.
    pub fn put(&self, key: u64, entry: TableEntry) {
        let (generation, number) = (self.generation(), self.buckets.number(key));
        self.buckets.used[number / BLOCK].store(true, Ordering::Relaxed);
        let worst = |slot: &&Slot| if slot.holds(key).is_some() { (0, 0) } else { (1, slot.word().worth(generation)) };
        if let Some(slot) = self.buckets.all[number].0.iter().min_by_key(worst) {
            slot.store(key, Word::of(entry, generation));
        }
    }

    /// Asks for the memory of the position with `key`, which will soon be looked at.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(&self.buckets.all, self.buckets.number(key));
    }

    /// How many slots the running search has filled, in thousandths, estimated from the first of them.
    pub(crate) fn permille_current(&self) -> u32 {
        let (generation, sample) = (self.generation(), &self.buckets.all[..self.buckets.all.len().min(250)]);
        let is_current = |slot: &&Slot| !slot.word().is_empty() && slot.word().generation() == generation;
        let current = sample.iter().flat_map(|bucket| &bucket.0).filter(is_current).count();
        (current * 1000 / (sample.len() * WAYS)) as u32
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets.all[self.buckets.number(key)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::MAX_EVAL;
    use crate::search::WIN;

    const fn entry(depth: u32, best: u16) -> TableEntry {
        TableEntry { score: 7, depth, bound: Bound::Exact, best, current: true }
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

    /// Whatever was stored in a table whose memory is used again, the new one is empty.
    #[test]
    fn a_table_of_used_memory_is_empty() {
        for round in 0..3 {
            let table = TranspositionTable::new(1);
            let keys = (0..20_000_u64).map(|number| number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
            assert!(keys.clone().all(|key| table.get(key).is_none()), "round {round}");
            keys.for_each(|key| table.put(key, entry(3, 1)));
        }
    }

    #[test]
    fn every_entry_comes_back_as_it_was() {
        let table = TranspositionTable::new(1);
        let scores = [0, 1, -1, MAX_EVAL, -MAX_EVAL, WIN, -WIN, WIN + 128, -WIN - 128];
        for (key, score) in (0..).zip(scores) {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                for (depth, best) in [(0, 0), (MAX_DEPTH, u16::MAX), (7, 8099)] {
                    let entry = TableEntry { score, depth, bound, best, current: true };
                    table.put(key, entry);
                    assert_eq!(table.get(key), Some(entry));
                }
            }
        }
    }

    #[test]
    fn an_empty_table_knows_nothing_of_key_zero() {
        assert_eq!(TranspositionTable::new(0).get(0), None);
    }

    #[test]
    fn a_slot_that_two_threads_tore_belongs_to_no_position() {
        let slot = Slot::default();
        slot.store(5, Word::of(entry(3, 1), 0));
        slot.word.store(Word::of(entry(4, 2), 0).0, Ordering::Relaxed);
        assert!(slot.holds(5).is_none());
    }

    #[test]
    fn no_size_wraps_around() {
        let largest = buckets_in(MAX_TABLE_MB);
        assert_eq!(largest * size_of::<Bucket>(), MAX_TABLE_MB << 20);
        assert_eq!([1 << 44, usize::MAX].map(buckets_in), [largest; 2]);
    }

    #[test]
    fn what_earlier_searches_stored_stays_old() {
        let table = TranspositionTable::new(0);
        table.put(1, entry(5, 0));
        for _ in 0..1000 {
            table.next_generation();
            assert!(!table.get(1).is_some_and(|known| known.current));
        }
    }

    #[test]
    fn the_shallowest_of_the_oldest_makes_room() {
        let table = TranspositionTable::new(0);
        assert_eq!(table.capacity(), WAYS);
        for key in 0..4 {
            table.put(key, entry(10 - key as u32, 0));
        }
        assert_eq!(table.permille_current(), 1000);
        table.next_generation();
        assert_eq!(table.permille_current(), 0);
        table.put(9, entry(1, 9));
        assert_eq!(table.get(3), None);
        table.put(10, entry(1, 10));
        assert_eq!(table.get(2), None);
        assert_eq!(
            (table.get(9), table.get(0)),
            (Some(entry(1, 9)), Some(TableEntry { current: false, ..entry(10, 0) }))
        );
    }

    #[test]
    fn forced_ends_keep_their_distance_from_the_node() {
        for score in [WIN - 9, 9 - WIN, 0, MAX_EVAL] {
            assert_eq!(further(to_node(score, 4), -4), score);
        }
        assert_eq!(to_node(WIN - 9, 4), WIN - 5);
        assert_eq!(to_node(MAX_EVAL, 4), MAX_EVAL);
    }

    #[test]
    fn bounds_cut_off_only_on_their_side() {
        let window = Window { alpha: 0, beta: 10 };
        let with = |score, bound| TableEntry { score, depth: 1, bound, best: 0, current: true }.cutoff(0, window);
        assert_eq!(with(5, Bound::Exact), Some(5));
        assert_eq!((with(10, Bound::Lower), with(9, Bound::Lower)), (Some(10), None));
        assert_eq!((with(0, Bound::Upper), with(1, Bound::Upper)), (Some(0), None));
    }

    #[test]
    fn a_score_on_the_edge_of_a_window_is_a_bound() {
        let window = Window { alpha: -3, beta: 8 };
        let bounds = [-4, -3, -2, 7, 8, 9].map(|score| Bound::of(score, window));
        assert_eq!(bounds[..2], [Bound::Upper; 2]);
        assert_eq!(bounds[2..4], [Bound::Exact; 2]);
        assert_eq!(bounds[4..], [Bound::Lower; 2]);
    }

    #[test]
    fn a_stored_end_is_further_from_a_root_that_lies_above() {
        let seen = |score| TableEntry { score, ..entry(1, 0) }.cutoff(4, Window::FULL);
        assert_eq!([WIN - 5, 5 - WIN, 5].map(seen), [Some(WIN - 9), Some(9 - WIN), Some(5)]);
    }

    #[test]
    fn every_part_of_a_word_has_its_bits() {
        let full = TableEntry { score: -1, depth: 1000, bound: Bound::Upper, best: u16::MAX, current: true };
        assert_eq!(Word::of(full, GENERATIONS).0, 0xFFFF_FFFF_40FF_FFFF);
        let small = TableEntry { score: 0x12_3456, depth: 3, bound: Bound::Exact, best: 0x0102, current: false };
        assert_eq!(Word::of(small, 1).0, 0x4001_0102_0312_3456);
        let lower = Word::of(TableEntry { bound: Bound::Lower, score: 0x80_0000 - (1 << 24), ..small }, 0);
        assert_eq!((lower.0, lower.score()), (0x8000_0102_0380_0000, -0x80_0000));
        assert_eq!((lower.depth(), lower.generation(), lower.bound()), (3, 0, Bound::Lower));
    }

    #[test]
    fn what_is_empty_or_old_is_worth_less_than_anything_new() {
        let worth = |depth, stored, now| Word::of(entry(depth, 0), stored).worth(now);
        assert_eq!([worth(0, 5, 5), worth(MAX_DEPTH, 5, 5)], [0, 64]);
        assert_eq!([worth(MAX_DEPTH, 5, 6), worth(3, 5, 7)], [-1, 3 - 2 * 65]);
        assert_eq!(worth(3, GENERATIONS, 0), 3 - 65, "generations go round");
        assert_eq!(Word(0).worth(3), i32::MIN);
        assert!(Word(0).is_empty() && !Word(1).is_empty());
    }

    #[test]
    fn keys_spread_over_the_buckets_by_their_high_bits() {
        let buckets = Buckets::new(10);
        assert_eq!(
            [0, 1 << 63, u64::MAX / 10, u64::MAX / 10 + 1, u64::MAX].map(|key| buckets.number(key)),
            [0, 5, 0, 1, 9]
        );
        assert_eq!([buckets.all.len(), buckets.used.len(), Buckets::new(BLOCK + 1).used.len()], [10, 1, 2]);
        assert_eq!([buckets_in(0), buckets_in(1)], [1, 1 << 14]);
    }
}
