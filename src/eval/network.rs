//! Trained networks as evaluators: positions in, scores out, with sums that follow the search from move to move.

mod explain;

use std::marker::PhantomData;

pub use explain::{ConditionPart, Explanation, Part, RulePart, leading_rule};

use super::{Evaluator, MAX_EVAL, Score};
use crate::features::FeatureSet;
use crate::game::Game;
use crate::net::Net;
use crate::net::accumulator::{Accumulator, Bytes};
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
    game: PhantomData<fn(G)>,
}

impl<G: Game, F: FeatureSet<G>> NetworkEvaluator<G, F> {
    /// An evaluator from a trained network whose inputs are those of `features`.
    pub fn new(net: &Net, features: F) -> Self {
        Self::playing(IntegerNet::of(net, Bits::ThirtyTwo), features)
    }

    /// An evaluator from a network in whole numbers whose inputs are those of `features`.
    pub fn playing(net: IntegerNet, features: F) -> Self {
        let accumulator = Accumulator::new(net.rows().clone());
        Self { features, net, accumulator, pass: Pass::default(), game: PhantomData }
    }

    /// The output y for its argument a, both for the same side.
    pub fn output_of(&self, argument: f32) -> f32 {
        self.net.head.output_of(argument)
    }

    /// The argument a of the output y = tanh a (of a rough network in the literal form y = a, held to ±1) for the **side that moves
    /// first**.
    #[inline]
    pub fn argument(&mut self, position: &G) -> f32 {
        let Self { features, net, accumulator, pass, .. } = self;
        let described = Described { position, features };
        if let Some(readout) = &net.readout {
            return accumulator.read_out(&described, readout);
        }
        accumulator.follow(&described, &mut pass.sums);
        net.head.head(accumulator.codes(), 0.0, pass);
        pass.argument
    }
}

/// A position as a feature set describes it.
struct Described<'p, G, F> {
    position: &'p G,
    features: &'p F,
}

impl<G: Game, F: FeatureSet<G>> Bytes for Described<'_, G, F> {
    #[inline]
    fn in_memory(&self) -> &[u8] {
        self.features.raw_in_memory(self.position)
    }

    #[inline]
    fn write_rest(&self, rest: &mut [u8]) {
        self.features.write_raw(self.position, rest);
    }

    #[inline]
    fn code_of(&self, attribute: usize, byte: u8) -> u8 {
        self.features.code_of_raw(attribute, byte)
    }
}

impl<G: Game, F: FeatureSet<G>> Evaluator<G> for NetworkEvaluator<G, F> {
    fn evaluate(&mut self, position: &G) -> Score {
        let value = self.argument(position) * SCORE_UNIT;
        let score = (value.round() as Score).clamp(-MAX_EVAL, MAX_EVAL);
        position.side_to_move().sign() * score
    }

    fn expected_result(&self, score: Score) -> f64 {
        f64::from(self.output_of(score as f32 / SCORE_UNIT))
    }
}
