//! The feature sets that can be asked for.

use clap::ValueEnum;
use roughboard::eval::xiangqi::XiangqiFeatures;

/// A feature set of Xiangqi by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FeatureName {
    /// The 91 inputs of S1: the signed fixed value of the piece on each point, and the side to move
    Board91,
    /// As board91, with the fitted value of its point added to each piece
    PieceSquare,
    /// What the traditional evaluator adds up: numbers of pieces, leads in position, mobility, threats …
    Terms,
}

impl FeatureName {
    /// The name that the library knows.
    pub fn name(self) -> &'static str {
        XiangqiFeatures::NAMES[self as usize]
    }
}
