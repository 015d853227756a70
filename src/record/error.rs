//! Why games could not be read or written at all.

use std::io;
use std::path::PathBuf;

use super::account::Dropped;
use crate::disk::FileError;

/// Why game records could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A file cannot be opened or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The compressed data end before they are complete.
    #[error("game file `{file}` is cut short: expected more compressed data after line {line} (game {games})")]
    Truncated {
        /// The file.
        file: String,
        /// Complete games in the part that could be read.
        games: u64,
        /// The line that reading had come to.
        line: u64,
    },
    /// Reading failed on the way.
    #[error("cannot read game file `{file}` beyond line {line} (game {games})")]
    Read {
        /// The file.
        file: String,
        /// Complete games in the part that could be read.
        games: u64,
        /// The line that reading had come to.
        line: u64,
        /// What the system or the decompressor said.
        #[source]
        cause: io::Error,
    },
    /// A game is invalid and the policy allows none.
    #[error("{0}")]
    Invalid(Box<Dropped>),
    /// The folder that is to hold a file does not exist.
    #[error("cannot write file `{}`: `{}` is not a folder", path.display(), folder.display())]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// What should be a folder.
        folder: PathBuf,
    },
    /// What was set aside on the disk cannot be written or read back.
    #[error("cannot store games on disk while comparing them")]
    Spool(#[source] io::Error),
    /// The part of an import cannot be put together with others.
    #[error("cannot use the part `{}`: {problem}", path.display())]
    Part {
        /// Its file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Records were lost or counted twice.
    #[error("the account does not balance: {read} records read, but {kept} kept and {dropped} dropped")]
    Unbalanced {
        /// Records that came in.
        read: u64,
        /// Records kept.
        kept: u64,
        /// Records dropped.
        dropped: u64,
    },
    /// The name of a file does not say what is to be written; the endings that do.
    #[error("cannot tell the format of `{path}`: expected a name ending in {1}", path = .0.display())]
    UnknownFormat(PathBuf, &'static str),
}
