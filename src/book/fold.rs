//! A position and its mirror image as one.

use std::marker::PhantomData;

use crate::game::mirror::Mirrored;

/// How a position stands in the book.
pub struct Fold<G> {
    /// The smaller of the keys of the position and of its mirror image, its bits read as a signed number as SQLite does.
    pub key: i64,
    image: Image,
    game: PhantomData<fn() -> G>,
}

/// Which of the two is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Image {
    /// The position itself.
    Position,
    /// Its mirror image.
    Mirror,
    /// Both are the same.
    Both,
}

impl<G: Mirrored> Fold<G> {
    /// How `position` stands in the book.
    pub fn of(position: &G) -> Self {
        let (key, mirrored) = (position.key(), position.mirrored_key());
        let image = match key.cmp(&mirrored) {
            std::cmp::Ordering::Less => Image::Position,
            std::cmp::Ordering::Equal => Image::Both,
            std::cmp::Ordering::Greater => Image::Mirror,
        };
        Self { key: key.min(mirrored).cast_signed(), image, game: PhantomData }
    }

    /// Whether the position is its own mirror image.
    pub fn is_symmetric(&self) -> bool {
        self.image == Image::Both
    }

    /// The move as the book keeps it. Of two moves that are mirror images in a position that is its own, the larger one
    /// stands for both.
    pub fn stored(&self, mv: G::Move) -> G::Move {
        match self.image {
            Image::Position => mv,
            Image::Mirror => G::mirrored_move(mv),
            Image::Both => mv.max(G::mirrored_move(mv)),
        }
    }
}
