//! Digests of all that decides games: two runs with the same digest play the same games.

use serde::Serialize;

use crate::disk::sha256;

/// The SHA-256, in hexadecimal, of an identity.
pub(super) fn digest(identity: &impl Serialize) -> String {
    // Numbers and texts always go into JSON.
    sha256(&serde_json::to_vec(identity).unwrap_or_default())
}

/// The checksum in the identity of a player; `None` where there is none to give.
pub(super) fn checksum_in(identity: &serde_json::Value) -> Option<&str> {
    let mut kinds = identity.as_object()?.values();
    kinds.find_map(|kind| kind.get("checksum")?.as_str()).filter(|checksum| !checksum.is_empty())
}
