//! The eight symmetries of the board, and that of the sides.

use super::Surakarta;
use super::moves::Move;
use super::points::{POINTS, SIZE};
use super::position::Position;
use crate::game::symmetry::{SQUARE_IMAGES, Symmetric, Symmetry, image_on_square};
use crate::game::{Game, Side};

/// Top for bottom: it brings the home of each side to that of the other.
const UPSIDE_DOWN: usize = 2;

/// Where each symmetry puts each point.
static IMAGES: [[u8; POINTS]; SQUARE_IMAGES] = images();

const fn images() -> [[u8; POINTS]; SQUARE_IMAGES] {
    let mut images = [[0; POINTS]; SQUARE_IMAGES];
    let mut at = 0;
    while at < SQUARE_IMAGES * POINTS {
        let (image, point) = (at / POINTS, at % POINTS);
        let (row, column) = image_on_square((point / SIZE, point % SIZE), image, SIZE);
        images[image][point] = (row * SIZE + column) as u8;
        at += 1;
    }
    images
}

/// Where the symmetry number `image`, below [`Symmetric::IMAGES`], puts `point`, a number below 36.
#[inline]
pub fn image_point(point: usize, image: usize) -> usize {
    usize::from(IMAGES[image][point])
}

impl Position {
    /// The same with every piece where `point` puts it, and with the side that `side` makes of its own.
    fn changed(&self, point: impl Fn(usize) -> usize, side: impl Fn(Side) -> Side) -> Self {
        let mut changed = Self::empty(side(self.turn()));
        for owner in [Side::First, Side::Second] {
            self.pieces(owner).into_iter().for_each(|at| changed.put(point(at), side(owner)));
        }
        changed
    }
}

impl Move {
    /// The image of the move under a symmetry of the board, a number below [`Symmetric::IMAGES`].
    #[must_use]
    pub fn image(self, symmetry: usize) -> Self {
        Self::new(image_point(self.from(), symmetry), image_point(self.to(), symmetry))
    }
}

impl Surakarta {
    /// With colours exchanged.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        self.changed(UPSIDE_DOWN, Side::other)
    }

    /// The set-up of this game with every piece where `symmetry` puts it and of the side that `side` makes of its own, and the
    /// images of the moves made since.
    fn changed(&self, symmetry: usize, side: impl Fn(Side) -> Side) -> Self {
        let start = self.set_up();
        let position = start.position.changed(|point| image_point(point, symmetry), side);
        let mut image = Self { position, ..start };
        self.moves_made().for_each(|mv| image.play(mv.image(symmetry)));
        image
    }
}

/// The images of a square board.
impl Symmetric for Surakarta {
    const IMAGES: usize = SQUARE_IMAGES;
    const EXCHANGE: Option<Symmetry<Self>> =
        Some(Symmetry::of_colours(Self::exchanged, |_, mv: Move| mv.image(UPSIDE_DOWN)));

    fn image_key(&self, image: usize) -> u64 {
        if image == 0 {
            return self.key();
        }
        self.position.changed(|point| image_point(point, image), |side| side).key()
    }

    fn image_move(&self, mv: Move, image: usize) -> Move {
        mv.image(image)
    }

    fn image(&self, image: usize) -> Self {
        self.changed(image, |side| side)
    }
}
