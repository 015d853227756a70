//! Game-tree search: what a position is worth when both sides look ahead.
//!
//! [`minimax`] is the slow, obviously right reference; [`AlphaBeta`] finds the same value with far fewer nodes and is what
//! plays; [`MateSearch`] proves forced wins. All are generic over the game and take the evaluator as `&mut dyn Evaluator<G>`.
//!
//! Values are for the **side to move**. Whose turn it is after a move is asked of the position, so that games in which a
//! player moves twice in a row are searched rightly.

mod alpha_beta;
mod breadth_first;
mod control;
mod eval_cache;
mod margins;
mod mate;
pub mod mcts;
mod memory;
mod minimax;
mod mtdf;
mod ordering;
mod picker;
mod quiescence;
mod quiet_line;
mod selectivity;
mod settings;
mod threads;
mod transposition;
mod tree;
mod turn;
mod variation;

pub use alpha_beta::AlphaBeta;
pub use breadth_first::breadth_first;
pub use control::{Control, Iteration, Stopper};
pub use margins::Margins;
pub use mate::{ForcedWin, MateSearch};
pub(crate) use minimax::moves_of_width;
pub use minimax::{minimax, minimax_of_width};
pub use quiescence::Quiescence;
pub use quiet_line::quiet_line;
pub use settings::{Driver, Leaf, Limits, MAX_DEPTH, MAX_MOVETIME_MS, MAX_TABLE_MB, MAX_WIDTH, SearchSettings};
pub use transposition::{Bound, TableEntry, TranspositionTable};

use crate::eval::{Evaluator, MAX_EVAL, Score};
use crate::game::{End, Game, Side};

/// The score of a game that is won at the root itself; a win `n` plies below the root scores `WIN - n`.
/// Every win scores above [`MAX_EVAL`], every loss below `-MAX_EVAL`.
pub const WIN: Score = 2 * MAX_EVAL;

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchResult<M> {
    /// The best move; `None` where the side to move has none.
    pub best: Option<M>,
    /// The value for the side to move: the evaluator's unit, or within [`WIN`] minus the distance for a forced end.
    pub score: Score,
    /// The depth, in plies, of the last iteration that was finished; 0 if none was.
    pub depth: u32,
    /// Positions visited, quiescence included, over all iterations.
    pub nodes: u64,
    /// Searches of a null window at the root, over all iterations: 0 unless the driver is MTD(f).
    pub null_windows: u32,
    /// The principal variation: the moves both sides expect, starting with `best`.
    pub pv: Vec<M>,
}

/// Plies from the root to the forced end that `score` announces: positive when the side to move wins, negative when it
/// loses, `None` for an ordinary value.
pub const fn mate_distance(score: Score) -> Option<i32> {
    if score > MAX_EVAL {
        Some(WIN - score)
    } else if score < -MAX_EVAL {
        Some(-WIN - score)
    } else {
        None
    }
}

/// The expected result in [-1, 1] that a search score stands for under `evaluator`; ±1 for a forced end.
pub fn expected_result<G: Game>(evaluator: &dyn Evaluator<G>, score: Score) -> f64 {
    match mate_distance(score) {
        Some(_) => f64::from(score.signum()),
        None => evaluator.expected_result(score).clamp(-1.0, 1.0),
    }
}

/// The score of a finished game for `side`, `ply` plies below the root.
const fn end_score(end: End, side: Side, ply: u32) -> Score {
    end.outcome.value_for(side) * (WIN - ply as Score)
}

/// The score of a position that has no legal moves, for the side to move.
fn score_without_moves<G: Game>(position: &G, ply: u32) -> Score {
    let side = position.side_to_move();
    position.end().map_or(0, |end| end_score(end, side, ply))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::connect6::StaticEvaluator;
    use crate::game::{Notation, Outcome};
    use crate::games::connect6::Connect6;
    use crate::games::xiangqi::Xiangqi;

    #[test]
    fn ends_score_by_side_and_distance() {
        let won = End { outcome: Outcome::Win(Side::Second), reason: "test" };
        assert_eq!(end_score(won, Side::Second, 3), WIN - 3);
        assert_eq!(end_score(won, Side::First, 3), 3 - WIN);
        assert_eq!(end_score(End { outcome: Outcome::Draw, reason: "test" }, Side::First, 3), 0);
    }

    #[test]
    fn mate_distance_is_signed_and_only_for_forced_ends() {
        assert_eq!(mate_distance(WIN - 5), Some(5));
        assert_eq!(mate_distance(4 - WIN), Some(-4));
        assert_eq!(mate_distance(MAX_EVAL), None);
        assert_eq!(mate_distance(-MAX_EVAL), None);
    }

    #[test]
    fn a_forced_end_is_certain_and_nothing_else_is_more() {
        let evaluator = StaticEvaluator::default();
        let expected = [WIN - 7, 7 - WIN, 0].map(|score| expected_result::<Connect6>(&evaluator, score));
        assert_eq!(expected, [1.0, -1.0, 0.0]);
        assert!((0.5..=1.0).contains(&expected_result::<Connect6>(&evaluator, MAX_EVAL)));
    }

    #[test]
    fn who_cannot_move_has_lost_where_the_rules_say_so() {
        let stalemate = Xiangqi::from_notation("3k5/1R7/9/9/9/9/9/9/9/4K4 b").unwrap();
        assert_eq!(score_without_moves(&stalemate, 3), 3 - WIN);
    }
}
