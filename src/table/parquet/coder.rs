//! Codes of a column while it is read: values are numbered in the order in which they first appear.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::table::Codes;

/// The codes of the cells read so far; a null cell has no key.
pub struct Coder<K> {
    known: FxHashMap<Option<K>, u32>,
    codes: Codes,
}

impl<K: Eq + Hash> Coder<K> {
    pub fn new() -> Self {
        Self { known: FxHashMap::default(), codes: Codes::U8(Vec::new()) }
    }

    /// The code of a key.
    pub fn code(&mut self, key: Option<K>) -> u32 {
        let next = self.known.len() as u32;
        *self.known.entry(key).or_insert(next)
    }

    /// Appends cells: `codes` that this coder gave to those that are not null, and 1 in `present` for each of these
    /// and 0 for each that is null; nothing in `present` says that none is.
    pub fn append(&mut self, codes: &[i32], present: &[i16]) {
        let without_null = present.is_empty() || present.len() == codes.len();
        let null = if without_null { 0 } else { self.code(None) };
        self.codes.widen(self.known.len());
        if without_null {
            return self.codes.extend(codes.iter().map(|&code| code as u32));
        }
        let mut next = codes.iter();
        self.codes.extend(
            present.iter().map(|&level| if level == 0 { null } else { next.next().map_or(null, |&c| c as u32) }),
        );
    }

    /// The key of each code, and the codes.
    pub fn finish(self) -> (Vec<Option<K>>, Codes) {
        let mut known: Vec<(Option<K>, u32)> = self.known.into_iter().collect();
        known.sort_unstable_by_key(|(_, code)| *code);
        (known.into_iter().map(|(key, _)| key).collect(), self.codes)
    }
}
