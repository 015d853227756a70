//! The characters of WXF and Chinese notation and what they stand for.

use super::super::piece::Role;
use super::Script;
use crate::game::Side;

/// What a character stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Symbol {
    /// A piece.
    Piece(Role),
    /// A file, an order, or a number of steps, 1 to 9.
    Number(u8),
    /// 前: the foremost.
    Front,
    /// 中: the middle one.
    Middle,
    /// 後: the rearmost.
    Rear,
    /// 進.
    Forward,
    /// 退.
    Back,
    /// `+`: in front, or forward.
    Plus,
    /// `-`: behind, or back.
    Minus,
    /// 平, `.` or `=`: along the rank.
    Sideways,
}

impl Symbol {
    /// What `character` stands for.
    #[inline]
    pub const fn of(character: char) -> Option<Self> {
        Some(match character {
            '1'..='9' => Self::Number(character as u8 - b'0'),
            '１'..='９' => Self::Number((character as u32 - '０' as u32) as u8),
            '一' => Self::Number(1),
            '二' => Self::Number(2),
            '三' => Self::Number(3),
            '四' => Self::Number(4),
            '五' => Self::Number(5),
            '六' => Self::Number(6),
            '七' => Self::Number(7),
            '八' => Self::Number(8),
            '九' => Self::Number(9),
            '平' | '.' | '=' | '．' | '＝' => Self::Sideways,
            '進' | '进' => Self::Forward,
            '退' => Self::Back,
            '前' => Self::Front,
            '中' => Self::Middle,
            '後' | '后' => Self::Rear,
            '+' | '＋' => Self::Plus,
            '-' | '－' => Self::Minus,
            _ => return Self::piece(character),
        })
    }

    /// The piece that `character` stands for, whoever's it usually is.
    const fn piece(character: char) -> Option<Self> {
        Some(Self::Piece(match character {
            '車' | '车' | '俥' => Role::Rook,
            '馬' | '马' | '傌' => Role::Horse,
            '炮' | '砲' | '包' => Role::Cannon,
            '兵' | '卒' => Role::Pawn,
            '相' | '象' => Role::Elephant,
            '仕' | '士' => Role::Advisor,
            '帥' | '將' | '帅' | '将' => Role::King,
            _ => match Role::from_letter(character) {
                Some(role) => role,
                None => return None,
            },
        }))
    }
}

/// The digits of files and steps from 1, as each side writes them in Chinese.
const DIGITS: [[char; 9]; 2] =
    [['一', '二', '三', '四', '五', '六', '七', '八', '九'], ['１', '２', '３', '４', '５', '６', '７', '８', '９']];

/// King, advisor, elephant, horse, rook, cannon, pawn by script and side.
const PIECES: [[[char; 7]; 2]; 2] = [
    [['帥', '仕', '相', '馬', '車', '炮', '兵'], ['將', '士', '象', '馬', '車', '炮', '卒']],
    [['帅', '仕', '相', '马', '车', '炮', '兵'], ['将', '士', '象', '马', '车', '炮', '卒']],
];

/// The character of a number from 1 to 9.
pub const fn digit(side: Side, number: usize) -> char {
    DIGITS[side.index()][number - 1]
}

/// The character of a piece.
pub const fn piece(script: Script, side: Side, role: Role) -> char {
    PIECES[script as usize][side.index()][role as usize]
}

/// 進.
pub const fn forward(script: Script) -> char {
    ['進', '进'][script as usize]
}

/// 後.
pub(crate) const fn rear(script: Script) -> char {
    ['後', '后'][script as usize]
}
