//! Any evaluator as one of moves and positions that has no opinion of moves.

use std::sync::{Mutex, PoisonError};

use super::{PolicyValue, View};
use crate::eval::{Evaluator, Factory};
use crate::game::Game;

/// Equal priors, and the expected result that an evaluator's value stands for: what lets tree search play any game with any
/// evaluator.
///
/// A row is one number, the value itself: evaluators want positions, so they are asked where the row is written.
pub struct UniformPolicy<G: Game> {
    factory: Factory<G>,
    /// Evaluators that no thread uses at the moment: they keep accumulators, so each serves one thread at a time.
    idle: Mutex<Vec<Box<dyn Evaluator<G>>>>,
}

impl<G: Game> UniformPolicy<G> {
    /// Evaluates with what `factory` makes, one evaluator for each thread that asks at the same time.
    pub fn new(factory: Factory<G>) -> Self {
        Self { factory, idle: Mutex::new(Vec::new()) }
    }

    fn expected_result(&self, position: &G) -> f64 {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut evaluator = idle.unwrap_or_else(|| (self.factory)());
        let score = evaluator.evaluate(position);
        let expected = evaluator.expected_result(score).clamp(-1.0, 1.0);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(evaluator);
        expected
    }
}

impl<G: Game> PolicyValue<G> for UniformPolicy<G> {
    fn row_len(&self) -> usize {
        1
    }

    fn n_logits(&self) -> usize {
        1
    }

    fn write_row(&self, position: &G, row: &mut [f32]) -> View {
        row[0] = self.expected_result(position) as f32;
        View::default()
    }

    fn logit_of(&self, _view: View, _mv: G::Move) -> usize {
        0
    }

    fn evaluate(&self, rows: &[f32], logits: &mut [f32], values: &mut [f32]) {
        values.copy_from_slice(rows);
        logits.fill(0.0);
    }
}
