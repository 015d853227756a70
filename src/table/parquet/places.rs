//! Pages whose cells are places in a dictionary, unpacked straight into codes.
//!
//! Places are written as runs: one place repeated, or places of a fixed number of bits packed side by side, eight at a
//! time (the "RLE / bit-packing hybrid" of the Parquet format).

use parquet::basic::Encoding;
use parquet::column::page::Page;
use parquet::errors::{ParquetError, Result};

use super::damaged;
use crate::table::{Code, Codes};

/// Places that are packed side by side come in groups of so many.
pub const GROUP: usize = 8;
/// The most bits of a place.
const MOST_BITS: usize = 32;

/// The cells of a page.
pub struct Places<'p> {
    n_given: usize,
    /// 1 for each cell that is there and 0 for each that is not; nothing if all are there.
    given: Option<Vec<u8>>,
    bits: usize,
    runs: &'p [u8],
}

/// Whether the cells of a page are places in a dictionary, as [`Places::of`] reads them.
pub fn are_places(page: &Page) -> bool {
    let is_coded = matches!(page.encoding(), Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY);
    let has_runs = match page {
        Page::DataPage { def_level_encoding, .. } => *def_level_encoding == Encoding::RLE,
        Page::DataPageV2 { .. } => true,
        Page::DictionaryPage { .. } => false,
    };
    is_coded && has_runs
}

impl<'p> Places<'p> {
    /// The cells of a page, of which some may be null if `may_be_null`.
    pub fn of(page: &'p Page, may_be_null: bool) -> Result<Self> {
        let n_cells = page.num_values() as usize;
        let (levels, values) = match page {
            Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
                let (_, rest) = split(buf, *rep_levels_byte_len as usize)?;
                split(rest, *def_levels_byte_len as usize)?
            }
            _ if may_be_null => {
                let (length, rest) = page.buffer().split_first_chunk().ok_or_else(torn)?;
                split(rest, u32::from_le_bytes(*length) as usize)?
            }
            _ => (&[][..], &page.buffer()[..]),
        };
        let given = if may_be_null { levels_of(levels, n_cells)? } else { None };
        let n_given = given.as_ref().map_or(n_cells, |given| given.iter().map(|&level| usize::from(level)).sum());
        // A page without values may lack the number of bits, too.
        let (bits, runs) = values.split_first().map_or((0, values), |(&bits, runs)| (usize::from(bits), runs));
        if bits > MOST_BITS {
            return Err(torn());
        }
        Ok(Self { n_given, given, bits, runs })
    }

    /// Whether some cells are not there.
    pub const fn has_nulls(&self) -> bool {
        self.given.is_some()
    }

    /// Appends the cells to `codes`, whose type holds them: `code_of` each place, and `null` for a cell that is not there.
    pub fn append(&self, code_of: &[u32], null: u32, codes: &mut Codes) -> Result<()> {
        match codes {
            Codes::U8(codes) => self.append_to(code_of, null, codes, |code| code as u8),
            Codes::U16(codes) => self.append_to(code_of, null, codes, |code| code as u16),
            Codes::U32(codes) => self.append_to(code_of, null, codes, |code| code),
        }
    }

    fn append_to<C: Code>(
        &self,
        code_of: &[u32],
        null: u32,
        codes: &mut Vec<C>,
        narrow: impl Fn(u32) -> C,
    ) -> Result<()> {
        let code_of: Vec<C> = code_of.iter().map(|&code| narrow(code)).collect();
        let Some(given) = &self.given else { return unpack(self.runs, self.bits, self.n_given, &code_of, codes) };
        let mut present = Vec::new();
        unpack(self.runs, self.bits, self.n_given, &code_of, &mut present)?;
        let (mut present, null) = (present.into_iter(), narrow(null));
        codes.extend(given.iter().map(|&level| if level == 0 { null } else { present.next().unwrap_or(null) }));
        Ok(())
    }
}

fn torn() -> ParquetError {
    damaged("a page of places in a dictionary is torn")
}

fn split(bytes: &[u8], at: usize) -> Result<(&[u8], &[u8])> {
    bytes.split_at_checked(at).ok_or_else(torn)
}

/// Which of so many cells are there, unless all are.
fn levels_of(runs: &[u8], n_cells: usize) -> Result<Option<Vec<u8>>> {
    // Mostly one run says that all are there.
    if varint(runs).is_ok_and(|(header, rest)| header & 1 == 0 && header >> 1 >= n_cells && rest.first() == Some(&1)) {
        return Ok(None);
    }
    let mut levels = Vec::new();
    unpack(runs, 1, n_cells, &[0, 1], &mut levels)?;
    Ok(levels.contains(&0).then_some(levels))
}

/// Appends to `codes` the entries of `code_of` at the `n` places, of so many bits, that these runs hold.
pub fn unpack<C: Code>(runs: &[u8], bits: usize, n: usize, code_of: &[C], codes: &mut Vec<C>) -> Result<()> {
    match bits {
        1 => by_bytes::<C, 8>(runs, n, code_of, codes),
        2 => by_bytes::<C, 4>(runs, n, code_of, codes),
        4 => by_bytes::<C, 2>(runs, n, code_of, codes),
        8 => by_bytes::<C, 1>(runs, n, code_of, codes),
        // Of a dictionary of one value every place is 0, and takes no bits.
        0 => each_run(runs, 0, n, code_of, codes, |_, n, codes| {
            codes.resize(codes.len() + n, *code_of.first().ok_or_else(outside)?);
            Ok(())
        }),
        _ => each_run(runs, bits, n, code_of, codes, |packed, n, codes| {
            let groups = packed.chunks(bits).flat_map(|group| places_of(group, bits));
            let mut found = 0;
            for place in groups.take(n) {
                codes.push(*code_of.get(place).ok_or_else(outside)?);
                found += 1;
            }
            if found == n { Ok(()) } else { Err(torn()) }
        }),
    }
}

/// As [`unpack`], where a byte holds `N` places: what they stand for is looked up together.
fn by_bytes<C: Code, const N: usize>(runs: &[u8], n: usize, code_of: &[C], codes: &mut Vec<C>) -> Result<()> {
    let Some(&first) = code_of.first() else { return if n == 0 { Ok(()) } else { Err(outside()) } };
    let (bits, mut by_byte, mut is_outside) = (8 / N, [[first; N]; 0x100], [false; 0x100]);
    for byte in 0..0x100 {
        for (at, code) in by_byte[byte].iter_mut().enumerate() {
            let place = byte >> (at * bits) & ((1 << bits) - 1);
            *code = *code_of.get(place).unwrap_or(&first);
            is_outside[byte] |= place >= code_of.len();
        }
    }
    each_run(runs, bits, n, code_of, codes, |packed, n, codes| {
        let (start, whole) = (codes.len(), n / N);
        let (packed, last) = packed.get(..n.div_ceil(N)).ok_or_else(torn)?.split_at(whole);
        codes.resize(start + N * whole, first);
        let mut wrong = false;
        for (codes, &byte) in codes[start..].chunks_exact_mut(N).zip(packed) {
            codes.copy_from_slice(&by_byte[usize::from(byte)]);
            wrong |= is_outside[usize::from(byte)];
        }
        // What fills up the last byte stands for nothing.
        for at in 0..n % N {
            let place = usize::from(last[0]) >> (at * bits) & ((1 << bits) - 1);
            codes.push(*code_of.get(place).ok_or_else(outside)?);
        }
        if wrong { Err(outside()) } else { Ok(()) }
    })
}

/// Goes through runs of places until `n` are found: those that are one place repeated are appended, and `append` appends
/// so many of those that are packed.
fn each_run<C: Code>(
    mut runs: &[u8],
    bits: usize,
    n: usize,
    code_of: &[C],
    codes: &mut Vec<C>,
    append: impl Fn(&[u8], usize, &mut Vec<C>) -> Result<()>,
) -> Result<()> {
    let end = codes.len() + n;
    while codes.len() < end {
        let left = end - codes.len();
        let (header, rest) = varint(runs)?;
        let length = header >> 1;
        if length == 0 {
            return Err(torn());
        }
        if header & 1 == 0 {
            let (place, rest) = split(rest, bits.div_ceil(8))?;
            let place = place.iter().rev().fold(0_usize, |place, &byte| place << 8 | usize::from(byte));
            codes.resize(codes.len() + length.min(left), *code_of.get(place).ok_or_else(outside)?);
            runs = rest;
        } else {
            // The last run of a page may be shorter than it says.
            let (packed, rest) = rest.split_at(rest.len().min(length * bits));
            append(packed, left.min(length * GROUP), codes)?;
            runs = rest;
        }
    }
    Ok(())
}

/// The places, of so many bits, in a group.
fn places_of(group: &[u8], bits: usize) -> impl Iterator<Item = usize> {
    let mut padded = [0; MOST_BITS + 8];
    padded[..group.len()].copy_from_slice(group);
    (0..GROUP).map(move |at| {
        let (byte, shift) = (at * bits / 8, at * bits % 8);
        let word = padded[byte..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        (word >> shift & ((1 << bits) - 1)) as usize
    })
}

fn outside() -> ParquetError {
    damaged("a place lies outside the dictionary")
}

/// A number of seven bits a byte, the lowest first, and what follows it.
fn varint(bytes: &[u8]) -> Result<(usize, &[u8])> {
    let mut number = 0;
    for (at, &byte) in bytes.iter().enumerate().take(5) {
        number |= usize::from(byte & 0x7F) << (7 * at);
        if byte & 0x80 == 0 {
            return Ok((number, &bytes[at + 1..]));
        }
    }
    Err(torn())
}
