//! Writes moves.

use std::fmt::Write;

use super::super::Xiangqi;
use super::super::moves::Move;
use super::super::piece::{Piece, Role};
use super::super::squares::{FILES, file_of, rank_of};
use super::{MoveNotation, Script, number_of, points_of, shared_files, symbol};
use crate::game::{Ranks, Side};

/// The order of a piece among those of its kind on its file.
#[derive(Debug, Clone, Copy)]
struct Standing {
    /// How many there are on the file.
    count: usize,
    /// How many of them stand before it.
    before: usize,
    /// Whether other files hold several, too.
    others: bool,
}

impl Standing {
    const fn is_foremost(self) -> bool {
        self.before == 0
    }

    const fn is_rearmost(self) -> bool {
        self.before + 1 == self.count
    }

    const fn is_middle(self) -> bool {
        2 * self.before + 1 == self.count
    }
}

/// What a move does, in the words of WXF and Chinese notation.
#[derive(Debug, Clone, Copy)]
struct Told {
    side: Side,
    role: Role,
    /// The number of the file that it leaves.
    file: usize,
    standing: Standing,
    /// `+`, `-` or `=`.
    way: char,
    /// The file of arrival or the number of steps.
    number: usize,
}

impl Xiangqi {
    /// Appends `mv`, a legal move of this position, to `out` in `notation`.
    pub fn write_move_in(&self, mv: Move, notation: MoveNotation, out: &mut String) {
        match (notation, self.told(mv)) {
            (MoveNotation::Uci, _) => Ranks::FromOne.write(mv, out),
            (MoveNotation::Wxf, Some(told)) => told.push_wxf(out),
            (MoveNotation::Chinese(script), Some(told)) => told.push_chinese(script, out),
            // Writing to a string cannot fail.
            _ => _ = write!(out, "{mv}"),
        }
    }

    fn told(&self, mv: Move) -> Option<Told> {
        let piece = self.piece_at(mv.from())?;
        let (side, role) = (piece.side(), piece.role());
        let arrival = number_of(side, file_of(mv.to()));
        let straight = file_of(mv.from()) == file_of(mv.to());
        let ranks = rank_of(mv.from()).abs_diff(rank_of(mv.to()));
        let advances = (mv.to() > mv.from()) == (side == Side::First);
        Some(Told {
            side,
            role,
            file: number_of(side, file_of(mv.from())),
            standing: self.standing(mv.from(), piece),
            way: match (ranks, advances) {
                (0, _) => '=',
                (_, true) => '+',
                (_, false) => '-',
            },
            number: if straight { ranks } else { arrival },
        })
    }

    /// Kings, advisors and elephants count as alone on their files: their direction tells which of them is meant.
    fn standing(&self, from: usize, piece: Piece) -> Standing {
        let alone = Standing { count: 1, before: 0, others: false };
        if matches!(piece.role(), Role::King | Role::Advisor | Role::Elephant) {
            return alone;
        }
        let pieces = self.pieces(piece.side(), piece.role());
        let on = pieces & points_of(file_of(from));
        let count = on.len();
        if count < 2 {
            return alone;
        }
        let below = on.into_iter().take_while(|&square| square < from).count();
        let before = if piece.side() == Side::First { count - 1 - below } else { below };
        Standing { count, before, others: shared_files(pieces).nth(1).is_some() }
    }
}

impl Told {
    fn push_wxf(self, out: &mut String) {
        let Standing { count, others, .. } = self.standing;
        let file = ascii_digit(self.file);
        let sign = if 2 * self.standing.before < count { '+' } else { '-' };
        let outermost = count > 3 && (self.standing.is_foremost() || self.standing.is_rearmost());
        let letter = match self.role {
            Role::Horse => 'H',
            Role::Elephant => 'E',
            role => role.letter(),
        };
        let first = match self.role {
            Role::Pawn if count > 1 && others => file,
            _ if outermost => sign,
            _ => letter,
        };
        let second = if self.standing.is_middle() { file } else { sign };
        out.extend([first, second, self.way, ascii_digit(self.number)]);
    }

    fn push_chinese(self, script: Script, out: &mut String) {
        let piece = symbol::piece(script, self.side, self.role);
        let file = symbol::digit(self.side, self.file);
        let subject = match self.standing {
            Standing { count: 1, .. } => [piece, file],
            Standing { others: true, .. } if self.role == Role::Pawn => [self.order(script), file],
            _ => [self.order(script), piece],
        };
        let way = match self.way {
            '+' => symbol::forward(script),
            '-' => '退',
            _ => '平',
        };
        out.extend([subject[0], subject[1], way, symbol::digit(self.side, self.number)]);
    }

    fn order(self, script: Script) -> char {
        match self.standing {
            standing if standing.is_foremost() => '前',
            standing if standing.is_rearmost() => symbol::rear(script),
            standing if standing.count == 3 => '中',
            standing => symbol::digit(self.side, standing.before + 1),
        }
    }
}

/// The digit of a number from 1 to 9.
const fn ascii_digit(number: usize) -> char {
    debug_assert!(number >= 1 && number <= FILES);
    (b'0' + number as u8) as char
}
