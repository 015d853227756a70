//! The left-right mirror image of a position, for what is known of both at once.

use super::Game;

/// A game whose rules do not tell left from right: a position and its mirror image have mirrored moves and equal results.
///
/// Laws: a game made of mirrored moves has the mirrored key after each of them, mirroring twice changes nothing, and a
/// move is legal exactly when its mirror image is in the mirrored position.
pub trait Mirrored: Game {
    /// [`Game::key`] of the mirror image, the same side to move.
    fn mirrored_key(&self) -> u64;

    /// The mirror image of a move.
    fn mirrored_move(mv: Self::Move) -> Self::Move;
}
