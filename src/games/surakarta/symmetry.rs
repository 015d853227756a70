//! The eight symmetries of the board, and that of the sides.

use super::Surakarta;
use super::moves::Move;
use super::points::{POINTS, SIZE};
use super::position::Position;
use crate::game::symmetry::{Symmetric, Symmetry};
use crate::game::{Game, Side};

/// The symmetries of the board, that which changes nothing included.
const N_IMAGES: usize = 8;
/// Top for bottom: it brings the home of each side to that of the other.
const UPSIDE_DOWN: usize = 2;

/// Where each symmetry puts each point.
static IMAGES: [[u8; POINTS]; N_IMAGES] = images();

const fn images() -> [[u8; POINTS]; N_IMAGES] {
    let mut images = [[0; POINTS]; N_IMAGES];
    let mut at = 0;
    while at < N_IMAGES * POINTS {
        let (image, point) = (at / POINTS, at % POINTS);
        let (row, column) = (point / SIZE, point % SIZE);
        let column = if image & 1 == 0 { column } else { SIZE - 1 - column };
        let row = if image & 2 == 0 { row } else { SIZE - 1 - row };
        images[image][point] = (if image & 4 == 0 { row * SIZE + column } else { column * SIZE + row }) as u8;
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
        self.moves_made().for_each(|mv| image.play(Self::image_move(mv, symmetry)));
        image
    }
}

/// The symmetries of the board: of their numbers the first bit changes left for right, the second bottom for top, and the third
/// then columns for rows.
impl Symmetric for Surakarta {
    const IMAGES: usize = N_IMAGES;
    const EXCHANGE: Option<Symmetry<Self>> =
        Some(Symmetry::of_colours(Self::exchanged, |_, mv| Self::image_move(mv, UPSIDE_DOWN)));

    fn image_key(&self, image: usize) -> u64 {
        if image == 0 {
            return self.key();
        }
        self.position.changed(|point| image_point(point, image), |side| side).key()
    }

    fn image_move(mv: Move, image: usize) -> Move {
        Move::new(image_point(mv.from(), image), image_point(mv.to(), image))
    }

    fn image(&self, image: usize) -> Self {
        self.changed(image, |side| side)
    }
}
