//! PGN text: cut into games, taken apart, and replayed.

mod build;
mod parse;
mod split;

pub(crate) use build::MoveNumber;
pub use build::build;
pub(crate) use parse::{Claim, RawGame, RawMove, attach, lines_in, parse_result};
pub use parse::{one_line, parse, syntax};
pub use split::{Chunk, LONGEST, read_until};
pub(crate) use split::{Splitter, read_through, tag_in};

use super::account::Flaw;

/// A flaw and the line in which it stands.
pub(crate) type Flawed = (u64, Flaw);
