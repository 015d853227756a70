//! Dictionary codes of a column in the narrowest integer type that holds them.

use rayon::prelude::*;

use crate::pages::take_large_pages;

/// Codes that are looked at before it is asked whether all values occurred.
const LOOKED_AT: usize = 1 << 12;

/// An integer type that codes are kept in.
pub trait Code: Copy + Eq + Ord + Send + Sync + 'static {
    /// The code as an index.
    fn index(self) -> usize;
}

macro_rules! code {
    ($($kind:ty),*) => {$(
        impl Code for $kind {
            #[inline(always)]
            fn index(self) -> usize {
                self as usize
            }
        }
    )*};
}
code!(u8, u16, u32);

/// One code per object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Codes {
    /// For up to 256 values.
    U8(Vec<u8>),
    /// For up to 65,536 values.
    U16(Vec<u16>),
    /// For more.
    U32(Vec<u32>),
}

/// Runs `$body` with `$slice` bound to the slice of codes, whatever their type: loops compile once per type.
macro_rules! with_codes {
    ($codes:expr, $slice:ident => $body:expr) => {
        match $codes {
            $crate::table::Codes::U8($slice) => $body,
            $crate::table::Codes::U16($slice) => $body,
            $crate::table::Codes::U32($slice) => $body,
        }
    };
}
pub(crate) use with_codes;

impl Codes {
    /// The same codes in the narrowest type for `n_values` values; every code must be below `n_values`.
    pub fn narrow(codes: Vec<u32>, n_values: usize) -> Self {
        match n_values {
            0..=0x100 => Self::U8(codes.into_iter().map(|c| c as u8).collect()),
            0x101..=0x1_0000 => Self::U16(codes.into_iter().map(|c| c as u16).collect()),
            _ => Self::U32(codes),
        }
    }

    /// The same codes in the narrowest type for `n_values` values.
    pub(crate) fn narrowed(self, n_values: usize) -> Self {
        let fits = match &self {
            Self::U8(_) => true,
            Self::U16(_) => n_values > 0x100,
            Self::U32(_) => n_values > 0x1_0000,
        };
        if fits { self } else { Self::narrow(self.to_vec(), n_values) }
    }

    /// The same codes in a type that holds `n_values` values, if this one does not.
    pub(super) fn widen(&mut self, n_values: usize) {
        if n_values > 0x1_0000 && !matches!(self, Self::U32(_)) {
            *self = Self::U32(self.to_vec());
        } else if let (0x101.., Self::U8(codes)) = (n_values, &*self) {
            *self = Self::U16(codes.iter().map(|&code| code.into()).collect());
        }
    }

    /// Appends codes that this type holds.
    pub(super) fn extend(&mut self, more: impl Iterator<Item = u32>) {
        match self {
            Self::U8(codes) => codes.extend(more.map(|code| code as u8)),
            Self::U16(codes) => codes.extend(more.map(|code| code as u16)),
            Self::U32(codes) => codes.extend(more),
        }
    }

    /// Appends a code that this type holds.
    pub(super) fn push(&mut self, code: u32) {
        match self {
            Self::U8(codes) => codes.push(code as u8),
            Self::U16(codes) => codes.push(code as u16),
            Self::U32(codes) => codes.push(code),
        }
    }

    /// The codes with each replaced by its entry in `by`, which is below `n_values`, no more than there were before.
    pub(super) fn replaced(mut self, by: &[u32], n_values: usize) -> Self {
        match &mut self {
            Self::U8(codes) => {
                // With 256 entries no place is looked for outside of them.
                let by: [u8; 0x100] = std::array::from_fn(|code| by.get(code).map_or(0, |&new| new as u8));
                codes.iter_mut().for_each(|code| *code = by[usize::from(*code)]);
            }
            Self::U16(codes) => codes.iter_mut().for_each(|code| *code = by[usize::from(*code)] as u16),
            Self::U32(codes) => codes.iter_mut().for_each(|code| *code = by[*code as usize]),
        }
        self.narrowed(n_values)
    }

    /// The number of objects.
    pub fn len(&self) -> usize {
        with_codes!(self, codes => codes.len())
    }

    /// Whether there are no objects.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of the object `row`, counted from 0.
    ///
    /// # Panics
    /// When there is no such object.
    #[inline]
    pub fn get(&self, row: usize) -> u32 {
        with_codes!(self, codes => codes[row].index() as u32)
    }

    /// All codes, widened.
    pub fn to_vec(&self) -> Vec<u32> {
        with_codes!(self, codes => codes.iter().map(|c| c.index() as u32).collect())
    }

    /// The largest code, if there is any.
    pub fn max(&self) -> Option<u32> {
        // Of values, not of references, so that many are compared at once.
        with_codes!(self, codes => codes.iter().copied().reduce(Ord::max).map(|c| c.index() as u32))
    }

    /// Which of the codes below `n_values` occur.
    pub fn used(&self, n_values: usize) -> Vec<bool> {
        let mut used = vec![false; n_values];
        with_codes!(self, codes => for codes in codes.chunks(LOOKED_AT) {
            codes.iter().for_each(|code| used[code.index()] = true);
            if !used.contains(&false) {
                break;
            }
        });
        used
    }

    /// The codes of `rows`, in their order.
    pub fn select(&self, rows: &[u32]) -> Self {
        match self {
            Self::U8(codes) => Self::U8(pick(codes, rows)),
            Self::U16(codes) => Self::U16(pick(codes, rows)),
            Self::U32(codes) => Self::U32(pick(codes, rows)),
        }
    }

    /// The codes of `rows`, which ascend, in the memory of all of these.
    pub(super) fn kept(mut self, rows: &[u32]) -> Self {
        with_codes!(&mut self, codes => {
            rows.iter().enumerate().for_each(|(place, &row)| codes[place] = codes[row as usize]);
            codes.truncate(rows.len());
            codes.shrink_to_fit();
        });
        self
    }

    /// The codes of `rows`, in their order, of each of `columns`.
    pub(crate) fn select_each(columns: &[&Self], rows: &[u32]) -> Vec<Self> {
        let mut selected: Vec<Self> = columns.iter().map(|codes| codes.room(rows.len())).collect();
        // Not before there is room for all: columns side by side share large pages.
        selected.iter_mut().for_each(|room| with_codes!(room, room => take_large_pages(room.spare_capacity_mut())));
        selected.par_iter_mut().zip(columns).for_each(|(room, codes)| {
            with_codes!(codes, codes => room.extend(rows.iter().map(|&row| codes[row as usize].index() as u32)));
        });
        selected
    }

    /// No codes yet of this type, with room for so many.
    pub(super) fn room(&self, n: usize) -> Self {
        match self {
            Self::U8(_) => Self::U8(Vec::with_capacity(n)),
            Self::U16(_) => Self::U16(Vec::with_capacity(n)),
            Self::U32(_) => Self::U32(Vec::with_capacity(n)),
        }
    }

    /// The number of bits of the narrowest type for the codes of `n_values` values.
    pub const fn bits_of(n_values: usize) -> u32 {
        match n_values {
            0..=0x100 => u8::BITS,
            0x101..=0x1_0000 => u16::BITS,
            _ => u32::BITS,
        }
    }

    /// The number of bits of the type that holds a code: 8, 16 or 32.
    pub const fn bits(&self) -> u32 {
        match self {
            Self::U8(_) => u8::BITS,
            Self::U16(_) => u16::BITS,
            Self::U32(_) => u32::BITS,
        }
    }
}

fn pick<C: Copy>(codes: &[C], rows: &[u32]) -> Vec<C> {
    rows.iter().map(|&row| codes[row as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_rows_are_the_same_in_memory_of_their_own_and_of_all() {
        let rows = [0, 2, 3, 5];
        for n_values in [6, 300, 70_000] {
            let codes = Codes::narrow(vec![4, 1, 5, 0, 3, 2], n_values);
            assert_eq!(codes.clone().kept(&rows), codes.select(&rows));
        }
    }

    #[test]
    fn the_narrowest_type_is_taken() {
        assert!(Codes::narrow(Vec::new(), 0).is_empty() && !Codes::narrow(vec![0], 1).is_empty());
        assert_eq!(Codes::narrow(vec![0, 255], 256).bits(), 8);
        assert_eq!(Codes::narrow(vec![0, 256], 257).bits(), 16);
        assert_eq!(Codes::narrow(vec![0, 65_535], 65_536).bits(), 16);
        assert_eq!(Codes::narrow(vec![0], 65_537).bits(), 32);
        assert_eq!(Codes::U32(vec![4, 3]).narrowed(5), Codes::U8(vec![4, 3]));
        assert_eq!(Codes::U16(vec![4, 3]).narrowed(5), Codes::U8(vec![4, 3]));
        assert_eq!(Codes::U16(vec![4, 3]).narrowed(256), Codes::U8(vec![4, 3]));
        assert_eq!(Codes::U32(vec![4, 3]).narrowed(65_536), Codes::U16(vec![4, 3]));
    }

    #[test]
    fn types_change_next_to_256_and_65536_values() {
        for (n_values, bits) in [(255, 8), (256, 8), (257, 16), (65_535, 16), (65_536, 16), (65_537, 32)] {
            assert_eq!(Codes::bits_of(n_values), bits);
            for mut codes in [Codes::U8(vec![4, 0]), Codes::U16(vec![4, 0]), Codes::U32(vec![4, 0])] {
                let before = codes.bits();
                let narrowed = codes.clone().narrowed(n_values);
                assert_eq!((narrowed.bits(), narrowed.to_vec()), (before.min(bits), vec![4, 0]), "{n_values}");
                codes.widen(n_values);
                assert_eq!((codes.bits(), codes.to_vec()), (before.max(bits), vec![4, 0]), "{n_values}");
            }
        }
    }

    #[test]
    fn codes_of_every_type_answer_alike() {
        for mut codes in [Codes::U8(vec![2, 0]), Codes::U16(vec![2, 0]), Codes::U32(vec![2, 0])] {
            assert_eq!(codes.room(3).max(), None);
            codes.extend([4, 0].into_iter());
            codes.push(3);
            assert_eq!((codes.len(), codes.is_empty(), codes.get(2), codes.max()), (5, false, 4, Some(4)));
            assert_eq!(codes.used(6), [true, false, true, true, true, false]);
            assert_eq!(codes.select(&[4, 0]).to_vec(), [3, 2]);
            assert_eq!(codes.replaced(&[1, 0, 0, 2, 1], 3), Codes::U8(vec![0, 1, 1, 1, 2]));
        }
    }
}
