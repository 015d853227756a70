//! How long to think: from the clock to the time that one move may take.

use std::time::Duration;

use crate::search::Stopper;

/// The moves that a game is expected to go on for when no time control says.
const MOVES_AHEAD: u32 = 30;

/// The clock of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// What is left for all moves up to the next time control, or of the game.
    pub remaining: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves up to the next time control, this one included; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The time for one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// After this no new iteration is begun.
    pub soft: Duration,
    /// At this the running iteration is broken off.
    pub hard: Duration,
}

impl Allowance {
    /// All of `time`.
    pub const fn all_of(time: Duration) -> Self {
        Self { soft: time, hard: time }
    }

    /// The shorter of both.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self { soft: self.soft.min(other.soft), hard: self.hard.min(other.hard) }
    }

    /// Lets the search of `stopper` run for this long from now on.
    pub fn begin(self, stopper: &Stopper) {
        stopper.allow(self.soft, self.hard);
    }
}

impl Clock {
    /// The time for one move: an even share of what is left and three quarters of the increment make the share s. No
    /// iteration is begun after 0.6 s, as it would cost more than all before it; one that runs may go on up to 4 s, for a
    /// move whose value has just changed, but never for more than half of what is left, unless the clock is set anew after
    /// this move. `overhead` is taken off first: what the move loses on its way.
    pub fn allowance(&self, overhead: Duration) -> Allowance {
        let spare = less(self.remaining, overhead);
        let moves = self.moves_to_go.unwrap_or(MOVES_AHEAD).clamp(1, MOVES_AHEAD);
        let share = (spare / moves + self.increment * 3 / 4).min(spare);
        let most = if moves == 1 { spare } else { spare / 2 };
        let hard = (share * 4).min(most);
        Allowance { soft: (share * 3 / 5).min(hard), hard }
    }
}

/// `time` less `overhead`, or half of it where the overhead would take more.
fn less(time: Duration, overhead: Duration) -> Duration {
    time - overhead.min(time / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_long_game_gets_even_shares() {
        let clock = Clock { remaining: ms(300_030), increment: ms(0), moves_to_go: None };
        assert_eq!(clock.allowance(ms(30)), Allowance { soft: ms(6_000), hard: ms(40_000) });
        let clock = Clock { remaining: ms(300_030), increment: ms(2_000), moves_to_go: Some(30) };
        assert_eq!(clock.allowance(ms(30)), Allowance { soft: ms(6_900), hard: ms(46_000) });
    }

    #[test]
    fn the_last_move_before_the_control_may_take_what_is_left() {
        let clock = Clock { remaining: ms(1_030), increment: ms(0), moves_to_go: Some(1) };
        assert_eq!(clock.allowance(ms(30)), Allowance { soft: ms(600), hard: ms(1_000) });
    }

    proptest! {
        #[test]
        fn no_move_takes_more_than_the_clock_has(
            remaining in 0..10_000_000_u64,
            increment in 0..1_000_000_u64,
            moves in proptest::option::of(0..100_u32),
            overhead in 0..5_000_u64,
        ) {
            let clock = Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go: moves };
            let Allowance { soft, hard } = clock.allowance(ms(overhead));
            prop_assert!(soft <= hard && hard <= ms(remaining));
            prop_assert!(hard + ms(overhead).min(ms(remaining) / 2) <= ms(remaining), "the overhead is left");
        }
    }
}
