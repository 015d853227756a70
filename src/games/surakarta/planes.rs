//! The planes of Surakarta: what S4 shows its network, with the circuits and the last move.
//!
//! For `history` earlier positions they are, in this order: own and enemy pieces now, then the same one move ago, two moves
//! ago and so on; the points on the large circuit and those on the small one; the point that the last move left and the one
//! that it went to; and a plane of ones if the side that begins the game is to move.

use super::{CIRCUITS, Move, POINTS, Points, SIZE, Surakarta, image_point};
use crate::game::{Game, Planes, Side};
use crate::random::mix;

/// Planes that do not depend on the history: two circuits, two of the last move, the side that begins.
const N_OTHERS: usize = 5;

impl Planes for Surakarta {
    const SHAPE: [usize; 2] = [SIZE, SIZE];

    fn n_planes(history: usize) -> usize {
        2 * (history + 1) + N_OTHERS
    }

    fn write_planes(&self, history: usize, image: usize, out: &mut [f32]) {
        out.fill(0.0);
        let mut planes = out.chunks_exact_mut(POINTS);
        let mut mark = |points: Points| {
            if let Some(plane) = planes.next() {
                points.into_iter().for_each(|point| plane[image_point(point, image)] = 1.0);
            }
        };
        let (us, them) = (self.side_to_move(), self.side_to_move().other());
        let beginning = [Points::EMPTY; 2];
        for pieces in self.pieces_back().chain(std::iter::repeat(beginning)).take(history + 1) {
            mark(pieces[us.index()]);
            mark(pieces[them.index()]);
        }
        CIRCUITS.into_iter().for_each(&mut mark);
        let last = self.last_move();
        let ends: [fn(Move) -> usize; 2] = [Move::from, Move::to];
        ends.into_iter().for_each(|end| mark(last.map_or(Points::EMPTY, |mv| Points::of(end(mv)))));
        mark(if us == Side::First { !Points::EMPTY } else { Points::EMPTY });
    }

    fn logit_of(mv: Move, image: usize) -> usize {
        mv.image(image).slot()
    }

    fn planes_key(&self, history: usize) -> u64 {
        let last = self.last_move().map_or(0, |mv| 1 + mv.slot() as u64);
        let now = mix(self.key() ^ mix(last));
        self.keys_back().take(history).fold(now, |key, earlier| mix(key ^ earlier))
    }
}
