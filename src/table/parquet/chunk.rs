//! The chunks of a column, one for each group of rows, and their pages.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::marker::PhantomData;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Once, PoisonError};

use bytes::{Buf, Bytes};
use parquet::basic::{Encoding, Repetition};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::DataType;
use parquet::errors::Result;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor, Type};

use super::coder::Coder;
use super::damaged;
use super::key::{Key, Keys};
use super::places::are_places;
use crate::pages::take_large_pages;
use crate::table::Codes;

/// Cells decoded at a time.
const BATCH: usize = 1 << 13;

/// The files of a table, of which any thread may read any chunk.
pub struct Chunks {
    parts: Vec<(PathBuf, ParquetMetaData)>,
    /// The file that is open, and the number of its part: of many parts not all could be open.
    open: Mutex<(usize, File)>,
}

/// A group of rows: the number of its part, and its number in that.
pub type Group = (usize, usize);

impl Chunks {
    /// The chunks of these parts, of which the one of this number is open.
    pub fn new(parts: Vec<(PathBuf, ParquetMetaData)>, open: (usize, File)) -> Self {
        Self { parts, open: Mutex::new(open) }
    }

    /// Room for the codes of so many columns.
    pub fn rooms(&self, n_columns: usize) -> Vec<Vec<u8>> {
        // A damaged file may name any number of rows, but hardly the same twice.
        let of_groups = self.groups().fold(0, |sum: i64, group| sum.saturating_add(self.group(group).num_rows()));
        let of_files = self.parts.iter().map(|(_, metadata)| metadata.file_metadata().num_rows());
        let n_rows = usize::try_from(of_files.fold(0, i64::saturating_add).min(of_groups)).unwrap_or_default();
        let mut rooms: Vec<Vec<u8>> = (0..n_columns).map(|_| with_room(n_rows)).collect();
        // Not before there is room for all: columns side by side share large pages.
        rooms.iter_mut().for_each(|room| take_large_pages(room.spare_capacity_mut()));
        rooms
    }

    /// The groups of rows of all parts. A group without rows has no pages and is none.
    pub fn groups(&self) -> impl Iterator<Item = Group> {
        let of_part = |part: usize| (0..self.parts[part].1.num_row_groups()).map(move |group| (part, group));
        (0..self.parts.len()).flat_map(of_part).filter(|&group| self.group(group).num_rows() > 0)
    }

    pub fn group(&self, (part, group): Group) -> &RowGroupMetaData {
        self.parts[part].1.row_group(group)
    }

    /// The file that a group is in.
    pub fn path(&self, (part, _): Group) -> &Path {
        &self.parts[part].0
    }

    /// The pages of the column `at` in the group of rows `group`, decompressed.
    fn pages(&self, (part, group): Group, at: usize) -> Result<Vec<Page>> {
        let group = self.group((part, group));
        let chunk = Arc::new(self.chunk(part, group.column(at))?);
        let n_rows = usize::try_from(group.num_rows()).unwrap_or_default();
        SerializedPageReader::new(chunk, group.column(at), n_rows, None)?.collect()
    }

    /// The bytes of a chunk.
    fn chunk(&self, part: usize, column: &ColumnChunkMetaData) -> Result<Chunk> {
        let start = column.dictionary_page_offset().unwrap_or(i64::MAX).min(column.data_page_offset());
        let (start, length) = (u64::try_from(start), u64::try_from(column.compressed_size()));
        let (Ok(start), Ok(length)) = (start, length) else {
            return Err(damaged("a column begins or ends before the file"));
        };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.0 != part {
            *open = (part, File::open(&self.parts[part].0)?);
        }
        let file = &mut open.1;
        file.seek(SeekFrom::Start(start))?;
        let mut bytes = with_room(usize::try_from(length).unwrap_or_default());
        // Some writers leave the dictionary page out of the length of a chunk.
        let read = file.take(length).read_to_end(&mut bytes)?;
        if (read as u64) < length {
            return Err(damaged("a column ends after the file"));
        }
        Ok(Chunk { start, bytes: bytes.into() })
    }
}

/// Nothing yet, with room for so many bytes. A damaged file may name any number; what is not there is asked for when it is needed.
fn with_room(n_bytes: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = bytes.try_reserve_exact(n_bytes);
    bytes
}

/// A part of a file.
struct Chunk {
    start: u64,
    bytes: Bytes,
}

impl Length for Chunk {
    fn len(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl ChunkReader for Chunk {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        let at = start.checked_sub(self.start).and_then(|at| usize::try_from(at).ok());
        let at = at.filter(|&at| at <= self.bytes.len()).ok_or_else(|| damaged("a page lies outside its column"))?;
        Ok(self.bytes.slice(at..).reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let bytes = self.get_read(start)?.into_inner();
        if length <= bytes.len() { Ok(bytes.slice(..length)) } else { Err(damaged("a page is longer than its column")) }
    }
}

thread_local! {
    /// Whether this thread decodes pages.
    static DECODES: Cell<bool> = const { Cell::new(false) };
}

/// A column that is read one group of rows after another.
pub trait Decoder: Send {
    /// Adds the rows of a group.
    fn read(&mut self, chunks: &Chunks, group: Group) -> Result<()>;

    /// The codes of the rows that were read so far, which it does not keep.
    fn take_codes(&mut self) -> Codes;

    /// How many different values it knows, and the bytes that they take.
    fn held(&self) -> (usize, usize);

    /// The key of each code, and the codes.
    fn finish(self: Box<Self>) -> (Keys, Codes);
}

/// The decoder of the column `at`, whose codes come to this `room`; `key` of a value is none if it counts as missing.
pub fn decoder<T: DataType, K: Key + 'static>(
    at: usize,
    room: Vec<u8>,
    key: impl Fn(&T::T) -> Option<K> + Send + 'static,
) -> Box<dyn Decoder> {
    Box::new(Column { at, coder: Coder::new(room), key, values: PhantomData::<PhantomData<T>> })
}

struct Column<V, K, F> {
    at: usize,
    coder: Coder<K>,
    key: F,
    /// The type of its values.
    values: PhantomData<V>,
}

impl<T: DataType, K: Key, F: Fn(&T::T) -> Option<K> + Send> Decoder for Column<PhantomData<T>, K, F> {
    /// The decoders of the `parquet` crate trust the sizes that a page states, and panic where these are wrong. That is
    /// made an error here, and nothing is printed about it.
    fn read(&mut self, chunks: &Chunks, group: Group) -> Result<()> {
        static QUIET: Once = Once::new();
        QUIET.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                if !DECODES.get() {
                    before(info)
                }
            }));
        });
        DECODES.set(true);
        let coder = &mut self.coder;
        let read = panic::catch_unwind(AssertUnwindSafe(|| decode::<T, K>(chunks, (group, self.at), coder, &self.key)));
        DECODES.set(false);
        read.unwrap_or_else(|_| Err(damaged("the sizes of a page do not agree with its content")))
    }

    fn take_codes(&mut self) -> Codes {
        self.coder.take_codes()
    }

    fn held(&self) -> (usize, usize) {
        self.coder.held()
    }

    fn finish(self: Box<Self>) -> (Keys, Codes) {
        let (keys, codes) = self.coder.finish();
        (K::keys(keys), codes)
    }
}

fn decode<T: DataType, K: Key>(
    chunks: &Chunks,
    (group, at): (Group, usize),
    coder: &mut Coder<K>,
    key: impl Fn(&T::T) -> Option<K>,
) -> Result<()> {
    let (mut pages, column) = (chunks.pages(group, at)?, chunks.group(group).column(at).column_descr_ptr());
    let Some(dictionary) = only_dictionary(&pages) else {
        return each_batch::<T>(column, pages, |values, present| {
            let codes: Vec<u32> = values.iter().map(|value| coder.code(key(value))).collect();
            coder.append(&codes, present);
        });
    };
    let mut keys = Vec::new();
    each_batch::<T>(never_null(&column)?, vec![dictionary], |values, _| keys.extend(values.iter().map(&key)))?;
    let codes = coder.codes_of(keys);
    let may_be_null = column.max_def_level() > 0;
    pages.drain(1..).try_for_each(|page| coder.append_page(&page, may_be_null, &codes))
}

/// The values of the dictionary as a page of data, if all cells of the pages are places in it.
fn only_dictionary(pages: &[Page]) -> Option<Page> {
    let (Page::DictionaryPage { buf, num_values, .. }, data) = pages.split_first()? else { return None };
    data.iter().all(are_places).then(|| Page::DataPage {
        buf: buf.clone(),
        num_values: *num_values,
        encoding: Encoding::PLAIN,
        def_level_encoding: Encoding::RLE,
        rep_level_encoding: Encoding::RLE,
        statistics: None,
    })
}

/// The column as if none of its values could be null.
fn never_null(column: &ColumnDescriptor) -> Result<ColumnDescPtr> {
    let builder = Type::primitive_type_builder(column.name(), column.physical_type());
    let of_cells = builder.with_repetition(Repetition::REQUIRED).with_length(column.type_length()).build()?;
    Ok(Arc::new(ColumnDescriptor::new(Arc::new(of_cells), 0, 0, column.path().clone())))
}

/// Calls `take` with the values of some cells after another that are not null, and with 1 for each cell that is not
/// null and 0 for one that is; with nothing in place of those where no cell can be null.
fn each_batch<T: DataType>(
    column: ColumnDescPtr,
    pages: Vec<Page>,
    mut take: impl FnMut(&[T::T], &[i16]),
) -> Result<()> {
    let mut reader = ColumnReaderImpl::<T>::new(column, Box::new(Pages(pages.into())));
    let (mut values, mut present) = (Vec::new(), Vec::new());
    loop {
        values.clear();
        present.clear();
        let (n_cells, ..) = reader.read_records(BATCH, Some(&mut present), None, &mut values)?;
        if n_cells == 0 {
            return Ok(());
        }
        take(&values, &present);
    }
}

/// Pages that are in memory.
struct Pages(VecDeque<Page>);

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.pop_front().map(Ok)
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.next().transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        let metadata = |page: &Page| PageMetadata {
            num_rows: None,
            num_levels: Some(page.num_values() as usize),
            is_dict: page.is_dictionary_page(),
        };
        Ok(self.0.front().map(metadata))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.next().transpose().map(drop)
    }
}
