//! Game records: files of games in, games out, and an account of every game that was read.
//!
//! Reading goes in three steps: [`read_games`] streams a file, plain or compressed, and cuts it into the texts of
//! single games; each text is taken apart into tags, moves and comments; each game is replayed under its rules.
//! A game that fails at any step is dropped with its place and reason ([`Dropped`]), or is an error
//! ([`Policy::Strict`]). What is kept and what is dropped always adds up to what was read ([`Account`]).

mod account;
mod checksum;
mod compress;
mod duplicates;
mod entry;
mod error;
mod pgn;
mod read;
mod write;

pub use account::{Account, Dropped, Flaw, Policy, Reason};
pub use checksum::checksum;
pub use duplicates::Duplicates;
pub use entry::{GameRecord, Place, Tag, result_text};
pub use error::RecordError;
pub use read::{for_each_game, read_bytes, read_games};
pub use write::{DEFAULT_LEVEL, check_writable, to_pgn, to_pgn_in, write_games, write_games_in};
