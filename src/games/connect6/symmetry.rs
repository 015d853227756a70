//! The eight symmetries of the board, and that of the colours.
//!
//! Boards smaller than 19 x 19 have symmetries of their own, which positions know and bare points do not: [`Point::image`] is meant for
//! 19 x 19 points.

use super::board::{size_key, stone_key, turn_key};
use super::point::{Point, SIZE};
use super::{Board, Connect6};
use crate::game::symmetry::{SQUARE_IMAGES, Symmetric, Symmetry, image_on_square};
use crate::game::{Game, Side};

impl Point {
    /// The image of the point under a symmetry of the board of 19 x 19 points, a number below [`Symmetric::IMAGES`].
    #[must_use]
    pub const fn image(self, symmetry: usize) -> Self {
        self.image_on(symmetry, SIZE)
    }

    /// The image of the point under a symmetry of the board of `size` x `size` points, which must hold it.
    const fn image_on(self, symmetry: usize, size: usize) -> Self {
        let (row, column) = image_on_square((self.row(), self.column()), symmetry, size);
        Self::new(row * SIZE + column)
    }
}

impl Connect6 {
    /// With colours exchanged, White may be the side that begins with a single stone.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        self.changed(|point| point, Side::other)
    }

    /// The set-up of this game with every stone where `point` puts it and of the side that `side` makes of its own, and the moves
    /// made since.
    fn changed(&self, point: impl Fn(Point) -> Point, side: impl Fn(Side) -> Side) -> Self {
        let start = self.set_up();
        let mut board = Board::empty(self.size());
        start.board.stones().for_each(|(at, owner)| board.place(point(at), side(owner)));
        let mut image = Self { board, turn: side(start.turn), placed: Vec::with_capacity(self.placed.len()), ..start };
        self.placed.iter().for_each(|&mv| image.play(point(mv)));
        image
    }
}

/// The images of a square board.
impl Symmetric for Connect6 {
    const IMAGES: usize = SQUARE_IMAGES;
    const EXCHANGE: Option<Symmetry<Self>> = Some(Symmetry::of_colours(Self::exchanged, |_, mv| mv));

    fn image_key(&self, image: usize) -> u64 {
        if image == 0 {
            return self.key();
        }
        let keys = self.board.stones().map(|(point, side)| stone_key(point.image_on(image, self.size()), side));
        keys.fold(turn_key(self.turn, self.stones_left) ^ size_key(self.size()), |key, stone| key ^ stone)
    }

    fn image_move(&self, mv: Point, image: usize) -> Point {
        mv.image_on(image, self.size())
    }

    fn image(&self, image: usize) -> Self {
        self.changed(|point| point.image_on(image, self.size()), |side| side)
    }
}
