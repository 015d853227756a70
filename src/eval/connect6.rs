//! Evaluators for Connect6.

mod explain;
mod load;
mod reasons;
mod values;

pub use explain::{Explanation, SegmentShare, StretchShare};
pub use load::{StaticError, static_evaluator};
pub use values::{Values, ValuesError, default_values_text, handset_values_text};

use super::{Evaluator, MAX_EVAL, Score};
use crate::game::{Game, Side};
use crate::games::connect6::{Connect6, SIX};

/// The static evaluation of S2: what the stretches of both sides are worth by their classes, and what their segments are worth
/// by the stones there, `A * patterns + B * segments` (equation (1)).
#[derive(Debug, Clone, Default)]
pub struct StaticEvaluator {
    values: Values,
}

impl StaticEvaluator {
    /// An evaluator with these values.
    pub const fn new(values: Values) -> Self {
        Self { values }
    }

    /// What the patterns and segments of `side` are worth to it.
    fn worth(&self, position: &Connect6, side: Side) -> i64 {
        let sum = |values: &[i32], counts: &mut dyn Iterator<Item = i64>| {
            values.iter().zip(counts).map(|(&value, count)| i64::from(value) * count).sum::<i64>()
        };
        let values = &self.values;
        let patterns = sum(&values.patterns, &mut position.patterns(side).iter().map(|&count| i64::from(count)));
        let segments = sum(&values.segments, &mut (1..=SIX).map(|stones| position.open_windows(side, stones) as i64));
        i64::from(values.a) * patterns + i64::from(values.b) * segments
    }

    /// What it is worth to the side to move to have a second stone yet to place in this turn, if it has.
    fn stones_to_come(&self, position: &Connect6) -> i64 {
        i64::from(self.values.stone) * i64::from(position.stones_left() - 1)
    }
}

impl Evaluator<Connect6> for StaticEvaluator {
    fn evaluate(&mut self, position: &Connect6) -> Score {
        let side = position.side_to_move();
        let value = self.worth(position, side) - self.worth(position, side.other()) + self.stones_to_come(position);
        // The range of a score is far within that of 32 bits.
        value.clamp(-i64::from(MAX_EVAL), i64::from(MAX_EVAL)) as Score
    }

    fn expected_result(&self, score: Score) -> f64 {
        (f64::from(score) / RESULT_SCALE).tanh()
    }
}

/// The score that stands for an expected result of tanh 1, 0.76: that to which the values that are built in were fitted.
const RESULT_SCALE: f64 = 1000.0;
