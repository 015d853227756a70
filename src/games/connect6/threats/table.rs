//! What the solver remembers of positions in which the attacker is to move.

/// No win within any number of turns.
pub(crate) const NEVER: u8 = u8::MAX;

/// What is known of a position.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    key: u64,
    /// The attacker wins with at most so many double-threat turns; [`NEVER`] where that is not known.
    pub won: u8,
    /// He does not win with so many or fewer.
    pub refuted: u8,
    /// The stones of the last turn that won, however many turns it took.
    pub best: [u16; 2],
}

impl Known {
    /// Nothing but that no turns do not win.
    const fn nothing(key: u64) -> Self {
        Self { key, won: NEVER, refuted: 0, best: [u16::MAX; 2] }
    }
}

/// Slots of an empty table.
const FEWEST: usize = 1 << 10;
/// Slots of the largest table: 16 MiB.
const MOST: usize = 1 << 20;

/// A table that grows with its use, up to a size. The newest entry of a slot stays.
pub struct Table {
    slots: Vec<Known>,
    used: usize,
}

impl Table {
    /// An empty table.
    pub fn new() -> Self {
        Self { slots: vec![Known::nothing(0); FEWEST], used: 0 }
    }

    /// What is known of a position.
    pub fn get(&self, key: u64) -> Known {
        let known = self.slots[self.slot(key)];
        if known.key == key { known } else { Known::nothing(key) }
    }

    /// Remembers a position.
    pub fn put(&mut self, known: Known) {
        if 2 * self.used > self.slots.len() && self.slots.len() < MOST {
            self.grow();
        }
        let slot = self.slot(known.key);
        self.used += usize::from(self.slots[slot].key == 0);
        self.slots[slot] = known;
    }

    const fn slot(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        let larger = vec![Known::nothing(0); 4 * self.slots.len()];
        let old = std::mem::replace(&mut self.slots, larger);
        self.used = 0;
        old.into_iter().filter(|known| known.key != 0).for_each(|known| self.put(known));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(key: u64, won: u8) -> Known {
        Known { won, refuted: won + 1, best: [key as u16, 7], ..Known::nothing(key) }
    }

    #[test]
    fn the_newest_of_two_positions_in_one_slot_stays() {
        let mut table = Table::new();
        let (first, second) = (5, 5 + FEWEST as u64);
        assert_eq!((table.get(first).won, table.get(first).refuted), (NEVER, 0));
        [known(first, 1), known(second, 2), known(6, 3)].into_iter().for_each(|known| table.put(known));
        assert_eq!([first, second, 6].map(|key| table.get(key).won), [NEVER, 2, 3]);
        assert_eq!([first, second, 6].map(|key| table.get(key).refuted), [0, 3, 4]);
        assert_eq!((table.get(6).best, table.used), ([6, 7], 2));
    }

    #[test]
    fn a_table_grows_when_more_than_half_of_it_is_used_and_keeps_what_it_holds() {
        let (mut table, half) = (Table::new(), FEWEST as u64 / 2);
        // What is put a second time takes no other slot.
        (1..=9).chain(1..=half + 1).for_each(|key| table.put(known(key, 3)));
        assert_eq!((table.slots.len(), table.used), (FEWEST, FEWEST / 2 + 1));
        table.put(known(half + 2, 3));
        assert_eq!((table.slots.len(), table.used), (4 * FEWEST, FEWEST / 2 + 2));
        assert!((1..=half + 2).all(|key| table.get(key).won == 3 && table.get(key).best == [key as u16, 7]));
        assert_eq!(table.get(half + 3).won, NEVER);
    }
}
