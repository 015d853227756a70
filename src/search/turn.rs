//! From a child's point of view to its parent's: values change sign only where the turn passes to the opponent.

use super::WIN;
use crate::eval::Score;
use crate::game::{Game, Side};

/// Beyond every score, and so that differences of two do not overflow.
pub(super) const UNREACHED: Score = Score::MAX / 4;

/// The range of values that still matter to the side to move: outside of it the exact value is not needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    /// The side to move is sure of this much already.
    pub alpha: Score,
    /// The opponent would not allow this much.
    pub beta: Score,
}

impl Window {
    /// Every value matters. Symmetric, so that it can be negated.
    pub(crate) const FULL: Self = Self { alpha: -UNREACHED, beta: UNREACHED };

    /// The narrowest window above alpha: is a value more than alpha or not?
    pub const fn null(self) -> Self {
        Self { beta: self.alpha + 1, ..self }
    }

    /// Whether no value lies strictly within.
    pub const fn is_null(self) -> bool {
        self.beta - self.alpha <= 1
    }

    /// The part of the window that values `ply` plies below the root can reach: from being lost here to having won here, as
    /// a player who goes on after a winning move has.
    pub(crate) fn within_reach(self, ply: u32) -> Self {
        let ply = ply as Score;
        Self { alpha: self.alpha.max(ply - WIN), beta: self.beta.min(WIN - ply) }
    }

    /// The window with `alpha` raised to `value` if that is more.
    pub fn raised(self, value: Score) -> Self {
        Self { alpha: self.alpha.max(value), ..self }
    }
}

/// Who is to move after a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// The player who made the move goes on.
    Kept,
    /// The opponent of the player who made the move.
    Passed,
}

impl Turn {
    /// Reads from `position`, reached by a move of `mover`, whose turn it is.
    pub fn after<G: Game>(mover: Side, position: &G) -> Self {
        if position.side_to_move() == mover { Self::Kept } else { Self::Passed }
    }

    /// The mover's value of a child whose own side to move values it `child`.
    pub const fn value(self, child: Score) -> Score {
        match self {
            Self::Kept => child,
            Self::Passed => -child,
        }
    }

    /// The mover's window as the child's side to move sees it.
    pub const fn window(self, window: Window) -> Window {
        match self {
            Self::Kept => window,
            Self::Passed => Window { alpha: -window.beta, beta: -window.alpha },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect6::Connect6;

    #[test]
    fn a_passed_turn_mirrors_and_a_kept_one_does_not() {
        let window = Window { alpha: -3, beta: 8 };
        assert_eq!(Turn::Passed.window(window), Window { alpha: -8, beta: 3 });
        assert_eq!(Turn::Kept.window(window), window);
        assert_eq!((Turn::Passed.value(5), Turn::Kept.value(5)), (-5, 5));
        assert_eq!(Turn::Passed.window(Window::FULL), Window::FULL);
        assert_eq!(window.null(), Window { alpha: -3, beta: -2 });
        assert!(window.null().is_null() && !window.is_null() && !Window::FULL.is_null());
    }

    #[test]
    fn no_value_is_beyond_having_won_or_lost_here() {
        assert_eq!(Window::FULL.within_reach(5), Window { alpha: 5 - WIN, beta: WIN - 5 });
        let window = Window { alpha: -3, beta: 8 };
        assert_eq!((window.within_reach(5), window.raised(-4)), (window, window));
        assert_eq!(window.raised(4), Window { alpha: 4, beta: 8 });
    }

    /// One stone of Black, then two of each side.
    #[test]
    fn the_turn_is_read_from_the_position() {
        let (mut game, mut turns) = (Connect6::of_size(6).unwrap(), Vec::new());
        for _ in 0..5 {
            let mover = game.side_to_move();
            game.play(game.moves()[0]);
            turns.push(Turn::after(mover, &game));
        }
        assert_eq!(turns, [Turn::Passed, Turn::Kept, Turn::Passed, Turn::Kept, Turn::Passed]);
    }
}
