//! Lanes: columns side by side in bytes, so that rows are looked up, hashed and compared several columns at a time.

use super::codes::Codes;
use super::lent::{Held, Lent};
use crate::pages::{LINE, prefetch_early};

/// Rows that are taken together, so that their lanes stay in the first-level cache.
pub const BLOCK: usize = 2048;

/// A byte of every row: codes of one or several columns, or a part of the codes of one.
pub(crate) struct Lane<'c>(Vec<Part<'c>>);

/// What the codes of a column are read from.
#[derive(Clone, Copy)]
pub enum Source<'c> {
    Own(&'c Codes),
    Lent(&'c Lent),
}

impl Source<'_> {
    /// Whether the codes are bytes.
    pub const fn is_narrow(self) -> bool {
        matches!(self, Self::Own(Codes::U8(_)) | Self::Lent(_))
    }
}

impl<'c> From<&'c Codes> for Source<'c> {
    fn from(codes: &'c Codes) -> Self {
        Self::Own(codes)
    }
}

impl<'c> From<&'c Held> for Source<'c> {
    fn from(held: &'c Held) -> Self {
        match held {
            Held::Own(codes) => Self::Own(codes),
            Held::Lent(lent) => Self::Lent(lent),
        }
    }
}

/// Codes of a column, shifted to their place in the byte.
struct Part<'c> {
    codes: Source<'c>,
    right: u32,
    left: u32,
}

impl<'c> Lane<'c> {
    /// Shares out columns, of which the codes and the number of values are given, to as few lanes as their order allows.
    pub(crate) fn share_out(columns: &[(Source<'c>, usize)]) -> Vec<Self> {
        let narrow = columns.iter().filter(|(codes, _)| codes.is_narrow());
        let (places, codes) =
            (share_bytes(narrow.clone().map(|&(_, n_values)| n_values)), narrow.map(|&(codes, _)| codes));
        let mut lanes: Vec<Self> = Vec::new();
        for ((lane, left), codes) in places.into_iter().zip(codes) {
            lanes.resize_with(lanes.len().max(lane + 1), || Self(Vec::new()));
            lanes[lane].0.push(Part { codes, right: 0, left });
        }
        let wide = columns.iter().filter(|(codes, _)| !codes.is_narrow());
        lanes.extend(wide.flat_map(|&(codes, n_values)| {
            (0..bits(n_values)).step_by(8).map(move |right| Self(vec![Part { codes, right, left: 0 }]))
        }));
        lanes
    }

    /// Has the codes of `n` rows from `start` on brought near, for they are read soon.
    #[inline(always)]
    pub fn prefetch(&self, start: usize, n: usize) {
        for part in &self.0 {
            if let Source::Own(Codes::U8(codes)) = part.codes {
                (start..start + n).step_by(LINE).for_each(|at| prefetch_early(codes, at));
            }
        }
    }

    /// The bytes of the rows from `start` on.
    #[inline(always)]
    pub fn fill(&self, start: usize, bytes: &mut [u8]) {
        if let [
            Part { codes: Source::Own(Codes::U8(low)), left: 0, .. },
            Part { codes: Source::Own(Codes::U8(high)), left, .. },
        ] = self.0[..]
        {
            // Mostly two columns share a byte: both at once.
            for ((byte, low), high) in bytes.iter_mut().zip(&low[start..]).zip(&high[start..]) {
                *byte = low | high << left;
            }
            return;
        }
        bytes.fill(0);
        for Part { codes, right, left } in &self.0 {
            match codes {
                Source::Lent(lent) => lent.visit(start, bytes, |byte, code| *byte |= code << left),
                Source::Own(Codes::U8(codes)) => {
                    bytes.iter_mut().zip(&codes[start..]).for_each(|(byte, code)| *byte |= code << left)
                }
                Source::Own(Codes::U16(codes)) => {
                    bytes.iter_mut().zip(&codes[start..]).for_each(|(byte, code)| *byte |= (code >> right) as u8);
                }
                Source::Own(Codes::U32(codes)) => {
                    bytes.iter_mut().zip(&codes[start..]).for_each(|(byte, code)| *byte |= (code >> right) as u8);
                }
            }
        }
    }
}

/// The number of bits that tell so many values apart, at least 1.
pub const fn bits(n_values: usize) -> u32 {
    if n_values <= 2 { 1 } else { (n_values - 1).ilog2() + 1 }
}

/// The byte in which each of some columns of so many values stands, and by how many bits it is shifted there.
pub(crate) fn share_bytes(n_values: impl Iterator<Item = usize>) -> Vec<(usize, u32)> {
    let (mut n_bytes, mut used) = (0, 8);
    let place = |n_values| {
        let bits = bits(n_values);
        if used + bits > 8 {
            (n_bytes, used) = (n_bytes + 1, 0);
        }
        used += bits;
        (n_bytes - 1, used - bits)
    };
    n_values.map(place).collect()
}
