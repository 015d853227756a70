//! The images of a position under the symmetries of the board that leave each side its own stones or pieces.

use super::Game;

/// A game whose rules do not tell a board from its images: positions that are images of each other have images as moves, and
/// equal results.
///
/// Laws, which `tests/it/symmetry.rs` checks: image 0 is the position itself and image 1, if there is one, has left for right;
/// the images form a group; a game made of the
/// images of moves has the image's key after each of them.
pub trait Imaged: Game {
    /// The number of symmetries, that which changes nothing included.
    const IMAGES: usize;

    /// [`Game::key`] of the image number `image`, below [`Imaged::IMAGES`], the same side to move.
    fn image_key(&self, image: usize) -> u64;

    /// The move that corresponds to `mv` in that image.
    fn image_move(mv: Self::Move, image: usize) -> Self::Move;
}
