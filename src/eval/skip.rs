//! Skip terms: what another evaluator says, added to the argument of a network's output.

use serde::{Deserialize, Serialize};

use super::network::SCORE_UNIT;
use super::{Evaluator, MAX_EVAL, Score};
use crate::game::Game;
use crate::random::mix;
use crate::settings::{above, settings};

/// The largest [`skip_argument`], either way: an expected result of ±0.995, beyond which the tanh hardly moves.
const MOST_ARGUMENT: f64 = 3.0;

settings! {
    /// An evaluator whose word is added, times `scale`, to the argument of a network's output, so that the network learns what
    /// the evaluator misses.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct SkipTerm {
        /// Built-in evaluator whose value is added to the network's output, which then learns what the evaluator misses.
        pub evaluator: String = String::new(), as "{}-term";
        /// Factor on the value of the skip term.
        pub scale: f32 = 1.0, in above(0.0).up_to(10.0), as "{}-scale";
    }
}

/// What a skip term adds, before its scale, to the argument of a network's output: artanh of the expected result that
/// `evaluator` gives `position`, for the **side that moves first**, held to ±3.
pub fn skip_argument<G: Game>(evaluator: &mut dyn Evaluator<G>, position: &G) -> f32 {
    let score = evaluator.evaluate(position);
    let argument = evaluator.expected_result(score).clamp(-1.0, 1.0).atanh().clamp(-MOST_ARGUMENT, MOST_ARGUMENT);
    position.side_to_move().sign() as f32 * argument as f32
}

/// A network's evaluator with the skip term that the network was trained with.
///
/// Scores of networks are arguments of the output's tanh in a fixed unit, so the term is added to the score.
pub struct WithSkip<G: Game> {
    network: Box<dyn Evaluator<G>>,
    skip: Box<dyn Evaluator<G>>,
    scale: f32,
}

impl<G: Game> WithSkip<G> {
    /// `network` (a [`super::network::NetworkEvaluator`]) with `scale` times the word of `skip`.
    pub fn new(network: Box<dyn Evaluator<G>>, skip: Box<dyn Evaluator<G>>, scale: f32) -> Self {
        Self { network, skip, scale }
    }
}

impl<G: Game> Evaluator<G> for WithSkip<G> {
    fn evaluate(&mut self, position: &G) -> Score {
        let added = (self.scale * skip_argument(&mut *self.skip, position) * SCORE_UNIT).round() as Score;
        let sum = self.network.evaluate(position) + position.side_to_move().sign() * added;
        sum.clamp(-MAX_EVAL, MAX_EVAL)
    }

    fn key(&self, position: &G) -> u64 {
        mix(self.network.key(position)) ^ self.skip.key(position)
    }

    fn expected_result(&self, score: Score) -> f64 {
        self.network.expected_result(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_of_the_scale_is_stated() {
        for scale in [0.0, -1.0, 10.5, f32::NAN] {
            let skip = SkipTerm { evaluator: "traditional".into(), scale };
            assert!(skip.check().unwrap_err().to_string().starts_with("`scale` must be in (0, 10], got"));
        }
    }
}
