//! The games that come with the program.

use super::{Account, GameRecord, Policy, RecordError, read_bytes};
use crate::disk::sha256;
use crate::game::Kit;

/// Games, and the account of reading them.
pub type Supply<G> = (Vec<GameRecord<G>>, Account);

/// The games of `G` that come with the program, with the account of reading them; `None` if there are none.
///
/// # Errors
/// Never for files that were committed; reading them checks every move all the same.
pub fn games<G: Kit>() -> Option<Result<Supply<G>, RecordError>> {
    G::SUPPLIED.map(|file| read_bytes(file.name, file.bytes, Policy::Strict))
}

/// Name and SHA-256 of the file of these games.
pub fn checksum<G: Kit>() -> Option<(String, String)> {
    G::SUPPLIED.map(|file| (file.name.to_owned(), sha256(file.bytes)))
}
