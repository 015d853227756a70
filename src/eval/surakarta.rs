//! Evaluators for Surakarta.

mod features;
mod load;
mod reasons;

pub use features::Board37;
pub use load::{MATERIAL, material};

use super::{Evaluator, Score};
use crate::game::{Game, Side};
use crate::games::surakarta::Surakarta;

/// What a piece is worth: the unit of these evaluators.
const PIECE: Score = 100;

/// The score that stands for an expected result of tanh 1, 0.76: fitted to the results of generated games (docs/surakarta.md).
const RESULT_SCALE: f64 = 200.0;

/// Counts the pieces of both sides, and with them, if it is told to, the captures that each could make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Material {
    /// What a capture is worth that a side could make if it were to move; 0 for an evaluator that does not look for them.
    capture: Score,
}

/// What adds up to the value for one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// `pieces` or `captures`.
    pub name: &'static str,
    /// How many there are, the first side's before the second's.
    pub counts: [usize; 2],
    /// What one is worth.
    pub worth: Score,
}

impl Share {
    /// What they are worth to the side that moves first, less what they are worth to the other.
    pub const fn lead(self) -> Score {
        let [first, second] = self.counts;
        self.worth * (first as Score - second as Score)
    }
}

impl Material {
    /// The pieces alone.
    pub const PIECES: Self = Self { capture: 0 };
    /// Pieces and captures.
    pub(crate) const WITH_CAPTURES: Self = Self { capture: 10 };

    /// What adds up to the value of `position`: pieces, and captures if they count.
    pub fn explain(self, position: &Surakarta) -> Vec<Share> {
        let pieces = Share { name: "pieces", counts: counts(|side| position.pieces(side).len()), worth: PIECE };
        let captures =
            || Share { name: "captures", counts: counts(|side| position.count_captures(side)), worth: self.capture };
        std::iter::once(pieces).chain((self.capture != 0).then(captures)).collect()
    }
}

/// A number of each side.
fn counts(count: impl Fn(Side) -> usize) -> [usize; 2] {
    [Side::First, Side::Second].map(count)
}

impl Evaluator<Surakarta> for Material {
    fn evaluate(&mut self, position: &Surakarta) -> Score {
        let lead = |count: &dyn Fn(Side) -> usize| {
            let [first, second] = counts(count);
            first as Score - second as Score
        };
        let pieces = PIECE * lead(&|side| position.pieces(side).len());
        let captures = match self.capture {
            0 => 0,
            worth => worth * lead(&|side| position.count_captures(side)),
        };
        position.side_to_move().sign() * (pieces + captures)
    }

    fn expected_result(&self, score: Score) -> f64 {
        (f64::from(score) / RESULT_SCALE).tanh()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;

    #[test]
    fn the_parts_add_up_to_the_value() {
        for text in ["6/1rb3/1b4/6/6/r5 r", "6/1rb3/1b4/6/6/r5 b", "1r4/b5/b5/6/6/6 b"] {
            let position = Surakarta::from_notation(text).unwrap();
            for mut evaluator in [Material::PIECES, Material::WITH_CAPTURES] {
                let sum: Score = evaluator.explain(&position).into_iter().map(Share::lead).sum();
                assert_eq!(evaluator.evaluate(&position), position.side_to_move().sign() * sum, "{text}");
            }
        }
        let ahead = Surakarta::from_notation("1r4/b5/b5/6/6/6 b").unwrap();
        assert_eq!({ Material::PIECES }.evaluate(&ahead), PIECE);
        assert!((Material::PIECES.expected_result(0)).abs() < 1e-12);
    }
}
