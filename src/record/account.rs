//! The account of what was read: kept games, and dropped ones with place and reason.

use std::collections::BTreeMap;
use std::fmt;

use super::entry::SourceLocation;
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

/// Which place contradicts the result of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultSource {
    /// The result after the moves.
    Moves,
    /// The words of the title.
    Title,
    /// Mate or stalemate on the board.
    Board,
}

/// A filter, as the account names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Choice {
    /// By words of the event.
    Event,
    /// By the kind of event.
    Class,
    /// By a player.
    Player,
    /// By years; the game has another.
    Years,
    /// By years; the date of the game is unknown.
    UnknownDate,
    /// By the result.
    Result,
    /// By the pattern of a tag.
    Tag,
    /// Not drawn for the sample.
    Sample,
}

impl Choice {
    /// The heading in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Event => "not selected: event",
            Self::Class => "not selected: class",
            Self::Player => "not selected: player",
            Self::Years => "not selected: years",
            Self::UnknownDate => "not selected: date unknown",
            Self::Result => "not selected: result",
            Self::Tag => "not selected: tag",
            Self::Sample => "not selected: sample",
        }
    }
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
    /// A fragment, a puzzle or a lesson: not a whole game between two players.
    Fragment,
    /// A program took part.
    Computer,
    /// Neither the tag nor the end of the moves gives a result; when cleaning, neither do mate and the title.
    NoResult,
    /// The result in the tag is not the one after the moves.
    ContradictingResult,
    /// The title states another result.
    ContradictingTitle,
    /// Mate or stalemate on the board gives another result.
    ContradictingBoard,
    /// The game has no moves.
    NoMoves,
    /// The game has fewer plies than are asked for.
    Short,
    /// A filter leaves the game out.
    NotSelected(Choice),
    /// Other copies of the same moves have another result.
    ConflictingCopies,
    /// A copy with the same moves and the same headers is kept.
    Duplicate,
    /// A copy with the same moves under other headers is kept.
    FiledAgain,
    /// A longer record goes on from these moves.
    Prefix,
    /// The mirror image of a game that is kept.
    MirrorImage,
    /// A game with the same beginning, players and result is kept.
    NearDuplicate,
}

impl Reason {
    /// Whether the record is wrong; other games are only of no use.
    pub const fn is_invalid(self) -> bool {
        !matches!(
            self,
            Self::NotGames
                | Self::Fragment
                | Self::Computer
                | Self::NoResult
                | Self::NoMoves
                | Self::Short
                | Self::NotSelected(_)
                | Self::Duplicate
                | Self::FiledAgain
                | Self::Prefix
                | Self::MirrorImage
                | Self::NearDuplicate
        )
    }

    /// The heading in words.
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
            Self::Fragment => "fragment or puzzle",
            Self::Computer => "computer game",
            Self::NoResult => "no result",
            Self::ContradictingResult => "contradicting results",
            Self::ContradictingTitle => "result contradicts the title",
            Self::ContradictingBoard => "result contradicts the board",
            Self::NoMoves => "no moves",
            Self::Short => "too short",
            Self::NotSelected(choice) => choice.words(),
            Self::ConflictingCopies => "copies with conflicting results",
            Self::Duplicate => "exact duplicate",
            Self::FiledAgain => "filed again with other headers",
            Self::Prefix => "prefix of a longer record",
            Self::MirrorImage => "mirror image of another game",
            Self::NearDuplicate => "near-duplicate",
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
        /// What kind of place that is.
        told_by: ResultSource,
    },
    /// The record is a fragment, a puzzle or a lesson.
    #[error("{0}")]
    Fragment(String),
    /// A program took part.
    #[error("{0}")]
    Computer(String),
    /// The game has too few plies.
    #[error("expected at least {least} plies, found {found}")]
    Short {
        /// What is asked for.
        least: usize,
        /// What the game has.
        found: usize,
    },
    /// A filter leaves the game out.
    #[error("{found}")]
    NotSelected {
        /// The filter.
        choice: Choice,
        /// What it found.
        found: String,
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
            Self::Contradiction { told_by: ResultSource::Moves, .. } => Reason::ContradictingResult,
            Self::Contradiction { told_by: ResultSource::Title, .. } => Reason::ContradictingTitle,
            Self::Contradiction { told_by: ResultSource::Board, .. } => Reason::ContradictingBoard,
            Self::Fragment(_) => Reason::Fragment,
            Self::Computer(_) => Reason::Computer,
            Self::Short { .. } => Reason::Short,
            Self::NotSelected { choice, .. } => Reason::NotSelected(*choice),
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
    /// The balance of `read` records, counted as they came in, `kept` and `dropped` counted as they were decided.
    ///
    /// # Errors
    /// When they do not add up.
    pub fn new(read: u64, kept: u64, dropped: BTreeMap<Reason, u64>) -> Result<Self, Unbalanced> {
        let sum = dropped.values().sum();
        if read == kept + sum { Ok(Self { read, kept, dropped }) } else { Err(Unbalanced { read, kept, dropped: sum }) }
    }

    /// How many records were dropped because they are wrong.
    pub fn invalid(&self) -> u64 {
        invalid(&self.dropped)
    }
}

/// Records were lost or counted twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the account does not balance: {read} records read, but {kept} kept and {dropped} dropped")]
pub struct Unbalanced {
    /// Records that came in.
    pub read: u64,
    /// Records kept.
    pub kept: u64,
    /// Records dropped.
    pub dropped: u64,
}
