//! What the solver remembers of positions in which the attacker is to move.

/// No win within any number of turns.
pub const NEVER: u8 = u8::MAX;

/// What is known of a position.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    key: u64,
    /// The attacker wins with at most so many double-threat turns; [`NEVER`] where that is not known.
    pub won: u8,
    /// He does not win with so many or fewer.
    pub refuted: u8,
    /// The stones of the turn that won, or that held out longest.
    pub best: [u16; 2],
}

impl Known {
    /// Nothing but that no turns do not win.
    const fn nothing(key: u64) -> Self {
        Self { key, won: NEVER, refuted: 0, best: [u16::MAX; 2] }
    }
}

/// A table of fixed size. The newest entry of a slot stays.
pub struct Table {
    slots: Vec<Known>,
}

impl Table {
    /// A table for about so many positions.
    pub fn new(positions: usize) -> Self {
        Self { slots: vec![Known::nothing(0); positions.next_power_of_two()] }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.slots.fill(Known::nothing(0));
    }

    /// What is known of a position.
    pub fn get(&self, key: u64) -> Known {
        let known = self.slots[key as usize & (self.slots.len() - 1)];
        if known.key == key { known } else { Known::nothing(key) }
    }

    /// Remembers a position.
    pub fn put(&mut self, known: Known) {
        let at = known.key as usize & (self.slots.len() - 1);
        self.slots[at] = known;
    }
}
