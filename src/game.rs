//! The contract between a game and everything that plays, searches or learns it.
//!
//! [`Game`] is a game in progress: the position on the board together with what its rules need of the past
//! (repetition, plies without capture). Moves are made and taken back on the same value.

pub mod images;
pub mod line;
pub mod mirror;
pub mod perft;
pub mod playout;
pub mod symmetry;

use std::fmt::{Debug, Display, Write};
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
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// +1 for `First`, -1 for `Second`.
    #[must_use]
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
    #[must_use]
    pub const fn of_value(value: i32) -> Self {
        match value {
            1.. => Self::Win(Side::First),
            0 => Self::Draw,
            _ => Self::Win(Side::Second),
        }
    }

    /// The result for `First`: 1 won, 0 drawn, -1 lost.
    #[must_use]
    pub const fn value(self) -> i32 {
        match self {
            Self::Win(side) => side.sign(),
            Self::Draw => 0,
        }
    }

    /// The result for `side`: 1 won, 0 drawn, -1 lost.
    #[must_use]
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

/// Why a text is not a position of the game. `at` counts characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid position `{text}`: at character {at}: expected {expected}, found {found}")]
pub struct PositionError {
    /// The whole text.
    pub text: String,
    /// The character at which reading failed, counted from 1.
    pub at: usize,
    /// What the notation allows there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// Why a text is not a legal move of the position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not in the game's move notation.
    #[error("`{text}` is not a move: expected {expected}")]
    Syntax {
        /// What was read.
        text: String,
        /// The notation that was expected, with an example.
        expected: &'static str,
    },
    /// The text is a move that the rules do not allow in this position.
    #[error("`{text}` is illegal: {reason}")]
    Illegal {
        /// What was read.
        text: String,
        /// Which rule forbids it.
        reason: String,
    },
}

/// A game in progress.
///
/// Laws that every implementation keeps, and that `tests/it/game_laws.rs` checks:
/// * `undo` after `play` restores every observable property, the key included;
/// * the key depends on the board and the side to move only, not on the path;
/// * `legal_moves` holds no move twice, and `noisy_moves` is a subset of it;
/// * in a position without legal moves `end` is `Some`;
/// * `quiet_moves` and `noisy_moves` together are the legal moves, and `quiet_checks` those quiet ones that give check;
/// * `undo` after a `pass` that was made restores every observable property.
pub trait Game: Clone + Send + Sync + Debug + 'static {
    /// A move; its `Display` is the notation that [`Game::parse_move`] reads.
    type Move: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync + 'static;

    /// The game's name, lower case, as the command line spells it.
    const NAME: &'static str;
    /// What the sides are called, `First` before `Second`.
    const SIDES: [&'static str; 2];

    /// The initial position.
    fn start() -> Self;

    /// Reads a position.
    ///
    /// # Errors
    /// When the text is not in the game's position notation, or describes a position in which no game can be played.
    fn from_notation(text: &str) -> Result<Self, PositionError>;

    /// The position in the game's notation; [`Game::from_notation`] reads it back.
    fn notation(&self) -> String;

    /// Reads a move and checks that it is legal here.
    ///
    /// # Errors
    /// When the text is not a move, or not a legal one.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// The names of the move notations that the game has, if it has several: what PGN's tag `Format` says. The first is that
    /// of the moves' `Display`.
    const NOTATIONS: &'static [&'static str] = &[];

    /// The index in [`Game::NOTATIONS`] of the notation whose texts look like those of another, which [`Game::parse_move`] takes
    /// them for: only who knows that a text is in this one can read it.
    const LOOKALIKE: Option<usize> = None;

    /// Reads a move that is known to be in the notation with this index in [`Game::NOTATIONS`], and checks that it is legal here.
    ///
    /// # Errors
    /// As [`Game::parse_move`].
    fn parse_move_in(&self, text: &str, _notation: usize) -> Result<Self::Move, MoveError> {
        self.parse_move(text)
    }

    /// Appends `mv`, a legal move of this position, to `out` in the notation with this index in [`Game::NOTATIONS`].
    fn write_move(&self, mv: Self::Move, _notation: usize, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = write!(out, "{mv}");
    }

    /// The side whose turn it is.
    fn side_to_move(&self) -> Side;

    /// Appends all legal moves to `out`, in an order fixed by the position.
    fn legal_moves(&self, out: &mut Vec<Self::Move>);

    /// Appends the legal moves that a quiescence search must look at: captures, in most games.
    fn noisy_moves(&self, out: &mut Vec<Self::Move>);

    /// Appends the legal moves that are not among [`Game::noisy_moves`].
    fn quiet_moves(&self, out: &mut Vec<Self::Move>) {
        let mut noisy = Vec::new();
        self.noisy_moves(&mut noisy);
        let start = out.len();
        self.legal_moves(out);
        let mut legal = out.split_off(start);
        legal.retain(|mv| !noisy.contains(mv));
        out.append(&mut legal);
    }

    /// Appends those of the [`Game::quiet_moves`] that [give check](Game::gives_check).
    fn quiet_checks(&self, out: &mut Vec<Self::Move>) {
        let mut quiet = Vec::new();
        self.quiet_moves(&mut quiet);
        quiet.retain(|&mv| self.gives_check(mv));
        out.append(&mut quiet);
    }

    /// The number of legal moves.
    fn count_legal_moves(&self) -> usize {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.len()
    }

    /// Whether the side to move is forced to answer a threat (check), so that it cannot stand pat.
    fn in_check(&self) -> bool;

    /// Whether the opponent is in check, as [`Game::in_check`] means it, after the legal move `mv`.
    fn gives_check(&self, mv: Self::Move) -> bool {
        let mut after = self.clone();
        after.play(mv);
        after.in_check()
    }

    /// Static exchange evaluation: whether the exchange that the legal move `mv` begins on the point where it ends wins at
    /// least `least`, in a unit of the game's own, when both sides go on with their cheapest pieces as long as it pays.
    /// Games without exchanges say yes.
    fn see_at_least(&self, _mv: Self::Move, _least: i32) -> bool {
        true
    }

    /// How promising a noisy move looks before any search, larger first: victim before attacker.
    /// Zero for quiet moves.
    fn noise_of(&self, mv: Self::Move) -> i32;

    /// A small number below [`Game::MOVE_SLOTS`] that says which kind of move this is, for history tables.
    fn move_slot(mv: Self::Move) -> usize;

    /// The number of different values of [`Game::move_slot`].
    const MOVE_SLOTS: usize;

    /// The legal move with this [`Game::move_slot`], if there is one.
    fn move_in_slot(&self, slot: usize) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.into_iter().find(|&mv| Self::move_slot(mv) == slot)
    }

    /// Gives the turn to the opponent without a move, for the null-move heuristic, and says whether it did: never in check,
    /// and never in a game that knows no such thing. [`Game::undo`] takes it back.
    fn pass(&mut self) -> bool {
        false
    }

    /// Whether the side to move has so little that having to move may well hurt it (zugzwang).
    fn is_prone_to_zugzwang(&self) -> bool {
        false
    }

    /// The most [`Game::candidates`] that a search looks at in a position unless told otherwise; 0 for all legal moves.
    const SEARCH_WIDTH: u32 = 0;

    /// The positions that [`Game::forced_win`] is given before a search unless told otherwise; 0 if it is not asked.
    const FORCED_WIN_NODES: u64 = 0;

    /// Appends those legal moves that a search with a limited width looks at, most promising first and at most `width`. They
    /// depend on the position alone, and there is one wherever a move is legal. Games that know none better give the first
    /// of [`Game::legal_moves`].
    fn candidates(&self, width: usize, out: &mut Vec<Self::Move>) {
        let start = out.len();
        self.legal_moves(out);
        out.truncate(start + width.max(1));
    }

    /// How promising a quiet move looks before any search, larger first. Games that know nothing of it say 0.
    fn promise_of(&self, _mv: Self::Move) -> i32 {
        0
    }

    /// A win of the side to move that a solver of the game's own proves within about `nodes` positions, and as long as `go_on`, asked
    /// now and then, says so: the moves of both sides up to the end, with defences that hold out longest. `None` says nothing.
    fn forced_win(&self, _nodes: u64, _go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Self::Move>> {
        None
    }

    /// Makes `mv`, which must be legal here.
    fn play(&mut self, mv: Self::Move);

    /// Takes back the last move made by [`Game::play`] on this value.
    ///
    /// # Panics
    /// When no move was made.
    fn undo(&mut self);

    /// The Zobrist key of board and side to move.
    fn key(&self) -> u64;

    /// Plies made on this value since it was set up.
    fn plies(&self) -> usize;

    /// The end of the game by a rule that looks at the past or at the material (repetition, plies without capture, nothing left
    /// to win with) and not at the moves, if there is one.
    /// Cheap: the search asks it at every node.
    fn end_by_history(&self) -> Option<End>;

    /// The verdict that this position would get by repetition if play went on as it did since it last occurred, provided
    /// that this was at most `within` plies ago. A search takes it for the end: what was repeated once can be repeated again.
    fn cycle_end(&self, _within: usize) -> Option<End> {
        None
    }

    /// The end of the game, if it has ended: no legal moves, or [`Game::end_by_history`].
    fn end(&self) -> Option<End>;
}
