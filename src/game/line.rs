//! Lines of moves, and their text.

use super::{Game, Notation};

/// A position and the moves made from there, so that repetition sees them.
#[derive(Debug, Clone)]
pub struct Line<G: Game> {
    /// The position before the first of `moves`.
    pub start: G,
    /// The moves.
    pub moves: Vec<G::Move>,
}

impl<G: Game> Line<G> {
    /// The initial position of the game.
    pub fn initial() -> Self {
        Self { start: G::start(), moves: Vec::new() }
    }

    /// The position that the moves lead to.
    pub fn position(&self) -> G {
        played(&self.start, &self.moves)
    }
}

/// The position that `moves` lead to from `start`.
pub fn played<G: Game>(start: &G, moves: &[G::Move]) -> G {
    let mut position = start.clone();
    moves.iter().for_each(|&mv| position.play(mv));
    position
}

/// The moves in `text`, which blanks separate, made in `position` one after the other.
///
/// # Errors
/// With the first that is not legal, and its number from 1.
pub fn read_line<G: Notation>(position: &mut G, text: &str) -> Result<Vec<G::Move>, String> {
    let mut moves = Vec::new();
    for (at, text) in text.split_ascii_whitespace().enumerate() {
        let mv = position.parse_move(text).map_err(|error| format!("move {}: {error}", at + 1))?;
        position.play(mv);
        moves.push(mv);
    }
    Ok(moves)
}

/// `moves` as text that [`read_line`] reads.
pub fn line_text<M: ToString>(moves: &[M]) -> String {
    moves.iter().map(M::to_string).collect::<Vec<_>>().join(" ")
}
