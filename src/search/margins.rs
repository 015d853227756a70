//! How far the selective parts of the search go: reductions by depth and move number, margins in the evaluator's scale.

use serde::{Deserialize, Serialize};

use crate::eval::{Evaluator, MAX_EVAL, Score};
use crate::game::Game;
use crate::settings::settings;

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
/// The most plies by which a lead makes a null move's search shallower.
const MOST_OF_LEAD: Score = 3;

settings! {
    /// How far the selective parts of the search go. "Per cent" is of the evaluator's scale, the score that stands for an expected
    /// result of tanh 1; "hundredths" are of a ply.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Margins {
        /// Half the width of the first window of an iteration, in per cent of the evaluator's scale.
        pub aspiration: u32 = 5, in 1..=1000;
        /// How far above beta the static value cuts off at once, in per cent for each ply of depth.
        pub reverse_futility: u32 = 15, in 0..=1000;
        /// How far below alpha the static value leaves out quiet moves, in per cent at any depth.
        pub futility_base: u32 = 15, in 0..=1000;
        /// The same, in per cent for each ply of depth.
        pub futility: u32 = 15, in 0..=1000;
        /// The lead of the static value over beta that makes a null move's search a ply shallower, in per cent.
        pub null_move_step: u32 = 35, in 1..=1000;
        /// By how much a null move's search is shallower at any depth, in hundredths of a ply.
        pub null_move_base: u32 = 300, in 100..=1000;
        /// The same, in hundredths for each ply of depth.
        pub null_move_slope: u32 = 25, in 0..=100;
        /// How many moves are tried at any depth before late quiet ones are left out.
        pub late_move_base: u32 = 3, in 1..=100;
        /// The same, in hundredths of a move for the square of the depth.
        pub late_move_slope: u32 = 100, in 0..=1000;
        /// By how much late quiet moves are searched less deep, in hundredths of a ply.
        pub reduction_base: u32 = 50, in 0..=300;
        /// The same, in hundredths for each unit of log2 depth times log2 number of the move.
        pub reduction_scale: u32 = 24, in 0..=100;
        /// By how much the best or worst history of a move changes its reduction, in hundredths of a ply.
        pub history_reduction: u32 = 300, in 0..=1000;
    }
}

impl Margins {
    /// Half the width of the first window of an iteration.
    pub(super) fn first_window(self, scale: Scale) -> Score {
        scale.percent(self.aspiration).max(1)
    }

    /// How far above beta the static value must be to cut off at once, `depth` plies before the leaves.
    pub(super) const fn lead_that_cuts_off(self, scale: Scale, depth: u32) -> Score {
        scale.percent(self.reverse_futility * depth)
    }

    /// How far below alpha the static value may be for a quiet move still to be tried, `depth` plies before the leaves.
    pub(super) const fn lag_that_is_tried(self, scale: Scale, depth: u32) -> Score {
        scale.percent(self.futility_base + self.futility * depth)
    }

    /// By how many plies a null move is searched less deep, `depth` plies before the leaves, where the static value is ahead of beta
    /// by `lead`.
    pub(super) fn null_move(self, scale: Scale, depth: u32, lead: Score) -> u32 {
        let step = scale.percent(self.null_move_step).max(1);
        self.null_move_at(depth) + (lead / step).clamp(0, MOST_OF_LEAD) as u32
    }

    /// The same, whatever the lead.
    const fn null_move_at(self, depth: u32) -> u32 {
        (self.null_move_base + self.null_move_slope * depth) / 100
    }

    /// How many moves are tried at a node `depth` plies before the leaves before quiet ones are left out.
    pub(super) const fn late_move_count(self, depth: u32) -> Option<u32> {
        if depth <= LATE_PRUNING_DEPTH {
            Some(self.late_move_base + self.late_move_slope * depth * depth / 100)
        } else {
            None
        }
    }

    /// By how many plies the quiet move `number` (from 1) of a node is searched less deep: by default about ½ + ln depth · ln number / 2.
    pub(super) const fn reduction(self, depth: u32, number: u32) -> u32 {
        // ln a · ln b / 2 = 0.24 · log2 a · log2 b; in 256ths of a ply, ½ is 128.
        let base = self.reduction_base * 256 / 100;
        (log2_in_16ths(depth) * log2_in_16ths(number) * self.reduction_scale / 100 + base) / 256
    }

    /// By how many plies a move of this `history`, at most `limit` either way, is reduced less than usual.
    pub(super) const fn less_for_history(self, history: i32, limit: i32) -> i32 {
        history * self.history_reduction as i32 / (100 * limit)
    }
}

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
}

/// The logarithm to base 2 of `n` ≥ 1 in sixteenths, linear between powers of 2: integers, so the same on every machine.
const fn log2_in_16ths(n: u32) -> u32 {
    let whole = n.ilog2();
    16 * whole + ((n << 4) >> whole) - 16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::connect6::StaticEvaluator;
    use crate::games::connect6::Connect6;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let reduction = |depth, number| Margins::default().reduction(depth, number);
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

    #[test]
    fn the_scale_is_the_least_score_that_stands_for_tanh_1() {
        assert_eq!(Scale::of::<Connect6>(&StaticEvaluator::default()), Scale(1000));
    }

    /// The formulas that results were made with before margins could be set, for every depth and number that occurs.
    #[test]
    fn by_default_margins_are_those_of_earlier_results() {
        let margins = Margins::default();
        for depth in 1..=64 {
            assert_eq!(margins.null_move_at(depth), 3 + depth / 4);
            let late = (depth <= 7).then_some(3 + depth * depth);
            assert_eq!(margins.late_move_count(depth), late);
            for number in 1..=200 {
                let logarithms = log2_in_16ths(depth) * log2_in_16ths(number);
                assert_eq!(margins.reduction(depth, number), (logarithms * 24 / 100 + 128) / 256);
            }
        }
        const LIMIT: i32 = 1 << 14;
        assert!((-LIMIT..=LIMIT).all(|history| margins.less_for_history(history, LIMIT) == history * 3 / LIMIT));
        let scale = Scale(777);
        assert_eq!(
            (margins.first_window(scale), margins.lead_that_cuts_off(scale, 3), margins.lag_that_is_tried(scale, 3)),
            (38, 349, 466)
        );
        assert_eq!([-1, 270, 271, 271 * 3, 271 * 9].map(|lead| margins.null_move(scale, 8, lead)), [5, 5, 6, 8, 8]);
    }

    #[test]
    fn extreme_margins_stay_within_numbers() {
        let most = Margins { null_move_slope: 100, reduction_scale: 100, ..Margins::default() };
        let most =
            Margins { reverse_futility: 1000, futility: 1000, futility_base: 1000, history_reduction: 1000, ..most };
        most.check().unwrap();
        let scale = Scale(MAX_EVAL);
        assert!(most.lag_that_is_tried(scale, FUTILITY_DEPTH) > most.lead_that_cuts_off(scale, FUTILITY_DEPTH));
        assert!(most.lag_that_is_tried(scale, FUTILITY_DEPTH) < Score::MAX / 8);
        assert_eq!(most.less_for_history(-(1 << 14), 1 << 14), -10);
        assert_eq!(most.reduction(64, 64), 36);
        let wrong = Margins { late_move_base: 0, ..most };
        assert_eq!(wrong.check().unwrap_err().to_string(), "`late_move_base` must be in [1, 100], got 0");
    }
}
