//! The eight symmetries of the board.

use super::Connect6;
use super::board::{stone_key, turn_key};
use super::point::{POINTS, Point, SIZE};
use crate::game::images::Imaged;

impl Imaged for Connect6 {
    /// Turns and reflections of the square of 19 x 19 points.
    const IMAGES: usize = 8;

    fn image_key(&self, image: usize) -> u64 {
        if image == 0 {
            return self.board.key() ^ turn_key(self.turn, self.stones_left);
        }
        let stones = (0..POINTS).map(Point::new).filter_map(|point| Some((point, self.stone(point)?)));
        let key = |key, (point, side)| key ^ stone_key(image_of(point, image), side);
        stones.fold(turn_key(self.turn, self.stones_left), key)
    }

    fn image_move(mv: Point, image: usize) -> Point {
        image_of(mv, image)
    }
}

/// Where `point` is in an image: of its number the first bit changes left for right, the second bottom for top, and the third
/// then columns for rows.
const fn image_of(point: Point, image: usize) -> Point {
    let column = if image & 1 == 0 { point.column() } else { SIZE - 1 - point.column() };
    let row = if image & 2 == 0 { point.row() } else { SIZE - 1 - point.row() };
    if image & 4 == 0 { Point::new(row * SIZE + column) } else { Point::new(column * SIZE + row) }
}
