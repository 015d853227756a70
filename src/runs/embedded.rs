//! The data set that comes with the program: games that its traditional evaluator played against itself.

use crate::disk::sha256;
use crate::games::xiangqi::Xiangqi;
use crate::record::{Account, GameRecord, Policy, RecordError, read_bytes};

/// The name under which manifests list the data set.
pub const NAME: &str = "datasets/xiangqi-selfplay/games.pgn.zst";

const BYTES: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/xiangqi-selfplay/games.pgn.zst"));

/// The games of the data set.
///
/// # Errors
/// Never for the file that was committed; reading it checks every move all the same.
pub fn games() -> Result<(Vec<GameRecord<Xiangqi>>, Account), RecordError> {
    read_bytes(NAME, BYTES, Policy::Strict)
}

/// Name and SHA-256 of the data set.
#[must_use]
pub fn checksum() -> (String, String) {
    (NAME.to_owned(), sha256(BYTES))
}
