//! A position and its images under the symmetries of the board as one.

use std::marker::PhantomData;

use crate::game::{SearchHints, Symmetric};

/// How a position stands in the book.
pub struct Fold<G> {
    /// The smallest of the keys of the images of the position, its bits read as a signed number as SQLite does.
    pub key: i64,
    /// Bit i for each image number i that has this key: one, or several of a position that is its own image.
    kept: u32,
    game: PhantomData<fn() -> G>,
}

impl<G: Symmetric + SearchHints> Fold<G> {
    /// How `position` stands in the book.
    pub fn of(position: &G) -> Self {
        let (mut least, mut kept) = (position.image_key(0), 1);
        for image in 1..G::IMAGES {
            let key = position.image_key(image);
            if key < least {
                (least, kept) = (key, 0);
            }
            kept |= u32::from(key == least) << image;
        }
        Self { key: least.cast_signed(), kept, game: PhantomData }
    }

    /// The move as the book keeps it, in `position`, of which this is the fold. Of the moves that are images of one another in a position
    /// that is its own image, the largest stands for all.
    pub fn stored(&self, position: &G, mv: G::Move) -> G::Move {
        let images = (0..G::IMAGES).filter(|image| self.kept >> image & 1 == 1);
        images.map(|image| position.image_move(mv, image)).max().unwrap_or(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation};
    use crate::games::connect6::Connect6;

    #[test]
    fn images_on_a_small_board_are_kept_as_one() {
        let mut game = Connect6::of_size(9).unwrap();
        game.play(game.parse_move("a1").unwrap());
        let mv = game.parse_move("e7").unwrap();
        let kept = |game: &Connect6, mv| (Fold::of(game).key, Fold::of(game).stored(game, mv));
        for image in 0..Connect6::IMAGES {
            assert_eq!(kept(&game.image(image), game.image_move(mv, image)), kept(&game, mv), "{image}");
        }
    }
}
