//! Answers of an evaluator, remembered by the key of their rows.

use crate::pages::{advise_large_pages, prefetch, with_large_room};
use crate::random::mix;

/// Slots of a set: an answer may stand in any of those of its set.
const WAYS: usize = 2;

/// What stands in a slot besides the priors.
#[derive(Debug, Clone, Copy)]
struct Slot {
    key: u64,
    value: f32,
    n_priors: u32,
    /// Of [`EvaluationCache::generation`], when it was written; 0 for never.
    generation: u32,
    /// Of [`EvaluationCache::insertions`], when it was written.
    written: u32,
}

/// An answer: the value for the side to move, and the prior of each legal move in the order of
/// [`legal_moves`](crate::game::Game::legal_moves).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer<'a> {
    /// The expected result for the side to move, in [-1, 1].
    pub value: f32,
    /// Probabilities that sum to 1.
    pub priors: &'a [f32],
}

/// Answers that a cache is to take, one behind another: who gave them may be on another processor core than who takes them.
#[derive(Debug, Clone, Default)]
pub struct NewAnswers {
    /// The key and the value of each, and where its priors end.
    heads: Vec<(u64, f32, usize)>,
    priors: Vec<f32>,
}

impl NewAnswers {
    /// Adds the answer for the row with this key.
    pub fn push(&mut self, key: u64, answer: Answer<'_>) {
        self.priors.extend_from_slice(answer.priors);
        self.heads.push((key, answer.value, self.priors.len()));
    }
}

/// Answers of one evaluator in a fixed amount of memory: of two that fall into the same set, the older makes way.
///
/// Searches only read it ([`EvaluationCache::get`] takes `&self`), so that many can at once; what they learnt is inserted between
/// rounds, in an order of the caller's. Whoever changes the evaluator's weights clears it.
#[derive(Debug, Clone)]
pub struct EvaluationCache {
    slots: Vec<Slot>,
    priors: Vec<f32>,
    n_moves: usize,
    generation: u32,
    insertions: u32,
}

impl EvaluationCache {
    /// A cache of `entries` answers, rounded up to a power of two, of at most `n_moves` legal moves each; no entries: nothing is
    /// remembered. It takes 24 + 4 `n_moves` bytes an entry.
    pub fn new(entries: usize, n_moves: usize) -> Self {
        let entries = if entries == 0 { 0 } else { entries.max(WAYS).next_power_of_two() };
        let empty = Slot { key: 0, value: 0.0, n_priors: 0, generation: 0, written: 0 };
        let mut slots = with_large_room(entries);
        slots.resize(entries, empty);
        let mut priors = vec![0.0; entries * n_moves];
        advise_large_pages(&mut priors);
        Self { slots, priors, n_moves, generation: 1, insertions: 0 }
    }

    /// Forgets everything, in no time.
    pub fn clear(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.iter_mut().for_each(|slot| slot.generation = 0);
            self.generation = 1;
        }
    }

    /// The answer for the row with this key, if it is remembered and has `n_moves` legal moves.
    pub fn get(&self, key: u64, n_moves: usize) -> Option<Answer<'_>> {
        let mut set = self.set(key);
        let index = set.find(|&index| self.holds(index, key))?;
        let slot = &self.slots[index];
        let start = index * self.n_moves;
        let priors = &self.priors[start..start + slot.n_priors as usize];
        (priors.len() == n_moves).then_some(Answer { value: slot.value, priors })
    }

    /// Has the processor bring near where these answers will stand.
    pub fn expect(&self, answers: &NewAnswers) {
        for &(key, ..) in &answers.heads {
            let first = self.set(key).start;
            prefetch(&self.slots, first);
            prefetch(&self.priors, first * self.n_moves);
        }
    }

    /// Remembers these answers, in their order.
    pub fn take(&mut self, answers: &mut NewAnswers) {
        let mut begin = 0;
        for &(key, value, end) in &answers.heads {
            self.insert(key, Answer { value, priors: &answers.priors[begin..end] });
            begin = end;
        }
        answers.heads.clear();
        answers.priors.clear();
    }

    /// Remembers an answer; one with more moves than the cache has room for is not.
    pub fn insert(&mut self, key: u64, Answer { value, priors }: Answer<'_>) {
        let n_priors = priors.len();
        let known = self.set(key).find(|&index| self.holds(index, key));
        let Some(index) = known.or_else(|| self.oldest(key)).filter(|_| n_priors <= self.n_moves) else { return };
        self.insertions = self.insertions.wrapping_add(1);
        let (generation, written) = (self.generation, self.insertions);
        self.slots[index] = Slot { key, value, n_priors: n_priors as u32, generation, written };
        let start = index * self.n_moves;
        self.priors[start..start + n_priors].copy_from_slice(priors);
    }

    fn holds(&self, index: usize, key: u64) -> bool {
        self.slots[index].key == key && self.slots[index].generation == self.generation
    }

    /// The slots in which the answer for `key` may stand.
    fn set(&self, key: u64) -> std::ops::Range<usize> {
        let sets = self.slots.len() / WAYS;
        let first = if sets == 0 { 0 } else { mix(key) as usize % sets * WAYS };
        first..(first + WAYS).min(self.slots.len())
    }

    /// The slot of the set that was left alone for longest; one that holds nothing comes first.
    fn oldest(&self, key: u64) -> Option<usize> {
        let age = |index: &usize| {
            let slot = &self.slots[*index];
            if slot.generation == self.generation { self.insertions.wrapping_sub(slot.written) } else { u32::MAX }
        };
        self.set(key).max_by_key(age)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(cache: &mut EvaluationCache, key: u64, priors: &[f32]) {
        cache.insert(key, Answer { value: key as f32, priors });
    }

    #[test]
    fn what_is_inserted_is_found_until_it_is_cleared() {
        let mut cache = EvaluationCache::new(8, 3);
        put(&mut cache, 5, &[0.25, 0.75]);
        assert_eq!(cache.get(5, 2), Some(Answer { value: 5.0, priors: &[0.25, 0.75] }));
        assert_eq!((cache.get(5, 3), cache.get(6, 2)), (None, None));
        put(&mut cache, 7, &[0.25; 4]);
        assert_eq!(cache.get(7, 4), None, "too many moves");
        cache.clear();
        assert_eq!(cache.get(5, 2), None);
    }

    #[test]
    fn new_answers_are_taken_in_their_order() {
        let (mut cache, mut answers) = (EvaluationCache::new(8, 3), NewAnswers::default());
        let given: [(u64, &[f32]); 3] = [(5, &[0.25, 0.75]), (6, &[]), (5, &[0.5, 0.25, 0.25])];
        for (value, (key, priors)) in given.into_iter().enumerate() {
            answers.push(key, Answer { value: value as f32, priors });
        }
        cache.expect(&answers);
        cache.take(&mut answers);
        assert_eq!(cache.get(5, 3), Some(Answer { value: 2.0, priors: &[0.5, 0.25, 0.25] }), "the later one");
        assert_eq!(cache.get(6, 0), Some(Answer { value: 1.0, priors: &[] }));
        cache.clear();
        cache.take(&mut answers);
        assert_eq!(cache.get(6, 0), None, "they are taken once");
    }

    #[test]
    fn the_older_of_a_set_makes_way() {
        let mut cache = EvaluationCache::new(2, 1);
        for key in [1, 2, 3] {
            put(&mut cache, key, &[1.0]);
        }
        assert!(cache.get(1, 1).is_none() && cache.get(2, 1).is_some() && cache.get(3, 1).is_some());
    }

    #[test]
    fn no_entries_remember_nothing() {
        let mut cache = EvaluationCache::new(0, 1);
        put(&mut cache, 1, &[1.0]);
        assert_eq!(cache.get(1, 1), None);
    }
}
