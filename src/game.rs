//! The contract between a game and everything that plays, searches or learns it.
//!
//! [`Game`] is a game in progress: the position on the board together with what its rules need of the past
//! (repetition, plies without capture). Moves are made and taken back on the same value. [`Notation`] is how its positions and
//! moves are written, [`SearchHints`] what a search may ask beyond the rules; most of the hints have defaults.

mod grid;
mod hints;
mod kit;
pub mod line;
mod notation;
mod planes;
pub mod perft;
pub mod playout;
mod ranks;
pub mod symmetry;

pub use grid::{Grid, PieceLook};
pub use hints::SearchHints;
pub use kit::{Bench, Kit, MaterialCount, Protocol, RulesError, SuppliedGames};
pub use notation::{MoveError, Notation, PositionError};
pub use planes::Planes;
pub use ranks::Ranks;
pub use symmetry::Symmetric;

use std::fmt::{Debug, Display};
use std::hash::Hash;

/// One of the two players. `First` makes the first move of the game (Red in Xiangqi, Black in Connect6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The player who moves first.
    First,
    /// The player who moves second.
    Second,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for `First`, 1 for `Second`: an index into arrays kept per side.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// +1 for `First`, -1 for `Second`.
    pub const fn sign(self) -> i32 {
        match self {
            Self::First => 1,
            Self::Second => -1,
        }
    }
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The side that won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The outcome with this [`value`](Outcome::value).
    pub const fn of_value(value: i32) -> Self {
        match value {
            1.. => Self::Win(Side::First),
            0 => Self::Draw,
            _ => Self::Win(Side::Second),
        }
    }

    /// The result for `First`: 1 won, 0 drawn, -1 lost.
    pub const fn value(self) -> i32 {
        match self {
            Self::Win(side) => side.sign(),
            Self::Draw => 0,
        }
    }

    /// The result for `side`: 1 won, 0 drawn, -1 lost.
    pub const fn value_for(self, side: Side) -> i32 {
        self.value() * side.sign()
    }
}

/// An end of the game and the rule that made it one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// Who won, or a draw.
    pub outcome: Outcome,
    /// The rule, in the words of the game: `checkmate`, `repetition`, …
    pub reason: &'static str,
}

/// The rules of a game: a position together with what the rules need of its past.
///
/// Laws that every implementation keeps, and that `tests/it/game_laws.rs` checks:
/// * `undo` after `play` restores every observable property, the key included;
/// * the key depends on the board and the side to move only, not on the path;
/// * `legal_moves` lists no move twice;
/// * in a position without legal moves `end` is `Some`.
pub trait Game: Clone + Send + Sync + Debug + 'static {
    /// A move; its `Display` is the notation that [`Notation::parse_move`] reads.
    type Move: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static;

    /// The game's name, lower case, as the command line spells it.
    const NAME: &'static str;
    /// What the sides are called, `First` before `Second`.
    const SIDES: [&'static str; 2];

    /// The initial position.
    fn start() -> Self;

    /// The side whose turn it is.
    fn side_to_move(&self) -> Side;

    /// Appends all legal moves to `out`, in an order fixed by the position.
    fn legal_moves(&self, out: &mut Vec<Self::Move>);

    /// The legal moves, as [`Game::legal_moves`] lists them.
    fn moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves
    }

    /// The number of legal moves.
    fn count_legal_moves(&self) -> usize {
        self.moves().len()
    }

    /// Makes `mv`, which must be legal here.
    fn play(&mut self, mv: Self::Move);

    /// Takes back the last move made by [`Game::play`] on this value.
    ///
    /// # Panics
    /// When no move was made.
    fn undo(&mut self);

    /// The position that this value was set up with, before the moves that were made on it.
    #[must_use]
    fn set_up(&self) -> Self {
        let mut start = self.clone();
        while start.plies() > 0 {
            start.undo();
        }
        start
    }

    /// The Zobrist key of board and side to move.
    fn key(&self) -> u64;

    /// What decides how the game may end beside board and side to move, where it is not as at the start: counters, rules. Empty where it
    /// is; the images of a position have the same.
    fn conditions(&self) -> String {
        String::new()
    }

    /// Plies made on this value since it was set up.
    fn plies(&self) -> usize;

    /// The end of the game by a rule that looks at the past or at the material (repetition, plies without capture, nothing left
    /// to win with) and not at the moves, if there is one.
    /// Cheap: the search asks it at every node.
    fn end_by_history(&self) -> Option<End> {
        None
    }

    /// The end of the game, if it has ended: no legal moves, or [`Game::end_by_history`].
    fn end(&self) -> Option<End>;
}

/// A game that can be recorded and searched: its rules, its notation and its hints for the search.
pub trait BoardGame: Notation + SearchHints {}

impl<G: Notation + SearchHints> BoardGame for G {}
