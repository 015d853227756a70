//! Why a book could not be read, written or merged.

use std::io;
use std::path::PathBuf;

use crate::settings::SettingError;

/// Why a book could not be read, written or merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be read.
    #[error("cannot read book `{}`", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
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
    /// The file is no database, or a damaged one.
    #[error("`{}` is not an opening book, or a damaged one: {flaw}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        flaw: rusqlite::Error,
    },
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
    /// The book is of another game.
    #[error("book `{}` is for the game `{found}`, expected `{expected}`", path.display())]
    OtherGame {
        /// The file.
        path: PathBuf,
        /// The game asked for.
        expected: &'static str,
        /// The game of the book.
        found: String,
    },
    /// Two books that are to be merged count the same games.
    #[error("both books count the games of `{name}` (SHA-256 {sha256}): they would count twice")]
    SameInput {
        /// The name of the file of games.
        name: String,
        /// Its checksum.
        sha256: String,
    },
    /// A count that no games give.
    #[error("book `{}`: position {key} has a move of {games} games, expected at least 1 and fewer than 2⁴⁰", path.display())]
    Count {
        /// The file.
        path: PathBuf,
        /// The key of the position.
        key: i64,
        /// The number of games.
        games: u64,
    },
    /// The database cannot be made.
    #[error("cannot make the database of book `{}`", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        #[source]
        cause: rusqlite::Error,
    },
    /// The file cannot be written.
    #[error("cannot write book `{}`", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
    /// A setting is out of range.
    #[error(transparent)]
    Setting(#[from] SettingError),
}
