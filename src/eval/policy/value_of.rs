//! What an evaluator of moves and positions says of positions alone, as any search asks it.

use std::sync::Arc;

use super::PolicyValue;
use crate::eval::{Evaluator, Score};
use crate::game::Game;
use crate::net::math::softmax;

/// The score that stands for an expected result of tanh 1, 0.76.
const SCALE: f64 = 1000.0;

/// Expected results beyond this are taken for it, so that scores stay finite.
const MOST: f64 = 0.999_999;

/// The values of an evaluator of moves and positions, one position at a time.
pub struct ValueOf<G: Game> {
    network: Arc<dyn PolicyValue<G>>,
    row: Vec<f32>,
    logits: Vec<f32>,
}

impl<G: Game> ValueOf<G> {
    /// The values of `network`.
    pub fn new(network: Arc<dyn PolicyValue<G>>) -> Self {
        let (row, logits) = (vec![0.0; network.row_len()], vec![0.0; network.n_logits()]);
        Self { network, row, logits }
    }
}

impl<G: Game> Evaluator<G> for ValueOf<G> {
    fn evaluate(&mut self, position: &G) -> Score {
        let mut value = [0.0];
        self.network.write_row(position, &mut self.row);
        self.network.evaluate(&self.row, &mut self.logits, &mut value);
        score_of_value(f64::from(value[0]))
    }

    fn key(&self, position: &G) -> u64 {
        self.network.row_key(position)
    }

    fn expected_result(&self, score: Score) -> f64 {
        (f64::from(score) / SCALE).tanh()
    }
}

/// The score that stands for the expected result `value`, in [-1, 1], of an evaluator of moves and positions.
pub fn score_of_value(value: f64) -> Score {
    (SCALE * value.clamp(-MOST, MOST).atanh()).round() as Score
}

/// The legal moves of `position` with their priors by `network`: a softmax over these moves alone, so they sum to 1.
pub fn priors_of<G: Game>(network: &dyn PolicyValue<G>, position: &G) -> Vec<(G::Move, f32)> {
    let (mut row, mut logits, mut value) = (vec![0.0; network.row_len()], vec![0.0; network.n_logits()], [0.0]);
    let view = network.write_row(position, &mut row);
    network.evaluate(&row, &mut logits, &mut value);
    let moves = position.moves();
    let mut priors: Vec<f32> = moves.iter().map(|&mv| logits[network.logit_of(view, mv)]).collect();
    softmax(&mut priors);
    moves.into_iter().zip(priors).collect()
}
