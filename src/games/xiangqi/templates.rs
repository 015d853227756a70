//! Move generation from templates over piece lists.
//!
//! A template lists, for each point, where a piece may step from there and which point, leg or eye, must be empty for that.
//! Rooks and cannons look outwards point by point. Every move is tried on the board matrix and the own king looked at, with
//! the same templates the other way round. Listing moves so is slower than by the preset tables; tests and
//! `benches/perft.rs` compare the two.

use super::moves::Move;
use super::piece::{Piece, Role};
use super::position::Position;
use super::squares::{FILES, RANKS, SQUARES, Squares, file_of, rank_of};
use super::tables::{ADVISOR, ELEPHANT, HORSE, KING, PAWN, PAWN_ATTACKERS, horse_leg};
use crate::game::Side;

/// A point beside the board that is always empty: the leg of a step that has none.
const NO_LEG: usize = SQUARES;

/// The other end of a step, and the point that must be empty for it.
#[derive(Clone, Copy)]
struct Step {
    end: u8,
    leg: u8,
}

/// The steps from one point.
#[derive(Clone, Copy)]
struct Template {
    steps: [Step; 8],
    len: usize,
}

impl Template {
    const fn empty() -> Self {
        Self { steps: [Step { end: 0, leg: 0 }; 8], len: 0 }
    }

    const fn with(mut self, end: usize, leg: usize) -> Self {
        self.steps[self.len] = Step { end: end as u8, leg: leg as u8 };
        self.len += 1;
        self
    }

    #[inline(always)]
    fn steps(&self) -> &[Step] {
        &self.steps[..self.len]
    }
}

/// Which point must be empty for a step.
#[derive(Clone, Copy)]
enum Leg {
    None,
    /// Half way.
    Eye,
    /// Beside the start of a horse's jump.
    Start,
    /// Beside the end of a horse's jump: a jump to the point that the template belongs to.
    End,
}

const fn templates(ends: &[u128; SQUARES], leg: Leg) -> [Template; SQUARES] {
    let mut table = [Template::empty(); SQUARES];
    let mut index = 0;
    while index < SQUARES * SQUARES {
        let (square, end) = (index / SQUARES, index % SQUARES);
        if ends[square] >> end & 1 == 1 {
            let leg = match leg {
                Leg::None => NO_LEG,
                Leg::Eye => usize::midpoint(square, end),
                Leg::Start => horse_leg(square, end),
                Leg::End => horse_leg(end, square),
            };
            table[square] = table[square].with(end, leg);
        }
        index += 1;
    }
    table
}

/// The first entry of each row: destinations when no leg or eye is filled.
const fn unblocked(table: &[[u128; 16]; SQUARES]) -> [u128; SQUARES] {
    array!(0; SQUARES, square => table[square][0])
}

static KING_STEPS: [Template; SQUARES] = templates(&KING, Leg::None);
static ADVISOR_STEPS: [Template; SQUARES] = templates(&ADVISOR, Leg::None);
static ELEPHANT_STEPS: [Template; SQUARES] = templates(&unblocked(&ELEPHANT), Leg::Eye);
static HORSE_STEPS: [Template; SQUARES] = templates(&unblocked(&HORSE), Leg::Start);
static PAWN_STEPS: [[Template; SQUARES]; 2] = [templates(&PAWN[0], Leg::None), templates(&PAWN[1], Leg::None)];
/// From where horses jump to a point.
static HORSE_ORIGINS: [Template; SQUARES] = templates(&unblocked(&HORSE), Leg::End);
/// From where pawns of the opponent of the indexed side step to a point.
static PAWN_ORIGINS: [[Template; SQUARES]; 2] =
    [templates(&PAWN_ATTACKERS[0], Leg::None), templates(&PAWN_ATTACKERS[1], Leg::None)];

/// The pieces of one side: where each stands.
struct PieceList {
    points: [u8; 16],
    len: usize,
}

impl PieceList {
    fn of(pieces: Squares) -> Self {
        let mut list = Self { points: [0; 16], len: 0 };
        for (entry, square) in list.points.iter_mut().zip(pieces) {
            *entry = square as u8;
            list.len += 1;
        }
        list
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.points[..self.len].iter().map(|&square| usize::from(square))
    }
}

/// Appends the legal moves of `position`.
pub fn legal_moves(position: &Position, out: &mut Vec<Move>) {
    let mut board = [0; SQUARES + 1];
    board[..SQUARES].copy_from_slice(position.board());
    let side = position.turn();
    let mut generator = Generator { board, side, king: position.king(side) };
    for from in PieceList::of(position.side(side)).iter() {
        generator.moves_from(from, out);
    }
}

/// The board matrix and [`NO_LEG`], changed and restored for every move tried.
struct Generator {
    board: [u8; SQUARES + 1],
    side: Side,
    king: usize,
}

impl Generator {
    fn moves_from(&mut self, from: usize, out: &mut Vec<Move>) {
        let Some(piece) = Piece::from_code(self.board[from]) else { return };
        match piece.role() {
            Role::King => self.steps(from, &KING_STEPS[from], out),
            Role::Advisor => self.steps(from, &ADVISOR_STEPS[from], out),
            Role::Elephant => self.steps(from, &ELEPHANT_STEPS[from], out),
            Role::Horse => self.steps(from, &HORSE_STEPS[from], out),
            Role::Pawn => self.steps(from, &PAWN_STEPS[self.side.index()][from], out),
            Role::Rook => self.rides(from, false, out),
            Role::Cannon => self.rides(from, true, out),
        }
    }

    fn steps(&mut self, from: usize, template: &Template, out: &mut Vec<Move>) {
        for step in template.steps() {
            if self.board[usize::from(step.leg)] == 0 {
                self.add(from, usize::from(step.end), out);
            }
        }
    }

    fn rides(&mut self, from: usize, over_screen: bool, out: &mut Vec<Move>) {
        for ray in rays(from) {
            let (screen, victim) = first_two(&self.board, ray);
            for to in ray.points().take_while(|&to| Some(to) != screen) {
                self.add(from, to, out);
            }
            if let Some(to) = if over_screen { victim } else { screen } {
                self.add(from, to, out);
            }
        }
    }

    /// Adds the move unless it captures an own piece or leaves the king in check.
    fn add(&mut self, from: usize, to: usize, out: &mut Vec<Move>) {
        let (moved, captured) = (self.board[from], self.board[to]);
        if Piece::from_code(captured).is_some_and(|piece| piece.side() == self.side) {
            return;
        }
        self.board[to] = moved;
        self.board[from] = 0;
        if !self.is_attacked(if from == self.king { to } else { self.king }) {
            out.push(Move::new(from, to));
        }
        self.board[from] = moved;
        self.board[to] = captured;
    }

    /// Whether the opponent attacks the king, which stands on `king`.
    fn is_attacked(&self, king: usize) -> bool {
        let enemy = |role| Piece::new(self.side.other(), role).code();
        let comes = |template: &Template, code| {
            let is_origin = |step: &Step| self.board[usize::from(step.end)] == code;
            template.steps().iter().any(|step| is_origin(step) && self.board[usize::from(step.leg)] == 0)
        };
        comes(&HORSE_ORIGINS[king], enemy(Role::Horse))
            || comes(&PAWN_ORIGINS[self.side.index()][king], enemy(Role::Pawn))
            || rays(king).into_iter().any(|ray| {
                let (first, second) = first_two(&self.board, ray);
                let is = |square: Option<usize>, role| square.is_some_and(|square| self.board[square] == enemy(role));
                is(first, Role::Rook) || is(first, Role::King) || is(second, Role::Cannon)
            })
    }
}

/// The points from one point to an edge of the board.
#[derive(Clone, Copy)]
struct Ray {
    from: usize,
    step: isize,
    len: usize,
}

impl Ray {
    /// From the nearest point to the edge.
    #[inline(always)]
    fn points(self) -> impl Iterator<Item = usize> {
        (1..=self.len as isize).map(move |steps| (self.from as isize + steps * self.step) as usize)
    }
}

/// The rays to the left, to the right, down and up.
fn rays(from: usize) -> [Ray; 4] {
    let (file, rank, up) = (file_of(from), rank_of(from), FILES as isize);
    [(-1, file), (1, FILES - 1 - file), (-up, rank), (up, RANKS - 1 - rank)].map(|(step, len)| Ray { from, step, len })
}

/// The first and the second piece on a ray.
#[inline(always)]
fn first_two(board: &[u8; SQUARES + 1], ray: Ray) -> (Option<usize>, Option<usize>) {
    let mut filled = ray.points().filter(|&square| board[square] != 0);
    (filled.next(), filled.next())
}
