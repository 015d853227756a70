//! The part of the SQLite 3 file format (<https://www.sqlite.org/fileformat2.html>) that a book needs: tables without row
//! ids, whose rows are numbers and short texts, written once in the order of their keys and read from end to end.
//!
//! Any SQLite tool reads such a file. Own code writes it because a file written in one go depends on its rows alone, not
//! on the version of a library.

mod read;
mod write;

pub use read::{Database, Flaw};
pub use write::{TooLong, Writer};

/// The first bytes of every SQLite 3 file.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// Bytes of the header of the file, before the header of its first page.
const FILE_HEADER: usize = 100;

/// Page type: inner page of a table without row ids.
const INNER_INDEX: u8 = 2;
/// Page type: leaf of a table without row ids.
const LEAF_INDEX: u8 = 10;
/// Page type: leaf of a table with row ids; here of the schema only.
const LEAF_TABLE: u8 = 13;

/// One field of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    /// A number.
    Integer(i64),
    /// UTF-8 text.
    Text(&'a str),
}

impl Value<'_> {
    /// The number, if the field is one.
    pub const fn integer(self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(number),
            Self::Text(_) => None,
        }
    }
}

/// The longest row that stands on a page as a whole, for pages with `usable` bytes.
const fn longest_row(usable: usize, page_type: u8) -> usize {
    if page_type == LEAF_TABLE { usable - 35 } else { (usable - 12) * 64 / 255 - 23 }
}
