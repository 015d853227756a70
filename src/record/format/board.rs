//! What the formats of Xiangqi programs have in common: lists of pieces by squares, moves by squares.

use crate::record::pgn::RawMove;

/// A square: its file, 0 to 8 from Red's left, and its rank, 0 to 9 from Red's side.
pub(crate) type Square = (u8, u8);

/// The square in file `file` and rank `rank`, if there is one.
pub fn square(file: u8, rank: u8) -> Option<Square> {
    (file < 9 && rank < 10).then_some((file, rank))
}

/// The pieces of both sides in the order in which XQF and DhtmlXQ list their squares, as FEN writes them.
pub const PIECES: [u8; 32] = *b"RNBAKABNRCCPPPPPrnbakabnrccppppp";

/// Pieces on squares; of two on one square the later counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board([[u8; 9]; 10]);

impl Board {
    /// A board with each of [`PIECES`] on its square, or off the board.
    pub(crate) fn of_list(squares: impl IntoIterator<Item = Option<Square>>) -> Self {
        let mut ranks = [[0; 9]; 10];
        for (piece, square) in PIECES.into_iter().zip(squares) {
            if let Some((file, rank)) = square {
                ranks[usize::from(rank)][usize::from(file)] = piece;
            }
        }
        Self(ranks)
    }

    /// The position as FEN. The side to move is that of the piece on `first`, from where the first move goes, and Red
    /// where there is none.
    pub fn fen(&self, first: Option<Square>) -> String {
        let text = |run: &[u8]| if run[0] == 0 { run.len().to_string() } else { char::from(run[0]).to_string() };
        let rank = |rank: &[u8; 9]| rank.chunk_by(|&piece, &next| piece == 0 && next == 0).map(text).collect();
        let ranks: Vec<String> = self.0.iter().rev().map(rank).collect();
        let moves_black =
            first.is_some_and(|(file, rank)| self.0[usize::from(rank)][usize::from(file)].is_ascii_lowercase());
        format!("{} {} - - 0 1", ranks.join("/"), if moves_black { 'b' } else { 'w' })
    }
}

/// A move in ICCS.
pub(crate) fn raw_move(from: Square, to: Square, comment: Option<String>, line: u64) -> RawMove<'static> {
    let name = |(file, rank): Square| format!("{}{rank}", char::from(b'a' + file));
    RawMove { text: (name(from) + &name(to)).into(), comment, line }
}
