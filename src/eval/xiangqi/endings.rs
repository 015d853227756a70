//! Any evaluator, corrected by what is known of endings with few pieces.

use super::super::{Evaluator, MAX_EVAL, Score};
use crate::game::Side;
use crate::games::xiangqi::Xiangqi;
use crate::games::xiangqi::endings::{Ending, known};

/// What a known win is worth beside the evaluator's own value, which goes on to tell progress from standing still.
const KNOWN_WIN: Score = MAX_EVAL / 2;

/// An evaluator that gives known draws 0, known wins a value above all its own, and takes a share off the stronger side's
/// advantage in endings that it seldom wins (see [`known`]).
pub struct WithEndings<E>(pub E);

impl<E: Evaluator<Xiangqi>> Evaluator<Xiangqi> for WithEndings<E> {
    fn evaluate(&mut self, position: &Xiangqi) -> Score {
        let own = self.0.evaluate(position);
        let Some(ending) = known(position) else { return own };
        let sign = |side: Side| side.sign() * crate::game::Game::side_to_move(position).sign();
        match ending {
            Ending::Draw => 0,
            Ending::Win(side) => sign(side) * KNOWN_WIN + own.clamp(1 - KNOWN_WIN, KNOWN_WIN - 1),
            Ending::Drawish { strong, scale } if strong.is_none_or(|strong| own.signum() == sign(strong)) => {
                own * Score::from(scale) / 64
            }
            Ending::Drawish { .. } => own,
        }
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
}
