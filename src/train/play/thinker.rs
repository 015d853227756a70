//! Looking ahead, and the leaf where the value of a search comes from.

use super::learner::Steps;
use super::settings::Lookahead;
use crate::eval::{Evaluator, Score};
use crate::features::FeatureSet;
use crate::game::BoardGame;
use crate::search::{AlphaBeta, Limits, mate_distance, quiet_line};

/// An evaluator that looks ahead.
pub(super) struct Thinker<G: BoardGame> {
    evaluator: Box<dyn Evaluator<G>>,
    searcher: AlphaBeta<G>,
    lookahead: Lookahead,
}

/// What a search expects.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Expectation<M> {
    /// The moves from the root to the leaf, the best one first; none at depth 0 of a quiet position.
    pub line: Vec<M>,
    /// The value of the leaf for the side that moves first, if it is an end of the game.
    pub known: Option<f32>,
    /// The value for the side to move.
    pub score: Score,
}

impl<G: BoardGame> Thinker<G> {
    pub fn new(evaluator: Box<dyn Evaluator<G>>, lookahead: Lookahead) -> Self {
        Self { evaluator, searcher: AlphaBeta::new(lookahead.search()), lookahead }
    }

    /// What the search of `position`, which is not over, expects.
    pub fn look(&mut self, position: &mut G) -> Expectation<G::Move> {
        let side = position.side_to_move();
        let (mut score, mut line) = match Limits::to_depth(self.lookahead.depth) {
            Ok(limits) => {
                let found = self.searcher.search(position, &mut *self.evaluator, limits);
                (Some(found.score), found.pv)
            }
            // Depth 0: no search.
            Err(_) => (None, Vec::new()),
        };
        line.iter().for_each(|&mv| position.play(mv));
        let is_over = |position: &G, line: &[G::Move]| !line.is_empty() && position.end().is_some();
        if score.and_then(mate_distance).is_none() && !is_over(position, &line) {
            let leaf = position.side_to_move();
            let Lookahead { quiescence_plies, width, .. } = self.lookahead;
            let (value, rest) = quiet_line(position, &mut *self.evaluator, quiescence_plies, width);
            score.get_or_insert(value * leaf.sign() * side.sign());
            rest.iter().for_each(|&mv| position.play(mv));
            line.extend(rest);
        }
        let score = score.unwrap_or_default();
        let won = mate_distance(score).map(|_| score.signum() * side.sign());
        let ended = || position.end().filter(|_| !line.is_empty()).map(|end| end.outcome.value());
        let known = won.or_else(ended).map(|value| value as f32);
        line.iter().for_each(|_| position.undo());
        Expectation { line, known, score }
    }
}

/// Appends the leaf at the end of `expectation`'s line from `position`.
pub(super) fn push_leaf<G: BoardGame, F: FeatureSet<G>>(
    steps: &mut Steps,
    features: &F,
    position: &mut G,
    expectation: &Expectation<G::Move>,
) {
    expectation.line.iter().for_each(|&mv| position.play(mv));
    steps.push(expectation.known, |codes| features.encode(position, codes));
    expectation.line.iter().for_each(|_| position.undo());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::NetworkEvaluator;
    use crate::features::board91::Board91;
    use crate::game::Game;
    use crate::game::Notation;
    use crate::game::playout::random_moves;
    use crate::games::xiangqi::Xiangqi;
    use crate::net::Net;
    use crate::net::dense::DenseShape;
    use crate::net::{Coding, DenseNet};
    use crate::random;

    fn net() -> Net {
        let specs = FeatureSet::<Xiangqi>::attributes(&Board91);
        let coding = Coding::new(&specs.iter().map(|spec| spec.inputs.clone()).collect::<Vec<_>>());
        Net::Dense(DenseNet::random(coding, DenseShape::one_layer(8), 1, "test"))
    }

    /// The value of the search is the network's at the leaf, seen from the other side where the leaf is the other's to move.
    #[test]
    fn leaves_have_the_values_of_their_searches() {
        let net = net();
        let evaluator = || Box::new(NetworkEvaluator::<Xiangqi, _>::new(&net, Board91));
        let (mut static_value, mut ends) = (evaluator(), 0);
        for (depth, quiescence_plies) in [(0, 0), (0, 8), (1, 0), (2, 0), (2, 8), (3, 0)] {
            let mut thinker = Thinker::new(evaluator(), Lookahead { depth, quiescence_plies, width: 0 });
            for seed in 0..6 {
                let mut position = Xiangqi::start();
                random_moves(&mut position, 20 + 20 * seed, &mut random::stream(seed as u64, "test", 0), |_| ());
                if position.end().is_some() {
                    continue;
                }
                let before = position.notation();
                let found = thinker.look(&mut position);
                assert_eq!(position.notation(), before);
                assert!(found.line.len() >= depth as usize || found.known.is_some());
                let side = position.side_to_move();
                found.line.iter().for_each(|&mv| position.play(mv));
                match found.known {
                    Some(value) => {
                        assert_eq!(found.score.signum() * side.sign(), value as i32);
                        ends += 1;
                    }
                    None => {
                        let leaf = static_value.evaluate(&position) * position.side_to_move().sign();
                        assert_eq!(found.score * side.sign(), leaf, "depth {depth} of {before}");
                    }
                }
            }
        }
        assert!(ends < 30, "{ends} of 36 leaves are ends of the game");
    }

    /// Mate in one: the leaf is the end of the game, and its value is the result, not the network's.
    #[test]
    fn a_leaf_that_ends_the_game_has_its_result() {
        let mut position = Xiangqi::from_notation("4k4/R8/8R/9/9/9/9/9/9/3K5 w").unwrap();
        let evaluator = Box::new(NetworkEvaluator::<Xiangqi, _>::new(&net(), Board91));
        let found = Thinker::new(evaluator, Lookahead { depth: 2, quiescence_plies: 0, width: 0 }).look(&mut position);
        assert_eq!((found.known, found.line.len()), (Some(1.0), 1));
    }
}
