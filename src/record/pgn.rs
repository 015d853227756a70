//! PGN text: cut into games, taken apart, and replayed.

mod build;
mod parse;
mod split;

pub use build::{MoveNumber, build};
pub use parse::{RawGame, RawMove, attach, one_line, parse, parse_result, syntax};
pub use split::{Chunk, LONGEST, Splitter, lines_in, read_until};

use super::account::Flaw;

/// A flaw and the line in which it stands.
pub type Flawed = (u64, Flaw);
