//! Evaluators that say how promising each move is besides what the position is worth: what Monte Carlo tree search asks.

mod uniform;
mod value_of;

pub use uniform::UniformPolicy;
pub use value_of::{ValueOf, priors_of, score_of_value};

use crate::game::Game;

/// Which image of a position was written as a row: [`PolicyValue::write_row`] chooses one, and logits are read through it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct View(pub u8);

/// Says what positions are worth and how promising their moves are, many positions at once.
///
/// A caller writes each position as a row of numbers where it stands at it, collects rows of many searches, and has them
/// evaluated together. What is said of a row depends on this row alone: not on the others, their number or order, nor on threads.
pub trait PolicyValue<G: Game>: Send + Sync {
    /// The numbers of a row.
    fn row_len(&self) -> usize;

    /// The logits of a row.
    fn n_logits(&self) -> usize;

    /// Writes `position` into `row`, which has [`PolicyValue::row_len`] numbers. The view depends on [`PolicyValue::row_key`] alone.
    fn write_row(&self, position: &G, row: &mut [f32]) -> View;

    /// A number that differs between positions that differ in what their rows say, so that answers can be remembered by it.
    fn row_key(&self, position: &G) -> u64 {
        position.key()
    }

    /// Where the logit of `mv` stands among those of a position that was written with `view`, below [`PolicyValue::n_logits`].
    fn logit_of(&self, view: View, mv: G::Move) -> usize;

    /// Evaluates the rows that stand one after another in `rows`: into `logits` what each move counts before masking and softmax,
    /// [`PolicyValue::n_logits`] numbers a row, and into `values` the expected result for the **side to move** of each, in [-1, 1].
    fn evaluate(&self, rows: &[f32], logits: &mut [f32], values: &mut [f32]);
}
