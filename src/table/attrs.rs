//! Indices and sets of condition attributes.

use std::cmp::Ordering;
use std::fmt;

/// The position of a condition attribute in its table, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttrIdx(u32);

impl AttrIdx {
    /// The attribute at `position`, counted from 0.
    pub const fn new(position: usize) -> Self {
        Self(position as u32)
    }

    /// The position as an index into slices.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of condition attributes, B ⊆ A: a bit set of any size.
///
/// Sets order like the lists of their members in ascending order.
///
/// ```
/// use roughboard::table::{AttrIdx, AttrSet};
/// let set: AttrSet = [3, 70].into_iter().map(AttrIdx::new).collect();
/// assert!(set.contains(AttrIdx::new(70)) && !set.contains(AttrIdx::new(4)));
/// assert_eq!(set.len(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct AttrSet {
    /// No trailing zero words, so that equal sets are equal values.
    words: Vec<u64>,
}

impl AttrSet {
    /// The empty set.
    pub const fn new() -> Self {
        Self { words: Vec::new() }
    }

    /// The first `n` attributes.
    pub fn first(n: usize) -> Self {
        (0..n).map(AttrIdx::new).collect()
    }

    /// Adds `attr`; says whether it was new.
    pub fn insert(&mut self, attr: AttrIdx) -> bool {
        let (word, bit) = place(attr);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Takes `attr` out; says whether it was in.
    pub fn remove(&mut self, attr: AttrIdx) -> bool {
        let was_in = self.contains(attr);
        if was_in {
            let (word, bit) = place(attr);
            self.words[word] &= !bit;
            self.trim();
        }
        was_in
    }

    /// Whether `attr` is in the set.
    pub fn contains(&self, attr: AttrIdx) -> bool {
        let (word, bit) = place(attr);
        self.words.get(word).is_some_and(|w| w & bit != 0)
    }

    /// The number of attributes in the set.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The attributes in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = AttrIdx> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| bits_of(word).map(move |b| AttrIdx::new(64 * i + b)))
    }

    /// Whether every attribute of this set is in `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.iter().all(|attr| other.contains(attr))
    }

    /// This set without `attr`.
    #[must_use = "the set itself stays as it is"]
    pub fn without(&self, attr: AttrIdx) -> Self {
        let mut set = self.clone();
        set.remove(attr);
        set
    }

    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }
}

fn place(attr: AttrIdx) -> (usize, u64) {
    (attr.index() / 64, 1 << (attr.index() % 64))
}

fn bits_of(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if word == 0 {
            return None;
        }
        let bit = word.trailing_zeros() as usize;
        word &= word - 1;
        Some(bit)
    })
}

impl FromIterator<AttrIdx> for AttrSet {
    fn from_iter<I: IntoIterator<Item = AttrIdx>>(attrs: I) -> Self {
        let mut set = Self::new();
        for attr in attrs {
            set.insert(attr);
        }
        set
    }
}

impl PartialOrd for AttrSet {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for AttrSet {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl fmt::Debug for AttrSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(AttrIdx::index)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removing_the_last_member_gives_the_empty_set() {
        let mut set: AttrSet = [AttrIdx::new(130)].into_iter().collect();
        assert!(set.remove(AttrIdx::new(130)));
        assert!(!set.remove(AttrIdx::new(130)));
        assert_eq!(set, AttrSet::new());
        assert!(set.is_empty());
    }

    #[test]
    fn order_is_that_of_member_lists() {
        let set = |members: &[usize]| members.iter().copied().map(AttrIdx::new).collect::<AttrSet>();
        assert!(set(&[0, 5]) < set(&[1]));
        assert!(set(&[0]) < set(&[0, 1]));
        assert!(set(&[0, 1]).is_subset(&set(&[0, 1, 64])));
    }
}
