//! Move notations: coordinates (ICCS, UCI), WXF and Chinese.
//!
//! | notation | example | source |
//! |---|---|---|
//! | ICCS, UCCI | `h2e2`, `H2-E2` | files `a` to `i`, ranks 0 to 9 from Red's back rank |
//! | UCI | `h3e3`, `h10g8` | the same with ranks 1 to 10, as Fairy-Stockfish and Pikafish write it |
//! | WXF | `C2=5`, `R+=4`, `++.4` | World Xiangqi Federation, *Official Xiangqi Piece Names and Notation* |
//! | Chinese | `炮二平五`, `前車進一`, `馬８進７` | Chinese Xiangqi Association, rules of recording |
//!
//! WXF and Chinese name a piece by its file, counted from the right of its owner, or by its order among the pieces of its
//! kind on one file; then a direction; then the file of arrival, or for pieces that move straight ahead the number of steps.
//!
//! **Reading** takes any of these by the shape of the text ([`Notation::parse_move`](crate::game::Notation::parse_move)), in either
//! script and mixed, either width of digits, and with variant characters. Ranks 1 to 10 are read unasked only where a rank 10
//! leaves no doubt. A text that fits several moves of which one is legal means that one; a text that fits several legal moves
//! is an error that names them.
//!
//! **Pieces on one file.** Kings, advisors and elephants never need an order, since on one file no two of them can make the
//! same step. Two pieces are 前 and 後 (`+`, `-`), three pawns 前 中 後 (`P+`, `P` with its file, `P-`), four 前 二 三 後
//! (`++`, `P+`, `P-`, `--`), five 前 二 三 四 後 (`++`, `P+`, `P` with its file, `P-`, `--`). Where two files hold several pawns
//! each, the file takes the place of the word for pawn: `前三平四` (`3+=4`; the middle one of three is `33=4`). Also read are
//! `前兵三平四`, `二兵三平四`, `三兵平四` (then counted file by file from the right, on each from the front) and the number before
//! the file, as Fairy-Stockfish writes it for three pawns and more (`23=4`).

mod read;
mod symbol;
mod write;

pub(super) use symbol::piece as piece_character;

use super::squares::{FILE_A, FILES, Squares};
use crate::game::Side;

/// How a move is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoveNotation {
    /// Coordinates with ranks 0 to 9, `h2e2`; UCCI is the same.
    Iccs,
    /// Coordinates with ranks 1 to 10, `h3e3`.
    Uci,
    /// Latin letters, digits and signs, `C2=5`.
    Wxf,
    /// Chinese characters, `炮二平五`.
    Chinese(Script),
}

/// The forms of Chinese characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Script {
    /// 車馬將帥進後
    Traditional,
    /// 车马将帅进后
    Simplified,
}

impl MoveNotation {
    /// Every notation.
    pub const ALL: [Self; 5] =
        [Self::Iccs, Self::Uci, Self::Wxf, Self::Chinese(Script::Traditional), Self::Chinese(Script::Simplified)];

    /// The names of [`MoveNotation::ALL`], as PGN's tag `Format` and the command line give them.
    pub const NAMES: &[&str] = &["ICCS", "UCI", "WXF", "Chinese", "Chinese-simplified"];

    /// The index of [`MoveNotation::Uci`] in [`MoveNotation::ALL`].
    pub const UCI: usize = 1;
}

/// The file, 0 to 8 from `a`, that `side` counts as its `number`-th from its right, 1 to 9; and the other way about.
const fn file_numbered(side: Side, number: usize) -> usize {
    match side {
        Side::First => FILES - number,
        Side::Second => number - 1,
    }
}

/// The number, 1 to 9, that `side` gives to a file.
const fn number_of(side: Side, file: usize) -> usize {
    match side {
        Side::First => FILES - file,
        Side::Second => file + 1,
    }
}

/// The points of a file.
const fn points_of(file: usize) -> Squares {
    Squares(FILE_A << file)
}

/// The files, as their points, on which `pieces` has at least two.
fn shared_files(pieces: Squares) -> impl Iterator<Item = (usize, Squares)> {
    (0..FILES).map(move |file| (file, pieces & points_of(file))).filter(|(_, on)| !on.rest().is_empty())
}
