//! Sets of elements, of any width.

use std::cmp::Ordering;

/// A set of elements, which are numbers from 0: a clause, or a set that is to meet clauses. Sets are ordered as the numbers that
/// their elements make as bits.
pub(crate) trait Clause: Clone + Default + Ord + Send + Sync {
    /// All elements of some sets are below this number.
    fn bound<'s>(sets: impl Iterator<Item = &'s Self>) -> usize
    where
        Self: 's;

    /// The set of one element.
    fn of(element: usize) -> Self {
        let mut set = Self::default();
        set.insert(element);
        set
    }

    /// Adds an element.
    fn insert(&mut self, element: usize);

    /// Adds the element `at` + i for each bit i of `bits`. `at` is a multiple of 8.
    fn insert_byte(&mut self, at: usize, bits: u8);

    /// Adds the element `at` + i for each bit i of `bits`. `at` is a multiple of 64.
    fn insert_word(&mut self, at: usize, bits: u64);

    /// Takes an element out.
    fn remove(&mut self, element: usize);

    /// Adds the elements of another set.
    fn unite(&mut self, other: &Self);

    /// Whether the element is in the set.
    fn holds(&self, element: usize) -> bool;

    /// The number of elements.
    fn len(&self) -> usize;

    /// Whether there is no element.
    fn is_empty(&self) -> bool;

    /// The elements, ascending.
    fn elements(&self) -> impl Iterator<Item = usize> + '_;

    /// Whether the sets have an element in common.
    fn meets(&self, other: &Self) -> bool;

    /// The number of common elements.
    fn n_common(&self, other: &Self) -> usize;

    /// The first common element.
    fn first_common(&self, other: &Self) -> Option<usize>;

    /// The common elements.
    fn common(&self, other: &Self) -> Self;

    /// Whether `other` holds all elements.
    fn is_within(&self, other: &Self) -> bool;

    /// The elements that only one of the sets holds.
    fn difference(&self, other: &Self) -> Self;

    /// Orders two sets, of which none holds the other, as their ascending lists of elements.
    fn compare_lists(&self, other: &Self) -> Ordering;

    /// 64 bits that differ for most sets.
    fn folded(&self) -> u64;
}

impl Clause for u128 {
    fn bound<'s>(_: impl Iterator<Item = &'s Self>) -> usize {
        Self::BITS as usize
    }

    #[inline]
    fn insert(&mut self, element: usize) {
        *self |= 1 << element;
    }

    #[inline]
    fn insert_byte(&mut self, at: usize, bits: u8) {
        *self |= Self::from(bits) << at;
    }

    #[inline]
    fn insert_word(&mut self, at: usize, bits: u64) {
        *self |= Self::from(bits) << at;
    }

    #[inline]
    fn remove(&mut self, element: usize) {
        *self &= !(1 << element);
    }

    #[inline]
    fn unite(&mut self, other: &Self) {
        *self |= other;
    }

    #[inline]
    fn holds(&self, element: usize) -> bool {
        self >> element & 1 == 1
    }

    #[inline]
    fn len(&self) -> usize {
        self.count_ones() as usize
    }

    #[inline]
    fn is_empty(&self) -> bool {
        *self == 0
    }

    #[inline]
    fn elements(&self) -> impl Iterator<Item = usize> + '_ {
        let mut set = *self;
        std::iter::from_fn(move || {
            let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
            set &= set.wrapping_sub(1);
            lowest
        })
    }

    #[inline]
    fn meets(&self, other: &Self) -> bool {
        self & other != 0
    }

    #[inline]
    fn n_common(&self, other: &Self) -> usize {
        (self & other).count_ones() as usize
    }

    #[inline]
    fn first_common(&self, other: &Self) -> Option<usize> {
        let common = self & other;
        (common != 0).then(|| common.trailing_zeros() as usize)
    }

    #[inline]
    fn common(&self, other: &Self) -> Self {
        self & other
    }

    #[inline]
    fn is_within(&self, other: &Self) -> bool {
        self & !other == 0
    }

    #[inline]
    fn difference(&self, other: &Self) -> Self {
        self ^ other
    }

    fn compare_lists(&self, other: &Self) -> Ordering {
        other.reverse_bits().cmp(&self.reverse_bits())
    }

    #[inline]
    fn folded(&self) -> u64 {
        (self ^ (self >> 64)) as u64
    }
}

/// A set of elements without a bound: words of 64 elements each, the last of them not 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wide {
    words: Vec<u64>,
}

impl Wide {
    const BITS: usize = u64::BITS as usize;

    fn word(&mut self, at: usize) -> &mut u64 {
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        &mut self.words[at]
    }

    fn trimmed(mut self) -> Self {
        let used = self.words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
        self.words.truncate(used);
        self
    }

    /// The elements that `other` lacks.
    pub fn without(&self, other: &Self) -> Self {
        let mut rest = self.clone();
        rest.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
        rest.trimmed()
    }

    fn pairs<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (u64, u64)> + 'a {
        self.words.iter().copied().zip(other.words.iter().copied())
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Self) -> Ordering {
        let from_the_top = |set: &Self| set.words.clone().into_iter().rev();
        self.words.len().cmp(&other.words.len()).then_with(|| from_the_top(self).cmp(from_the_top(other)))
    }
}

impl Clause for Wide {
    fn bound<'s>(sets: impl Iterator<Item = &'s Self>) -> usize {
        sets.map(|set| set.words.len() * Self::BITS).max().unwrap_or(0)
    }

    fn insert(&mut self, element: usize) {
        *self.word(element / Self::BITS) |= 1 << (element % Self::BITS);
    }

    fn insert_byte(&mut self, at: usize, bits: u8) {
        self.insert_word(at - at % Self::BITS, u64::from(bits) << (at % Self::BITS));
    }

    fn insert_word(&mut self, at: usize, bits: u64) {
        if bits != 0 {
            *self.word(at / Self::BITS) |= bits;
        }
    }

    fn remove(&mut self, element: usize) {
        if let Some(word) = self.words.get_mut(element / Self::BITS) {
            *word &= !(1 << (element % Self::BITS));
        }
        *self = std::mem::take(self).trimmed();
    }

    fn unite(&mut self, other: &Self) {
        for (at, word) in other.words.iter().enumerate() {
            *self.word(at) |= word;
        }
    }

    fn holds(&self, element: usize) -> bool {
        self.words.get(element / Self::BITS).is_some_and(|word| word >> (element % Self::BITS) & 1 == 1)
    }

    fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn elements(&self) -> impl Iterator<Item = usize> + '_ {
        let of_word = |(at, word): (usize, &u64)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                let lowest = (word != 0).then(|| at * Self::BITS + word.trailing_zeros() as usize);
                word &= word.wrapping_sub(1);
                lowest
            })
        };
        self.words.iter().enumerate().flat_map(of_word)
    }

    fn meets(&self, other: &Self) -> bool {
        self.pairs(other).any(|(a, b)| a & b != 0)
    }

    fn n_common(&self, other: &Self) -> usize {
        self.pairs(other).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    fn first_common(&self, other: &Self) -> Option<usize> {
        let found = self.pairs(other).map(|(a, b)| a & b).enumerate().find(|(_, word)| *word != 0);
        found.map(|(at, word)| at * Self::BITS + word.trailing_zeros() as usize)
    }

    fn common(&self, other: &Self) -> Self {
        Self { words: self.pairs(other).map(|(a, b)| a & b).collect() }.trimmed()
    }

    fn is_within(&self, other: &Self) -> bool {
        self.words.len() <= other.words.len() && self.pairs(other).all(|(a, b)| a & !b == 0)
    }

    fn difference(&self, other: &Self) -> Self {
        let (long, short) = if self.words.len() < other.words.len() { (other, self) } else { (self, other) };
        let mut words = long.words.clone();
        words.iter_mut().zip(&short.words).for_each(|(word, other)| *word ^= other);
        Self { words }.trimmed()
    }

    fn compare_lists(&self, other: &Self) -> Ordering {
        self.elements().cmp(other.elements())
    }

    fn folded(&self) -> u64 {
        self.words.iter().fold(0, |folded: u64, word| folded.rotate_left(7) ^ word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wide(set: u128) -> Wide {
        let mut wide = Wide::default();
        set.elements().for_each(|element| wide.insert(element));
        wide
    }

    proptest! {
        #[test]
        fn wide_sets_are_sets(a in any::<u128>(), b in any::<u128>(), kept in any::<u128>(), element in 0..128_usize) {
            // Some sets without high elements, which have fewer words.
            let (a, b) = (a & kept, b & kept & u128::from(kept as u64));
            let (x, y) = (wide(a), wide(b));
            prop_assert_eq!(x.common(&y), wide(a & b));
            prop_assert_eq!(x.difference(&y), wide(a ^ b));
            prop_assert_eq!((x.meets(&y), x.is_within(&y)), (a.meets(&b), a.is_within(&b)));
            prop_assert_eq!(x.common(&y).is_within(&y), true);
            prop_assert_eq!((x.n_common(&y), x.len(), x.is_empty()), (a.n_common(&b), a.len(), a.is_empty()));
            prop_assert_eq!((x.cmp(&y), x.compare_lists(&y)), (a.cmp(&b), a.compare_lists(&b)));
            prop_assert_eq!(x.elements().collect::<Vec<_>>(), a.elements().collect::<Vec<_>>());
            prop_assert_eq!((x.holds(element), x.first_common(&y)), (a.holds(element), a.first_common(&b)));
            let high = a >> 64 << 64;
            prop_assert_eq!(x.first_common(&wide(high)), a.first_common(&high));
            let mut by_bytes = Wide::default();
            (0..128).step_by(8).for_each(|at| by_bytes.insert_byte(at, (a >> at) as u8));
            prop_assert_eq!(&by_bytes, &x);
            let (mut grown, mut shrunk) = (x.clone(), x.clone());
            grown.unite(&y);
            shrunk.remove(element);
            prop_assert_eq!((grown, shrunk), (wide(a | b), wide(a & !(1 << element))));
        }
    }

    /// On both sides of the end of a word.
    #[test]
    fn sets_are_the_same_next_to_the_end_of_a_word() {
        for element in [0, 1, 7, 8, 62, 63, 64, 65, 126, 127] {
            let (narrow, set) = (1_u128 << element, Wide::of(element));
            assert_eq!((u128::of(element), &set), (narrow, &wide(narrow)));
            assert_eq!((set.len(), set.holds(element), set.elements().collect::<Vec<_>>()), (1, true, vec![element]));
            assert_eq!(Wide::bound([&Wide::default(), &set].into_iter()), if element < 64 { 64 } else { 128 });
            for other in [62, 63, 64, 65] {
                let (mut both, mut one) = (set.clone(), set.clone());
                both.insert(other);
                one.remove(other);
                assert_eq!(both.first_common(&set), Some(element));
                assert_eq!(set.first_common(&Wide::of(other)), (element == other).then_some(element));
                assert_eq!((both.len(), one.is_empty()), (if element == other { 1 } else { 2 }, element == other));
                both.remove(element);
                both.remove(other);
                assert_eq!(both, Wide::default());
            }
        }
        assert_eq!(Wide::bound([].into_iter()), 0);
    }

    #[test]
    fn bytes_and_words_of_elements_are_put_in_their_places() {
        fn put<C: Clause>() -> [Vec<usize>; 2] {
            let (mut by_bytes, mut by_words) = (C::default(), C::default());
            let bytes: [(usize, u8); 5] = [(0, 0b1), (56, 0x80), (64, 0b11), (120, 0xC0), (8, 0)];
            bytes.iter().for_each(|&(at, bits)| by_bytes.insert_byte(at, bits));
            let words: [(usize, u64); 3] = [(0, 1 << 63 | 0b10), (64, 1 << 63 | 0b1), (0, 0b100)];
            words.iter().for_each(|&(at, bits)| by_words.insert_word(at, bits));
            [by_bytes.elements().collect(), by_words.elements().collect()]
        }
        let expected = [vec![0, 63, 64, 65, 126, 127], vec![1, 2, 63, 64, 127]];
        assert_eq!((put::<u128>(), put::<Wide>()), (expected.clone(), expected));
    }

    #[test]
    fn all_words_are_folded_into_one() {
        let (low, high) = (0x0123_4567_89AB_CDEF_u64, 0x8000_0000_0000_00F1_u64);
        let set = u128::from(high) << 64 | u128::from(low);
        assert_eq!(set.folded(), low ^ high);
        assert_eq!(wide(set).folded(), low.rotate_left(7) ^ high);
        assert_eq!((wide(low.into()).folded(), Wide::default().folded()), (low, 0));
    }
}
