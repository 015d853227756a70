//! Indices and sets of condition attributes.

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

/// A set of condition attributes, B ⊆ A.
///
/// Sets order like the lists of their members in ascending order.
///
/// ```
/// use roughboard::table::{AttrIdx, AttrSet};
/// let set: AttrSet = [3, 70].into_iter().map(AttrIdx::new).collect();
/// assert!(set.contains(AttrIdx::new(70)) && !set.contains(AttrIdx::new(4)));
/// assert_eq!(set.len(), 2);
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct AttrSet {
    /// Ascending, none twice.
    members: Vec<AttrIdx>,
}

impl AttrSet {
    /// The empty set.
    pub const fn new() -> Self {
        Self { members: Vec::new() }
    }

    /// The first `n` attributes.
    pub fn first(n: usize) -> Self {
        Self { members: (0..n).map(AttrIdx::new).collect() }
    }

    /// Adds `attr`; says whether it was new.
    pub fn insert(&mut self, attr: AttrIdx) -> bool {
        let place = self.members.binary_search(&attr);
        if let Err(at) = place {
            self.members.insert(at, attr);
        }
        place.is_err()
    }

    /// Takes `attr` out; says whether it was in.
    pub fn remove(&mut self, attr: AttrIdx) -> bool {
        let place = self.members.binary_search(&attr);
        if let Ok(at) = place {
            self.members.remove(at);
        }
        place.is_ok()
    }

    /// Whether `attr` is in the set.
    pub fn contains(&self, attr: AttrIdx) -> bool {
        self.members.binary_search(&attr).is_ok()
    }

    /// The number of attributes in the set.
    pub const fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether the set is empty.
    pub const fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The attributes in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = AttrIdx> + '_ {
        self.members.iter().copied()
    }

    /// Whether every attribute of this set is in `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.iter().all(|attr| other.contains(attr))
    }

    /// What is left of this set where those of `order` are taken out one after the other, each if the others are `enough`.
    #[must_use = "the set itself is used up"]
    pub fn pruned(mut self, order: impl IntoIterator<Item = AttrIdx>, mut enough: impl FnMut(&Self) -> bool) -> Self {
        for attr in order {
            let rest = self.without(attr);
            if enough(&rest) {
                self = rest;
            }
        }
        self
    }

    /// This set without `attr`.
    #[must_use = "the set itself stays as it is"]
    pub fn without(&self, attr: AttrIdx) -> Self {
        Self { members: self.iter().filter(|member| *member != attr).collect() }
    }
}

impl FromIterator<AttrIdx> for AttrSet {
    fn from_iter<I: IntoIterator<Item = AttrIdx>>(attrs: I) -> Self {
        let mut members: Vec<AttrIdx> = attrs.into_iter().collect();
        members.sort_unstable();
        members.dedup();
        Self { members }
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
