//! Preset tables: where each piece may go from each point, worked out when the program is compiled.

use super::squares::{FILES, HALVES, PALACES, RANKS, SQUARES, Squares, file_of, rank_of};
use crate::game::Side;

/// What a rook or cannon on a line sees, for one occupancy of the line. Bit `i` of each part is point `i` of the line.
#[derive(Clone, Copy)]
pub struct Line(u32);

const NEAR_SHIFT: u32 = 10;
const FAR_SHIFT: u32 = 20;
const LINE_MASK: u32 = 0x3FF;

impl Line {
    /// The points that a rook may go to when the opponent holds `enemy`.
    #[inline(always)]
    pub const fn rook(self, enemy: u16) -> u16 {
        ((self.0 & LINE_MASK) | (self.0 >> NEAR_SHIFT & enemy as u32)) as u16
    }

    /// The points that a cannon may go to when the opponent holds `enemy`.
    #[inline(always)]
    pub const fn cannon(self, enemy: u16) -> u16 {
        ((self.0 & LINE_MASK) | (self.0 >> FAR_SHIFT & enemy as u32)) as u16
    }

    /// As many bits as [`Line::rook`] has points; cheaper when only the number is asked.
    #[inline(always)]
    pub(crate) const fn rook_bits(self, enemy: u16) -> u32 {
        self.0 & (LINE_MASK | (enemy as u32) << NEAR_SHIFT)
    }

    /// As many bits as [`Line::cannon`] has points.
    #[inline(always)]
    pub(crate) const fn cannon_bits(self, enemy: u16) -> u32 {
        self.0 & (LINE_MASK | (enemy as u32) << FAR_SHIFT)
    }
}

/// Rook and cannon along a rank: index file, then the occupancy of the rank.
pub(crate) static RANK_LINES: [[Line; 512]; FILES] = lines::<512, FILES>();
/// Rook and cannon along a file: index rank, then the occupancy of the file.
pub(crate) static FILE_LINES: [[Line; 1024]; RANKS] = lines::<1024, RANKS>();

const fn lines<const OCCUPANCIES: usize, const LENGTH: usize>() -> [[Line; OCCUPANCIES]; LENGTH] {
    array!([Line(0); OCCUPANCIES]; LENGTH, point => array!(Line(0); OCCUPANCIES, occupied => {
        let (at, length, occupied) = (point as i32, LENGTH as i32, occupied as u32);
        Line(ray(at, 1, length, occupied).0 | ray(at, -1, length, occupied).0)
    }))
}

/// Empty points up to the first piece, that piece, and the second piece, in the three parts of a [`Line`]; and the empty points between
/// the two.
const fn ray(point: i32, step: i32, length: i32, occupied: u32) -> (u32, u16) {
    let (mut seen, mut between) = (0, 0);
    let mut pieces = 0;
    let mut at = point + step;
    while 0 <= at && at < length && pieces < 2 {
        let filled = occupied >> at & 1 == 1;
        if filled {
            pieces += 1;
            seen |= 1 << (at as u32 + NEAR_SHIFT * pieces);
        } else if pieces == 0 {
            seen |= 1 << at;
        } else {
            between |= 1 << at;
        }
        at += step;
    }
    (seen, between)
}

/// The empty points of a rank that lie behind exactly one piece, as [`RANK_LINES`] is indexed.
pub(crate) static RANK_BEYOND: [[u16; 512]; FILES] = beyond_lines::<512, FILES>();
/// The empty points of a file that lie behind exactly one piece, as [`FILE_LINES`] is indexed.
pub(crate) static FILE_BEYOND: [[u16; 1024]; RANKS] = beyond_lines::<1024, RANKS>();

const fn beyond_lines<const OCCUPANCIES: usize, const LENGTH: usize>() -> [[u16; OCCUPANCIES]; LENGTH] {
    array!([0; OCCUPANCIES]; LENGTH, point => array!(0; OCCUPANCIES, occupied => {
        let (at, length, occupied) = (point as i32, LENGTH as i32, occupied as u32);
        ray(at, 1, length, occupied).1 | ray(at, -1, length, occupied).1
    }))
}

/// The points of file `a` whose ranks are the bits of the index; shift left by the file.
pub(crate) static FILE_SPREAD: [u128; 1024] = array!(0; 1024, ranks => {
    let mut points = 0;
    let mut rank = 0;
    while rank < RANKS {
        points |= ((ranks as u128) >> rank & 1) << (rank * FILES);
        rank += 1;
    }
    points
});

/// A step by files and ranks.
type Step = (i32, i32);

/// The point one `step` from `square`, if it is on the board.
const fn stepped(square: usize, step: Step) -> Option<usize> {
    let file = file_of(square) as i32 + step.0;
    let rank = rank_of(square) as i32 + step.1;
    if 0 <= file && file < FILES as i32 && 0 <= rank && rank < RANKS as i32 {
        Some(rank as usize * FILES + file as usize)
    } else {
        None
    }
}

const fn bit_of(square: Option<usize>) -> u128 {
    match square {
        Some(square) => 1 << square,
        None => 0,
    }
}

/// Whether the point is on Red's side of the river.
const fn is_red_half(square: usize) -> bool {
    HALVES[0].contains(square)
}

/// Whether the point is in either palace.
const fn in_palace(square: usize) -> bool {
    PALACES[0].contains(square) || PALACES[1].contains(square)
}

/// The legs of a horse and where each lets it go, in the order of the bits of [`HORSE`]'s index.
const LEGS: [(Step, [Step; 2]); 4] = [
    ((0, -1), [(-1, -2), (1, -2)]),
    ((-1, 0), [(-2, -1), (-2, 1)]),
    ((0, 1), [(-1, 2), (1, 2)]),
    ((1, 0), [(2, -1), (2, 1)]),
];

/// A horse's destinations: index point, then which legs are filled (bit 0 below, 1 left, 2 above, 3 right).
pub static HORSE: [[u128; 16]; SQUARES] =
    array!([0; 16]; SQUARES, square => array!(0; 16, filled => destinations(square, filled, &LEGS)));

/// Where jumps over four points lead, a bit of `filled` a point; behind a point that is filled there is none.
const fn destinations<const N: usize>(square: usize, filled: usize, jumps: &[(Step, [Step; N]); 4]) -> u128 {
    let mut set = 0;
    let mut jump = 0;
    while jump < 4 * N {
        let (over, to) = (jump / N, jump % N);
        if filled >> over & 1 == 0 {
            set |= bit_of(stepped(square, jumps[over].1[to]));
        }
        jump += 1;
    }
    set
}

/// The leg of a horse that stands on `from` and aims at `to`, which must be a horse's jump away.
#[inline(always)]
pub(crate) const fn horse_leg(from: usize, to: usize) -> usize {
    match to as i32 - from as i32 {
        17 | 19 => from + FILES,
        -17 | -19 => from - FILES,
        11 | -7 => from + 1,
        _ => from - 1,
    }
}

/// The eyes of an elephant and where each lets it go, in the order of the bits of [`ELEPHANT`]'s index.
const EYES: [(Step, [Step; 1]); 4] =
    [((-1, -1), [(-2, -2)]), ((-1, 1), [(-2, 2)]), ((1, -1), [(2, -2)]), ((1, 1), [(2, 2)])];

/// An elephant's destinations on its own side of the river: index point, then which eyes are filled
/// (bit 0 below left, 1 above left, 2 below right, 3 above right).
pub static ELEPHANT: [[u128; 16]; SQUARES] = array!([0; 16]; SQUARES, square => {
    let half = if is_red_half(square) { HALVES[0] } else { HALVES[1] };
    array!(0; 16, filled => destinations(square, filled, &EYES) & half.0)
});

const ORTHOGONAL: [Step; 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];
const DIAGONAL: [Step; 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// A king's destinations in its palace, by point.
pub static KING: [u128; SQUARES] = palace_steps(ORTHOGONAL);
/// An advisor's destinations in its palace, by point.
pub static ADVISOR: [u128; SQUARES] = palace_steps(DIAGONAL);

/// The points that a king on `square`, in a palace, can step to within it.
#[inline(always)]
pub fn king_steps(square: usize) -> Squares {
    Squares(KING[square])
}

const fn palace_steps(steps: [Step; 4]) -> [u128; SQUARES] {
    let mut table = [0; SQUARES];
    let mut index = 0;
    while index < SQUARES * 4 {
        if let Some(to) = stepped(index / 4, steps[index % 4])
            && in_palace(index / 4)
            && in_palace(to)
        {
            table[index / 4] |= 1 << to;
        }
        index += 1;
    }
    table
}

/// A pawn's destinations: index side, then point.
pub static PAWN: [[u128; SQUARES]; 2] = [
    array!(0; SQUARES, square => pawn_destinations(Side::First, square)),
    array!(0; SQUARES, square => pawn_destinations(Side::Second, square)),
];

const fn pawn_destinations(side: Side, square: usize) -> u128 {
    let forward = bit_of(stepped(square, (0, side.sign())));
    if has_crossed(side, square) {
        forward | bit_of(stepped(square, (-1, 0))) | bit_of(stepped(square, (1, 0)))
    } else {
        forward
    }
}

/// Whether a piece of `side` on `square` stands on the opponent's side of the river.
pub const fn has_crossed(side: Side, square: usize) -> bool {
    is_red_half(square) == matches!(side, Side::Second)
}

/// From where a pawn of the *opponent* of the indexed side attacks the indexed point.
pub(crate) static PAWN_ATTACKERS: [[u128; SQUARES]; 2] = {
    let mut table = [[0; SQUARES]; 2];
    let mut index = 0;
    while index < SQUARES * SQUARES {
        let (from, to) = (index / SQUARES, index % SQUARES);
        table[0][to] |= (PAWN[1][from] >> to & 1) << from;
        table[1][to] |= (PAWN[0][from] >> to & 1) << from;
        index += 1;
    }
    table
};

/// The other points on the rank and the file of a point.
pub(crate) static CROSS: [u128; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut index = 0;
    while index < SQUARES * SQUARES {
        let (a, b) = (index / SQUARES, index % SQUARES);
        if a != b && (file_of(a) == file_of(b) || rank_of(a) == rank_of(b)) {
            table[a] |= 1 << b;
        }
        index += 1;
    }
    table
};

/// The other points on the rank and the file of `square`.
#[inline(always)]
pub fn points_in_line(square: usize) -> Squares {
    Squares(CROSS[square])
}

/// The points strictly between two points of one rank or file; empty for others.
pub static BETWEEN: [[u128; SQUARES]; SQUARES] =
    array!([0; SQUARES]; SQUARES, a => array!(0; SQUARES, b => between(a, b)));

/// The points strictly between two points of one rank or file; empty for others, and for one point twice.
#[inline(always)]
pub fn points_between(a: usize, b: usize) -> Squares {
    Squares(BETWEEN[a][b])
}

const fn between(a: usize, b: usize) -> u128 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let step = if file_of(low) == file_of(high) {
        FILES
    } else if rank_of(low) == rank_of(high) {
        1
    } else {
        return 0;
    };
    let mut set = 0;
    let mut at = low + step;
    while at < high {
        set |= 1 << at;
        at += step;
    }
    set
}

/// The points on which a piece may be set up: index piece code (0 is unused). Kings, advisors and elephants keep to the
/// points that their moves reach; pawns may stand anywhere, because diagrams of rule books have them where no game does.
pub(crate) static PLACES: [u128; 15] = {
    let mut table = [(1 << SQUARES) - 1; 15];
    let mut side = 0;
    while side < 2 {
        let king_home = if side == 0 { 4 } else { 85 };
        table[1 + 7 * side] = closure(&KING, king_home);
        table[2 + 7 * side] = closure(&ADVISOR, king_home - 1);
        table[3 + 7 * side] = closure(&array!(0; SQUARES, square => ELEPHANT[square][0]), king_home - 2);
        side += 1;
    }
    table
};

/// Every point that moves of `table` lead to from `start`, and `start` itself.
const fn closure(table: &[u128; SQUARES], start: usize) -> u128 {
    let mut reached: u128 = 1 << start;
    let mut done: u128 = 0;
    while reached != done {
        let square = (reached & !done).trailing_zeros() as usize;
        reached |= table[square];
        done |= 1 << square;
    }
    reached
}

/// Zobrist numbers: index piece code (row 0 is unused), then point.
pub(crate) static ZOBRIST: [[u64; SQUARES]; 15] = array!([0; SQUARES]; 15, piece => array!(0; SQUARES, square => {
    if piece == 0 { 0 } else { crate::random::mix(ZOBRIST_SEED ^ (piece * SQUARES + square) as u64) }
}));
/// Zobrist number of Black's turn.
pub(crate) const ZOBRIST_TURN: u64 = crate::random::mix(ZOBRIST_SEED);
const ZOBRIST_SEED: u64 = 0x7869_616E_6771_6900;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_the_first_and_second_piece_apart() {
        // Points 0..=9 of a file: piece on 4 looks up over 6 and 8, down over 1 and 0.
        let line = FILE_LINES[4][0b01_0101_0011];
        assert_eq!(line.rook(0x3FF), 0b00_0110_1110);
        assert_eq!(line.cannon(0x3FF), 0b01_0010_1101);
        assert_eq!(line.rook(0), 0b00_0010_1100);
        assert_eq!(line.cannon_bits(0x3FF).count_ones(), 5);
        assert_eq!(line.rook_bits(0x002).count_ones(), 4);
    }

    #[test]
    fn kings_advisors_and_elephants_keep_to_their_points() {
        let count = |code: usize| Squares(PLACES[code]).len();
        for side in [0, 7] {
            assert_eq!([1, 2, 3, 4].map(|code| count(code + side)), [9, 5, 7, 90]);
        }
    }

    #[test]
    fn the_leg_of_a_horse_blocks_exactly_its_two_jumps() {
        for (from, jumps) in HORSE.iter().enumerate() {
            for to in Squares(jumps[0]) {
                let leg = LEGS.iter().position(|leg| stepped(from, leg.0) == Some(horse_leg(from, to))).unwrap();
                assert_eq!(jumps[1 << leg] >> to & 1, 0);
                assert_eq!(jumps[15 ^ (1 << leg)] >> to & 1, 1);
            }
        }
    }
}
