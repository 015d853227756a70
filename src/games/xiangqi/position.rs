//! The position: board matrix, bitboards, occupancies of ranks and files, key. Changed piece by piece, all in step.

use super::moves::Move;
use super::piece::{Piece, Role};
use super::squares::{FILES, SQUARES, Squares, file_of, rank_of};
use super::tables::{ZOBRIST, ZOBRIST_TURN};
use crate::game::Side;

/// What stands where, and whose turn it is; nothing of the past.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    board: [u8; SQUARES],
    turn: Side,
    key: u64,
    /// By piece code; 16 entries so that a masked code is always in bounds.
    pieces: [Squares; 16],
    sides: [Squares; 2],
    /// By side and rank: bit `f` is set when the side has a piece on file `f`. Padded to a power of two.
    ranks: [[u16; 16]; 2],
    /// By side and file: bit `r` is set when the side has a piece on rank `r`.
    files: [[u16; 16]; 2],
}

impl Position {
    /// No pieces, Red's turn.
    pub const fn empty() -> Self {
        Self {
            board: [0; SQUARES],
            turn: Side::First,
            key: 0,
            pieces: [Squares::EMPTY; 16],
            sides: [Squares::EMPTY; 2],
            ranks: [[0; 16]; 2],
            files: [[0; 16]; 2],
        }
    }

    /// The code of each point (see [`Piece`]), 0 where it is empty.
    pub const fn board(&self) -> &[u8; SQUARES] {
        &self.board
    }

    /// The side to move.
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// The Zobrist key of board and side to move.
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The points of the pieces of `side`.
    #[inline(always)]
    pub const fn side(&self, side: Side) -> Squares {
        self.sides[side.index()]
    }

    /// The points of all pieces.
    #[inline(always)]
    pub const fn occupied(&self) -> Squares {
        Squares(self.sides[0].0 | self.sides[1].0)
    }

    /// The points of the pieces of `side` with `role`.
    #[inline(always)]
    pub const fn pieces(&self, side: Side, role: Role) -> Squares {
        self.pieces[Piece::new(side, role).code() as usize & 15]
    }

    /// Where the king of `side` stands.
    #[inline(always)]
    pub const fn king(&self, side: Side) -> usize {
        self.pieces(side, Role::King).first()
    }

    /// The pieces of both sides and of the opponent of `side` on a rank.
    #[inline(always)]
    pub(crate) const fn rank_line(&self, side: Side, rank: usize) -> (u16, u16) {
        let enemy = self.ranks[side.other().index()][rank & 15];
        (self.ranks[side.index()][rank & 15] | enemy, enemy)
    }

    /// The pieces of both sides and of the opponent of `side` on a file.
    #[inline(always)]
    pub(crate) const fn file_line(&self, side: Side, file: usize) -> (u16, u16) {
        let enemy = self.files[side.other().index()][file & 15];
        (self.files[side.index()][file & 15] | enemy, enemy)
    }

    /// Puts a piece on an empty point.
    pub fn put(&mut self, square: usize, piece: Piece) {
        self.board[square] = piece.code();
        self.key ^= ZOBRIST[usize::from(piece.code())][square];
        self.toggle(square, piece.code());
    }

    /// Gives the turn to the other side.
    pub const fn pass(&mut self) {
        self.turn = self.turn.other();
        self.key ^= ZOBRIST_TURN;
    }

    /// Makes a move and returns the code of the captured piece, 0 if there was none.
    #[inline(always)]
    pub fn make(&mut self, mv: Move) -> u8 {
        let (from, to) = (mv.from(), mv.to());
        let (moved, captured) = (self.board[from], self.board[to]);
        self.board[from] = 0;
        self.board[to] = moved;
        let numbers = &ZOBRIST[usize::from(moved)];
        self.key ^= numbers[from] ^ numbers[to] ^ ZOBRIST_TURN;
        self.shift(mv, moved);
        if captured != 0 {
            self.key ^= ZOBRIST[usize::from(captured)][to];
            self.toggle(to, captured);
        }
        self.turn = self.turn.other();
        captured
    }

    /// Takes back the move that captured `captured`. `key` is the key before the move.
    #[inline(always)]
    pub fn unmake(&mut self, mv: Move, captured: u8, key: u64) {
        let (from, to) = (mv.from(), mv.to());
        let moved = self.board[to];
        // In this order a pass, which leads from a point to itself, changes nothing.
        self.board[to] = captured;
        self.board[from] = moved;
        self.key = key;
        self.shift(mv, moved);
        if captured != 0 {
            self.toggle(to, captured);
        }
        self.turn = self.turn.other();
    }

    /// Moves a piece in bitboards and occupancies; the same call moves it back.
    #[inline(always)]
    fn shift(&mut self, mv: Move, code: u8) {
        let (from, to) = (mv.from(), mv.to());
        let side = usize::from(code >= 8);
        let change = Squares::of(from) ^ Squares::of(to);
        let set = &mut self.pieces[usize::from(code & 15)];
        *set = *set ^ change;
        self.sides[side] = self.sides[side] ^ change;
        self.toggle_lines(side, from);
        self.toggle_lines(side, to);
    }

    /// Adds a piece to bitboards and occupancies, or removes it.
    #[inline(always)]
    fn toggle(&mut self, square: usize, code: u8) {
        let side = usize::from(code >= 8);
        let set = &mut self.pieces[usize::from(code & 15)];
        *set = *set ^ Squares::of(square);
        self.sides[side] = self.sides[side] ^ Squares::of(square);
        self.toggle_lines(side, square);
    }

    #[inline(always)]
    fn toggle_lines(&mut self, side: usize, square: usize) {
        let (file, rank) = (file_of(square), rank_of(square));
        self.ranks[side][rank & 15] ^= 1 << file;
        self.files[side][file & 15] ^= 1 << rank;
    }
}

/// Places the bits of a rank on the board.
#[inline(always)]
pub(crate) const fn spread_rank(bits: u16, rank: usize) -> Squares {
    Squares((bits as u128) << (rank * FILES))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::playout::random_moves;
    use crate::game::{Game, Notation};
    use crate::games::xiangqi::Xiangqi;
    use crate::random::stream;

    /// What the board matrix and the side to move make of everything else.
    fn from_scratch(board: &[u8; SQUARES], turn: Side) -> Position {
        let mut position = Position { board: *board, turn, ..Position::empty() };
        position.key = if turn == Side::Second { ZOBRIST_TURN } else { 0 };
        for (square, &code) in board.iter().enumerate() {
            let Some(piece) = Piece::from_code(code) else { continue };
            let side = piece.side().index();
            position.key ^= ZOBRIST[usize::from(code)][square];
            position.pieces[usize::from(code)].0 |= 1 << square;
            position.sides[side].0 |= 1 << square;
            position.ranks[side][square / FILES] |= 1 << (square % FILES);
            position.files[side][square % FILES] |= 1 << (square / FILES);
        }
        position
    }

    #[test]
    fn all_forms_keep_in_step() {
        let mut visited = 0;
        for number in 0..60 {
            let mut check = |game: &mut Xiangqi| {
                visited += 1;
                let position = &game.position;
                assert!(*position == from_scratch(position.board(), position.turn()), "{game:?}");
            };
            let mut game = Xiangqi::start();
            random_moves(&mut game, 250, &mut stream(4, "forms in step", number), &mut check);
            while game.plies() > 0 {
                game.undo();
                check(&mut game);
            }
            assert_eq!(game.notation(), Xiangqi::start().notation());
        }
        assert!(visited > 10_000, "{visited} positions");
    }
}
