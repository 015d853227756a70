//! Rows found again by their hashes.

use crate::pages::{advise_large_pages, prefetch};

/// Numbers of different things, found by their hashes. Things are compared by whoever looks for them, so hashes may be
/// equal where things are not.
#[derive(Debug, Clone)]
pub struct Slots {
    /// The number of a thing, counted from 1, and above it as much of its hash as there is room for: what the place of a slot does
    /// not tell already. 0, as zeroed memory is there at once, where there is no thing. At most half of them are taken.
    slots: Vec<u32>,
    n_taken: usize,
}

impl Slots {
    /// Room for so many things; for more it grows.
    pub fn new(n_things: usize) -> Self {
        Self { slots: none_taken((2 * n_things).next_power_of_two().max(2)), n_taken: 0 }
    }

    /// The bytes that it takes.
    pub const fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u32>()
    }

    /// Has the place of this hash brought near, for it is about to be looked up.
    #[inline]
    pub fn prefetch(&self, hash: u32) {
        prefetch(&self.slots, hash as usize & self.last());
    }

    /// The number of the first thing that may have this hash, counted from 1, or 0 if there is none: to be asked for several things at
    /// once, which then wait for memory together.
    #[inline]
    pub fn guess(&self, hash: u32) -> u32 {
        let mut at = hash as usize & self.last();
        loop {
            let slot = self.slots[at];
            if slot == 0 || self.may_have(slot, hash) {
                return slot & self.last() as u32;
            }
            at = (at + 1) & self.last();
        }
    }

    /// The number of the thing with this hash that `is_same`; if there is none, it gets the next number, which is how many there were.
    /// `hash_of` tells the hashes of those.
    #[inline]
    pub fn find(&mut self, hash: u32, is_same: impl Fn(usize) -> bool, hash_of: impl Fn(usize) -> u32) -> usize {
        let mut at = hash as usize & self.last();
        while let Some(number) = self.number_of(self.slots[at]) {
            if self.may_have(self.slots[at], hash) && is_same(number) {
                return number;
            }
            at = (at + 1) & self.last();
        }
        let new = self.n_taken;
        self.n_taken += 1;
        if 2 * self.n_taken > self.slots.len() {
            self.slots = none_taken(2 * self.slots.len());
            (0..new).for_each(|number| self.put(number, hash_of(number)));
            self.put(new, hash);
        } else {
            self.slots[at] = self.slot(new, hash);
        }
        new
    }

    /// Puts a number into the first free slot for its hash.
    fn put(&mut self, number: usize, hash: u32) {
        let mut at = hash as usize & self.last();
        while self.slots[at] != 0 {
            at = (at + 1) & self.last();
        }
        self.slots[at] = self.slot(number, hash);
    }

    /// The last place; its bits are those of a number in a slot, and those of a hash that tell the place.
    const fn last(&self) -> usize {
        self.slots.len() - 1
    }

    const fn slot(&self, number: usize, hash: u32) -> u32 {
        hash & !(self.last() as u32) | (number as u32 + 1)
    }

    /// Whether what a slot holds of a hash is equal to this one.
    const fn may_have(&self, slot: u32, hash: u32) -> bool {
        (slot ^ hash) & !(self.last() as u32) == 0
    }

    const fn number_of(&self, slot: u32) -> Option<usize> {
        (slot as usize & self.last()).checked_sub(1)
    }
}

/// So many slots without a number.
fn none_taken(n_slots: usize) -> Vec<u32> {
    let mut slots = vec![0; n_slots];
    advise_large_pages(&mut slots);
    slots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_keep_their_numbers_though_hashes_collide_and_slots_grow() {
        let (mut slots, mut things) = (Slots::new(0), Vec::new());
        for thing in (0..3000_u32).chain(0..3000) {
            let hash = thing % 700;
            let number = slots.find(hash, |number| things[number] == thing, |number| things[number] % 700);
            if number == things.len() {
                things.push(thing);
            }
            assert_eq!(number, thing as usize);
            let guess = slots.guess(hash);
            assert_eq!(things[guess as usize - 1] % 700, hash);
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
                slots.find(thing as u32, |_| false, |number| number as u32);
            }
            assert_eq!(slots.bytes(), 2 * bytes, "{n}");
        }
    }

    /// Two things in each of two places of eight, of which the one is the last; then one more than half of them.
    #[test]
    fn the_first_thing_with_a_hash_is_guessed_and_those_that_are_the_same_are_found() {
        let mut slots = Slots::new(4);
        let hashes = [1, 9, 7, 15, 15];
        let hash_of = |number: usize| hashes[number];
        for (number, &hash) in hashes[..4].iter().enumerate() {
            assert_eq!(slots.find(hash, |_| unreachable!("no hash is equal"), hash_of), number);
        }
        assert_eq!(slots.bytes(), 32);
        assert_eq!([1, 9, 7, 15, 23, 3].map(|hash| slots.guess(hash)), [1, 2, 3, 4, 0, 0]);
        assert_eq!(slots.find(9, |number| number == 1, hash_of), 1);
        // Another thing with a hash that is there.
        assert_eq!(slots.find(15, |number| number == 4, hash_of), 4);
        assert_eq!(slots.bytes(), 64);
        assert_eq!([1, 9, 7, 15, 23, 3].map(|hash| slots.guess(hash)), [1, 2, 3, 4, 0, 0]);
        assert_eq!([3, 4].map(|wanted| slots.find(15, |number| number == wanted, hash_of)), [3, 4]);
    }
}
