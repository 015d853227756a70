//! Trained networks as evaluators: positions in, scores out, with sums that follow the search from move to move.

use std::marker::PhantomData;

use super::{Evaluator, MAX_EVAL, Score};
use crate::features::FeatureSet;
use crate::game::Game;
use crate::net::accumulator::Accumulator;
use crate::net::math::tanh;
use crate::net::store::Net;
use crate::net::{Activation, Network, Pass};

/// Scores are this many times the argument a of the output's tanh: y = tanh(score / unit). The search needs only the
/// order of values, and a keeps apart the clearly won positions that tanh would round to 1.
pub const SCORE_UNIT: f32 = 2000.0;

/// A network that evaluates positions of `G` as feature set `F` describes them.
pub struct NetworkEvaluator<G, F> {
    features: F,
    net: Net,
    accumulator: Accumulator,
    codes: Vec<u8>,
    pass: Pass,
    game: PhantomData<fn(G)>,
}

impl<G: Game, F: FeatureSet<G>> NetworkEvaluator<G, F> {
    /// An evaluator from a trained network whose inputs are those of `features`.
    #[must_use]
    pub fn new(net: &Net, features: F) -> Self {
        let layer = net.first_layer();
        let row = |class: usize| {
            let Activation { row, factor } = layer.activation(class);
            let first = row as usize * layer.width();
            net.parameters()[first..first + layer.width()].iter().map(|weight| factor * weight).collect()
        };
        let accumulator = Accumulator::new(layer.coding(), net.base(), row);
        let pass = Pass { sums: vec![0.0; layer.width()], ..Pass::default() };
        let codes = vec![0; features.n_attributes()];
        Self { features, net: net.clone(), accumulator, codes, pass, game: PhantomData }
    }
}

impl<G: Game, F: FeatureSet<G>> Evaluator<G> for NetworkEvaluator<G, F> {
    fn evaluate(&mut self, position: &G) -> Score {
        self.features.encode(position, &mut self.codes);
        self.accumulator.move_to(&self.codes, &mut self.pass.sums);
        self.net.head(&self.codes, 0.0, &mut self.pass);
        let value = self.pass.argument * SCORE_UNIT;
        let score = (value.round() as Score).clamp(-MAX_EVAL, MAX_EVAL);
        position.side_to_move().sign() * score
    }

    fn expected_result(&self, score: Score) -> f64 {
        f64::from(tanh(score as f32 / SCORE_UNIT))
    }
}
