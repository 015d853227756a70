//! How the positions and moves of a game are written.

use std::fmt::Write;

use super::Game;

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

impl PositionError {
    /// The error of `text` at the character `at`, counted from 1.
    pub fn new(text: &str, at: usize, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { text: text.to_owned(), at, expected: expected.into(), found: found.into() }
    }
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

impl MoveError {
    /// The error of a text that is no move: `expected` says what moves look like.
    pub fn syntax(text: &str, expected: &'static str) -> Self {
        Self::Syntax { text: text.to_owned(), expected }
    }

    /// The error of a move that the rules do not allow.
    pub fn illegal(text: &str, reason: impl Into<String>) -> Self {
        Self::Illegal { text: text.to_owned(), reason: reason.into() }
    }
}

/// A game whose positions and moves can be written and read.
pub trait Notation: Game {
    /// The names of the move notations that the game has, if it has several: what PGN's tag `Format` says. The first is that
    /// of the moves' `Display`.
    const NOTATIONS: &'static [&'static str] = &[];

    /// The index in [`Notation::NOTATIONS`] of the notation whose texts look like those of another, which [`Notation::parse_move`]
    /// takes them for: a text in it can be read only when it is known to be in it.
    const LOOKALIKE: Option<usize> = None;

    /// Reads a position.
    ///
    /// # Errors
    /// When the text is not in the game's position notation, or describes a position in which no game can be played.
    fn from_notation(text: &str) -> Result<Self, PositionError>;

    /// The position in the game's notation; [`Notation::from_notation`] reads it back.
    fn notation(&self) -> String;

    /// Reads a move and checks that it is legal here.
    ///
    /// # Errors
    /// When the text is not a move, or not a legal one.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// Reads a move that is known to be in the notation with this index in [`Notation::NOTATIONS`], and checks that it is legal
    /// here.
    ///
    /// # Errors
    /// As [`Notation::parse_move`].
    fn parse_move_in(&self, text: &str, _notation: usize) -> Result<Self::Move, MoveError> {
        self.parse_move(text)
    }

    /// Appends `mv`, a legal move of this position, to `out` in the notation with this index in [`Notation::NOTATIONS`].
    fn write_move(&self, mv: Self::Move, _notation: usize, out: &mut String) {
        // Writing to a string cannot fail.
        let _ = write!(out, "{mv}");
    }
}
