//! Lists of numbers that begin where a cache line does: registers read from them then never span two lines.

use std::ops::{Deref, DerefMut};

/// Bytes of a cache line, or a divisor of it.
const LINE: usize = 64;

/// A list of fixed length whose first number lies at the beginning of a cache line.
#[derive(Debug)]
pub struct Aligned<T> {
    /// Longer than the list, so that its beginning can be chosen; never reallocated.
    values: Vec<T>,
    first: usize,
}

impl<T: Copy + Default> Aligned<T> {
    /// The numbers of `list`, and default values up to a length of `n`.
    pub fn padded(list: &[T], n: usize) -> Self {
        let room = LINE / size_of::<T>();
        let mut values: Vec<T> = Vec::with_capacity(n.max(list.len()) + room);
        // The offset may not exceed the room, whatever the allocator gives.
        let first = values.as_ptr().align_offset(LINE).min(room);
        values.resize(first, T::default());
        values.extend_from_slice(list);
        values.resize(values.len().max(first + n), T::default());
        Self { values, first }
    }

    /// `n` times the default value.
    pub fn zeros(n: usize) -> Self {
        Self::padded(&[], n)
    }
}

impl<T: Copy + Default> FromIterator<T> for Aligned<T> {
    fn from_iter<I: IntoIterator<Item = T>>(list: I) -> Self {
        Self::padded(&list.into_iter().collect::<Vec<_>>(), 0)
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.values[self.first..]
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.values[self.first..]
    }
}

impl<T: Copy + Default> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        Self::padded(self, 0)
    }
}

impl<T: PartialEq> PartialEq for Aligned<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_equal_if_their_numbers_are() {
        let list = |last: i16| [1, 2, last].into_iter().collect::<Aligned<i16>>();
        assert_eq!(list(3), list(3));
        assert_ne!(list(3), list(4));
    }

    #[test]
    fn lists_and_their_clones_begin_where_a_line_does() {
        for n in [0, 1, 15, 16, 17, 1000] {
            let list: Aligned<i16> = (0..n).collect();
            let clone = list.clone();
            assert_eq!(list.as_ptr() as usize % LINE, 0);
            assert_eq!(clone.as_ptr() as usize % LINE, 0);
            assert_eq!((clone.to_vec(), &clone), ((0..n).collect(), &list));
            assert_eq!(
                Aligned::padded(&list, 20)[usize::from(n as u16)..],
                vec![0; 20_usize.saturating_sub(n as usize)]
            );
        }
    }
}
