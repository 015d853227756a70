//! Lines of moves as text, separated by blanks.

use super::Notation;

/// The moves in `text`, made in `position` one after the other.
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
