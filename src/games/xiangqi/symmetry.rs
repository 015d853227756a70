//! The board's symmetries: file `a` for file `i`, and Red's side for Black's.

use super::position::Position;
use super::squares::{FILES, SQUARES, file_of};
use super::tables::{ZOBRIST, ZOBRIST_TURN};
use super::{Move, Piece, Xiangqi};
use crate::game::symmetry::{Symmetric, Symmetry};
use crate::game::{Game, SearchHints, Side};

/// The point of the same rank on the opposite file.
const fn mirrored_point(square: usize) -> usize {
    square + FILES - 1 - 2 * file_of(square)
}

/// The point that the other side sees where one side sees `square`.
const fn turned_point(square: usize) -> usize {
    SQUARES - 1 - square
}

impl Position {
    /// With colours exchanged: the board turned so that each side has what the other had, and the other side to move.
    pub fn exchanged(&self) -> Self {
        self.image(exchanged_piece, true)
    }

    /// With the pieces that `placed` makes of each and its point.
    fn image(&self, placed: impl Fn(Piece, usize) -> (Piece, usize), exchanges_colours: bool) -> Self {
        let mut image = Self::empty();
        for square in self.occupied() {
            if let Some(piece) = Piece::from_code(self.board()[square]) {
                let (piece, square) = placed(piece, square);
                image.put(square, piece);
            }
        }
        if (self.turn() == Side::Second) != exchanges_colours {
            image.pass();
        }
        image
    }
}

fn exchanged_piece(piece: Piece, square: usize) -> (Piece, usize) {
    (Piece::new(piece.side().other(), piece.role()), turned_point(square))
}

impl Xiangqi {
    fn mirrored_key(&self) -> u64 {
        let board = self.board();
        let turn = if self.side_to_move() == Side::Second { ZOBRIST_TURN } else { 0 };
        let number = |square: usize| ZOBRIST[usize::from(board[square])][mirrored_point(square)];
        self.occupied().into_iter().fold(turn, |key, square| key ^ number(square))
    }

    fn mirrored_move(mv: Move) -> Move {
        Move::new(mirrored_point(mv.from()), mirrored_point(mv.to()))
    }

    /// With colours exchanged: the board turned so that each side has what the other had, and the other side to move.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        image(self, Self::exchanged_move, exchanged_piece, true)
    }

    fn exchanged_move(mv: Move) -> Move {
        Move::new(turned_point(mv.from()), turned_point(mv.to()))
    }
}

impl Symmetric for Xiangqi {
    /// Itself and its mirror image.
    const IMAGES: usize = 2;
    const EXCHANGE: Option<Symmetry<Self>> =
        Some(Symmetry::of_colours(Self::exchanged, |_, mv| Self::exchanged_move(mv)));

    fn image_key(&self, image: usize) -> u64 {
        if image == 0 { self.key() } else { self.mirrored_key() }
    }

    fn image_move(&self, mv: Move, image: usize) -> Move {
        if image == 0 { mv } else { Self::mirrored_move(mv) }
    }

    fn image(&self, number: usize) -> Self {
        if number == 0 {
            return self.clone();
        }
        image(self, Self::mirrored_move, |piece, square| (piece, mirrored_point(square)), false)
    }
}

/// The set-up of `game` with the pieces that `placed` makes of each and its point, and the moves that `moved` makes of those
/// made since.
fn image(
    game: &Xiangqi,
    moved: impl Fn(Move) -> Move,
    placed: impl Fn(Piece, usize) -> (Piece, usize),
    exchanges_colours: bool,
) -> Xiangqi {
    let start = game.set_up();
    let position = start.position.image(placed, exchanges_colours);
    // Plies are counted from Red's first move, so their number says whose turn it is.
    let plies_before = start.plies_before ^ u64::from(exchanges_colours);
    let mut image = Xiangqi { position, plies_before, past: Vec::with_capacity(game.past.len()), ..start };
    for mv in game.moves_made() {
        if mv == Move::PASS {
            image.pass();
        } else {
            image.play(moved(mv));
        }
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;

    #[test]
    fn with_colours_exchanged_it_was_black_who_moved_so_the_next_move_has_begun() {
        let mut game = Xiangqi::start();
        game.play(game.parse_move("b0c2").unwrap());
        assert!(game.notation().ends_with(" b - - 1 1"));
        assert!(game.exchanged().notation().ends_with(" w - - 1 2"));
    }
}
