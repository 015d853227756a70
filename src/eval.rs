//! Evaluators: what a position is worth, as the search asks it.

pub mod catalogue;
pub mod connect6;
pub mod network;
mod policy;
mod reasons;
pub mod residual;
mod skip;
pub mod surakarta;
pub mod xiangqi;

pub use catalogue::{BuiltIn, Catalogue, Factory, FeaturesError, LoadError, Network, values_of};
pub use policy::{PolicyValue, UniformPolicy, ValueOf, View, priors_of, score_of_value};
pub use reasons::{Reasons, Sheet};
pub use residual::ResidualEvaluator;
pub use skip::{SkipTerm, WithSkip, skip_argument};

use crate::game::Game;

/// The search's unit of value: an integer whose scale is the evaluator's own (see [`Evaluator::expected_result`]).
pub type Score = i32;

/// Bound on the absolute value that an evaluator may return; scores beyond it mean a forced end of the game.
pub const MAX_EVAL: Score = 1_000_000;

/// Says what a position is worth without searching it.
///
/// An evaluator may keep accumulators between calls (hence `&mut self`), but its answer depends on the position and its past alone.
pub trait Evaluator<G: Game>: Send {
    /// The value of `position` for the **side to move**, in the evaluator's own unit, within ±[`MAX_EVAL`].
    fn evaluate(&mut self, position: &G) -> Score;

    /// A number that differs between positions that it may value differently, so that values can be remembered by it. The default
    /// is the key of the position, for evaluators that look at the board and the side to move only.
    fn key(&self, position: &G) -> u64 {
        position.key()
    }

    /// The least value that stands for a win known beforehand: there, values leap from one position to the next, and say nothing
    /// of what a move may bring. The default is beyond all values: nothing is known.
    fn known_win(&self) -> Score {
        MAX_EVAL + 1
    }

    /// The expected result in [-1, 1] that `score` stands for, for the side that `score` is for. Monotone and odd.
    fn expected_result(&self, score: Score) -> f64;
}
