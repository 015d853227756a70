//! The feature sets that can be asked for.

use clap::ValueEnum;

/// A feature set by its name: three of Xiangqi, three of Connect6, one of Surakarta.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FeatureName {
    /// The 91 inputs of S1: the signed fixed value of the piece on each point, and the side to move
    Board91,
    /// As board91, with the fitted value of its point added to each piece
    PieceSquare,
    /// What the traditional evaluator adds up: numbers of pieces, leads in position, mobility, threats …
    Terms,
    /// Connect6: the 64 inputs of S2, stretches of eight pattern classes of each side, 0, 1, 2, 3 or more
    Patterns64,
    /// As patterns64, with the side to move and its stones left
    Patterns64Turn,
    /// As patterns64-turn, with all fourteen pattern classes
    PatternsAllTurn,
    /// Surakarta: whose piece is on each point, and the side to move
    Board37,
}

impl FeatureName {
    /// The name that the library knows.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}
