//! Positions as planes of numbers over the board's points: what convolutional networks read.

use super::{BoardGame, Symmetric};

/// A game whose positions can be written as planes.
///
/// Everything is seen by the side to move: its own pieces come first, whoever it is.
pub trait Planes: BoardGame + Symmetric {
    /// Rows and columns of a plane.
    const SHAPE: [usize; 2];

    /// The moves that a policy tells apart: the values of [`crate::game::SearchHints::move_slot`].
    const N_LOGITS: usize = Self::MOVE_SLOTS;

    /// The planes of a position with the pieces of `history` earlier positions.
    fn n_planes(history: usize) -> usize;

    /// Writes the planes of the image number `image` of the position into `out`, one plane after another, each row by row;
    /// what is before the beginning of the game is zero.
    fn write_planes(&self, history: usize, image: usize, out: &mut [f32]);

    /// Where the logit of `mv` stands among those of a position whose planes are those of the image number `image`, below
    /// [`Planes::N_LOGITS`].
    fn logit_of(mv: Self::Move, image: usize) -> usize;

    /// A number that differs between positions that differ in their planes.
    fn planes_key(&self, history: usize) -> u64;
}
