//! Codes of a column in memory that somebody else lends: bytes that stand for them, and are not copied before that is needed.
//!
//! A byte may lie above its code, as where numbers begin at -7, and some bytes between others may never occur. Both are
//! made up for as bytes are read, in a few instructions for many at once, so questions that read a column from front to
//! back need no codes of their own.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::codes::{Codes, with_codes};
use crate::pages::with_large_room;

/// Up to so many bytes between the least and the largest may occur nowhere.
const MOST_GAPS: usize = 8;
/// Codes that are made at a time, so that they are in the nearest cache when they are first written to.
const TOGETHER: usize = 1 << 12;

/// Bytes that somebody lends, and that nobody writes to as long as they are held.
pub type LentBytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// How bytes become codes: by how far they lie above the least, less the bytes between that never occur.
///
/// ```
/// use roughboard::table::ByteCodes;
/// // The numbers -1, 0 and 2 as bytes, in their order.
/// let codes = ByteCodes::of(&[0xFF, 0, 2]).unwrap();
/// let mut bytes = [2, 0, 0xFF, 2];
/// codes.decode(&mut bytes);
/// assert_eq!(bytes, [2, 1, 0, 2]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteCodes {
    low: u8,
    /// How far the bytes that never occur lie above the least, in ascending order; other places hold 0xFF.
    gaps: [u8; MOST_GAPS],
    n_gaps: usize,
    /// The largest code, which a byte gets that should not occur.
    last: u8,
}

/// [`ByteCodes`] with at most `N` gaps, so that the work for a byte is known when it is compiled.
#[derive(Clone, Copy)]
struct Decoder<const N: usize> {
    low: u8,
    gaps: [u8; N],
    last: u8,
}

/// Runs `$body` with `$decoder` bound to the decoder of some codes.
macro_rules! with_decoder {
    ($codes:expr, $decoder:ident => $body:expr) => {
        with_decoder!($codes, $decoder => $body, 0 => 0, 1 => 1, 2 => 2, 3 | 4 => 4, _ => MOST_GAPS)
    };
    ($codes:expr, $decoder:ident => $body:expr, $($n_gaps:pat => $most:expr),*) => {
        match $codes.n_gaps {
            $($n_gaps => {
                let $decoder = Decoder::<{ $most }>::of($codes);
                $body
            })*
        }
    };
}

impl ByteCodes {
    /// The codes 0, 1, 2, … of these bytes, which ascend from the first on, past 0xFF to 0 if need be. `None` if they do
    /// not, if there are none, or if more than eight bytes between them are missing: others are copied as quickly.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let &low = bytes.first()?;
        let above: Vec<u8> = bytes.iter().map(|byte| byte.wrapping_sub(low)).collect();
        let (&high, last) = (above.last()?, u8::try_from(above.len() - 1).ok()?);
        let n_gaps = usize::from(high.saturating_sub(last));
        if n_gaps > MOST_GAPS || !above.is_sorted_by(|a, b| a < b) {
            return None;
        }
        let mut gaps = [u8::MAX; MOST_GAPS];
        gaps.iter_mut().zip((0..high).filter(|gap| !above.contains(gap))).for_each(|(place, gap)| *place = gap);
        Some(Self { low, gaps, n_gaps, last })
    }

    /// Puts its code in the place of each byte.
    pub fn decode(&self, bytes: &mut [u8]) {
        with_decoder!(self, decoder => bytes.iter_mut().for_each(|byte| *byte = decoder.code(*byte)));
    }
}

impl<const N: usize> Decoder<N> {
    fn of(codes: &ByteCodes) -> Self {
        Self { low: codes.low, gaps: std::array::from_fn(|at| codes.gaps[at]), last: codes.last }
    }

    /// All by value: what lies in memory would be read again for each byte, as writing codes might change it.
    #[inline(always)]
    fn code(self, byte: u8) -> u8 {
        let above = byte.wrapping_sub(self.low);
        self.gaps.into_iter().fold(above, |code, gap| code.wrapping_sub(u8::from(above > gap))).min(self.last)
    }
}

/// A column of lent bytes, in some pieces, and codes of its own as soon as they are asked for.
#[derive(Clone)]
pub struct Lent {
    /// Each with the row behind its last one.
    pieces: Vec<(usize, LentBytes)>,
    by: ByteCodes,
    codes: OnceLock<Codes>,
}

impl Lent {
    /// The bytes of `pieces`, one after another, which `by` makes codes of.
    pub fn new(pieces: Vec<LentBytes>, by: ByteCodes) -> Self {
        let mut end = 0;
        let ends = pieces.into_iter().map(|bytes| {
            end += (*bytes).as_ref().len();
            (end, bytes)
        });
        Self { pieces: ends.collect(), by, codes: OnceLock::new() }
    }

    /// The number of objects.
    pub fn len(&self) -> usize {
        self.pieces.last().map_or(0, |(end, _)| *end)
    }

    /// The largest code that there can be.
    pub const fn last(&self) -> u8 {
        self.by.last
    }

    /// The codes, made when they are first asked for.
    pub fn codes(&self) -> &Codes {
        self.codes.get_or_init(|| {
            let mut codes = with_large_room(self.len());
            while codes.len() < self.len() {
                let start = codes.len();
                codes.resize(self.len().min(start + TOGETHER), 0);
                self.visit(start, &mut codes[start..], |place, code| *place = code);
            }
            Codes::U8(codes)
        })
    }

    /// Whether the objects of each pair have one code. As those that do mostly have one byte, few bytes are decoded.
    fn agree(&self, pairs: &[(u32, u32)]) -> bool {
        let pieces: Vec<(usize, &[u8])> = self.pieces.iter().map(|(end, bytes)| (*end, (**bytes).as_ref())).collect();
        let byte = |row: u32| {
            let (end, bytes) = pieces[pieces.partition_point(|(end, _)| *end <= row as usize)];
            bytes[row as usize + bytes.len() - end]
        };
        let have_one_code = |mut bytes: [u8; 2]| {
            self.by.decode(&mut bytes);
            bytes[0] == bytes[1]
        };
        pairs.iter().map(|&(a, b)| [byte(a), byte(b)]).all(|bytes| bytes[0] == bytes[1] || have_one_code(bytes))
    }

    /// Shows the codes of as many objects as there are `places` to these, from the object `start` on.
    pub fn visit(&self, start: usize, places: &mut [u8], show: impl Fn(&mut u8, u8)) {
        with_decoder!(&self.by, decoder => {
            let (mut start, mut places) = (start, places);
            let first = self.pieces.partition_point(|(end, _)| *end <= start);
            for (end, bytes) in &self.pieces[first..] {
                let bytes = (**bytes).as_ref();
                let here = &bytes[(start + bytes.len()).saturating_sub(*end)..];
                let n = here.len().min(places.len());
                let (own, others) = places.split_at_mut(n);
                own.iter_mut().zip(here).for_each(|(place, &byte)| show(place, decoder.code(byte)));
                (start, places) = (start + n, others);
                if places.is_empty() {
                    break;
                }
            }
        });
    }
}

impl fmt::Debug for Lent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lent").field("len", &self.len()).field("by", &self.by).finish()
    }
}

/// The code of each object of a column: its own, or made of bytes that are lent.
#[derive(Debug, Clone)]
pub enum Held {
    /// Codes that belong to the column.
    Own(Codes),
    /// Bytes that belong to somebody else.
    Lent(Lent),
}

impl Held {
    /// Bytes that somebody lends, in some pieces, of which `by` makes codes.
    pub fn lent(pieces: Vec<LentBytes>, by: ByteCodes) -> Self {
        Self::Lent(Lent::new(pieces, by))
    }

    /// The codes; those of bytes that are lent are made when they are first asked for.
    #[inline]
    pub fn codes(&self) -> &Codes {
        match self {
            Self::Own(codes) => codes,
            Self::Lent(lent) => lent.codes(),
        }
    }

    /// The codes, when what they are made of is no longer needed.
    pub(super) fn into_codes(self) -> Codes {
        match self {
            Self::Own(codes) => codes,
            Self::Lent(lent) => lent.codes().clone(),
        }
    }

    /// Whether the objects of each pair have one code.
    pub(super) fn agree(&self, pairs: &[(u32, u32)]) -> bool {
        match self {
            Self::Own(codes) => {
                with_codes!(codes, codes => pairs.iter().all(|&(a, b)| codes[a as usize] == codes[b as usize]))
            }
            Self::Lent(lent) => lent.agree(pairs),
        }
    }

    /// The number of objects.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Own(codes) => codes.len(),
            Self::Lent(lent) => lent.len(),
        }
    }

    /// A code that none is above, if there is any.
    pub(super) fn most(&self) -> Option<u32> {
        match self {
            Self::Own(codes) => codes.max(),
            Self::Lent(lent) => Some(lent.last().into()),
        }
    }

    /// The same codes in the narrowest type for `n_values` values.
    pub(super) fn narrowed(self, n_values: usize) -> Self {
        match self {
            Self::Own(codes) => Self::Own(codes.narrowed(n_values)),
            lent @ Self::Lent(_) => lent,
        }
    }
}

impl From<Codes> for Held {
    fn from(codes: Codes) -> Self {
        Self::Own(codes)
    }
}

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        self.codes() == other.codes()
    }
}

impl Eq for Held {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::group::Groups;
    use crate::table::{Attribute, TableError, Value};

    fn lent(pieces: &[&[u8]], bytes: &[u8]) -> Held {
        let pieces = pieces.iter().map(|piece| -> LentBytes { Arc::new(piece.to_vec()) }).collect();
        Held::lent(pieces, ByteCodes::of(bytes).unwrap())
    }

    #[test]
    fn bytes_with_up_to_eight_gaps_have_codes() {
        for n_gaps in 0..=8 {
            // From 0xFA on past 0xFF, with every second byte left out at first.
            let bytes: Vec<u8> =
                (0..40_u8).filter(|at| at % 2 == 0 || *at > 2 * n_gaps).map(|at| at.wrapping_add(0xFA)).collect();
            let codes = ByteCodes::of(&bytes).unwrap();
            let mut decoded = bytes.clone();
            codes.decode(&mut decoded);
            assert_eq!(decoded, (0..bytes.len() as u8).collect::<Vec<_>>(), "{n_gaps} gaps");
        }
        let all: Vec<u8> = (0..=0xFF).collect();
        let mut decoded = all.clone();
        ByteCodes::of(&all).unwrap().decode(&mut decoded);
        assert_eq!(decoded, all);
    }

    #[test]
    fn bytes_far_apart_or_out_of_order_have_none() {
        assert_eq!(ByteCodes::of(&[]), None);
        assert_eq!(ByteCodes::of(&[0, 10]), None);
        assert_eq!(ByteCodes::of(&[1, 3, 2]), None);
        assert_eq!(ByteCodes::of(&[1, 1]), None);
    }

    #[test]
    fn pieces_are_read_as_one() {
        let held = lent(&[&[5, 7], &[], &[8, 5, 5], &[7]], &[5, 7, 8]);
        let Held::Lent(lent) = &held else { unreachable!() };
        assert!(format!("{lent:?}").starts_with("Lent { len: 6, "));
        for start in 0..=6 {
            for n in 0..=6 - start {
                let mut places = vec![0x10; n];
                lent.visit(start, &mut places, |place, code| *place |= code);
                let expected: Vec<u8> = [0, 1, 2, 0, 0, 1][start..start + n].iter().map(|code| code | 0x10).collect();
                assert_eq!(places, expected);
            }
        }
        assert_eq!((held.len(), held.codes()), (6, &Codes::U8(vec![0, 1, 2, 0, 0, 1])));
    }

    #[test]
    fn a_byte_that_should_not_occur_has_a_code_all_the_same() {
        let held = lent(&[&[5, 200, 0]], &[5, 6]);
        assert_eq!(held.codes(), &Codes::U8(vec![0, 1, 1]));
        assert!(held.agree(&[(1, 2)]));
    }

    #[test]
    fn pairs_agree_where_their_codes_do() {
        let held = lent(&[&[5, 7], &[], &[8, 5, 5], &[7]], &[5, 7, 8]);
        let own = Held::from(held.codes().clone());
        for a in 0..6_u32 {
            for b in 0..6 {
                let expected = held.codes().get(a as usize) == held.codes().get(b as usize);
                assert_eq!([held.agree(&[(0, 3), (a, b)]), own.agree(&[(0, 3), (a, b)])], [expected; 2], "{a} {b}");
            }
        }
    }

    #[test]
    fn lent_columns_are_grouped_like_others() {
        let bytes: Vec<u8> = (0..10_000_u32).map(|row| (row * 7919 % 6007 % 13) as u8).collect();
        let domain: Vec<Value> = (0..13).map(Value::Integer).collect();
        let (front, back) = bytes.split_at(3333);
        let by: Vec<u8> = (0..13).collect();
        let lent = Attribute::new("x", domain.clone(), lent(&[front, back], &by)).unwrap();
        let own = Attribute::new("x", domain, Codes::U8(bytes)).unwrap();
        let other = Attribute::from_integers("y", (0..10_000).map(|row| row % 3));
        assert_eq!(Groups::of(&[&lent, &other], 10_000), Groups::of(&[&own, &other], 10_000));
        assert_eq!(lent, own);
    }

    #[test]
    fn lent_codes_outside_the_domain_are_refused() {
        let outside = Attribute::new("x", vec![Value::Integer(0)], lent(&[&[0]], &[0, 1]));
        assert!(matches!(outside, Err(TableError::CodeOutsideDomain { code: 1, n_values: 1, .. })));
    }
}
