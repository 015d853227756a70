//! What stands for the values of a column while it is read.

use std::hash::Hash;

/// What the codes of a column stand for; nothing for what counts as missing.
pub enum Keys {
    Numbers(Vec<Option<i64>>),
    Wide(Vec<Option<i128>>),
    Bytes(Vec<Option<Vec<u8>>>),
}

/// What stands for a value of a column.
pub trait Key: Eq + Hash + Ord + Send {
    /// The bytes that it takes beside itself.
    fn beside(&self) -> usize {
        0
    }

    fn keys(keys: Vec<Option<Self>>) -> Keys
    where
        Self: Sized;
}

impl Key for i64 {
    fn keys(keys: Vec<Option<Self>>) -> Keys {
        Keys::Numbers(keys)
    }
}

impl Key for i128 {
    fn keys(keys: Vec<Option<Self>>) -> Keys {
        Keys::Wide(keys)
    }
}

impl Key for Vec<u8> {
    fn beside(&self) -> usize {
        // What an allocation costs beside its bytes is about as much as their number.
        self.len() + 16
    }

    fn keys(keys: Vec<Option<Self>>) -> Keys {
        Keys::Bytes(keys)
    }
}
