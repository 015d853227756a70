//! How far the selective parts of the search go: reductions by depth and move number, margins in the evaluator's scale.

use crate::eval::{Evaluator, MAX_EVAL, Score};
use crate::game::Game;

/// Nodes of at most this depth are subject to futility pruning.
pub(super) const FUTILITY_DEPTH: u32 = 7;
/// Nodes of at most this depth leave out late quiet moves.
const LATE_PRUNING_DEPTH: u32 = 7;
/// Nodes of at least this depth try a null move.
pub(super) const NULL_MOVE_DEPTH: u32 = 2;
/// Nodes of at least this depth without a best move are searched one ply less deep.
pub(super) const INTERNAL_REDUCTION_DEPTH: u32 = 4;
/// Nodes of at least this depth reduce late moves.
pub(super) const REDUCTION_DEPTH: u32 = 3;
/// The first iteration that begins with a narrow window.
pub(super) const ASPIRATION_DEPTH: u32 = 4;

/// The lead, in an evaluator's unit, that margins are measured in: the score that stands for an expected result of tanh 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Scale(Score);

impl Scale {
    /// Found by bisection, as expected results ascend with scores.
    pub fn of<G: Game>(evaluator: &dyn Evaluator<G>) -> Self {
        let wanted = 1.0_f64.tanh();
        let (mut below, mut at) = (0, MAX_EVAL);
        while at - below > 1 {
            let middle = below + (at - below) / 2;
            if evaluator.expected_result(middle) < wanted { below = middle } else { at = middle }
        }
        Self(at)
    }

    const fn percent(self, percent: u32) -> Score {
        (self.0 as i64 * percent as i64 / 100) as Score
    }

    /// Half the width of the first window of an iteration.
    pub fn aspiration(self) -> Score {
        self.percent(5).max(1)
    }

    /// How far above beta the static value must be to cut off at once, `depth` plies before the leaves.
    pub(crate) const fn reverse_futility(self, depth: u32) -> Score {
        self.percent(15 * depth)
    }

    /// How far below alpha the static value may be for a quiet move still to be tried, `depth` plies before the leaves.
    pub(crate) const fn futility(self, depth: u32) -> Score {
        self.percent(15 + 15 * depth)
    }

    /// How much of the static value's lead over beta makes a null move's search one ply shallower.
    pub(crate) fn null_move_step(self) -> Score {
        self.percent(35).max(1)
    }
}

/// How many moves are tried at a node `depth` plies before the leaves before quiet ones are left out.
pub(super) const fn late_move_count(depth: u32) -> Option<u32> {
    if depth <= LATE_PRUNING_DEPTH { Some(3 + depth * depth) } else { None }
}

/// The logarithm to base 2 of `n` ≥ 1 in sixteenths, linear between powers of 2: integers, so the same on every machine.
const fn log2_in_16ths(n: u32) -> u32 {
    let whole = n.ilog2();
    16 * whole + ((n << 4) >> whole) - 16
}

/// By how many plies the quiet move `number` (from 1) of a node is searched less deep: about ½ + ln depth · ln number / 2.
pub(super) const fn reduction(depth: u32, number: u32) -> u32 {
    // ln a · ln b / 2 = 0.24 · log2 a · log2 b; in 256ths of a ply, ½ is 128.
    (log2_in_16ths(depth) * log2_in_16ths(number) * 24 / 100 + 128) / 256
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        assert_eq!(reduction(3, 1), 0);
        assert_eq!([(3, 4), (8, 8), (16, 40)].map(|(depth, number)| reduction(depth, number)), [1, 2, 5]);
        for depth in 1..64 {
            for number in 1..100 {
                assert!(reduction(depth, number) <= reduction(depth + 1, number));
                assert!(reduction(depth, number) <= reduction(depth, number + 1));
            }
        }
    }

    #[test]
    fn integer_logarithms_are_near_the_real_ones() {
        for n in 1..1000_u32 {
            assert!((f64::from(log2_in_16ths(n)) / 16.0 - f64::from(n).log2()).abs() < 0.15, "{n}");
        }
    }
}
