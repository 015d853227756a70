//! Looking ahead, and the leaf where the value of a search comes from.

use super::learner::Steps;
use super::settings::Lookahead;
use crate::eval::{Evaluator, Score};
use crate::features::FeatureSet;
use crate::game::Game;
use crate::search::{AlphaBeta, Limits, mate_distance, quiet_line};

/// An evaluator that looks ahead.
pub(super) struct Thinker<G: Game> {
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

impl<G: Game> Thinker<G> {
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
            let (value, rest) = quiet_line(position, &mut *self.evaluator, self.lookahead.quiescence_plies);
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
pub(super) fn push_leaf<G: Game, F: FeatureSet<G>>(
    steps: &mut Steps,
    features: &F,
    position: &mut G,
    expectation: &Expectation<G::Move>,
) {
    expectation.line.iter().for_each(|&mv| position.play(mv));
    steps.push(expectation.known, |codes| features.encode(position, codes));
    expectation.line.iter().for_each(|_| position.undo());
}
