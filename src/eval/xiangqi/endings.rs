//! Any evaluator, corrected by what is known of endings with few pieces.

use super::super::{Evaluator, MAX_EVAL, Score};
use crate::game::{Game, Side};
use crate::games::xiangqi::Xiangqi;
use crate::games::xiangqi::endings::{Ending, is_small, known};
use crate::random;

/// What a known win is worth beside the evaluator's own value, at most half of it either way, which goes on to tell progress from
/// standing still.
const KNOWN_WIN: Score = MAX_EVAL / 2;

/// An evaluator that gives known draws 0, known wins a value above all its own, and stalemate, the end of some, one above all
/// known wins; it takes a share off the stronger side's advantage in endings that it seldom wins (see [`known`]).
pub struct WithEndings<E>(pub E);

impl<E: Evaluator<Xiangqi>> Evaluator<Xiangqi> for WithEndings<E> {
    fn evaluate(&mut self, position: &Xiangqi) -> Score {
        let own = self.0.evaluate(position);
        let Some(ending) = known(position) else { return own };
        let us = position.side_to_move();
        let sign = |side: Side| side.sign() * us.sign();
        match ending {
            Ending::Draw => 0,
            // Won already: a search that prunes by this value is not to go on to another known win instead.
            Ending::Win(side) if side != us && position.count_legal_moves() == 0 => -MAX_EVAL,
            Ending::Win(side) => sign(side) * KNOWN_WIN + own.clamp(-KNOWN_WIN / 2, KNOWN_WIN / 2 - 1),
            Ending::Drawish { strong, scale } if strong.is_none_or(|strong| own.signum() == sign(strong)) => {
                own * Score::from(scale) / 64
            }
            Ending::Drawish { .. } => own,
        }
    }

    /// What is known depends on the plies without capture too: a known win has to come before their rule ends the game.
    fn key(&self, position: &Xiangqi) -> u64 {
        let own = self.0.key(position);
        if is_small(position) { random::mix(own ^ u64::from(position.quiet_plies())) } else { own }
    }

    fn known_win(&self) -> Score {
        KNOWN_WIN / 2
    }

    fn expected_result(&self, score: Score) -> f64 {
        self.0.expected_result(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Catalogue;
    use crate::game::Notation;

    fn values(fen: &str) -> [Score; 2] {
        let position = Xiangqi::from_notation(fen).unwrap();
        ["traditional", "traditional+endings"]
            .map(|name| Xiangqi::evaluator_factory(name).unwrap()().evaluate(&position))
    }

    #[test]
    fn known_endings_overrule_the_evaluator() {
        let [own, known] = values("4k4/9/9/9/9/9/9/9/7R1/3K5 w");
        assert!(own < 2000 && known > KNOWN_WIN / 2, "a rook wins against a bare king: {own}, {known}");
        let [own, known] = values("3k5/9/9/9/9/9/9/9/7C1/5K3 b");
        assert!(own < -100 && known == 0, "a bare cannon does not: {own}, {known}");
        let [own, known] = values("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN1 w");
        assert_eq!(own, known, "nothing is known of full boards");
    }

    #[test]
    fn stalemate_is_worth_more_than_any_other_known_win() {
        let [_, stalemate] = values("3k5/1R7/9/9/9/9/9/9/9/4K4 b");
        assert_eq!(stalemate, -MAX_EVAL);
        let [_, win] = values("3k5/9/1R7/9/9/9/9/9/9/4K4 b");
        assert!((1 - MAX_EVAL..-KNOWN_WIN / 2).contains(&win), "{win}");
    }

    #[test]
    fn keys_tell_apart_what_values_hang_on() {
        let key = |fen: &str| {
            let position = Xiangqi::from_notation(fen).unwrap();
            Xiangqi::evaluator_factory("traditional+endings").unwrap()().key(&position)
        };
        assert_ne!(key("3k5/9/9/9/9/9/9/9/N8/4K4 w - - 0 60"), key("3k5/9/9/9/9/9/9/9/N8/4K4 w - - 119 60"));
        let full = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
        assert_eq!(key(&format!("{full} - - 0 60")), key(&format!("{full} - - 119 60")));
    }
}
