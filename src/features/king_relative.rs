//! `king-relative`: where each side's attacking pieces stand as seen from the opponent's king, and the side to move.
//!
//! `control` and `board91` tell the point of a piece and the point of the king in two attributes, so that "a horse two files beside the
//! king and one rank before it" is as many conditions as the king has points. Here it is one value.

use super::board91::{Board91, code_of_side, side_to_move};
use super::{AttributeSpec, FeatureSet, exchange_of_sides};
use crate::game::{Game, Side};
use crate::games::xiangqi::{Role, SQUARES, Xiangqi, file_of, rank_of};
use crate::settings::counted;
use crate::table::Involution;

/// The name of the feature set.
pub const NAME: &str = "king-relative";

/// The pieces of each side that are looked at: of each role the nearest so many to the opponent's king.
const WATCHED: [(Role, usize); 4] = [(Role::Rook, 2), (Role::Horse, 2), (Role::Cannon, 2), (Role::Pawn, 3)];
/// The attributes of one side.
const PER_SIDE: usize = 9;
/// Role and number, from 0, of the piece that each of them tells of.
const PIECES: [(Role, usize); PER_SIDE] = {
    let (mut pieces, mut at, mut role) = ([(Role::Rook, 0); PER_SIDE], 0, 0);
    while role < WATCHED.len() {
        let mut number = 0;
        while number < WATCHED[role].1 {
            pieces[at] = (WATCHED[role].0, number);
            (at, number) = (at + 1, number + 1);
        }
        role += 1;
    }
    pieces
};
/// All attributes but the side to move.
const N_PIECES: usize = 2 * PER_SIDE;

/// Files from a king, which stands on d, e or f, to a piece: at most so many to either side.
const FILES_AWAY: i32 = 5;
/// Ranks before a king, which stands on one of the last three, that a piece may be: from so many behind it …
const RANKS_BEHIND: i32 = 2;
/// … to so many before it.
const RANKS_BEFORE: i32 = 9;
/// Different distances in files.
const WIDTH: i32 = 2 * FILES_AWAY + 1;
/// The code of a piece that is not there.
const ABSENT: u8 = ((RANKS_BEHIND + RANKS_BEFORE + 1) * WIDTH) as u8;
/// The value of a piece that is not there, above all others.
const ABSENT_VALUE: i32 = 1000;

/// The feature set `king-relative`. The attribute `red_horse_1` is the red horse nearest to Black's king, by ranks and files together. Its
/// value is 100 r + f: r ranks before the king, negative behind it, and f files to the right, negative to the left, both as its own side
/// sees the board; 1000 if there is no such piece. Of pawns the nearest three are told.
#[derive(Debug, Clone, Copy, Default)]
pub struct KingRelative;

/// What lies between a piece and the king, as the piece's side sees it: ranks before the king and files to the right.
const fn distance(code: u8) -> (i32, i32) {
    (code as i32 / WIDTH - RANKS_BEHIND, code as i32 % WIDTH - FILES_AWAY)
}

/// By code: how far the piece is from the king, then the code itself, so that no two are equally near.
const NEARNESS: [u16; ABSENT as usize + 1] = {
    let mut nearness = [u16::MAX; ABSENT as usize + 1];
    let mut code = 0;
    while code < ABSENT as usize {
        let (ranks, files) = distance(code as u8);
        nearness[code] = ((ranks.abs() + files.abs()) as u16) << 8 | code as u16;
        code += 1;
    }
    nearness
};

/// The code of a piece of `side` on `square` while the opponent's king stands on `king`.
#[inline]
fn code_of(side: Side, square: usize, king: usize) -> u8 {
    let seen = |square: usize| if side == Side::First { square } else { SQUARES - 1 - square };
    let (square, king) = (seen(square), seen(king));
    let ranks = rank_of(king) as i32 - rank_of(square) as i32 + RANKS_BEHIND;
    let files = file_of(square) as i32 - file_of(king) as i32 + FILES_AWAY;
    (ranks * WIDTH + files) as u8
}

/// Writes the codes of the pieces of `side`.
#[inline]
fn encode_side(position: &Xiangqi, side: Side, mut codes: &mut [u8]) {
    let king = position.king(side.other());
    for (role, watched) in WATCHED {
        let (here, rest) = codes.split_at_mut(watched);
        here.fill(ABSENT);
        position.pieces(side, role).for_each(|square| insert(here, code_of(side, square, king)));
        codes = rest;
    }
}

/// Puts `code` into `nearest`, which is sorted, and drops the farthest.
#[inline]
fn insert(nearest: &mut [u8], mut code: u8) {
    for place in nearest {
        if NEARNESS[usize::from(code)] < NEARNESS[usize::from(*place)] {
            std::mem::swap(place, &mut code);
        }
    }
}

/// The side, role and number, from 0, of an attribute but the last.
fn piece_of(attribute: usize) -> (Side, Role, usize) {
    let side = if attribute < PER_SIDE { Side::First } else { Side::Second };
    let (role, number) = PIECES[attribute % PER_SIDE];
    (side, role, number)
}

/// `red` or `black`.
fn name_of(side: Side) -> &'static str {
    Xiangqi::SIDES[side.index()]
}

impl FeatureSet<Xiangqi> for KingRelative {
    fn name(&self) -> &str {
        NAME
    }

    fn attributes(&self) -> Vec<AttributeSpec> {
        let of_piece = |attribute: usize| {
            let (side, role, number) = piece_of(attribute);
            let (values, inputs) = (0..=ABSENT).map(|code| numbers_of(code, side)).unzip();
            AttributeSpec { name: format!("{}_{}_{}", name_of(side), role.name(), number + 1), values, inputs }
        };
        (0..N_PIECES).map(of_piece).chain([side_to_move()]).collect()
    }

    fn n_attributes(&self) -> usize {
        N_PIECES + 1
    }

    fn exchange(&self) -> Option<Involution> {
        exchange_of_sides(&self.attributes(), N_PIECES)
    }

    #[inline]
    fn encode(&self, position: &Xiangqi, codes: &mut [u8]) {
        let (red, black) = codes[..N_PIECES].split_at_mut(PER_SIDE);
        encode_side(position, Side::First, red);
        encode_side(position, Side::Second, black);
        codes[N_PIECES] = code_of_side(position);
    }

    /// `nearest red horse 2 files left and 3 ranks before the king`, `no second black rook`, `Red to move`.
    fn describe(&self, attribute: usize, code: u8) -> String {
        if attribute == N_PIECES {
            return Board91.describe(SQUARES, code);
        }
        let (side, role, number) = piece_of(attribute);
        let (side, role) = (name_of(side), role.name());
        if code == ABSENT {
            return format!("no {}{side} {role}", ["", "second ", "third "][number]);
        }
        let (ranks, files) = distance(code);
        let across = match files {
            0 => "on the file of the king".to_owned(),
            _ => {
                counted(files.unsigned_abs(), "file")
                    + if files < 0 { " left of the king" } else { " right of the king" }
            }
        };
        let along = match ranks {
            0 => "on its rank".to_owned(),
            _ => counted(ranks.unsigned_abs(), "rank") + if ranks < 0 { " behind it" } else { " before it" },
        };
        format!("{}{side} {role} {across} and {along}", ["nearest ", "second ", "third "][number])
    }
}

/// The value of a code, and the number that stands for it: the nearer the more, Red's positive.
fn numbers_of(code: u8, side: Side) -> (i32, f32) {
    if code == ABSENT {
        return (ABSENT_VALUE, 0.0);
    }
    let (ranks, files) = distance(code);
    let farthest = (RANKS_BEFORE + FILES_AWAY + 1) as f32;
    let near = 1.0 - (ranks.abs() + files.abs()) as f32 / farthest;
    (100 * ranks + files, near * side.sign() as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::game::playout::random_moves;
    use crate::random::stream;

    fn codes_of(position: &Xiangqi) -> [u8; N_PIECES + 1] {
        let mut codes = [0; N_PIECES + 1];
        KingRelative.encode(position, &mut codes);
        codes
    }

    #[test]
    fn the_attributes_are_those_of_the_pieces() {
        let names: Vec<_> = KingRelative.attributes().into_iter().map(|spec| spec.name).collect();
        assert_eq!(
            (names[0].as_str(), names[8].as_str(), names[9].as_str()),
            ("red_rook_1", "red_pawn_3", "black_rook_1")
        );
        assert!(KingRelative.attributes().iter().all(|spec| spec.values.is_sorted() && spec.values.len() <= 256));
    }

    #[test]
    fn pieces_are_seen_from_the_king() {
        let game = Xiangqi::from_notation("3k5/9/9/4N4/9/9/9/r8/4R4/4K4 w - - 0 1").unwrap();
        let attributes = KingRelative.attributes();
        let told = |name: &str| {
            let at = attributes.iter().position(|spec| spec.name == name).unwrap();
            let code = codes_of(&game)[at];
            (attributes[at].values[usize::from(code)], KingRelative.describe(at, code))
        };
        assert_eq!(
            told("red_horse_1"),
            (301, "nearest red horse 1 file right of the king and 3 ranks before it".into())
        );
        assert_eq!(told("red_rook_1"), (801, "nearest red rook 1 file right of the king and 8 ranks before it".into()));
        // Black sees the board from the other side: file a is on its right.
        assert_eq!(
            told("black_rook_1"),
            (204, "nearest black rook 4 files right of the king and 2 ranks before it".into())
        );
        assert_eq!(told("red_rook_2"), (ABSENT_VALUE, "no second red rook".into()));
        assert_eq!(told("side"), (1, "Red to move".into()));
    }

    /// What the definition says, without tables and insertion.
    fn reference(position: &Xiangqi, side: Side, role: Role, number: usize) -> i32 {
        let seen = |square: usize| if side == Side::First { square } else { SQUARES - 1 - square };
        let king = seen(position.king(side.other()));
        let mut away: Vec<(i32, i32, i32)> = position
            .pieces(side, role)
            .into_iter()
            .map(seen)
            .map(|at| (rank_of(king) as i32 - rank_of(at) as i32, file_of(at) as i32 - file_of(king) as i32))
            .map(|(ranks, files)| (ranks.abs() + files.abs(), ranks, files))
            .collect();
        away.sort_unstable();
        away.get(number).map_or(ABSENT_VALUE, |(_, ranks, files)| 100 * ranks + files)
    }

    #[test]
    fn codes_are_those_of_the_definition() {
        let attributes = KingRelative.attributes();
        for game in 0..20 {
            random_moves(&mut Xiangqi::start(), 120, &mut stream(6, "king-relative", game), |position| {
                let codes = codes_of(position);
                for (attribute, &code) in codes[..N_PIECES].iter().enumerate() {
                    let (side, role, number) = piece_of(attribute);
                    let value = attributes[attribute].values[usize::from(code)];
                    assert_eq!(value, reference(position, side, role, number), "{}", attributes[attribute].name);
                }
            });
        }
    }
}
