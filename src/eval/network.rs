//! Trained networks as evaluators: positions in, scores out, with sums that follow the search from move to move.

use std::marker::PhantomData;

use super::{Evaluator, MAX_EVAL, Score};
use crate::features::FeatureSet;
use crate::game::Game;
use crate::net::accumulator::Accumulator;
use crate::net::math::tanh;
use crate::net::store::Net;
use crate::net::{DenseNet, RoughNet};

/// Scores are this many times the argument a of the output's tanh: y = tanh(score / unit). The search needs only the
/// order of values, and a keeps apart the clearly won positions that tanh would round to 1.
pub const SCORE_UNIT: f32 = 2000.0;

/// A network that evaluates positions of `G` as feature set `F` describes them.
pub struct NetworkEvaluator<G, F> {
    features: F,
    head: Head,
    accumulator: Accumulator,
    codes: Vec<u8>,
    sums: Vec<f32>,
    game: PhantomData<fn(G)>,
}

/// What follows the first layer's sums.
enum Head {
    Dense { output_weights: Vec<f32>, output_bias: f32 },
    Rough(Box<RoughNet>),
}

impl Head {
    /// The argument of the output's tanh; overwrites the sums.
    fn value(&self, sums: &mut [f32]) -> f32 {
        match self {
            Self::Dense { output_weights, output_bias } => {
                let terms = sums.iter().zip(output_weights).map(|(&sum, w)| tanh(sum) * w);
                terms.sum::<f32>() + output_bias
            }
            Self::Rough(net) => {
                net.activate(sums);
                net.head(sums)
            }
        }
    }
}

impl<G: Game, F: FeatureSet<G>> NetworkEvaluator<G, F> {
    /// An evaluator from a trained network whose inputs are those of `features`.
    #[must_use]
    pub fn new(net: &Net, features: F) -> Self {
        let (head, accumulator) = match net {
            Net::Dense(net) => dense_parts(net),
            Net::Rough(net) => rough_parts(net),
        };
        let width = match &head {
            Head::Dense { output_weights, .. } => output_weights.len(),
            Head::Rough(net) => net.n_rules(),
        };
        let codes = vec![0; features.n_attributes()];
        Self { features, head, accumulator, codes, sums: vec![0.0; width], game: PhantomData }
    }
}

/// The first layer of a dense network as rows of products w · x, one a value class.
fn dense_parts(net: &DenseNet) -> (Head, Accumulator) {
    let coding = net.coding();
    let attribute_of: Vec<usize> =
        (0..coding.n_attributes()).flat_map(|t| std::iter::repeat_n(t, coding.n_values(t))).collect();
    let row =
        |class: usize| net.input_weights().row(attribute_of[class]).iter().map(|w| w * coding.value(class)).collect();
    let accumulator = Accumulator::new(coding, net.hidden_bias(), row);
    (Head::Dense { output_weights: net.output_weights().to_vec(), output_bias: net.output_bias() }, accumulator)
}

/// The logarithms θ of a rough network; attributes outside its inputs have rows of zeros.
fn rough_parts(net: &RoughNet) -> (Head, Accumulator) {
    let coding = net.coding();
    let mut is_input = vec![false; coding.n_classes()];
    for &t in net.inputs() {
        (0..coding.n_values(t)).for_each(|code| is_input[coding.class(t, code as u8)] = true);
    }
    let row = |class: usize| if is_input[class] { net.theta(class).to_vec() } else { vec![0.0; net.n_rules()] };
    let accumulator = Accumulator::new(coding, &vec![0.0; net.n_rules()], row);
    (Head::Rough(Box::new(net.clone())), accumulator)
}

impl<G: Game, F: FeatureSet<G>> Evaluator<G> for NetworkEvaluator<G, F> {
    fn evaluate(&mut self, position: &G) -> Score {
        self.features.encode(position, &mut self.codes);
        self.accumulator.move_to(&self.codes, &mut self.sums);
        let value = self.head.value(&mut self.sums) * SCORE_UNIT;
        let score = (value.round() as Score).clamp(-MAX_EVAL, MAX_EVAL);
        position.side_to_move().sign() * score
    }

    fn expected_result(&self, score: Score) -> f64 {
        f64::from(tanh(score as f32 / SCORE_UNIT))
    }
}
