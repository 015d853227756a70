//! The position: pieces, side to move, key.

use super::moves::Move;
use super::points::{POINTS, Points};
use super::tracks::{NEIGHBOURS, Places, met_by_travel};
use crate::game::Side;
use crate::random::mix;

const ZOBRIST_SEED: u64 = 0x7375_7261_6B61_7274;
const ZOBRIST_TURN: u64 = mix(ZOBRIST_SEED);

/// The key of a piece, by side and point.
static ZOBRIST: [[u64; POINTS]; 2] = [keys(Side::First), keys(Side::Second)];

const fn keys(side: Side) -> [u64; POINTS] {
    array!(0; POINTS, point => mix(ZOBRIST_SEED ^ (1 + point * 2 + side.index()) as u64))
}

/// What stands where, and whose turn it is; nothing of the past.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pieces: [Points; 2],
    /// Where pieces of either side stand on the circuits.
    places: Places,
    turn: Side,
    key: u64,
}

impl Position {
    /// No pieces.
    pub const fn empty(turn: Side) -> Self {
        let key = match turn {
            Side::First => 0,
            Side::Second => ZOBRIST_TURN,
        };
        Self { pieces: [Points::EMPTY; 2], places: Places::NONE, turn, key }
    }

    /// The side to move.
    pub const fn turn(&self) -> Side {
        self.turn
    }

    /// The Zobrist key of pieces and side to move.
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The pieces of `side`.
    pub const fn pieces(&self, side: Side) -> Points {
        self.pieces[side.index()]
    }

    /// The pieces of both sides.
    pub const fn both(&self) -> [Points; 2] {
        self.pieces
    }

    /// Whose piece is on `point`.
    pub fn piece_at(&self, point: usize) -> Option<Side> {
        [Side::First, Side::Second].into_iter().find(|&side| self.pieces(side).contains(point))
    }

    /// Puts a piece on the free `point`.
    pub fn put(&mut self, point: usize, side: Side) {
        self.flip(side, point);
    }

    /// The points to which the piece on `from` can step.
    pub fn steps(&self, from: usize) -> Points {
        NEIGHBOURS[from] & !(self.pieces[0] | self.pieces[1])
    }

    /// The points on which a piece of `side` on `from` can capture.
    pub fn captures(&self, from: usize, side: Side) -> Points {
        met_by_travel(from, self.places) & self.pieces(side.other())
    }

    /// The number of moves of the side to move.
    pub(crate) fn count_moves(&self) -> usize {
        let own = self.pieces(self.turn);
        let captures: usize = own.into_iter().map(|from| self.captures(from, self.turn)).map(count_of_few).sum();
        own.count_steps(!(self.pieces[0] | self.pieces[1])) + captures
    }

    /// Whether the side to move may make `mv`.
    pub(crate) fn is_legal(&self, mv: Move) -> bool {
        let targets = self.steps(mv.from()) | self.captures(mv.from(), self.turn);
        self.pieces(self.turn).contains(mv.from()) && targets.contains(mv.to())
    }

    /// Makes a legal move. Whether it captured.
    pub fn make(&mut self, mv: Move) -> bool {
        let (us, them) = (self.turn, self.turn.other());
        let captured = self.pieces(them).contains(mv.to());
        if captured {
            self.flip(them, mv.to());
        }
        self.flip(us, mv.from());
        self.flip(us, mv.to());
        self.turn = them;
        self.key ^= ZOBRIST_TURN;
        captured
    }

    /// Takes back a move that [`Position::make`] made, with what it answered.
    pub fn unmake(&mut self, mv: Move, captured: bool) {
        let (us, them) = (self.turn.other(), self.turn);
        self.turn = us;
        self.key ^= ZOBRIST_TURN;
        self.flip(us, mv.to());
        self.flip(us, mv.from());
        if captured {
            self.flip(them, mv.to());
        }
    }

    /// Puts a piece on a point or takes it off.
    fn flip(&mut self, side: Side, point: usize) {
        self.pieces[side.index()] = self.pieces[side.index()].toggled(point);
        self.places = self.places.toggled(point);
        self.key ^= ZOBRIST[side.index()][point];
    }
}

/// The number of points of a set that is mostly empty.
fn count_of_few(points: Points) -> usize {
    if points.is_empty() { 0 } else { points.len() }
}
