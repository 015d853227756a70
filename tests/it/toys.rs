//! A toy game for the tests of what is generic over games: lines of stones on a small square board.
//!
//! `LineGame<3, 3, 1>` is tic-tac-toe. With two stones a turn it is a small Connect6: the first player places one stone,
//! then each in turn places two, so that the same side often moves twice in a row.

use std::fmt;

use roughboard::eval::{Evaluator, Score};
use roughboard::game::{BoardGame, End, Game, MoveError, Notation, Outcome, PositionError, SearchHints, Side};
use roughboard::random;

/// A board of `SIZE` x `SIZE` points, won by `LINE` stones in a row; `STONES` are placed a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineGame<const SIZE: usize, const LINE: usize, const STONES: usize> {
    points: Vec<Option<Side>>,
    placed: Vec<usize>,
    /// Stones on the board when it was set up.
    first_stones: usize,
}

pub type TicTacToe = LineGame<3, 3, 1>;
pub type SmallConnect = LineGame<4, 4, 2>;

/// The start of a game after the moves of a line, separated by blanks.
pub fn played<G: BoardGame>(moves: &str) -> G {
    let mut game = G::start();
    moves.split(' ').for_each(|mv| game.play(game.parse_move(mv).unwrap()));
    game
}

/// A point of the board, written as its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0)
    }
}

impl<const SIZE: usize, const LINE: usize, const STONES: usize> LineGame<SIZE, LINE, STONES> {
    /// All runs of `LINE` points in a row.
    fn lines() -> impl Iterator<Item = [usize; LINE]> {
        let size = SIZE as isize;
        let starts = (0..size).flat_map(move |row| (0..size).map(move |column| (row, column)));
        starts.flat_map(|start| [(0, 1), (1, 0), (1, 1), (1, -1)].map(|step| (start, step))).filter_map(
            move |((row, column), (down, right))| {
                let steps = LINE as isize - 1;
                let last = (row + down * steps, column + right * steps);
                let inside = (0..size).contains(&last.0) && (0..size).contains(&last.1);
                inside.then(|| {
                    std::array::from_fn(|k| ((row + down * k as isize) * size + column + right * k as isize) as usize)
                })
            },
        )
    }

    fn stones_of(&self, line: &[usize], side: Side) -> usize {
        line.iter().filter(|&&point| self.points[point] == Some(side)).count()
    }

    fn winner(&self) -> Option<Side> {
        [Side::First, Side::Second]
            .into_iter()
            .find(|&side| Self::lines().any(|line| self.stones_of(&line, side) == LINE))
    }

    /// Whether `side` lacks a single stone somewhere.
    fn threatens(&self, side: Side) -> bool {
        Self::lines().any(|line| self.stones_of(&line, side) == LINE - 1 && self.stones_of(&line, side.other()) == 0)
    }

    /// Who has a stone on each point.
    pub fn points(&self) -> impl Iterator<Item = Option<Side>> {
        self.points.iter().copied()
    }

    /// The move made at `ply`.
    pub fn move_made(&self, ply: usize) -> Point {
        Point(self.placed[ply] as u8)
    }

    fn stones(&self) -> usize {
        self.points.iter().flatten().count()
    }

    fn completes_line(&self, point: Point, side: Side) -> bool {
        Self::lines().any(|line| line.contains(&usize::from(point.0)) && self.stones_of(&line, side) == LINE - 1)
    }
}

impl<const SIZE: usize, const LINE: usize, const STONES: usize> Game for LineGame<SIZE, LINE, STONES> {
    type Move = Point;
    const NAME: &'static str = "lines";
    const SIDES: [&'static str; 2] = ["Cross", "Nought"];

    fn start() -> Self {
        Self { points: vec![None; SIZE * SIZE], placed: Vec::new(), first_stones: 0 }
    }

    fn side_to_move(&self) -> Side {
        let turn = self.stones().div_ceil(STONES);
        if turn.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn legal_moves(&self, out: &mut Vec<Point>) {
        if self.winner().is_none() {
            out.extend((0..self.points.len()).filter(|&at| self.points[at].is_none()).map(|at| Point(at as u8)));
        }
    }

    fn play(&mut self, mv: Point) {
        self.points[usize::from(mv.0)] = Some(self.side_to_move());
        self.placed.push(usize::from(mv.0));
    }

    fn undo(&mut self) {
        self.points[self.placed.pop().unwrap()] = None;
    }

    fn key(&self) -> u64 {
        // Two bits a point: the stones tell the side to move.
        let code = |point: &Option<Side>| point.map_or(0, |side| side.index() as u64 + 1);
        random::mix(self.points.iter().fold(0, |key, point| key * 4 + code(point)))
    }

    fn plies(&self) -> usize {
        self.stones() - self.first_stones
    }

    fn end_by_history(&self) -> Option<End> {
        None
    }

    fn end(&self) -> Option<End> {
        match self.winner() {
            Some(side) => Some(End { outcome: Outcome::Win(side), reason: "line" }),
            None if self.stones() == self.points.len() => Some(End { outcome: Outcome::Draw, reason: "full board" }),
            None => None,
        }
    }
}

impl<const SIZE: usize, const LINE: usize, const STONES: usize> Notation for LineGame<SIZE, LINE, STONES> {
    fn from_notation(text: &str) -> Result<Self, PositionError> {
        let wrong = |at: usize, found: String| PositionError {
            text: text.to_owned(),
            at,
            expected: format!("{} points, each `x`, `o` or `.`", SIZE * SIZE),
            found,
        };
        let point = |(at, letter)| match letter {
            '.' => Ok(None),
            'x' => Ok(Some(Side::First)),
            'o' => Ok(Some(Side::Second)),
            other => Err(wrong(at + 1, other.to_string())),
        };
        let points: Vec<_> = text.chars().enumerate().map(point).collect::<Result<_, _>>()?;
        if points.len() != SIZE * SIZE {
            return Err(wrong(points.len() + 1, "another length".to_owned()));
        }
        let first_stones = points.iter().flatten().count();
        Ok(Self { points, placed: Vec::new(), first_stones })
    }

    fn notation(&self) -> String {
        let letter = |point: &Option<Side>| match point {
            None => '.',
            Some(Side::First) => 'x',
            Some(Side::Second) => 'o',
        };
        self.points.iter().map(letter).collect()
    }

    fn parse_move(&self, text: &str) -> Result<Point, MoveError> {
        let number = text.strip_prefix('p').and_then(|digits| digits.parse().ok());
        let point = number.map(Point).ok_or_else(|| MoveError::syntax(text, "the number of a point as in `p4`"))?;
        let legal = self.moves();
        let illegal = || MoveError::illegal(text, "the point is not free");
        if legal.contains(&point) { Ok(point) } else { Err(illegal()) }
    }
}

impl<const SIZE: usize, const LINE: usize, const STONES: usize> SearchHints for LineGame<SIZE, LINE, STONES> {
    const MOVE_SLOTS: usize = SIZE * SIZE;

    /// Moves that complete a line.
    fn noisy_moves(&self, out: &mut Vec<Point>) {
        let start = out.len();
        self.legal_moves(out);
        let noisy: Vec<_> = out.drain(start..).filter(|&mv| self.noise_of(mv) > 0).collect();
        out.extend(noisy);
    }

    /// The opponent has won, or lacks a single stone to win.
    fn in_check(&self) -> bool {
        self.threatens(self.side_to_move().other()) || self.winner().is_some()
    }

    fn noise_of(&self, mv: Point) -> i32 {
        i32::from(self.completes_line(mv, self.side_to_move()))
    }

    /// The win in one move, if there is one and it is to go on.
    fn forced_win(&self, _nodes: u64, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Point>> {
        let mut noisy = Vec::new();
        self.noisy_moves(&mut noisy);
        noisy.truncate(1);
        (go_on() && !noisy.is_empty()).then_some(noisy)
    }

    fn move_slot(mv: Point) -> usize {
        usize::from(mv.0)
    }
}

/// Counts open lines by their stones; `centre` adds a taste for points near the middle.
#[derive(Debug, Clone, Copy)]
pub struct LineCounter {
    pub centre: Score,
}

impl<const SIZE: usize, const LINE: usize, const STONES: usize> Evaluator<LineGame<SIZE, LINE, STONES>>
    for LineCounter
{
    fn evaluate(&mut self, position: &LineGame<SIZE, LINE, STONES>) -> Score {
        let side = position.side_to_move();
        let worth =
            |line: &[usize; LINE]| match (position.stones_of(line, side), position.stones_of(line, side.other())) {
                (own, 0) => 3 * (own * own) as Score,
                (0, other) => -3 * (other * other) as Score,
                _ => 0,
            };
        let lines: Score = LineGame::<SIZE, LINE, STONES>::lines().map(|line| worth(&line)).sum();
        let near =
            |at: usize| SIZE as Score - ((at / SIZE).abs_diff(SIZE / 2) + (at % SIZE).abs_diff(SIZE / 2)) as Score;
        let taste = |(at, point): (usize, &Option<Side>)| {
            point.map_or(0, |owner| self.centre * near(at) * owner.sign() * side.sign())
        };
        lines + position.points.iter().enumerate().map(taste).sum::<Score>()
    }

    fn expected_result(&self, score: Score) -> f64 {
        (f64::from(score) / 40.0).tanh()
    }
}
