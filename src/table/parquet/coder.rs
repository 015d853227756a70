//! Codes of a column while it is read: values are numbered in the order in which they first appear.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use parquet::column::page::Page;
use parquet::errors::Result;

use super::key::Key;
use super::places::Places;
use crate::table::Codes;

/// The codes of the cells read so far; a null cell has no key.
pub struct Coder<K> {
    known: FxHashMap<Option<K>, u32>,
    codes: Codes,
    /// The bytes that the keys take beside themselves.
    beside: usize,
}

impl<K: Key> Coder<K> {
    /// A coder of a column whose codes come to this `room`.
    pub fn new(room: Vec<u8>) -> Self {
        Self { known: FxHashMap::default(), codes: Codes::U8(room), beside: 0 }
    }

    /// The code of a key.
    pub fn code(&mut self, key: Option<K>) -> u32 {
        let next = self.known.len() as u32;
        match self.known.entry(key) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.beside += new.key().as_ref().map_or(0, Key::beside);
                *new.insert(next)
            }
        }
    }

    /// The codes of the cells that were read so far, which are not kept.
    pub fn take_codes(&mut self) -> Codes {
        std::mem::replace(&mut self.codes, Codes::U8(Vec::new()))
    }

    /// How many keys there are, and the bytes that they take.
    pub fn held(&self) -> (usize, usize) {
        (self.known.len(), self.known.capacity() * (size_of::<(Option<K>, u32)>() + 1) + self.beside)
    }

    /// The codes of the keys of a dictionary. New ones are numbered in ascending order, so that codes mostly need not be
    /// replaced at the end; values that count as missing come last.
    pub fn codes_of(&mut self, keys: Vec<Option<K>>) -> Vec<u32> {
        let mut order: Vec<u32> = (0..keys.len() as u32).collect();
        order.sort_unstable_by_key(|&at| (keys[at as usize].is_none(), &keys[at as usize]));
        let (mut keys, mut codes) = (keys, vec![0; order.len()]);
        order.into_iter().for_each(|at| codes[at as usize] = self.code(keys[at as usize].take()));
        codes
    }

    /// Appends cells: `codes` that this coder gave to those that are not null, and 1 in `present` for each of these
    /// and 0 for each that is null; nothing in `present` says that none is.
    pub fn append(&mut self, codes: &[u32], present: &[i16]) {
        let without_null = present.is_empty() || present.len() == codes.len();
        let null = if without_null { 0 } else { self.code(None) };
        self.codes.widen(self.known.len());
        if without_null {
            return self.codes.extend(codes.iter().copied());
        }
        let mut next = codes.iter();
        self.codes
            .extend(present.iter().map(|&level| if level == 0 { null } else { next.next().map_or(null, |&c| c) }));
    }

    /// Appends the cells of a page that are places in a dictionary, whose values have these codes.
    pub fn append_page(&mut self, page: &Page, may_be_null: bool, code_of: &[u32]) -> Result<()> {
        let places = Places::of(page, may_be_null)?;
        let null = if places.has_nulls() { self.code(None) } else { 0 };
        self.codes.widen(self.known.len());
        places.append(code_of, null, &mut self.codes)
    }

    /// The key of each code, and the codes.
    pub fn finish(self) -> (Vec<Option<K>>, Codes) {
        let mut known: Vec<(Option<K>, u32)> = self.known.into_iter().collect();
        known.sort_unstable_by_key(|(_, code)| *code);
        (known.into_iter().map(|(key, _)| key).collect(), self.codes)
    }
}
