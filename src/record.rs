//! Game records: files of games in, games out, and an account of every game that was read.
//!
//! Reading goes in three steps: [`read_games`] streams a file, plain or compressed, and cuts it into the texts of
//! single games; each text is taken apart into tags, moves and comments; each game is replayed under its rules.
//! A game that fails at any step is dropped with its place and reason ([`Dropped`]), or is an error
//! ([`Policy::Strict`]). What is kept and what is dropped always adds up to what was read ([`Account`]).

mod account;
mod checksum;
pub mod clean;
mod date;
mod duplicates;
mod encoding;
mod endings;
mod entry;
mod error;
mod export;
mod format;
mod pgn;
mod read;
mod result;
mod select;
mod source;
mod statistics;
pub mod supplied;
mod write;

pub use account::{Account, Balance, Dropped, Flaw, Policy, Reason, Scrutiny};
pub use checksum::checksum;
pub use date::Date;
pub use duplicates::Duplicates;
pub use encoding::Encoding;
pub use entry::{FileName, GameRecord, OWN_TAGS, SourceLocation, Stated, Tag, result_text};
pub use error::RecordError;
pub(crate) use export::{Entry, TableFile, integer};
pub use export::{GAME_ENDINGS, GameFile, PositionFile, stem_and_ending};
pub use read::{
    DEFAULT_MAX_UNPACKED, ReadSettings, count_first, for_each_game, for_each_record, read_bytes, read_games,
};
pub use select::{EventClass, GameSelection, TagPattern};
pub use source::{MATCH_GAMES, SELF_PLAY_GAMES, size_of};
pub use statistics::{Results, Statistics};
pub use write::{
    COLLECTION_LEVEL, DEFAULT_LEVEL, PGN_ENDINGS, check_level, check_writable, to_pgn, to_pgn_in, write_games,
    write_games_in,
};
