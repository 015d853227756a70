//! Every way to place some material, numbered.

use super::material::Material;
use crate::game::Side;
use crate::games::xiangqi::position::Position;
use crate::games::xiangqi::squares::{SQUARES, Squares, file_of, rank_of};
use crate::games::xiangqi::tables::{PLACES, has_crossed};
use crate::games::xiangqi::{Piece, Role};

/// The most pieces, kings included, that material may have to be placed.
const MOST_PIECES: usize = 10;

/// The points on which play can put a piece: as for set-ups, but a pawn that has not crossed the river is still on its file.
pub fn places(piece: Piece) -> Squares {
    let places = Squares(PLACES[usize::from(piece.code())]);
    if piece.role() != Role::Pawn {
        return places;
    }
    let side = piece.side();
    let ranks = if side == Side::First { [3, 4] } else { [6, 5] };
    let reached = |square: &usize| {
        has_crossed(side, *square) || (file_of(*square).is_multiple_of(2) && ranks.contains(&rank_of(*square)))
    };
    (0..SQUARES).filter(reached).fold(Squares::EMPTY, |set, square| set | Squares::of(square))
}

/// One piece with its points.
#[derive(Debug, Clone)]
struct Slot {
    piece: Piece,
    /// Whether the slot before holds an equal piece, which then stands on a lower point.
    follows_equal: bool,
    points: Vec<u8>,
    /// Point → its place among `points`.
    ranks: [u8; SQUARES],
}

/// A numbering of the placements of some material: mixed radix, one digit a piece. Numbers at which two pieces share a point,
/// or equal pieces stand in another order, stand for nothing.
#[derive(Debug, Clone)]
pub(crate) struct Numbering {
    slots: Vec<Slot>,
    len: usize,
}

impl Numbering {
    /// The numbering of `material`; `None` with more pieces than [`MOST_PIECES`] or more numbers than fit in 32 bits.
    pub fn new(material: Material) -> Option<Self> {
        let pieces = material.pieces();
        let slots: Vec<Slot> = pieces.iter().enumerate().map(|(at, &piece)| Slot::new(&pieces[..at], piece)).collect();
        let len = slots.iter().try_fold(1_u32, |len, slot| len.checked_mul(slot.points.len() as u32))?;
        (slots.len() <= MOST_PIECES).then_some(Self { slots, len: len as usize })
    }

    /// One more than the largest number.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// The position of a number with `turn` to move; `None` where it stands for nothing.
    pub fn position(&self, mut number: usize, turn: Side) -> Option<Position> {
        let mut position = Position::empty();
        let mut above = SQUARES;
        for slot in self.slots.iter().rev() {
            let square = usize::from(slot.points[number % slot.points.len()]);
            number /= slot.points.len();
            if square >= above || position.occupied().contains(square) {
                return None;
            }
            above = if slot.follows_equal { square } else { SQUARES };
            position.put(square, slot.piece);
        }
        if turn != position.turn() {
            position.pass();
        }
        Some(position)
    }

    /// The number of a position with this material; `None` if a pawn stands where play cannot have put it.
    pub fn number(&self, position: &Position) -> Option<usize> {
        let mut number = 0;
        let mut left = Squares::EMPTY;
        for slot in &self.slots {
            if !slot.follows_equal {
                left = position.pieces(slot.piece.side(), slot.piece.role());
            }
            let rank = slot.ranks[left.first()];
            left = left.rest();
            number = number * slot.points.len() + usize::from(if rank == Slot::NOWHERE { return None } else { rank });
        }
        Some(number)
    }
}

impl Slot {
    const NOWHERE: u8 = u8::MAX;

    fn new(before: &[Piece], piece: Piece) -> Self {
        let points: Vec<u8> = places(piece).into_iter().map(|square| square as u8).collect();
        let mut ranks = [Self::NOWHERE; SQUARES];
        points.iter().zip(0..).for_each(|(&square, rank)| ranks[usize::from(square)] = rank);
        Self { piece, follows_equal: before.last() == Some(&piece), points, ranks }
    }
}
