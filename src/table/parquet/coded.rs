//! Column chunks of places in a dictionary, written straight from codes: what `places` reads.

use std::io::Write;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use zstd::bulk::Compressor;

use super::places::GROUP;

/// How hard pages are compressed.
pub const LEVEL: i32 = 3;
/// Rows of a page.
const ROWS_OF_PAGE: usize = 1 << 16;

/// Some rows of a column by the values that occur there, in the order in which they first do.
pub struct Coded {
    pub dictionary: Dictionary,
    /// The places in the dictionary of the cells that are not null.
    pub places: Vec<u32>,
    /// 1 for each cell that is there and 0 for each that is null; nothing if all are there.
    pub levels: Vec<u32>,
}

/// The values that occur, each once.
pub enum Dictionary {
    Integer(Vec<i32>),
    Wide(Vec<i64>),
    Real(Vec<f64>),
    Text(Vec<ByteArray>),
}

/// A column chunk that is ready to be put into a file.
pub struct Chunk {
    pub bytes: Bytes,
    pub close: ColumnCloseResult,
}

impl Chunk {
    /// The pages of `coded`, one of the dictionary first, and what the file's end says of them.
    pub fn of(coded: &Coded, column: ColumnDescPtr, compressor: &mut Compressor<'_>) -> Result<Self> {
        let n_cells = coded.n_cells();
        let mut pages = Pages { sink: TrackedWrite::new(Vec::new()), unpacked: 0, compressor };
        pages.put(&coded.dictionary.plain(), |buf| coded.dictionary.page(buf))?;
        let data_begins = pages.sink.bytes_written();
        let mut next_place = 0;
        for first in (0..n_cells).step_by(ROWS_OF_PAGE) {
            let n = ROWS_OF_PAGE.min(n_cells - first);
            pages.put(&coded.page(first..first + n, &mut next_place), |buf| data_page(buf, n))?;
        }
        let (unpacked, bytes) = (pages.unpacked, Bytes::from(pages.sink.into_inner()?));
        let metadata = ColumnChunkMetaData::builder(column)
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(LEVEL)?))
            .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY])
            .set_num_values(n_cells as i64)
            .set_total_compressed_size(bytes.len() as i64)
            .set_total_uncompressed_size(unpacked as i64)
            .set_dictionary_page_offset(Some(0))
            .set_data_page_offset(data_begins as i64)
            .set_statistics(coded.dictionary.statistics((n_cells - coded.places.len()) as u64))
            .build()?;
        let close = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: n_cells as u64,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok(Self { bytes, close })
    }
}

/// Pages as they are written, one after another.
struct Pages<'c, 'd> {
    sink: TrackedWrite<Vec<u8>>,
    /// Bytes before compression, heads included.
    unpacked: usize,
    compressor: &'c mut Compressor<'d>,
}

impl Pages<'_, '_> {
    /// Compresses what a page holds and appends the page that `page` makes of it.
    fn put(&mut self, content: &[u8], page: impl FnOnce(Bytes) -> Page) -> Result<()> {
        let packed = self.compressor.compress(content).map_err(|error| ParquetError::External(error.into()))?;
        let page = CompressedPage::new(page(packed.into()), content.len());
        self.unpacked += SerializedPageWriter::new(&mut self.sink).write_page(page)?.uncompressed_size;
        Ok(self.sink.flush()?)
    }
}

fn data_page(buf: Bytes, n: usize) -> Page {
    Page::DataPage {
        buf,
        num_values: n as u32,
        encoding: Encoding::RLE_DICTIONARY,
        def_level_encoding: Encoding::RLE,
        rep_level_encoding: Encoding::RLE,
        statistics: None,
    }
}

impl Coded {
    fn n_cells(&self) -> usize {
        if self.levels.is_empty() { self.places.len() } else { self.levels.len() }
    }

    /// What a page of these cells holds: which of them are there, then the places of these, which begin with `next_place`.
    fn page(&self, cells: std::ops::Range<usize>, next_place: &mut usize) -> Vec<u8> {
        let mut levels = Vec::new();
        let n_there = if self.levels.is_empty() {
            push_run(&mut levels, 1, cells.len(), 1);
            cells.len()
        } else {
            push_places(&mut levels, &self.levels[cells.clone()], 1);
            self.levels[cells].iter().filter(|&&level| level == 1).count()
        };
        let places = &self.places[*next_place..*next_place + n_there];
        *next_place += n_there;
        let bits = (u32::BITS - (self.dictionary.len() as u32).saturating_sub(1).leading_zeros()) as usize;
        let mut page = (levels.len() as u32).to_le_bytes().to_vec();
        page.append(&mut levels);
        page.push(bits as u8);
        push_places(&mut page, places, bits);
        page
    }
}

impl Dictionary {
    fn len(&self) -> usize {
        match self {
            Self::Integer(values) => values.len(),
            Self::Wide(values) => values.len(),
            Self::Real(values) => values.len(),
            Self::Text(values) => values.len(),
        }
    }

    fn page(&self, buf: Bytes) -> Page {
        Page::DictionaryPage { buf, num_values: self.len() as u32, encoding: Encoding::PLAIN, is_sorted: false }
    }

    /// The values one after another, as Parquet's plain encoding has them.
    fn plain(&self) -> Vec<u8> {
        match self {
            Self::Integer(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Self::Wide(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Self::Real(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Self::Text(values) => {
                let length = |text: &ByteArray| (text.len() as u32).to_le_bytes();
                values.iter().flat_map(|text| length(text).into_iter().chain(text.data().iter().copied())).collect()
            }
        }
    }

    /// The least and the greatest number, and how many cells are null.
    fn statistics(&self, nulls: u64) -> Statistics {
        let (nulls, real) = (Some(nulls), |value: Option<f64>| value.filter(|value| !value.is_nan()));
        match self {
            Self::Integer(values) => {
                Statistics::int32(values.iter().min().copied(), values.iter().max().copied(), None, nulls, false)
            }
            Self::Wide(values) => {
                Statistics::int64(values.iter().min().copied(), values.iter().max().copied(), None, nulls, false)
            }
            Self::Real(values) => {
                let (least, greatest) =
                    (values.iter().copied().reduce(f64::min), values.iter().copied().reduce(f64::max));
                // To some readers -0 is less than 0.
                let least = least.map(|least| if least == 0.0 { -0.0 } else { least });
                Statistics::double(real(least), real(greatest), None, nulls, false)
            }
            Self::Text(_) => Statistics::byte_array(None, None, None, nulls, false),
        }
    }
}

/// Appends places of so many bits: runs of one place where it fills a group, packed groups elsewhere.
fn push_places(out: &mut Vec<u8>, places: &[u32], bits: usize) {
    let (mut packed_from, mut at) = (0, 0);
    while at < places.len() {
        let run = run_length(&places[at..]);
        if run >= GROUP {
            push_packed(out, &places[packed_from..at], bits);
            push_run(out, places[at], run, bits);
            at += run;
            packed_from = at;
        } else {
            at = places.len().min(at + GROUP);
        }
    }
    push_packed(out, &places[packed_from..], bits);
}

/// How often the first place is repeated.
fn run_length(places: &[u32]) -> usize {
    let first = places[0];
    places.iter().position(|&place| place != first).unwrap_or(places.len())
}

fn push_run(out: &mut Vec<u8>, place: u32, length: usize, bits: usize) {
    push_varint(out, length << 1);
    out.extend_from_slice(&place.to_le_bytes()[..bits.div_ceil(8)]);
}

/// Appends packed groups; what fills up the last one is 0.
fn push_packed(out: &mut Vec<u8>, places: &[u32], bits: usize) {
    if places.is_empty() {
        return;
    }
    push_varint(out, places.len().div_ceil(GROUP) << 1 | 1);
    for group in places.chunks(GROUP) {
        let (mut word, mut filled, end) = (0_u64, 0, out.len() + bits);
        for &place in group {
            word |= u64::from(place) << filled;
            filled += bits;
            while filled >= 8 {
                out.push(word as u8);
                word >>= 8;
                filled -= 8;
            }
        }
        out.extend((filled > 0).then_some(word as u8));
        out.resize(end, 0);
    }
}

/// Appends a number of seven bits a byte, the lowest first.
fn push_varint(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::places;
    use super::*;

    #[test]
    fn runs_and_groups_are_those_of_the_format() {
        let written = |places: &[u32], bits| {
            let mut out = Vec::new();
            push_places(&mut out, places, bits);
            out
        };
        // The example of the specification: 0 to 7 in three bits each.
        assert_eq!(written(&[0, 1, 2, 3, 4, 5, 6, 7], 3), [0b11, 0b1000_1000, 0b1100_0110, 0b1111_1010]);
        assert_eq!(written(&[5; 100], 9), [200, 1, 5, 0], "a run of 100, then 5 in two bytes");
        assert_eq!(written(&[0; 3], 0), [0b11], "nothing but the head of a group");
    }

    proptest! {
        #[test]
        fn places_are_read_as_they_were_written(
            runs in prop::collection::vec((0_u32..70_000, 1_usize..40), 0..50),
            n_values in prop_oneof![1_u32..4, 1_u32..70_000],
        ) {
            let expected: Vec<u32> = runs.iter().flat_map(|&(place, n)| std::iter::repeat_n(place % n_values, n)).collect();
            let bits = (u32::BITS - (n_values - 1).leading_zeros()) as usize;
            let (mut out, mut found) = (Vec::new(), Vec::new());
            push_places(&mut out, &expected, bits);
            let code_of: Vec<u32> = (0..n_values).collect();
            places::unpack(&out, bits, expected.len(), &code_of, &mut found).unwrap();
            prop_assert_eq!(found, expected);
        }
    }
}
