//! The past of a game and the rules that look at it: repetition and plies without capture.

use super::chase::Chased;
use super::moves::Move;
use super::position::Position;
use super::squares::Squares;
use crate::game::{End, Outcome, Side};

/// Plies without capture after which the game is drawn.
pub const QUIET_PLIES: u16 = 120;

/// One move made, with what is needed to take it back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Past {
    /// The key before the move.
    pub key: u64,
    /// The move.
    pub mv: Move,
    /// Plies without capture before the move.
    pub quiet_plies: u16,
    /// Plies, before the move, that could be repeated: made since the set-up without capture or pawn's advance.
    pub repeatable_plies: u16,
    /// The code of the captured piece, 0 if there was none.
    pub captured: u8,
}

/// What a side did at every one of its moves of a cycle.
#[derive(Debug, Clone, Copy)]
struct Habit {
    /// Gave check.
    checks: bool,
    /// Chased these pieces, told by the points where they stand in the position under review.
    chased: Squares,
}

impl Habit {
    const ANY: Self = Self { checks: true, chased: Squares::BOARD };

    const fn is_idle(self) -> bool {
        !self.checks && self.chased.is_empty()
    }

    /// Follows a piece of the chased side back to where it stood before its move.
    fn follow_back(&mut self, mv: Move) {
        if self.chased.contains(mv.to()) {
            self.chased = self.chased & !Squares::of(mv.to()) | Squares::of(mv.from());
        }
    }
}

/// The verdict on a repetition that spans the last plies, all of `cycle`, and ends in `position`.
pub(crate) fn judge_repetition(position: Position, cycle: &[Past]) -> End {
    let [first, second] = habits(position, cycle);
    let drawn = |reason| End { outcome: Outcome::Draw, reason };
    let lost_by = |side: Side, reason| End { outcome: Outcome::Win(side.other()), reason };
    match [first.checks, second.checks] {
        [true, true] => return drawn("mutual perpetual check"),
        [true, false] => return lost_by(Side::First, "perpetual check"),
        [false, true] => return lost_by(Side::Second, "perpetual check"),
        [false, false] => {}
    }
    match [first, second].map(|habit| !habit.chased.is_empty()) {
        [true, true] => drawn("mutual perpetual chase"),
        [true, false] => lost_by(Side::First, "perpetual chase"),
        [false, true] => lost_by(Side::Second, "perpetual chase"),
        [false, false] => drawn("repetition"),
    }
}

/// What each side did throughout the cycle, found from its last move backwards.
fn habits(mut position: Position, cycle: &[Past]) -> [Habit; 2] {
    let mut habits = [Habit::ANY; 2];
    for (at, ply) in cycle.iter().enumerate().rev() {
        let check = position.in_check();
        position.unmake(ply.mv, ply.captured, ply.key);
        let mover = position.turn();
        let habit = &mut habits[mover.index()];
        habit.checks &= check;
        if !habit.chased.is_empty() {
            // A check is no chase, whatever else it attacks: it is the check that has to be answered.
            let candidates = if check { Squares::EMPTY } else { habit.chased };
            let previous = cycle[(at + cycle.len() - 1) % cycle.len()];
            habit.chased = chased_by(&position, ply.mv, &previous, candidates);
        }
        habits[mover.other().index()].follow_back(ply.mv);
        if habits.iter().all(|habit| habit.is_idle()) {
            break;
        }
    }
    habits
}

/// Those of `candidates` that `mv`, made after the ply `previous`, chases. A move that answers a check or a chase does not
/// chase by mere loss of protection.
fn chased_by(before: &Position, mv: Move, previous: &Past, candidates: Squares) -> Squares {
    let Chased { attacked, undermined } = Chased::by(before, mv, candidates);
    if undermined.is_empty() || is_answer(before, previous) { attacked } else { attacked | undermined }
}

/// Whether the ply `previous`, which led to `position`, gave check or made an attack that chases.
fn is_answer(position: &Position, previous: &Past) -> bool {
    let mut before = *position;
    before.unmake(previous.mv, previous.captured, previous.key);
    position.in_check() || !Chased::by(&before, previous.mv, Squares::BOARD).attacked.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_idle_that_neither_checks_nor_chases() {
        let idle = |checks: bool, chased: Squares| Habit { checks, chased }.is_idle();
        assert!(idle(false, Squares::EMPTY) && !Habit::ANY.is_idle());
        assert!(!idle(true, Squares::EMPTY) && !idle(false, Squares::of(4)) && !idle(true, Squares::of(4)));
    }

    #[test]
    fn a_chased_piece_is_followed_to_where_it_came_from() {
        let after = |chased: Squares, mv: Move| {
            let mut habit = Habit { checks: false, chased };
            habit.follow_back(mv);
            [3, 4, 5].map(|square| habit.chased.contains(square))
        };
        let both = Squares::of(4) | Squares::of(5);
        assert_eq!(after(both, Move::new(3, 4)), [true, false, true]);
        assert_eq!(after(both, Move::new(4, 3)), [false, true, true]);
        assert_eq!(after(Squares::EMPTY, Move::new(3, 4)), [false; 3]);
    }
}
