//! Trained networks as evaluators: positions in, scores out, with sums that follow the search from move to move.

mod explain;

use std::marker::PhantomData;

pub use explain::{ConditionPart, Explanation, Part, RulePart};

use super::{Evaluator, MAX_EVAL, Score, skip_argument};
use crate::features::FeatureSet;
use crate::game::Game;
use crate::net::accumulator::Accumulator;
use crate::net::math::tanh;
use crate::net::store::Net;
use crate::net::{Bits, IntegerNet, Network, Pass};

/// Scores are this many times the argument a of the output's tanh: y = tanh(score / unit). The search needs only the
/// order of values, and a keeps apart the clearly won positions that tanh would round to 1.
pub const SCORE_UNIT: f32 = 2000.0;

/// A network that evaluates positions of `G` as feature set `F` describes them.
pub struct NetworkEvaluator<G, F> {
    features: F,
    net: IntegerNet,
    accumulator: Accumulator,
    pass: Pass,
    skip: Option<Skip<G>>,
    game: PhantomData<fn(G)>,
}

/// The evaluator beside which a network was trained.
pub struct Skip<G> {
    /// It says what the network adds to.
    pub evaluator: Box<dyn Evaluator<G>>,
    /// What its [`skip_argument`] is multiplied by.
    pub scale: f32,
}

impl<G: Game> Skip<G> {
    /// What is added to the argument of the network's output.
    pub fn offset(&mut self, position: &G) -> f32 {
        self.scale * skip_argument(&mut *self.evaluator, position)
    }
}

impl<G: Game, F: FeatureSet<G>> NetworkEvaluator<G, F> {
    /// An evaluator from a trained network whose inputs are those of `features`.
    #[must_use]
    pub fn new(net: &Net, features: F) -> Self {
        Self::playing(IntegerNet::of(net, Bits::ThirtyTwo), features)
    }

    /// An evaluator from a network in whole numbers whose inputs are those of `features`.
    #[must_use]
    pub fn playing(net: IntegerNet, features: F) -> Self {
        let accumulator = Accumulator::new(net.rows().clone());
        Self { features, net, accumulator, pass: Pass::default(), skip: None, game: PhantomData }
    }

    /// The same beside the evaluator that the network was trained beside.
    #[must_use]
    pub fn beside(self, skip: Option<Skip<G>>) -> Self {
        Self { skip, ..self }
    }

    /// The argument a of the output y = tanh a for the **side that moves first**.
    #[inline]
    pub fn argument(&mut self, position: &G) -> f32 {
        let offset = self.skip.as_mut().map_or(0.0, |skip| skip.offset(position));
        let Self { features, accumulator, pass, .. } = self;
        let code_of = |attribute, raw| features.code_of_raw(attribute, raw);
        accumulator.follow(|raw| features.write_raw(position, raw), code_of, &mut pass.sums);
        self.net.head().argument(accumulator.codes(), offset, pass);
        pass.argument
    }
}

impl<G: Game, F: FeatureSet<G>> Evaluator<G> for NetworkEvaluator<G, F> {
    fn evaluate(&mut self, position: &G) -> Score {
        let value = self.argument(position) * SCORE_UNIT;
        let score = (value.round() as Score).clamp(-MAX_EVAL, MAX_EVAL);
        position.side_to_move().sign() * score
    }

    fn expected_result(&self, score: Score) -> f64 {
        f64::from(tanh(score as f32 / SCORE_UNIT))
    }
}
