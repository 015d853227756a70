//! Connect6: rules and position notation. <https://en.wikipedia.org/wiki/Connect6>; I-C. Wu and D.-Y. Huang, *A new family of
//! k-in-a-row games*, 2005.
//!
//! On 19 x 19 points Black places one stone, then the sides place two in turn. A side wins with six or more of its stones
//! in a row, along a row, column or diagonal; a full board is a draw. A move is one stone, so the same side often moves
//! twice in a row. Boards of 6 x 6 points and more can be played too ([`Connect6::of_size`]).

mod board;
mod candidates;
mod kit;
mod lines;
mod notation;
mod pattern;
mod point;
mod symmetry;
pub mod threats;
mod windows;

pub use pattern::{N_PATTERNS, Pattern, Stretch, THREAT};
pub use point::{POINTS, Point, SIZE};
pub use windows::SIX;

use crate::game::{End, Game, MoveError, Notation, Outcome, PositionError, SearchHints, Side};
use crate::settings::{SettingError, require};
use board::{Board, turn_key};
use lines::{Place, point_at};
use notation::Setup;

/// A game of Connect6 in progress. Black is [`Side::First`].
///
/// ```
/// use roughboard::game::{Game, Notation, Side};
/// use roughboard::games::connect6::Connect6;
/// let mut game = Connect6::start();
/// for (stone, next) in [("j10", Side::Second), ("k11", Side::Second), ("i11", Side::First)] {
///     game.play(game.parse_move(stone).unwrap());
///     assert_eq!(game.side_to_move(), next);
/// }
/// ```
#[derive(Clone)]
pub struct Connect6 {
    board: Board,
    turn: Side,
    stones_left: u8,
    placed: Vec<Point>,
}

impl Connect6 {
    /// The initial position on `size` x `size` points: the lower left corner of the board of 19 x 19, with the same names and
    /// numbers of points. The others are neither free nor part of a row.
    ///
    /// # Errors
    /// When `size` is not from 6 to 19.
    pub fn of_size(size: usize) -> Result<Self, SettingError> {
        require((SIX..=SIZE).contains(&size), "size", "from 6 to 19", size)?;
        Ok(Self { board: Board::empty(size), turn: Side::First, stones_left: 1, placed: Vec::new() })
    }

    /// Rows of the board, and points of a row: 6 to 19.
    pub const fn size(&self) -> usize {
        self.board.size()
    }

    /// Whether `point` is on the board and has no stone.
    pub const fn is_free(&self, point: Point) -> bool {
        self.board.is_free(point)
    }

    /// How many stretches of `side` are of each class, in the order of [`Pattern::ALL`]: runs of at least six points of a line
    /// without a stone of the opponent, from edge or such a stone to the next.
    pub const fn patterns(&self, side: Side) -> &[u16; N_PATTERNS] {
        self.board.patterns(side)
    }

    /// The stretches that [`Connect6::patterns`] counts, with their first and last points.
    pub fn stretches(&self, side: Side) -> impl Iterator<Item = (Point, Point, Stretch)> + '_ {
        let ends = |line, at| point_at(Place { line, at });
        let stretches = self.board.lines().stretches(side);
        stretches.map(move |(line, run, stretch)| (ends(line, run.start), ends(line, run.end - 1), stretch))
    }

    /// Whose stone is on `point`.
    pub const fn stone(&self, point: Point) -> Option<Side> {
        self.board.stone(point)
    }

    /// The stones that the side to move has yet to place in this turn, 1 or 2.
    pub const fn stones_left(&self) -> u8 {
        self.stones_left
    }

    /// The stones placed on this value, first to last.
    pub fn moves_made(&self) -> &[Point] {
        &self.placed
    }

    /// Windows (runs of six points) with exactly `stones` stones of `side`, 0 to 6, and none of its opponent.
    pub fn open_windows(&self, side: Side, stones: usize) -> usize {
        self.board.open(side, stones)
    }

    /// Six stones in a row of `side`, if it has them.
    pub fn six(&self, side: Side) -> Option<[Point; SIX]> {
        self.board.six(side)
    }

    /// The side with six in a row.
    fn winner(&self) -> Option<Side> {
        [Side::First, Side::Second].into_iter().find(|&side| self.board.has_six(side))
    }

    fn why_illegal(&self, point: Point) -> String {
        match self.winner() {
            Some(winner) => format!("{} has won", Self::SIDES[winner.index()]),
            None if self.board.is_full() => "the board is full".to_owned(),
            None if self.stone(point).is_some() => format!("{point} is not free"),
            None => format!("{point} is outside the board of {0} x {0} points", self.size()),
        }
    }
}

impl Game for Connect6 {
    type Move = Point;
    const NAME: &'static str = "connect6";
    const SIDES: [&'static str; 2] = ["black", "white"];

    fn start() -> Self {
        Self { board: Board::empty(SIZE), turn: Side::First, stones_left: 1, placed: Vec::new() }
    }

    #[inline]
    fn side_to_move(&self) -> Side {
        self.turn
    }

    fn legal_moves(&self, out: &mut Vec<Point>) {
        if self.winner().is_none() {
            out.extend(self.board.free());
        }
    }

    fn count_legal_moves(&self) -> usize {
        if self.winner().is_none() { self.board.free_points() } else { 0 }
    }

    fn play(&mut self, mv: Point) {
        self.board.place(mv, self.turn);
        self.placed.push(mv);
        if self.stones_left == 2 {
            self.stones_left = 1;
        } else {
            self.turn = self.turn.other();
            self.stones_left = 2;
        }
    }

    #[allow(clippy::expect_used, reason = "the trait documents this panic")]
    fn undo(&mut self) {
        let point = self.placed.pop().expect("undo without a move made");
        let owner = if self.stones_left == 1 { self.turn } else { self.turn.other() };
        self.stones_left = 3 - self.stones_left;
        self.turn = owner;
        self.board.remove(point, owner);
    }

    #[inline]
    fn key(&self) -> u64 {
        self.board.key() ^ turn_key(self.turn, self.stones_left)
    }

    fn plies(&self) -> usize {
        self.placed.len()
    }

    fn end(&self) -> Option<End> {
        if let Some(winner) = self.winner() {
            return Some(End { outcome: Outcome::Win(winner), reason: "six in a row" });
        }
        self.board.is_full().then_some(End { outcome: Outcome::Draw, reason: "full board" })
    }
}

impl Notation for Connect6 {
    /// Reads 19 rows (fewer for a smaller board) from the top with `b`, `w` and runs of empty points, the side to move (`b` or `w`), and the stones that
    /// it has left in this turn (1 or 2). The numbers of stones need not be those of a game.
    fn from_notation(text: &str) -> Result<Self, PositionError> {
        let Setup { board, turn, stones_left } = notation::parse(text)?;
        Ok(Self { board, turn, stones_left, placed: Vec::new() })
    }

    fn notation(&self) -> String {
        notation::write(&self.board, self.turn, self.stones_left)
    }

    fn parse_move(&self, text: &str) -> Result<Point, MoveError> {
        let point = Point::parse(text).ok_or_else(|| MoveError::syntax(text, "one point such as `j10`"))?;
        if self.winner().is_none() && self.is_free(point) {
            return Ok(point);
        }
        Err(MoveError::illegal(text, self.why_illegal(point)))
    }
}

impl SearchHints for Connect6 {
    const MOVE_SLOTS: usize = POINTS;
    const SEARCH_WIDTH: u32 = 16;
    const FORCED_WIN_NODES: u64 = 10_000;
    const TURNS_OF_SEVERAL: bool = true;
    const POSITIONS_RECUR: bool = false;

    /// The stones that complete six in a row within this turn: with two stones left also the first of two.
    fn noisy_moves(&self, out: &mut Vec<Point>) {
        if self.winner().is_none() {
            out.extend(self.board.completing(self.turn, self.stones_left).iter());
        }
    }

    fn quiet_moves(&self, out: &mut Vec<Point>) {
        if self.winner().is_none() {
            let noisy = self.board.completing(self.turn, self.stones_left);
            out.extend(self.board.free().filter(|&point| !noisy.contains(point)));
        }
    }

    fn quiet_checks(&self, out: &mut Vec<Point>) {
        let start = out.len();
        self.quiet_moves(out);
        let mut kept = start;
        for at in start..out.len() {
            if self.gives_check(out[at]) {
                out[kept] = out[at];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    /// Whether the opponent could complete six in a row with the two stones of a turn.
    fn in_check(&self) -> bool {
        self.board.threats(self.turn.other()) > 0
    }

    fn gives_check(&self, mv: Point) -> bool {
        let (us, them) = (self.turn, self.turn.other());
        if self.stones_left == 1 {
            return self.board.threats(us) > 0 || self.board.open_through(mv, us).any(|stones| stones >= SIX - 3);
        }
        // The turn goes on: what counts are the opponent's threats that the stone does not stop.
        let stopped = self.board.open_through(mv, them).filter(|&stones| stones >= SIX - 2).count();
        self.board.threats(them) > stopped
    }

    /// 2 for a stone that completes six in a row, 1 for the first of two that do.
    fn noise_of(&self, mv: Point) -> i32 {
        let most = self.board.open_through(mv, self.turn).max().unwrap_or(0);
        match SIX - most {
            1 => 2,
            2 if self.stones_left == 2 => 1,
            _ => 0,
        }
    }

    /// Points near stones, and of these only the ones that can be of use where a six or a threat is at stake; `width` beyond
    /// their number gives them all.
    fn candidates(&self, width: usize, out: &mut Vec<Point>) {
        if self.winner().is_none() {
            self.board.push_candidates(self.turn, self.stones_left, width, out);
        }
    }

    fn promise_of(&self, mv: Point) -> i32 {
        self.board.promise(mv, self.turn) as i32
    }

    #[inline]
    fn move_slot(mv: Point) -> usize {
        mv.index()
    }

    fn move_in_slot(&self, slot: usize) -> Option<Point> {
        let point = (slot < POINTS).then(|| Point::new(slot))?;
        (self.winner().is_none() && self.is_free(point)).then_some(point)
    }

    fn forced_win(&self, nodes: u64, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Point>> {
        threats::forced_win(self, nodes, go_on)
    }
}

impl std::fmt::Debug for Connect6 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Connect6({}; {} plies made)", self.notation(), self.placed.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_behind_the_last_point_holds_no_move() {
        let game = Connect6::start();
        assert_eq!(game.move_in_slot(POINTS - 1), Some(Point::new(POINTS - 1)));
        assert_eq!(game.move_in_slot(POINTS), None);
    }
}
