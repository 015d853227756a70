//! The symmetries of a game: from one position and what is known of it to others and what is known of them.

use super::Game;
use super::mirror::Mirrored;

/// A game that neither tells left from right nor one side from the other, but by who moves first.
///
/// Laws, which `tests/it/symmetry.rs` checks: both images are their own inverses; a move is legal exactly when its image is
/// in the image of the position; whose turn it is, check, ends and results are the same for the side that corresponds.
pub trait Symmetric: Mirrored {
    /// The mirror image, with the game that led to it; the same side to move.
    fn mirrored(&self) -> Self;

    /// The position with colours exchanged, with the game that led to it: the board turned so that each side has what the
    /// other had, and the other side to move.
    fn exchanged(&self) -> Self;

    /// The move that corresponds to `mv` with colours exchanged.
    fn exchanged_move(mv: Self::Move) -> Self::Move;
}

/// One symmetry of a game, as functions.
#[derive(Debug)]
pub struct Symmetry<G: Game> {
    position: fn(&G) -> G,
    mv: fn(G::Move) -> G::Move,
    exchanges_colours: bool,
}

// Derived, both would ask the same of the game.
impl<G: Game> Clone for Symmetry<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Symmetry<G> {}

impl<G: Game> Symmetry<G> {
    /// The symmetry that changes nothing, which every game has.
    #[must_use]
    pub fn identity() -> Self {
        Self { position: G::clone, mv: |mv| mv, exchanges_colours: false }
    }

    /// The image of a position.
    #[must_use]
    pub fn position(&self, position: &G) -> G {
        (self.position)(position)
    }

    /// The image of a move.
    #[must_use]
    pub fn mv(&self, mv: G::Move) -> G::Move {
        (self.mv)(mv)
    }

    /// What a value for the side that moves first is multiplied by in the image: -1 if the sides change places, else 1.
    #[must_use]
    pub fn sign(&self) -> f32 {
        if self.exchanges_colours { -1.0 } else { 1.0 }
    }
}

impl<G: Symmetric> Symmetry<G> {
    /// Left for right.
    #[must_use]
    pub fn mirror() -> Self {
        Self { position: G::mirrored, mv: G::mirrored_move, exchanges_colours: false }
    }

    /// One side for the other.
    #[must_use]
    pub fn exchange() -> Self {
        Self { position: G::exchanged, mv: G::exchanged_move, exchanges_colours: true }
    }

    /// Both at once.
    #[must_use]
    pub fn both() -> Self {
        Self {
            position: |position| position.mirrored().exchanged(),
            mv: |mv| G::exchanged_move(G::mirrored_move(mv)),
            exchanges_colours: true,
        }
    }

    /// The symmetries, but the identity, that are made of these: of left and right if `mirror`, of the colours if `exchange`.
    #[must_use]
    pub fn made_of(mirror: bool, exchange: bool) -> Vec<Self> {
        let made = [(mirror, Self::mirror()), (exchange, Self::exchange()), (mirror && exchange, Self::both())];
        made.into_iter().filter(|(is_made, _)| *is_made).map(|(_, symmetry)| symmetry).collect()
    }
}
