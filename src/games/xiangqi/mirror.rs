//! The board's left-right symmetry: file `a` for file `i`.

use super::squares::{FILES, file_of};
use super::tables::{ZOBRIST, ZOBRIST_TURN};
use super::{Move, Xiangqi};
use crate::game::mirror::Mirrored;
use crate::game::{Game, Side};

/// The point of the same rank on the opposite file.
const fn mirrored_point(square: usize) -> usize {
    square + FILES - 1 - 2 * file_of(square)
}

impl Mirrored for Xiangqi {
    fn mirrored_key(&self) -> u64 {
        let board = self.board();
        let turn = if self.side_to_move() == Side::Second { ZOBRIST_TURN } else { 0 };
        let number = |square: usize| ZOBRIST[usize::from(board[square])][mirrored_point(square)];
        self.occupied().into_iter().fold(turn, |key, square| key ^ number(square))
    }

    fn mirrored_move(mv: Move) -> Move {
        Move::new(mirrored_point(mv.from()), mirrored_point(mv.to()))
    }
}
