//! Why a book could not be read, written or merged.

use std::path::PathBuf;

use crate::disk::{Changed, FileError};
use crate::settings::SettingError;

/// Why a book could not be read, written or merged. Where a path comes first, it is that of the book.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be read or written.
    File(#[from] FileError),
    /// The file is a database, but of another application.
    #[error("`{}` is not an opening book: expected application id {expected:#x}, found {found:#x}", path.display())]
    NotABook {
        /// The file.
        path: PathBuf,
        /// The application id of books.
        expected: u32,
        /// The one in the file.
        found: u32,
    },
    /// The file is no database, or a damaged one: what is wrong with it.
    #[error("`{path}` is not an opening book, or a damaged one: {1}", path = .0.display())]
    Damaged(PathBuf, rusqlite::Error),
    /// A table of the book is none: its rows would be computed.
    #[error("cannot use book `{path}`: it has views, virtual tables or computed columns in place of plain tables", path = .0.display())]
    Computed(PathBuf),
    /// The book says something else than when it was written.
    #[error("cannot use book `{path}`: {1}; build it again, or take another copy", path = .0.display())]
    Changed(PathBuf, Changed),
    /// The schema is not the one that this program knows.
    #[error("book `{}` has schema {found}, expected {expected}: {hint}", path.display())]
    Schema {
        /// The file.
        path: PathBuf,
        /// The schema of this program.
        expected: u32,
        /// The one of the file.
        found: u32,
        /// What to do about it.
        hint: &'static str,
    },
    /// The book is of another game: that asked for, and that of the book.
    #[error("book `{path}` is for the game `{2}`, expected `{1}`", path = .0.display())]
    OtherGame(PathBuf, &'static str, String),
    /// Two books that are to be merged count the same games.
    #[error("both books count the games of `{name}` (SHA-256 {sha256}): they would count twice")]
    SameInput {
        /// The name of the file of games.
        name: String,
        /// Its checksum.
        sha256: String,
    },
    /// All games of one of two books that are to be merged stand in the other: how many different ones.
    #[error("one book holds all games of the other ({0}): they would count twice")]
    SameGames(usize),
    /// A move without games, of the position with this key.
    #[error("book `{path}`: position {1} has a move of 0 games, expected at least 1", path = .0.display())]
    NoGames(PathBuf, i64),
    /// The database cannot be made, as SQLite says.
    #[error("cannot make the database of book `{}`", .0.display())]
    Database(PathBuf, #[source] rusqlite::Error),
    /// A setting is out of range.
    Setting(#[from] SettingError),
}
