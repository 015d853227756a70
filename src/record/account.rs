//! The account of what was read: kept games, and dropped ones with place and reason.

use std::collections::BTreeMap;
use std::fmt;

use super::entry::Place;
use crate::game::{MoveError, PositionError};

/// What to do with a game that is not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Fail at the first invalid game. Games that are merely of no use (see [`Reason::is_invalid`]) are dropped.
    Strict,
    /// Drop it and account for it.
    #[default]
    Drop,
}

/// Why a game was dropped, as a heading of the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The file cannot be read, or not to its end.
    Unreadable,
    /// The file is no record of games.
    NotGames,
    /// The file is in a format of game records that cannot be read.
    UnsupportedFormat,
    /// The text does not fit its encoding.
    Encoding,
    /// The text is longer than a game can be.
    TooLong,
    /// A tag, comment or variation is not in the format.
    Syntax,
    /// The start position is not one.
    BadPosition,
    /// A move is not in the notation.
    UnreadableMove,
    /// A move breaks the rules.
    IllegalMove,
    /// Result tag, result at the end of the moves and mate on the board disagree.
    ContradictingResult,
    /// The game has no moves.
    NoMoves,
    /// Neither the tag nor the end of the moves gives a result.
    NoResult,
}

impl Reason {
    /// Whether the record is wrong; a game without moves or without a result, and a file without games, is only of
    /// no use.
    #[must_use]
    pub const fn is_invalid(self) -> bool {
        !matches!(self, Self::NoMoves | Self::NoResult | Self::NotGames)
    }

    /// The heading in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::NotGames => "not games",
            Self::UnsupportedFormat => "unsupported format",
            Self::Encoding => "encoding",
            Self::TooLong => "too long",
            Self::Syntax => "syntax",
            Self::BadPosition => "bad start position",
            Self::UnreadableMove => "unreadable move",
            Self::IllegalMove => "illegal move",
            Self::ContradictingResult => "contradicting results",
            Self::NoMoves => "no moves",
            Self::NoResult => "no result",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}

/// What exactly is wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// The file cannot be read, or not to its end.
    #[error("cannot be read: {cause}")]
    Unreadable {
        /// What the system or the unpacker said.
        cause: String,
    },
    /// The file is no record of games.
    #[error("not a record of games: {found}")]
    NotGames {
        /// What it is instead.
        found: &'static str,
    },
    /// The file is in a format of game records that cannot be read.
    #[error("{format} cannot be read: {why}")]
    UnsupportedFormat {
        /// The format.
        format: &'static str,
        /// What is in the way.
        why: &'static str,
    },
    /// The text does not fit its encoding.
    #[error("expected text in the encoding of the file, found byte {byte:#04x}")]
    Encoding {
        /// The first byte that does not fit.
        byte: u8,
    },
    /// The text of the game is too long to be one.
    #[error("expected a game of at most {limit} bytes, found more")]
    TooLong {
        /// The most that is read.
        limit: usize,
    },
    /// A tag, comment or variation is not in the format.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// What the format allows there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// The tag `FEN` does not hold a position.
    #[error("tag FEN: {0}")]
    Position(PositionError),
    /// A move cannot be read or is illegal.
    #[error("move {number} (ply {ply}): {error}")]
    Move {
        /// The number of the move as it is written before the moves of the first side, from 1.
        number: usize,
        /// How many moves of either side the game had with this one.
        ply: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// Two places of the record give different results.
    #[error("result {first} {first_from}, but {second} {second_from}")]
    Contradiction {
        /// One result.
        first: &'static str,
        /// Where it stands.
        first_from: &'static str,
        /// The other result.
        second: &'static str,
        /// Where that stands.
        second_from: &'static str,
    },
    /// The game has no moves.
    #[error("no moves")]
    NoMoves,
    /// The game has no result.
    #[error("no result: expected 1-0, 0-1 or 1/2-1/2 in tag Result or after the moves")]
    NoResult,
}

impl Flaw {
    /// The heading under which the account lists this.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        match self {
            Self::Unreadable { .. } => Reason::Unreadable,
            Self::NotGames { .. } => Reason::NotGames,
            Self::UnsupportedFormat { .. } => Reason::UnsupportedFormat,
            Self::Encoding { .. } => Reason::Encoding,
            Self::TooLong { .. } => Reason::TooLong,
            Self::Syntax { .. } => Reason::Syntax,
            Self::Position(_) => Reason::BadPosition,
            Self::Move { error: MoveError::Syntax { .. }, .. } => Reason::UnreadableMove,
            Self::Move { error: MoveError::Illegal { .. }, .. } => Reason::IllegalMove,
            Self::Contradiction { .. } => Reason::ContradictingResult,
            Self::NoMoves => Reason::NoMoves,
            Self::NoResult => Reason::NoResult,
        }
    }
}

/// A game that was not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// Where the flaw stands: its file, game and line.
    pub place: Place,
    /// What is wrong.
    pub flaw: Flaw,
}

/// `games.pgn.zst: game 17 (line 243), move 12 (ply 23): …`
impl fmt::Display for Dropped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if matches!(self.flaw, Flaw::Move { .. }) { ',' } else { ':' };
        write!(f, "{}{separator} {}", self.place, self.flaw)
    }
}

/// How many games were read, kept and dropped. At any time `read = kept + dropped.len()`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    read: u64,
    kept: u64,
    dropped: Vec<Dropped>,
}

impl Account {
    /// Enters a game that is kept.
    pub const fn keep(&mut self) {
        self.read += 1;
        self.kept += 1;
    }

    /// Enters a game that is not.
    pub fn drop(&mut self, dropped: Dropped) {
        self.read += 1;
        self.dropped.push(dropped);
    }

    /// Games found in the input.
    #[must_use]
    pub const fn read(&self) -> u64 {
        self.read
    }

    /// Games kept.
    #[must_use]
    pub const fn kept(&self) -> u64 {
        self.kept
    }

    /// The dropped games, in the order in which they were read.
    #[must_use]
    pub fn dropped(&self) -> &[Dropped] {
        &self.dropped
    }

    /// How many games were dropped under each heading; headings without games are left out.
    #[must_use]
    pub fn by_reason(&self) -> BTreeMap<Reason, u64> {
        let mut counts = BTreeMap::new();
        for dropped in &self.dropped {
            *counts.entry(dropped.flaw.reason()).or_insert(0) += 1;
        }
        counts
    }

    /// How many games were dropped because their record is wrong.
    #[must_use]
    pub fn invalid(&self) -> u64 {
        self.dropped.iter().filter(|dropped| dropped.flaw.reason().is_invalid()).count() as u64
    }
}
