//! The bounded random walk, the predictor of Sutton 1988, and the two ways of learning.

use rand::RngExt;

use crate::net::{CodeRows, Coding, FirstLayer, Network, Pass, parts};
use crate::random;
use crate::train::{TdLearner, UpdateForm, UpdateTime};

/// The states between the ends: B, C, D, E, F.
const STATES: usize = 5;

/// The probability of ending in G from B, C, D, E, F.
const IDEAL: [f64; STATES] = [1.0 / 6.0, 2.0 / 6.0, 3.0 / 6.0, 4.0 / 6.0, 5.0 / 6.0];

/// Every walk starts in D.
const START: u8 = 2;

/// One walk: the states between the ends that it passed, 0 for B to 4 for F, and where it ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Walk {
    /// The states, at least one.
    pub states: Vec<u8>,
    /// 1 for G, 0 for A.
    pub result: f32,
}

/// Training set number `index` of `seed`: `n` walks.
pub(crate) fn training_set(seed: u64, index: usize, n: usize) -> Vec<Walk> {
    let mut draws = random::stream(seed, "random walk", index as u64);
    (0..n).map(|_| draw_walk(|| draws.random())).collect()
}

/// A walk that steps right when `right` says so, and left otherwise.
fn draw_walk(mut right: impl FnMut() -> bool) -> Walk {
    let mut states = vec![START];
    let mut state = START;
    loop {
        match (state, right()) {
            (0, false) => return Walk { states, result: 0.0 },
            (4, true) => return Walk { states, result: 1.0 },
            (_, true) => state += 1,
            (_, false) => state -= 1,
        }
        states.push(state);
    }
}

/// The root mean square difference between predictions and [`IDEAL`].
pub(crate) fn rms_error(predictions: &[f32]) -> f64 {
    let squares = predictions.iter().zip(IDEAL).map(|(&p, ideal)| (f64::from(p) - ideal).powi(2));
    (squares.sum::<f64>() / STATES as f64).sqrt()
}

fn learner(lambda: f64) -> TdLearner {
    TdLearner::new(lambda as f32, UpdateTime::Game, UpdateForm::Traces)
}

fn learn(learner: &mut TdLearner, predictor: &mut LinearPredictor, walk: &Walk, alpha: f64) {
    learner.learn_game(predictor, CodeRows::new(&walk.states, 1), walk.result, alpha as f32);
}

/// The predictions after `walks` were presented once, the weights moving after each walk; all begin at 1/2 (Sutton's second
/// experiment).
pub(crate) fn after_one_presentation(walks: &[Walk], lambda: f64, alpha: f64) -> Vec<f32> {
    let (mut predictor, mut learner) = (LinearPredictor::constant(STATES, 0.5), learner(lambda));
    walks.iter().for_each(|walk| learn(&mut learner, &mut predictor, walk, alpha));
    predictor.parameters().to_vec()
}

/// How far the presentations of one training set go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// They end when no weight moves by more in a presentation.
    pub tolerance: f64,
    /// And after this many in any case.
    pub presentations: usize,
}

/// The predictions to which presenting `walks` again and again leads, the weights moving after each presentation of all of
/// them by the sum of what each walk asks for (Sutton's first experiment); `None` if they have not come to rest in time, or
/// have grown beyond all numbers.
pub(crate) fn at_convergence(walks: &[Walk], lambda: f64, alpha: f64, patience: Patience) -> Option<Vec<f32>> {
    let (mut predictor, mut learner) = (LinearPredictor::constant(STATES, 0.5), learner(lambda));
    let moved = |step: &[f32]| step.iter().fold(0.0_f32, |most, change| most.max(change.abs()));
    for _ in 0..patience.presentations {
        let step = summed_step(&mut learner, &predictor, walks, alpha);
        predictor.parameters_mut().iter_mut().zip(&step).for_each(|(weight, change)| *weight += change);
        // Of weights that are no numbers any more none is seen to move.
        if predictor.parameters().iter().any(|weight| !weight.is_finite()) {
            return None;
        }
        if f64::from(moved(&step)) <= patience.tolerance {
            return Some(predictor.parameters().to_vec());
        }
    }
    None
}

/// The sum of the updates by each of `walks` while the weights stand still.
fn summed_step(learner: &mut TdLearner, predictor: &LinearPredictor, walks: &[Walk], alpha: f64) -> [f32; STATES] {
    let mut sum = [0.0; STATES];
    for walk in walks {
        let mut moved = predictor.clone();
        learn(learner, &mut moved, walk, alpha);
        let weights = moved.parameters().iter().zip(predictor.parameters());
        sum.iter_mut().zip(weights).for_each(|(sum, (after, before))| *sum += after - before);
    }
    sum
}

/// A linear network over one-hot states with the identity for its output: P = w·x.
#[derive(Debug, Clone)]
struct LinearPredictor {
    layer: FirstLayer,
    weights: Vec<f32>,
}

impl LinearPredictor {
    /// A predictor whose prediction in each of `n_states` states is `value`.
    fn constant(n_states: usize, value: f32) -> Self {
        let coding = Coding::new(&[vec![0.0; n_states]]);
        Self { layer: FirstLayer::of_classes(coding, &[0], 1), weights: vec![value; n_states] }
    }
}

impl Network for LinearPredictor {
    parts!(layer, weights);

    fn base(&self) -> &[f32] {
        &[0.0]
    }

    fn head(&self, _codes: &[u8], offset: f32, pass: &mut Pass) {
        pass.argument = pass.sums[0] + offset;
        pass.y = pass.argument;
    }

    fn backward(&self, _codes: &[u8], pass: &mut Pass) {
        pass.delta.clear();
        pass.delta.push(1.0);
        pass.tail.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_start_in_the_middle_step_to_neighbours_and_end_at_an_end() {
        let walks = training_set(1, 0, 200);
        for walk in &walks {
            assert_eq!(walk.states[0], START);
            assert!(walk.states.windows(2).all(|pair| pair[0].abs_diff(pair[1]) == 1));
            assert_eq!(*walk.states.last().unwrap(), if walk.result == 1.0 { 4 } else { 0 });
        }
        let right = walks.iter().filter(|walk| walk.result == 1.0).count();
        assert!((70..130).contains(&right), "{right}");
        // A walk of this kind has nine states on average.
        let length = walks.iter().map(|walk| walk.states.len()).sum::<usize>() as f64 / 200.0;
        assert!((7.5..10.5).contains(&length), "{length}");
        assert_ne!(training_set(1, 1, 1), training_set(2, 1, 1));
    }

    /// Δw_t = α (P_{t+1} - P_t) Σ_k λ^{t-k} x_k in double precision, for one walk.
    fn by_definition(walk: &Walk, weights: &[f64; STATES], lambda: f64, alpha: f64) -> [f64; STATES] {
        let mut after = *weights;
        let mut trace = [0.0; STATES];
        for (t, &state) in walk.states.iter().enumerate() {
            trace.iter_mut().for_each(|e| *e *= lambda);
            trace[usize::from(state)] += 1.0;
            let next = walk.states.get(t + 1).map_or(f64::from(walk.result), |&next| weights[usize::from(next)]);
            let difference = next - weights[usize::from(state)];
            after.iter_mut().zip(trace).for_each(|(weight, e)| *weight += alpha * difference * e);
        }
        after
    }

    #[test]
    fn one_presentation_equals_the_definition() {
        for (set, lambda) in [(0, 0.0), (1, 0.3), (2, 0.8), (3, 1.0)] {
            let walks = training_set(7, set, 10);
            let mut expected = [0.5; STATES];
            walks.iter().for_each(|walk| expected = by_definition(walk, &expected, lambda, 0.15));
            for (found, expected) in after_one_presentation(&walks, lambda, 0.15).iter().zip(expected) {
                approx::assert_abs_diff_eq!(f64::from(*found), expected, epsilon = 1e-5);
            }
        }
    }

    /// With λ = 1 the fixed point is known: in each state the mean result of the walks' visits to it (the Widrow-Hoff rule
    /// minimises the squared error on the training set).
    #[test]
    fn repeated_presentations_with_lambda_one_lead_to_mean_results() {
        let walks = training_set(3, 0, 10);
        let found = at_convergence(&walks, 1.0, 0.01, Patience { tolerance: 1e-6, presentations: 100_000 }).unwrap();
        for state in 0..STATES as u8 {
            let visits = |walk: &Walk| walk.states.iter().filter(|&&seen| seen == state).count() as f64;
            let n: f64 = walks.iter().map(visits).sum();
            let mean = walks.iter().map(|walk| visits(walk) * f64::from(walk.result)).sum::<f64>() / n;
            if n > 0.0 {
                approx::assert_abs_diff_eq!(f64::from(found[usize::from(state)]), mean, epsilon = 1e-3);
            }
        }
    }

    /// With λ = 0 it is the certainty-equivalence estimate: predictions that agree with the transitions seen.
    #[test]
    fn repeated_presentations_with_lambda_zero_agree_with_the_transitions_seen() {
        let walks = training_set(3, 1, 10);
        let found = at_convergence(&walks, 0.0, 0.01, Patience { tolerance: 1e-6, presentations: 100_000 }).unwrap();
        let mut sums = [(0.0, 0.0); STATES];
        for walk in &walks {
            for (t, &state) in walk.states.iter().enumerate() {
                let next = walk.states.get(t + 1).map_or(walk.result, |&next| found[usize::from(next)]);
                let (n, sum) = &mut sums[usize::from(state)];
                (*n, *sum) = (*n + 1.0, *sum + f64::from(next));
            }
        }
        for ((n, sum), found) in sums.into_iter().zip(found).filter(|((n, _), _)| *n > 0.0) {
            approx::assert_abs_diff_eq!(f64::from(found), sum / n, epsilon = 1e-3);
        }
    }

    #[test]
    fn what_does_not_come_to_rest_is_told() {
        let walks = training_set(3, 0, 10);
        assert_eq!(at_convergence(&walks, 0.5, 0.01, Patience { tolerance: 1e-6, presentations: 3 }), None);
    }

    /// Thirty visits to the two states between which the walk goes to and fro, each of which moves a weight by half of its error.
    #[test]
    fn what_grows_beyond_all_numbers_has_not_come_to_rest() {
        let walks = [Walk { states: [2, 3].repeat(30), result: 1.0 }];
        assert_eq!(at_convergence(&walks, 1.0, 0.5, Patience { tolerance: 1e-2, presentations: 100_000 }), None);
    }
}
