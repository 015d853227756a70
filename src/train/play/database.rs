//! TD-Leaf on games that others played.

use rayon::prelude::*;

use super::learner::Steps;
use super::settings::LeafSettings;
use super::thinker::{Expectation, Thinker, push_leaf};
use crate::eval::network::NetworkEvaluator;
use crate::features::FeatureSet;
use crate::game::BoardGame;
use crate::net::Net;
use crate::record::GameRecord;
use crate::train::runner::{Method, RunError, Share};
use crate::train::td::TdLearner;

/// Positions that one thread searches with one evaluator. Searches do not depend on each other, so neither does the result
/// on this.
const PIECE: usize = 16;

/// TD(λ) over the leaves of searches from the positions of recorded games, with the network as it stands before each game.
pub struct LeafLambda<'a, G: BoardGame, F> {
    settings: LeafSettings,
    features: &'a F,
    games: Vec<&'a GameRecord<G>>,
    learner: TdLearner,
}

impl<'a, G: BoardGame, F: FeatureSet<G>> LeafLambda<'a, G, F> {
    /// Learning from `games` in their order; games without a result count as drawn.
    pub fn new(settings: LeafSettings, features: &'a F, games: Vec<&'a GameRecord<G>>) -> Self {
        let learner = settings.learning.learner();
        Self { settings, features, games, learner }
    }

    /// The leaves of one game.
    fn steps(&self, net: &Net, record: &GameRecord<G>) -> Steps {
        let mut positions = Vec::with_capacity(record.moves.len());
        // Each with its past, and none after the last move.
        record.replay(|position, mv| positions.extend(mv.map(|_| position.clone())));
        positions.drain(..self.settings.skip_plies.min(positions.len()));
        let look = |positions: &[G]| {
            let evaluator = Box::new(NetworkEvaluator::new(net, self.features.clone()));
            let mut thinker = Thinker::new(evaluator, self.settings.lookahead);
            positions.iter().map(|position| thinker.look(&mut position.clone())).collect::<Vec<_>>()
        };
        let expectations: Vec<Vec<Expectation<G::Move>>> = positions.par_chunks(PIECE).map(look).collect();
        let mut steps = Steps::new(self.features.n_attributes());
        for (mut position, expectation) in positions.into_iter().zip(expectations.into_iter().flatten()) {
            push_leaf(&mut steps, self.features, &mut position, &expectation);
        }
        steps.result = record.outcome.map_or(0.0, |outcome| outcome.value() as f32);
        steps
    }
}

impl<G: BoardGame, F: FeatureSet<G>> Method for LeafLambda<'_, G, F> {
    type Net = Net;

    fn train_share(&mut self, net: &mut Net, share: Share<'_>) -> Result<(), RunError> {
        let n = self.games.len();
        for game in share.of(n) {
            let steps = self.steps(net, self.games[game]);
            let progress = (share.pass as f64 + game as f64 / n as f64) / self.settings.passes as f64;
            self.settings.learning.learn(&mut self.learner, net, &steps, progress);
            share.observer.advance(steps.len() as u64);
        }
        Ok(())
    }
}
