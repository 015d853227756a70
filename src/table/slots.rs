//! Rows found again by their hashes.

use crate::pages::{advise_large_pages, prefetch};

/// Numbers of different things, found by their hashes. Things are compared by whoever looks for them, so hashes may be
/// equal where things are not.
#[derive(Debug, Clone)]
pub struct Slots {
    /// The hash of a thing, and below it its number, counted from 1; 0, as zeroed memory is there at once, where there is none.
    /// At most half of them are taken.
    slots: Vec<u64>,
    n_taken: usize,
}

impl Slots {
    /// Room for so many things; for more it grows.
    pub fn new(n_things: usize) -> Self {
        Self { slots: none_taken((2 * n_things).next_power_of_two().max(2)), n_taken: 0 }
    }

    /// The bytes that it takes.
    pub const fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u64>()
    }

    /// Has the place of this hash brought near, for it is about to be looked up.
    #[inline]
    pub fn prefetch(&self, hash: u32) {
        prefetch(&self.slots, hash as usize & (self.slots.len() - 1));
    }

    /// The number of the first thing that has this hash, or 0: to be asked for several things at once, which then wait for memory
    /// together.
    #[inline]
    pub fn guess(&self, hash: u32) -> usize {
        let last = self.slots.len() - 1;
        let mut at = hash as usize & last;
        loop {
            let slot = self.slots[at];
            if slot == 0 || hash_of(slot) == hash {
                return (slot as u32).saturating_sub(1) as usize;
            }
            at = (at + 1) & last;
        }
    }

    /// The number of the thing with this hash that `is_same`; if there is none, the number `new` is taken up for it.
    #[inline]
    pub fn find(&mut self, hash: u32, new: usize, is_same: impl Fn(usize) -> bool) -> usize {
        let last = self.slots.len() - 1;
        let mut at = hash as usize & last;
        while self.slots[at] != 0 {
            let slot = self.slots[at];
            if hash_of(slot) == hash && is_same(number_of(slot)) {
                return number_of(slot);
            }
            at = (at + 1) & last;
        }
        self.slots[at] = u64::from(hash) << 32 | (new as u64 + 1);
        self.n_taken += 1;
        if 2 * self.n_taken > self.slots.len() {
            self.grow();
        }
        new
    }

    /// Twice as many slots.
    fn grow(&mut self) {
        let larger = none_taken(2 * self.slots.len());
        let last = larger.len() - 1;
        for slot in std::mem::replace(&mut self.slots, larger).into_iter().filter(|&slot| slot != 0) {
            let mut at = hash_of(slot) as usize & last;
            while self.slots[at] != 0 {
                at = (at + 1) & last;
            }
            self.slots[at] = slot;
        }
    }
}

/// So many slots without a number.
fn none_taken(n_slots: usize) -> Vec<u64> {
    let mut slots = vec![0; n_slots];
    advise_large_pages(&mut slots);
    slots
}

const fn hash_of(slot: u64) -> u32 {
    (slot >> 32) as u32
}

const fn number_of(slot: u64) -> usize {
    slot as u32 as usize - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_keep_their_numbers_though_hashes_collide_and_slots_grow() {
        let (mut slots, mut things) = (Slots::new(0), Vec::new());
        for thing in (0..3000_u32).chain(0..3000) {
            let hash = thing % 700;
            let number = slots.find(hash, things.len(), |number| things[number] == thing);
            if number == things.len() {
                things.push(thing);
            }
            assert_eq!(number, thing as usize);
            let guess = slots.guess(hash);
            assert!(guess == 0 || things[guess] % 700 == hash);
        }
        assert_eq!(things.len(), 3000);
    }

    #[test]
    fn slots_grow_when_there_are_more_things_than_was_said() {
        for n in [1, 2, 64] {
            let mut slots = Slots::new(n);
            let bytes = slots.bytes();
            for thing in 0..=n {
                assert_eq!(slots.bytes(), bytes, "{thing} of {n}");
                slots.find(thing as u32, thing, |_| false);
            }
            assert_eq!(slots.bytes(), 2 * bytes, "{n}");
        }
    }

    /// Two things in each of two places of eight, of which the one is the last; then one more than half of them.
    #[test]
    fn the_first_thing_with_a_hash_is_guessed_and_those_that_are_the_same_are_found() {
        let mut slots = Slots::new(4);
        for (number, hash) in [1, 9, 7, 15].into_iter().enumerate() {
            assert_eq!(slots.find(hash, number, |_| unreachable!("no hash is equal")), number);
        }
        assert_eq!(slots.bytes(), 64);
        assert_eq!([1, 9, 7, 15, 23, 3].map(|hash| slots.guess(hash)), [0, 1, 2, 3, 0, 0]);
        assert_eq!(slots.find(9, 4, |number| number == 1), 1);
        // Another thing with a hash that is there.
        assert_eq!(slots.find(15, 4, |number| number == 4), 4);
        assert_eq!(slots.bytes(), 16 * size_of::<u64>());
        assert_eq!([1, 9, 7, 15, 23, 3].map(|hash| slots.guess(hash)), [0, 1, 2, 3, 0, 0]);
        assert_eq!([3, 4].map(|wanted| slots.find(15, 5, |number| number == wanted)), [3, 4]);
    }
}
