//! The feature sets that can be asked for.

roughboard::choices! {
    /// A feature set by its name: three of Xiangqi, three of Connect6, one of Surakarta.
    pub enum FeatureName = Board91 {
        /// The 91 inputs of S1: the signed fixed value of the piece on each point, and the side to move.
        Board91 = "board91",
        /// As board91, with the fitted value of its point added to each piece.
        PieceSquare = "piece-square",
        /// What the traditional evaluator adds up: numbers of pieces, leads in position, mobility, threats ….
        Terms = "terms",
        /// Connect6: the 64 inputs of S2, stretches of eight pattern classes of each side, 0, 1, 2, 3 or more.
        Patterns64 = "patterns64",
        /// As patterns64, with the side to move and its stones left.
        Patterns64Turn = "patterns64-turn",
        /// As patterns64-turn, with all fourteen pattern classes.
        PatternsAllTurn = "patterns-all-turn",
        /// Surakarta: whose piece is on each point, and the side to move.
        Board37 = "board37",
    }
}
