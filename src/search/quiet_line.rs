//! Quiescence that tells the line it follows: where the value of a leaf comes from.
//!
//! The search itself keeps no moves of its quiescence. This is asked once a search, at the end of its principal variation,
//! and written like [`super::minimax`], from the point of view of the first side, with bounds.

use std::cmp::Reverse;

use super::minimax::{is_better, moves_of_width};
use super::turn::UNREACHED;
use super::{WIN, score_without_moves};
use crate::eval::{Evaluator, Score};
use crate::game::{SearchHints, Side};

/// The value of `position` for its side to move once noise has died down, and the moves that lead to where it is the static
/// value; after `plies` of them the static value is taken in any case. A search that leaves losing captures out, tries checks or judges
/// cycles in its quiescence may find another value. No more than `width` moves out of check are tried ([`super::SearchSettings::width`]).
pub fn quiet_line<G: SearchHints>(
    position: &mut G,
    evaluator: &mut dyn Evaluator<G>,
    plies: u32,
    width: u32,
) -> (Score, Vec<G::Move>) {
    let side = position.side_to_move();
    let (value, line) = QuietLine { evaluator, width, ply: 0 }.value(position, plies, (-UNREACHED, UNREACHED));
    (value * side.sign(), line)
}

/// A value for the first side and the line that leads to it.
type Line<M> = (Score, Vec<M>);

struct QuietLine<'a, G> {
    evaluator: &'a mut dyn Evaluator<G>,
    /// The most moves out of check that are tried; 0 for all.
    width: u32,
    /// Plies from where it was asked.
    ply: u32,
}

impl<G: SearchHints> QuietLine<'_, G> {
    /// Exact within the bounds `low` and `high`, a bound outside of them.
    fn value(&mut self, position: &mut G, left: u32, (mut low, mut high): (Score, Score)) -> Line<G::Move> {
        let (side, in_check) = (position.side_to_move(), left > 0 && position.in_check());
        let mut best = (!in_check).then(|| (self.evaluator.evaluate(position) * side.sign(), Vec::new()));
        for mv in if left > 0 { self.moves(position, in_check) } else { Vec::new() } {
            match (&best, side) {
                (Some((value, _)), Side::First) => low = low.max(*value),
                (Some((value, _)), Side::Second) => high = high.min(*value),
                (None, _) => {}
            }
            if low >= high {
                break;
            }
            let (value, mut line) = self.after(position, mv, left - 1, (low, high));
            if best.as_ref().is_none_or(|&(known, _)| is_better(side, value, known)) {
                line.insert(0, mv);
                best = Some((value, line));
            }
        }
        best.unwrap_or_else(|| (score_without_moves(position, self.ply) * side.sign(), Vec::new()))
    }

    /// The moves to try, the noisiest first: all of them in check, and the noisy ones otherwise.
    fn moves(&self, position: &G, in_check: bool) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if in_check {
            moves = moves_of_width(position, self.width);
        } else {
            position.noisy_moves(&mut moves);
        }
        moves.sort_by_key(|&mv| Reverse(position.noise_of(mv)));
        moves
    }

    fn after(&mut self, position: &mut G, mv: G::Move, left: u32, bounds: (Score, Score)) -> Line<G::Move> {
        position.play(mv);
        self.ply += 1;
        let line = match position.end_by_history() {
            Some(end) => (end.outcome.value() * (WIN - self.ply as Score), Vec::new()),
            None => self.value(position, left, bounds),
        };
        self.ply -= 1;
        position.undo();
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Catalogue;
    use crate::eval::xiangqi::TRADITIONAL;
    use crate::game::playout::random_moves;
    use crate::game::{Game, Notation};
    use crate::games::xiangqi::Xiangqi;
    use crate::random;
    use crate::search::{Leaf, mate_distance, minimax};

    /// The value is that of plain quiescence, and the static value at the end of the line is the value.
    #[test]
    fn the_line_ends_where_the_value_comes_from() {
        let mut evaluator = Xiangqi::evaluator_factory(TRADITIONAL).unwrap()();
        let mut lengths = 0;
        for seed in 0..12 {
            let mut position = Xiangqi::start();
            random_moves(&mut position, 30, &mut random::stream(seed, "test", 0), |_| ());
            let (value, line) = quiet_line(&mut position, &mut *evaluator, 6, 0);
            let slow = minimax(&mut position, &mut *evaluator, 0, Leaf::Quiescence { plies: 6 });
            assert_eq!(value, slow.score, "{}", position.notation());
            lengths += line.len();
            if mate_distance(value).is_none() {
                let side = position.side_to_move();
                line.iter().for_each(|&mv| position.play(mv));
                let end = evaluator.evaluate(&position) * position.side_to_move().sign();
                assert_eq!(value * side.sign(), end);
            }
        }
        assert!(lengths > 0, "no position was noisy");
    }

    /// Red has given check at each of its moves: once the position before them occurs for the third time, it has lost.
    #[test]
    fn an_end_by_history_is_worth_its_outcome() {
        let mut evaluator = Xiangqi::evaluator_factory(TRADITIONAL).unwrap()();
        let mut position = Xiangqi::from_notation("3k5/R8/9/9/9/9/9/9/9/4K4 w").unwrap();
        for text in ["a8a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8"] {
            position.play(position.parse_move(text).unwrap());
        }
        let back = position.parse_move("d8d9").unwrap();
        assert_eq!(quiet_line(&mut position, &mut *evaluator, 6, 0), (WIN - 1, vec![back]));
    }

    /// Black is mated: that is seen where moves are looked at, and not where the static value is taken.
    #[test]
    fn in_check_all_moves_are_tried_as_long_as_there_are_plies() {
        let mut evaluator = Xiangqi::evaluator_factory(TRADITIONAL).unwrap()();
        let mut position = Xiangqi::from_notation("3k5/R8/9/1R7/9/9/8p/9/9/4K4 w").unwrap();
        position.play(position.parse_move("b6b9").unwrap());
        assert_eq!(quiet_line(&mut position, &mut *evaluator, 1, 0), (-WIN, Vec::new()));
        let standing = evaluator.evaluate(&position);
        assert_eq!(quiet_line(&mut position, &mut *evaluator, 0, 0), (standing, Vec::new()));
    }
}
