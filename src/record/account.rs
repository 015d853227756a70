//! The account of what was read: kept games, and dropped ones with place and reason.

use std::collections::BTreeMap;
use std::fmt;

use super::entry::SourceLocation;
use crate::game::{MoveError, PositionError};
use crate::settings::{choices, counted};

/// What to do with a game that is not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Fail at the first invalid game. Games that are merely of no use (see [`Reason::is_invalid`]) are dropped.
    Strict,
    /// Drop it and account for it.
    #[default]
    Drop,
}

/// How much of a record is checked while it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scrutiny {
    /// Everything: moves, and that there is one result on which all places agree.
    #[default]
    Full,
    /// Start position and moves. What the record says of its result is kept as it stands
    /// ([`GameRecord::stated`](super::GameRecord::stated)), for [`super::clean`] to judge.
    Moves,
}

choices! {
    /// Why a game was dropped, as a heading of the account.
    #[derive(PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum Reason = Unreadable {
        /// The file cannot be read, or not to its end.
        Unreadable,
        /// The file is no record of games.
        NotGames = "not games",
        /// The file is in a format of game records that cannot be read.
        UnsupportedFormat = "unsupported format",
        /// The text does not fit its encoding.
        Encoding,
        /// The text is longer than a game can be.
        TooLong = "too long",
        /// A tag, comment or variation is not in the format.
        Syntax,
        /// The start position is not one.
        BadPosition = "bad start position",
        /// A move is not in the notation.
        UnreadableMove = "unreadable move",
        /// A move breaks the rules.
        IllegalMove = "illegal move",
        /// A fragment, a puzzle or a lesson: not a whole game between two players.
        Fragment = "fragment or puzzle",
        /// A program took part.
        Computer = "computer game",
        /// Neither the tag nor the end of the moves gives a result; when cleaning, neither do mate and the title.
        NoResult = "no result",
        /// The result in the tag is not the one after the moves.
        ContradictingResult = "contradicting results",
        /// The title states another result.
        ContradictingTitle = "result contradicts the title",
        /// Mate or stalemate on the board gives another result.
        ContradictingBoard = "result contradicts the board",
        /// The game has no moves.
        NoMoves = "no moves",
        /// The game has fewer plies than are asked for.
        Short = "too short",
        /// A filter leaves the game out by words of the event.
        OtherEvent = "not selected: event",
        /// By the kind of event.
        OtherClass = "not selected: class",
        /// By a player.
        OtherPlayer = "not selected: player",
        /// By years; the game has another.
        OtherYear = "not selected: years",
        /// By years; the date of the game is unknown.
        UnknownDate = "not selected: date unknown",
        /// By the result.
        OtherResult = "not selected: result",
        /// By the pattern of a tag.
        OtherTag = "not selected: tag",
        /// The game was not drawn for the sample.
        NotSampled = "not selected: sample",
        /// Other copies of the same moves have another result.
        ConflictingCopies = "copies with conflicting results",
        /// A copy with the same moves and the same headers is kept.
        Duplicate = "exact duplicate",
        /// A copy with the same moves under other headers is kept.
        FiledAgain = "filed again with other headers",
        /// A longer record goes on from these moves.
        Prefix = "prefix of a longer record",
        /// The mirror image of a game that is kept.
        MirrorImage = "mirror image of another game",
        /// A game with the same beginning, players and result is kept.
        NearDuplicate,
    }
}

impl Reason {
    /// Whether the record is wrong; other games are only of no use.
    pub fn is_invalid(self) -> bool {
        let is_of_no_use = matches!(self, Self::NotGames | Self::Fragment | Self::Computer | Self::NoResult);
        // From here on all that is wrong is that copies disagree.
        let is_sound = self >= Self::NoMoves && self != Self::ConflictingCopies;
        !is_of_no_use && !is_sound
    }
}

/// What exactly is wrong with a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// The file cannot be read, or not to its end, as the system or the unpacker says.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// The file is no record of games, but this.
    #[error("not a record of games: {0}")]
    NotGames(&'static str),
    /// The file is in a format of game records that cannot be read: which, and what is in the way.
    #[error("{0} cannot be read: {1}")]
    UnsupportedFormat(&'static str, &'static str),
    /// The text does not fit its encoding; the first byte that does not.
    #[error("expected text in the encoding of the file, found byte {0:#04x}")]
    Encoding(u8),
    /// The text of the game is too long to be one: the most that is read.
    #[error("expected a game of at most {0} bytes, found more")]
    TooLong(usize),
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
    /// What is told under this heading alone: two places of the record give different results, the game is too short, or it is not
    /// wanted.
    #[error("{1}")]
    Other(Reason, String),
    /// The game has no moves.
    #[error("no moves")]
    NoMoves,
    /// The game has no result.
    #[error("no result: the record names neither a winner nor a draw")]
    NoResult,
}

impl Flaw {
    /// The heading under which the account lists this.
    pub const fn reason(&self) -> Reason {
        match self {
            Self::Unreadable(_) => Reason::Unreadable,
            Self::NotGames(_) => Reason::NotGames,
            Self::UnsupportedFormat(..) => Reason::UnsupportedFormat,
            Self::Encoding(_) => Reason::Encoding,
            Self::TooLong(_) => Reason::TooLong,
            Self::Syntax { .. } => Reason::Syntax,
            Self::Position(_) => Reason::BadPosition,
            Self::Move { error: MoveError::Syntax { .. }, .. } => Reason::UnreadableMove,
            Self::Move { error: MoveError::Illegal { .. }, .. } => Reason::IllegalMove,
            Self::Other(reason, _) => *reason,
            Self::NoMoves => Reason::NoMoves,
            Self::NoResult => Reason::NoResult,
        }
    }
}

/// A game that was not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// Where the flaw stands: its file, game and line.
    pub place: SourceLocation,
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

/// How many games were kept, and which were dropped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Account {
    kept: u64,
    dropped: Vec<Dropped>,
}

impl Account {
    /// Counts a game that is kept.
    pub const fn keep(&mut self) {
        self.kept += 1;
    }

    /// Adds a game that is dropped.
    pub fn drop(&mut self, dropped: Dropped) {
        self.dropped.push(dropped);
    }

    /// Games found in the input.
    pub const fn read(&self) -> u64 {
        self.kept + self.dropped.len() as u64
    }

    /// Games kept.
    pub const fn kept(&self) -> u64 {
        self.kept
    }

    /// The dropped games, in the order in which they were read.
    pub fn dropped(&self) -> &[Dropped] {
        &self.dropped
    }

    /// How many games were dropped under each heading; headings without games are left out.
    pub fn by_reason(&self) -> BTreeMap<Reason, u64> {
        let mut counts = BTreeMap::new();
        for dropped in &self.dropped {
            *counts.entry(dropped.flaw.reason()).or_insert(0) += 1;
        }
        counts
    }

    /// How many games were dropped because their record is wrong.
    pub fn invalid(&self) -> u64 {
        invalid(&self.by_reason())
    }
}

/// `8039 games read, 8030 kept, dropped: no result 9`.
impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> = self.by_reason().iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        let dropped = if reasons.is_empty() { "nothing".to_owned() } else { reasons.join(", ") };
        write!(f, "{} read, {} kept, dropped: {dropped}", counted(self.read(), "game"), self.kept())
    }
}

fn invalid(by_reason: &BTreeMap<Reason, u64>) -> u64 {
    by_reason.iter().filter(|(reason, _)| reason.is_invalid()).map(|(_, count)| count).sum()
}

/// What became of all records of an import, by heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// Records found in the input: those kept and those dropped.
    pub read: u64,
    /// Games kept.
    pub kept: u64,
    /// How many records were dropped under each heading; headings without records are left out.
    pub dropped: BTreeMap<Reason, u64>,
}

impl Balance {
    /// How many records were dropped because they are wrong.
    pub fn invalid(&self) -> u64 {
        invalid(&self.dropped)
    }
}
